#pragma once
// The filters of the convolution benchmark, listed and drawn.

#include <cmath>
#include <string>

#include "../harness/problem_draw.hpp"

namespace bench {

struct filter_shape {
  int height, width, size;
  bool separable;
  std::string name() const {
    return (separable ? "separable " : "") + std::to_string(size) + "x" + std::to_string(size) +
           " " + std::to_string(height) + "x" + std::to_string(width);
  }
  double taps() const { return separable ? 2.0 * size : static_cast<double>(size) * size; }
  double pixels() const { return static_cast<double>(height) * width; }
};

/// A filter for --random: images of `least` to `most` pixels, whose axes lie within a factor of 16
/// of each other, of all kinds of extents (problem_draw::size), and filters of 2 to 65 taps along
/// each axis, log-uniform; half of them are separable.
inline filter_shape drawn_filter(problem_draw& draw, double least, double most) {
  const auto pixels = static_cast<double>(draw.log_uniform(least, most));
  const double side = std::sqrt(pixels);
  const auto height = static_cast<int>(draw.size(side / 4, side * 4));
  const double other = pixels / height;
  return {.height = height,
          .width = static_cast<int>(draw.size(other * 0.9, other * 1.1)),
          .size = static_cast<int>(draw.log_uniform(2, 65)),
          .separable = draw.chance(0.5)};
}

}  // namespace bench
