// expect: sum
// lines: 20
#include <clprim/reduce.hpp>

void sum(const cl::CommandQueue& queue) { clprim::reduce<float, clprim::op::sum> op(queue); }
