#pragma once
// The operators that add or multiply, as types: `reduce<float, op::sum<>>`.

#include <concepts>

#include <clprim/reduce/types.hpp>

namespace clprim::op {

namespace detail {
using namespace clprim::detail;

/// A part that adds values of type V.
template <class V, class T> reduce_part adding() {
  static_assert(is_complex<V> == is_complex<T>,
                "the accumulator of a complex element must be complex, and of others real");
  return part_of<V, V>(reduce_operator::sum);
}

/// A part that adds magnitudes, or squares of them, in the real type V.
template <class V> reduce_part adding_magnitudes(reduce_entry entry) {
  static_assert(std::floating_point<V>, "a norm needs a floating-point accumulator");
  reduce_part p = part_of<V, V>(reduce_operator::sum);
  p.entry = entry;
  return p;
}
}  // namespace detail

/// Of all elements; A is the type it is kept and returned in (default: float for half, 64 bits for
/// integers, else the element's own; complex for complex elements).
template <class A = void> struct sum {
  static constexpr bool adds = true;
  template <class T> using result = detail::or_else<A, detail::reduce_sum_t<T>>;
  template <class T> static reduce_part part() { return detail::adding<result<T>, T>(); }
};

/// Of all elements, in the type of `sum`.
template <class A = void> struct product {
  template <class T> using result = typename sum<A>::template result<T>;
  template <class T> static reduce_part part() {
    reduce_part p = detail::adding<result<T>, T>();
    p.op = reduce_operator::product;
    return p;
  }
};

/// sum / count; in double for integers.
template <class A = void> struct mean {
  static constexpr bool adds = true;
  template <class T> using result = detail::or_else<A, detail::reduce_mean_t<T>>;
  template <class T> static reduce_part part() {
    static_assert(std::floating_point<result<T>> || detail::is_complex<result<T>>,
                  "op::mean needs a floating-point accumulator");
    reduce_part p = detail::adding<result<T>, T>();
    p.exit = reduce_exit::divide;
    p.has_identity = false;
    return p;
  }
};

/// Sum of magnitudes; real, of complex elements too.
template <class A = void> struct norm1 {
  static constexpr bool adds = true;
  template <class T> using result = detail::or_else<A, detail::reduce_norm_t<T>>;
  template <class T> static reduce_part part() {
    return detail::adding_magnitudes<result<T>>(reduce_entry::absolute);
  }
};

/// Root of the sum of squared magnitudes. Squares are not scaled: past the root of the largest
/// number of the accumulator the result is infinite; op::norm2<double> takes any float.
template <class A = void> struct norm2 {
  template <class T> using result = detail::or_else<A, detail::reduce_norm_t<T>>;
  template <class T> static reduce_part part() {
    reduce_part p = detail::adding_magnitudes<result<T>>(reduce_entry::square);
    p.exit = reduce_exit::root;
    return p;
  }
};

/// Largest magnitude; 0 of nothing.
struct norm_max {
  template <class T> using result = detail::reduce_norm_t<T>;
  template <class T> static reduce_part part() {
    reduce_part p = detail::adding_magnitudes<result<T>>(reduce_entry::absolute);
    p.op = reduce_operator::max;
    return p;
  }
};

/// Sum of x y of two operands (call with both); of complex numbers neither is conjugated.
template <class A = void> struct dot {
  static constexpr bool adds = true;
  static constexpr bool two_operands = true;
  template <class T> using result = typename sum<A>::template result<T>;
  template <class T> static reduce_part part() { return sum<A>::template part<T>(); }
};

/// Sum of conj(x) y of two complex operands (BLAS dotc).
template <class A = void> struct dotc {
  static constexpr bool adds = true;
  static constexpr bool two_operands = true;
  static constexpr bool conjugated = true;
  template <class T> using result = typename sum<A>::template result<T>;
  template <class T> static reduce_part part() {
    static_assert(detail::is_complex<T>, "op::dotc needs complex elements; others take op::dot");
    return sum<A>::template part<T>();
  }
};

/// Mean and variance in one stable pass (Welford 1962 within an item; Chan, Golub and LeVeque 1979
/// between items); both NaN of nothing, as in an empty ragged segment.
template <class A = void> struct variance {
  template <class T> using value = detail::or_else<A, detail::reduce_mean_t<T>>;
  template <class T> using result = moments<value<T>>;
  template <class T> static reduce_part part() {
    static_assert(std::floating_point<value<T>> && detail::ordered<T>,
                  "op::variance needs real elements and a floating-point accumulator");
    reduce_part p = detail::part_of<value<T>, result<T>>(reduce_operator::variance);
    p.has_identity = false;
    return p;
  }
};

}  // namespace clprim::op
