#pragma once
// The element types of the library: what they are in C++, in OpenCL C, and in rounding error.

#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace clprim {

namespace detail {

/// x / 2^shift rounded to the nearest integer, ties to even; shift in 1…31.
constexpr std::uint32_t shift_to_nearest_even(std::uint32_t x, unsigned shift) {
  const std::uint32_t quotient = x >> shift;
  const std::uint32_t rest = x & ((1u << shift) - 1u);
  const std::uint32_t tie = 1u << (shift - 1u);
  return quotient + (rest > tie || (rest == tie && (quotient & 1u) != 0) ? 1u : 0u);
}

constexpr std::uint16_t float_to_half_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  const std::uint32_t exponent = magnitude >> 23;
  std::uint32_t result = 0;
  if (magnitude > 0x7f800000u) {  // NaN: made quiet, the upper payload kept
    result = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  } else if (magnitude >= 0x477ff000u) {  // 65520 and above round to infinity
    result = 0x7c00u;
  } else if (exponent >= 113) {  // at least 2^-14: normal, the carry of rounding moves the exponent
    result = shift_to_nearest_even(magnitude - (112u << 23), 13);
  } else if (exponent >= 102) {  // 2^-25 … 2^-14: a multiple of 2^-24
    result = shift_to_nearest_even((magnitude & 0x7fffffu) | 0x800000u, 126u - exponent);
  }
  return static_cast<std::uint16_t>(sign | result);
}

constexpr float half_bits_to_float(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1fu;
  const std::uint32_t mantissa = bits & 0x3ffu;
  if (exponent == 0) {  // zero and subnormals: exact multiples of 2^-24
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
  }
  const std::uint32_t wide = exponent == 31 ? 255u : exponent + 112u;
  return std::bit_cast<float>(sign | (wide << 23) | (mantissa << 13));
}

constexpr std::uint16_t float_to_bfloat16_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;  // made quiet, the upper payload kept
  return static_cast<std::uint16_t>(is_nan ? (bits >> 16) | 0x40u
                                           : (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

/// A number of 8 bits, `mantissa` of them behind the leading one, nearest to `value`, ties to even.
/// `bias`: of its exponents; `largest`: its greatest finite magnitude, which stands for all beyond.
constexpr std::uint8_t float_to_byte_bits(float value, unsigned mantissa, unsigned bias,
                                          std::uint32_t largest) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 24 & 0x80u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<std::uint8_t>(sign | 0x7fu);
  const std::uint32_t exponent = magnitude >> 23, normal = 127 - bias + 1;
  std::uint32_t result = 0;
  if (exponent >= normal) {  // the carry of rounding moves the exponent
    result = shift_to_nearest_even(magnitude - ((127 - bias) << 23), 23 - mantissa);
  } else if (const std::uint32_t shift = 23 - mantissa + normal - exponent; shift < 32) {
    result = shift_to_nearest_even((magnitude & 0x7fffffu) | 0x800000u, shift);
  }
  return static_cast<std::uint8_t>(sign | (result > largest ? largest : result));
}

constexpr float byte_bits_to_float(std::uint8_t bits, unsigned mantissa, unsigned bias,
                                   std::uint32_t largest) {
  const std::uint32_t sign = (bits & 0x80u) << 24, magnitude = bits & 0x7fu;
  std::uint32_t result = (magnitude << (23 - mantissa)) + ((127 - bias) << 23);
  if (magnitude > largest) {
    result = magnitude == 0x7cu ? 0x7f800000u : 0x7fc00000u;  // e4m3 has no infinity, and one NaN
  } else if (magnitude < 1u << mantissa) {                    // zero and subnormals
    const float unit = std::bit_cast<float>((127 - bias + 1 - mantissa) << 23);
    result = std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * unit);
  }
  return std::bit_cast<float>(sign | result);
}

}  // namespace detail

/// IEEE 754 binary16 as stored in a buffer; rounds to nearest even, with subnormals, infinity and
/// NaN. `==` compares bits, so a NaN equals itself and the two zeros differ: it is a storage type.
struct half {
  std::uint16_t bits = 0;

