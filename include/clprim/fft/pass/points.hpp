#pragma once
// The seams READ and WRITE of one point: its type in memory, the user's functions, the caches;
// strides, real values, padding, borders, factors. And where the transforms of a group begin.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <clprim/core/border.hpp>
#include <clprim/core/element.hpp>
#include <clprim/core/function.hpp>
#include <clprim/core/source.hpp>
#include <clprim/core/streaming_text.hpp>
#include <clprim/fft/codelet/codelet.hpp>
#include <clprim/fft/plan/pass.hpp>
#include <clprim/fft/plan/tables.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim::fft_text {

/// An element's way between memory and the value of a point: FETCH_ELEMENT and KEEP_ELEMENT know
/// how it is stored, LOADED and STORED what becomes of it, a conversion or the user's function.
inline constexpr kernel_text element_text = R"cl(
inline IN_VALUE PASS_read_element(__global const IN *in, const long at, const long index
                                  LOAD_PARAMETERS)
{
    const IN_ELEMENT value = FETCH_ELEMENT(in, at);
    return LOADED(value, index);
}
inline void PASS_write_element(__global OUT *out, const long at, const long index,
                               const OUT_VALUE value STORE_PARAMETERS)
{
    const OUT_ELEMENT done = STORED(value, index);
    KEEP_ELEMENT(out, at, done);
}
)cl";

/// Whether elements of the input are moved as they are, pairs or complex numbers alike.
inline bool plain_input(const fft_pass& p) {
  const bool same = !p.read.type.is_half && p.read.type.needs_fp64 == p.is_double &&
                    p.read.load.empty() && !p.read.split;
  return same && (p.read.kind == fft_input::complex_points
                      ? p.read.type.is_complex
                      : p.read.kind == fft_input::real_pairs && p.along.in.step == 2 &&
                            !p.read.type.is_complex);
}
inline bool plain_output(const fft_pass& p) {
  const bool same = !p.write.type.is_half && p.write.type.needs_fp64 == p.is_double &&
                    p.write.store.empty() && !p.write.split;
  if (p.write.kind == fft_output::real_pairs) return same && p.along.out.step == 2;
  if (p.write.kind == fft_output::folded) return false;
  return same && p.write.kind != fft_output::real_points && p.write.type.is_complex;
}

/// The OpenCL C type of an element in memory, or of one of its two parts.
inline std::string stored_type(const element& e, bool split = false) {
  if (e.is_half) return "half";
  if (split) return real_type(e.needs_fp64);
  return e.name.empty() ? bits_text(e.bytes, 1).type() : std::string(e.name);
}
/// Parameters of a kernel behind the usual ones, as they are declared and passed on: those of the
/// user's functions, and the imaginary parts of split arrays, as far behind the real ones.
struct more_parameters {
  std::string declared, passed;
};
inline more_parameters more_of(const function& user, bool split, const std::string& side,
                               const std::string& pointer) {
  const function f = carried(user, side == "in" ? "user_load_" : "user_store_");
  if (!split) return {parameter_list(f), call_list(f)};
  return {cat(", __global ", pointer, " *", side, "_imaginary, const long ", side, "_further",
              parameter_list(f)),
          cat(", ", side, "_imaginary, ", side, "_further", call_list(f))};
}
inline more_parameters more_in(const fft_pass& p) {
  return more_of(p.read.load, p.read.split, "in",
                 cat("const ", stored_type(p.read.type, p.read.split)));
}
inline more_parameters more_out(const fft_pass& p) {
  return more_of(p.write.store, p.write.split, "out", stored_type(p.write.type, p.write.split));
}

/// The OpenCL C types of the values that are made of elements, and that elements are made of.
inline std::string value_in(const fft_pass& p) {
  const bool real = p.read.kind == fft_input::real_points || p.read.kind == fft_input::real_pairs;
  return real_type(p.is_double) + (real ? "" : "2");
}
inline std::string value_out(const fft_pass& p) {
  const bool real =
      p.write.kind == fft_output::real_points || p.write.kind == fft_output::real_pairs;
  return real_type(p.is_double) + (real ? "" : "2");
}

