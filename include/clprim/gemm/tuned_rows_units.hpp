#pragma once
// What was measured of matrix units: policies of GEMM with their speed.

#include <span>

#include <clprim/gemm/tuned_rows.hpp>

namespace clprim {

namespace gemm_tables {

/// Tiles for mma.sync: warps of 8 x 4 items.
constexpr gemm_policy nvidia_units(int tile_m, int tile_n, int tile_k, int per_item_m,
                                   int per_item_n, buffering buffer, int vector, int stages) {
  gemm_policy p =
      nvidia(tile_m, tile_n, tile_k, per_item_m, per_item_n, 1, buffer, 8, 4, vector, stages);
  p.vector_m = 1;
  p.vector_n = 2;
  p.order = local_order::stored;
  p.instruction = gemm_instruction::mma_sync;
  return p;
}

/// Tiles for wgmma: warp-groups of 128 items, each with 64 rows.
constexpr gemm_policy nvidia_warp_groups(int tile_m, int tile_n, int stages) {
  gemm_policy p = nvidia_units(tile_m, tile_n, 64, 2, tile_n / 4, async, 8, stages);
  p.instruction = gemm_instruction::wgmma;
  return p;
}
inline constexpr gemm_policy self_test_of_wgmma = nvidia_warp_groups(64, 64, 3);

/// A row of theirs. Half: 1 x 8192 x 8192 takes 2.3 times as long as 64 x 8192 x 8192, 8192 x 16 x
/// 8192 1.4 times as long as 8192 x 64 x 8192; double: 8192 x 1 x 8192 1.9 times as long as 8192 x
/// 16 x 8192.
constexpr gemm_row units(const gemm_policy& p, int resident, const gemm_speeds& aligned,
                         const gemm_speeds& unaligned, double start_ns) {
  gemm_row row{p, resident, aligned, unaligned, start_ns};
  row.clamped = 2;
  return row;
}

// wgmma, half, NVIDIA H200, driver 580.159.04, 2026-11-24, TFLOP/s at 8192^3, 4096^3, 2048^3,
// 64 x 8192 x 8192 or 8192 x 64 x 8192, whichever fills a unit. Those of other directions are
// estimated, and unaligned ones but for 64 and 128 x 128 at 4095 x 4097 x 4093. cuBLAS: 700 to 770.
inline constexpr gemm_row nvidia_half_warp_groups[] = {
    units(nvidia_warp_groups(128, 256, 4), 1, h200(735, 750, 750, 765), h200(60, 60, 60, 60), 6000),
    units(nvidia_warp_groups(128, 192, 5), 1, h200(650, 650, 650, 650), h200(60, 60, 60, 60), 6000),
    units(nvidia_warp_groups(128, 128, 6), 1, h200(620, 620, 620, 620), h200(80, 80, 80, 80), 6000),
    units(nvidia_warp_groups(128, 128, 3), 2, h200(575, 575, 575, 575), h200(85, 85, 85, 85), 5000),
    units(nvidia_warp_groups(64, 128, 8), 1, h200(450, 450, 450, 450), h200(130, 130, 130, 130),
          5000),
    units(nvidia_warp_groups(64, 128, 4), 2, h200(460, 460, 460, 460), h200(145, 145, 145, 145),
          5000),
    units(nvidia_warp_groups(128, 64, 8), 1, h200(430, 430, 430, 430), h200(80, 80, 80, 80), 5000),
    units(nvidia_warp_groups(64, 64, 8), 1, h200(250, 250, 250, 250), h200(110, 110, 110, 110),
          4500),
    units(nvidia_warp_groups(64, 64, 4), 3, h200(330, 330, 330, 330), h200(120, 120, 120, 120),
          4000),
};

// mma.sync, NVIDIA H200, driver 580.159.04, 2026-11-23, TFLOP/s at 4096^3 (2048^3 for tiles of 64 x
// 128 and complex; 4095 x 4097 x 4093 unaligned, where no copies are asynchronous and in the first
// row of double; other unaligned speeds are estimated): cuBLAS 767 in half, 61.2 in double, 60.1 in
// complex double. In half the rate follows what a warp makes of C: 64 x 64 gives 400, 64 x 32 gives
// 315, 32 x 32 gives 200.
inline constexpr gemm_row nvidia_half_units[] = {
    units(nvidia_units(128, 256, 64, 8, 16, async, 8, 3), 1, h200(398, 400, 393, 381),
          h200(60, 60, 60, 60), 10000),
    units(nvidia_units(128, 256, 32, 8, 16, async, 8, 4), 1, h200(385, 378, 349, 314),
          h200(60, 60, 60, 60), 10000),
    units(nvidia_units(128, 128, 64, 8, 8, async, 8, 3), 1, h200(316, 315, 315, 321),
          h200(60, 60, 60, 60), 10000),
    units(nvidia_units(128, 128, 32, 8, 8, async, 8, 4), 1, h200(328, 303, 308, 297),
          h200(60, 60, 60, 60), 10000),
    units(nvidia_units(128, 64, 64, 8, 8, async, 8, 4), 1, h200(230, 230, 230, 230),
          h200(60, 60, 60, 60), 6000),
    units(nvidia_units(64, 128, 32, 4, 8, async, 8, 4), 2, h200(199, 199, 199, 199),
          h200(60, 60, 60, 60), 6000),
    units(nvidia_units(128, 64, 64, 4, 8, async, 8, 3), 2, h200(197, 197, 197, 197),
          h200(60, 60, 60, 60), 6000),
    units(nvidia_units(64, 64, 64, 4, 8, async, 8, 4), 3, h200(149, 149, 149, 149),
          h200(60, 60, 60, 60), 5000),
    units(nvidia_units(32, 32, 64, 2, 4, async, 8, 3), 7, h200(91, 91, 91, 91),
          h200(40, 40, 40, 40), 4000),
    // elements that cp.async cannot copy one by one
    units(nvidia_units(128, 128, 32, 4, 8, registers, 8, 2), 1, h200(148, 148, 148, 148),
          h200(129, 129, 129, 129), 8000),
    units(nvidia_units(64, 128, 32, 4, 8, registers, 8, 2), 2, h200(148, 148, 148, 148),
          h200(128, 128, 128, 128), 6000),
    units(nvidia_units(64, 64, 32, 4, 8, registers, 8, 2), 4, h200(140, 140, 140, 140),
          h200(115, 115, 115, 115), 5000),
};
inline constexpr gemm_row nvidia_double_units[] = {
    units(nvidia_units(128, 128, 16, 8, 8, async, 2, 4), 1, h200(60.3, 58.4, 58.1, 59.7),
          h200(53.6, 53.6, 53.6, 53.6), 8000),
    units(nvidia_units(64, 128, 16, 4, 8, async, 2, 4), 2, h200(56.7, 56.7, 56.7, 56.7),
          h200(50, 50, 50, 50), 6000),
    units(nvidia_units(64, 64, 16, 4, 8, async, 2, 3), 3, h200(55.4, 54.9, 55, 54.4),
          h200(48.1, 48.1, 48.1, 48.1), 5000),
    units(nvidia_units(128, 64, 16, 8, 8, async, 2, 4), 1, h200(53, 53, 53, 53),
          h200(46, 46, 46, 46), 6000),
    units(nvidia_units(64, 64, 16, 4, 4, async, 2, 4), 3, h200(52.3, 52.3, 52.3, 52.3),
          h200(46, 46, 46, 46), 5000),
    units(nvidia_units(32, 32, 32, 2, 4, async, 2, 3), 4, h200(36.8, 36.8, 36.8, 36.8),
          h200(33, 33, 33, 33), 4000),
};
// A complex multiply-add counts as one here, and is four of the unit's.
inline constexpr gemm_row nvidia_complex_double_units[] = {
    {nvidia_units(64, 64, 8, 4, 8, async, 1, 4), 2, h200(14.8, 14.7, 14.7, 14.7),
     h200(14.8, 14.7, 14.7, 14.7), 6000},
    {nvidia_units(32, 64, 8, 2, 8, async, 1, 4), 3, h200(14.1, 14, 14, 13.7),
     h200(14.1, 14, 14, 13.7), 4000},
    {nvidia_units(32, 32, 16, 2, 4, async, 1, 3), 3, h200(13.3, 13.3, 13.3, 13.3),
     h200(13.3, 13.3, 13.3, 13.3), 4000},
};

}  // namespace gemm_tables

/// The rows that warp-groups run on matrix units, likewise.
constexpr std::span<const gemm_row> gemm_warp_group_rows(const device_facts& device, scalar type) {
  if (device.vendor != vendor::nvidia || type != scalar::half_) return {};
  return gemm_tables::nvidia_half_warp_groups;
}

/// The rows that matrix units run; has_instructions says of each whether the device can.
constexpr std::span<const gemm_row> gemm_unit_rows(const device_facts& device, scalar type) {
  using namespace gemm_tables;
  if (device.vendor != vendor::nvidia) return {};
  if (type == scalar::half_) return nvidia_half_units;
  if (type == scalar::double_) return nvidia_double_units;
  if (type == scalar::complex_double) return nvidia_complex_double_units;
  return {};
}

}  // namespace clprim
