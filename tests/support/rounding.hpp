#pragma once
// Wider types for references, and the error bound that every primitive of sums is held to.
//
// A sum of n products, each product and each addition rounded to nearest, in any order, with or
// without fused multiply-add, has the error
//
//     |fl(sum a b) - sum a b| <= gamma(n) sum |a| |b|,  gamma(n) = n u / (1 - n u), u = epsilon / 2
//
// (N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed. 2002, (3.4) and the remark
// on the order): each product passes through at most n roundings. Further operations add their
// roundings to n. A part of a complex sum of n products is a real sum of 2 n products, and for both
// parts |Re a||Re b| + |Im a||Im b| <= |a||b| and |Re a||Im b| + |Im a||Re b| <= |a||b|.
//
// So the constant c of |C - C_ref| <= c K epsilon (|A| |B|) is 1/2 for real and 1 for complex
// elements, up to the few roundings of alpha and beta. Elements of half are summed in float: u is
// float's, and the result is rounded once more, by half's u.

#include <cmath>
#include <complex>
#include <concepts>
#include <limits>

#include <clprim/core/scalar.hpp>

namespace support {

/// Types that are stored in 16 or 8 bits and computed in float.
template <class T>
inline constexpr bool is_narrow_float =
    std::same_as<T, clprim::half> || std::same_as<T, clprim::bfloat16> ||
    std::same_as<T, clprim::float8_e4m3> || std::same_as<T, clprim::float8_e5m2>;

/// The real type of a reference: double for half and float, long double for double.
template <clprim::product_type T>
using wide_real =
    std::conditional_t<clprim::facts_of(clprim::scalar_of<T>).needs_fp64, long double, double>;

/// The type of a reference: `wide_real`, or the complex number of it.
template <clprim::product_type T>
using wide = std::conditional_t<clprim::facts_of(clprim::scalar_of<T>).is_complex,
                                std::complex<wide_real<T>>, wide_real<T>>;

/// An element or an accumulator of T in the type of the reference, exactly.
template <clprim::product_type T, class U> wide<T> widened(const U& x) {
  if constexpr (is_narrow_float<U>)
    return wide<T>(static_cast<float>(x));
  else
    return wide<T>(x);
}

/// Unit roundoff of the arithmetic, with that of the reference on top.
template <clprim::product_type T> constexpr wide_real<T> unit_roundoff() {
  constexpr auto type = clprim::scalar_of<clprim::accumulator_t<T>>;
  return static_cast<wide_real<T>>(clprim::facts_of(type).epsilon) / 2 +
         std::numeric_limits<wide_real<T>>::epsilon() / 2;
}

/// gamma(n): the relative error of n roundings one after the other.
template <clprim::product_type T> constexpr wide_real<T> gamma(double n) {
  const wide_real<T> nu = static_cast<wide_real<T>>(n) * unit_roundoff<T>();
  return nu / (1 - nu);
}

/// Real products in a part of an element of a sum of k products.
template <clprim::product_type T> constexpr double real_products(double k) {
  return clprim::facts_of(clprim::scalar_of<T>).is_complex ? 2 * k : k;
}

/// The error of a value of this magnitude and error once it is stored as T: nothing is added but
/// for half, where below 2^-14 the spacing is 2^-24, and bfloat16, where below 2^-126 it is 2^-133.
template <clprim::product_type T>
wide_real<T> stored_error(wide_real<T> magnitude, wide_real<T> error) {
  if constexpr (is_narrow_float<T>) {
    const double u = clprim::facts_of(clprim::scalar_of<T>).epsilon / 2;
    return error + u * (magnitude + error) + (std::same_as<T, clprim::half> ? 0x1p-25 : 0x1p-134);
  } else {
    return error;
  }
}

/// Whether each part of `got` lies within `error` of `expected`; never for NaN.
template <clprim::product_type T>
bool within(const T& got, const wide<T>& expected, wide_real<T> error) {
  const wide<T> x = widened<T>(got);
  if constexpr (std::same_as<T, clprim::half>)  // 65520 and beyond is infinite
    if (std::isinf(x))
      return std::signbit(x) == std::signbit(expected) && std::abs(expected) + error >= 65520;
  if constexpr (clprim::facts_of(clprim::scalar_of<T>).is_complex) {
    return std::abs(x.real() - expected.real()) <= error &&
           std::abs(x.imag() - expected.imag()) <= error;
  } else {
    return std::abs(x - expected) <= error;
  }
}

/// A quiet NaN in every part; of the integers the least one.
template <clprim::product_type T> T not_a_number() {
  if constexpr (clprim::facts_of(clprim::scalar_of<T>).is_complex) {
    constexpr auto nan = std::numeric_limits<typename T::value_type>::quiet_NaN();
    return {nan, nan};
  } else if constexpr (is_narrow_float<T>) {
    return T(std::numeric_limits<float>::quiet_NaN());
  } else if constexpr (std::integral<T>) {
    return std::numeric_limits<T>::min();
  } else {
    return std::numeric_limits<T>::quiet_NaN();
  }
}

}  // namespace support
