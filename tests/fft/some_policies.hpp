#pragma once
// Policies of shape items that no table holds.

#include <clprim/fft/policy.hpp>

#include "support/random.hpp"

namespace support {

/// Few points and short passes, so that short transforms meet every way; portable.
inline clprim::fft_policy draw_item_policy(draw& d) {
  using namespace clprim;
  fft_policy p{.points = d.one_of({2, 4, 4, 8, 10, 16}),
               .group = d.one_of({1, 16, 32, 64}),
               .columns = d.one_of({1, 4, 16}),
               .staging = d.one_of({0, 16}),
               .one_pass = d.one_of({16, 64, 64, 512, 8192})};
  p.exchange = d.one_of({fft_exchange::halves, fft_exchange::planes, fft_exchange::pairs});
  // Not sinpi: PoCL 3.1 vectorises some of those kernels wrongly (Bluestein's 512 for 254 points,
  // 4 points per item, halves: error 1.1; right with POCL_WORK_GROUP_METHOD=loops, with
  // -cl-opt-disable and under Oclgrind).
  p.twiddles = d.one_of({fft_twiddles::table, fft_twiddles::powers, fft_twiddles::literal});
  p.padding = d.chance(70);
  p.pipeline_kib = d.one_of({0, 0, 1, 8, 64, 1024});
  p.transposed = d.chance(30);
  p.blocked = d.chance(50);
  p.ordered = d.chance(30);
  return p;
}

}  // namespace support
