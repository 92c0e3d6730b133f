#pragma once
// What transpose and permute share: plans kept, kernels enqueued.

#include <cstddef>
#include <cstring>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <clprim/runtime/argument.hpp>
#include <clprim/runtime/move_only.hpp>
#include <clprim/runtime/queue.hpp>
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
  /// `row` and `column` of the output, and its own parameters, and returns the output's value.
  /// Without text a value is converted.
  function map{};
};

namespace detail {

/// The options of a door whose template argument may be a policy.
template <transpose_policy P> transpose_options with_policy(transpose_options options) {
  if constexpr (P != tuned_transpose_policy) options.policy = P;
  return options;
}

/// Queue, device and plans of a mover; elements are known by their descriptions only.
class transpose_engine : move_only {
 public:
  transpose_engine(const cl::CommandQueue& queue, transpose_options options, const element& in,
                   const element& out)
    : queue_(queue),
      on_(facts_of(queue)),
      options_(std::move(options)),
      in_(in),
      out_(out),
      rectangles_(queue, on_, in, options_.in_place) {
    check_conversion();
    if (options_.policy) {
      check_rules(*options_.policy);
      check_device_rules(*options_.policy, {.in = in_, .out = out_}, on_.facts);
    }
  }

  const device_facts& device() const { return on_.facts; }
  const function& map() const { return options_.map; }

  /// The policy that a problem runs with.
  transpose_policy policy(const transpose_problem& p) const {
    if (options_.policy) return *options_.policy;
    return tuned_transpose(on_.facts, size_of(p, std::max(in_.bytes, out_.bytes)));
  }
  std::string source(const transpose_problem& p, bool scaled) const {
    const transpose_policy chosen = policy(p);
    return transpose_source(chosen, variant(p, chosen, scaled), options_.map);
  }
  transpose_plan& prepare(const transpose_problem& p, bool scaled) {
    const transpose_policy chosen = policy(p);
    const transpose_variant v = variant(p, chosen, scaled);
    check_computed(v.conjugate, scaled);
    for (transpose_plan& plan : plans_) {
      if (plan.variant == v && plan.policy == chosen) return plan;
    }
    plans_.push_back(
        build_transpose_plan(chosen, v, options_.map, on_.context, on_.device, on_.facts));
    return plans_.back();
  }
  std::string explain(const transpose_problem& p) {
    if (p.empty()) return "transposition: nothing to do, there is no element\n";
    if (p.is_rectangle_in_place()) return rectangles_.explain(p);
    const transpose_plan& plan = prepare(p, false);
    return explain_transpose(p, plan, on_.facts,
                             resources_of(*plan.program, plan.kernel, "transpose", on_.device));
  }

  /// Enqueues a checked problem; `scale` holds the bytes of the factor, or nothing.
  cl::Event run(const transpose_problem& p, std::span<const std::byte> scale,
                std::span<const cl::Event> waits, std::span<const argument> arguments) {
    check_arguments(options_.map, arguments);
    if (p.empty()) return marker(queue_(), waits);
    if (p.is_rectangle_in_place()) {
      check_computed(p.conjugate, !scale.empty());
      return rectangles_.run(p, options_.map, scale, waits, arguments);
    }
    transpose_plan& plan = prepare(p, !scale.empty());
    const launch l = transpose_launch(p, plan);
    const cl_kernel kernel = plan.kernel();
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
    return enqueue(queue_(), kernel, l, waits);
  }

 private:
  transpose_variant variant(const transpose_problem& p, const transpose_policy& chosen,
                            bool scaled) const {
    transpose_variant v = variant_of(p, chosen, in_, out_, scaled);
    v.ptx = chosen.streaming && on_.facts.compute_capability >= 70;
    v.prefetch = chosen.prefetch && takes_prefetches(on_.facts);
    return v;
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
    if ((in_.needs_fp64 || out_.needs_fp64) && !on_.facts.fp64) {
      throw device_error("a map or cast of double needs double precision (cl_khr_fp64), which " +
                         on_.facts.name + " lacks");
    }
  }

  cl::CommandQueue queue_;
  queue_facts on_;
  transpose_options options_;
  element in_, out_;
  rectangle_engine rectangles_;
  std::deque<transpose_plan> plans_;
};

}  // namespace detail
}  // namespace clprim
