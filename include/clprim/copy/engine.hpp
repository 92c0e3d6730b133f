#pragma once
// How a copy or a map is set up, and what it asks of its engine; copy/operation.hpp has what
// that does.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <clprim/copy/policy.hpp>
#include <clprim/copy/variant.hpp>
#include <clprim/core/element.hpp>
#include <clprim/core/function.hpp>
#include <clprim/core/math_mode.hpp>
#include <clprim/runtime/engine.hpp>
#include <clprim/runtime/launch.hpp>
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
  /// Whether calls return an event.
  clprim::completion completion = clprim::completion::event;
  /// How exactly the kernels must compute (core/math_mode.hpp has the bounds).
  math_mode math = math_mode::precise;
};

/// What a call runs.
struct copy_schedule {
  copy_policy policy;
  copy_variant variant;
  launch range;
  friend bool operator==(const copy_schedule&, const copy_schedule&) = default;
};

namespace detail {

/// The options of a door whose template argument may be a policy.
template <copy_policy P> copy_options with_policy(copy_options options) {
  if constexpr (P != tuned_copy_policy) options.policy = P;
  return options;
}

/// One array of a call.
struct copy_operand {
  std::string name;
  cl_mem memory = nullptr;
  std::int64_t offset = 0;
  std::int64_t stride = 1;
  element type{};
  footprint bytes{};
};

/// The arrays of a call, the output last. Throws argument_error for counts that differ, all that
/// `check_vector` refuses, and an output that shares memory with an input without being it.
template <element_type Out, element_type... In>
std::array<copy_operand, sizeof...(In) + 1> copy_operands(const vector_view<Out>& out,
                                                          const vector_view<In>&... in) {
  const auto operand_of = []<class T>(const vector_view<T>& v, const std::string& name) {
    return copy_operand{
        name, v.memory, v.offset, v.stride, describe_element<T>(), check_vector(v, name)};
  };
  int n = 0;
  const auto input = [&](const auto& v) {
    const std::string name = "input " + std::to_string(n++);
    if (v.count != out.count) {
      throw argument_error("count of " + name, "must equal that of the output",
                           std::to_string(v.count), std::to_string(out.count) + " expected");
    }
    return operand_of(v, name);
  };
  return {input(in)..., operand_of(out, "the output")};
}

/// Kernels of a map; elements are known by their descriptions only. Each function is
/// copy_operation's.
class copy_engine : public engine {
 public:
  copy_engine(const cl::CommandQueue& queue, copy_options options, std::vector<element> in,
              const element& out);

  copy_schedule schedule(std::span<const copy_operand> all, std::int64_t count) const;
  std::string source(std::span<const copy_operand> all, std::int64_t count) const;
  void prepare(std::span<const copy_operand> all, std::int64_t count);
  std::string explain(std::span<const copy_operand> all, std::int64_t count);
  cl::Event run(std::span<const copy_operand> all, std::int64_t count, wait_list waits,
                argument_list arguments);
};

}  // namespace detail
}  // namespace clprim

#ifndef CLPRIM_COMPILED
#include <clprim/copy/operation.hpp>
#endif
