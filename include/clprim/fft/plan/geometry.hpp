#pragma once
// The sizes of passes by their policies: of a group's work (shape items), of a work-item's (shape
// lanes), of the convolutions by which lengths with large prime factors are transformed.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/smooth.hpp>
#include <clprim/fft/pass/items.hpp>
#include <clprim/fft/plan/pass.hpp>
#include <clprim/fft/plan/stages.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim {

/// The sizes of a pass by lanes.
struct lane_geometry {
  std::vector<int> radices;
  std::int64_t points = 1;
  bool gaps = false;       ///< a free slot after every 64: powers of two would share cache sets
  std::int64_t slots = 1;  ///< with the gaps, and one behind them
  int blocks = 1;          ///< of lanes that a group works on one after the other
  std::int64_t local_bytes = 0;

  std::int64_t slot(std::int64_t i) const { return gaps ? i + (i >> 6) : i; }
  /// Where point k stands after the stages.
  std::int64_t reversed(std::int64_t k) const {
    std::int64_t at = 0, m = points;
    for (const int r : radices) {
      m /= r;
      at += k % r * m;
      k /= r;
    }
    return at;
  }
};

inline lane_geometry lane_geometry_of(const fft_pass& p, const fft_policy& policy) {
  lane_geometry g;
  g.points = p.points();
  g.radices = lane_stages(g.points, policy.radices);
  g.gaps = policy.padding && g.points >= 128 && (g.points & (g.points - 1)) == 0;
  g.slots = g.slot(g.points) + 2;
  const std::int64_t turns = p.turn == 0 ? 0 : 16 + (p.length + 15) / 16;
  g.local_bytes = 2 * (g.slots + turns) * policy.lanes * (p.is_double ? 8 : 4);
  g.blocks = static_cast<int>(std::max<std::int64_t>(1, 8192 / (g.points * policy.lanes)));
  return g;
}

namespace detail {

/// Registers of 32 bits that a unit of every kind of GPU has.
inline constexpr int unit_registers = 65536;

/// Stages of the axes of a pass, one axis after the other, the slowest first; and where each
/// begins.
inline fft_stages axes_stages(const std::vector<std::int64_t>& axes, const fft_policy& policy,
                              int most_items, std::vector<std::int64_t>& bases) {
  std::vector<int> all;
  std::int64_t before = 1;
  for (const std::int64_t n : axes) {
    const fft_stages own = item_stages(n, policy.points, policy.radices, most_items);
    if (own.radices.empty()) return {};
    all.insert(all.end(), own.radices.begin(), own.radices.end());
    bases.insert(bases.end(), own.radices.size(), before);
    before *= n;
  }
  return item_stages(before, policy.points, all, most_items);
}

/// Rows of N/2 + 1 values that a group writes where there are many: four, or two pairs of rows, for
/// every fourth begins where a sector of 32 bytes does (H200, 1024 real points: 3806 for 3697
/// GB/s), as long as the registers of a unit have room for a few such groups. H200, driver
/// 580.159.04, 2026-11-28, 2^25 real values, us by four, two and one: 2048 points 72.7 80.4, 4096
/// 81.8 72.7 71.5, 8192 by two and one 84.3 74.1, 2000 97.5 88.0 85.2, 5040 103.9 97.3 84.4;
/// double, 1000 90.7 81.5, 4096 100.1 86.8. Two rows in one, 4095 by two pairs 159.4, by one 111.4;
/// 2187 109.6, 101.4; 315 98.4, 130.7.
inline int half_rows_together(const item_geometry& g, const fft_pass& p, bool two_rows) {
  const double registers =
      p.is_double ? 24 + 1.4 * 4 * g.variables() : 16 + 1.35 * 2 * g.variables();
  int beside = two_rows ? 2 : 4;
  while (beside > 1 && (two_rows ? 4 : 3) * beside * g.items * registers > unit_registers)
    beside /= 2;
  return beside;
}

}  // namespace detail

