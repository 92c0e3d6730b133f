// expect: sums of integers are for integer pixels
#include <clprim/convolve.hpp>

void run(const cl::CommandQueue& queue) { clprim::convolve<float, float, int> c(queue); }
