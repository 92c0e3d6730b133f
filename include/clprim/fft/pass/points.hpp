#pragma once
// The seams READ and WRITE of one point: its type in memory, the user's functions, the caches;
// strides, real values, padding, borders, factors. And where the transforms of a group begin.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <clprim/core/border.hpp>
#include <clprim/core/element.hpp>
#include <clprim/core/function.hpp>
#include <clprim/core/source.hpp>
#include <clprim/core/streaming_text.hpp>
#include <clprim/fft/codelet/codelet.hpp>
#include <clprim/fft/pass/points_text.hpp>
#include <clprim/fft/plan/pass.hpp>
#include <clprim/fft/plan/step.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim::fft_text {

/// Whether elements of a side are moved as they are, pairs or complex numbers alike; `step` is that
/// of its points.
inline bool is_plain(const fft_pass& p, const fft_side& s, std::int64_t step) {
  const bool same = !s.type.is_half && s.type.needs_fp64 == p.is_double && s.user.empty() &&
                    !s.split && s.type.is_complex != s.real();
  return same && (s.real() ? s.kind == fft_form::real_pairs && step == 2
                           : s.kind != fft_form::half_spectrum);
}
/// Of the input, whose points are not made of two elements.
inline bool plain_input(const fft_pass& p) {
  return is_plain(p, p.read, p.along.in.step) && !p.read.halves();
}

/// What holds of a pass, as the sections of its texts ask for it; `by_items`: of that shape.
inline text_facts facts_of(const fft_pass& p, bool by_items) {
  constexpr std::array<std::string_view, 7> in{"complex_points", "real_points",   "real_pairs",
                                               "real_rows",      "half_spectrum", "spectrum_pairs",
                                               "spectrum_rows"},
      out{"to_points", "to_reals",      "to_pairs",    "to_rows",
          "folded",    "half_of_pairs", "half_of_rows"};
  constexpr std::array<std::string_view, 3> method{"direct", "bluestein", "rader"};
  return {in[static_cast<std::size_t>(p.read.kind)], out[static_cast<std::size_t>(p.write.kind)],
          method[static_cast<std::size_t>(p.method)], fact(p.two_rows(), "two_rows"),
          // Values are read as they are, and scaled when all are there.
          fact(by_items && p.read.kind == fft_form::real_rows, "later"),
          fact(!p.axes.empty(), "axes"), fact(p.read.outside.any(), "outside"),
          fact(p.read.swapped, "read_swapped"), fact(p.read.factor != no_table, "read_factor"),
          fact(p.write.swapped, "write_swapped"), fact(p.write.factor != no_table, "write_factor"),
          fact(p.outer.front().out.place != 0, "each_place"),
          fact(p.write.scale != 1, "write_scaled"), fact(p.turn != 0, "turn"),
          fact(p.backwards, "backwards"), fact(p.spectrum != no_table, "own_spectra")};
}

/// The OpenCL C type of what lies in memory on a side, and of the values that are made of that.
inline std::string stored_type(const fft_side& s) {
  if (s.type.is_half) return "half";
  if (s.split) return real_type(s.type.needs_fp64);
  return s.type.name.empty() ? bits_text(s.type.bytes, 1).type() : std::string(s.type.name);
}
inline std::string value_type(const fft_pass& p, const fft_side& s) {
  return real_type(p.is_double) + (s.real() ? "" : "2");
}

/// The user's function of a side with its parameters as kernels carry them.
inline function carried_function(const fft_pass& p, const fft_side& s) {
  return carried(s.user, &s == &p.read ? "user_load_" : "user_store_");
}
/// Parameters of a kernel behind the usual ones, as they are declared and passed on: those of the
/// user's function, and the imaginary parts of split arrays, as far behind the real ones.
struct more_parameters {
  std::string declared, passed;
};
inline more_parameters more_of(const fft_pass& p, const fft_side& s) {
  const bool in = &s == &p.read;
  const function f = carried_function(p, s);
  if (!s.split) return {parameter_list(f), call_list(f)};
  const std::string side = in ? "in" : "out";
  return {cat(", __global ", in ? "const " : "", stored_type(s), " *", side,
              "_imaginary, const long ", side, "_further", parameter_list(f)),
          cat(", ", side, "_imaginary, ", side, "_further", call_list(f))};
}

/// load_value, store_value: the user's functions, before any of the macros, so that they may use
/// their names.
inline void write_functions(source_builder& out, const fft_pass& p) {
  const auto write = [&](const function& f, const std::string& head, const std::string& from) {
    if (f.empty()) return;
    out.line(cat("inline ", head, "(const ", from, " value, const long index", parameter_list(f),
                 ")\n{\n", f.body, "\n}"));
  };
  write(p.read.user, value_type(p, p.read) + " load_value", std::string(p.read.type.name));
  write(p.write.user, std::string(p.write.type.name) + " store_value", value_type(p, p.write));
}

