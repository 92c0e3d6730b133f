#pragma once
// Views of arrays of up to 6 axes with any strides, and the checks made of them.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <clprim/runtime/view.hpp>

namespace clprim {

/// An array in a buffer: extents and strides in elements, the last axis the fastest unless strides
/// say otherwise. The view does not own the buffer.
template <element_type T> struct array_view {
  static constexpr std::size_t most_axes = 6;

  cl_mem memory = nullptr;
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0;

  /// Sets the offset of the first element.
  array_view at(std::int64_t first) const {
    array_view v = *this;
    v.offset = first;
    return v;
  }
  /// Sets the distances between neighbours along each axis.
  array_view with_strides(const std::vector<std::int64_t>& distances) const {
    array_view v = *this;
    v.strides = distances;
    return v;
  }
};

/// A view of an array without gaps, the last axis the fastest.
template <element_type T>
array_view<T> array(memory_handle buffer, const std::vector<std::int64_t>& extents) {
  array_view<T> v{.memory = buffer(), .extents = extents, .strides = {}};
  v.strides.resize(v.extents.size());
  std::int64_t step = 1;
  for (std::size_t a = v.extents.size(); a-- > 0;) {
    v.strides[a] = step;
    // Past 2^63 - 1 no array can be: the last stride that fits stands, and the checks refuse it.
    step = detail::multiply_add(std::max<std::int64_t>(1, v.extents[a]), step, 0).value_or(step);
  }
  return v;
}

namespace detail {

/// Checks one array and returns the bytes from its first to its last element.
template <element_type T> footprint check_array(const array_view<T>& v, const std::string& name) {
  const auto axes = static_cast<std::int64_t>(v.extents.size());
  if (v.extents.empty() || v.extents.size() > array_view<T>::most_axes) {
    throw argument_error("axes of " + name, "must be within what an array view takes",
                         std::to_string(axes), "1 to 6");
  }
  if (v.strides.size() != v.extents.size()) {
    throw argument_error("strides of " + name, "must equal its axes",
                         std::to_string(v.strides.size()), std::to_string(axes) + " expected");
  }
  require_at_least(v.offset, 0, "offset", name, "must not be negative");
  std::int64_t last = 0;
  bool none = false;
  for (std::size_t a = 0; a < v.extents.size(); ++a) {
    const std::string axis = "axis " + std::to_string(a);
    require_extent(v.extents[a], ("extent of " + axis).c_str(), name);
    require_at_least(v.strides[a], 0, ("stride of " + axis).c_str(), name, "must not be negative");
    none = none || v.extents[a] == 0;
    const auto reach =
        multiply_add(std::max<std::int64_t>(0, v.extents[a] - 1), v.strides[a], last);
    if (!reach) fail_too_far(name);
    last = *reach;
  }
  if (none) return {};
  return footprint_in_bytes<T>({v.memory, v.offset, 1, last + 1, 1}, name);
}

}  // namespace detail
}  // namespace clprim
