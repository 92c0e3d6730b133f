// expect: matrix_view<float>
#include <clprim/gemm.hpp>

void multiply(clprim::gemm<float>& product, const cl::Buffer& buffer) {
  const auto a = clprim::matrix<float>(buffer, 2, 2);
  const auto b = clprim::matrix<double>(buffer, 2, 2);
  product(1, a, b, 0, a);
}
