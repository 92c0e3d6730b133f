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
/// The OpenCL C type of the arithmetic's real numbers.
inline std::string real_type(bool is_double) { return is_double ? "double" : "float"; }

/// The user's functions under the names by which kernels carry their parameters.
inline function carried_load(const fft_pass& p) { return carried(p.load, "user_load_"); }
inline function carried_store(const fft_pass& p) { return carried(p.store, "user_store_"); }

/// The OpenCL C types of the values that are made of elements, and that elements are made of.
inline std::string value_in(const fft_pass& p) {
  const bool real = p.input == fft_input::real_points || p.input == fft_input::real_pairs;
  return real_type(p.is_double) + (real ? "" : "2");
}
inline std::string value_out(const fft_pass& p) {
  const bool real = p.output == fft_output::real_points || p.output == fft_output::real_pairs;
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
  write(p.load, value_in(p) + " load_value", std::string(p.in.name));
  write(p.store, std::string(p.out.name) + " store_value", value_out(p));
}

/// read_element(in, at, index): the value of an element, through the user's function where there
/// is one; write_element(out, at, index, value). `past` tells which of them go past the caches;
/// `name` is the pass's own part of the names.
inline void define_elements(source_builder& out, const fft_pass& p, fft_streaming past,
                            const std::string& name) {
  const std::string in(p.in.name), to(p.out.name);
  const auto goes_past = [&](const element& e, fft_streaming half) {
    return (past == half || past == fft_streaming::both) && !e.is_half && !e.name.empty() &&
           streaming_text::has(e.bytes);
  };
  const bool lines = past == fft_streaming::lines && goes_past(p.in, past);
  out.define("IN_VALUE", value_in(p));
  out.define("OUT_VALUE", value_out(p));
  out.define("IN_ELEMENT", in);
  out.define("OUT_ELEMENT", to);
  if (p.in.is_half) {
    out.define("FETCH_ELEMENT(p, at)", p.in.is_complex
                                           ? "vload_half2(0, (__global const half *)(p) + 2 * (at))"
                                           : "vload_half(at, (__global const half *)(p))");
  } else if (goes_past(p.in, fft_streaming::loads) || lines) {
    const streaming_text run(p.in.bytes, lines ? whole_lines : past_caches);
    out.line(run.reader(name + "_read"));
    out.define("FETCH_ELEMENT(p, at)", cat("as_", in, "(", name, "_read((__global const ",
                                           run.type(), " *)((p) + (at))))"));
  } else {
    out.define("FETCH_ELEMENT(p, at)", "(p)[at]");
  }
  if (p.out.is_half) {
    out.define("KEEP_ELEMENT(p, at, done)",
               p.out.is_complex ? "vstore_half2_rte(done, 0, (__global half *)(p) + 2 * (at))"
                                : "vstore_half_rte(done, at, (__global half *)(p))");
  } else if (goes_past(p.out, fft_streaming::stores)) {
    const streaming_text run(p.out.bytes);
    out.line(run.writer(name + "_write"));
    out.define("KEEP_ELEMENT(p, at, done)", cat(name, "_write((__global ", run.type(),
                                                " *)((p) + (at)), as_", run.type(), "(done))"));
  } else {
    out.define("KEEP_ELEMENT(p, at, done)", "(p)[at] = done");
  }
  if (!p.load.empty())
    out.define("LOADED(value, index)", "load_value(value, index LOAD_ARGUMENTS)");
  else if (value_in(p).back() == '2' && !p.in.is_complex)
    out.define("LOADED(value, index)", "(IN_VALUE)((R)value, 0)");
  else
    out.define("LOADED(value, index)", cat("convert_", value_in(p), "(value)"));
  out.define("STORED(value, index)", p.store.empty() ? cat("convert_", to, "(value)")
                                                     : "store_value(value, index STORE_ARGUMENTS)");
  out.text(element_text, {{"PASS", name}});
}

}  // namespace fft_text
}  // namespace clprim
