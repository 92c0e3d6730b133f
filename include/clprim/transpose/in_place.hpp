#pragma once
// Rectangles in their own memory: passes, workspace, launches.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/element.hpp>
#include <clprim/runtime/argument.hpp>
#include <clprim/runtime/move_only.hpp>
#include <clprim/runtime/program.hpp>
#include <clprim/runtime/queue.hpp>
#include <clprim/runtime/workspace.hpp>
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

/// The passes of rectangles on one queue. The workspace belongs to the object.
class rectangle_engine : move_only {
 public:
  rectangle_engine(const cl::CommandQueue& queue, const queue_facts& on, const element& type,
                   const std::optional<in_place_policy>& policy)
    : queue_(queue), on_(on), type_(type), policy_(policy) {
    if (!policy_) return;
    check_rules(*policy_);
    rule(policy_->items <= on_.facts.max_work_group,
         "the policy's work-group must fit the device's limit of work-items", policy_->items,
         on_.facts.max_work_group);
  }

  in_place_policy policy(const transpose_problem& p) const {
    const rectangle r = rectangle_of(p);
    return policy_ ? *policy_ : tuned_in_place(on_.facts, type_.bytes, r.m, r.n);
  }

  /// Enqueues a checked problem; `scale` holds the bytes of the factor, or nothing.
  cl::Event run(const transpose_problem& p, const function& map, std::span<const std::byte> scale,
                std::span<const cl::Event> waits, std::span<const argument> arguments) {
    const rectangle r = rectangle_of(p);
    const in_place_policy policy = this->policy(p);
    check_lines(r, batches(p), policy);
    std::vector<int> passes{0, 1, 2};
    if (r.common() == 1) passes.erase(passes.begin());
    if (r.inverse) std::reverse(passes.begin(), passes.end());
    require_workspace(p, r, policy, passes);
    std::vector<cl::Event> after = workspace_.waits(waits);
    cl::Event done;
    for (const int pass : passes) {
      in_place_variant v{.type = type_,
                         .pass = pass,
                         .inverse = r.inverse,
                         .capacity = capacity(r, policy, pass),
                         .offsets = p.in_offsets != nullptr};
      const bool last = pass == passes.back();
      if (last) {
        v.conjugate = p.conjugate && type_.is_complex;
        v.scaled = !scale.empty();
        v.by_columns = p.by_columns;
        v.mapped = !map.empty();
      }
      done = run_pass(p, r, policy, v, map, scale, after, arguments);
      after.assign(1, done);
    }
    workspace_.free_after(done);
    return done;
  }

  std::string explain(const transpose_problem& p) const {
    const rectangle r = rectangle_of(p);
    const in_place_policy policy = this->policy(p);
    std::string text = "transposition in place, " + std::to_string(p.rows) + " x " +
                       std::to_string(p.cols) + " elements of " + std::to_string(type_.bytes) +
                       " bytes\n  device     " + describe(on_.facts) + "\n  policy     " +
                       to_string(policy) + "\n";
    for (const int pass : {0, 1, 2}) {
      if (pass == 0 && r.common() == 1) continue;
      const bool local = capacity(r, policy, pass) > 0;
      text += std::string(pass == 1 ? "  rows       " : "  columns    ") +
              std::to_string(r.lines(pass, policy.strip)) + " lines of " +
              std::to_string(r.line_elements(pass, policy.strip) * type_.bytes) + " bytes, " +
              (local ? "in local memory" : "through the workspace") + "\n";
    }
    return text + "  workspace  " + std::to_string(workspace_.bytes()) + " bytes held\n";
  }

