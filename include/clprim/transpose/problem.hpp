#pragma once
// The caller's views -> the transposition as the kernel meets it: two tiled axes, outer axes.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>

#include <clprim/runtime/view.hpp>
#include <clprim/transpose/tuned.hpp>
#include <clprim/transpose/variant.hpp>

namespace clprim {

/// One axis: how many elements, and how far they lie apart in the input and in the output.
struct transpose_axis {
  std::int64_t extent = 1;
  std::int64_t in_step = 0;
  std::int64_t out_step = 0;
};

/// A checked problem; sizes and distances in elements. `cols` run along the input's memory.
struct transpose_problem {
  static constexpr int outer_limit = 4;

  cl_mem in = nullptr;
  cl_mem out = nullptr;
  std::int64_t in_offset = 0;
  std::int64_t out_offset = 0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t in_pitch = 1;
  std::int64_t out_pitch = 1;
  std::array<transpose_axis, outer_limit> outer{};
  int outer_count = 0;
  transpose_task task = transpose_task::turn;
  bool by_columns = false;
  bool conjugate = false;

  bool empty() const {
    if (rows == 0 || cols == 0) return true;
    return std::any_of(outer.begin(), outer.begin() + outer_count,
                       [](const transpose_axis& a) { return a.extent == 0; });
  }
  double elements() const {
    double n = static_cast<double>(rows) * static_cast<double>(cols);
    for (int a = 0; a < outer_count; ++a)
      n *= static_cast<double>(outer[static_cast<std::size_t>(a)].extent);
    return n;
  }
};

namespace detail {

inline void require_same(std::int64_t actual, std::int64_t wanted, const std::string& what,
                         const std::string& other) {
  if (actual == wanted) return;
  throw argument_error(what, "must equal " + other, std::to_string(actual),
                       std::to_string(wanted) + " expected");
}

/// The kernel counts whole tiles in 32 bits, the last of which may reach past the matrix.
inline void require_tile_range(std::int64_t value, const std::string& what) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - 4096;
  if (value <= most) return;
  throw argument_error(what, "must stay within 32-bit indexing", std::to_string(value),
                       "at most " + std::to_string(most));
}

inline void require_strided_batch(bool offsets, const std::string& name) {
  if (!offsets) return;
  throw argument_error("batch of " + name, "must lie at equal distances", "an array of offsets",
                       "a batch stride expected");
}

inline void require_apart(const footprint& out, const footprint& in) {
  if (!overlaps(out, in)) return;
  throw argument_error("B", "must not share memory with A unless it is transposed in place",
                       "overlapping views", "separate memory, or in_place(A)");
}

}  // namespace detail

/// Checks B = op(A): op(A) is A's transpose, or its conjugate transpose where A is `conjugated`.
/// A and B may differ in layout. Throws argument_error for shapes that do not fit, all that
/// `check_matrix` refuses, batches by offset arrays, and B sharing memory with A.
template <element_type In, element_type Out>
transpose_problem checked_transpose(const matrix_view<In>& A, const matrix_view<Out>& B) {
  using namespace detail;
  const footprint from = check_matrix(A, "A"), to = check_output(B, "B");
  require_same(B.rows, A.cols, "rows of B", "the columns of A");
  require_same(B.cols, A.rows, "columns of B", "the rows of A");
  require_same(B.batch_count, A.batch_count, "batch count of B", "the batch count of A");
  require_strided_batch(A.batch_offsets != nullptr, "A");
  require_strided_batch(B.batch_offsets != nullptr, "B");
  if (A.op == transposition::transpose || B.op != transposition::none) {
    throw argument_error(A.op == transposition::transpose ? "A" : "B",
                         "must not be a transposed view of a transposition", "a transposed view",
                         "a plain view, or conjugated(A) for the conjugate transpose");
  }
  require_tile_range(A.rows, "rows of A");
  require_tile_range(A.cols, "columns of A");
  require_apart(to, from);
  transpose_problem p{.in = A.memory,
                      .out = B.memory,
                      .in_offset = A.offset,
                      .out_offset = B.offset,
                      .rows = A.lines(),
                      .cols = A.line_length(),
                      .in_pitch = A.leading,
                      .out_pitch = B.leading,
                      .task = A.order == B.order ? transpose_task::turn : transpose_task::lines,
                      .by_columns = A.order == layout::column_major,
                      .conjugate = A.op == transposition::conjugate};
  p.outer[0] = {A.batch_count, A.batch_stride, B.batch_stride};
  p.outer_count = A.batch_count == 1 ? 0 : 1;
  return p;
}

