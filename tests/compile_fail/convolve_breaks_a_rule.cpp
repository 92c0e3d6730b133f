// expect: per_item_x must be a multiple of vector
#include <clprim/convolve.hpp>

void run(const cl::CommandQueue& queue) {
  clprim::convolve<float, float, float, clprim::convolve_policy{.per_item_x = 6}> c(queue);
}
