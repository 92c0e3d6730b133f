#pragma once
// A convolution of channels as launches.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <clprim/convolve/channels_policy.hpp>
#include <clprim/convolve/channels_product.hpp>
#include <clprim/convolve/channels_view.hpp>
#include <clprim/convolve/variant.hpp>
#include <clprim/runtime/group_grid.hpp>

namespace clprim {

/// What a convolution of channels runs: a launch, or products.
struct channels_schedule {
  channels_policy policy{};
  channels_variant variant{};
  group_grid grid{};
  launch kernel{};                  ///< method direct
  std::vector<layer_way> ways{};    ///< method product
  std::size_t workspace_bytes = 0;  ///< of the copies of filter and images, for the largest way
};

namespace detail {

/// The work-groups of method direct.
template <class T>
group_grid grid_of(const channels_policy& p, const channels_view<T>& out, std::int64_t groups) {
  const std::int64_t of_group = out.channels / groups;
  const std::int64_t each = std::int64_t{p.items} * p.per_item_x;
  return {(out.width + each - 1) / each, out.height,
          (of_group + p.per_item_channels - 1) / p.per_item_channels * groups * out.images};
}

}  // namespace detail
}  // namespace clprim
