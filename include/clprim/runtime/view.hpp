#pragma once
// Typed views of buffers, and the checks a primitive makes of its operands before it enqueues.
//
//   auto A = matrix<float>(buffer, rows, cols).ld(pitch).at(first).batch(count, stride);
//   multiply(1, transposed(A), B, 0, C);

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <clprim/core/element.hpp>
#include <clprim/runtime/footprint.hpp>
#include <clprim/runtime/handle.hpp>

namespace clprim {

/// Which elements of a matrix lie side by side: those of a row, or those of a column.
enum class layout { row_major, column_major };

/// What is done to a matrix as it is read; `conjugate` also transposes (BLAS 'C').
enum class transposition { none, transpose, conjugate };

/// A matrix in a buffer, or a batch of equal ones; sizes in elements, as stored, before `op`. The
/// view does not own the buffer.
template <element_type T> struct matrix_view {
  cl_mem memory = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t leading = 0;  ///< from one row to the next (row-major) or one column to the next
  std::int64_t offset = 0;   ///< of the first element
  layout order = layout::row_major;
  transposition op = transposition::none;
  std::int64_t batch_count = 1;
  std::int64_t batch_stride = 0;   ///< from one matrix of the batch to the next
  cl_mem batch_offsets = nullptr;  ///< batch_count int64 element offsets added to `offset`, or null
  bool tight = true;               ///< `leading` follows the layout until `ld` sets it

  /// How many runs of adjacent elements there are: rows when row-major, else columns.
  constexpr std::int64_t lines() const { return order == layout::row_major ? rows : cols; }
  /// How many elements are side by side.
  constexpr std::int64_t line_length() const { return order == layout::row_major ? cols : rows; }
  /// Rows of op(X).
  constexpr std::int64_t op_rows() const { return op == transposition::none ? rows : cols; }
  /// Columns of op(X).
  constexpr std::int64_t op_cols() const { return op == transposition::none ? cols : rows; }
  /// Whether no element is addressed.
  constexpr bool empty() const { return rows == 0 || cols == 0 || batch_count == 0; }

  /// Sets the leading dimension.
  constexpr matrix_view ld(std::int64_t n) const {
    matrix_view v = *this;
    v.leading = n;
    v.tight = false;
    return v;
  }
  /// Sets the offset of the first element.
  constexpr matrix_view at(std::int64_t first) const {
    matrix_view v = *this;
    v.offset = first;
    return v;
  }
  /// Columns of adjacent elements.
  constexpr matrix_view column_major() const { return ordered(layout::column_major); }
  /// Rows of adjacent elements, the default.
  constexpr matrix_view row_major() const { return ordered(layout::row_major); }
  /// A batch of matrices at equal distances; a stride of 0 reads one matrix again and again.
  constexpr matrix_view batch(std::int64_t count, std::int64_t stride) const {
    matrix_view v = *this;
    v.batch_count = count;
    v.batch_stride = stride;
    v.batch_offsets = nullptr;
    return v;
  }
  /// A batch of matrices at the element offsets (std::int64_t, added to `offset`) held by a buffer.
  /// Throws argument_error for a null buffer.
  matrix_view batch(std::int64_t count, memory_handle offsets) const {
    if (offsets() == nullptr) {
      throw argument_error("batch offsets", "must be a buffer", "a null buffer", "one of int64");
    }
    matrix_view v = *this;
    v.batch_count = count;
    v.batch_stride = 0;
    v.batch_offsets = offsets();
    return v;
  }

 private:
  constexpr matrix_view ordered(layout wanted) const {
    matrix_view v = *this;
    v.order = wanted;
    if (tight) v.leading = v.line_length();
    return v;
  }
};

/// A view of `rows` × `cols` elements, row-major and without gaps until told otherwise. The buffer
/// must outlive the commands that use the view.
template <element_type T>
constexpr matrix_view<T> matrix(memory_handle buffer, std::int64_t rows, std::int64_t cols) {
  return {.memory = buffer(), .rows = rows, .cols = cols, .leading = cols};
}

namespace detail {

template <element_type T> constexpr transposition after(transposition op, transposition next) {
  if (op == transposition::none) return next;
  if (op == next) return transposition::none;
  throw argument_error("transposition", "must not conjugate without transposing",
                       "both of 'transposed' and 'conjugated'", "only one of them");
}

}  // namespace detail

/// op(X) = Xᵀ; twice is none. Throws argument_error after `conjugated` of a complex matrix.
template <element_type T> constexpr matrix_view<T> transposed(matrix_view<T> v) {
  v.op = detail::after<T>(v.op, transposition::transpose);
  return v;
}

/// op(X) = Xᴴ, the conjugate transpose; the same as `transposed` for a real matrix.
template <element_type T> constexpr matrix_view<T> conjugated(matrix_view<T> v) {
  v.op = detail::after<T>(
      v.op, describe_element<T>().is_complex ? transposition::conjugate : transposition::transpose);
  return v;
}

/// `count` elements of a buffer, `stride` apart, from `offset` on; sizes in elements.
template <element_type T> struct vector_view {
  cl_mem memory = nullptr;
  std::int64_t count = 0;
  std::int64_t stride = 1;
  std::int64_t offset = 0;

  /// Sets the offset of the first element.
  constexpr vector_view at(std::int64_t first) const {
    vector_view v = *this;
    v.offset = first;
    return v;
  }
  /// Sets the distance between neighbours.
  constexpr vector_view with_stride(std::int64_t distance) const {
    vector_view v = *this;
    v.stride = distance;
    return v;
  }
};

/// A view of the first `count` elements of a buffer.
template <element_type T> vector_view<T> vector(memory_handle buffer, std::int64_t count) {
  return {.memory = buffer(), .count = count};
}

namespace detail {

void require_at_least(std::int64_t actual, std::int64_t least, const char* what,
                      std::string_view name, const char* constraint);
void require_extent(std::int64_t actual, const char* what, std::string_view name);

/// Throws argument_error where two numbers of operands that must be the same differ.
inline void require_same(std::int64_t actual, std::int64_t wanted, std::string_view what,
                         std::string_view other) {
  if (actual != wanted) [[unlikely]] {
    throw argument_error(std::string(what), "must equal " + std::string(other),
                         std::to_string(actual), std::to_string(wanted) + " expected");
  }
}
void require_bytes(cl_mem memory, std::int64_t bytes, const char* what, std::string_view name);
[[noreturn]] void fail_too_far(std::string_view name);

#ifndef CLPRIM_COMPILED
CLPRIM_INLINE void require_at_least(std::int64_t actual, std::int64_t least, const char* what,
                                    std::string_view name, const char* constraint) {
  if (actual >= least) return;
  throw argument_error(std::string(what) + " of " + std::string(name), constraint,
                       std::to_string(actual), "at least " + std::to_string(least));
}

CLPRIM_INLINE void require_extent(std::int64_t actual, const char* what, std::string_view name) {
  require_at_least(actual, 0, what, name, "must not be negative");
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (actual <= most) return;
  throw argument_error(std::string(what) + " of " + std::string(name), "must fit 32 bits",
                       std::to_string(actual), "at most " + std::to_string(most));
}

CLPRIM_INLINE void require_bytes(cl_mem memory, std::int64_t bytes, const char* what,
                                 std::string_view name) {
  if (memory == nullptr) {
    throw argument_error(std::string(what) + " of " + std::string(name), "must be a buffer",
                         "a null handle", "at least " + std::to_string(bytes) + " bytes");
  }
  const auto size =
      memory_info<std::size_t>(memory, CL_MEM_SIZE, "clGetMemObjectInfo(CL_MEM_SIZE)");
  if (size >= static_cast<std::uint64_t>(bytes)) return;
  throw argument_error(std::string(what) + " of " + std::string(name),
                       "must hold every element addressed", std::to_string(size) + " bytes",
                       "at least " + std::to_string(bytes) + " bytes");
}

CLPRIM_INLINE void fail_too_far(std::string_view name) {
  throw argument_error(
      "last element of " + std::string(name), "must have an address that fits 64 bits",
      "a place past 9223372036854775807 bytes", "at most 9223372036854775807 bytes");
}
#endif

/// Elements to bytes, none of the numbers being negative. Throws argument_error when the last byte
/// has no 64-bit address or lies past the buffer.
template <element_type T> footprint footprint_in_bytes(footprint f, std::string_view name) {
  if (f.empty()) return f;
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(T));
  const auto to_line = multiply_add(f.lines - 1, f.pitch, f.length);
  const auto to_first = to_line ? multiply_add(1, *to_line, f.begin) : std::nullopt;
  const auto to_last = to_first ? multiply_add(f.count - 1, f.stride, *to_first) : std::nullopt;
  const auto end = to_last ? multiply_add(*to_last, bytes, 0) : std::nullopt;
  if (!end) fail_too_far(name);
  require_bytes(f.memory, *end, "buffer", name);
  f.begin *= bytes;
  f.length *= bytes;
  f.pitch = f.lines > 1 ? f.pitch * bytes : f.length;
  f.stride = f.count > 1 ? f.stride * bytes : 0;
  return f;
}

}  // namespace detail

