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

// NVIDIA H200, driver 580.159.04, 2026-11-26: bench_tune --random 100, of float seeds 1 to 4, of
// half 1 to 3, of double and complex float 1 and 2, and --listed; 66 policies of float, 48 of half,
// 49 of double and 63 of complex float beside each other, fitted by bench/gemm/fit_rows.py, which
// says what each number means. On problems that were left out of the fit the choice has 0.963,
// 0.958, 0.959 and 0.950 of the best way's speed (geometric means). Rows of one or four rows or
// columns, and those that older devices need (no cp.async, no matrix units), stay whether the
// products wanted them or not. Complex double's are of 2026-11-24, its 64 x 64 x 8 and 64 x 32 x 8
// of bench_gemm's times at 2048, its fma rows estimates; bfloat16 has half's.
//
// What staging the sums costs (stage_c): an H100, 2026-11-26, the products whose rows of C are not
// aligned among those of seed 31, every way with and without. Of 36 of half the choice has 0.947 of
// the best way's speed with it and 0.903 without, 0.72 and 0.28 at worst; of 30 of double 0.956 and
// 0.947, of 10 of complex float 0.944 and 0.916. Float's are slower by it, 0.93 in the mean.
//
// What adding the parts of a tile costs the group that comes last (join_ns, join_sum_ns): an H200,
// 2026-11-26, fitted to 138 ways of 90 products of seed 41 that split less than a wave of tiles,
// within 8 % (half 13 %); complex double's are estimates.
inline constexpr gemm_row nvidia_float[] = {
    {fma(128, 256, 8, 8, 16, 1, 4, 8, 4, async, 3), 1, 228.2, 279, 1.73e+03, 2.31, 4.38},
    {fma(128, 128, 16, 16, 8, 1, 2, 16, 4, registers, 2), 2, 279.2, 1.08e+03, 2.09e+03, 0.626,
     1.03},
    {fma(128, 128, 8, 16, 8, 1, 4, 8, 4, async, 2), 2, 294, 496, 1.69e+03, 1.83, 2.07},
    {fma(128, 128, 8, 8, 16, 1, 16, 2, 4, registers, 3), 2, 312.2, 505, 3.18e+03, 1.68, 6.87},
    {fma(256, 64, 8, 16, 8, 1, 4, 8, 4, async, 2), 2, 350.2, 534, 1.66e+03, 2.09, 2.46},
    {fma(64, 256, 8, 8, 16, 1, 4, 8, 4, async, 2), 2, 311.4, 514, 1.19e+03, 2.06, 2.65},
    {fma(128, 64, 16, 8, 8, 1, 4, 8, 4, registers, 2), 3, 232.4, 560, 915, 1.37, 2.82},
    {fma(128, 64, 16, 8, 8, 1, 8, 4, 4, async, 2), 3, 228.5, 397, 1.63e+03, 1.1, 4.78},
    {fma(64, 128, 16, 8, 8, 1, 4, 8, 4, registers, 2), 3, 212.5, 472, 1.47e+03, 0.815, 2.25},
    {fma(64, 128, 32, 8, 8, 4, 4, 8, 4, registers, 2), 1, 233.2, 453, 2.87e+03, 1.49, 1.65},
    {fma(32, 128, 16, 4, 8, 1, 4, 8, 4, registers, 2), 5, 188, 395, 1.2e+03, 0.79, 2.2},
    {fma(64, 64, 16, 8, 4, 1, 4, 8, 4, async, 3), 5, 200.1, 271, 1.29e+03, 0.469, 1.32},
    {fma(64, 64, 16, 8, 4, 1, 4, 8, 4, registers, 2), 5, 207.7, 373, 1.29e+03, 0.573, 1.19},
    {fma(64, 64, 32, 8, 8, 2, 4, 8, 4, async, 2), 3, 240.2, 385, 2.28e+03, 1.33, 1.85},
    {fma(64, 64, 32, 8, 8, 4, 4, 8, 4, registers, 2), 1, 334.6, 478, 1.22e+03, 0.208, 0.986},
    {fma(64, 64, 8, 8, 16, 1, 8, 4, 4, async, 2), 9, 242.5, 337, 3.37e+03, 0.692, 5.55},
    {fma(64, 64, 8, 8, 4, 1, 4, 8, 4, single, 1), 5, 244.4, 461, 1.25e+03, 0.597, 1.26},
    {fma(16, 128, 32, 4, 4, 2, 4, 8, 4, registers, 2), 3, 170.5, 294, 1.17e+03, 1.34, 0.68},
    {fma(32, 64, 16, 4, 4, 1, 4, 8, 4, registers, 2), 7, 150.2, 310, 1.03e+03, 0.454, 0.846},
    {fma(32, 64, 64, 8, 4, 4, 4, 8, 4, async, 2), 2, 244.5, 283, 2.21e+03, 1.57, 1.86},
    {fma(64, 32, 64, 4, 8, 4, 8, 4, 4, registers, 2), 2, 211.7, 456, 2.08e+03, 1.29, 0.53},
    {fma(32, 32, 32, 4, 4, 4, 4, 8, 4, registers, 2), 3, 328.3, 344, 1.3e+03, 2.03, 0.431},
    {fma(32, 32, 64, 4, 4, 8, 4, 8, 4, registers, 2), 1, 214.6, 389, 1.25e+03, 0.292, 0.998},
    {fma(64, 16, 32, 4, 4, 4, 8, 4, 4, async, 2), 3, 215.2, 211, 1.36e+03, 1.53, 0.875},
    {fma(128, 4, 32, 4, 4, 4, 32, 1, 4, registers, 2), 6, 182.2, 412, 2.69e+03, 0.944, 1.13},
    {fma(32, 16, 16, 4, 2, 1, 8, 4, 4, single, 1), 16, 117.7, 479, 1.14e+03, 0.231, 0.731},
    {fma(4, 128, 32, 4, 4, 4, 1, 32, 4, registers, 2), 6, 203.9, 362, 1.72e+03, 1.33, 0.85},
    {fma(64, 8, 16, 4, 4, 1, 16, 2, 4, single, 1), 28, 185.9, 602, 2.29e+03, 1.05, 3.66},
    {fma(8, 64, 16, 4, 4, 1, 2, 16, 4, single, 1), 28, 124, 577, 1.71e+03, 0.616, 0.271},
    {fma(16, 16, 64, 2, 2, 4, 4, 8, 4, registers, 2), 4, 155.1, 572, 1.06e+03, 0.688, 1.05},
    {fma(128, 1, 32, 4, 1, 8, 32, 1, 4, registers, 2), 4, 228.7, 393, 1.69e+03, 1.12, 0.982},
    {fma(1, 64, 64, 1, 4, 8, 1, 16, 4, registers, 2), 6, 191.6, 773, 1.52e+03, 1.88, 0.973},
    {fma(32, 1, 128, 2, 1, 16, 16, 1, 4, registers, 2), 5, 214.4, 596, 2.05e+03, 1.05, 0.996},
};
inline constexpr gemm_costs nvidia_float_costs{.launch_ns = 4826,
                                               .plain_ns = 0.008305,
                                               .turned_ns = 0.02977,
                                               .plain_access_ns = 0.03142,
                                               .turned_access_ns = 0.03914,
                                               .short_run = 0.06016,
                                               .overlap = 1.303,
                                               .store_ns = 0.01559,
                                               .single_store_ns = 0.09135,
                                               .memory_bytes_per_ns = 32.79,
                                               .written = 1.771,
                                               .cache_bytes_per_ns = 69.44,
                                               .sums_ns = 6076,
                                               .sum_ns = 0.2395,
                                               .join_ns = 2050,
                                               .join_sum_ns = 0.113,
                                               .single_sum = 1.704,
                                               .packing_ns = 7908,
                                               .packing_bytes_per_ns = 27.26};

