#pragma once
// OpenCL C text for short vectors of any scalar: their type, how they are loaded, stored, taken
// apart.
#include <string>
#include <string_view>

#include <clprim/core/scalar.hpp>

namespace clprim {

/// Writes OpenCL C for runs of `width` consecutive elements of one scalar type.
///
/// `width` is 1, 2, 4, 8 or 16 elements; a complex element has two parts and width * 2 <= 16.
/// Storage (`stored`) and arithmetic (`element`) types differ for half and bfloat16, which are kept
/// in 16 bits and computed in float (OpenCL C 1.2, 6.12.7: vload_half needs no extension; bfloat16
/// needs `bfloat16_text` before it is stored), and for numbers of 8 bits, which are never stored
/// (float8 needs `float8_text` before it is loaded).
class vector_text {
 public:
  constexpr vector_text(scalar kind, int width)
    : facts_{facts_of(kind)}, kind_{kind}, width_{width} {}

  /// The same of elements as they are stored: half, bfloat16 and float8 as their bits.
  static constexpr vector_text as_stored(scalar kind, int width) {
    vector_text text(kind, width);
    text.bits_ = is_narrow(kind);
    if (text.bits_) text.facts_.compute = kind == scalar::half_ ? "ushort" : facts_of(kind).opencl;
    return text;
  }

  /// The arithmetic type of one element: float, double, int, float2 or double2.
  static std::string element(scalar kind) {
    const scalar_facts facts = facts_of(kind);
    return std::string{facts.compute} + (facts.is_complex ? "2" : "");
  }
  /// The type of one element in global memory.
  static std::string stored(scalar kind) { return std::string{facts_of(kind).opencl}; }

  /// The vector type: float, float4, double8; float8 for four complex float.
  std::string type() const {
    return std::string{facts_.compute} + (parts() == 1 ? "" : std::to_string(parts()));
  }
  /// An expression that loads the run at the stored pointer `p`; `aligned` to the whole run.
  std::string load(const std::string& p, bool aligned) const {
    if (bits_ && width_ == 1)
      return "*(const __global " + std::string{facts_.compute} + " *)(" + p + ")";
    if (is_byte(kind_) && !bits_) {
      const std::string run = as_stored(kind_, width_).load_element(p, aligned, "const __global");
      return (kind_ == scalar::int8_ ? "convert_" + type() : float8_function(kind_, width_)) + "(" +
             run + ")";
    }
    if (kind_ == scalar::bfloat16_ && !bits_) {
      return "as_" + type() + "(convert_uint" + suffix() + "(" +
             as_stored(kind_, width_).load_element(p, aligned, "const __global") + ") << 16)";
    }
    if (kind_ != scalar::half_ || bits_) return load_element(p, aligned, "const __global");
    if (width_ == 1) return "vload_half(0, " + p + ")";
    if (aligned) return "vloada_half" + suffix() + "(0, " + p + ")";
    // One by one: PoCL 3.1 makes a load of 16 aligned bytes of an unaligned vload_half8.
    std::string text = "(" + type() + ")(";
    for (int e = 0; e < width_; ++e)
      text += (e > 0 ? ", vload_half(" : "vload_half(") + std::to_string(e) + ", " + p + ")";
    return text + ")";
  }
  /// A statement that stores the run `value` at the stored pointer `p`.
  std::string store(const std::string& p, const std::string& value, bool aligned) const {
    if (kind_ == scalar::bfloat16_) {
      return as_stored(kind_, width_)
          .store_element(p, "clprim_bfloat16_" + std::to_string(width_) + "(" + value + ")",
                         aligned, "__global");
    }
    if (kind_ == scalar::half_) {
      return "vstore" + std::string{aligned && width_ > 1 ? "a" : ""} + "_half" + suffix() +
             "_rte(" + value + ", 0, " + p + ")";
    }
    return store_element(p, value, aligned, "__global");
  }
  /// The same for arithmetic elements in another address space ("__local", "__private").
  std::string load_element(const std::string& p, bool aligned, const std::string& space) const {
    if (width_ == 1) return "*(" + p + ")";
    if (aligned) return "*(" + space + " " + type() + " *)(" + p + ")";
    return "vload" + std::to_string(parts()) + "(0, (" + space + " " + std::string{facts_.compute} +
           " *)(" + p + "))";
  }
  std::string store_element(const std::string& p, const std::string& value, bool aligned,
                            const std::string& space) const {
    if (width_ == 1) return "*(" + p + ") = " + value;
    if (aligned) return "*(" + space + " " + type() + " *)(" + p + ") = " + value;
    return "vstore" + std::to_string(parts()) + "(" + value + ", 0, (" + space + " " +
           std::string{facts_.compute} + " *)(" + p + "))";
  }
  /// An expression for element `index` of the vector `v`.
  std::string at(const std::string& v, int index) const {
    if (width_ == 1) return v;
    if (!facts_.is_complex) return v + ".s" + digit(index);
    return v + ".s" + digit(2 * index) + digit(2 * index + 1);
  }
  /// Statements that copy the vector `v` to the array `into`.
  std::string unpack(const std::string& into, const std::string& v) const {
    std::string text;
    for (int e = 0; e < width_; ++e)
      text += into + "[" + std::to_string(e) + "] = " + at(v, e) + "; ";
    return text;
  }
  /// An expression that makes a vector of the array `from`; of a complex one by its parts, because
  /// Oclgrind 21.10 crashes on what joining short vectors compiles to.
  std::string pack(const std::string& from) const {
    if (width_ == 1) return from + "[0]";
    std::string text = "(" + type() + ")(";
    for (int e = 0; e < width_; ++e) {
      const std::string one = from + "[" + std::to_string(e) + "]";
      text += (e > 0 ? ", " : "") + (facts_.is_complex ? one + ".s0, " + one + ".s1" : one);
    }
    return text + ")";
  }
  /// The expression `v` with real and imaginary parts exchanged (complex only).
  std::string exchange_parts(const std::string& v) const {
    std::string text = v + ".s";
    for (int part = 0; part < parts(); ++part) text += digit(part ^ 1);
    return text;
  }
  /// A vector whose parts are `even`, `odd`, `even`, … (complex only).
  std::string alternate(const std::string& even, const std::string& odd) const {
    std::string text = "(" + type() + ")(";
    for (int part = 0; part < parts(); ++part)
      text += (part > 0 ? ", " : "") + (part % 2 == 0 ? even : odd);
    return text + ")";
  }

