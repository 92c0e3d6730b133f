// expect: tile_rows must be a multiple of vector
#include <clprim/transpose.hpp>

void turn(const cl::CommandQueue& queue) {
  clprim::transpose<float, float, clprim::transpose_policy{.tile_rows = 30, .vector = 4}> t(queue);
}
