#pragma once
// A small piece of user code (an epilogue, a map, an operator): OpenCL C text and its parameters.

#include <clprim/core/language.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <clprim/core/error.hpp>
#include <clprim/core/scalar.hpp>
#include <clprim/core/words.hpp>

namespace clprim {

/// A kernel argument that a `function` uses by name.
struct parameter {
  std::string name;        ///< as the body spells it
  std::string type;        ///< "float", or "__global const float*" for a buffer
  bool is_buffer = false;  ///< passed as a cl_mem
  friend bool operator==(const parameter&, const parameter&) = default;
};

/// OpenCL C text and the extra kernel arguments that it uses. Each primitive says which names the
/// body sees and what it must yield. Part of the generated source, hence of the cache key.
struct function {
  std::string body;
  std::vector<parameter> parameters;

  /// Whether there is no text.
  bool empty() const { return body.empty(); }
  friend bool operator==(const function&, const function&) = default;
};

/// What a user's buffer or value may hold: the element types, and integers of 8 to 64 bits.
template <class T>
concept argument_type = scalar_type<T> ||(std::integral<T> && !std::same_as<T, bool>);

/// The OpenCL C spelling of a type by its size: `int` for a 32-bit integer wherever it comes from.
template <argument_type T> constexpr std::string_view opencl_name() {
  if constexpr (scalar_type<T>) {
    return facts_of(scalar_of<T>).opencl;
  } else {
    constexpr bool with_sign = std::signed_integral<T>;
    if constexpr (sizeof(T) == 1)
      return with_sign ? "char" : "uchar";
    else if constexpr (sizeof(T) == 2)
      return with_sign ? "short" : "ushort";
    else if constexpr (sizeof(T) == 4)
      return with_sign ? "int" : "uint";
    else
      return with_sign ? "long" : "ulong";
  }
}

/// A read-only buffer parameter: `buffer<float>("bias")`. Elements of half are read by vload_half.
template <argument_type T> parameter buffer(std::string name) {
  return {std::move(name), "__global const " + std::string(opencl_name<T>()) + "*", true};
}

/// A parameter passed by value: `value<float>("slope")`. A half is not, in OpenCL C: use float.
template <argument_type T>
requires(!std::same_as<T, half>) parameter value(std::string name) {
  return {std::move(name), std::string(opencl_name<T>()), false};
}

/// Checks a function that must yield a value, and whose body sees the names `visible` besides its
/// parameters. One without any text is none, and passes. A body that returns nothing is legal
/// OpenCL C whose value is garbage, one whose braces do not pair would end the function around it,
/// and a preprocessor line, a comment without an end or a line joined to the next one would reach
/// past it. These are mistakes that are told, no fence: a function is code, as trusted as the
/// program's own. Throws argument_error that names it as `what` ("the map").
void check_function(const function& f, const std::string& what,
                    std::initializer_list<std::string_view> visible = {});

#ifndef CLPRIM_COMPILED
namespace detail {

/// A body without what a compiler does not see: comments, strings, characters; words stay apart.
/// `open` becomes whether a comment has no end.
inline std::string bare_text(std::string_view text, bool* open = nullptr) {
  std::string bare;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    std::size_t skip = 0;
    if (rest.starts_with("//")) {
      skip = std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/", 2);
      if (end == std::string_view::npos && open != nullptr) *open = true;
      skip = end == std::string_view::npos ? rest.size() : end + 2;
    } else if (rest.front() == '"' || rest.front() == '\'') {
      std::size_t end = 1;
      while (end < rest.size() && rest[end] != rest.front()) end += rest[end] == '\\' ? 2 : 1;
      skip = std::min(end + 1, rest.size());
    }
    bare += skip > 0 ? ' ' : rest.front();
    i += std::max<std::size_t>(skip, 1);
  }
  return bare;
}

/// Whether a line ends in a backslash, blanks behind it or not: compilers join it to the next one,
/// be it a comment or what stands behind the text.
inline bool joins_lines(std::string_view text) {
  for (auto at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at + 1)) {
    const auto next = text.find_first_not_of(" \t\r", at + 1);
    if (next == std::string_view::npos || text[next] == '\n') return true;
  }
  return false;
}

