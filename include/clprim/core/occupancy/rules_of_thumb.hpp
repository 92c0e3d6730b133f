#pragma once
// The textbooks' rules of thumb for a launch, with their thresholds, as checks: `explain` of every
// primitive and of a launch says which a launch keeps and which it does not.
//
// They are rules of thumb. Volkov's point stands (core/parallelism.hpp): a launch with 8 % of
// occupancy can reach the roof, and the library's own choices break some of them on purpose. They
// tell where to look first.
//
// Deck: NVIDIA, "OpenCL Optimization". Guide: NVIDIA OpenCL Programming Guide 2.3, 3.1.2.6, 3.2.
// Techniques: "OpenCL optimization techniques".

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <clprim/core/number_text.hpp>
#include <clprim/core/occupancy.hpp>
#include <clprim/core/occupancy/limits.hpp>

namespace clprim {

/// The thresholds.
namespace thumb {

inline constexpr int least_group = 64;           ///< work-items: deck; Guide: with several groups
inline constexpr int resident_items = 192;       ///< per unit: Guide, hides a register's latency
inline constexpr int groups_per_unit = 2;        ///< more than: deck; Guide: two active ones
inline constexpr int groups_to_scale = 100;      ///< per unit: deck, for later devices
inline constexpr double least_occupancy = 0.25;  ///< deck: 6 of 24 warps hide a register's latency
inline constexpr double enough_occupancy = 0.5;  ///< deck: more seldom makes anything faster

/// Warps that hide a latency while each has `instructions` to issue, of `issue_cycles`, for every
/// one that waits. The deck's two cases: 400 cycles of memory, 8 instructions of 4 cycles: 13 of 24
/// warps, 54 %; 24 cycles of a register, 1 of 4: 6, 25 %.
constexpr int warps_to_hide(int latency_cycles, int issue_cycles, int instructions) {
  const int each = issue_cycles * instructions;
  return (latency_cycles + each - 1) / each;
}

}  // namespace thumb

/// One rule and what a launch has.
struct rule_of_thumb {
  std::string_view what;  ///< "groups per unit, more than"
  double has = 0;
  double wants = 0;
  std::string_view source;
  bool kept = false;
};

inline constexpr std::size_t rules_of_thumb_count = 7;

/// The rules for a launch of `groups` groups of `work_items`, of which `resident` says what a unit
/// holds.
constexpr std::array<rule_of_thumb, rules_of_thumb_count> rules_of_thumb(
    const unit_limits& unit, int units, int work_items, std::int64_t groups,
    const occupancy& resident) {
  const int width = unit.warp_width;
  const auto per_unit = static_cast<double>(groups) / units;
  const int whole = (work_items + width - 1) / width * width;
  return {{
      {"work-items of a group that are whole warps", static_cast<double>(work_items),
       static_cast<double>(whole), "deck, Techniques", work_items == whole},
      {"work-items of a group, at least", static_cast<double>(work_items), thumb::least_group,
       "deck, Guide", work_items >= thumb::least_group},
      {"groups for the units, at least", static_cast<double>(groups), static_cast<double>(units),
       "deck, Guide", groups >= units},
      {"groups per unit, more than", per_unit, thumb::groups_per_unit, "deck, Guide",
       per_unit > thumb::groups_per_unit},
      {"groups per unit that scale to later devices", per_unit, thumb::groups_to_scale,
       "deck, Guide", per_unit >= thumb::groups_to_scale},
      {"work-items on a unit, at least", static_cast<double>(resident.work_items),
       thumb::resident_items, "Guide", resident.work_items >= thumb::resident_items},
      {"per cent of occupancy, at least", 100 * resident.fraction(), 100 * thumb::least_occupancy,
       "deck", resident.fraction() >= thumb::least_occupancy},
  }};
}

/// "5 of 7 kept; not: groups per unit, more than 2 (has 1; deck, Guide); …". Empty for CPUs, whose
/// units hold one group of any size: the rules are those of GPUs.
inline std::string rules_of_thumb_text(const unit_limits& unit, int units, int work_items,
                                       std::int64_t groups, const occupancy& resident) {
  if (unit.max_warps <= 1) return {};
  const auto rules = rules_of_thumb(unit, units, work_items, groups, resident);
  std::size_t kept = 0;
  std::string broken;
  for (const rule_of_thumb& r : rules) {
    kept += r.kept ? 1 : 0;
    if (r.kept) continue;
    broken += std::string(broken.empty() ? "; not: " : "; ") + std::string(r.what) + " " +
              general_text(r.wants, 3) + " (has " + general_text(r.has, 3) + "; " +
              std::string(r.source) + ")";
  }
  return std::to_string(kept) + " of " + std::to_string(rules.size()) + " rules of thumb kept" +
         broken;
}

}  // namespace clprim
