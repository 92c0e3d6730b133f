#pragma once
// The kernels of a reduction, and what is set in them.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <clprim/core/occupancy.hpp>
#include <clprim/core/occupancy/device.hpp>
#include <clprim/reduce/schedule.hpp>
#include <clprim/reduce/source.hpp>
#include <clprim/runtime/argument.hpp>
#include <clprim/runtime/program.hpp>
#include <clprim/runtime/resources.hpp>

namespace clprim {

/// The kernels of one schedule's policy and variant, built for one device.
struct reduce_plan {
  reduce_policy policy{};
  reduce_variant variant{};
  std::size_t source_bytes = 0;
  std::shared_ptr<const built_program> program;
  cl::Kernel first;
  cl::Kernel second;  ///< reduce_finish or reduce_long
  cl::Kernel third;   ///< reduce_long_finish
  int resident = 0;   ///< groups of the first kernel that a unit holds; 0: nobody knows
};

inline const char* kernel_name(reduce_shape shape) {
  return shape == reduce_shape::rows      ? "reduce_rows"
         : shape == reduce_shape::columns ? "reduce_columns"
                                          : "reduce_ragged";
}

namespace detail {

/// The build options that the policy needs: the OpenCL C version of its functions, the limit of
/// registers.
inline std::string reduce_build_options(const reduce_policy& p, const device_facts& device) {
  int version = 120;
  if (p.method == group_method::work_group) version = device.work_group_functions;
  if (p.method == group_method::sub_group) version = device.subgroup_functions;
  std::string options;
  if (version >= 200) options = "-cl-std=CL" + std::to_string(version / 100) + ".0";
  if (p.registers > 0 && device.inline_ptx) {
    options += (options.empty() ? "" : " ");
    options += "-cl-nv-maxrregcount=" + std::to_string(p.registers);
  }
  return options;
}

/// Groups of a kernel that one unit holds at a time, by the occupancy model.
inline int resident_groups(const reduce_plan& plan, const device_facts& facts,
                           const cl::Device& device) {
  const kernel_resources used =
      resources_of(*plan.program, plan.first, kernel_name(plan.variant.shape), device);
  return occupancy_of(limits_of(facts), use_of(used, plan.policy.group)).groups;
}

}  // namespace detail

/// Builds the kernels. Throws policy_error or device_error when the policy does not fit the device,
/// and build_error when the driver or the user's text is refused.
inline reduce_plan build_reduce_plan(const reduce_schedule& s, const reduction& what,
                                     const cl::Context& context, const cl::Device& device,
                                     const device_facts& facts,
                                     math_mode math = math_mode::precise) {
  check_device_rules(s.policy, what, facts, s.variant.staged);
  const std::string source = reduce_source(s.policy, s.variant, what);
  reduce_plan plan{.policy = s.policy,
                   .variant = s.variant,
                   .source_bytes = source.size(),
                   .program = build(context, device, source,
                                    detail::reduce_build_options(s.policy, facts), math),
                   .first = {},
                   .second = {},
                   .third = {}};
  plan.first = make_kernel(*plan.program, kernel_name(s.variant.shape));
  if (s.variant.shape == reduce_shape::ragged) {
    plan.second = make_kernel(*plan.program, "reduce_long");
    plan.third = make_kernel(*plan.program, "reduce_long_finish");
  } else if (s.variant.split && s.policy.finish == group_finish::second_kernel) {
    plan.second = make_kernel(*plan.program, "reduce_finish");
  }
  if (s.policy.groups_per_unit == 0) plan.resident = detail::resident_groups(plan, facts, device);
  return plan;
}

/// `reduce_numbers` of the kernels (walk_text.hpp).
struct kernel_numbers {
  cl_long x_offset, x_row, x_step, y_offset, y_row, y_step;
  cl_long length, inner, outer;
  cl_long out_offset, parts, turn;
};

/// Where the groups of a call meet, and the number that its messages carry.
struct meeting_place {
  cl_mem kept = nullptr;
  cl_mem left = nullptr;
  std::uint32_t turn = 0;
};

/// Sets the arguments of a plan's kernels for one call. The numbers and where groups meet stay from
/// the call before where nothing but the operands is `fresh`; operands are always set, as a handle
/// may have come to mean another buffer, and so is the turn.
class reduce_arguments {
 public:
  reduce_arguments(reduce_plan& plan, const reduce_problem& p, const reduce_schedule& s,
                   const meeting_place& at, bool fresh)
    : plan_(plan), p_(p), s_(s), meeting_(at), fresh_(fresh) {}

