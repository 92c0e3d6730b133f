#pragma once
// The policy of copy and map: how much an item moves at a time. It changes speed only.

#include <array>
#include <string_view>

#include <clprim/core/policy.hpp>

namespace clprim {

/// Which parts of the array a work-group takes.
enum class copy_walk {
  once,         ///< one part; there are as many groups as parts
  grid_stride,  ///< parts as far apart as there are groups
  runs,         ///< parts that follow each other
};

/// The values that cut a copy up: a group moves items * per_item vectors at a time, all of which an
/// item loads before it stores the first (Volkov 2010: instruction-level parallelism hides the
/// latency of memory at low occupancy; his copy moves 1 … 14 vectors per item).
struct copy_policy {
  int items = 256;   ///< work-items per group
  int vector = 4;    ///< elements per access, where the problem's alignment allows it
  int per_item = 4;  ///< vectors of an item in flight, `items` vectors apart
  copy_walk walk = copy_walk::once;
  int groups_per_unit = 0;  ///< for grid_stride and runs
  bool unaligned = false;   ///< vectors may start at any element (free on a CPU)

  friend constexpr bool operator==(const copy_policy&, const copy_policy&) = default;
};

template <> struct enum_names<copy_walk> {
  static constexpr std::string_view type = "clprim::copy_walk";
  static constexpr std::array<std::string_view, 3> names{"once", "grid_stride", "runs"};
};

template <> struct policy_traits<copy_policy> {
  static constexpr std::string_view name = "clprim::copy_policy";
  static constexpr auto fields = field_list{
      field{"items", &copy_policy::items},
      field{"vector", &copy_policy::vector},
      field{"per_item", &copy_policy::per_item},
      field{"walk", &copy_policy::walk},
      field{"groups_per_unit", &copy_policy::groups_per_unit},
      field{"unaligned", &copy_policy::unaligned},
  };
};
static_assert(fields_complete<copy_policy>());

/// Throws policy_error, with the rule as its sentence, when `p` cannot be built for any device.
constexpr void check_rules(const copy_policy& p) {
  rule(p.items > 0, "items must be positive");
  rule(p.vector == 1 || p.vector == 2 || p.vector == 4 || p.vector == 8 || p.vector == 16,
       "vector must be 1, 2, 4, 8 or 16");
  rule(p.per_item > 0 && p.per_item <= 64, "per_item must be 1 to 64");
  rule((p.walk == copy_walk::once) == (p.groups_per_unit == 0),
       "groups_per_unit is for walks grid_stride and runs, which need it");
  rule(p.groups_per_unit >= 0, "groups_per_unit must not be negative");
}

}  // namespace clprim
