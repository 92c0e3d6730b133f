#pragma once
// Elementwise maps: out[i] = f(x0[i], x1[i], …), and the copy, the roof of all that moves data.

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include <clprim/copy/operation.hpp>

namespace clprim {

/// Maps of arrays of In… to an array of Out on one queue; types of 1, 2, 4, 8 or 16 bytes.
///
///     clprim::map<float, float, float> axpy(
///         queue, {.map = {"return a * x0 + x1;", {clprim::value<float>("a")}}});
///     cl::Event done = axpy({x, y}, y, {}, {2.f});      // y = 2 x + y
///
/// Inputs stand in braces, one input too: they come before the output, as at every door, and an
/// array without braces is never taken for them.
template <element_type Out, element_type... In> class map {
  static_assert(sizeof...(In) >= 1 && sizeof...(In) <= 16, "a map has 1 to 16 inputs");

 public:
  /// One input. A view becomes one, but no view becomes `inputs`: that would take two conversions.
  template <element_type T> struct input {
    vector_view<T> view;
    input(const vector_view<T>& array) : view(array) {}
  };
  /// The inputs of a call: {x0, x1, …}.
  struct inputs {
    std::tuple<vector_view<In>...> arrays;
    inputs(const input<In>&... each) : arrays(each.view...) {}
  };

  /// On this queue; nothing is built before the first call asks for it. For one thread at a time.
  /// Throws policy_error for a policy that breaks its rules or does not fit the device,
  /// argument_error for elements that cannot be moved or mapped, device_error for a map of double
  /// where there is none.
  explicit map(const cl::CommandQueue& queue, copy_options options = {})
    : engine_(queue, std::move(options), {describe_element<In>()...}, describe_element<Out>()) {}

  /// Enqueues out[i] = f(x0[i], x1[i], …) of inputs {x0, x1, …} and returns its event. All arrays have one count, each
  /// its own stride and offset; an input may be the output itself, which maps it in place (scale,
  /// axpy), else they share no element. Runs after `waits`, on
  /// out-of-order queues too; `arguments` are those of the function's parameters. Throws
  /// argument_error before anything is enqueued, build_error at the first call of a kind,
  /// opencl_error.
  cl::Event operator()(const inputs& in, const vector_view<Out>& out,
                       std::span<const cl::Event> waits = {},
                       std::span<const argument> arguments = {}) {
    return engine_.run(operands(in, out), out.count, waits, arguments);
  }
  cl::Event operator()(const inputs& in, const vector_view<Out>& out,
                       std::span<const cl::Event> waits,
                       std::initializer_list<argument> arguments) {
    return (*this)(in, out, waits, std::span(arguments.begin(), arguments.size()));
  }

  /// The policy that a map of these arrays runs with.
  copy_policy policy(const inputs& in, const vector_view<Out>& out) const {
    return engine_.policy(operands(in, out), out.count);
  }
  /// The OpenCL C source that it runs.
  std::string source(const inputs& in, const vector_view<Out>& out) const {
    return engine_.source(operands(in, out), out.count);
  }
  /// The facts of the device it runs on.
  const device_facts& device() const { return engine_.device(); }

 private:
  static std::array<detail::copy_operand, sizeof...(In) + 1> operands(const inputs& in,
                                                                      const vector_view<Out>& out) {
    return std::apply(
        [&](const auto&... view) {
          int n = 0;
          const auto checked_input = [&](const auto& one) {
            const std::string name = "input " + std::to_string(n++);
            if (one.count != out.count) {
              throw argument_error("count of " + name, "must equal that of the output",
                                   std::to_string(one.count),
                                   std::to_string(out.count) + " expected");
            }
            return detail::operand_of(one, name);
          };
          return std::array<detail::copy_operand, sizeof...(In) + 1>{
              checked_input(view)..., detail::operand_of(out, "the output")};
        },
        in.arrays);
  }

  detail::copy_engine engine_;
};

/// A map whose policy is a template argument: one that breaks a rule does not compile. (The policy
/// comes first, as a list of types may not stand before it.)
///
///     constexpr clprim::copy_policy mine{.items = 128, .vector = 4, .per_item = 8};
///     clprim::map_with<mine, float, float> twice(queue, {.map = {"return 2 * x0;", {}}});
template <copy_policy P, element_type Out, element_type... In>
class map_with : public map<Out, In...> {
  static_assert(checked(P) == P);

 public:
  /// As `map`, but for the policy.
  explicit map_with(const cl::CommandQueue& queue, copy_options options = {})
    : map<Out, In...>(queue, detail::with_policy<P>(std::move(options))) {}
};

/// Copies on one queue: out[i] = in[i], any strides and offsets.
///
///     clprim::copy<float> duplicate(queue);
///     duplicate(from, to);
template <element_type T, copy_policy P = tuned_copy_policy> class copy {
  static_assert(P == tuned_copy_policy || checked(P) == P);

 public:
  /// As `map`; see copy_options.
  explicit copy(const cl::CommandQueue& queue, copy_options options = {})
    : map_(queue, detail::with_policy<P>(std::move(options))) {}
  /// Enqueues the copy and returns its event; throws as a map's call.
  cl::Event operator()(const vector_view<T>& from, const vector_view<T>& to,
                       std::span<const cl::Event> waits = {}) {
    return map_({from}, to, waits);
  }
  /// The policy that a copy of these arrays runs with.
  copy_policy policy(const vector_view<T>& from, const vector_view<T>& to) const {
    return map_.policy({from}, to);
  }

 private:
  map<T, T> map_;
};

}  // namespace clprim
