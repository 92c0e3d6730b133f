#pragma once
// policy + elements -> the OpenCL C source of copy and map. Needs no device.

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <clprim/copy/kernel.hpp>
#include <clprim/copy/policy.hpp>
#include <clprim/copy/variant.hpp>
#include <clprim/core/element.hpp>
#include <clprim/core/function.hpp>
#include <clprim/core/source.hpp>

namespace clprim {

/// The widest vector that every array and OpenCL's vectors of 16 allow.
inline int copy_vector(const copy_policy& p, const copy_variant& v) {
  int vector = p.vector;
  const auto narrow = [&](const copy_array& a) {
    while (vector > 1 && vector * bits_text::parts(a.type.bytes) > 16) vector /= 2;
    if (!p.unaligned) vector = std::gcd(vector, a.alignment);
    if (a.strided) vector = 1;
  };
  narrow(v.out);
  for (const copy_array& a : v.in) narrow(a);
  return vector;
}

namespace copy_text {

/// map_value(x0, x1, …, index): the caller's function or a cast, before any of the macros, so that
/// it may use their names; map_bits: the same of elements as they lie in memory, with the caller's
/// parameters under the kernel's names for them.
inline void write_map(source_builder& out, const copy_variant& v, const function& map) {
  bool fp64 = v.out.type.needs_fp64, half = v.out.type.is_half;
  const std::string unused = " __attribute__((unused))";  // by the caller's function, or any
  std::string values, parameters, bits;
  for (std::size_t n = 0; n < v.in.size(); ++n) {
    const element& type = v.in[n].type;
    const std::string i = std::to_string(n), comma = n > 0 ? ", " : "";
    fp64 = fp64 || type.needs_fp64;
    half = half || type.is_half;
    values += comma + value_of_bits(type, "b" + i);
    parameters += comma + "const " + std::string(type.name) + " x" + i + unused;
    bits += "const " + bits_text(type.bytes, 1).type() + " b" + i + ", ";
  }
  if (fp64) out.line("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
  if (half) out.line(half_helpers);
  const std::string type(v.out.type.name);
  const std::string body =
      map.empty() ? "return " + converted(v.in.front().type, v.out.type, "x0") + ";" : map.body;
  out.line("inline " + type + " map_value(" + parameters + ", const long index" + unused +
           parameter_list(map) + ")\n{\n" + body + "\n}");
  const function user = carried(map);
  out.line("inline " + bits_text(v.out.type.bytes, 1).type() + " map_bits(" + bits +
           "const long index" + parameter_list(user) + ")\n{\n    const " + type +
           " y = map_value(" + values + ", index" + call_list(user) + ");\n    return " +
           bits_of_value(v.out.type, "y") + ";\n}");
}

/// How runs of each array are read and written.
inline void define_accesses(source_builder& out, const copy_variant& v, int vector) {
  const bits_text run(v.out.type.bytes, vector);
  out.define("OUT_STORED", bits_text(v.out.type.bytes, 1).type());
  out.define("OUT_RUN", run.type());
  out.define("OUT_STRIDE", v.out.strided ? "out_stride" : "1");
  out.define("WRITE_RUN(i, run)",
             v.out.strided
                 ? "out[(i) * OUT_STRIDE] = run"
                 : run.store("out + (i)", "run", v.out.alignment % vector == 0, "__global"));
  out.define("PACK(from)", run.pack("from"));
  std::string inputs, begin;
  for (std::size_t n = 0; n < v.in.size(); ++n) {
    const copy_array& a = v.in[n];
    const std::string i = std::to_string(n), name = "in" + i;
    const bits_text from(a.type.bytes, vector);
    inputs += ", const __global " + bits_text(a.type.bytes, 1).type() + " *RESTRICT " + name +
              ", const long " + name + "_offset, const long " + name + "_stride UNUSED";
    begin += name + " += " + name + "_offset; ";
    const std::string place = a.strided ? "(i) * " + name + "_stride" : "(i)";
    out.define("AT" + i + "(i)", name + "[" + place + "]");
    out.define("IN" + i + "_RUN", from.type());
    out.define("READ" + i + "(i)",
               from.load(name + " + " + place, a.alignment % vector == 0, "__global"));
    out.define("UNPACK" + i + "(into, run)", from.unpack("into", "run"));
  }
  out.define("INPUTS", inputs);
  out.define("INPUTS_BEGIN", begin);
}

/// LOAD_ALL: the vectors of an item, all of them in flight, then what is stored of each; MAP_AT(i):
/// one element of the output.
inline void define_work(source_builder& out, const copy_variant& v, bool moved_only,
                        const function& user) {
  std::string load, one, fetched, elements;
  for (std::size_t n = 0; n < v.in.size(); ++n) {
    const std::string i = std::to_string(n), type = bits_text(v.in[n].type.bytes, 1).type();
    load += "IN" + i + "_RUN run" + i + "[PER_ITEM]; EACH for (int k = 0; k < PER_ITEM; ++k) run" +
            i + "[k] = READ" + i + "(begin + (item + k * ITEMS) * V); ";
    one += "AT" + i + "(i), ";
    fetched += type + " from" + i + "[V]; UNPACK" + i + "(from" + i + ", run" + i + "[k]) ";
    elements += "from" + i + "[e], ";
  }
  if (moved_only) {
    out.define("MAP_AT(i)", "AT0(i)");
    out.define("LOAD_ALL", load + "EACH for (int k = 0; k < PER_ITEM; ++k) done[k] = run0[k];");
    return;
  }
  out.define("MAP_AT(i)", "map_bits(" + one + "i" + call_list(user) + ")");
  out.define("LOAD_ALL",
             load + "EACH for (int k = 0; k < PER_ITEM; ++k) { " + fetched +
                 "OUT_STORED to[V]; EACH for (int e = 0; e < V; ++e) to[e] = map_bits(" + elements +
                 "begin + (item + k * ITEMS) * V + e" + call_list(user) +
                 "); done[k] = PACK(to); }");
}

}  // namespace copy_text

/// The OpenCL C source of `out[i] = map(x0[i], x1[i], …)`: kernel `map`. `map` is the body of a
/// function of x0, x1, … (their arithmetic types), long index, and its parameters. Without text
/// the first input is copied, converted where the types differ. Throws policy_error when `p`
/// breaks a rule.
inline std::string copy_source(const copy_policy& p, const copy_variant& v,
                               const function& map = {}) {
  using namespace copy_text;
  check_rules(p);
  const int vector = copy_vector(p, v);
  const bool moved_only = map.empty() && v.in.front().type == v.out.type;
  const function user = carried(map);
  source_builder out;
  out.banner("clprim map of " + std::to_string(v.in.size()) + " arrays\n" + to_string(p));
  if (!moved_only) write_map(out, v, map);
  out.define_policy(p);
  out.define("V", vector);
  out.define("EACH", "_Pragma(\"unroll\")");
  out.define("UNUSED", "__attribute__((unused))");  // strides of dense arrays
  out.define("RESTRICT", v.aliased ? "" : "restrict");
  define_accesses(out, v, vector);
  out.define("USER_PARAMETERS", parameter_list(user));
  define_work(out, v, moved_only, user);
  out.text(kernel);
  return out.str();
}

}  // namespace clprim
