#pragma once
// Axes of a picture: ticks, and numbers with a unit in a small font of dots.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "image.hpp"

namespace examples {

namespace detail {

/// Rows of three dots, top to bottom, of what labels are made of.
inline std::array<int, 5> dots_of(char c) {
  constexpr std::pair<char, std::array<int, 5>> font[] = {
      {'0', {7, 5, 5, 5, 7}}, {'1', {2, 6, 2, 2, 7}}, {'2', {7, 1, 7, 4, 7}},
      {'3', {7, 1, 7, 1, 7}}, {'4', {5, 5, 7, 1, 1}}, {'5', {7, 4, 7, 1, 7}},
      {'6', {7, 4, 7, 5, 7}}, {'7', {7, 1, 1, 2, 2}}, {'8', {7, 5, 7, 5, 7}},
      {'9', {7, 5, 7, 1, 7}}, {'.', {0, 0, 0, 0, 2}}, {'k', {4, 5, 6, 6, 5}},
      {'H', {5, 5, 7, 5, 5}}, {'z', {0, 7, 1, 6, 7}}, {'s', {0, 7, 6, 1, 7}},
      {'m', {0, 7, 7, 5, 5}}, {'-', {0, 0, 7, 0, 0}}, {'P', {7, 5, 7, 4, 4}},
      {'C', {7, 4, 4, 4, 7}}};
  for (const auto& [letter, rows] : font)
    if (letter == c) return rows;
  return {};
}

}  // namespace detail

/// A picture with room around it, on which one draws in the colour of ink.
class labelled {
 public:
  static constexpr int left = 72, bottom = 28, top = 8, right = 24;
  static constexpr int dot = 2;  ///< pixels

  explicit labelled(const image& inside)
    : inside_(inside.width, inside.height),
      picture_{inside.width + left + right, inside.height + top + bottom, {}} {
    picture_.rgb.assign(3 * picture_.pixels(), 255);
    const std::ptrdiff_t line = std::ptrdiff_t{3} * inside.width;
    for (int y = 0; y < inside.height; ++y)
      std::copy_n(inside.rgb.begin() + y * line, line,
                  picture_.rgb.begin() + static_cast<std::ptrdiff_t>(at(left, y + top)));
  }

  /// A tick below column `x` of what is inside, with a text.
  void tick_below(int x, std::string_view text) {
    for (int i = 0; i < 6; ++i) ink(left + x, top + inside_.second + i);
    write(left + x - width(text) / 2, top + inside_.second + 10, text);
  }
  /// A tick beside row `y`.
  void tick_beside(int y, std::string_view text) {
    for (int i = 1; i < 7; ++i) ink(left - i, top + y);
    write(left - 10 - width(text), top + y - 5, text);
  }
  const image& picture() const { return picture_; }

 private:
  static int width(std::string_view text) { return static_cast<int>(text.size()) * 4 * dot; }
  std::size_t at(int x, int y) const {
    return 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture_.width) +
                static_cast<std::size_t>(x));
  }
  void ink(int x, int y) {
    if (x < 0 || y < 0 || x >= picture_.width || y >= picture_.height) return;
    for (std::size_t c = 0; c < 3; ++c) picture_.rgb[at(x, y) + c] = 40;
  }
  void write(int x, int y, std::string_view text) {
    for (const char letter : text) {
      const auto rows = detail::dots_of(letter);
      for (int r = 0; r < 5 * dot; ++r)
        for (int c = 0; c < 3 * dot; ++c)
          if ((rows[static_cast<std::size_t>(r / dot)] >> (2 - c / dot) & 1) != 0)
            ink(x + c, y + r);
      x += 4 * dot;
    }
  }

  std::pair<int, int> inside_;
  image picture_;
};

/// Distances of about `wanted` ticks over `range`: 1, 2 or 5 times a power of ten.
inline double nice_step(double range, int wanted) {
  double step = 1e-9;
  for (int i = 0; step * wanted < range; ++i) step *= i % 3 == 1 ? 2.5 : 2;
  return step;
}

}  // namespace examples