  /// The function of `float8_text`.
  static std::string float8_function(scalar kind, int width) {
    return std::string{kind == scalar::e4m3_ ? "clprim_e4m3_" : "clprim_e5m2_"} +
           std::to_string(width);
  }

 private:
  constexpr int parts() const { return facts_.is_complex ? 2 * width_ : width_; }
  std::string suffix() const { return width_ == 1 ? "" : std::to_string(width_); }
  static std::string digit(int index) { return std::string{"0123456789abcdef"[index]}; }

  scalar_facts facts_;
  scalar kind_;
  int width_;
  bool bits_ = false;
};

/// Functions that round runs of `width` floats to bfloat16: clprim_bfloat16_4 and so on.
inline std::string bfloat16_text(int width) {
  const std::string n = width == 1 ? "" : std::to_string(width), uints = "uint" + n;
  return "inline ushort" + n + " clprim_bfloat16_" + std::to_string(width) + "(const float" + n +
         " value)\n{\n    const " + uints + " bits = as_" + uints + "(value);\n    return " +
         "convert_ushort" + n + "(select((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16, " +
         "(bits >> 16) | 0x40u, as_" + uints + "(isnan(value))));\n}";
}

/// Functions that make floats of runs of `width` numbers of 8 bits: clprim_e4m3_4 and so on. The
/// exponents are float's once they are moved; small numbers are multiples of the least one.
inline std::string float8_text(scalar kind, int width) {
  const bool e4m3 = kind == scalar::e4m3_;
  const std::string n = width == 1 ? "" : std::to_string(width), uints = "uint" + n;
  const auto where = [&](const std::string& condition) {  // of a vector all bits of true are ones
    return width == 1 ? "(uint)(" + condition + ")" : "as_" + uints + "(" + condition + ")";
  };
  return "inline float" + n + " " + vector_text::float8_function(kind, width) + "(const uchar" + n +
         " value)\n{\n    const " + uints + " all = convert_" + uints +
         "(value), magnitude = all & 0x7fu;\n    " + uints + " bits = (magnitude << " +
         (e4m3 ? "20) + (120u << 23)" : "21) + (112u << 23)") + ";\n    bits = select(bits, " +
         (e4m3 ? "(" + uints + ")(0x7fc00000u)" : "bits + (112u << 23)") + ", " +
         where(e4m3 ? "magnitude == 0x7fu" : "magnitude >= 0x7cu") +
         ");\n    bits = select(bits, as_" + uints + "(convert_float" + n + "(magnitude) * " +
         (e4m3 ? "0x1p-9f" : "0x1p-16f") + "), " +
         where(e4m3 ? "magnitude < 8u" : "magnitude < 4u") + ");\n    return as_float" + n +
         "(bits | (all & 0x80u) << 24);\n}";
}

}  // namespace clprim
