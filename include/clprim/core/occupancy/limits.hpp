#pragma once
// What one unit of a device (NVIDIA SM, AMD compute unit or work-group processor, Intel subslice or
// Xe-core, CPU hardware thread) has to share out among the work-groups resident on it.
//
// Every vendor fits one picture. A unit has `partitions`; each runs warps (NVIDIA), wavefronts
// (AMD) or EU threads (Intel), here all called warps, and owns a register file that is so many
// registers deep per lane. Local memory, group slots and barriers belong to the unit as a whole.
//
//   unit ┬ partition 0: warp slots, `lane_registers` per lane, `lane_scalars` per warp
//        ├ partition …
//        └ `local_bytes`, `max_groups`, `barriers`

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace clprim {

/// How far an answer can be trusted.
enum class certainty {
  exact,        ///< the vendor's own calculator rules
  documented,   ///< from the vendor's published figures, never compared with a calculator here
  upper_bound,  ///< the register count is not known, so fewer groups may be resident
  conservative  ///< the device is not known: one group is assumed, more may be resident
};

constexpr std::string_view to_string(certainty c) {
  switch (c) {
    case certainty::exact: return "exact";
    case certainty::documented: return "documented";
    case certainty::upper_bound: return "upper bound";
    case certainty::conservative: break;
  }
  return "conservative";
}

/// Who gets registers: a whole group at once (compute capability 1.x), or each warp in its
/// partition.
enum class register_owner { warp, group };

/// What resource limits the resident groups; the bits of a mask. Bits 1 to 32 are those of NVIDIA's
/// calculator (cuda_occupancy.h, cudaOccLimitingFactor); 32, its virtual resources, is not used
/// here.
enum limiter : unsigned {
  limited_by_warps = 1,
  limited_by_registers = 2,
  limited_by_local_memory = 4,
  limited_by_groups = 8,
  limited_by_barriers = 16,
  limited_by_scalar_registers = 64,
};

/// A bound that does not bind: the kernel takes nothing of that resource.
inline constexpr int unbounded = std::numeric_limits<int>::max();

/// What one unit shares out. Made by `nvidia_limits`, `amd_limits`, `intel_limits`, `cpu_limits`,
/// `unknown_limits`, or by `limits_of(device_facts)`.
struct unit_limits {
  std::string_view name = "unknown device";
  certainty known = certainty::conservative;
  int warp_width = 32;             ///< work-items in a warp
  int max_group_items = 0;         ///< work-items
  int max_warps = 0;               ///< resident warps per unit
  int max_groups = 0;              ///< resident groups of several warps per unit
  int max_single_warp = 0;         ///< resident groups of one warp per unit
  int barriers = unbounded;        ///< barriers per unit
  int compute_units_per_unit = 1;  ///< how many CL_DEVICE_MAX_COMPUTE_UNITS counts per unit

  int partitions = 1;                           ///< register files per unit
  register_owner owner = register_owner::warp;  ///< what registers are allocated to
  int lane_registers = 0;                       ///< registers per lane and partition; 0: no bound
  int register_granularity = 1;        ///< registers per lane, a multiple of which a warp gets
  int max_registers = unbounded;       ///< per work-item
  int group_registers = 0;             ///< 32-bit registers one group may take; 0: no bound
  int group_registers_partitions = 1;  ///< that check rounds a group's warps up to these
  int group_register_granularity = 1;  ///< 32-bit registers, for register_owner::group
  int scalar_registers = 0;            ///< per partition, shared by its warps; 0: no bound
  int scalar_granularity = 1;

  std::int64_t local_bytes = 0;        ///< per unit
  std::int64_t group_local_bytes = 0;  ///< what one group may ask for
  std::int64_t local_granularity = 1;  ///< bytes, a multiple of which a group gets
  std::int64_t local_reserved = 0;     ///< bytes the driver takes of every group
  /// The only sizes a group can get, ascending; empty where only the granularity counts.
  std::span<const std::int64_t> local_sizes{};
  /// What `local_bytes` can be set to, ascending: a group that needs more than is set gets the next
  /// of them. Empty where nothing can be set.
  std::span<const std::int64_t> local_configurations{};
  bool fermi_registers = false;  ///< 2.x gives some register counts twice the granularity
};

/// What one work-group of a kernel takes.
struct group_use {
  int work_items = 0;            ///< work-items per group
  int registers = 0;             ///< per work-item as the build log gives it; 0: not known
  std::int64_t local_bytes = 0;  ///< static and dynamic; on 1.x with the kernel's arguments
  int barriers = 0;              ///< named or unnamed barriers
  int scalar_registers = 0;      ///< AMD: scalar registers per wavefront; 0: not known

  friend constexpr bool operator==(const group_use&, const group_use&) = default;
};

namespace detail {

template <class T> constexpr T ceil_div(T x, T y) { return (x + y - 1) / y; }

template <class T> constexpr T round_up(T x, T y) { return ceil_div(x, y) * y; }

template <class T> constexpr T round_down(T x, T y) { return x / y * y; }

}  // namespace detail
}  // namespace clprim
