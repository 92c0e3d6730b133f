#pragma once
// The operation object's engine: plans kept, passes enqueued.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/number_text.hpp>
#include <clprim/fft/built_plan.hpp>
#include <clprim/runtime/memory.hpp>
#include <clprim/runtime/operation.hpp>
#include <clprim/runtime/plan_cache.hpp>

namespace clprim {
namespace detail {

/// Plans of transforms; elements are known by their descriptions only.
class fft_engine : public operation {
 public:
  fft_engine(const cl::CommandQueue& queue, fft_options options, bool is_double)
    : operation(queue, options.completion, options.math),
      options_(std::move(options)),
      is_double_(is_double) {
    if (is_double_ && !device().fp64) {
      throw device_error("transforms of double need double precision (cl_khr_fp64), which " +
                         device().name + " lacks");
    }
    if (options_.policy) require_rules(*options_.policy);
    check_function(options_.load, "the load function", {"value", "index"});
    check_function(options_.store, "the store function", {"value", "index"});
    check_scale("forward_scale", options_.forward_scale);
    check_scale("inverse_scale", options_.inverse_scale);
  }

  const fft_options& options() const { return options_; }

  /// Builds what run(p) needs and makes room for it.
  void prepare(const fft_problem& p) {
    check(p, {});
    if (!p.empty()) memory_of(p, command_chain(*this, {}));
  }

  /// Bytes of workspace that a problem takes.
  std::size_t workspace_bytes(const fft_problem& p) {
    return p.empty() ? 0 : bytes_of(elements_of(plans_of(p)));
  }

  /// The passes of a problem; of its first part, where it runs in parts.
  std::vector<fft_scheduled_pass> schedule(const fft_problem& p) const {
    std::vector<fft_scheduled_pass> all;
    if (p.empty()) return all;
    fft_plan plan = plan_fft(part_of(p, 0), options_, device(), is_double_);
    for (const fft_step& step : plan.steps) {
      const launch range = step_launch(step, fft_source(step, device(), plan.tables));
      all.push_back({step.pass.length, step.pass.method, step.policy, range});
      if (const auto& second = step.second)
        all.push_back({second->pass.length, second->pass.method, second->policy, range});
    }
    return all;
  }

  std::string source(const fft_problem& p) const {
    std::string text;
    if (p.empty()) return text;
    fft_plan plan = plan_fft(part_of(p, 0), options_, device(), is_double_);
    for (const fft_step& step : plan.steps)
      text += fft_source(step, device(), plan.tables).source + "\n";
    return text;
  }

  std::string explain(const fft_problem& p) {
    check(p, {});
    if (p.empty())
      return explain_head("Fourier transform: nothing to do, there is no element", 0, plans_.size(),
                          plans_.bytes());
    const fft_plans all = plans_of(p);
    return explain_head(title_of(p), bytes_of(elements_of(all)), plans_.size(), plans_.bytes()) +
           explain_fft(p, *all.front(), device(), on().device);
  }

  /// Enqueues a checked problem.
  cl::Event run(const fft_problem& p, wait_list waits, argument_list arguments) {
    check_both(arguments);
    check(p, arguments);
    command_chain commands(*this, waits);
    if (p.empty()) return commands.end();
    const call_memory held = memory_of(p, commands);
    const std::int64_t all = p.out.extents.front(), size = part_size(p);
    for (std::int64_t first = 0; first < all; first += size) {
      const bool last = first + size >= all;
      const fft_problem part = part_of(p, first);
      fft_built_plan& plan = last ? *held.plans.back() : *held.plans.front();
      for (fft_built_step& s : plan.steps) {
        set_step(s, plan, part, held, arguments);
        if (last && &s == &plan.steps.back()) return commands.run_last(s.handle(), s.range);
        commands.run(s.handle(), s.range);
      }
    }
    return commands.end();
  }

 private:
  using fft_plans = std::vector<std::shared_ptr<fft_built_plan>>;
  /// Plans of the first and of the last part, and what all parts share.
  struct call_memory {
    fft_plans plans;
    cl_mem work = nullptr;
    cl_mem signals = nullptr;
  };

  template <class Chain> call_memory memory_of(const fft_problem& p, Chain&& commands) {
    call_memory held{.plans = plans_of(p)};
    std::size_t words = 0;
    for (const auto& plan : held.plans) words = std::max(words, plan->signals());
    held.work = commands.workspace(bytes_of(elements_of(held.plans)));
    if (words > 0) held.signals = commands.counters(words);
    return held;
  }
  /// Of the first part, and of the last one where it is smaller.
  fft_plans plans_of(const fft_problem& p) {
    const auto plan_of = [this](const fft_problem& part) {
      return plans_.find_or_make(
          [&](const fft_built_plan& plan) { return same_kind(plan.problem, part); },
          [&] {
            return built_plan(part, plan_fft(part, options_, device(), is_double_), on(),
                              is_double_, math());
          });
    };
    const std::int64_t all = p.out.extents.front(), rest = all % part_size(p);
    fft_plans plans{plan_of(part_of(p, 0))};
    if (rest != 0) plans.push_back(plan_of(part_of(p, all - rest)));
    return plans;
  }
  static std::int64_t elements_of(const fft_plans& plans) {
    std::int64_t most = 0;
    for (const auto& plan : plans) most = std::max(most, plan->work_elements);
    return most;
  }

