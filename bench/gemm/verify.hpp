#pragma once
// Is a product right? Judged before it is timed, against sums in double on the host.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include <clprim/core/scalar.hpp>

#include "../harness/random.hpp"
#include "../harness/text.hpp"
#include "problems.hpp"

namespace bench {

/// The largest error of the sampled elements in units of epsilon (|A||B|), and what is wrong if
/// anything.
struct verdict {
  double error = 0;
  std::string wrong{};
  bool ok() const { return wrong.empty(); }
};

namespace detail {

template <class T> std::complex<double> wide(const T& x) {
  if constexpr (clprim::is_narrow(clprim::scalar_of<T>))
    return static_cast<double>(static_cast<float>(x));
  else if constexpr (std::same_as<T, float> || std::integral<T>)
    return static_cast<double>(x);
  else
    return x;
}

/// Corners first, then anywhere; the first and the last matrix of a batch among them.
struct place {
  std::size_t row, column, matrix;
};
inline std::vector<place> sampled_places(const gemm_problem_row& p, int count) {
  const auto rows = static_cast<std::uint64_t>(p.m), columns = static_cast<std::uint64_t>(p.n),
             matrices = static_cast<std::uint64_t>(p.batch);
  std::vector<place> places;
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::uint64_t>(3 * i);
    place s{random_bits(77, at) % rows, random_bits(77, at + 1) % columns,
            random_bits(77, at + 2) % matrices};
    if (i < 24) {
      if (i % 2 == 0) s.row = i % 4 < 2 ? 0 : rows - 1;
      if (i % 3 == 0) s.column = i % 6 < 3 ? 0 : columns - 1;
      s.matrix = i < 8 ? 0 : i < 16 ? matrices - 1 : s.matrix;
    }
    places.push_back(s);
  }
  return places;
}

}  // namespace detail

/// The bound: |C - C_ref| <= min(k, 16) epsilon (|A||B|), twice that for complex values, and half
/// an epsilon of C more for half and bfloat16, whose sums are held to float's epsilon. A product in
/// TF32 is held to what cutting both operands to 10 bits does, 2 2^-10 (|A||B|), and a quarter of
/// that more; one of float8 to 2 2^-13 (|A||B|), for matrix units keep so much of 32 products; one
/// of int8 is exact.
///
/// k epsilon (|A||B|) is what holds for any data (N. Higham, "Accuracy and Stability of Numerical
/// Algorithms", 3.5). On random signs the errors of one long fp32 sum stay near one epsilon
/// (|A||B|) at any k, while TF32 or fp16 inputs lie at 10 to 100: 16 tells a peer that computes in
/// less than it is asked to.
template <clprim::product_type T>
verdict verify(const gemm_problem_row& p, const std::vector<T>& a, const std::vector<T>& b,
               const std::vector<clprim::product_output_t<T>>& c) {
  using detail::wide;
  const clprim::scalar_facts facts = clprim::facts_of(p.type);
  const bool is_short = clprim::is_short(p.type);
  const bool is_tf32 = p.precision == clprim::gemm_precision::tf32;
  const bool is_int = facts.compute == "int", is_float8 = clprim::is_float8(p.type);
  const double epsilon = is_tf32     ? 0x1p-10
                         : is_float8 ? 0x1p-13
                         : is_short  ? 0x1p-23
                         : is_int    ? 0x1p-31
                                     : facts.epsilon;
  const double most = is_tf32     ? 2.5
                      : is_float8 ? 2
                      : is_int    ? 0
                                  : std::min(p.k, 16) * (facts.is_complex ? 2.0 : 1.0);
  const auto k = static_cast<std::size_t>(p.k);
  const blas_matrix of_a = p.a(), of_b = p.b(), of_c = p.c();
  const auto seen = [](const auto& x, const blas_matrix& of) {
    return of.op == clprim::transposition::conjugate ? std::conj(wide(x)) : wide(x);
  };
  verdict result;
  for (const detail::place& s : detail::sampled_places(p, 96)) {
    std::complex<double> sum = 0;
    double magnitude = 0;
    for (std::size_t i = 0; i < k; ++i) {
      const std::complex<double> x = seen(a[s.matrix * of_a.stride() + of_a.at(s.row, i)], of_a);
      const std::complex<double> y = seen(b[s.matrix * of_b.stride() + of_b.at(i, s.column)], of_b);
      sum += x * y;
      magnitude += std::abs(x) * std::abs(y);
    }
    const std::complex<double> got = wide(c[s.matrix * of_c.stride() + of_c.at(s.row, s.column)]);
    const double rounding = is_short ? facts.epsilon * std::abs(sum) : 0;
    const double error = std::max(0.0, std::abs(got - sum) - rounding) / (epsilon * magnitude);
    if (!(error <= most) && result.ok()) {
      result.wrong = "C(" + std::to_string(s.row) + ", " + std::to_string(s.column) +
                     ") of matrix " + std::to_string(s.matrix) + " is " +
                     std::to_string(got.real()) + ", should be " + std::to_string(sum.real()) +
                     ": off by " + short_number(error) + " epsilon (|A||B|), at most " +
                     short_number(most) + " allowed";
    }
    result.error = std::isnan(error) ? error : std::max(result.error, error);
  }
  // C was all NaN before, of integers -1: what is left of it was never written, and what is not
  // left of its gaps was. A few sums are -1.
  std::size_t unwritten = 0, outside = 0;
  const auto leading = static_cast<std::size_t>(of_c.leading());
  for (std::size_t i = 0; i < p.c_elements(); ++i) {
    bool nan = false;
    if constexpr (std::integral<clprim::product_output_t<T>>)
      nan = c[i] == -1;
    else if constexpr (clprim::is_short(clprim::scalar_of<T>))
      nan = std::isnan(static_cast<float>(c[i]));
    else
      nan = !(c[i] == c[i]);
    if (i % leading < static_cast<std::size_t>(p.m))
      unwritten += nan ? 1u : 0u;
    else
      outside += nan ? 0u : 1u;
  }
  if (unwritten > (is_int ? p.c_elements() / 1000 : 0)) {
    result.wrong = std::to_string(unwritten) + " of " + std::to_string(p.c_elements()) +
                   " elements of C are NaN or were never written";
  } else if (outside > 0) {
    result.wrong = std::to_string(outside) + " elements between the columns of C were written";
  }
  return result;
}

}  // namespace bench
