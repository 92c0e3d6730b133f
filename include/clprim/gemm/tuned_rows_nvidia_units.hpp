#pragma once
// GEMM of what NVIDIA's matrix units are needed for: elements of 8 bits, and float below its own
// precision.

#include <clprim/gemm/policies_nvidia.hpp>
#include <clprim/gemm/tuned_row.hpp>

namespace clprim::gemm_tables {

using enum buffering;

// NVIDIA H200, driver 580.159.04, 2026-11-29, fitted to 14 products of each type along k, of 64 to
// 16,384 rows with aligned lines, through all of these ways (rate, step and group of each row; of
// the costs launch, store, later_store, overlap, sums). Of the times 99 % are predicted within 20
// %, and the choice has 0.98 of the best way's speed in the mean, 0.91 at worst, on these products
// (bench/results/nvidia-h200/choices/bytes.csv.xz). Those
// of mma_sync are worked out from 255, 1023, 1024, 4095 and 4096 cubed, fma's are estimated.
inline constexpr gemm_row nvidia_int8[] = {
    {wgmma_byte(128, 256, 4, bulk), 1, 8744, 114, 100, 0.3, 2.32},
    {wgmma_byte(128, 192, 5, bulk), 1, 9969, 103, 807, 0.3, 2.32},
    {wgmma_byte(128, 128, 6, bulk), 1, 11153, 59, 991, 0.3, 2.32},
    {wgmma_byte(64, 256, 5, bulk), 1, 13496, 53, 1310, 0.3, 2.32},
    {wgmma_byte(64, 128, 4, bulk), 2, 14156, 153, 1530, 0.3, 2.32},
    {wgmma_byte(64, 128, 4), 2, 7713, 23, 917, 0.3, 2.32},
    {wgmma_byte(64, 128, 8, bulk), 1, 15172, 27, 1300, 0.3, 2.32},
    {wgmma_byte(64, 64, 4), 3, 5112, 170, 835, 0.3, 2.32},
    {wgmma_byte(64, 64, 8), 1, 5008, 22, 1310, 0.3, 2.32},
    {mma(128, 128, 64, 8, 8, 16, async, 4), 1, 2300, 900, 1900, 1.89, 1.77},
    {mma(64, 128, 64, 4, 8, 16, registers, 2), 2, 760, 800, 1700, 0.56, 2.24},
    {mma(64, 64, 64, 4, 8, 16, registers, 2), 5, 660, 800, 1500, 0.28, 1.84},
    {mma(32, 32, 64, 2, 4, 16, registers, 2), 8, 305, 251, 950, 0.1, 1.49},
    {fma(128, 64, 16, 8, 8, 1, 4, 8, 4, registers, 2), 3, 120, 429, 2.58e+03, 3, 1.35},
    {fma(32, 64, 64, 8, 4, 4, 4, 8, 4, registers, 2), 2, 100, 408, 1.44e+03, 3.8, 0.67},
    {fma(32, 64, 16, 4, 4, 1, 4, 8, 4, single, 1), 7, 100, 562, 760, 0.6, 1.13},
};
inline constexpr gemm_row nvidia_float8[] = {
    {wgmma_byte(128, 256, 4, bulk), 1, 7415, 343, 100, 0.3, 2.32},
    {wgmma_byte(128, 128, 6, bulk), 1, 8004, 33, 1020, 0.3, 2.32},
    {wgmma_byte(64, 128, 4), 2, 6931, 20, 1080, 0.3, 2.32},
    {wgmma_byte(64, 64, 4), 3, 5207, 175, 969, 0.3, 2.32},
    {wgmma_byte(64, 64, 8), 1, 4673, 23, 1320, 0.3, 2.32},
    {fma(128, 64, 16, 8, 8, 1, 4, 8, 4, registers, 2), 3, 120, 429, 2.58e+03, 3, 1.35},
    {fma(32, 64, 64, 8, 4, 4, 4, 8, 4, registers, 2), 2, 100, 408, 1.44e+03, 3.8, 0.67},
    {fma(32, 64, 16, 4, 4, 1, 4, 8, 4, single, 1), 7, 100, 562, 760, 0.6, 1.13},
};
inline constexpr gemm_costs nvidia_byte_costs{.launch_ns = 1900,
                                              .plain_ns = 0.0024,
                                              .turned_ns = 0.0459,
                                              .plain_access_ns = 0.0344,
                                              .turned_access_ns = 0.0311,
                                              .short_run = 0.0612,
                                              .store_ns = 0.131,
                                              .single_store_ns = 0.2323,
                                              .later_store = 0.44,
                                              .memory_bytes_per_ns = 33.1,
                                              .written = 0.747,
                                              .cache_bytes_per_ns = 144.5,
                                              .sums_ns = 2740,
                                              .sum_ns = 0.5,
                                              .single_sum = 1.5,
                                              .packing_ns = 3000,
                                              .packing_bytes_per_ns = 10};

// The same device and driver, 2026-11-24: float on matrix units, worked out from bench_tune
// --precision at 4096, 2048 and 1000 cubed, 512 x 512 x 4096 and 8192 x 256 x 1024; split into
// tiles of 128 x 256 at 4096 cubed alone, 2026-11-29. Rates count what lies in a line: a float that
// is split is two elements of k.
inline constexpr gemm_row nvidia_split_tf32[] = {
    {wgmma_float(128, 256, 4, bulk), 1, 1140, 1000, 4000},
    {wgmma_float(128, 128, 6), 1, 1065, 500, 3000},
    {wgmma_float(64, 128, 4), 2, 970, 414, 2500},
    {wgmma_float(64, 128, 8), 1, 880, 324, 2500},
    {wgmma_float(64, 64, 6), 2, 650, 246, 2000},
};
// The same, 2026-11-29: the products alone at 1024, 2048, 4096, 8192 and 1000 cubed and 512 x 512 x
// 4096, those of mma.sync at three of these and the last. A call with three ways has nine launches.
inline constexpr gemm_row nvidia_split_half[] = {
    {wgmma(128, 128, 4, bulk), 1, 2050, 300, 3500},
    {wgmma(64, 128, 8, bulk), 1, 1600, 200, 2000},
    {wgmma(64, 64, 6), 2, 1300, 150, 1500},
    {mma(64, 128, 64, 8, 8, 8, async, 3), 2, 920, 690, 2500},
    {mma(64, 64, 64, 4, 8, 8, async, 3), 3, 763, 390, 2000},
};
inline constexpr gemm_row nvidia_tf32[] = {
    {wgmma_float(128, 256, 4, bulk), 1, 1650, 580, 4000},
    {wgmma_float(128, 128, 6), 1, 1340, 339, 3000},
    {wgmma_float(64, 256, 5), 1, 1320, 317, 3000},
    {wgmma_float(64, 128, 4), 2, 1042, 219, 2500},
};
// The same of windows of images (windows.hpp), 2026-11-29: layers of 64 to 64 channels of 56 x 56
// pixels, 128 of 28 x 28, 256 of 14 x 14 and 512 of 7 x 7 by 3 x 3 taps, and 64 to 256 by one, each
// of 32 images; us of the products alone:
//
//     split    92  104   98  110  61    64 x 128, two warp-groups beside each other
//             120   91  107  122  62    what the rows of plain products choose
//     TF32     39   44   37   40  50    64 x 128 or narrower by a warp
//              65   47   60   99  46    128 x 256
inline constexpr gemm_row nvidia_windows_split_tf32[] = {
    {beside(2, wgmma_float(64, 128, 4, bulk)), 1, 780, 340, 1500},
    {wgmma_float(128, 256, 4, bulk), 1, 953, 600, 3000},
};
inline constexpr gemm_row nvidia_windows_tf32[] = {
    {by_warp(wgmma_float(64, 128, 4, bulk)), 4, 1000, 250, 3500},
    {wgmma_float(128, 256, 4, bulk), 1, 1000, 700, 500},
};
inline constexpr gemm_costs nvidia_tf32_costs{.launch_ns = 1700,
                                              .store_ns = 0.01,
                                              .single_store_ns = 0.18,
                                              .memory_bytes_per_ns = 23,
                                              .packing_ns = 4000,
                                              .packing_bytes_per_ns = 33};
inline constexpr gemm_costs nvidia_split_half_costs{.launch_ns = 6000,
                                                    .store_ns = 0.01,
                                                    .single_store_ns = 0.18,
                                                    .memory_bytes_per_ns = 23,
                                                    .packing_ns = 12000,
                                                    .packing_bytes_per_ns = 20};

}  // namespace clprim::gemm_tables
