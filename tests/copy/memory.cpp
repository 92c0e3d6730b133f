// Buffers of every kind: host memory at odd addresses, other contexts, memory that may not be used.

#include <cstdint>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/copy.hpp>

#include "support/device.hpp"

using namespace clprim;
using namespace support;

namespace {

cl::Buffer buffer_of(const session& s, cl_mem_flags flags, std::size_t bytes,
                     void* host = nullptr) {
  cl_int code = CL_SUCCESS;
  cl::Buffer made(clCreateBuffer(s.context(), flags, bytes, host, &code), false);
  check(code, "clCreateBuffer");
  return made;
}

}  // namespace

TEST_CASE("memory of the host may begin at any element") {
  const session& s = device_session();
  constexpr std::size_t n = 1000;
  alignas(128) static float from[n + 32], to[n + 32];
  for (std::size_t i = 0; i < n + 32; ++i) from[i] = static_cast<float>(i);
  for (const std::ptrdiff_t first : {0, 1, 2, 3, 4, 8}) {
    for (const bool unaligned : {false, true}) {
      std::memset(to, 0, sizeof to);
      const cl::Buffer x = buffer_of(s, CL_MEM_USE_HOST_PTR, n * sizeof(float), from + first),
                       y = buffer_of(s, CL_MEM_USE_HOST_PTR, n * sizeof(float), to + first);
      copy<float> move(s.queue,
                       {.policy = copy_policy{.items = 4, .vector = 16, .unaligned = unaligned}});
      wait_for(move(vector<float>(x, n), vector<float>(y, n)));
      std::vector<float> got(n);
      check(clEnqueueReadBuffer(s.queue(), y(), CL_TRUE, 0, n * sizeof(float), got.data(), 0,
                                nullptr, nullptr),
            "clEnqueueReadBuffer");
      CHECK(std::memcmp(got.data(), from + first, n * sizeof(float)) == 0);
    }
  }
}

TEST_CASE("a copy refuses memory that it may not use, and works afterwards") {
  const session& s = device_session();
  const cl::Buffer x = buffer_of(s, CL_MEM_READ_WRITE, 64), y = buffer_of(s, CL_MEM_READ_WRITE, 64);
  const cl::Buffer constant = buffer_of(s, CL_MEM_READ_ONLY, 64),
                   target = buffer_of(s, CL_MEM_WRITE_ONLY, 64);
  const auto view = [](const cl::Buffer& b) { return vector<float>(b, 16); };
  copy<float> move(s.queue);
  CHECK_THROWS_WITH_AS(move(view(x), view(constant)),
                       doctest::Contains("the output must be memory that kernels may write"),
                       argument_error);
  CHECK_THROWS_WITH_AS(move(view(target), view(y)),
                       doctest::Contains("input 0 must be memory that kernels may read"),
                       argument_error);
  const cl_device_id device = s.device();
  cl_int code = CL_SUCCESS;
  session other = s;
  other.context = cl::Context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code), false);
  check(code, "clCreateContext");
  CHECK_THROWS_WITH_AS(move(view(buffer_of(other, CL_MEM_READ_WRITE, 64)), view(y)),
                       doctest::Contains("another context"), argument_error);
  wait_for(move(view(constant), view(target)));
}

TEST_CASE("a map that is no function is refused, and one that was moved from says so") {
  const session& s = device_session();
  CHECK_THROWS_WITH_AS((clprim::map<float, float>(s.queue, {.map = {"x0;", {}}})),
                       doctest::Contains("the map must return a value"), argument_error);
  CHECK_THROWS_WITH_AS(
      (clprim::map<float, float>(s.queue, {.map = {"return x0;", {value<float>("x0")}}})),
      doctest::Contains("'x0'"), argument_error);
  const cl::Buffer x = buffer_of(s, CL_MEM_READ_WRITE, 64);
  clprim::map<float, float> scale(s.queue, {.map = {"return 2 * x0 * x1;", {value<float>("x1")}}});
  clprim::map<float, float> moved(std::move(scale));
  const auto view = vector<float>(x, 16);
  CHECK_THROWS_WITH_AS(scale({view}, view, {}, {1.f}), doctest::Contains("moved from"),  // NOLINT
                       argument_error);
  wait_for(moved({view}, view, {}, {1.f}));
  CHECK(moved.workspace_bytes({view}, view) == 0);
  CHECK(moved.explain({view}, view).find("1 plan kept") != std::string::npos);
  CHECK(moved.source({view}, view).find("__kernel void map") != std::string::npos);
  clprim::map<float, float> quiet(s.queue,
                                  {.map = {"return x0;", {}}, .completion = completion::none});
  CHECK(quiet({view}, view)() == nullptr);
}
