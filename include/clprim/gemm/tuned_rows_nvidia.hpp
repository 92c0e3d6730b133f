#pragma once
// GEMM on NVIDIA GPUs: what was measured of each policy, and what everything beside it costs.

#include <span>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/scalar.hpp>
#include <clprim/gemm/precision.hpp>
#include <clprim/gemm/tuned_row.hpp>

namespace clprim {

namespace gemm_tables {

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

/// Tiles for wgmma: warp-groups of 128 items, each with 64 rows.
constexpr gemm_policy wgmma(int tile_m, int tile_n, int stages,
                            buffering buffer = buffering::async) {
  gemm_policy p = mma(tile_m, tile_n, 64, 2, tile_n / 4, 8, buffer, stages);
  p.instruction = gemm_instruction::wgmma;
  return p;
}
/// The same for float, as TF32 or split.
constexpr gemm_policy wgmma_float(int tile_m, int tile_n, int stages,
                                  buffering buffer = buffering::async) {
  gemm_policy p = wgmma(tile_m, tile_n, stages, buffer);
  p.vector = 4;
  p.tile_k = 32;
  return p;
}
inline constexpr gemm_policy self_test_of_wgmma = wgmma(64, 64, 3);
inline constexpr gemm_policy self_test_of_tf32 = wgmma_float(64, 64, 3);

using enum buffering;

// NVIDIA H200, driver 580.159.04, 2026-11-24: bench_tune --random on 45 products of float (seed 7
// of 110), 29 of half, 14 of double, 6 and 5 of the complex types, and --listed, fitted by
// bench/gemm/fit_rows.py, which says what each number means. Rows of one or four rows or columns
// are of an earlier fit; those that older devices need (no cp.async, no matrix units) stay whether
// the products wanted them or not. Two rates were then raised by hand, not measured anew: half's
// 64 x 128 with eight stages and double's 128 x 128; complex double's fma rows are estimates. Rows
// of bulk copies were worked out from 1024, 2048, 4096 and 8192 cubed; bfloat16 has half's.
// 2026-11-25: what float's sums and written bytes cost, and its 128 x 64 and 64 x 128 x 32, were
// fitted again beside bench_gemm's 128 x 64 x 16 in 198 parts, memory_bytes_per_ns being what
// reading does; complex double's 64 x 64 x 8 and 64 x 32 x 8 are bench_gemm's times at 2048.
inline constexpr gemm_row nvidia_float[] = {
    {fma(128, 256, 8, 8, 16, 1, 4, 8, 4, async, 3), 1, 270.9, 367, 1.57e+03, 2.9, 3.53},
    {fma(128, 128, 16, 16, 8, 1, 2, 16, 4, registers, 2), 2, 333.4, 993, 1.72e+03, 1.43, 1.12},
    {fma(128, 128, 8, 16, 8, 1, 4, 8, 4, async, 2), 2, 333.4, 460, 1.22e+03, 1.53, 2.35},
    {fma(128, 128, 8, 8, 16, 1, 16, 2, 4, registers, 3), 2, 336, 464, 1.97e+03, 1.55, 6.73},
    {fma(256, 64, 8, 16, 8, 1, 4, 8, 4, async, 2), 2, 374.9, 487, 1.38e+03, 1.58, 1.37},
    {fma(64, 256, 8, 8, 16, 1, 4, 8, 4, async, 2), 2, 443.6, 486, 1.26e+03, 2.12, 2.29},
    {fma(128, 64, 16, 8, 8, 1, 4, 8, 4, registers, 2), 3, 237, 424, 1.1e+03, 1.25, 1.72},
    {fma(64, 128, 32, 8, 8, 4, 4, 8, 4, registers, 2), 1, 218, 375, 1.88e+03, 0.914, 1.59},
    {fma(64, 64, 8, 8, 16, 1, 8, 4, 4, async, 2), 9, 241.2, 360, 1.83e+03, 0.632, 3.51},
    {fma(32, 64, 64, 8, 4, 4, 4, 8, 4, async, 2), 2, 226.7, 323, 1.76e+03, 0.979, 0.983},
    {fma(64, 32, 32, 4, 4, 2, 4, 8, 4, async, 2), 3, 172.1, 218, 1.18e+03, 0.975, 0.995},
    {fma(16, 64, 32, 4, 4, 4, 4, 8, 4, async, 2), 3, 238.5, 231, 1.42e+03, 1.01, 0.464},
    {fma(32, 32, 16, 4, 2, 1, 4, 8, 4, registers, 2), 8, 114, 194, 975, 0.38, 0.329},
    {fma(32, 32, 32, 4, 4, 4, 4, 8, 4, registers, 2), 3, 329.3, 294, 1.16e+03, 1.2, 0.6},
    {fma(16, 16, 64, 2, 2, 4, 4, 8, 4, registers, 2), 4, 204.3, 383, 1.06e+03, 0.918, 0.919},
    {fma(128, 4, 32, 4, 4, 4, 32, 1, 4, registers, 2), 6, 183.1, 380, 3390, 0.9, 1.8},
    {fma(4, 128, 32, 4, 4, 4, 1, 32, 4, registers, 2), 6, 336.9, 386, 3180, 0.9, 1.8},
    {fma(128, 1, 32, 4, 1, 8, 32, 1, 4, registers, 2), 4, 194.1, 469, 2420, 0.9, 1.8},
    {fma(1, 64, 64, 1, 4, 8, 1, 16, 4, registers, 2), 6, 191.3, 528, 4550, 0.9, 1.8},
    {fma(32, 1, 128, 2, 1, 16, 16, 1, 4, registers, 2), 5, 183.5, 517, 2760, 0.9, 1.8},
};
inline constexpr gemm_costs nvidia_float_costs{.launch_ns = 5050,
                                               .plain_ns = 0.007784,
                                               .turned_ns = 0.02376,
                                               .plain_access_ns = 0.03976,
                                               .turned_access_ns = 0.0553,
                                               .short_run = 0.08151,
                                               .overlap = 1.841,
                                               .store_ns = 0.01012,
                                               .single_store_ns = 0.114,
                                               .memory_bytes_per_ns = 33,
                                               .written = 1.7,
                                               .cache_bytes_per_ns = 105.9,
                                               .sums_ns = 5870,
                                               .sum_ns = 0.2,
                                               .single_sum = 2,
                                               .packing_ns = 7820,
                                               .packing_bytes_per_ns = 27.93};

inline constexpr gemm_row nvidia_half[] = {
    {mma(128, 256, 64, 8, 16, 8, async, 3), 1, 2327, 297, 5420},
    {wgmma(128, 256, 3, bulk), 1, 5500, 286, 4700},
    {wgmma(128, 192, 5, bulk), 1, 5330, 278, 2770},
    {fma(128, 128, 8, 16, 8, 1, 4, 8, 4, registers, 2), 2, 195.4, 305, 2280},
    {fma(128, 64, 16, 8, 8, 1, 4, 8, 4, registers, 2), 3, 213.2, 302, 1670},
    {wgmma(128, 64, 8), 1, 3961, 222, 1600},
    {wgmma(64, 128, 4, bulk), 2, 7500, 299, 3450},
    {wgmma(64, 128, 4), 2, 5110, 299, 2450},
    {wgmma(64, 128, 8), 1, 3300, 240, 1200},
    {wgmma(64, 64, 4), 3, 4300, 313, 1410},
    {wgmma(64, 64, 8), 1, 2802, 190, 688},
    {fma(32, 64, 64, 8, 4, 4, 4, 8, 4, registers, 2), 2, 170.3, 309, 1540},
    {mma(16, 64, 64, 2, 4, 8, async, 4), 5, 472.6, 324, 770},
    {fma(128, 4, 32, 4, 4, 4, 32, 1, 4, registers, 2), 7, 147.2, 310, 2280},
    {fma(4, 128, 32, 4, 4, 4, 1, 32, 4, registers, 2), 7, 177.2, 309, 1820},
    {mma(16, 32, 16, 2, 4, 8, single, 1), 16, 957.5, 508, 1440},
    {mma(32, 16, 16, 2, 4, 8, single, 1), 16, 1259, 487, 1280},
    {fma(128, 1, 32, 4, 1, 8, 32, 1, 4, registers, 2), 4, 197.4, 305, 1870},
    {fma(1, 64, 64, 1, 4, 8, 1, 16, 4, registers, 2), 9, 210.7, 299, 1400},
    {fma(32, 1, 128, 2, 1, 16, 16, 1, 4, registers, 2), 5, 201.6, 303, 1970},
};
inline constexpr gemm_costs nvidia_half_costs{.launch_ns = 5113,
                                              .plain_ns = 0.002431,
                                              .turned_ns = 0.02821,
                                              .plain_access_ns = 0.08105,
                                              .turned_access_ns = 0.0577,
                                              .short_run = 0.0946,
                                              .overlap = 0.1674,
                                              .store_ns = 0.01219,
                                              .single_store_ns = 0.2499,
                                              .memory_bytes_per_ns = 34.48,
                                              .cache_bytes_per_ns = 238.8,
                                              .sums_ns = 7347,
                                              .sum_ns = 0.2958,
                                              .packing_ns = 10980,
                                              .packing_bytes_per_ns = 20.6};

inline constexpr gemm_row nvidia_double[] = {
    {fma(128, 128, 8, 8, 8, 1, 4, 8, 2, registers, 2), 1, 95.4, 285, 3350},
    {mma(128, 128, 16, 8, 8, 2, async, 4), 1, 266, 285, 3180},
    {mma(128, 64, 16, 8, 8, 2, async, 4), 2, 243.8, 270, 3460},
    {mma(64, 128, 16, 4, 8, 2, async, 4), 1, 308.4, 279, 2790},
    {fma(64, 64, 16, 8, 4, 1, 4, 8, 2, registers, 2), 3, 83.7, 290, 3020},
    {mma(128, 32, 16, 8, 4, 2, async, 3), 3, 278, 263, 3450},
    {mma(32, 128, 16, 4, 8, 2, async, 3), 3, 309.6, 274, 3440},
    {mma(64, 64, 16, 4, 4, 2, async, 4), 2, 287, 225, 3160},
    {mma(64, 64, 16, 4, 4, 2, registers, 2), 2, 212.9, 273, 2970},
    {mma(64, 64, 16, 4, 8, 2, async, 3), 3, 288.9, 267, 3370},
    {mma(32, 64, 16, 2, 8, 2, async, 3), 4, 309.7, 291, 3190},
    {mma(64, 32, 16, 4, 4, 2, async, 3), 4, 300.1, 291, 3090},
    {mma(64, 32, 16, 4, 4, 2, single, 1), 4, 120.6, 371, 3860},
    {fma(32, 32, 32, 4, 4, 2, 4, 8, 2, registers, 2), 4, 78.66, 297, 4100},
    {fma(32, 32, 32, 4, 4, 4, 4, 8, 2, registers, 2), 2, 81.62, 293, 3970},
    {mma(16, 64, 32, 2, 4, 2, async, 3), 3, 206.9, 246, 3830},
    {mma(32, 32, 16, 2, 4, 2, async, 3), 6, 221.9, 224, 3010},
    {mma(32, 32, 16, 2, 4, 2, single, 1), 6, 131, 342, 3640},
    {mma(32, 32, 32, 2, 4, 2, async, 3), 4, 225.9, 266, 3450},
    {mma(64, 16, 32, 2, 4, 2, async, 3), 3, 181.3, 285, 3370},
    {fma(128, 4, 32, 4, 4, 4, 32, 1, 2, registers, 2), 3, 47.64, 291, 4720},
    {fma(4, 128, 32, 4, 4, 4, 1, 32, 2, registers, 2), 3, 84.89, 293, 4690},
    {fma(8, 64, 16, 4, 4, 1, 2, 16, 2, single, 1), 19, 94.51, 724, 3710},
    {mma(16, 32, 32, 2, 4, 2, async, 3), 5, 150.5, 244, 3620},
    {mma(32, 16, 32, 2, 4, 2, async, 3), 5, 145.5, 282, 3410},
    {fma(16, 16, 64, 2, 2, 4, 4, 8, 2, registers, 2), 4, 74.6, 287, 4170},
    {mma(16, 16, 32, 2, 4, 2, async, 3), 8, 101, 270, 3560},
    {fma(1, 64, 64, 1, 4, 8, 1, 16, 2, registers, 2), 3, 98.58, 287, 4380},
    {fma(32, 1, 128, 2, 1, 16, 16, 1, 2, registers, 2), 3, 98.96, 284, 3630},
};
inline constexpr gemm_costs nvidia_double_costs{.launch_ns = 2773,
                                                .plain_ns = 0.01048,
                                                .turned_ns = 0.0204,
                                                .plain_access_ns = 0.04519,
                                                .turned_access_ns = 0.05127,
                                                .short_run = 0.1052,
                                                .overlap = 0.307,
                                                .store_ns = 0.009967,
                                                .single_store_ns = 0.4537,
                                                .memory_bytes_per_ns = 29.22,
                                                .cache_bytes_per_ns = 114.7,
                                                .sums_ns = 10410,
                                                .sum_ns = 0.192,
                                                .packing_ns = 6033,
                                                .packing_bytes_per_ns = 38.47};

inline constexpr gemm_row nvidia_complex_float[] = {
    {fma(128, 128, 8, 8, 8, 1, 4, 8, 2, async, 2), 1, 54.36, 1040, 1950},
    {fma(128, 128, 8, 8, 8, 1, 4, 8, 2, registers, 2), 1, 52.53, 1050, 1970},
    {fma(128, 64, 8, 8, 8, 1, 4, 8, 2, async, 2), 2, 57.37, 1480, 2140},
    {fma(128, 64, 8, 8, 8, 1, 4, 8, 2, registers, 2), 2, 53.3, 1380, 2110},
    {fma(64, 128, 8, 8, 8, 1, 4, 8, 2, async, 2), 2, 57.56, 1420, 2160},
    {fma(64, 128, 8, 8, 8, 1, 4, 8, 2, registers, 2), 2, 52.89, 1300, 2050},
    {fma(64, 64, 16, 4, 4, 1, 4, 8, 2, async, 2), 2, 55.98, 893, 1560},
    {fma(64, 64, 8, 8, 4, 1, 4, 8, 2, async, 2), 3, 58.5, 630, 1660},
    {fma(64, 64, 8, 8, 4, 1, 4, 8, 2, registers, 2), 3, 60.72, 998, 1680},
    {fma(64, 64, 8, 8, 8, 1, 4, 8, 2, async, 2), 4, 60.04, 1770, 2330},
    {fma(32, 64, 16, 4, 4, 1, 4, 8, 2, async, 2), 4, 57.8, 927, 1520},
    {fma(32, 64, 32, 4, 4, 2, 4, 8, 2, async, 2), 2, 58.09, 1060, 1910},
    {fma(32, 64, 32, 4, 4, 2, 4, 8, 2, registers, 2), 2, 51.88, 1060, 1890},
    {fma(64, 32, 16, 4, 4, 1, 4, 8, 2, async, 2), 4, 57.31, 926, 1760},
    {fma(64, 32, 16, 4, 4, 1, 4, 8, 2, registers, 2), 4, 54.6, 1080, 1780},
    {fma(16, 64, 32, 4, 4, 4, 4, 8, 2, async, 2), 2, 67.49, 773, 2080},
    {fma(32, 32, 16, 2, 2, 1, 4, 8, 2, single, 1), 4, 43.45, 992, 1620},
    {fma(32, 32, 16, 4, 4, 2, 4, 8, 2, async, 2), 4, 65.87, 819, 1570},
    {fma(32, 32, 16, 4, 4, 2, 4, 8, 2, registers, 2), 4, 68.12, 926, 1610},
    {fma(16, 16, 16, 2, 2, 1, 4, 8, 2, single, 1), 16, 49.28, 1090, 1520},
};
inline constexpr gemm_costs nvidia_complex_float_costs{.launch_ns = 4689,
                                                       .plain_ns = 0.009644,
                                                       .turned_ns = 0.01997,
                                                       .plain_access_ns = 0.02773,
                                                       .turned_access_ns = 0.04811,
                                                       .short_run = 0.09963,
                                                       .overlap = 0.402,
                                                       .store_ns = 0.009923,
                                                       .single_store_ns = 0.1412,
                                                       .memory_bytes_per_ns = 27.92,
                                                       .cache_bytes_per_ns = 57.97,
                                                       .sums_ns = 6255,
                                                       .sum_ns = 0.2005,
                                                       .packing_ns = 5957,
                                                       .packing_bytes_per_ns = 29.04};

inline constexpr gemm_row nvidia_complex_double[] = {
    {mma(64, 64, 16, 4, 8, 1, async, 3), 2, 54.74, 116, 4120},
    {mma(64, 64, 8, 4, 8, 1, async, 4), 2, 63.44, 116, 4190},
    {mma(32, 64, 16, 4, 4, 1, async, 3), 3, 60.82, 115, 3760},
    {mma(32, 64, 8, 2, 8, 1, async, 4), 2, 61.85, 115, 4340},
    {mma(64, 32, 8, 4, 4, 1, async, 4), 3, 64.98, 114, 3640},
    {mma(16, 64, 16, 2, 4, 1, async, 3), 3, 66.64, 116, 4230},
    {mma(32, 32, 16, 2, 4, 1, async, 3), 4, 65.16, 116, 4140},
    {mma(16, 32, 16, 2, 4, 1, async, 3), 5, 67.42, 117, 4470},
    {mma(32, 16, 16, 2, 4, 1, async, 3), 5, 71.2, 116, 4640},
    {fma(64, 64, 8, 4, 4, 1, 4, 8, 1, registers, 2), 1, 19.5, 400, 4500},
    {fma(32, 32, 8, 4, 2, 1, 4, 8, 1, registers, 2), 3, 15.6, 400, 4500},
};
inline constexpr gemm_costs nvidia_complex_double_costs{.launch_ns = 2906,
                                                        .plain_ns = 0.009547,
                                                        .turned_ns = 0.02,
                                                        .plain_access_ns = 0.02635,
                                                        .turned_access_ns = 0.05,
                                                        .short_run = 0.1001,
                                                        .overlap = 0.4,
                                                        .store_ns = 0.00996,
                                                        .single_store_ns = 0.03,
                                                        .memory_bytes_per_ns = 32.78,
                                                        .cache_bytes_per_ns = 88.95,
                                                        .sums_ns = 5000,
                                                        .sum_ns = 0.2,
                                                        .packing_ns = 5000,
                                                        .packing_bytes_per_ns = 30};

// The same device and driver, 2026-11-24: float on matrix units, worked out from bench_tune
// --precision at 4096, 2048 and 1000 cubed, 512 x 512 x 4096 and 8192 x 256 x 1024. Rates count
// what lies in a line: a float that is split is two elements of k.
inline constexpr gemm_row nvidia_split_tf32[] = {
    {wgmma_float(128, 128, 6), 1, 1065, 500, 3000},
    {wgmma_float(64, 128, 4), 2, 970, 414, 2500},
    {wgmma_float(64, 128, 8), 1, 880, 324, 2500},
    {wgmma_float(64, 64, 6), 2, 650, 246, 2000},
};
inline constexpr gemm_row nvidia_tf32[] = {
    {wgmma_float(128, 256, 4, bulk), 1, 1650, 580, 4000},
    {wgmma_float(128, 128, 6), 1, 1340, 339, 3000},
    {wgmma_float(64, 256, 5), 1, 1320, 317, 3000},
    {wgmma_float(64, 128, 4), 2, 1042, 219, 2500},
};
inline constexpr gemm_costs nvidia_tf32_costs{.launch_ns = 4500,
                                              .store_ns = 0.01,
                                              .single_store_ns = 0.18,
                                              .memory_bytes_per_ns = 23,
                                              .packing_ns = 9000,
                                              .packing_bytes_per_ns = 33};

}  // namespace gemm_tables

/// The table for an NVIDIA GPU and an element type. has_instructions says of each row whether the
/// device can run it.
constexpr gemm_table nvidia_gemm_table(scalar type, gemm_precision precision) {
  using namespace gemm_tables;
  if (precision == gemm_precision::split_tf32) return {nvidia_split_tf32, nvidia_tf32_costs};
  if (precision == gemm_precision::tf32) return {nvidia_tf32, nvidia_tf32_costs};
  switch (type) {
    case scalar::half_:
    case scalar::bfloat16_: return {nvidia_half, nvidia_half_costs};
    case scalar::float_: return {nvidia_float, nvidia_float_costs};
    case scalar::double_: return {nvidia_double, nvidia_double_costs};
    case scalar::complex_float: return {nvidia_complex_float, nvidia_complex_float_costs};
    case scalar::complex_double: return {nvidia_complex_double, nvidia_complex_double_costs};
  }
  return {nvidia_float, nvidia_float_costs};
}

}  // namespace clprim
