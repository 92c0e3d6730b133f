#pragma once
// policy + variant -> the OpenCL C source of a transposition. Needs no device.

#include <string>
#include <utility>

#include <clprim/core/element.hpp>
#include <clprim/core/function.hpp>
#include <clprim/core/source.hpp>
#include <clprim/transpose/kernel.hpp>
#include <clprim/transpose/policy.hpp>
#include <clprim/transpose/variant.hpp>

namespace clprim {
namespace transpose_text {

/// What happens to an element on its way: conjugation, scale, user text, cast, in this order.
inline void define_conversion(source_builder& out, const transpose_variant& v,
                              const function& map) {
  const std::string in_name(v.in.name), out_name(v.out.name);
  const bool moved_only = !v.conjugate && !v.scaled && map.empty() && v.in == v.out;
  const std::string scale = v.scaled ? ", const " + in_name + " scale" : "";
  out.define("CONVERT_PARAMETERS", scale + parameter_list(map));
  out.define("CONVERT_ARGUMENTS", (v.scaled ? ", scale" : "") + call_list(map));
  const std::string places = v.by_columns ? "r, c" : "c, r";
  if (moved_only) {
    out.define("CONVERT(bits, r, c)", "(bits)");
    out.define("CONVERT_RUN(run, r, c)", "(run)");
    return;
  }
  if (v.in.needs_fp64 || v.out.needs_fp64)
    out.line("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
  if (v.in.is_half || v.out.is_half) out.line(half_helpers);
  if (!map.empty()) {
    out.line("inline " + out_name + " map_value(const " + in_name +
             " value, const int row, const int column" + parameter_list(map) + ")\n{\n" + map.body +
             "\n}");
  }
  std::string text =
      "inline OUT_STORED convert_one(const IN_STORED bits, const int row, const int "
      "column CONVERT_PARAMETERS)\n{\n    " +
      in_name + " value = " + value_of_bits(v.in, "bits") + ";\n";
  if (v.conjugate && v.in.is_complex) text += "    value.y = -value.y;\n";
  if (v.scaled) {
    text += v.in.is_complex ? "    value = (" + in_name +
                                  ")(value.x * scale.x - value.y * scale.y, "
                                  "value.x * scale.y + value.y * scale.x);\n"
                            : std::string("    value = value * scale;\n");
  }
  const std::string done = map.empty() ? converted(v.in, v.out, "value")
                                       : "map_value(value, row, column" + call_list(map) + ")";
  text += "    const " + out_name + " done = " + done + ";\n    return " +
          bits_of_value(v.out, "done") + ";\n}";
  out.line(text);
  out.define("CONVERT(bits, r, c)", "convert_one(bits, " + places + " CONVERT_ARGUMENTS)");
  const std::string at = v.by_columns ? "r, c + e" : "c + e, r";
  out.line(
      "inline OUT_RUN convert_run(const IN_RUN run, const int r, const int c "
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
inline void define_outer(source_builder& out, int axes) {
  std::string parameters, arguments, steps;
  for (int a = 0; a < axes; ++a) {
    const std::string n = std::to_string(a);
    parameters +=
        ", const uint extent" + n + ", const long in_step" + n + ", const long out_step" + n;
    arguments += ", extent" + n + ", in_step" + n + ", out_step" + n;
    const bool last = a + 1 == axes;
    steps += "{ const uint place = " + (last ? std::string("rest") : "rest % extent" + n) +
             "; *in_offset += place * in_step" + n + "; *out_offset += place * out_step" + n +
             "; " + (last ? "" : "rest /= extent" + n + "; ") + "} ";
  }
  out.define("OUTER", axes);
  out.define("OUTER_PARAMETERS", parameters);
  out.define("OUTER_ARGUMENTS", arguments);
  out.define("OUTER_STEPS", steps);
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
  const bits_text in(v.in.bytes, g.vector), done(v.out.bytes, g.vector);
  const bool local = p.exchange == tile_exchange::local && v.task != transpose_task::lines;
  const bool unrolled = g.runs <= 32;

  source_builder out;
  out.banner("clprim transposition of elements of " + std::to_string(v.in.bytes) + " bytes\n" +
             to_string(p));
  out.define_policy(p);
  out.define("V", g.vector);
  out.define("EXACT", static_cast<int>(g.exact));
  out.define("EXCHANGE_LOCAL", static_cast<int>(local));
  out.define("BLOCKS", g.blocks);
  out.define("BLOCKS_R", g.blocks_r);
  out.define("BLOCKS_C", g.blocks_c);
  out.define("RUNS", p.tile_rows * p.tile_cols / g.vector / p.items);
  out.define("EACH", "_Pragma(\"unroll\")");
  out.define("BLOCK_LOOP", unrolled ? "EACH" : "");
  out.define("INDEX", v.wide ? "long" : "int");
  out.define("IN_STORED", bits_text(v.in.bytes, 1).type());
  out.define("OUT_STORED", bits_text(v.out.bytes, 1).type());
  out.define("IN_RUN", in.type());
  out.define("OUT_RUN", done.type());
  out.define("READ_RUN(p)", in.load("p", g.in_aligned, "__global"));
  out.define("WRITE_RUN(p, run)", done.store("p", "run", g.out_aligned, "__global"));
  if (p.streaming && g.out_aligned) {
    out.line(
        "#ifdef __has_builtin\n#if __has_builtin(__builtin_nontemporal_store)\n"
        "#undef WRITE_RUN\n#define WRITE_RUN(p, run) "
        "__builtin_nontemporal_store(run, (__global OUT_RUN *)(p))\n#endif\n#endif");
  }
  out.define("PACK(from)", done.pack("from"));
  out.define("UNPACK(into, run)", done.unpack("into", "run"));
  out.define("UNPACK_IN(into, run)", in.unpack("into", "run"));
  if (local) {
    out.define("POOL", g.pool);
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
  define_turn(out, done, g.vector);
  define_outer(out, v.outer);
  define_conversion(out, v, map);
  out.text(blocks);
  out.text(tile_places);
  out.text(v.task == transpose_task::turn ? turn : v.task == transpose_task::swap ? swap : lines);
  return out.str();
}

}  // namespace clprim
