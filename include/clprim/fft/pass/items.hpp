#pragma once
// Shape items: the sizes of a pass whose points live in the registers of a group's work-items, and
// where the points lie in local memory.
//
//     In every stage work-item t of a transform does the butterflies j = t, t + T, …: inputs
//     j + m N/r, outputs (j / Ns) Ns r + j mod Ns + m Ns, Ns being the product of the radices
//     before (Stockham's order: nothing is reordered). Between stages the points change hands in
//     local memory, whose gaps keep powers of two off a common bank.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include <clprim/core/cheapest.hpp>

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

}  // namespace detail

}  // namespace clprim
