#pragma once
// The constants and accesses that the load-tile seam of GEMM is written with.
#include <string>

#include <clprim/core/source.hpp>
#include <clprim/core/vector_text.hpp>
#include <clprim/gemm/policy.hpp>
#include <clprim/gemm/variant.hpp>

namespace clprim::gemm_text {

/// A run of a tile's elements: matrix units take them as they are stored.
inline vector_text tiled_run(const gemm_policy& p, scalar type, int width) {
  return p.instruction == gemm_instruction::fma ? vector_text{type, width}
                                                : vector_text::as_stored(type, width);
}

/// The constants of one operand's tile; `name` is "A" or "B".
inline void define_tile(source_builder& out, const std::string& name, const gemm_tile& t,
                        const gemm_policy& p, const gemm_variant& v, int fragment) {
  const auto define = [&](const char* what, auto value) { out.define(name + what, value); };
  const vector_text run = tiled_run(p, v.type, t.width), read{v.type, fragment};
  const bool blocks = p.blocks_m * p.blocks_n > 1;
  const bool loads_unrolled = !blocks && t.loads_along() * t.loads_across() <= 64;
  define("_OUTER", t.outer);
  define("_ALONG_K", static_cast<int>(t.along_k));
  define("_STAGED", static_cast<int>(t.staged));
  define("_WIDTH", t.width);
  define("_EXACT", static_cast<int>(t.exact));
  define("_LANES", t.lanes);
  define("_ROWS", t.rows);
  define("_ALONG", t.loads_along());
  define("_ACROSS", t.loads_across());
  // A tile of several register blocks is loaded as far as they read it: those beyond the edge of a
  // matrix smaller than the tile are passed over, and so is what lies before a short first step.
  const std::string panel = std::to_string(t.panel), outer = std::to_string(t.outer);
  const auto loads = [&](const char* what, bool outwards, int all, int each) {
    const std::string every = std::to_string(each);
    const std::string reached =
        "min(" + outer + ", ((inside) + " + panel + " - 1) / " + panel + " * " + panel + ")";
    define(what, blocks && v.clamped && outwards
                     ? "((" + reached + " + " + every + " - 1) / " + every + ")"
                     : std::to_string(all));
  };
  loads("_ACROSS_OF(inside)", t.along_k, t.loads_across(), t.rows);
  loads("_ALONG_OF(inside)", !t.along_k, t.loads_along(), t.lanes * t.width);
  define("_SKIPPED(first_k)",
         blocks ? "((first_k) / " + std::to_string(t.along_k ? t.lanes * t.width : t.rows) + ")"
                : std::string{"0"});
  define("_GUARDED", static_cast<int>(t.guarded_across()));
  define("_LOAD_LOOP", loads_unrolled ? "EACH" : "");
  define("_PANEL", t.panel);
  define("_SIZE", t.local_size());
  if (t.by_rows) {
    define("_SLOT_K(k)", "(k)");
    define("_SLOT_OUTER(o)", "((o) * " + std::to_string(t.depth + t.skew) + ")");
  } else {
    define("_SLOT_K(k)", "((k) * " + std::to_string(t.panel) +
                             (t.skew == 0 ? ")"
                                          : " + (k) / " + std::to_string(t.run) + " * " +
                                                std::to_string(t.skew) + ")"));
    define("_SLOT_OUTER(o)", t.panel == t.outer
                                 ? std::string{"(o)"}
                                 : "((o) / " + name + "_PANEL * " + std::to_string(t.panel_size()) +
                                       " + (o) % " + name + "_PANEL)");
  }
  if (!t.swizzled) {
    define("_SLOT(k, o)", name + "_SLOT_K(k) + " + name + "_SLOT_OUTER(o)");
  } else {
    const std::string row = t.by_rows ? "(o)" : "(k)", at = t.by_rows ? "(k)" : "(o)";
    const std::string unit = std::to_string(t.panel / 8);  // elements of 16 bytes
    define("_SLOT(k, o)",
           (t.by_rows ? "" : "(o) / " + panel + " * " + std::to_string(t.panel_size()) + " + ") +
               row + " * " + panel + " + (" + at + " % " + panel + " / " + unit + " ^ " + row +
               " % 8) * " + unit + " + " + at + " % " + unit);
  }
  define("_KEEPS_RUNS", static_cast<int>(t.keeps_runs()));
  define("_VECTOR", run.type());
  define("_READ(p)", run.load("p", t.aligned));
  define("_PACK(from)", run.pack("from"));
  define("_UNPACK(into, v)", run.unpack("into", "v"));
  // Rows of matrix units' tiles are shifted by 16 bytes or four elements, whatever an access holds.
  define("_STORE_LOCAL(p, x)",
         run.store_element("p", "x", t.aligned && t.skew % t.width == 0, "__local"));
  const bool read_aligned = !p.unaligned && t.panel % fragment == 0 && t.skew % fragment == 0;
  const std::string letter = name == "A" ? "M" : "N";
  out.define(letter + "_READ_LOCAL(p)", read.load_element("p", read_aligned, "const __local"));
  if (letter == "N")
    out.define("N_STORE_LOCAL(p, x)", read.store_element("p", "x", read_aligned, "__local"));
}

/// cp.async of one run that exists or is zeros; PTX ISA: sizes 4, 8 and 16 bytes, .cg for 16 only.
/// Matrix units are fast enough to feel the operand that says how much exists: it is left out where
/// all of the step does.
inline void define_async_copies(source_builder& out, const gemm_geometry& g, const gemm_variant& v,
                                const gemm_policy& p) {
  const auto define = [&](const std::string& name, int size) {
    const std::string n = std::to_string(size);
    const auto copy = [&](const std::string& part, const std::string& operand) {
      return std::string{"asm volatile(\"cp.async."} + (size == 16 ? "cg" : "ca") +
             ".shared.global [%0], [%1], " + n + part +
             ";\" :: \"r\"((uint)(size_t)(to)), \"l\"((ulong)(from))" + operand + " : \"memory\")";
    };
    const std::string either = copy(", %2", ", \"r\"((exists) ? " + n + " : 0)");
    out.define(name + "(to, from, all, exists)",
               p.instruction == gemm_instruction::fma
                   ? either
                   : "{ if (all) " + copy("", "") + "; else " + either + "; }");
  };
  const int bytes = facts_of(v.type).bytes;
  if (g.a.async) define("copy_run_a", bytes * g.a.width);
  if (g.b.async) define("copy_run_b", bytes * g.b.width);
  const bool any = g.a.async || g.b.async;
  const int travelling = p.stages - (p.instruction == gemm_instruction::wgmma ? 3 : 2);
  out.define("COMMIT_COPIES",
             any ? "asm volatile(\"cp.async.commit_group;\" ::: \"memory\");" : "");
  out.define("DRAIN_COPIES", any ? "asm volatile(\"cp.async.wait_all;\" ::: \"memory\");" : "");
  out.define("AWAIT_COPIES", any ? "asm volatile(\"cp.async.wait_group " +
                                       std::to_string(travelling) + ";\" ::: \"memory\");"
                                 : std::string{});
}

}  // namespace clprim::gemm_text
