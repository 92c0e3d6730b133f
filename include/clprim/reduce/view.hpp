#pragma once
// What is reduced: arrays, rows, columns, any axis, segments.

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <clprim/runtime/view.hpp>

namespace clprim {

/// The results of an N-D array beyond those side by side lie along up to five axes; the fastest is
/// `outer_stride` of the view.
struct slower_axes {
  static constexpr int most = 4;
  int count = 0;
  std::array<std::int64_t, most> extent{};  ///< from the second fastest on
  std::array<std::int64_t, most> stride{};
  friend constexpr bool operator==(const slower_axes&, const slower_axes&) = default;
};

/// Elements and how they are grouped into results; sizes and distances in elements.
///
///     element a of result (o, i):  offset + o * outer_stride + a * step + i,   a < length
///
/// A step of 0 takes one element again and again (a map may look at the index alone).
template <class T> struct reduce_view {
  cl_mem memory = nullptr;
  std::int64_t offset = 0;
  std::int64_t length = 0;  ///< elements of a result
  std::int64_t step = 1;    ///< from one to the next
  std::int64_t inner = 1;   ///< results side by side
  std::int64_t outer = 1;   ///< times this
  std::int64_t outer_stride = 0;
  slower_axes slower{};      ///< `outer` is made of the fastest axis and these
  cl_mem offsets = nullptr;  ///< ragged: outer + 1 std::int64_t; `length` is of all together

  constexpr std::int64_t results() const { return inner * outer; }
};

/// All of the first `count` elements of a buffer, one result.
template <class T> reduce_view<T> whole(memory_handle buffer, std::int64_t count) {
  return {.memory = buffer(), .length = count};
}
/// All of a vector, one result.
template <class T> reduce_view<T> whole(const vector_view<T>& v) {
  return {.memory = v.memory, .offset = v.offset, .length = v.count, .step = v.stride};
}

/// One result per row of a matrix op(X): reduced along its columns. Throws argument_error for a
/// batch.
template <class T> reduce_view<T> each_row(const matrix_view<T>& v) {
  if (v.batch_count != 1 || v.batch_offsets != nullptr) {
    throw argument_error("batch count of the matrix", "must be 1", std::to_string(v.batch_count),
                         "one matrix per call (along_axis takes a dense batch)");
  }
  detail::require_at_least(v.leading, v.line_length(), "leading dimension", "the matrix",
                           "must be at least its line length");
  reduce_view<T> r{.memory = v.memory, .offset = v.offset};
  r.length = v.op_cols();
  if ((v.order == layout::row_major) == (v.op == transposition::none)) {
    r.outer = v.op_rows();
    r.outer_stride = v.leading;
  } else {
    r.step = v.leading;
    r.inner = v.op_rows();
  }
  return r;
}
/// One result per column of a matrix op(X): reduced along its rows. Throws as `each_row`.
template <class T> reduce_view<T> each_column(matrix_view<T> v) {
  v.op = v.op == transposition::none ? transposition::transpose : transposition::none;
  return each_row(v);
}

namespace detail {

struct array_axis {
  std::int64_t extent;
  std::int64_t stride;
};

/// The kept axes of an array, those that lie like one axis joined, extents of 1 left out.
inline std::vector<array_axis> joined_axes(std::span<const std::int64_t> extents,
                                           std::span<const std::int64_t> strides,
                                           std::size_t left_out) {
  std::vector<array_axis> axes;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (d == left_out || extents[d] == 1) continue;
    if (!axes.empty() && axes.back().stride == extents[d] * strides[d])
      axes.back() = {axes.back().extent * extents[d], strides[d]};
    else
      axes.push_back({extents[d], strides[d]});
  }
  return axes;
}

}  // namespace detail