  /// Of reduce_rows or reduce_columns; returns the index of the map's first parameter.
  cl_uint first() {
    const cl_kernel k = plan_.first();
    const cl_mem x = p_.length == 0 ? p_.out : p_.x.memory;  // no elements need no buffer
    const cl_mem y = p_.length == 0 ? p_.out : p_.y.memory;
    buffer(k, x);
    if (p_.two_operands) buffer(k, y);
    if (fresh_ || sends_messages(s_.policy, s_.variant)) {
      set_arg(
          k, at_,
          kernel_numbers{p_.x.offset, p_.x.outer, p_.x.step, p_.y.offset, p_.y.outer, p_.y.step,
                         p_.length, p_.inner, p_.outer, p_.out_offset, s_.parts, meeting_.turn});
    }
    ++at_;
    buffer(k, p_.out);
    if (uses_kept_words(s_.policy, s_.variant)) place(k, meeting_.kept);
    if (leaves_partials(s_.policy, s_.variant)) place(k, meeting_.left);
    slower_axes_of(k);
    return at_;
  }
  /// Of reduce_finish.
  void finish() {
    const cl_kernel k = plan_.second();
    at_ = 0;
    numbers(k, p_.length, p_.results());
    integer(k, s_.parts);
    buffer(k, p_.out);
    numbers(k, p_.out_offset);
    place(k, meeting_.left);
  }

 private:
  void buffer(cl_kernel k, cl_mem memory) { set_arg(k, at_++, memory); }
  void place(cl_kernel k, cl_mem memory) {
    if (fresh_) set_arg(k, at_, memory);
    ++at_;
  }
  void integer(cl_kernel k, int n) {
    if (fresh_) set_arg(k, at_, static_cast<cl_int>(n));
    ++at_;
  }
  template <class... N> void numbers(cl_kernel k, N... n) {
    const auto one = [&](std::int64_t value) {
      if (fresh_) set_arg(k, at_, static_cast<cl_long>(value));
      ++at_;
    };
    (one(n), ...);
  }
  void slower_axes_of(cl_kernel k) {
    std::int64_t others = 1;
    for (int d = 0; d < p_.x.slower.count; ++d)
      others *= std::max<std::int64_t>(1, p_.x.slower.extent.at(static_cast<std::size_t>(d)));
    std::int64_t extent = p_.outer / others;  // of the axis before
    for (int d = 0; d < p_.x.slower.count; ++d) {
      const auto i = static_cast<std::size_t>(d);
      numbers(k, extent, p_.x.slower.stride.at(i));
      if (p_.two_operands) numbers(k, p_.y.slower.stride.at(i));
      extent = p_.x.slower.extent.at(i);
    }
  }

  reduce_plan& plan_;
  const reduce_problem& p_;
  const reduce_schedule& s_;
  meeting_place meeting_;
  bool fresh_;
  cl_uint at_ = 0;
};

/// Sets the arguments of the three kernels of a ragged problem.
inline void set_ragged_arguments(const reduce_plan& plan, const reduce_problem& p,
                                 const reduce_schedule& s, const meeting_place& at_place,
                                 std::span<const argument> of_map) {
  const auto& [kept, left, turn] = at_place;
  const cl_mem x = p.length == 0 ? p.out : p.x.memory;  // no elements need no buffer
  const cl_mem y = p.length == 0 ? p.out : p.y.memory;
  const auto room = static_cast<cl_int>(s.list_room);
  const auto set = [&](const cl::Kernel& kernel, const auto&... after_operands) {
    cl_uint at = 0;
    const auto one = [&](const auto& value) { set_arg(kernel(), at++, value); };
    one(x);
    one(cl_long{p.x.offset});
    if (p.two_operands) {
      one(y);
      one(cl_long{p.y.offset});
    }
    one(p.offsets);
    (one(after_operands), ...);
    set_arguments(kernel(), at, of_map);
  };
  set(plan.first, cl_long{p.outer}, p.out, cl_long{p.out_offset}, kept, left, room,
      cl_int{s.per_block});
  set(plan.second, kept, left, room);
  set_args(plan.third(), p.offsets, kept, left, room, cl_int{s.parts}, p.out,
           cl_long{p.out_offset});
}

}  // namespace clprim
