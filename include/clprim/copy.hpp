#pragma once
// Elementwise maps: out[i] = f(x0[i], x1[i], …), and the copy, the roof of all that moves data.

#include <clprim/core/language.hpp>

#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <clprim/copy/engine.hpp>

namespace clprim {

/// Maps of arrays of In… to an array of Out on one queue; types of 1, 2, 4, 8 or 16 bytes.
///
///     clprim::map<float, float, float> axpy(
///         queue, {.map = {"return a * x0 + x1;", {clprim::value<float>("a")}}});
///     cl::Event done = axpy({x, y}, y, {}, {2.f});      // y = 2 x + y
///
/// Inputs stand in braces, one input too: they come before the output, as at every door, and an
/// array without braces is never taken for them.
template <element_type Out, element_type... In> class map : public door<detail::copy_engine> {
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
  using output = vector_view<Out>;

  /// On this queue; nothing is built before the first call asks for it. For one thread at a time.
  /// Throws policy_error for a policy that breaks its rules or does not fit the device,
  /// argument_error for elements that cannot be moved or mapped and for a function that is none,
  /// device_error for a map of double where there is none.
  explicit map(const queue_handle& queue, copy_options options = {})
    : door(queue, with_function(std::move(options), std::index_sequence_for<In...>{}),
           std::vector<element>{describe_element<In>()...}, describe_element<Out>()) {}

  /// Enqueues out[i] = f(x0[i], x1[i], …) and returns its event. All arrays have one count, each
  /// its own stride and offset; an input may be the output itself, which maps it in place (scale,
  /// axpy), else they share no element. Runs after `waits`, on out-of-order queues too; `arguments`
  /// are those of the function's parameters. Throws argument_error before anything is enqueued,
  /// build_error at the first call of a kind, opencl_error.
  cl::Event operator()(const inputs& in, const output& out, wait_list waits = {},
                       argument_list arguments = {}) {
    return engine_.run(operands(in, out), out.count, waits, arguments);
  }
  /// Builds what such a call runs.
  void prepare(const inputs& in, const output& out) {
    engine_.prepare(operands(in, out), out.count);
  }
  /// What it runs, as a value: policy, variant, launch.
  copy_schedule schedule(const inputs& in, const output& out) const {
    return engine_.schedule(operands(in, out), out.count);
  }
  /// The same for a person.
  std::string explain(const inputs& in, const output& out) {
    return engine_.explain(operands(in, out), out.count);
  }
  /// The OpenCL C source that it runs.
  std::string source(const inputs& in, const output& out) const {
    return engine_.source(operands(in, out), out.count);
  }
  /// Bytes of workspace of a call: none.
  std::size_t workspace_bytes(const inputs& in, const output& out) const {
    operands(in, out);
    return 0;
  }

 private:
  template <std::size_t... N>
  static copy_options with_function(copy_options options, std::index_sequence<N...>) {
    const std::array<std::string, sizeof...(N)> names{"x" + std::to_string(N)...};
    check_function(options.map, "the map", {"index", names[N]...});
    return options;
  }
  static auto operands(const inputs& in, const output& out) {
    return std::apply([&](const auto&... x) { return detail::copy_operands(out, x...); },
                      in.arrays);
  }
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
  explicit map_with(const queue_handle& queue, copy_options options = {})
    : map<Out, In...>(queue, detail::with_policy<P>(std::move(options))) {}
};

/// Copies on one queue: out[i] = in[i], any strides and offsets.
///
///     clprim::copy<float> duplicate(queue);
///     duplicate(from, to);
template <element_type T, copy_policy P = tuned_copy_policy>
class copy : public door<detail::copy_engine> {
  static_assert(P == tuned_copy_policy || checked(P) == P);
  using array = vector_view<T>;

 public:
  /// As `map`; see copy_options.
  explicit copy(const queue_handle& queue, copy_options options = {})
    : door(queue, without_function(std::move(options)), std::vector<element>{describe_element<T>()},
           describe_element<T>()) {}

  /// Enqueues the copy and returns its event; throws as a map's call.
  cl::Event operator()(const array& from, const array& to, wait_list waits = {}) {
    return engine_.run(detail::copy_operands(to, from), to.count, waits, {});
  }
  /// As those of `map`.
  void prepare(const array& from, const array& to) {
    engine_.prepare(detail::copy_operands(to, from), to.count);
  }
  copy_schedule schedule(const array& from, const array& to) const {
    return engine_.schedule(detail::copy_operands(to, from), to.count);
  }
  std::string explain(const array& from, const array& to) {
    return engine_.explain(detail::copy_operands(to, from), to.count);
  }
  std::string source(const array& from, const array& to) const {
    return engine_.source(detail::copy_operands(to, from), to.count);
  }
  std::size_t workspace_bytes(const array& from, const array& to) const {
    detail::copy_operands(to, from);
    return 0;
  }

 private:
  static copy_options without_function(copy_options options) {
    if (options.map.empty()) return detail::with_policy<P>(std::move(options));
    throw argument_error("a copy", "must have no function", "a map", "clprim::map");
  }
};

}  // namespace clprim
