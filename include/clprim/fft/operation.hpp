#pragma once
// The operation object's engine: plans made, built, kept and enqueued; and what they run, in a few
// lines for a person.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/emitter.hpp>
#include <clprim/core/number_text.hpp>
#include <clprim/fft/engine.hpp>
#include <clprim/fft/pass/items_kernel.hpp>
#include <clprim/fft/pass/lanes_kernel.hpp>
#include <clprim/fft/plan/plan.hpp>
#include <clprim/runtime/explain_kernel.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/memory.hpp>
#include <clprim/runtime/operation.hpp>
#include <clprim/runtime/plan_cache.hpp>
#include <clprim/runtime/program.hpp>
#include <clprim/runtime/queue.hpp>
#include <clprim/runtime/resources.hpp>

namespace clprim {

/// The source of a step's kernel `fft`; adds what it reads to `tables`. Needs no device.
/// Throws policy_error when a policy breaks a rule or does not fit the device.
inline fft_kernel fft_source(const fft_step& s, const device_facts& device, fft_tables& tables) {
  check_rules(s.policy);
  return s.second                             ? pair_source(s, *s.second, device, tables)
         : s.policy.shape == fft_shape::items ? items_source(s, device, tables)
                                              : lanes_source(s, device, tables);
}

namespace detail {

/// A pass ready to be enqueued.
struct fft_built_step {
  fft_step step;
  fft_kernel kernel;
  std::shared_ptr<const built_program> program;
  cl::Kernel handle;
  launch range;
};

/// A plan with its kernels and tables on the device.
struct fft_built_plan {
  fft_problem problem;
  std::vector<fft_built_step> steps{};
  std::size_t work_bytes = 0;
  std::size_t signals = 0;  ///< words by which groups of passes in one launch count each other
  cl::Buffer factors{}, places{};
  std::int64_t table_bytes = 0;
};

/// The launch of a step: one group per `blocks` blocks of `side_by_side` transforms.
inline launch step_launch(const fft_step& s, const fft_kernel& k) {
  const std::vector<fft_axis>& outer = s.pass.outer;
  const std::int64_t blocks = (outer[0].extent + k.side_by_side - 1) / k.side_by_side *
                              (s.pass.transforms() / outer[0].extent);
  std::int64_t groups = (blocks + k.blocks - 1) / k.blocks;
  if (s.second)
    groups =
        s.second->pass.outer.back().extent * (s.second->first_groups + s.second->second_groups);
  constexpr std::int64_t most = 2147483647;
  if (groups > most) {
    throw argument_error("the batch of transforms",
                         "must be a number of work-groups that 31 bits hold",
                         std::to_string(groups), "at most " + std::to_string(most));
  }
  const auto items = static_cast<std::size_t>(k.items);
  return {1, {static_cast<std::size_t>(groups) * items, 1, 1}, {items, 1, 1}};
}

/// Whether two problems differ in nothing but buffers and offsets.
inline bool same_kind(const fft_problem& a, const fft_problem& b) {
  const auto same = [](const fft_operand& x, const fft_operand& y) {
    return x.extents == y.extents && x.strides == y.strides && x.type == y.type &&
           x.split == y.split;
  };
  return same(a.in, b.in) && same(a.out, b.out) && a.lengths == b.lengths &&
         a.inverse == b.inverse && a.real == b.real && a.trigonometric == b.trigonometric &&
         a.in_place == b.in_place;
}

/// Values in a buffer that kernels read; one at least, for a buffer must have a byte.
template <class T> cl::Buffer buffer_of(std::vector<T> values, cl_context context) {
  cl_int code = CL_SUCCESS;
  if (values.empty()) values.resize(1);
  cl::Buffer buffer(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                   values.size() * sizeof(T), values.data(), &code),
                    false);
  check(code, "clCreateBuffer of the tables of a transform");
  return buffer;
}

/// Builds the kernels of a plan and uploads its tables.
inline fft_built_plan built_plan(const fft_problem& p, fft_plan plan, const queue_facts& on,
                                 bool is_double, math_mode math = math_mode::precise) {
  const int number_bytes = is_double ? 16 : 8;
  fft_built_plan all{.problem = p,
                     .work_bytes = static_cast<std::size_t>(plan.work_elements * number_bytes)};
  for (fft_step& step : plan.steps) {
    if (step.second) all.signals = std::max(all.signals, step.second->signals());
    fft_kernel kernel = fft_source(step, on.facts, plan.tables);
    auto program = build(on.context, on.device, kernel.source, kernel.options, math);
    cl::Kernel handle = make_kernel(*program, "fft");
    const launch range = step_launch(step, kernel);
    all.steps.push_back(
        {std::move(step), std::move(kernel), std::move(program), std::move(handle), range});
  }
  const fft_tables& tables = plan.tables;
  all.factors = is_double ? buffer_of(tables.stored<double>(), on.context())
                          : buffer_of(tables.stored<float>(), on.context());
  all.places = buffer_of(tables.places, on.context());
  all.table_bytes = static_cast<std::int64_t>(tables.factors.size()) * number_bytes +
                    static_cast<std::int64_t>(tables.places.size()) * 4;
  return all;
}

/// What a problem is, for a person.
inline std::string title_of(const fft_problem& p) {
  std::string lengths;
  for (const std::int64_t n : p.lengths) emitter::append(lengths, lengths.empty() ? "" : " x ", n);
  return emitter::cat(p.inverse ? "inverse" : "forward", " Fourier transform, ", p.in.type.told(),
                      " to ", p.out.type.told(), ", ", lengths, " points, ", p.batch(), " of them",
                      p.in_place ? ", in place" : "");
}

/// The text of `fft::explain` behind its head: for each pass method, stages, policy and launch.
inline std::string explain_fft(const fft_problem& p, const fft_built_plan& plan,
                               const device_facts& device, const cl::Device& on) {
  using namespace emitter;
  std::string text =
      cat("  passes     ", plan.steps.size(), ", ", plan.table_bytes, " bytes of tables\n");
  const auto told = [](const std::vector<int>& radices, const fft_policy& policy) {
    std::string all = ", stages";
    for (const int r : radices) append(all, " ", r);
    return cat(all, "\n  policy     ", to_string(policy), "\n");
  };
  int count = 0;
  for (const fft_built_step& s : plan.steps) {
    const fft_pass& pass = s.step.pass;
    const fft_kernel& kernel = s.kernel;
    append(text, "  pass ", ++count, "     ", pass.length, " points, ",
           pass.method == fft_method::direct  ? "direct"
           : pass.method == fft_method::rader ? "Rader's convolution of "
                                              : "Bluestein's convolution of ",
           pass.method == fft_method::direct ? "" : std::to_string(pass.inner),
           pass.two_rows() ? ", two real rows in one" : "", told(kernel.radices, s.step.policy));
    if (const auto& second = s.step.second)
      append(text, "  followed by ", second->pass.length, " points, ", kernel.then_side_by_side,
             " transforms side by side, in the same launch, ", second->lag, " of ",
             second->pass.outer.back().extent, " behind",
             told(kernel.then_radices, second->policy));
    append(text, "  source     ", kernel.source.size(), " bytes of OpenCL C\n",
           explain_kernel(device, s.range, cat(kernel.side_by_side, " transforms side by side"),
                          resources_of(*s.program, s.handle, "fft", on), kernel.local_bytes,
                          kernel.items > 1));
  }
  const double elements_in = p.points() * static_cast<double>(p.batch());
  const double bytes = elements_in * (p.in.type.bytes + p.out.type.bytes);
  return text + "  work       at least " + fixed_text(bytes / 1e6, 3) + " MB read and written\n";
}

/// Plans of transforms; elements are known by their descriptions only.
class fft_operation : public operation {
 public:
  fft_operation(const cl::CommandQueue& queue, fft_options options, bool is_double)
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
    return p.empty() ? 0 : plan_of(p)->work_bytes;
  }

