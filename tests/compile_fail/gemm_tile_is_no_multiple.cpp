// expect: tile_m must be a multiple of per_item_m * blocks_m
#include <clprim/gemm.hpp>

void multiply(const cl::CommandQueue& queue) {
  clprim::gemm<float, clprim::gemm_policy{.tile_m = 66}> product(queue);
}
