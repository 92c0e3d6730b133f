#pragma once
// Policies of GEMM as NVIDIA's GPUs want them, in a line each.

#include <clprim/gemm/policy.hpp>

namespace clprim::gemm_tables {

/// Tiles that items multiply, by vectors of 16 bytes (`vector` elements).
constexpr gemm_policy fma(int tile_m, int tile_n, int tile_k, int per_item_m, int per_item_n,
                          int slices, int lanes_m, int lanes_n, int vector, buffering buffer,
                          int stages) {
  return {.tile_m = tile_m,
          .tile_n = tile_n,
          .tile_k = tile_k,
          .per_item_m = per_item_m,
          .per_item_n = per_item_n,
          .slices_k = slices,
          .lanes_m = lanes_m,
          .lanes_n = lanes_n,
          .vector = vector,
          .vector_m = per_item_m < vector ? per_item_m : vector,
          .vector_n = per_item_n < vector ? per_item_n : vector,
          .buffer = buffer,
          .stages = stages};
}

constexpr gemm_policy in_bands(int raster, gemm_policy p) {
  p.raster = raster;
  return p;
}

/// The columns of an item lie as far apart as a warp has items along a row: neighbours store
/// neighbouring elements, however C lies. B is read from local memory one by one for it.
constexpr gemm_policy interleaved(gemm_policy p) {
  p.vector_n = 1;
  return p;
}

/// Tiles for mma.sync: warps of 8 x 4 items.
constexpr gemm_policy mma(int tile_m, int tile_n, int tile_k, int per_item_m, int per_item_n,
                          int vector, buffering buffer, int stages) {
  gemm_policy p =
      fma(tile_m, tile_n, tile_k, per_item_m, per_item_n, 1, 8, 4, vector, buffer, stages);
  p.vector_m = 1;
  p.vector_n = 2;
  p.order = local_order::stored;
  p.instruction = gemm_instruction::mma_sync;
  return p;
}

/// Tiles for wgmma: warp-groups of 128 items, each with 64 rows; lines of 128 bytes along k.
constexpr gemm_policy wgmma_lines(int element_bytes, int tile_m, int tile_n, int stages,
                                  buffering buffer) {
  gemm_policy p =
      mma(tile_m, tile_n, 128 / element_bytes, 2, tile_n / 4, 16 / element_bytes, buffer, stages);
  p.instruction = gemm_instruction::wgmma;
  return p;
}
/// Of half and bfloat16.
constexpr gemm_policy wgmma(int tile_m, int tile_n, int stages,
                            buffering buffer = buffering::async) {
  return wgmma_lines(2, tile_m, tile_n, stages, buffer);
}
/// Of float, as TF32 or split.
constexpr gemm_policy wgmma_float(int tile_m, int tile_n, int stages,
                                  buffering buffer = buffering::async) {
  return wgmma_lines(4, tile_m, tile_n, stages, buffer);
}
/// The same by as many warp-groups beside each other, each with its part of the columns.
constexpr gemm_policy beside(int groups, gemm_policy p) {
  p.per_item_n /= groups;
  return p;
}
/// The same with tiles of so many columns.
constexpr gemm_policy as_wide_as(int columns, gemm_policy p) {
  p.per_item_n = p.per_item_n * columns / p.tile_n;
  p.tile_n = columns;
  return p;
}
/// The same fetched by a warp.
constexpr gemm_policy by_warp(gemm_policy p) {
  p.fetchers = 32;
  return p;
}
/// Of elements of 8 bits.
constexpr gemm_policy wgmma_byte(int tile_m, int tile_n, int stages,
                                 buffering buffer = buffering::async) {
  return wgmma_lines(1, tile_m, tile_n, stages, buffer);
}
inline constexpr gemm_policy self_test_of_wgmma = wgmma(64, 64, 3);
inline constexpr gemm_policy self_test_of_bytes = wgmma_byte(64, 64, 3);
inline constexpr gemm_policy self_test_of_tf32 = wgmma_float(64, 64, 3);

}  // namespace clprim::gemm_tables
