#pragma once
// GEMM on GPUs and other devices that nobody has measured: all numbers are estimates.

#include <clprim/core/scalar.hpp>
#include <clprim/gemm/instruction.hpp>
#include <clprim/gemm/tuned_row.hpp>

namespace clprim {

namespace gemm_tables {

/// Tiles of `waves_m` x `waves_n` waves or sub-groups, whose items have the sums of `rows` x
/// `columns` instructions each. `lanes`: the items of a sub-group (dpas).
constexpr gemm_policy by_units(gemm_instruction instruction, scalar type, int rows, int columns,
                               int waves_m, int waves_n, int tile_k, int lanes = 16) {
  gemm_policy p{.lanes_n = lanes, .instruction = instruction};
  const unit_layout layout = layout_of(p, type);
  p.lanes_m = layout.lanes_m;
  p.lanes_n = layout.lanes_n;
  p.per_item_m = layout.rows * rows;
  p.per_item_n = layout.columns * columns;
  p.tile_m = p.lanes_m * p.per_item_m * waves_m;
  p.tile_n = p.lanes_n * p.per_item_n * waves_n;
  p.tile_k = tile_k;
  p.vector = packed_run(type);
  p.vector_m = 1;
  p.vector_n = layout.vector_n;
  p.buffer = buffering::registers;
  p.stages = 2;
  p.order = local_order::stored;
  return p;
}

/// What proves that an instruction works on a device: a group of four waves or sub-groups.
constexpr gemm_policy self_test_of(gemm_instruction instruction, scalar type, int lanes) {
  const bool is_half = is_short(type);
  return by_units(instruction, type, 1, 1, 2, 2, is_half ? 32 : 16, lanes);
}

/// At most 16 sums per item, groups of 64 and 256, 16 KB of local memory.
constexpr gemm_policy modest(int tile, int tile_k, int per_item, int vector) {
  return {.tile_m = tile,
          .tile_n = tile,
          .tile_k = tile_k,
          .per_item_m = per_item,
          .per_item_n = per_item,
          .lanes_m = 4,
          .lanes_n = 4,
          .vector = vector,
          .vector_m = vector,
          .vector_n = vector};
}

// Rates: of matrix units as far above those of fma as the makers' figures for both are. Their tiles
// are as large as registers allow (tests/unit_compilers): on Intel's a further column spills.
inline constexpr gemm_row any_gpu_half[] = {
    {by_units(gemm_instruction::mfma, scalar::half_, 4, 4, 2, 2, 32), 1, 800},
    {by_units(gemm_instruction::mfma, scalar::half_, 2, 2, 2, 2, 32), 2, 500},
    {by_units(gemm_instruction::wmma, scalar::half_, 4, 2, 2, 4, 32), 1, 400},
    {by_units(gemm_instruction::wmma, scalar::half_, 2, 1, 2, 4, 32), 2, 250},
    {by_units(gemm_instruction::wmma_gfx12, scalar::half_, 4, 2, 2, 4, 32), 1, 600},
    {by_units(gemm_instruction::wmma_gfx12, scalar::half_, 2, 1, 2, 4, 32), 2, 350},
    {by_units(gemm_instruction::dpas, scalar::half_, 2, 2, 4, 4, 32), 1, 800},
    {by_units(gemm_instruction::dpas, scalar::half_, 2, 1, 4, 4, 32), 2, 500},
    {by_units(gemm_instruction::dpas, scalar::half_, 2, 1, 4, 8, 32, 8), 1, 800},
    {by_units(gemm_instruction::dpas, scalar::half_, 2, 1, 4, 4, 32, 8), 2, 500},
    {modest(64, 16, 4, 4), 2, 100},
    {modest(32, 16, 4, 4), 4, 70},
};
inline constexpr gemm_row any_gpu[] = {
    {by_units(gemm_instruction::mfma, scalar::float_, 4, 4, 2, 2, 16), 1, 160},
    {by_units(gemm_instruction::mfma, scalar::float_, 2, 2, 2, 2, 16), 2, 120},
    {modest(64, 16, 4, 4), 2, 100},
    {modest(32, 16, 4, 4), 4, 70},
};
inline constexpr gemm_row any_gpu_wide[] = {
    {by_units(gemm_instruction::mfma, scalar::double_, 2, 2, 2, 2, 16), 1, 80},
    {by_units(gemm_instruction::mfma, scalar::double_, 1, 1, 2, 2, 16), 2, 50},
    {modest(32, 16, 2, 2), 2, 25},
    {modest(16, 16, 2, 1), 4, 15},
};

/// Devices of groups below 64 items or hardly any local memory: groups of 16, of 4, and of one item
/// that reads global memory, which fits everything. Speeds estimated, not measured.
constexpr gemm_policy lone_item() {
  gemm_policy p = modest(4, 4, 4, 4);
  p.lanes_m = p.lanes_n = 1;
  p.stage_a = p.stage_b = staging::global;
  return p;
}
constexpr gemm_policy few_items() {
  gemm_policy p = modest(8, 8, 4, 4);
  p.lanes_m = p.lanes_n = 2;
  return p;
}
inline constexpr gemm_row any_device[] = {
    {modest(16, 8, 4, 4), 1, 10},
    {few_items(), 1, 3},
    {lone_item(), 1, 1},
};

}  // namespace gemm_tables

}  // namespace clprim
