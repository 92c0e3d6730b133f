#pragma once
// From what a device says of itself to what its units share out.

#include <algorithm>
#include <string_view>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/occupancy/amd.hpp>
#include <clprim/core/occupancy/intel.hpp>
#include <clprim/core/occupancy/limits.hpp>
#include <clprim/core/occupancy/nvidia.hpp>
#include <clprim/core/occupancy/other.hpp>
#include <clprim/core/occupancy/rules_of_thumb.hpp>

namespace clprim {

namespace detail {

/// The narrowest width the device reports that the architecture has; otherwise `fallback`.
constexpr int width_or(int reported, int least, int fallback) {
  return reported >= least && (reported == 8 || reported == 16 || reported == 32 || reported == 64)
             ? reported
             : fallback;
}

}  // namespace detail

/// The limits of one unit of a device. NVIDIA is found by compute capability, AMD by its gfx name,
/// Intel by its product name, a CPU by its kind; everything else, PoCL on a GPU included, gets
/// `unknown_limits`, marked conservative. A group size or local memory that the device reports
/// smaller than the table wins.
inline unit_limits limits_of(const device_facts& device) {
  const int width = device.subgroup_width;
  if (device.kind == device_kind::cpu) {
    return cpu_limits(device.max_work_group, device.local_bytes);
  }
  unit_limits unit = unknown_limits(device.max_work_group, device.local_bytes, width);
  if (device.vendor == vendor::nvidia && knows_nvidia(device.compute_capability)) {
    unit = nvidia_limits(device.compute_capability);
  }
  const gfx_version gfx = gfx_version_of(device.name);
  const intel_architecture intel = intel_architecture_of(device.name);
  if (device.vendor == vendor::amd && knows_amd(gfx)) {
    unit = amd_limits(gfx, gfx.major >= 10 ? detail::width_or(width, 32, 32) : 64);
  } else if (device.vendor == vendor::intel && intel != intel_architecture::unknown) {
    const int least = intel >= intel_architecture::xe_hpc ? 16 : 8;
    unit = intel_limits(intel, width == 64 ? 16 : detail::width_or(width, least, 16));
  }
  unit.max_group_items = std::min(unit.max_group_items, device.max_work_group);
  unit.group_local_bytes = std::min(unit.group_local_bytes, device.local_bytes);
  return unit;
}

/// A line of a primitive's `explain`: which rules of thumb a launch of `groups` groups keeps. Empty
/// for CPUs.
inline std::string rules_line(const device_facts& device, int work_items, std::int64_t groups,
                              const occupancy& resident) {
  const unit_limits unit = limits_of(device);
  const std::string text =
      rules_of_thumb_text(unit, units_of(device), work_items, groups, resident);
  return text.empty() ? text : "  rules      " + text + "\n";
}

}  // namespace clprim
