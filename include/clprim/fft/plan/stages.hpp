#pragma once
// Lengths as products of radices: which stages a transform is made of, and over how many
// work-items.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <clprim/core/cheapest.hpp>
#include <clprim/core/smooth.hpp>

namespace clprim {

/// The radices that have a codelet; composites are made of their prime factors.
inline constexpr std::array<int, 32> fft_radices{2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                                 13, 14, 15, 16, 17, 18, 19, 20, 21, 23, 24,
                                                 25, 26, 27, 28, 29, 30, 31, 32, 36, 37};

/// The stages of a transform in their order, and the work-items of it (shape items); 0 where there
/// are none.
struct fft_stages {
  std::vector<int> radices;
  int items = 0;
  double cost = 0;  ///< of a point, in passes through local memory
};

/// Whether no two of the radices have a common factor.
inline bool are_coprime(const std::vector<int>& radices) {
  for (std::size_t a = 0; a < radices.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (std::gcd(radices[a], radices[b]) != 1) return false;
  return true;
}

/// What stages are for: a transform, or the transforms there and back of a convolution.
enum class stage_use {
  rows,
  columns,  ///< 32 transforms side by side, or a multiple, on one side at least
  bluestein,
  rader,  ///< points lie in no order
};

namespace detail {

/// Every way to write n as a product of at most `most` radices, largest first, behind those that
/// are `taken`; `tell` may lower `most`.
inline void each_product(std::int64_t n, int largest, const std::size_t& most,
                         const std::function<void(const std::vector<int>&)>& tell,
                         std::vector<int>& taken) {
  if (n == 1) return tell(taken);
  if (taken.size() >= most) return;
  for (auto r = fft_radices.rbegin(); r != fft_radices.rend(); ++r) {
    if (*r > largest || n % *r != 0) continue;
    taken.push_back(*r);
    each_product(n / *r, *r, most, tell, taken);
    taken.pop_back();
  }
}
inline void each_product(std::int64_t n, int largest, const std::size_t& most,
                         const std::function<void(const std::vector<int>&)>& tell) {
  std::vector<int> none;
  each_product(n, largest, most, tell, none);
}

/// The stages of a list that ends at its first zero, for n points: one radix alone is that of every
/// stage.
inline std::vector<int> told_stages(std::span<const int> list, std::int64_t n) {
  std::vector<int> radices(list.begin(), std::find(list.begin(), list.end(), 0));
  if (radices.size() != 1 || radices[0] < 2) return radices;
  for (std::int64_t m = radices[0]; m < n; m *= radices[0]) radices.push_back(radices[0]);
  return radices;
}

inline bool multiplies_to(const std::vector<int>& radices, std::int64_t n) {
  return !radices.empty() && product_of(radices) == n;
}

/// What the stages cost with this many items, in passes through local memory per point: a pass and
/// a half each, more where items idle or hold more points than the policy wants, and where
/// transforms that share a sub-group lie across its ends, which 32 columns side by side never do.
/// H200, 2026-11-28, float, us of 2^22 points in rows: 21 of them by 3 items 25.8, by 4 22.7; 24 by
/// 3 23.8, by 4 22.4; 33 by 3 25.5, by 4 23.3; 52 by 5 24.7, by 4 23.3; 104 by 13 25.0, by 8 22.4;
/// 160 by 20 23.3, by 16 22.6. 8 and 10 columns, 13 of 96 x 272 points, those of 96 by 6 items 8.0,
/// by 8 7.1; 32 columns, 160 of 37800 points of double, those of 189 by 11 items 136, by 16 150.
inline double items_cost(std::int64_t n, const std::vector<int>& radices, int items, int points,
                         bool columns) {
  double cost = 0;
  for (const int r : radices) {
    const auto butterflies = n / r;
    const auto each = (butterflies + items - 1) / items;
    const double held = static_cast<double>(each) * r;
    cost += (1.5 + 0.02 * r) * held * items / static_cast<double>(n);
    if (held > 1.25 * points) cost += 0.3 * (held / points - 1.25) * 4;
  }
  const bool across = !columns && points >= 8 && items < 32 && 32 % items != 0;
  return across ? 1.12 * cost : cost;
}

/// Floating-point instructions of a codelet (counted in the PTX that clang makes of it).
constexpr int operations_of(int radix) {
  constexpr std::array<int, fft_radices.size()> counts{
      4,   12,  16,  36,  36,  66,  56,  88,  92,  150, 96,  204, 160,  168, 160, 352,
      212, 432, 224, 282, 616, 264, 424, 460, 442, 376, 952, 396, 1080, 432, 496, 1512};
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (fft_radices[i] == radix) return counts[i];
  return 0;
}

/// What the stages of a convolution cost per point, in instructions of an item by 14, which makes
/// it about as large as items_cost: codelets, the four accesses of an exchange, factors. Half the
/// points of Bluestein's first stage are zero. Rader's have no factors where radices are coprime,
/// and are moved without waiting for banks by whole sub-groups of 32 items (H200, 1009 points:
/// 12 7 12 on 84 items 2145 GB/s; 16 9 7 on 72 items 2055, on 64 items 2449).
inline double convolution_cost(std::int64_t n, const std::vector<int>& radices, std::int64_t items,
                               int points, stage_use use) {
  const double factors = use == stage_use::rader && are_coprime(radices) ? 0 : 8;
  double cost = use == stage_use::rader && items % 32 != 0 ? 10 : 0;
  for (std::size_t s = 0; s < radices.size(); ++s) {
    const int r = radices[s];
    const double held = static_cast<double>((n / r + items - 1) / items) * r;
    const double work = static_cast<double>(operations_of(r)) / r + 4 + (s > 0 ? factors : 0);
    const double share = s == 0 && use == stage_use::bluestein ? 0.7 : 1;
    cost += share * work * held * static_cast<double>(items) / static_cast<double>(n);
    if (held > 1.25 * points) cost += 16 * (held / points - 1.25);
  }
  return cost / 14;
}

}  // namespace detail

/// Stages of n points (smooth) for shape items, about `points` to a work-item: as
/// `radices_told` has it, else those of least cost.
inline fft_stages item_stages(std::int64_t n, int points, std::span<const int> radices_told,
                              int most_items, stage_use use = stage_use::rows) {
  using namespace detail;
  if (n == 1) return {{}, 1, 0};
  const std::vector<int> wanted = told_stages(radices_told, n);
  const bool given = multiplies_to(wanted, n),
             direct = use == stage_use::rows || use == stage_use::columns;
  // An item has all points of a large prime's butterfly.
  const int prime = static_cast<int>(std::min<std::int64_t>(64, largest_prime(n))),
            largest = std::max(points > 16 ? 32 : std::max(16, points), prime);
  points = std::max(points, prime > 16 ? prime : 0);
  fft_stages best;
  double least = 1e30;
  std::size_t most_stages = 12;
  const auto try_items = [&](const std::vector<int>& told) {
    std::vector<int> radices = told;
    // The cheap stage of Bluestein's is the one whose butterflies are shared out worst.
    if (use == stage_use::bluestein && !given)
      std::rotate(radices.rbegin(), radices.rbegin() + 1, radices.rend());
    const auto fewest = std::max<std::int64_t>(1, n / (2 * points));
    const auto most = std::min<std::int64_t>(most_items, std::max<std::int64_t>(1, n / 2));
    for (const int r : radices) {
      for (int each = 1; each * r <= std::max(32, r); ++each) {
        auto items = (n / r + each - 1) / each;
        const auto whole = (items + 31) / 32 * 32;
        if (use == stage_use::rader && 8 * (whole - items) <= items) items = whole;
        if (items < fewest || items > most) continue;
        const double cost =
            (direct ? items_cost(n, radices, static_cast<int>(items), points,
                                 use == stage_use::columns)
                    : convolution_cost(n, radices, items, points, use)) +
            0.1 * std::abs(std::log2(static_cast<double>(items) * points / static_cast<double>(n)));
        if (cost < least - 1e-9) {
          least = cost;
          best = {radices, static_cast<int>(items), cost};
          // No stage costs less than 0.55 (radix 2 of Rader's without factors).
          const double each_least = direct ? 1.5 : 0.4;
          most_stages = std::min(most_stages, static_cast<std::size_t>(cost / each_least));
        }
      }
    }
  };
  if (given)
    try_items(wanted);
  else
    each_product(n, largest, most_stages, try_items);
  // 13 points by two to an item: the only stage has one item.
  if (best.radices.empty() && points <= 16)
    return item_stages(n, 2 * points, radices_told, most_items, use);
  return best;
}

/// Stages of n points (smooth) for shape lanes: as `radices_told` has it, else few passes,
/// by radices that fit the registers.
inline std::vector<int> lane_stages(std::int64_t n, std::span<const int> radices_told) {
  using namespace detail;
  std::vector<int> wanted = told_stages(radices_told, n);
  if (multiplies_to(wanted, n)) return wanted;
  cheapest<std::vector<int>> best;
  each_product(n, 16, 12, [&](const std::vector<int>& radices) {
    double cost = 0;
    for (const int r : radices) {
      const int prime = r % 13 == 0 ? 13 : r % 11 == 0 ? 11 : r % 7 == 0 ? 7 : r % 5 == 0 ? 5 : 2;
      cost += 1.0 + 0.1 * prime + (r > 8 ? 0.06 * (r - 8) : 0);
    }
    best.offer(radices, cost);
  });
  return best.value;
}

}  // namespace clprim
