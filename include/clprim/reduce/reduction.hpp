#pragma once
// What a reduction computes, as a value: element, operators, map. No OpenCL here.

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <clprim/core/function.hpp>
#include <clprim/core/scalar.hpp>

namespace clprim {

/// What happens to NaN among the elements.
enum class nan_rule {
  propagate,  ///< one NaN makes the result NaN (of argmin and argmax: the first NaN is the answer)
  ignore,     ///< as if it were not there; nothing but NaN gives what an operator says
};

/// The operators by name; `user` is OpenCL C text.
enum class reduce_operator {
  sum,
  compensated_sum,
  product,
  min,
  max,
  min_max,
  argmin,
  argmax,
  any,
  all,
  count,
  variance,
  user,
};

/// How the value of an element enters an operator.
enum class reduce_entry { plain, absolute, square };

/// What becomes of the state at the end.
enum class reduce_exit { plain, divide, root };

/// One of the results of a pass over the data.
struct reduce_part {
  reduce_operator op = reduce_operator::sum;
  reduce_entry entry = reduce_entry::plain;
  reduce_exit exit = reduce_exit::plain;
  std::string value = "float";  ///< arithmetic type in OpenCL C, 4 or 8 bytes
  int value_bytes = 4;
  bool floating = true;
  int result_bytes = 4;
  int result_align = 4;
  int state_bytes = 4;  ///< of what travels between work-items
  int state_align = 4;
  bool has_identity = true;  ///< an empty input has a result

  friend bool operator==(const reduce_part&, const reduce_part&) = default;
};

/// An element as stored.
struct reduce_element {
  std::string stored = "float";   ///< in memory
  std::string compute = "float";  ///< as a map sees it
  int bytes = 4;
  bool is_struct = false;  ///< of the user's: read one by one
  bool needs_fp64 = false;

  friend bool operator==(const reduce_element&, const reduce_element&) = default;
};

/// A reduction: all that its source says besides policy and shape.
struct reduction {
  reduce_element element{};
  std::vector<reduce_part> parts{};
  bool two_operands = false;  ///< dot: of x and y
  nan_rule nan = nan_rule::propagate;
  function map{};  ///< body; sees x (and y) and `long index`, returns the value that is reduced
  // For reduce_operator::user only: text of the caller's.
  std::string declarations{};  ///< types and functions in front of everything
  std::string combine{};       ///< body of a function of a and b
  std::string identity{};      ///< an expression; empty: the operator has none

  friend bool operator==(const reduction&, const reduction&) = default;
  /// Whether an empty input has a result.
  bool has_identity() const {
    for (const reduce_part& p : parts) {
      if (!p.has_identity) return false;
    }
    return true;
  }
};

/// The smallest and the largest element.
template <class T> struct extremes {
  T least;
  T greatest;
  friend bool operator==(const extremes&, const extremes&) = default;
};

/// An element and where it is: its index along what is reduced.
template <class T> struct located {
  T value;
  std::int64_t index;
  friend bool operator==(const located&, const located&) = default;
};

/// Mean and variance (mean of squared distances from the mean: n, not n - 1, divides).
template <class T> struct moments {
  T mean;
  T variance;
  friend bool operator==(const moments&, const moments&) = default;
};

namespace detail {

template <class T>
concept reducible = argument_type<T> && !std::same_as<T, std::complex<float>> &&
                    !std::same_as<T, std::complex<double>>;

template <class T> constexpr bool is_floating = std::same_as<T, half> || std::floating_point<T>;

/// The type in which single elements are compared and multiplied: at least 32 bits.
template <class T> struct reduce_value {
  using small = std::conditional_t<std::signed_integral<T>, std::int32_t, std::uint32_t>;
  using type = std::conditional_t<(sizeof(T) < 4), small, T>;
};
template <> struct reduce_value<half> { using type = float; };
template <> struct reduce_value<float> { using type = float; };
template <> struct reduce_value<double> { using type = double; };

/// The type in which sums are kept: 64 bits for integers.
template <class T> struct reduce_sum {
  using type = std::conditional_t<std::signed_integral<T>, std::int64_t, std::uint64_t>;
};
template <> struct reduce_sum<half> { using type = float; };
template <> struct reduce_sum<float> { using type = float; };
template <> struct reduce_sum<double> { using type = double; };

template <class T> using reduce_value_t = typename reduce_value<T>::type;
template <class T> using reduce_sum_t = typename reduce_sum<T>::type;
/// The type of a mean: floating point.
template <class T>
using reduce_mean_t = std::conditional_t<is_floating<T>, reduce_sum_t<T>, double>;

/// `Wanted`, or what the element type suggests.
template <class Wanted, class Otherwise>
using or_else = std::conditional_t<std::is_void_v<Wanted>, Otherwise, Wanted>;

/// A part whose arithmetic is in V and whose result is R.
template <class V, class R> reduce_part part_of(reduce_operator op, int states = 1) {
  reduce_part p;
  p.op = op;
  p.value = std::string(opencl_name<V>());
  p.value_bytes = static_cast<int>(sizeof(V));
  p.floating = std::floating_point<V>;
  p.result_bytes = static_cast<int>(sizeof(R));
  p.result_align = static_cast<int>(alignof(R));
  p.state_bytes = states * static_cast<int>(sizeof(V));
  p.state_align = static_cast<int>(sizeof(V));
  return p;
}

}  // namespace detail

/// The element type T as the source generator needs it.
template <detail::reducible T> reduce_element reduce_element_of() {
  reduce_element e;
  e.stored = std::string(opencl_name<T>());
  e.compute = std::same_as<T, half> ? "float" : e.stored;
  e.bytes = static_cast<int>(sizeof(T));
  e.needs_fp64 = std::same_as<T, double>;
  return e;
}

}  // namespace clprim
