#pragma once
// The sizes of passes by their policies: of a work-item's work (shape lanes), and of a group's
// (shape items), whose points live in the registers of its work-items, and change hands in local
// memory.
//
//     In every stage work-item t of a transform does the butterflies j = t, t + T, …: inputs
//     j + m N/r, outputs (j / Ns) Ns r + j mod Ns + m Ns, Ns being the product of the radices
//     before (Stockham's order: nothing is reordered). Between stages the points go through local
//     memory, whose gaps keep powers of two off a common bank.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include <clprim/core/cheapest.hpp>
#include <clprim/core/device_facts.hpp>
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

/// The sizes of a pass by items.
struct item_geometry {
  std::vector<int> radices;
  std::int64_t points = 1;  ///< of the stages
  int items = 1;            ///< of a transform
  int together = 1;         ///< transforms of a group
  bool in_rows = true;      ///< neighbouring items read neighbouring points
  bool out_rows = true;
  bool staged_in = false;  ///< input goes through local memory, so that runs of it are long
  bool staged_out = false;
  bool rows = true;      ///< a transform's points lie together in local memory
  bool planes = true;    ///< both parts have room at a time
  bool pairs = false;    ///< they lie together
  bool folded = true;    ///< gaps are those of powers of two
  bool banks = false;    ///< rader: points are moved in runs that fill the banks
  bool coprime = false;  ///< rader: the radices have no common factors, and there are no twiddles
  std::vector<std::int64_t> bases{};  ///< of several axes, for each stage: points of those before
  std::int64_t gap = 0;    ///< of several axes, behind what belongs to one of the slowest
  std::int64_t pitch = 0;  ///< from transform to transform, in reals (pairs: in pairs)
  std::int64_t plane = 0;  ///< reals of a plane (pairs: pairs of the only one)
  std::int64_t local_bytes = 0;
  std::int64_t loudness_bytes = 0;  ///< of two rows: how large their values are

  int group() const { return items * together; }
  /// Transforms side by side between neighbouring points in local memory.
  std::int64_t scale() const { return rows ? 1 : together; }
  /// The butterflies of radix r that an item has at most.
  int butterflies(int r) const { return static_cast<int>((points / r + items - 1) / items); }
  /// Variables that the stages need.
  int variables() const {
    int most = 1;
    for (const int r : radices) most = std::max(most, butterflies(r) * r);
    return most;
  }
};

