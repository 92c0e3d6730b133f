#pragma once
// How many work-groups of a kernel are resident on one unit of a device, what limits them, and what
// would admit one more: NVIDIA's occupancy calculator, and the same question for AMD, Intel and
// CPUs.
//
//   constexpr auto answer = occupancy_of(
//       nvidia_limits(90), {.work_items = 256, .registers = 64, .local_bytes = 33 * 1024});
//   // answer.groups == 4, answer.fraction() == 0.5, answer.limiters == limited_by_registers
//
// The tables are in occupancy/nvidia.hpp, amd.hpp, intel.hpp and other.hpp; occupancy/device.hpp
// picks one for a device, occupancy/plan.hpp lays out a launch, occupancy/explain.hpp writes it
// down for a person.

#include <algorithm>
#include <cstdint>
#include <string>

#include <clprim/core/error.hpp>
#include <clprim/core/occupancy/amd.hpp>
#include <clprim/core/occupancy/intel.hpp>
#include <clprim/core/occupancy/limits.hpp>
#include <clprim/core/occupancy/nvidia.hpp>
#include <clprim/core/occupancy/other.hpp>

namespace clprim {

/// How many groups of a kernel each resource of a unit would hold; `unbounded` where it takes none.
struct group_bounds {
  int warps = 0;
  int registers = 0;
  int scalar_registers = unbounded;
  int local_memory = 0;
  int groups = 0;
  int barriers = unbounded;

  constexpr int smallest() const {
    return std::min({warps, registers, scalar_registers, local_memory, groups, barriers});
  }
};

/// What would admit one more group. Registers and local memory are `none` where they are not in the
/// way, and where no value of theirs helps because slots or barriers limit too. When both are in
/// the way each value is needed, and both together suffice.
struct next_step {
  static constexpr int none = -1;

  int groups = 0;                   ///< resident groups after the step
  int registers = none;             ///< the largest count per work-item that leaves room for them
  std::int64_t local_bytes = none;  ///< the largest local memory per group that does
  int work_items = none;            ///< nearest smaller group that does, all else unchanged
  bool one_suffices = false;        ///< a single resource limits: its change alone is enough
};

/// The answer for one unit.
struct occupancy {
  int groups = 0;  ///< resident work-groups; 0: the kernel cannot run, see `limiters`
  int warps_per_group = 0;
  int warps = 0;          ///< resident warps
  int max_warps = 0;      ///< warp slots
  int work_items = 0;     ///< resident work-items
  unsigned limiters = 0;  ///< every resource whose bound is `groups`, as bits of `limiter`
  group_bounds bounds;
  int group_registers = 0;             ///< 32-bit, given to a group; 0: more than a partition has
  std::int64_t group_local_bytes = 0;  ///< given to a group, granularity and reserve included
  certainty known = certainty::conservative;
  next_step next;

  /// Resident warps over warp slots, 0 to 1: the calculator's percentage.
  constexpr double fraction() const {
    return static_cast<double>(warps) / static_cast<double>(max_warps);
  }

