// expect: op::compensated needs op::sum, op::mean, op::norm1 or op::dot
#include <clprim/reduce.hpp>

void largest(const cl::CommandQueue& queue) {
  clprim::reduce<float, clprim::op::compensated<clprim::op::max>> op(queue);
}
