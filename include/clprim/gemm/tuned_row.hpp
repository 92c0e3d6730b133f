#pragma once
// What a row of GEMM's tables says: a policy with what it was measured to do.

#include <clprim/gemm/policy.hpp>

namespace clprim {

/// Multiply-adds per nanosecond of one unit full of groups, by the direction of A and B in memory:
/// along m (or n) or along k.
struct gemm_speeds {
  double mn = 100;
  double kn = 100;
  double mk = 100;
  double kk = 100;

  constexpr double of(bool a_along_k, bool b_along_k) const {
    return a_along_k ? (b_along_k ? kk : kn) : (b_along_k ? mk : mn);
  }
};

/// A policy with what it was measured to do.
struct gemm_row {
  gemm_policy policy{};
  int resident = 1;         ///< groups that one unit runs at a time
  gemm_speeds aligned{};    ///< operands read by vectors
  gemm_speeds unaligned{};  ///< operands read element by element
  double start_ns =
      4000;  ///< once: launch, fetching the program, which long unrolled steps make large
  double sums_ns = 6000;    ///< a second launch
  double output_ns = 5e-4;  ///< per output and part of a split product
  double clamped = 1;       ///< times as long where the matrix is smaller than a tile
};

}  // namespace clprim