  /// Whether the kernel can be launched at all.
  constexpr bool fits() const { return groups > 0; }
};

namespace detail {

/// Registers per lane that a warp gets.
constexpr int lane_registers(const unit_limits& unit, int registers) {
  int granularity = unit.register_granularity;
  // Fermi rounds these counts up to four per lane (cuda_occupancy.h as shipped to CUDA 8).
  if (unit.fermi_registers && registers >= 21 && registers <= 46 && registers % 8 >= 5 &&
      registers % 8 <= 6) {
    granularity *= 2;
  }
  return round_up(registers, granularity);
}

/// 32-bit registers that a group of so many warps gets.
constexpr int group_registers(const unit_limits& unit, int warps, int registers) {
  if (unit.owner == register_owner::group) {
    return round_up(registers * warps * unit.warp_width, unit.group_register_granularity);
  }
  return lane_registers(unit, registers) * unit.warp_width * warps;
}

constexpr int register_bound(const unit_limits& unit, int warps, int registers) {
  if (registers == 0 || unit.lane_registers == 0) return unbounded;
  if (registers > unit.max_registers) return 0;
  const int checked = round_up(warps, unit.group_registers_partitions);
  if (unit.group_registers != 0 &&
      group_registers(unit, checked, registers) > unit.group_registers) {
    return 0;
  }
  if (unit.owner == register_owner::group) {
    return unit.group_registers / group_registers(unit, warps, registers);
  }
  return unit.lane_registers / lane_registers(unit, registers) * unit.partitions / warps;
}

constexpr int scalar_bound(const unit_limits& unit, int warps, int scalars) {
  if (scalars == 0 || unit.scalar_registers == 0) return unbounded;
  if (scalars > unit.scalar_registers) return 0;
  return unit.scalar_registers / round_up(scalars, unit.scalar_granularity) * unit.partitions /
         warps;
}

/// Local memory that a group gets when it asks for so many bytes.
constexpr std::int64_t group_local_bytes(const unit_limits& unit, std::int64_t bytes) {
  for (const std::int64_t size : unit.local_sizes) {
    if (size >= bytes) return size;
  }
  return round_up(bytes + unit.local_reserved, unit.local_granularity);
}

/// The local memory of a unit on which a group that gets so many bytes runs: what is set, or the
/// next size that holds one.
constexpr std::int64_t unit_local_bytes(const unit_limits& unit, std::int64_t given) {
  if (given <= unit.local_bytes) return unit.local_bytes;
  for (const std::int64_t size : unit.local_configurations) {
    if (size >= given) return size;
  }
  return unit.local_bytes;
}

constexpr int local_bound(const unit_limits& unit, std::int64_t bytes) {
  const std::int64_t given = group_local_bytes(unit, bytes);
  if (given == 0) return unbounded;
  return static_cast<int>(unit_local_bytes(unit, given) / given);
}

constexpr group_bounds bounds_of(const unit_limits& unit, const group_use& use) {
  const int warps = ceil_div(use.work_items, unit.warp_width);
  group_bounds b;
  b.warps = unit.max_warps / warps;
  b.registers = register_bound(unit, warps, use.registers);
  b.scalar_registers = scalar_bound(unit, warps, use.scalar_registers);
  b.local_memory = local_bound(unit, use.local_bytes);
  b.groups = warps == 1 ? unit.max_single_warp : unit.max_groups;
  if (use.barriers > 0 && unit.barriers != unbounded) b.barriers = unit.barriers / use.barriers;
  return b;
}

constexpr unsigned limiters_of(const group_bounds& b) {
  const int groups = b.smallest();
  return (b.warps == groups ? limited_by_warps : 0u) |
         (b.registers == groups ? limited_by_registers : 0u) |
         (b.scalar_registers == groups ? limited_by_scalar_registers : 0u) |
         (b.local_memory == groups ? limited_by_local_memory : 0u) |
         (b.groups == groups ? limited_by_groups : 0u) |
         (b.barriers == groups ? limited_by_barriers : 0u);
}

/// The largest value in [1, last] for which `holds`, which may only turn from true to false; 0:
/// none.
template <class Predicate> constexpr int last_true(int last, Predicate holds) {
  int good = 0;
  for (int bad = last + 1; bad - good > 1;) {
    const int middle = good + (bad - good) / 2;
    (holds(middle) ? good : bad) = middle;
  }
  return good;
}

/// The largest local memory of a group of which so many fit what the unit is set to.
constexpr std::int64_t local_bytes_of_share(const unit_limits& unit, std::int64_t share) {
  std::int64_t bytes = round_down(share, unit.local_granularity) - unit.local_reserved;
  if (!unit.local_sizes.empty()) {
    bytes = next_step::none;
    for (const std::int64_t size : unit.local_sizes) {
      if (size <= share) bytes = size;
    }
  }
  return bytes < 0 ? next_step::none : std::min(bytes, unit.group_local_bytes);
}

constexpr std::int64_t local_bytes_for(const unit_limits& unit, int groups) {
  std::int64_t most = local_bytes_of_share(unit, unit.local_bytes / groups);
  for (const std::int64_t size : unit.local_configurations) {
    const std::int64_t bytes = local_bytes_of_share(unit, size / groups);
    if (bytes > most && local_bound(unit, bytes) >= groups) most = bytes;
  }
  return most;
}

constexpr next_step next_step_of(const unit_limits& unit, const group_use& use,
                                 const group_bounds& bounds, unsigned limiters) {
  const int warps = ceil_div(use.work_items, unit.warp_width);
  next_step next;
  next.groups = bounds.smallest() + 1;
  next.one_suffices = (limiters & (limiters - 1)) == 0;
  if ((limiters & ~(limited_by_registers | limited_by_local_memory)) == 0) {
    bool possible = true;
    if (bounds.registers < next.groups) {
      const int found = last_true(std::min(unit.max_registers, use.registers), [&](int registers) {
        return register_bound(unit, warps, registers) >= next.groups;
      });
      possible = found > 0;
      next.registers = found;
    }
    if (bounds.local_memory < next.groups) {
      next.local_bytes = local_bytes_for(unit, next.groups);
      possible = possible && next.local_bytes != next_step::none;
    }
    if (!possible) next.registers = next_step::none;
    if (!possible) next.local_bytes = next_step::none;
  }
  const int smaller = last_true(warps - 1, [&](int fewer) {
    group_use changed = use;
    changed.work_items = fewer * unit.warp_width;
    return bounds_of(unit, changed).smallest() >= next.groups;
  });
  if (smaller > 0) next.work_items = smaller * unit.warp_width;
  return next;
}

constexpr void require_at_least(const char* name, std::int64_t actual, std::int64_t least) {
  if (actual < least) {
    throw argument_error(name, "must not be smaller", std::to_string(actual),
                         "at least " + std::to_string(least));
  }
}

constexpr void check_use(const unit_limits& unit, const group_use& use) {
  require_at_least(
      "least of the unit limits",
      std::min({unit.max_warps, unit.warp_width, unit.partitions, unit.register_granularity,
                unit.group_register_granularity, unit.group_registers_partitions,
                unit.scalar_granularity, static_cast<int>(unit.local_granularity)}),
      1);
  require_at_least("work-group size", use.work_items, 1);
  require_at_least("registers per work-item", use.registers, 0);
  require_at_least("local memory in bytes", use.local_bytes, 0);
  require_at_least("barriers per work-group", use.barriers, 0);
  require_at_least("scalar registers per wavefront", use.scalar_registers, 0);
  if (use.work_items > unit.max_group_items) {
    throw argument_error("work-group size", "must fit the device (" + std::string(unit.name) + ")",
                         std::to_string(use.work_items),
                         "at most " + std::to_string(unit.max_group_items) + " work-items");
  }
  if (use.local_bytes > unit.group_local_bytes) {
    throw argument_error("local memory per work-group",
                         "must fit the device (" + std::string(unit.name) + ")",
                         std::to_string(use.local_bytes),
                         "at most " + std::to_string(unit.group_local_bytes) + " bytes");
  }
}

}  // namespace detail

/// The groups of a kernel resident on one unit, with every bound and the next step; usable in
/// constant expressions, allocates nothing. A register count that no group can get gives 0 groups
/// and names the registers; an unknown one (0) makes the answer an upper bound. Throws
/// argument_error, with the limit in it, for a group size, local memory or count that is zero,
/// negative or beyond the device. Source: the rules of cuda_occupancy.h (CUDA 13.0), written per
/// lane so that they fit every vendor.
constexpr occupancy occupancy_of(const unit_limits& unit, const group_use& use) {
  detail::check_use(unit, use);
  occupancy o;
  o.bounds = detail::bounds_of(unit, use);
  o.groups = o.bounds.smallest();
  o.warps_per_group = detail::ceil_div(use.work_items, unit.warp_width);
  o.warps = o.groups * o.warps_per_group;
  o.max_warps = unit.max_warps;
  o.work_items = o.groups * use.work_items;
  o.limiters = detail::limiters_of(o.bounds);
  if (unit.lane_registers != 0 && use.registers <= unit.lane_registers) {
    o.group_registers = detail::group_registers(unit, o.warps_per_group, use.registers);
  }
  o.group_local_bytes = detail::group_local_bytes(unit, use.local_bytes);
  o.known = unit.known;
  if (use.registers == 0 && unit.lane_registers != 0) o.known = certainty::upper_bound;
  o.next = detail::next_step_of(unit, use, o.bounds, o.limiters);
  return o;
}

}  // namespace clprim
