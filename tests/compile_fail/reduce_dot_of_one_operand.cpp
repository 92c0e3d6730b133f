// expect: constraint
#include <clprim/reduce.hpp>

void dot(const cl::CommandQueue& queue, const cl::Buffer& x) {
  clprim::reduce<float, clprim::op::dot<>> op(queue);
  op.value(clprim::whole<float>(x, 10));
}
