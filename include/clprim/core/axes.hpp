#pragma once
// Axes of arrays: their extents and steps, as every primitive that takes more than a matrix asks.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace clprim::detail {

/// The strides of an array without gaps, the last axis the fastest.
inline std::vector<std::int64_t> tight_strides(const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> strides(extents.size());
  std::int64_t step = 1;
  for (std::size_t a = extents.size(); a-- > 0;) {
    strides[a] = step;
    step *= std::max<std::int64_t>(1, extents[a]);
  }
  return strides;
}

/// Axes of extent 1 go; two of which the slower goes on where the faster ends in every respect, as
/// `follows(slow, fast)` tells, become one.
template <class Axis, class Follows> void merge_axes(std::vector<Axis>& axes, Follows follows) {
  std::erase_if(axes, [](const Axis& a) { return a.extent == 1; });
  const auto merge_two = [&] {
    for (std::size_t a = 0; a < axes.size(); ++a)
      for (std::size_t b = 0; b < axes.size(); ++b) {
        if (a == b || !follows(axes[a], axes[b])) continue;
        axes[b].extent *= axes[a].extent;
        axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(a));
        return true;
      }
    return false;
  };
  while (merge_two()) {
  }
}

/// An axis that steps onto what the faster ones reach, in elements from the first.
struct short_step {
  std::size_t axis = 0;
  std::int64_t reach = 0;
};

/// The fastest axis by which two places of an array are one element; none where all are apart.
inline std::optional<short_step> meeting_axis(std::span<const std::int64_t> extents,
                                              std::span<const std::int64_t> strides) {
  std::vector<std::size_t> order;
  for (std::size_t a = 0; a < extents.size(); ++a)
    if (extents[a] > 1) order.push_back(a);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return strides[a] < strides[b]; });
  std::int64_t reach = 0;
  for (const std::size_t a : order) {
    if (strides[a] <= reach) return short_step{a, reach};
    reach += (extents[a] - 1) * strides[a];
  }
  return std::nullopt;
}

}  // namespace clprim::detail
