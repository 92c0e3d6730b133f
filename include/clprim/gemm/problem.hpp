#pragma once
// The caller's views -> the product as the kernel meets it: C row-major, operands known by the
// direction in which they are contiguous.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <clprim/gemm/tuned.hpp>
#include <clprim/gemm/variant.hpp>
#include <clprim/runtime/memory.hpp>
#include <clprim/runtime/view.hpp>

namespace clprim {

/// One operand of a checked product; sizes and distances in elements.
struct gemm_matrix {
  std::string_view name{};  ///< the caller's: "A", "B" or "C"
  footprint bytes{};        ///< what is touched; empty where there is no element
  cl_mem memory = nullptr;
  std::int64_t offset = 0;
  int leading = 1;
  std::int64_t stride = 0;
  cl_mem offsets = nullptr;
  bool along_k = false;  ///< not for C
  bool conjugate = false;
  int alignment = 16;  ///< of the buffer's first element, a power of two up to 16
};

/// A checked product C = alpha op(A) op(B) + beta C with C row-major: where the caller's C is
/// column-major it is the transposed product, B and A having changed places (`swapped`).
struct gemm_problem {
  int m = 0;
  int n = 0;
  int k = 0;
  std::int64_t batch = 1;
  bool swapped = false;
  std::optional<scalar> out{};  ///< what C is of, where it is not the type of A and B
  gemm_matrix a{};
  gemm_matrix b{};
  gemm_matrix c{};

  /// Whether C has no element.
  bool empty() const { return m == 0 || n == 0 || batch == 0; }
};

namespace detail {

/// The kernel counts whole steps and tiles in 32 bits, the last of which may reach past the matrix.
inline constexpr std::int64_t gemm_extent_limit = std::numeric_limits<std::int32_t>::max() - 4096;

/// What C is of, where it is not the type of A and B.
template <product_type T, product_type Out>
inline constexpr std::optional<scalar> output_of =
    std::same_as<T, Out> ? std::nullopt : std::optional<scalar>{scalar_of<Out>};

/// Elements that the buffer of a view is known to begin at a multiple of, a power of two up to 16.
/// Throws argument_error where it begins between two of them.
template <product_type T> int element_alignment(const matrix_view<T>& v, std::string_view name) {
  if (v.empty()) return 16;
  constexpr int bytes = sizeof(T);
  const int base = base_alignment(v.memory);
  if (base < bytes) [[unlikely]] {
    throw argument_error("the first element of " + std::string(name),
                         "must lie at a multiple of its " + std::to_string(bytes) + " bytes",
                         "an address that is a multiple of " + std::to_string(base) + " only",
                         "a buffer that begins at a whole element");
  }
  return std::min(16, base / bytes);
}

template <product_type T>
gemm_matrix gemm_operand_of(const matrix_view<T>& v, std::string_view name, bool rows_are_k,
                            const footprint& bytes) {
  const bool along_columns = (v.order == layout::row_major) == (v.op == transposition::none);
  return {.name = name,
          .bytes = bytes,
          .memory = v.memory,
          .offset = v.offset,
          .leading = static_cast<int>(v.leading),
          .stride = v.batch_count > 1 ? v.batch_stride : 0,
          .offsets = v.batch_offsets,
          .along_k = rows_are_k ? !along_columns : along_columns,
          .conjugate = v.op == transposition::conjugate,
          .alignment = element_alignment(v, name)};
}

inline void require_gemm_range(std::int64_t value, std::int64_t most, const char* what) {
  if (value > most) [[unlikely]] {
    throw argument_error(what, "must stay within 32-bit indexing", std::to_string(value),
                         "at most " + std::to_string(most));
  }
}

/// The largest power of two up to 16 that divides everything.
inline int common_alignment(std::int64_t bits) {
  return bits == 0 ? 16 : 1 << std::min(4, std::countr_zero(static_cast<std::uint64_t>(bits)));
}

inline int alignment_of(const gemm_matrix& x, std::int64_t contiguous) {
  if (x.offsets != nullptr) return 1;  // known to the device only
  return common_alignment(x.offset | x.leading | x.stride | contiguous | x.alignment);
}

}  // namespace detail

/// Checks the operands of a product. op(A) is m x k, op(B) k x n, C m x n; equal batch counts.
/// Throws argument_error for shapes that do not fit, all that `check_matrix` refuses, extents or
/// leading dimensions past 32 bits, an op on C, a buffer that begins between two elements, and C
/// sharing memory with A or B.
template <product_type T, product_type Out>
gemm_problem checked_problem(const matrix_view<T>& A, const matrix_view<T>& B,
                             const matrix_view<Out>& C) {
  using namespace detail;
  const footprint in_a = check_matrix(A, "A"), in_b = check_matrix(B, "B"),
                  out = check_output(C, "C");
  if (C.op != transposition::none) [[unlikely]] {
    throw argument_error("C", "must not be transposed", "a transposed view",
                         "a view with the other layout");
  }
  require_same(A.op_rows(), C.rows, "rows of op(A)", "the rows of C");
  require_same(B.op_cols(), C.cols, "columns of op(B)", "the columns of C");
  require_same(B.op_rows(), A.op_cols(), "rows of op(B)", "the columns of op(A)");
  require_same(A.batch_count, C.batch_count, "batch count of A", "the batch count of C");
  require_same(B.batch_count, C.batch_count, "batch count of B", "the batch count of C");
  require_gemm_range(C.rows, gemm_extent_limit, "rows of C");
  require_gemm_range(C.cols, gemm_extent_limit, "columns of C");
  require_gemm_range(A.op_cols(), gemm_extent_limit, "columns of op(A)");
  constexpr std::int64_t widest = std::numeric_limits<std::int32_t>::max();
  require_gemm_range(A.leading, widest, "leading dimension of A");
  require_gemm_range(B.leading, widest, "leading dimension of B");
  require_gemm_range(C.leading, widest, "leading dimension of C");
  if (overlaps(out, in_a)) [[unlikely]] {
    throw argument_error("C", "must not share memory with A", "overlapping views",
                         "separate memory");
  }
  if (overlaps(out, in_b)) [[unlikely]] {
    throw argument_error("C", "must not share memory with B", "overlapping views",
                         "separate memory");
  }
  gemm_problem p{.m = static_cast<int>(C.rows),
                 .n = static_cast<int>(C.cols),
                 .k = static_cast<int>(A.op_cols()),
                 .batch = C.batch_count,
                 .swapped = C.order == layout::column_major,
                 .out = output_of<T, Out>,
                 .a = gemm_operand_of(A, "A", false, in_a),
                 .b = gemm_operand_of(B, "B", true, in_b),
                 .c = gemm_operand_of(C, "C", false, out)};
  if (p.swapped) {
    std::swap(p.m, p.n);
    std::swap(p.a, p.b);
  }
  return p;
}

/// How the lines of an operand lie once it is packed; in elements.
///
///     before    length           behind
///     0 0 0 | x x x x ... x x | 0 0 0 0 |    pitch: whole accesses of 16 bytes
///
/// Lines along k have their zeros in front: as the steps of the product count from the end of k,
/// each then begins with a whole access. Lines across it have them behind.
struct packed_lines {
  std::int64_t lines = 0;   ///< of one matrix
  std::int64_t length = 0;  ///< of one line
  std::int64_t before = 0;
  std::int64_t pitch = 0;
  std::int64_t matrices = 1;