  /// The passes of a problem.
  std::vector<fft_scheduled_pass> schedule(const fft_problem& p) const {
    std::vector<fft_scheduled_pass> all;
    for (const auto& [step, kernel] : kernels_of(p)) {
      const launch range = step_launch(step, kernel);
      all.push_back({step.pass.length, step.pass.method, step.policy, range});
      if (const auto& second = step.second)
        all.push_back({second->pass.length, second->pass.method, second->policy, range});
    }
    return all;
  }

  /// The digits of a spectrum in their order.
  std::vector<std::int64_t> digits(const fft_problem& p) const {
    const auto told = planned(p).digits;
    return told.empty() ? std::vector<std::int64_t>{p.lengths.back()} : told;
  }

  std::string source(const fft_problem& p) const {
    std::string text;
    for (const auto& [step, kernel] : kernels_of(p)) text += kernel.source + "\n";
    return text;
  }

  std::string explain(const fft_problem& p) {
    check(p, {});
    if (p.empty())
      return explain_head("Fourier transform: nothing to do, there is no element", 0, plans_.size(),
                          plans_.bytes());
    const auto plan = plan_of(p);
    return explain_head(title_of(p), plan->work_bytes, plans_.size(), plans_.bytes()) +
           explain_fft(p, *plan, device(), on().device);
  }

  /// Enqueues a checked problem.
  cl::Event run(const fft_problem& p, wait_list waits, argument_list arguments) {
    check_both(arguments);
    check(p, arguments);
    command_chain commands(*this, waits);
    if (p.empty()) return commands.end();
    const call_memory held = memory_of(p, commands);
    for (const fft_built_step& s : held.plan->steps) {
      set_step(s, p, held, arguments);
      if (&s == &held.plan->steps.back()) return commands.run_last(s.handle(), s.range);
      commands.run(s.handle(), s.range);
    }
    return commands.end();
  }

