#pragma once
// Elements that are moved: any type that can be copied as bits, and what OpenCL C calls it where it
// has a name.

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#include <clprim/core/emitter.hpp>
#include <clprim/core/function.hpp>
#include <clprim/core/scalar.hpp>

namespace clprim {

/// What a view may hold: anything that is copied as bits. GEMM and FFT ask for a `scalar_type`.
template <class T>
concept element_type =
    std::is_object_v<T> && std::is_trivially_copyable_v<T> && std::same_as<T, std::remove_cv_t<T>>;

/// An element as source generation sees it.
struct element {
  int bytes = 4;
  std::string_view name = "float";  ///< OpenCL C type of its arithmetic; empty: only its bits
  bool is_half = false;             ///< stored as half, computed in float
  bool is_complex = false;
  bool needs_fp64 = false;

  /// Whether user text can compute with it.
  constexpr bool has_arithmetic() const { return !name.empty(); }
  /// For a person: "half", "complex float", "uchar", "12 bytes".
  std::string told() const {
    if (!has_arithmetic()) return std::to_string(bytes) + " bytes";
    const std::string real(is_half ? "half" : is_complex ? name.substr(0, name.size() - 1) : name);
    return is_complex ? "complex " + real : real;
  }
  friend constexpr bool operator==(const element&, const element&) = default;
};

/// The description of a C++ type; a struct of the user's has no arithmetic.
template <element_type T> constexpr element describe_element() {
  element e{.bytes = static_cast<int>(sizeof(T)), .name = {}};
  if constexpr (scalar_type<T>) {
    constexpr scalar_facts facts = facts_of(scalar_of<T>);
    e.is_half = scalar_of<T> == scalar::half_;
    e.is_complex = facts.is_complex;
    e.needs_fp64 = facts.needs_fp64;
    e.name = e.is_half ? "float" : facts.opencl;
  } else if constexpr (argument_type<T>) {
    e.name = opencl_name<T>();
  }
  return e;
}

/// OpenCL C for moving runs of `width` elements of `bytes` bytes as integers, so that every bit
/// arrives: NaNs, negative zeros and padding too. A 16-byte element is two ulongs; width times
/// parts is at most 16.
class bits_text {
 public:
  constexpr bits_text(int bytes, int width) : bytes_(bytes), width_(width) {}

  static constexpr bool can_move(int bytes) {
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
  }
  /// ulong vectors stand for elements of 16 bytes.
  static constexpr int parts(int bytes) { return bytes == 16 ? 2 : 1; }

  std::string base() const {
    return bytes_ == 1 ? "uchar" : bytes_ == 2 ? "ushort" : bytes_ == 4 ? "uint" : "ulong";
  }
  /// The type of a run: uint4; ulong8 for four elements of 16 bytes.
  std::string type() const { return base() + (lanes() == 1 ? "" : std::to_string(lanes())); }
  /// An expression that loads a run at `p`, which is aligned to the run or to one element only.
  std::string load(const std::string& p, bool aligned, const std::string& space) const {
    if (width_ == 1 || aligned) return "*(const " + space + " " + type() + " *)(" + p + ")";
    return "vload" + std::to_string(lanes()) + "(0, (const " + space + " " + base() + " *)(" + p +
           "))";
  }
  /// A statement that stores the run `value` at `p`.
  std::string store(const std::string& p, const std::string& value, bool aligned,
                    const std::string& space) const {
    if (width_ == 1 || aligned) return "*(" + space + " " + type() + " *)(" + p + ") = " + value;
    return "vstore" + std::to_string(lanes()) + "(" + value + ", 0, (" + space + " " + base() +
           " *)(" + p + "))";
  }
  /// An expression for element `index` of the run `v`.
  std::string at(const std::string& v, int index) const {
    if (width_ == 1) return v;
    if (parts(bytes_) == 1) return v + ".s" + digit(index);
    return v + ".s" + digit(2 * index) + digit(2 * index + 1);
  }
  /// Statements that copy the run `v` to the array `into`, and an expression for the way back.
  std::string unpack(const std::string& into, const std::string& v) const {
    std::string text;
    for (int e = 0; e < width_; ++e)
      text += into + "[" + std::to_string(e) + "] = " + at(v, e) + "; ";
    return text;
  }
  std::string pack(const std::string& from) const {
    if (width_ == 1) return from + "[0]";
    const auto one = [&](int e) { return from + "[" + std::to_string(e) + "]"; };
    return "(" + type() + ")(" + emitter::listed(0, width_, one) + ")";
  }
  /// A run whose element e is element `second` of the run `first`, (first, second) = choose(e).
  template <class Choose> std::string shuffle(Choose choose) const {
    const auto one = [&](int e) {
      const auto [from, index] = choose(e);
      return at(from, index);
    };
    return "(" + type() + ")(" + emitter::listed(0, width_, one) + ")";
  }

