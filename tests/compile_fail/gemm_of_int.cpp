// expect: scalar_type
#include <clprim/gemm.hpp>

void multiply(const cl::CommandQueue& queue) { clprim::gemm<int> product(queue); }
