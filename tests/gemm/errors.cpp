// Every wrong call: one exception with names and numbers, nothing enqueued, no buffer touched.

#include <array>
#include <complex>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "gemm/draw_problem.hpp"
#include "gemm/product.hpp"
#include "support/device.hpp"
#include "support/refusal.hpp"
#include "support/rounding.hpp"

using namespace clprim;
using namespace support;

namespace {

/// Three buffers of 64 floats and a call on them that must be refused.
class wrong_call {
 public:
  explicit wrong_call(gemm_options options = {}) : multiply_(s_.queue, std::move(options)) {}

  matrix_view<float> A(std::int64_t rows = 4, std::int64_t cols = 5) const {
    return matrix<float>(a_.buffer(), rows, cols);
  }
  matrix_view<float> B(std::int64_t rows = 5, std::int64_t cols = 6) const {
    return matrix<float>(b_.buffer(), rows, cols);
  }
  matrix_view<float> C(std::int64_t rows = 4, std::int64_t cols = 6) const {
    return matrix<float>(c_.buffer(), rows, cols);
  }

  /// The sentence of argument_error; checks that its parts make it, and that nothing ran.
  std::string refused(const matrix_view<float>& a, const matrix_view<float>& b,
                      const matrix_view<float>& c, std::vector<argument> arguments = {}) {
    const cl::Event gate = user_event(s_);
    std::string sentence = "accepted";
    try {
      multiply_(1, a, b, 0, c, {gate}, arguments);
    } catch (const argument_error& e) {
      sentence = e.what();
      CHECK(sentence == e.argument + " " + e.constraint + ": " + e.actual + " given, " + e.allowed);
      CHECK_FALSE(e.argument.empty());
      CHECK_FALSE(e.constraint.empty());
      CHECK_FALSE(e.actual.empty());
      CHECK_FALSE(e.allowed.empty());
    }
    check(clSetUserEventStatus(gate(), CL_COMPLETE), "clSetUserEventStatus");
    // A process that ends while PoCL still compiles is one that crashes.
    check(clFinish(s_.queue()), "clFinish");
    if (sentence != "accepted") {
      CHECK(a_.read() == numbers);
      CHECK(b_.read() == numbers);
      CHECK(c_.read() == numbers);
    }
    return sentence;
  }

 private:
  inline static const std::vector<float> numbers = std::vector<float>(64, 3.f);
  const session& s_ = device_session();
  gemm<float> multiply_;
  guarded_buffer<float> a_{s_, numbers, 9.f}, b_{s_, numbers, 9.f}, c_{s_, numbers, 9.f};
};

constexpr std::int64_t giant = std::int64_t{1} << 31;

}  // namespace

TEST_CASE("shapes that do not fit each other are named with both numbers") {
  wrong_call call;
  CHECK(call.refused(call.A(3, 5), call.B(), call.C()) ==
        "rows of op(A) must equal the rows of C: 3 given, 4 expected");
  CHECK(call.refused(call.A(), call.B(5, 7), call.C()) ==
        "columns of op(B) must equal the columns of C: 7 given, 6 expected");
  CHECK(call.refused(call.A(), call.B(4, 6), call.C()) ==
        "rows of op(B) must equal the columns of op(A): 4 given, 5 expected");
  CHECK(call.refused(transposed(call.A()), call.B(), call.C()) ==
        "rows of op(A) must equal the rows of C: 5 given, 4 expected");
  CHECK(call.refused(call.A(), conjugated(call.B()), call.C()) ==
        "columns of op(B) must equal the columns of C: 5 given, 6 expected");
  CHECK(call.refused(call.A(), call.B(), transposed(call.C(6, 4))) ==
        "C must not be transposed: a transposed view given, a view with the other layout");
}

TEST_CASE("batches that do not fit each other are named with both numbers") {
  wrong_call call;
  CHECK(
      call.refused(call.A(1, 2).batch(3, 2), call.B(2, 3).batch(2, 6), call.C(1, 3).batch(2, 3)) ==
      "batch count of A must equal the batch count of C: 3 given, 2 expected");
  CHECK(call.refused(call.A(1, 2).batch(2, 2), call.B(2, 3), call.C(1, 3).batch(2, 3)) ==
        "batch count of B must equal the batch count of C: 1 given, 2 expected");
  CHECK(
      call.refused(call.A(1, 2).batch(2, 2), call.B(2, 3).batch(2, 6), call.C(1, 3).batch(2, 2)) ==
      "batch stride of C must keep the matrices of an output apart: 2 given, a stride at which "
      "they share no element");
  CHECK(call.refused(call.A(1, 2).batch(-1, 2), call.B(2, 3), call.C(1, 3)) ==
        "batch count of A must not be negative: -1 given, at least 0");
  CHECK(
      call.refused(call.A(1, 2).batch(2, -2), call.B(2, 3).batch(2, 6), call.C(1, 3).batch(2, 3)) ==
      "batch stride of A must not be negative: -2 given, at least 0");
}

