#pragma once
// Products checked against sums on the host, with a bound that follows from the rounding of every
// step.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

#include <clprim/core/scalar.hpp>

namespace examples {

/// The element that comes nearest to its bound, or passes it. A check of nothing has not passed.
struct accuracy {
  double error = 0;
  double bound = 0;
  double used = -1;  ///< error over bound
  bool ok() const { return used >= 0 && used <= 1; }

  void add(double error_here, double bound_here) {
    double share = std::numeric_limits<double>::infinity();  // NaN stays here
    if (error_here <= bound_here)
      share = bound_here > 0 ? error_here / bound_here : 0;
    else if (std::isfinite(error_here) && bound_here > 0)
      share = error_here / bound_here;
    if (share > used) *this = {error_here, bound_here, share};
  }
};

/// N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 3.1: `steps` roundings in a row
/// by at most `unit` err by no more than this, relative to the sum of the absolute terms.
constexpr double gamma(double steps, double unit) { return steps * unit / (1 - steps * unit); }

namespace detail {

template <class T> struct real_part { using type = T; };
template <class T> struct real_part<std::complex<T>> { using type = T; };
template <> struct real_part<clprim::half> { using type = float; };

/// What a sum is compared in: long double where the device itself computes in double.
template <class T>
using wide_t =
    std::conditional_t<std::is_same_v<typename real_part<T>::type, double>, long double, double>;

template <class T> auto widened(const T& x) {
  using W = wide_t<T>;
  if constexpr (clprim::facts_of(clprim::scalar_of<T>).is_complex)
    return std::complex<W>(x.real(), x.imag());
  else if constexpr (std::is_same_v<T, clprim::half>)
    return static_cast<W>(static_cast<float>(x));
  else
    return static_cast<W>(x);
}

template <class X> auto largest_part(const X& x) {
  if constexpr (std::is_floating_point_v<X>)
    return std::abs(x);
  else
    return std::max(std::abs(x.real()), std::abs(x.imag()));
}

}  // namespace detail

/// Rows of C that are worth looking at: both ends and some between.
inline std::vector<int> sampled_rows(int m, int most = 8) {
  const int count = std::min(m, most);
  std::vector<int> rows(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = static_cast<int>(static_cast<long>(i) * (m - 1) / std::max(1, count - 1));
  }
  return rows;
}

/// Checks these rows of C = A B (row-major, m x k by k x n): |C - A B| <= gamma_(k+2) |A| |B|, for
/// complex with twice the terms, for half with the rounding of the result besides.
template <clprim::scalar_type T>
accuracy check_product(const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& c,
                       int k, int n, const std::vector<int>& rows) {
  constexpr clprim::scalar_facts type = clprim::facts_of(clprim::scalar_of<T>);
  constexpr bool is_half = std::is_same_v<T, clprim::half>;
  constexpr double unit =
      (is_half ? clprim::facts_of(clprim::scalar::float_).epsilon : type.epsilon) / 2;
  using wide = decltype(detail::widened(T{}));
  const auto columns = static_cast<std::size_t>(n), depth = static_cast<std::size_t>(k);
  const double growth = gamma((type.is_complex ? 2.0 : 1.0) * k + 2, unit);
  accuracy worst;
  for (const int row : rows) {
    const std::size_t at = static_cast<std::size_t>(row);
    std::vector<wide> exact(columns);
    std::vector<double> size(columns);
    for (std::size_t p = 0; p < depth; ++p) {
      const wide x = detail::widened(a[at * depth + p]);
      for (std::size_t j = 0; j < columns; ++j) {
        const wide term = x * detail::widened(b[p * columns + j]);
        exact[j] += term;
        size[j] += static_cast<double>(std::abs(term));
      }
    }
    for (std::size_t j = 0; j < columns; ++j) {
      double bound = growth * size[j];
      if (is_half) bound += type.epsilon / 2 * (static_cast<double>(std::abs(exact[j])) + bound);
      const wide difference = detail::widened(c[at * columns + j]) - exact[j];
      worst.add(static_cast<double>(detail::largest_part(difference)), bound);
    }
  }
  return worst;
}

}  // namespace examples
