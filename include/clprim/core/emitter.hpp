#pragma once
// Statements of OpenCL C put together of strings and numbers.

#include <array>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include <clprim/core/number_text.hpp>

namespace clprim::emitter {

/// Appends strings and numbers one after the other.
template <class... T> void append(std::string& text, const T&... parts) {
  const auto add = [&text](const auto& part) {
    using type = std::remove_reference_t<decltype(part)>;
    if constexpr (std::is_integral_v<std::remove_cv_t<type>>) {
      std::array<char, 24> digits;
      const auto end =
          std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<long long>(part));
      text.append(digits.data(), end.ptr);
    } else if constexpr (std::is_array_v<type>) {  // a literal, whose length is known
      text.append(part, std::extent_v<type> - 1);
    } else {
      text += part;
    }
  };
  (add(parts), ...);
}

/// Strings and numbers one after the other.
template <class... T> std::string cat(const T&... parts) {
  constexpr auto room = [](const auto& part) -> std::size_t {
    if constexpr (std::is_integral_v<std::decay_t<decltype(part)>>)
      return 8;
    else
      return std::string_view(part).size();
  };
  std::string text;
  text.reserve((room(parts) + ... + 0));
  append(text, parts...);
  return text;
}

/// What `each(i)` gives for i from `first` to before `last`, with commas between.
template <class Each> std::string listed(int first, int last, Each each) {
  std::string text;
  for (int i = first; i < last; ++i) text += (i > first ? ", " : "") + each(i);
  return text;
}

/// Element i of a vector: ".sa" for 10.
inline std::string component(int i) { return std::string(".s") + "0123456789abcdef"[i]; }

/// A number as a literal of the arithmetic type, with as many digits as tell it apart.
inline std::string literal(long double x, bool is_double) {
  std::string text = general_text(static_cast<double>(x), is_double ? 17 : 9);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return is_double ? text : text + "f";
}

/// The OpenCL C type of the arithmetic's real numbers.
inline std::string real_type(bool is_double) { return is_double ? "double" : "float"; }

}  // namespace clprim::emitter