/// load_value, store_value: the user's functions, before any of the macros, so that they may use
/// their names.
inline void write_functions(source_builder& out, const fft_pass& p) {
  const auto write = [&](const function& f, const std::string& head, const std::string& from) {
    if (f.empty()) return;
    out.line(cat("inline ", head, "(const ", from, " value, const long index", parameter_list(f),
                 ")\n{\n", f.body, "\n}"));
  };
  write(p.read.load, value_in(p) + " load_value", std::string(p.read.type.name));
  write(p.write.store, std::string(p.write.type.name) + " store_value", value_out(p));
}

/// read_element(in, at, index): the value of an element, through the user's function where there
/// is one; write_element(out, at, index, value). `past` tells which of them go past the caches;
/// `name` is the pass's own part of the names.
inline void define_elements(source_builder& out, const fft_pass& p, fft_streaming past,
                            const std::string& name) {
  const std::string in(p.read.type.name), to(p.write.type.name);
  const auto goes_past = [&](const element& e, fft_streaming half) {
    return (past == half || past == fft_streaming::both) && !e.is_half && !e.name.empty() &&
           streaming_text::has(e.bytes);
  };
  const bool lines = past == fft_streaming::lines && goes_past(p.read.type, past);
  const bool half_in = p.read.type.is_half, half_out = p.write.type.is_half;
  out.define("IN_VALUE", value_in(p));
  out.define("OUT_VALUE", value_out(p));
  out.define("IN_ELEMENT", in);
  out.define("OUT_ELEMENT", to);
  if (p.read.split) {
    out.define("FETCH_PART(p, at)", half_in ? "vload_half(at, p)" : "(p)[at]");
    out.define("FETCH_ELEMENT(p, at)",
               "(IN_ELEMENT)(FETCH_PART(p, at), "
               "FETCH_PART(in_imaginary, (at) + in_further))");
  } else if (half_in) {
    out.define("FETCH_ELEMENT(p, at)", p.read.type.is_complex
                                           ? "vload_half2(0, (__global const half *)(p) + 2 * (at))"
                                           : "vload_half(at, (__global const half *)(p))");
  } else if (goes_past(p.read.type, fft_streaming::loads) || lines) {
    const streaming_text run(p.read.type.bytes, lines ? whole_lines : past_caches);
    out.line(run.reader(name + "_read"));
    out.define("FETCH_ELEMENT(p, at)", cat("as_", in, "(", name, "_read((__global const ",
                                           run.type(), " *)((p) + (at))))"));
  } else {
    out.define("FETCH_ELEMENT(p, at)", "(p)[at]");
  }
  if (p.write.split) {
    out.define("KEEP_PART(p, at, v)", half_out ? "vstore_half_rte(v, at, p)" : "(p)[at] = v");
    out.define("KEEP_ELEMENT(p, at, done)",
               "KEEP_PART(p, at, done.x); "
               "KEEP_PART(out_imaginary, (at) + out_further, done.y)");
  } else if (half_out) {
    out.define("KEEP_ELEMENT(p, at, done)",
               p.write.type.is_complex
                   ? "vstore_half2_rte(done, 0, (__global half *)(p) + 2 * (at))"
                   : "vstore_half_rte(done, at, (__global half *)(p))");
  } else if (goes_past(p.write.type, fft_streaming::stores)) {
    const streaming_text run(p.write.type.bytes);
    out.line(run.writer(name + "_write"));
    out.define("KEEP_ELEMENT(p, at, done)", cat(name, "_write((__global ", run.type(),
                                                " *)((p) + (at)), as_", run.type(), "(done))"));
  } else {
    out.define("KEEP_ELEMENT(p, at, done)", "(p)[at] = done");
  }
  if (!p.read.load.empty())
    out.define("LOADED(value, index)",
               cat("load_value(value, index", call_list(carried(p.read.load, "user_load_")), ")"));
  else if (value_in(p).back() == '2' && !p.read.type.is_complex)
    out.define("LOADED(value, index)", "(IN_VALUE)((R)value, 0)");
  else
    out.define("LOADED(value, index)", cat("convert_", value_in(p), "(value)"));
  out.define("STORED(value, index)",
             p.write.store.empty() ? cat("convert_", to, "(value)")
                                   : cat("store_value(value, index",
                                         call_list(carried(p.write.store, "user_store_")), ")"));
  out.text(element_text, {{"PASS", name}});
}

