#pragma once
// NVIDIA's multiprocessors, compute capability 1.0 to 12.1.
//
// Sources. 1.x: NVIDIA OpenCL Programming Guide for the CUDA Architecture 2.3 (2009), section 3.2
// and appendix A.1; 512-byte shared-memory granularity and 124 registers per thread from the "GPU
// Data" of the CUDA Occupancy Calculator spreadsheet. 2.x: the same spreadsheet and
// cuda_occupancy.h as shipped to CUDA 8. 3.x to 12.x: cuda_occupancy.h of CUDA 13.5 for the rules
// (granularities, sub-partitions, groups, barriers) and the "Technical Specifications per Compute
// Capability" of the CUDA C++ Programming Guide for the sizes. tests/data/occupancy-nvidia.csv
// holds 720 of the calculator's answers.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <clprim/core/error.hpp>
#include <clprim/core/occupancy/limits.hpp>

namespace clprim {
namespace detail {

struct nvidia_row {
  int capability;  // 10 × major + minor
  std::string_view name;
  int warps, groups;
  int kilo_registers;        // per multiprocessor, 1024s of 32-bit registers
  int kilo_group_registers;  // per group
  int max_registers;         // per work-item
  int partitions;
  int local_kib, group_local_kib;
};

// capability, name, warps, groups, registers/SM, registers/group, per item, partitions, local/SM,
// /group
inline constexpr std::array nvidia_rows{
    nvidia_row{10, "compute capability 1.0", 24, 8, 8, 8, 124, 1, 16, 16},
    nvidia_row{11, "compute capability 1.1", 24, 8, 8, 8, 124, 1, 16, 16},
    nvidia_row{12, "compute capability 1.2", 32, 8, 16, 16, 124, 1, 16, 16},
    nvidia_row{13, "compute capability 1.3", 32, 8, 16, 16, 124, 1, 16, 16},
    nvidia_row{20, "compute capability 2.0", 48, 8, 32, 32, 63, 2, 48, 48},
    nvidia_row{21, "compute capability 2.1", 48, 8, 32, 32, 63, 2, 48, 48},
    nvidia_row{30, "compute capability 3.0", 64, 16, 64, 64, 63, 4, 48, 48},
    nvidia_row{32, "compute capability 3.2", 64, 16, 64, 32, 255, 4, 48, 48},
    nvidia_row{35, "compute capability 3.5", 64, 16, 64, 64, 255, 4, 48, 48},
    nvidia_row{37, "compute capability 3.7", 64, 16, 128, 64, 255, 4, 112, 48},
    nvidia_row{50, "compute capability 5.0", 64, 32, 64, 64, 255, 4, 64, 48},
    nvidia_row{52, "compute capability 5.2", 64, 32, 64, 64, 255, 4, 96, 48},
    nvidia_row{53, "compute capability 5.3", 64, 32, 64, 32, 255, 4, 64, 48},
    nvidia_row{60, "compute capability 6.0", 64, 32, 64, 64, 255, 2, 64, 48},
    nvidia_row{61, "compute capability 6.1", 64, 32, 64, 64, 255, 4, 96, 48},
    nvidia_row{62, "compute capability 6.2", 64, 32, 64, 32, 255, 4, 64, 48},
    nvidia_row{70, "compute capability 7.0", 64, 32, 64, 64, 256, 4, 96, 96},
    nvidia_row{72, "compute capability 7.2", 64, 32, 64, 64, 256, 4, 96, 96},
    nvidia_row{75, "compute capability 7.5", 32, 16, 64, 64, 256, 4, 64, 64},
    nvidia_row{80, "compute capability 8.0", 64, 32, 64, 64, 256, 4, 164, 163},
    nvidia_row{86, "compute capability 8.6", 48, 16, 64, 64, 256, 4, 100, 99},
    nvidia_row{87, "compute capability 8.7", 48, 16, 64, 64, 256, 4, 164, 163},
    nvidia_row{88, "compute capability 8.8", 48, 16, 64, 64, 256, 4, 100, 99},
    nvidia_row{89, "compute capability 8.9", 48, 24, 64, 64, 256, 4, 100, 99},
    nvidia_row{90, "compute capability 9.0", 64, 32, 64, 64, 256, 4, 228, 227},
    nvidia_row{100, "compute capability 10.0", 64, 32, 64, 64, 256, 4, 228, 227},
    nvidia_row{101, "compute capability 10.1", 48, 24, 64, 64, 256, 4, 228, 227},
    nvidia_row{103, "compute capability 10.3", 64, 32, 64, 64, 256, 4, 228, 227},
    nvidia_row{110, "compute capability 11.0", 48, 24, 64, 64, 256, 4, 228, 227},
    nvidia_row{120, "compute capability 12.0", 48, 24, 64, 64, 256, 4, 100, 99},
    nvidia_row{121, "compute capability 12.1", 48, 24, 64, 64, 256, 4, 100, 99},
};

// What the local memory of a multiprocessor can be set to, in bytes. From 7.0 on it is a part of
// the memory of the first cache; before, a group that needs more than is set gets all there is.
// Source: cuda_occupancy.h (CUDA 13.5), cudaOccAlignUpShmemSizeVoltaPlus and
// cudaOccMaxBlocksPerSMSmemLimit.
inline constexpr std::array<std::int64_t, 10> nvidia_configurations{
    0,         8 << 10,   16 << 10,  32 << 10,  64 << 10,
    100 << 10, 132 << 10, 164 << 10, 196 << 10, 228 << 10};
inline constexpr std::array<std::int64_t, 6> volta_configurations{0,        8 << 10,  16 << 10,
                                                                  32 << 10, 64 << 10, 96 << 10};
inline constexpr std::array<std::int64_t, 2> turing_configurations{32 << 10, 64 << 10};
inline constexpr std::array<std::int64_t, 5> single_configurations{16 << 10, 48 << 10, 64 << 10,
                                                                   96 << 10, 112 << 10};

constexpr std::span<const std::int64_t> nvidia_configurations_of(const nvidia_row& row) {
  if (row.capability == 75) return turing_configurations;
  if (row.capability >= 70 && row.capability < 80) return volta_configurations;
  const std::int64_t most = row.local_kib * 1024;
  const std::span<const std::int64_t> all =
      row.capability < 70 ? std::span<const std::int64_t>(single_configurations)
                          : std::span<const std::int64_t>(nvidia_configurations);
  std::size_t last = 0;
  while (all[last] != most) ++last;
  return row.capability < 70 ? all.subspan(last, 1) : all.first(last + 1);
}

// Barriers count from 9.0 on; the Blackwells but 10.0 have one per group slot, the others two.
constexpr int nvidia_barriers(const nvidia_row& row) {
  if (row.capability < 90) return unbounded;
  return row.capability > 100 ? row.groups : 2 * row.groups;
}

constexpr unit_limits nvidia_unit(const nvidia_row& row) {
  unit_limits u;
  u.name = row.name;
  u.known = certainty::exact;
  u.warp_width = 32;
  u.max_group_items = row.capability < 20 ? 512 : 1024;
  u.max_warps = row.warps;
  u.max_groups = u.max_single_warp = row.groups;
  u.barriers = nvidia_barriers(row);
  u.partitions = row.partitions;
  u.lane_registers = row.kilo_registers * 1024 / 32 / row.partitions;
  u.max_registers = row.max_registers;
  u.group_registers = row.kilo_group_registers * 1024;
  u.local_bytes = row.local_kib * 1024;
  u.group_local_bytes = row.group_local_kib * 1024;
  u.local_configurations = nvidia_configurations_of(row);
  if (row.capability < 20) {
    // The guide's formula: a group gets ceil(R × ceil(T, 32), Rmax / 32) registers.
    u.owner = register_owner::group;
    u.group_register_granularity = u.group_registers / 32;
    u.local_granularity = 512;
    return u;
  }
  // 64 registers per warp on 2.x and 256 from 3.0 on are 2 and 8 per lane.
  u.register_granularity = row.capability < 30 ? 2 : 8;
  u.fermi_registers = row.capability < 30;
  // A launch is checked as if every partition got warps at once. 6.0 is checked like the rest of
  // Pascal, so that what starts there starts everywhere.
  u.group_registers_partitions = row.capability == 60 ? 4 : row.partitions;
  u.local_granularity = row.capability >= 30 && row.capability < 80 ? 256 : 128;
  u.local_reserved = row.capability >= 80 ? 1024 : 0;
  return u;
}

}  // namespace detail

/// Whether `nvidia_limits` knows a compute capability, given as 10 × major + minor.
constexpr bool knows_nvidia(int compute_capability) {
  for (const auto& row : detail::nvidia_rows) {
    if (row.capability == compute_capability) return true;
  }
  return false;
}

/// The multiprocessor of a compute capability given as 10 × major + minor (90 is 9.0), with the
/// whole of its configurable memory used as local memory, as NVIDIA's calculator assumes by
/// default. Throws argument_error for one that is not in the table; `knows_nvidia` asks first.
constexpr unit_limits nvidia_limits(int compute_capability) {
  for (const auto& row : detail::nvidia_rows) {
    if (row.capability == compute_capability) return detail::nvidia_unit(row);
  }
  throw argument_error("compute capability", "must be one the occupancy tables know",
                       std::to_string(compute_capability) + " (10 × major + minor)",
                       "10 to 13, 20, 21, 30 to 37, 50 to 53, 60 to 62, 70 to 75, 80 to 90, 100 to "
                       "121 are known");
}

/// The smallest local memory, in bytes per multiprocessor, of at least `bytes` that a
/// multiprocessor can be configured to; from 7.0 on the rest of the same memory is its first cache.
/// `nvidia_limits` takes the largest, as the calculator does, but the driver chooses: copies on an
/// H200 in groups of 57 KB ran as fast as three groups would, though 228 KB hold four, which a
/// choice of 196 KB would explain. Put the answer into `unit_limits::local_bytes` to see what
/// another choice does. Before 7.0 there is one size. Throws argument_error for a capability that
/// is not known, and for more than there is.
constexpr std::int64_t nvidia_local_configuration(int compute_capability, std::int64_t bytes) {
  const unit_limits unit = nvidia_limits(compute_capability);
  if (bytes >= 0) {
    for (const std::int64_t size : unit.local_configurations) {
      if (size >= bytes) return size;
    }
  }
  throw argument_error("local memory of a multiprocessor", "must be within its memory",
                       std::to_string(bytes),
                       "0 to " + std::to_string(unit.local_bytes) + " bytes");
}

}  // namespace clprim
