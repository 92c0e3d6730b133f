#pragma once
// Lengths with large prime factors are transformed as convolutions: of how many points, whether in
// Rader's order or by Bluestein's chirp, and by which passes.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

#include <clprim/core/smooth.hpp>
#include <clprim/fft/methods/spectra.hpp>
#include <clprim/fft/plan/line.hpp>

namespace clprim::detail {

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

/// The policy of a pass that convolves n points.
inline fft_policy convolution_policy(const fft_planning& c, std::int64_t n, const fft_line& l) {
  return c.options.policy ? *c.options.policy
                          : tuned_fft_convolution(c.device, n, c.is_double, l.in_columns());
}

/// The chirp times the factors that a line has itself, as those of cosine and sine transforms,
/// which have one for each place that is read or written.
inline std::vector<wide_complex> with_factors(const fft_planning& c,
                                              std::vector<wide_complex> chirp, std::int64_t table,
                                              std::int64_t places) {
  if (table == no_table) return chirp;
  const auto all = static_cast<std::int64_t>(chirp.size());
  const std::vector<wide_complex> own = c.plan.tables.part(table, places > 0 ? places : all);
  chirp.resize(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) chirp[i] *= own[i];
  return chirp;
}

/// Any length by a convolution of at least 2 N - 1 points.
inline void bluestein(fft_planning& c, const fft_line& l) {
  const std::int64_t n = l.length;
  const std::vector<wide_complex> chirp = bluestein_chirp(n);
  fft_line one = l;
  const std::vector<wide_complex> last = with_factors(c, chirp, l.out_factor, l.out_points);
  one.in_factor = c.plan.tables.add(with_factors(c, chirp, l.in_factor, l.in_points));
  one.out_factor = c.plan.tables.add(last);
  const std::int64_t shortest = convolution_length(
      n, c.device.max_work_group, [&](std::int64_t m) { return convolution_policy(c, m, l); });
  const fft_policy policy = convolution_policy(c, shortest, l);
  const std::int64_t given = product_of(radices_of(policy.radices));
  const std::int64_t short_inner = given >= 2 * n - 1 && given <= 4 * n ? given : shortest;
  fft_pass pass = make_pass(c, one, n, fft_method::convolution, short_inner);
  if (short_inner <= 4 * std::int64_t{policy.one_pass} && fits(c, pass, policy))
    return add(c, std::move(pass), policy, l.from, l.to);
  const std::int64_t inner = next_smooth(2 * n - 1);
  std::vector<fft_axis> outer = l.outer;
  merge_outer(outer);
  std::int64_t step = inner;
  one.outer.clear();
  fft_line first = one, second = one;
  for (const fft_axis& a : outer) {
    fft_axis in = a, out = a;
    in.out_step = out.in_step = step;
    in.out_place = in.out_index = out.in_place = out.in_index = 0;
    first.outer.push_back(in);
    second.outer.push_back(out);
    step *= a.extent;
  }
  fft_place middle{fft_buffer::work, take(c, step), {}, {}, c.plain()};
  first.length = second.length = inner;
  first.to = second.from = middle;
  first.last = second.first = false;
  first.output = fft_output::complex_points;
  if (l.input != fft_input::half_spectrum && l.in_points == 0) first.in_points = n;
  first.out_points = 0;
  first.out_factor = c.plan.tables.add(bluestein_spectrum(chirp, inner));
  first.swap_out = false;
  first.scale = 1;
  first.along.out_step = first.along.out_place = 1;
  second.input = fft_input::complex_points;
  second.in_points = 0;
  second.in_factor = no_table;
  std::vector<wide_complex> conjugate = last;
  for (wide_complex& factor : conjugate) factor = std::conj(factor);
  second.out_factor = c.plan.tables.add(conjugate);
  second.out_points = l.out_points > 0 ? l.out_points : n;
  second.swap_in = true;
  second.swap_out = !l.swap_out;
  second.along.in_step = second.along.in_place = 1;
  second.along.in_index = first.along.out_index = 0;
  smooth(c, first);
  smooth(c, second);
}

/// Adds the passes of one axis of any length.
inline void transform(fft_planning& c, const fft_line& l) {
  const std::int64_t n = l.length;
  if (is_smooth(n)) return smooth(c, l);
  const bool direct = l.input == fft_input::complex_points || l.input == fft_input::real_points ||
                      l.input == fft_input::half_spectrum;
  if (direct && is_prime(n) && is_smooth(n - 1)) {
    const auto policy_of = [&](std::int64_t m) { return convolution_policy(c, m, l); };
    const auto one_pass = [&](std::int64_t m, const fft_policy& p) {
      return m <= 4 * std::int64_t{p.one_pass} &&
             fits(c, make_pass(c, l, n, fft_method::convolution, m), p);
    };
    const fft_policy policy = policy_of(n - 1);
    fft_pass pass = make_pass(c, l, n, fft_method::rader, n - 1);
    if (n - 1 <= policy.one_pass && fits(c, pass, policy) &&
        rader_pays(n, c.device.max_work_group, policy_of, one_pass))
      return add(c, std::move(pass), policy, l.from, l.to);
  }
  bluestein(c, l);
}

}  // namespace clprim::detail