namespace detail {

constexpr int local_banks = 32;
/// Neighbouring items that reach local memory at a time, and the values that lie side by side in
/// its banks: a pair takes two.
constexpr int banks_of(bool pairs) { return pairs ? local_banks / 2 : local_banks; }

/// A gap of `words` after every `every` words; none when words is 0.
struct fft_gap {
  std::int64_t every = 1;
  std::int64_t words = 0;
  std::int64_t padded(std::int64_t i) const { return i + i / every * words; }
};

/// The most of `banks` neighbouring items, from `first` on, that meet in one bank of local memory.
template <class Place> int most_in_a_bank(int first, int items, int banks, Place place) {
  std::array<std::int64_t, local_banks> seen{};
  int most = 0;
  for (int t = first; t < std::min(items, first + banks); ++t) {
    const auto bank = static_cast<std::size_t>(place(t) % banks);
    most = std::max(most, static_cast<int>(++seen[bank]));
  }
  return most;
}

/// The gap of an exchange, in which outputs of radix r behind `before` are read as inputs of radix
/// `next`: by rule for powers of two; else after every block that one butterfly of the earlier
/// stages and its neighbours write, so that addresses stay a base and constants, and as wide as
/// makes the fewest items of a sub-group meet in a bank. Neighbouring items are the transforms side
/// by side, then the items of each; there a gap must halve the accesses (H200: 1536 x 1536 gains
/// 5 %; 1000000 points, where it saves a third, lose 2 %).
inline fft_gap gap_of(const item_geometry& g, std::int64_t before, int r, int next, bool padding) {
  if (!padding) return {};
  const std::int64_t scale = g.scale();
  const int banks = banks_of(g.pairs);
  if (g.folded) {
    const std::int64_t run = before * scale;
    return run < banks ? fft_gap{std::max<std::int64_t>(banks, run * r), run} : fft_gap{};
  }
  const std::int64_t block = before * r * scale;
  const int items = g.items * static_cast<int>(scale);
  // Accesses of all sub-groups, item t of a transform having the points told by `point`.
  const auto accesses = [&](const fft_gap& gap, const auto& point) {
    int all = 0;
    for (int first = 0; first < items; first += banks)
      all += most_in_a_bank(first, items, banks, [&](int i) {
        return gap.padded(point(i / scale) * scale) + i % scale;
      });
    return all;
  };
  const auto cost_of = [&](const fft_gap& gap) {
    const auto written = [&](std::int64_t t) { return t / before * before * r + t % before; };
    const auto read = [](std::int64_t t) { return t; };
    return r * accesses(gap, written) + next * accesses(gap, read) +
           0.01 * static_cast<double>(gap.words);
  };
  cheapest<fft_gap> best{{}, cost_of({block, 0}) * (scale > 1 ? 0.5 : 1)};
  for (std::int64_t words = 1; words < banks; ++words) {
    if (words > 1 && 8 * words > block) break;  // room matters
    best.offer({block, words}, cost_of({block, words}));
  }
  return best.value;
}

/// The words of local memory that the exchanges between stages of these radices take.
inline std::int64_t exchange_words(const item_geometry& g, const std::vector<int>& radices,
                                   bool padding) {
  std::int64_t words = 0, before = 1;
  for (std::size_t s = 0; s + 1 < radices.size(); ++s) {
    const fft_gap gap = gap_of(g, before, radices[s], radices[s + 1], padding);
    words = std::max(words, gap.padded(g.points * g.scale()) + 1);
    before *= radices[s];
  }
  return words;
}

/// Where value `at` of the stages of several axes, the slowest of which runs fastest, stands in the
/// order of memory, with a gap behind what belongs to each of the slowest:
///
///     k1 + n1 k2 + n1 n2 k3  ->  k1 (n2 n3 + gap) + k2 n3 + k3
inline std::int64_t axes_place(const std::vector<std::int64_t>& axes, std::int64_t gap,
                               std::int64_t at) {
  std::int64_t place = 0;
  for (const std::int64_t n : axes) {
    place = place * n + at % n;
    at /= n;
  }
  std::int64_t slowest = place;
  for (std::size_t a = 1; a < axes.size(); ++a) slowest /= axes[a];
  return place + slowest * gap;
}

/// The gap by which fewest items that write neighbouring values meet in a bank.
inline std::int64_t axes_gap(const std::vector<std::int64_t>& axes, int items, int banks) {
  cheapest<std::int64_t> best;
  for (std::int64_t gap = 0; gap < banks && best.cost > 1; ++gap)
    best.offer(gap,
               most_in_a_bank(0, items, banks, [&](int t) { return axes_place(axes, gap, t); }));
  return best.value;
}

/// The places of so many points in whole runs of the banks.
inline std::int64_t bank_places(std::int64_t points) {
  return (points + local_banks - 1) / local_banks * local_banks;
}

/// The least distance of `words` or more between rows of local memory whose `items` neighbours
/// read at a time, so that a sub-group's rows lie in different banks: an odd multiple of the items,
/// where these are a power of two. Room matters: what local memory takes, the L1 cache lacks (H200,
/// 16 points: rows of 33 words for 17 cost 5 %).
inline std::int64_t apart(std::int64_t words, int items) {
  if (!std::has_single_bit(static_cast<unsigned>(items)))
    return (words + local_banks - 1) / local_banks * local_banks + items;
  const std::int64_t step = 2 * std::int64_t{items};
  return (words - items + step - 1) / step * step + items;
}

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
  if (g.items == 0) return g;
  g.coprime = rader && are_coprime(g.radices);
  const bool rows_out = p.write.kind == fft_form::half_of_rows, pairs = p.write.halves();
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
    const bool fits =
        g.group() <= device.max_work_group && g.local_bytes + g.loudness_bytes <= limit;
    if (!fits && together == 1) g.items = 0;
    if (fits || together == 1) return g;
  }
}

}  // namespace clprim
