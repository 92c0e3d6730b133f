// Every wrong call: one exception with names and numbers, nothing enqueued.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "convolve/reference.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using namespace support;

namespace {

struct images {
  const session& s = device_session();
  guarded_buffer<float> a{s, std::vector<float>(400), 0}, b{s, std::vector<float>(400, 7.0f), 0};
  image_view<float> in = image<float>(a.buffer(), 10, 12), out = image<float>(b.buffer(), 10, 12);
  std::string of(const convolve_options& o, const filter<float>& f) {
    return refused([&] {
      convolve<float> run(s.queue, o);
      run(in, f, out);
    });
  }
};

const std::vector<float> nine(9, 1.0f);

}  // namespace

TEST_CASE("extents that do not fit are named with both numbers") {
  images i;
  convolve<float> run(i.s.queue);
  const auto f = filter_2d<float>(3, 3, nine);
  CHECK(refused([&] { run(i.in, f, image<float>(i.b.buffer(), 9, 12)); }) ==
        "height of the output must be what input, filter, border and stride make it: 9 given, 10 "
        "expected");
  CHECK(refused([&] { run(i.in.channels(3), f, i.out); }) ==
        "channels of the output must equal those of the input: 1 given, 3 expected");
  CHECK(refused([&] { run(i.in.pitch(11), f, i.out); }) ==
        "row pitch of the input must be at least what lies in it, in elements: 11 given, at least "
        "12");
  CHECK(refused([&] { run(i.in.at(300), f, i.out); }) ==
        "buffer of the input must hold every element addressed: 1600 bytes given, at least 1680 "
        "bytes");
  CHECK(refused([&] { run(i.in.batch(2, 120), f, i.out.batch(1, 0)); }) ==
        "batch count of the output must equal that of the input: 1 given, 2 expected");
  CHECK(refused([&] { run(i.in.batch(2, 120), f, i.out.batch(2, 60)); }) ==
        "batch stride of the output must keep the images of a batch apart: 60 given, a stride at "
        "which they share nothing");
  CHECK(refused([&] { run(i.in, f, image<float>(i.a.buffer(), 10, 12).at(60)); }) ==
        "the output must not share memory with the input of a convolution: overlapping views "
        "given, separate memory");
  CHECK(refused([&] { i.in.region(4, 4, 8, 2); }) ==
        "rows of a region must lie inside the image: 8 from 4 on given, at most 10");
  CHECK(refused([&] { run(i.in.channels(5), f, i.out.channels(5)); }) ==
        "channels of the input must be interleaved ones: 5 given, 1 to 4; planes are a batch");
  CHECK(i.b.read() == std::vector<float>(400, 7.0f));
}

TEST_CASE("filters and steps that cannot be are refused") {
  images i;
  CHECK(i.of({}, filter_2d<float>(3, 4, std::vector<float>(12))) ==
        "filter of an even size along x needs an anchor, for it has no middle tap: 4 taps and no "
        "anchor given, filter.anchor(…), or an odd size");
  CHECK(i.of({}, filter_2d<float>(3, 4, nine)) ==
        "coefficients of the filter must be as many as its sizes say: 9 given, 12");
  CHECK(i.of({}, filter_2d<float>(0, 3, {})) ==
        "taps of the filter along y must be a size that a filter has: 0 given, 1 to 4096");
  CHECK(i.of({}, filter_2d<float>(3, 3, nine).anchor(0, 3)) ==
        "anchor along x must be a tap of the filter: 3 given, 0 to 2");
  CHECK(i.of({.stride = {.y = 0}}, filter_2d<float>(3, 3, nine)) ==
        "stride along y must be a step forward: 0 given, 1 to 1048576");
  CHECK(i.of({.dilation = {.x = -1}}, filter_2d<float>(3, 3, nine)) ==
        "dilation along x must be a step forward: -1 given, 1 to 1048576");
  CHECK(i.of({.border = {{border_mode::wrap, border_mode::reflect}, border_mode::wrap}},
             filter_1d(std::vector<float>(27))) ==
        "the lower apron along x must be no wider than what border wrap defines beside another "
        "border on the other side: 13 pixels given, at most 12");
  const auto on_device = device_filter_2d<float>(3, 3, i.b.buffer(), 395);
  CHECK(i.of({}, on_device) ==
        "buffer of the filter must hold every element addressed: 1600 bytes given, at least 1616 "
        "bytes");
  CHECK(i.of({.map = {"return value * s;", {value<float>("s")}}}, filter_2d<float>(3, 3, nine)) ==
        "arguments of the user function must be as many as its parameters: 0 given, 1");
  CHECK(i.of({.policy = convolve_policy{.filter = filter_place::constant}},
             device_filter_2d<float>(3, 3, i.b.buffer(), 100)) ==
        "the output must not share memory with the filter of a convolution: overlapping views "
        "given, separate memory");
  CHECK(i.b.read() == std::vector<float>(400, 7.0f));
}

