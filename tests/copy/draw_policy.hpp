#pragma once
// Draws policies of copies that keep their rules.

#include <clprim/copy/policy.hpp>

#include "support/random.hpp"

namespace support {

inline clprim::copy_policy draw_policy(draw& d) {
  using namespace clprim;
  copy_policy p{.items = d.one_of({1, 3, 16, 64}),
                .vector = d.one_of({1, 2, 4, 8, 16}),
                .per_item = d.one_of({1, 2, 3, 7}),
                .walk = d.one_of({copy_walk::once, copy_walk::grid_stride, copy_walk::runs}),
                .unaligned = d.chance(40)};
  if (p.walk != copy_walk::once) p.groups_per_unit = d.one_of({1, 2, 5});
  return p;
}

}  // namespace support
