#pragma once
// GEMM on NVIDIA GPUs: what was measured of each policy, and what everything beside it costs.

#include <span>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/scalar.hpp>
#include <clprim/gemm/policies_nvidia.hpp>
#include <clprim/gemm/precision.hpp>
#include <clprim/gemm/tuned_row.hpp>
#include <clprim/gemm/tuned_rows_nvidia_units.hpp>

namespace clprim {

namespace gemm_tables {

using enum buffering;

// NVIDIA H200, driver 580.159.04, 2026-11-29, fitted by bench/gemm/fit_rows.py, which says what
// each number means, to the products of bench_gemm's seeds 301 and 401 and those of short k that
// were the worst of seeds 41 and 43, their ways timed on the device alone (all but `listed` in
// bench/results/nvidia-h200/choices); float and half to the older ones there too, but for ways by
// cp.async through matrices smaller than a tile, which are faster since. Speed of the choice over
// that of the best way, geometric mean, by the numbers before, and by these on problems that were
// left out of the fit, with the share of times that they predict within 20 %:
//
//                     products   before   left out   within 20 %
//     float                192    0.926      0.959           97 %
//     double               103    0.934      0.962           93 %
//     half                 159    0.934      0.948           82 %
//     complex float         45    0.923      0.972          100 %
//     complex double        26    0.899      0.928           81 %
//
// The rows were chosen on the same products. Those that bench_gemm lists take part in the fits, two
// to nine times each, but not in these shares: by what the numbers before say of each way, scaled
// by what their choice was measured to take. Of five rows the rate was moved after the fit, by 1 to
// 6 %, so that all but two of the listed products keep their choice: others were predicted to be as
// fast, not measured. Rows of one or four rows or columns, and those that older devices need (no
// cp.async, no matrix units), stay whether the products wanted them or not; complex double's fma
// rows are estimates, bfloat16 has half's.
//
// What staging the sums costs (stage_c): an H100, 2026-11-26, the products whose rows of C are not
// aligned among those of seed 31, every way with and without. Of 30 of double the choice has 0.956
// of the best way's speed with it and 0.947 without, of 10 of complex float 0.944 and 0.916.
// Float's are slower by it, 0.93 in the mean; they have interleaved rows instead. H200, 2026-11-27,
// us, so and by the best other way: 511 x 32 x 63 in 712 65 and 71, 431 x 63 x 15 in 433 30 and 39,
// 827 x 127 x 13 in 68 18 and 28, 4096 x 3088 x 33 47 and 59; of k past 200 the others win.
inline constexpr gemm_row nvidia_float[] = {
    {fma(128, 256, 8, 8, 16, 1, 4, 8, 4, async, 3), 1, 215.2, 376, 2.1e+03, 0.693, 4.11},
    {fma(128, 128, 16, 16, 8, 1, 2, 16, 4, registers, 2), 2, 255.3, 1.25e+03, 2.8e+03, 1.23, 1.12},
    {fma(128, 128, 8, 16, 8, 1, 4, 8, 4, async, 3), 2, 253.5, 556, 2.52e+03, 1.03, 3.35},
    {fma(128, 128, 8, 8, 16, 1, 16, 2, 4, registers, 3), 2, 261.3, 565, 2.69e+03, 1.58, 8.13},
    {fma(256, 64, 8, 16, 8, 1, 4, 8, 4, async, 2), 2, 259.3, 568, 2.37e+03, 0.683, 3.72},
    {fma(64, 256, 8, 8, 16, 1, 4, 8, 4, async, 2), 2, 251.5, 567, 2.1e+03, 0.807, 3.83},
    {fma(128, 64, 16, 8, 8, 1, 4, 8, 4, registers, 2), 3, 242.5, 679, 1.92e+03, 1.34, 1.89},
    {fma(128, 64, 16, 8, 8, 1, 8, 4, 4, async, 2), 3, 224.1, 425, 2.17e+03, 0.577, 2.78},
    {fma(64, 128, 16, 8, 8, 1, 4, 8, 4, async, 2), 3, 219.8, 375, 1.81e+03, 0.664, 1.72},
    {fma(64, 128, 16, 8, 8, 1, 4, 8, 4, registers, 2), 3, 251.2, 639, 1.76e+03, 1.69, 1.71},
    {fma(64, 128, 32, 8, 8, 4, 4, 8, 4, registers, 2), 1, 220.5, 400, 2.77e+03, 1.51, 1.55},
    {fma(64, 128, 8, 8, 8, 1, 4, 8, 4, async, 2), 3, 219.2, 190, 1.38e+03, 0.667, 1.58},
    {fma(64, 128, 8, 8, 8, 1, 4, 8, 4, async, 3), 3, 210.8, 192, 1.46e+03, 0.466, 1.69},
    {fma(32, 128, 16, 4, 8, 1, 4, 8, 4, registers, 2), 5, 199.6, 522, 1.17e+03, 1.1, 1.18},
    {fma(64, 64, 16, 8, 4, 1, 4, 8, 4, async, 2), 5, 215.1, 262, 1.27e+03, 0.704, 1.03},
    {fma(64, 64, 16, 8, 4, 1, 4, 8, 4, async, 3), 5, 201.3, 263, 1.28e+03, 0.542, 1.02},
    {fma(64, 64, 16, 8, 4, 1, 4, 8, 4, registers, 2), 5, 212.7, 355, 1.24e+03, 1.52, 0.949},
    {fma(64, 64, 16, 8, 8, 1, 8, 4, 4, async, 2), 7, 232.7, 307, 2.19e+03, 0.885, 2.53},
    {fma(64, 64, 8, 8, 16, 1, 8, 4, 4, async, 2), 9, 236.2, 268, 2.22e+03, 1.42, 4.69},
    {fma(64, 64, 8, 8, 4, 1, 4, 8, 4, single, 1), 5, 221.8, 489, 888, 1.33, 1.41},
    {interleaved(fma(32, 128, 16, 4, 8, 1, 2, 16, 4, async, 2)), 5, 180.7, 371, 1.29e+03, 0.515},
    {interleaved(fma(32, 128, 16, 4, 8, 1, 2, 16, 4, single, 1)), 5, 175.1, 528, 1.3e+03, 0.77},
    {interleaved(fma(32, 128, 8, 4, 8, 1, 4, 8, 4, async, 2)), 5, 159.2, 226, 954, 0.649},
    {interleaved(fma(64, 64, 16, 8, 4, 1, 2, 16, 4, async, 2)), 5, 190.7, 402, 1.83e+03, 0.7},
    {interleaved(fma(64, 64, 16, 8, 4, 1, 2, 16, 4, single, 1)), 5, 172.4, 438, 1.85e+03, 0.266},
    {fma(32, 64, 16, 4, 4, 1, 4, 8, 4, async, 2), 7, 185.9, 181, 967, 0.835, 0.978},
    {fma(32, 64, 16, 4, 4, 1, 4, 8, 4, registers, 2), 7, 166.3, 384, 887, 1.01, 0.881},
    {fma(32, 64, 16, 4, 4, 1, 4, 8, 4, single, 1), 7, 160.7, 562, 760, 0.61, 1.13},
    {fma(32, 64, 64, 8, 4, 4, 4, 8, 4, async, 2), 2, 229.5, 339, 1.64e+03, 1.07, 1.42},
    {fma(64, 32, 16, 8, 4, 1, 8, 4, 4, async, 2), 10, 241.1, 345, 1.41e+03, 0.921, 2.02},
    {interleaved(fma(32, 64, 16, 4, 4, 1, 2, 16, 4, async, 2)), 7, 164.7, 243, 1.07e+03, 0.847},
    {interleaved(fma(32, 64, 16, 4, 4, 1, 2, 16, 4, single, 1)), 7, 166.6, 586, 896, 0.753},
    {interleaved(fma(64, 32, 16, 4, 4, 1, 4, 8, 4, registers, 2)), 7, 177.8, 524, 979, 1.22},
    {fma(16, 64, 16, 4, 4, 1, 4, 8, 4, single, 1), 14, 150.9, 679, 914, 0.934, 0.653},
    {fma(32, 32, 32, 4, 4, 4, 4, 8, 4, registers, 2), 3, 170.6, 238, 1.14e+03, 1.49, 0.427},
    {fma(32, 32, 64, 4, 4, 8, 4, 8, 4, registers, 2), 1, 186.1, 399, 1.55e+03, 1.16, 0.827},
    {fma(64, 16, 32, 4, 4, 4, 8, 4, 4, async, 2), 3, 231.1, 238, 1.29e+03, 1.63, 1.32},
    {interleaved(fma(16, 64, 32, 4, 4, 2, 4, 8, 4, async, 2)), 7, 201.2, 282, 1.57e+03, 1.08},
    {interleaved(fma(32, 32, 16, 4, 4, 1, 4, 8, 4, async, 2)), 14, 187.1, 332, 1.24e+03, 0.992},
    {interleaved(fma(32, 32, 16, 4, 4, 1, 4, 8, 4, single, 1)), 14, 159.5, 639, 1.06e+03, 0.589},
    {fma(128, 4, 32, 4, 4, 4, 32, 1, 4, registers, 2), 6, 138.7, 436, 1.48e+03, 1.58, 6.33},
    {fma(32, 16, 16, 4, 2, 1, 8, 4, 4, single, 1), 16, 116.8, 513, 889, 0.458, 0.873},
    {fma(4, 128, 32, 4, 4, 4, 1, 32, 4, registers, 2), 6, 200.4, 448, 1.23e+03, 1.53, 0.454},
    {fma(64, 8, 16, 4, 4, 1, 16, 2, 4, single, 1), 28, 152.8, 723, 1.08e+03, 1.3, 3.72},
    {fma(8, 64, 16, 4, 4, 1, 2, 16, 4, single, 1), 28, 155.1, 645, 1.19e+03, 1.1, 0.736},
    {fma(16, 16, 64, 2, 2, 4, 4, 8, 4, registers, 2), 4, 112.8, 293, 899, 2.04, 0.3},
    {fma(128, 1, 32, 4, 1, 8, 32, 1, 4, registers, 2), 4, 209.1, 348, 1.15e+03, 3.68},
    {fma(1, 64, 64, 1, 4, 8, 1, 16, 4, registers, 2), 6, 186.7, 801, 1.17e+03, 2.08, 0.901},
    {fma(32, 1, 128, 2, 1, 16, 16, 1, 4, registers, 2), 5, 186.8, 404, 1.56e+03, 3.34},
};
inline constexpr gemm_costs nvidia_float_costs{.launch_ns = 1975,
                                               .plain_ns = 0.01139,
                                               .turned_ns = 0.04288,
                                               .plain_access_ns = 0.05231,
                                               .turned_access_ns = 0.02757,
                                               .short_run = 0.06027,
                                               .overlap = 0.6526,
                                               .store_ns = 0.04303,
                                               .single_store_ns = 0.2055,
                                               .later_store = 0.4418,
                                               .memory_bytes_per_ns = 32.81,
                                               .written = 1.617,
                                               .cache_bytes_per_ns = 76.62,
                                               .sums_ns = 3424,
                                               .sum_ns = 0.1485,
                                               .join_ns = 2021,
                                               .join_sum_ns = 0.09349,
                                               .single_sum = 1.579,
                                               .packing_ns = 2287,
                                               .packing_bytes_per_ns = 19.83};

inline constexpr gemm_row nvidia_half[] = {
    {wgmma(128, 256, 3, bulk), 1, 5453, 340, 4.02e+03, 0.333, 2.32},
    {wgmma(128, 192, 5, bulk), 1, 5905, 302, 2.86e+03, 0.296, 2.17},
    {fma(128, 128, 8, 16, 8, 1, 4, 8, 4, registers, 2), 2, 151, 393, 2.44e+03, 1.97, 1.02},
    {mma(128, 128, 32, 8, 8, 8, async, 4), 1, 1493, 343, 1.9e+03, 1.89, 1.77},
    {mma(128, 128, 32, 8, 8, 8, registers, 2), 1, 716.9, 411, 1.75e+03, 0.395, 1.63},
    {fma(128, 64, 16, 8, 8, 1, 4, 8, 4, registers, 2), 3, 207.4, 429, 2.58e+03, 3.03, 1.35},
    {mma(64, 128, 16, 4, 8, 8, single, 1), 2, 1365, 692, 198, 0.336, 2.42},
    {mma(64, 128, 32, 4, 8, 8, single, 1), 2, 1115, 915, 695, 0.847, 2.24},
    {wgmma(128, 64, 8), 1, 2830, 259, 1.12e+03, 0.367, 2.41},
    {wgmma(64, 128, 4), 2, 2884, 190, 1.81e+03, 0.339, 2.09},
    {wgmma(64, 128, 4, bulk), 2, 3345, 140, 1.58e+03, 0.311, 2.33},
    {wgmma(64, 128, 8), 1, 4155, 212, 1.56e+03, 0.261, 2.24},
    {mma(32, 128, 16, 4, 8, 8, single, 1), 5, 618.7, 627, 869, 1.04, 2.09},
    {mma(64, 64, 16, 4, 8, 8, single, 1), 5, 490, 510, 885, 0.468, 2.04},
    {mma(64, 64, 32, 4, 4, 8, single, 1), 3, 1164, 592, 1.09e+03, 2.65, 1.79},
    {mma(64, 64, 32, 4, 8, 8, registers, 2), 5, 561.8, 294, 1.52e+03, 0.474, 1.84},
    {mma(64, 64, 32, 4, 8, 8, single, 1), 5, 1218, 682, 1.14e+03, 2.53, 2.15},
    {wgmma(64, 64, 4), 3, 1799, 137, 959, 0.475, 2.17},
    {wgmma(64, 64, 8), 1, 2574, 185, 506, 0.34, 2.56},
    {fma(32, 64, 64, 8, 4, 4, 4, 8, 4, registers, 2), 2, 156.3, 408, 1.44e+03, 3.79, 0.672},
    {mma(32, 64, 16, 2, 8, 8, single, 1), 6, 530.4, 502, 713, 0.193, 1.92},
    {mma(32, 64, 16, 4, 4, 8, single, 1), 7, 300.3, 501, 1.01e+03, 0.245, 1.57},
    {mma(32, 64, 32, 2, 8, 8, registers, 2), 6, 492.1, 287, 1.06e+03, 0.744, 2.04},
    {mma(64, 32, 32, 4, 4, 8, async, 4), 7, 412.6, 150, 1.45e+03, 0.806, 1.68},
    {mma(64, 32, 32, 4, 4, 8, registers, 2), 7, 396.7, 271, 1.37e+03, 0.466, 1.37},
    {mma(16, 64, 64, 2, 4, 8, registers, 2), 8, 338.2, 293, 1.15e+03, 0.804, 1.07},
    {mma(16, 64, 64, 2, 4, 8, single, 1), 8, 451.3, 655, 1.06e+03, 1.42, 1.05},
    {mma(32, 32, 32, 2, 4, 8, registers, 2), 8, 277.5, 251, 947, 0.226, 1.49},
    {mma(32, 32, 32, 2, 4, 8, single, 1), 8, 1023, 515, 833, 2.82, 1.53},
    {mma(64, 16, 64, 4, 4, 8, registers, 2), 10, 415.6, 443, 1.63e+03, 1.03, 1.2},
    {fma(128, 4, 32, 4, 4, 4, 32, 1, 4, registers, 2), 7, 132.2, 566, 2.06e+03, 4.15, 3.37},
    {fma(4, 128, 32, 4, 4, 4, 1, 32, 4, registers, 2), 7, 173.3, 594, 1.51e+03, 2.02, 0.737},
    {mma(32, 16, 16, 2, 4, 8, single, 1), 16, 202.2, 482, 653, 0.561, 1.19},
    {fma(128, 1, 32, 4, 1, 8, 32, 1, 4, registers, 2), 4, 188, 565, 1.56e+03, 3.13},
    {fma(1, 64, 64, 1, 4, 8, 1, 16, 4, registers, 2), 9, 175.9, 579, 1.17e+03, 5.1, 1.17},
    {fma(32, 1, 128, 2, 1, 16, 16, 1, 4, registers, 2), 5, 192.3, 733, 1.89e+03, 2.03},
};
inline constexpr gemm_costs nvidia_half_costs{.launch_ns = 2104,
                                              .plain_ns = 0.004798,
                                              .turned_ns = 0.04588,
                                              .plain_access_ns = 0.0344,
                                              .turned_access_ns = 0.03109,
                                              .short_run = 0.06122,
                                              .overlap = 0.361,
                                              .store_ns = 0.1084,
                                              .single_store_ns = 0.2323,
                                              .staged_store_ns = 0.2267,
                                              .staging_ns = 555.3,
                                              .flat_store_ns = 0.1,
                                              .later_store = 0.6932,
                                              .memory_bytes_per_ns = 33.12,
                                              .written = 0.7472,
                                              .cache_bytes_per_ns = 144.5,
                                              .sums_ns = 2475,
                                              .sum_ns = 0.2132,
                                              .join_ns = 1921,
                                              .join_sum_ns = 0.03422,
                                              .single_sum = 1.544,
                                              .packing_ns = 2471,
                                              .packing_bytes_per_ns = 20.45};

inline constexpr gemm_row nvidia_double[] = {
    {fma(128, 128, 8, 8, 8, 1, 4, 8, 2, registers, 2), 1, 80.94, 243, 1.59e+03, 0.79, 3.33},
    {mma(128, 128, 16, 8, 8, 2, async, 4), 1, 260.2, 243, 2.79e+03, 0.129, 5.01},
    {mma(128, 128, 16, 8, 8, 2, registers, 2), 1, 274.8, 242, 2.63e+03, 0.749, 5.87},
    {mma(64, 128, 16, 4, 8, 2, async, 4), 1, 315.4, 234, 1.54e+03, 0.7, 5.21},
    {fma(64, 64, 16, 8, 4, 1, 4, 8, 2, registers, 2), 3, 126.2, 264, 1.38e+03, 3.34, 1.01},
    {mma(64, 64, 16, 4, 8, 2, async, 3), 3, 314.5, 180, 1.48e+03, 0.612, 4.12},
    {mma(32, 64, 16, 2, 8, 2, async, 3), 4, 332.8, 141, 1.1e+03, 1.45, 3.51},
    {fma(32, 32, 16, 4, 4, 1, 4, 8, 2, registers, 2), 9, 82.65, 650, 1.09e+03, 2.02, 1.08},
    {fma(32, 32, 32, 4, 4, 2, 4, 8, 2, registers, 2), 4, 70.66, 557, 1.18e+03, 1.17, 3.22},
    {fma(32, 32, 32, 4, 4, 4, 4, 8, 2, registers, 2), 2, 69.07, 239, 1.21e+03, 2.32, 3.42},
    {mma(32, 32, 16, 2, 4, 2, registers, 2), 6, 138.2, 188, 947, 0.608, 3.53},
    {mma(32, 32, 32, 2, 4, 2, async, 3), 4, 263.3, 186, 977, 1.92, 2.94},
    {mma(32, 32, 32, 2, 4, 2, registers, 2), 6, 148.8, 213, 1.09e+03, 0.746, 2.77},
    {fma(128, 4, 32, 4, 4, 4, 32, 1, 2, registers, 2), 3, 74.75, 253, 1.94e+03, 3.41, 1.2},
    {fma(32, 16, 8, 2, 2, 1, 4, 8, 2, registers, 2), 8, 44.48, 212, 800, 1.69, 0.859},
    {fma(4, 128, 32, 4, 4, 4, 1, 32, 2, registers, 2), 3, 28.74, 241, 1.31e+03, 1.1, 1.11},
    {mma(16, 32, 32, 2, 4, 2, async, 2), 8, 187.6, 303, 1.02e+03, 1.35, 1.94},
    {mma(32, 16, 16, 2, 4, 2, async, 2), 12, 142, 261, 881, 0.87, 2.39},
    {mma(32, 16, 16, 2, 4, 2, registers, 2), 12, 122, 231, 1.04e+03, 0.755, 2.12},
    {fma(1, 64, 64, 1, 4, 8, 1, 16, 2, registers, 2), 3, 94.9, 248, 1.31e+03, 3.33},
    {fma(32, 1, 128, 2, 1, 16, 16, 1, 2, registers, 2), 3, 96.38, 248, 1.56e+03, 4.6},
};
inline constexpr gemm_costs nvidia_double_costs{.launch_ns = 1904,
                                                .plain_ns = 0.01188,
                                                .turned_ns = 0.02776,
                                                .plain_access_ns = 0.03837,
                                                .turned_access_ns = 0.04628,
                                                .short_run = 0.8757,
                                                .overlap = 0.4458,
                                                .store_ns = 0.01443,
                                                .single_store_ns = 0.1101,
                                                .staged_store_ns = 0.2071,
                                                .staging_ns = 548.8,
                                                .later_store = 0.7845,
                                                .memory_bytes_per_ns = 32.98,
                                                .written = 1.629,
                                                .cache_bytes_per_ns = 126.1,
                                                .sums_ns = 2662,
                                                .sum_ns = 0.566,
                                                .join_ns = 2102,
                                                .join_sum_ns = 0.1167,
                                                .single_sum = 0.7997,
                                                .packing_ns = 2279,
                                                .packing_bytes_per_ns = 29.24};

inline constexpr gemm_row nvidia_complex_float[] = {
    {fma(128, 128, 8, 8, 8, 1, 4, 8, 2, registers, 2), 1, 54.8, 585, 2.59e+03, 2.1, 6.18},
    {fma(64, 64, 16, 4, 4, 1, 4, 8, 2, async, 2), 2, 52.79, 578, 1.8e+03, 0.334, 1.19},
    {fma(64, 64, 8, 8, 4, 1, 4, 8, 2, registers, 2), 3, 50.14, 664, 2.1e+03, 0.865, 0.52},
    {fma(32, 64, 16, 4, 4, 1, 4, 8, 2, async, 2), 4, 53.59, 566, 1.66e+03, 0.964, 3.29},
    {fma(16, 64, 8, 4, 4, 1, 4, 8, 2, single, 1), 9, 68.69, 805, 1.54e+03, 3.45, 3},
    {fma(32, 32, 16, 2, 2, 1, 4, 8, 2, single, 1), 4, 38.14, 634, 1.12e+03, 1.31, 4.19},
    {fma(32, 32, 16, 4, 4, 2, 4, 8, 2, async, 2), 4, 55.97, 426, 1.35e+03, 1.2, 3.82},
    {fma(32, 32, 64, 4, 4, 8, 4, 8, 2, registers, 2), 1, 67.6, 565, 2.22e+03, 4.87, 5.79},
    {fma(32, 32, 8, 4, 4, 1, 4, 8, 2, single, 1), 9, 56.83, 709, 1.63e+03, 2.41, 2.78},
    {interleaved(fma(32, 32, 16, 2, 2, 1, 4, 8, 2, async, 2)), 4, 40.47, 409, 1.32e+03, 1.03},
    {fma(16, 32, 32, 4, 4, 8, 4, 8, 2, registers, 2), 2, 57.01, 352, 1.75e+03, 2.8, 15.1},
    {fma(64, 8, 16, 4, 4, 1, 16, 2, 2, single, 1), 19, 56.29, 1.02e+03, 2.97e+03, 2.22, 4.53},
    {fma(16, 16, 16, 2, 2, 1, 4, 8, 2, single, 1), 16, 32.87, 675, 933, 0.287, 4.9},
    {fma(16, 16, 32, 2, 2, 1, 4, 8, 2, async, 2), 12, 35.94, 501, 1.02e+03, 0.539, 8.09},
};
inline constexpr gemm_costs nvidia_complex_float_costs{.launch_ns = 1755,
                                                       .plain_ns = 0.009729,
                                                       .turned_ns = 0.02118,
                                                       .plain_access_ns = 0.03448,
                                                       .turned_access_ns = 0.05004,
                                                       .short_run = 0.105,
                                                       .overlap = 0.4555,
                                                       .store_ns = 0.01069,
                                                       .single_store_ns = 0.08996,
                                                       .staged_store_ns = 0.03876,
                                                       .staging_ns = 808.1,
                                                       .later_store = 0.3967,
                                                       .memory_bytes_per_ns = 32.98,
                                                       .written = 1.608,
                                                       .cache_bytes_per_ns = 152.6,
                                                       .sums_ns = 2978,
                                                       .sum_ns = 0.4353,
                                                       .join_ns = 2387,
                                                       .join_sum_ns = 0.1669,
                                                       .single_sum = 1.085,
                                                       .packing_ns = 2574,
                                                       .packing_bytes_per_ns = 23.77};

inline constexpr gemm_row nvidia_complex_double[] = {
    {mma(64, 64, 8, 4, 8, 1, async, 4), 2, 66.35, 407, 1.14e+03, 0.858, 7.66},
    {mma(32, 64, 16, 4, 4, 1, async, 3), 3, 60.56, 332, 1.15e+03, 0.839, 9.4},
    {mma(32, 64, 8, 2, 8, 1, async, 4), 2, 69.96, 285, 891, 0.766, 5.3},
    {mma(64, 32, 8, 4, 4, 1, async, 4), 3, 65.02, 231, 1.02e+03, 0.848, 7.55},
    {mma(16, 64, 16, 2, 4, 1, async, 3), 3, 55.29, 253, 724, 1.02, 7.87},
    {mma(32, 32, 16, 2, 4, 1, async, 3), 4, 60.97, 247, 815, 0.856, 8.07},
    {mma(16, 32, 16, 2, 4, 1, async, 3), 5, 52.22, 333, 726, 1.16, 6.86},
    {mma(32, 16, 16, 2, 4, 1, async, 3), 5, 50.65, 331, 768, 0.93, 5.94},
    {mma(32, 16, 16, 2, 4, 1, registers, 2), 8, 47.23, 303, 835, 1.19, 5.24},
    {mma(16, 16, 16, 2, 4, 1, async, 3), 8, 44.25, 344, 622, 3.36, 0.555},
    {fma(64, 64, 8, 4, 4, 1, 4, 8, 1, registers, 2), 1, 19.5, 400, 4500},
    {fma(32, 32, 8, 4, 2, 1, 4, 8, 1, registers, 2), 3, 15.6, 400, 4500},
};
inline constexpr gemm_costs nvidia_complex_double_costs{.launch_ns = 2870,
                                                        .plain_ns = 0.009916,
                                                        .turned_ns = 0.02,
                                                        .plain_access_ns = 0.03051,
                                                        .turned_access_ns = 0.05,
                                                        .short_run = 0.1048,
                                                        .overlap = 0.4151,
                                                        .store_ns = 0.01068,
                                                        .single_store_ns = 0.08494,
                                                        .later_store = 0.8101,
                                                        .memory_bytes_per_ns = 32.83,
                                                        .written = 2.21,
                                                        .cache_bytes_per_ns = 298,
                                                        .sums_ns = 2162,
                                                        .sum_ns = 2.136,
                                                        .join_ns = 2610,
                                                        .join_sum_ns = 0.4541,
                                                        .single_sum = 0.7113,
                                                        .packing_ns = 3000,
                                                        .packing_bytes_per_ns = 30};

}  // namespace gemm_tables

/// The table for an NVIDIA GPU and an element type. has_instructions says of each row whether the
/// device can run it.
constexpr gemm_table nvidia_gemm_table(scalar type, gemm_precision precision, bool windows) {
  using namespace gemm_tables;
  if (windows && precision == gemm_precision::split_tf32)
    return {nvidia_windows_split_tf32, nvidia_tf32_costs};
  if (windows && precision == gemm_precision::tf32) return {nvidia_windows_tf32, nvidia_tf32_costs};
  if (precision == gemm_precision::split_half) return {nvidia_split_half, nvidia_split_half_costs};
  if (precision == gemm_precision::split_tf32) return {nvidia_split_tf32, nvidia_tf32_costs};
  if (precision == gemm_precision::tf32) return {nvidia_tf32, nvidia_tf32_costs};
  switch (type) {
    case scalar::half_:
    case scalar::bfloat16_: return {nvidia_half, nvidia_half_costs};
    case scalar::int8_: return {nvidia_int8, nvidia_byte_costs};
    case scalar::e4m3_:
    case scalar::e5m2_: return {nvidia_float8, nvidia_byte_costs};
    case scalar::int32_:  // never multiplied
    case scalar::float_: return {nvidia_float, nvidia_float_costs};
    case scalar::double_: return {nvidia_double, nvidia_double_costs};
    case scalar::complex_float: return {nvidia_complex_float, nvidia_complex_float_costs};
    case scalar::complex_double: return {nvidia_complex_double, nvidia_complex_double_costs};
  }
  return {nvidia_float, nvidia_float_costs};
}

}  // namespace clprim
