// expect: constraint
#include <clprim/fft.hpp>

void transform(const cl::CommandQueue& queue) { clprim::fft<int> f(queue); }
