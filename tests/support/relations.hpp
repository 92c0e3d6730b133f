#pragma once
// Metamorphic checks: what must hold between the results of several calls, whatever the right
// result is (Chen, Cheung and Yiu, "Metamorphic testing: a new approach for generating next test
// cases", HKUST-CS98-01, 1998). No reference is computed, so that a mistake which the library and a
// reference share shows too.
//
// Numbers carry how far off they may be, and a relation is an equation between them:
//
//     difference("linear", f(x + 2 * y), f(x) + 2 * f(y))

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/campaign.hpp"
#include "support/random.hpp"
#include "support/rounding.hpp"

namespace support {

using wide_number = std::complex<long double>;

template <class T> wide_number wide_number_of(const T& x) {
  if constexpr (std::same_as<T, clprim::half>) {
    return {static_cast<long double>(static_cast<float>(x)), 0};
  } else if constexpr (requires { x.imag(); }) {
    return {static_cast<long double>(x.real()), static_cast<long double>(x.imag())};
  } else {
    return {static_cast<long double>(x), 0};
  }
}

template <clprim::scalar_type T> T narrowed(const wide_number& x) {
  if constexpr (clprim::facts_of(clprim::scalar_of<T>).is_complex) {
    using real = typename T::value_type;
    return {static_cast<real>(x.real()), static_cast<real>(x.imag())};
  } else if constexpr (std::same_as<T, clprim::half>) {
    return T(static_cast<float>(x.real()));
  } else {
    return static_cast<T>(x.real());
  }
}

/// Numbers, each no further than `error` from what it stands for.
struct inexact {
  std::vector<wide_number> values{};
  long double error = 0;

  inexact() = default;
  template <class T> explicit inexact(const std::vector<T>& exact) {
    for (const T& x : exact) values.push_back(wide_number_of(x));
  }
  long double largest() const {
    long double most = 0;
    for (const wide_number& x : values) most = std::max(most, std::abs(x));
    return most;
  }
  /// Those at these places, in their order.
  inexact at(const std::vector<std::size_t>& places) const {
    inexact some;
    some.error = error;
    for (const std::size_t place : places) some.values.push_back(values.at(place));
    return some;
  }
  friend inexact operator+(inexact a, const inexact& b) {
    for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] += b.values.at(i);
    a.error += b.error;
    return a;
  }
  friend inexact operator*(const wide_number& factor, inexact a) {
    for (wide_number& x : a.values) x *= factor;
    a.error *= std::abs(factor);
    return a;
  }
  /// Each by a factor of its own, of absolute value 1.
  inexact turned_by(const std::vector<wide_number>& factors) const {
    inexact turned = *this;
    for (std::size_t i = 0; i < values.size(); ++i) turned.values[i] *= factors.at(i);
    return turned;
  }
};

/// "" where both sides stand for the same numbers, for all that is known of them.
inline std::string difference(const std::string& relation, const inexact& left,
                              const inexact& right) {
  if (left.values.size() != right.values.size())
    return relation + ": " + std::to_string(left.values.size()) + " numbers and " +
           std::to_string(right.values.size());
  const long double allowed = left.error + right.error;
  const auto text = [](const wide_number& x) {
    return std::to_string(static_cast<double>(x.real())) + " + " +
           std::to_string(static_cast<double>(x.imag())) + "i";
  };
  for (std::size_t i = 0; i < left.values.size(); ++i) {
    const long double apart = std::abs(left.values[i] - right.values[i]);
    if (apart <= allowed) continue;  // never for NaN
    return relation + ": number " + std::to_string(i) + " of " +
           std::to_string(left.values.size()) + " is " + text(left.values[i]) + " and " +
           text(right.values[i]) + ", apart by " + std::to_string(static_cast<double>(apart)) +
           ", at most " + std::to_string(static_cast<double>(allowed));
  }
  return {};
}

/// An operation as a linear map of its elements.
template <clprim::scalar_type T, clprim::scalar_type Out = T> struct linear_map {
  std::size_t inputs = 0;
  /// What a call makes of so many elements.
  std::function<std::vector<Out>(const std::vector<T>&)> call;
  /// Of any result, the sum of the absolute values of what the elements are multiplied by, at most.
  long double norm = 1;
  /// The error of a result as a part of `norm` times the largest element: gamma of the roundings
  /// that a product passes, for sums.
  long double relative = 0;

  /// Of elements that are rounded to T before.
  inexact operator()(const inexact& x) const {
    std::vector<T> elements;
    long double rounded = 0;
    for (const wide_number& value : x.values) {
      elements.push_back(narrowed<T>(value));
      rounded = std::max(rounded, std::abs(wide_number_of(elements.back()) - value));
    }
    inexact result(call(elements));
    // Of a complex result both parts may err.
    const long double parts = clprim::facts_of(clprim::scalar_of<T>).is_complex ? 1.4143L : 1;
    result.error = norm * (x.error + rounded + parts * relative * inexact(elements).largest());
    if constexpr (std::same_as<Out, clprim::half>)
      result.error = stored_error<Out>(static_cast<double>(result.largest()),
                                       static_cast<double>(result.error));
    return result;
  }
};

template <clprim::scalar_type T> inexact random_numbers(draw& d, std::size_t count) {
  std::vector<T> values(count);
  for (T& x : values) x = random_element<T>(d);
  return inexact(values);
}

/// What is wrong with f(x + s y) = f(x) + s f(y), or "".
template <class T, class Out> std::string complaint_of_linearity(draw& d, linear_map<T, Out> f) {
  const inexact x = random_numbers<T>(d, f.inputs), y = random_numbers<T>(d, f.inputs);
  const wide_number s = static_cast<long double>(d.between(-8, 8)) / 4;
  return difference("f(x + s y) = f(x) + s f(y)", f(x + s * y), f(x) + s * f(y));
}

/// The places of an array of rows x cols, row by row, in the order of its transpose's rows.
inline std::vector<std::size_t> transposed_places(std::size_t rows, std::size_t cols) {
  std::vector<std::size_t> places;
  for (std::size_t c = 0; c < cols; ++c)
    for (std::size_t r = 0; r < rows; ++r) places.push_back(r * cols + c);
  return places;
}

/// A drawn order of so many places.
inline std::vector<std::size_t> draw_order(draw& d, std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < count; ++i) order.push_back(i);
  for (std::size_t i = count; i-- > 1;)
    std::swap(order[i], order[static_cast<std::size_t>(d.between(0, static_cast<int>(i)))]);
  return order;
}

}  // namespace support
