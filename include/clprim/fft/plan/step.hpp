#pragma once
// What a problem runs: the steps of a plan, each a pass or two in one launch, with their policies
// and buffers; and the factors and orders that kernels read, collected on the host in long double.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <clprim/core/wide_transform.hpp>
#include <clprim/fft/plan/pass.hpp>
#include <clprim/fft/policy.hpp>

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

  /// The factors as the kernel reads them, real and imaginary parts in turn.
  template <class Real> std::vector<Real> stored() const {
    std::vector<Real> all;
    all.reserve(2 * factors.size());
    for (const wide_complex& f : factors) {
      all.push_back(static_cast<Real>(f.real()));
      all.push_back(static_cast<Real>(f.imag()));
    }
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

/// A second pass that runs in the launch of a first, some transforms behind it. A transform here is
/// what the second pass reads of what one transform's first pass has written.
struct fft_second {
  fft_pass pass;
  fft_policy policy;
  fft_memory to{};
  std::int64_t first_groups = 0;   ///< per transform
  std::int64_t second_groups = 0;  ///< per transform
  std::int64_t first_extent = 1;   ///< of the first pass's last axis, per transform
  std::int64_t step = 0;           ///< from transform to transform between the passes, in elements
  std::int64_t lag = 1;            ///< transforms that the second pass is behind
  std::int64_t ring = 0;           ///< transforms that have room between the passes; 0: all
  std::int64_t unit = 1;           ///< transforms that are told of together

  /// Whether most transforms find both passes at work, and what lies between them would not stay in
  /// the cache by itself. H200, 2026-11-28, us in one launch and in two: 300 of 65536 points (157
  /// MB, 12 lags) 146 163; 100 of 50400 real ones (20 MB, two lags) 50 44.
  bool pays() const { return pass.outer.back().extent >= 4 * lag; }
  /// Counters of a launch.
  std::size_t signals() const {
    const std::int64_t transforms = pass.outer.back().extent;
    return static_cast<std::size_t>(8 + 8 * ((transforms + unit - 1) / unit));
  }
};

/// A pass of a plan with its buffers.
struct fft_step {
  fft_pass pass;
  fft_policy policy;
  fft_memory from{}, to{};
  std::optional<fft_second> second{};
};

/// What a problem runs.
struct fft_plan {
  std::vector<fft_step> steps;
  fft_tables tables;
  std::int64_t work_elements = 0;      ///< complex numbers of the arithmetic's precision
  std::vector<std::int64_t> digits{};  ///< n1 and n2 of a spectrum in their order; none: natural
};

}  // namespace clprim
