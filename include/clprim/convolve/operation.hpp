#pragma once
// The operation object of convolutions: problems scheduled, plans and coefficients kept, kernels
// enqueued.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <clprim/convolve/engine.hpp>
#include <clprim/convolve/explain.hpp>
#include <clprim/convolve/plan.hpp>
#include <clprim/convolve/problem_size.hpp>
#include <clprim/convolve/taps.hpp>
#include <clprim/convolve/transform.hpp>
#include <clprim/runtime/operation.hpp>
#include <clprim/runtime/plan_cache.hpp>

namespace clprim::detail {

/// Plans and memory of convolutions; types are known by their descriptions only.
class convolve_operation : public operation {
 public:
  convolve_operation(const cl::CommandQueue& queue, convolve_options options,
                     const convolve_types& types, std::vector<std::byte> border)
    : operation(queue, options.completion, options.math),
      options_(std::move(options)),
      types_(types),
      border_(std::move(border)) {
    check_function(options_.map, "the map", {"value", "x", "y", "z", "channel", "batch"});
    if ((types_.in.needs_fp64 || types_.out.needs_fp64 || types_.sum.needs_fp64) &&
        !device().fp64) {
      throw device_error(
          "this convolution needs double precision (cl_khr_fp64) for its pixels or its sums, "
          "which " +
          device().name + " lacks");
    }
    if (options_.policy) check_policy(*options_.policy);
  }

  const convolve_options& options() const { return options_; }

  convolve_schedule schedule(const convolve_problem& p, const convolve_taps& taps) const {
    require_queue();
    const bool in_buffer = taps.memory != nullptr;
    return by_policy(
        options_.policy, [&] { return title_of(p); },
        [&](const std::optional<convolve_policy>& own) {
          if (!own) return schedule(p, tuned_convolve(device(), size_of(p, in_buffer)));
          check_policy(*own);
          check_place(*own, in_buffer);
          return schedule(p, *own);
        });
  }
  std::string source(const convolve_problem& p, const convolve_taps& taps) const {
    std::string text;
    for (const convolve_pass& pass : schedule(p, taps).passes)
      text += convolve_source(pass.policy, pass.variant, options_.map, literals_of(pass, taps));
    return text;
  }

  std::string explain(const convolve_problem& p, const convolve_taps& taps) {
    if (p.empty()) return "convolution: nothing to do, there is no output\n";
    const convolve_schedule s = schedule(p, taps);
    const convolve_pass& front = s.passes.front();
    const bool by_transforms = front.policy.method == convolve_method::fft;
    std::string passes;
    int number = 0;
    for (const convolve_pass& pass : s.passes) {
      if (by_transforms) continue;
      if (s.passes.size() > 1) passes += "  pass       " + std::to_string(++number) + "\n";
      const std::shared_ptr<convolve_plan> plan = plan_of(pass, taps);
      passes += explain_pass(pass, *plan, device(),
                             resources_of(*plan->program, plan->kernel, "convolve", on().device));
    }
    if (by_transforms) {
      with_transforms(front, [&](const auto& plan) {
        passes = explain_tiles(front, plan->source_bytes(), plan->workspace_bytes()) +
                 plan->explain_launches(front, on().device, device());
      });
    }
    return explain_head(
               title_of(p), static_cast<std::size_t>(s.workspace_bytes),
               plans_.size() + single_.size() + twice_.size(),
               static_cast<std::int64_t>(kept_.size()) + single_.bytes() + twice_.bytes()) +
           explain_cost(cost_of(device(), size_of(p, taps.memory != nullptr))) + passes;
  }

  /// Builds what a call needs, reserves its workspace, and transforms coefficients of the host
  /// where the call would.
  void prepare(const convolve_problem& p, const convolve_taps& taps) {
    require_queue();
    if (p.empty()) return;
    const convolve_schedule& s = scheduled(p, taps);
    command_chain(*this, {}).workspace(static_cast<std::size_t>(s.workspace_bytes));
    const convolve_pass& front = s.passes.front();
    if (front.policy.method == convolve_method::fft) {
      with_transforms(front, [&](const auto& plan) { transform_filter(*plan, taps, {}); });
      return;
    }
    for (const convolve_pass& pass : s.passes) plan_of(pass, taps);
  }

