#pragma once
// Numbers as text, the same under every locale: for kernel text, policies, keys, JSON, CSV, people.

#include <clprim/core/language.hpp>

#include <string>
#ifndef CLPRIM_COMPILED
#include <array>
#include <charconv>
#include <concepts>
#endif

namespace clprim {

/// With so many significant digits at most, as %.*g prints it: 0.25, 1e-07, 3.14.
std::string general_text(double value, int digits);
/// With so many digits behind the point, as %.*f prints it: 3.142.
std::string fixed_text(double value, int digits);
/// Exact and in hexadecimal, as %a prints it: 0x1.8p+1; OpenCL C reads it as a double.
std::string hexadecimal_text(double value);

#ifndef CLPRIM_COMPILED
namespace detail {

template <std::floating_point T, class... Format> std::string to_text(T value, Format... format) {
  std::array<char, 512> text{};  // a double has 309 digits before the point
  const auto [end, status] =
      std::to_chars(text.data(), text.data() + text.size(), value, format...);
  return status == std::errc{} ? std::string(text.data(), end) : std::string("?");
}

}  // namespace detail

CLPRIM_INLINE std::string general_text(double value, int digits) {
  return detail::to_text(value, std::chars_format::general, digits);
}
CLPRIM_INLINE std::string fixed_text(double value, int digits) {
  return detail::to_text(value, std::chars_format::fixed, digits);
}
CLPRIM_INLINE std::string hexadecimal_text(double value) {
  std::string text = detail::to_text(value, std::chars_format::hex);
  const bool finite = value - value == 0;
  if (finite) text.insert(text.front() == '-' ? 1 : 0, "0x");
  return text;
}
#endif

}  // namespace clprim
