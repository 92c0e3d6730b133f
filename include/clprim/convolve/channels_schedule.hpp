#pragma once
// A convolution of channels as launches.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <clprim/convolve/channels_policy.hpp>
#include <clprim/convolve/channels_view.hpp>
#include <clprim/convolve/variant.hpp>
#include <clprim/runtime/launch.hpp>

namespace clprim {

/// What a convolution of channels runs.
struct channels_schedule {
  channels_policy policy{};
  channels_variant variant{};
  std::optional<launch> order{};  ///< method product: puts the filter in the order of the tiles
  launch kernel{};
  std::size_t workspace_bytes = 0;  ///< of the filter in that order
};

namespace detail {

/// Of the kernel that puts the filter in the order of the tiles.
inline launch order_launch(const channels_policy& p, const channels_variant& v,
                           std::int64_t groups) {
  const std::int64_t rows = std::int64_t{v.taps_y} * v.taps_x * v.group_inputs * groups;
  const int items = p.group_items() < 32 ? 1 : 32, wide = round_up(v.group_outputs, items);
  return {2,
          {static_cast<std::size_t>(wide), static_cast<std::size_t>(rows), 1},
          {static_cast<std::size_t>(items), 1, 1}};
}

/// Of the kernel that makes the output. Throws policy_error and argument_error when there are more
/// groups than every device takes.
template <class T>
launch launch_of(const channels_policy& p, const channels_view<T>& out, std::int64_t groups) {
  if (p.method == channels_method::product) {
    const std::int64_t pixels = out.images * out.height * out.width,
                       tiles = (pixels + p.tile_pixels - 1) / p.tile_pixels,
                       slabs =
                           (out.channels / groups + p.tile_channels - 1) / p.tile_channels * groups;
    if (pixels > (std::int64_t{1} << 30) || slabs > 65535) {
      throw policy_error(
          "method product counts up to 1073741824 pixels of all images and 65535 "
          "tiles of channels, and there are " +
          std::to_string(pixels) + " and " + std::to_string(slabs));
    }
    const auto items = static_cast<std::size_t>(p.group_items());
    return {2,
            {static_cast<std::size_t>(tiles) * items, static_cast<std::size_t>(slabs), 1},
            {items, 1, 1}};
  }
  const std::int64_t each = std::int64_t{p.items} * p.per_item_x;
  const std::int64_t blocks = (out.width + each - 1) / each, of_group = out.channels / groups,
                     slabs = (of_group + p.per_item_channels - 1) / p.per_item_channels;
  const std::int64_t planes = slabs * groups;
  for (const std::int64_t n : {blocks, out.height, planes * out.images}) {
    if (n > 65535) {
      throw argument_error("work-groups of a convolution of channels",
                           "must be as many as devices start side by side", std::to_string(n),
                           "at most 65535 along each axis");
    }
  }
  const auto items = static_cast<std::size_t>(p.items);
  return {3,
          {static_cast<std::size_t>(blocks) * items, static_cast<std::size_t>(out.height),
           static_cast<std::size_t>(planes * out.images)},
          {items, 1, 1}};
}

}  // namespace detail
}  // namespace clprim