  /// Enqueues a checked problem.
  cl::Event run(const checked_images& c, const convolve_taps& taps, wait_list waits,
                argument_list arguments) {
    const convolve_problem& p = c.problem;
    check_arguments(options_.map, arguments);
    check_operands(c.operands, arguments);
    command_chain commands(*this, waits);
    if (p.empty()) return commands.end();
    const convolve_schedule& s = scheduled(p, taps);
    const convolve_pass& front = s.passes.front();
    const auto bytes = static_cast<std::size_t>(s.workspace_bytes);
    if (front.policy.method == convolve_method::fft) {
      cl::Event done;
      with_transforms(front, [&](const auto& plan) {
        const cl_mem tiles = commands.workspace(bytes);
        transform_filter(*plan, taps, waits);
        done = plan->run({front, tiles, border_, arguments}, commands);
      });
      return done;
    }
    std::array<std::shared_ptr<convolve_plan>, 3> plans;
    std::array<launch, 3> launches;
    const std::size_t count = s.passes.size();
    cl_mem coefficients = taps.memory;
    for (std::size_t i = 0; i < count; ++i) {
      const filter_place where = s.passes[i].policy.filter;
      plans[i] = plan_of(s.passes[i], taps);
      launches[i] = launch_of(s.passes[i]);
      if (coefficients == nullptr && where != filter_place::value &&
          where != filter_place::literals)
        coefficients = kept_taps(taps.host);
    }
    const cl_mem between = commands.workspace(bytes);
    for (std::size_t i = 0; i + 1 < count; ++i) {
      set_operands(s.passes[i], *plans[i], taps, coefficients, between, {});
      commands.run(plans[i]->kernel(), launches[i]);
    }
    set_operands(s.passes[count - 1], *plans[count - 1], taps, coefficients, between, arguments);
    return commands.run_last(plans[count - 1]->kernel(), launches[count - 1]);
  }

 private:
  template <class T> using transforms = plan_cache<transform_plan<T>>;

  convolve_size size_of(const convolve_problem& p, bool in_buffer) const {
    return clprim::size_of(p, types_, options_, in_buffer);
  }
  void check_policy(const convolve_policy& policy) const {
    require_rules(policy);
    rule(policy.items_x * policy.items_y <= device().max_work_group,
         "the policy's work-group must fit the device's limit of work-items",
         policy.items_x * policy.items_y, device().max_work_group);
  }
  static void check_place(const convolve_policy& policy, bool in_buffer) {
    if (!in_buffer ||
        (policy.filter != filter_place::value && policy.filter != filter_place::literals))
      return;
    throw policy_error(
        "filter value and filter literals are for coefficients on the host, and these are in "
        "a buffer: constant or buffer");
  }
  convolve_schedule schedule(const convolve_problem& p, const convolve_policy& policy) const {
    if (policy.method == convolve_method::fft && p.separable)
      throw policy_error("method fft is for filters that are not separable");
    convolve_schedule s = schedule_of(p, policy, types_, options_.rounding);
    const convolve_variant& first = s.passes.front().variant;
    if (first.in_object && options_.border_value != 0 &&
        sampled_border(first).mode == border_mode::constant) {
      throw argument_error("border value", "must be a sampler's where an image object is the input",
                           general_text(options_.border_value, 9), "0");
    }
    if (policy.method == convolve_method::fft) s.workspace_bytes = bytes_of_tiles(s.passes.front());
    return s;
  }
  /// What a problem is, in a line.
  std::string title_of(const convolve_problem& p) const {
    const auto& [x, y, z] = p.axes;
    const auto& out = p.out.extent;
    return "convolution by " + std::to_string(z.taps) + " x " + std::to_string(y.taps) + " x " +
           std::to_string(x.taps) + " taps" + (p.separable ? ", separable" : "") + ": " +
           std::to_string(p.batch) + " outputs of " + std::to_string(out[2]) + " x " +
           std::to_string(out[1]) + " x " + std::to_string(out[0]) + " pixels of " +
           std::to_string(p.channels) + " channels, " + convolve_text::stored_name(types_.in) +
           " to " + convolve_text::stored_name(types_.out) + ", sums in " +
           std::string(types_.sum.name);
  }

  /// A problem like the last one is not scheduled again: that takes longer than a small image.
  const convolve_schedule& scheduled(const convolve_problem& p, const convolve_taps& taps) {
    const bool in_buffer = taps.memory != nullptr;
    if (!last_ || !(last_->problem == p) || last_->in_buffer != in_buffer)
      last_ = {p, in_buffer, schedule(p, taps)};
    return last_->schedule;
  }

  /// Calls `use` with the plan of a pass by transforms, in the sums' type.
  template <class Use> void with_transforms(const convolve_pass& pass, const Use& use) {
    const auto among = [&]<class T>(transforms<T>& plans) {
      const auto plan =
          plans.find_or_make([&](const transform_plan<T>& known) { return known.serves(pass); },
                             [&] {
                               check_device_rules(pass.policy, pass.variant, device());
                               return transform_plan<T>(pass, options_.map, queue(), on(),
                                                        command_chain::between(on()), math());
                             });
      use(plan);
    };
    if (types_.sum.name == "double")
      among(twice_);
    else
      among(single_);
  }
  /// Coefficients of the host are transformed when they are new, and wait for nothing: what becomes
  /// of the caller's events does not reach later calls.
  template <class T>
  void transform_filter(transform_plan<T>& plan, const convolve_taps& taps, wait_list waits) {
    const bool given = taps.memory != nullptr;
    if (!given && plan.knows(taps.host)) return;
    command_chain commands(*this, given ? waits : wait_list{});
    if (given)
      plan.transform_filter(taps.memory, taps.offset, {}, commands);
    else
      plan.transform_filter(kept_taps(taps.host), 0, taps.host, commands);
  }

