#pragma once
// Lengths with large prime factors are transformed as convolutions: of how many points, whether in
// Rader's order or by Bluestein's chirp, and with which tables.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include <clprim/core/smooth.hpp>
#include <clprim/fft/plan/stages.hpp>
#include <clprim/fft/plan/tables.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim {
namespace detail {

/// The length of Bluestein's convolution of n points in one pass. By items: the one whose stages
/// cost least, of the smooth ones from 2 n - 1 to a sixteenth more; by lanes: the shortest, or one
/// that is a multiple of 8 and not much longer. `policy_of` gives the policy of a length.
template <class PolicyOf>
std::int64_t convolution_length(std::int64_t n, int most_items, PolicyOf policy_of) {
  const std::int64_t least = next_smooth(2 * n - 1);
  std::int64_t best = least;
  if (policy_of(n).shape == fft_shape::lanes) {
    while (best % 8 != 0) best = next_smooth(best + 1);
    return 10 * best <= 13 * least ? best : least;
  }
  double cost = 1e300;
  for (std::int64_t m = least; 16 * m <= 17 * least; m = next_smooth(m + 1)) {
    const fft_policy p = policy_of(m);
    const fft_stages stages = item_stages(m, p.points, p.radices, most_items, stage_use::bluestein);
    if (stages.radices.empty() || static_cast<double>(m) * stages.cost >= cost) continue;
    cost = static_cast<double>(m) * stages.cost;
    best = m;
  }
  return best;
}

/// No stages of n points or more cost a convolution less than this per point.
inline double least_convolution_cost(std::int64_t n, int points) {
  const int largest = points > 16 ? 32 : std::max(16, points);
  const auto work = [](int r) { return static_cast<double>(operations_of(r)) / r + 4; };
  double per_bit = 1e30, least = 1e30;
  for (const int r : fft_radices)
    if (r <= largest) per_bit = std::min(per_bit, (work(r) + 8) / std::log2(r));
  const double bits = std::log2(static_cast<double>(n));
  for (const int r : fft_radices)
    if (r <= largest)
      least = std::min(least, 0.7 * work(r) + per_bit * std::max(0.0, bits - std::log2(r)));
  return least / 14;
}

/// Whether Rader's stages of n - 1 points (n prime) cost no more than Bluestein's of 2 n - 1 or
/// more, if `one_pass` takes those. They are looked for only where the least conceivable ones would
/// pay, which costs nothing under the library's own policies: there they never do; under policies
/// of few points or with odd radices here and there. By lanes half the points are always less.
/// Time of Rader's by that of Bluestein's where the costs are closest, 2026-11-22: H200, 18 primes
/// from 71 to 7723: 0.45 to 1.04, at 5 of them more than 1; PoCL, 13 from 17 to 4001: 0.27 to 0.85.
template <class PolicyOf, class OnePass>
bool rader_pays(std::int64_t n, int most_items, PolicyOf policy_of, OnePass one_pass) {
  const fft_policy policy = policy_of(n - 1);
  if (policy.shape == fft_shape::lanes) return true;
  const auto cost = [&](std::int64_t m, const fft_policy& p, stage_use use) {
    return static_cast<double>(m) * item_stages(m, p.points, p.radices, most_items, use).cost;
  };
  const std::int64_t least = 2 * n - 1;
  const double rader = cost(n - 1, policy, stage_use::rader);
  if (rader <= static_cast<double>(least) * least_convolution_cost(least, policy_of(least).points))
    return true;
  const std::int64_t m = convolution_length(n, most_items, policy_of);
  const fft_policy other = policy_of(m);
  return !one_pass(m, other) || rader <= cost(m, other, stage_use::bluestein);
}

}  // namespace detail

