// Sums of three neighbours: 0 where they are right.
#include <clprim/convolve.hpp>

#include "check.hpp"

int main() {
  const clprim::session on = clprim::open_session();
  const cl::Buffer in = to_device<float>(on, {1, 2, 3, 4}),
                   out = to_device<float>(on, {0, 0, 0, 0});
  clprim::convolve<float> sum(on.queue);
  sum(clprim::image<float>(in, 1, 4), clprim::filter_2d<float>(1, 3, {1, 1, 1}),
      clprim::image<float>(out, 1, 4));
  return holds<float>(on, out, {3, 6, 9, 7}) ? 0 : 1;
}
