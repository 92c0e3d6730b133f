// What stands on the transforms: convolution and correlation.

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "fft/reference.hpp"

using namespace clprim;
using namespace support;

namespace {

/// Real values as relative_error takes them.
template <class T> std::vector<std::complex<T>> complex_of(const std::vector<T>& x) {
  return {x.begin(), x.end()};
}

/// Extents of x, without its batch, and of the kernel; where the kernel's origin is.
struct convolution_case {
  std::vector<std::int64_t> extents, kernel, origin;
};

/// Every sum of a convolution in long double against what three transforms make of it.
template <class T> void check_sums(const convolution_case& c, bool correlation, bool circular) {
  const session& s = device_session();
  constexpr std::int64_t batch = 2;
  const auto axes = c.extents.size();
  const placed_array x = tight_array(c.extents), k = tight_array(c.kernel);
  draw d(9);
  std::vector<T> image(static_cast<std::size_t>(batch * x.count())),
      kernel(static_cast<std::size_t>(k.count()));
  for (T& v : image) v = static_cast<T>(d.unit());
  for (T& v : kernel) v = static_cast<T>(d.unit());
  guarded_buffer<T> X(s, image, 7), K(s, kernel, 7), Y(s, std::vector<T>(image.size()), 7);
  fft_convolution<T> run(s.queue, {.axes = static_cast<int>(axes),
                                   .correlation = correlation,
                                   .circular = circular,
                                   .origin = c.origin});
  run.set_kernel(array<T>(K.buffer(), c.kernel), c.extents);
  std::vector<std::int64_t> all{batch};
  all.insert(all.end(), c.extents.begin(), c.extents.end());
  wait_for(run(array<T>(X.buffer(), all), array<T>(Y.buffer(), all)));
  wide_values expected;
  for (std::int64_t i = 0; i < batch * x.count(); ++i) {
    long double sum = 0;
    for (std::int64_t j = 0; j < k.count(); ++j) {
      std::int64_t at = i / x.count() * x.count();
      bool inside = true;
      for (std::size_t a = 0; a < axes; ++a) {
        const std::int64_t step = j / k.strides[a] % c.kernel[a] - c.origin[a], n = c.extents[a];
        std::int64_t place = i / x.strides[a] % n + (correlation ? step : -step);
        if (circular) place = (place + n) % n;
        inside = inside && place >= 0 && place < n;
        at += place * x.strides[a];
      }
      if (inside)
        sum += static_cast<long double>(kernel[static_cast<std::size_t>(j)]) *
               static_cast<long double>(image[static_cast<std::size_t>(at)]);
    }
    expected.emplace_back(sum);
  }
  CAPTURE(axes);
  CHECK(relative_error(complex_of(Y.read()), expected) <= 3 * error_bound<T>(c.extents));
  CHECK(Y.intact());
}

}  // namespace

TEST_CASE("convolution and correlation are their sums, linear and circular, in one to three axes") {
  const convolution_case two{{13, 22}, {3, 5}, {1, 3}};
  for (const bool circular : {false, true})
    for (const bool correlation : {false, true}) check_sums<float>(two, correlation, circular);
  check_sums<float>({{50}, {7}, {2}}, true, false);
  check_sums<float>({{5, 6, 9}, {2, 3, 4}, {1, 0, 2}}, false, false);
  check_sums<float>({{4, 6, 8}, {2, 3, 4}, {0, 1, 2}}, true, true);
  if (facts_of(device_session().device).fp64)
    check_sums<double>({{9, 14}, {4, 3}, {2, 1}}, false, false);
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

TEST_CASE("a kernel that is refused leaves the one before") {
  const session& s = device_session();
  const std::vector<float> image(16, 1.F), taps{1, 2, 3};
  guarded_buffer<float> X(s, image, 7), K(s, taps, 7), Y(s, std::vector<float>(16), 7);
  fft_convolution<float> run(s.queue, {.origin = {1}});
  const auto x = array<float>(X.buffer(), {16}), y = array<float>(Y.buffer(), {16});
  run.set_kernel(array<float>(K.buffer(), {3}), {16});
  wait_for(run(x, y));
  const std::vector<float> first = Y.read();
  CHECK(std::abs(first[5] - 6) < 1e-5F);
  for (const auto& [taps_told, extent] :
       {std::pair{std::int64_t{3}, std::int64_t{0}}, {0, 16}, {1, 16}, {4, 16}})
    CHECK_THROWS_AS(run.set_kernel(array<float>(K.buffer(), {taps_told}), {extent}),
                    argument_error);
  CHECK_THROWS_AS(run.set_kernel(array<float>(K.buffer(), {3}), {}), argument_error);
  CHECK_THROWS_AS(run.set_kernel(array_view<float>{.extents = {3}, .strides = {1}}, {16}),
                  argument_error);
  wait_for(run(x, y));
  CHECK(Y.read() == first);
  // A policy that does not fit the device is found when plans are made.
  fft_convolution<float> narrow(s.queue, {.policy = fft_policy{.local_bytes = 64}});
  CHECK_THROWS_AS(narrow.set_kernel(array<float>(K.buffer(), {3}), {300}), policy_error);
  CHECK_THROWS_AS(narrow(x, y), argument_error);
  CHECK_THROWS_AS(fft_convolution<float>(s.queue, {.policy = fft_policy{.points = 64}}),
                  policy_error);
  CHECK_THROWS_AS(
      fft_convolution<float>(s.queue, {.border_value = std::numeric_limits<double>::infinity()}),
      argument_error);
}

TEST_CASE("a kernel whose transform did not run must be told again") {
  const session& s = device_session();
  if (!waits_may_fail(s)) return;
  const std::vector<float> image(16, 1.F), taps{1, 2, 3};
  guarded_buffer<float> X(s, image, 7), K(s, taps, 7), Y(s, std::vector<float>(16), 7);
  fft_convolution<float> run(s.queue, {.origin = {1}});
  const auto x = array<float>(X.buffer(), {16}), y = array<float>(Y.buffer(), {16}),
             k = array<float>(K.buffer(), {3});
  const cl::Event gate = user_event(s);
  run.set_kernel(k, {16}, {gate});
  clprim::check(clSetUserEventStatus(gate(), -1), "clSetUserEventStatus");
  clFinish(s.queue());
  CHECK_THROWS_WITH_AS(run(x, y),
                       "a convolution must be told its kernel again: a transform of the kernel "
                       "that did not run given, set_kernel",
                       argument_error);
  run.set_kernel(k, {16});
  wait_for(run(x, y));
  CHECK(std::abs(Y.read()[5] - 6) < 1e-5F);
}