 private:
  struct call_memory {
    std::shared_ptr<fft_built_plan> plan;
    cl_mem work = nullptr;
    cl_mem signals = nullptr;
  };

  template <class Chain> call_memory memory_of(const fft_problem& p, Chain&& commands) {
    call_memory held{.plan = plan_of(p)};
    held.work = commands.workspace(held.plan->work_bytes);
    if (held.plan->signals > 0) held.signals = commands.counters(held.plan->signals);
    return held;
  }
  std::shared_ptr<fft_built_plan> plan_of(const fft_problem& p) {
    return plans_.find_or_make(
        [&](const fft_built_plan& plan) { return same_kind(plan.problem, p); },
        [&] { return built_plan(p, planned(p), on(), is_double_, math()); });
  }
  fft_plan planned(const fft_problem& p) const {
    return by_policy(
        options_.policy, [&] { return title_of(p); },
        [&](const std::optional<fft_policy>& own) {
          fft_options with = options_;
          with.policy = own;
          return plan_fft(p, with, device(), is_double_);
        });
  }
  /// The steps and their kernels, which are not built.
  std::vector<std::pair<fft_step, fft_kernel>> kernels_of(const fft_problem& p) const {
    std::vector<std::pair<fft_step, fft_kernel>> all;
    fft_plan plan = p.empty() ? fft_plan{} : planned(p);
    for (const fft_step& step : plan.steps)
      all.emplace_back(step, fft_source(step, device(), plan.tables));
    return all;
  }

  void set_step(const fft_built_step& s, const fft_problem& p, const call_memory& held,
                argument_list arguments) const {
    const fft_built_plan& plan = *held.plan;
    const cl_kernel kernel = s.handle();
    cl_uint next = 0;
    const auto set_memory = [&](const fft_memory& at) {
      const bool in = at.buffer == fft_buffer::input, out = at.buffer == fft_buffer::output;
      set_arg(kernel, next++, in ? p.in.memory : out ? p.out.memory : held.work);
      set_arg(kernel, next++,
              static_cast<cl_long>(at.offset + (in    ? p.in.offset
                                                : out ? p.out.offset
                                                      : 0)));
    };
    const fft_pass& last = s.step.second ? s.step.second->pass : s.step.pass;
    set_memory(s.step.from);
    set_memory(s.step.to);
    if (s.step.second) set_memory(s.step.second->to);
    set_arg(kernel, next++, plan.factors);
    set_arg(kernel, next++, plan.places);
    set_arg(kernel, next++, static_cast<cl_long>(last.outer.back().extent));
    if (s.step.second) set_arg(kernel, next++, held.signals);
    const auto set_more = [&](const fft_side& side, const fft_operand& o, argument_list given) {
      if (side.split) {
        set_arg(kernel, next++, o.imaginary);
        set_arg(kernel, next++, static_cast<cl_long>(o.imaginary_offset - o.offset));
      }
      if (side.user.parameters.empty()) return;
      set_arguments(kernel, next, given);
      next += static_cast<cl_uint>(given.size());
    };
    const std::size_t loads = options_.load.parameters.size();
    set_more(s.step.pass.read, p.in, arguments.first(loads));
    set_more(last.write, p.out, arguments.subspan(loads));
  }

  void check(const fft_problem& p, argument_list arguments) const {
    check_operands(p.operands(), arguments);
    const auto check_base = [](const fft_operand& o, const char* name) {
      const int least = o.type.is_half ? 2 : o.split ? o.type.bytes / 2 : o.type.bytes;
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

CLPRIM_INLINE fft_engine::fft_engine(const cl::CommandQueue& queue, fft_options options,
                                     bool is_double)
  : engine(std::make_shared<fft_operation>(queue, std::move(options), is_double)) {}
CLPRIM_INLINE const fft_options& fft_engine::options() const {
  return as<fft_operation>().options();
}
CLPRIM_INLINE void fft_engine::prepare(const fft_problem& p) { as<fft_operation>().prepare(p); }
CLPRIM_INLINE std::size_t fft_engine::workspace_bytes(const fft_problem& p) {
  return as<fft_operation>().workspace_bytes(p);
}
CLPRIM_INLINE std::vector<fft_scheduled_pass> fft_engine::schedule(const fft_problem& p) const {
  return as<fft_operation>().schedule(p);
}
CLPRIM_INLINE std::vector<std::int64_t> fft_engine::digits(const fft_problem& p) const {
  return as<fft_operation>().digits(p);
}
CLPRIM_INLINE std::string fft_engine::source(const fft_problem& p) const {
  return as<fft_operation>().source(p);
}
CLPRIM_INLINE std::string fft_engine::explain(const fft_problem& p) {
  return as<fft_operation>().explain(p);
}
CLPRIM_INLINE cl::Event fft_engine::run(const fft_problem& p, wait_list waits,
                                        argument_list arguments) {
  return as<fft_operation>().run(p, waits, arguments);
}

}  // namespace detail
}  // namespace clprim