/// read_element(in, at, index): the value of an element, through the user's function where there
/// is one; write_element(out, at, index, value). `past` tells which of them go past the caches;
/// `name` is the pass's own part of the names.
inline void define_elements(source_builder& out, const fft_pass& p, fft_streaming past,
                            const std::string& name) {
  const auto goes_past = [&](const fft_side& s, fft_streaming half) {
    return (past == half || past == fft_streaming::both) && !s.split && !s.type.is_half &&
           !s.type.name.empty() && streaming_text::has(s.type.bytes);
  };
  const bool lines = past == fft_streaming::lines && goes_past(p.read, past),
             reads_past = lines || goes_past(p.read, fft_streaming::loads),
             writes_past = goes_past(p.write, fft_streaming::stores);
  const streaming_text reads(p.read.type.bytes, lines ? whole_lines : past_caches),
      writes(p.write.type.bytes);
  if (reads_past) out.line(reads.reader(name + "_read"));
  if (writes_past) out.line(writes.writer(name + "_write"));
  const auto write = [&](const fft_side& s, const streaming_text& run, bool goes,
                         const kernel_text& text) {
    out.text(text,
             {{"PASS", name},
              {"TYPE", std::string(s.type.name)},
              {"VALUE", value_type(p, s)},
              {"RUN", run.type()},
              {"ARGUMENTS", call_list(carried_function(p, s))}},
             {},
             {fact(s.split, "split"), fact(s.type.is_half, "half"),
              fact(s.type.is_complex, "complex"), fact(goes, "past"), fact(!s.user.empty(), "user"),
              fact(!s.real() && !s.type.is_complex, "widened")});
  };
  write(p.read, reads, reads_past, read_element_text);
  write(p.write, writes, writes_past, write_element_text);
}

inline std::string in_long(std::int64_t n) { return cat("((long)", n, ")"); }

/// Of a pass whose transforms are two rows each: what its texts name beside the usual.
/// `later`: values are read as they are, and scaled when all are there.
inline void define_rows(source_builder& out, const fft_pass& p, bool later) {
  const bool in = p.two_rows(), real = p.read.kind == fft_form::real_rows;
  out.define("SCALES_PARAMETER", in ? ", const R2 scales" : "");
  out.define("SCALES_ARGUMENT(c)", !in ? "" : later ? ", (R2)(1, BOTH(c) ? 1 : 0)" : ", SCALES(c)");
  const bool apart = p.write.kind == fft_form::real_rows;
  out.define("UNSCALES_PARAMETER", apart ? ", const R2 unscales" : "");
  out.define("UNSCALES_ARGUMENT(c)", apart ? ", UNSCALES(c)" : "");
  if (!in) return;
  out.define("IN_SECOND", in_long(p.read.second.step));
  out.define("IN_INDEX_SECOND", in_long(p.read.second.index));
  out.define("OUT_SECOND", in_long(p.write.second.step));
  out.define("OUT_INDEX_SECOND", in_long(p.write.second.index));
  const std::int64_t values = real ? p.length : p.length / 2 + 1;
  out.define("ROW_VALUES", p.read.points > 0 ? std::min(values, p.read.points) : values);
  out.define("NO_EXPONENT", p.is_double ? "2047u" : "255u");
  out.define("EXPONENT_BITS(x)", p.is_double ? "(uint)(as_ulong(x) >> 52)" : "(as_uint(x) >> 23)");
  out.define("POWER_OF_2(e)", p.is_double ? "as_double((ulong)(e) << 52)" : "as_float((e) << 23)");
  out.define(
      "ROW_EXPONENT(x)",
      real ? "EXPONENT(x)" : "max(EXPONENT(x.x), n == 0 || 2 * n == LENGTH ? 0 : EXPONENT(x.y))");
  std::string both = "(1)";
  for (std::size_t a = 0; a < p.outer.size(); ++a)
    if (p.outer[a].odd)
      both = cat("(", a == 0 ? "first + (c)" : numbered("o", a), " + 1 < ",
                 a + 1 == p.outer.size() ? "extent" : std::to_string(p.outer[a].extent), ")");
  out.define("BOTH(c)", both);
}

