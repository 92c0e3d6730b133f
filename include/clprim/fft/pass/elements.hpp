#pragma once
// How a pass reads and writes an element: its type in memory, the user's functions, the caches.

#include <string>

#include <clprim/core/element.hpp>
#include <clprim/core/function.hpp>
#include <clprim/core/source.hpp>
#include <clprim/core/streaming_text.hpp>
#include <clprim/fft/codelet/codelet.hpp>
#include <clprim/fft/plan/pass.hpp>
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

/// The user's functions under the names by which kernels carry their parameters.
inline function carried_load(const fft_pass& p) { return carried(p.load, "user_load_"); }
inline function carried_store(const fft_pass& p) { return carried(p.store, "user_store_"); }

/// Whether elements are read, and written, as complex values.
inline bool reads_complex(const fft_pass& p) {
  return p.input == fft_input::complex_points || p.input == fft_input::half_spectrum ||
         p.input == fft_input::spectrum_pairs;
}
inline bool writes_complex(const fft_pass& p) {
  return p.output == fft_output::complex_points || p.output == fft_output::half_of_pairs;
}
/// The OpenCL C type of such a value.
inline std::string value_type(const fft_pass& p, bool is_complex) {
  return cat(p.is_double ? "double" : "float", is_complex ? "2" : "");
}

/// load_value, store_value: the user's functions, before any of the macros, so that they may use
/// their names.
inline void write_functions(source_builder& out, const fft_pass& p) {
  const auto write = [&](const function& f, const std::string& to, const char* name,
                         const std::string& from) {
    if (f.empty()) return;
    out.line(cat("inline ", to, " ", name, "(const ", from, " value, const long index",
                 parameter_list(f), ")\n{\n", f.body, "\n}"));
  };
  write(p.load, value_type(p, reads_complex(p)), "load_value", std::string(p.in.name));
  write(p.store, std::string(p.out.name), "store_value", value_type(p, writes_complex(p)));
}

/// read_element(in, at, index): the value of an element, through the user's function where there
/// is one; write_element(out, at, index, value). `past` tells which of them go past the caches.
inline void define_elements(source_builder& out, const fft_pass& p, fft_streaming past) {
  const bool complex_in = reads_complex(p);
  const std::string in_value = value_type(p, complex_in),
                    out_value = value_type(p, writes_complex(p));

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
    text += "    return load_value(value, index LOAD_ARGUMENTS);\n}";
  } else if (complex_in && !p.in.is_complex) {
    text += cat("    return (", in_value, ")((", value_type(p, false), ")value, 0);\n}");
  } else {
    text += cat("    return convert_", in_value, "(value);\n}");
  }
  out.line(text);

  const std::string out_type = std::string(p.out.name);
  text = cat("inline void write_element(__global OUT *out, const long at, const long index, const ",
             out_value, " value STORE_PARAMETERS)\n{\n    const ", out_type, " done = ");
  if (!p.store.empty()) {
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

}  // namespace fft_text
}  // namespace clprim
