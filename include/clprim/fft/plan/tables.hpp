#pragma once
// The factors and orders that a plan's kernels read, collected on the host in long double.

#include <complex>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include <clprim/core/root_of_unity.hpp>

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

/// Two arrays that grow as passes ask for parts of them: complex factors, and places.
struct fft_tables {
  std::vector<wide_complex> factors;
  std::vector<std::int32_t> places;

  /// Appends and returns where the part begins; a part that is there already is shared.
  std::int64_t add(const std::vector<wide_complex>& part) {
    return append(factors, factor_parts_, part);
  }
  std::int64_t add(const std::vector<std::int32_t>& part) {
    return append(places, place_parts_, part);
  }

  /// The part of `count` factors that begins at `at`.
  std::vector<wide_complex> part(std::int64_t at, std::int64_t count) const {
    return {factors.begin() + at, factors.begin() + at + count};
  }

  /// The factors as the kernel reads them, real and imaginary parts in turn; never empty.
  template <class Real> std::vector<Real> stored() const {
    std::vector<Real> all;
    all.reserve(2 * factors.size() + 2);
    for (const wide_complex& f : factors) {
      all.push_back(static_cast<Real>(f.real()));
      all.push_back(static_cast<Real>(f.imag()));
    }
    if (all.empty()) all.resize(2);
    return all;
  }

 private:
  using parts = std::vector<std::pair<std::size_t, std::size_t>>;

  template <class T>
  static std::int64_t append(std::vector<T>& all, parts& known, const std::vector<T>& part) {
    for (const auto& [at, size] : known) {
      if (size == part.size() &&
          std::equal(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(at)))
        return static_cast<std::int64_t>(at);
    }
    known.emplace_back(all.size(), part.size());
    all.insert(all.end(), part.begin(), part.end());
    return static_cast<std::int64_t>(known.back().first);
  }

  parts factor_parts_, place_parts_;
};

/// Bits of an exponent that the first of the two tables of `add_roots` resolves.
inline constexpr int root_bits = 10;

/// exp(-2 pi i p / n) for every p as the product of two entries: [p mod 2^10] and
/// [2^10 + p / 2^10].
inline std::int64_t add_roots(fft_tables& t, std::int64_t n) {
  constexpr std::int64_t low = std::int64_t{1} << root_bits;
  std::vector<wide_complex> part;
  for (std::int64_t p = 0; p < low; ++p) part.push_back(wide_root(p, n));
  for (std::int64_t p = 0; p < n; p += low) part.push_back(wide_root(p, n));
  return t.add(part);
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
  std::size_t r = 2;
  while (n % r != 0) ++r;
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
