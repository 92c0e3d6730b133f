#pragma once
// policy + variant -> the OpenCL C source of a convolution. Needs no device.

#include <string>

#include <clprim/convolve/kernel.hpp>
#include <clprim/convolve/kernel_line_buffer.hpp>
#include <clprim/convolve/kernel_object.hpp>
#include <clprim/convolve/kernel_ring.hpp>
#include <clprim/convolve/kernel_rows.hpp>
#include <clprim/convolve/kernel_tile.hpp>
#include <clprim/convolve/kernel_transform.hpp>
#include <clprim/convolve/variant.hpp>
#include <clprim/core/function.hpp>
#include <clprim/core/source.hpp>
#include <clprim/runtime/group_grid.hpp>

namespace clprim {
namespace convolve_text {

/// Taps, strides, dilations and borders of an axis: KX, SX, DX, X_LOWER, X_UPPER, X_FAR.
inline void define_axis(source_builder& out, const std::string& name, const convolve_axis& a) {
  out.define("K" + name, a.taps);
  out.define("S" + name, a.stride);
  out.define("D" + name, a.dilation);
  out.define(name + "_LOWER", static_cast<int>(a.border.lower));
  out.define(name + "_UPPER", static_cast<int>(a.border.upper));
  out.define(name + "_FAR", static_cast<int>(a.far));
}

/// Where the coefficients come from: CW of all, CX and CY of a separable filter.
inline void define_filter(source_builder& out, const convolve_policy& p, const convolve_variant& v,
                          const std::string& literals) {
  const std::string sum(v.sum.name), count = std::to_string(v.taps());
  std::string parameter, element;
  if (p.filter == filter_place::literals) {
    out.line("__constant " + sum + " filter_taps[" + count + "] = {" + literals + "};");
    element = "filter_taps[";
  } else if (p.filter == filter_place::value) {
    out.line("typedef struct { " + sum + " at[" + count + "]; } filter_value;");
    parameter = ", const filter_value filter_taps";
    element = "filter_taps.at[";
  } else {
    const bool constant = p.filter == filter_place::constant;
    parameter = std::string(constant ? ", __constant " : ", const __global ") + sum +
                " *restrict filter_taps, const int filter_offset";
    element = "filter_taps[filter_offset + ";
  }
  out.define("FILTER_PARAMETERS", parameter);
  const auto along = [&](const char* taps, const char* k) {
    return v.flipped ? "(" + std::string(taps) + " - 1 - (" + k + "))" : "(" + std::string(k) + ")";
  };
  if (v.separable) {
    out.define("CX(k)", element + along("KX", "k") + "]");
    out.define("CY(k)", element + "KX + " + along("KY", "k") + "]");
  } else {
    out.define("CW(kz, ky, kx)", element + "(" + along("KZ", "kz") + " * KY + " +
                                     along("KY", "ky") + ") * KX + " + along("KX", "kx") + "]");
  }
}

/// Vectors of sums to arrays and back, loads and stores.
inline void define_accesses(source_builder& out, const convolve_variant& v,
                            const convolve_geometry& g, bool streaming) {
  const std::string sum(v.sum.name), n = std::to_string(g.vector);
  std::string pack = "(" + vector_of(sum, g.vector) + ")(", unpack;
  for (int e = 0; e < g.vector; ++e) {
    const std::string at = std::to_string(e);
    pack += (e > 0 ? ", (from)[" : "(from)[") + at + "]";
    unpack += "(into)[" + at + "] = (from)" +
              (g.vector == 1 ? "" : std::string(".s") + "0123456789abcdef"[e]) + "; ";
  }
  out.define("PACK(from)", g.vector == 1 ? "(from)[0]" : pack + ")");
  out.define("UNPACK(into, from)", unpack);
  out.define("TAKE_V(p)", g.vector == 1 ? "*(p)" : "vload" + n + "(0, p)");
  out.define("KEEP_V(p, v)", g.vector == 1 ? "*(p) = v" : "vstore" + n + "(v, 0, p)");
  out.define("LOAD_ONE(p)", load(v.in, v.sum, 1, "p", true));
  out.define("LOAD_V(p)", load(v.in, v.sum, g.vector, "(p)", g.in_aligned));
  const auto way_out = [&](int width, const std::string& value) {
    return v.finish ? finished(v.out, v.sum, width, value, v.rounding) : value;
  };
  out.define("STORE_ONE(p, v)", store(v.out, 1, way_out(1, "v"), "p", true));
  out.define("STORE_V(p, v)", store(v.out, g.vector, way_out(g.vector, "v"), "(p)", g.out_aligned));
  if (streaming && g.out_aligned && g.vector > 1 && !v.out.is_half) {
    const std::string type = vector_of(std::string(v.out.name), g.vector);
    out.line(
        "#ifdef __has_builtin\n#if __has_builtin(__builtin_nontemporal_store)\n#undef STORE_V\n"
        "#define STORE_V(p, v) __builtin_nontemporal_store(" +
        way_out(g.vector, "v") + ", (__global " + type + " *)(p))\n#endif\n#endif");
  }
}

/// Copies from global to local memory past the registers. PTX ISA: 4, 8 or 16 bytes, .cg for 16.
inline void define_copies(source_builder& out, const convolve_variant& v,
                          const convolve_geometry& g) {
  out.define("COPIES", static_cast<int>(g.async));
  if (!g.async) return;
  const auto copy = [](int bytes) {
    return "asm volatile(\"cp.async." + std::string(bytes == 16 ? "cg" : "ca") +
           ".shared.global [%0], [%1], " + std::to_string(bytes) +
           ";\" :: \"r\"((uint)(size_t)(to)), \"l\"(from) : \"memory\")";
  };
  out.define("COPY_V(to, from)", copy(g.vector * v.in.bytes));
  out.define("COPY_ONE(to, from)", copy(v.in.bytes));
  out.define("AWAIT_COPIES", "asm volatile(\"cp.async.wait_all;\" ::: \"memory\");");
}

/// LOAD_WINDOW: the elements PHASE … WINDOW of a row by vectors, by narrower ones at its ends where
/// not all of a vector is needed.
inline void define_window(source_builder& out, const convolve_variant& v,
                          const convolve_geometry& g) {
  std::string text = "{ ";
  for (int begin = 0; !g.rolled && begin < g.window; begin += g.vector) {
    const auto [first, last, at, width] = detail::window_load_of(g, begin);
    const std::string name = "r" + std::to_string(begin);
    text += "const " + vector_of(std::string(v.sum.name), width) + " " + name + " = " +
            load(v.in, v.sum, width, "(p) + " + std::to_string(at), g.in_aligned) + "; ";
    for (int e = first; e < last; ++e) {
      text += "w[" + std::to_string(e) + "] = " + name +
              (width == 1 ? "" : std::string(".s") + "0123456789abcdef"[e - at]) + "; ";
    }
  }
  out.define("LOAD_WINDOW(w, p)", text + "}");
  out.define("WINDOW", g.window);
}

/// The caller's function, before any of the macros, so that it may use their names.
inline void write_map(source_builder& out, const convolve_variant& v, const function& map) {
  if (!v.finish || map.empty()) return;
  const std::string sum(v.sum.name);
  out.line("inline " + sum + " map_value(const " + sum +
           " value, const int x, const int y, const int z, const int channel, const int batch" +
           parameter_list(map) + ")\n{\n" + map.body + "\n}");
}

/// What happens to a finished sum before it is stored.
inline void define_map(source_builder& out, const convolve_variant& v, const function& map) {
  const bool mapped = v.finish && !map.empty();
  const function user = carried(map);
  out.define("MAPPED", static_cast<int>(mapped));
  out.define("USER_PARAMETERS", mapped ? parameter_list(user) : "");
  out.define("USER_ARGUMENTS", mapped ? call_list(user) : "");
  const char* const places = v.turned ? "v, x, z, y, channel, batch" : "v, x, y, z, channel, batch";
  out.define("MAP_VALUE(v, x, y, z, channel, batch)",
             mapped ? "map_value(" + std::string(places) + call_list(user) + ")" : "(v)");
}

inline void define_loops(source_builder& out, const convolve_policy& p, const convolve_variant& v,
                         const convolve_geometry& g) {
  const std::string each = "_Pragma(\"unroll\")", never = "_Pragma(\"unroll 1\")";
  const bool small = !g.rolled;
  out.define("EACH", each);
  out.define("NOT_UNROLLED", never);
  out.define("ROLLED", static_cast<int>(g.rolled));
  const bool few = v.x.taps * v.y.taps <= 25;
  out.define("EDGE_UNROLLED", static_cast<int>(few));
  out.define("EDGE_LOOP", few ? each : never);
  out.define("TAP_LOOP", small && v.x.taps * v.y.taps <= 49 ? each : never);
  out.define("KX_LOOP", v.x.taps <= (p.staged ? 1 : 7) ? each : never);
  const int own_unroll = v.x.taps * v.y.taps >= 49 ? 1 : p.in_flight;
  out.define("ROW_LOOP",
             "_Pragma(\"unroll " + std::to_string(p.unroll > 0 ? p.unroll : own_unroll) + "\")");
  const bool even = v.y.stride == 1 && v.y.dilation == 1;
  const bool phases = even && v.y.taps >= g.per_item_y && (p.staged || v.x.taps > 7);
  out.define("ROW_PHASES", static_cast<int>(phases));
  out.define("ROWS_LOOP", g.rows <= 64 ? each : never);
  // Leaving rows out pays where a row is much work. H200, 2026-11-26, 12 taps on 12650 x 929: 86.9
  // us, else 94.1; 9 taps on 8192 x 6024: 177, 182.
  out.define("SKIP", static_cast<int>(v.x.taps >= 8));
}

}  // namespace convolve_text

/// The OpenCL C source of a convolution under policy `p` for the variant `v`: kernel `convolve`.
/// `map` is the body of a function of `value` (a sum), int x, y, z, channel, batch of the output,
/// that returns the sum to be rounded and stored. `literals` are the coefficients, separated by
/// commas, for filter_place::literals. Throws policy_error when `p` breaks a rule.
inline std::string convolve_source(const convolve_policy& p, const convolve_variant& v,
                                   const function& map = {}, const std::string& literals = {}) {
  using namespace convolve_text;
  check_rules(p);
  const convolve_geometry g = geometry_of(p, v);
  source_builder out;
  out.banner("clprim convolution of " + std::to_string(v.z.taps) + " x " +
             std::to_string(v.y.taps) + " x " + std::to_string(v.x.taps) + " taps, " +
             stored_name(v.in) + " to " + stored_name(v.out) + "\n" + to_string(p));
  if (v.in.needs_fp64 || v.out.needs_fp64 || v.sum.needs_fp64)
    out.line("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
  write_map(out, v, map);
  out.define_policy(p);
  out.define("C", v.channels);
  out.define("DEEP", static_cast<int>(v.deep));
  define_axis(out, "X", v.x);
  define_axis(out, "Y", v.y);
  define_axis(out, "Z", v.z);
  out.define("STORED", stored_name(v.in));
  out.define("OUT_STORED", stored_name(v.out));
  out.define("SUM", v.sum.name);
  out.define("SUM_V", vector_of(std::string(v.sum.name), g.vector));
  out.define("MULTIPLY_ADD(a, b, c)", is_floating(v.sum) ? "fma(a, b, c)" : "((a) * (b) + (c))");
  out.define("V", g.vector);
  out.define("PX", g.per_item_x);
  out.define("PY", g.per_item_y);
  out.define("NV", g.per_item_x / g.vector);
  out.define("PHASE", g.phase);
  out.define("ROWS", g.rows);
  out.define("OFFSET(j)", v.x.stride == 1 ? "(j)" : "((j) / C * SX * C + (j) % C)");
  out.define("TAP_ROW(s, i)",
             "((s) >= (i) * SY && ((s) - (i) * SY) % DY == 0 && "
             "((s) - (i) * SY) / DY < KY)");
  std::string used = "(";
  for (int i = 0; i < g.per_item_y; ++i)
    used += (i > 0 ? " || TAP_ROW(s, " : "TAP_ROW(s, ") + std::to_string(i) + ")";
  out.define("ROW_USED(s)", used + ")");
  out.define("OUT_X", g.out_x);
  out.define("OUT_Y", g.out_y);
  out.define("GROUP_X", g.group_x);
  out.define("GROUP_Y", g.group_y);
  out.define("TILE_X", g.tile_x);
  out.define("TILE_Y", g.tile_y);
  out.define("BLOCK_X", g.block_x);
  out.define("BLOCK_Y", g.block_y);
  out.define("EXTRA", g.extra);
  out.define("EDGE_PLAN", g.edge_plan);
  out.define("REACH", g.reach);
  out.define("WINDOW_UNITS", (g.phase + g.reach + 2 * g.vector - 1) / g.vector);
  out.define("SLOTS", g.slots);
  out.define("PITCH", g.pitch);
  out.define("SEPARABLE", static_cast<int>(v.separable));
  define_grid(out, v.flat);
  define_loops(out, p, v, g);
  define_filter(out, p, v, literals);
  define_accesses(out, v, g, p.streaming);
  define_window(out, v, g);
  define_copies(out, v, g);
  define_map(out, v, map);
  define_objects(out, v);
  out.line("#define CLPRIM_INDEX_MAP inline\n" + std::string(border_text::index_map_text));
  out.text(common);
  switch (p.method) {
    case convolve_method::direct: out.text(direct_kernel); break;
    case convolve_method::tile: out.text(tile_kernel); break;
    case convolve_method::ring: out.text(ring_kernel); break;
    case convolve_method::fft: out.text(transform_kernel); break;
    case convolve_method::image: out.text(object_kernel); break;
    case convolve_method::line_buffer:
      out.define("SUMS_PITCH", g.sums_pitch);
      out.text(line_buffer_kernel);
      break;
    case convolve_method::rows:
      out.text(row_helpers);
      if (!v.separable) out.text(row_sums);
      out.text(v.separable ? separable_rows_kernel : p.staged ? rows_kernel : unstaged_rows_kernel);
      break;
  }
  return out.str();
}

}  // namespace clprim
