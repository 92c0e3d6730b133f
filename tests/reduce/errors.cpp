// What is refused, with which words, before anything runs.

#include <string>
#include <utility>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/reference.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using namespace support;

TEST_CASE("an empty input gives the identity, or an error where there is none") {
  const session& s = device_session();
  const cl::Buffer none;
  reduce<float, op::several<op::sum<>, op::product<>, op::any, op::all, op::count, op::norm2<>>>
      with(s.queue);
  const auto [sum, product, any, all, count, norm] = with.value(whole<float>(none, 0));
  CHECK(sum == 0);
  CHECK(product == 1);
  CHECK(any == 0);
  CHECK(all == 1);
  CHECK(count == 0);
  CHECK(norm == 0);
  const auto fails = [&](auto op) { return refused([&] { op.value(whole<float>(none, 0)); }); };
  const std::string message =
      "length of x must not be 0 for an operator without identity: 0 given, at least 1";
  CHECK(fails(reduce<float, op::min>(s.queue)) == message);
  CHECK(fails(reduce<float, op::argmax>(s.queue)) == message);
  CHECK(fails(reduce<float, op::mean<>>(s.queue)) == message);
  CHECK(fails(reduce<float, op::variance<>>(s.queue)) == message);
  const std::vector<float> zeros =
      reduce<float>(s.queue).values(along_axis<float>(none, {3, 0, 2}, 1));
  CHECK(zeros == std::vector<float>(6, 0.0f));
  CHECK(reduce<float>(s.queue).values(along_axis<float>(none, {0, 3}, 1)).empty());
}

TEST_CASE("sizes, buffers and overlap are refused with names and numbers") {
  const session& s = device_session();
  const cl::Buffer x = device_copy(s, std::vector<float>(100));
  const cl::Buffer out = device_copy(s, std::vector<float>(4));
  reduce<float> sum(s.queue);
  CHECK(refused([&] { sum(whole<float>(x, 101), out); }) ==
        "buffer of x must hold every element addressed: 400 bytes given, at least 404 bytes");
  CHECK(refused([&] { sum(whole<float>(x, -1), out); }) ==
        "length of x must not be negative: -1 given, at least 0");
  CHECK(refused([&] { sum(segments<float>(x, 5, 20), out); }) ==
        "buffer of the results must hold every element addressed: 16 bytes given, at least 20 "
        "bytes");
  CHECK(refused([&] { sum(whole<float>(x, 100), x); }) ==
        "the results must not share memory with the input: overlapping buffers given, separate "
        "memory");
  CHECK(refused([&] {
          sum(whole<float>(x, std::int64_t{1} << 62), out);
        }).starts_with("last element of x must have an address that fits 64 bits"));
  CHECK_THROWS_AS(sum(whole<float>(x, 1), out, -1), argument_error);
  CHECK_THROWS_AS(along_axis<float>(x, {2, 3}, 2), argument_error);
  CHECK_THROWS_AS(along_axis<float>(x, {2, -3}, 1), argument_error);
  CHECK_THROWS_AS(sum.value(segments<float>(x, 5, 20)), argument_error);
  reduce<float, op::dot<>> dot(s.queue);
  CHECK_THROWS_AS(dot(whole<float>(x, 10), whole<float>(x, 11), out), argument_error);
}

