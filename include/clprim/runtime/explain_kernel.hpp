#pragma once
// The lines of `explain` about one launch of a kernel, alike for every primitive.

#include <cstdint>
#include <string>

#include <clprim/core/occupancy.hpp>
#include <clprim/core/occupancy/device.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/resources.hpp>

namespace clprim {

/// Groups and work-items with `each` behind them, what the kernel takes, what is resident of it,
/// and which rules of thumb the launch keeps. Every number of the driver says where it comes from.
inline std::string explain_kernel(const device_facts& device, const launch& l,
                                  const std::string& each, const kernel_resources& used,
                                  std::int64_t local_bytes, bool barriers) {
  std::int64_t groups = 1;
  int items = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    groups *= static_cast<std::int64_t>(l.global[d] / l.local[d]);
    items *= static_cast<int>(l.local[d]);
  }
  group_use use{.work_items = items,
                .local_bytes = static_cast<int>(local_bytes),
                .barriers = barriers ? 1 : 0};
  if (used.registers.known()) use.registers = used.registers.value;
  const occupancy o = occupancy_of(limits_of(device), use);
  return "  launch     " + std::to_string(groups) + " groups of " + std::to_string(items) +
         " work-items" + (each.empty() ? "" : ", " + each) + "\n  kernel     " +
         to_string(used.registers, "registers") + ", " +
         to_string(used.spill_bytes, "bytes spilled") + ", " + std::to_string(local_bytes) +
         " bytes of local memory\n  resident   " + std::to_string(o.groups) + " groups per unit, " +
         std::to_string(o.warps) + " of " + std::to_string(o.max_warps) + " warps\n" +
         rules_line(device, items, groups, o);
}

}  // namespace clprim
