#pragma once
// policy + problem kind -> the OpenCL C source of GEMM. Needs no device.
#include <string>

#include <clprim/core/function.hpp>
#include <clprim/core/source.hpp>
#include <clprim/core/vector_text.hpp>
#include <clprim/gemm/kernel.hpp>
#include <clprim/gemm/load_tile.hpp>
#include <clprim/gemm/multiplier.hpp>
#include <clprim/gemm/multiplier_mma.hpp>
#include <clprim/gemm/policy.hpp>
#include <clprim/gemm/store_tile.hpp>
#include <clprim/gemm/variant.hpp>
#include <clprim/gemm/walk.hpp>

namespace clprim {
namespace gemm_text {

/// What stands before any macro, so that the caller's names mean what the caller says: the
/// epilogue, a function of the element's arithmetic type.
inline void begin_program(source_builder& out, scalar type, const function& epilogue) {
  if (facts_of(type).needs_fp64) out.line("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
  if (epilogue.empty()) return;
  const std::string element = vector_text::element(type);
  out.line("inline " + element + " epilogue(" + element +
           " value, const int row, const int column" + parameter_list(epilogue) + ")\n{\n" +
           epilogue.body + "\n}");
}

/// One element, and its product with another.
inline void define_elements(source_builder& out, scalar type) {
  const bool is_complex = facts_of(type).is_complex;
  const vector_text one{type, 1};
  out.define("STORED", vector_text::stored(type));
  out.define("ELEMENT", vector_text::element(type));
  out.define("ZERO", "((ELEMENT)(0))");
  out.define("READ_ONE(p)", one.load("p", false));
  out.define("WRITE_ONE(p, x)", one.store("p", "x", false));
  out.define("TIMES(p, q)", is_complex ? "((ELEMENT)((p).s0 * (q).s0 - (p).s1 * (q).s1, "
                                         "(p).s0 * (q).s1 + (p).s1 * (q).s0))"
                                       : "((p) * (q))");
  out.define("NOT_ZERO(p)", is_complex ? "((p).s0 != 0 || (p).s1 != 0)" : "((p) != 0)");
}

/// A run of a tile's elements: matrix units take them as they are stored.
inline vector_text tiled_run(const gemm_policy& p, scalar type, int width) {
  return p.instruction == gemm_instruction::fma ? vector_text{type, width}
                                                : vector_text::as_stored(type, width);
}

/// Arithmetic of vectors; here and above is all that knows real from complex.
inline void define_arithmetic(source_builder& out, const gemm_policy& p, const gemm_variant& v) {
  const vector_text m{v.type, p.vector_m}, n{v.type, p.vector_n};
  define_elements(out, v.type);
  const vector_text tiled = tiled_run(p, v.type, 1);
  out.define("TILED", tiled.type());
  out.define("READ_TILED(p)", tiled.load("p", false));
  out.define("M_VECTOR", m.type());
  out.define("N_VECTOR", n.type());
  out.define("N_ZERO", "((N_VECTOR)(0))");
  out.define("M_UNPACK(into, v)", m.unpack("into", "v"));
  out.define("N_UNPACK(into, v)", n.unpack("into", "v"));
  out.define("N_PACK(from)", n.pack("from"));
  const bool c_aligned = v.c_alignment % p.vector_n == 0 && !p.unaligned;
  out.define("C_EXACT", static_cast<int>(v.c_alignment % p.vector_n == 0));
  out.define("C_READ(p)", n.load("p", c_aligned));
  out.define("C_WRITE(p, x)", n.store("p", "x", c_aligned));
  if (facts_of(v.type).is_complex) {
    out.define("CONJUGATE(p)", "((ELEMENT)((p).s0, -(p).s1))");
    out.define("CONJUGATE_RUN(p)", "((p) * " + n.alternate("1", "-1") + ")");
    // (x + iy)(u + iv) = x (u, v) + y (-v, u): the second pair is made once per run of B, not per
    // sum.
    out.define("TURNED(q)", "(" + n.exchange_parts("(q)") + " * " + n.alternate("-1", "1") + ")");
    out.define("MULTIPLY_ADD(sum, p, q)",
               "{ sum = fma((N_VECTOR)((p).s0), q, sum); "
               "sum = fma((N_VECTOR)((p).s1), TURNED(q), sum); }");
  } else {
    out.define("CONJUGATE(p)", "(p)");
    out.define("CONJUGATE_RUN(p)", "(p)");
    out.define("MULTIPLY_ADD(sum, p, q)", "sum = fma((N_VECTOR)(p), q, sum);");
  }
}

/// The constants of one operand's tile; `name` is "A" or "B".
inline void define_tile(source_builder& out, const std::string& name, const gemm_tile& t,
                        const gemm_policy& p, const gemm_variant& v, int fragment) {
  const auto define = [&](const char* what, auto value) { out.define(name + what, value); };
  const vector_text run = tiled_run(p, v.type, t.width), read{v.type, fragment};
  const bool loads_unrolled = t.loads_along() * t.loads_across() <= 64;
  define("_OUTER", t.outer);
  define("_ALONG_K", static_cast<int>(t.along_k));
  define("_STAGED", static_cast<int>(t.staged));
  define("_WIDTH", t.width);
  define("_EXACT", static_cast<int>(t.exact));
  define("_LANES", t.lanes);
  define("_ROWS", t.rows);
  define("_ALONG", t.loads_along());
  define("_ACROSS", t.loads_across());
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
  define("_KEEPS_RUNS", static_cast<int>(t.keeps_runs()));
  define("_VECTOR", run.type());
  define("_READ(p)", run.load("p", t.aligned));
  define("_PACK(from)", run.pack("from"));
  define("_UNPACK(into, v)", run.unpack("into", "v"));
  define("_STORE_LOCAL(p, x)", run.store_element("p", "x", t.aligned, "__local"));
  const bool read_aligned = !p.unaligned && t.panel % fragment == 0 && t.skew % fragment == 0;
  const std::string letter = name == "A" ? "M" : "N";
  out.define(letter + "_READ_LOCAL(p)", read.load_element("p", read_aligned, "const __local"));
  if (letter == "N")
    out.define("N_STORE_LOCAL(p, x)", read.store_element("p", "x", read_aligned, "__local"));
}

/// The multiplier of a policy's instruction.
inline void write_multiplier(source_builder& out, const gemm_policy& p, const gemm_variant& v) {
  out.text(accumulator);
  if (p.instruction == gemm_instruction::fma) {
    out.text(fma_multiplier);
    return;
  }
  out.define("COMPLEX", static_cast<int>(facts_of(v.type).is_complex));
  out.define("A_TRANS", v.a.along_k ? "\"\"" : "\".trans\"");
  out.define("B_TRANS", v.b.along_k ? "\"\"" : "\".trans\"");
  out.text(v.type == scalar::half_ ? half_mma_multiplier : double_mma_multiplier);
  out.text(staged_only);
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
  out.define("COMMIT_COPIES",
             any ? "asm volatile(\"cp.async.commit_group;\" ::: \"memory\");" : "");
  out.define("DRAIN_COPIES", any ? "asm volatile(\"cp.async.wait_all;\" ::: \"memory\");" : "");
  out.define("AWAIT_COPIES", any ? "asm volatile(\"cp.async.wait_group " +
                                       std::to_string(p.stages - 2) + ";\" ::: \"memory\");"
                                 : std::string{});
}

/// How the matrices of a batch are passed, and where one begins; `name` is "A", "B" or "C".
inline void define_batch(source_builder& out, const std::string& name, gemm_batch kind,
                         bool batched) {
  const bool offsets = kind == gemm_batch::offsets;
  const std::string given = std::string{static_cast<char>(name[0] - 'A' + 'a')} + "_batch";
  out.define(name + "_BATCH", (offsets ? "const __global long *" : "const long ") + given);
  out.define(name + "_BATCH_OFFSET", !batched  ? (offsets ? given + "[0]" : "0")
                                     : offsets ? given + "[batch]"
                                               : "(long)batch * " + given);
}

/// The epilogue as kernels pass it on and call it, by the caller's rows and columns.
inline void define_epilogue(source_builder& out, bool swapped, const function& epilogue) {
  const function user = carried(epilogue);
  out.define("EPILOGUE_PARAMETERS", parameter_list(user));
  out.define("EPILOGUE_ARGUMENTS", call_list(user));
  const std::string places = swapped ? "column, row" : "row, column";
  out.define("EPILOGUE(value, row, column)",
             epilogue.empty() ? "(value)" : "epilogue(value, " + places + call_list(user) + ")");
}

/// Parameters of the kernels that depend on the problem kind.
inline void define_parameters(source_builder& out, const gemm_variant& v) {
  define_batch(out, "A", v.a.batch, v.batched);
  define_batch(out, "B", v.b.batch, v.batched);
  define_batch(out, "C", v.c_batch, v.batched);
  out.define("BATCHED", static_cast<int>(v.batched));
  out.define("SPLIT", static_cast<int>(v.split));
  out.define("SPLITS", v.split ? "splits" : "1");
  out.define("SPLIT_PARAMETERS",
             v.split ? ", const int splits, __global ELEMENT *restrict partial" : "");
  out.define("INDEX", v.wide ? "long" : "int");
  out.define("CLAMPED", static_cast<int>(v.clamped));
}

}  // namespace gemm_text

/// The OpenCL C source of GEMM under policy `p` for the problem kind `v`: kernel `gemm`, and
/// `gemm_finish` when `v.split`. `epilogue` is the body of a function of the element's `value`, int
/// row, int column (of the caller's C) that returns the element to store. Throws policy_error when
/// `p` breaks a rule.
inline std::string gemm_source(const gemm_policy& p, const gemm_variant& v,
                               const function& epilogue = {}) {
  using namespace gemm_text;
  check_rules(p);
  check_type_rules(p, v.type);
  const gemm_geometry g = geometry_of(p, v);
  const bool overlapped = p.buffer != buffering::single;

  source_builder out;
  out.banner("clprim GEMM, " + std::string{facts_of(v.type).name} + "\n" + to_string(p));
  begin_program(out, v.type, epilogue);
  out.define_policy(p);
  out.define("GROUP", g.group);
  out.define("ITEMS_M", p.items_m());
  out.define("ITEMS_N", p.items_n());
  out.define("SLICE_K", p.slice_depth());
  out.define("LOCAL_POOL", g.pool == 0 ? "__local TILED *const pool = 0"
                                       : "__local TILED pool[" + std::to_string(g.pool) +
                                             "] __attribute__((aligned(128)))");
  out.define("CONJUGATE_A", static_cast<int>(v.a.conjugate));
  out.define("CONJUGATE_B", static_cast<int>(v.b.conjugate));
  const bool whole_steps = g.a.staged && g.b.staged && g.group > 1;
  out.define("WHOLE_STEPS", static_cast<int>(whole_steps));
  out.define("EACH", "_Pragma(\"unroll\")");
  out.define("BLOCK_LOOP", p.blocks_m * p.blocks_n == 1 ? "EACH" : "");
  // A loop that begins where the first step does cannot be unrolled, and compilers say so.
  out.define("UNROLL_K", !whole_steps && p.unroll != 1 ? ""
                         : p.unroll == 0               ? "EACH"
                                         : "_Pragma(\"unroll " + std::to_string(p.unroll) + "\")");
  out.define("BARRIER", g.group == 1 ? "" : "barrier(CLK_LOCAL_MEM_FENCE)");
  define_arithmetic(out, p, v);
  define_tile(out, "A", g.a, p, v, p.vector_m);
  define_tile(out, "B", g.b, p, v, p.vector_n);
  define_parameters(out, v);
  define_epilogue(out, v.swapped, epilogue);
  // The parts of a split product do not touch C.
  out.define("OWN_C", v.split ? "" : "c += c_offset + C_BATCH_OFFSET;");
  if (overlapped) define_async_copies(out, g, v, p);
  for (const char* operand : {"A", "B"}) {
    const replacements words{{"OPERAND", operand}, {"operand", operand[0] == 'A' ? "a" : "b"}};
    const auto instance = [&](const kernel_text& text) { out.text(text, words); };
    instance(load_tile);
    const gemm_tile& tile = operand[0] == 'A' ? g.a : g.b;
    if (overlapped) instance(tile.async ? load_tile_async : load_tile_by_registers);
  }
  write_multiplier(out, p, v);
  out.text(store_tile);
  out.define("STORE_RUN(run)",
             v.split
                 ? "store_partial(partial + (((size_t)batch * (size_t)splits + part) * (size_t)m + "
                   "(size_t)row) * (size_t)n + (size_t)column, run, column, first_column, n);"
                 : "store_run(c + (long)row * c_ld + column, run, row, column, first_column, n, "
                   "alpha, beta EPILOGUE_ARGUMENTS);");
  if (overlapped) out.text(overlap);
  out.text(kernel_head);
  out.text(overlapped ? walk_overlapped : walk_single);
  out.text(kernel_tail);
  if (v.split) {
    const vector_text run{v.type, finish_run(p, v)};
    out.define("FINISH_GROUP", v.finish_group);
    out.define("FINISH_RUN", finish_run(p, v));
    out.define("F_VECTOR", run.type());
    out.define("F_ZERO", "((F_VECTOR)(0))");
    out.define("F_READ(p)", run.load_element("p", true, "const __global"));
    out.define("F_UNPACK(into, v)", run.unpack("into", "v"));
    out.text(finish_kernel);
  }
  return out.str();
}

}  // namespace clprim