  constexpr half() = default;
  constexpr explicit half(float value) : bits(detail::float_to_half_bits(value)) {}
  constexpr explicit operator float() const { return detail::half_bits_to_float(bits); }
  friend constexpr bool operator==(half, half) = default;
};
static_assert(sizeof(half) == 2);

/// The upper half of a float as stored in a buffer: float's exponents, 8 bits of precision; rounds
/// to nearest even. A storage type of products of matrices, `==` as half's.
struct bfloat16 {
  std::uint16_t bits = 0;

  constexpr bfloat16() = default;
  constexpr explicit bfloat16(float value) : bits(detail::float_to_bfloat16_bits(value)) {}
  constexpr explicit operator float() const {
    return std::bit_cast<float>(std::uint32_t{bits} << 16);
  }
  friend constexpr bool operator==(bfloat16, bfloat16) = default;
};
static_assert(sizeof(bfloat16) == 2);

/// OCP's "8-bit Floating Point" (2023), E4M3: 3 bits of mantissa, at most 448, NaN, no infinity.
/// Rounds to nearest even; what is beyond the greatest number becomes that, as in CUDA. A storage
/// type of what products of matrices multiply, `==` as half's.
struct float8_e4m3 {
  std::uint8_t bits = 0;

  constexpr float8_e4m3() = default;
  constexpr explicit float8_e4m3(float value)
    : bits(detail::float_to_byte_bits(value, 3, 7, 0x7e)) {}
  constexpr explicit operator float() const { return detail::byte_bits_to_float(bits, 3, 7, 0x7e); }
  friend constexpr bool operator==(float8_e4m3, float8_e4m3) = default;
};
static_assert(sizeof(float8_e4m3) == 1);

/// The same, E5M2: half's exponents, 2 bits of mantissa, at most 57344, infinity and NaN.
struct float8_e5m2 {
  std::uint8_t bits = 0;

  constexpr float8_e5m2() = default;
  constexpr explicit float8_e5m2(float value)
    : bits(detail::float_to_byte_bits(value, 2, 15, 0x7b)) {}
  constexpr explicit operator float() const {
    return detail::byte_bits_to_float(bits, 2, 15, 0x7b);
  }
  friend constexpr bool operator==(float8_e5m2, float8_e5m2) = default;
};
static_assert(sizeof(float8_e5m2) == 1);

/// The element types as a value, for policies, tables and source generation.
enum class scalar {
  half_,
  float_,
  double_,
  complex_float,
  complex_double,
  bfloat16_,
  int8_,
  e4m3_,
  e5m2_,
  int32_
};

namespace detail {
/// A complex number of the standard library, told by what it offers, and any type that offers the
/// same: to read that header would take a door a sixth of what OpenCL's own takes.
template <class T, class Real>
concept complex_of = sizeof(T) == 2 * sizeof(Real) && requires(const T& z) {
  { z.real() } -> std::same_as<Real>;
  { z.imag() } -> std::same_as<Real>;
  requires std::same_as<typename T::value_type, Real>;
};
}  // namespace detail

/// The element types as C++ types.
template <class T>
concept scalar_type = std::same_as<T, half> || std::same_as<T, float> || std::same_as<T, double> ||
    detail::complex_of<T, float> || detail::complex_of<T, double>;

/// What products of matrices take besides, and give: std::int32_t is of those of integers alone.
template <class T>
concept product_type =
    scalar_type<T> || std::same_as<T, bfloat16> || std::same_as<T, std::int8_t> ||
    std::same_as<T, float8_e4m3> || std::same_as<T, float8_e5m2> || std::same_as<T, std::int32_t>;

/// What they multiply.
template <class T>
concept product_factor = product_type<T> && !std::same_as<T, std::int32_t>;

namespace detail {
template <product_type T> constexpr scalar scalar_value() {
  if constexpr (std::same_as<T, half>)
    return scalar::half_;
  else if constexpr (std::same_as<T, bfloat16>)
    return scalar::bfloat16_;
  else if constexpr (std::same_as<T, std::int8_t>)
    return scalar::int8_;
  else if constexpr (std::same_as<T, float8_e4m3>)
    return scalar::e4m3_;
  else if constexpr (std::same_as<T, float8_e5m2>)
    return scalar::e5m2_;
  else if constexpr (std::same_as<T, std::int32_t>)
    return scalar::int32_;
  else if constexpr (std::same_as<T, float>)
    return scalar::float_;
  else if constexpr (std::same_as<T, double>)
    return scalar::double_;
  else if constexpr (complex_of<T, float>)
    return scalar::complex_float;
  else
    return scalar::complex_double;
}
}  // namespace detail