/// Checks one operand of a primitive and returns the bytes that it touches. Throws argument_error
/// for a negative size, offset, stride or batch count, an extent past 2^31 - 1, a leading dimension
/// below the line length, a null or too small buffer (of an offset array: only that the array is
/// large enough and that a matrix at `offset` would fit). A view without elements needs no buffer.
template <element_type T> footprint check_matrix(const matrix_view<T>& v, std::string_view name) {
  using detail::require_at_least;
  detail::require_extent(v.rows, "rows", name);
  detail::require_extent(v.cols, "columns", name);
  detail::require_extent(v.batch_count, "batch count", name);
  require_at_least(v.offset, 0, "offset", name, "must not be negative");
  require_at_least(v.batch_stride, 0, "batch stride", name, "must not be negative");
  require_at_least(
      v.leading, v.line_length(), "leading dimension", name,
      v.order == layout::row_major ? "must be at least its columns" : "must be at least its rows");
  if (v.batch_offsets != nullptr) {  // read by kernels even where the matrices are empty
    constexpr auto entry = static_cast<std::int64_t>(sizeof(std::int64_t));
    detail::require_bytes(v.batch_offsets, v.batch_count * entry, "batch offsets", name);
  }
  if (v.empty()) return {};
  return detail::footprint_in_bytes<T>(
      {v.memory, v.offset, v.lines(), v.line_length(), v.leading, v.batch_count,
       v.batch_offsets == nullptr ? v.batch_stride : 0, v.batch_offsets},
      name);
}