 private:
  constexpr int lanes() const { return width_ * parts(bytes_); }
  static std::string digit(int index) { return std::string{"0123456789abcdef"[index]}; }

  int bytes_;
  int width_;
};

/// Half in registers: OpenCL C 1.2 reaches it through a pointer only. For value_of_bits and
/// bits_of_value of half.
inline constexpr const char* half_helpers =
    "inline float clprim_half_value(const ushort bits)\n"
    "{\n"
    "    return vload_half(0, (const __private half *)&bits);\n"
    "}\n"
    "inline ushort clprim_half_bits(const float value)\n"
    "{\n"
    "    ushort bits;\n"
    "    vstore_half_rte(value, 0, (__private half *)&bits);\n"
    "    return bits;\n"
    "}";

/// The value of an element whose bits are the expression `bits`.
inline std::string value_of_bits(const element& e, const std::string& bits) {
  if (e.is_half) return "clprim_half_value(" + bits + ")";
  return "as_" + std::string(e.name) + "(" + bits + ")";
}

/// The bits of an element whose value is the expression `value`.
inline std::string bits_of_value(const element& e, const std::string& value) {
  if (e.is_half) return "clprim_half_bits(" + value + ")";
  return "as_" + bits_text(e.bytes, 1).type() + "(" + value + ")";
}

/// Whether values of an element, or its real and imaginary parts, are float or double.
inline bool is_floating(const element& e) {
  return e.name.starts_with("float") || e.name.starts_with("double");
}

/// `width` values of `from`, to be converted to the integer `to`, with 0 for NaN. The conversions
/// that saturate should make that (OpenCL C 1.2, 6.2.3.3); NVIDIA's do not where double or 64 bits
/// are on a side (PTX ISA, cvt).
inline std::string without_nan(const element& from, const element& to, int width,
                               const std::string& value) {
  if (!from.needs_fp64 && to.bytes < 8) return value;
  const std::string n = width > 1 ? std::to_string(width) : "";
  return "maxmag(" + value + ", (" + std::string(from.name) + n + ")(0))";
}

/// The conversion of a value: real to real, complex to complex, real to complex with a zero
/// imaginary part. To an integer it saturates, to the nearest of the values that it lies between,
/// to the even one of two as near, and NaN becomes 0 (OpenCL C 1.2, 6.2.3.3), as convolutions store
/// theirs; to floating point it rounds to nearest.
inline std::string converted(const element& from, const element& to, const std::string& value) {
  if (from.name == to.name) return "(" + value + ")";
  if (to.is_complex && !from.is_complex)
    return "((" + std::string(to.name) + ")(" + value + ", 0))";
  const std::string call = "convert_" + std::string(to.name);
  if (is_floating(to)) return call + "(" + value + ")";
  if (!is_floating(from)) return call + "_sat(" + value + ")";
  return call + "_sat_rte(" + without_nan(from, to, 1, value) + ")";
}

}  // namespace clprim
