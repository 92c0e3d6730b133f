#pragma once
// What is reduced: arrays, rows, columns, any axis, segments; and the checks before anything runs.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include <clprim/reduce/variant.hpp>
#include <clprim/runtime/view.hpp>

namespace clprim {

/// Elements and how they are grouped into results; sizes and distances in elements.
///
///     element a of result (o, i):  offset + o * outer_stride + a * step + i,   a < length
template <class T> struct reduce_view {
  cl_mem memory = nullptr;
  std::int64_t offset = 0;
  std::int64_t length = 0;  ///< elements of a result
  std::int64_t step = 1;    ///< from one to the next
  std::int64_t inner = 1;   ///< results side by side
  std::int64_t outer = 1;   ///< times this
  std::int64_t outer_stride = 0;
  cl_mem offsets = nullptr;  ///< ragged: outer + 1 std::int64_t; `length` is of all together

  constexpr std::int64_t results() const { return inner * outer; }
};

/// All of the first `count` elements of a buffer, one result.
template <class T> reduce_view<T> whole(const cl::Buffer& buffer, std::int64_t count) {
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

/// Reduces one axis of a dense N-D array, the last extent being that of adjacent elements; the
/// results lie as the array without that axis.
template <class T>
reduce_view<T> along_axis(const cl::Buffer& buffer, std::span<const std::int64_t> extents,
                          std::size_t axis, std::int64_t offset = 0) {
  if (axis >= extents.size()) {
    throw argument_error("axis", "must be one of the array's", std::to_string(axis),
                         "less than " + std::to_string(extents.size()));
  }
  reduce_view<T> r{.memory = buffer(), .offset = offset};
  const auto times = [](std::int64_t a, std::int64_t b) {
    if (b < 0) {
      throw argument_error("extent of the array", "must not be negative", std::to_string(b),
                           "at least 0");
    }
    const auto product = detail::multiply_add(a, b, 0);
    if (!product) detail::fail_too_far("the array");
    return *product;
  };
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (d < axis) r.outer = times(r.outer, extents[d]);
    if (d == axis) r.length = times(1, extents[d]);
    if (d > axis) r.inner = times(r.inner, extents[d]);
  }
  r.step = r.inner;
  r.outer_stride = times(r.length, r.inner);
  return r;
}
template <class T>
reduce_view<T> along_axis(const cl::Buffer& buffer, std::initializer_list<std::int64_t> extents,
                          std::size_t axis, std::int64_t offset = 0) {
  return along_axis<T>(buffer, std::span(extents.begin(), extents.size()), axis, offset);
}

/// `count` segments of `size` adjacent elements each, one result per segment.
template <class T>
reduce_view<T> segments(const cl::Buffer& buffer, std::int64_t count, std::int64_t size) {
  return {.memory = buffer(), .length = size, .outer = count, .outer_stride = size};
}

/// Segments from offset to offset: `count` + 1 std::int64_t in a buffer, not decreasing, the last
/// at most `elements`. What the offsets are is known to the device only, so it is not checked; an
/// empty segment gives the state of nothing: 0 of a sum, 1 of a product, infinity of min, -infinity
/// of max (the limits of an integer), index -1, NaN of a mean.
template <class T>
reduce_view<T> ragged(const cl::Buffer& buffer, std::int64_t elements, const cl::Buffer& offsets,
                      std::int64_t count) {
  return {.memory = buffer(), .length = elements, .outer = count, .offsets = offsets()};
}

/// A checked problem, without its types.
struct reduce_problem {
  reduce_shape shape = reduce_shape::rows;
  cl_mem x = nullptr;
  cl_mem y = nullptr;
  std::int64_t x_offset = 0, y_offset = 0;
  std::int64_t length = 0;
  std::int64_t step = 1;  ///< rows: from element to element; columns: from row to row
  std::int64_t inner = 1;
  std::int64_t outer = 1;
  std::int64_t x_outer = 0, y_outer = 0;
  cl_mem offsets = nullptr;
  cl_mem out = nullptr;
  std::int64_t out_offset = 0;  ///< in results

