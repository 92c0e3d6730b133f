#pragma once
// The text that both shapes share: types, how a point is read and written, where the transforms of
// a group lie.

#include <cstdint>
#include <string>

#include <clprim/core/function.hpp>
#include <clprim/core/source.hpp>
#include <clprim/fft/codelet/codelet.hpp>
#include <clprim/fft/pass/elements.hpp>
#include <clprim/fft/plan/pass.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim {
namespace fft_text {

/// outside(p): the place that place p of a transform reads, or -1 for zero.
inline void define_outside(source_builder& out, const fft_pass& p) {
  const auto index = [&](const std::string& i) {
    return cat("border_index((int)(", i, "), ", p.in_points, ", ",
               static_cast<int>(p.outside.sides.lower), ", ",
               static_cast<int>(p.outside.sides.upper), ", 1)");
  };
  out.define("CLPRIM_INDEX_MAP", "inline");
  out.line(border_text::index_map_text);
  out.line(cat("inline long outside(const long p)\n{\n    if (p < ", p.in_points,
               ") return p;\n    if (p < ", p.in_points + p.outside.after, ") return ", index("p"),
               ";\n    return p >= ", p.whole - p.outside.before, " && p < ", p.whole, " ? ",
               index(cat("p - ", p.whole)), " : -1;\n}"));
}

/// point n of a transform that begins at element `at`, place `place`, index `index`.
inline void define_points(source_builder& out, const fft_pass& p) {
  const fft_axis& a = p.along;
  const auto read = [&](const std::string& n) {
    return cat("read_element(in, at + ", n, " * IN_STEP, index + ", n,
               " * IN_INDEX LOAD_ARGUMENTS)");
  };
  const auto guarded = [&](const std::string& n) {
    return p.in_points == 0 ? read(n)
                            : cat("(", n, " < ", p.in_points, " ? ", read(n), " : (R2)(0, 0))");
  };
  const bool mirrors = p.input == fft_input::half_spectrum || p.input == fft_input::spectrum_pairs;
  const bool outside = p.outside.any();
  if (outside) define_outside(out, p);
  std::string text =
      "inline R2 read_point(__global const IN *in, const long at, const long place, "
      "const long index, const int n, __global const R2 *factors LOAD_PARAMETERS)\n{\n";
  if (outside) {
    text +=
        cat("    const long from = outside(place + n * (long)", a.in_place, ");\n    R2 x = 0;\n");
    const bool pairs = p.input == fft_input::real_pairs;
    const auto read_at = [&](const std::string& place) {
      return cat(place, " >= 0) x", pairs || p.input == fft_input::real_points ? ".x" : "",
                 " = read_element(in, at + (", place, " - place) * ", a.in_step / a.in_place,
                 ", index + (", place, " - place) * ", a.in_index / a.in_place,
                 " LOAD_ARGUMENTS);\n");
    };
    text += "    if (" + read_at("from");
    if (pairs) {
      std::string second = read_at("next");
      second.replace(second.find("x.x"), 3, "x.y");
      text += cat("    const long next = outside(place + n * (long)", a.in_place, " + ",
                  a.in_place / 2, ");\n    if (", second);
    }
  }
  if (p.in_points > 0 && !mirrors && !outside)
    text += cat("    if (place + n * (long)", a.in_place, " >= ", p.in_points,
                ") return (R2)(0, 0);\n");
  const std::int64_t points = p.length;
  if (!outside) switch (p.input) {
      case fft_input::complex_points: text += "    R2 x = " + read("(long)n") + ";\n"; break;
      case fft_input::real_points: text += "    R2 x = (R2)(" + read("(long)n") + ", 0);\n"; break;
      case fft_input::real_pairs:
        // IN_STEP is that of a pair; an input may end in the middle of one.
        text += cat("    const long t = at + (long)n * IN_STEP, u = index + (long)n * IN_INDEX;\n",
                    "    R2 x = (R2)(read_element(in, t, u LOAD_ARGUMENTS), ",
                    p.in_points > 0 ? cat("place + n * (long)", a.in_place, " + ", a.in_place / 2,
                                          " >= ", p.in_points, " ? 0 : ")
                                    : std::string(),
                    "read_element(in, t + IN_STEP / 2, u + IN_INDEX / 2 LOAD_ARGUMENTS));\n");
        break;
      case fft_input::half_spectrum: {
        // Point g of the whole, mirrored at its middle; one place is IN_STEP / in_place elements.
        const std::int64_t step = a.in_step / a.in_place, index = a.in_index / a.in_place;
        const std::string limit = p.in_points > 0 ? cat("g < ", p.in_points, " ? ") : std::string();
        text +=
            cat("    long g = place + n * (long)", a.in_place,
                ", t = at + (long)n * IN_STEP, u = "
                "index + (long)n * IN_INDEX;\n    if (g >= ",
                p.whole, ") return (R2)(0, 0);\n    const bool mirrored = 2 * g > ", p.whole,
                ";\n    if (mirrored) { t += (", p.whole, " - 2 * g) * ", step, "; u += (", p.whole,
                " - 2 * g) * ", index, "; g = ", p.whole, " - g; }\n    R2 x = ", limit,
                "read_element(in, t, u LOAD_ARGUMENTS)", limit.empty() ? "" : " : (R2)(0, 0)",
                ";\n    if (mirrored) x.y = -x.y;\n    if (g == 0 || 2 * g == ", p.whole,
                ") x.y = 0;\n");
        break;
      }
      case fft_input::spectrum_pairs:
        // Z[n] = X[n] + conj X[M - n] + i conj(w^n) (X[n] - conj X[M - n]), w = exp(-2 pi i / 2M)
        text += cat(
            "    R2 a = ", guarded("(long)n"), ", b = ", guarded(cat("(long)(", points, " - n)")),
            ";\n    if (n == 0) a.y = b.y = 0;\n",
            "    const R2 w = factors[PAIR_ROOTS + n], s = (R2)(a.x + b.x, a.y - b.y), "
            "d = (R2)(a.x - b.x, a.y + b.y);\n",
            "    R2 x = (R2)(s.x - (d.y * w.x - d.x * w.y), s.y + (d.x * w.x + d.y * w.y));\n");
        break;
    }
  if (p.swap_in) text += "    x = x.yx;\n";
  if (p.in_factor != no_table) {
    text += cat("    const R2 f = factors[", p.in_factor, " + place + n * (long)", a.in_place,
                "];\n    x = (R2)(x.x * f.x - x.y * f.y, x.x * f.y + x.y * f.x);\n");
  }
  out.line(text + "    return x;\n}");

  text =
      "inline void write_point(__global OUT *out, const long at, const long place, const long "
      "index, const int k, R2 y, __global const R2 *factors STORE_PARAMETERS)\n{\n";
  if (p.out_points > 0)
    text += cat("    if (place + k * (long)", a.out_place, " >= ", p.out_points, ") return;\n");
  text += "    const long t = at + (long)k * OUT_STEP, u = index + (long)k * OUT_INDEX;\n";
  switch (p.output) {
    case fft_output::complex_points:
    case fft_output::half_of_pairs:
      text += "    write_element(out, t, u, y STORE_ARGUMENTS);\n";
      break;
    case fft_output::real_points:
      text += "    write_element(out, t, u, y.x STORE_ARGUMENTS);\n";
      break;
    case fft_output::real_pairs:
      text += "    write_element(out, t, u, y.x STORE_ARGUMENTS);\n";
      if (p.out_points > 0)
        text += cat("    if (place + k * (long)", a.out_place, " + ", a.out_place / 2,
                    " >= ", p.out_points, ") return;\n");
      text += "    write_element(out, t + OUT_STEP / 2, u + OUT_INDEX / 2, y.y STORE_ARGUMENTS);\n";
      break;
  }
  out.line(text + "}");
}

/// Types, steps, sizes and the functions above; `pair_roots` is where the factors of the real
/// transforms by pairs stand.
inline void define_prelude(source_builder& out, const fft_pass& p, std::int64_t pair_roots,
                           fft_streaming past = fft_streaming::none) {
  const bool fp64 = p.is_double || p.in.needs_fp64 || p.out.needs_fp64;
  if (fp64) out.line("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
  write_functions(out, p);
  out.define("R", p.is_double ? "double" : "float");
  out.define("R2", p.is_double ? "double2" : "float2");
  out.define("IN", stored_type(p.in));
  out.define("OUT", stored_type(p.out));
  out.define("RESTRICT", p.aliased ? "" : "restrict");
  const auto number = [](std::int64_t n) { return cat("((long)", n, ")"); };
  out.define("IN_STEP", number(p.along.in_step));
  out.define("OUT_STEP", number(p.along.out_step));
  out.define("IN_INDEX", number(p.along.in_index));
  out.define("OUT_INDEX", number(p.along.out_index));
  out.define("PAIR_ROOTS", pair_roots);
  const function load = carried_load(p), store = carried_store(p);
  out.define("LOAD_PARAMETERS", parameter_list(load));
  out.define("LOAD_ARGUMENTS", call_list(load));
  out.define("STORE_PARAMETERS", parameter_list(store));
  out.define("STORE_ARGUMENTS", call_list(store));
  define_elements(out, p, past);
  define_points(out, p);
}

/// The parameters of the kernel.
inline std::string kernel_parameters() {
  return "(__global const IN *RESTRICT in, const long in_offset, __global OUT *RESTRICT out,\n"
         "    const long out_offset, __global const R2 *restrict factors,\n"
         "    __global const int *restrict places, const long extent LOAD_PARAMETERS "
         "STORE_PARAMETERS)";
}

/// Whether a text has this name, which is no part of another one.
inline bool has_name(const std::string& text, const std::string& name) {
  const auto part = [&](std::size_t at) {
    return at < text.size() && (detail::is_word_character(text[at]) || text[at] == '_');
  };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
    if ((at == 0 || !part(at - 1)) && !part(at + name.size())) return true;
  return false;
}

/// Statements that make those of in_at, out_at, … that `used` names, of the group number `rest`,
/// which counts blocks of `block` transforms of the first axis; `first` is that of the block. The
/// last axis has a run-time extent, so that one kernel serves any batch.
inline std::string locate_text(const fft_pass& p, int block, const std::string& used) {
  std::string text;
  for (const char* const place :
       {"in_at", "out_at", "in_place", "out_place", "in_index", "out_index"})
    if (has_name(used, place))
      text += cat("    long ", std::string(place), " = ",
                  std::string(place) == "in_at"    ? "in_offset"
                  : std::string(place) == "out_at" ? "out_offset"
                                                   : "0",
                  ";\n");
  const std::size_t axes = p.outer.size();
  const std::string first = axes == 1 ? "extent" : cat("(long)", p.outer[0].extent);
  text += axes == 1 ? cat("    const long first = (long)rest * ", block, ";\n")
                    : cat("    const long first = (long)(rest % ",
                          (p.outer[0].extent + block - 1) / block, ") * ", block,
                          ";\n    rest /= ", (p.outer[0].extent + block - 1) / block, ";\n");
  for (std::size_t a = 0; a < axes; ++a) {
    const fft_axis& x = p.outer[a];
    std::string at = "first";
    if (a > 0) {
      at = cat("o", a);
      text += a + 1 == axes ? cat("    const long ", at, " = rest;\n")
                            : cat("    const long ", at, " = rest % ", x.extent,
                                  ";\n    rest /= ", x.extent, ";\n");
    }
    const auto add = [&](const char* name, std::int64_t step) {
      if (step != 0 && has_name(used, name))
        text += cat("    ", std::string(name), " += ", at, " * ", step, ";\n");
    };
    add("in_at", x.in_step);
    add("out_at", x.out_step);
    add("in_place", x.in_place);
    add("out_place", x.out_place);
    add("in_index", x.in_index);
    add("out_index", x.out_index);
  }
  return text + cat("    const int here = (int)min((long)", block, ", ", first, " - first);\n");
}

}  // namespace fft_text
}  // namespace clprim
