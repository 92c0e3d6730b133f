#pragma once
// Rectangles in their own memory: passes, workspace, launches.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/element.hpp>
#include <clprim/runtime/explain_kernel.hpp>
#include <clprim/runtime/operation.hpp>
#include <clprim/runtime/plan_cache.hpp>
#include <clprim/runtime/program.hpp>
#include <clprim/transpose/in_place_policy.hpp>
#include <clprim/transpose/in_place_source.hpp>
#include <clprim/transpose/problem.hpp>

namespace clprim {

/// The numbers of one rectangle: m x n elements, m <= n, whose passes are done in this order or,
/// undone, in the opposite one.
struct rectangle {
  std::int64_t m = 1;
  std::int64_t n = 1;
  bool inverse = false;

  std::int64_t common() const { return std::gcd(m, n); }
  std::int64_t lines(int pass, int strip) const { return pass == 1 ? m : (n + strip - 1) / strip; }
  /// Elements that a line takes of local memory or workspace.
  std::int64_t line_elements(int pass, int strip) const { return pass == 1 ? n : m * strip; }
};

inline rectangle rectangle_of(const transpose_problem& p) {
  return {std::min(p.rows, p.cols), std::max(p.rows, p.cols), p.rows > p.cols};
}

/// Throws argument_error where a pass over `batch` rectangles has more lines than the kernel counts
/// in 32 bits.
inline void check_lines(const rectangle& r, std::int64_t batch, const in_place_policy& policy) {
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  const std::int64_t lines = std::max(r.lines(1, policy.strip), r.lines(2, policy.strip));
  if (lines == 0 || batch <= most / lines) return;
  throw argument_error("lines of the rectangles of a batch that is transposed in place",
                       "must be few enough to count in 32 bits",
                       std::to_string(batch) + " rectangles of " + std::to_string(lines) + " lines",
                       "at most " + std::to_string(most / lines) + " of them at a time");
}

namespace detail {

/// The passes of rectangles on one queue.
class rectangle_operation : public operation {
 protected:
  rectangle_operation(const cl::CommandQueue& queue, completion wanted, math_mode math,
                      const element& type, const std::optional<in_place_policy>& policy)
    : operation(queue, wanted, math), type_(type), policy_(policy) {
    if (policy_) check_policy(*policy_);
  }

  /// Bytes of workspace of a checked problem: for the lines that local memory cannot hold.
  std::size_t rectangle_workspace(const transpose_problem& p) const {
    const reordering work = reordered(p);
    std::int64_t bytes = 0;
    for (const int pass : work.passes) {
      if (work.capacity(pass) > 0) continue;
      bytes = std::max(bytes, work.together(pass) * work.line_bytes(pass));
    }
    return static_cast<std::size_t>(bytes);
  }
  /// The kernels of all passes, each after the other.
  std::string rectangle_source(const transpose_problem& p, const function& map, bool scaled) const {
    const reordering work = reordered(p);
    std::string text;
    for (const int pass : work.passes)
      for (const in_place_part part : work.parts(pass))
        text += in_place_source(work.policy, work.variant(pass, part, scaled, !map.empty()), map);
    return text;
  }
  void prepare_rectangle(const transpose_problem& p, const function& map, bool scaled) {
    const reordering work = reordered(p);
    for (const int pass : work.passes)
      for (const in_place_part part : work.parts(pass)) pass_of(work, pass, part, scaled, map);
  }

  /// Enqueues a checked problem; `scale` holds the bytes of the factor, or nothing.
  cl::Event run_rectangle(const transpose_problem& p, const function& map,
                          std::span<const std::byte> scale, wait_list waits,
                          std::span<const argument> arguments) {
    const reordering work = reordered(p);
    std::vector<pass_step> steps;  // whatever may fail to be built does so before the first command
    for (const int pass : work.passes)
      for (const in_place_part part : work.parts(pass))
        steps.push_back({pass, pass_of(work, pass, part, !scale.empty(), map)});
    command_chain commands(*this, waits);
    const cl_mem space = commands.workspace(rectangle_workspace(p));
    for (std::size_t i = 0; i < steps.size();) {
      const int pass = steps[i].pass;
      const std::size_t next = i + work.parts(pass).size();
      const std::int64_t all = work.lines(pass) * work.batch, most = work.at_once(pass);
      for (std::int64_t first = 0; first < all; first += most) {
        for (std::size_t k = i; k < next; ++k) {
          const pass_plan& one = *steps[k].built;
          set_pass(one, work, first, space, scale, arguments);
          const launch range = work.range(pass, std::min(most, all - first));
          if (k + 1 == steps.size() && first + most >= all)
            return commands.run_last(one.kernel(), range);
          commands.run(one.kernel(), range);
        }
      }
      i = next;
    }
    return commands.end();
  }

