#pragma once
// CPUs, and devices nobody has described.

#include <cstdint>

#include <clprim/core/occupancy/limits.hpp>

namespace clprim {

/// One hardware thread of a CPU: a group runs on it from start to end, its work-items as a loop
/// that the compiler vectorises, so one group is resident whatever it takes. Occupancy says nothing
/// more there: what matters is the vector width, and enough groups for every thread. Local memory
/// is cache. `max_group_items` in work-items, `local_bytes` in bytes, both as the device reports
/// them. Source: PoCL's work-group functions and Intel's CPU runtime both work so (Jääskeläinen et
/// al., "pocl: A Performance-Portable OpenCL Implementation", Int. J. Parallel Programming 43,
/// 2015).
constexpr unit_limits cpu_limits(int max_group_items, std::int64_t local_bytes) {
  unit_limits u;
  u.name = "CPU hardware thread";
  u.known = certainty::documented;
  u.warp_width = max_group_items > 0 ? max_group_items : 1;  // the whole group is one thread's loop
  u.max_group_items = max_group_items;
  u.max_warps = u.max_groups = u.max_single_warp = 1;
  u.local_bytes = u.group_local_bytes = local_bytes;
  return u;
}

/// A device that no table describes: one group is promised, because every device can hold one that
/// it accepts, and the answer is marked conservative. The occupancy is then relative to the largest
/// group. `max_group_items` in work-items, `local_bytes` in bytes, `warp_width` in work-items (1 if
/// not known).
constexpr unit_limits unknown_limits(int max_group_items, std::int64_t local_bytes,
                                     int warp_width = 1) {
  unit_limits u;
  u.known = certainty::conservative;
  u.warp_width = warp_width > 0 ? warp_width : 1;
  u.max_group_items = max_group_items;
  u.max_warps = detail::ceil_div(max_group_items > 0 ? max_group_items : 1, u.warp_width);
  u.max_groups = u.max_single_warp = 1;
  u.local_bytes = u.group_local_bytes = local_bytes;
  return u;
}

}  // namespace clprim
