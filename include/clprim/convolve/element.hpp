#pragma once
// The types of a convolution: stored, accumulated, rounded and saturated, and their OpenCL C.

#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include <clprim/core/element.hpp>
#include <clprim/core/number_text.hpp>

namespace clprim {

/// What a pixel's channel may be.
template <class T>
concept pixel_type = std::same_as<T, half> || std::same_as<T, float> || std::same_as<T, double> ||
    std::same_as<T, std::uint8_t> || std::same_as<T, std::uint16_t> ||
    std::same_as<T, std::int16_t> || std::same_as<T, std::int32_t>;

/// What sums are kept and coefficients are given in.
template <class T>
concept tap_type = std::same_as<T, float> || std::same_as<T, double> ||
    std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t>;

/// The accumulator that a pixel's type suggests: double for double and int32, whose values float
/// does not hold, else float.
template <pixel_type T>
using pixel_accumulator_t =
    std::conditional_t<std::same_as<T, double> || std::same_as<T, std::int32_t>, double, float>;

/// How a sum that lies between two integers becomes one; what does not fit then saturates.
enum class pixel_rounding {
  nearest_even,  ///< as OpenCV's saturate_cast
  toward_zero,
  downward,
  upward,
};

namespace convolve_text {

/// "float4"; "float" for one.
inline std::string vector_of(const std::string& name, int width) {
  return name + (width > 1 ? std::to_string(width) : "");
}

/// What one element is in memory.
inline std::string stored_name(const element& e) {
  return e.is_half ? "half" : std::string(e.name);
}

/// An expression: `width` elements at `p`, in the accumulator's type.
inline std::string load(const element& e, const element& sum, int width, const std::string& p,
                        bool aligned) {
  const std::string n = std::to_string(width), to = vector_of(std::string(sum.name), width);
  std::string text;
  if (e.is_half) {
    if (width == 1) {
      text = "vload_half(0, " + p + ")";
    } else if (aligned) {
      text = "vloada_half" + n + "(0, " + p + ")";
    } else {  // one by one: PoCL 3.1 makes an aligned load of an unaligned vload_half8
      text = "(" + vector_of("float", width) + ")(";
      for (int i = 0; i < width; ++i)
        text += (i > 0 ? ", vload_half(" : "vload_half(") + std::to_string(i) + ", " + p + ")";
      text += ")";
    }
  } else if (width == 1) {
    text = "*(" + p + ")";
  } else if (aligned) {
    text = "*(const __global " + vector_of(stored_name(e), width) + " *)(" + p + ")";
  } else {
    text = "vload" + n + "(0, " + p + ")";
  }
  return sum.name == e.name ? text : "convert_" + to + "(" + text + ")";
}

/// An expression: the sums `value` in the type of the output, rounded and saturated; NaN
/// becomes 0.
inline std::string finished(const element& out, const element& sum, int width,
                            const std::string& value, pixel_rounding rounding) {
  if (out.name == sum.name) return "(" + value + ")";
  const std::string to = vector_of(std::string(out.name), width);
  if (is_floating(out)) return "convert_" + to + "(" + value + ")";
  if (!is_floating(sum)) return "convert_" + to + "_sat(" + value + ")";
  const char* const modes[] = {"_rte", "_rtz", "_rtn", "_rtp"};
  return "convert_" + to + "_sat" + modes[static_cast<int>(rounding)] + "(" +
         without_nan(sum, out, width, value) + ")";
}

/// A statement that stores `width` finished elements at `p`.
inline std::string store(const element& out, int width, const std::string& value,
                         const std::string& p, bool aligned) {
  const std::string n = width > 1 ? std::to_string(width) : "";
  if (out.is_half) {
    return std::string(aligned && width > 1 ? "vstorea_half" : "vstore_half") + n + "_rte(" +
           value + ", 0, " + p + ")";
  }
  if (width == 1) return "*(" + p + ") = " + value;
  if (!aligned) return "vstore" + n + "(" + value + ", 0, " + p + ")";
  return "*(__global " + vector_of(stored_name(out), width) + " *)(" + p + ") = " + value;
}

/// A coefficient as OpenCL C, exactly.
template <tap_type A> std::string literal(A value) {
  if constexpr (std::same_as<A, std::int64_t>) {
    if (value == std::int64_t{-9223372036854775807} - 1) return "LONG_MIN";
    return std::to_string(value) + "L";
  } else if constexpr (std::same_as<A, std::int32_t>) {
    return value == std::int32_t{-2147483647} - 1 ? "INT_MIN" : std::to_string(value);
  } else {
    if (std::isnan(value)) return "NAN";
    if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
    return hexadecimal_text(static_cast<double>(value)) + (std::same_as<A, float> ? "f" : "");
  }
}

}  // namespace convolve_text
}  // namespace clprim