/// Types, steps, sizes, the functions above, read_point and write_point under the pass's own names,
/// and the frame; `pair_roots` is where the factors of the real transforms by pairs stand.
inline void define_prelude(source_builder& out, const fft_pass& p, std::int64_t pair_roots,
                           fft_streaming past, const std::string& name = "pass",
                           bool by_items = true) {
  const bool fp64 = p.is_double || p.read.type.needs_fp64 || p.write.type.needs_fp64;
  if (fp64) out.line("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
  write_functions(out, p);
  out.define("R", real_type(p.is_double));
  out.define("R2", real_type(p.is_double) + "2");
  // Of two passes in one kernel, one reads what the other writes.
  out.define("RESTRICT", p.aliased || name != "pass" ? "" : "restrict");
  out.define("LENGTH", p.length);
  out.define("WHOLE", p.whole);
  for (const fft_side* const s : {&p.read, &p.write}) {
    const bool in = s == &p.read;
    const std::string side = in ? "IN" : "OUT", user = in ? "LOAD" : "STORE";
    const fft_stride& along = in ? p.along.in : p.along.out;
    const fft_stride& across = in ? p.outer.front().in : p.outer.front().out;
    const more_parameters more = more_of(p, *s);
    out.define(side, stored_type(*s));
    if (in) out.define("IN_VALUE", value_type(p, *s));
    out.define(side + "_STEP", in_long(along.step));
    out.define(side + "_PLACE", along.place);
    out.define(side + "_INDEX", in_long(along.index));
    out.define(side + "_ACROSS", across.step);
    out.define(side + "_PLACE_ACROSS", across.place);
    out.define(side + "_INDEX_ACROSS", across.index);
    out.define(side + "_POINTS", s->points);
    out.define(side + "_FACTOR", s->factor);
    out.define(user + "_PARAMETERS", more.declared);
    out.define(user + "_ARGUMENTS", more.passed);
  }
  if (!p.axes.empty()) {
    out.define("ROW_POINTS", p.axes.back());
    std::string mirrored;  // the row of the mirrored numbers
    std::int64_t step = 1;
    for (std::size_t a = p.axes.size() - 1; a-- > 0; step *= p.axes[a])
      append(mirrored, mirrored.empty() ? "(" : " + ", "(", p.axes[a], " - (row) / ", step, " % ",
             p.axes[a], ") % ", p.axes[a], " * ", step);
    out.define("MIRRORED(row)", mirrored + ")");
  }
  // What has a factor is what is written, but for values that others are made of.
  const bool folded = p.write.kind == fft_form::half_spectrum,
             whole = folded || p.write.kind == fft_form::half_of_rows;
  out.define("OUT_PLACES",
             p.write.points > 0 && !whole ? p.write.points : p.length * p.along.out.place);
  if (folded) {
    out.define("OUT_FOLD", p.write.fold);
    out.define("FOLDED_PART", p.write.swapped ? "x" : "y");
  }
  out.define("PAIR_ROOTS", pair_roots);
  define_elements(out, p, past, name);
  const replacements words{{"PASS", name}};
  if (p.read.outside.any()) {
    out.define("BORDER_LOWER", static_cast<int>(p.read.outside.sides.lower));
    out.define("BORDER_UPPER", static_cast<int>(p.read.outside.sides.upper));
    out.define("OUTSIDE_BEFORE", p.read.outside.before);
    out.define("OUTSIDE_AFTER", p.read.outside.after);
    out.define("READ_PART", p.read.kind == fft_form::complex_points ? "" : ".x");
    out.define("CLPRIM_INDEX_MAP", "inline");
    out.line(border_text::index_map_text);
    out.text(outside_text, words);
  }
  define_rows(out, p, by_items && p.read.kind == fft_form::real_rows);
  out.text(point_text, words, {}, facts_of(p, by_items));
}

/// Statements that find the places of group number `rest`, which counts blocks of `block`
/// transforms of the first axis; `first` is that of the block. The last axis has a run-time extent,
/// so that one kernel serves any batch.
inline std::string locate_text(const fft_pass& p, int block) {
  const std::size_t axes = p.outer.size();
  const std::int64_t blocks = (p.outer[0].extent + block - 1) / block;
  writer w(p.is_double);
  w.line("LOCATE");
  for (std::size_t a = 0; a < axes; ++a) {
    const auto& [extent, in, out, odd] = p.outer[a];
    const std::int64_t all = a == 0 ? blocks : extent;
    const std::string own = a + 1 == axes ? "rest" : cat("(rest % ", all, ")");
    const std::string at = a == 0 ? "first" : numbered("o", a);
    w.call("AXIS", at, a == 0 ? cat(own, " * ", block) : own);
    if (a + 1 < axes) w.call("NEXT_AXIS", all);
    w.call("MOVE", at, in.step, out.step, in.place, out.place, in.index, out.index);
  }
  w.call("HERE", block, axes == 1 ? "extent" : cat("(long)", p.outer[0].extent));
  return w.text;
}

/// Where the two tables of the factors between passes stand.
inline void define_turns(source_builder& out, std::int64_t at) {
  out.define("TURNS", at);
  out.define("TURNS_BITS", root_bits);
  out.define("TURNS_LOW", (1 << root_bits) - 1);
}

/// Where the factors stand that make the spectrum of pairs half a spectrum, or back.
inline std::int64_t pair_roots_of(const fft_pass& p, fft_tables& tables) {
  if (p.read.kind != fft_form::half_of_pairs && p.write.kind != fft_form::half_of_pairs) return 0;
  std::vector<wide_complex> part;
  for (std::int64_t k = 0; k <= p.length; ++k) part.push_back(wide_root(k, 2 * p.length));
  return tables.add(part);
}

}  // namespace clprim::fft_text