/// Checks the transposition of square matrices in their own memory; throws as checked_transpose.
template <element_type T> transpose_problem checked_in_place(const matrix_view<T>& A) {
  using namespace detail;
  check_output(A, "A");
  require_same(A.rows, A.cols, "rows of A", "its columns");
  require_strided_batch(A.batch_offsets != nullptr, "A");
  require_tile_range(A.rows, "rows of A");
  if (A.op == transposition::transpose) {
    throw argument_error("A", "must not be a transposed view of a transposition",
                         "a transposed view",
                         "a plain view, or conjugated(A) for the conjugate transpose");
  }
  transpose_problem p{.in = A.memory,
                      .out = A.memory,
                      .in_offset = A.offset,
                      .out_offset = A.offset,
                      .rows = A.rows,
                      .cols = A.cols,
                      .in_pitch = A.leading,
                      .out_pitch = A.leading,
                      .task = transpose_task::swap,
                      .by_columns = A.order == layout::column_major,
                      .conjugate = A.op == transposition::conjugate};
  p.outer[0] = {A.batch_count, A.batch_stride, A.batch_stride};
  p.outer_count = A.batch_count == 1 ? 0 : 1;
  return p;
}

namespace detail {

/// The largest power of two up to 16 that divides everything or-ed together.
inline int power_alignment(std::int64_t bits) {
  return bits == 0 ? 16 : 1 << std::min(4, std::countr_zero(static_cast<std::uint64_t>(bits)));
}

}  // namespace detail

/// Elements that all addresses of the input, or of the output, and the extents are multiples of.
inline int in_alignment_of(const transpose_problem& p) {
  std::int64_t bits = p.in_offset | p.in_pitch | p.cols;
  for (int a = 0; a < p.outer_count; ++a) bits |= p.outer[static_cast<std::size_t>(a)].in_step;
  return detail::power_alignment(bits);
}
inline int out_alignment_of(const transpose_problem& p) {
  std::int64_t bits =
      p.out_offset | p.out_pitch | (p.task == transpose_task::lines ? p.cols : p.rows);
  for (int a = 0; a < p.outer_count; ++a) bits |= p.outer[static_cast<std::size_t>(a)].out_step;
  return detail::power_alignment(bits);
}

/// Everything that the source of a problem depends on.
inline transpose_variant variant_of(const transpose_problem& p, const transpose_policy& policy,
                                    const element& in, const element& out, bool scaled) {
  const std::int64_t across = p.task == transpose_task::lines ? policy.tile_rows : policy.tile_cols;
  const std::int64_t reach =
      std::max((policy.tile_rows + 1) * p.in_pitch,
               (std::max<std::int64_t>(across, policy.tile_rows) + 1) * p.out_pitch);
  return {.in = in,
          .out = out,
          .task = p.task,
          .in_alignment = std::min(policy.vector, in_alignment_of(p)),
          .out_alignment = std::min(policy.vector, out_alignment_of(p)),
          .outer = p.outer_count,
          .conjugate = p.conjugate && in.is_complex,
          .scaled = scaled,
          .by_columns = p.by_columns,
          .wide = reach > std::numeric_limits<std::int32_t>::max()};
}

/// A problem in the terms of the library's choice.
inline transpose_size size_of(const transpose_problem& p, int bytes) {
  return {.bytes = bytes,
          .rows = p.rows,
          .cols = p.cols,
          .alignment = std::min(in_alignment_of(p), out_alignment_of(p)),
          .in_place = p.task == transpose_task::swap};
}

}  // namespace clprim
