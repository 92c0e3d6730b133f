#pragma once
// What a transposition runs, in a few lines for a person.

#include <string>

#include <clprim/core/number_text.hpp>
#include <clprim/runtime/explain_kernel.hpp>
#include <clprim/transpose/plan.hpp>

namespace clprim {

/// What a problem is, in a line.
inline std::string title_of(const transpose_problem& p, const element& in, const element& out) {
  const char* const task = p.task == transpose_task::turn   ? "transposition"
                           : p.task == transpose_task::swap ? "transposition in place"
                                                            : "copy of rows to other places";
  std::string text = std::string(task) + ", " + std::to_string(p.rows) + " x " +
                     std::to_string(p.cols) + " elements, " + in.told() + " to " + out.told() +
                     ", " + std::to_string(p.outer_count) + " outer axes";
  for (int a = 0; a < p.outer_count; ++a)
    text += (a == 0 ? " of " : " x ") + std::to_string(p.outer[static_cast<std::size_t>(a)].extent);
  return text;
}

/// The text of `transpose::explain` after its head: policy, accesses, launch, resources, residency,
/// bytes. Every number of the driver says where it comes from.
inline std::string explain_transpose(const transpose_problem& p, const transpose_plan& plan,
                                     const launch& l, const device_facts& device,
                                     const kernel_resources& used) {
  const transpose_variant& v = plan.variant;
  const transpose_geometry& g = plan.geometry;
  std::string text = "  policy     " + to_string(plan.policy) + "\n";
  text += "  accesses   runs of " + std::to_string(g.vector) + " elements, " +
          (g.in_exact && g.out_exact ? "aligned" : "at any address") +
          (v.wide ? ", 64-bit distances" : "") + "\n";
  text += "  source     " + std::to_string(plan.source_bytes) + " bytes of OpenCL C\n";
  text += explain_kernel(device, l, std::to_string(plan.policy.per_item()) + " elements per item",
                         used, g.local_bytes, g.local_bytes > 0);
  return text + "  work       at least " +
         fixed_text(p.elements() * (v.in.bytes + v.out.bytes) / 1e6, 3) + " MB read and written\n";
}

}  // namespace clprim