inline constexpr gemm_row nvidia_half[] = {
    {mma(128, 256, 64, 8, 16, 8, async, 3), 1, 2732, 326, 2.64e+03, 2.34, 1.7},
    {wgmma(128, 256, 3, bulk), 1, 6169, 303, 2.08e+03, 1.91, 2.03},
    {wgmma(128, 192, 5, bulk), 1, 7419, 288, 2.25e+03, 2.02, 1.9},
    {fma(128, 128, 8, 16, 8, 1, 4, 8, 4, registers, 2), 2, 163.2, 308, 2.5e+03, 0.519, 1.19},
    {mma(128, 128, 32, 8, 8, 8, async, 4), 1, 800.6, 329, 763, 1.61, 1.1},
    {mma(128, 128, 32, 8, 8, 8, registers, 2), 1, 721.5, 330, 898, 0.512, 2.68},
    {fma(128, 64, 16, 8, 8, 1, 4, 8, 4, registers, 2), 3, 180.3, 335, 2.17e+03, 1.11, 0.57},
    {wgmma(128, 64, 8), 1, 3122, 255, 880, 1.84, 3.81},
    {wgmma(64, 128, 4), 2, 4114, 307, 1.55e+03, 1.33, 2.62},
    {wgmma(64, 128, 4, bulk), 2, 7064, 283, 1.48e+03, 1.45, 2.98},
    {wgmma(64, 128, 8), 1, 1.148e+04, 211, 856, 3.01, 1.79},
    {mma(64, 64, 64, 4, 8, 8, single, 1), 5, 1177, 794, 1.03e+03, 1.19, 2.93},
    {wgmma(64, 64, 4), 3, 2101, 316, 1.04e+03, 1.1, 2.46},
    {wgmma(64, 64, 8), 1, 4047, 202, 297, 2.41, 2.98},
    {fma(32, 64, 64, 8, 4, 4, 4, 8, 4, registers, 2), 2, 169.7, 330, 1.38e+03, 1.59, 0.989},
    {mma(32, 64, 16, 4, 4, 8, single, 1), 7, 313.6, 441, 907, 0.749, 0.16},
    {mma(64, 32, 32, 4, 4, 8, async, 4), 7, 549.2, 149, 1.07e+03, 0.877, 4.32},
    {mma(64, 32, 32, 4, 4, 8, registers, 2), 7, 824.5, 289, 866, 1.26, 2.7},
    {mma(16, 64, 64, 2, 4, 8, registers, 2), 8, 358, 269, 969, 0.621, 2.77},
    {mma(16, 64, 64, 2, 4, 8, single, 1), 8, 530.6, 574, 925, 1.47, 3.12},
    {mma(32, 32, 32, 2, 4, 8, registers, 2), 8, 275.4, 229, 912, 0.187, 2.35},
    {mma(64, 16, 64, 4, 4, 8, registers, 2), 10, 413, 359, 1.18e+03, 1.09, 3.66},
    {fma(128, 4, 32, 4, 4, 4, 32, 1, 4, registers, 2), 7, 58.72, 362, 1.71e+03, 0.736, 4.96},
    {fma(4, 128, 32, 4, 4, 4, 1, 32, 4, registers, 2), 7, 67.53, 356, 1.5e+03, 0.691, 3.72},
    {mma(16, 32, 16, 2, 4, 8, single, 1), 16, 224.8, 370, 1.23e+03, 0.729, 0.188},
    {mma(32, 16, 16, 2, 4, 8, single, 1), 16, 158.9, 351, 1.13e+03, 0.276, 0.193},
    {fma(128, 1, 32, 4, 1, 8, 32, 1, 4, registers, 2), 4, 198.6, 375, 1.61e+03, 2.12, 1.04},
    {fma(1, 64, 64, 1, 4, 8, 1, 16, 4, registers, 2), 9, 195.9, 1.06e+03, 1.44e+03, 0.869, 1.01},
    {fma(32, 1, 128, 2, 1, 16, 16, 1, 4, registers, 2), 5, 195.1, 347, 1.48e+03, 2.65, 1},
};
inline constexpr gemm_costs nvidia_half_costs{.launch_ns = 5615,
                                              .plain_ns = 0.001928,
                                              .turned_ns = 0.04597,
                                              .plain_access_ns = 0.05087,
                                              .turned_access_ns = 0.03539,
                                              .short_run = 0.08795,
                                              .overlap = 0.1368,
                                              .store_ns = 0.02272,
                                              .single_store_ns = 0.07322,
                                              .staged_store_ns = 0.03,
                                              .staging_ns = 1200,
                                              .memory_bytes_per_ns = 32.99,
                                              .written = 0.7734,
                                              .cache_bytes_per_ns = 309.9,
                                              .sums_ns = 6694,
                                              .sum_ns = 0.3238,
                                              .join_ns = 1810,
                                              .join_sum_ns = 0.128,
                                              .single_sum = 1.178,
                                              .packing_ns = 1.201e+04,
                                              .packing_bytes_per_ns = 23.2};

