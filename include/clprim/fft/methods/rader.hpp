#pragma once
// Rader's points in a pass by items: the orders in which they are read and written.
//
//     memory     n = 0 1 2 3 4 …     runs of 32 points, moved by sub-groups
//     local      each run permuted   so that no access in the order of a generator's powers meets
//                                    two of its points in a bank (methods/banks.hpp; where points
//                                    lie in place, three or four of 32 meet)
//     registers  n = g^q             q = t, t + ITEMS, …: the places told by a table

#include <cstdint>
#include <string>
#include <vector>

#include <clprim/fft/methods/banks.hpp>
#include <clprim/fft/methods/spectra.hpp>
#include <clprim/fft/pass/items_exchange.hpp>
#include <clprim/fft/plan/pass.hpp>

namespace clprim::fft_text {

/// Place `place` of the table of points, read for transform `transform`: number `at` of an item.
inline constexpr kernel_text rader_text = R"cl(
#define FETCH(at, transform, place) \
    const int f##at = places[place]; \
    const R2 p##at = READ_POINT(EXISTING(transform), min(f##at, LENGTH - 1));
)cl";

/// Where the points before and after the stages lie: tables of places, in local memory or in the
/// array; tables of the points at places in banks; the place of point 0.
struct rader_places {
  std::int64_t in = 0, out = 0;
  std::int64_t fetched_in = 0, fetched_out = 0;
  std::int32_t first_in = 0, first_out = 0;
};

/// Points that an item has of the first radix.
inline int slots(const item_geometry& g) {
  return g.radices.front() * butterflies(g, g.radices.front());
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

/// Statements that read the places of all points of item `t`, with banks: two to a word.
inline void read_places(stage_text& s, const char* side, std::int64_t table, const std::string& t) {
  if (!s.g.banks) return;
  for (int i = 0; 2 * i < slots(s.g); ++i)
    s.w.line("const uint ", side, i, " = (uint)places[", table + std::int64_t{i} * s.g.items, " + ",
             t, "];");
}
/// The place of leg m of butterfly k of the first radix, which is number `n` of the order.
inline std::string place_of(const stage_text& s, const char* side, std::int64_t table, int k, int m,
                            const std::string& n) {
  if (!s.g.banks) return cat("places[", table, " + ", n, "]");
  const int slot = k * s.g.radices.front() + m;
  return cat("(int)(", side, slot / 2, slot % 2 == 0 ? " & 0xffff)" : " >> 16)");
}

/// Statements that read the transforms of the group into local memory.
inline void stage_banks(stage_text& s, const fft_pass& p, const rader_places& rader) {
  const std::int64_t places = detail::bank_places(p.length), group = s.g.group();
  const std::int64_t all = places * s.g.together;
  // What a work-item moves in one go: its place in a transform, guarded in a last go that is not
  // whole.
  const auto each_run = [&](const auto& tell) {
    for (std::int64_t at = 0; at < all; at += group) {
      const std::string lid = cat("lid + ", at % places);
      tell(at, lid, at + group <= all ? std::string() : cat(lid, " < ", places));
    }
  };
  each_run([&](std::int64_t at, const std::string& lid, const std::string& guard) {
    s.w.line("FETCH(", at, ", ", at / places, ", ", rader.fetched_in, " + ",
             guard.empty() ? lid : cat("(", guard, " ? ", lid, " : 0)"), ")");
  });
  each_run([&](std::int64_t at, const std::string& lid, const std::string& guard) {
    when(s.w, guard, [&] {
      s.w.line("PUT(", at / places * s.g.pitch, " + ", lid, ", p", at, ".x, p", at, ".y)");
    });
  });
}
/// Statements that write them; `finished` makes the value that is stored of one and its place. A
/// loop: the H200's driver builds it 20 of 343 ms sooner, and it is faster (1009 points 1.4 %,
/// 4051 4.3 %, 31 and 257 the same).
template <class Finished>
void store_banks(stage_text& s, const fft_pass& p, const rader_places& rader, Finished finished) {
  writer& w = s.w;
  w.line("#pragma unroll 1");
  w.line("for (int at = lid; at < ", detail::bank_places(p.length), "; at += GROUP) {");
  w.line("const int k = places[", rader.fetched_out, " + at];");
  w.line("if (k >= LENGTH) continue;");
  for (int c = 0; c < s.g.together; ++c)
    when(w, cat(c, " < here"), [&] {
      const std::string at = cat(c * s.g.pitch, " + at");
      const std::string done = finished({cat("VALUE_RE(", at, ")"), cat("VALUE_IM(", at, ")")},
                                        cat("PLACE_OF(", c, ", k)"));
      w.line("WRITE_POINT(", c, ", k, ", done, ")");
    });
  w.line("}");
}

}  // namespace clprim::fft_text
