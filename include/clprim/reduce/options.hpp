#pragma once
// How a reduction is set up, and what it then is.

#include <optional>
#include <string>

#include <clprim/core/math_mode.hpp>
#include <clprim/reduce/operators.hpp>
#include <clprim/reduce/policy.hpp>
#include <clprim/runtime/launch.hpp>

namespace clprim {

/// The text of op::user<S> and of element types that are no numbers. It stands before the library's
/// own and may name what it declares, and parameters, as it likes, but for names with clprim_ in
/// front.
struct user_text {
  std::string declarations{};  ///< OpenCL C in front: structures, functions
  std::string element{};       ///< the OpenCL C type of an element; empty: that of T
  std::string state{};         ///< the OpenCL C type of S
  std::string combine{};       ///< body of S f(S a, S b): associative and commutative
  std::string identity{};      ///< an expression of type S; empty: there is none
};

/// How an operation object is set up; every member may be left out.
struct reduce_options {
  /// The policy; without one the library chooses per problem (reduce/tuned.hpp).
  std::optional<reduce_policy> policy{};
  /// Body of a function of an element `x` (float for half; with op::dot of `x` and `y`, in the type
  /// of the result) and its `long index` along what is reduced; returns what is reduced instead: a
  /// value of the type of x, of op::user<S> a state. Sees its own parameters, under any other name.
  function map{};
  /// What happens to NaN. Where it is ignored, a mean or variance is that of the numbers alone, NaN
  /// of none. Refused of complex elements and by op::user.
  nan_rule nan = nan_rule::propagate;
  user_text user{};
  /// completion::none: calls return a null event, which takes less of the host's time. On in-order
  /// queues only.
  clprim::completion completion = clprim::completion::event;
  /// How exactly the kernels must compute (core/math_mode.hpp has the bounds). Only precise
  /// keeps compensated sums, and NaN apart.
  math_mode math = math_mode::precise;
};

}  // namespace clprim

namespace clprim::detail {

inline void require_text(const std::string& text, const char* what) {
  if (!text.empty()) return;
  throw argument_error(std::string(what) + " in reduce_options::user", "must not be empty", "''",
                       "OpenCL C text expected");
}

/// Compensated sums live on the order of their additions, and the rule of NaN on NaN.
template <class Parts> void require_precise(const reduce_options& options, const Parts& parts) {
  if (options.math == math_mode::precise) return;
  const auto refuse = [&](const char* why) {
    throw argument_error("math", std::string("must be precise for ") + why, to_string(options.math),
                         "math_mode::precise");
  };
  if (options.nan == nan_rule::ignore) refuse("nan_rule::ignore");
  for (const reduce_part& p : parts) {
    if (p.op == reduce_operator::compensated_sum || p.op == reduce_operator::compensated_dot)
      refuse("compensated sums");
  }
}

/// What `reduce<T, Op>` computes under these options. Throws argument_error where they do not fit.
template <class T, class Op> reduction reduction_of(const reduce_options& options) {
  using stored_results = op::detail::results<Op, T>;
  reduction what;
  if constexpr (reducible<T>) {
    what.element = reduce_element_of<T>();
  } else {
    what.element.stored = what.element.compute = options.user.element;
    what.element.bytes = static_cast<int>(sizeof(T));
    what.element.is_struct = true;
    require_text(options.user.element, "type of the element");
  }
  what.parts = stored_results::parts();
  detail::require_precise(options, what.parts);
  if constexpr (op::detail::is_dot<Op>)
    check_function(options.map, "the map", {"x", "y", "index"});
  else
    check_function(options.map, "the map", {"x", "index"});
  what.nan = options.nan;
  what.map = options.map;
  what.two_operands = op::detail::is_dot<Op>;
  what.conjugated = op::detail::is_conjugated<Op>;
  what.may_vary_between_runs = op::detail::is_fastest<Op>;
  if (what.parts[0].op == reduce_operator::compensated_dot && !options.map.empty())
    what.parts[0].op = reduce_operator::compensated_sum;
  if (what.parts[0].op == reduce_operator::user) {
    require_text(options.user.state, "type of the state");
    require_text(options.user.combine, "operator");
    check_function({options.user.combine, {}}, "the operator", {"a", "b"});
    if (!options.user.identity.empty())
      check_function({"return " + options.user.identity + ";", {}}, "the identity");
    what.declarations = options.user.declarations;
    what.state = options.user.state;
    what.combine = options.user.combine;
    what.identity = options.user.identity;
    what.parts[0].has_identity = !what.identity.empty();
  } else if (!reducible<T>) {
    throw argument_error("operator", "must be op::user for elements that are no numbers",
                         "another operator", "op::user<state>");
  }
  if (what.nan == nan_rule::ignore && what.element.is_complex) {
    throw argument_error("nan_rule::ignore", "must not be asked of complex elements",
                         "nan_rule::ignore", "nan_rule::propagate, or a map");
  }
  if (what.nan == nan_rule::ignore && what.parts[0].op == reduce_operator::user) {
    throw argument_error("nan_rule::ignore", "must not be asked of op::user", "nan_rule::ignore",
                         "nan_rule::propagate, or a map");
  }
  for (reduce_part& p : what.parts) {
    p.counts = what.nan == nan_rule::ignore &&
               (p.exit == reduce_exit::divide || p.op == reduce_operator::variance);
  }
  return what;
}

}  // namespace clprim::detail