  std::string literals_of(const convolve_pass& pass, const convolve_taps& taps) const {
    if (pass.policy.filter != filter_place::literals) return {};
    return taps.literals(pass.tap_begin, pass.variant.taps());
  }

  /// Plans are told apart by the coefficients themselves: their text takes longer than a launch.
  std::shared_ptr<convolve_plan> plan_of(const convolve_pass& pass, const convolve_taps& taps) {
    const bool fixed = pass.policy.filter == filter_place::literals;
    const std::span<const std::byte> own = fixed ? taps.of(pass, types_.sum) : taps.host.first(0);
    return plans_.find_or_make(
        [&](const convolve_plan& plan) {
          return plan.variant == pass.variant && plan.policy == pass.policy &&
                 std::ranges::equal(plan.fixed_taps, own);
        },
        [&] {
          check_device_rules(pass.policy, pass.variant, device());
          convolve_plan made =
              build_convolve_plan(pass.policy, pass.variant, options_.map, literals_of(pass, taps),
                                  on().context, on().device, math());
          made.fixed_taps.assign(own.begin(), own.end());
          return made;
        });
  }

  /// The coefficients in a buffer of this object, made anew when they change: kernels in flight
  /// keep the one that they were enqueued with.
  cl_mem kept_taps(std::span<const std::byte> host) {
    const bool same = kept_buffer_() != nullptr && kept_.size() == host.size() &&
                      std::memcmp(kept_.data(), host.data(), host.size()) == 0;
    if (!same) {
      std::vector<std::byte> copy(host.begin(), host.end());
      cl_int code = CL_SUCCESS;
      cl::Buffer made(clCreateBuffer(context()(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                     copy.size(), copy.data(), &code),
                      false);
      check(code, "clCreateBuffer of the coefficients");
      kept_ = std::move(copy);
      kept_buffer_ = std::move(made);
    }
    return kept_buffer_();
  }

  void set_operands(const convolve_pass& pass, const convolve_plan& plan, const convolve_taps& taps,
                    cl_mem coefficients, cl_mem between, argument_list arguments) const {
    const cl_kernel kernel = plan.kernel();
    cl_uint next = set_images(kernel, pass, between, border_);
    if (pass.policy.method == convolve_method::direct) {
      const convolve_interior i = interior_of(pass);
      for (const std::int64_t n : {i.e_begin, i.e_end, i.y_begin, i.y_end, i.edge_rows})
        set_arg(kernel, next++, static_cast<cl_int>(n));
    }
    if (pass.policy.filter == filter_place::value) {
      const auto mine = taps.of(pass, types_.sum);
      check(clSetKernelArg(kernel, next++, mine.size(), mine.data()),
            "clSetKernelArg of the coefficients");
    } else if (pass.policy.filter != filter_place::literals) {
      const std::int64_t begin = (taps.memory != nullptr ? taps.offset : 0) + pass.tap_begin;
      set_arg(kernel, next++, coefficients);
      set_arg(kernel, next++, static_cast<cl_int>(begin));
    }
    set_arguments(kernel, next, arguments);
  }

  convolve_options options_;
  convolve_types types_;
  std::vector<std::byte> border_;
  std::optional<known_schedule> last_;
  plan_cache<convolve_plan> plans_;
  transforms<float> single_;
  transforms<double> twice_;
  std::vector<std::byte> kept_;  // what kept_buffer_ holds
  cl::Buffer kept_buffer_;
};

CLPRIM_INLINE convolve_engine::convolve_engine(const cl::CommandQueue& queue,
                                               convolve_options options,
                                               const convolve_types& types,
                                               std::vector<std::byte> border)
  : engine(std::make_shared<convolve_operation>(queue, std::move(options), types,
                                                std::move(border))) {}
CLPRIM_INLINE const convolve_options& convolve_engine::options() const {
  return as<convolve_operation>().options();
}
CLPRIM_INLINE convolve_schedule convolve_engine::schedule(const convolve_problem& p,
                                                          const convolve_taps& taps) const {
  return as<convolve_operation>().schedule(p, taps);
}
CLPRIM_INLINE std::string convolve_engine::source(const convolve_problem& p,
                                                  const convolve_taps& taps) const {
  return as<convolve_operation>().source(p, taps);
}
CLPRIM_INLINE std::string convolve_engine::explain(const convolve_problem& p,
                                                   const convolve_taps& taps) {
  return as<convolve_operation>().explain(p, taps);
}
CLPRIM_INLINE void convolve_engine::prepare(const convolve_problem& p, const convolve_taps& taps) {
  as<convolve_operation>().prepare(p, taps);
}
CLPRIM_INLINE cl::Event convolve_engine::run(const checked_images& c, const convolve_taps& taps,
                                             wait_list waits, argument_list arguments) {
  return as<convolve_operation>().run(c, taps, waits, arguments);
}

}  // namespace clprim::detail
