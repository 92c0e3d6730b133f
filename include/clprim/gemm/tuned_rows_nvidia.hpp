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

// NVIDIA H200, driver 580.159.04, fitted by bench/gemm/fit_rows.py, which says what each number
// means. Float: 2026-11-27, bench_tune --random of seeds 51 and 61 and the listed products (85
// problems, every row through each, times of the device alone) and 37 products of rows of C that
// are mostly not aligned. On problems that were left out of the fit the choice has 0.956 of the
// best way's speed (geometric mean), and of its times 87 % were predicted within 20 %; the
// numbers are of a fit that had the listed products three times and 44 of bench_gemm's seed 22,
// each by the way of the choice before. Half: 2026-11-27, 54 products of seed 91 and 15 of short
// k of seed 81 (bench/results/nvidia-h200/choices), on which the rows before had 0.832; on those
// left out these have 0.918, and 74 % of the times within 20 %. What an access costs the five
// rows of mma_sync and buffering single that are 128 wide or 16 deep is of 2026-11-29, of 16
// products of odd half besides (half-odd): of 801 ways that copy no operand those had been
// predicted in 0.7 of their time. Two listed products moved three numbers since: 4096 of 64^3 of
// float take 73 us by 64 x 64 x 8 and 83 by 64 x 64 x 16, 8192 x 64 x 8192 of half 37.3 by 64 x
// 64 and 39.5 by 64 x 128 in two parts. Double and complex float: rows of 2026-11-26 by the
// events of seeds 1 and 2, which had 0.959 and 0.950; what a launch, a second kernel and packing
// cost is of 2026-11-27: on 41 and 8 problems the choice has 0.972 and 0.955. Rows of one or
// four rows or columns, and those that older devices need (no cp.async, no matrix units), stay
// whether the products wanted them or not. Complex double's are of 2026-11-24, its 64 x 64 x 8
// and 64 x 32 x 8 of bench_gemm's times at 2048, its fma rows estimates; bfloat16 has half's.
//
// What staging the sums costs (stage_c): an H100, 2026-11-26, the products whose rows of C are not
// aligned among those of seed 31, every way with and without. Of 30 of double the choice has 0.956
// of the best way's speed with it and 0.947 without, of 10 of complex float 0.944 and 0.916.
// Float's are slower by it, 0.93 in the mean; they have interleaved rows instead. H200, 2026-11-27,
// us, so and by the best other way: 511 x 32 x 63 in 712 65 and 71, 431 x 63 x 15 in 433 30 and 39,
// 827 x 127 x 13 in 68 18 and 28, 4096 x 3088 x 33 47 and 59; of k past 200 the others win.
inline constexpr gemm_row nvidia_float[] = {
    {fma(128, 256, 8, 8, 16, 1, 4, 8, 4, async, 3), 1, 213.8, 309, 2.23e+03, 0.999, 3.4},
    {fma(128, 128, 16, 16, 8, 1, 2, 16, 4, registers, 2), 2, 275.9, 1.18e+03, 1.89e+03, 1.1, 1.08},
    {fma(128, 128, 8, 16, 8, 1, 4, 8, 4, async, 2), 2, 235.2, 392, 1.92e+03, 1.46, 1.69},
    {fma(128, 128, 8, 16, 8, 1, 4, 8, 4, async, 3), 2, 277.3, 508, 2.3e+03, 2.18, 1.68},
    {fma(128, 128, 8, 8, 16, 1, 16, 2, 4, registers, 3), 2, 299.4, 542, 3.75e+03, 2.38, 5.07},
    {fma(256, 64, 8, 16, 8, 1, 4, 8, 4, async, 2), 2, 308.9, 598, 2.21e+03, 0.918, 2.29},
    {fma(64, 256, 8, 8, 16, 1, 4, 8, 4, async, 2), 2, 290.8, 541, 2.07e+03, 1.54, 1.93},
    {fma(128, 64, 16, 8, 8, 1, 4, 8, 4, registers, 2), 3, 251.4, 682, 1.5e+03, 1.54, 1.61},
    {fma(128, 64, 16, 8, 8, 1, 8, 4, 4, async, 2), 3, 219.8, 358, 1.94e+03, 0.48, 1.04},
    {fma(64, 128, 16, 8, 8, 1, 4, 8, 4, async, 2), 3, 209.6, 243, 1.78e+03, 0.944, 0.714},
    {fma(64, 128, 16, 8, 8, 1, 4, 8, 4, registers, 2), 3, 234.2, 533, 1.4e+03, 1.71, 1.72},
    {fma(64, 128, 32, 8, 8, 4, 4, 8, 4, registers, 2), 1, 259.4, 603, 2.24e+03, 1.85, 1.55},
    {fma(64, 128, 8, 8, 8, 1, 4, 8, 4, async, 2), 3, 211.9, 122, 1.68e+03, 0.508, 1.55},
    {fma(64, 128, 8, 8, 8, 1, 4, 8, 4, async, 3), 3, 205.1, 111, 1.76e+03, 0.226, 1.59},
    {fma(128, 32, 16, 8, 4, 1, 8, 4, 4, async, 2), 5, 204.3, 161, 1.56e+03, 0.62, 2.17},
    {fma(32, 128, 16, 4, 8, 1, 4, 8, 4, registers, 2), 5, 194.4, 536, 890, 0.887, 1.47},
    {fma(64, 64, 16, 8, 4, 1, 4, 8, 4, async, 2), 5, 211.4, 280, 1.26e+03, 0.84, 0.726},
    {fma(64, 64, 16, 8, 4, 1, 4, 8, 4, async, 3), 5, 187, 207, 1.41e+03, 0.475, 0.87},
    {fma(64, 64, 16, 8, 4, 1, 4, 8, 4, registers, 2), 5, 202.3, 279, 1.34e+03, 1.02, 0.733},
    {fma(64, 64, 16, 8, 8, 1, 8, 4, 4, async, 2), 7, 218.6, 229, 2.81e+03, 0.784, 1.15},
    {fma(64, 64, 16, 8, 8, 1, 8, 4, 4, async, 3), 7, 225.9, 388, 2.7e+03, 0.859, 1.75},
    {fma(64, 64, 32, 8, 8, 2, 4, 8, 4, async, 2), 3, 216, 320, 2.06e+03, 0.846, 1.13},
    {fma(64, 64, 32, 8, 8, 4, 4, 8, 4, registers, 2), 1, 240.1, 411, 2.11e+03, 0.244, 1.42},
    {fma(64, 64, 8, 8, 16, 1, 8, 4, 4, async, 2), 9, 225.2, 182, 2.6e+03, 1.13, 4.14},
    {fma(64, 64, 8, 8, 4, 1, 4, 8, 4, single, 1), 5, 203.1, 345, 1.38e+03, 0.92, 1.58},
    {interleaved(fma(32, 128, 16, 4, 8, 1, 2, 16, 4, async, 2)), 5, 177.2, 379, 1.43e+03, 0.492},
    {interleaved(fma(32, 128, 16, 4, 8, 1, 2, 16, 4, single, 1)), 5, 167.1, 442, 933, 0.535},
    {fma(16, 128, 32, 4, 4, 2, 4, 8, 4, registers, 2), 3, 146.7, 352, 1.2e+03, 0.657, 0.986},
    {fma(32, 64, 16, 4, 4, 1, 4, 8, 4, async, 2), 7, 178, 217, 1.14e+03, 1.08, 0.528},
    {fma(32, 64, 16, 4, 4, 1, 4, 8, 4, registers, 2), 7, 154.6, 372, 928, 0.464, 0.79},
    {fma(32, 64, 16, 4, 4, 1, 4, 8, 4, single, 1), 7, 149.1, 431, 1.01e+03, 0.433, 0.511},
    {fma(32, 64, 64, 8, 4, 4, 4, 8, 4, async, 2), 2, 210.7, 275, 1.47e+03, 1.04, 1.33},
    {fma(64, 32, 16, 8, 4, 1, 8, 4, 4, async, 2), 10, 245.1, 368, 1.19e+03, 1.59, 1.64},
    {fma(64, 32, 64, 4, 8, 4, 8, 4, 4, registers, 2), 2, 212.4, 726, 1.85e+03, 0.877, 1.34},
    {interleaved(fma(32, 64, 16, 4, 4, 1, 2, 16, 4, async, 2)), 7, 160.7, 300, 1.19e+03, 0.611},
    {interleaved(fma(32, 64, 16, 4, 4, 1, 2, 16, 4, single, 1)), 7, 154.3, 408, 932, 0.478},
    {fma(16, 64, 16, 4, 4, 1, 4, 8, 4, async, 2), 14, 130.7, 261, 702, 1.13, 0.906},
    {fma(16, 64, 16, 4, 4, 1, 4, 8, 4, single, 1), 14, 109.4, 487, 900, 0.802, 0.543},
    {fma(32, 32, 16, 4, 4, 1, 8, 4, 4, async, 3), 14, 179.2, 337, 1.07e+03, 0.674, 1.53},
    {fma(32, 32, 32, 4, 4, 4, 4, 8, 4, registers, 2), 3, 216.8, 306, 1.16e+03, 1.17, 1.23},
    {fma(32, 32, 64, 4, 4, 8, 4, 8, 4, registers, 2), 1, 200.8, 333, 1.66e+03, 1.2, 0.963},
    {fma(64, 16, 32, 4, 4, 4, 8, 4, 4, async, 2), 3, 206.9, 194, 1.66e+03, 1.4, 1.03},
    {interleaved(fma(16, 64, 16, 4, 4, 1, 4, 8, 4, async, 2)), 14, 150.3, 328, 1.23e+03, 0.836},
    {interleaved(fma(16, 64, 32, 4, 4, 2, 4, 8, 4, async, 2)), 7, 158.6, 242, 1.48e+03, 0.836},
    {interleaved(fma(32, 32, 16, 4, 4, 1, 4, 8, 4, async, 2)), 14, 168.3, 310, 1.26e+03, 0.968},
    {interleaved(fma(32, 32, 16, 4, 4, 1, 4, 8, 4, single, 1)), 14, 159.5, 521, 1.08e+03, 0.422},
    {fma(128, 4, 32, 4, 4, 4, 32, 1, 4, registers, 2), 6, 83.86, 324, 1.7e+03, 1.26, 1.79},
    {fma(32, 16, 16, 4, 2, 1, 8, 4, 4, single, 1), 16, 104.6, 482, 835, 0.341, 0.642},
    {fma(4, 128, 32, 4, 4, 4, 1, 32, 4, registers, 2), 6, 240.3, 218, 1.24e+03, 3.82, 1},
    {fma(64, 8, 16, 4, 4, 1, 16, 2, 4, single, 1), 28, 118.6, 477, 1.63e+03, 1.48, 1.4},
    {fma(8, 64, 16, 4, 4, 1, 2, 16, 4, single, 1), 28, 107.4, 720, 963, 1.07, 0.985},
    {interleaved(fma(16, 32, 32, 4, 4, 4, 4, 8, 4, registers, 2)), 7, 224.8, 398, 2.01e+03, 1.19},
    {fma(16, 16, 64, 2, 2, 4, 4, 8, 4, registers, 2), 4, 139.4, 366, 906, 1.25, 1.06},
    {fma(128, 1, 32, 4, 1, 8, 32, 1, 4, registers, 2), 4, 197.4, 382, 1.59e+03, 1.58, 1},
    {fma(1, 64, 64, 1, 4, 8, 1, 16, 4, registers, 2), 6, 197.9, 461, 1.25e+03, 2.69, 1},
    {fma(32, 1, 128, 2, 1, 16, 16, 1, 4, registers, 2), 5, 187.3, 433, 1.62e+03, 3.05, 1},
};
inline constexpr gemm_costs nvidia_float_costs{.launch_ns = 1975,
                                               .plain_ns = 0.01759,
                                               .turned_ns = 0.04454,
                                               .plain_access_ns = 0.03653,
                                               .turned_access_ns = 0.01639,
                                               .short_run = 0.09181,
                                               .overlap = 1.078,
                                               .store_ns = 0.01864,
                                               .single_store_ns = 0.1325,
                                               .memory_bytes_per_ns = 32.65,
                                               .written = 1.623,
                                               .cache_bytes_per_ns = 194.3,
                                               .sums_ns = 3458,
                                               .sum_ns = 0.1638,
                                               .join_ns = 2142,
                                               .join_sum_ns = 0.1164,
                                               .single_sum = 2.327,
                                               .packing_ns = 4066,
                                               .packing_bytes_per_ns = 33.25};

