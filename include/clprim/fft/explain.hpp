#pragma once
// What a transform runs, in a few lines for a person.

#include <string>

#include <clprim/core/number_text.hpp>
#include <clprim/core/occupancy.hpp>
#include <clprim/core/occupancy/device.hpp>
#include <clprim/fft/built_plan.hpp>
#include <clprim/runtime/resources.hpp>

namespace clprim {

namespace detail {

/// What a problem is, for a person.
inline std::string title_of(const fft_problem& p) {
  std::string text = std::string(p.inverse ? "inverse" : "forward") + " Fourier transform, ";
  text += p.real ? "real, " : "complex, ";
  for (std::size_t a = 0; a < p.lengths.size(); ++a)
    text += (a > 0 ? " x " : "") + std::to_string(p.lengths[a]);
  return text + " points, " + std::to_string(p.batch()) + " of them" +
         (p.in_place ? ", in place" : "");
}

/// The text of `fft::explain` behind its head: for each pass policy, stages, launch, resources,
/// residency. Every number of the driver says where it comes from.
inline std::string explain_fft(const fft_problem& p, const fft_built_plan& plan,
                               const device_facts& device, const cl::Device& on) {
  std::string text = "  passes     " + std::to_string(plan.steps.size()) + ", " +
                     std::to_string(plan.table_bytes) + " bytes of tables\n";
  int count = 0;
  for (const fft_built_step& s : plan.steps) {
    const fft_pass& pass = s.step.pass;
    const char* const method = pass.method == fft_method::direct  ? "direct"
                               : pass.method == fft_method::rader ? "Rader's convolution"
                                                                  : "Bluestein's convolution";
    const kernel_resources used = resources_of(*s.program, s.handle, "fft", on);
    group_use use{.work_items = s.kernel.items,
                  .local_bytes = s.kernel.local_bytes,
                  .barriers = s.kernel.items > 1 ? 1 : 0};
    if (used.registers.known()) use.registers = used.registers.value;
    const occupancy o = occupancy_of(limits_of(device), use);
    text += "  pass " + std::to_string(++count) + "     " + std::to_string(pass.length) +
            " points, " + method;
    if (pass.method != fft_method::direct) text += " of " + std::to_string(pass.inner);
    text += ", stages";
    for (const int r : s.kernel.radices) text += " " + std::to_string(r);
    text += "\n    policy   " + to_string(s.step.policy);
    if (const auto& second = s.step.second) {
      text += "\n    followed by " + std::to_string(second->pass.length) + " points, " +
              std::to_string(s.kernel.then_side_by_side) + " transforms side by side, stages";
      for (const int r : s.kernel.then_radices) text += " " + std::to_string(r);
      text += ", in the same launch, " + std::to_string(second->lag) + " of " +
              std::to_string(second->pass.outer.back().extent) + " behind\n    policy   " +
              to_string(second->policy);
    }
    text +=
        "\n    source   " + std::to_string(s.kernel.source.size()) +
        " bytes of OpenCL C\n    launch   " + std::to_string(s.range.global[0] / s.range.local[0]) +
        " groups of " + std::to_string(s.range.local[0]) + " work-items, " +
        std::to_string(s.kernel.side_by_side) + " transforms side by side\n    kernel   " +
        to_string(used.registers, "registers") + ", " +
        to_string(used.spill_bytes, "bytes spilled") + ", " + std::to_string(s.kernel.local_bytes) +
        " bytes of local memory\n    resident " + std::to_string(o.groups) + " groups per unit, " +
        std::to_string(o.warps) + " of " + std::to_string(o.max_warps) + " warps\n";
  }
  const double elements_in = p.points() * static_cast<double>(p.batch());
  const double bytes = elements_in * (p.in.type.bytes + p.out.type.bytes);
  return text + "  work       at least " + fixed_text(bytes / 1e6, 3) + " MB read and written\n";
}

}  // namespace detail
}  // namespace clprim
