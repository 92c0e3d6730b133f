#pragma once
// Intel's subslices (Gen9 to Xe-LP) and Xe-cores (Xe-HPG, Xe-HPC, Xe2).
//
// Sources. Threads, vector engines, work-group slots, barrier registers, local memory and its
// sizes: the device table of Intel's GPU Occupancy Calculator (oneapi-src/oneAPI-samples,
// Tools/GPU-Occupancy-Calculator/index.html, 2024). A group gets the next size of that list:
// compute-runtime, computeSlmValues. A thread owns 128 general registers, or 256 in the large mode,
// which halves the threads (oneAPI GPU Optimization Guide, "Small Register Mode vs. Large Register
// Mode").

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <clprim/core/error.hpp>
#include <clprim/core/occupancy/limits.hpp>

namespace clprim {

/// Intel's GPU generations as far as residency differs; Xe-LPG (Meteor Lake) counts as xe_hpg.
enum class intel_architecture { unknown, gen9, gen11, xe_lp, xe_hpg, xe_hpc, xe2 };

namespace detail {

inline constexpr std::array<std::int64_t, 8> intel_sizes_64{0,    1024,  2048,  4096,
                                                            8192, 16384, 32768, 65536};
inline constexpr std::array<std::int64_t, 12> intel_sizes_128{
    0, 1024, 2048, 4096, 8192, 16384, 24576, 32768, 49152, 65536, 98304, 131072};

struct intel_row {
  intel_architecture architecture;
  std::string_view name;
  int engines, threads;  // vector engines per unit, threads per engine
  int max_group_items, barriers;
  int local_kib, group_local_kib;
  int max_registers, least_simd;
};

inline constexpr std::array intel_rows{
    intel_row{intel_architecture::gen9, "Intel Gen9 subslice", 8, 7, 256, 32, 64, 64, 128, 8},
    intel_row{intel_architecture::gen11, "Intel Gen11 subslice", 8, 7, 256, 32, 64, 64, 128, 8},
    intel_row{intel_architecture::xe_lp, "Intel Xe-LP subslice", 16, 7, 512, 64, 64, 64, 128, 8},
    intel_row{intel_architecture::xe_hpg, "Intel Xe-HPG core", 16, 8, 1024, 128, 128, 64, 256, 8},
    intel_row{intel_architecture::xe_hpc, "Intel Xe-HPC core", 8, 8, 1024, 64, 128, 128, 256, 16},
    intel_row{intel_architecture::xe2, "Intel Xe2 core", 8, 8, 1024, 64, 128, 128, 256, 16},
};

/// The number of a product, "Graphics 630", "Graphics P530" or "Graphics 5500"; 0: it has none.
constexpr int graphics_number(std::string_view device_name) {
  constexpr std::string_view word = "Graphics ";
  const auto at = device_name.find(word);
  if (at == std::string_view::npos) return 0;
  device_name.remove_prefix(at + word.size());
  if (device_name.starts_with('P')) device_name.remove_prefix(1);
  int number = 0;
  for (const char c : device_name.substr(0, 5)) {
    if (c < '0' || c > '9') break;
    number = 10 * number + (c - '0');
  }
  return number;
}

constexpr bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace detail

/// The architecture behind a CL_DEVICE_NAME such as "Intel(R) Arc(TM) A770 Graphics"; unknown for a
/// name that says too little ("Intel(R) UHD Graphics" alone was sold for three generations).
constexpr intel_architecture intel_architecture_of(std::string_view device_name) {
  using detail::has;
  const auto arc = device_name.find("Arc(TM) ");
  if (arc != std::string_view::npos) {
    std::string_view model = device_name.substr(arc + 8);
    if (model.starts_with("Pro ")) model.remove_prefix(4);
    if (model.starts_with('B') || has(model, "30V") || has(model, "40V")) {
      return intel_architecture::xe2;
    }
    return intel_architecture::xe_hpg;
  }
  if (has(device_name, "GPU Max")) return intel_architecture::xe_hpc;
  if (has(device_name, "GPU Flex")) return intel_architecture::xe_hpg;
  if (has(device_name, "Iris(R) Xe")) return intel_architecture::xe_lp;
  switch (detail::graphics_number(device_name) / 100) {  // four digits are Gen8 and before
    case 5:
    case 6: return intel_architecture::gen9;
    case 7: return intel_architecture::xe_lp;
    case 0: break;
    default: return intel_architecture::unknown;
  }
  if (has(device_name, "Iris(R) Plus Graphics")) return intel_architecture::gen11;
  return intel_architecture::unknown;
}

/// One subslice or Xe-core. A "warp" is one hardware thread, `simd` work-items wide: 8, 16 or 32,
/// the kernel's sub-group size (16 and 32 on Xe-HPC and Xe2). Registers are a thread's: 128, or 256
/// in the large mode. OpenCL counts vector engines as compute units: see `compute_units_per_unit`.
/// Throws argument_error for an architecture that is not known or a width it does not have.
constexpr unit_limits intel_limits(intel_architecture architecture, int simd = 16) {
  for (const auto& row : detail::intel_rows) {
    if (row.architecture != architecture) continue;
    if ((simd != 8 && simd != 16 && simd != 32) || simd < row.least_simd) {
      throw argument_error("SIMD width", "must be one of the architecture", std::to_string(simd),
                           row.least_simd == 8 ? "8, 16 or 32" : "16 or 32");
    }
    unit_limits u;
    u.name = row.name;
    u.known = certainty::documented;
    u.warp_width = simd;
    u.max_group_items = row.max_group_items;
    u.max_warps = row.engines * row.threads;
    u.max_groups = u.max_single_warp = u.max_warps;
    u.barriers = row.barriers;
    u.compute_units_per_unit = row.engines;
    u.partitions = row.engines;
    u.lane_registers = row.threads * 128;
    u.register_granularity = 128;
    u.max_registers = row.max_registers;
    u.local_bytes = row.local_kib * 1024;
    u.group_local_bytes = row.group_local_kib * 1024;
    u.local_sizes = detail::intel_sizes_64;
    if (row.group_local_kib > 64) u.local_sizes = detail::intel_sizes_128;
    return u;
  }
  throw argument_error("Intel architecture", "must be one the occupancy tables know", "unknown",
                       "Gen9, Gen11, Xe-LP, Xe-HPG, Xe-HPC and Xe2 are known");
}

}  // namespace clprim