TEST_CASE("offsets, workspace and results of ragged segments are checked as far as the host sees") {
  const session& s = device_session();
  const cl::Buffer x = device_copy(s, std::vector<float>(70000, 1.0f));
  const cl::Buffer offsets = device_copy(s, std::vector<std::int64_t>{0, 69000, 70000});
  const cl::Buffer out = device_copy(s, std::vector<float>(4));
  const cl::Buffer small = device_copy(s, std::vector<float>(1));
  reduce<float> sum(s.queue, {.policy = reduce_policy{.group = 8, .least_steps = 1}});
  const auto two = ragged<float>(x, 70000, offsets, 2);
  CHECK(refused([&] { sum(ragged<float>(x, 70000, offsets, 3), out); }) ==
        "offsets of the segments of x must hold every element addressed: 24 bytes given, at least "
        "32 bytes");
  CHECK(refused([&] { sum(two, offsets); }) ==
        "the results must not share memory with the offsets of the segments: overlapping buffers "
        "given, separate memory");
  CHECK(refused([&] { sum(two, offsets, 4); }).starts_with("the results must not share memory"));
  for (const auto& [view, bytes] :
       {std::pair{two, sum.workspace_bytes(two)},
        {whole<float>(x, 70000), sum.workspace_bytes(whole<float>(x, 70000))}}) {
    sum.use_workspace(small);
    CHECK(refused([&, view = view] { sum(view, out); }) ==
          "the workspace must hold what lies between the kernels of the call: 4 bytes given, at "
          "least " +
              std::to_string(bytes) + " bytes");
    sum.use_workspace(x);
    CHECK(refused([&, view = view] { sum(view, out); }) ==
          "the workspace must not share memory with x: overlapping buffers given, a "
          "buffer of its own");
    sum.use_workspace(out);
    CHECK(refused([&, view = view] { sum(view, out); }) ==
          "the workspace must not share memory with the results: overlapping buffers given, a "
          "buffer of its own");
    sum.use_workspace(offsets);
    CHECK(refused([&] { sum(two, out); }) ==
          "the workspace must not share memory with the offsets of the segments: overlapping "
          "buffers given, a buffer of its own");
    guarded_buffer<std::uint32_t> enough(s, std::vector<std::uint32_t>(bytes / 4, 77u), 7u);
    sum.use_workspace(enough.buffer());  // what it held does not matter
    for (int run = 0; run < 2; ++run)
      CHECK(sum.values(view).at(0) == (view.offsets != nullptr ? 69000 : 70000));
    CHECK(sum.workspace_held() == bytes);
    enough.read();
    CHECK(enough.intact());
  }
}

TEST_CASE("a policy that cannot be is refused when the object is made") {
  const session& s = device_session();
  CHECK(refused([&] { reduce<float>(s.queue, {.policy = reduce_policy{.group = 48}}); }) ==
        "group must be a power of two up to 4096: group = 48 given");
  if (facts_of(s.device).vendor != vendor::nvidia) {
    CHECK_THROWS_AS(
        reduce<float>(s.queue, {.policy = reduce_policy{.method = group_method::shuffle}}),
        policy_error);
  }
  const cl::Buffer x = device_copy(s, std::vector<float>(100));
  reduce<float> broken(s.queue, {.map = {"return nothing;", {}}});
  CHECK_THROWS_AS(broken.value(whole<float>(x, 100)), build_error);
}

TEST_CASE("results that no buffer holds are refused, and the object works afterwards") {
  const session& s = device_session();
  const cl::Buffer x = device_copy(s, std::vector<float>(100, 1.0f));
  reduce<float> sum(s.queue);
  reduce_view<float> many = whole<float>(x, 100);
  many.outer = std::int64_t{1} << 45;  // the same elements again and again
  CHECK(refused([&] { sum.values(many); })
            .starts_with("results on the host must fit one buffer of the device: 35184372088832 of "
                         "4 bytes given"));
  CHECK(refused([&] {
          sum.values(segments<float>(x, std::int64_t{1} << 45, 1));
        }).starts_with("buffer of x must hold every element addressed"));
  CHECK_THROWS_AS(sum.value(whole<float>(x, 101)), argument_error);
  CHECK(sum.value(whole<float>(x, 100)) == 100);
  CHECK(sum.values(segments<float>(x, 10, 10)) == std::vector<float>(10, 10.0f));
}

TEST_CASE("an object that was moved from says so") {
  const session& s = device_session();
  const cl::Buffer x = device_copy(s, std::vector<float>(100, 1.0f));
  reduce<float> from(s.queue);
  CHECK(from.value(whole<float>(x, 100)) == 100);
  reduce<float> to(std::move(from));
  const std::string sentence =
      "the operation must not have been moved from: an object without a "
      "queue given, the one that it was moved to";
  const auto view = whole<float>(x, 100);
  CHECK(refused([&] { from.value(view); }) == sentence);
  CHECK(refused([&] { from(view, x); }) != "accepted");
  CHECK(refused([&] { from.prepare(view); }) == sentence);
  CHECK(refused([&] { (void)from.schedule(view); }) == sentence);
  CHECK(refused([&] { (void)from.source(view); }) == sentence);
  CHECK(refused([&] { (void)from.explain(view); }) == sentence);
  CHECK(to.value(view) == 100);
  from = std::move(to);
  CHECK(from.value(view) == 100);
}