inline constexpr gemm_row nvidia_double[] = {
    {fma(128, 128, 8, 8, 8, 1, 4, 8, 2, registers, 2), 1, 93.79, 336, 1.58e+03, 0.556, 3.43},
    {mma(128, 128, 16, 8, 8, 2, async, 4), 1, 243.3, 336, 2.17e+03, 0.0529, 3.62},
    {mma(128, 128, 16, 8, 8, 2, registers, 2), 1, 265.4, 333, 1.7e+03, 1.01, 6.73},
    {mma(64, 128, 16, 4, 8, 2, async, 4), 1, 270.1, 333, 1.84e+03, 0.0644, 4.48},
    {fma(64, 64, 16, 8, 4, 1, 4, 8, 2, registers, 2), 3, 91.57, 379, 1.55e+03, 1.48, 1.03},
    {mma(32, 128, 16, 4, 8, 2, async, 3), 3, 259.2, 315, 1.51e+03, 0.797, 6.65},
    {mma(64, 64, 16, 4, 8, 2, async, 3), 3, 236.9, 189, 1.86e+03, 0.0792, 1.66},
    {mma(32, 64, 16, 2, 8, 2, async, 3), 4, 370.1, 267, 1.51e+03, 1.88, 5.46},
    {mma(64, 32, 16, 4, 4, 2, registers, 2), 4, 198, 343, 1.24e+03, 0.842, 5.22},
    {fma(32, 32, 16, 4, 4, 1, 4, 8, 2, registers, 2), 9, 62.26, 539, 1.84e+03, 0.775, 0.889},
    {fma(32, 32, 32, 4, 4, 2, 4, 8, 2, registers, 2), 4, 69.55, 357, 1.34e+03, 1.42, 0.636},
    {fma(32, 32, 32, 4, 4, 4, 4, 8, 2, registers, 2), 2, 67.37, 345, 1.46e+03, 1.21, 0.704},
    {mma(32, 32, 16, 2, 4, 2, registers, 2), 6, 152, 323, 1.09e+03, 0.793, 4.58},
    {mma(32, 32, 32, 2, 4, 2, async, 3), 4, 274.7, 333, 1.33e+03, 1.94, 1.81},
    {mma(64, 16, 32, 2, 4, 2, async, 3), 3, 254.7, 372, 1.3e+03, 2.04, 0.728},
    {fma(128, 4, 32, 4, 4, 4, 32, 1, 2, registers, 2), 3, 89.09, 336, 1.74e+03, 4.64, 1.16},
    {fma(4, 128, 32, 4, 4, 4, 1, 32, 2, registers, 2), 3, 79.47, 345, 1.63e+03, 3.75, 1.06},
    {fma(1, 64, 64, 1, 4, 8, 1, 16, 2, registers, 2), 3, 96.58, 345, 1.78e+03, 4.26, 1},
    {fma(32, 1, 128, 2, 1, 16, 16, 1, 2, registers, 2), 3, 99.29, 339, 1.66e+03, 6.07, 0.998},
};
inline constexpr gemm_costs nvidia_double_costs{.launch_ns = 4934,
                                                .plain_ns = 0.01197,
                                                .turned_ns = 0.01791,
                                                .plain_access_ns = 0.036,
                                                .turned_access_ns = 0.04259,
                                                .short_run = 0.1865,
                                                .overlap = 0.357,
                                                .store_ns = 0.01006,
                                                .single_store_ns = 0.05401,
                                                .staged_store_ns = 0.02,
                                                .staging_ns = 500,
                                                .memory_bytes_per_ns = 32.95,
                                                .written = 2.255,
                                                .cache_bytes_per_ns = 136.3,
                                                .sums_ns = 8549,
                                                .sum_ns = 0.2625,
                                                .join_ns = 2380,
                                                .join_sum_ns = 0.111,
                                                .single_sum = 1.259,
                                                .packing_ns = 1.134e+04,
                                                .packing_bytes_per_ns = 31.41};

