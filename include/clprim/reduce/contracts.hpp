#pragma once
// The contract of a reduction, chosen by type around an operator. Without one of these results are
// the same, bit for bit, on every run with the same policy, device and sizes.

#include <concepts>

#include <clprim/reduce/types.hpp>

namespace clprim::op {

namespace detail {
template <class Op> inline constexpr bool is_dot = false;
template <class Op>
requires requires { Op::two_operands; }
inline constexpr bool is_dot<Op> = true;
template <class Op> inline constexpr bool is_conjugated = false;
template <class Op>
requires requires { Op::conjugated; }
inline constexpr bool is_conjugated<Op> = true;
template <class Op> inline constexpr bool is_fastest = false;
}  // namespace detail

/// A sum, mean, norm1 or real dot product whose rounding errors are summed beside it (TwoSum:
/// Knuth; TwoProduct by fma; Ogita, Rump and Oishi 2005, Sum2 and Dot2): for n elements and any
/// order
///
///     |result - exact| <= u |exact| + 4 gamma(n)^2 sum |x|,  gamma(n) = n u / (1 - n u)
///
/// with u half the spacing of the accumulator's numbers at 1, and |x y| for |x| in a dot product
/// (whose products must not be so small that their errors are denormal). Complex sums hold it in
/// each component. A mapped dot product is the compensated sum of what the map returns. Twice the
/// arithmetic of a sum and more; none of it shows where memory is the limit.
template <class Op> struct compensated {
  static_assert(
      requires { Op::adds; }, "op::compensated needs op::sum, op::mean, op::norm1 or op::dot");
  template <class T> using result = typename Op::template result<T>;
  template <class T> static reduce_part part() {
    static_assert(clprim::detail::is_floating<result<T>>,
                  "op::compensated needs a floating-point accumulator");
    static_assert(!(detail::is_dot<Op> && clprim::detail::is_complex<T>),
                  "op::compensated<op::dot> needs real elements");
    reduce_part p = Op::template part<T>();
    p.op = detail::is_dot<Op> ? reduce_operator::compensated_dot : reduce_operator::compensated_sum;
    return p;
  }
};
namespace detail {
template <class Op> inline constexpr bool is_dot<compensated<Op>> = is_dot<Op>;
}  // namespace detail

/// Whatever is fastest: states may be merged in the order in which they come, so a floating-point
/// result may differ from run to run by roundings. It opens the policies group_finish::any_order
/// and group_method::work_group to such results. Measured against the default in bench_reduce.
template <class Op> struct fastest {
  template <class T> using result = typename Op::template result<T>;
  template <class T> static reduce_part part() { return Op::template part<T>(); }
};
namespace detail {
template <class Op> inline constexpr bool is_dot<fastest<Op>> = is_dot<Op>;
template <class Op> inline constexpr bool is_conjugated<fastest<Op>> = is_conjugated<Op>;
template <class Op> inline constexpr bool is_fastest<fastest<Op>> = true;
}  // namespace detail

}  // namespace clprim::op
