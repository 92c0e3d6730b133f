#pragma once
// The factors and orders that a plan's kernels read, collected on the host in long double.

#include <complex>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include <clprim/fft/codelet.hpp>

namespace clprim {

using wide_complex = std::complex<long double>;

/// exp(-2 pi i k / n)
inline wide_complex wide_root(std::int64_t k, std::int64_t n) {
  const auto [re, im] = fft_text::root_of_unity(k, n);
  return {re, im};
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

/// A transform in long double on the host, for the spectra of Bluestein and Rader: any length whose
/// prime factors are small.
inline std::vector<wide_complex> wide_transform(const std::vector<wide_complex>& x) {
  const std::size_t n = x.size();
  if (n <= 1) return x;
  std::size_t r = 2;
  while (n % r != 0) ++r;
  const std::size_t m = n / r;
  std::vector<std::vector<wide_complex>> parts(r, std::vector<wide_complex>(m));
  for (std::size_t i = 0; i < n; ++i) parts[i % r][i / r] = x[i];
  for (auto& part : parts) part = wide_transform(part);
  std::vector<wide_complex> roots(n), y(n);
  for (std::size_t k = 0; k < n; ++k)
    roots[k] = wide_root(static_cast<std::int64_t>(k), static_cast<std::int64_t>(n));
  for (std::size_t k = 0; k < n; ++k) {
    wide_complex sum = parts[0][k % m];
    for (std::size_t q = 1; q < r; ++q) sum += parts[q][k % m] * roots[q * k % n];
    y[k] = sum;
  }
  return y;
}

}  // namespace clprim
