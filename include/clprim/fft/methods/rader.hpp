#pragma once
// Rader's points in a pass by items: the orders in which they are read and written.
//
//     memory     n = 0 1 2 3 4 …     runs of 32 points, moved by sub-groups
//     local      each run permuted   so that no access in the order of a generator's powers meets
//                                    two of its points in a bank (bank_order; where points
//                                    lie in place, three or four of 32 meet)
//     registers  n = g^q             q = t, t + ITEMS, …: the places told by a table

#include <cstddef>
#include <cstdint>
#include <vector>

#include <clprim/core/access/bank_order.hpp>
#include <clprim/fft/methods/convolved.hpp>
#include <clprim/fft/pass/items.hpp>
#include <clprim/fft/plan/pass.hpp>
#include <clprim/fft/plan/tables.hpp>

namespace clprim::fft_text {

/// Where the points before and after the stages lie: tables of places, in local memory or in the
/// array; tables of the points at places in banks; the place of point 0.
struct rader_places {
  std::int64_t in = 0, out = 0;
  std::int64_t fetched_in = 0, fetched_out = 0;
  std::int32_t first_in = 0, first_out = 0;
};

/// Points that an item has of the first radix.
inline int slots(const item_geometry& g) {
  return g.radices.front() * g.butterflies(g.radices.front());
}

/// The places of an item's points, two to a word, words of neighbouring items side by side.
inline std::vector<std::int32_t> packed(const item_geometry& g,
                                        const std::vector<std::int32_t>& order) {
  const std::int64_t r = g.radices.front(), count = g.points / r;
  const auto place = [&](std::int64_t t, std::int64_t slot) -> std::uint32_t {
    const std::int64_t j = t + slot / r * g.items;
    if (slot >= slots(g) || j >= count) return 0;
    return static_cast<std::uint32_t>(order[static_cast<std::size_t>(j + slot % r * count)]);
  };
  std::vector<std::int32_t> words;
  for (int i = 0; 2 * i < slots(g); ++i)
    for (std::int64_t t = 0; t < g.items; ++t)
      words.push_back(static_cast<std::int32_t>(place(t, 2 * i) | place(t, 2 * i + 1) << 16));
  return words;
}

/// Changes points for their places in banks; returns the points of the places. `first` is the place
/// of point 0.
inline std::vector<std::int32_t> into_banks(const item_geometry& g, std::int64_t length,
                                            std::vector<std::int32_t>& order, std::int32_t& first) {
  // Place q is leg m of butterfly k of item t: t + k T + m N / r.
  const std::int64_t count = g.points / g.radices.front();
  const std::int64_t sub_groups = (count + detail::local_banks - 1) / detail::local_banks;
  std::vector<int> access(static_cast<std::size_t>(length));
  for (std::size_t q = 0; q < order.size(); ++q) {
    const auto at = static_cast<std::int64_t>(q);
    access[static_cast<std::size_t>(order[q])] =
        1 + static_cast<int>(at / count * sub_groups + at % count / detail::local_banks);
  }
  const bank_order banks(access, detail::local_banks);
  for (std::int32_t& n : order) n = banks.place[static_cast<std::size_t>(n)];
  first = banks.place[0];
  return banks.fetched;
}

/// Adds the orders of a pass to the tables.
inline rader_places add_rader_places(const fft_pass& p, const item_geometry& g,
                                     fft_tables& tables) {
  rader_places all;
  std::vector<std::int32_t> power = rader_order(p.length).power, back;
  const std::size_t m = power.size();
  for (std::size_t q = 0; q < m; ++q) back.push_back(power[(m - q) % m]);
  if (g.coprime) {
    const coprime_order order(g.radices);
    power = reordered(power, order.time);
    back = reordered(back, order.time);
  }
  if (g.banks) {
    all.fetched_in = tables.add(into_banks(g, p.length, power, all.first_in));
    all.fetched_out = tables.add(into_banks(g, p.length, back, all.first_out));
  }
  all.in = tables.add(g.banks ? packed(g, power) : power);
  all.out = tables.add(g.banks ? packed(g, back) : back);
  return all;
}

}  // namespace clprim::fft_text