// A place counts along the whole transform that several passes work on, an index through the
// caller's array without gaps. Point n of a transform lies n IN_STEP elements, n IN_PLACE places
// and n IN_INDEX indices behind its first one:
//
//     element  at             at + IN_STEP        at + 2 IN_STEP
//     place    place          place + IN_PLACE    …                  zero from IN_POINTS on
//     index    index          index + IN_INDEX    …                  what the user's function sees
//
// Of pairs of real values a point is two elements, and the steps are those of a pair.

/// READ: point n of the transform whose first element is at `at`; one of the texts that follow
/// makes x.
inline constexpr kernel_text read_point_head = R"cl(
#define ELEMENT(n) \
    PASS_read_element(in, at + (n) * IN_STEP, index + (n) * IN_INDEX LOAD_ARGUMENTS)
inline R2 PASS_read_point(__global const IN *in, const long at, const long place,
                          const long index, const int n, __global const R2 *factors
                          LOAD_PARAMETERS)
{
)cl";
inline constexpr kernel_text read_complex = R"cl(
    if (IN_POINTS != 0 && place + n * (long)IN_PLACE >= IN_POINTS) return (R2)(0, 0);
    R2 x = ELEMENT((long)n);
)cl";
inline constexpr kernel_text read_real = R"cl(
    if (IN_POINTS != 0 && place + n * (long)IN_PLACE >= IN_POINTS) return (R2)(0, 0);
    R2 x = (R2)(ELEMENT((long)n), 0);
)cl";
/// x[2 n] and x[2 n + 1]; an input may end in the middle of a pair.
inline constexpr kernel_text read_pairs = R"cl(
    if (IN_POINTS != 0 && place + n * (long)IN_PLACE >= IN_POINTS) return (R2)(0, 0);
    const bool ends = IN_POINTS != 0 && place + n * (long)IN_PLACE + IN_PLACE / 2 >= IN_POINTS;
    const long t = at + (long)n * IN_STEP, u = index + (long)n * IN_INDEX;
    R2 x = (R2)(PASS_read_element(in, t, u LOAD_ARGUMENTS), ends ? 0 :
                PASS_read_element(in, t + IN_STEP / 2, u + IN_INDEX / 2 LOAD_ARGUMENTS));
)cl";
/// Half a spectrum: point g of the whole of WHOLE points, mirrored at its middle; the imaginary
/// parts of its ends, which real values do not have, are not read.
inline constexpr kernel_text read_half_spectrum = R"cl(
    long g = place + n * (long)IN_PLACE, t = at + (long)n * IN_STEP, u = index + (long)n * IN_INDEX;
    if (g >= WHOLE) return (R2)(0, 0);
    const bool mirrored = 2 * g > WHOLE;
    if (mirrored) {
        t += (WHOLE - 2 * g) * (IN_STEP / IN_PLACE);
        u += (WHOLE - 2 * g) * (IN_INDEX / IN_PLACE);
        g = WHOLE - g;
    }
    R2 x = IN_POINTS == 0 || g < IN_POINTS ? PASS_read_element(in, t, u LOAD_ARGUMENTS)
                                           : (R2)(0, 0);
    if (mirrored) x.y = -x.y;
    if (g == 0 || 2 * g == WHOLE) x.y = 0;
)cl";
/// The same of several axes in one pass: point n of row n / ROW_POINTS, or its image, whose numbers
/// along all axes are those mirrored.
inline constexpr kernel_text read_half_axes = R"cl(
    const int last = n % ROW_POINTS, row = n / ROW_POINTS;
    const bool mirrored = 2 * last > ROW_POINTS;
    const long e = (mirrored ? MIRRORED(row) : row) * (long)(ROW_POINTS / 2 + 1) +
                   (mirrored ? ROW_POINTS - last : last);
    R2 x = ELEMENT(e);
    if (mirrored) x.y = -x.y;
)cl";
/// Half a spectrum X made into the spectrum Z of pairs, M being LENGTH:
/// Z[n] = X[n] + conj X[M - n] + i conj(w^n) (X[n] - conj X[M - n]), w = exp(-2 pi i / 2M)
inline constexpr kernel_text read_spectrum_pairs = R"cl(
    R2 a = IN_POINTS == 0 || n < IN_POINTS ? ELEMENT((long)n) : (R2)(0, 0);
    R2 b = IN_POINTS == 0 || LENGTH - n < IN_POINTS ? ELEMENT((long)(LENGTH - n)) : (R2)(0, 0);
    if (n == 0) a.y = b.y = 0;
    const R2 w = factors[PAIR_ROOTS + n];
    const R2 s = (R2)(a.x + b.x, a.y - b.y), d = (R2)(a.x - b.x, a.y + b.y);
    R2 x = (R2)(s.x - (d.y * w.x - d.x * w.y), s.y + (d.x * w.x + d.y * w.y));
)cl";
/// An input that goes on past its end by a border's rule. PASS_outside(p): the place that place p
/// reads, or -1 for zero.
inline constexpr kernel_text outside_text = R"cl(
#define BORDER(i) border_index((int)(i), IN_POINTS, BORDER_LOWER, BORDER_UPPER, 1)
inline long PASS_outside(const long p)
{
    if (p < IN_POINTS) return p;
    if (p < IN_POINTS + OUTSIDE_AFTER) return BORDER(p);
    return p >= WHOLE - OUTSIDE_BEFORE && p < WHOLE ? BORDER(p - WHOLE) : -1;
}
#define ELEMENT_AT(p) \
    PASS_read_element(in, at + ((p) - place) * (IN_STEP / IN_PLACE), \
                      index + ((p) - place) * (IN_INDEX / IN_PLACE) LOAD_ARGUMENTS)
)cl";
inline constexpr kernel_text read_outside = R"cl(
    const long from = PASS_outside(place + n * (long)IN_PLACE);
    R2 x = 0;
    if (from >= 0) x READ_PART = ELEMENT_AT(from);
)cl";
inline constexpr kernel_text read_second_outside = R"cl(
    const long next = PASS_outside(place + n * (long)IN_PLACE + IN_PLACE / 2);
    if (next >= 0) x.y = ELEMENT_AT(next);
)cl";
inline constexpr kernel_text read_swapped = R"cl(
    x = x.yx;  // real and imaginary parts change roles: the inverse transform
)cl";
inline constexpr kernel_text read_times_factor = R"cl(
    const R2 f = factors[IN_FACTOR + place + n * (long)IN_PLACE];
    x = (R2)(x.x * f.x - x.y * f.y, x.x * f.y + x.y * f.x);
)cl";
inline constexpr kernel_text read_point_tail = R"cl(
    return x;
}
)cl";

