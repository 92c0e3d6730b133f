#pragma once
// The factors and orders that a plan's kernels read, collected on the host in long double.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <clprim/core/wide_transform.hpp>

namespace clprim {

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

}  // namespace clprim
