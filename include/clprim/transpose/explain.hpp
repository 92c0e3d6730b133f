#pragma once
// What a transposition runs, in a few lines for a person.

#include <string>

#include <clprim/core/number_text.hpp>
#include <clprim/core/occupancy.hpp>
#include <clprim/core/occupancy/device.hpp>
#include <clprim/runtime/resources.hpp>
#include <clprim/transpose/plan.hpp>

namespace clprim {

/// What a problem is, in a line.
inline std::string title_of(const transpose_problem& p, const transpose_variant& v) {
  const char* const task = v.task == transpose_task::turn   ? "transposition"
                           : v.task == transpose_task::swap ? "transposition in place"
                                                            : "copy of rows to other places";
  return std::string(task) + ", " + std::to_string(p.rows) + " x " + std::to_string(p.cols) +
         " elements of " + std::to_string(v.in.bytes) +
         (v.in.bytes == v.out.bytes ? "" : " to " + std::to_string(v.out.bytes)) + " bytes, " +
         std::to_string(v.outer) + " outer axes";
}

/// The text of `transpose::explain` after its head: policy, accesses, launch, resources, residency,
/// bytes. Every number of the driver says where it comes from.
inline std::string explain_transpose(const transpose_problem& p, const transpose_plan& plan,
                                     const launch& l, const device_facts& device,
                                     const kernel_resources& used) {
  const transpose_variant& v = plan.variant;
  const transpose_geometry& g = plan.geometry;
  group_use use{.work_items = plan.policy.items,
                .local_bytes = g.local_bytes,
                .barriers = g.local_bytes > 0 ? 1 : 0};
  if (used.registers.known()) use.registers = used.registers.value;
  const occupancy o = occupancy_of(limits_of(device), use);
  std::string text = "  policy     " + to_string(plan.policy) + "\n";
  text += "  accesses   runs of " + std::to_string(g.vector) + " elements, " +
          (g.in_exact && g.out_exact ? "aligned" : "at any address") +
          (v.wide ? ", 64-bit distances" : "") + "\n";
  text += "  source     " + std::to_string(plan.source_bytes) + " bytes of OpenCL C\n";
  text += "  launch     " + std::to_string(l.global[0] / l.local[0]) + " groups of " +
          std::to_string(l.local[0]) + " work-items, " + std::to_string(plan.policy.per_item()) +
          " elements per item\n";
  text += "  kernel     " + to_string(used.registers, "registers") + ", " +
          to_string(used.spill_bytes, "bytes spilled") + ", " + std::to_string(g.local_bytes) +
          " bytes of local memory\n";
  text +=
      "  resident   " + std::to_string(o.groups) + " groups per unit, " + std::to_string(o.warps) +
      " of " + std::to_string(o.max_warps) + " warps\n" +
      rules_line(device, plan.policy.items, static_cast<std::int64_t>(l.global[0] / l.local[0]), o);
  return text + "  work       at least " +
         fixed_text(p.elements() * (v.in.bytes + v.out.bytes) / 1e6, 3) + " MB read and written\n";
}

}  // namespace clprim