/// WRITE: value y of point k; one of the texts that follow stores it at t, index u.
inline constexpr kernel_text write_point_head = R"cl(
inline void PASS_write_point(__global OUT *out, const long at, const long place,
                             const long index, const int k, R2 y, __global const R2 *factors
                             STORE_PARAMETERS)
{
)cl";
inline constexpr kernel_text write_in_place = R"cl(
    if (OUT_POINTS != 0 && place + k * (long)OUT_PLACE >= OUT_POINTS) return;
    const long t = at + (long)k * OUT_STEP, u = index + (long)k * OUT_INDEX;
)cl";
/// Rows k1 to the middle of a matrix n1 x n2 of real values: value g = k1 + n1 k2 of the whole of
/// WHOLE points, or the conjugate of value WHOLE - g, whose row is not there unless it is this one.
inline constexpr kernel_text write_folded = R"cl(
    long g = place + (long)k * OUT_PLACE, t = at + (long)k * OUT_STEP,
         u = index + (long)k * OUT_INDEX;
    if (2 * g > WHOLE) {
        const int row = (int)(g % OUT_FOLD);
        if (row == 0 || 2 * row == OUT_FOLD) return;
        t += (WHOLE - 2 * g) * (OUT_STEP / OUT_PLACE);
        u += (WHOLE - 2 * g) * (OUT_INDEX / OUT_PLACE);
        g = WHOLE - g;
        y.FOLDED_PART = -y.FOLDED_PART;
    }
    if (OUT_POINTS != 0 && g >= OUT_POINTS) return;
)cl";
inline constexpr kernel_text write_complex = R"cl(
    PASS_write_element(out, t, u, y STORE_ARGUMENTS);
}
)cl";
inline constexpr kernel_text write_real = R"cl(
    PASS_write_element(out, t, u, y.x STORE_ARGUMENTS);
}
)cl";
inline constexpr kernel_text write_pairs = R"cl(
    PASS_write_element(out, t, u, y.x STORE_ARGUMENTS);
    if (OUT_POINTS != 0 && place + k * (long)OUT_PLACE + OUT_PLACE / 2 >= OUT_POINTS) return;
    PASS_write_element(out, t + OUT_STEP / 2, u + OUT_INDEX / 2, y.y STORE_ARGUMENTS);
}
)cl";

