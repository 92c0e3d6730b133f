#pragma once
// The 8 x 8 cosine transform of JPEG as a matrix product, and what is known about its results.
//
// A block X of 8 x 8 pixels becomes Y = D X D^T. Written row after row as vectors of 64 that is
// y = (D ⊗ D) x, so all blocks of a plane are one product of two ordinary matrices,
//
//     blocks x 64          64 x 64               blocks x 64
//     pixels        ·   (D ⊗ D)^T diag(1/q)  =   coefficients over their quantisation steps q
//
// and rounding is the product's epilogue. Back again it is quantised · diag(q) (D ⊗ D), and the
// epilogue returns to 0 … 255. D X D^T for every block by itself takes 4 times fewer operations,
// but in products of 8 x 8 x 8, which no tile fits, and in two passes over the picture.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <span>
#include <vector>

#include "../support/check_gemm.hpp"
#include "../support/image.hpp"

namespace examples {

/// D: the orthonormal cosine transform of 8 points (ITU-T T.81, A.3.3).
inline double cosine(int frequency, int place) {
  const double scale = frequency == 0 ? std::sqrt(0.125) : 0.5;
  return scale * std::cos((2 * place + 1) * frequency * std::numbers::pi / 16);
}

/// Steps of quantisation by frequency, row after row: luma and chroma of ITU-T T.81, annex K.1,
/// scaled by quality (1 … 100, 50: as printed) the way libjpeg does.
inline std::array<double, 64> quantisation_steps(bool chroma, int quality) {
  static constexpr std::array<int, 64> luma_table{
      16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
      14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
      18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
      49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};
  static constexpr std::array<int, 64> chroma_table{
      17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99,
      99, 99, 47, 66, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
      99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99};
  const int scale = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  std::array<double, 64> steps{};
  for (std::size_t i = 0; i < 64; ++i) {
    const int step = ((chroma ? chroma_table[i] : luma_table[i]) * scale + 50) / 100;
    steps[i] = std::clamp(step, 1, 255);
  }
  return steps;
}

/// A picture as rows of 64 values around 0, a block of 8 x 8 each: all of luma, then both chromas.
/// Edges are repeated to whole blocks.
struct block_picture {
  int width = 0, height = 0;  ///< of the picture, in pixels
  int across = 0, down = 0;   ///< in blocks
  std::vector<float> values;

  std::size_t blocks() const {
    return static_cast<std::size_t>(across) * static_cast<std::size_t>(down);
  }
  /// Where a pixel of a plane lies.
  std::size_t at(std::size_t plane, int row, int column) const {
    const auto block = static_cast<std::size_t>(row / 8) * static_cast<std::size_t>(across) +
                       static_cast<std::size_t>(column / 8);
    return (plane * blocks() + block) * 64 + static_cast<std::size_t>(row % 8 * 8 + column % 8);
  }
};

inline block_picture to_blocks(const image& picture) {
  block_picture b{.width = picture.width,
                  .height = picture.height,
                  .across = (picture.width + 7) / 8,
                  .down = (picture.height + 7) / 8,
                  .values = {}};
  b.values.resize(3 * 64 * b.blocks());
  for (int row = 0; row < 8 * b.down; ++row) {
    for (int column = 0; column < 8 * b.across; ++column) {
      const auto from = 3 * (static_cast<std::size_t>(std::min(row, b.height - 1)) *
                                 static_cast<std::size_t>(b.width) +
                             static_cast<std::size_t>(std::min(column, b.width - 1)));
      const auto ycc = to_ycc(picture.rgb[from], picture.rgb[from + 1], picture.rgb[from + 2]);
      for (std::size_t plane = 0; plane < 3; ++plane)
        b.values[b.at(plane, row, column)] = ycc[plane];
    }
  }
  return b;
}

/// Back from values in 0 … 255, chroma around 128.
inline image to_image(const block_picture& b, const std::vector<float>& values) {
  image picture{.width = b.width, .height = b.height, .rgb = {}};
  picture.rgb.reserve(3 * picture.pixels());
  for (int row = 0; row < b.height; ++row) {
    for (int column = 0; column < b.width; ++column) {
      const auto value = [&](std::size_t plane) {
        return values[b.at(plane, row, column)] - 128.0f;
      };
      for (const float channel : to_rgb(value(0), value(1), value(2))) {
        picture.rgb.push_back(to_byte(channel));
      }
    }
  }
  return picture;
}

/// The matrices of the three planes, 64 x 64 each: forwards (D ⊗ D)^T diag(1/q), back diag(q)
/// (D ⊗ D).
inline std::vector<float> transform_matrices(int quality, bool forwards) {
  std::vector<float> matrices(3 * 64 * 64);
  for (std::size_t plane = 0; plane < 3; ++plane) {
    const auto steps = quantisation_steps(plane > 0, quality);
    for (std::size_t f = 0; f < 64; ++f) {
      for (std::size_t p = 0; p < 64; ++p) {
        const double d = cosine(static_cast<int>(f / 8), static_cast<int>(p / 8)) *
                         cosine(static_cast<int>(f % 8), static_cast<int>(p % 8));
        const std::size_t at = plane * 64 * 64 + (forwards ? p * 64 + f : f * 64 + p);
        matrices[at] = static_cast<float>(forwards ? d / steps[f] : d * steps[f]);
      }
    }
  }
  return matrices;
}

/// One block transformed on the host in double, columns then rows (not the product of the device);
/// with `absolute` values in place of all factors it gives what the error bounds need.
inline std::array<double, 64> transformed(const std::array<double, 64>& x, bool forwards,
                                          bool absolute) {
  static const auto table = [] {
    std::array<double, 64> t{};
    for (int i = 0; i < 64; ++i) t[static_cast<std::size_t>(i)] = cosine(i / 8, i % 8);
    return t;
  }();
  const auto weight = [&](std::size_t out, std::size_t in) {
    const double d = forwards ? table[out * 8 + in] : table[in * 8 + out];
    return absolute ? std::abs(d) : d;
  };
  std::array<double, 64> half{}, y{};
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t o = 0; o < 8; ++o)
      for (std::size_t c = 0; c < 8; ++c) half[o * 8 + c] += weight(o, i) * x[i * 8 + c];
  for (std::size_t r = 0; r < 8; ++r)
    for (std::size_t i = 0; i < 8; ++i)
      for (std::size_t o = 0; o < 8; ++o) y[r * 8 + o] += weight(o, i) * half[r * 8 + i];
  return y;
}

