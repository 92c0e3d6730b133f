// The library in an application that has CLHPP throw its own exceptions.

#define CL_HPP_ENABLE_EXCEPTIONS
#include <vector>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "gemm/product.hpp"
#include "support/device.hpp"

using namespace clprim;
using namespace support;

TEST_CASE("products and errors are the same when CLHPP throws exceptions") {
  const session& s = device_session();
  gemm<float> multiply(s.queue, {.policy = gemm_policy{.tile_m = 16, .tile_n = 32, .split_k = 2}});
  CHECK(complaint_about<float>(s, multiply, {.m = 17, .n = 19, .k = 40}) == "");
  const auto none = matrix<float>(cl::Buffer(), 2, 2);
  CHECK_THROWS_WITH_AS(multiply(1, none, none, 0, none),
                       "buffer of A must be a buffer: a null handle given, at least 16 bytes",
                       argument_error);
  gemm<float> broken(s.queue, {.epilogue = {"return no_such_name;", {}}});
  const cl::Buffer a(s.context, CL_MEM_READ_WRITE, 16), c(s.context, CL_MEM_READ_WRITE, 16);
  CHECK_THROWS_AS(
      broken(1, matrix<float>(a, 2, 2), matrix<float>(a, 2, 2), 0, matrix<float>(c, 2, 2)),
      build_error);
}

TEST_CASE("a queue of the application's own CLHPP serves") {
  const session& s = device_session();
  cl::CommandQueue queue(s.context, s.device);
  gemm<float> multiply(queue);
  std::vector<float> a{1, 2, 3, 4}, c(4);
  cl::Buffer A(s.context, a.begin(), a.end(), true), C(s.context, CL_MEM_READ_WRITE, 16);
  const cl::Event done = multiply(1, matrix<float>(A, 2, 2), transposed(matrix<float>(A, 2, 2)), 0,
                                  matrix<float>(C, 2, 2));
  const std::vector<cl::Event> waits{done};
  queue.enqueueReadBuffer(C, CL_TRUE, 0, 16, c.data(), &waits);
  CHECK(c == std::vector<float>{5, 11, 11, 25});
}
