#pragma once
// Shape lanes: the sizes of a pass by one work-item, several transforms side by side in the lanes
// of its vectors.

#include <algorithm>
#include <cstdint>
#include <vector>

#include <clprim/fft/plan/pass.hpp>
#include <clprim/fft/plan/stages.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim {

/// The sizes of a pass by lanes.
struct lane_geometry {
  std::vector<int> radices;
  std::int64_t points = 1;
  bool gaps = false;       ///< a free slot after every 64: powers of two would share cache sets
  std::int64_t slots = 1;  ///< with the gaps, and one behind them
  int blocks = 1;          ///< of lanes that a group works on one after the other
  std::int64_t local_bytes = 0;

  std::int64_t slot(std::int64_t i) const { return gaps ? i + (i >> 6) : i; }
  /// Where point k stands after the stages.
  std::int64_t reversed(std::int64_t k) const {
    std::int64_t at = 0, m = points;
    for (const int r : radices) {
      m /= r;
      at += k % r * m;
      k /= r;
    }
    return at;
  }
};

inline lane_geometry lane_geometry_of(const fft_pass& p, const fft_policy& policy) {
  lane_geometry g;
  g.points = p.points();
  g.radices = lane_stages(g.points, policy.radices);
  g.gaps = policy.padding && g.points >= 128 && (g.points & (g.points - 1)) == 0;
  g.slots = g.slot(g.points) + 2;
  const std::int64_t turns = p.turn == 0 ? 0 : 16 + (p.length + 15) / 16;
  g.local_bytes = 2 * (g.slots + turns) * policy.lanes * (p.is_double ? 8 : 4);
  g.blocks = static_cast<int>(std::max<std::int64_t>(1, 8192 / (g.points * policy.lanes)));
  return g;
}

}  // namespace clprim