/// Reduces one axis of an N-D array whose neighbours along axis d lie strides[d] elements apart,
/// gaps between them allowed; the results lie as the array without that axis and without gaps. The
/// fastest results come where the last of the other axes has stride 1. Throws argument_error for an
/// axis that is not there, for negative numbers, and for more than six axes that cannot be joined.
template <class T>
reduce_view<T> along_axis(memory_handle buffer, std::span<const std::int64_t> extents,
                          std::span<const std::int64_t> strides, std::size_t axis,
                          std::int64_t offset = 0) {
  if (axis >= extents.size() || strides.size() != extents.size()) {
    throw argument_error("axis", "must be one of the array's, each with extent and stride",
                         std::to_string(axis) + " of " + std::to_string(extents.size()) +
                             " extents and " + std::to_string(strides.size()) + " strides",
                         "less than " + std::to_string(extents.size()));
  }
  std::int64_t results = 1;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    detail::require_at_least(extents[d], 0, "extent", "the array", "must not be negative");
    detail::require_at_least(strides[d], 0, "stride", "the array", "must not be negative");
    const auto product = detail::multiply_add(d == axis ? 1 : extents[d], results, 0);
    if (!product || !detail::multiply_add(extents[d], strides[d], 0))
      detail::fail_too_far("the array");
    results = *product;
  }
  reduce_view<T> r{.memory = buffer(), .offset = offset};
  r.length = extents[axis];
  r.step = r.length > 1 ? strides[axis] : 1;
  if (results == 0) r.outer = 0;
  if (results == 0) return r;
  std::vector<detail::array_axis> kept = detail::joined_axes(extents, strides, axis);
  if (!kept.empty() && kept.back().stride == 1) {
    r.inner = kept.back().extent;
    kept.pop_back();
  }
  if (kept.size() > 1 + slower_axes::most) {
    throw argument_error("axes of the array", "must be few enough after joining those without gaps",
                         std::to_string(kept.size() + (r.inner > 1 ? 2 : 1)),
                         std::to_string(3 + slower_axes::most) + " or fewer");
  }
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const detail::array_axis& a = kept[kept.size() - 1 - k];  // the fastest first
    r.outer *= a.extent;
    if (k == 0) {
      r.outer_stride = a.stride;
    } else {
      r.slower.extent.at(k - 1) = a.extent;
      r.slower.stride.at(k - 1) = a.stride;
      r.slower.count = static_cast<int>(k);
    }
  }
  return r;
}
template <class T>
reduce_view<T> along_axis(memory_handle buffer, std::initializer_list<std::int64_t> extents,
                          std::initializer_list<std::int64_t> strides, std::size_t axis,
                          std::int64_t offset = 0) {
  return along_axis<T>(buffer, std::span(extents.begin(), extents.size()),
                       std::span(strides.begin(), strides.size()), axis, offset);
}

/// The same of a dense array, the last extent being that of adjacent elements.
template <class T>
reduce_view<T> along_axis(memory_handle buffer, std::span<const std::int64_t> extents,
                          std::size_t axis, std::int64_t offset = 0) {
  std::vector<std::int64_t> strides(extents.size(), 1);
  for (std::size_t d = extents.size(); d > 1; --d) {
    const auto product =
        detail::multiply_add(std::max<std::int64_t>(0, extents[d - 1]), strides[d - 1], 0);
    if (!product) detail::fail_too_far("the array");
    strides[d - 2] = *product;
  }
  return along_axis<T>(buffer, extents, strides, axis, offset);
}
template <class T>
reduce_view<T> along_axis(memory_handle buffer, std::initializer_list<std::int64_t> extents,
                          std::size_t axis, std::int64_t offset = 0) {
  return along_axis<T>(buffer, std::span(extents.begin(), extents.size()), axis, offset);
}

/// `count` segments of `size` adjacent elements each, one result per segment.
template <class T>
reduce_view<T> segments(memory_handle buffer, std::int64_t count, std::int64_t size) {
  return {.memory = buffer(), .length = size, .outer = count, .outer_stride = size};
}

/// Segments from offset to offset: `count` + 1 std::int64_t in a buffer, not decreasing, the last
/// at most `elements`. What the offsets are is known to the device only, so it is not checked; an
/// empty segment gives the state of nothing: 0 of a sum, a norm, any or count, 1 of a product or
/// all, infinity of min, -infinity of max (the limits of an integer; NaN where NaN is ignored),
/// index -1 of argmin and argmax, NaN of a mean or variance, of op::user its identity, and without
/// one a state of zero bytes.
template <class T>
reduce_view<T> ragged(memory_handle buffer, std::int64_t elements, memory_handle offsets,
                      std::int64_t count) {
  return {.memory = buffer(), .length = elements, .outer = count, .offsets = offsets()};
}

}  // namespace clprim
