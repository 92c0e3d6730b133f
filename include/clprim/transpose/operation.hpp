#pragma once
// What transpose and permute share: plans kept, kernels enqueued.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <clprim/runtime/operation.hpp>
#include <clprim/runtime/plan_cache.hpp>
#include <clprim/transpose/engine.hpp>
#include <clprim/transpose/explain.hpp>
#include <clprim/transpose/in_place.hpp>
#include <clprim/transpose/plan.hpp>

namespace clprim {

namespace detail {

/// Plans of a mover; elements are known by their descriptions only.
class transpose_operation : public rectangle_operation {
 public:
  transpose_operation(const cl::CommandQueue& queue, transpose_options options, const element& in,
                      const element& out)
    : rectangle_operation(queue, options.completion, options.math, in, options.in_place),
      options_(std::move(options)),
      in_(in),
      out_(out) {
    check_function(options_.map, "the map", {"value", "row", "column"});
    check_conversion();
    if (options_.policy) check_policy(*options_.policy);
  }

  transpose_schedule schedule(const transpose_problem& p, bool scaled) const {
    return by_policy(
        options_.policy, [&] { return title_of(p, in_, out_); },
        [&](const std::optional<transpose_policy>& own) {
          if (own) check_policy(*own);
          return schedule(p, scaled, own ? *own : tuned_transpose(device(), size_of(p, widest())));
        });
  }
  std::string source(const transpose_problem& p, bool scaled) const {
    if (p.is_rectangle_in_place() && !p.empty()) return rectangle_source(p, options_.map, scaled);
    const transpose_schedule s = schedule(p, scaled);
    return transpose_source(s.policy, s.variant, options_.map);
  }
  std::size_t workspace_bytes(const transpose_problem& p) const {
    return p.is_rectangle_in_place() && !p.empty() ? rectangle_workspace(p) : 0;
  }
  void prepare(const transpose_problem& p, bool scaled) {
    check_computed(p.conjugate && in_.is_complex, scaled);
    check_operands(p.operands);
    if (p.empty()) return;
    command_chain(*this, {}).workspace(workspace_bytes(p));
    if (p.is_rectangle_in_place())
      prepare_rectangle(p, options_.map, scaled);
    else
      plan_of(schedule(p, scaled));
  }
  std::string explain(const transpose_problem& p) {
    check_operands(p.operands);
    if (p.empty())
      return explain_head("transposition: nothing to do, there is no element", 0, plans_.size());
    if (p.is_rectangle_in_place()) return explain_rectangle(p, options_.map);
    const transpose_schedule s = schedule(p, false);
    const std::shared_ptr<transpose_plan> plan = plan_of(s);
    return explain_head(title_of(p, in_, out_), 0, plans_.size()) +
           explain_transpose(p, *plan, s.range, device(),
                             resources_of(*plan->program, plan->kernel, "transpose", on().device));
  }

  /// Enqueues a checked problem; `scale` holds the bytes of the factor, or nothing.
  cl::Event run(const transpose_problem& p, std::span<const std::byte> scale, wait_list waits,
                argument_list arguments) {
    require_queue();
    check_arguments(options_.map, arguments);
    check_computed(p.conjugate && in_.is_complex, !scale.empty());
    check_operands(p.operands, arguments);
    if (p.empty()) return command_chain(*this, waits).end();
    if (p.is_rectangle_in_place()) return run_rectangle(p, options_.map, scale, waits, arguments);
    const transpose_schedule s = schedule(p, !scale.empty());
    const std::shared_ptr<transpose_plan> plan = plan_of(s);
    const cl_kernel kernel = plan->kernel();
    set_args(kernel, static_cast<cl_int>(p.rows), static_cast<cl_int>(p.cols), p.in,
             static_cast<cl_long>(p.in_offset), static_cast<cl_long>(p.in_pitch), p.out,
             static_cast<cl_long>(p.out_offset), static_cast<cl_long>(p.out_pitch));
    cl_uint next = 8;
    for (int a = 0; a < p.outer_count; ++a) {
      const transpose_axis& axis = p.outer[static_cast<std::size_t>(a)];
      set_arg(kernel, next++, static_cast<cl_uint>(axis.extent));
      const auto side = [&](cl_mem offsets, std::int64_t step) {
        if (a == 0 && offsets != nullptr) {
          set_arg(kernel, next++, offsets);
        } else {
          set_arg(kernel, next++, static_cast<cl_long>(step));
        }
      };
      side(p.in_offsets, axis.in_step);
      side(p.out_offsets, axis.out_step);
    }
    if (!scale.empty()) {
      check(clSetKernelArg(kernel, next++, scale.size(), scale.data()),
            "clSetKernelArg of the scale factor");
    }
    set_arguments(kernel, next, arguments);
    return command_chain(*this, waits).run_last(kernel, s.range);
  }

