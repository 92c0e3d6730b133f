// expect: product_factor
#include <clprim/gemm.hpp>

void multiply(const cl::CommandQueue& queue) { clprim::gemm<int> product(queue); }
