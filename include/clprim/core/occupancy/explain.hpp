#pragma once
// The launch model for a person to read: about ten lines that say what runs, what is resident, what
// limits it, what would change that, what parallelism is needed and offered, and what it will wait
// for.

#include <string>

#include <clprim/core/number_text.hpp>
#include <clprim/core/occupancy/plan.hpp>
#include <clprim/core/occupancy/rules_of_thumb.hpp>
#include <clprim/core/parallelism.hpp>

namespace clprim {

namespace detail {

/// A number for people: three significant digits, no exponent below a million.
inline std::string short_number(double value) {
  return value >= 1000 && value < 1e6 ? fixed_text(value, 0) : general_text(value, 3);
}

/// "1 group", "4 groups".
inline std::string counted(std::int64_t n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

inline std::string per_cent(double share) { return short_number(100 * share) + " %"; }

inline std::string bound_text(const char* name, int groups) {
  return groups == unbounded ? "" : std::string(", ") + name + " " + std::to_string(groups);
}

inline std::string next_step_text(const next_step& next) {
  std::string text;
  const auto add = [&](bool there, const std::string& words) {
    if (there) text += (text.empty() ? "" : next.one_suffices ? ", or " : ", and ") + words;
  };
  add(next.registers != next_step::none,
      "at most " + std::to_string(next.registers) + " registers per work-item");
  add(next.local_bytes != next_step::none,
      "at most " + std::to_string(next.local_bytes) + " bytes of local memory");
  if (next.work_items != next_step::none) {
    text += (text.empty() ? "" : "; or ") + std::string("groups of at most ") +
            std::to_string(next.work_items) + " work-items";
  }
  const std::string more = counted(next.groups, "group");
  if (text.empty()) return "no smaller kernel or group keeps " + more;
  return more + (next.groups == 1 ? " takes " : " take ") + text;
}

}  // namespace detail

/// What one unit holds, line by line, with every bound and the next step. Ends with a newline.
inline std::string explain(const unit_limits& unit, const group_use& use, const occupancy& o) {
  const auto number = [](std::int64_t n) { return std::to_string(n); };
  std::string text = "unit:      " + std::string(unit.name) + ", " +
                     detail::counted(unit.max_warps, "slot") + " of " + number(unit.warp_width) +
                     " work-items\n";
  text += "group:     " + detail::counted(use.work_items, "work-item") + " in " +
          detail::counted(o.warps_per_group, "slot") + ", " +
          (use.registers > 0 ? number(use.registers) : "an unknown number of") +
          " registers each, " + number(use.local_bytes) + " bytes of local memory (" +
          number(o.group_local_bytes) + " given)\n";
  text += "resident:  " + detail::counted(o.groups, "group") + ", " +
          detail::counted(o.warps, "slot") + ", " + number(o.work_items) +
          " work-items: " + detail::per_cent(o.fraction()) + " occupancy (" +
          std::string(to_string(o.known)) + ")\n";
  text += "limited by " + limiter_names(o.limiters) + "; groups by slots " +
          number(o.bounds.warps) + detail::bound_text("registers", o.bounds.registers) +
          detail::bound_text("scalar registers", o.bounds.scalar_registers) +
          detail::bound_text("local memory", o.bounds.local_memory) +
          detail::bound_text("group slots", o.bounds.groups) +
          detail::bound_text("barriers", o.bounds.barriers) + "\n";
  if (unit.max_warps == 1) {
    return text + "next step: none; a CPU wants wide vectors and a group for every thread\n";
  }
  return text + "next step: " + detail::next_step_text(o.next) + "\n";
}

/// The same for a planned launch, with its size, waves and tail. Ends with a newline.
inline std::string explain(const unit_limits& unit, const group_use& use, const launch_plan& plan) {
  std::string text = "launch:    " + std::to_string(plan.groups) + " groups of " +
                     std::to_string(plan.work_items) + ", " + std::to_string(plan.global) +
                     " work-items";
  if (plan.tiles_per_group > 1) {
    text += ", each over up to " + std::to_string(plan.tiles_per_group) + " of " +
            std::to_string(plan.tiles) + " tiles";
  }
  text += "\nwaves:     " + detail::short_number(plan.waves) + " of " +
          std::to_string(plan.resident_groups) + " groups, " +
          detail::per_cent(plan.tail_efficiency) + " of the slots of all waves filled\n";
  text += explain(unit, use, plan.resident);
  const int units =
      plan.resident.groups > 0 ? static_cast<int>(plan.resident_groups / plan.resident.groups) : 1;
  const std::string rules =
      rules_of_thumb_text(unit, units, plan.work_items, plan.groups, plan.resident);
  return rules.empty() ? text : text + "rules:     " + rules + "\n";
}

/// Needed against offered parallelism and the predicted bound and time. Ends with a newline.
inline std::string explain(const device_row& row, const prediction& p) {
  std::string text;
  const auto line = [&](const char* what, double offered, double needed, const char* unit,
                        double share) {
    if (share <= 0) return;
    text += what + detail::short_number(offered) + " " + unit + " in flight offered, " +
            detail::short_number(needed) + " needed: " + detail::per_cent(share) + " of the rate\n";
  };
  line("arithmetic: ", p.offered_operations, p.needed_operations, "operations per unit",
       p.arithmetic_share);
  line("memory:    ", p.offered_bytes / 1e3, p.needed_bytes / 1e3, "kB", p.memory_share);
  return text + "predicted: " + detail::short_number(1e6 * p.seconds) + " µs on " +
         std::string(row.name) + ", bound by " + std::string(to_string(p.bound)) + "\n";
}

}  // namespace clprim
