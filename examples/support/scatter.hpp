#pragma once
// A cloud of dots with axes.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "image.hpp"
#include "labels.hpp"
#include "terminal.hpp"

namespace examples {

struct dot_colour {
  std::string_view name;
  std::array<std::uint8_t, 3> rgb;
};
inline constexpr dot_colour dot_colours[] = {
    {"blue", {31, 119, 180}},  {"orange", {255, 127, 14}},  {"green", {44, 160, 44}},
    {"red", {214, 39, 40}},    {"violet", {148, 103, 189}}, {"brown", {140, 86, 75}},
    {"pink", {227, 119, 194}}, {"grey", {127, 127, 127}},   {"olive", {188, 189, 34}},
    {"cyan", {23, 190, 207}}};

/// Pairs x, y as dots in the colours of their groups, y upwards, with numbers beside.
inline image scatter(const std::vector<float>& xy, const std::vector<std::size_t>& group) {
  constexpr int size = 560, radius = 4;
  image picture{size, size, std::vector<std::uint8_t>(std::size_t{3} * size * size, 245)};
  std::array<double, 2> from, to;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    from[axis] = to[axis] = static_cast<double>(xy[axis]);
    for (std::size_t i = axis; i < xy.size(); i += 2) {
      from[axis] = std::min(from[axis], static_cast<double>(xy[i]));
      to[axis] = std::max(to[axis], static_cast<double>(xy[i]));
    }
    const double margin = 0.05 * (to[axis] - from[axis]) + 1e-6;
    from[axis] -= margin;
    to[axis] += margin;
  }
  const auto place = [&](std::size_t axis, double v) {
    const double share = (v - from[axis]) / (to[axis] - from[axis]);
    return static_cast<int>((axis == 0 ? share : 1 - share) * (size - 1));
  };
  for (std::size_t row = 0; row < group.size(); ++row) {
    const int x = place(0, static_cast<double>(xy[2 * row]));
    const int y = place(1, static_cast<double>(xy[2 * row + 1]));
    const auto& colour = dot_colours[group[row] % std::size(dot_colours)].rgb;
    for (int at_y = std::max(0, y - radius); at_y <= std::min(size - 1, y + radius); ++at_y)
      for (int at_x = std::max(0, x - radius); at_x <= std::min(size - 1, x + radius); ++at_x) {
        const int dx = at_x - x, dy = at_y - y;
        if (dx * dx + dy * dy > radius * radius) continue;
        std::copy(colour.begin(), colour.end(),
                  picture.rgb.begin() + std::ptrdiff_t{3} * (at_y * size + at_x));
      }
  }
  labelled axes(picture);
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const double step = nice_step(to[axis] - from[axis], 8);
    for (double k = std::ceil(from[axis] / step); k * step <= to[axis]; k += 1) {
      const int at = place(axis, k * step);
      axis == 0 ? axes.tick_below(at, format("%.3g", k * step))
                : axes.tick_beside(at, format("%.3g", k * step));
    }
  }
  return axes.picture();
}

}  // namespace examples
