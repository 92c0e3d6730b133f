#pragma once
// One launch of a convolution: its images, its work-groups.

#include <algorithm>
#include <array>
#include <cstdint>

#include <clprim/convolve/problem.hpp>
#include <clprim/convolve/variant.hpp>
#include <clprim/runtime/group_grid.hpp>

namespace clprim {

/// One launch.
struct convolve_pass {
  convolve_policy policy{};
  convolve_variant variant{};
  convolve_image in{}, out{};  ///< without memory: the workspace
  std::array<int, 3> first{};  ///< of the first tap of output 0: x, y, z
  std::int64_t batch = 1;
  int tap_begin = 0;  ///< of the filter's coefficients
};

#ifndef CLPRIM_COMPILED
/// Method direct: the outputs of items whose windows lie inside, in elements and rows, and the rows
/// of groups that make the others.
struct convolve_interior {
  std::int64_t e_begin = 0, e_end = 0, y_begin = 0, y_end = 0;
  std::int64_t edge_rows = 0;
};

inline convolve_interior interior_of(const convolve_pass& pass) {
  const convolve_variant& v = pass.variant;
  const convolve_geometry g = geometry_of(pass.policy, v);
  const std::int64_t width = pass.out.extent[0] * v.channels, height = pass.out.extent[1];
  convolve_interior inner;
  if (g.rolled) return inner;
  const std::int64_t columns = width / g.per_item_x, rows = height / g.per_item_y;
  const auto left = [&](std::int64_t item) {  // of its window
    const std::int64_t e = item * g.per_item_x;
    return (v.x.stride == 1 ? e : e / v.channels * v.x.stride * v.channels) +
           std::int64_t{pass.first[0]} * v.channels - g.phase;
  };
  const auto top = [&](std::int64_t item) {
    return pass.first[1] + item * g.per_item_y * v.y.stride;
  };
  // The first item of 0 … n - 1 for which `yes`, which holds from there on.
  const auto first = [](std::int64_t n, const auto& yes) {
    std::int64_t low = 0;
    while (low < n) {
      const std::int64_t middle = low + (n - low) / 2;
      if (yes(middle)) {
        n = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  };
  const std::int64_t in_width = pass.in.extent[0] * v.channels, in_height = pass.in.extent[1];
  const std::int64_t x_begin = first(columns, [&](std::int64_t i) { return left(i) >= 0; }),
                     x_end =
                         first(columns,
                               [&](std::int64_t i) { return left(i) + g.window_read > in_width; }),
                     y_begin = first(rows, [&](std::int64_t i) { return top(i) >= 0; }),
                     y_end =
                         first(rows, [&](std::int64_t i) { return top(i) + g.rows > in_height; });
  if (x_begin < x_end && y_begin < y_end) {
    inner = {.e_begin = x_begin * g.per_item_x,
             .e_end = x_end * g.per_item_x,
             .y_begin = y_begin * g.per_item_y,
             .y_end = y_end * g.per_item_y};
  }
  const std::int64_t edge =
      (width + g.per_item_x - 1) / g.per_item_x * height -
      (inner.e_end - inner.e_begin) / g.per_item_x * (inner.y_end - inner.y_begin);
  const std::int64_t across = (width + g.out_x - 1) / g.out_x * g.group_x * g.group_y;
  inner.edge_rows = (edge + across - 1) / across;
  return inner;
}

/// The work-groups of a pass that is no convolution by transforms.
inline group_grid grid_of(const convolve_pass& pass) {
  const convolve_geometry g = geometry_of(pass.policy, pass.variant);
  const auto groups = [](std::int64_t all, std::int64_t each) { return (all + each - 1) / each; };
  const std::int64_t edge_rows =
      pass.policy.method == convolve_method::direct ? interior_of(pass).edge_rows : 0;
  return {groups(pass.out.extent[0] * pass.variant.channels, g.out_x),
          groups(pass.out.extent[1], g.out_y) + edge_rows, pass.out.extent[2] * pass.batch};
}

/// The launch of a pass. Throws argument_error when there are more groups than every device takes.
inline launch launch_of(const convolve_pass& pass) {
  const convolve_geometry g = geometry_of(pass.policy, pass.variant);
  return launch_of(grid_of(pass), {g.group_x, g.group_y, 1}, "of a convolution");
}
#endif

}  // namespace clprim
