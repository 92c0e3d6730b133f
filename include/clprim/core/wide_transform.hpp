#pragma once
// Roots of unity and transforms in long double on the host, for tables and references.

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <clprim/core/root_of_unity.hpp>
#include <clprim/core/smooth.hpp>

namespace clprim {

using wide_complex = std::complex<long double>;

/// exp(-2 pi i k / n)
inline wide_complex wide_root(std::int64_t k, std::int64_t n) {
  const auto [re, im] = root_of_unity(k, n);
  return {re, im};
}

/// exp(-2 pi i k / n) for k < n, the same as one by one: by symmetry an eighth or a half of them is
/// computed.
inline std::vector<wide_complex> wide_roots(std::int64_t n) {
  std::vector<wide_complex> roots;
  roots.reserve(static_cast<std::size_t>(n));
  const auto known = [&](std::int64_t k) { return roots[static_cast<std::size_t>(k)]; };
  for (std::int64_t k = 0; k < n; ++k) {
    if (2 * k > n)
      roots.push_back(std::conj(known(n - k)));
    else if (n % 4 == 0 && 4 * k > n)
      roots.push_back(-std::conj(known(n / 2 - k)));
    else if (n % 4 == 0 && 8 * k > n)
      roots.emplace_back(-known(n / 4 - k).imag(), -known(n / 4 - k).real());
    else
      roots.push_back(wide_root(k, n));
  }
  return roots;
}

namespace detail {

/// y[k] = sum over n of x[n step] exp(-2 pi i n k / N), N being what the roots of unity of a whole
/// transform are taken from in strides. `y` must not be `x`.
inline void wide_transform_into(const wide_complex* x, std::size_t step, std::size_t n,
                                const std::vector<wide_complex>& roots, wide_complex* y) {
  if (n == 1) {
    y[0] = x[0];
    return;
  }
  const std::size_t r = smallest_prime(n);
  const std::size_t m = n / r, stride = roots.size() / n;
  for (std::size_t q = 0; q < r; ++q)
    wide_transform_into(x + q * step, step * r, m, roots, y + q * m);
  // Without the tests for infinities of std::complex, which take most of the time.
  const auto product = [](const wide_complex& a, const wide_complex& b) {
    return wide_complex(a.real() * b.real() - a.imag() * b.imag(),
                        a.real() * b.imag() + a.imag() * b.real());
  };
  std::vector<wide_complex> legs(r);
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t q = 0; q < r; ++q)
      legs[q] = q == 0 ? y[k] : product(y[q * m + k], roots[q * k * stride]);
    if (r == 2) {
      y[k] = legs[0] + legs[1];
      y[m + k] = legs[0] - legs[1];
      continue;
    }
    for (std::size_t j = 0; j < r; ++j) {
      wide_complex sum = legs[0];
      for (std::size_t q = 1; q < r; ++q) sum += product(legs[q], roots[q * j % r * m * stride]);
      y[j * m + k] = sum;
    }
  }
}

}  // namespace detail

/// A transform in long double on the host, for the spectra of Bluestein and Rader: any length whose
/// prime factors are small.
inline std::vector<wide_complex> wide_transform(const std::vector<wide_complex>& x) {
  std::vector<wide_complex> y(x.size());
  if (x.empty()) return y;
  const auto roots = wide_roots(static_cast<std::int64_t>(x.size()));
  detail::wide_transform_into(x.data(), 1, x.size(), roots, y.data());
  return y;
}

}  // namespace clprim