inline constexpr gemm_row nvidia_complex_float[] = {
    {fma(128, 128, 8, 8, 8, 1, 4, 8, 2, registers, 2), 1, 51.99, 674, 1.48e+03, 1.81, 6.37},
    {fma(64, 64, 16, 4, 4, 1, 4, 8, 2, async, 2), 2, 53.21, 658, 1.73e+03, 1.61, 1.06},
    {fma(64, 64, 8, 8, 4, 1, 4, 8, 2, registers, 2), 3, 48.45, 506, 1.65e+03, 0.187, 3.7},
    {fma(32, 64, 16, 4, 4, 1, 4, 8, 2, async, 2), 4, 59.38, 829, 1.29e+03, 2.56, 0.701},
    {fma(16, 64, 8, 4, 4, 1, 4, 8, 2, single, 1), 9, 49.69, 737, 1.57e+03, 0.394, 4.15},
    {fma(32, 32, 16, 2, 2, 1, 4, 8, 2, single, 1), 4, 37.16, 679, 926, 0.823, 0.411},
    {fma(32, 32, 16, 4, 4, 2, 4, 8, 2, async, 2), 4, 54.08, 494, 1.27e+03, 0.731, 0.531},
    {fma(32, 32, 64, 4, 4, 8, 4, 8, 2, registers, 2), 1, 52.32, 668, 1.66e+03, 1.06, 30.6},
    {fma(32, 32, 8, 4, 4, 1, 4, 8, 2, single, 1), 9, 53.61, 763, 1.3e+03, 1.05, 0.574},
    {fma(16, 32, 32, 4, 4, 8, 4, 8, 2, registers, 2), 2, 52.64, 535, 2.05e+03, 0.43, 1.25},
    {fma(64, 8, 16, 4, 4, 1, 16, 2, 2, single, 1), 19, 51.47, 1.3e+03, 2.06e+03, 0.683, 15.6},
    {fma(16, 16, 16, 2, 2, 1, 4, 8, 2, single, 1), 16, 35.12, 626, 795, 0.765, 0.397},
};
inline constexpr gemm_costs nvidia_complex_float_costs{.launch_ns = 5141,
                                                       .plain_ns = 0.01099,
                                                       .turned_ns = 0.01729,
                                                       .plain_access_ns = 0.02089,
                                                       .turned_access_ns = 0.06396,
                                                       .short_run = 0.101,
                                                       .overlap = 0.3501,
                                                       .store_ns = 0.01057,
                                                       .single_store_ns = 0.03862,
                                                       .staged_store_ns = 0.02,
                                                       .memory_bytes_per_ns = 32.97,
                                                       .written = 2.033,
                                                       .cache_bytes_per_ns = 77.73,
                                                       .sums_ns = 7471,
                                                       .sum_ns = 0.3621,
                                                       .join_ns = 1410,
                                                       .join_sum_ns = 0.111,
                                                       .single_sum = 1.158,
                                                       .packing_ns = 8087,
                                                       .packing_bytes_per_ns = 27.68};

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
                                                        .join_ns = 2000,
                                                        .join_sum_ns = 0.11,
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
