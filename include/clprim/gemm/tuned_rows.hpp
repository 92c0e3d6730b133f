#pragma once
// Device -> GEMM's table: policies with what they were measured to do. NVIDIA's are in
// tuned_rows_nvidia.hpp, CPUs' in tuned_rows_cpu.hpp.

#include <span>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/scalar.hpp>
#include <clprim/gemm/precision.hpp>
#include <clprim/gemm/tuned_row.hpp>
#include <clprim/gemm/tuned_rows_cpu.hpp>
#include <clprim/gemm/tuned_rows_nvidia.hpp>

namespace clprim {

namespace gemm_tables {

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
    {modest(64, 16, 4, 4), 2, 100},
    {modest(32, 16, 4, 4), 4, 70},
};
inline constexpr gemm_row any_gpu_wide[] = {
    {modest(32, 16, 2, 2), 2, 25},
    {modest(16, 16, 2, 1), 4, 15},
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
    {modest(16, 8, 4, 4), 1, 10},
    {few_items(), 1, 3},
    {lone_item(), 1, 1},
};

}  // namespace gemm_tables

/// The table for a device and element type: never empty, and one of its rows needs nothing but
/// OpenCL C 1.2 and 32 KB of local memory. That for a precision below float's own has the rows of
/// matrix units alone, and none where a device has none.
constexpr gemm_table gemm_table_of(const device_facts& device, scalar type,
                                   gemm_precision precision = gemm_precision::full) {
  using namespace gemm_tables;
  if (precision != gemm_precision::full && !device.warp_group_products) return {};
  if (device.kind == device_kind::cpu) return cpu_gemm_table(device, type);
  if (device.vendor == vendor::nvidia && device.compute_capability >= 70)
    return nvidia_gemm_table(type, precision);
  if (facts_of(type).bytes > 4) return {any_gpu_wide};
  return {any_gpu};
}

}  // namespace clprim
