#pragma once
// What a reduction runs, in a few lines for a person.

#include <string>

#include <clprim/reduce/plan.hpp>
#include <clprim/runtime/resources.hpp>

namespace clprim {

/// The first line of `reduce::explain`.
inline std::string reduction_title(const reduce_problem& p, const reduction& what) {
  const char* const shapes[] = {"elements side by side", "elements across rows", "ragged segments"};
  return "reduction of " + what.element.stored + ": " + std::to_string(p.results()) +
         (p.results() == 1 ? " result of " : " results of ") +
         (p.offsets != nullptr ? "together " : "") + std::to_string(p.length) + " elements (" +
         shapes[static_cast<int>(p.shape)] + ")";
}

/// The lines after its head.
inline std::string explain_reduce(const reduce_problem& p, const reduce_schedule& s,
                                  const reduce_plan& plan, const reduction& what,
                                  const kernel_resources& used) {
  const launch l = reduce_launch(s);
  std::string text;
  text += "  policy     " + to_string(s.policy) + "\n";
  text += "  source     " + std::to_string(plan.source_bytes) + " bytes of OpenCL C\n";
  text += "  launch     " + std::to_string(l.global[0] / l.local[0]) + " groups of " +
          std::to_string(l.local[0]) + " work-items, " + std::to_string(s.policy.loads) +
          " loads of " + std::to_string(s.variant.vector) + " elements in flight per item, " +
          std::to_string(s.variant.items) + " items per result\n";
  text += "  together   ";
  if (p.shape == reduce_shape::ragged) {
    if (s.variant.staged) {
      text += "windows of " + std::to_string(s.per_block) + " segments by way of local memory, ";
    }
    text += "segments of more than " + std::to_string(long_segment(s.policy)) +
            " elements by all of " + std::to_string(s.parts) + " groups, in three launches";
  } else if (!s.variant.split) {
    text += "one group per result, one launch";
  } else {
    text += std::to_string(s.parts) + " groups per result, " +
            (s.policy.finish == group_finish::second_kernel ? "put together by a second launch"
             : s.policy.finish == group_finish::any_order   ? "put together as they come"
             : s.policy.finish == group_finish::last_started
                 ? "put together by the one that started last"
                 : "put together by the last of them");
    if (s.policy.groups_per_unit == 0 && plan.resident > 0)
      text += " (" + std::to_string(plan.resident) + " are resident per unit)";
  }
  text += std::string(s.variant.split && s.policy.finish == group_finish::any_order
                          ? ", in any order"
                          : ", always in the same order") +
          +"\n";
  text += "  kernel     " + to_string(used.registers, "registers") + ", " +
          to_string(used.spill_bytes, "bytes spilled") + ", " +
          to_string(used.local_bytes, "bytes of local memory") + "\n";
  const double bytes = static_cast<double>(what.element.bytes) * static_cast<double>(p.length) *
                       (p.offsets != nullptr ? 1.0 : static_cast<double>(p.results())) *
                       (p.two_operands ? 2 : 1);
  text += "  work       " + std::to_string(static_cast<std::int64_t>(bytes)) + " bytes to read\n";
  return text;
}

}  // namespace clprim
