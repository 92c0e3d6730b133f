#pragma once
// From a kernel and a problem to a launch that was thought through: sizes for the queue, what is
// resident, what limits it, what it will wait for.
//
//   const auto taken = resources_of(*program, kernel, "scale", device);
//   const auto advice = advise_launch(facts_of(device), taken, {.problem_items = n});
//   enqueue(queue, kernel, advice.range);
//   std::cout << explain(advice);

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>

#include <clprim/core/occupancy/device.hpp>
#include <clprim/core/occupancy/explain.hpp>
#include <clprim/core/parallelism.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/resources.hpp>

namespace clprim {

/// What a launch shall do.
struct launch_request {
  std::int64_t problem_items = 0;  ///< elements to be handled
  int items_per_work_item = 1;     ///< of which each work-item handles so many at a time
  /// Local size in work-items; 0: what the kernel requires, or else the size that keeps most
  /// work-items resident.
  int work_items = 0;
  launch_objective objective = launch_objective::one_pass;
  item_work work{};  ///< of one work-item in one pass, for the prediction; may be left out
};

/// A launch with the reasons for it.
struct launch_advice {
  unit_limits unit;
  group_use use;
  launch_plan plan;
  launch range;  ///< ready for `enqueue`; the last group may reach beyond the problem
  const device_row* row = nullptr;  ///< null: nobody has measured this device
  std::optional<prediction> predicted{};
};

/// Plans a one-dimensional launch of a kernel on a device. `dynamic_local(size)` gives the local
/// memory in bytes that a group of that size is handed as arguments, besides the kernel's own.
/// Throws policy_error when no group fits or the kernel requires another size, device_error when
/// the group is larger than this kernel's limit, argument_error for sizes that are zero, negative
/// or too large.
template <std::invocable<int> LocalOf>
launch_advice advise_launch(const device_facts& device, const kernel_resources& kernel,
                            const launch_request& request, LocalOf dynamic_local) {
  launch_advice advice{.unit = limits_of(device), .use = {}, .plan = {}, .range = {}};
  const int required = kernel.work_group.known() ? kernel.work_group.value : 0;
  detail::require_at_least("work-group size", request.work_items, 0);
  if (required != 0 && request.work_items != 0 && request.work_items != required) {
    throw policy_error("the kernel requires work-groups of " + std::to_string(required) +
                       " work-items (reqd_work_group_size); " + std::to_string(request.work_items) +
                       " were asked for");
  }
  // NVIDIA's driver names a limit of 256 for kernels that require, and run with, 512.
  const int limit = kernel.max_work_group.known() && required == 0
                        ? std::min(device.max_work_group, kernel.max_work_group.value)
                        : device.max_work_group;
  int items = required != 0 ? required : request.work_items;
  const auto fits_arguments = [&](int size) {
    return static_cast<std::int64_t>(dynamic_local(size)) <= device.reported_local_bytes;
  };
  if (items == 0) {
    const std::int64_t own = kernel.local_bytes.known() ? kernel.local_bytes.value : 0;
    items = suggest_work_group(advice.unit, use_of(kernel, 1), limit, [&](int size) {
              const auto as_arguments = static_cast<std::int64_t>(dynamic_local(size));
              return fits_arguments(size) ? own + as_arguments : advice.unit.group_local_bytes + 1;
            }).work_items;
  }
  if (items > limit) {
    throw device_error("a work-group of " + std::to_string(items) + " work-items is larger than " +
                       device.name + " allows this kernel: " + std::to_string(limit));
  }
  // NVIDIA's driver gives static arrays more than it reports, but not arguments.
  if (!fits_arguments(items)) {
    throw argument_error("local memory in arguments of a group of " + std::to_string(items),
                         "must fit what " + device.name + " reports",
                         std::to_string(dynamic_local(items)),
                         "at most " + std::to_string(device.reported_local_bytes) + " bytes");
  }
  advice.use = use_of(kernel, items, dynamic_local(items));
  advice.plan = plan_launch(advice.unit, units_of(device), advice.use, request.problem_items,
                            request.items_per_work_item, request.objective);
  advice.range = {1,
                  {static_cast<std::size_t>(advice.plan.global), 1, 1},
                  {static_cast<std::size_t>(items), 1, 1}};
  check_launch(advice.range, device, "of this plan");
  advice.row = find_row(device.name);
  if (advice.row != nullptr && (request.work.operations > 0 || request.work.bytes > 0)) {
    advice.predicted = predict(*advice.row, advice.plan, request.work);
  }
  return advice;
}

/// The same for a kernel whose local memory is all its own.
inline launch_advice advise_launch(const device_facts& device, const kernel_resources& kernel,
                                   const launch_request& request) {
  return advise_launch(device, kernel, request, [](int) { return 0; });
}

/// The advice for a person, in about ten lines. Ends with a newline.
inline std::string explain(const launch_advice& advice) {
  std::string text = explain(advice.unit, advice.use, advice.plan);
  if (advice.predicted) return text + explain(*advice.row, *advice.predicted);
  return text +
         (advice.row == nullptr
              ? "predicted: nothing, nobody has measured this device (bench_occupancy does)\n"
              : "");
}

}  // namespace clprim
