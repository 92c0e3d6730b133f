// What stands on the transforms: cosine and sine transforms, convolution and correlation.

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "fft/reference.hpp"

using namespace clprim;
using namespace support;

namespace {

/// By the definitions that fft_trigonometric states.
std::vector<long double> reference_trigonometric(fft_trigonometric type,
                                                 const std::vector<float>& x) {
  using enum fft_trigonometric;
  constexpr long double pi = std::numbers::pi_v<long double>;
  const auto n = static_cast<int>(x.size());
  std::vector<long double> y;
  for (int k = 0; k < n; ++k) {
    long double sum = 0;
    for (int m = 0; m < n; ++m) {
      const long double v = x[static_cast<std::size_t>(m)];
      const long double N = n;
      if (type == dct2) sum += 2 * v * std::cos(pi * (2 * m + 1) * k / (2 * N));
      if (type == dct3) sum += (m == 0 ? 1 : 2) * v * std::cos(pi * m * (2 * k + 1) / (2 * N));
      if (type == dct4) sum += 2 * v * std::cos(pi * (2 * m + 1) * (2 * k + 1) / (4 * N));
      if (type == dst2) sum += 2 * v * std::sin(pi * (2 * m + 1) * (k + 1) / (2 * N));
      if (type == dst3)
        sum += m == n - 1 ? (k % 2 == 0 ? v : -v)
                          : 2 * v * std::sin(pi * (m + 1) * (2 * k + 1) / (2 * N));
      if (type == dst4) sum += 2 * v * std::sin(pi * (2 * m + 1) * (2 * k + 1) / (4 * N));
    }
    y.push_back(sum);
  }
  return y;
}

}  // namespace

TEST_CASE("cosine and sine transforms are what FFTW defines, and inverse undoes forward") {
  using enum fft_trigonometric;
  const session& s = device_session();
  for (const auto type : {dct2, dct3, dct4, dst2, dst3, dst4}) {
    const std::int64_t n = type == dct3 ? 13 : 12;
    draw d(static_cast<std::uint64_t>(type));
    constexpr std::int64_t batch = 3;
    std::vector<float> from(static_cast<std::size_t>(n * batch));
    for (float& v : from) v = static_cast<float>(d.unit());
    guarded_buffer<float> X(s, from, 7), Y(s, from, 7), Z(s, from, 7);
    fft<float> transform(
        s.queue, {.inverse_scale = 1.0 / static_cast<double>(2 * n), .trigonometric = type});
    const auto x = array<float>(X.buffer(), {batch, n}), y = array<float>(Y.buffer(), {batch, n}),
               z = array<float>(Z.buffer(), {batch, n});
    wait_for(transform.forward(x, y));
    wait_for(transform.inverse(y, z));
    const auto got = Y.read(), back = Z.read();
    for (std::int64_t b = 0; b < batch; ++b) {
      const std::vector<float> line(from.begin() + b * n, from.begin() + (b + 1) * n);
      const auto expected = reference_trigonometric(type, line);
      for (std::int64_t k = 0; k < n; ++k) {
        const auto i = static_cast<std::size_t>(b * n + k);
        CHECK(std::abs(got[i] - expected[static_cast<std::size_t>(k)]) <= 2e-5L);
        CHECK(std::abs(back[i] - from[i]) <= 2e-6F);
      }
    }
    CHECK((Y.intact() && Z.intact()));
  }
}

TEST_CASE("a cosine transform of two axes is one of each") {
  const session& s = device_session();
  constexpr std::int64_t n = 8;
  std::vector<float> from(n * n);
  draw d(3);
  for (float& v : from) v = static_cast<float>(d.unit());
  guarded_buffer<float> X(s, from, 7);
  fft<float> transform(s.queue, {.axes = 2, .trigonometric = fft_trigonometric::dct2});
  const auto x = array<float>(X.buffer(), {n, n});
  wait_for(transform.forward(x, x));  // in place
  std::vector<float> rows(n * n);
  for (std::size_t r = 0; r < n; ++r) {
    const auto y = reference_trigonometric(
        fft_trigonometric::dct2, {from.begin() + static_cast<std::ptrdiff_t>(r * n),
                                  from.begin() + static_cast<std::ptrdiff_t>((r + 1) * n)});
    for (std::size_t c = 0; c < n; ++c) rows[r * n + c] = static_cast<float>(y[c]);
  }
  const auto got = X.read();
  for (std::size_t c = 0; c < n; ++c) {
    std::vector<float> column;
    for (std::size_t r = 0; r < n; ++r) column.push_back(rows[r * n + c]);
    const auto y = reference_trigonometric(fft_trigonometric::dct2, column);
    for (std::size_t r = 0; r < n; ++r) CHECK(std::abs(got[r * n + c] - y[r]) <= 3e-4L);
  }
}

TEST_CASE("convolution and correlation are their sums, linear and circular, in two axes") {
  const session& s = device_session();
  constexpr std::int64_t h = 13, w = 22, batch = 2, kh = 3, kw = 5;
  for (const bool circular : {false, true}) {
    for (const bool correlation : {false, true}) {
      draw d(9);
      std::vector<float> image(h * w * batch), kernel(kh * kw);
      for (float& v : image) v = static_cast<float>(d.unit());
      for (float& v : kernel) v = static_cast<float>(d.unit());
      guarded_buffer<float> X(s, image, 7), K(s, kernel, 7),
          Y(s, std::vector<float>(image.size()), 7);
      fft_convolution<float> run(
          s.queue, {.axes = 2, .correlation = correlation, .circular = circular, .origin = {1, 3}});
      run.set_kernel(array<float>(K.buffer(), {kh, kw}), {h, w});
      wait_for(
          run(array<float>(X.buffer(), {batch, h, w}), array<float>(Y.buffer(), {batch, h, w})));
      const auto got = Y.read();
      for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t r = 0; r < h; ++r)
          for (std::int64_t c = 0; c < w; ++c) {
            double sum = 0;
            for (std::int64_t i = 0; i < kh; ++i)
              for (std::int64_t j = 0; j < kw; ++j) {
                std::int64_t y = correlation ? r - 1 + i : r + 1 - i,
                             x = correlation ? c - 3 + j : c + 3 - j;
                if (circular) {
                  y = (y + h) % h;
                  x = (x + w) % w;
                } else if (y < 0 || y >= h || x < 0 || x >= w) {
                  continue;
                }
                sum += static_cast<double>(kernel[static_cast<std::size_t>(i * kw + j)]) *
                       image[static_cast<std::size_t>((b * h + y) * w + x)];
              }
            CHECK(std::abs(got[static_cast<std::size_t>((b * h + r) * w + c)] - sum) <= 2e-5);
          }
      CHECK(Y.intact());
    }
  }
}

TEST_CASE("a convolution without its kernel, or of other extents, is refused") {
  const session& s = device_session();
  guarded_buffer<float> X(s, std::vector<float>(64), 7);
  fft_convolution<float> run(s.queue, {});
  const auto x = array<float>(X.buffer(), {4, 16});
  CHECK_THROWS_WITH_AS(run(x, x),
                       "a convolution must be told its kernel first: none given, "
                       "set_kernel",
                       argument_error);
  CHECK_THROWS_WITH_AS(run.set_kernel(array<float>(X.buffer(), {2, 2}), {16}),
                       "axes of the kernel must be the convolved axes: 2 given, 1 expected",
                       argument_error);
  run.set_kernel(array<float>(X.buffer(), {3}), {15});
  CHECK_THROWS_AS(run(x, x), argument_error);
}
