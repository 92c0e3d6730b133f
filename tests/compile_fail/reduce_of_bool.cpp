// expect: bool has no size on which host and device agree
#include <clprim/reduce.hpp>

void any(const cl::CommandQueue& queue) { clprim::reduce<bool, clprim::op::any> op(queue); }