TEST_CASE("elements of the host's memory are read wherever they begin") {
  const session& s = device_session();
  alignas(128) static float memory[4096];
  for (std::size_t i = 0; i < 4096; ++i) memory[i] = static_cast<float>(i % 9);
  for (const std::size_t first : {0u, 1u, 2u, 7u}) {
    CAPTURE(first);
    cl_int code = CL_SUCCESS;
    const cl::Buffer x(clCreateBuffer(s.context(), CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR,
                                      4000 * sizeof(float), memory + first, &code),
                       false);
    check(code, "clCreateBuffer");
    float expected = 0;
    for (std::size_t i = 0; i < 4000; ++i) expected += memory[first + i];
    for (const bool unaligned : {false, true}) {
      reduce<float> sum(s.queue,
                        {.policy = reduce_policy{.group = 8, .vector = 8, .unaligned = unaligned}});
      CHECK(sum.value(whole<float>(x, 4000)) == expected);
    }
  }
}

TEST_CASE("a limit of registers is a build option of NVIDIA's compiler, and refused out of range") {
  device_facts nvidia;
  nvidia.inline_ptx = true;
  CHECK(detail::reduce_build_options({.registers = 32}, nvidia) == "-cl-nv-maxrregcount=32");
  CHECK(detail::reduce_build_options({}, nvidia).empty());
  CHECK(detail::reduce_build_options({.registers = 32}, device_facts{}).empty());
  for (const int registers : {-1, 23, 256}) {
    CHECK(refused([&] { check_rules(reduce_policy{.registers = registers}); }) ==
          "registers must be 0 or in 24 to 255");
  }
}

TEST_CASE("results go where they are wanted, after what they wait for") {
  const session& s = out_of_order_session();
  std::vector<float> values(3000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 5);
  const cl::Buffer x = device_copy(s, values);
  guarded_buffer<float> out(s, std::vector<float>(5, -1.0f), -2.0f);
  for (const auto finish :
       {group_finish::second_kernel, group_finish::last_group, group_finish::last_started}) {
    reduce<float> sum(s.queue, {.policy = reduce_policy{.group = 8, .finish = finish}});
    const cl::Event gate = user_event(s);
    const cl::Event one = sum(whole<float>(x, 3000), out.buffer(), 1, std::span(&gate, 1));
    const cl::Event two = sum(whole<float>(x, 1000), out.buffer(), 3, std::span(&gate, 1));
    check(clSetUserEventStatus(gate(), CL_COMPLETE), "clSetUserEventStatus");
    wait_for(one);
    wait_for(two);
    CHECK(out.read() == std::vector<float>{-1, 6000, -1, 2000, -1});
    CHECK(out.intact());
  }
}

TEST_CASE("a call without an event is for queues that keep their order") {
  const std::vector<float> ones(50000, 1.0f);
  CHECK_THROWS_WITH_AS(
      reduce<float>(out_of_order_session().queue, {.completion = completion::none}),
      "completion must be an event on an out-of-order queue: completion::none given, "
      "completion::event, or an in-order queue",
      argument_error);
  const session& s = device_session();
  const cl::Buffer x = device_copy(s, ones);
  guarded_buffer<float> out(s, std::vector<float>(2, -1.0f), -2.0f);
  reduce<float> sum(s.queue, {.completion = completion::none});
  CHECK(sum(whole<float>(x, 50000), out.buffer(), 1)() == nullptr);
  CHECK(sum(whole<float>(x, 0), out.buffer())() == nullptr);
  CHECK(out.read() == std::vector<float>{0, 50000});
  CHECK(sum.value(whole<float>(x, 700)) == 700);
}

TEST_CASE("rows, columns and ragged segments leave no byte unwatched") {
  const session& s = device_session();
  std::vector<float> values(1500);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 5);
  const cl::Buffer x = device_copy(s, values);
  for (const bool last : {false, true}) {
    const reduce_policy p{.group = 16,
                          .finish = last ? group_finish::last_group : group_finish::second_kernel,
                          .least_steps = 1,
                          .columns = 4};
    reduce<float, op::several<op::sum<>, op::argmax>> both(s.queue, {.policy = p});
    CHECK(both.values(segments<float>(x, 100, 15)).size() == 100);
    const auto columns = both.values(along_axis<float>(x, {150, 10}, 0));
    CHECK(std::get<0>(columns[3]) == 450);
    const cl::Buffer offsets = device_copy(s, std::vector<std::int64_t>{0, 1, 1, 400, 1500});
    const auto ragged_sums = both.values(ragged<float>(x, 1500, offsets, 4));
    CHECK(std::get<0>(ragged_sums[1]) == 0);
    CHECK(std::get<0>(ragged_sums[3]) == 2200);
  }
}
