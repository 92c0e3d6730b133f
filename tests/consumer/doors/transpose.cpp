// B = Aᵀ, and in place: 0 where both are right.
#include <clprim/transpose.hpp>

#include "check.hpp"

int main() {
  const clprim::session on = clprim::open_session();
  const cl::Buffer A = to_device<int>(on, {1, 2, 3, 4, 5, 6}),
                   B = to_device<int>(on, std::vector<int>(6));
  clprim::transpose<int> turn(on.queue);
  turn(clprim::matrix<int>(A, 2, 3), clprim::matrix<int>(B, 3, 2));
  if (!holds<int>(on, B, {1, 4, 2, 5, 3, 6})) return 1;
  turn.in_place(clprim::matrix<int>(B, 3, 2));
  return holds<int>(on, B, {1, 2, 3, 4, 5, 6}) ? 0 : 1;
}