/// The sizes of a pass on a device; what does not fit has `items` 0.
inline item_geometry item_geometry_of(const fft_pass& p, const fft_policy& policy,
                                      const device_facts& device) {
  using namespace detail;
  item_geometry g;
  g.points = p.points();
  const fft_axis& first = p.outer.front();
  const auto is_rows = [](std::int64_t along, std::int64_t across) {
    return across == 0 || along <= across;
  };
  g.in_rows = is_rows(p.along.in.step, first.in.step);
  g.out_rows = is_rows(p.along.out.step, first.out.step);
  const bool rader = p.method == fft_method::rader, only_rows = g.in_rows && g.out_rows;
  const stage_use use = p.method == fft_method::convolution      ? stage_use::bluestein
                        : rader && only_rows                     ? stage_use::rader
                        : !only_rows && policy.columns % 32 == 0 ? stage_use::columns
                                                                 : stage_use::rows;
  const fft_stages stages =
      p.axes.empty()
          ? item_stages(g.points, policy.points, policy.radices, device.max_work_group, use)
          : axes_stages(p.axes, policy, device.max_work_group, g.bases);
  g.radices = stages.radices;
  g.items = stages.items;
  if (g.radices.empty() && g.points > 1) {
    g.items = 0;
    return g;
  }
  g.coprime = rader && are_coprime(g.radices);
  const bool rows_out = p.write.kind == fft_form::half_of_rows,
             pairs = p.write.kind == fft_form::half_of_pairs || rows_out;
  // Rader's points lie in no order: they go through local memory.
  const bool staged = (rader || g.items < policy.staging) && p.length > 1;
  g.staged_in = g.in_rows && staged;
  g.staged_out = pairs || !p.axes.empty() || (g.out_rows && staged);
  g.rows = g.in_rows || g.out_rows || g.staged_in || g.staged_out;
  // Rader's places are chosen for single reals.
  g.pairs = policy.exchange == fft_exchange::pairs && !rader;
  g.planes = policy.exchange != fft_exchange::halves || g.staged_in || g.staged_out;
  const int banks = banks_of(g.pairs);
  if (!p.axes.empty() && policy.padding) g.gap = axes_gap(p.axes, g.items, banks);
  std::int64_t limit = device.local_bytes;
  if (policy.local_bytes > 0) limit = std::min<std::int64_t>(limit, policy.local_bytes);
  int together = std::max(1, policy.group / g.items);
  if (!g.in_rows || !g.out_rows) together = std::max(together, policy.columns);
  if (pairs && g.out_rows) {
    const int beside = half_rows_together(g, p, rows_out);
    if (beside * g.items <= device.max_work_group &&
        p.transforms() >= std::int64_t{2} * beside * units_of(device))
      together = std::max(together, beside);
  }
  if (p.outer.size() > 1) {
    const auto most = static_cast<int>(std::min<std::int64_t>(first.extent, 1 << 20));
    while (together > 1 && together / 2 >= most) together /= 2;
  }
  const bool power = std::has_single_bit(static_cast<std::uint64_t>(g.points)) &&
                     std::has_single_bit(static_cast<unsigned>(g.items));
  for (;; together = (together + 1) / 2) {
    g.together = together;
    g.folded = power && std::has_single_bit(static_cast<std::uint64_t>(g.scale()));
    // Every work-item moves a whole number of points, and sub-groups hold one transform.
    const std::int64_t places = bank_places(p.length);
    g.banks = rader && g.staged_in && g.staged_out && !rows_out && g.items % local_banks == 0 &&
              (together == 1 || places % g.group() == 0);
    std::int64_t words = g.banks  ? places
                         : g.rows ? std::max(g.points, p.length) + 1
                                  : g.points * together;
    if (!p.axes.empty()) words += p.axes.front() * g.gap;
    words = std::max(words, exchange_words(g, g.radices, policy.padding));
    // The stages back run in the other order, with gaps of their own.
    if (p.method != fft_method::direct)
      words = std::max(words,
                       exchange_words(g, {g.radices.rbegin(), g.radices.rend()}, policy.padding));
    if (g.rows) {
      const std::int64_t whole = (words + banks - 1) / banks * banks;
      const bool mixed = !g.in_rows || !g.out_rows;
      g.pitch = mixed                                   ? whole + std::max(1, banks / together)
                : together > 1 && g.items < local_banks ? apart(words, g.items)
                                                        : words;
      g.plane = g.pitch * together;
    } else {
      g.plane = words;
    }
    const bool moves = g.radices.size() > 1 || g.staged_in || g.staged_out;
    g.local_bytes = moves ? g.plane * (g.planes ? 2 : 1) * (p.is_double ? 8 : 4) : 0;
    g.loudness_bytes = p.two_rows() ? 8 * together : 0;
    if (g.group() <= device.max_work_group && g.local_bytes + g.loudness_bytes <= limit) return g;
    if (together == 1) {
      g.items = 0;
      return g;
    }
  }
}

namespace detail {

/// The length of Bluestein's convolution in one pass, of `points` at least. By items: the one whose
/// stages cost least, of the smooth ones to a sixteenth more; by lanes: the shortest, or one that
/// is a multiple of 8 and not much longer. `policy_of` gives the policy of a length.
template <class PolicyOf>
std::int64_t convolution_length(std::int64_t points, int most_items, PolicyOf policy_of) {
  const std::int64_t least = next_smooth(points);
  if (policy_of(least).shape == fft_shape::lanes) {
    std::int64_t best = least;
    while (best % 8 != 0) best = next_smooth(best + 1);
    return 10 * best <= 13 * least ? best : least;
  }
  cheapest<std::int64_t> length{least};
  for (std::int64_t m = least; 16 * m <= 17 * least; m = next_smooth(m + 1)) {
    const fft_policy p = policy_of(m);
    const fft_stages stages = item_stages(m, p.points, p.radices, most_items, stage_use::bluestein);
    if (!stages.radices.empty()) length.offer(m, static_cast<double>(m) * stages.cost);
  }
  return length.value;
}

/// Whether Rader's stages of n - 1 points (n prime) cost no more than Bluestein's of 2 n - 1 or
/// more, if `one_pass` takes those: always under the library's own policies, not always under those
/// of few points or with odd radices. By lanes half the points are always less.
/// Time of Rader's by that of Bluestein's where the costs are closest, 2026-11-22: H200, 18 primes
/// from 71 to 7723: 0.45 to 1.04, at 5 of them more than 1; PoCL, 13 from 17 to 4001: 0.27 to 0.85.
template <class PolicyOf, class OnePass>
bool rader_pays(std::int64_t n, int most_items, PolicyOf policy_of, OnePass one_pass) {
  const fft_policy policy = policy_of(n - 1);
  if (policy.shape == fft_shape::lanes) return true;
  const auto cost = [&](std::int64_t m, const fft_policy& p, stage_use use) {
    return static_cast<double>(m) * item_stages(m, p.points, p.radices, most_items, use).cost;
  };
  const std::int64_t m = convolution_length(2 * n - 1, most_items, policy_of);
  const fft_policy other = policy_of(m);
  return !one_pass(m, other) ||
         cost(n - 1, policy, stage_use::rader) <= cost(m, other, stage_use::bluestein);
}

}  // namespace detail

}  // namespace clprim