/// `check_matrix`, and that the matrices of a batch keep apart, as those of an output must.
template <element_type T> footprint check_output(const matrix_view<T>& v, std::string_view name) {
  const footprint f = check_matrix(v, name);
  if (overlaps_itself(f)) {
    throw argument_error("batch stride of " + std::string(name),
                         "must keep the matrices of an output apart",
                         std::to_string(v.batch_stride), "a stride at which they share no element");
  }
  return f;
}

/// Checks a vector and returns the bytes that it touches; throws as `check_matrix`. The count may
/// pass 2^31.
template <element_type T> footprint check_vector(const vector_view<T>& v, std::string_view name) {
  using detail::require_at_least;
  require_at_least(v.count, 0, "count", name, "must not be negative");
  require_at_least(v.offset, 0, "offset", name, "must not be negative");
  require_at_least(v.stride, 1, "stride", name, "must be positive");
  if (v.count == 0) return {};
  const bool dense = v.stride == 1;
  return detail::footprint_in_bytes<T>(
      {v.memory, v.offset, dense ? 1 : v.count, dense ? v.count : 1, v.stride}, name);
}

/// Whether two matrices share a byte; as `overlaps(footprint, footprint)`. Throws as
/// `check_matrix`.
template <element_type T, element_type U>
bool overlaps(const matrix_view<T>& a, const matrix_view<U>& b) {
  return overlaps(check_matrix(a, "the first matrix"), check_matrix(b, "the second matrix"));
}

}  // namespace clprim