  constexpr std::int64_t elements() const { return matrices * lines * pitch; }
};

/// An operand of `outer` x k elements; one matrix where the whole batch reads the same.
constexpr packed_lines packed_lines_of(bool along_k, int outer, int k, std::int64_t matrices,
                                       scalar type) {
  const int run = packed_run(type);
  packed_lines lines{.lines = along_k ? outer : k,
                     .length = along_k ? k : outer,
                     .before = 0,
                     .pitch = 0,
                     .matrices = matrices};
  const std::int64_t unit = packed_unit(lines.length, run);
  lines.pitch = (lines.length + unit - 1) / unit * unit;
  if (along_k) lines.before = lines.pitch - lines.length;
  return lines;
}

/// All of a problem that its schedule depends on: problems of one kind run the same kernels in the
/// same way.
struct gemm_kind {
  struct operand {
    bool along_k = false;
    bool conjugate = false;
    bool offsets = false;
    bool repeated = false;  ///< a batch of one matrix
    bool packed = false;    ///< a copy in the workspace
    int leading = 1;
    int alignment = 1;
    friend bool operator==(const operand&, const operand&) = default;
  };
  int m = 0;
  int n = 0;
  int k = 0;
  std::int64_t batch = 1;
  bool swapped = false;
  std::optional<scalar> out{};
  operand a{};
  operand b{};
  operand c{};
  gemm_windows windows{};  ///< the columns of B, where they are these
  friend bool operator==(const gemm_kind&, const gemm_kind&) = default;
};

inline gemm_kind kind_of(const gemm_problem& p) {
  const auto operand = [](const gemm_matrix& x, int contiguous) {
    return gemm_kind::operand{.along_k = x.along_k,
                              .conjugate = x.conjugate,
                              .offsets = x.offsets != nullptr,
                              .repeated = x.offsets == nullptr && x.stride == 0,
                              .leading = x.leading,
                              .alignment = detail::alignment_of(x, contiguous)};
  };
  return {p.m,
          p.n,
          p.k,
          p.batch,
          p.swapped,
          p.out,
          operand(p.a, p.a.along_k ? p.k : p.m),
          operand(p.b, p.b.along_k ? p.k : p.n),
          operand(p.c, p.n),
          {}};
}

/// How operands are copied before a product.
struct gemm_copies {
  gemm_precision precision = gemm_precision::full;
  bool turned = false;   ///< those that lie along k lie across it then
  bool along_k = false;  ///< all of them lie along k then
};

/// The copies for elements of the type. `turned`: operands that do not lie as what multiplies them
/// reads them best are to lie so; below full precision they always are.
constexpr gemm_copies copies_of(scalar type, gemm_precision precision, bool turned) {
  const bool along_k = reads_along_k(type, precision);
  const bool wanted = turned || precision != gemm_precision::full;
  return {precision, turned && !along_k, wanted && along_k};
}

/// Whether an operand is copied square by square: where its lines are to run the other way, or its
/// elements are split.
constexpr bool is_turned(const gemm_kind::operand& x, const gemm_copies& how) {
  if (parts_of(how.precision) > 1) return true;
  return how.along_k ? !x.along_k : how.turned && x.along_k;
}

/// The lines of an operand of a kind, packed; whole steps of wgmma along k where they are turned to
/// run along it.
inline packed_lines packed_lines_of(const gemm_kind::operand& x, int outer, const gemm_kind& p,
                                    scalar type, const gemm_copies& how = {}) {
  const std::int64_t matrices = x.repeated ? 1 : p.batch;
  const bool turned = is_turned(x, how);
  packed_lines lines =
      packed_lines_of(how.along_k || (x.along_k && !turned), outer, p.k, matrices, type);
  if (!turned || !how.along_k) return lines;
  const int parts = parts_of(how.precision);
  if (parts > 1) lines.before = 0;
  const std::int64_t step = warp_group_k(type) / parts;
  lines.pitch = (lines.before + p.k + step - 1) / step * step * parts;
  return lines;
}

/// The same kind with every operand packed whose lines do not begin at whole accesses, or do not
/// lie as they are wanted. The elements of k are then those that lie in a line.
inline gemm_kind packed_kind(gemm_kind p, scalar type, const gemm_copies& how = {}) {
  const int run = packed_run(type);
  const auto pack = [&](gemm_kind::operand& x, int outer) {
    const bool turned = is_turned(x, how);
    if (x.alignment >= run && !turned) return;
    x.leading = static_cast<int>(packed_lines_of(x, outer, p, type, how).pitch);
    x.packed = true;
    x.offsets = false;
    x.alignment = run;
    x.along_k = how.along_k || (x.along_k && !turned);
  };
  pack(p.a, p.m);
  pack(p.b, p.n);
  if (parts_of(how.precision) > 1) p.k = p.a.leading;
  return p;
}

/// Whether 32 bits count the elements of a line as a precision wants it.
constexpr bool can_be_packed(const gemm_kind& p, gemm_precision precision) {
  return p.k <= detail::gemm_extent_limit / parts_of(precision) - 64;
}

/// A problem in the terms of the tuned rows.
inline gemm_size size_of(const gemm_kind& p, scalar type) {
  return {p.m,
          p.n,
          p.k,
          p.batch,
          p.a.along_k,
          p.b.along_k,
          p.a.alignment,
          p.b.alignment,
          p.c.alignment,
          facts_of(type).bytes,
          p.c.leading == p.n,
          p.windows.empty() ? 1 : p.windows.taps()};
}

/// Everything that the source of a problem depends on, under a policy with `splits` groups along k,
/// but for what depends on the device.
inline gemm_variant variant_of(const gemm_kind& p, const gemm_policy& policy, scalar type,
                               int splits) {
  const auto batch = [](const gemm_kind::operand& x) {
    return x.offsets ? gemm_batch::offsets : gemm_batch::strided;
  };
  const auto operand = [&](const gemm_kind::operand& x) {
    return gemm_operand{.along_k = x.along_k,
                        .conjugate = x.conjugate,
                        .alignment = std::min(policy.vector, x.alignment),
                        .batch = batch(x),
                        .packed = x.packed};
  };
  const auto reach = [&](const gemm_kind::operand& x, int outer) {
    return static_cast<std::int64_t>(x.along_k ? outer : policy.tile_k) * x.leading;
  };
  constexpr std::int64_t widest = std::numeric_limits<std::int32_t>::max();
  gemm_variant v{.type = type,
                 .a = operand(p.a),
                 .b = operand(p.b),
                 .c_alignment = std::min(widest_store(policy, p.out.value_or(type)), p.c.alignment),
                 .c_batch = batch(p.c),
                 .batched = p.batch > 1,
                 .split = splits > 1,
                 .swapped = p.swapped,
                 .out = p.out,
                 .wide = reach(p.a, policy.tile_m) > widest || reach(p.b, policy.tile_n) > widest,
                 .clamped = p.m < policy.tile_m || p.n < policy.tile_n ||
                            policy.blocks_m * policy.blocks_n > 1,
                 .windows = p.windows};
  v.flat = stages_sums(policy, v) && !finishes_apart(policy, v) &&
           lies_flat(policy, p.n, p.c.leading, facts_of(v.output()).bytes);
  return v;
}

}  // namespace clprim