/// The parameters of every kernel; where the group, or block, `rest` begins: LOCATE and, for each
/// axis beside the points, MOVE. `here` are the transforms of the first axis that there are.
inline constexpr kernel_text frame_text = R"cl(
#define UNUSED __attribute__((unused))
#define PARAMETERS \
    __global const IN *RESTRICT in, const long in_offset, __global OUT *RESTRICT out, \
    const long out_offset, __global const R2 *restrict factors, \
    __global const int *restrict places, const long extent LOAD_PARAMETERS STORE_PARAMETERS
#define LOCATE \
    long in_at UNUSED = in_offset, out_at UNUSED = out_offset; \
    long in_place UNUSED = 0, out_place UNUSED = 0, in_index UNUSED = 0, out_index UNUSED = 0;
#define AXIS(o, number) const long o = (long)number;
#define NEXT_AXIS(extent) rest /= extent;
#define MOVE(o, step_in, step_out, place_in, place_out, index_in, index_out) \
    in_at += (o) * (step_in); out_at += (o) * (step_out); \
    in_place += (o) * (place_in); out_place += (o) * (place_out); \
    in_index += (o) * (index_in); out_index += (o) * (index_out);
#define HERE(block, extent) const int here = (int)min((long)block, extent - first);
)cl";

/// The text of READ's middle part.
inline void read_middle(source_builder& out, const fft_pass& p, const replacements& words) {
  const bool pairs = p.read.kind == fft_input::real_pairs;
  if (p.read.outside.any()) {
    out.text(read_outside, words);
    if (pairs) out.text(read_second_outside, words);
    return;
  }
  switch (p.read.kind) {
    case fft_input::complex_points: out.text(read_complex, words); break;
    case fft_input::real_points: out.text(read_real, words); break;
    case fft_input::real_pairs: out.text(read_pairs, words); break;
    case fft_input::half_spectrum:
      out.text(p.axes.empty() ? read_half_spectrum : read_half_axes, words);
      break;
    case fft_input::spectrum_pairs: out.text(read_spectrum_pairs, words); break;
  }
}

/// read_point and write_point under the pass's own names.
inline void define_points(source_builder& out, const fft_pass& p, const std::string& name) {
  const replacements words{{"PASS", name}};
  if (p.read.outside.any()) {
    out.define("BORDER_LOWER", static_cast<int>(p.read.outside.sides.lower));
    out.define("BORDER_UPPER", static_cast<int>(p.read.outside.sides.upper));
    out.define("OUTSIDE_BEFORE", p.read.outside.before);
    out.define("OUTSIDE_AFTER", p.read.outside.after);
    out.define("READ_PART", p.read.kind == fft_input::complex_points ? "" : ".x");
    out.define("CLPRIM_INDEX_MAP", "inline");
    out.line(border_text::index_map_text);
    out.text(outside_text, words);
  }
  out.text(read_point_head, words);
  read_middle(out, p, words);
  if (p.read.swapped) out.text(read_swapped);
  if (p.read.factor != no_table) out.text(read_times_factor);
  out.text(read_point_tail);
  out.text(write_point_head, words);
  out.text(p.write.kind == fft_output::folded ? write_folded : write_in_place);
  out.text(p.write.kind == fft_output::real_points  ? write_real
           : p.write.kind == fft_output::real_pairs ? write_pairs
                                                    : write_complex,
           words);
}

