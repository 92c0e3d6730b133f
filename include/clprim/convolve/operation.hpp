#pragma once
// The operation object of convolutions: problems scheduled, plans and coefficients kept, kernels
// enqueued.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <clprim/convolve/explain.hpp>
#include <clprim/convolve/plan.hpp>
#include <clprim/convolve/problem_size.hpp>
#include <clprim/convolve/taps.hpp>
#include <clprim/convolve/transform.hpp>
#include <clprim/runtime/argument.hpp>
#include <clprim/runtime/move_only.hpp>
#include <clprim/runtime/queue.hpp>
#include <clprim/runtime/workspace.hpp>

namespace clprim::detail {

/// Queue, device, plans and memory of convolutions; types are known by their descriptions only.
class convolve_engine : move_only {
 public:
  convolve_engine(const cl::CommandQueue& queue, convolve_options options,
                  const convolve_types& types, std::vector<std::byte> border)
    : queue_(queue),
      on_(facts_of(queue)),
      options_(std::move(options)),
      types_(types),
      border_(std::move(border)) {
    require_order(options_.completion, on_.out_of_order);
    if ((types_.in.needs_fp64 || types_.out.needs_fp64 || types_.sum.needs_fp64) &&
        !on_.facts.fp64) {
      throw device_error(
          "this convolution needs double precision (cl_khr_fp64) for its pixels or its sums, "
          "which " +
          on_.facts.name + " lacks");
    }
    if (!options_.policy) return;
    check_rules(*options_.policy);
    rule(options_.policy->items_x * options_.policy->items_y <= on_.facts.max_work_group,
         "the policy's work-group must fit the device's limit of work-items",
         options_.policy->items_x * options_.policy->items_y, on_.facts.max_work_group);
  }

  const device_facts& device() const { return on_.facts; }
  const convolve_options& options() const { return options_; }
  workspace& memory() { return workspace_; }

  convolve_policy policy(const convolve_problem& p, bool in_buffer) const {
    if (options_.policy) {
      const filter_place where = options_.policy->filter;
      if (in_buffer && (where == filter_place::value || where == filter_place::literals)) {
        throw policy_error(
            "filter value and filter literals are for coefficients on the host, and these are in "
            "a buffer: constant or buffer");
      }
      return *options_.policy;
    }
    return tuned_convolve(on_.facts, size_of(p, in_buffer));
  }
  convolve_schedule schedule(const convolve_problem& p, bool in_buffer) const {
    const convolve_policy chosen = policy(p, in_buffer);
    if (chosen.method == convolve_method::fft && p.separable)
      throw policy_error("method fft is for filters that are not separable");
    convolve_schedule s = schedule_of(p, chosen, types_, options_.rounding);
    const convolve_variant& first = s.passes.front().variant;
    if (first.in_object && options_.border_value != 0 &&
        sampled_border(first).mode == border_mode::constant) {
      throw argument_error("border value", "must be a sampler's where an image object is the input",
                           general_text(options_.border_value, 9), "0");
    }
    if (chosen.method == convolve_method::fft) s.workspace_bytes = bytes_of_tiles(s.passes.front());
    return s;
  }
  std::string source(const convolve_problem& p, const convolve_taps& taps) const {
    std::string text;
    for (const convolve_pass& pass : schedule(p, taps.memory != nullptr).passes)
      text += convolve_source(pass.policy, pass.variant, options_.map, literals_of(pass, taps));
    return text;
  }

