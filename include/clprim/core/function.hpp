#pragma once
// A small piece of user code (an epilogue, a map, an operator): OpenCL C text and its parameters.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <clprim/core/scalar.hpp>

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
