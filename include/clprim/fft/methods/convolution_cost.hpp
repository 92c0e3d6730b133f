#pragma once
// Lengths with large prime factors are transformed as convolutions: of how many points, and whether
// in Rader's order or by Bluestein's chirp.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <clprim/core/smooth.hpp>
#include <clprim/fft/plan/stages.hpp>

namespace clprim {

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
    const fft_stages stages = item_stages(m, policy_of(m), most_items, stage_use::bluestein);
    if (stages.radices.empty() || static_cast<double>(m) * stages.cost >= cost) continue;
    cost = static_cast<double>(m) * stages.cost;
    best = m;
  }
  return best;
}

namespace detail {

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

}  // namespace detail

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
    return static_cast<double>(m) * item_stages(m, p, most_items, use).cost;
  };
  const std::int64_t least = 2 * n - 1;
  const double rader = cost(n - 1, policy, stage_use::rader);
  if (rader <=
      static_cast<double>(least) * detail::least_convolution_cost(least, policy_of(least).points))
    return true;
  const std::int64_t m = convolution_length(n, most_items, policy_of);
  const fft_policy other = policy_of(m);
  return !one_pass(m, other) || rader <= cost(m, other, stage_use::bluestein);
}

}  // namespace clprim