  std::string explain(const convolve_problem& p, const convolve_taps& taps) {
    if (p.empty()) return "convolution: nothing to do, there is no output\n";
    const convolve_schedule s = schedule(p, taps.memory != nullptr);
    const auto& [x, y, z] = p.axes;
    const auto& out = p.out.extent;
    std::string text = "convolution by " + std::to_string(z.taps) + " x " + std::to_string(y.taps) +
                       " x " + std::to_string(x.taps) + " taps" +
                       (p.separable ? ", separable" : "") + ": " + std::to_string(p.batch) +
                       " outputs of " + std::to_string(out[2]) + " x " + std::to_string(out[1]) +
                       " x " + std::to_string(out[0]) + " pixels of " + std::to_string(p.channels) +
                       " channels, " + convolve_text::stored_name(types_.in) + " to " +
                       convolve_text::stored_name(types_.out) + ", sums in " +
                       std::string(types_.sum.name) + "\n";
    text += "  device     " + describe(on_.facts) + "\n";
    text += "  memory     " + std::to_string(s.workspace_bytes) + " bytes between passes, " +
            std::to_string(workspace_.bytes()) + " held; coefficients " +
            std::to_string(kept_.size()) + " bytes\n";
    text += explain_cost(cost_of(on_.facts, size_of(p, taps.memory != nullptr)));
    if (s.passes.front().policy.method == convolve_method::fft) {
      const convolve_pass& pass = s.passes.front();
      const bool twice = types_.sum.name == "double";
      return text + explain_tiles(pass,
                                  twice ? prepare(twice_, pass).source_bytes()
                                        : prepare(single_, pass).source_bytes(),
                                  twice ? prepare(twice_, pass).workspace_bytes()
                                        : prepare(single_, pass).workspace_bytes());
    }
    int number = 0;
    for (const convolve_pass& pass : s.passes) {
      if (s.passes.size() > 1) text += "  pass       " + std::to_string(++number) + "\n";
      const convolve_plan& plan = prepare(pass, taps);
      text += explain_pass(pass, plan, on_.facts,
                           resources_of(*plan.program, plan.kernel, "convolve", on_.device));
    }
    return text;
  }

  /// Enqueues a checked problem.
  cl::Event run(const convolve_problem& p, const convolve_taps& taps,
                std::span<const cl::Event> waits, std::span<const argument> arguments) {
    check_arguments(options_.map, arguments);
    if (p.empty())
      return options_.completion == completion::none ? cl::Event{} : marker(queue_(), waits);
    const convolve_schedule& s = scheduled(p, taps.memory != nullptr);
    if (s.passes.front().policy.method == convolve_method::fft) {
      return types_.sum.name == "double" ? transform(twice_, s, taps, waits, arguments)
                                         : transform(single_, s, taps, waits, arguments);
    }
    std::vector<convolve_plan*> plans;
    std::vector<launch> launches;
    for (const convolve_pass& pass : s.passes) {
      plans.push_back(&prepare(pass, taps));
      launches.push_back(launch_of(pass));
    }
    require_room(s);
    std::vector<cl::Event> own;
    if (on_.out_of_order && s.workspace_bytes > 0) waits = own = workspace_.waits(waits);
    cl::Event done;
    for (std::size_t i = 0; i < s.passes.size(); ++i) {
      const bool last = i + 1 == s.passes.size();
      set_operands(s.passes[i], *plans[i], taps, last ? arguments : no_arguments());
      const completion wanted = last               ? options_.completion
                                : on_.out_of_order ? completion::event
                                                   : completion::none;
      done = enqueue(queue_(), plans[i]->kernel(), launches[i], waits, wanted);
      waits = done() == nullptr ? std::span<const cl::Event>{} : std::span(&done, 1);
    }
    if (on_.out_of_order && s.workspace_bytes > 0) workspace_.free_after(done);
    return done;
  }

 private:
  static std::span<const argument> no_arguments() { return {}; }
  template <class T> using transforms = std::deque<transform_plan<T>>;

  convolve_size size_of(const convolve_problem& p, bool in_buffer) const {
    return clprim::size_of(p, types_, options_, in_buffer);
  }

  /// A problem like the last one is not scheduled again: that takes longer than a small image.
  const convolve_schedule& scheduled(const convolve_problem& p, bool in_buffer) {
    if (!last_ || !(last_->problem == p) || last_->in_buffer != in_buffer)
      last_ = {p, in_buffer, schedule(p, in_buffer)};
    return last_->schedule;
  }

  template <class T> transform_plan<T>& prepare(transforms<T>& plans, const convolve_pass& pass) {
    for (transform_plan<T>& plan : plans)
      if (plan.serves(pass)) return plan;
    check_device_rules(pass.policy, pass.variant, on_.facts);
    return plans.emplace_back(pass, options_.map, queue_, on_);
  }
  template <class T>
  cl::Event transform(transforms<T>& plans, const convolve_schedule& s, const convolve_taps& taps,
                      std::span<const cl::Event> waits, std::span<const argument> arguments) {
    const convolve_pass& pass = s.passes.front();
    transform_plan<T>& plan = prepare(plans, pass);
    require_room(s);
    const std::vector<cl::Event> after = workspace_.waits(waits);
    const bool given = taps.memory != nullptr;
    cl::Event done = plan.run({.pass = pass,
                               .tiles = workspace_.memory(),
                               .taps = given ? taps.memory : kept_taps(taps.host),
                               .first_tap = given ? taps.offset : 0,
                               .host_taps = given ? std::span<const std::byte>{} : taps.host,
                               .border = border_,
                               .waits = after,
                               .arguments = arguments});
    workspace_.free_after(done);
    return done;
  }