TEST_CASE("sizes, leading dimensions and offsets that cannot be are named for each operand") {
  wrong_call call;
  const auto a = call.A(), b = call.B(), c = call.C();
  CHECK(call.refused(call.A(-4, 5), b, c) ==
        "rows of A must not be negative: -4 given, at least 0");
  CHECK(call.refused(a, call.B(5, -6), c) ==
        "columns of B must not be negative: -6 given, at least 0");
  CHECK(call.refused(a, b, call.C(-1, 6)) ==
        "rows of C must not be negative: -1 given, at least 0");
  CHECK(call.refused(a.ld(4), b, c) ==
        "leading dimension of A must be at least its columns: 4 given, at least 5");
  CHECK(call.refused(a, b.column_major().ld(4), c) ==
        "leading dimension of B must be at least its rows: 4 given, at least 5");
  CHECK(call.refused(a, b, c.ld(5)) ==
        "leading dimension of C must be at least its columns: 5 given, at least 6");
  CHECK(call.refused(a.at(-1), b, c) == "offset of A must not be negative: -1 given, at least 0");
  CHECK(call.refused(a, b.at(-1), c) == "offset of B must not be negative: -1 given, at least 0");
  CHECK(call.refused(a, b, c.at(-7)) == "offset of C must not be negative: -7 given, at least 0");
  CHECK(call.refused(call.A(giant, 5), b, call.C(giant, 6)) ==
        "rows of A must fit 32 bits: 2147483648 given, at most 2147483647");
}

TEST_CASE("extents and leading dimensions past 32-bit indexing are refused, buffers or not") {
  wrong_call call;
  // Nothing is addressed along a dimension beside 0, so these need no memory.
  constexpr std::int64_t most = 2147483647;
  const auto none = [](std::int64_t rows, std::int64_t cols) {
    return matrix<float>(cl::Buffer(), rows, cols);
  };
  CHECK(call.refused(none(most, 0), none(0, 0), none(most, 0)) ==
        "rows of C must stay within 32-bit indexing: 2147483647 given, at most 2147479551");
  CHECK(call.refused(none(0, most), none(most, 0), none(0, 0)) ==
        "columns of op(A) must stay within 32-bit indexing: 2147483647 given, at most 2147479551");
  CHECK(call.refused(call.A(1, 5).ld(most + 1), call.B(), call.C(1, 6)) ==
        "leading dimension of A must stay within 32-bit indexing: 2147483648 given, at most "
        "2147483647");
}

TEST_CASE("a buffer that is too small, or none, is named with its bytes") {
  wrong_call call;
  CHECK(call.refused(call.A(4, 17), call.B(17, 6), call.C()) ==
        "buffer of A must hold every element addressed: 256 bytes given, at least 272 bytes");
  CHECK(call.refused(call.A(), call.B().at(35), call.C()) ==
        "buffer of B must hold every element addressed: 256 bytes given, at least 260 bytes");
  CHECK(call.refused(call.A(), call.B(), call.C().ld(20)) ==
        "buffer of C must hold every element addressed: 256 bytes given, at least 264 bytes");
  CHECK(call.refused(call.A(), call.B(), call.C(1, 6).batch(2, 60)) != "accepted");
  CHECK(call.refused(call.A(), matrix<float>(cl::Buffer(), 5, 6), call.C()) ==
        "buffer of B must be a buffer: a null handle given, at least 120 bytes");
}

TEST_CASE("a workspace that is an operand too is refused, and C stays as it was") {
  const session& on = support::device_session();
  const std::vector<float> ones(16 * 64, 1.0f), before(256, 7.0f);
  cl::Buffer a(on.context, CL_MEM_READ_WRITE, ones.size() * sizeof(float));
  cl::Buffer c(on.context, CL_MEM_READ_WRITE, before.size() * sizeof(float));
  cl::copy(on.queue, ones.begin(), ones.end(), a);
  cl::copy(on.queue, before.begin(), before.end(), c);
  gemm<float> multiply(on.queue,
                       {.policy = gemm_policy{
                            .tile_m = 16, .tile_n = 16, .lanes_m = 4, .lanes_n = 4, .split_k = 2}});
  multiply.use_workspace(a);
  const auto A = matrix<float>(a, 16, 64);
  CHECK_THROWS_WITH_AS(
      multiply(1, A, transposed(A), 0, matrix<float>(c, 16, 16)),
      "the workspace must not share memory with A: overlapping buffers given, a buffer of its own",
      argument_error);
  std::vector<float> after(256);
  cl::copy(on.queue, c, after.begin(), after.end());
  CHECK(after == before);
}