/// Types, steps, sizes and the functions above; `pair_roots` is where the factors of the real
/// transforms by pairs stand.
inline void define_prelude(source_builder& out, const fft_pass& p, std::int64_t pair_roots,
                           fft_streaming past, const std::string& name = "pass") {
  const bool fp64 = p.is_double || p.read.type.needs_fp64 || p.write.type.needs_fp64;
  if (fp64) out.line("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
  write_functions(out, p);
  out.define("R", real_type(p.is_double));
  out.define("R2", real_type(p.is_double) + "2");
  out.define("IN", stored_type(p.read.type, p.read.split));
  out.define("OUT", stored_type(p.write.type, p.write.split));
  // Of two passes in one kernel, one reads what the other writes.
  out.define("RESTRICT", p.aliased || name != "pass" ? "" : "restrict");
  out.define("LENGTH", p.length);
  out.define("WHOLE", p.whole);
  const auto define_strides = [&](const std::string& side, const fft_stride& along,
                                  const fft_stride& across) {
    out.define(side + "_STEP", cat("((long)", along.step, ")"));
    out.define(side + "_PLACE", along.place);
    out.define(side + "_INDEX", cat("((long)", along.index, ")"));
    out.define(side + "_ACROSS", across.step);
    out.define(side + "_PLACE_ACROSS", across.place);
    out.define(side + "_INDEX_ACROSS", across.index);
  };
  define_strides("IN", p.along.in, p.outer.front().in);
  define_strides("OUT", p.along.out, p.outer.front().out);
  if (!p.axes.empty()) {
    out.define("ROW_POINTS", p.axes.back());
    std::string mirrored;  // the row of the mirrored numbers
    std::int64_t step = 1;
    for (std::size_t a = p.axes.size() - 1; a-- > 0; step *= p.axes[a])
      append(mirrored, mirrored.empty() ? "(" : " + ", "(", p.axes[a], " - (row) / ", step, " % ",
             p.axes[a], ") % ", p.axes[a], " * ", step);
    out.define("MIRRORED(row)", mirrored + ")");
  }
  out.define("IN_POINTS", p.read.points);
  out.define("OUT_POINTS", p.write.points);
  out.define("IN_FACTOR", p.read.factor);
  out.define("OUT_FACTOR", p.write.factor);
  const bool folded = p.write.kind == fft_output::folded;
  out.define("OUT_PLACES",
             p.write.points > 0 && !folded ? p.write.points : p.length * p.along.out.place);
  if (folded) {
    out.define("OUT_FOLD", p.write.fold);
    out.define("FOLDED_PART", p.write.swapped ? "x" : "y");
  }
  out.define("PAIR_ROOTS", pair_roots);
  const more_parameters load = more_in(p), store = more_out(p);
  out.define("LOAD_PARAMETERS", load.declared);
  out.define("LOAD_ARGUMENTS", load.passed);
  out.define("STORE_PARAMETERS", store.declared);
  out.define("STORE_ARGUMENTS", store.passed);
  define_elements(out, p, past, name);
  define_points(out, p, name);
  out.text(frame_text);
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
    const auto& [extent, in, out] = p.outer[a];
    const std::int64_t all = a == 0 ? blocks : extent;
    const std::string own = a + 1 == axes ? "rest" : cat("(rest % ", all, ")");
    const std::string at = a == 0 ? "first" : cat("o", a);
    w.call("AXIS", at, a == 0 ? cat(own, " * ", block) : own);
    if (a + 1 < axes) w.call("NEXT_AXIS", all);
    w.call("MOVE", at, in.step, out.step, in.place, out.place, in.index, out.index);
  }
  w.call("HERE", block, axes == 1 ? "extent" : cat("(long)", p.outer[0].extent));
  return w.text;
}

/// Where the factors stand that make the spectrum of pairs half a spectrum, or back.
inline std::int64_t pair_roots_of(const fft_pass& p, fft_tables& tables) {
  if (p.read.kind != fft_input::spectrum_pairs && p.write.kind != fft_output::half_of_pairs)
    return 0;
  std::vector<wide_complex> part;
  for (std::int64_t k = 0; k <= p.length; ++k) part.push_back(wide_root(k, 2 * p.length));
  return tables.add(part);
}

}  // namespace clprim::fft_text
