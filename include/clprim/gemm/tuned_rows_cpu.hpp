#pragma once
// GEMM's policies for CPUs, by the width of their vector registers.

#include <clprim/core/device_facts.hpp>
#include <clprim/core/scalar.hpp>
#include <clprim/gemm/tuned_row.hpp>

namespace clprim {

namespace gemm_tables {

/// CPUs: a group is one item, which is one core's thread. A panel of B stays in the first cache, a
/// tile of A in the second, per_item_m x `vectors` vectors of sums in registers (K. Goto and R. van
/// de Geijn, "Anatomy of high-performance matrix multiplication", 2008).
constexpr gemm_policy cpu(int tile_m, int tile_n, int tile_k, int per_item_m, int vectors,
                          int lanes) {
  return {.tile_m = tile_m,
          .tile_n = tile_n,
          .tile_k = tile_k,
          .per_item_m = per_item_m,
          .per_item_n = vectors * lanes,
          .blocks_m = tile_m / per_item_m,
          .blocks_n = tile_n / (vectors * lanes),
          .lanes_m = 1,
          .lanes_n = 1,
          .vector = lanes,
          .vector_m = 1,
          .vector_n = lanes,
          .order = local_order::stored,
          .unaligned = true,
          .unroll = 1};
}
/// A is read where it lies, an element at a time for whole vectors of B: nothing is copied, and an
/// element is read once for each panel of B.
constexpr gemm_policy a_in_place(gemm_policy p) {
  p.stage_a = staging::global;
  return p;
}
constexpr gemm_row cpu_row(const gemm_policy& p, double rate) { return {p, 1, rate, 0, 1000}; }
inline constexpr gemm_costs cpu_costs{.launch_ns = 1000, .sums_ns = 30000, .sum_ns = 0.2};
// The smallest tiles of each table are for drivers that give a CPU the least local memory that
// OpenCL allows, 32 KB.
//
// Vector registers of 64 bytes, 32 of them: PoCL 3.1 on two cores of an AMD EPYC (AVX-512),
// 2026-11-20. Float: 2026-11-27, fitted by bench/gemm/fit_rows.py (--cpu 2 33) to 32 products that
// bench_tune drew (seeds 81 and 83), timed by enqueue and finish of each call, which `launch_ns`
// has in it; on those left out of the fit the choice has 0.89 of the best way's speed in the
// geometric mean, where that by rates alone and without A in place had 0.73 (26 of them). The row
// of one is of 1 x 2048 x 2048 alone. Double and complex double: 2026-11-29, the ways of 35 and 14
// products, those of bench_gemm's seed 501 of at most 2 GFLOP and some of few rows, by calls back
// to back. Of those left out the choice has 0.917 and 0.968 of the best way's speed; the best ways
// of the tables before, which read no A in place, had 0.81 and 0.87 of seed 501.
inline constexpr gemm_row cpu_512_float[] = {
    {a_in_place(cpu(192, 128, 128, 6, 4, 16)), 1, 45.17, 1, 2.12e+03, 5.19, 2.93},
    {a_in_place(cpu(384, 64, 64, 6, 4, 16)), 1, 40.96, 1, 2.04e+03, 0.607, 2.47},
    {cpu(192, 128, 128, 6, 4, 16), 1, 45.79, 1, 3.21e+03, 0.557, 0.196},
    {cpu(384, 64, 64, 6, 4, 16), 1, 43.42, 1, 3.84e+03, 0.045, 0.829},
    {cpu(96, 256, 256, 6, 4, 16), 1, 47.16, 1, 3.61e+03, 0.821, 0.204},
    {a_in_place(cpu(192, 64, 256, 6, 4, 16)), 1, 44.51, 1, 3.18e+03, 2.3, 1.93},
    {a_in_place(cpu(48, 128, 256, 6, 4, 16)), 1, 55.74, 1, 3.43e+03, 4.78, 0.999},
    {a_in_place(cpu(48, 64, 64, 6, 4, 16)), 1, 57.75, 1, 1.17e+03, 1.92, 1.55},
    {a_in_place(cpu(96, 32, 256, 12, 2, 16)), 1, 29.89, 1, 1e+03, 1.05, 2.09},
    {cpu(48, 64, 64, 6, 4, 16), 1, 50.59, 1, 2.3e+03, 0.141, 2.69},
    {cpu(96, 32, 256, 12, 2, 16), 1, 53.71, 1, 1.57e+03, 0.0273, 1.39},
    {a_in_place(cpu(96, 16, 256, 12, 1, 16)), 1, 15.1, 1, 459, 0.917, 0.74},
    {cpu(96, 16, 256, 12, 1, 16), 1, 139.6, 1, 958, 0.0246, 0.889},
    {cpu(4, 256, 256, 4, 4, 16), 1, 866.2, 1, 546, 0.852, 0.905},
    {cpu(12, 64, 64, 12, 2, 16), 1, 774, 1, 244, 1.87, 1.53},
    {a_in_place(cpu(16, 32, 128, 8, 2, 16)), 1, 69.13, 1, 657, 1.66, 0.194},
    {cpu(1, 512, 128, 1, 8, 16), 1, 6.5, 0, 1000},
};
inline constexpr gemm_costs cpu_512_float_costs{.launch_ns = 4.719e+04,
                                                .plain_ns = 0.4717,
                                                .turned_ns = 0.3904,
                                                .plain_access_ns = 0.001268,
                                                .turned_access_ns = 0.2036,
                                                .short_run = 0.2296,
                                                .overlap = 0.4,
                                                .store_ns = 0.8285,
                                                .single_store_ns = 0.3035,
                                                .memory_bytes_per_ns = 5.882,
                                                .written = 2.259,
                                                .cache_bytes_per_ns = 137.5,
                                                .sums_ns = 30000,
                                                .sum_ns = 0.2,
                                                .packing_ns = 2.147e+04,
                                                .packing_bytes_per_ns = 2.767};
// Half's elements are converted where they are copied.
inline constexpr gemm_row cpu_512_half[] = {
    cpu_row(cpu(96, 256, 256, 6, 4, 16), 55), cpu_row(cpu(96, 32, 256, 12, 2, 16), 45),
    cpu_row(cpu(96, 16, 256, 12, 1, 16), 40), cpu_row(cpu(4, 256, 256, 4, 4, 16), 14),
    cpu_row(cpu(1, 512, 128, 1, 8, 16), 3.5), cpu_row(cpu(48, 64, 64, 6, 4, 16), 35),
    cpu_row(cpu(384, 64, 64, 6, 4, 16), 45),
};
inline constexpr gemm_row cpu_512_double[] = {
    {a_in_place(cpu(192, 64, 128, 6, 4, 8)), 1, 22.2, 0.999, 1.97e+03, 1.12, 1.03},
    {a_in_place(cpu(48, 64, 256, 6, 4, 8)), 1, 22.67, 0.999, 1.03e+03, 2.48, 0.99},
    {a_in_place(cpu(48, 32, 64, 6, 4, 8)), 1, 24.6, 0.999, 867, 1.22, 0.997},
    {a_in_place(cpu(24, 32, 64, 6, 4, 8)), 1, 25.11, 0.999, 587, 0.725, 0.988},
    {a_in_place(cpu(96, 8, 256, 12, 1, 8)), 1, 8.935, 0.999, 381, 1.24, 1.01},
    {cpu(24, 32, 64, 6, 4, 8), 1, 21.86, 0.999, 677, 0.361, 0.998},
    {cpu(96, 8, 256, 12, 1, 8), 1, 21.86, 0.999, 804, 0.152, 1.02},
    {a_in_place(cpu(4, 128, 256, 4, 4, 8)), 1, 73.35, 0.999, 442, 2.59, 0.99},
    {cpu(4, 128, 256, 4, 4, 8), 1, 65.13, 0.999, 417, 2.51, 0.989},
    {a_in_place(cpu(16, 16, 128, 8, 2, 8)), 1, 19.18, 0.999, 378, 1.08, 1},
    {cpu(1, 256, 128, 1, 8, 8), 1, 28.05, 0.999, 603, 0.987, 0.999},
};
inline constexpr gemm_costs cpu_512_double_costs{.launch_ns = 1.145e+04,
                                                 .plain_ns = 0.3467,
                                                 .turned_ns = 0.2836,
                                                 .plain_access_ns = 0.02164,
                                                 .turned_access_ns = 0.3674,
                                                 .short_run = 0.09997,
                                                 .overlap = 0.4,
                                                 .store_ns = 0.0903,
                                                 .single_store_ns = 0.03006,
                                                 .later_store = 0.7176,
                                                 .memory_bytes_per_ns = 16.46,
                                                 .written = 4.269,
                                                 .cache_bytes_per_ns = 86.31,
                                                 .sums_ns = 30000,
                                                 .sum_ns = 0.2};
inline constexpr gemm_row cpu_512_complex_float[] = {
    cpu_row(cpu(96, 128, 128, 8, 2, 8), 12),
    cpu_row(cpu(96, 8, 128, 12, 1, 8), 9),
    cpu_row(cpu(1, 128, 128, 1, 4, 8), 1.6),
    cpu_row(cpu(24, 16, 64, 8, 2, 8), 7),
};
inline constexpr gemm_row cpu_512_complex_double[] = {
    {a_in_place(cpu(48, 64, 128, 4, 2, 4)), 1, 4.374, 0.999, 0.334, 1, 1.01},
    {cpu(48, 64, 128, 4, 2, 4), 1, 4.993, 0.999, 0.334, 1, 1.01},
    {a_in_place(cpu(96, 4, 128, 12, 1, 4)), 1, 5.86, 0.999, 0.334, 1, 0.998},
    {a_in_place(cpu(16, 8, 64, 8, 2, 4)), 1, 4.962, 0.999, 0.334, 1.01, 0.998},
    {cpu(16, 8, 64, 8, 2, 4), 1, 5.202, 0.999, 0.334, 1.01, 0.996},
    {cpu(1, 64, 128, 1, 4, 4), 1, 4.006, 0.999, 0.334, 1.05, 1},
};
inline constexpr gemm_costs cpu_512_complex_double_costs{.launch_ns = 1.867e+04,
                                                         .plain_ns = 0.2734,
                                                         .turned_ns = 0.242,
                                                         .plain_access_ns = 0.03158,
                                                         .turned_access_ns = 0.04949,
                                                         .short_run = 0.09986,
                                                         .overlap = 0.4,
                                                         .store_ns = 0.09801,
                                                         .single_store_ns = 0.03011,
                                                         .later_store = 0.79,
                                                         .memory_bytes_per_ns = 16.5,
                                                         .written = 1.002,
                                                         .cache_bytes_per_ns = 53.48,
                                                         .sums_ns = 30000,
                                                         .sum_ns = 0.2};

// Vector registers of 32 bytes or less, sixteen of them: 6 x 2 sums, two vectors of B, one value of
// A. PoCL 3.1 on two cores of an AMD EPYC with AVX2, 2026-11-21, bench_tune: 1024^3 float 105
// GFLOP/s where the rows above reach 36 for want of registers; double 42, complex 22 and 50. The
// speeds of one to four rows, of double's and complex's smaller tiles are estimates.
inline constexpr gemm_row cpu_256_float[] = {
    cpu_row(cpu(96, 128, 256, 6, 2, 8), 25), cpu_row(cpu(96, 256, 128, 6, 2, 8), 25),
    cpu_row(cpu(48, 64, 256, 6, 2, 8), 23),  cpu_row(cpu(96, 8, 256, 12, 1, 8), 7.5),
    cpu_row(cpu(4, 512, 128, 4, 2, 8), 3),   cpu_row(cpu(1, 512, 128, 1, 4, 8), 1.2),
    cpu_row(cpu(48, 64, 64, 6, 2, 8), 18),   cpu_row(cpu(384, 64, 64, 6, 2, 8), 20),
};
inline constexpr gemm_row cpu_256_double[] = {
    cpu_row(cpu(96, 128, 256, 6, 2, 4), 11), cpu_row(cpu(96, 64, 256, 6, 2, 4), 10.5),
    cpu_row(cpu(96, 4, 256, 12, 1, 4), 2),   cpu_row(cpu(4, 256, 128, 4, 2, 4), 1.5),
    cpu_row(cpu(1, 256, 128, 1, 4, 4), 0.6), cpu_row(cpu(24, 32, 64, 6, 2, 4), 5.8),
};
inline constexpr gemm_row cpu_256_complex_float[] = {
    cpu_row(cpu(96, 128, 128, 4, 2, 4), 1.4),
    cpu_row(cpu(96, 8, 128, 12, 1, 8), 0.7),
    cpu_row(cpu(1, 128, 128, 1, 4, 4), 0.4),
    cpu_row(cpu(24, 16, 64, 4, 2, 4), 1),
};
inline constexpr gemm_row cpu_256_complex_double[] = {
    cpu_row(cpu(48, 64, 128, 4, 2, 2), 3.1),
    cpu_row(cpu(96, 4, 128, 12, 1, 4), 1),
    cpu_row(cpu(1, 64, 128, 1, 4, 2), 0.5),
    cpu_row(cpu(16, 8, 64, 4, 2, 2), 1.5),
};

}  // namespace gemm_tables

/// The table for a CPU and an element type.
constexpr gemm_table cpu_gemm_table(const device_facts& device, scalar type) {
  using namespace gemm_tables;
  const bool wide = device.simd_bytes >= 64;
  const auto either = [wide](const gemm_table& of_512, const gemm_table& of_256) {
    return wide ? of_512 : of_256;
  };
  switch (type) {
    case scalar::double_:
      return either({cpu_512_double, cpu_512_double_costs}, {cpu_256_double, cpu_costs});
    case scalar::complex_float:
      return either({cpu_512_complex_float, cpu_costs}, {cpu_256_complex_float, cpu_costs});
    case scalar::complex_double:
      return either({cpu_512_complex_double, cpu_512_complex_double_costs},
                    {cpu_256_complex_double, cpu_costs});
    case scalar::float_:
      return either({cpu_512_float, cpu_512_float_costs}, {cpu_256_float, cpu_costs});
    default: return either({cpu_512_half, cpu_costs}, {cpu_256_float, cpu_costs});
  }
}

}  // namespace clprim
