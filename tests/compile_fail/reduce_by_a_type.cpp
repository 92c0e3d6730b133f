// expect: the second argument must be an operator of clprim::op
#include <clprim/reduce.hpp>

void sum(const cl::CommandQueue& queue) { clprim::reduce<float, float> op(queue); }