TEST_CASE("a part of an operand's buffer is no workspace either") {
  const session& on = device_session();
  cl::Buffer a(on.context, CL_MEM_READ_WRITE, 65536), c(on.context, CL_MEM_READ_WRITE, 65536);
  const cl_buffer_region region{4096, 32768};
  cl_int code = CL_SUCCESS;
  const cl::Buffer part(
      clCreateSubBuffer(a(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code),
      false);
  check(code, "clCreateSubBuffer");
  gemm<float> multiply(on.queue,
                       {.policy = gemm_policy{
                            .tile_m = 16, .tile_n = 16, .lanes_m = 4, .lanes_n = 4, .split_k = 2}});
  multiply.use_workspace(part);
  const auto A = matrix<float>(a, 16, 128), C = matrix<float>(c, 16, 16);
  CHECK_THROWS_WITH_AS(multiply(1, A, transposed(A), 0, C),
                       "the workspace must not share memory with A: overlapping buffers given, a "
                       "buffer of its own",
                       argument_error);
  const auto before = matrix<float>(a, 8, 128);  // ends where the part begins
  wait_for(multiply(1, before, transposed(before), 0, matrix<float>(c, 8, 8)));
}

TEST_CASE("an object that was moved from says so") {
  const session& on = device_session();
  cl::Buffer a(on.context, CL_MEM_READ_WRITE, 64), c(on.context, CL_MEM_READ_WRITE, 64);
  const auto A = matrix<float>(a, 4, 4), C = matrix<float>(c, 4, 4);
  gemm<float> multiply(on.queue);
  const gemm<float> moved = std::move(multiply);
  const char* const sentence =
      "the operation must not have been moved from: an object without a queue given, the one that "
      "it was moved to";
  CHECK_THROWS_WITH_AS(multiply(1, A, A, 0, C), sentence, argument_error);
  CHECK_THROWS_WITH_AS(multiply.prepare(A, A, C), sentence, argument_error);
  CHECK_THROWS_WITH_AS(multiply.explain(A, A, C), sentence, argument_error);
  CHECK_THROWS_WITH_AS(multiply.use_workspace(a), sentence, argument_error);
  CHECK_NOTHROW(moved.schedule(A, A, C));
}

TEST_CASE("an epilogue that returns nothing, or hides what its body sees, is refused") {
  const session& on = device_session();
  const auto of = [&](function epilogue) {
    return refused([&] { gemm<float>(on.queue, {.epilogue = std::move(epilogue)}); });
  };
  CHECK(of({" \n\t", {}}) ==
        "the epilogue must return a value: a body without 'return' given, such as 'return value;'");
  CHECK(of({"value *= 2;", {}}).starts_with("the epilogue must return a value"));
  for (const char* const name : {"value", "row", "column"}) {
    CHECK(of({"return value;", {value<float>(name)}}) ==
          std::string("parameter 0 of the epilogue must not have a name that the body sees "
                      "already: '") +
              name + "' given, another name");
  }
}

TEST_CASE("a buffer of the epilogue is neither null nor written by the product") {
  wrong_call call({.epilogue = {"return value + bias[column];", {buffer<float>("bias")}}});
  CHECK(call.refused(call.A(), call.B(), call.C(), {cl_mem{}}) ==
        "argument 'bias' of the user function must be a buffer: a null handle given, one of the "
        "queue's context");
  CHECK(
      call.refused(call.A(), call.B(), call.C(), {call.C().memory}) ==
      "a buffer of the user function must not be written by the call: memory of C given, separate "
      "memory");
}

TEST_CASE("a null buffer of batch offsets is refused") {
  const auto A = matrix<float>(cl_mem{}, 1, 1);
  CHECK_THROWS_WITH_AS(A.batch(2, cl::Buffer()),
                       "batch offsets must be a buffer: a null buffer given, one of int64",
                       argument_error);
}

TEST_CASE("offset arrays that are too small are refused, without elements of A and B too") {
  const session& s = device_session();
  wrong_call call;
  guarded_buffer<std::int64_t> two(s, std::vector<std::int64_t>{0, 2}, 0);
  CHECK(call.refused(call.A(1, 2).batch(3, two.buffer()), call.B(2, 3).batch(3, 6),
                     call.C(1, 3).batch(3, 3)) ==
        "batch offsets of A must hold every element addressed: 16 bytes given, at least 24 bytes");
  // k = 0: no element of A is read, but would its offsets be?
  CHECK(call.refused(call.A(1, 0).batch(3, two.buffer()), call.B(0, 3).batch(3, 0),
                     call.C(1, 3).batch(3, 3)) ==
        "batch offsets of A must hold every element addressed: 16 bytes given, at least 24 bytes");
}

TEST_CASE("C may not share memory with A or B, not even through a part of a buffer") {
  wrong_call call;
  const auto aliased = matrix<float>(call.A().memory, 4, 6);
  CHECK(call.refused(call.A(), call.B(), aliased) ==
        "C must not share memory with A: overlapping views given, separate memory");
  const auto b_aliased = matrix<float>(call.B().memory, 4, 6).at(29);
  CHECK(call.refused(call.A(), call.B(), b_aliased) ==
        "C must not share memory with B: overlapping views given, separate memory");
  // Side by side in one buffer is no sharing.
  CHECK(call.refused(call.A(2, 2), call.B(2, 2), matrix<float>(call.A().memory, 2, 2).at(4)) ==
        "accepted");
}

TEST_CASE("arguments of the epilogue are checked in number, kind and type") {
  wrong_call call({.epilogue = {"return value * slope + bias[column];",
                                {value<float>("slope"), buffer<float>("bias")}}});
  const cl::Buffer bias(device_session().context, CL_MEM_READ_ONLY, 64);
  const auto a = call.A(), b = call.B(), c = call.C();
  CHECK(call.refused(a, b, c) ==
        "arguments of the user function must be as many as its parameters: 0 given, 2");
  CHECK(call.refused(a, b, c, {2.f, bias, bias}) ==
        "arguments of the user function must be as many as its parameters: 3 given, 2");
  CHECK(call.refused(a, b, c, {2.0, bias}) ==
        "argument 'slope' of the user function must have the type of its parameter: double given, "
        "float");
  CHECK(call.refused(a, b, c, {2.f, 3.f}) ==
        "argument 'bias' of the user function must have the type of its parameter: float given, a "
        "buffer");
  CHECK(call.refused(a, b, c, {bias, bias}) ==
        "argument 'slope' of the user function must have the type of its parameter: buffer given, "
        "float");
  wrong_call plain;
  CHECK(plain.refused(a, b, c, {2.f}) ==
        "arguments of the user function must be as many as its parameters: 1 given, 0");
}

TEST_CASE("an epilogue that does not compile is a build error with the log, and C is untouched") {
  const session& s = device_session();
  gemm<float> multiply(s.queue, {.epilogue = {"return value + no_such_name;", {}}});
  const std::vector<float> before(4, 1.f);
  guarded_buffer<float> a(s, before, 0.f), b(s, before, 0.f), c(s, before, 0.f);
  const auto view = [](const guarded_buffer<float>& x) { return matrix<float>(x.buffer(), 2, 2); };
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      multiply(1, view(a), view(b), 0, view(c));
      FAIL("it builds");
    } catch (const build_error& e) {
      CHECK(std::string(e.what()).find("no_such_name") != std::string::npos);
    }
  }
  CHECK(c.read() == before);
}

