#pragma once
// The text that both shapes share: types, how an element is read and written, user functions,
// where the transforms of a group lie.

#include <string>

#include <clprim/core/element.hpp>
#include <clprim/core/function.hpp>
#include <clprim/core/source.hpp>
#include <clprim/core/streaming_text.hpp>
#include <clprim/fft/codelet.hpp>
#include <clprim/fft/pass.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim {
namespace fft_text {

/// Whether elements of the input are moved as they are, pairs or complex numbers alike.
inline bool plain_input(const fft_pass& p) {
  const bool same = !p.in.is_half && p.in.needs_fp64 == p.is_double && p.load.empty();
  return same &&
         (p.input == fft_input::complex_points
              ? p.in.is_complex
              : p.input == fft_input::real_pairs && p.along.in_step == 2 && !p.in.is_complex);
}
inline bool plain_output(const fft_pass& p) {
  const bool same = !p.out.is_half && p.out.needs_fp64 == p.is_double && p.store.empty();
  if (p.output == fft_output::real_pairs) return same && p.along.out_step == 2;
  return same && p.output != fft_output::real_points && p.out.is_complex;
}

/// The OpenCL C type of an element in memory.
inline std::string stored_type(const element& e) {
  if (e.is_half) return "half";
  return e.name.empty() ? bits_text(e.bytes, 1).type() : std::string(e.name);
}

/// read_element(in, at, index): the value of an element, through the user's function where there
/// is one; write_element(out, at, index, value). `past` tells which of them go past the caches.
inline void define_elements(source_builder& out, const fft_pass& p, fft_streaming past) {
  const bool complex_in = p.input == fft_input::complex_points ||
                          p.input == fft_input::half_spectrum ||
                          p.input == fft_input::spectrum_pairs;
  const bool complex_out =
      p.output == fft_output::complex_points || p.output == fft_output::half_of_pairs;
  const std::string real = p.is_double ? "double" : "float", pair = real + "2";
  const std::string in_value = complex_in ? pair : real, out_value = complex_out ? pair : real;
  const auto parts = [](const element& e) { return e.is_complex ? 2 : 1; };

  const auto goes_past = [&](const element& e, fft_streaming half) {
    return (past == half || past == fft_streaming::both) && !e.is_half && !e.name.empty() &&
           streaming_text::has(e.bytes);
  };
  const bool lines = past == fft_streaming::lines && goes_past(p.in, past),
             past_in = goes_past(p.in, fft_streaming::loads) || lines,
             past_out = goes_past(p.out, fft_streaming::stores);
  const streaming_text read_past(p.in.bytes, lines ? whole_lines : past_caches),
      write_past(p.out.bytes);
  if (past_in) out.line(read_past.reader());
  if (past_out) out.line(write_past.writer());
  const std::string in_type = std::string(p.in.name);
  std::string text = cat("inline ", in_value,
                         " read_element(__global const IN *in, const long at, "
                         "const long index LOAD_PARAMETERS)\n{\n    const ",
                         in_type, " value = ");
  if (p.in.is_half)
    text += p.in.is_complex ? "vload_half2(0, (__global const half *)(in) + 2 * at);\n"
                            : "vload_half(at, (__global const half *)in);\n";
  else
    text += past_in ? cat("as_", in_type, "(read_streaming((__global const ", read_past.type(),
                          " *)(in + at)));\n")
                    : "in[at];\n";
  if (!p.load.empty()) {
    out.line(cat("inline ", in_value, " load_value(const ", in_type,
                 " value, const long index LOAD_PARAMETERS)\n{\n", p.load.body, "\n}"));
    text += "    return load_value(value, index LOAD_ARGUMENTS);\n}";
  } else if (complex_in && parts(p.in) == 1) {
    text += cat("    return (", pair, ")((", real, ")value, 0);\n}");
  } else {
    text += cat("    return convert_", in_value, "(value);\n}");
  }
  out.line(text);

  const std::string out_type = std::string(p.out.name);
  text = cat("inline void write_element(__global OUT *out, const long at, const long index, const ",
             out_value, " value STORE_PARAMETERS)\n{\n    const ", out_type, " done = ");
  if (!p.store.empty()) {
    out.line(cat("inline ", out_type, " store_value(const ", out_value,
                 " value, const long index STORE_PARAMETERS)\n{\n", p.store.body, "\n}"));
    text += "store_value(value, index STORE_ARGUMENTS);\n";
  } else {
    text += cat("convert_", out_type, "(value);\n");
  }
  if (p.out.is_half)
    text += p.out.is_complex ? "    vstore_half2_rte(done, 0, (__global half *)(out) + 2 * at);\n}"
                             : "    vstore_half_rte(done, at, (__global half *)out);\n}";
  else
    text += past_out ? cat("    write_streaming((__global ", write_past.type(),
                           " *)(out + at), as_", write_past.type(), "(done));\n}")
                     : "    out[at] = done;\n}";
  out.line(text);
}

/// outside(p): the place that place p of a transform reads, or -1 for zero.
inline void define_outside(source_builder& out, const fft_pass& p) {
  const auto index = [&](const std::string& i) {
    return cat("border_index((int)(", i, "), ", p.in_points, ", ",
               static_cast<int>(p.outside.sides.lower), ", ",
               static_cast<int>(p.outside.sides.upper), ", 1)");
  };
  out.define("CLPRIM_INDEX_MAP", "inline");
  out.line(convolve_text::index_map_text);
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
  out.define("LOAD_PARAMETERS", parameter_list(p.load));
  out.define("LOAD_ARGUMENTS", call_list(p.load));
  out.define("STORE_PARAMETERS", parameter_list(p.store));
  out.define("STORE_ARGUMENTS", call_list(p.store));
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

/// Statements that make in_at, out_at, … of the group number `rest`, which counts blocks of
/// `block` transforms of the first axis; `first` is that of the block. The last axis has a run-time
/// extent, so that one kernel serves any batch.
inline std::string locate_text(const fft_pass& p, int block) {
  std::string text =
      "    long in_at = in_offset, out_at = out_offset, in_place = 0, out_place = 0, "
      "in_index = 0, out_index = 0;\n";
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
      if (step != 0) text += cat("    ", name, " += ", at, " * ", step, ";\n");
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