 private:
  /// Elements of local memory of a line of this pass; 0: it goes through the workspace. In steps,
  /// so that rectangles of like sizes share a program.
  int capacity(const rectangle& r, const in_place_policy& policy, int pass) const {
    const std::int64_t line = r.line_elements(pass, policy.strip);
    const std::int64_t most = on_.facts.local_bytes / type_.bytes;
    if (!policy.local || line > most) return 0;
    const auto floor = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(line)));
    const std::int64_t unit = std::max<std::int64_t>(64, floor / 8);
    return static_cast<int>(std::min((line + unit - 1) / unit * unit, most));
  }

  /// Lines that go through the workspace together.
  static std::int64_t together(const transpose_problem& p, const rectangle& r,
                               const in_place_policy& policy, int pass, int bytes) {
    const std::int64_t line = r.line_elements(pass, policy.strip) * bytes;
    const std::int64_t all = r.lines(pass, policy.strip) * batches(p);
    return std::clamp<std::int64_t>(std::int64_t{policy.workspace_kib} * 1024 / line, 1, all);
  }
  static std::int64_t batches(const transpose_problem& p) {
    return p.outer_count == 0 ? 1 : p.outer[0].extent;
  }

  void require_workspace(const transpose_problem& p, const rectangle& r,
                         const in_place_policy& policy, const std::vector<int>& passes) {
    std::int64_t bytes = 0;
    for (const int pass : passes) {
      if (capacity(r, policy, pass) > 0) continue;
      bytes = std::max(bytes, together(p, r, policy, pass, type_.bytes) *
                                  r.line_elements(pass, policy.strip) * type_.bytes);
    }
    if (bytes > 0) workspace_.require(on_.context(), static_cast<std::size_t>(bytes));
  }

  cl::Event run_pass(const transpose_problem& p, const rectangle& r, const in_place_policy& policy,
                     in_place_variant v, const function& map, std::span<const std::byte> scale,
                     std::vector<cl::Event> after, std::span<const argument> arguments) {
    const std::int64_t lines = r.lines(v.pass, policy.strip), all = lines * batches(p);
    const bool local = v.capacity > 0;
    const std::int64_t most = local ? std::int64_t{1} << 24  // groups of a launch
                                    : together(p, r, policy, v.pass, type_.bytes);
    const std::int64_t per_group = std::int64_t{policy.items} * 8;
    const std::int64_t segments =
        local ? 1 : (r.line_elements(v.pass, policy.strip) + per_group - 1) / per_group;
    cl::Event done;
    for (std::int64_t first = 0; first < all; first += most) {
      for (const auto part : {in_place_part::load, in_place_part::store}) {
        if (local && part == in_place_part::load) continue;
        v.part = local ? in_place_part::both : part;
        const cl_kernel kernel = prepare(policy, v, map)();
        const auto number = [](std::int64_t n) { return static_cast<cl_uint>(n); };
        set_args(kernel, number(r.m), number(r.n), number(r.m / r.common()),
                 number(r.n / r.common()), number(first), number(segments), number(lines), p.in,
                 static_cast<cl_long>(p.in_offset));
        if (p.in_offsets != nullptr)
          set_arg(kernel, 9, p.in_offsets);
        else
          set_arg(kernel, 9, static_cast<cl_long>(p.outer[0].in_step));
        set_arg(kernel, 10, workspace_.memory());
        cl_uint next = 11;
        if (v.scaled && part == in_place_part::store) {
          check(clSetKernelArg(kernel, next++, scale.size(), scale.data()),
                "clSetKernelArg of the scale factor");
        }
        if (v.mapped && part == in_place_part::store) set_arguments(kernel, next, arguments);
        const auto items = static_cast<std::size_t>(policy.items);
        const std::int64_t groups = std::min(most, all - first) * segments;
        done = enqueue(queue_(), kernel,
                       {1, {static_cast<std::size_t>(groups) * items, 1, 1}, {items, 1, 1}}, after);
        after.assign(1, done);
      }
    }
    return done;
  }

  struct plan {
    in_place_policy policy;
    in_place_variant variant;
    std::shared_ptr<const built_program> program;
    cl::Kernel kernel;
  };
  const cl::Kernel& prepare(const in_place_policy& policy, const in_place_variant& v,
                            const function& map) {
    for (const plan& one : plans_) {
      if (one.policy == policy && one.variant == v) return one.kernel;
    }
    auto program = build(on_.context, on_.device, in_place_source(policy, v, map));
    cl::Kernel kernel = make_kernel(*program, "reorder");
    plans_.push_back({policy, v, std::move(program), std::move(kernel)});
    return plans_.back().kernel;
  }

  cl::CommandQueue queue_;
  queue_facts on_;
  element type_;
  std::optional<in_place_policy> policy_;
  workspace workspace_;
  std::deque<plan> plans_;
};

}  // namespace detail
}  // namespace clprim