TEST_CASE("a policy that breaks a rule is refused at construction") {
  const session& s = device_session();
  CHECK_THROWS_WITH_AS(
      gemm<float>(s.queue, {.policy = gemm_policy{.tile_m = 66}}),
      "tile_m must be a multiple of per_item_m * blocks_m: tile_m = 66, per_item_m = 4, "
      "blocks_m = 1 given",
      policy_error);
  CHECK_THROWS_WITH_AS(
      gemm<std::complex<float>>(
          s.queue, {.policy = gemm_policy{.per_item_n = 16, .lanes_n = 4, .vector_n = 16}}),
      "vector_n must fit OpenCL's vectors of 16 reals in complex elements: 16 given, at most 8",
      policy_error);
}

TEST_CASE(
    "a policy beyond the limits of a device is refused with what it needs and what there is") {
  device_facts device;
  device.name = "a small device";
  device.max_work_group = 64;
  device.local_bytes = 4096;
  CHECK_THROWS_WITH_AS(
      check_device_rules(gemm_policy{}, scalar::float_, device),
      "the policy's work-group must fit the device's limit of work-items: 256 given, at most 64",
      policy_error);
  gemm_policy fits{.tile_m = 32, .tile_n = 32};
  const std::int64_t bytes = most_local_bytes(fits, scalar::float_);
  device.local_bytes = bytes;
  CHECK_NOTHROW(check_device_rules(fits, scalar::float_, device));
  device.local_bytes = bytes - 1;
  CHECK_THROWS_WITH_AS(check_device_rules(fits, scalar::float_, device),
                       ("the policy's tiles, however the operands lie, must fit the local memory "
                        "of the device in bytes: " +
                        std::to_string(bytes) + " given, at most " + std::to_string(bytes - 1))
                           .c_str(),
                       policy_error);
  device.local_bytes = 65536;
  device.fp64 = false;
  CHECK_NOTHROW(check_device_rules(fits, scalar::float_, device));
  CHECK_NOTHROW(check_device_rules(fits, scalar::half_, device));
  CHECK_THROWS_WITH_AS(
      check_device_rules(fits, scalar::double_, device),
      "gemm of double needs double precision (cl_khr_fp64), which a small device lacks",
      device_error);
  CHECK_THROWS_AS(check_device_rules(fits, scalar::complex_double, device), device_error);
}

