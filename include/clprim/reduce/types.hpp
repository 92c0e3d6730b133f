#pragma once
// Element types and result types of reductions in C++, and how they are named in OpenCL C.

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include <clprim/core/function.hpp>
#include <clprim/core/scalar.hpp>
#include <clprim/reduce/reduction.hpp>

namespace clprim {

/// The smallest and the largest element: the result of op::min_max, on the device and on the host.
template <class T> struct extremes {
  T least;
  T greatest;
  friend bool operator==(const extremes&, const extremes&) = default;
};

/// The result of op::argmin and op::argmax, on the device and on the host: an element and its index
/// along what is reduced, which begins at 0 in each row, column or segment; the lowest one of equal
/// elements. 16 bytes each, of 4-byte values 4 of them unused.
template <class T> struct located {
  T value;
  std::int64_t index;
  friend bool operator==(const located&, const located&) = default;
};

/// The result of op::variance, on the device and on the host: mean and variance (the mean of
/// squared distances from the mean: n, not n - 1, divides).
template <class T> struct moments {
  T mean;
  T variance;
  friend bool operator==(const moments&, const moments&) = default;
};

namespace detail {

template <class T>
inline constexpr bool is_complex =
    complex_of<T, float> || complex_of<T, double> || complex_of<T, long double>;

/// Elements that the library knows; others are the user's structures.
template <class T>
concept reducible = argument_type<T>;

/// Elements that have an order.
template <class T>
concept ordered = reducible<T> && !is_complex<T>;

template <class T>
constexpr bool is_floating = std::same_as<T, half> || std::floating_point<T> || is_complex<T>;

/// The type in which single elements are compared and multiplied: at least 32 bits.
template <class T> struct reduce_value {
  using small = std::conditional_t<std::signed_integral<T>, std::int32_t, std::uint32_t>;
  using type = std::conditional_t<(sizeof(T) < 4), small, T>;
};
template <> struct reduce_value<half> { using type = float; };

/// The type in which sums are kept: 64 bits for integers.
template <class T> struct reduce_sum {
  using type = std::conditional_t<std::signed_integral<T>, std::int64_t, std::uint64_t>;
};
template <> struct reduce_sum<half> { using type = float; };
template <> struct reduce_sum<float> { using type = float; };
template <> struct reduce_sum<double> { using type = double; };
template <class T>
requires is_complex<T>
struct reduce_sum<T> {
  using type = T;
};

/// Of a magnitude: a real.
template <class T> struct real_of { using type = T; };
template <class T>
requires is_complex<T>
struct real_of<T> {
  using type = typename T::value_type;
};

template <class T> using reduce_value_t = typename reduce_value<T>::type;
template <class T> using reduce_sum_t = typename reduce_sum<T>::type;
/// The type of a mean: floating point.
template <class T>
using reduce_mean_t = std::conditional_t<is_floating<T>, reduce_sum_t<T>, double>;
template <class T> using reduce_norm_t = typename real_of<reduce_mean_t<T>>::type;

/// `Wanted`, or what the element type suggests.
template <class Wanted, class Otherwise>
using or_else = std::conditional_t<std::is_void_v<Wanted>, Otherwise, Wanted>;

/// A part whose arithmetic is in V and whose result is R.
template <class V, class R> reduce_part part_of(reduce_operator op) {
  reduce_part p;
  p.op = op;
  p.value = std::string(opencl_name<V>());
  p.real = std::string(opencl_name<typename real_of<V>::type>());
  p.value_bytes = static_cast<int>(sizeof(V));
  p.floating = is_floating<V>;
  p.result_bytes = static_cast<int>(sizeof(R));
  return p;
}

}  // namespace detail

/// The element type T as the source generator needs it.
template <detail::reducible T> reduce_element reduce_element_of() {
  reduce_element e;
  e.stored = std::string(opencl_name<T>());
  e.compute = std::same_as<T, half> ? "float" : e.stored;
  e.bytes = static_cast<int>(sizeof(T));
  e.is_complex = detail::is_complex<T>;
  return e;
}

}  // namespace clprim
