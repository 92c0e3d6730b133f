#pragma once
// The operation object's engine: plans kept, tables uploaded, passes enqueued.

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <clprim/fft/pipeline_source.hpp>
#include <clprim/fft/plan.hpp>
#include <clprim/fft/signals.hpp>
#include <clprim/runtime/argument.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/move_only.hpp>
#include <clprim/runtime/program.hpp>
#include <clprim/runtime/queue.hpp>
#include <clprim/runtime/workspace.hpp>

namespace clprim {
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
  std::vector<fft_built_step> steps;
  std::int64_t work_elements = 0;
  cl::Buffer factors, places;
  std::int64_t table_bytes = 0;
};

/// The range of a pass: one group per `blocks` blocks of `side_by_side` transforms.
inline launch fft_launch(const fft_pass& p, const fft_kernel& k) {
  std::int64_t blocks = (p.outer[0].extent + k.side_by_side - 1) / k.side_by_side;
  for (std::size_t a = 1; a < p.outer.size(); ++a) blocks *= p.outer[a].extent;
  const std::int64_t groups = (blocks + k.blocks - 1) / k.blocks;
  constexpr std::int64_t most = 2147483647;
  if (groups > most) {
    throw argument_error("the batch of transforms",
                         "must be a number of work-groups that 31 bits "
                         "hold",
                         std::to_string(groups), "at most " + std::to_string(most));
  }
  const auto items = static_cast<std::size_t>(k.items);
  return {1, {static_cast<std::size_t>(groups) * items, 1, 1}, {items, 1, 1}};
}

/// The source of a step's kernel, and its launch.
inline fft_kernel step_source(const fft_step& s, const device_facts& device, fft_tables& tables) {
  return s.second ? pipeline_source(s.pass, s.policy, *s.second, device, tables)
                  : fft_source(s.pass, s.policy, device, tables);
}
inline launch step_launch(const fft_step& s, const fft_kernel& k) {
  if (!s.second) return fft_launch(s.pass, k);
  const std::int64_t groups =
      s.second->pass.outer.back().extent * (s.second->first_groups + s.second->second_groups);
  const auto items = static_cast<std::size_t>(k.items);
  return {1, {static_cast<std::size_t>(groups) * items, 1, 1}, {items, 1, 1}};
}

/// Whether two problems differ in nothing but buffers and offsets.
inline bool same_kind(const fft_problem& a, const fft_problem& b) {
  const auto same = [](const fft_operand& x, const fft_operand& y) {
    return x.extents == y.extents && x.strides == y.strides && x.type == y.type;
  };
  return same(a.in, b.in) && same(a.out, b.out) && a.lengths == b.lengths &&
         a.inverse == b.inverse && a.real == b.real && a.trigonometric == b.trigonometric &&
         a.in_place == b.in_place;
}

/// Queue, device and plans; elements are known by their descriptions only.
class fft_engine : move_only {
 public:
  fft_engine(const cl::CommandQueue& queue, fft_options options, bool is_double)
    : queue_(queue), on_(facts_of(queue)), options_(std::move(options)), is_double_(is_double) {
    if (is_double_ && !on_.facts.fp64) {
      throw device_error("transforms of double need double precision (cl_khr_fp64), which " +
                         on_.facts.name + " lacks");
    }
    if (options_.policy) check_rules(*options_.policy);
  }

  const device_facts& device() const { return on_.facts; }
  const cl::Device& handle() const { return on_.device; }
  const fft_options& options() const { return options_; }
  void use_workspace(const cl::Buffer& buffer) { work_.use(buffer); }

  fft_built_plan& prepare(const fft_problem& p) {
    for (fft_built_plan& plan : plans_)
      if (same_kind(plan.problem, p)) return plan;
    fft_plan made = plan_fft(p, options_, on_.facts, is_double_);
    fft_built_plan built{.problem = p,
                         .steps = {},
                         .work_elements = made.work_elements,
                         .factors = {},
                         .places = {}};
    for (fft_step& step : made.steps) {
      fft_kernel kernel = step_source(step, on_.facts, made.tables);
      auto program = build(on_.context, on_.device, kernel.source, kernel.options);
      cl::Kernel handle = make_kernel(*program, "fft");
      const launch range = step_launch(step, kernel);
      built.steps.push_back(
          {std::move(step), std::move(kernel), std::move(program), std::move(handle), range});
    }
    upload(made.tables, built);
    plans_.push_back(std::move(built));
    return plans_.back();
  }

  /// Bytes of workspace that a problem takes.
  std::size_t workspace_bytes(const fft_problem& p) {
    return p.empty() ? 0 : bytes_of(prepare(part_of(p, 0)).work_elements);
  }

