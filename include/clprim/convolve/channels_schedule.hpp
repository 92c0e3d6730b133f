#pragma once
// A convolution of channels as launches.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <clprim/convolve/channels_policy.hpp>
#include <clprim/convolve/channels_view.hpp>
#include <clprim/convolve/variant.hpp>
#include <clprim/runtime/group_grid.hpp>

namespace clprim {

/// What a convolution of channels runs.
struct channels_schedule {
  channels_policy policy{};
  channels_variant variant{};
  std::optional<launch> order{};  ///< method product: puts the filter in the order of the tiles
  group_grid grid{};
  launch kernel{};
  std::size_t workspace_bytes = 0;  ///< of the filter in that order
};

namespace detail {

/// Rows of the filter in the order of the tiles.
inline std::int64_t ordered_rows(const channels_variant& v, std::int64_t groups) {
  return std::int64_t{v.taps_y} * v.taps_x * v.group_inputs * groups;
}

/// Of the kernel that puts the filter in that order; a row of groups takes every so many-th row.
inline launch order_launch(const channels_policy& p, const channels_variant& v,
                           std::int64_t groups) {
  const int items = p.group_items() < 32 ? 1 : 32;
  return launch_of({(v.group_outputs + items - 1) / items,
                    std::min(ordered_rows(v, groups), group_grid::most_beside), 1},
                   {items, 1, 1}, "of a filter");
}

/// The work-groups of the kernel that makes the output. Throws policy_error for more pixels than
/// method product counts.
template <class T>
group_grid grid_of(const channels_policy& p, const channels_view<T>& out, std::int64_t groups) {
  const std::int64_t of_group = out.channels / groups;
  if (p.method == channels_method::product) {
    const std::int64_t pixels = out.images * out.height * out.width;
    rule(pixels <= std::int64_t{1} << 30, "method product counts up to 2^30 pixels of all images",
         pixels, std::int64_t{1} << 30);
    return {(pixels + p.tile_pixels - 1) / p.tile_pixels,
            (of_group + p.tile_channels - 1) / p.tile_channels * groups, 1};
  }
  const std::int64_t each = std::int64_t{p.items} * p.per_item_x;
  return {(out.width + each - 1) / each, out.height,
          (of_group + p.per_item_channels - 1) / p.per_item_channels * groups * out.images};
}

}  // namespace detail
}  // namespace clprim
