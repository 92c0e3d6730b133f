#pragma once
// The kernel of a pass by lanes: points are read into local memory, transformed there, written.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/source.hpp>
#include <clprim/fft/codelet/codelet.hpp>
#include <clprim/fft/methods/convolved.hpp>
#include <clprim/fft/pass/lanes_text.hpp>
#include <clprim/fft/pass/points.hpp>
#include <clprim/fft/plan/geometry.hpp>
#include <clprim/fft/plan/step.hpp>

namespace clprim {
namespace fft_text {

/// Turns a tile of points x lanes complex numbers, as many of either, in registers: rows of runs
/// become runs of rows.
inline void turn_tile(writer& w, std::span<std::string> rows) {
  const auto size = rows.size();
  const std::string type = cat(real_type(w.is_double()), 2 * size);
  for (std::size_t h = size / 2; h >= 1; h /= 2) {
    for (std::size_t l = 0; l < size; ++l) {
      if ((l & h) != 0) continue;
      const std::string a = cat(rows[l], "_", h), b = cat(rows[l + h], "_", h);
      // Runs of h points of the one row and of the other in turn.
      const auto merged = [&](std::size_t first) {
        std::string run;
        for (std::size_t c = 0; c < size; c += h) {
          append(run, c > 0 ? ", " : "", (c & h) == 0 ? rows[l] : rows[l + h], ".s");
          for (std::size_t e = 0; e < 2 * h; ++e)
            run += "0123456789abcdef"[2 * ((c & ~(2 * h - 1)) + first) + e];
        }
        return cat(" = (", type, ")(", run, ")");
      };
      w.line("const ", type, " ", a, merged(0), ", ", b, merged(h), ";");
      rows[l] = a;
      rows[l + h] = b;
    }
  }
}

/// How the lanes meet memory: tiles of points and lanes turned in registers where points are
/// neighbours, vectors across the lanes where transforms are, else element by element.
enum class lane_access { tiles, vectors, elements };

inline lane_access lane_access_of(const fft_side& s, bool plain, const fft_stride& along,
                                  const fft_stride& across) {
  const bool uniform = across.place == 0 || (s.points == 0 && s.factor == no_table),
             pairs = s.kind == fft_form::real_pairs;
  if (!plain || !uniform || (pairs && s.points % 2 != 0)) return lane_access::elements;
  if (along.step == (pairs ? 2 : 1)) return lane_access::tiles;
  return !pairs && across.step == 1 ? lane_access::vectors : lane_access::elements;
}

/// A pass by lanes as it is written.
struct lane_pass {
  const fft_pass& p;
  const lane_geometry g;
  const fft_policy& policy;
  fft_tables& tables;
  source_builder& out;
  const text_facts facts = facts_of(p, false);