  /// Transforms of the slowest axis that run through all passes before the next do, so that what
  /// lies between the passes stays in a CPU's caches; all of them where there is one pass, and
  /// where user functions see `index`.
  std::int64_t part_size(const fft_problem& p) const {
    const std::int64_t all = p.out.extents.front();
    if (p.out.extents.size() <= static_cast<std::size_t>(p.axes) || !options_.load.empty() ||
        !options_.store.empty() || p.empty())
      return all;
    const fft_policy policy =
        options_.policy ? *options_.policy : tuned_fft(on_.facts, p.lengths.back(), is_double_);
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

  std::string source(const fft_problem& p) const {
    fft_plan plan = plan_fft(p, options_, on_.facts, is_double_);
    std::string text;
    for (const fft_step& step : plan.steps)
      text += step_source(step, on_.facts, plan.tables).source + "\n";
    return text;
  }

  cl::Event run(const fft_problem& p, std::span<const cl::Event> waits,
                std::span<const argument> arguments) {
    const std::size_t loads = options_.load.parameters.size();
    check_both(arguments, loads);
    if (p.empty()) return marker(queue_(), waits);
    const std::int64_t all = p.out.extents.front(), size = part_size(p);
    if (size >= all) return run_part(p, waits, arguments);
    cl::Event done = run_part(part_of(p, 0), waits, arguments);
    for (std::int64_t first = size; first < all; first += size) {
      const cl::Event before = done;
      done = run_part(part_of(p, first), std::span(&before, 1), arguments);
    }
    return done;
  }

 private:
  cl::Event run_part(const fft_problem& p, std::span<const cl::Event> waits,
                     std::span<const argument> arguments) {
    const std::size_t loads = options_.load.parameters.size();
    fft_built_plan& plan = prepare(p);
    const std::size_t wanted = bytes_of(plan.work_elements);
    if (work_.is_given() && work_.bytes() < wanted) {
      throw argument_error("the workspace", "must hold what lies between the passes",
                           std::to_string(work_.bytes()) + " bytes",
                           "at least " + std::to_string(wanted) + " bytes");
    }
    if (wanted > 0) work_.require(on_.context(), wanted);
    std::vector<cl::Event> before(waits.begin(), waits.end());
    if (wanted > 0) before = work_.waits(waits);
    cl::Event done;
    for (fft_built_step& s : plan.steps) {
      const auto memory = [&](fft_buffer b) {
        return b == fft_buffer::input    ? p.in.memory
               : b == fft_buffer::output ? p.out.memory
                                         : work_.memory();
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
        signals_.require(on_.context(), second->signals(), before);
        set_args(kernel, from, from_offset, to, to_offset, memory(second->to),
                 offset(second->to, second->to_offset), plan.factors, plan.places, extent,
                 signals_.memory());
        next = 10;
      } else {
        set_args(kernel, from, from_offset, to, to_offset, plan.factors, plan.places, extent);
      }
      if (!s.step.pass.load.parameters.empty()) {
        set_arguments(kernel, next, arguments.first(loads));
        next += static_cast<cl_uint>(loads);
      }
      if (!last.store.parameters.empty()) set_arguments(kernel, next, arguments.subspan(loads));
      done = enqueue(queue_(), kernel, s.range, before);
      if (s.step.second) signals_.free_after(done);
      before.assign(1, done);
      if (!on_.out_of_order) before.clear();
    }
    if (wanted > 0) work_.free_after(done);
    return done;
  }

  std::size_t bytes_of(std::int64_t elements) const {
    return static_cast<std::size_t>(elements) * (is_double_ ? 16 : 8);
  }

  void check_both(std::span<const argument> given, std::size_t loads) const {
    if (given.size() < loads || given.size() - loads != options_.store.parameters.size()) {
      throw argument_error(
          "arguments of the user functions", "must be as many as the parameters of load and store",
          std::to_string(given.size()), std::to_string(loads + options_.store.parameters.size()));
    }
    check_arguments(options_.load, given.first(loads));
    check_arguments(options_.store, given.subspan(loads));
  }

  template <class T> cl::Buffer buffer_of(std::vector<T> values) const {
    cl_int code = CL_SUCCESS;
    if (values.empty()) values.resize(1);
    cl::Buffer buffer(clCreateBuffer(on_.context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                     values.size() * sizeof(T), values.data(), &code),
                      false);
    check(code, "clCreateBuffer of the tables of a transform");
    return buffer;
  }
  void upload(const fft_tables& tables, fft_built_plan& built) const {
    built.factors =
        is_double_ ? buffer_of(tables.stored<double>()) : buffer_of(tables.stored<float>());
    built.places = buffer_of(tables.places);
    built.table_bytes = static_cast<std::int64_t>(tables.factors.size()) * (is_double_ ? 16 : 8) +
                        static_cast<std::int64_t>(tables.places.size()) * 4;
  }

  cl::CommandQueue queue_;
  queue_facts on_;
  fft_options options_;
  bool is_double_;
  workspace work_;
  fft_signals signals_;
  std::deque<fft_built_plan> plans_;
};

}  // namespace detail
}  // namespace clprim
