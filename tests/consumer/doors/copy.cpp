// y = 2 x + y, and a copy: 0 where both are right.
#include <clprim/copy.hpp>

#include "check.hpp"

int main() {
  const clprim::session on = clprim::open_session();
  const cl::Buffer x = to_device<float>(on, {1, 2, 3}), y = to_device<float>(on, {4, 5, 6});
  const auto X = clprim::vector<float>(x, 3), Y = clprim::vector<float>(y, 3);
  clprim::map<float, float, float> axpy(
      on.queue, {.map = {"return a * x0 + x1;", {clprim::value<float>("a")}}});
  axpy({X, Y}, Y, {}, {2.f});
  clprim::copy<float> duplicate(on.queue);
  duplicate(Y, X);
  return holds<float>(on, x, {6, 9, 12}) ? 0 : 1;
}