  std::int64_t results() const { return inner * outer; }
};

namespace detail {

template <class T> footprint check_reduced(const reduce_view<T>& v, std::string_view name) {
  for (const auto& [value, what] : {std::pair{v.length, "length"},
                                    {v.offset, "offset"},
                                    {v.inner, "results side by side"},
                                    {v.outer, "number of results"},
                                    {v.outer_stride, "distance of results"}}) {
    require_at_least(value, 0, what, name, "must not be negative");
  }
  require_at_least(v.step, v.length > 1 ? 1 : 0, "stride", name, "must be positive");
  if (v.inner > 1 && v.length > 1)
    require_at_least(v.step, v.inner, "leading dimension", name, "must be at least its row length");
  if (!multiply_add(v.inner, v.outer, 0)) fail_too_far(name);
  if (v.offsets != nullptr)
    require_bytes(v.offsets, (v.outer + 1) * 8, "offsets of the segments", name);
  if (v.length == 0 || v.results() == 0) return {};
  const std::int64_t outer = v.offsets != nullptr ? 1 : v.outer;
  const auto in_result = multiply_add(v.length - 1, v.step, v.inner);
  const auto to_first = in_result ? multiply_add(1, *in_result, v.offset) : std::nullopt;
  const auto last = to_first ? multiply_add(outer - 1, v.outer_stride, *to_first) : std::nullopt;
  const auto end = last ? multiply_add(*last, sizeof(T), 0) : std::nullopt;
  if (!end) fail_too_far(name);
  require_bytes(v.memory, *end, "buffer", name);
  const std::int64_t begin = v.offset * static_cast<std::int64_t>(sizeof(T));
  return {v.memory, begin, 1, *end - begin, *end - begin};
}

}  // namespace detail

/// Checks the input and where its results go; `result_bytes` each. Throws argument_error.
template <class T>
reduce_problem checked_reduction(const reduction& what, const reduce_view<T>& x,
                                 const reduce_view<T>* y, cl_mem out, std::int64_t out_offset,
                                 std::size_t result_bytes) {
  using namespace detail;
  const footprint in = check_reduced(x, "x");
  if (what.two_operands != (y != nullptr)) {
    throw argument_error("operands", "must be as many as the operator takes",
                         y == nullptr ? "1" : "2", what.two_operands ? "2" : "1");
  }
  footprint in_y;
  if (y != nullptr) {
    in_y = check_reduced(*y, "y");
    const bool alike = x.length == y->length && x.outer == y->outer && x.step == y->step;
    if (!alike || x.step != 1 || x.inner != 1 || x.offsets != nullptr || y->inner != 1) {
      throw argument_error("x and y of a dot product", "must be arrays or rows of one size",
                           std::to_string(x.outer) + " of " + std::to_string(x.length) + " and " +
                               std::to_string(y->outer) + " of " + std::to_string(y->length) +
                               " elements, " + std::to_string(x.step) + " apart",
                           "adjacent elements and equal sizes expected");
    }
  }
  if (x.length == 0 && x.results() > 0 && x.offsets == nullptr && !what.has_identity()) {
    throw argument_error("length of x", "must not be 0 for an operator without identity", "0",
                         "at least 1");
  }
  require_at_least(out_offset, 0, "offset", "the results", "must not be negative");
  const auto bytes = static_cast<std::int64_t>(result_bytes);
  const auto end = multiply_add(x.results(), bytes, 0);
  const auto to = end ? multiply_add(out_offset, bytes, *end) : std::nullopt;
  if (!to) fail_too_far("the results");
  if (x.results() > 0) {
    require_bytes(out, *to, "buffer", "the results");
    const footprint results{out, *to - *end, 1, *end, *end};
    if (overlaps(results, in) || overlaps(results, in_y)) {
      throw argument_error("the results", "must not share memory with the input",
                           "overlapping buffers", "separate memory");
    }
  }
  reduce_problem p{.x = x.memory, .x_offset = x.offset, .length = x.length, .step = x.step};
  p.inner = x.inner;
  p.outer = x.outer;
  p.x_outer = x.outer_stride;
  p.offsets = x.offsets;
  p.out = out;
  p.out_offset = out_offset;
  if (y != nullptr) {
    p.y = y->memory;
    p.y_offset = y->offset;
    p.y_outer = y->outer_stride;
  }
  p.shape = x.offsets != nullptr ? reduce_shape::ragged
            : x.inner > 1        ? reduce_shape::columns
                                 : reduce_shape::rows;
  return p;
}

}  // namespace clprim