/// Roundings of one element: 64 products, the matrix's own entry, and what follows the sum.
inline double dct_growth() { return gamma(64 + 4, 0x1p-24); }

/// Every quantised coefficient must be the integer nearest to the true one over its step, but for
/// the device's rounding before that: |Q - y/q| <= 1/2 + bound. The error told is what passes 1/2.
inline accuracy check_quantised(const block_picture& b, const std::vector<float>& quantised,
                                int quality) {
  accuracy worst;
  for (std::size_t block = 0; block < 3 * b.blocks(); ++block) {
    const auto steps = quantisation_steps(block >= b.blocks(), quality);
    std::array<double, 64> x{}, size{};
    for (std::size_t i = 0; i < 64; ++i) {
      x[i] = b.values[block * 64 + i];
      size[i] = std::abs(x[i]);
    }
    const auto y = transformed(x, true, false);
    const auto bound = transformed(size, true, true);
    for (std::size_t i = 0; i < 64; ++i) {
      const double q = quantised[block * 64 + i];
      const double beyond = std::abs(q - y[i] / steps[i]) - 0.5;
      if (q != std::round(q)) worst.add(1, 0);
      worst.add(beyond > 0 || beyond != beyond ? beyond : 0, dct_growth() * bound[i] / steps[i]);
    }
  }
  return worst;
}

/// Every decoded value against the true one of the same quantised coefficients.
inline accuracy check_decoded(const block_picture& b, const std::vector<float>& quantised,
                              const std::vector<float>& decoded, int quality) {
  accuracy worst;
  for (std::size_t block = 0; block < 3 * b.blocks(); ++block) {
    const auto steps = quantisation_steps(block >= b.blocks(), quality);
    std::array<double, 64> y{}, size{};
    for (std::size_t i = 0; i < 64; ++i) {
      y[i] = quantised[block * 64 + i] * steps[i];
      size[i] = std::abs(y[i]);
    }
    const auto x = transformed(y, false, false);
    const auto bound = transformed(size, false, true);
    for (std::size_t i = 0; i < 64; ++i) {
      const double exact = std::clamp(x[i] + 128, 0.0, 255.0);
      worst.add(std::abs(decoded[block * 64 + i] - exact), dct_growth() * (bound[i] + 128));
    }
  }
  return worst;
}

/// Bits of all coefficients under a coder that knows how often each value occurs at its frequency,
/// the mean of a block being told as the difference to the block before: an estimate of what JPEG
/// takes.
inline double entropy_bits(const block_picture& b, const std::vector<float>& quantised) {
  double bits = 0;
  for (std::size_t plane = 0; plane < 3; ++plane) {
    const std::span values(quantised.data() + plane * b.blocks() * 64, b.blocks() * 64);
    for (std::size_t f = 0; f < 64; ++f) {
      std::map<int, int> counts;
      float before = 0;
      for (std::size_t i = f; i < values.size(); i += 64) {
        ++counts[static_cast<int>(values[i] - before)];
        if (f == 0) before = values[i];
      }
      const auto total = static_cast<double>(b.blocks());
      for (const auto& [value, count] : counts) bits -= count * std::log2(count / total);
    }
  }
  return bits;
}

}  // namespace examples