  /// Transforms of the slowest axis that run through all passes before the next do, so that what
  /// lies between the passes stays in a CPU's caches; all of them where there is one pass, and
  /// where user functions see `index`.
  std::int64_t part_size(const fft_problem& p) const {
    const std::int64_t all = p.out.extents.front();
    if (p.out.extents.size() <= static_cast<std::size_t>(p.axes) || !options_.load.empty() ||
        !options_.store.empty())
      return all;
    const fft_policy policy =
        options_.policy ? *options_.policy : tuned_fft(device(), p.lengths.back(), is_double_);
    if (policy.chunk_kib == 0 || (p.axes == 1 && p.lengths[0] <= policy.one_pass)) return all;
    const double bytes = p.points() * static_cast<double>(p.batch()) / static_cast<double>(all) *
                         (is_double_ ? 16 : 8);
    return std::clamp(static_cast<std::int64_t>(policy.chunk_kib * 1024.0 / bytes), std::int64_t{1},
                      all);
  }
  /// The part that begins at transform `first` of the slowest axis.
  fft_problem part_of(fft_problem p, std::int64_t first) const {
    const std::int64_t size = std::min(part_size(p), p.out.extents.front() - first);
    if (size == p.out.extents.front()) return p;
    p.in.extents.front() = p.out.extents.front() = size;
    p.in.offset += first * p.in.strides.front();
    p.out.offset += first * p.out.strides.front();
    return p;
  }

  void set_step(const fft_built_step& s, const fft_built_plan& plan, const fft_problem& p,
                const call_memory& held, argument_list arguments) const {
    const auto memory = [&](fft_buffer b) {
      return b == fft_buffer::input    ? p.in.memory
             : b == fft_buffer::output ? p.out.memory
                                       : held.work;
    };
    const auto offset = [&](fft_buffer b, std::int64_t more) {
      return static_cast<cl_long>(more + (b == fft_buffer::input    ? p.in.offset
                                          : b == fft_buffer::output ? p.out.offset
                                                                    : 0));
    };
    const cl_kernel kernel = s.handle();
    const fft_pass& last = s.step.second ? s.step.second->pass : s.step.pass;
    const auto extent = static_cast<cl_long>(last.outer.back().extent);
    const cl_mem from = memory(s.step.from), to = memory(s.step.to);
    const cl_long from_offset = offset(s.step.from, s.step.from_offset),
                  to_offset = offset(s.step.to, s.step.to_offset);
    cl_uint next = 7;
    if (const auto& second = s.step.second) {
      set_args(kernel, from, from_offset, to, to_offset, memory(second->to),
               offset(second->to, second->to_offset), plan.factors, plan.places, extent,
               held.signals);
      next = 10;
    } else {
      set_args(kernel, from, from_offset, to, to_offset, plan.factors, plan.places, extent);
    }
    const std::size_t loads = options_.load.parameters.size();
    if (!s.step.pass.load.parameters.empty()) {
      set_arguments(kernel, next, arguments.first(loads));
      next += static_cast<cl_uint>(loads);
    }
    if (!last.store.parameters.empty()) set_arguments(kernel, next, arguments.subspan(loads));
  }

  std::size_t bytes_of(std::int64_t elements) const {
    return static_cast<std::size_t>(elements) * (is_double_ ? 16 : 8);
  }

  void check(const fft_problem& p, argument_list arguments) const {
    check_operands(p.operands(), arguments);
    const auto check_base = [](const fft_operand& o, const char* name) {
      const int least = o.type.is_half ? 2 : o.type.bytes;
      if (o.bytes.empty() || base_alignment(o.memory) >= least) return;
      throw argument_error(
          name, "must begin where its elements may",
          "memory of the host aligned to " + std::to_string(base_alignment(o.memory)) + " bytes",
          "at least " + std::to_string(least));
    };
    check_base(p.in, "the input");
    check_base(p.out, "the output");
  }
  void check_scale(const char* name, double scale) const {
    const double most = is_double_ ? std::numeric_limits<double>::max()
                                   : static_cast<double>(std::numeric_limits<float>::max());
    if (std::abs(scale) <= most) return;
    throw argument_error(name, "must be a number of the arithmetic", general_text(scale, 6),
                         "at most " + general_text(most, 6));
  }
  void check_both(std::span<const argument> given) const {
    const std::size_t loads = options_.load.parameters.size();
    if (given.size() < loads || given.size() - loads != options_.store.parameters.size()) {
      throw argument_error(
          "arguments of the user functions", "must be as many as the parameters of load and store",
          std::to_string(given.size()), std::to_string(loads + options_.store.parameters.size()));
    }
    check_arguments(options_.load, given.first(loads));
    check_arguments(options_.store, given.subspan(loads));
  }

  fft_options options_;
  bool is_double_;
  plan_cache<fft_built_plan> plans_;
};

}  // namespace detail
}  // namespace clprim