  std::string explain_rectangle(const transpose_problem& p, const function& map) {
    const reordering work = reordered(p);
    std::string passes;
    for (const int pass : work.passes) {
      const std::int64_t lines = work.lines(pass), local_bytes = work.capacity(pass) * type_.bytes;
      passes += std::string(pass == 1 ? "  rows       " : "  columns    ") + std::to_string(lines) +
                " lines of " + std::to_string(work.line_bytes(pass)) + " bytes, " +
                (local_bytes > 0 ? "in local memory" : "through the workspace") + "\n";
      const launch range = work.range(pass, std::min(work.at_once(pass), lines * work.batch));
      for (const in_place_part part : work.parts(pass)) {
        const pass_plan& built = *pass_of(work, pass, part, false, map);
        passes += explain_kernel(device(), range, "",
                                 resources_of(*built.program, built.kernel, "reorder", on().device),
                                 local_bytes, local_bytes > 0);
      }
    }
    return explain_head(rectangle_title(p), rectangle_workspace(p), rectangle_plans_.size()) +
           "  policy     " + to_string(work.policy) + "\n" + passes;
  }

 private:
  /// One problem: its passes, and how their lines are cut up.
  struct reordering {
    const transpose_problem& problem;
    const element& type;
    rectangle r;
    in_place_policy policy;
    std::int64_t batch;
    std::int64_t local_elements;
    std::vector<int> passes{0, 1, 2};

    /// Throws argument_error for too many lines.
    reordering(const transpose_problem& p, const rectangle_operation& on,
               const std::optional<in_place_policy>& own)
      : problem(p),
        type(on.type_),
        r(rectangle_of(p)),
        policy(own ? *own : tuned_in_place(on.device(), on.type_.bytes, r.m, r.n)),
        batch(p.outer_count == 0 ? 1 : p.outer[0].extent),
        local_elements(on.device().local_bytes / on.type_.bytes) {
      check_lines(r, batch, policy);
      if (r.common() == 1) passes.erase(passes.begin());
      if (r.inverse) std::reverse(passes.begin(), passes.end());
    }

    std::int64_t lines(int pass) const { return r.lines(pass, policy.strip); }
    std::int64_t line_elements(int pass) const { return r.line_elements(pass, policy.strip); }
    std::int64_t line_bytes(int pass) const { return line_elements(pass) * type.bytes; }
    /// Elements of local memory of a line of this pass; 0: it goes through the workspace. In steps,
    /// so that rectangles of like sizes share a program.
    int capacity(int pass) const {
      const std::int64_t line = line_elements(pass);
      if (!policy.local || line > local_elements) return 0;
      const auto floor =
          static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(line)));
      const std::int64_t unit = std::max<std::int64_t>(64, floor / 8);
      return static_cast<int>(std::min((line + unit - 1) / unit * unit, local_elements));
    }
    /// Lines that go through the workspace together.
    std::int64_t together(int pass) const {
      return std::clamp<std::int64_t>(std::int64_t{policy.workspace_kib} * 1024 / line_bytes(pass),
                                      1, lines(pass) * batch);
    }
    /// Lines of one launch.
    std::int64_t at_once(int pass) const {
      return capacity(pass) > 0 ? std::int64_t{1} << 24 : together(pass);
    }
    launch range(int pass, std::int64_t of_lines) const {
      const auto items = static_cast<std::size_t>(policy.items),
                 groups = static_cast<std::size_t>(of_lines * segments(pass));
      return {1, {groups * items, 1, 1}, {items, 1, 1}};
    }
    /// Groups that share a line of the workspace.
    std::int64_t segments(int pass) const {
      const std::int64_t per_group = std::int64_t{policy.items} * 8;
      return capacity(pass) > 0 ? 1 : (line_elements(pass) + per_group - 1) / per_group;
    }
    std::vector<in_place_part> parts(int pass) const {
      if (capacity(pass) > 0) return {in_place_part::both};
      return {in_place_part::load, in_place_part::store};
    }
    /// Conversion is the last pass's.
    in_place_variant variant(int pass, in_place_part part, bool scaled, bool mapped) const {
      in_place_variant v{.type = type,
                         .pass = pass,
                         .inverse = r.inverse,
                         .part = part,
                         .capacity = capacity(pass),
                         .offsets = problem.in_offsets != nullptr};
      if (pass != passes.back() || part == in_place_part::load) return v;
      v.conjugate = problem.conjugate && type.is_complex;
      v.scaled = scaled;
      v.by_columns = problem.by_columns;
      v.mapped = mapped;
      return v;
    }
  };

