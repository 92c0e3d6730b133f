// C = A B: 0 where it is right.
#include <clprim/gemm.hpp>

#include "check.hpp"

int main() {
  const clprim::session on = clprim::open_session();
  const cl::Buffer A = to_device<float>(on, {1, 2, 3, 4}), B = to_device<float>(on, {5, 6, 7, 8}),
                   C = to_device<float>(on, {0, 0, 0, 0});
  clprim::gemm<float> multiply(on.queue);
  multiply(1, clprim::matrix<float>(A, 2, 2), clprim::matrix<float>(B, 2, 2), 0,
           clprim::matrix<float>(C, 2, 2));
  return holds<float>(on, C, {19, 22, 43, 50}) ? 0 : 1;
}
