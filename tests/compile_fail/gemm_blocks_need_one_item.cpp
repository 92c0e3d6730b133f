// expect: several register blocks (blocks_m, blocks_n) need a group of one work-item
#include <clprim/gemm.hpp>

constexpr clprim::gemm_policy policy{.blocks_m = 2};

void multiply(const cl::CommandQueue& queue) { clprim::gemm<double, policy> product(queue); }
