#pragma once
// policy + problem kind -> the OpenCL C source of GEMM. Needs no device.
#include <numeric>
#include <string>

#include <clprim/core/function.hpp>
#include <clprim/core/source.hpp>
#include <clprim/core/vector_text.hpp>
#include <clprim/gemm/bulk_source.hpp>
#include <clprim/gemm/kernel.hpp>
#include <clprim/gemm/load_bulk.hpp>
#include <clprim/gemm/load_tile.hpp>
#include <clprim/gemm/multiplier.hpp>
#include <clprim/gemm/multiplier_amd.hpp>
#include <clprim/gemm/multiplier_dpas.hpp>
#include <clprim/gemm/multiplier_mma.hpp>
#include <clprim/gemm/multiplier_wgmma.hpp>
#include <clprim/gemm/policy.hpp>
#include <clprim/gemm/store_tile.hpp>
#include <clprim/gemm/tile_text.hpp>
#include <clprim/gemm/variant.hpp>
#include <clprim/gemm/walk.hpp>
#include <clprim/gemm/window_source.hpp>

namespace clprim {
namespace gemm_text {

/// What stands before any macro, so that the caller's names mean what the caller says: the
/// epilogue, a function of the arithmetic type of C's elements.
inline void begin_program(source_builder& out, scalar type, scalar output, const function& epilogue,
                          const std::string& places = "const int row, const int column") {
  if (facts_of(type).needs_fp64) out.line("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
  for (int width = 1; width <= 16; width *= 2) {
    if (output == scalar::bfloat16_) out.line(bfloat16_text(width));
    if (is_float8(type)) out.line(float8_text(type, width));
  }
  if (epilogue.empty()) return;
  const std::string element = vector_text::element(output);
  out.line("inline " + element + " epilogue(" + element + " value, " + places +
           parameter_list(epilogue) + ")\n{\n" + epilogue.body + "\n}");
}

/// One element, and its product with another.
inline void define_elements(source_builder& out, scalar type) {
  const bool is_complex = facts_of(type).is_complex;
  const vector_text one{type, 1};
  out.define("STORED", vector_text::stored(type));
  out.define("ELEMENT", vector_text::element(type));
  out.define("ZERO", "((ELEMENT)(0))");
  out.define("READ_ONE(p)", one.load("p", false));
  out.define("TIMES(p, q)", is_complex ? "((ELEMENT)((p).s0 * (q).s0 - (p).s1 * (q).s1, "
                                         "(p).s0 * (q).s1 + (p).s1 * (q).s0))"
                                       : "((p) * (q))");
  out.define("NOT_ZERO(p)", is_complex ? "((p).s0 != 0 || (p).s1 != 0)" : "((p) != 0)");
}

/// One element of C, and what it is before it is stored.
inline void define_outputs(source_builder& out, scalar type) {
  const vector_text one{type, 1};
  out.define("VALUE", vector_text::element(type));
  out.define("C_STORED", vector_text::stored(type));
  out.define("C_READ_ONE(p)", one.load("p", false));
  out.define("C_WRITE_ONE(p, x)", one.store("p", "x", false));
}

/// Arithmetic of vectors; here and above is all that knows real from complex.
inline void define_arithmetic(source_builder& out, const gemm_policy& p, const gemm_variant& v) {
  const vector_text m{v.type, p.vector_m}, n{v.type, p.vector_n}, c{v.output(), p.vector_n};
  define_elements(out, v.type);
  define_outputs(out, v.output());
  const vector_text tiled = tiled_run(p, v.type, 1);
  out.define("TILED", tiled.type());
  out.define("READ_TILED(p)", tiled.load("p", false));
  out.define("M_VECTOR", m.type());
  out.define("N_VECTOR", n.type());
  out.define("N_ZERO", "((N_VECTOR)(0))");
  out.define("M_UNPACK(into, v)", m.unpack("into", "v"));
  out.define("N_UNPACK(into, v)", n.unpack("into", "v"));
  out.define("N_PACK(from)", n.pack("from"));
  const bool c_aligned = stores_runs(p, v.c_alignment) && !p.unaligned;
  out.define("C_EXACT", static_cast<int>(stores_runs(p, v.c_alignment)));
  out.define("C_VECTOR", c.type());
  out.define("C_UNPACK(into, v)", c.unpack("into", "v"));
  out.define("C_PACK(from)", c.pack("from"));
  out.define("C_READ(p)", c.load("p", c_aligned));
  out.define("C_WRITE(p, x)", c.store("p", "x", c_aligned));
  if (facts_of(v.type).is_complex) {
    out.define("CONJUGATE(p)", "((ELEMENT)((p).s0, -(p).s1))");
    out.define("CONJUGATE_RUN(p)", "((p) * " + n.alternate("1", "-1") + ")");
    // (x + iy)(u + iv) = x (u, v) + y (-v, u): the second pair is made once per run of B, not per
    // sum.
    out.define("TIMES_I(q)", "(" + n.exchange_parts("(q)") + " * " + n.alternate("-1", "1") + ")");
    out.define("MULTIPLY_ADD(sum, p, q)",
               "{ sum = fma((N_VECTOR)((p).s0), q, sum); "
               "sum = fma((N_VECTOR)((p).s1), TIMES_I(q), sum); }");
  } else {
    out.define("CONJUGATE(p)", "(p)");
    out.define("CONJUGATE_RUN(p)", "(p)");
    // Of integers sums may wrap around, which OpenCL C allows those without a sign.
    out.define("MULTIPLY_ADD(sum, p, q)",
               v.type == scalar::int8_ ? "sum = as_" + n.type() + "(as_u" + n.type() +
                                             "(sum) + as_u" + n.type() + "((N_VECTOR)(p) * (q)));"
                                       : "sum = fma((N_VECTOR)(p), q, sum);");
  }
}

/// The multiplier of a policy's instruction.
inline void write_multiplier(source_builder& out, const gemm_policy& p, const gemm_variant& v) {
  out.text(accumulator);
  out.define("LANE_OF(item)",
             layout_of(p, v.type).turned
                 ? "((item) % LANES_M * LANES_N + (item) % (LANES_M * LANES_N) / LANES_M)"
                 : "((item) % (LANES_M * LANES_N))");
  const int parts = parts_of(v.precision);
  if (is_ptx(p.instruction) && !facts_of(v.type).needs_fp64) out.define("PARTS", parts);
  if (scales_lines(v.precision)) out.define("LESSER_SCALE", gemm_lesser_scale);
  switch (p.instruction) {
    case gemm_instruction::fma: out.text(fma_multiplier); return;
    case gemm_instruction::wgmma: {
      const int columns = group_columns(p) / (sums_in_halves(p, v.type, v.precision) ? 2 : 1);
      out.define("GROUP_COLUMNS", group_columns(p));
      out.define("PRODUCT_N", columns);
      out.define("INSTRUCTION_K", 32 / facts_of(v.type).bytes * parts);
      out.define("LETTER", "\"" + sum_letter(v.type) + "\"");
      out.define("MULTIPLY_MATRICES(s, a, b, add)",
                 wgmma_text(columns, v.type, v.a.along_k, v.b.along_k));
      out.text(wgmma_multiplier);
      break;
    }
    case gemm_instruction::mma_sync:
      out.define("COMPLEX", static_cast<int>(facts_of(v.type).is_complex));
      out.define("A_TRANS", v.a.along_k ? "\"\"" : "\".trans\"");
      out.define("B_TRANS", v.b.along_k ? "\"\"" : "\".trans\"");
      out.define("INSTRUCTION_K", instruction_k(p.instruction, v.type) * parts);
      if (is_narrow(v.type)) {
        const std::string format{unit_format(v.type)}, sum = sum_format(v.type);
        out.define("SHAPE", is_byte(v.type) ? "\"m16n8k32\"" : "\"m16n8k16\"");
        out.define("FORMATS", "\"" + sum + "." + format + "." + format + "." + sum + "\"");
        out.define("LETTER", "\"" + sum_letter(v.type) + "\"");
      }
      out.text(is_narrow(v.type) ? ldmatrix_multiplier : double_mma_multiplier);
      if (is_narrow(v.type)) out.text(parts > 1 ? ldmatrix_products_of_parts : ldmatrix_products);
      break;
    case gemm_instruction::mfma:
    case gemm_instruction::wmma:
    case gemm_instruction::wmma_gfx12:
      define_amd(out, p, v.type, v.a.along_k, v.b.along_k);
      out.text(amd_multiplier);
      break;
    case gemm_instruction::dpas:
      define_dpas(out, p, v.type);
      out.text(dpas_multiplier);
      break;
  }
  out.text(staged_only);
}

/// How sums get to C, or to the workspace.
inline void write_store(source_builder& out, const gemm_policy& p, const gemm_variant& v,
                        bool mapped) {
  // In place the pixels of an image are a row of C, but a map sees where they are.
  if (!v.windows.empty() && (mapped || !v.windows.in_place)) {
    const int run = std::gcd(v.c_alignment, p.vector_n);
    return write_pixel_store(out, v, std::gcd(run, v.windows.x.out));
  }
  const std::string partial =
      "partial[(((size_t)batch * (size_t)splits + part) * (size_t)m + (size_t)row) * (size_t)n + "
      "(size_t)column]";
  const std::string place = "c + (long)row * c_ld + column";
  const bool apart = finishes_apart(p, v);
  if (v.flat) {
    const int bytes = facts_of(v.output()).bytes, word = flat_word(bytes),
              pitch = flat_pitch(p, bytes);
    out.define("FLAT_BARRIER",
               p.group_size() == 1 ? "" : "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)");
    out.define("FLAT_PITCH", pitch);
    out.define("FLAT_WORD", word);
    out.define("FLAT_WORDS", pitch / word);
    out.define("FLAT_BITS", bytes == 2 ? "ushort" : "uint");
    out.define("FLAT_SHIFT(p)", "(int)((uint)(size_t)(p) / (uint)sizeof(C_STORED) & " +
                                    std::to_string(word - 1) + "u)");
    return;
  }
  if (stages_sums(p, v)) {
    out.define("STAGED_PITCH", staged_pitch(p));
    out.define("STORE_ONE(sum)", apart ? partial + " = sum;"
                                       : "store_one(" + place +
                                             ", sum, row, column, alpha, beta "
                                             "EPILOGUE_ARGUMENTS);");
    return;
  }
  out.text(store_tile);
  out.define("STORE_RUN(run, from, beyond)",
             apart ? "store_partial(&" + partial + ", run, column, from, beyond);"
                   : "store_run(" + place +
                         ", run, row, column, from, beyond, alpha, beta EPILOGUE_ARGUMENTS);");
  // Elsewhere a second way to store costs more than it spares.
  out.define("WHOLE_TILES", static_cast<int>(p.instruction != gemm_instruction::fma));
  if (swaps_runs(p, v)) {
    const bool converts = v.type == scalar::int8_ && v.output() != scalar::int32_;
    out.define("VALUES(sums)", converts ? "convert_float2(sums)" : "(sums)");
    out.define("PACK_PAIR", "\"cvt.rn." + std::string{unit_format(v.output())} + "x2.f32\"");
    out.text(swap_between_lanes);
    out.text(is_short(v.output()) ? store_row_by_quads : store_row_by_pairs);
  } else {
    out.text(store_row_by_runs);
  }
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

/// How kernels know whether a call takes their way: word w of `unsafe` holds the call's turn where
/// the copies of way w do not hold an element. `ends`: this way's copies say so too.
inline void define_way(source_builder& out, int way, bool one_of_ways, bool ends) {
  const auto word = [](int i) { return "unsafe[" + std::to_string(i) + "]"; };
  out.define("WAY_PARAMETERS",
             one_of_ways ? ", volatile __global uint *unsafe, const uint turn" : "");
  const std::string before = way > 0 ? "if (" + word(way - 1) + " != turn) return;" : "",
                    own = ends ? "if (" + word(way) + " == turn) return;" : "";
  out.define("RETURN_UNLESS_MEANT", before + (before.empty() || own.empty() ? "" : " ") + own);
}

/// Parameters of the kernels that depend on the problem kind.
inline void define_parameters(source_builder& out, const gemm_policy& p, const gemm_variant& v) {
  const bool bulk = p.buffer == buffering::bulk, apart = finishes_apart(p, v);
  define_batch(out, "A", v.a.batch, v.batched);
  define_batch(out, "B", v.b.batch, v.batched);
  define_batch(out, "C", v.c_batch, v.batched);
  out.define("BATCHED", static_cast<int>(v.batched));
  out.define("SPLIT", static_cast<int>(v.split));
  out.define("SPLITS", apart ? "splits" : v.split ? "parts" : "1");
  // What groups read of each other's between two fences may not be `restrict`.
  out.define("SPLIT_PARAMETERS",
             apart     ? ", const int splits, __global ELEMENT *restrict partial"
             : v.split ? ", const int splits, __global ELEMENT *partial, const uint whole, "
                         "__global uint *arrivals"
                       : "");
  define_way(out, v.way, is_one_of_ways(v), parts_of(v.precision) > 1);
  out.define("SCALE_PARAMETERS",
             scales_lines(v.precision)
                 ? ", const __global int *restrict scales, const long a_scales, const long b_scales"
                 : "");
  out.define("BULK_PARAMETERS",
             bulk ? ", const __global uint *maps, const long maps_offset, const uint tiles" : "");
  out.define("EACH_TILE", bulk ? "for (uint number = (uint)get_group_id(0); number < tiles; "
                                 "number += (uint)get_num_groups(0))"
                               : "const uint number = (uint)get_group_id(0);");
  out.define("NEXT_TILE", bulk ? "continue" : "return");
  out.define("INDEX", v.wide ? "long" : "int");
  // Where the elements of a line end that may be read: zeros follow those of packed operands.
  const auto edge = [&](const char* name, const char* extent, const gemm_operand& x) {
    const std::string run = std::to_string(packed_run(v.type));
    out.define(name, x.packed && !x.along_k ? "((" + std::string{extent} + " + " + run +
                                                  " - 1) / " + run + " * " + run + ")"
                                            : std::string{extent});
  };
  edge("EDGE_M", "m", v.a);
  edge("EDGE_N", "n", v.b);
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
  check_type_rules(p, v.type, v.precision);
  rule(p.instruction != gemm_instruction::wgmma || v.b.along_k || group_columns(p) % 64 == 0,
       "instruction wgmma needs tile_n, or the parts of it, to be multiples of 64 where B lies "
       "across k");
  const gemm_geometry g = geometry_of(p, v);
  const bool bulk = p.buffer == buffering::bulk;
  const bool overlapped = p.buffer != buffering::single && !bulk;

  source_builder out;
  out.banner("clprim GEMM, " + std::string{facts_of(v.type).name} +
             (v.out ? " to " + std::string{facts_of(*v.out).name} : "") + "\n" + to_string(p));
  const bool windows = !v.windows.empty();
  begin_program(out, v.type, v.output(), epilogue,
                windows ? "const int x, const int y, const int z, const int channel, "
                          "const int batch"
                        : "const int row, const int column");
  out.define_policy(p);
  out.define("GROUP", g.group);
  out.define("ITEMS_M", p.items_m());
  out.define("ITEMS_N", p.items_n());
  out.define("SLICE_K", p.slice_depth());
  // Warps of a warp-group have rows one after the other.
  const bool down = p.instruction == gemm_instruction::wgmma;
  out.define("PATCH_M(patch)",
             down ? "(patch) % (ITEMS_M / LANES_M)" : "(patch) / (ITEMS_N / LANES_N)");
  out.define("PATCH_N(patch)",
             down ? "(patch) / (ITEMS_M / LANES_M)" : "(patch) % (ITEMS_N / LANES_N)");
  const std::string pool = "__local TILED pool[" + std::to_string(g.pool) +
                           "] __attribute__((aligned(" + std::to_string(pool_alignment(p)) + ")))";
  out.define("LOCAL_POOL", g.pool == 0 ? "__local TILED *const pool = 0"
                           : bulk      ? pool + "; __local ulong barriers[" +
                                        std::to_string(bulk_barriers(p)) +
                                        "]; "
                                        "__local uint map_words[64] "
                                        "__attribute__((aligned(128)))"
                                  : pool);
  out.define("CONJUGATE_A", static_cast<int>(v.a.conjugate));
  out.define("CONJUGATE_B", static_cast<int>(v.b.conjugate));
  const bool whole_steps = g.a.staged && g.b.staged && g.group > 1;
  const bool by_themselves = p.instruction == gemm_instruction::wgmma;
  const bool step_by_step = by_themselves && sums_steps(v.type, v.precision);
  out.define("SUMS_STEPS", static_cast<int>(step_by_step));
  out.define("WHOLE_STEPS", static_cast<int>(whole_steps));
  out.define("EACH", "_Pragma(\"unroll\")");
  out.define("BLOCK_LOOP", p.blocks_m * p.blocks_n == 1 ? "EACH" : "");
  // A loop that begins where the first step does cannot be unrolled, and compilers say so.
  out.define("UNROLL_K", !whole_steps && p.unroll != 1 ? ""
                         : p.unroll == 0               ? "EACH"
                                         : "_Pragma(\"unroll " + std::to_string(p.unroll) + "\")");
  // What work-items store, wgmma reads by another way: PTX ISA, "Async proxy".
  const std::string publish = "asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\"); ";
  out.define("BARRIER", g.group == 1 ? std::string{}
                                     : (p.instruction == gemm_instruction::wgmma ? publish : "") +
                                           "barrier(CLK_LOCAL_MEM_FENCE)");
  define_arithmetic(out, p, v);
  define_tile(out, "A", g.a, p, v, p.vector_m);
  define_tile(out, "B", g.b, p, v, p.vector_n);
  define_parameters(out, p, v);
  define_epilogue(out, v.swapped, epilogue);
  // Parts that another kernel adds do not touch C.
  const bool apart = finishes_apart(p, v);
  out.define("OWN_C",
             apart ? "" : "__global C_STORED *const c = c_memory + c_offset + C_BATCH_OFFSET;");
  if (windows) define_windows(out, v.windows, p.tile_k, epilogue);
  const bool lines = windows && !v.windows.in_place;
  out.define("B_FIRST", lines ? "WINDOW_AT(step0) * b_row" : "(step0 * TILE_K - lead) * b_row");
  out.define("GO_TO_STEP(step)", std::string("from_a += a_next; ") +
                                     (lines ? "from_b += WINDOW_AT(step) - WINDOW_AT((step) - 1);"
                                            : "from_b += TILE_K * b_row;"));
  if (overlapped) define_async_copies(out, g, v, p);
  if (bulk) {
    define_bulk(out, p, v);
    out.text(bulk_copies);
  } else {
    out.define("LEAD(steps, k)", "((steps) * TILE_K - (k))");
  }
  for (const char* operand : {"A", "B"}) {
    const replacements words{{"OPERAND", operand}, {"operand", operand[0] == 'A' ? "a" : "b"}};
    const auto instance = [&](const kernel_text& text) { out.text(text, words); };
    if (bulk) {
      instance(load_tile_bulk);
      continue;
    }
    instance(load_tile);
    const gemm_tile& tile = operand[0] == 'A' ? g.a : g.b;
    if (overlapped) instance(tile.async ? load_tile_async : load_tile_by_registers);
  }
  write_multiplier(out, p, v);
  const bool staged = stages_sums(p, v);
  if ((staged && !v.flat) || apart) out.text(store_element);
  write_store(out, p, v, !epilogue.empty());
  if (overlapped || bulk) out.text(ring);
  if (overlapped) out.text(overlap);
  if (bulk) {
    out.text(v.window_blocks ? window_blocks : bulk_stages);
    out.text(bulk_moves);
  } else if (overlapped && by_themselves) {
    out.text(overlap_products);
  }
  if (p.instruction == gemm_instruction::dpas)
    out.line("__attribute__((intel_reqd_sub_group_size(LANES_N)))");
  out.text(kernel_head);
  if (bulk) {
    out.text(bulk_roles);
    out.text(tile_number);
    out.text(tile_head);
    out.text(bulk_requests);
  }
  out.text(joins_parts(p, v) ? tile_number_of_parts : tile_number);
  out.text(tile_head);
  out.text(tile_sums);
  if (!bulk) out.text(tile_operands);
  const bool halves = scales_lines(v.precision);
  if (halves) out.text(lesser_sums);
  out.text(!overlapped && !bulk      ? walk_single
           : halves && by_themselves ? walk_summing_greater_parts
           : step_by_step            ? (bulk ? walk_summing_in_parts : walk_summing)
           : by_themselves           ? walk_asynchronous
                                     : walk_overlapped);
  if (halves) out.text(join_lesser_sums);
  out.text(add_slices);
  if (joins_parts(p, v)) {
    out.define("FIRST_ARRIVAL", gemm_first_arrival);
    out.define("PARTS_AT_ONCE", "_Pragma(\"unroll " + std::to_string(parts_at_once(p, v)) + "\")");
    out.define("FENCE", v.fenced ? "asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\")"
                                 : "mem_fence(CLK_GLOBAL_MEM_FENCE)");
    out.text(add_parts);
  }
  out.text(v.flat ? store_flat_sums : staged ? store_staged_sums : store_own_sums);
  if (apart) {
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
