#pragma once
// The operators that compare and count, as types: `reduce<half, op::argmax>`.

#include <clprim/reduce/types.hpp>

namespace clprim::op {

namespace detail {
/// A part that compares elements, with results of type R.
template <class T, class R> reduce_part comparing(reduce_operator op, bool has_identity = false) {
  static_assert(clprim::detail::ordered<T>, "this operator needs real numbers or integers");
  reduce_part p = clprim::detail::part_of<clprim::detail::reduce_value_t<T>, R>(op);
  p.has_identity = has_identity;
  return p;
}
}  // namespace detail

/// The smallest element. -0 and +0 are equal. An empty input is an error.
struct min {
  template <class T> using result = clprim::detail::reduce_value_t<T>;
  template <class T> static reduce_part part() {
    return detail::comparing<T, result<T>>(reduce_operator::min);
  }
};

/// The largest element; as `min`.
struct max {
  template <class T> using result = clprim::detail::reduce_value_t<T>;
  template <class T> static reduce_part part() {
    return detail::comparing<T, result<T>>(reduce_operator::max);
  }
};

/// Both, in one pass.
struct min_max {
  template <class T> using result = extremes<clprim::detail::reduce_value_t<T>>;
  template <class T> static reduce_part part() {
    return detail::comparing<T, result<T>>(reduce_operator::min_max);
  }
};

/// The smallest element and the lowest index at which it is. With nan_rule::ignore and nothing but
/// NaN the index is -1.
struct argmin {
  template <class T> using result = located<clprim::detail::reduce_value_t<T>>;
  template <class T> static reduce_part part() {
    return detail::comparing<T, result<T>>(reduce_operator::argmin);
  }
};

/// The largest element and the lowest index at which it is; as `argmin`.
struct argmax {
  template <class T> using result = located<clprim::detail::reduce_value_t<T>>;
  template <class T> static reduce_part part() {
    return detail::comparing<T, result<T>>(reduce_operator::argmax);
  }
};

/// 1 when an element is not zero, else 0; 0 of nothing.
struct any {
  template <class T> using result = std::int32_t;
  template <class T> static reduce_part part() {
    return detail::comparing<T, result<T>>(reduce_operator::any, true);
  }
};

/// 1 when no element is zero, else 0; 1 of nothing.
struct all {
  template <class T> using result = std::int32_t;
  template <class T> static reduce_part part() {
    return detail::comparing<T, result<T>>(reduce_operator::all, true);
  }
};

/// How many elements are not zero: with a map such as "return x > 3;" how many satisfy it.
struct count {
  template <class T> using result = std::int64_t;
  template <class T> static reduce_part part() {
    return detail::comparing<T, result<T>>(reduce_operator::count, true);
  }
};

}  // namespace clprim::op
