#pragma once
// Method fft: a convolution cut into tiles that are transformed, and what that costs.

#include <algorithm>
#include <array>
#include <cstdint>

#include <clprim/convolve/policy.hpp>
#include <clprim/core/smooth.hpp>

namespace clprim {

/// One axis of a convolution in the terms of its tiles.
struct tiled_axis {
  int points = 1;          ///< of a transform
  int outputs = 1;         ///< right ones of a tile: the last span - 1 points wrap around
  std::int64_t tiles = 1;  ///< that cover the axis
};

/// Tiles of `outputs` places a `stride` apart under a filter that spans `span`: one where it has at
/// most `limit` points (0: one always), else tiles of at least `limit` points of which at least
/// three quarters are new (overlap-save: J. G. Proakis, D. G. Manolakis, "Digital Signal
/// Processing", 4th ed., 7.3.2). `even`: the axis of the real transform.
constexpr tiled_axis tile_axis(std::int64_t outputs, int stride, int span, int limit, bool even) {
  const std::int64_t needed = (std::max<std::int64_t>(outputs, 1) - 1) * stride + span;
  std::int64_t points = next_smooth(needed);
  while (even && points % 2 != 0) points = next_smooth(points + 1);
  if (limit > 0 && points > limit) {
    std::int64_t tile = limit;
    while (tile < 4 * std::int64_t{span}) tile *= 2;
    tile = next_smooth(tile);
    while (even && tile % 2 != 0) tile = next_smooth(tile + 1);
    points = std::min(points, tile);
  }
  tiled_axis a{.points = static_cast<int>(points)};
  a.outputs = static_cast<int>((points - span) / stride + 1);
  a.tiles = (outputs + a.outputs - 1) / a.outputs;
  return a;
}

/// The tiles of x, y and z. Axes beyond the filter's last one are not transformed: each place is a
/// tile of its own.
struct convolve_tiling {
  std::array<tiled_axis, 3> axes{};
  int transformed = 1;  ///< the first so many axes

  /// Of a tile; what passes 2^62 is as far out of reach as that.
  constexpr std::int64_t points() const {
    return bounded(double(axes[0].points) * axes[1].points * axes[2].points);
  }
  constexpr std::int64_t tiles() const {
    return bounded(double(axes[0].tiles) * double(axes[1].tiles) * double(axes[2].tiles));
  }

 private:
  static constexpr std::int64_t bounded(double n) {
    return n < 0x1p62 ? static_cast<std::int64_t>(n) : std::int64_t{1} << 62;
  }
};

constexpr convolve_tiling tiling_of(const convolve_policy& p,
                                    const std::array<std::int64_t, 3>& outputs,
                                    const std::array<int, 3>& taps,
                                    const std::array<int, 3>& strides,
                                    const std::array<int, 3>& dilations) {
  convolve_tiling t;
  t.transformed = taps[2] > 1 ? 3 : taps[1] > 1 ? 2 : 1;
  const std::array<int, 3> limits{p.columns, p.strip, 0};
  for (std::size_t a = 0; a < 3; ++a) {
    const int span = (taps[a] - 1) * dilations[a] + 1;
    if (static_cast<int>(a) < t.transformed)
      t.axes[a] = tile_axis(outputs[a], strides[a], span, limits[a], a == 0);
    else
      t.axes[a].tiles = outputs[a];
  }
  return t;
}

}  // namespace clprim
