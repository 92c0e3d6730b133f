#pragma once
// How a transposition is set up, and what it asks of its engine; transpose/operation.hpp has what
// that does.

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include <clprim/core/function.hpp>
#include <clprim/core/math_mode.hpp>
#include <clprim/runtime/engine.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/transpose/in_place_policy.hpp>
#include <clprim/transpose/policy.hpp>
#include <clprim/transpose/problem.hpp>
#include <clprim/transpose/variant.hpp>

namespace clprim {

/// In place of a policy: the library chooses for device and problem.
inline constexpr transpose_policy tuned_transpose_policy{.tile_rows = 0};

/// How an operation object is set up; every member may be left out.
struct transpose_options {
  /// The policy; without one the library chooses per problem (transpose/tuned.hpp).
  std::optional<transpose_policy> policy{};
  /// That of rectangles in their own memory (transpose/in_place_policy.hpp).
  std::optional<in_place_policy> in_place{};
  /// Text applied to each element on its way: the body of a function that sees `value` (the
  /// arithmetic type of the input: float for half, float2 for complex float), for a matrix also
  /// `row` and `column` of the output, and its own parameters, and returns the output's value (by
  /// the rules of C, which do not saturate). Without text a value is converted: to integers by
  /// rounding to nearest even and saturating, NaN to 0.
  function map{};
  /// Whether calls return an event.
  clprim::completion completion = clprim::completion::event;
  /// How exactly the kernels must compute (core/math_mode.hpp has the bounds).
  math_mode math = math_mode::precise;
};

/// What a call runs; rectangles in their own memory run passes of in_place_policy instead.
struct transpose_schedule {
  transpose_policy policy;
  transpose_variant variant;
  launch range;
  friend bool operator==(const transpose_schedule&, const transpose_schedule&) = default;
};

namespace detail {

/// The options of a door whose template argument may be a policy.
template <transpose_policy P> transpose_options with_policy(transpose_options options) {
  if constexpr (P != tuned_transpose_policy) options.policy = P;
  return options;
}

/// Plans of a mover; elements are known by their descriptions only. Each function is
/// transpose_operation's.
class transpose_engine : public engine {
 public:
  transpose_engine(const cl::CommandQueue& queue, transpose_options options, const element& in,
                   const element& out);

  transpose_schedule schedule(const transpose_problem& p, bool scaled) const;
  std::string source(const transpose_problem& p, bool scaled) const;
  std::size_t workspace_bytes(const transpose_problem& p) const;
  void prepare(const transpose_problem& p, bool scaled);
  std::string explain(const transpose_problem& p);
  cl::Event run(const transpose_problem& p, std::span<const std::byte> scale, wait_list waits,
                argument_list arguments);
};

}  // namespace detail
}  // namespace clprim

#ifndef CLPRIM_COMPILED
#include <clprim/transpose/operation.hpp>
#endif