  int lanes() const { return policy.lanes; }
  /// Points, and lanes, of a tile.
  int tile() const { return std::min(policy.lanes, p.is_double ? 4 : 8); }
  std::string vector(int size) const { return cat(real_type(p.is_double), size); }
};

inline std::string in_lanes(const std::string& parts) { return call_text("(RV)", parts); }

/// A table of the places of Rader's points, or of those after the stages, in slots; point 0 of
/// Rader's has one of its own.
inline std::int64_t add_slots(lane_pass& k, bool in) {
  std::vector<std::int32_t> slots(static_cast<std::size_t>(k.p.length));
  const auto set = [&](std::int64_t n, std::int64_t slot) {
    slots[static_cast<std::size_t>(n)] = static_cast<std::int32_t>(slot);
  };
  const std::int64_t m = k.g.points;
  if (k.p.method == fft_method::rader) {
    set(0, k.g.slot(m) + 1);
    std::int64_t q = 0;
    for (const std::int32_t n : rader_order(k.p.length)) {
      set(n, k.g.slot(in ? q : (m - q) % m));
      ++q;
    }
  } else {
    for (std::int64_t n = 0; n < k.p.length; ++n) set(n, k.g.slot(k.g.reversed(n)));
  }
  return k.tables.add(slots);
}

/// The constants of a pass, as its texts name them.
inline void define_lanes(lane_pass& k, bool prefetches) {
  const fft_pass& p = k.p;
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
  out.define("PUT(n, re, im)", p.read.swapped ? "PUT_PARTS(n, im, re)" : "PUT_PARTS(n, re, im)");
  out.define("SCALE", literal(static_cast<long double>(p.write.scale), p.is_double));
  std::string each;
  for (int l = 0; l < v; ++l) append(each, "DO(", l, ") ");
  out.define("EACH_LANE(DO)", each);
  out.define("LANES_AT(at)", in_lanes(listed(0, v, [](int l) { return cat("in", l, "[at]"); })));
  std::string blocks = "((extent + V - 1) / V)";
  for (std::size_t a = 1; a < p.outer.size(); ++a) {
    if (a == 1) blocks = cat("(", (p.outer[0].extent + v - 1) / v, "L)");
    blocks = a + 1 == p.outer.size() ? cat("(", blocks, " * extent)")
                                     : cat("(", blocks, " * ", p.outer[a].extent, ")");
  }
  out.define("BLOCKS", blocks);
  const bool streams =
      k.policy.streaming == fft_streaming::stores || k.policy.streaming == fft_streaming::both;
  out.text(lanes_accesses, {}, {}, {streams ? "streams" : ""});
}

/// One stage over the whole of `work`; the factors of place j stand in a table, radix - 1 each.
inline void write_stage(lane_pass& k, int r, std::int64_t n, const std::vector<wide_complex>& roots,
                        bool forwards) {
  const std::int64_t m = n / r;
  writer w("RV", k.p.is_double);
  const auto at = [&](int leg, bool im) {
    return 2 * k.g.slot(leg * m) + (im == forwards ? 1 : 0);
  };
  const auto turned = [&](complex_name& one, int leg) {
    if (m > 1 && leg > 0) one = w.product(one, {cat("w", leg, ".x"), cat("w", leg, ".y")});
  };
  std::vector<complex_name> x;
  for (int leg = 0; leg < r; ++leg) {
    x.push_back({cat("x", leg, "r"), cat("x", leg, "i")});
    w.line("const RV ", x.back().re, " = p[", at(leg, false), "], ", x.back().im, " = p[",
           at(leg, true), "];");
  }
  for (int leg = 0; leg < r && !forwards; ++leg) turned(x[static_cast<std::size_t>(leg)], leg);
  x = w.transform(x);
  for (int leg = 0; leg < r; ++leg) {
    complex_name& one = x[static_cast<std::size_t>(leg)];
    if (forwards) turned(one, leg);
    w.line("p[", at(leg, false), "] = ", one.re, "; p[", at(leg, true), "] = ", one.im, ";");
  }
  std::string factors;
  if (m > 1) {
    std::vector<wide_complex> table;
    for (std::int64_t j = 0; j < m; ++j)
      for (int leg = 1; leg < r; ++leg)
        table.push_back(roots[static_cast<std::size_t>(j * leg % n * (k.g.points / n))]);
    factors = cat("    __global const R2 *f = factors + ", k.tables.add(table), " + j * ", r - 1,
                  ";\n    const R2 w1 = f[0]");
    for (int leg = 2; leg < r; ++leg) append(factors, ", w", leg, " = f[", leg - 1, "]");
    factors += ";";
  }
  k.out.text(lanes_stage, {{"BUTTERFLIES", std::to_string(m)}, {"BLOCK", std::to_string(n)}},
             {{"FACTORS", factors}, {"BUTTERFLY", w.text}});
}

/// The stages forwards or back, and their factors.
inline void write_lane_stages(lane_pass& k, bool forwards) {
  const std::vector<wide_complex> roots = wide_roots(k.g.points);
  const std::size_t count = k.g.radices.size();
  std::int64_t n = forwards ? k.g.points : 1;
  for (std::size_t i = 0; i < count; ++i) {
    const int r = k.g.radices[forwards ? i : count - 1 - i];
    if (!forwards) n *= r;
    write_stage(k, r, n, roots, forwards);
    if (forwards) n /= r;
  }
}

/// READ: the points of a block to their slots.
inline void read_lanes(lane_pass& k) {
  const fft_pass& p = k.p;
  const int v = k.lanes(), tile = k.tile();
  const lane_access access = lane_access_of(p.read, plain_input(p), p.along.in, p.outer.front().in);
  const bool tiles = access == lane_access::tiles, vectors = access == lane_access::vectors;
  writer w(p.is_double);
  const auto parts = [&](const char* which, const auto& name) {
    return listed(0, v / tile, [&](int b) { return name(b) + which; });
  };
  if (tiles) {
    std::vector<std::string> rows;
    for (int l = 0; l < v; ++l) {
      rows.push_back(numbered("t", l));
      w.call("TILE_ROW", l);
      if ((l + 1) % tile == 0) turn_tile(w, std::span(rows).last(static_cast<std::size_t>(tile)));
    }
    for (int e = 0; e < tile; ++e) {
      const auto row = [&](int b) {
        const int l = b * tile + e;
        return rows[static_cast<std::size_t>(l)];
      };
      w.call("PUT", sum("n", e), in_lanes(parts(".even", row)), in_lanes(parts(".odd", row)));
    }
  } else if (vectors) {
    for (int b = 0; b < 2 * v && k.policy.ahead > 0; b += p.is_double ? 8 : 16)
      w.call("PREFETCH", sum("from", 2 * v * k.policy.ahead + b));
    for (int b = 0; b < v / tile; ++b) w.call("VECTOR_RUN", b, 2 * tile * b);
    const auto run = [](int b) { return numbered("c", b); };
    w.call("PUT", "n", in_lanes(parts(".even", run)), in_lanes(parts(".odd", run)));
  }
  text_facts facts = k.facts;
  const bool known = tiles || vectors, border = p.read.points > 0 && p.read.outside.any();
  facts.insert(
      facts.end(),
      {fact(known, "known"), fact(tiles, "tiles"), fact(vectors, "vectors"),
       fact(!known || border, "elements"), fact(known && !border && p.read.points > 0, "zeros"),
       fact(p.method != fft_method::rader && k.g.points > p.length, "padded")});
  k.out.text(lanes_read, {}, {{"BEGINNINGS", locate_text(p, v)}, {"POINTS_OF_LANES", w.text}},
             facts);
}

/// A convolution: the product with the spectrum, and the stages back.
inline void convolve_lanes(lane_pass& k) {
  const std::vector<wide_complex> natural = spectrum_of(k.p);
  std::vector<wide_complex> spectrum(natural.size());
  for (std::int64_t n = 0; n < k.g.points; ++n)
    spectrum[static_cast<std::size_t>(k.g.reversed(n))] = natural[static_cast<std::size_t>(n)];
  k.out.define("SPECTRUM", k.tables.add(spectrum));
  k.out.text(lanes_product, {}, {}, k.facts);
  write_lane_stages(k, false);
}

/// The factors between two passes, before the outputs are turned by them.
inline void write_turns(lane_pass& k) {
  const fft_pass& p = k.p;
  define_turns(k.out, add_roots(k.tables, p.turn));
  k.out.define("LAST_LACKS_LANES", p.outer.size() == 1 || p.outer[0].extent % k.lanes() != 0);
  k.out.text(lanes_turns);
  const auto powers = [&](int at, std::int64_t count, int times) {
    std::vector<wide_complex> table;  // vectors of real, then of imaginary parts
    for (std::int64_t i = 0; i < count; ++i)
      for (const bool im : {false, true})
        for (int l = 0; l < k.lanes(); l += 2) {
          const wide_complex a = wide_root(i * times * l, p.turn),
                             b = wide_root(i * times * (l + 1), p.turn);
          table.emplace_back(im ? a.imag() : a.real(), im ? b.imag() : b.real());
        }
    k.out.line("    " + call_text("TURN_POWERS", at, count, times, k.tables.add(table)));
  };
  powers(0, std::min<std::int64_t>(16, p.length), 1);
  powers(32, (p.length + 15) / 16, 16);
}

/// WRITE: the outputs of a block.
inline void write_lanes(lane_pass& k) {
  const fft_pass& p = k.p;
  source_builder& out = k.out;
  const int v = k.lanes(), tile = k.tile();
  const bool half = p.write.kind == fft_form::half_of_pairs;
  const lane_access access = lane_access_of(p.write, is_plain(p, p.write, p.along.out.step),
                                            p.along.out, p.outer.front().out);
  out.define("SLOT_OUT(k)", p.method == fft_method::convolution
                                ? std::string("SLOT(k)")
                                : cat("places[", add_slots(k, false), " + (k)]"));
  if (p.turn != 0) write_turns(k);
  out.text(lanes_get, {}, {}, k.facts);
  if (p.write.kind == fft_form::half_of_rows) {
    out.text(lanes_write, {}, {}, k.facts);
    return;
  }
  // What is not written has no factor either.
  const bool alike = access != lane_access::elements ||
                     (p.outer.front().out.place == 0 && p.write.kind != fft_form::half_spectrum);
  out.define("WANTED", alike ? p.write.points : 0);
  out.define("VALUES", half ? p.length + 1 : p.length);
  const bool tiles = access == lane_access::tiles, vectors = access == lane_access::vectors;
  writer w(p.is_double);
  if (tiles) {
    for (int e = 0; e < tile; ++e) w.call("TILE_VALUE", e);
    for (int first = 0; first < v; first += tile) {
      std::vector<std::string> rows;
      for (int e = 0; e < tile; ++e) {
        rows.push_back(cat("t", e, "b", first / tile));
        const auto parts = [&](int l) { return cat("r", e, component(l), ", i", e, component(l)); };
        w.line("const RUN ", rows.back(), " = (RUN)(", listed(first, first + tile, parts), ");");
      }
      turn_tile(w, rows);
      for (int l = 0; l < tile; ++l)
        w.call("STORE_RUN", rows[static_cast<std::size_t>(l)],
               sum(numbered("out", first + l), "2 * k"));
    }
  }
  out.text(lanes_write_tiles, {}, {{"TURNED", w.text}}, {tiles ? "tiles" : ""});
  w.text.clear();
  out.define("WRITTEN", tiles ? "wanted / TILE * TILE" : "0");
  for (int first = 0; vectors && first < v; first += tile)
    w.call("STORE_VECTOR", 2 * first, listed(first, first + tile, [](int l) {
             return cat("r", component(l), ", i", component(l));
           }));
  out.define("OUT_AT(k)", tiles ? "2 * (k)" : "2 * (k) * OUT_STEP");
  out.define("VECTORS", vectors);
  out.define("ELEMENTS", access == lane_access::elements);
  out.text(lanes_write, {}, {{"RUNS", w.text}}, k.facts);
}

}  // namespace fft_text

/// The source of a pass by lanes. Throws policy_error when it does not fit the device.
inline fft_kernel lanes_source(const fft_step& s, const device_facts& device, fft_tables& tables) {
  using namespace fft_text;
  const fft_pass& p = s.pass;
  source_builder out;
  out.banner(cat("clprim Fourier transforms of ", p.length, " points\n", to_string(s.policy)));
  define_prelude(out, p, pair_roots_of(p, tables), fft_streaming::none, "pass", false);
  lane_pass k{p, lane_geometry_of(p, s.policy), s.policy, tables, out};
  rule(k.g.local_bytes <= device.local_bytes,
       "transforms by lanes must fit the device's local memory in bytes",
       static_cast<long>(k.g.local_bytes), static_cast<long>(device.local_bytes));
  define_lanes(k, takes_prefetches(device));
  out.define("SLOT_IN(n)", p.method == fft_method::rader
                               ? cat("places[", add_slots(k, true), " + (n)]")
                               : std::string("SLOT(n)"));
  out.text(lanes_put, {}, {}, k.facts);
  out.define("TURN_MEMORY", p.turn == 0
                                ? std::string()
                                : cat("__local RV turns[", 2 * (16 + (p.length + 15) / 16), "];"));
  read_lanes(k);
  write_lane_stages(k, true);
  if (p.method != fft_method::direct) convolve_lanes(k);
  write_lanes(k);
  return {.source = out.str(),
          .radices = k.g.radices,
          .side_by_side = s.policy.lanes,
          .blocks = k.g.blocks,
          .items = 1,
          .local_bytes = k.g.local_bytes};
}

}  // namespace clprim
