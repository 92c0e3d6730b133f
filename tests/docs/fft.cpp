// The snippets of docs/fft.md.

#include <cmath>

#include <doctest/doctest.h>

#include <clprim/fft.hpp>

#include "docs/here.hpp"

using docs::filled;

TEST_CASE("transforms there and back") {
  const cl::CommandQueue& queue = support::device_session().queue;
  constexpr int batch = 3;
  const cl::Buffer a = filled<std::complex<float>>(batch * 1024, 1.f),
                   b = filled<std::complex<float>>(batch * 1024, 0.f);
  // [call]
  clprim::fft<float> transform(queue);
  const auto x = clprim::array<std::complex<float>>(a, {batch, 1024});
  const auto y = clprim::array<std::complex<float>>(b, {batch, 1024});
  cl::Event done = transform.forward(x, y);  // 1024 points, batch times; inverse(y, x) gives 1024 x
  // [end]
  CHECK(docs::read<std::complex<float>>(b, 1)[0] == 1024.f);
  const cl::Buffer signal = filled<float>(batch * 1000, 1),
                   spectrum = filled<std::complex<float>>(batch * 501, 0.f);
  // [real]
  transform.forward(clprim::array<float>(signal, {batch, 1000}),                  // real in,
                    clprim::array<std::complex<float>>(spectrum, {batch, 501}));  // half out
  // [end]
  CHECK(std::abs(docs::read<std::complex<float>>(spectrum, 1)[0] - 1000.f) < 0.01f);
  const cl::Buffer real_parts = filled<float>(batch * 1024, 1),
                   imaginary_parts = filled<float>(batch * 1024, 2);
  // [split]
  const auto re = clprim::array<float>(real_parts, {batch, 1024});
  const auto im = clprim::array<float>(imaginary_parts, {batch, 1024});
  transform.forward(clprim::split(re, im), clprim::split(re, im));  // in place
  // [end]
  CHECK(docs::read<float>(imaginary_parts, 1)[0] == 2048.f);
}

TEST_CASE("functions at loading and storing, and two axes padded") {
  const cl::CommandQueue& queue = support::device_session().queue;
  constexpr int batch = 2;
  const cl::Buffer samples = filled<std::int16_t>(batch * 1024, 2),
                   powers = filled<float>(batch * 513, 0), window = filled<float>(1024, 0.5);
  // [functions]
  // Samples of 16 bits, windowed as they are read; powers stored in place of half a spectrum.
  clprim::fft<float> power(queue, {.load = {"return (float)value * window[index % 1024];",
                                            {clprim::buffer<float>("window")}},
                                   .store = {"return dot(value, value);", {}}});
  power.forward(clprim::array<std::int16_t>(samples, {batch, 1024}),
                clprim::array<float>(powers, {batch, 513}), {}, {window});
  // [end]
  CHECK(std::abs(docs::read<float>(powers, 1)[0] - 1024.f * 1024.f) < 10);
  const cl::Buffer pixels = filled<float>(100 * 150, 3),
                   room = filled<std::complex<float>>(128 * 81, 0.f);
  // [padded]
  // Two axes, there and back, as the identity; 100 x 150 real values padded to 128 x 160.
  clprim::fft<float> plane(queue,
                           {.axes = 2, .lengths = {128, 160}, .inverse_scale = 1.0 / (128 * 160)});
  const auto image = clprim::array<float>(pixels, {100, 150});
  const auto spectrum = clprim::array<std::complex<float>>(room, {128, 81});
  const cl::Event there = plane.forward(image, spectrum);
  plane.inverse(spectrum, image, {there});
  // [end]
  CHECK(std::abs(docs::read<float>(pixels, 1)[0] - 3) < 1e-4f);
  // [sustained]
  constexpr clprim::fft_policy steady{.points = 10,
                                      .radices = {10, 10, 10},
                                      .exchange = clprim::fft_exchange::pairs,
                                      .twiddles = clprim::fft_twiddles::native,
                                      .streaming = clprim::fft_streaming::lines};
  // [end]
  static_assert(checked(steady) == steady);
}
