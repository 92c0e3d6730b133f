#pragma once
// A pass by lanes as it is written: how its lanes meet memory, its constants, and the seam READ.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/source.hpp>
#include <clprim/fft/methods/spectra.hpp>
#include <clprim/fft/pass/lanes_stages.hpp>
#include <clprim/fft/pass/lanes_text.hpp>
#include <clprim/fft/pass/points.hpp>

namespace clprim::fft_text {

/// How the lanes meet memory: tiles of points and lanes turned in registers where points are
/// neighbours, vectors across the lanes where transforms are, else element by element.
enum class lane_access { tiles, vectors, elements };

inline lane_access lane_input(const fft_pass& p) {
  const fft_axis& first = p.outer.front();
  const bool uniform = first.in_place == 0 || (p.in_points == 0 && p.in_factor == no_table);
  const bool pairs = p.input == fft_input::real_pairs;
  if (!plain_input(p) || !uniform || (pairs && p.in_points % 2 != 0)) return lane_access::elements;
  if (p.along.in_step == (pairs ? 2 : 1)) return lane_access::tiles;
  return !pairs && first.in_step == 1 ? lane_access::vectors : lane_access::elements;
}
inline lane_access lane_output(const fft_pass& p) {
  const fft_axis& first = p.outer.front();
  const bool uniform = first.out_place == 0 || (p.out_points == 0 && p.out_factor == no_table);
  const bool pairs = p.output == fft_output::real_pairs;
  if (!plain_output(p) || !uniform || (pairs && p.out_points % 2 != 0))
    return lane_access::elements;
  if (p.along.out_step == (pairs ? 2 : 1)) return lane_access::tiles;
  return !pairs && first.out_step == 1 ? lane_access::vectors : lane_access::elements;
}

/// A pass by lanes as it is written.
struct lane_pass {
  const fft_pass& p;
  const lane_geometry g;
  const fft_policy& policy;
  fft_tables& tables;
  source_builder& out;

