// expect: the second argument must be an operator of clprim::op
// lines: 20
#include <functional>

#include <clprim/reduce.hpp>

void sum(const cl::CommandQueue& queue) { clprim::reduce<float, std::plus<>> op(queue); }
