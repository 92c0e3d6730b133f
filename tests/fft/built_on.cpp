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

namespace {

/// Where place i of an axis of n reads under a mode, one fold at a time; -1: the constant.
std::int64_t outside_place(std::int64_t i, std::int64_t n, border_sides sides) {
  while (i < 0 || i >= n) {
    switch (i < 0 ? sides.lower : sides.upper) {
      case border_mode::replicate: i = i < 0 ? 0 : n - 1; break;
      case border_mode::reflect: i = i < 0 ? -1 - i : 2 * n - 1 - i; break;
      case border_mode::reflect_101: i = n == 1 ? 0 : i < 0 ? -i : 2 * n - 2 - i; break;
      case border_mode::wrap: i += i < 0 ? n : -n; break;
      default: return -1;
    }
  }
  return i;
}

struct bordered {
  border_sides y, x;
  double value;
  std::int64_t h, w, kh, kw;
};

void check_border(const bordered& c, bool correlation, const std::optional<fft_policy>& policy) {
  const session& s = device_session();
  constexpr std::int64_t batch = 2;
  draw d(static_cast<std::uint64_t>(c.h + c.kw));
  std::vector<float> image(static_cast<std::size_t>(c.h * c.w * batch)),
      kernel(static_cast<std::size_t>(c.kh * c.kw));
  for (float& v : image) v = static_cast<float>(d.unit());
  for (float& v : kernel) v = static_cast<float>(d.unit());
  const std::int64_t oy = c.kh / 3, ox = c.kw / 2;
  guarded_buffer<float> X(s, image, 7), K(s, kernel, 7), Y(s, std::vector<float>(image.size()), 7);
  fft_convolution<float> run(s.queue, {.axes = 2,
                                       .correlation = correlation,
                                       .origin = {oy, ox},
                                       .border = {c.y, c.x},
                                       .border_value = c.value,
                                       .policy = policy});
  run.set_kernel(array<float>(K.buffer(), {c.kh, c.kw}), {c.h, c.w});
  wait_for(run(array<float>(X.buffer(), {batch, c.h, c.w}),
               array<float>(Y.buffer(), {batch, c.h, c.w})));
  const auto got = Y.read();
  double worst = 0;
  for (std::int64_t b = 0; b < batch; ++b)
    for (std::int64_t r = 0; r < c.h; ++r)
      for (std::int64_t q = 0; q < c.w; ++q) {
        double sum = 0;
        for (std::int64_t i = 0; i < c.kh; ++i)
          for (std::int64_t j = 0; j < c.kw; ++j) {
            const std::int64_t y = outside_place(correlation ? r - oy + i : r + oy - i, c.h, c.y),
                               x = outside_place(correlation ? q - ox + j : q + ox - j, c.w, c.x);
            const double v =
                y < 0 || x < 0 ? c.value : image[static_cast<std::size_t>((b * c.h + y) * c.w + x)];
            sum += v * kernel[static_cast<std::size_t>(i * c.kw + j)];
          }
        worst =
            std::max(worst, std::abs(sum - got[static_cast<std::size_t>((b * c.h + r) * c.w + q)]));
      }
  CAPTURE(static_cast<int>(c.y.lower));
  CAPTURE(static_cast<int>(c.x.upper));
  CHECK(worst <= 1e-6 * static_cast<double>(c.kh * c.kw + 10));
  CHECK(Y.intact());
}

}  // namespace

TEST_CASE("convolutions have the borders of the direct one") {
  using enum border_mode;
  for (const border_mode mode : {constant, replicate, reflect, reflect_101, wrap})
    check_border({mode, mode, 0, 9, 14, 4, 5}, mode == reflect, std::nullopt);
  // Two modes on an axis, a constant that is not zero, kernels larger than the image.
  check_border({{reflect, wrap}, {constant, replicate}, 2.5, 9, 14, 4, 5}, true, std::nullopt);
  check_border({wrap, reflect_101, 0, 3, 5, 11, 14}, false, std::nullopt);
  check_border({reflect, replicate, -1, 3, 5, 11, 14}, true, std::nullopt);
  // Several passes, and groups of work-items.
  check_border({reflect, reflect_101, 0, 17, 44, 6, 7}, false,
               fft_policy{.points = 4, .group = 16, .columns = 4, .one_pass = 16});
}

TEST_CASE("borders that a convolution cannot have are refused") {
  const session& s = device_session();
  using border = std::vector<border_sides>;
  CHECK_THROWS_WITH_AS(fft_convolution<float>(s.queue, {.border = border{border_mode::none}}),
                       "the border of a convolution must be a mode that has values: none given, "
                       "constant, replicate, reflect, reflect_101, wrap",
                       argument_error);
  CHECK_THROWS_WITH_AS(
      fft_convolution<float>(s.queue, {.axes = 2, .border = border{border_mode::wrap}}),
      "the border of a convolution must be one per convolved axis: 1 given, 2 expected",
      argument_error);
  CHECK_THROWS_AS(
      fft_convolution<float>(s.queue, {.circular = true, .border = border{border_mode::wrap}}),
      argument_error);
  fft_convolution<float> two(s.queue,
                             {.border = border{{border_mode::reflect, border_mode::constant}}});
  guarded_buffer<float> K(s, std::vector<float>(9, 1.F), 7);
  CHECK_THROWS_WITH_AS(two.set_kernel(array<float>(K.buffer(), {9}), {4}),
                       "extent of the kernel under two modes of axis 0 must fit the convolution: 9 "
                       "given, at most 5",
                       argument_error);
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
  clprim::check(clFinish(s.queue()), "clFinish");
}
