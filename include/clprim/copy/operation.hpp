#pragma once
// The operation object of copy and map: arrays checked, kernels kept and enqueued.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <clprim/copy/engine.hpp>
#include <clprim/copy/source.hpp>
#include <clprim/copy/tuned.hpp>
#include <clprim/core/number_text.hpp>
#include <clprim/core/occupancy/device.hpp>
#include <clprim/runtime/operation.hpp>
#include <clprim/runtime/plan_cache.hpp>
#include <clprim/runtime/program.hpp>
#include <clprim/runtime/view.hpp>

namespace clprim {

namespace detail {

/// Kernels of a map; elements are known by their descriptions only.
class copy_operation : public operation {
 public:
  copy_operation(const cl::CommandQueue& queue, copy_options options, std::vector<element> in,
                 const element& out)
    : operation(queue, options.completion, options.math), options_(std::move(options)) {
    in.push_back(out);
    for (const element& e : in) check_element(e, in.front() == out);
    if (options_.map.empty() && in.size() > 2) {
      throw argument_error("a map of " + std::to_string(in.size() - 1) + " arrays",
                           "needs a function", "no text", "such as 'return x0 + x1;'");
    }
    if (options_.map.empty() && in.front().is_complex && !out.is_complex) {
      throw argument_error("a cast from complex to real", "needs a map that says which part",
                           "no map", "such as 'return x0.x;'");
    }
    if (options_.policy) check_policy(*options_.policy);
  }

  copy_schedule schedule(std::span<const copy_operand> all, std::int64_t count) const {
    return by_policy(
        options_.policy, [&] { return title_of(all, count); },
        [&](const std::optional<copy_policy>& own) {
          if (own) check_policy(*own);
          return schedule(all, count, own ? *own : tuned(all, count));
        });
  }
  std::string source(std::span<const copy_operand> all, std::int64_t count) const {
    const copy_schedule s = schedule(all, count);
    return copy_source(s.policy, s.variant, options_.map);
  }
  void prepare(std::span<const copy_operand> all, std::int64_t count) {
    check(all);
    if (count > 0) plan_of(schedule(all, count));
  }
  std::string explain(std::span<const copy_operand> all, std::int64_t count) {
    check(all);
    const std::string what = title_of(all, count);
    if (count == 0) return explain_head(what + ": nothing to do", 0, plans_.size());
    const copy_schedule s = schedule(all, count);
    const std::shared_ptr<plan> built = plan_of(s);
    const auto group = static_cast<int>(s.range.local[0]);
    const kernel_resources used = resources_of(*built->program, built->kernel, "map", on().device);
    double bytes = 0;
    for (const copy_operand& o : all) bytes += static_cast<double>(count) * o.type.bytes;
    return explain_head(what, 0, plans_.size()) + "  policy     " + to_string(s.policy) +
           "\n  accesses   vectors of " + std::to_string(copy_vector(s.policy, s.variant)) +
           " elements\n  launch     " + std::to_string(s.range.global[0] / s.range.local[0]) +
           " groups of " + std::to_string(s.range.local[0]) + " work-items\n  work       " +
           fixed_text(bytes / 1e6, 3) + " MB read and written\n" +
           rules_line(device(), group, static_cast<std::int64_t>(s.range.global[0]) / group,
                      occupancy_of(limits_of(device()), use_of(used, group)));
  }

  /// Enqueues a map of checked arrays.
  cl::Event run(std::span<const copy_operand> all, std::int64_t count, wait_list waits,
                argument_list arguments) {
    require_queue();
    check_arguments(options_.map, arguments);
    check(all, arguments);
    if (count == 0) return command_chain(*this, waits).end();
    const copy_schedule s = schedule(all, count);
    const std::shared_ptr<plan> built = plan_of(s);
    const cl_kernel kernel = built->kernel();
    const copy_policy& p = s.policy;
    const std::int64_t whole = std::int64_t{p.items} * p.per_item * copy_vector(p, s.variant);
    set_args(kernel, static_cast<cl_long>(count), static_cast<cl_long>(parts_of(count, whole)));
    cl_uint next = 2;
    for (const copy_operand& o : all) {
      set_arg(kernel, next++, o.memory);
      set_arg(kernel, next++, static_cast<cl_long>(o.offset));
      set_arg(kernel, next++, static_cast<cl_long>(o.stride));
    }
    set_arguments(kernel, next, arguments);
    return command_chain(*this, waits).run_last(kernel, s.range);
  }

 private:
  struct plan {
    copy_policy policy;
    copy_variant variant;
    std::shared_ptr<const built_program> program;
    cl::Kernel kernel;
  };

  void check_element(const element& e, bool same) const {
    if (!bits_text::can_move(e.bytes)) {
      throw argument_error("an element to be copied", "must have a size that memory moves",
                           std::to_string(e.bytes) + " bytes", "1, 2, 4, 8 or 16 bytes");
    }
    if (options_.map.empty() && same) return;
    if (!e.has_arithmetic()) {
      throw argument_error("element type", "must have a name in OpenCL C to be mapped or cast",
                           std::to_string(e.bytes) + " bytes without a name",
                           "a scalar or an integer type");
    }
    if (e.needs_fp64 && !device().fp64) {
      throw device_error("a map of double needs double precision (cl_khr_fp64), which " +
                         device().name + " lacks");
    }
  }

