// The smallest program: C = A B on the best OpenCL device.

#include <exception>
#include <iostream>
#include <vector>

#include <clprim/gemm.hpp>

#include "support/usage.hpp"

int main(int argc, char** argv) try {
  if (examples::told_usage(argc, argv, "The smallest program: C = A B on the best OpenCL device."))
    return 0;
  const clprim::session on = clprim::open_session();  // or CLPRIM_DEVICE=…, or a queue of yours
  constexpr int m = 3, n = 2, k = 4;
  std::vector<float> a{1, 0, 0, 2, 0, 1, 0, 3, 0, 0, 1, 4}, b{1, 2, 3, 4, 5, 6, 7, 8}, c(m * n);
  const cl::Buffer A(on.context, a.begin(), a.end(), true);
  const cl::Buffer B(on.context, b.begin(), b.end(), true);
  cl::Buffer C(on.context, CL_MEM_READ_WRITE, sizeof(float) * c.size());

  clprim::gemm<float> multiply(on.queue);
  multiply(1, clprim::matrix<float>(A, m, k), clprim::matrix<float>(B, k, n), 0,
           clprim::matrix<float>(C, m, n));

  cl::copy(on.queue, C, c.begin(), c.end());      // the queue is in order: after the product
  for (const float x : c) std::cout << x << ' ';  // 15 18 24 28 33 38
  std::cout << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
