#pragma once
// Reductions: many elements to one value, for arrays, rows, columns, any axis and segments.

#include <clprim/core/language.hpp>

#include <utility>

#include <clprim/reduce/operation.hpp>

namespace clprim {

/// In place of a policy: the library chooses for device and problem.
inline constexpr reduce_policy tuned_reduce_policy{.group = 0};

/// Reductions of elements of type T by an operator on one queue. T is half, float, double, a
/// complex number of the latter two or an integer, but no bool; with op::user any trivially
/// copyable type. Operators that may be told their accumulator are templates and are written with
/// <>: op::mean<> or op::mean<double>.
///
///     clprim::reduce<float> sum(queue);
///     float total = sum.value(clprim::whole<float>(buffer, n));                  // waits
///     clprim::reduce<float, clprim::op::argmax> best(queue);
///     cl::Event done = best(clprim::each_row(clprim::matrix<float>(buffer, m, n)), results);
///
/// An output buffer holds one result of the operator after the other, `result_bytes` each, as they
/// are on the host: a number, `extremes` of op::min_max, `located` (value and index) of op::argmin
/// and op::argmax, `moments` (mean and variance) of op::variance, a structure of op::several.
///
/// Results are the same, bit for bit, on every run with the same policy, device and sizes: states
/// are always put together in the same order. op::fastest<op::sum<>> gives that up;
/// op::compensated<op::sum<>> promises an error bound as of twice the precision. With a policy as
/// template argument one that breaks a rule does not compile.
template <class T, class Op = op::sum<>, reduce_policy P = tuned_reduce_policy>
class reduce : public detail::reduce_operation<T, Op> {
 public:
  static_assert(P == tuned_reduce_policy || checked(P) == P);

  /// On this queue; see reduce_options. Throws as reduce_operation.
  explicit reduce(const queue_handle& queue, reduce_options options = {})
    : detail::reduce_operation<T, Op>(queue, with_policy(std::move(options))) {}

 private:
  static reduce_options with_policy(reduce_options options) {
    if constexpr (P != tuned_reduce_policy) options.policy = P;
    return options;
  }
};

}  // namespace clprim
