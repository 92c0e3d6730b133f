#pragma once
// Stripes over a picture, its spectrum as a picture, and its channels as planes of numbers.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

#include "image.hpp"

namespace examples {

using spectrum = std::vector<std::complex<float>>;

/// Three waves over the picture, as of a scanner's motor and a mains hum.
inline image with_stripes(image picture, float strength) {
  struct wave {
    double x, y, part;  ///< periods across width and height
  };
  for (const wave& w : {wave{61, 0, 1.0}, wave{23, 37, 0.8}, wave{-40, 52, 0.6}}) {
    for (int y = 0; y < picture.height; ++y)
      for (int x = 0; x < picture.width; ++x) {
        const double turn = w.x * x / picture.width + w.y * y / picture.height;
        const auto add =
            static_cast<float>(strength * w.part * std::cos(2 * std::numbers::pi * turn));
        const auto at = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                             static_cast<std::size_t>(x));
        for (std::size_t c = 0; c < 3; ++c)
          picture.rgb[at + c] = examples::to_byte(static_cast<float>(picture.rgb[at + c]) + add);
      }
  }
  return picture;
}

/// The logarithm of a spectrum as a picture, low frequencies in the middle of the left side.
inline image spectrum_picture(const spectrum& s, const std::vector<float>& keep, std::int64_t rows,
                              std::int64_t columns) {
  image picture{static_cast<int>(columns), static_cast<int>(rows), {}};
  float most = 0;
  for (std::int64_t i = 0; i < rows * columns; ++i)
    most = std::max(most, std::log1p(std::abs(s[static_cast<std::size_t>(i)])));
  for (std::int64_t y = 0; y < rows; ++y)
    for (std::int64_t x = 0; x < columns; ++x) {
      const auto at = static_cast<std::size_t>((y + rows / 2) % rows * columns + x);
      const float v = std::log1p(std::abs(s[at])) / most;
      for (const float part : {v + (1 - keep[at]) * (1 - v), v * keep[at], v * keep[at]})
        picture.rgb.push_back(examples::to_byte(255 * part));
    }
  return picture;
}

/// The three channels one after the other, as numbers.
inline std::vector<float> planes_of(const image& picture) {
  std::vector<float> planes;
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t i = c; i < picture.rgb.size(); i += 3)
      planes.push_back(static_cast<float>(picture.rgb[i]));
  return planes;
}

/// And back.
inline image image_of(const std::vector<float>& planes, int width, int height) {
  image picture{width, height, std::vector<std::uint8_t>(planes.size())};
  const std::size_t plane = planes.size() / 3;
  for (std::size_t i = 0; i < plane; ++i)
    for (std::size_t c = 0; c < 3; ++c) picture.rgb[3 * i + c] = to_byte(planes[c * plane + i]);
  return picture;
}

}  // namespace examples