/// Neither printed nor white space.
inline bool is_control(char c) {
  return (c >= 0 && c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 127;
}

inline bool is_identifier(std::string_view name) {
  return !name.empty() && !(name.front() >= '0' && name.front() <= '9') &&
         std::all_of(name.begin(), name.end(), is_of_word);
}

/// Throws argument_error for parameters that the body could not name.
inline void check_names(const function& f, const std::string& what,
                        std::initializer_list<std::string_view> visible) {
  for (std::size_t i = 0; i < f.parameters.size(); ++i) {
    const std::string& name = f.parameters[i].name;
    const auto refuse = [&](const char* constraint, const char* allowed) {
      throw argument_error("parameter " + std::to_string(i) + " of " + what, constraint,
                           "'" + name + "'", allowed);
    };
    if (!is_identifier(name)) refuse("must have a name of OpenCL C", "such as 'slope'");
    if (std::find(visible.begin(), visible.end(), name) != visible.end())
      refuse("must not have a name that the body sees already", "another name");
    for (std::size_t k = 0; k < i; ++k)
      if (f.parameters[k].name == name) refuse("must have a name of its own", "another name");
  }
}

}  // namespace detail

CLPRIM_INLINE void check_function(const function& f, const std::string& what,
                                  std::initializer_list<std::string_view> visible) {
  detail::check_names(f, what, visible);
  if (f.body.empty()) return;
  if (detail::joins_lines(f.body)) {
    throw argument_error(what, "must not join lines", "a '\\' at the end of a line",
                         "statements of OpenCL C");
  }
  bool open = false;
  const std::string bare = detail::bare_text(f.body, &open);
  if (open) {
    throw argument_error(what, "must end its comments", "a '/*' without its '*/'",
                         "as many of both");
  }
  if (const auto odd = std::find_if(bare.begin(), bare.end(), detail::is_control);
      odd != bare.end()) {
    throw argument_error(what, "must be text without control characters",
                         "character " + std::to_string(static_cast<int>(*odd)), "OpenCL C");
  }
  if (bare.find('#') != std::string::npos || bare.find("%:") != std::string::npos) {
    throw argument_error(what, "must not hold preprocessor lines", "a '#' or '%:'",
                         "statements of OpenCL C");
  }
  if (!detail::has_word(bare, "return")) {
    throw argument_error(what, "must return a value", "a body without 'return'",
                         "such as 'return value;'");
  }
  int depth = 0;
  for (std::size_t i = 0; i < bare.size() && depth >= 0; ++i) {
    const std::string_view rest = std::string_view(bare).substr(i);
    depth += rest.starts_with('{') || rest.starts_with("<%") ? 1 : 0;
    depth -= rest.starts_with('}') || rest.starts_with("%>") ? 1 : 0;
  }
  if (depth != 0) {
    throw argument_error(what, "must pair its braces",
                         depth < 0 ? "a '}' without its '{'" : "a '{' without its '}'",
                         "as many of both, in order");
  }
}
#endif

/// What to append to a kernel's parameter list: ", __global const float* bias, const float slope".
inline std::string parameter_list(const function& f) {
  std::string text;
  for (const parameter& p : f.parameters) {
    text += (p.is_buffer ? ", " : ", const ") + p.type + " " + p.name;
  }
  return text;
}

/// What to append where one device function calls another with them: ", bias, slope".
inline std::string call_list(const function& f) {
  std::string text;
  for (const parameter& p : f.parameters) text += ", " + p.name;
  return text;
}

/// The function with its parameters under names of their own, `user_0`, `user_1`, …: those under
/// which kernels, and functions that pass them on, carry them, for a caller's `row` may be a
/// kernel's, too. Only the function around the body has them as the body spells them.
inline function carried(function f, std::string_view prefix = "user_") {
  for (std::size_t i = 0; i < f.parameters.size(); ++i)
    f.parameters[i].name = std::string(prefix) + std::to_string(i);
  return f;
}
}  // namespace clprim
