#pragma once
// How exactly a program must compute, and the build options that say so: a field of every door's
// options. It changes results, so it is no policy; the options are part of a program's key.
//
//     clprim::map<float, float> wave(queue, {.map = {"return sin(x0);", {}},
//                                            .math = clprim::math_mode::native});
//
// Sources: OpenCL 1.2 specification, 5.6.4.3 and 7.4; OpenCL C 3.0, table "ULP values for single
// precision built-in math functions with unsafe math optimizations"; NVIDIA OpenCL Programming
// Guide 2.3, 3.1.1.1 and appendix B.2. What each costs and gains on a device is measured by
// `bench/run ladders --only '^(math|instructions)'`.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <clprim/core/error.hpp>

namespace clprim {

/// What a program may leave out for speed. Every mode allows what those before it allow.
enum class math_mode {
  /// OpenCL C's own bounds: sums and products rounded, a float division within 2.5 ulp, sin 4 ulp,
  /// exp and log 3 ulp. The bounds that the library states elsewhere are for this mode.
  precise,
  /// -cl-mad-enable: a * b + c may be one instruction that rounds once, or cuts the product off. It
  /// is within 2^-23 |a b| and a rounding of the exact value.
  mad,
  /// -cl-fast-relaxed-math: sums are added in any order, so n terms are within n 2^-24 of the sum
  /// of their magnitudes; sin and cos of float within 2^-11 in [-pi, pi], log within 2^-21 in
  /// [0.5, 2] and 3 ulp elsewhere, exp(x) within 3 + |2 x| ulp. NaN and infinities, zeros' signs:
  /// undefined. For finite data whose results are finite. On Intel's CPUs (2026.2) exp has 1.5e-4.
  relaxed,
  /// relaxed, and functions of float become their native_ counterparts, whose errors the device
  /// defines: on NVIDIA sin within 2^-21.4 in [-pi, pi] and worse outside, exp(x) within
  /// 2 + |1.16 x| ulp, division within 2 ulp up to 2^126. Not for double, which has none.
  native,
};

/// "precise", "mad", "relaxed", "native".
constexpr const char* to_string(math_mode m) {
  constexpr std::array names{"precise", "mad", "relaxed", "native"};
  return names[static_cast<std::size_t>(m)];
}

namespace detail {

/// The functions of float that have a native counterpart by their own name.
inline constexpr std::array native_functions{"cos",   "exp",  "exp2",  "exp10", "log",  "log2",
                                             "log10", "powr", "rsqrt", "sin",   "sqrt", "tan"};

}  // namespace detail

/// The build options that a mode takes.
constexpr std::string_view build_options_of(math_mode math) {
  constexpr std::array<std::string_view, 4> options{"", "-cl-mad-enable", "-cl-fast-relaxed-math",
                                                    "-cl-fast-relaxed-math"};
  return options[static_cast<std::size_t>(math)];
}

/// What stands before the source of a program in this mode: names of functions mean native ones.
/// No build option could say so, for some drivers (PoCL) define the names themselves afterwards.
/// Throws argument_error for native functions in a program that computes in double, as its source
/// says.
inline std::string text_before(math_mode math, std::string_view source) {
  std::string text;
  if (math != math_mode::native) return text;
  if (source.find("cl_khr_fp64") != std::string_view::npos) {
    throw argument_error("math", "must not be native for double", "math_mode::native",
                         "math_mode::relaxed, or float");
  }
  for (const char* const function : detail::native_functions) {
    const std::string name = function;
    text += "#undef " + name + "\n#define " + name + " native_" + name + "\n";
  }
  return text;
}

}  // namespace clprim
