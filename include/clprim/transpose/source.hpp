#pragma once
// policy + variant -> the OpenCL C source of a transposition. Needs no device.

#include <algorithm>
#include <string>
#include <utility>

#include <clprim/core/element.hpp>
#include <clprim/core/function.hpp>
#include <clprim/core/source.hpp>
#include <clprim/core/streaming_text.hpp>
#include <clprim/transpose/box_kernel.hpp>
#include <clprim/transpose/box_words_kernel.hpp>
#include <clprim/transpose/kernel.hpp>
#include <clprim/transpose/policy.hpp>
#include <clprim/transpose/turn_kernel.hpp>
#include <clprim/transpose/variant.hpp>

namespace clprim {
namespace transpose_text {

/// What every text uses.
inline void define_shared(source_builder& out) {
  out.define("EACH", "_Pragma(\"unroll\")");
  // Blocks are arrays that only registers should hold; LLVM leaves large functions alone.
  out.define("INLINE", "inline __attribute__((always_inline))");
  out.define("UNUSED", "__attribute__((unused))");  // in some variants of a text
}

/// Whether elements arrive as they are, bit by bit.
inline bool moves_only(const transpose_variant& v, const function& map) {
  return !v.conjugate && !v.scaled && map.empty() && v.in == v.out;
}

/// map_value(value, row, column): the caller's function, before any of the macros, so that it may
/// use their names; and what its types need.
inline void write_map(source_builder& out, const transpose_variant& v, const function& map) {
  if (moves_only(v, map)) return;
  if (v.in.needs_fp64 || v.out.needs_fp64)
    out.line("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
  if (v.in.is_half || v.out.is_half) out.line(half_helpers);
  if (map.empty()) return;
  const std::string unused = "__attribute__((unused))";
  out.line("inline " + std::string(v.out.name) + " map_value(const " + std::string(v.in.name) +
           " value, const int row " + unused + ", const int column " + unused +
           parameter_list(map) + ")\n{\n" + map.body + "\n}");
}

/// What happens to an element on its way: conjugation, scale, user text, cast, in this order.
inline void define_conversion(source_builder& out, const transpose_variant& v,
                              const function& map) {
  const std::string in_name(v.in.name), out_name(v.out.name);
  const std::string scale = v.scaled ? ", const " + in_name + " scale" : "";
  const function user = carried(map);
  out.define("CONVERT_PARAMETERS", scale + parameter_list(user));
  out.define("CONVERT_ARGUMENTS", (v.scaled ? ", scale" : "") + call_list(user));
  const std::string places = v.by_columns ? "r, c" : "c, r";
  if (moves_only(v, map)) {
    out.define("CONVERT(bits, r, c)", "(bits)");
    out.define("CONVERT_RUN(run, r, c)", "(run)");
    return;
  }
  std::string text =
      "INLINE OUT_STORED convert_one(const IN_STORED bits, const int row UNUSED, const int "
      "column UNUSED CONVERT_PARAMETERS)\n{\n    " +
      in_name + " value = " + value_of_bits(v.in, "bits") + ";\n";
  if (v.conjugate && v.in.is_complex) text += "    value.y = -value.y;\n";
  if (v.scaled) {
    text += v.in.is_complex ? "    value = (" + in_name +
                                  ")(value.x * scale.x - value.y * scale.y, "
                                  "value.x * scale.y + value.y * scale.x);\n"
                            : std::string("    value = value * scale;\n");
  }
  const std::string done = map.empty() ? converted(v.in, v.out, "value")
                                       : "map_value(value, row, column" + call_list(user) + ")";
  text += "    const " + out_name + " done = " + done + ";\n    return " +
          bits_of_value(v.out, "done") + ";\n}";
  out.line(text);
  out.define("CONVERT(bits, r, c)", "convert_one(bits, " + places + " CONVERT_ARGUMENTS)");
  if (v.box.words.in > 0) return;  // converts by elements alone
  const std::string at = v.by_columns ? "r, c + e" : "c + e, r";
  out.line(
      "INLINE OUT_RUN convert_run(const IN_RUN run, const int r UNUSED, const int c UNUSED "
      "CONVERT_PARAMETERS)\n{\n    IN_STORED from[V];\n    OUT_STORED to[V];\n    "
      "UNPACK_IN(from, run)\n    EACH for (int e = 0; e < V; ++e) to[e] = convert_one(from[e],"
      " " +
      at + " CONVERT_ARGUMENTS);\n    return PACK(to);\n}");
  out.define("CONVERT_RUN(run, r, c)", "convert_run(run, r, c CONVERT_ARGUMENTS)");
}

/// The steps that turn a block of V x V in registers: step s exchanges, between runs i and i + s,
/// the elements in whose place the bit s is wrong.
inline void define_turn(source_builder& out, const bits_text& run, int vector) {
  std::string steps;
  for (int s = 1; s < vector; s *= 2) {
    const std::string n = std::to_string(s);
    const auto low = [s](int e) {
      return (e & s) == 0 ? std::pair("(a)", e) : std::pair("(b)", e - s);
    };
    const auto high = [s](int e) {
      return (e & s) == 0 ? std::pair("(a)", e + s) : std::pair("(b)", e);
    };
    out.define("TURN_LOW_" + n + "(a, b)", run.shuffle(low));
    out.define("TURN_HIGH_" + n + "(a, b)", run.shuffle(high));
    steps += "EACH for (int i = 0; i < V; ++i) if ((i & " + n + ") == 0) { " +
             "const OUT_RUN a = block[i], b = block[i + " + n + "]; block[i] = TURN_LOW_" + n +
             "(a, b); block[i + " + n + "] = TURN_HIGH_" + n + "(a, b); } ";
  }
  out.define("TURN_STEPS", steps);
}

/// The axes beside the tiled two: the first one runs fastest over the groups.
inline void define_outer(source_builder& out, const transpose_variant& v) {
  std::string parameters, arguments, steps;
  for (int a = 0; a < v.outer; ++a) {
    const std::string n = std::to_string(a);
    const auto side = [&](const std::string& name, bool offsets) {
      const std::string step = name + "_step" + n;
      parameters += (offsets ? ", const __global long *" : ", const long ") + step;
      arguments += ", " + step;
      return "*" + name + "_offset += " + (offsets ? step + "[place]; " : "place * " + step + "; ");
    };
    parameters += ", const uint extent" + n + " UNUSED";
    arguments += ", extent" + n;
    const bool last = a + 1 == v.outer;
    steps += "{ const uint place = " + (last ? std::string("rest") : "rest % extent" + n) + "; ";
    steps += side("in", a == 0 && v.in_offsets);
    steps += side("out", a == 0 && v.out_offsets);
    steps += last ? "} " : "rest /= extent" + n + "; } ";
  }
  out.define("OUTER", v.outer);
  out.define("OUTER_PARAMETERS", parameters);
  out.define("OUTER_ARGUMENTS", arguments);
  out.define("OUTER_STEPS", steps);
}

/// How runs are read from global memory and written there.
inline void define_accesses(source_builder& out, const transpose_policy& p,
                            const transpose_variant& v, const transpose_geometry& g) {
  const bits_text in(v.in.bytes, g.vector), run(v.out.bytes, g.vector),
      wide(v.out.bytes, g.out_vector);
  out.define("IN_STORED", bits_text(v.in.bytes, 1).type());
  out.define("OUT_STORED", bits_text(v.out.bytes, 1).type());
  out.define("IN_RUN", in.type());
  out.define("OUT_RUN", run.type());
  const bool words = v.box.words.in > 0;
  out.define("OUT_WIDE", words ? word_type(v.out.bytes * g.out_vector) : wide.type());
  out.define("PACK(from)", run.pack("from"));
  out.define("UNPACK(into, run)", wide.unpack("into", "run"));
  out.define("UNPACK_RUN(into, run)", run.unpack("into", "run"));
  out.define("UNPACK_IN(into, run)", in.unpack("into", "run"));
  out.define("WORDS", static_cast<int>(g.words));
  out.define("RUN_WHOLE(left)", g.words ? "false" : "(left) >= V");
  if (g.words && !words) out.text(word_reads);
  out.define("READ_RUN(p)", g.words && !g.in_aligned ? "as_" + in.type() + "(read_word(p))"
                                                     : in.load("p", g.in_aligned, "__global"));
  if (p.prefetch && v.prefetch) {
    // Once for every line of 64 bytes. The built-in takes a private pointer, which on a CPU is like
    // any other.
    const int runs = std::max(1, 64 / (g.vector * v.in.bytes));
    out.define("FETCH_NEXT(p, bc)",
               "if ((bc) % " + std::to_string(runs) +
                   " == 0) __builtin_prefetch((const void *)(size_t)((p) + TILE_COLS));");
  } else {
    out.define("FETCH_NEXT(p, bc)", "");
  }
  const int bytes = g.out_vector * v.out.bytes;
  const bool streaming = p.streaming && g.out_aligned;
  if (streaming && v.ptx && streaming_text::has(bytes)) {
    const streaming_text past(bytes);
    out.define("WRITE_RUN(p, run)",
               "write_streaming((__global " + past.type() + " *)(p), as_" + past.type() + "(run))");
    out.line(past.writer());
    return;
  }
  out.define("WRITE_RUN(p, run)", words ? "*(__global OUT_WIDE *)(p) = run"
                                        : wide.store("p", "run", g.out_aligned, "__global"));
  if (!streaming) return;
  out.line(
      "#ifdef __has_builtin\n#if __has_builtin(__builtin_nontemporal_store)\n"
      "#undef WRITE_RUN\n#define WRITE_RUN(p, run) "
      "__builtin_nontemporal_store(run, (__global OUT_WIDE *)(p))\n#endif\n#endif");
}

/// The tile in local memory, if there is one.
inline void define_pool(source_builder& out, const transpose_policy& p, const transpose_variant& v,
                        const transpose_geometry& g) {
  const bool local = g.pool > 0;
  const std::string type = g.by_elements ? "OUT_STORED" : "OUT_RUN";
  out.define("POOL", g.pool);
  out.define("POOL_DECLARATION",
             !local ? ""
                    : "__local " + type + " pool[" +
                          std::to_string(v.task == transpose_task::swap ? 2 : 1) + " * POOL]" +
                          (g.words ? " __attribute__((aligned(4)))" : "") + ";");
  out.define("POOL_PARAMETER", local ? ", __local " + type + " *pool" : "");
  out.define("POOL_ARGUMENT", local ? ", pool" : "");
  if (g.by_elements) {
    const int runs = p.tile_rows / g.out_vector;
    const bits_text run(v.out.bytes, g.vector), wide(v.out.bytes, g.out_vector);
    out.define("PITCH", g.pitch);
    out.define("PIECE", g.piece);
    out.define("ROW_PLACE(x)",
               "((x) * PITCH" + (g.words ? " + (x) / 32 * " + std::to_string(g.vector) : "") + ")");
    out.define("RUNS_Y", runs);
    out.define("STEP_X", std::max(1, p.items / runs));
    out.define("STEP_Y", std::min(p.items, runs));
    out.define("READ_POOL(p)", g.words ? "as_" + wide.type() + "(read_local_word(p))"
                                       : wide.load("p", false, "__local"));
    out.define("WRITE_POOL(p, run)", run.store("p", "run", g.words, "__local"));
    out.define("FILL_POOL",
               "fill_pool(pool, in, (INDEX)in_pitch, item, inside_r, inside_c, r0, c0 "
               "CONVERT_ARGUMENTS);");
  } else if (local) {
    const std::string twist =
        g.twist == 1 ? "(block)" : "((block) * " + std::to_string(g.twist) + ")";
    const std::string column = p.banks == bank_strategy::swizzle
                                   ? "((y) ^ (" + twist + " & " + std::to_string(g.pitch - 1) + "))"
                                   : "(y)";
    out.define("SLOT(x, block, y)",
               "((x) * " + std::to_string(g.pitch) + " + " +
                   (g.skew > 0 ? "(block) * " + std::to_string(g.skew) + " + " : "") + column +
                   ")");
  }
}

/// What the frame needs to know of the task's tiles, and the sizes of the geometry.
inline void define_sizes(source_builder& out, const transpose_policy& p, const transpose_variant& v,
                         const transpose_geometry& g) {
  const bool strips = v.narrow > 0;
  out.define("V", g.vector);
  out.define("W", g.out_vector);
  out.define("LEAD", g.lead);
  out.define("IN_EXACT", static_cast<int>(g.in_exact));
  out.define("OUT_EXACT", static_cast<int>(g.out_exact));
  out.define("EXCHANGE_LOCAL", static_cast<int>(g.pool > 0));
  out.define("BLOCKS", g.blocks);
  out.define("BLOCKS_R", g.blocks_r);
  out.define("BLOCKS_C", g.blocks_c);
  out.define("HELD", g.held);
  out.define("RUNS", g.runs);
  define_shared(out);
  out.define("BLOCK_LOOP", g.runs <= 32 ? "EACH" : "");
  out.define("INDEX", v.wide ? "long" : "int");
  out.define("RESTRICT", v.task == transpose_task::swap ? "" : "restrict");
  out.define("TILED_ROWS(rows, cols)", strips ? (v.narrow_in ? "(rows)" : "(cols)")
                                              : "((rows) + " + std::to_string(g.piece - 1) + ")");
  out.define("TILED_COLS(cols)", strips ? "1" : "(cols)");
  out.define("TILES(tiles_r, tiles_c)", v.task == transpose_task::swap
                                            ? "((tiles_r + 1) / 2 * (tiles_r + 1))"
                                            : "(tiles_r * tiles_c)");
  if (!strips) return;
  out.define("NARROW", v.narrow);
  out.define("NARROW_IN", static_cast<int>(v.narrow_in));
  out.define("STRIPS", p.tile_rows / p.items / g.vector);
}

/// What the group does with its tile.
inline void write_task(source_builder& out, const transpose_policy& p, const transpose_variant& v,
                       const transpose_geometry& g) {
  if (v.task == transpose_task::lines) {
    out.text(move_lines);
    return;
  }
  if (v.narrow > 0) {
    out.text(move_strips);
    return;
  }
  if (v.task == transpose_task::swap || p.exchange != tile_exchange::elements)
    out.text(block_accesses);
  if (v.task == transpose_task::swap) {
    out.text(swap_tiles);
  } else if (g.by_elements) {
    out.text(p.exchange == tile_exchange::elements ? fill_by_runs : fill_by_blocks);
    out.text(through_elements);
  } else {
    out.text(g.pool > 0 ? through_runs : directly);
  }
}

}  // namespace transpose_text

/// The OpenCL C source of a transposition under policy `p` for the variant `v`: kernel `transpose`.
/// `map` is the body of a function of `value` (the arithmetic type of the input), int row, int
/// column (of the caller's output) that returns the value to store. Throws policy_error when `p`
/// breaks a rule.
inline std::string transpose_source(const transpose_policy& p, const transpose_variant& v,
                                    const function& map = {}) {
  using namespace transpose_text;
  check_rules(p);
  const transpose_geometry g = geometry_of(p, v);
  source_builder out;
  out.banner("clprim transposition of elements of " + std::to_string(v.in.bytes) + " bytes\n" +
             to_string(p));
  write_map(out, v, map);
  out.define_policy(p);
  define_sizes(out, p, v, g);
  define_accesses(out, p, v, g);
  if (v.box.rank > 0) {
    out.define("POOL", g.pool);
    define_outer(out, v);
    define_conversion(out, v, map);
    if (v.box.words.in > 0) {
      define_box_words(out, p, v, g);
      out.text(move_words);
    } else {
      define_box(out, p, v, g);
      out.text(move_box);
    }
    return out.str();
  }
  define_pool(out, p, v, g);
  define_turn(out, bits_text(v.out.bytes, g.vector), g.vector);
  define_outer(out, v);
  define_conversion(out, v, map);
  out.text(run_accesses);
  out.text(tile_places);
  write_task(out, p, v, g);
  out.text(frame);
  return out.str();
}

}  // namespace clprim
