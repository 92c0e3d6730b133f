#pragma once
// The operation object of copy and map: arrays checked, kernels kept and enqueued.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <clprim/copy/source.hpp>
#include <clprim/copy/tuned.hpp>
#include <clprim/runtime/argument.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/move_only.hpp>
#include <clprim/runtime/program.hpp>
#include <clprim/runtime/queue.hpp>
#include <clprim/runtime/view.hpp>

namespace clprim {

/// In place of a policy: the library chooses for device and problem.
inline constexpr copy_policy tuned_copy_policy{.items = 0};

/// How an operation object is set up; every member may be left out.
struct copy_options {
  /// The policy; without one the library chooses (copy/tuned.hpp).
  std::optional<copy_policy> policy{};
  /// The body of a function that sees x0, x1, … (an element of each input in its arithmetic type:
  /// float for half, float2 for complex float), `index`, and its own parameters, and returns the
  /// output's value (by the rules of C: a float that becomes a uchar is the text's to round and to
  /// clamp, as convert_uchar_sat_rte does). Without text the one input is copied; where the types
  /// differ it is converted, to integers by rounding to nearest even and saturating, NaN to 0.
  function map{};
};

namespace detail {

/// The options of a door whose template argument may be a policy.
template <copy_policy P> copy_options with_policy(copy_options options) {
  if constexpr (P != tuned_copy_policy) options.policy = P;
  return options;
}

/// One array of a call.
struct copy_operand {
  cl_mem memory = nullptr;
  std::int64_t offset = 0;
  std::int64_t stride = 1;
  element type{};
  footprint bytes{};
};

template <element_type T>
copy_operand operand_of(const vector_view<T>& v, const std::string& name) {
  return {v.memory, v.offset, v.stride, describe_element<T>(), check_vector(v, name)};
}

/// Queue, device and kernels of a map; elements are known by their descriptions only.
class copy_engine : move_only {
 public:
  copy_engine(const cl::CommandQueue& queue, copy_options options, std::vector<element> in,
              const element& out)
    : queue_(queue), on_(facts_of(queue)), options_(std::move(options)) {
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
    if (!options_.policy) return;
    check_rules(*options_.policy);
    rule(options_.policy->items <= on_.facts.max_work_group,
         "the policy's work-group must fit the device's limit of work-items",
         options_.policy->items, on_.facts.max_work_group);
  }

  const device_facts& device() const { return on_.facts; }

  copy_policy policy(std::span<const copy_operand> all, std::int64_t count) const {
    if (options_.policy) return *options_.policy;
    int bytes = 1;
    for (const copy_operand& o : all) bytes = std::max(bytes, o.type.bytes);
    return tuned_copy(on_.facts, bytes, count);
  }
  std::string source(std::span<const copy_operand> all, std::int64_t count) const {
    return copy_source(policy(all, count), variant_of(all), options_.map);
  }

  /// Enqueues a map of checked operands, the output last.
  cl::Event run(std::span<const copy_operand> all, std::int64_t count,
                std::span<const cl::Event> waits, std::span<const argument> arguments) {
    check_arguments(options_.map, arguments);
    check_overlaps(all);
    if (count == 0) return marker(queue_(), waits);
    const copy_policy p = policy(all, count);
    const plan& built = prepare(p, variant_of(all));
    const std::int64_t whole = std::int64_t{p.items} * p.per_item * built.vector;
    const std::int64_t parts = (count + whole - 1) / whole;
    const std::int64_t groups =
        p.walk == copy_walk::once
            ? parts
            : std::min(parts, std::int64_t{on_.facts.compute_units} * p.groups_per_unit);
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (groups > most) {
      throw argument_error("parts of the array", "must be a number of groups that 31 bits hold",
                           std::to_string(groups), "at most " + std::to_string(most));
    }
    const cl_kernel kernel = built.kernel();
    set_args(kernel, static_cast<cl_long>(count), static_cast<cl_long>(parts));
    cl_uint next = 2;
    for (const copy_operand& o : all) {
      set_arg(kernel, next++, o.memory);
      set_arg(kernel, next++, static_cast<cl_long>(o.offset));
      set_arg(kernel, next++, static_cast<cl_long>(o.stride));
    }
    set_arguments(kernel, next, arguments);
    const auto items = static_cast<std::size_t>(p.items);
    return enqueue(queue_(), kernel,
                   {1, {static_cast<std::size_t>(groups) * items, 1, 1}, {items, 1, 1}}, waits);
  }

 private:
  struct plan {
    copy_policy policy;
    copy_variant variant;
    int vector = 1;
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
    if (e.needs_fp64 && !on_.facts.fp64) {
      throw device_error("a map of double needs double precision (cl_khr_fp64), which " +
                         on_.facts.name + " lacks");
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

  static copy_variant variant_of(std::span<const copy_operand> all) {
    copy_variant v;
    const auto array = [](const copy_operand& o) {
      const int aligned =
          o.offset == 0 ? 16
                        : 1 << std::min(4, std::countr_zero(static_cast<std::uint64_t>(o.offset)));
      return copy_array{o.type, aligned, o.stride != 1};
    };
    v.out = array(all.back());
    for (std::size_t n = 0; n + 1 < all.size(); ++n) {
      v.in.push_back(array(all[n]));
      v.aliased = v.aliased || is_output(all[n], all.back());
    }
    return v;
  }

  const plan& prepare(const copy_policy& p, const copy_variant& v) {
    for (const plan& one : plans_) {
      if (one.policy == p && one.variant == v) return one;
    }
    auto program = build(on_.context, on_.device, copy_source(p, v, options_.map));
    cl::Kernel kernel = make_kernel(*program, "map");
    plans_.push_back({p, v, copy_vector(p, v), std::move(program), std::move(kernel)});
    return plans_.back();
  }

  cl::CommandQueue queue_;
  queue_facts on_;
  copy_options options_;
  std::deque<plan> plans_;
};

}  // namespace detail
}  // namespace clprim
