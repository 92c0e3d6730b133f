#pragma once
// GEMM's policies for CPUs, by the width of their vector registers.

#include <span>

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
// of one is of 1 x 2048 x 2048 alone.
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
    cpu_row(cpu(96, 128, 256, 6, 4, 8), 27), cpu_row(cpu(96, 16, 256, 12, 2, 8), 22),
    cpu_row(cpu(96, 8, 256, 12, 1, 8), 18),  cpu_row(cpu(4, 128, 256, 4, 4, 8), 7),
    cpu_row(cpu(1, 256, 128, 1, 8, 8), 1.8), cpu_row(cpu(24, 32, 64, 6, 4, 8), 15),
};
inline constexpr gemm_row cpu_512_complex_float[] = {
    cpu_row(cpu(96, 128, 128, 8, 2, 8), 12),
    cpu_row(cpu(96, 8, 128, 12, 1, 8), 9),
    cpu_row(cpu(1, 128, 128, 1, 4, 8), 1.6),
    cpu_row(cpu(24, 16, 64, 8, 2, 8), 7),
};
inline constexpr gemm_row cpu_512_complex_double[] = {
    cpu_row(cpu(48, 64, 128, 4, 2, 4), 8),
    cpu_row(cpu(96, 4, 128, 12, 1, 4), 4),
    cpu_row(cpu(1, 64, 128, 1, 4, 4), 0.8),
    cpu_row(cpu(16, 8, 64, 8, 2, 4), 3),
};

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
  const auto either = [wide](std::span<const gemm_row> rows_512,
                             std::span<const gemm_row> rows_256) {
    return gemm_table{wide ? rows_512 : rows_256, cpu_costs};
  };
  if (type == scalar::double_) return either(cpu_512_double, cpu_256_double);
  if (type == scalar::complex_float) return either(cpu_512_complex_float, cpu_256_complex_float);
  if (type == scalar::complex_double) return either(cpu_512_complex_double, cpu_256_complex_double);
  if (type == scalar::float_ && wide) return {cpu_512_float, cpu_512_float_costs};
  return either(cpu_512_half, cpu_256_float);
}

}  // namespace clprim
