#pragma once
// What was measured: policies of GEMM with their speed, per device family and element type. CPUs'
// are in tuned_rows_cpu.hpp, matrix units' in tuned_rows_units.hpp.

#include <span>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/scalar.hpp>
#include <clprim/gemm/tuned_row.hpp>
#include <clprim/gemm/tuned_rows_cpu.hpp>

namespace clprim {

namespace gemm_tables {

/// Speeds from TFLOP/s measured on a whole H200 of 132 units; `fill`: the share of its slots in
/// use.
constexpr gemm_speeds h200(double mn, double kn, double mk, double kk, double fill = 0.97) {
  const auto speed = [fill](double tflops) { return tflops * 1000 / 2 / 132 / fill; };
  return {speed(mn), speed(kn), speed(mk), speed(kk)};
}

constexpr gemm_policy nvidia(int tile_m, int tile_n, int tile_k, int per_item_m, int per_item_n,
                             int slices, buffering buffer, int lanes_m = 4, int lanes_n = 8,
                             int vector = 4, int stages = 2) {
  return {.tile_m = tile_m,
          .tile_n = tile_n,
          .tile_k = tile_k,
          .per_item_m = per_item_m,
          .per_item_n = per_item_n,
          .slices_k = slices,
          .lanes_m = lanes_m,
          .lanes_n = lanes_n,
          .vector = vector,
          .vector_m = vector,
          .vector_n = vector,
          .buffer = buffer,
          .stages = stages};
}

constexpr gemm_policy nvidia_skinny(int tile_m, int tile_n, int tile_k, int per_item_m,
                                    int per_item_n, int slices, int lanes_m, int lanes_n,
                                    buffering buffer, int stages = 2) {
  gemm_policy p =
      nvidia(tile_m, tile_n, tile_k, per_item_m, per_item_n, slices, buffer, lanes_m, lanes_n);
  p.vector_m = per_item_m < 4 ? per_item_m : 4;
  p.vector_n = per_item_n < 4 ? per_item_n : 4;
  p.stages = stages;
  return p;
}

/// Accesses of two elements: 16 bytes of double.
constexpr gemm_policy by_pairs(gemm_policy p) {
  p.vector = 2;
  p.vector_m = p.vector_m < 2 ? 1 : 2;
  p.vector_n = p.vector_n < 2 ? 1 : 2;
  return p;
}

/// Bands of four rows of tiles: 46.7 TFLOP/s against 46.0 by eight at 4095 x 4097 x 4093.
constexpr gemm_policy narrow_bands(gemm_policy p) {
  p.raster = 4;
  return p;
}

using enum buffering;

// NVIDIA H200, driver 580.159.04, 2026-11-20, medians of 10 at 4096^3 (4095 x 4097 x 4093
// unaligned), cuBLAS fp32 51.1 (47.0) beside them in bench/results. The compiler's scheduling of
// the long unrolled step decides between neighbours here: 128 x 128 with other steps, buffers and
// shapes per item gave 41.6 to 52.1,
// and every change of the kernel's text moves them by up to 4 %: measure again after one.
inline constexpr gemm_row nvidia_float[] = {
    {nvidia(128, 256, 8, 8, 16, 1, async, 4, 8, 4, 3), 1, h200(50.3, 50.5, 48.5, 47.5),
     h200(47.7, 41.2, 41, 41), 15000},
    {nvidia(128, 128, 8, 8, 16, 1, async, 8, 4), 2, h200(50.6, 49.6, 49.3, 48.1),
     h200(47.1, 42.6, 42, 42), 15000},
    {nvidia(128, 128, 8, 16, 8, 1, async), 2, h200(49.4, 49.8, 49.6, 46.6),
     h200(48.9, 43.9, 43, 43), 15000},
    {narrow_bands(nvidia(128, 128, 8, 16, 8, 1, async, 4, 8, 4, 4)), 2, h200(49, 47, 46, 45),
     h200(48.5, 46.7, 45, 45), 15000},
    {nvidia(128, 128, 8, 8, 16, 1, registers, 16, 2, 4, 3), 2, h200(50.1, 50.3, 48.0, 48.1),
     h200(44, 43.7, 43, 43), 15000},
    {nvidia(128, 128, 8, 16, 8, 1, registers), 2, h200(50.5, 47.8, 47.8, 46.6),
     h200(46.8, 44.3, 44.0, 44.3), 15000},
    {nvidia(128, 128, 8, 8, 16, 1, registers, 8, 4), 2, h200(48.6, 49.3, 48.6, 48.2),
     h200(45.3, 45.4, 44.4, 43.5), 15000},
    {nvidia(128, 128, 16, 16, 8, 1, registers, 2, 16), 2, h200(46.5, 47.0, 46.1, 43.9),
     h200(43.7, 45.9, 42.7, 45.7), 25000},
    // 8192 x 64 x 8192, 64 x 8192 x 8192 and 128 x 128 x 65536, the second launch taken off
    {nvidia(128, 64, 16, 8, 8, 1, registers), 3, h200(43, 45.3, 40, 40), h200(38, 38, 36, 36),
     6000},
    {nvidia(256, 64, 8, 16, 8, 1, async), 2, h200(48, 43, 41, 40), h200(43, 39, 38, 38), 10000},
    {nvidia(256, 64, 8, 16, 8, 1, registers), 2, h200(45.5, 43.1, 41, 40), h200(42, 40, 38, 38),
     10000},
    {nvidia(64, 256, 8, 8, 16, 1, async), 2, h200(47, 46.8, 43, 42), h200(43, 40, 39, 39), 10000},
    {nvidia(64, 256, 8, 8, 16, 1, registers), 2, h200(44, 44, 42, 41), h200(42, 40, 39, 39), 10000},
    {nvidia(64, 64, 32, 8, 16, 4, async, 8, 4), 2, h200(43, 39, 37, 36), h200(34, 33, 32, 32)},
    // squares: 1024, 3000, 512; 4096 products of 64
    {nvidia(64, 128, 32, 8, 8, 4, registers), 1, h200(40.5, 41.5, 39, 38), h200(36, 36, 35, 35)},
    {nvidia(64, 128, 32, 8, 8, 4, async), 1, h200(42.5, 40.5, 39, 38), h200(36, 35, 34, 34)},
    {nvidia(64, 64, 16, 8, 8, 1, async), 6, h200(44, 43, 41, 40), h200(38, 36, 35, 35), 8000},
    {nvidia(32, 64, 64, 8, 4, 4, async), 2, h200(43, 41, 40, 39), h200(34, 33, 33, 33)},
    {nvidia(32, 64, 64, 8, 4, 4, registers), 2, h200(36, 35, 34, 34), h200(31, 31, 30, 30)},
    {nvidia(64, 64, 8, 8, 16, 1, async, 8, 4), 8, h200(38, 35, 34, 33), h200(30, 29, 28, 28)},
    {nvidia(64, 64, 8, 8, 16, 1, registers, 8, 4), 8, h200(35, 33, 32, 31), h200(29, 28, 27, 27)},
    // few rows or columns, 8192 x 8192: reading the large matrix once sets the time
    {nvidia_skinny(128, 16, 32, 8, 4, 4, 8, 4, async, 3), 2, h200(29.5, 19, 19, 19),
     h200(15, 15, 15, 15), 5000},
    {nvidia_skinny(128, 16, 32, 8, 4, 4, 8, 4, registers), 2, h200(21, 24, 21, 21),
     h200(15, 15, 15, 15), 5000},
    {nvidia_skinny(16, 128, 32, 4, 8, 4, 4, 8, async, 3), 2, h200(29.5, 29, 20, 20),
     h200(15, 15, 15, 15), 5000},
    {nvidia_skinny(16, 128, 32, 8, 8, 4, 2, 16, registers), 3, h200(25, 23, 20, 20),
     h200(15, 15, 15, 15), 5000},
    {nvidia_skinny(128, 4, 32, 4, 4, 4, 32, 1, registers), 4, h200(7, 6.7, 6.5, 6.5),
     h200(5, 5, 5, 5), 5000},
    {nvidia_skinny(4, 128, 32, 4, 4, 4, 1, 32, registers), 4, h200(7, 7, 6.5, 6.5),
     h200(5, 5, 5, 5), 5000},
    {nvidia_skinny(128, 1, 32, 4, 1, 8, 32, 1, registers), 4, h200(2, 1.4, 1.4, 1.4),
     h200(1.3, 1.3, 1.3, 1.3), 5000},
    {nvidia_skinny(32, 1, 128, 2, 1, 16, 16, 1, registers), 4, h200(1.7, 1.8, 1.7, 1.7),
     h200(1.3, 1.3, 1.3, 1.3), 5000},
    {nvidia_skinny(1, 64, 64, 1, 4, 8, 1, 16, registers), 6, h200(1.9, 1.9, 1.7, 1.7),
     h200(1.3, 1.3, 1.3, 1.3), 5000},
};

inline constexpr gemm_row nvidia_double[] = {
    {nvidia(128, 128, 8, 8, 8, 1, registers, 4, 8, 2), 1, h200(24.2, 24.0, 23, 23),
     h200(22, 22, 21, 21)},
    {nvidia(64, 64, 16, 8, 4, 1, registers, 4, 8, 2), 2, h200(22.0, 21.7, 21, 21),
     h200(20, 20, 19, 19)},
    {nvidia(32, 32, 32, 4, 4, 2, registers, 4, 8, 2), 2, h200(15, 15, 14, 14),
     h200(13, 13, 12, 12)},
    // one row or column of 8192 x 8192; measured by accesses of four
    {by_pairs(nvidia_skinny(32, 1, 128, 2, 1, 16, 16, 1, registers)), 4, h200(0.8, 0.8, 0.8, 0.8),
     h200(0.6, 0.6, 0.6, 0.6), 5000},
    {by_pairs(nvidia_skinny(1, 64, 64, 1, 4, 8, 1, 16, registers)), 4, h200(0.7, 0.7, 0.7, 0.7),
     h200(0.6, 0.6, 0.6, 0.6), 5000},
};

// A complex multiply-add is four real ones; speeds estimated, not measured.
inline constexpr gemm_row nvidia_complex_float[] = {
    {nvidia(64, 64, 8, 8, 4, 1, registers, 4, 8, 2), 3, h200(11, 11, 11, 11), h200(10, 10, 10, 10)},
    {nvidia(32, 32, 16, 4, 4, 2, registers, 4, 8, 2), 3, h200(8, 8, 8, 8), h200(7, 7, 7, 7)},
};
inline constexpr gemm_row nvidia_complex_double[] = {
    {nvidia(64, 64, 8, 4, 4, 1, registers, 4, 8, 1), 1, h200(5, 5, 5, 5), h200(5, 5, 5, 5)},
    {nvidia(32, 32, 8, 4, 2, 1, registers, 4, 8, 1), 3, h200(4, 4, 4, 4), h200(4, 4, 4, 4)},
};

/// GPUs that nobody has measured: at most 16 sums per item, groups of 64 and 256, 16 KB of local
/// memory.
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
inline constexpr gemm_row any_gpu[] = {
    {modest(64, 16, 4, 4), 2, {}, {}},
    {modest(32, 16, 4, 4), 4, {70, 70, 70, 70}, {70, 70, 70, 70}},
};
inline constexpr gemm_row any_gpu_wide[] = {
    {modest(32, 16, 2, 2), 2, {25, 25, 25, 25}, {25, 25, 25, 25}},
    {modest(16, 16, 2, 1), 4, {15, 15, 15, 15}, {15, 15, 15, 15}},
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
    {modest(16, 8, 4, 4), 1, {10, 10, 10, 10}, {10, 10, 10, 10}},
    {few_items(), 1, {3, 3, 3, 3}, {3, 3, 3, 3}},
    {lone_item(), 1, {1, 1, 1, 1}, {1, 1, 1, 1}},
};

}  // namespace gemm_tables

/// The rows for a device and element type: never empty, and one of them needs nothing but OpenCL C
/// 1.2 and 32 KB of local memory.
constexpr std::span<const gemm_row> gemm_rows(const device_facts& device, scalar type) {
  using namespace gemm_tables;
  const bool wide = facts_of(type).bytes > 4;
  if (device.kind == device_kind::cpu) return cpu_gemm_rows(device, type);
  if (device.vendor == vendor::nvidia && device.compute_capability >= 70) {
    if (type == scalar::double_) return nvidia_double;
    if (type == scalar::complex_float) return nvidia_complex_float;
    if (type == scalar::complex_double) return nvidia_complex_double;
    return nvidia_float;
  }
  return wide ? std::span<const gemm_row>(any_gpu_wide) : any_gpu;
}

}  // namespace clprim
