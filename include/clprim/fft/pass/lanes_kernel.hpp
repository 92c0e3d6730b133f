#pragma once
// The kernel of a pass by lanes: points are read into local memory, transformed there, written.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <clprim/core/device_facts.hpp>
#include <clprim/fft/pass/kernel.hpp>
#include <clprim/fft/pass/lanes_read.hpp>

namespace clprim {
namespace fft_text {

/// A convolution: the product with the spectrum, and the stages back.
inline void convolve_lanes(lane_pass& k) {
  const bool rader = k.p.method == fft_method::rader;
  const std::vector<wide_complex> natural =
      rader ? rader_spectrum(k.p.length)
            : bluestein_spectrum(bluestein_chirp(k.p.length), k.g.points);
  std::vector<wide_complex> spectrum(natural.size());
  for (std::int64_t n = 0; n < k.g.points; ++n)
    spectrum[static_cast<std::size_t>(k.g.reversed(n))] = natural[static_cast<std::size_t>(n)];
  k.out.define("SPECTRUM", k.tables.add(spectrum));
  if (rader) k.out.text(lanes_rader_before);
  k.out.text(lanes_product);
  if (rader) k.out.text(lanes_rader_behind);
  k.out.line(lane_stages_text(k.g, k.tables, false, k.p.is_double));
}

/// The factors between two passes, before the outputs are turned by them.
inline void write_turns(lane_pass& k) {
  const fft_pass& p = k.p;
  k.out.define("TURNS", add_roots(k.tables, p.turn));
  k.out.define("TURNS_BITS", root_bits);
  k.out.define("TURNS_LOW", (1 << root_bits) - 1);
  k.out.define("LAST_LACKS_LANES", p.outer.size() == 1 || p.outer[0].extent % k.lanes() != 0);
  k.out.text(lanes_turns);
  const auto powers = [&](int at, std::int64_t count, int times) {
    std::vector<long double> parts;  // vectors of real, then of imaginary parts
    for (std::int64_t i = 0; i < count; ++i) {
      for (int l = 0; l < k.lanes(); ++l) parts.push_back(wide_root(i * times * l, p.turn).real());
      for (int l = 0; l < k.lanes(); ++l) parts.push_back(wide_root(i * times * l, p.turn).imag());
    }
    std::vector<wide_complex> table;
    for (std::size_t i = 0; i < parts.size(); i += 2) table.emplace_back(parts[i], parts[i + 1]);
    k.out.line(
        cat("    TURN_POWERS(", at, ", ", count, ", ", times, ", ", k.tables.add(table), ")"));
  };
  powers(0, std::min<std::int64_t>(16, p.length), 1);
  powers(32, (p.length + 15) / 16, 16);
}

/// WRITE: the outputs of a block.
inline void write_lanes(lane_pass& k) {
  const fft_pass& p = k.p;
  source_builder& out = k.out;
  const int v = k.lanes(), tile = k.tile();
  const bool half = p.output == fft_output::half_of_pairs;
  const lane_access access = lane_output(p);
  out.define("SLOT_OUT(k)", p.method == fft_method::convolution
                                ? std::string("SLOT(k)")
                                : cat("places[", add_slots(k, false), " + (k)]"));
  if (p.turn != 0) write_turns(k);
  out.text(half ? lanes_get_half : lanes_get);
  out.text(lanes_get_factors);
  std::string get = "GET_VALUE(k, re, im)";
  if (p.turn != 0) get += " TURN_VALUE(k, re, im)";
  if (p.out_factor != no_table)
    get += p.outer.front().out_place != 0 ? " FACTOR_EACH(k, re, im)" : " FACTOR_VALUE(k, re, im)";
  if (p.swap_out) get += " SWAP_VALUE(re, im)";
  if (p.scale != 1) get += " SCALE_VALUE(re, im)";
  out.define("GET(k, re, im)", get);
  // What is not written has no factor either.
  const bool alike = access != lane_access::elements || p.outer.front().out_place == 0;
  out.line(cat("    const int wanted = INSIDE(", alike ? p.out_points : 0,
               ", out_place, OUT_PLACE, ", half ? p.length + 1 : p.length, ");"));
  const bool tiles = access == lane_access::tiles;
  writer w = k.lines();
  if (tiles) {
    out.text(lanes_write_tiles);
    for (int e = 0; e < tile; ++e)
      w.line("RV r", e, ", i", e, "; GET(k + ", e, ", r", e, ", i", e, ")");
    for (int first = 0; first < v; first += tile) {
      std::vector<std::string> rows;
      for (int e = 0; e < tile; ++e) {
        rows.push_back(cat("t", e, "b", first / tile));
        w.line("const RUN ", rows.back(), " = (RUN)(",
               listed(first, first + tile,
                      [&](int l) { return cat("r", e, lane(l), ", i", e, lane(l)); }),
               ");");
      }
      rows = turned_tile(w, rows);
      for (int l = 0; l < tile; ++l)
        w.line("STORE_RUN(", rows[static_cast<std::size_t>(l)], ", out", first + l, " + 2 * k)");
    }
    w.line("}");
    out.line(w.text);
  }
  out.define("WRITTEN", tiles ? "wanted / TILE * TILE" : "0");
  out.text(lanes_write_each);
  if (access == lane_access::vectors) {
    out.text(lanes_write_vectors);
    for (int first = 0; first < v; first += tile)
      w.line("{ const RUN run = (RUN)(",
             listed(first, first + tile, [](int l) { return cat("r", lane(l), ", i", lane(l)); }),
             "); STORE_RUN(run, to + ", 2 * first, ") }");
    w.line("} else {");
    out.line(w.text);
  }
  out.text(lanes_write_arrays);
  out.define("OUT_AT(k)", tiles ? "2 * (k)" : "2 * (k) * OUT_STEP");
  out.text(access == lane_access::elements ? lanes_write_points : lanes_write_rows);
  if (access == lane_access::vectors) out.line("    }");
}

}  // namespace fft_text

/// The source of a pass by lanes. Throws policy_error when it does not fit the device.
inline fft_kernel lanes_source(const fft_pass& p, const fft_policy& policy,
                               const device_facts& device, fft_tables& tables) {
  using namespace fft_text;
  source_builder out;
  out.banner("clprim Fourier transforms of " + std::to_string(p.length) + " points\n" +
             to_string(policy));
  define_prelude(out, p, pair_roots_of(p, tables), fft_streaming::none);
  lane_pass k{p, lane_geometry_of(p, policy), policy, tables, out};
  rule(k.g.local_bytes <= device.local_bytes,
       "transforms by lanes must fit the device's local memory in bytes",
       static_cast<long>(k.g.local_bytes), static_cast<long>(device.local_bytes));
  define_lanes(k, takes_prefetches(device));
  out.define("SLOT_IN(n)", p.method == fft_method::rader
                               ? cat("places[", add_slots(k, true), " + (n)]")
                               : std::string("SLOT(n)"));
  out.text(p.in_factor == no_table ? lanes_put : lanes_put_times_factor);
  out.define("TURN_MEMORY", p.turn == 0
                                ? std::string()
                                : cat("__local RV turns[", 2 * (16 + (p.length + 15) / 16), "];"));
  out.text(lanes_head);
  out.line(locate_text(p, policy.lanes));
  read_lanes(k);
  out.line(lane_stages_text(k.g, tables, true, p.is_double));
  if (p.method != fft_method::direct) convolve_lanes(k);
  write_lanes(k);
  out.line("    }\n}");
  return {.source = out.str(),
          .radices = k.g.radices,
          .side_by_side = policy.lanes,
          .blocks = k.g.blocks,
          .items = 1,
          .local_bytes = k.g.local_bytes};
}

}  // namespace clprim
