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
#include <clprim/runtime/queue.hpp>
#include <clprim/transpose/explain.hpp>
#include <clprim/transpose/plan.hpp>

namespace clprim {

/// How an operation object is set up; every member may be left out.
struct transpose_options {
  /// The policy; without one the library chooses per problem (transpose/tuned.hpp).
  std::optional<transpose_policy> policy{};
  /// Text applied to each element on its way: the body of a function that sees `value` (the
  /// arithmetic type of the input: float for half, float2 for complex float), for a matrix also
  /// `row` and `column` of the output, and its own parameters, and returns the output's value.
  /// Without text a value is converted.
  function map{};
};

namespace detail {

/// Queue, device and plans of a mover; elements are known by their descriptions only.
class transpose_engine {
 public:
  transpose_engine(const cl::CommandQueue& queue, transpose_options options, const element& in,
                   const element& out)
    : queue_(queue), on_(facts_of(queue)), options_(std::move(options)), in_(in), out_(out) {
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
    return transpose_source(chosen, variant_of(p, chosen, in_, out_, scaled), options_.map);
  }
  transpose_plan& prepare(const transpose_problem& p, bool scaled) {
    const transpose_policy chosen = policy(p);
    const transpose_variant v = variant_of(p, chosen, in_, out_, scaled);
    if (!v.in.has_arithmetic() && (v.conjugate || scaled))
      throw argument_error("elements", "must be numbers to be scaled or conjugated",
                           std::to_string(in_.bytes) + " bytes without a name in OpenCL C",
                           "a scalar or an integer type");
    for (transpose_plan& plan : plans_) {
      if (plan.variant == v && plan.policy == chosen) return plan;
    }
    plans_.push_back(
        build_transpose_plan(chosen, v, options_.map, on_.context, on_.device, on_.facts));
    return plans_.back();
  }
  std::string explain(const transpose_problem& p) {
    if (p.empty()) return "transposition: nothing to do, there is no element\n";
    const transpose_plan& plan = prepare(p, false);
    return explain_transpose(p, plan, on_.facts,
                             resources_of(*plan.program, plan.kernel, "transpose", on_.device));
  }

  /// Enqueues a checked problem; `scale` holds the bytes of the factor, or nothing.
  cl::Event run(const transpose_problem& p, std::span<const std::byte> scale,
                std::span<const cl::Event> waits, std::span<const argument> arguments) {
    check_arguments(options_.map, arguments);
    if (p.empty()) return marker(queue_(), waits);
    transpose_plan& plan = prepare(p, !scale.empty());
    const launch l = transpose_launch(p, plan.policy);
    const cl_kernel kernel = plan.kernel();
    set_args(kernel, static_cast<cl_int>(p.rows), static_cast<cl_int>(p.cols), p.in,
             static_cast<cl_long>(p.in_offset), static_cast<cl_long>(p.in_pitch), p.out,
             static_cast<cl_long>(p.out_offset), static_cast<cl_long>(p.out_pitch));
    cl_uint next = 8;
    for (int a = 0; a < p.outer_count; ++a) {
      const transpose_axis& axis = p.outer[static_cast<std::size_t>(a)];
      set_arg(kernel, next++, static_cast<cl_uint>(axis.extent));
      set_arg(kernel, next++, static_cast<cl_long>(axis.in_step));
      set_arg(kernel, next++, static_cast<cl_long>(axis.out_step));
    }
    if (!scale.empty()) {
      check(clSetKernelArg(kernel, next++, scale.size(), scale.data()),
            "clSetKernelArg of the scale factor");
    }
    set_arguments(kernel, next, arguments);
    return enqueue(queue_(), kernel, l, waits);
  }

 private:
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
  std::deque<transpose_plan> plans_;
};

}  // namespace detail
}  // namespace clprim
