#pragma once
// A GEMM policy in a few words, for a column of a table.

#include <string>

#include <clprim/gemm/policy.hpp>

namespace examples {

/// Tile, outputs per item, group: "128×128×16, 8×8, 256 items, overlapped"
inline std::string in_short(const clprim::gemm_policy& p) {
  const auto number = [](int n) { return std::to_string(n); };
  std::string text = number(p.tile_m) + "×" + number(p.tile_n) + "×" + number(p.tile_k) + ", " +
                     number(p.per_item_m) + "×" + number(p.per_item_n) + ", ";
  text += p.group_size() == 1 ? "1 item" : number(p.group_size()) + " items";
  if (p.buffer == clprim::buffering::registers) text += ", overlapped";
  if (p.buffer == clprim::buffering::async) text += ", async";
  return text;
}

}  // namespace examples