  int lanes() const { return policy.lanes; }
  /// Points, and lanes, of a tile.
  int tile() const { return std::min(policy.lanes, p.is_double ? 4 : 8); }
  std::string vector(int size) const { return cat(real_type(p.is_double), size); }
  writer lines() const { return writer(real_type(p.is_double), p.is_double); }
};

/// `each(l)` for lanes first … last - 1, with commas between.
template <class Each> std::string listed(int first, int last, Each each) {
  std::string text;
  for (int l = first; l < last; ++l) text += (l > first ? ", " : "") + each(l);
  return text;
}
inline std::string lane(int l) { return std::string(".s") + "0123456789abcdef"[l]; }

/// A table of the places of Rader's points, or of those after the stages, in slots; point 0 of
/// Rader's has one of its own.
inline std::int64_t add_slots(lane_pass& k, bool in) {
  std::vector<std::int32_t> slots;
  const bool rader = k.p.method == fft_method::rader;
  const std::vector<std::int32_t> position =
      rader ? rader_order(k.p.length).position : std::vector<std::int32_t>{};
  const std::int64_t m = k.g.points;
  for (std::int64_t n = 0; n < k.p.length; ++n) {
    const std::int64_t q = rader ? position[static_cast<std::size_t>(n)] : 0;
    slots.push_back(static_cast<std::int32_t>(!rader   ? k.g.slot(k.g.reversed(n))
                                              : n == 0 ? k.g.slot(m) + 1
                                              : in     ? k.g.slot(q)
                                                       : k.g.slot((m - q) % m)));
  }
  return k.tables.add(slots);
}

/// The constants of a pass, as its texts name them.
inline void define_lanes(lane_pass& k, bool prefetches) {
  const fft_pass& p = k.p;
  const fft_axis& across = p.outer.front();
  source_builder& out = k.out;
  const int v = k.lanes(), tile = k.tile();
  out.define("V", v);
  out.define("TILE", tile);
  out.define("RV", k.vector(v));
  out.define("RUN", k.vector(2 * tile));
  out.define("HALF_RUN", k.vector(tile));
  for (const auto& [name, size] : {std::pair("LANES", v), std::pair("HALF", tile)}) {
    out.define(cat("LOAD_", name, "(at, p)"), cat("vload", size, "(at, p)"));
    out.define(cat("STORE_", name, "(v, at, p)"), cat("vstore", size, "(v, at, p)"));
  }
  out.define("POINTS", k.g.points);
  out.define("SLOTS", k.g.slots);
  out.define("SLOT(i)", k.g.gaps ? "((i) + ((i) >> 6))" : "(i)");
  out.define("EXTRA", 2 * (k.g.slot(k.g.points) + 1));
  out.define("EACH", k.g.blocks);
  out.define("PREFETCH(p)", prefetches ? "__builtin_prefetch(p);" : "");
  out.define("PUT(n, re, im)", p.swap_in ? "PUT_PARTS(n, im, re)" : "PUT_PARTS(n, re, im)");
  out.define("IN_ACROSS", across.in_step);
  out.define("IN_PLACE_ACROSS", across.in_place);
  out.define("IN_INDEX_ACROSS", across.in_index);
  out.define("OUT_ACROSS", across.out_step);
  out.define("OUT_PLACE_ACROSS", across.out_place);
  out.define("OUT_INDEX_ACROSS", across.out_index);
  out.define("OUT_FACTOR", p.out_factor);
  out.define("OUT_PLACES", p.out_points > 0 ? p.out_points : p.length * p.along.out_place);
  out.define("SCALE", literal(static_cast<long double>(p.scale), p.is_double));
  std::string each;
  for (int l = 0; l < v; ++l) append(each, "DO(", l, ") ");
  out.define("EACH_LANE(DO)", each);
  out.define("LANES_AT(at)",
             cat("(RV)(", listed(0, v, [](int l) { return cat("in", l, "[at]"); }), ")"));
  std::string blocks = "((extent + V - 1) / V)";
  for (std::size_t a = 1; a < p.outer.size(); ++a) {
    if (a == 1) blocks = cat("(", (p.outer[0].extent + v - 1) / v, "L)");
    blocks = a + 1 == p.outer.size() ? cat("(", blocks, " * extent)")
                                     : cat("(", blocks, " * ", p.outer[a].extent, ")");
  }
  out.define("BLOCKS", blocks);
  out.text(lanes_accesses);
  const bool streams =
      k.policy.streaming == fft_streaming::stores || k.policy.streaming == fft_streaming::both;
  out.text(streams ? lanes_keep_streaming : lanes_keep);
}

/// READ: the points of a block to their slots.
inline void read_lanes(lane_pass& k) {
  const fft_pass& p = k.p;
  source_builder& out = k.out;
  const int v = k.lanes(), tile = k.tile();
  const lane_access access = lane_input(p);
  writer w = k.lines();
  const bool known = access != lane_access::elements;
  out.line(known ? "    const int valid = INSIDE(IN_POINTS, in_place, IN_PLACE, LENGTH);"
                 : "    const int valid = 0;");
  if (access == lane_access::tiles) {
    out.text(lanes_read_tiles);
    std::vector<std::vector<std::string>> blocks;
    for (int first = 0; first < v; first += tile) {
      std::vector<std::string> rows;
      for (int l = first; l < first + tile; ++l) {
        rows.push_back(cat("t", l));
        w.line("const RUN t", l, " = LOAD_RUN(in", l, " + 2 * n);");
      }
      blocks.push_back(turned_tile(w, rows));
    }
    for (int e = 0; e < tile; ++e) {
      const auto part = [&](const char* which) {
        return listed(0, v / tile, [&](int b) {
          return blocks[static_cast<std::size_t>(b)][static_cast<std::size_t>(e)] + which;
        });
      };
      w.line("PUT(n + ", e, ", (RV)(", part(".even"), "), (RV)(", part(".odd"), "))");
    }
    out.line(w.text);
    out.text(lanes_read_tiles_tail);
  } else if (access == lane_access::vectors) {
    out.text(lanes_read_vectors);
    if (k.policy.ahead > 0)
      for (int b = 0; b < 2 * v; b += p.is_double ? 8 : 16)
        w.line("PREFETCH(from + ", 2 * v * k.policy.ahead + b, ")");
    for (int b = 0; b < v / tile; ++b)
      w.line("const RUN c", b, " = LOAD_RUN(from + ", 2 * tile * b, ");");
    const auto part = [&](const char* which) {
      return listed(0, v / tile, [&](int b) { return cat("c", b, which); });
    };
    w.line("PUT(n, (RV)(", part(".even"), "), (RV)(", part(".odd"), "))");
    out.line(w.text);
    out.text(lanes_read_vectors_tail);
  }
  if (!known || (p.in_points > 0 && p.outside.any()))
    out.text(lanes_read_elements);
  else if (p.in_points > 0)
    out.text(lanes_read_zeros);
  if (p.method != fft_method::rader && k.g.points > p.length) out.text(lanes_pad);
}

}  // namespace clprim::fft_text
