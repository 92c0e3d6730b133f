#pragma once
// A landscape out of noise, for those who name no picture: smooth sky, soft clouds, sharp ridges,
// rippled water and fine grass, so that it compresses the way a photograph does.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

#include "image.hpp"

namespace examples {

namespace scene {

struct colour {
  float r = 0, g = 0, b = 0;
  friend colour operator+(colour p, colour q) { return {p.r + q.r, p.g + q.g, p.b + q.b}; }
  friend colour operator*(colour p, float s) { return {p.r * s, p.g * s, p.b * s}; }
};

inline float mix(float a, float b, float t) { return a + (b - a) * t; }
inline colour mix(colour a, colour b, float t) { return a * (1 - t) + b * t; }
inline float smooth(float from, float to, float x) {
  const float t = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

/// A number in 0 … 1 for each point of a lattice.
inline float lattice(int x, int y, std::uint32_t seed) {
  std::uint32_t h = static_cast<std::uint32_t>(x) * 0x8da6b343u ^
                    static_cast<std::uint32_t>(y) * 0xd8163841u ^ seed * 0xcb1ab31fu;
  h = (h ^ (h >> 15)) * 0x2c1b3c6du;
  h = (h ^ (h >> 12)) * 0x297a2d39u;
  return static_cast<float>((h ^ (h >> 15)) >> 8) * 0x1p-24f;
}

inline float noise(float x, float y, std::uint32_t seed) {
  const float fx = std::floor(x), fy = std::floor(y);
  const int ix = static_cast<int>(fx), iy = static_cast<int>(fy);
  const float u = smooth(0, 1, x - fx), v = smooth(0, 1, y - fy);
  return mix(mix(lattice(ix, iy, seed), lattice(ix + 1, iy, seed), u),
             mix(lattice(ix, iy + 1, seed), lattice(ix + 1, iy + 1, seed), u), v);
}

/// Noise of `octaves` scales, each half as large and `gain` as strong; around 0.5.
inline float layered(float x, float y, std::uint32_t seed, int octaves, float gain = 0.5f) {
  float sum = 0, weight = 1, total = 0;
  for (int i = 0; i < octaves; ++i) {
    sum += weight * noise(x, y, seed + static_cast<std::uint32_t>(i));
    total += weight;
    weight *= gain;
    const float turned = 1.6f * x - 1.2f * y;  // the lattices of two scales do not coincide
    y = 1.2f * x + 1.6f * y;
    x = turned;
  }
  return sum / total;
}

inline constexpr float shore = 0.66f;  ///< where land meets water; the picture is 1 high
inline constexpr float sun_x = 1.02f, sun_y = 0.40f;

inline colour sky(float x, float y) {
  const float down = std::clamp(y / shore, 0.0f, 1.0f);
  colour c = mix(colour{0.16f, 0.32f, 0.62f}, colour{0.98f, 0.80f, 0.62f}, std::pow(down, 1.5f));
  const float dx = x - sun_x, dy = y - sun_y, away = std::sqrt(dx * dx + dy * dy);
  c = c + colour{1.0f, 0.62f, 0.28f} * (0.55f * std::exp(-4.5f * away));
  c = c + colour{1.0f, 0.92f, 0.75f} * (1.2f * std::exp(-190 * away * away));
  // Clouds: layers that shrink towards the horizon, bent by slower noise, lit where they thin out.
  const float far = 0.18f / (shore - y + 0.12f);
  const float u = 5.0f * (x - 0.75f) * far + 3.0f, v = 13.0f * far;
  const float bend = layered(u, v, 11, 3);
  const float thick = smooth(0.47f, 0.72f, layered(u + 1.5f * bend, v + 0.8f * bend, 23, 7, 0.55f));
  const float lit = layered(u + 1.5f * bend + 0.12f, v + 0.8f * bend + 0.2f, 23, 5, 0.55f);
  const colour shade{0.46f, 0.46f, 0.58f}, light{1.0f, 0.93f, 0.86f};
  const colour cloud = mix(light, shade, smooth(0.42f, 0.68f, lit));
  return mix(c, cloud + colour{0.25f, 0.12f, 0.03f} * std::exp(-3 * away), 0.88f * thick);
}

/// Height of the ridge of one range, as y; ranges are numbered from far to near.
inline float ridge(float x, int range) {
  const auto seed = static_cast<std::uint32_t>(100 + 17 * range);
  const float wide = layered(1.3f * x + 3.1f * static_cast<float>(range), 0.5f, seed, 2);
  const float sharp = 1 - std::abs(2 * layered(3.6f * x, 7.0f, seed + 5, 7, 0.52f) - 1);
  const float top[] = {0.20f, 0.34f, 0.46f, 0.55f}, rise[] = {0.36f, 0.26f, 0.20f, 0.13f};
  return top[range] + rise[range] * (1.35f - 0.9f * wide - 0.75f * sharp);
}

/// Sky and mountains, without the water.
inline colour land(float x, float y) {
  colour c = sky(x, y);
  const colour haze{0.80f, 0.74f, 0.76f};
  for (int range = 0; range < 4; ++range) {
    const float top = ridge(x, range);
    if (y < top) continue;
    const float depth = y - top, near = static_cast<float>(range) / 3;
    const auto seed = static_cast<std::uint32_t>(300 + 31 * range);
    const float scale = 9 + 9 * near;
    // Slopes: noise drawn out downhill, its derivative along x being the light from the sun.
    const float s = layered(scale * x, 0.45f * scale * y - 1.2f * scale * x, seed, 6, 0.62f);
    const float t =
        layered(scale * x + 0.06f, 0.45f * scale * y - 1.2f * scale * x, seed, 6, 0.62f);
    const float light = std::clamp(0.55f + 7.0f * (s - t), 0.12f, 1.15f);
    const colour rock = mix(colour{0.30f, 0.30f, 0.36f}, colour{0.42f, 0.36f, 0.32f}, s);
    const colour forest = mix(colour{0.07f, 0.15f, 0.10f}, colour{0.17f, 0.25f, 0.11f}, s);
    colour ground = mix(rock, forest, smooth(0.15f, 0.75f, near + 0.9f * (s - 0.5f)));
    if (range < 2) {
      const float snow = smooth(0.10f, 0.0f, depth - 0.10f * (s - 0.45f) - 0.02f);
      ground = mix(ground, colour{0.96f, 0.96f, 1.0f}, snow);
    }
    if (range == 3) {  // trees: dark crowns of a few pixels
      const float crown = noise(260 * x, 120 * y, 77) * noise(90 * x, 60 * y, 78);
      ground = ground * (0.45f + 1.3f * crown);
    }
    const float veil = (0.62f - 0.52f * near) * (0.75f + 0.6f * std::min(depth / 0.2f, 1.0f));
    c = mix(ground * light, haze, std::clamp(veil, 0.0f, 0.9f));
  }
  return c;
}

inline colour water(float x, float y) {
  const float near = (y - shore) / (1 - shore);
  const float rows = 1 / (near + 0.035f);  // waves look shorter and closer far away
  const float wave = layered(5 * x * rows * 0.5f + 9, 16 * rows, 51, 4) - 0.5f;
  const float ripple = layered(18 * x * (0.4f + rows * 0.2f), 60 * rows, 61, 3) - 0.5f;
  const float bend = (0.05f + 0.10f * near) * wave + 0.03f * ripple;
  const colour mirrored = land(x + 0.4f * bend, std::max(0.0f, 2 * shore - y - 0.6f * bend));
  const colour deep{0.05f, 0.14f, 0.19f};
  const float facing = 0.30f + 0.35f * near;
  colour c = mix(mirrored * 0.92f, deep, facing);
  const float glitter =
      smooth(0.20f, 0.36f, ripple + 0.5f * wave) * std::exp(-30 * (x - sun_x) * (x - sun_x));
  return c + colour{1.0f, 0.82f, 0.55f} * (0.8f * glitter);
}

/// The near bank: grass blades and a few flowers over the lower edge.
inline bool bank(float x, float y, colour& c) {
  const float edge = 0.90f + 0.10f * layered(1.7f * x + 5, 1.5f, 81, 3) - 0.11f * (1.5f - x) / 1.5f;
  const float blade = 0.030f * layered(150 * x + 12 * y, 3.0f, 91, 2, 0.8f);
  if (y < edge - blade) return false;
  const float depth = y - edge;
  const float fine = layered(210 * x + 45 * y, 38 * y, 95, 4, 0.75f);
  const float tuft = layered(14 * x, 22 * y, 97, 3);
  c = mix(colour{0.05f, 0.10f, 0.03f}, colour{0.42f, 0.50f, 0.14f}, smooth(0.25f, 0.8f, fine));
  c = c * (0.55f + 0.9f * tuft) * (1.05f - 1.8f * std::max(depth, 0.0f));
  const int cx = static_cast<int>(std::floor(x * 95)), cy = static_cast<int>(std::floor(y * 95));
  if (depth > 0.004f && lattice(cx, cy, 7) > 0.93f) {
    const float px = x * 95 - static_cast<float>(cx) - 0.3f - 0.4f * lattice(cx, cy, 8);
    const float py = y * 95 - static_cast<float>(cy) - 0.3f - 0.4f * lattice(cx, cy, 9);
    const float petal = smooth(0.075f, 0.035f, px * px + 1.4f * py * py);
    const colour kinds[] = {{0.93f, 0.20f, 0.16f}, {0.98f, 0.84f, 0.18f}, {0.86f, 0.72f, 0.95f}};
    const auto kind = static_cast<std::size_t>(3 * lattice(cx, cy, 10));
    c = mix(c, kinds[std::min<std::size_t>(kind, 2)] * (0.65f + 0.6f * fine), petal);
  }
  return true;
}

inline colour seen(float x, float y) {
  colour c;
  if (bank(x, y, c)) return c;
  return y < shore ? land(x, y) : water(x, y);
}

}  // namespace scene

/// Draws the landscape, on all cores; the same at every run.
inline image synthesised(int width, int height) {
  image picture{.width = width, .height = height, .rgb = {}};
  picture.rgb.resize(3 * picture.pixels());
  const auto draw = [&](int first, int step) {
    for (int row = first; row < height; row += step) {
      for (int column = 0; column < width; ++column) {
        const float scale = 1 / static_cast<float>(height);
        const float x = (static_cast<float>(column) + 0.5f) * scale;
        const float y = (static_cast<float>(row) + 0.5f) * scale;
        const scene::colour c = scene::seen(x, y);
        // Some grain, as a sensor has it, and a curve that keeps highlights from clipping hard.
        const float grain = 0.012f * (scene::lattice(column, row, 999) - 0.5f);
        const auto byte = [&](float v) {
          v = std::max(v + grain, 0.0f);
          return to_byte(255 * (v < 0.8f ? v : 1 - 0.2f * std::exp(-(v - 0.8f) / 0.2f)));
        };
        const std::size_t at =
            3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                 static_cast<std::size_t>(column));
        picture.rgb[at] = byte(c.r);
        picture.rgb[at + 1] = byte(c.g);
        picture.rgb[at + 2] = byte(c.b);
      }
    }
  };
  const int workers = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 64u));
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(workers));
  for (int i = 0; i < workers; ++i) threads.emplace_back(draw, i, workers);
  for (std::thread& one : threads) one.join();
  return picture;
}

}  // namespace examples