TEST_CASE("a policy that breaks a rule, a device or a method is refused with its sentence") {
  images i;
  const auto f = filter_2d<float>(3, 3, nine);
  CHECK(i.of({.policy = convolve_policy{.vector = 3}}, f) ==
        "vector must be 1, 2, 4, 8 or 16: vector = 3 given");
  CHECK(i.of({.policy = convolve_policy{.per_item_x = 6}}, f) ==
        "per_item_x must be a multiple of vector: per_item_x = 6, vector = 4 given");
  convolve_policy ring{.method = convolve_method::ring, .items_y = 1, .per_item_y = 1};
  CHECK(i.of({.policy = ring, .extent = output_extent::valid, .stride = {.x = 2}}, f)
            .starts_with("width of the output must be"));
  i.out = image<float>(i.b.buffer(), 10, 6);
  CHECK(i.of({.policy = ring, .stride = {.x = 2}}, f) ==
        "method ring is for a stride of 1 along x");
  i.out = image<float>(i.b.buffer(), 10, 12);
  CHECK(i.of({.policy = convolve_policy{}}, device_filter_2d<float>(3, 3, i.a.buffer(), 0)) ==
        "filter value and filter literals are for coefficients on the host, and these are in a "
        "buffer: constant or buffer");
  convolve_policy by_fft{.method = convolve_method::fft};
  CHECK(i.of({.policy = by_fft}, f) ==
        "method fft needs filter = constant or buffer: its coefficients are transformed: method = "
        "clprim::convolve_method::fft, filter = clprim::filter_place::value given");
  by_fft.filter = filter_place::buffer;
  CHECK(i.of({.policy = by_fft}, separable_filter<float>({1, 2, 1}, {1, 2, 1})) ==
        "method fft is for filters that are not separable");
  device_facts small;
  small.local_bytes = 4000;
  ring.async = true;
  CHECK(refused([&] { check_device_rules(ring, convolve_variant{}, small); }) ==
        "async needs cp.async: NVIDIA of compute capability 8.0 or more");
  convolve_variant wide;
  wide.x.taps = wide.y.taps = 17;
  small.argument_bytes = 1024;
  CHECK(refused([&] { check_device_rules({.filter = filter_place::value}, wide, small); }) ==
        "filter value needs coefficients that fit the kernel's arguments in bytes: 1156 given, at "
        "most 640");
  convolve_variant nine_by_nine;
  nine_by_nine.x.taps = nine_by_nine.y.taps = 9;
  CHECK(refused([&] {
          check_device_rules({.method = convolve_method::tile,
                              .items_x = 16,
                              .items_y = 16,
                              .per_item_x = 4,
                              .apron = apron_load::block_per_item},
                             nine_by_nine, small);
        }) ==
        "the policy's tile with its apron must fit the local memory of the device in bytes: 11520 "
        "given, at most 4000");
  CHECK(i.b.read() == std::vector<float>(400, 7.0f));
}

TEST_CASE("an integer accumulator takes an integer border only") {
  const session& s = device_session();
  CHECK(refused([&] {
          convolve<std::uint8_t, std::uint8_t, std::int32_t> c(s.queue, {.border_value = 0.5});
        }).starts_with("border value must be a number that the sums' type holds"));
}

TEST_CASE("a border value that is no number, or none of the sums' type, is refused") {
  const session& s = device_session();
  const auto of = [&](double value) {
    return refused([&] { convolve<float> c(s.queue, {.border_value = value}); });
  };
  CHECK(of(std::numeric_limits<double>::quiet_NaN()) ==
        "border value must be a number that the sums' type holds: nan given, a value of float");
  CHECK(of(1e39) ==
        "border value must be a number that the sums' type holds: 1e+39 given, a value of float");
  CHECK(of(-std::numeric_limits<double>::infinity()) == "accepted");
  CHECK(of(1e-50) == "accepted");
}

TEST_CASE("memory that an operand shares with the workspace, and other memory, is refused") {
  images i;
  const auto box = separable_filter<float>({1, 1, 1}, {1, 1, 1});
  convolve<float> run(i.s.queue, {.policy = convolve_policy{}});
  for (const auto& [buffer, name] : {std::pair{&i.a, "the input"}, {&i.b, "the output"}}) {
    run.use_workspace(buffer->buffer());
    CHECK(refused([&] { run(i.in, box, i.out); }) ==
          "the workspace must not share memory with " + std::string(name) +
              ": overlapping buffers given, a buffer of its own");
  }
  convolve_channels<float> layer(i.s.queue);
  CHECK(refused([&] {
          layer.use_workspace(i.b.buffer());
        }).starts_with("the workspace must belong to one operation alone: "));
  layer.use_workspace(i.a.buffer());
  CHECK(refused([&] {
          layer(nchw<float>(i.a.buffer(), 1, 1, 8, 8), nchw<float>(i.a.buffer(), 1, 1, 1, 1),
                nchw<float>(i.b.buffer(), 1, 1, 8, 8));
        }) ==
        "the workspace must not share memory with the input: overlapping buffers given, a buffer "
        "of its own");
}

TEST_CASE("buffers of the map, and memory that may not be written, are refused") {
  images i;
  const auto f = filter_2d<float>(3, 3, nine);
  convolve<float> run(i.s.queue, {.map = {"return value + more[0];", {buffer<float>("more")}}});
  CHECK(refused([&] { run(i.in, f, i.out, {}, {cl::Buffer{}}); }) ==
        "argument 'more' of the user function must be a buffer: a null handle given, one of the "
        "queue's context");
  CHECK(refused([&] { run(i.in, f, i.out, {}, {i.b.buffer()}); }) ==
        "a buffer of the user function must not be written by the call: memory of the output "
        "given, separate memory");
  cl_int code = CL_SUCCESS;
  const cl::Buffer fixed(clCreateBuffer(i.s.context(), CL_MEM_READ_ONLY, 480, nullptr, &code),
                         false);
  convolve<float> plain(i.s.queue);
  CHECK(refused([&] { plain(i.in, f, image<float>(fixed, 10, 12)); }) ==
        "the output must be memory that kernels may write: CL_MEM_READ_ONLY given, "
        "CL_MEM_READ_WRITE or CL_MEM_WRITE_ONLY");
  convolve<float> moved(std::move(plain));
  CHECK(refused([&] { plain(i.in, f, i.out); }) ==
        "the operation must not have been moved from: an object without a queue given, the one "
        "that it was moved to");
  wait_for(moved(i.in, f, i.out));
}
