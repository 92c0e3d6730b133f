#pragma once
// Device -> GEMM's table: policies with what they were measured to do.

#include <span>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/scalar.hpp>
#include <clprim/gemm/instruction.hpp>
#include <clprim/gemm/precision.hpp>
#include <clprim/gemm/tuned_row.hpp>
#include <clprim/gemm/tuned_rows_cpu.hpp>
#include <clprim/gemm/tuned_rows_gpu.hpp>
#include <clprim/gemm/tuned_rows_nvidia.hpp>

namespace clprim {

/// The table for a device and element type: never empty, and one of its rows needs nothing but
/// OpenCL C 1.2 and 32 KB of local memory. That for a precision below float's own has the rows of
/// matrix units alone, and none where a device has none. `windows`: for copies of images.
constexpr gemm_table gemm_table_of(const device_facts& device, scalar type,
                                   gemm_precision precision = gemm_precision::full,
                                   bool windows = false) {
  using namespace gemm_tables;
  if (precision != gemm_precision::full && !has_units_for(device, precision)) return {};
  if (device.kind == device_kind::cpu) return cpu_gemm_table(device, type);
  if (device.vendor == vendor::nvidia && device.compute_capability >= 70)
    return nvidia_gemm_table(type, precision, windows);
  if (is_short(type)) return {any_gpu_half};
  return {facts_of(type).bytes > 4 ? std::span<const gemm_row>{any_gpu_wide} : any_gpu};
}

}  // namespace clprim
