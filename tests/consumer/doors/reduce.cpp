// A sum and the place of the largest: 0 where both are right.
#include <clprim/reduce.hpp>

#include "check.hpp"

int main() {
  const clprim::session on = clprim::open_session();
  const cl::Buffer x = to_device<float>(on, {1, 2, 9, 4, 5});
  clprim::reduce<float> sum(on.queue);
  clprim::reduce<float, clprim::op::argmax> best(on.queue);
  const auto all = clprim::whole<float>(x, 5);
  return sum.value(all) == 21 && best.value(all).index == 2 ? 0 : 1;
}