  void check_policy(const in_place_policy& policy) const {
    require_rules(policy);
    rule(policy.items <= device().max_work_group,
         "the policy's work-group must fit the device's limit of work-items", policy.items,
         device().max_work_group);
  }
  /// What is done, in a line.
  std::string rectangle_title(const transpose_problem& p) const {
    return "transposition in place, " + std::to_string(p.rows) + " x " + std::to_string(p.cols) +
           " elements of " + std::to_string(type_.bytes) + " bytes";
  }
  reordering reordered(const transpose_problem& p) const {
    return by_policy(
        policy_, [&] { return rectangle_title(p); },
        [&](const std::optional<in_place_policy>& own) {
          if (own) check_policy(*own);
          return reordering(p, *this, own);
        });
  }

  struct pass_plan {
    in_place_policy policy;
    in_place_variant variant;
    std::shared_ptr<const built_program> program;
    cl::Kernel kernel;
  };
  struct pass_step {
    int pass;
    std::shared_ptr<pass_plan> built;
  };

  std::shared_ptr<pass_plan> pass_of(const reordering& work, int pass, in_place_part part,
                                     bool scaled, const function& map) {
    const in_place_variant v = work.variant(pass, part, scaled, !map.empty());
    return rectangle_plans_.find_or_make(
        [&](const pass_plan& one) { return one.policy == work.policy && one.variant == v; },
        [&] {
          const std::string source = in_place_source(work.policy, v, map);
          auto program = build(on().context, on().device, source, "", math());
          cl::Kernel kernel = make_kernel(*program, "reorder");
          return pass_plan{work.policy, v, std::move(program), std::move(kernel)};
        });
  }

  static void set_pass(const pass_plan& one, const reordering& work, std::int64_t first,
                       cl_mem space, std::span<const std::byte> scale,
                       std::span<const argument> arguments) {
    const transpose_problem& p = work.problem;
    const rectangle& r = work.r;
    const int pass = one.variant.pass;
    const auto number = [](std::int64_t n) { return static_cast<cl_uint>(n); };
    set_args(one.kernel(), number(r.m), number(r.n), number(r.m / r.common()),
             number(r.n / r.common()), number(first), number(work.segments(pass)),
             number(work.lines(pass)), p.in, static_cast<cl_long>(p.in_offset));
    if (p.in_offsets != nullptr)
      set_arg(one.kernel(), 9, p.in_offsets);
    else
      set_arg(one.kernel(), 9, static_cast<cl_long>(p.outer[0].in_step));
    set_arg(one.kernel(), 10, space);
    cl_uint next = 11;
    if (one.variant.scaled) {
      check(clSetKernelArg(one.kernel(), next++, scale.size(), scale.data()),
            "clSetKernelArg of the scale factor");
    }
    if (one.variant.mapped) set_arguments(one.kernel(), next, arguments);
  }

  element type_;
  std::optional<in_place_policy> policy_;
  plan_cache<pass_plan> rectangle_plans_;
};

}  // namespace detail
}  // namespace clprim
