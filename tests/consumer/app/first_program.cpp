#include <iostream>
#include <vector>

#include <clprim/gemm.hpp>

int main() {
  const clprim::session on = clprim::open_session();  // the best OpenCL device of this machine
  std::vector<float> a{1, 2, 3, 4}, b{5, 6, 7, 8}, c(4);
  const cl::Buffer A(on.context, a.begin(), a.end(), true);
  const cl::Buffer B(on.context, b.begin(), b.end(), true);
  const cl::Buffer C(on.context, CL_MEM_READ_WRITE, sizeof(float) * c.size());

  clprim::gemm<float> multiply(on.queue);
  multiply(1, clprim::matrix<float>(A, 2, 2), clprim::matrix<float>(B, 2, 2), 0,
           clprim::matrix<float>(C, 2, 2));  // C = 1 A B + 0 C; the call does not wait

  cl::copy(on.queue, C, c.begin(), c.end());
  for (const float x : c) std::cout << x << ' ';
}
