#pragma once
// The operators as types: `reduce<float, op::sum<>>`, `reduce<half, op::argmax>`,
// `reduce<float, op::several<op::min_max, op::mean<>>>`.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>

#include <clprim/reduce/reduction.hpp>

namespace clprim::op {

/// Of all elements; A is the type it is kept and returned in (default: float for half, 64 bits for
/// integers, else the element's own).
template <class A = void> struct sum {
  static constexpr bool adds = true;
  template <class T> using result = clprim::detail::or_else<A, clprim::detail::reduce_sum_t<T>>;
  template <class T> static reduce_part part() {
    return clprim::detail::part_of<result<T>, result<T>>(reduce_operator::sum);
  }
};

/// Of all elements, in the type of `sum`.
template <class A = void> struct product {
  template <class T> using result = clprim::detail::or_else<A, clprim::detail::reduce_sum_t<T>>;
  template <class T> static reduce_part part() {
    return clprim::detail::part_of<result<T>, result<T>>(reduce_operator::product);
  }
};

/// sum / count; in double for integers.
template <class A = void> struct mean {
  static constexpr bool adds = true;
  template <class T> using result = clprim::detail::or_else<A, clprim::detail::reduce_mean_t<T>>;
  template <class T> static reduce_part part() {
    static_assert(std::floating_point<result<T>>, "op::mean needs a floating-point accumulator");
    reduce_part p = clprim::detail::part_of<result<T>, result<T>>(reduce_operator::sum);
    p.exit = reduce_exit::divide;
    p.has_identity = false;
    return p;
  }
};

/// Sum of magnitudes.
template <class A = void> struct norm1 {
  static constexpr bool adds = true;
  template <class T> using result = clprim::detail::or_else<A, clprim::detail::reduce_mean_t<T>>;
  template <class T> static reduce_part part() {
    static_assert(std::floating_point<result<T>>, "op::norm1 needs a floating-point accumulator");
    reduce_part p = clprim::detail::part_of<result<T>, result<T>>(reduce_operator::sum);
    p.entry = reduce_entry::absolute;
    return p;
  }
};

/// Root of the sum of squares. Squares are not scaled: past the root of the largest number of the
/// accumulator the result is infinite; op::norm2<double> takes any float.
template <class A = void> struct norm2 {
  template <class T> using result = clprim::detail::or_else<A, clprim::detail::reduce_mean_t<T>>;
  template <class T> static reduce_part part() {
    reduce_part p = mean<A>::template part<T>();
    p.entry = reduce_entry::square;
    p.exit = reduce_exit::root;
    p.has_identity = true;
    return p;
  }
};

/// Largest magnitude; 0 of nothing.
struct norm_max {
  template <class T> using result = clprim::detail::or_else<void, clprim::detail::reduce_mean_t<T>>;
  template <class T> static reduce_part part() {
    reduce_part p = clprim::detail::part_of<result<T>, result<T>>(reduce_operator::max);
    p.entry = reduce_entry::absolute;
    return p;
  }
};

/// Sum of x y of two operands (call with both).
template <class A = void> struct dot {
  static constexpr bool two_operands = true;
  template <class T> using result = clprim::detail::or_else<A, clprim::detail::reduce_sum_t<T>>;
  template <class T> static reduce_part part() { return sum<A>::template part<T>(); }
};

/// The smallest element. -0 and +0 are equal. An empty input is an error.
struct min {
  template <class T> using result = clprim::detail::reduce_value_t<T>;
  template <class T> static reduce_part part() {
    reduce_part p = clprim::detail::part_of<result<T>, result<T>>(reduce_operator::min);
    p.has_identity = false;
    return p;
  }
};

/// The largest element; as `min`.
struct max {
  template <class T> using result = clprim::detail::reduce_value_t<T>;
  template <class T> static reduce_part part() {
    reduce_part p = min::part<T>();
    p.op = reduce_operator::max;
    return p;
  }
};

/// Both, in one pass.
struct min_max {
  template <class T> using result = extremes<clprim::detail::reduce_value_t<T>>;
  template <class T> static reduce_part part() {
    using V = clprim::detail::reduce_value_t<T>;
    reduce_part p = clprim::detail::part_of<V, result<T>>(reduce_operator::min_max, 2);
    p.has_identity = false;
    return p;
  }
};

/// The smallest element and the lowest index at which it is. With nan_rule::ignore and nothing but
/// NaN the index is -1.
struct argmin {
  template <class T> using result = located<clprim::detail::reduce_value_t<T>>;
  template <class T> static reduce_part part() {
    reduce_part p = clprim::detail::part_of<clprim::detail::reduce_value_t<T>, result<T>>(
        reduce_operator::argmin);
    p.state_bytes = 16;
    p.state_align = 8;
    p.has_identity = false;
    return p;
  }
};

/// The largest element and the lowest index at which it is; as `argmin`.
struct argmax {
  template <class T> using result = located<clprim::detail::reduce_value_t<T>>;
  template <class T> static reduce_part part() {
    reduce_part p = argmin::part<T>();
    p.op = reduce_operator::argmax;
    return p;
  }
};

namespace detail {
template <class T, class R> reduce_part counting(reduce_operator op) {
  reduce_part p = clprim::detail::part_of<clprim::detail::reduce_value_t<T>, R>(op);
  p.state_bytes = p.state_align = 8;
  return p;
}
}  // namespace detail

/// 1 when an element is not zero, else 0; 0 of nothing.
struct any {
  template <class T> using result = std::int32_t;
  template <class T> static reduce_part part() {
    return detail::counting<T, std::int32_t>(reduce_operator::any);
  }
};

/// 1 when no element is zero, else 0; 1 of nothing.
struct all {
  template <class T> using result = std::int32_t;
  template <class T> static reduce_part part() {
    return detail::counting<T, std::int32_t>(reduce_operator::all);
  }
};

/// How many elements are not zero: with a map such as "return x > 3;" how many satisfy it.
struct count {
  template <class T> using result = std::int64_t;
  template <class T> static reduce_part part() {
    return detail::counting<T, std::int64_t>(reduce_operator::count);
  }
};

/// Mean and variance in one stable pass (Welford 1962 within an item; Chan, Golub and LeVeque 1979
/// between items).
template <class A = void> struct variance {
  template <class T> using value = clprim::detail::or_else<A, clprim::detail::reduce_mean_t<T>>;
  template <class T> using result = moments<value<T>>;
  template <class T> static reduce_part part() {
    reduce_part p = clprim::detail::part_of<value<T>, result<T>>(reduce_operator::variance, 2);
    static_assert(std::floating_point<value<T>>, "op::variance needs a floating-point accumulator");
    p.state_bytes += 8;
    p.state_align = 8;
    p.has_identity = false;
    return p;
  }
};

/// A sum, mean or norm1 whose rounding errors are summed beside it (TwoSum: Knuth; Ogita, Rump and
/// Oishi 2005, Sum2): for n elements and any order
///
///     |result - exact| <= u |exact| + 4 gamma(n)^2 sum |x|,  gamma(n) = n u / (1 - n u)
///
/// with u half the spacing of the accumulator's numbers at 1. Twice the arithmetic of a sum and
/// more; none of it shows where memory is the limit.
template <class Op> struct compensated {
  static_assert(
      requires { Op::adds; }, "op::compensated needs op::sum, op::mean or op::norm1");
  template <class T> using result = typename Op::template result<T>;
  template <class T> static reduce_part part() {
    static_assert(std::floating_point<result<T>>,
                  "op::compensated needs a floating-point accumulator");
    reduce_part p = Op::template part<T>();
    p.op = reduce_operator::compensated_sum;
    p.state_bytes = 2 * p.value_bytes;
    return p;
  }
};

/// Several operators in one pass over the data; the result is a std::tuple on the host, and on the
/// device a C structure of the results in this order.
template <class... Ops> struct several {
  static_assert(sizeof...(Ops) > 0);
  template <class T> using result = std::tuple<typename Ops::template result<T>...>;
};

/// An operator in OpenCL C text on states of type S: see reduce_options::user.
template <class S> struct user {
  static_assert(std::is_trivially_copyable_v<S>, "op::user needs a trivially copyable state");
  template <class T> using result = S;
};

namespace detail {

constexpr std::size_t aligned_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

/// How an operator's results lie in device memory, and how they come to the host.
template <class Op, class T> struct results {
  using type = typename Op::template result<T>;
  static constexpr std::size_t bytes = sizeof(type);
  static std::vector<reduce_part> parts() { return {Op::template part<T>()}; }
  static type read(const std::byte* from) {
    type value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
};

template <class S, class T> struct results<user<S>, T> {
  using type = S;
  static constexpr std::size_t bytes = sizeof(S);
  static std::vector<reduce_part> parts() {
    reduce_part p;
    p.op = reduce_operator::user;
    p.floating = false;
    p.result_bytes = p.state_bytes = static_cast<int>(sizeof(S));
    p.result_align = p.state_align = static_cast<int>(alignof(S));
    return {p};
  }
  static S read(const std::byte* from) {
    S value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
};

template <class... Ops, class T> struct results<several<Ops...>, T> {
  using type = typename several<Ops...>::template result<T>;
  static constexpr std::size_t align = std::max({alignof(typename Ops::template result<T>)...});
  static constexpr std::size_t bytes = [] {
    std::size_t at = 0;
    ((at = aligned_up(at, alignof(typename Ops::template result<T>)) +
           sizeof(typename Ops::template result<T>)),
     ...);
    return aligned_up(at, align);
  }();
  static std::vector<reduce_part> parts() { return {Ops::template part<T>()...}; }
  static type read(const std::byte* from) {
    std::size_t at = 0;
    const auto next = [&]<class R>(R value) {
      at = aligned_up(at, alignof(R));
      std::memcpy(&value, from + at, sizeof value);
      at += sizeof value;
      return value;
    };
    return type{next(typename Ops::template result<T>{})...};
  }
};

}  // namespace detail

}  // namespace clprim::op