TEST_CASE("sums that no private memory holds are refused, and a CPU holds what is allowed") {
  const session& s = device_session();
  const gemm_policy huge{.tile_m = 1024, .tile_n = 1024, .per_item_m = 16, .per_item_n = 16};
  CHECK_THROWS_WITH_AS(
      gemm<float>(s.queue, {.policy = huge}),
      "the sums of a work-group, tile_m * tile_n * slices_k elements, must fit private memory in "
      "bytes: 4194304 given, at most 1048576",
      policy_error);
  const device_facts facts = facts_of(s.device);
  if (facts.kind != device_kind::cpu) return;  // what spills on a GPU does so to its memory
  gemm_policy most{
      .tile_m = 512, .tile_n = 512, .tile_k = 4, .per_item_m = 16, .per_item_n = 16, .unroll = 1};
  gemm_policy alone = most;  // one item with all of them
  alone.blocks_m = alone.blocks_n = 32, alone.lanes_m = alone.lanes_n = 1;
  for (const gemm_policy& policy : {most, alone}) {
    CAPTURE(to_string(policy));
    if (policy.group_size() > facts.max_work_group) continue;
    gemm<float> multiply(s.queue, {.policy = policy});
    CHECK(complaint_about<float>(s, multiply, {.m = 30, .n = 35, .k = 9}) == "");
  }
}

TEST_CASE("a policy that an object took runs every product, however its operands lie") {
  const session& s = device_session();
  device_facts small = facts_of(s.device);
  draw d(11);
  int taken = 0;
  for (int i = 0; i < 4000; ++i) {
    gemm_policy policy = draw_policy(d);
    const scalar type = d.one_of({scalar::float_, scalar::half_, scalar::double_,
                                  scalar::complex_float, scalar::complex_double});
    const gemm_variant plain{.type = type};
    // Room for some layouts at least.
    small.local_bytes = geometry_of(policy, plain).local_bytes + d.one_of({0, 0, 64, 1024});
    try {
      check_device_rules(policy, type, small);
    } catch (const policy_error&) {
      continue;
    }
    ++taken;
    for (int way = 0; way < 400; ++way) {
      gemm_variant v{.type = type};
      v.a.along_k = way % 2 == 0, v.b.along_k = way / 2 % 2 == 0;
      v.a.alignment = 1 << way / 4 % 5, v.b.alignment = 1 << way / 20 % 5;
      v.split = way / 100 % 2 == 0;
      gemm_policy short_of = policy;  // products of less than two steps take the plain walk
      if (way / 200 == 1) short_of.buffer = buffering::single, short_of.stages = 1;
      REQUIRE(geometry_of(short_of, v).local_bytes <= small.local_bytes);
    }
  }
  CHECK(taken > 400);
}