  std::string literals_of(const convolve_pass& pass, const convolve_taps& taps) const {
    if (pass.policy.filter != filter_place::literals) return {};
    return taps.literals(pass.tap_begin, pass.variant.taps());
  }

  /// Plans are told apart by the coefficients themselves: their text takes longer than a launch.
  convolve_plan& prepare(const convolve_pass& pass, const convolve_taps& taps) {
    const bool fixed = pass.policy.filter == filter_place::literals;
    const std::span<const std::byte> own = fixed ? taps.of(pass, types_.sum) : taps.host.first(0);
    for (convolve_plan& plan : plans_) {
      if (plan.variant == pass.variant && plan.policy == pass.policy &&
          std::ranges::equal(plan.fixed_taps, own))
        return plan;
    }
    check_device_rules(pass.policy, pass.variant, on_.facts);
    convolve_plan made = build_convolve_plan(pass.policy, pass.variant, options_.map,
                                             literals_of(pass, taps), on_.context, on_.device);
    made.fixed_taps.assign(own.begin(), own.end());
    plans_.push_back(std::move(made));
    return plans_.back();
  }
  void require_room(const convolve_schedule& s) {
    if (s.workspace_bytes == 0) return;
    const auto wanted = static_cast<std::size_t>(s.workspace_bytes);
    if (workspace_.is_given() && workspace_.bytes() < wanted) {
      throw argument_error("workspace", "must hold what lies between the passes",
                           std::to_string(workspace_.bytes()) + " bytes",
                           "at least " + std::to_string(wanted) + " bytes");
    }
    workspace_.require(on_.context(), wanted);
  }

  /// The coefficients in a buffer of this object, made anew when they change: kernels in flight
  /// keep the one that they were enqueued with.
  cl_mem kept_taps(std::span<const std::byte> host) {
    const bool same = kept_buffer_() != nullptr && kept_.size() == host.size() &&
                      std::memcmp(kept_.data(), host.data(), host.size()) == 0;
    if (!same) {
      std::vector<std::byte> copy(host.begin(), host.end());
      cl_int code = CL_SUCCESS;
      cl::Buffer made(clCreateBuffer(on_.context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                     copy.size(), copy.data(), &code),
                      false);
      check(code, "clCreateBuffer of the coefficients");
      kept_ = std::move(copy);
      kept_buffer_ = std::move(made);
    }
    return kept_buffer_();
  }

  void set_image(cl_kernel kernel, cl_uint& next, const convolve_image& i) {
    set_arg(kernel, next++, i.memory == nullptr ? workspace_.memory() : i.memory);
    for (const std::int64_t distance : {i.offset, i.pitch, i.slice, i.stride})
      set_arg(kernel, next++, static_cast<cl_long>(distance));
    for (const std::int64_t extent : i.extent) set_arg(kernel, next++, static_cast<cl_int>(extent));
  }

  void set_operands(const convolve_pass& pass, const convolve_plan& plan, const convolve_taps& taps,
                    std::span<const argument> arguments) {
    const cl_kernel kernel = plan.kernel();
    cl_uint next = 0;
    set_image(kernel, next, pass.in);
    for (const int first : pass.first) set_arg(kernel, next++, static_cast<cl_int>(first));
    set_image(kernel, next, pass.out);
    check(clSetKernelArg(kernel, next++, border_.size(), border_.data()),
          "clSetKernelArg of the border's value");
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
      const bool given = taps.memory != nullptr;
      const std::int64_t begin = (given ? taps.offset : 0) + pass.tap_begin;
      set_arg(kernel, next++, given ? taps.memory : kept_taps(taps.host));
      set_arg(kernel, next++, static_cast<cl_int>(begin));
    }
    set_arguments(kernel, next, arguments);
  }

  cl::CommandQueue queue_;
  queue_facts on_;
  convolve_options options_;
  convolve_types types_;
  std::vector<std::byte> border_;
  std::optional<known_schedule> last_;
  std::deque<convolve_plan> plans_;
  transforms<float> single_;
  transforms<double> twice_;
  workspace workspace_;
  std::vector<std::byte> kept_;
  cl::Buffer kept_buffer_;
};

}  // namespace clprim::detail
