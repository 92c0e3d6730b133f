#pragma once
// What a product runs, in about ten lines for a person.

#include <algorithm>
#include <cstdint>
#include <string>

#include <clprim/core/number_text.hpp>
#include <clprim/core/occupancy/device.hpp>
#include <clprim/core/occupancy/explain.hpp>
#include <clprim/core/parallelism.hpp>
#include <clprim/gemm/plan.hpp>
#include <clprim/runtime/resources.hpp>

namespace clprim {

namespace detail {

/// The launch of a product as the occupancy model sees it.
inline launch_plan gemm_launch_plan(const launch& l, const gemm_plan& plan,
                                    const device_facts& device, const kernel_resources& used) {
  const unit_limits unit = limits_of(device);
  group_use use = use_of(used, plan.geometry.group);
  if (!used.local_bytes.known()) use.local_bytes = plan.geometry.local_bytes;
  return plan_launch(unit, units_of(device), use, static_cast<std::int64_t>(l.global[0]));
}

/// What is resident on one unit, what limits it and what would change that.
inline std::string residency(const launch_plan& launched, const device_facts& device,
                             const kernel_resources& used) {
  const occupancy& o = launched.resident;
  if (device.kind == device_kind::cpu) {
    return "1 group per hardware thread; what counts on a CPU is its vector width";
  }
  std::string text = counted(o.groups, "group") + " per unit, " + std::to_string(o.warps) + " of " +
                     std::to_string(o.max_warps) + " warps (" + per_cent(o.fraction()) +
                     "), limited by " + limiter_names(o.limiters);
  if (o.known == certainty::conservative) return text + "; conservative: the device is not known";
  if (!used.registers.known()) return text + "; at most: registers are not known";
  return text + "; " + next_step_text(o.next);
}

/// What one work-item of a product does, in multiply-adds of float; none when the rate of the
/// element's arithmetic is not known.
inline item_work gemm_item_work(const gemm_problem& p, const gemm_schedule& s,
                                const launch_plan& launched, double bytes, double double_rate) {
  const scalar_facts type = facts_of(s.variant.type);
  const double parts = type.is_complex ? 4 : 1;
  const double cost = parts * (!type.needs_fp64 ? 1 : double_rate > 0 ? 1 / double_rate : 0);
  const double items = static_cast<double>(launched.global);
  const double steps = std::max(1.0, static_cast<double>(p.k) / s.splits / s.policy.tile_k);
  const double tiles_k = static_cast<double>(p.k) / s.splits / s.policy.slices_k;
  return {.operations = cost * tiles_k * s.policy.tile_m * s.policy.tile_n * s.policy.slices_k /
                        s.policy.group_size(),
          .ilp = parts * s.policy.per_item_m * s.policy.per_item_n,
          .bytes = bytes / items,
          .turns = std::max(1.0, steps / std::max(1, s.policy.stages - 1))};
}

/// Offered against needed parallelism and the time the launch takes at least.
inline std::string gemm_prediction(const gemm_problem& p, const gemm_schedule& s,
                                   const launch_plan& launched, const device_facts& device,
                                   double bytes, double operations) {
  const device_row* row = find_row(device.name);
  if (row == nullptr) {
    return "  predicted  nothing: nobody has measured this device (core/parallelism.hpp; "
           "bench_occupancy does)\n";
  }
  if (s.policy.instruction != gemm_instruction::fma)
    return "  predicted  nothing: the rate of matrix units is not part of the model\n";
  const item_work work = gemm_item_work(p, s, launched, bytes, row->double_rate);
  const prediction promised = predict(*row, launched, work);
  std::string text = "  in flight  ";
  if (work.operations > 0) {
    text += short_number(promised.offered_operations) + " multiply-adds per unit offered, " +
            short_number(promised.needed_operations) + " needed; ";
  }
  text += short_number(promised.offered_bytes / 1e3) + " kB offered, " +
          short_number(promised.needed_bytes / 1e3) + " needed\n";
  return text + "  predicted  at least " + short_number(1e6 * promised.seconds) + " µs (" +
         short_number(1e-9 * operations / promised.seconds) + " GFLOP/s), bound by " +
         std::string(to_string(promised.bound)) + "\n";
}

}  // namespace detail

/// A product in a line: what, of what, how large.
inline std::string gemm_title(const gemm_kind& p, scalar type) {
  return "gemm of " + std::string(facts_of(type).name) + ", C " + std::to_string(p.m) + " x " +
         std::to_string(p.n) + ", k " + std::to_string(p.k) + ", batch " + std::to_string(p.batch) +
         ", A along " + (p.a.along_k ? "k" : "m") + ", B along " + (p.b.along_k ? "k" : "n") +
         (p.swapped ? " (as the transposed product)" : "");
}

/// The text of `gemm::explain` below its head: policy, source, launch with its waves, resources,
/// what is resident and what limits it, arithmetic intensity, offered against needed parallelism,
/// predicted bound and time. Every number of the driver says where it comes from.
inline std::string explain_gemm(const gemm_problem& p, const gemm_schedule& s,
                                const gemm_plan& plan, const device_facts& device,
                                const kernel_resources& used) {
  const scalar_facts type = facts_of(s.variant.type), stored = facts_of(s.variant.output());
  const bool full = s.variant.precision == gemm_precision::full;
  const scalar given = full ? s.variant.type : scalar::float_;  // what A and B are of
  const launch l = gemm_launch(kind_of(p), s, plan.geometry);
  const launch_plan launched = detail::gemm_launch_plan(l, plan, device, used);
  const double products = static_cast<double>(p.m) * p.n * p.k * static_cast<double>(p.batch);
  const double operations = (type.is_complex ? 8.0 : 2.0) * products;
  const double bytes =
      static_cast<double>(p.batch) *
      (facts_of(given).bytes * (static_cast<double>(p.m) * p.k + static_cast<double>(p.k) * p.n) +
       stored.bytes * (static_cast<double>(p.m) * p.n));
  const auto tile = [](const gemm_tile& t) {
    return std::string(t.along_k ? "along k" : "across k") + ", " + std::to_string(t.width) +
           (t.width == 1 ? " element" : " elements") + " per access";
  };
  std::string text = "  policy     " + to_string(s.policy) + "\n";
  text += "  operands   A " + tile(plan.geometry.a) + "; B " + tile(plan.geometry.b) + "\n";
  text += "  source     " + std::to_string(plan.source_bytes) + " bytes of OpenCL C\n";
  text += "  launch     " + std::to_string(l.global[0] / l.local[0]) + " groups of " +
          std::to_string(l.local[0]) + " work-items, " +
          std::to_string(s.policy.per_item_m * s.policy.per_item_n) +
          " outputs per item at a time; " + fixed_text(launched.waves, 2) + " waves, " +
          detail::per_cent(launched.tail_efficiency) + " of their slots filled\n";
  text +=
      "  split      " +
      (s.splits == 1
           ? std::string("none, no workspace")
           : std::to_string(s.splits) + " parts of k, workspace " +
                 std::to_string(gemm_partial_sums(kind_of(p), s) * element_bytes(s.variant.type)) +
                 " bytes, added in a fixed order" +
                 (s.policy.finish == gemm_finish::second_kernel
                      ? ""
                      : " by the last group of each tile; tiles not split: " +
                            std::to_string(s.whole))) +
      "\n";
  if (s.policy.packed) {
    const std::string which = s.variant.a.packed && s.variant.b.packed ? "A and B"
                              : s.variant.a.packed                     ? "A"
                                                                       : "B";
    text += "  packed     " + which + ", to lines of whole accesses of 16 bytes in the workspace" +
            (!s.policy.turned     ? ""
             : s.copies().along_k ? ", along k"
                                  : ", across k") +
            "\n";
  }
  if (!full) {
    text +=
        "  precision  " + std::string(to_string(s.variant.precision)) +
        (parts_of(s.variant.precision) == 1
             ? ": elements are cut to TF32\n"
             : std::string(scales_lines(s.variant.precision)
                               ? ": two halves for each element of a scaled line, by split_tf32 or "
                               : ": two TF32 numbers for each element, ") +
                   "in full where they do not hold one\n");
  }
  text += "  kernel     " + to_string(used.registers, "registers") + ", " +
          to_string(used.spill_bytes, "bytes spilled") + ", " +
          to_string(used.local_bytes, "bytes of local memory") + "\n";
  text += "  resident   " + detail::residency(launched, device, used) + "\n" +
          rules_line(device, launched.work_items, launched.groups, launched.resident);
  text += "  work       " + fixed_text(operations / 1e9, 3) + " GFLOP on at least " +
          fixed_text(bytes / 1e6, 3) + " MB: " + fixed_text(bytes > 0 ? operations / bytes : 0, 1) +
          " operations per byte\n";
  return text + detail::gemm_prediction(p, s, launched, device, bytes, operations);
}

}  // namespace clprim
