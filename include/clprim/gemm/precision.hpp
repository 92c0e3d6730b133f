#pragma once
// How exactly products of float are computed, where matrix units may take part.

#include <string>
#include <string_view>

#include <clprim/core/error.hpp>

namespace clprim {

/// What becomes of the operands of a product. Anything but `full` is the caller's wish, for float;
/// a device that cannot do it computes in full.
enum class gemm_precision {
  full,  ///< multiplied as they are
  /// Each float, scaled by a power of two of its row of A or column of B, as the sum of two halves:
  /// the split of twice the speed, within the same bound. Lines whose elements differ by more than
  /// two halves hold (docs/matrix_units.md says how far) are noticed while the operands are copied,
  /// and the product is then that of `split_tf32`.
  split_half,
  /// Each float as the sum of two TF32 numbers, of which three of four products are made by matrix
  /// units and added up in float every 16 steps of k: |C - exact| stays within the bound of a plain
  /// product of float (docs/matrix_units.md). Elements that two TF32 numbers do not hold (infinite,
  /// NaN, at least 2^127, or nonzero and below 2^-100) are noticed while the operands are copied,
  /// and the product is then computed in full. Source: Ootomo and Yokota, "Recovering single
  /// precision accuracy from Tensor Cores" (2022), by TF32.
  split_tf32,
  /// Cut to TF32: 10 bits behind the leading one; sums in float, which matrix units cut off.
  tf32,
};

/// Its name.
constexpr std::string_view to_string(gemm_precision precision) {
  constexpr std::string_view names[]{"full", "split_half", "split_tf32", "tf32"};
  return names[static_cast<int>(precision)];
}

/// The precision of that name. Throws argument_error for any other.
inline gemm_precision parse_precision(std::string_view name) {
  using enum gemm_precision;
  for (const gemm_precision one : {full, split_half, split_tf32, tf32}) {
    if (to_string(one) == name) return one;
  }
  throw argument_error("the precision of a product", "must have a name", std::string(name),
                       "full, split_half, split_tf32 or tf32");
}

/// Numbers that stand for one element of a copied operand.
constexpr int parts_of(gemm_precision precision) {
  using enum gemm_precision;
  return precision == split_half || precision == split_tf32 ? 2 : 1;
}

/// What a scaled float leaves to its lesser half is multiplied by, so that both reach as far down.
inline constexpr int gemm_lesser_scale = 4096;

/// Whether a copied operand's lines are scaled by powers of two.
constexpr bool scales_lines(gemm_precision precision) {
  return precision == gemm_precision::split_half;
}

}  // namespace clprim
