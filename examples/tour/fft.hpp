#pragma once
// Transforms on the tour: lines of a plane, and a low-pass filter of the picture.

#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include <clprim/fft.hpp>

#include "section.hpp"

namespace examples {
namespace detail {

/// A few values of the transforms against their definition in double; the bound is the project's.
inline accuracy check_transforms(const std::vector<std::complex<float>>& x,
                                 const std::vector<std::complex<float>>& y, std::size_t n) {
  accuracy worst;
  for (const std::size_t b : {std::size_t{0}, x.size() / n / 2, x.size() / n - 1})
    for (const std::size_t k : {std::size_t{0}, n / 3, n - 1}) {
      std::complex<double> sum = 0;
      double size = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double angle =
            -2 * std::numbers::pi * static_cast<double>(i * k % n) / static_cast<double>(n);
        const std::complex<double> v = x[b * n + i];
        sum += v * std::polar(1.0, angle);
        size += std::norm(v);
      }
      worst.add(std::abs(std::complex<double>(y[b * n + k]) - sum),
                4 * 0x1p-23 * std::log2(static_cast<double>(n)) * std::sqrt(size));
    }
  return worst;
}

}  // namespace detail

inline void tour_fft(tour& t) {
  using namespace clprim;
  const bool cpu = t.facts.kind == device_kind::cpu;
  const std::int64_t n = 1024, batch = std::int64_t{1} << (cpu ? 12 : 16);
  const auto count = static_cast<std::size_t>(n * batch);
  t.step("transforms of 1024 points");
  std::vector<std::complex<float>> x(count);
  random_numbers random(8);
  for (auto& v : x) {
    const auto re = static_cast<float>(random.next());
    v = {re, static_cast<float>(random.next())};
  }
  const cl::Buffer X = upload(t.on, x), Y = make_buffer<std::complex<float>>(t.on, count);
  fft<float> transform(t.on.queue);
  const auto in = clprim::array<std::complex<float>>(X, {batch, n}),
             out = clprim::array<std::complex<float>>(Y, {batch, n});
  tour_row row{.primitive = "FFT", .problem = std::to_string(batch) + " × " + std::to_string(n)};
  row.policy = cpu ? "by lanes" : "by items";
  row.seconds = measure(t.on, [&] { return transform.forward(in, out); }).median;
  row.bytes = 16.0 * static_cast<double>(count);
  row.operations = 5.0 * static_cast<double>(count) * 10;
  row.checked = detail::check_transforms(x, download<std::complex<float>>(t.on, Y, count),
                                         static_cast<std::size_t>(n));
  t.add(std::move(row), transform.explain(in, out));

  t.step("a low-pass filter of the picture");
  const std::int64_t h = t.picture.height, w = t.picture.width, half = w / 2 + 1;
  std::vector<float> luma(t.picture.pixels());
  for (std::size_t i = 0; i < luma.size(); ++i)
    luma[i] = to_ycc(t.picture.rgb[3 * i], t.picture.rgb[3 * i + 1], t.picture.rgb[3 * i + 2])[0];
  const auto pixels = static_cast<double>(luma.size());
  const std::string H = std::to_string(h), C = std::to_string(half);
  // A Gaussian over the spectrum; at frequency 0 it is 1, so the mean stays.
  fft<float> forward(t.on.queue,
                     {.axes = 2,
                      .store = {"const int x = index % " + C + ", yy = index / " + C + " % " + H +
                                    ", y = min(yy, " + H + " - yy);\n    return value * exp(-" +
                                    "(float)(x * x + y * y) * (1.0f / 5000.0f));",
                                {}}});
  fft<float> back(t.on.queue, {.axes = 2, .inverse_scale = 1 / pixels});
  const cl::Buffer L = upload(t.on, luma), B = make_buffer<float>(t.on, luma.size()),
                   S = make_buffer<std::complex<float>>(t.on, static_cast<std::size_t>(h * half));
  const auto image_in = clprim::array<float>(L, {h, w}),
             image_out = clprim::array<float>(B, {h, w});
  const auto spectrum = clprim::array<std::complex<float>>(S, {h, half});
  row = {.primitive = "FFT: low-pass filter",
         .problem = std::to_string(h) + "×" + std::to_string(w)};
  row.policy = "2 axes, fused";
  row.seconds = measure(t.on, [&] {
                  const cl::Event done = forward.forward(image_in, spectrum);
                  return back.inverse(spectrum, image_out, std::span(&done, 1));
                }).median;
  row.bytes = 8 * pixels;
  const std::vector<float> blurred = download<float>(t.on, B, luma.size());
  double before = 0, after = 0, size = 0;
  for (std::size_t i = 0; i < luma.size(); ++i) {
    before += luma[i];
    after += blurred[i];
    size += std::fabs(luma[i]);
  }
  row.checked.add(std::fabs(before - after), 1e-6 * size + 1e-3);
  t.add(std::move(row), forward.explain(image_in, spectrum));
  image result = t.picture;
  for (std::size_t i = 0; i < luma.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c)
      result.rgb[3 * i + c] =
          static_cast<std::uint8_t>(std::clamp(blurred[i] + 128.0f, 0.0f, 255.0f));
  t.write(result, "low-pass.png", "its low frequencies alone, in grey");
}

}  // namespace examples