/// c[n] = exp(-pi i n^2 / N), n < N (Bluestein, IEEE Trans. Audio Electroacoust. 18, 1970).
inline std::vector<wide_complex> bluestein_chirp(std::int64_t length) {
  std::vector<wide_complex> chirp;
  std::int64_t square = 0;  // n^2 mod 2 N
  for (std::int64_t n = 0; n < length; ++n) {
    if (2 * n > length) {  // (N - n)^2 = N^2 + n^2 modulo 2 N
      const wide_complex mirrored = chirp[static_cast<std::size_t>(length - n)];
      chirp.push_back(length % 2 == 0 ? mirrored : -mirrored);
      continue;
    }
    chirp.push_back(wide_root(square, 2 * length));
    square = (square + 2 * n + 1) % (2 * length);
  }
  return chirp;
}

/// The transform of the conjugate of a chirp, laid out for a cyclic convolution of `inner` points,
/// and divided by it.
inline std::vector<wide_complex> bluestein_spectrum(const std::vector<wide_complex>& chirp,
                                                    std::int64_t inner) {
  std::vector<wide_complex> b(static_cast<std::size_t>(inner));
  for (std::size_t n = 0; n < chirp.size(); ++n) {
    const wide_complex value = std::conj(chirp[n]) / static_cast<long double>(inner);
    b[n] = value;
    if (n > 0) b[static_cast<std::size_t>(inner) - n] = value;
  }
  return wide_transform(b);
}

/// Rader's order of the points of a prime length p (Proc. IEEE 56, 1968): g^q mod p for q < p - 1,
/// and where each number stands in it; entry 0 of `position` is p - 1.
struct rader_order {
  std::vector<std::int32_t> power;
  std::vector<std::int32_t> position;

  explicit rader_order(std::int64_t p) : position(static_cast<std::size_t>(p)) {
    const std::int64_t g = generator_modulo(p);
    std::int64_t value = 1;
    for (std::int64_t q = 0; q + 1 < p; ++q) {
      power.push_back(static_cast<std::int32_t>(value));
      position[static_cast<std::size_t>(value)] = static_cast<std::int32_t>(q);
      value = value * g % p;
    }
    position[0] = static_cast<std::int32_t>(p - 1);
  }
};

/// The transform of exp(-2 pi i g^-q / p), q < p - 1, divided by p - 1.
inline std::vector<wide_complex> rader_spectrum(std::int64_t p) {
  const rader_order order(p);
  const std::size_t m = order.power.size();
  std::vector<wide_complex> b(m);
  for (std::size_t q = 0; q < m; ++q) {  // g^(m/2) is -1
    b[q] = m % 2 == 0 && 2 * q >= m
               ? std::conj(b[q - m / 2])
               : wide_root(order.power[(m - q) % m], p) / static_cast<long double>(m);
  }
  return wide_transform(b);
}

/// The orders in which stages whose radices have no common factors need neither factors nor other
/// text: the points of a transform of r1 r2 r3 … as an array of that many axes, point n at
/// sum n_i (N / r_i) mod N (Good 1958), values at k mod r_i.
struct coprime_order {
  std::vector<std::int64_t> time;       ///< which point stands at a place before the stages
  std::vector<std::int64_t> frequency;  ///< which value stands at a place after them

  explicit coprime_order(const std::vector<int>& radices) {
    std::int64_t n = 1;
    for (const int r : radices) n *= r;
    time.resize(static_cast<std::size_t>(n));
    frequency.resize(static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k < n; ++k) {
      std::int64_t at = 0, step = 1;  // the first axis is the fastest of the values
      for (const int r : radices) {
        at += k % r * step;
        step *= r;
      }
      frequency[static_cast<std::size_t>(at)] = k;
    }
    for (std::int64_t at = 0; at < n; ++at) {  // and the slowest of the points
      std::int64_t rest = at, point = 0;
      for (auto r = radices.rbegin(); r != radices.rend(); ++r) {
        point += rest % *r * (n / *r);
        rest /= *r;
      }
      time[static_cast<std::size_t>(at)] = point % n;
    }
  }
};

/// The entries of `part` in another order.
template <class T>
std::vector<T> reordered(const std::vector<T>& part, const std::vector<std::int64_t>& order) {
  std::vector<T> all;
  for (const std::int64_t i : order) all.push_back(part[static_cast<std::size_t>(i)]);
  return all;
}

}  // namespace clprim
