#pragma once
// The caller's views -> the transposition as the kernel meets it: two tiled axes, outer axes.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <clprim/runtime/footprint.hpp>
#include <clprim/runtime/view.hpp>
#include <clprim/transpose/box.hpp>
#include <clprim/transpose/tuned.hpp>
#include <clprim/transpose/variant.hpp>

namespace clprim {

/// A checked problem; sizes and distances in elements. `cols` run along the input's memory.
struct transpose_problem {
  static constexpr int outer_limit = 5;

  std::array<operand, 2> operands{};  ///< what is read, what is written
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
  cl_mem in_offsets = nullptr;  ///< where the elements of outer axis 0 lie, in place of its step
  cl_mem out_offsets = nullptr;
  transpose_task task = transpose_task::turn;
  bool by_columns = false;
  bool conjugate = false;
  std::int64_t in_base = 128;  ///< elements that the first one of the buffer is aligned to
  std::int64_t out_base = 128;

  bool empty() const {
    if (rows == 0 || cols == 0) return true;
    return std::any_of(outer.begin(), outer.begin() + outer_count,
                       [](const transpose_axis& a) { return a.extent == 0; });
  }
  bool is_rectangle_in_place() const { return task == transpose_task::swap && rows != cols; }
  double elements() const {
    double n = static_cast<double>(rows) * static_cast<double>(cols);
    for (int a = 0; a < outer_count; ++a)
      n *= static_cast<double>(outer[static_cast<std::size_t>(a)].extent);
    return n;
  }
};

namespace detail {

/// The kernel counts whole tiles in 32 bits, the last of which may reach past the matrix.
inline constexpr std::int64_t most_tiled = std::numeric_limits<std::int32_t>::max() - 2 * 4096;
inline void require_tile_range(std::int64_t value, const std::string& what) {
  if (value <= most_tiled) return;
  throw argument_error(what, "must stay within 32-bit indexing", std::to_string(value),
                       "at most " + std::to_string(most_tiled));
}

inline void require_plain(transposition op, bool conjugate, const std::string& name) {
  if (op == transposition::none || (conjugate && op == transposition::conjugate)) return;
  throw argument_error(name, "must not be a transposed view of a transposition",
                       "a transposed view",
                       "a plain view, or conjugated(A) for the conjugate transpose");
}

/// From line to line. The leading dimension of a single line may be anything, and is nobody's
/// business: sums of it would overflow.
template <element_type T> std::int64_t pitch_of(const matrix_view<T>& v) {
  return v.lines() > 1 ? v.leading : v.line_length();
}

template <element_type In, element_type Out>
void set_batch(transpose_problem& p, const matrix_view<In>& A, const matrix_view<Out>& B) {
  p.in_offsets = A.batch_offsets;
  p.out_offsets = B.batch_offsets;
  if (A.batch_count == 1 && p.in_offsets == nullptr && p.out_offsets == nullptr) return;
  p.outer[0] = {A.batch_count, A.batch_stride, B.batch_stride};
  p.outer_count = 1;
}

/// What a buffer's memory is aligned to, in elements. Throws argument_error where that is less than
/// one, as memory of the host may be.
inline std::int64_t base_of(cl_mem memory, int bytes, std::string_view name) {
  const int base = base_alignment(memory);
  if (base >= bytes) return base / bytes;
  throw argument_error("memory of " + std::string(name), "must be aligned to its elements",
                       "host memory aligned to " + std::to_string(base) + " bytes",
                       "at least " + std::to_string(bytes));
}

template <element_type In, element_type Out>
void set_operands(transpose_problem& p, const operand& in, const operand& out) {
  p.operands = {in, out};
  if (!in.bytes.empty()) p.in_base = base_of(p.in, sizeof(In), in.name);
  if (!out.bytes.empty()) p.out_base = base_of(p.out, sizeof(Out), out.name);
}

inline void require_apart(const footprint& out, const footprint& in) {
  if (!overlaps(out, in)) return;
  throw argument_error("B", "must not share memory with A unless it is transposed in place",
                       "overlapping views", "separate memory, or in_place(A)");
}

}  // namespace detail

/// Checks B = op(A): op(A) is A's transpose, or its conjugate transpose where A is `conjugated`.
/// A and B may differ in layout. Throws argument_error for shapes that do not fit, all that
/// `check_matrix` refuses, and B sharing memory with A; of batches by offset arrays the host sees
/// only that their arrays are large enough.
template <element_type In, element_type Out>
transpose_problem checked_transpose(const matrix_view<In>& A, const matrix_view<Out>& B) {
  using namespace detail;
  const footprint from = check_matrix(A, "A"), to = check_output(B, "B");
  require_same(B.rows, A.cols, "rows of B", "the columns of A");
  require_same(B.cols, A.rows, "columns of B", "the rows of A");
  require_same(B.batch_count, A.batch_count, "batch count of B", "the batch count of A");
  require_plain(A.op, true, "A");
  require_plain(B.op, false, "B");
  require_tile_range(A.rows, "rows of A");
  require_tile_range(A.cols, "columns of A");
  require_apart(to, from);
  transpose_problem p{.in = A.memory,
                      .out = B.memory,
                      .in_offset = A.offset,
                      .out_offset = B.offset,
                      .rows = A.lines(),
                      .cols = A.line_length(),
                      .in_pitch = pitch_of(A),
                      .out_pitch = pitch_of(B),
                      .task = A.order == B.order ? transpose_task::turn : transpose_task::lines,
                      .by_columns = A.order == layout::column_major,
                      .conjugate = A.op == transposition::conjugate};
  set_batch(p, A, B);
  set_operands<In, Out>(p, {"A", from}, {"B", to, true});
  return p;
}

/// Checks the transposition of matrices in their own memory: square ones, of any leading dimension;
/// rectangular ones only without gaps between their lines, as the result has other lines. Throws
/// as checked_transpose.
template <element_type T> transpose_problem checked_in_place(const matrix_view<T>& A) {
  using namespace detail;
  const footprint bytes = check_output(A, "A");
  require_tile_range(A.rows, "rows of A");
  require_tile_range(A.cols, "columns of A");
  require_plain(A.op, true, "A");
  if (A.rows != A.cols && !A.empty() && A.leading != A.line_length()) {
    throw argument_error("leading dimension of A",
                         "must leave no gap in a rectangular matrix that is transposed in place",
                         std::to_string(A.leading), std::to_string(A.line_length()) + " expected");
  }
  transpose_problem p{.in = A.memory,
                      .out = A.memory,
                      .in_offset = A.offset,
                      .out_offset = A.offset,
                      .rows = A.lines(),
                      .cols = A.line_length(),
                      .in_pitch = pitch_of(A),
                      .out_pitch = pitch_of(A),
                      .task = transpose_task::swap,
                      .by_columns = A.order == layout::column_major,
                      .conjugate = A.op == transposition::conjugate};
  set_batch(p, A, A);
  set_operands<T, T>(p, {"A", bytes}, {"A", bytes, true});
  return p;
}

#ifndef CLPRIM_COMPILED
namespace detail {

/// The largest power of two up to 128 that divides everything or-ed together.
inline int power_alignment(std::int64_t bits) {
  return bits == 0 ? 128 : 1 << std::min(7, std::countr_zero(static_cast<std::uint64_t>(bits)));
}

/// What the steps of the outer axes add to the bits of an alignment; one, where a buffer holds
/// them.
inline std::int64_t outer_bits(const transpose_problem& p, std::int64_t transpose_axis::*step,
                               bool offsets) {
  std::int64_t bits = offsets ? 1 : 0;
  for (int a = 0; a < p.outer_count; ++a) bits |= p.outer[static_cast<std::size_t>(a)].*step;
  return bits;
}

}  // namespace detail

/// Elements that all addresses of the input, or of the output, and the extents are multiples of.
inline int in_alignment_of(const transpose_problem& p) {
  return detail::power_alignment(
      p.in_base | p.in_offset | p.in_pitch | p.cols |
      detail::outer_bits(p, &transpose_axis::in_step, p.in_offsets != nullptr));
}
inline int out_alignment_of(const transpose_problem& p) {
  return detail::power_alignment(
      p.out_base | p.out_offset | p.out_pitch |
      (p.task == transpose_task::lines ? p.cols : p.rows) |
      detail::outer_bits(p, &transpose_axis::out_step, p.out_offsets != nullptr));
}

/// The extent of a short axis that follows the long one without gaps in the input (pixels, which
/// become planes) or in the output; 0 where there is none.
inline int narrow_of(const transpose_problem& p, bool input) {
  if (p.task != transpose_task::turn) return 0;
  const std::int64_t extent = input ? p.cols : p.rows;
  return extent <= 16 && (input ? p.in_pitch : p.out_pitch) == extent ? static_cast<int>(extent)
                                                                      : 0;
}

namespace detail {

/// All axes of a problem: its columns, its rows, the outer ones.
inline std::array<transpose_axis, transpose_box::axis_limit> axes_of(const transpose_problem& p) {
  const bool lines = p.task == transpose_task::lines;
  std::array<transpose_axis, transpose_box::axis_limit> all{
      transpose_axis{p.cols, 1, lines ? 1 : p.out_pitch},
      transpose_axis{p.rows, p.in_pitch, lines ? p.out_pitch : 1}};
  std::copy_n(p.outer.begin(), p.outer_count, all.begin() + 2);
  return all;
}

/// The box of a group, and what its runs start at multiples of.
inline void set_box(transpose_variant& v, const transpose_problem& p,
                    const transpose_policy& policy) {
  const auto all = axes_of(p);
  const bool offsets = v.in_offsets || v.out_offsets;
  v.box = box_of(all, 2 + p.outer_count, offsets ? 2 : -1,
                 std::int64_t{policy.tile_rows} * policy.tile_cols);
  v.in_alignment = box_vector(v.box, all, v.box.in_order, &transpose_axis::in_step,
                              p.in_base | p.in_offset | (v.in_offsets ? 1 : 0), policy.vector);
  v.out_alignment = box_vector(v.box, all, v.box.out_order, &transpose_axis::out_step,
                               p.out_base | p.out_offset | (v.out_offsets ? 1 : 0), policy.vector);
  if (policy.unaligned) {
    v.in_alignment = v.out_alignment = 1;
    set_words(v.box, all,
              {.in_bytes = v.in.bytes,
               .out_bytes = v.out.bytes,
               .vector = widest_vector(policy.vector, v),
               .shear = policy.shear,
               .in_bits = p.in_base | p.in_offset | (v.in_offsets ? 1 : 0),
               .out_bits = p.out_base | p.out_offset | (v.out_offsets ? 1 : 0),
               .most_places = most_box_places(policy)},
              std::int64_t{policy.tile_rows} * policy.tile_cols);
  }
  std::int64_t in_reach = 0, out_reach = 0;
  for (int a = 0; a < v.box.rank; ++a) {
    in_reach += loaded_extent(v.box, a) * all[static_cast<std::size_t>(a)].in_step;
    out_reach += v.box.at(a) * all[static_cast<std::size_t>(a)].out_step;
  }
  // A word may reach past the box.
  v.wide = std::max(in_reach, out_reach) > std::numeric_limits<std::int32_t>::max() - 64;
}

}  // namespace detail

/// Everything that the source of a problem depends on.
inline transpose_variant variant_of(const transpose_problem& p, const transpose_policy& policy,
                                    const element& in, const element& out, bool scaled) {
  const std::int64_t across = p.task == transpose_task::lines ? policy.tile_rows : policy.tile_cols;
  const std::int64_t reach =
      std::max((policy.tile_rows + policy.shear + 1) * p.in_pitch,
               (std::max<std::int64_t>(across, policy.tile_rows) + 1) * p.out_pitch);
  transpose_variant v{
      .in = in,
      .out = out,
      .task = p.task,
      .in_alignment = std::min(policy.vector, in_alignment_of(p)),
      .out_alignment = std::min(std::max(policy.vector, policy.shear), out_alignment_of(p)),
      .outer = p.outer_count,
      .in_offsets = p.in_offsets != nullptr,
      .out_offsets = p.out_offsets != nullptr,
      .conjugate = p.conjugate && in.is_complex,
      .scaled = scaled,
      .by_columns = p.by_columns,
      .wide = reach > std::numeric_limits<std::int32_t>::max()};
  if (policy.exchange == tile_exchange::box) detail::set_box(v, p, policy);
  if (policy.exchange != tile_exchange::registers) return v;
  v.narrow_in = narrow_of(p, true) > 0;
  v.narrow = narrow_of(p, v.narrow_in);
  // Runs start where the long axis is a multiple of them, and its end is cut: extents do not count.
  const auto aligned = [&](std::int64_t offset, std::int64_t pitch, bool packed,
                           std::int64_t transpose_axis::*step, bool offsets) {
    const std::int64_t bits = offset | (packed ? 0 : pitch) | detail::outer_bits(p, step, offsets);
    return std::min(policy.vector, detail::power_alignment(bits));
  };
  v.in_alignment = aligned(p.in_base | p.in_offset, p.in_pitch, v.narrow_in,
                           &transpose_axis::in_step, p.in_offsets != nullptr);
  v.out_alignment = aligned(p.out_base | p.out_offset, p.out_pitch, !v.narrow_in,
                            &transpose_axis::out_step, p.out_offsets != nullptr);
  return v;
}

/// A problem in the terms of the library's choice.
inline transpose_size size_of(const transpose_problem& p, int bytes) {
  const bool offsets = p.in_offsets != nullptr || p.out_offsets != nullptr;
  const bool outer = p.outer_count > (offsets ? 1 : 0), turn = p.task == transpose_task::turn;
  return {.bytes = bytes,
          .rows = p.rows,
          .cols = p.cols,
          .in_alignment = in_alignment_of(p),
          .out_alignment = out_alignment_of(p),
          .in_place = p.task == transpose_task::swap,
          .narrow = std::max(narrow_of(p, true), narrow_of(p, false)),
          .lines = p.task == transpose_task::lines,
          .outer = outer,
          .joined = outer || (turn && ((p.cols < 64 && p.in_pitch == p.cols) ||
                                       (p.rows < 64 && p.out_pitch == p.rows)))};
}
#endif

}  // namespace clprim
