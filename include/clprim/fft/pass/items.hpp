#pragma once
// Shape items: the sizes of a pass whose points live in the registers of a group's work-items.
//
//     In every stage work-item t of a transform does the butterflies j = t, t + T, …: inputs
//     j + m N/r, outputs (j / Ns) Ns r + j mod Ns + m Ns, Ns being the product of the radices
//     before (Stockham's order: nothing is reordered). Between stages the points change hands in
//     local memory, whose gaps keep powers of two off a common bank.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include <clprim/fft/plan/pass.hpp>
#include <clprim/fft/plan/stages.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim {

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

/// An exchange: outputs of radix r behind `before`, read as inputs of radix `next`.
struct fft_exchange_shape {
  std::int64_t points = 1;
  int items = 1;
  std::int64_t before = 1;
  int r = 1;
  int next = 1;
  std::int64_t scale = 1;  ///< transforms side by side between neighbouring points
  bool powers = true;      ///< of two, all of it
  int banks = local_banks;
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

/// The gap of an exchange: by rule for powers of two; else after every block that one butterfly of
/// the earlier stages and its neighbours write, so that addresses stay a base and constants, and as
/// wide as makes the fewest items of a sub-group meet in a bank. Neighbouring items are the
/// transforms side by side, then the items of each; there a gap must halve the accesses (H200:
/// 1536 x 1536 gains 5 %; 1000000 points, where it saves a third, lose 2 %).
inline fft_gap gap_of(const fft_exchange_shape& e, bool padding) {
  if (!padding) return {};
  if (e.powers) {
    const std::int64_t run = e.before * e.scale;
    return run < e.banks ? fft_gap{std::max<std::int64_t>(e.banks, run * e.r), run} : fft_gap{};
  }
  const std::int64_t block = e.before * e.r * e.scale;
  const int items = e.items * static_cast<int>(e.scale);
  // Accesses of all sub-groups, item t of a transform having the points told by `point`.
  const auto accesses = [&](const fft_gap& gap, const auto& point) {
    int all = 0;
    for (int first = 0; first < items; first += e.banks)
      all += most_in_a_bank(first, items, e.banks, [&](int i) {
        return gap.padded(point(i / e.scale) * e.scale) + i % e.scale;
      });
    return all;
  };
  const auto cost_of = [&](const fft_gap& gap) {
    const auto written = [&](std::int64_t t) {
      return t / e.before * e.before * e.r + t % e.before;
    };
    const auto read = [](std::int64_t t) { return t; };
    return e.r * accesses(gap, written) + e.next * accesses(gap, read) +
           0.01 * static_cast<double>(gap.words);
  };
  fft_gap best{block, 0};
  double least = cost_of(best) * (e.scale > 1 ? 0.5 : 1);
  for (std::int64_t words = 1; words < e.banks; ++words) {
    const fft_gap gap{block, words};
    if (words > 1 && 8 * words > block) break;  // room matters
    const double cost = cost_of(gap);
    if (cost >= least) continue;
    least = cost;
    best = gap;
  }
  return best.words == 0 ? fft_gap{} : best;
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
  std::int64_t best = 0;
  int least = 1 << 30;
  for (std::int64_t gap = 0; gap < banks && least > 1; ++gap) {
    const int most =
        most_in_a_bank(0, items, banks, [&](int t) { return axes_place(axes, gap, t); });
    if (most >= least) continue;
    least = most;
    best = gap;
  }
  return best;
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

}  // namespace detail

/// The sizes of a pass. `most_items` is the device's limit of a group, `local_bytes` its local
/// memory; what does not fit has `items` 0.
inline item_geometry item_geometry_of(const fft_pass& p, const fft_policy& policy, int most_items,
                                      std::int64_t local_bytes) {
  using namespace detail;
  item_geometry g;
  g.points = p.points();
  const fft_axis& first = p.outer.front();
  const auto is_rows = [](std::int64_t along, std::int64_t across) {
    return across == 0 || along <= across;
  };
  g.in_rows = is_rows(p.along.in.step, first.in.step);
  g.out_rows = is_rows(p.along.out.step, first.out.step);
  const bool rader = p.method == fft_method::rader;
  const stage_use use = p.method == fft_method::convolution ? stage_use::bluestein
                        : rader && g.in_rows && g.out_rows  ? stage_use::rader
                                                            : stage_use::transform;
  const fft_stages stages =
      p.axes.empty() ? item_stages(g.points, policy.points, policy.radices, most_items, use)
                     : axes_stages(p.axes, policy, most_items, g.bases);
  g.radices = stages.radices;
  g.items = stages.items;
  if (g.radices.empty() && g.points > 1) {
    g.items = 0;
    return g;
  }
  g.coprime = rader && are_coprime(g.radices);
  const bool rows_out = p.write.kind == fft_output::half_of_rows,
             pairs = p.write.kind == fft_output::half_of_pairs || rows_out;
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
  const std::int64_t limit = policy.local_bytes > 0
                                 ? std::min<std::int64_t>(policy.local_bytes, local_bytes)
                                 : local_bytes;
  int together = std::max(1, policy.group / g.items);
  if (!g.in_rows || !g.out_rows) together = std::max(together, policy.columns);
  // Rows of N/2 + 1 values: every fourth begins where a sector of 32 bytes does (H200, 1024 real
  // points: 3806 for 3697 GB/s).
  const int beside = rows_out ? 2 : 4;
  if (pairs && g.out_rows && beside * g.items <= most_items) together = std::max(together, beside);
  if (p.outer.size() > 1) {
    const auto most = static_cast<int>(std::min<std::int64_t>(first.extent, 1 << 20));
    while (together > 1 && together / 2 >= most) together /= 2;
  }
  const bool power = std::has_single_bit(static_cast<std::uint64_t>(g.points)) &&
                     std::has_single_bit(static_cast<unsigned>(g.items));
  for (;; together = (together + 1) / 2) {
    g.together = together;
    const bool powers = power && (g.rows || std::has_single_bit(static_cast<unsigned>(together)));
    g.folded = powers;
    // Every work-item moves a whole number of points, and sub-groups hold one transform.
    const std::int64_t places = bank_places(p.length);
    g.banks = rader && g.staged_in && g.staged_out && !rows_out && g.items % local_banks == 0 &&
              (together == 1 || places % g.group() == 0);
    std::int64_t words = g.banks  ? places
                         : g.rows ? std::max(g.points, p.length) + 1
                                  : g.points * together;
    if (!p.axes.empty()) words += p.axes.front() * g.gap;
    const auto make_room = [&](const std::vector<int>& radices) {
      const std::int64_t scale = g.rows ? 1 : together;
      std::int64_t before = 1;
      for (std::size_t s = 0; s + 1 < radices.size(); ++s) {
        const int r = radices[s];
        const fft_gap gap = gap_of(
            {g.points, g.items, before, r, radices[s + 1], scale, powers, banks}, policy.padding);
        words = std::max(words, gap.padded(g.points * scale) + 1);
        before *= r;
      }
    };
    make_room(g.radices);
    // The stages back run in the other order, with gaps of their own.
    if (p.method != fft_method::direct) make_room({g.radices.rbegin(), g.radices.rend()});
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
    if (g.group() <= most_items && g.local_bytes + g.loudness_bytes <= limit) return g;
    if (together == 1) {
      g.items = 0;
      return g;
    }
  }
}

}  // namespace clprim
