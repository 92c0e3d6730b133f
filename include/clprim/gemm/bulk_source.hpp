#pragma once
// policy + variant -> the numbers of GEMM's bulk copies (load_bulk.hpp).

#include <string>

#include <clprim/core/source.hpp>
#include <clprim/gemm/instruction.hpp>
#include <clprim/gemm/policy.hpp>
#include <clprim/gemm/variant.hpp>

namespace clprim::gemm_text {

/// Bulk copies: the roles of a group's items, the tiles that it walks, one after the other.
inline void define_bulk(source_builder& out, const gemm_policy& p, const gemm_variant& v) {
  const int bytes = facts_of(v.type).bytes;
  // Bits are moved: as an unsigned number of that size.
  out.define("BULK_ELEMENT", bytes == 1 ? "\"0\"" : bytes == 2 ? "\"1\"" : "\"2\"");
  // As packed_unit and packed_lines_of have it.
  const int run = packed_run(v.type);
  const auto runs = [&](int count) { return std::to_string(count * run); };
  out.define("PACKED_UNIT(length)", "((length) >= " + runs(packed_long_line) + " ? " +
                                        runs(packed_cache_line) + " : " + runs(1) + ")");
  const auto has_zeros_before = [&](const gemm_operand& x) {
    return x.packed && x.along_k && parts_of(v.precision) == 1;
  };
  const std::string zeros = "((PACKED_UNIT(k) - (k) % PACKED_UNIT(k)) % PACKED_UNIT(k))";
  const auto operand = [&](const std::string& name, const gemm_operand& x) {
    out.define(name + "_BEFORE(k)", has_zeros_before(x) ? zeros : "0");
    out.define(name + "_STRIDE", name == "A" ? "a_batch" : "b_batch");
  };
  // Boxes begin where lines of memory do: at the lines' begin, or at that of the zeros before it.
  out.define("LEAD(steps, k)", has_zeros_before(v.a) || has_zeros_before(v.b) ? zeros : "0");
  operand("A", v.a);
  operand("B", v.b);
  const auto map = [&](const std::string& name, bool windows) {
    const std::string along = name + "_ALONG_K";
    out.define(name + "_LENGTH",
               windows ? "ld" : "(" + along + " ? k + " + name + "_BEFORE(k) : outer)");
    out.define(name + "_LINES", windows ? "outer + WINDOW_TAIL" : "(" + along + " ? outer : k)");
  };
  const bool windows = !v.windows.empty() && !v.windows.in_place;
  map("A", false);
  map("B", windows);
  out.define("A_PLACE", v.window_blocks ? "(tap * STEPS_OF_TAP + step / TAPS) * TILE_K"
                                        : "step * TILE_K - lead + (A_ALONG_K ? A_BEFORE(k) : 0)");
  out.define("B_PLACE", windows ? "window_place(step)"
                                : "step * TILE_K - lead + (B_ALONG_K ? B_BEFORE(k) : 0)");
  out.define("B_LINE", windows ? "column0 + window_line(step)" : "column0");
  out.define("A_BOX", "(A_ALONG_K ? A_OUTER : TILE_K)");
  out.define("B_BOX", v.window_blocks ? std::to_string(v.windows.box(p.tile_n))
                                      : "(B_ALONG_K ? B_OUTER : TILE_K)");
  if (v.window_blocks) {
    out.define("BLOCK_LINES", v.windows.boxes(p.tile_n) * v.windows.box(p.tile_n));
    out.define("BLOCK_SIZE", window_block_size(p, v));
  }
  // 168 for each of 384 items are 40 for 128 and 232 for 256.
  const auto registers = [&](const char* name, const std::string& change) {
    const bool moves = moves_registers(p, v.type, v.precision);
    out.define(name,
               moves ? "asm volatile(\"//@setmaxnreg." + change + ";\" ::: \"memory\");" : "");
  };
  registers("GIVE_REGISTERS", "dec.sync.aligned.u32 40");
  registers("TAKE_REGISTERS", "inc.sync.aligned.u32 232");
}

}  // namespace clprim::gemm_text
