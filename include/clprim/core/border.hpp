#pragma once
// What lies outside an array: per axis and per side, as one definition for C++ and OpenCL C.

#include <array>
#include <string>
#include <string_view>

#include <clprim/core/error.hpp>
#include <clprim/core/policy.hpp>

namespace clprim {

/// How an axis goes on past its end; an image "abcd" reads as shown. Those that OpenCV has are
/// meant exactly as there (cv::BorderTypes).
enum class border_mode {
  constant,     ///< vv|abcd|vv, v any value
  replicate,    ///< aa|abcd|dd
  reflect,      ///< ba|abcd|dc
  reflect_101,  ///< cb|abcd|cb
  wrap,         ///< cd|abcd|ab
  none,         ///< not at all: there is no output where a tap would lie outside
};

template <> struct enum_names<border_mode> {
  static constexpr std::string_view type = "clprim::border_mode";
  static constexpr std::array<std::string_view, 6> names{"constant",    "replicate", "reflect",
                                                         "reflect_101", "wrap",      "none"};
};

/// The two ends of an axis.
struct border_sides {
  border_mode lower = border_mode::constant;
  border_mode upper = border_mode::constant;

  constexpr border_sides() = default;
  constexpr border_sides(border_mode both) : lower(both), upper(both) {}
  constexpr border_sides(border_mode lower_, border_mode upper_) : lower(lower_), upper(upper_) {}
  friend constexpr bool operator==(const border_sides&, const border_sides&) = default;
};

/// Throws argument_error for an end, of what is named `what`, that has no values.
inline void require_values(const border_sides& sides, const std::string& what) {
  if (sides.lower != border_mode::none && sides.upper != border_mode::none) return;
  throw argument_error(what, "must be a mode that has values", "none",
                       "constant, replicate, reflect, reflect_101, wrap");
}

/// All ends of an image.
struct image_border {
  border_sides x{};
  border_sides y{};
  border_sides z{};

  constexpr image_border() = default;
  constexpr image_border(border_mode all) : x(all), y(all), z(all) {}
  constexpr image_border(border_sides x_, border_sides y_, border_sides z_ = {})
    : x(x_), y(y_), z(z_) {}
  friend constexpr bool operator==(const image_border&, const image_border&) = default;
};

// The text between the parentheses is compiled here and, as a string, by OpenCL.
#define CLPRIM_INDEX_MAP constexpr
#define CLPRIM_BOTH_LANGUAGES(...) \
  __VA_ARGS__                      \
  inline constexpr const char* index_map_text = #__VA_ARGS__;

namespace border_text {

// remainder_of: i modulo n, never negative.
// border_index: the place of i on an axis of n places 0 … n - 1, or -1 for the constant. The modes
// are the numbers of border_mode; `none` is never asked for what is used and reads as replicate.
// `far` is set where i may lie further out than the mode mirrors or repeats once; else the
// divisions are left out, which the rows and columns inside would pay for.
// clang-format off
CLPRIM_BOTH_LANGUAGES(
CLPRIM_INDEX_MAP int remainder_of(const int i, const int n) {
  const int rest = i % n;
  return rest < 0 ? rest + n : rest;
}
CLPRIM_INDEX_MAP int border_index(const int i, const int n, const int lower, const int upper,
                                  const int far) {
  const int mode = i < 0 ? lower : upper;
  int at = i;
  if (i < 0 || i >= n) {
    if (mode == 0) {
      at = -1;
    } else if (mode == 2) {
      const int folded = far ? remainder_of(i, 2 * n) : i < 0 ? -1 - i : i;
      at = folded < n ? folded : 2 * n - 1 - folded;
    } else if (mode == 3) {
      const int folded = far ? remainder_of(i, n > 1 ? 2 * n - 2 : 1) : i < 0 ? -i : i;
      at = folded < n ? folded : 2 * n - 2 - folded;
    } else if (mode == 4) {
      at = far ? remainder_of(i, n) : i < 0 ? i + n : i - n;
    } else {
      at = i < 0 ? 0 : n - 1;
    }
  }
  return at;
}
)
// clang-format on

}  // namespace border_text

#undef CLPRIM_BOTH_LANGUAGES
#undef CLPRIM_INDEX_MAP

/// The place that position i reads on an axis of n > 0 places, or -1 for the constant; `none` reads
/// as replicate.
constexpr int border_index(int i, int n, border_sides sides) {
  return border_text::border_index(i, n, static_cast<int>(sides.lower),
                                   static_cast<int>(sides.upper), 1);
}

/// Places outside an axis of n that a mode defines when the other end has another mode: past them
/// the two would have to be applied in turn, which no mode says how to do.
constexpr int border_reach(border_mode mode, int n) {
  constexpr int any = 1 << 30;
  if (mode == border_mode::reflect || mode == border_mode::wrap) return n;
  return mode == border_mode::reflect_101 ? n - 1 : any;
}

}  // namespace clprim
