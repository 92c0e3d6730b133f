#pragma once
// A plan on the device: its kernels, their launches, the tables that they read; and what it runs,
// in a few lines for a person.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <clprim/core/number_text.hpp>
#include <clprim/core/occupancy.hpp>
#include <clprim/core/occupancy/device.hpp>
#include <clprim/fft/pass/source.hpp>
#include <clprim/fft/plan/plan.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/program.hpp>
#include <clprim/runtime/queue.hpp>
#include <clprim/runtime/resources.hpp>

namespace clprim {

/// A pass of a schedule; passes that share a launch follow each other with one range.
struct fft_scheduled_pass {
  std::int64_t points = 1;
  fft_method method = fft_method::direct;
  fft_policy policy;
  launch range;
  friend bool operator==(const fft_scheduled_pass&, const fft_scheduled_pass&) = default;
};

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
  std::int64_t work_elements = 0;
  cl::Buffer factors{}, places{};
  std::int64_t table_bytes = 0;

  /// Words by which the groups of passes that share a launch count each other.
  std::size_t signals() const {
    std::size_t most = 0;
    for (const fft_built_step& s : steps)
      if (s.step.second) most = std::max(most, s.step.second->signals());
    return most;
  }
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

/// The launch of a step.
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
  fft_built_plan all{.problem = p, .work_elements = plan.work_elements};
  for (fft_step& step : plan.steps) {
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
  all.table_bytes = static_cast<std::int64_t>(tables.factors.size()) * (is_double ? 16 : 8) +
                    static_cast<std::int64_t>(tables.places.size()) * 4;
  return all;
}

/// What a problem is, for a person.
inline std::string title_of(const fft_problem& p) {
  std::string text = std::string(p.inverse ? "inverse" : "forward") + " Fourier transform, ";
  text += p.real ? "real, " : "complex, ";
  for (std::size_t a = 0; a < p.lengths.size(); ++a)
    text += (a > 0 ? " x " : "") + std::to_string(p.lengths[a]);
  return text + " points, " + std::to_string(p.batch()) + " of them" +
         (p.in_place ? ", in place" : "");
}

/// The text of `fft::explain` behind its head: for each pass policy, stages, launch, resources,
/// residency. Every number of the driver says where it comes from.
inline std::string explain_fft(const fft_problem& p, const fft_built_plan& plan,
                               const device_facts& device, const cl::Device& on) {
  std::string text = "  passes     " + std::to_string(plan.steps.size()) + ", " +
                     std::to_string(plan.table_bytes) + " bytes of tables\n";
  int count = 0;
  for (const fft_built_step& s : plan.steps) {
    const fft_pass& pass = s.step.pass;
    const char* const method = pass.method == fft_method::direct  ? "direct"
                               : pass.method == fft_method::rader ? "Rader's convolution"
                                                                  : "Bluestein's convolution";
    const kernel_resources used = resources_of(*s.program, s.handle, "fft", on);
    group_use use{.work_items = s.kernel.items,
                  .local_bytes = s.kernel.local_bytes,
                  .barriers = s.kernel.items > 1 ? 1 : 0};
    if (used.registers.known()) use.registers = used.registers.value;
    const occupancy o = occupancy_of(limits_of(device), use);
    text += "  pass " + std::to_string(++count) + "     " + std::to_string(pass.length) +
            " points, " + method;
    if (pass.method != fft_method::direct) text += " of " + std::to_string(pass.inner);
    text += ", stages";
    for (const int r : s.kernel.radices) text += " " + std::to_string(r);
    text += "\n    policy   " + to_string(s.step.policy);
    if (const auto& second = s.step.second) {
      text += "\n    followed by " + std::to_string(second->pass.length) + " points, " +
              std::to_string(s.kernel.then_side_by_side) + " transforms side by side, stages";
      for (const int r : s.kernel.then_radices) text += " " + std::to_string(r);
      text += ", in the same launch, " + std::to_string(second->lag) + " of " +
              std::to_string(second->pass.outer.back().extent) + " behind\n    policy   " +
              to_string(second->policy);
    }
    text +=
        "\n    source   " + std::to_string(s.kernel.source.size()) +
        " bytes of OpenCL C\n    launch   " + std::to_string(s.range.global[0] / s.range.local[0]) +
        " groups of " + std::to_string(s.range.local[0]) + " work-items, " +
        std::to_string(s.kernel.side_by_side) + " transforms side by side\n    kernel   " +
        to_string(used.registers, "registers") + ", " +
        to_string(used.spill_bytes, "bytes spilled") + ", " + std::to_string(s.kernel.local_bytes) +
        " bytes of local memory\n    resident " + std::to_string(o.groups) + " groups per unit, " +
        std::to_string(o.warps) + " of " + std::to_string(o.max_warps) + " warps\n" +
        rules_line(device, s.kernel.items,
                   static_cast<std::int64_t>(s.range.global[0] / s.range.local[0]), o);
  }
  const double elements_in = p.points() * static_cast<double>(p.batch());
  const double bytes = elements_in * (p.in.type.bytes + p.out.type.bytes);
  return text + "  work       at least " + fixed_text(bytes / 1e6, 3) + " MB read and written\n";
}

}  // namespace detail
}  // namespace clprim