  static bool is_output(const copy_operand& in, const copy_operand& out) {
    return in.memory == out.memory && in.offset == out.offset && in.stride == out.stride &&
           in.type.bytes == out.type.bytes;
  }
  /// An input may be the output itself, element by element; else they must be apart.
  static void check_overlaps(std::span<const copy_operand> all) {
    const copy_operand& out = all.back();
    for (std::size_t n = 0; n + 1 < all.size(); ++n) {
      if (is_output(all[n], out) || !overlaps(out.bytes, all[n].bytes)) continue;
      throw argument_error("the output",
                           "must be input " + std::to_string(n) + " itself or apart from it",
                           "overlapping views", "the same view or separate memory");
    }
  }

  /// What all calls check of their arrays.
  void check(std::span<const copy_operand> all, argument_list arguments = {}) const {
    check_overlaps(all);
    std::vector<operand> operands;
    for (const copy_operand& o : all) operands.push_back({o.name, o.bytes, &o == &all.back()});
    check_operands(operands, arguments);
  }

  static std::int64_t parts_of(std::int64_t count, std::int64_t whole) {
    return count / whole + (count % whole > 0 ? 1 : 0);
  }
  void check_policy(const copy_policy& policy) const {
    require_rules(policy);
    rule(policy.items <= device().max_work_group,
         "the policy's work-group must fit the device's limit of work-items", policy.items,
         device().max_work_group);
  }
  /// The library's choice.
  copy_policy tuned(std::span<const copy_operand> all, std::int64_t count) const {
    int bytes = 1;
    for (const copy_operand& o : all) bytes = std::max(bytes, o.type.bytes);
    return tuned_copy(device(), bytes, count);
  }
  copy_schedule schedule(std::span<const copy_operand> all, std::int64_t count,
                         const copy_policy& p) const {
    copy_schedule s{.policy = p, .variant = variant_of(all), .range = {}};
    const std::int64_t whole = std::int64_t{p.items} * p.per_item * copy_vector(p, s.variant);
    const std::int64_t parts = parts_of(count, whole);
    const std::int64_t groups =
        p.walk == copy_walk::once
            ? parts
            : std::min(parts, std::int64_t{units_of(device())} * p.groups_per_unit);
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (groups > most) {
      throw argument_error("parts of the array", "must be a number of groups that 31 bits hold",
                           std::to_string(groups), "at most " + std::to_string(most));
    }
    const auto items = static_cast<std::size_t>(p.items);
    s.range = {1, {static_cast<std::size_t>(groups) * items, 1, 1}, {items, 1, 1}};
    return s;
  }
  /// What is done, in a line.
  std::string title_of(std::span<const copy_operand> all, std::int64_t count) const {
    std::string types;
    for (const copy_operand& o : all)
      types += (&o == &all.back() ? " to " : types.empty() ? ", " : " and ") + o.type.told();
    return std::string(options_.map.empty() ? "copy" : "map") + " of " +
           std::to_string(all.size() - 1) + " x " + std::to_string(count) + " elements" + types;
  }

  static copy_variant variant_of(std::span<const copy_operand> all) {
    copy_variant v;
    const auto array = [](const copy_operand& o) {
      const int base = o.bytes.empty() ? 128 : base_alignment(o.memory);
      if (base < o.type.bytes) {
        throw argument_error("memory of " + o.name, "must be aligned to its elements",
                             "host memory aligned to " + std::to_string(base) + " bytes",
                             "at least " + std::to_string(o.type.bytes));
      }
      const auto bits =
          static_cast<std::uint64_t>(o.offset) | static_cast<std::uint64_t>(base / o.type.bytes);
      return copy_array{o.type, 1 << std::min(4, std::countr_zero(bits)), o.stride != 1};
    };
    v.out = array(all.back());
    for (std::size_t n = 0; n + 1 < all.size(); ++n) {
      v.in.push_back(array(all[n]));
      v.aliased = v.aliased || is_output(all[n], all.back());
    }
    return v;
  }

  std::shared_ptr<plan> plan_of(const copy_schedule& s) {
    return plans_.find_or_make(
        [&](const plan& one) { return one.policy == s.policy && one.variant == s.variant; },
        [&] {
          const std::string source = copy_source(s.policy, s.variant, options_.map);
          auto program = build(on().context, on().device, source, "", math());
          cl::Kernel kernel = make_kernel(*program, "map");
          return plan{s.policy, s.variant, std::move(program), std::move(kernel)};
        });
  }

  copy_options options_;
  plan_cache<plan> plans_;
};

CLPRIM_INLINE copy_engine::copy_engine(const cl::CommandQueue& queue, copy_options options,
                                       std::vector<element> in, const element& out)
  : engine(std::make_shared<copy_operation>(queue, std::move(options), std::move(in), out)) {}
CLPRIM_INLINE copy_schedule copy_engine::schedule(std::span<const copy_operand> all,
                                                  std::int64_t count) const {
  return as<copy_operation>().schedule(all, count);
}
CLPRIM_INLINE std::string copy_engine::source(std::span<const copy_operand> all,
                                              std::int64_t count) const {
  return as<copy_operation>().source(all, count);
}
CLPRIM_INLINE void copy_engine::prepare(std::span<const copy_operand> all, std::int64_t count) {
  as<copy_operation>().prepare(all, count);
}
CLPRIM_INLINE std::string copy_engine::explain(std::span<const copy_operand> all,
                                               std::int64_t count) {
  return as<copy_operation>().explain(all, count);
}
CLPRIM_INLINE cl::Event copy_engine::run(std::span<const copy_operand> all, std::int64_t count,
                                         wait_list waits, argument_list arguments) {
  return as<copy_operation>().run(all, count, waits, arguments);
}

}  // namespace detail
}  // namespace clprim