/// The value that names a C++ element type.
template <product_type T> inline constexpr scalar scalar_of = detail::scalar_value<T>();

/// What source generation, sizes and error bounds need to know of an element type.
struct scalar_facts {
  std::string_view name;     ///< C++ spelling
  std::string_view opencl;   ///< storage element in OpenCL C
  std::string_view compute;  ///< real type of the arithmetic in OpenCL C: float, double or int
  int bytes;                 ///< size of a stored element
  bool is_complex;           ///< two reals, the real part first
  bool needs_fp64;           ///< the device must have double precision
  double epsilon;  ///< spacing of stored reals at 1: rounding errs by at most half; 0: integers
};

/// The facts of an element type.
constexpr scalar_facts facts_of(scalar s) {
  switch (s) {
    case scalar::half_: return {"clprim::half", "half", "float", 2, false, false, 0x1p-10};
    case scalar::float_: return {"float", "float", "float", 4, false, false, 0x1p-23};
    case scalar::double_: return {"double", "double", "double", 8, false, true, 0x1p-52};
    case scalar::complex_float:
      return {"std::complex<float>", "float2", "float", 8, true, false, 0x1p-23};
    case scalar::complex_double:
      return {"std::complex<double>", "double2", "double", 16, true, true, 0x1p-52};
    case scalar::bfloat16_: return {"clprim::bfloat16", "ushort", "float", 2, false, false, 0x1p-7};
    case scalar::int8_: return {"std::int8_t", "char", "int", 1, false, false, 0};
    case scalar::e4m3_: return {"clprim::float8_e4m3", "uchar", "float", 1, false, false, 0x1p-3};
    case scalar::e5m2_: return {"clprim::float8_e5m2", "uchar", "float", 1, false, false, 0x1p-2};
    case scalar::int32_: return {"std::int32_t", "int", "int", 4, false, false, 0};
  }
  return {"unknown", "unknown", "unknown", 0, false, false, 0};
}

/// Whether elements are stored in 16 bits and computed in float.
constexpr bool is_short(scalar s) { return s == scalar::half_ || s == scalar::bfloat16_; }

/// Whether elements are stored in 8 bits and computed in float or int.
constexpr bool is_byte(scalar s) { return facts_of(s).bytes == 1; }
/// Whether they are numbers with an exponent.
constexpr bool is_float8(scalar s) { return s == scalar::e4m3_ || s == scalar::e5m2_; }
/// Whether elements are stored in less than they are computed in.
constexpr bool is_narrow(scalar s) { return is_short(s) || is_byte(s); }

namespace detail {
template <product_type T> struct accumulator { using type = T; };
template <> struct accumulator<half> { using type = float; };
template <> struct accumulator<bfloat16> { using type = float; };
template <> struct accumulator<float8_e4m3> { using type = float; };
template <> struct accumulator<float8_e5m2> { using type = float; };
template <> struct accumulator<std::int8_t> { using type = std::int32_t; };
}  // namespace detail

/// The type sums are kept in: float for half, bfloat16 and float8, std::int32_t for std::int8_t,
/// else the type itself.
template <product_type T> using accumulator_t = typename detail::accumulator<T>::type;

/// What a product of such matrices is of unless told: of float8 and std::int8_t what sums are kept
/// in, else the type itself.
template <product_type T>
using product_output_t = std::conditional_t<sizeof(T) == 1, accumulator_t<T>, T>;

/// Whether C may be of Out where A and B are of T.
template <class T, class Out>
concept product_output = product_factor<T> &&
    (std::same_as<Out, product_output_t<T>> ||
     (is_narrow(scalar_of<T>) && std::same_as<Out, float>) ||
     (is_byte(scalar_of<T>) && std::same_as<Out, half>) ||
     (is_float8(scalar_of<T>) && std::same_as<Out, bfloat16>));

}  // namespace clprim
