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
#include <clprim/transpose/explain.hpp>
#include <clprim/transpose/in_place.hpp>
#include <clprim/transpose/plan.hpp>

namespace clprim {

/// In place of a policy: the library chooses for device and problem.
inline constexpr transpose_policy tuned_transpose_policy{.tile_rows = 0};

/// How an operation object is set up; every member may be left out.
struct transpose_options {
  /// The policy; without one the library chooses per problem (transpose/tuned.hpp).
  std::optional<transpose_policy> policy{};
  /// That of rectangles in their own memory (transpose/in_place_policy.hpp).
  std::optional<in_place_policy> in_place{};
  /// Text applied to each element on its way: the body of a function that sees `value` (the
  /// arithmetic type of the input: float for half, float2 for complex float), for a matrix also
  /// `row` and `column` of the output, and its own parameters, and returns the output's value (by
  /// the rules of C, which do not saturate). Without text a value is converted: to integers by
  /// rounding to nearest even and saturating, NaN to 0.
  function map{};
  /// Whether calls return an event.
  clprim::completion completion = clprim::completion::event;
  /// How exactly the kernels must compute (core/math_mode.hpp has the bounds).
  math_mode math = math_mode::precise;
};

/// What a call runs; rectangles in their own memory run passes of in_place_policy instead.
struct transpose_schedule {
  transpose_policy policy;
  transpose_variant variant;
  launch range;
  friend bool operator==(const transpose_schedule&, const transpose_schedule&) = default;
};

namespace detail {

/// The options of a door whose template argument may be a policy.
template <transpose_policy P> transpose_options with_policy(transpose_options options) {
  if constexpr (P != tuned_transpose_policy) options.policy = P;
  return options;
}

/// Plans of a mover; elements are known by their descriptions only.
class transpose_engine : public rectangle_engine {
 public:
  transpose_engine(const cl::CommandQueue& queue, transpose_options options, const element& in,
                   const element& out)
    : rectangle_engine(queue, options.completion, options.math, in, options.in_place),
      options_(std::move(options)),
      in_(in),
      out_(out) {
    check_function(options_.map, "the map", {"value", "row", "column"});
    check_conversion();
    if (options_.policy) {
      require_rules(*options_.policy);
      check_device_rules(*options_.policy, {.in = in_, .out = out_}, device());
    }
  }

  transpose_schedule schedule(const transpose_problem& p, bool scaled) const {
    transpose_schedule s{.policy = options_.policy
                                       ? *options_.policy
                                       : tuned_transpose(device(), size_of(p, widest())),
                         .variant = {},
                         .range = {}};
    s.variant = variant_of(p, s.policy, in_, out_, scaled);
    s.variant.ptx = s.policy.streaming && device().inline_ptx && device().compute_capability >= 70;
    s.variant.prefetch = s.policy.prefetch && takes_prefetches(device());
    if (!p.empty()) s.range = transpose_launch(p, s.policy, s.variant);
    return s;
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
    return explain_head(title_of(p, s.variant), 0, plans_.size()) +
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

}  // namespace detail
}  // namespace clprim