inline constexpr gemm_row nvidia_half[] = {
    {mma(128, 256, 64, 8, 16, 8, async, 3), 1, 3013, 358, 5.41e+03, 3.52, 2.05},
    {wgmma(128, 256, 3, bulk), 1, 4801, 331, 4.68e+03, 0.417, 2.19},
    {wgmma(128, 192, 5, bulk), 1, 5076, 312, 3.31e+03, 0.378, 2.24},
    {fma(128, 128, 8, 16, 8, 1, 4, 8, 4, registers, 2), 2, 159.5, 356, 4.15e+03, 0.928, 0.697},
    {mma(128, 128, 32, 8, 8, 8, async, 4), 1, 1524, 321, 2e+03, 3.09, 1.67},
    {mma(128, 128, 32, 8, 8, 8, registers, 2), 1, 699.4, 361, 1.81e+03, 0.782, 1.58},
    {mma(128, 128, 32, 8, 8, 8, single, 1), 1, 1288, 354, 1.04e+03, 3.2, 2.68},
    {fma(128, 64, 16, 8, 8, 1, 4, 8, 4, registers, 2), 3, 213.5, 372, 3.27e+03, 2.57, 1.05},
    {mma(128, 64, 32, 8, 4, 8, single, 1), 2, 326.5, 351, 2.66e+03, 0.78, 0.946},
    {mma(64, 128, 16, 4, 8, 8, single, 1), 2, 1660, 439, 648, 2.9, 2.41},
    {mma(64, 128, 32, 4, 8, 8, single, 1), 2, 1766, 485, 1.27e+03, 2.76, 2.02},
    {wgmma(128, 64, 8), 1, 2183, 303, 1.15e+03, 0.573, 2.08},
    {wgmma(64, 128, 4), 2, 2422, 224, 2e+03, 0.475, 2.15},
    {wgmma(64, 128, 4, bulk), 2, 2973, 193, 1.67e+03, 0.398, 2.03},
    {wgmma(64, 128, 8), 1, 3036, 262, 1.55e+03, 0.395, 2.21},
    {mma(32, 128, 16, 4, 8, 8, single, 1), 5, 1598, 444, 1.36e+03, 2.63, 2.03},
    {mma(32, 128, 32, 2, 8, 8, single, 1), 3, 1310, 433, 1.27e+03, 4.66, 1.4},
    {mma(64, 64, 16, 4, 8, 8, single, 1), 5, 1554, 492, 1.12e+03, 2.27, 2.18},
    {mma(64, 64, 32, 4, 4, 8, single, 1), 3, 973.1, 371, 1.16e+03, 5.32, 1.89},
    {mma(64, 64, 32, 4, 8, 8, registers, 2), 5, 1099, 321, 1.65e+03, 1.69, 1.94},
    {mma(64, 64, 32, 4, 8, 8, single, 1), 5, 1054, 383, 1.33e+03, 5.92, 1.93},
    {mma(64, 64, 64, 4, 8, 8, single, 1), 5, 1007, 835, 1.47e+03, 1.99, 1.55},
    {wgmma(64, 64, 4), 3, 1678, 217, 1.03e+03, 0.662, 1.87},
    {wgmma(64, 64, 8), 1, 1913, 180, 483, 0.522, 2.71},
    {fma(32, 64, 64, 8, 4, 4, 4, 8, 4, registers, 2), 2, 122.5, 363, 1.55e+03, 1.8, 0.529},
    {mma(32, 64, 16, 4, 4, 8, single, 1), 7, 336.4, 454, 1.55e+03, 0.638, 1.25},
    {mma(32, 64, 32, 2, 8, 8, registers, 2), 6, 1227, 225, 1.17e+03, 2.63, 2.39},
    {mma(64, 32, 32, 4, 4, 8, async, 4), 7, 385.9, 144, 1.7e+03, 0.801, 1.66},
    {mma(64, 32, 32, 4, 4, 8, registers, 2), 7, 444.4, 231, 1.93e+03, 0.608, 1.1},
    {mma(16, 64, 64, 2, 4, 8, registers, 2), 8, 365.1, 288, 1.22e+03, 1.1, 0.722},
    {mma(16, 64, 64, 2, 4, 8, single, 1), 8, 477.5, 483, 1.26e+03, 1.79, 0.716},
    {mma(32, 32, 32, 2, 4, 8, registers, 2), 8, 279.7, 211, 1.29e+03, 0.258, 1.03},
    {mma(32, 32, 32, 2, 4, 8, single, 1), 8, 1093, 474, 885, 4.47, 1.68},
    {mma(64, 16, 64, 4, 4, 8, registers, 2), 10, 391.3, 426, 1.68e+03, 1.04, 0.951},
    {fma(128, 4, 32, 4, 4, 4, 32, 1, 4, registers, 2), 7, 114.6, 480, 2.41e+03, 2.85, 4.59},
    {fma(4, 128, 32, 4, 4, 4, 1, 32, 4, registers, 2), 7, 196.8, 399, 1.94e+03, 1.54, 0.397},
    {mma(16, 32, 16, 2, 4, 8, single, 1), 16, 205.1, 461, 901, 0.628, 1.49},
    {mma(32, 16, 16, 2, 4, 8, single, 1), 16, 203.6, 433, 995, 0.556, 1.17},
    {fma(128, 1, 32, 4, 1, 8, 32, 1, 4, registers, 2), 4, 191.8, 477, 1.62e+03, 3.13, 1},
    {fma(1, 64, 64, 1, 4, 8, 1, 16, 4, registers, 2), 9, 198.9, 396, 1.12e+03, 2.42, 0.948},
    {fma(32, 1, 128, 2, 1, 16, 16, 1, 4, registers, 2), 5, 196.8, 445, 1.87e+03, 0.981, 1},
};
inline constexpr gemm_costs nvidia_half_costs{.launch_ns = 2394,
                                              .plain_ns = 0.005891,
                                              .turned_ns = 0.02195,
                                              .plain_access_ns = 0.02869,
                                              .turned_access_ns = 0.0531,
                                              .short_run = 0.109,
                                              .overlap = 0.2511,
                                              .store_ns = 0.05826,
                                              .single_store_ns = 0.1601,
                                              .staged_store_ns = 0.1681,
                                              .staging_ns = 208.5,
                                              .flat_store_ns = 0.1,
                                              .memory_bytes_per_ns = 32.94,
                                              .written = 0.6321,
                                              .cache_bytes_per_ns = 110.4,
                                              .sums_ns = 2066,
                                              .sum_ns = 0.3281,
                                              .join_ns = 1664,
                                              .join_sum_ns = 0.04056,
                                              .single_sum = 1.071,
                                              .packing_ns = 2706,
                                              .packing_bytes_per_ns = 19.09};

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
inline constexpr gemm_costs nvidia_double_costs{.launch_ns = 1600,
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
                                                .sums_ns = 2800,
                                                .sum_ns = 0.2625,
                                                .join_ns = 2380,
                                                .join_sum_ns = 0.111,
                                                .single_sum = 1.259,
                                                .packing_ns = 3000,
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
inline constexpr gemm_costs nvidia_complex_float_costs{.launch_ns = 1700,
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
                                                       .sums_ns = 3000,
                                                       .sum_ns = 0.3621,
                                                       .join_ns = 1410,
                                                       .join_sum_ns = 0.111,
                                                       .single_sum = 1.158,
                                                       .packing_ns = 3600,
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
inline constexpr gemm_costs nvidia_complex_double_costs{.launch_ns = 1700,
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
                                                        .packing_ns = 3600,
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
inline constexpr gemm_costs nvidia_tf32_costs{.launch_ns = 1700,
                                              .store_ns = 0.01,
                                              .single_store_ns = 0.18,
                                              .memory_bytes_per_ns = 23,
                                              .packing_ns = 4000,
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