TEST_CASE("the workspace for split products stays within the device's largest allocation") {
  const session& s = device_session();
  const device_facts facts = facts_of(s.device);
  if (facts.max_allocation_bytes > std::int64_t{2} << 30) return;
  constexpr int n = 8192, k = 1024;  // C has 256 MB
  gemm<float> multiply(
      s.queue, {.policy = gemm_policy{.split_k = 32}, .workspace_limit = std::size_t{1} << 40});
  const cl::Buffer a(s.context, CL_MEM_READ_WRITE, sizeof(float) * n * k),
      c(s.context, CL_MEM_READ_WRITE, sizeof(float) * n * n);
  const std::size_t bytes = multiply.workspace_bytes(matrix<float>(a, n, k), matrix<float>(a, k, n),
                                                     matrix<float>(c, n, n));
  CHECK(bytes > 0);
  CHECK(bytes <= static_cast<std::size_t>(facts.max_allocation_bytes));
}

TEST_CASE("operands straight from global memory take no local memory at all") {
  gemm_policy p{.stage_a = staging::global, .stage_b = staging::global};
  CHECK(geometry_of(p, {}).local_bytes == 0);
  CHECK(gemm_source(p, {}).find(" pool[") == std::string::npos);  // 0 elements are no OpenCL C
  p.slices_k = 2;
  CHECK(gemm_source(p, {}).find("__local TILED pool[4096]") != std::string::npos);
}

TEST_CASE("cp.async is refused with its sentence where there is none") {
  const session& s = device_session();
  const gemm_policy policy{.buffer = buffering::async, .stages = 3};
  CHECK_NOTHROW(check_rules(policy));
  if (facts_of(s.device).async_copy) return;
  CHECK_THROWS_WITH_AS(gemm<float>(s.queue, {.policy = policy}),
                       "buffer async needs cp.async: NVIDIA of compute capability 8.0 or more",
                       policy_error);
}

TEST_CASE("matrix units are refused with their sentence where there are none") {
  const session& s = device_session();
  draw d(1);
  gemm_policy policy = draw_policy_of_units(d, gemm_instruction::mma_sync, scalar::half_);
  policy.buffer = buffering::single;
  policy.stages = 1;
  if (has_instructions(policy, scalar::half_, facts_of(s.device))) return;
  CHECK_THROWS_WITH_AS(
      gemm<half>(s.queue, {.policy = policy}),
      "instruction mma_sync needs NVIDIA of compute capability 8.0 (half, bfloat16, int8) or 9.0 "
      "(double) or more",
      policy_error);
}

TEST_CASE("policies of absurd numbers are refused, not wrapped around") {
  const session& s = device_session();
  const auto refused = [&](gemm_policy p) {
    try {
      gemm<float> multiply(s.queue, {.policy = p});
    } catch (const policy_error&) {
      return true;
    }
    return false;
  };
  constexpr int huge = 1 << 30;
  CHECK(refused({.per_item_m = 65536, .per_item_n = 65536}));
  CHECK(refused({.per_item_m = 1024, .per_item_n = 1, .blocks_m = 1 << 22}));
  CHECK(refused({.blocks_n = huge}));
  CHECK(refused({.lanes_m = huge, .lanes_n = huge}));
  CHECK(refused({.slices_k = huge}));
  CHECK(refused({.tile_m = huge, .tile_n = huge, .tile_k = huge}));
  // 4096 * 4096 * 256 work-items are 2^32
  CHECK(refused({.tile_m = 4096,
                 .tile_n = 4096,
                 .tile_k = 4096,
                 .per_item_m = 1,
                 .per_item_n = 1,
                 .slices_k = 256,
                 .vector_m = 1,
                 .vector_n = 1}));
  // a gigabyte and more of local memory
  CHECK(refused({.tile_m = 4096,
                 .tile_n = 1024,
                 .tile_k = 4096,
                 .per_item_m = 32,
                 .per_item_n = 32,
                 .buffer = buffering::registers,
                 .stages = 8}));
}

TEST_CASE("a raster of any positive number walks all tiles") {
  const session& s = device_session();
  for (const int raster : {1, 1 << 16, 1 << 30, 2147483647}) {
    gemm<float> multiply(s.queue, {.policy = gemm_policy{
                                       .tile_m = 16, .tile_n = 32, .tile_k = 8, .raster = raster}});
    guarded_buffer<float> a(s, std::vector<float>(50 * 2, 1.f), 0.f),
        b(s, std::vector<float>(2 * 70, 1.f), 0.f), c(s, std::vector<float>(50 * 70), 0.f);
    multiply(1, matrix<float>(a.buffer(), 50, 2), matrix<float>(b.buffer(), 2, 70), 0,
             matrix<float>(c.buffer(), 50, 70));
    CHECK(c.read() == std::vector<float>(50 * 70, 2.f));
  }
}
