// The snippets of docs/copy.md.

#include <doctest/doctest.h>

#include <clprim/copy.hpp>
#include <clprim/runtime/pinned.hpp>

#include "docs/here.hpp"

using docs::filled;

TEST_CASE("copies and maps") {
  const cl::CommandQueue& queue = support::device_session().queue;
  constexpr int n = 6;
  const cl::Buffer a = filled<float>({1, 2, 3, 4, 5, 6}), b = filled<float>(n, 8);
  // [copy]
  clprim::copy<float> duplicate(queue);
  duplicate(clprim::vector<float>(a, n / 2).with_stride(2),  // every second element of a
            clprim::vector<float>(b, n / 2));
  // [end]
  CHECK(docs::read<float>(b, 4) == std::vector<float>{1, 3, 5, 8});
  // [axpy]
  clprim::map<float, float, float> axpy(
      queue, {.map = {"return a * x0 + x1;", {clprim::value<float>("a")}}});
  const auto x = clprim::vector<float>(a, n), y = clprim::vector<float>(b, n);
  axpy({x, y}, y, {}, {2.f});  // y = 2 x + y, in y's own memory
  // [end]
  CHECK(docs::read<float>(b, 1)[0] == 3);
  // [convert]
  clprim::map<std::uint8_t, float> quantise(
      queue, {.map = {"return convert_uchar_sat_rte(255 * x0);", {}}});
  // [end]
  const cl::Buffer bytes = filled<std::uint8_t>(n, 0);
  quantise({x}, clprim::vector<std::uint8_t>(bytes, n));
  CHECK(docs::read<std::uint8_t>(bytes, 1)[0] == 255);
}

TEST_CASE("a map says how exactly it must compute") {
  const cl::CommandQueue& queue = support::device_session().queue;
  const cl::Buffer a = filled<float>(4, 1), b = filled<float>(4, 0);
  // [math]
  clprim::map<float, float> wave(
      queue, {.map = {"return sin(x0) * exp(x0);", {}}, .math = clprim::math_mode::native});
  // [end]
  wave({clprim::vector<float>(a, 4)}, clprim::vector<float>(b, 4));
  CHECK(docs::read<float>(b, 1)[0] == doctest::Approx(2.2873553).epsilon(1e-3));
}

TEST_CASE("pinned memory") {
  const cl::CommandQueue& queue = support::device_session().queue;
  const cl::Buffer device = filled<float>(16, 3);
  // [pinned]
  clprim::pinned<float> host(queue, 16);  // a range of floats
  queue.enqueueReadBuffer(device, CL_FALSE, 0, host.bytes(), host.data());
  // [end]
  clprim::check(clFinish(queue()), "clFinish");
  CHECK(host[15] == 3);
}
