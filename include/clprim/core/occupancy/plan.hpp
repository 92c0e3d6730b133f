#pragma once
// From a kernel's resources to a launch: which work-group size, how many groups, in how many waves,
// how much of the last wave is idle. Pure arithmetic; the OpenCL side is runtime/launch.hpp.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>

#include <clprim/core/error.hpp>
#include <clprim/core/occupancy.hpp>

namespace clprim {

/// The resources of a mask, as words: "registers", "local memory and work-group slots".
inline std::string limiter_names(unsigned mask) {
  std::string text;
  const auto add = [&](unsigned bit, const char* name) {
    if ((mask & bit) == 0) return;
    mask &= ~bit;
    text += (text.empty() ? "" : mask == 0 ? " and " : ", ") + std::string(name);
  };
  add(limited_by_warps, "warp slots");
  add(limited_by_registers, "registers");
  add(limited_by_scalar_registers, "scalar registers");
  add(limited_by_local_memory, "local memory");
  add(limited_by_groups, "work-group slots");
  add(limited_by_barriers, "barriers");
  return text.empty() ? "nothing" : text;
}

/// A work-group size and what is resident with it.
struct group_suggestion {
  int work_items = 0;
  occupancy resident;
};

/// The size that keeps most work-items resident, the larger one where several do: CUDA's
/// potential-block-size query (cudaOccMaxPotentialOccupancyBlockSize). Sizes are whole warps and
/// `limit` itself; `local_of(size)` gives the local memory in bytes of a group of that size, and
/// sizes for which it is more than the device has are passed over. `use.work_items` and
/// `use.local_bytes` are ignored. `limit` in work-items, 0: the device's. Throws argument_error for
/// a limit or local size that is negative, and policy_error, naming what is in the way, when no
/// size can run.
template <std::invocable<int> LocalOf>
constexpr group_suggestion suggest_work_group(const unit_limits& unit, group_use use, int limit,
                                              LocalOf local_of) {
  detail::require_at_least("work-group size limit", limit, 0);
  const int most = limit == 0 ? unit.max_group_items : std::min(limit, unit.max_group_items);
  group_suggestion best;
  unsigned obstacles = 0;
  for (int whole = detail::round_up(most, unit.warp_width); whole > 0; whole -= unit.warp_width) {
    use.work_items = std::min(most, whole);
    use.local_bytes = local_of(use.work_items);
    if (use.local_bytes > unit.group_local_bytes) {
      obstacles |= limited_by_local_memory;
      continue;
    }
    const occupancy here = occupancy_of(unit, use);
    if (here.work_items > best.resident.work_items) best = {use.work_items, here};
    if (!here.fits()) obstacles |= here.limiters;
  }
  if (best.work_items == 0) {
    throw policy_error("no work-group size up to " + std::to_string(most) + " can run on " +
                       std::string(unit.name) + " with " + std::to_string(use.registers) +
                       " registers per work-item and " + std::to_string(local_of(use.work_items)) +
                       " bytes of local memory in a group of " + std::to_string(use.work_items) +
                       ": limited by " + limiter_names(obstacles));
  }
  return best;
}

/// The same for local memory that does not depend on the size: `use.local_bytes`.
constexpr group_suggestion suggest_work_group(const unit_limits& unit, const group_use& use,
                                              int limit = 0) {
  return suggest_work_group(unit, use, limit, [&](int) { return use.local_bytes; });
}

/// What a launch is for.
enum class launch_objective {
  one_pass,   ///< one group per tile of the problem
  persistent  ///< no more groups than are resident at once, each striding over the tiles
};

/// A launch laid out over a device.
struct launch_plan {
  int work_items = 0;                ///< local size, work-items per group
  std::int64_t tiles = 0;            ///< groups that one pass over the problem takes
  std::int64_t groups = 0;           ///< groups launched
  std::int64_t global = 0;           ///< global size, work-items
  std::int64_t resident_groups = 0;  ///< groups the whole device holds at once
  double waves = 0;                  ///< tiles over resident groups
  double tail_efficiency = 0;  ///< waves over whole waves, 0 to 1: the last one may be part empty
  std::int64_t tiles_per_group = 1;  ///< iterations of the busiest group; 1 for one pass
  occupancy resident;                ///< on one unit
};

/// Lays out `problem_items` elements, `items_per_work_item` of them handled by each work-item, over
/// `units` units (`units_of`). Throws policy_error when not one group fits a unit, argument_error
/// for sizes that are zero, negative or beyond 2^62.
constexpr launch_plan plan_launch(const unit_limits& unit, int units, const group_use& use,
                                  std::int64_t problem_items, int items_per_work_item = 1,
                                  launch_objective objective = launch_objective::one_pass) {
  detail::require_at_least("units of the device", units, 1);
  detail::require_at_least("problem size in items", problem_items, 1);
  detail::require_at_least("items per work-item", items_per_work_item, 1);
  if (problem_items > (std::int64_t{1} << 62)) {
    throw argument_error("problem size in items", "must leave room for 64-bit arithmetic",
                         std::to_string(problem_items), "at most 2^62");
  }
  launch_plan plan;
  plan.resident = occupancy_of(unit, use);
  if (!plan.resident.fits()) {
    throw policy_error("a work-group of " + std::to_string(use.work_items) + " work-items with " +
                       std::to_string(use.registers) + " registers each and " +
                       std::to_string(use.local_bytes) + " bytes of local memory does not fit " +
                       std::string(unit.name) + ": limited by " +
                       limiter_names(plan.resident.limiters));
  }
  const std::int64_t tile = std::int64_t{use.work_items} * items_per_work_item;
  plan.work_items = use.work_items;
  plan.tiles = 1 + (problem_items - 1) / tile;
  plan.resident_groups = std::int64_t{plan.resident.groups} * units;
  plan.groups = objective == launch_objective::persistent
                    ? std::min(plan.tiles, plan.resident_groups)
                    : plan.tiles;
  plan.global = plan.groups * use.work_items;
  plan.tiles_per_group = 1 + (plan.tiles - 1) / plan.groups;
  const std::int64_t whole_waves = 1 + (plan.tiles - 1) / plan.resident_groups;
  plan.waves = static_cast<double>(plan.tiles) / static_cast<double>(plan.resident_groups);
  plan.tail_efficiency = plan.waves / static_cast<double>(whole_waves);
  return plan;
}

}  // namespace clprim
