// expect: group must be a power of two up to 4096
#include <clprim/reduce.hpp>

void total(const cl::CommandQueue& queue) {
  clprim::reduce<float, clprim::op::sum<>, clprim::reduce_policy{.group = 96}> op(queue);
}