 private:
  void check_policy(const transpose_policy& policy) const {
    require_rules(policy);
    check_device_rules(policy, {.in = in_, .out = out_}, device());
  }
  transpose_schedule schedule(const transpose_problem& p, bool scaled,
                              const transpose_policy& policy) const {
    transpose_schedule s{.policy = policy, .variant = {}, .range = {}};
    s.variant = variant_of(p, s.policy, in_, out_, scaled);
    s.variant.ptx = s.policy.streaming && device().inline_ptx && device().compute_capability >= 70;
    s.variant.words = s.policy.unaligned && device().kind != device_kind::cpu;
    s.variant.prefetch = s.policy.prefetch && takes_prefetches(device());
    if (!p.empty()) s.range = transpose_launch(p, s.policy, s.variant);
    return s;
  }
  int widest() const { return std::max(in_.bytes, out_.bytes); }
  std::shared_ptr<transpose_plan> plan_of(const transpose_schedule& s) {
    return plans_.find_or_make(
        [&](const transpose_plan& one) {
          return one.variant == s.variant && one.policy == s.policy;
        },
        [&] {
          return build_transpose_plan(s.policy, s.variant, options_.map, on().context, on().device,
                                      device(), math());
        });
  }
  void check_computed(bool conjugate, bool scaled) const {
    if (in_.has_arithmetic() || !(conjugate || scaled)) return;
    throw argument_error("elements", "must be numbers to be scaled or conjugated",
                         std::to_string(in_.bytes) + " bytes without a name in OpenCL C",
                         "a scalar or an integer type");
  }
  void check_conversion() const {
    const bool computed = !options_.map.empty() || !(in_ == out_);
    if (!computed) return;
    const auto refuse = [](const std::string& constraint, const element& e) {
      throw argument_error(
          "element type", constraint,
          e.name.empty() ? std::to_string(e.bytes) + " bytes without a name" : std::string(e.name),
          "a scalar or an integer type");
    };
    if (!in_.has_arithmetic()) refuse("must have a name in OpenCL C to be mapped or cast", in_);
    if (!out_.has_arithmetic()) refuse("must have a name in OpenCL C to be mapped or cast", out_);
    if (options_.map.empty() && in_.is_complex && !out_.is_complex) {
      throw argument_error("a cast from complex to real", "needs a map that says which part",
                           "no map", "such as 'return value.x;'");
    }
    if ((in_.needs_fp64 || out_.needs_fp64) && !device().fp64) {
      throw device_error("a map or cast of double needs double precision (cl_khr_fp64), which " +
                         device().name + " lacks");
    }
  }

  transpose_options options_;
  element in_, out_;
  plan_cache<transpose_plan> plans_;
};

CLPRIM_INLINE transpose_engine::transpose_engine(const cl::CommandQueue& queue,
                                                 transpose_options options, const element& in,
                                                 const element& out)
  : engine(std::make_shared<transpose_operation>(queue, std::move(options), in, out)) {}
CLPRIM_INLINE transpose_schedule transpose_engine::schedule(const transpose_problem& p,
                                                            bool scaled) const {
  return as<transpose_operation>().schedule(p, scaled);
}
CLPRIM_INLINE std::string transpose_engine::source(const transpose_problem& p, bool scaled) const {
  return as<transpose_operation>().source(p, scaled);
}
CLPRIM_INLINE std::size_t transpose_engine::workspace_bytes(const transpose_problem& p) const {
  return as<transpose_operation>().workspace_bytes(p);
}
CLPRIM_INLINE void transpose_engine::prepare(const transpose_problem& p, bool scaled) {
  as<transpose_operation>().prepare(p, scaled);
}
CLPRIM_INLINE std::string transpose_engine::explain(const transpose_problem& p) {
  return as<transpose_operation>().explain(p);
}
CLPRIM_INLINE cl::Event transpose_engine::run(const transpose_problem& p,
                                              std::span<const std::byte> scale, wait_list waits,
                                              argument_list arguments) {
  return as<transpose_operation>().run(p, scale, waits, arguments);
}

}  // namespace detail
}  // namespace clprim
