#pragma once
// Convolution on the tour: a dense and a separable blur of a large field, the picture sharpened.

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <clprim/convolve.hpp>

#include "section.hpp"

namespace examples {

namespace detail {

inline std::string short_policy(const clprim::convolve_policy& p) {
  const auto method = static_cast<std::size_t>(p.method);
  return std::string(clprim::enum_names<clprim::convolve_method>::names[method]) + ", " +
         std::to_string(p.per_item_x) + "×" + std::to_string(p.per_item_y) + " each, " +
         std::to_string(p.items_x) + "×" + std::to_string(p.items_y);
}

/// One output of a correlation with a reflect_101 border, and its bound's sum of |w||x|.
struct exact_pixel {
  double value = 0, size = 0;
};
inline exact_pixel exact_at(const std::vector<float>& field, int n, int y, int x,
                            const std::vector<float>& taps, int radius) {
  const auto folded = [n](int i) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; };
  exact_pixel e;
  std::size_t k = 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx, ++k) {
      const auto at = static_cast<std::size_t>(folded(y + dy)) * static_cast<std::size_t>(n) +
                      static_cast<std::size_t>(folded(x + dx));
      const double product = static_cast<double>(taps[k]) * static_cast<double>(field[at]);
      e.value += product;
      e.size += std::fabs(product);
    }
  }
  return e;
}

}  // namespace detail

inline void tour_convolve(tour& t) {
  using namespace clprim;
  t.step("convolution");
  const bool cpu = t.facts.kind == device_kind::cpu;
  const int n = cpu ? 2048 : 8192;
  const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  std::vector<float> field(count);
  random_numbers random(6);
  for (float& x : field) x = static_cast<float>(random.next());
  const cl::Buffer A = upload(t.on, field), B = make_buffer<float>(t.on, count);
  const auto in = clprim::image<float>(A, n, n), out = clprim::image<float>(B, n, n);
  for (const int radius : {1, 8}) {
    const int size = 2 * radius + 1;
    std::vector<float> line, taps;
    for (int i = -radius; i <= radius; ++i)
      line.push_back(1.0f / (1.0f + static_cast<float>(i * i)));
    for (const float a : line)
      for (const float b : line) taps.push_back(a * b);
    const bool separable = radius == 8;
    const auto f =
        separable ? separable_filter<float>(line, line) : filter_2d<float>(size, size, taps);
    convolve<float> run(t.on.queue, {.border = border_mode::reflect_101});
    tour_row row{
        .primitive = separable ? "convolution, separable" : "convolution",
        .problem = std::to_string(n) + "², " + std::to_string(size) + "×" + std::to_string(size)};
    row.policy = detail::short_policy(run.schedule(in, f, out).passes.front().policy);
    row.seconds = measure(t.on, [&] { return run(in, f, out); }).median;
    row.bytes = 2.0 * sizeof(float) * static_cast<double>(count);
    row.operations = 2.0 * static_cast<double>(count) * (separable ? 2 * size : size * size);
    const std::vector<float> got = download<float>(t.on, B, count);
    for (int k = 0; k < 4000; ++k) {  // corners and edges first, then anywhere
      const auto place = [&](int step) {
        return k < 64 ? (k / step % 8 < 4 ? k / step % 4 : n - 1 - k / step % 4)
                      : static_cast<int>(std::fabs(random.next()) * (n - 1));
      };
      const int y = place(8), x = place(1);
      const detail::exact_pixel e = detail::exact_at(field, n, y, x, taps, radius);
      const auto at =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(n) + static_cast<std::size_t>(x);
      // The taps of the reference are themselves rounded products.
      row.checked.add(std::fabs(got[at] - e.value),
                      gamma((separable ? 2 * size : size * size) + 3, 0x1p-24) * e.size);
    }
    t.add(std::move(row), run.explain(in, f, out));
  }

  const int width = t.picture.width, height = t.picture.height;
  const cl::Buffer pixels = upload(t.on, t.picture.rgb),
                   sharper = make_buffer<std::uint8_t>(t.on, t.picture.rgb.size());
  const auto from = clprim::image<std::uint8_t>(pixels, height, width).channels(3),
             to = clprim::image<std::uint8_t>(sharper, height, width).channels(3);
  const std::vector<std::int32_t> taps{0, -1, 0, -1, 5, -1, 0, -1, 0};
  convolve<std::uint8_t, std::uint8_t, std::int32_t> sharpen(t.on.queue,
                                                             {.border = border_mode::replicate});
  const auto f = filter_2d<std::int32_t>(3, 3, taps);
  tour_row row{.primitive = "convolution of bytes",
               .problem = std::to_string(height) + "×" + std::to_string(width) + "×3, 3×3"};
  row.policy = detail::short_policy(sharpen.schedule(from, f, to).passes.front().policy);
  row.seconds = measure(t.on, [&] { return sharpen(from, f, to); }).median;
  row.bytes = 2.0 * static_cast<double>(t.picture.rgb.size());
  const auto got = download<std::uint8_t>(t.on, sharper, t.picture.rgb.size());
  std::size_t wrong = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width * 3; ++x) {
      const auto place = [&](int down, int across) {
        return static_cast<std::size_t>(down) * static_cast<std::size_t>(width * 3) +
               static_cast<std::size_t>(across);
      };
      const auto at = [&](int down, int pixel) {
        down = std::clamp(down, 0, height - 1);
        pixel = std::clamp(pixel, 0, width - 1);
        return int{t.picture.rgb[place(down, pixel * 3 + x % 3)]};
      };
      const int p = x / 3;
      const int sum = 5 * at(y, p) - at(y - 1, p) - at(y + 1, p) - at(y, p - 1) - at(y, p + 1);
      wrong += got[place(y, x)] == std::clamp(sum, 0, 255) ? 0 : 1;
    }
  }
  accuracy exact;
  exact.add(static_cast<double>(wrong), 0);
  row.checked = exact;
  t.add(std::move(row), sharpen.explain(from, f, to));
  image result = t.picture;
  result.rgb = got;
  t.write(result, "sharpened.png", "the picture sharpened by a 3 x 3 filter");
}

}  // namespace examples
