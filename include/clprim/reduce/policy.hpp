#pragma once
// The policy of reductions: how many elements are cut up and put together again. It changes speed,
// and the rounding of a sum; never which elements are reduced.
#include <array>
#include <string_view>

#include <clprim/core/policy.hpp>

namespace clprim {

/// How the work-items of a group put their states together.
enum class group_method {
  interleaved,  ///< neighbours first; items that work lie apart, so every warp diverges (lecture)
  sequential,   ///< halves first; the items that work lie side by side, no divergence (lecture)
  two_steps,    ///< the group to 32 items, these to one: two barriers instead of log2(group)
  shuffle,      ///< by warp shuffles (NVIDIA), the warps through local memory
  /// By shuffles of sub-groups (cl_khr_subgroup_shuffle or cl_intel_subgroups), the sub-groups
  /// through local memory.
  sub_group,
  /// By work_group_reduce_add (OpenCL C 2.0, an option of 3.0): sums and counts only. It leaves the
  /// order of additions open, so a floating-point sum needs op::fastest.
  work_group,
};

/// How the states of groups that share one result come together.
enum class group_finish {
  second_kernel,  ///< a second launch
  /// The group that comes last; the states travel as atomic exchanges (OpenCL 1.2 has no fence
  /// between groups, and NVIDIA's mem_fence is none: measured).
  last_group,
  last_group_fenced,  ///< the same with plain stores and NVIDIA's fence of the whole device
  /// The group that started last waits for the states of the others, which have all started: no
  /// round trip for a count between the last state and the result. Needs groups that go on beside
  /// one that waits, as last_group does. Along columns: as last_group.
  last_started,
  /// Each group merges its state into the result as it comes, atomically. Where the order shows in
  /// the result, as in a floating-point sum, that needs op::fastest.
  any_order,
};

/// The values that cut a reduction up. A group of `group` items walks a contiguous part of the
/// elements; an item loads `vector` elements at a time and keeps `loads` such loads in flight.
struct reduce_policy {
  int group = 256;  ///< work-items; a power of two
  int vector = 4;   ///< elements per load
  int loads = 2;    ///< loads in flight, each with sums of its own
  int streams = 1;  ///< of these loads lie side by side loads / streams, the others far apart
  group_method method = group_method::sequential;
  group_finish finish = group_finish::second_kernel;
  /// Of a result that many groups share; 0: as many as are resident at a time, by the occupancy
  /// model from what the built kernel takes.
  int groups_per_unit = 4;
  int least_steps = 4;       ///< an item's loads below which fewer groups share the work
  int row_steps = 8;         ///< loads per item when short rows share a group
  bool grid_stride = false;  ///< groups interleave over the array instead of taking runs of it
  int columns = 32;          ///< along columns: items side by side (of those of a group)
  int column_runs = 1;       ///< along columns: loads side by side of one item
  bool unaligned = false;    ///< vectors may start at any element (free on a CPU)
  bool streaming = false;    ///< aligned loads go past the caches, where the compiler allows it
  int ragged_tile = 0;       ///< ragged: elements staged in local memory at a time; 0: none
  int registers = 0;  ///< of a work-item at most, where the compiler takes such a limit (NVIDIA)

  friend constexpr bool operator==(const reduce_policy&, const reduce_policy&) = default;
};

/// Whether the states of groups travel as messages that need no fence.
constexpr bool is_mailed(group_finish f) {
  return f == group_finish::last_group || f == group_finish::last_started;
}

template <> struct enum_names<group_method> {
  static constexpr std::string_view type = "clprim::group_method";
  static constexpr std::array<std::string_view, 6> names{"interleaved", "sequential", "two_steps",
                                                         "shuffle",     "sub_group",  "work_group"};
};
template <> struct enum_names<group_finish> {
  static constexpr std::string_view type = "clprim::group_finish";
  static constexpr std::array<std::string_view, 5> names{
      "second_kernel", "last_group", "last_group_fenced", "last_started", "any_order"};
};

template <> struct policy_traits<reduce_policy> {
  static constexpr std::string_view name = "clprim::reduce_policy";
  static constexpr auto fields = field_list{
      field{"group", &reduce_policy::group},
      field{"vector", &reduce_policy::vector},
      field{"loads", &reduce_policy::loads},
      field{"streams", &reduce_policy::streams},
      field{"method", &reduce_policy::method},
      field{"finish", &reduce_policy::finish},
      field{"groups_per_unit", &reduce_policy::groups_per_unit},
      field{"least_steps", &reduce_policy::least_steps},
      field{"row_steps", &reduce_policy::row_steps},
      field{"grid_stride", &reduce_policy::grid_stride},
      field{"columns", &reduce_policy::columns},
      field{"column_runs", &reduce_policy::column_runs},
      field{"unaligned", &reduce_policy::unaligned},
      field{"streaming", &reduce_policy::streaming},
      field{"ragged_tile", &reduce_policy::ragged_tile},
      field{"registers", &reduce_policy::registers},
  };
};
static_assert(fields_complete<reduce_policy>());

/// Throws policy_error, with the rule as its sentence, when `p` cannot be built for any device.
constexpr void check_rules(const reduce_policy& p) {
  rule(is_power_of_two(p.group) && p.group <= 4096, "group must be a power of two up to 4096");
  rule(is_power_of_two(p.vector) && p.vector <= 16, "vector must be 1, 2, 4, 8 or 16");
  rule(p.loads > 0 && p.loads <= 32, "loads must be 1 to 32");
  rule(p.streams > 0 && p.loads % p.streams == 0, "loads must be a multiple of streams");
  rule(p.streams == 1 || !p.grid_stride, "streams are of contiguous runs, not of grid_stride");
  rule(p.groups_per_unit >= 0 && p.groups_per_unit <= 4096, "groups_per_unit must be 0 to 4096");
  rule(p.least_steps > 0 && p.row_steps > 0, "least_steps and row_steps must be positive");
  rule(is_power_of_two(p.columns) && p.columns <= 4096,
       "columns must be a power of two up to 4096");
  rule(p.column_runs > 0 && p.column_runs <= 64, "column_runs must be 1 to 64");
  rule(p.ragged_tile >= 0 && p.ragged_tile <= 1 << 20, "ragged_tile must be 0 to 1048576");
  rule(p.registers == 0 || (p.registers >= 24 && p.registers <= 255),
       "registers must be 0 or in 24 to 255");
  rule(p.method != group_method::shuffle || p.group >= 32,
       "method shuffle needs a group of 32 work-items or more");
}

}  // namespace clprim
