#pragma once
// The facts of devices that are not here: tests choose, plan and generate for them, and run the
// portable texts on the device that is here.
//
// Each value is what `facts_of(cl::Device)` would make of what that device's driver reports (rows
// of clinfo, 2023 to 2026), so that a choice depends on the same numbers as it does there.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <clprim/core/device_facts.hpp>

#include "support/random.hpp"

namespace support {

constexpr std::int64_t operator""_gib(unsigned long long n) {
  return static_cast<std::int64_t>(n) << 30;
}

inline clprim::device_facts nvidia_gpu(const char* name, int capability, int units,
                                       std::int64_t local_bytes, std::int64_t global_bytes,
                                       int clock_mhz) {
  clprim::device_facts d;
  d.name = name;
  d.platform = "NVIDIA CUDA";
  d.driver = "580.159.04";
  d.vendor = clprim::vendor::nvidia;
  d.compute_units = units;
  d.local_bytes = local_bytes;
  d.reported_local_bytes = 49152;
  d.max_work_group = 1024;
  d.argument_bytes = 4352;
  d.max_items = {1024, 1024, 64};
  d.compute_capability = capability;
  d.inline_ptx = true;
  d.global_bytes = global_bytes;
  d.max_allocation_bytes = global_bytes / 4;
  d.clock_mhz = clock_mhz;
  d.async_copy = capability >= 80;
  d.warp_group_products = capability == 90;
  d.bulk_copies = capability == 90;
  d.int64_atomics = true;
  return d;
}

inline clprim::device_facts h200() {
  return nvidia_gpu("NVIDIA H200", 90, 132, 232320, 140_gib, 1980);
}
inline clprim::device_facts a100() {
  return nvidia_gpu("NVIDIA A100-SXM4-40GB", 80, 108, 166784, 39_gib, 1410);
}
/// Before Volta there is no cp.async, no independent scheduling, and 48 KB for a group.
inline clprim::device_facts gtx_1080() {
  return nvidia_gpu("NVIDIA GeForce GTX 1080", 61, 20, 49024, 8_gib, 1733);
}

/// ROCm: OpenCL C 2.0, groups of 256 unless a kernel asks for more.
inline clprim::device_facts amd_gpu(const char* name, int units, int wave,
                                    std::int64_t global_bytes, int clock_mhz) {
  clprim::device_facts d;
  d.name = name;
  d.platform = "AMD Accelerated Parallel Processing";
  d.driver = "3635.0 (HSA1.1,LC)";
  d.vendor = clprim::vendor::amd;
  d.compute_units = units;
  d.local_bytes = d.reported_local_bytes = 65536;
  d.max_work_group = 256;
  d.argument_bytes = 1024;
  d.max_items = {1024, 1024, 1024};
  d.subgroup_width = wave;
  d.fp16 = true;
  d.opencl_c = d.subgroup_functions = 200;
  d.global_bytes = global_bytes;
  d.max_allocation_bytes = global_bytes / 100 * 85;
  d.clock_mhz = clock_mhz;
  d.int64_atomics = true;
  d.work_group_functions = 200;
  return d;
}

inline clprim::device_facts mi300x() {
  clprim::device_facts d = amd_gpu("gfx942:sramecc+:xnack-", 304, 64, 192_gib, 2100);
  d.images = false;  // CDNA 3 has no image instructions
  d.matrix_units = clprim::matrix_unit::mfma;
  return d;
}
/// Counted in work-group processors of two compute units.
inline clprim::device_facts rx_7900_xtx() {
  clprim::device_facts d = amd_gpu("gfx1100", 48, 32, 24_gib, 2482);
  d.matrix_units = clprim::matrix_unit::wmma;
  return d;
}

/// Counted in vector engines, of which 16 make an Xe-core.
inline clprim::device_facts arc_a770() {
  clprim::device_facts d;
  d.name = "Intel(R) Arc(TM) A770 Graphics";
  d.platform = "Intel(R) OpenCL Graphics";
  d.driver = "25.18.33578";
  d.vendor = clprim::vendor::intel;
  d.compute_units = 512;
  d.compute_units_per_unit = 16;
  d.local_bytes = d.reported_local_bytes = 65536;
  d.max_work_group = 1024;
  d.argument_bytes = 2048;
  d.max_items = {1024, 1024, 1024};
  d.subgroup_width = 16;
  d.fp64 = false;
  d.fp16 = true;
  d.global_bytes = 15_gib;
  d.max_allocation_bytes = 4_gib - 4096;
  d.clock_mhz = 2400;
  d.int64_atomics = true;
  d.subgroup_shuffles = clprim::subgroup_shuffle::khr;
  d.work_group_functions = 300;
  d.matrix_units = clprim::matrix_unit::dpas;
  d.matrix_unit_lanes = 8;
  return d;
}

/// Apple's OpenCL 1.2 on Metal: no double, no half arithmetic, no 64-bit atomics, 32 KB.
inline clprim::device_facts apple_m2() {
  clprim::device_facts d;
  d.name = "Apple M2 Max";
  d.platform = "Apple";
  d.driver = "1.2 1.0";
  d.vendor = clprim::vendor::apple;
  d.compute_units = 38;
  d.local_bytes = d.reported_local_bytes = 32768;
  d.max_work_group = 256;
  d.argument_bytes = 4096;
  d.max_items = {256, 256, 256};
  d.fp64 = false;
  d.global_bytes = 21_gib;
  d.max_allocation_bytes = 4_gib;
  d.clock_mhz = 1000;
  d.unified_memory = true;
  return d;
}

/// Arm's local memory is a piece of global memory.
inline clprim::device_facts mali_g78() {
  clprim::device_facts d;
  d.name = "Mali-G78 r0p1";
  d.platform = "ARM Platform";
  d.driver = "3.0";
  d.vendor = clprim::vendor::arm;
  d.compute_units = 20;
  d.local_bytes = d.reported_local_bytes = 32768;
  d.max_work_group = 512;
  d.argument_bytes = 1024;
  d.max_items = {512, 512, 512};
  d.subgroup_width = 16;
  d.fp64 = false;
  d.fp16 = true;
  d.opencl_c = d.subgroup_functions = 300;
  d.global_bytes = 7_gib;
  d.max_allocation_bytes = 7_gib;
  d.clock_mhz = 848;
  d.local_is_dedicated = false;
  d.unified_memory = true;
  d.int64_atomics = true;
  return d;
}

/// A GPU of a maker whom the library does not know, as poor as OpenCL allows it to be: the least
/// argument bytes and allocations of the full profile, 32-bit addresses.
inline clprim::device_facts small_gpu(int local_kib, int group) {
  clprim::device_facts d;
  d.name = "a GPU of " + std::to_string(local_kib) + " KiB and groups of " + std::to_string(group);
  d.platform = "small";
  d.driver = "1";
  d.compute_units = 4;
  d.local_bytes = d.reported_local_bytes = local_kib * 1024;
  d.max_work_group = group;
  d.max_items.fill(static_cast<std::size_t>(group));
  d.subgroup_width = std::min(16, group);
  d.fp64 = false;
  d.global_bytes = 2_gib;
  d.max_allocation_bytes = 512 << 20;
  d.clock_mhz = 400;
  d.images = false;
  return d;
}

/// Devices that people own.
inline std::vector<clprim::device_facts> usual_devices() {
  return {h200(), a100(), gtx_1080(), mi300x(), rx_7900_xtx(), arc_a770(), apple_m2(), mali_g78()};
}

/// Devices with small or odd limits; VideoCore IV has groups of 12.
inline std::vector<clprim::device_facts> small_devices() {
  std::vector<clprim::device_facts> all;
  for (const int kib : {8, 16, 32}) all.push_back(small_gpu(kib, 256));
  for (const int group : {1, 12, 64, 128}) all.push_back(small_gpu(32, group));
  all.push_back(small_gpu(8, 64));
  all.push_back(small_gpu(16, 12));
  return all;
}

inline std::vector<clprim::device_facts> other_devices() {
  std::vector<clprim::device_facts> all = usual_devices();
  for (clprim::device_facts& small : small_devices()) all.push_back(std::move(small));
  return all;
}

/// The facts of another device, less what a text for it could not do on the host of the test: what
/// is chosen by them builds, runs and is right there.
inline clprim::device_facts portable(clprim::device_facts facts,
                                     const clprim::device_facts& of_host) {
  facts.inline_ptx = false;
  facts.async_copy = false;
  facts.warp_group_products = false;
  facts.bulk_copies = false;
  facts.matrix_units = clprim::matrix_unit::none;
  facts.fp64 = facts.fp64 && of_host.fp64;
  facts.fp16 = facts.fp16 && of_host.fp16;
  facts.images = facts.images && of_host.images;
  facts.int64_atomics = facts.int64_atomics && of_host.int64_atomics;
  facts.opencl_c = of_host.opencl_c;
  facts.subgroup_functions = of_host.subgroup_functions;
  facts.subgroup_shuffles = of_host.subgroup_shuffles;
  facts.work_group_functions = of_host.work_group_functions;
  facts.loses_guards = of_host.loses_guards;
  const auto least = [](auto& mine, const auto& host) { mine = std::min(mine, host); };
  least(facts.local_bytes, of_host.local_bytes);
  least(facts.reported_local_bytes, of_host.reported_local_bytes);
  least(facts.max_work_group, of_host.max_work_group);
  least(facts.argument_bytes, of_host.argument_bytes);
  least(facts.global_bytes, of_host.global_bytes);
  least(facts.max_allocation_bytes, of_host.max_allocation_bytes);
  for (std::size_t d = 0; d < facts.max_items.size(); ++d)
    least(facts.max_items[d], of_host.max_items[d]);
  return facts;
}

/// One of the devices, drawn, as far as the host can play it: one in three times a small one.
inline clprim::device_facts drawn_device(draw& d, const clprim::device_facts& of_host) {
  const std::vector<clprim::device_facts> all =
      d.between(0, 2) == 0 ? small_devices() : usual_devices();
  return portable(all[static_cast<std::size_t>(d.between(0, static_cast<int>(all.size()) - 1))],
                  of_host);
}

}  // namespace support
