#pragma once
// The rules of a reduction's policy against the operator and the device.
#include <string>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/error.hpp>
#include <clprim/reduce/variant.hpp>

namespace clprim {

/// Whether the states of all parts are single numbers that are added.
inline bool only_adds(const reduction& what) {
  return std::all_of(what.parts.begin(), what.parts.end(), [](const reduce_part& p) {
    return (p.op == reduce_operator::sum && !p.is_complex() && !p.counts) ||
           p.op == reduce_operator::count;
  });
}

/// Throws policy_error when `p` cannot keep what the operator promises.
inline void check_contract(const reduce_policy& p, const reduction& what) {
  const bool fixed_order = what.order_shows() && !what.may_vary_between_runs;
  rule(p.finish != group_finish::any_order || !fixed_order,
       "finish any_order merges groups as they come, so this operator's result would vary from run "
       "to run: it needs op::fastest");
  rule(p.finish != group_finish::any_order || state_words(what) == 1,
       "finish any_order needs a state of 32-bit words in number", state_words(what), 1);
  rule(p.method != group_method::work_group || only_adds(what),
       "method work_group needs sums and counts only: OpenCL C has no other function that fits");
  rule(p.method != group_method::work_group || !fixed_order,
       "method work_group leaves the order of additions open, so this operator's result would vary "
       "from run to run: it needs op::fastest");
}

/// Whether a device's compiler takes NVIDIA's assembly of this compute capability.
constexpr bool reduce_may_use_ptx(const device_facts& device, int capability) {
  return device.inline_ptx && device.compute_capability >= capability;
}

/// Throws policy_error, with the numbers, when `p` cannot run on `device`, and device_error when
/// the device lacks the arithmetic.
inline void check_device_rules(const reduce_policy& p, const reduction& what,
                               const device_facts& device, bool staged = false) {
  if (what.needs_fp64() && !device.fp64) {
    throw device_error(
        "this reduction needs double precision (cl_khr_fp64) for its elements or its accumulator, "
        "which " +
        device.name + " lacks");
  }
  check_contract(p, what);
  rule(p.group <= largest_reduce_group(device),
       "the policy's work-group must fit the device's limit of work-items", p.group,
       largest_reduce_group(device));
  rule(reduce_local_bytes(p, what, staged) <= device.local_bytes,
       "the states and the tile of a group must fit the local memory of the device in bytes",
       static_cast<long>(reduce_local_bytes(p, what, staged)),
       static_cast<long>(device.local_bytes));
  rule(p.method != group_method::shuffle || reduce_may_use_ptx(device, 30),
       "method shuffle needs NVIDIA's warp shuffles: compute capability 3.0 or more");
  rule(p.method != group_method::sub_group || device.subgroup_shuffles != subgroup_shuffle::none,
       "method sub_group needs a device with cl_khr_subgroup_shuffle or cl_intel_subgroups");
  rule(p.method != group_method::work_group || device.work_group_functions,
       "method work_group needs a device with the work-group functions of OpenCL C 2.0");
  rule(p.finish != group_finish::last_group_fenced || reduce_may_use_ptx(device, 70),
       "finish last_group_fenced needs NVIDIA's fence.acq_rel: compute capability 7.0 or more");
  rule(p.finish != group_finish::any_order || device.int64_atomics,
       "finish any_order needs a device with cl_khr_int64_base_atomics");
}

}  // namespace clprim
