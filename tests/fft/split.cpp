// Real and imaginary parts in arrays of their own, on either side: the same values, bit for bit, as
// where they lie together.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fft/reference.hpp"
#include "fft/some_policies.hpp"

using namespace clprim;
using namespace support;

namespace {

/// Complex numbers in a buffer, or their parts in two, at the same places.
template <class T> struct sides {
  guarded_buffer<std::complex<T>> both;
  guarded_buffer<T> re, im;

  sides(const session& s, const std::vector<std::complex<T>>& values)
    : both(s, values, {7, 7}), re(s, part(values, false), 7), im(s, part(values, true), 7) {}

  static std::vector<T> part(const std::vector<std::complex<T>>& values, bool imaginary) {
    std::vector<T> all;
    for (const std::complex<T>& v : values) all.push_back(imaginary ? v.imag() : v.real());
    return all;
  }
  std::vector<std::complex<T>> read(bool apart) {
    if (!apart) return both.read();
    const auto a = re.read(), b = im.read();
    std::vector<std::complex<T>> all;
    for (std::size_t i = 0; i < a.size(); ++i) all.emplace_back(a[i], b[i]);
    return all;
  }
  bool intact() { return both.intact() && re.intact() && im.intact(); }
};

template <class T> std::string complaint_of(draw& d) {
  using value = std::complex<T>;
  const session& s = device_session();
  fft_options o{.axes = d.one_of({1, 1, 2}), .inverse_scale = 0.5};
  if (d.chance(60)) o.policy = draw_item_policy(d);
  if (d.chance(20)) o.load = {"return value * gain;", {clprim::value<T>("gain")}};
  std::vector<std::int64_t> extents{d.one_of({1, 3})};
  for (int a = 0; a < o.axes; ++a)
    extents.push_back(o.axes == 1 ? d.one_of({8, 12, 16, 17, 34, 60, 128, 360, 1024})
                                  : d.one_of({4, 6, 8, 12}));
  const bool inverse = d.chance(50), in_place = d.chance(30);
  const bool split_in = in_place || d.chance(60), split_out = in_place || !split_in || d.chance(50);
  const placed_array a = draw_array(d, extents), b = in_place ? a : draw_array(d, extents);
  const auto from = random_complex<T>(d, a.size());
  const std::vector<argument> given(o.load.empty() ? 0 : 1, argument(T(2)));
  std::vector<std::vector<value>> results;
  bool intact = true;
  for (const bool apart : {false, true}) {
    sides<T> X(s, from), Y(s, std::vector<value>(b.size(), {9, 9}));
    sides<T>& out = in_place ? X : Y;
    fft<T> transform(s.queue, o);
    const auto call = [&](const auto& x, const auto& y) {
      wait_for(inverse ? transform.inverse(x, y, {}, given) : transform.forward(x, y, {}, given));
    };
    const auto together = [](const placed_array& at, sides<T>& v) {
      return at.view<value>(v.both.buffer());
    };
    const auto parts = [](const placed_array& at, sides<T>& v) {
      return split(at.view<T>(v.re.buffer()), at.view<T>(v.im.buffer()));
    };
    if (!apart)
      call(together(a, X), together(b, out));
    else if (split_in && split_out)
      call(parts(a, X), parts(b, out));
    else if (split_in)
      call(parts(a, X), together(b, out));
    else
      call(together(a, X), parts(b, out));
    results.push_back(out.read(apart && split_out));
    intact = intact && X.intact() && Y.intact();
  }
  const wide_values wide(results[0].begin(), results[0].end());
  const long double error = relative_error(results[1], wide);
  if (error <= error_bound<T>({extents.end() - o.axes, extents.end()}) && intact) return {};
  return (inverse ? "inverse, " : "forward, ") + a.text() +
         (in_place ? " in place" : " to " + b.text()) + (split_in ? ", split in" : "") +
         (split_out ? ", split out" : "") + ", error " +
         std::to_string(static_cast<double>(error)) +
         (o.policy ? ", " + to_string(*o.policy) : std::string());
}

using number = std::complex<float>;

}  // namespace

CAMPAIGN("parts of complex numbers may lie in arrays of their own") {
  run_campaign("split arrays", 6, complaint_of<float>);
  run_campaign("split arrays of double", 2, [](draw& d) {
    return facts_of(device_session().device).fp64 ? complaint_of<double>(d) : std::string();
  });
}

TEST_CASE("half a spectrum may lie in two arrays" * doctest::test_suite("oclgrind")) {
  const session& s = device_session();
  const std::vector<fft_policy> policies{{.points = 4, .group = 16, .staging = 4},
                                         {.points = 4, .group = 16, .columns = 4, .one_pass = 16}};
  for (const std::int64_t n : {15, 64}) {
    for (const fft_policy& policy : policies) {
      draw d(static_cast<std::uint64_t>(n));
      std::vector<float> from(static_cast<std::size_t>(2 * n));
      for (float& v : from) v = static_cast<float>(d.unit());
      const std::int64_t half = n / 2 + 1;
      const std::vector<float> none(static_cast<std::size_t>(2 * half));
      guarded_buffer<float> X(s, from, 7), B(s, std::vector<float>(from.size()), 7), R(s, none, 7),
          I(s, none, 7);
      const auto x = array<float>(X.buffer(), {2, n}), b = array<float>(B.buffer(), {2, n});
      const auto y =
          split(array<float>(R.buffer(), {2, half}), array<float>(I.buffer(), {2, half}));
      fft<float> transform(s.queue,
                           {.inverse_scale = 1.0 / static_cast<double>(n), .policy = policy});
      wait_for(transform.forward(x, y));
      wait_for(transform.inverse(y, b));
      const wide_values wide =
          reference_transform(wide_values(from.begin(), from.end()), {2, n}, 1);
      wide_values expected;
      std::vector<number> got, again;
      const auto re = R.read(), im = I.read(), back = B.read();
      for (std::int64_t i = 0; i < 2 * half; ++i) {
        const auto at = static_cast<std::size_t>(i);
        got.emplace_back(re[at], im[at]);
        expected.push_back(wide[static_cast<std::size_t>(i / half * n + i % half)]);
      }
      for (const float v : back) again.emplace_back(v);
      CHECK(relative_error(got, expected) <= error_bound<float>({n}));
      CHECK(relative_error(again, wide_values(from.begin(), from.end())) <=
            2 * error_bound<float>({n}));
      CHECK(R.intact());
      CHECK(I.intact());
      CHECK(B.intact());
    }
  }
}

TEST_CASE("split arrays that do not fit are refused before anything runs") {
  const session& s = device_session();
  guarded_buffer<float> A(s, std::vector<float>(64), 7), B(s, std::vector<float>(64), 7);
  guarded_buffer<int> N(s, std::vector<int>(64), 7);
  guarded_buffer<number> Y(s, std::vector<number>(16), {7, 7});
  fft<float> transform(s.queue);
  const auto re = array<float>(A.buffer(), {16}), im = array<float>(B.buffer(), {16});
  const auto y = array<number>(Y.buffer(), {16});
  CHECK_THROWS_WITH_AS(transform.forward(split(re, im.with_strides({2})), y),
                       "the imaginary parts of the input must lie as the real parts do: other "
                       "extents or strides given, the same ones",
                       argument_error);
  CHECK_THROWS_WITH_AS(transform.forward(y, split(re, re.at(8))),
                       "the imaginary parts of the output must be apart from the real ones: "
                       "overlapping arrays given, separate memory",
                       argument_error);
  CHECK_THROWS_WITH_AS(transform.forward(split(re, im), split(im, re)),
                       "the output must be the input itself or apart from it: overlapping arrays "
                       "given, one array, or separate memory",
                       argument_error);
  const auto whole = array<int>(N.buffer(), {16});
  CHECK_THROWS_WITH_AS(transform.forward(split(whole, whole), y),
                       "elements of the input must be real numbers where parts are apart: int "
                       "given, half, float or double",
                       argument_error);
  wait_for(transform.forward(split(re, im), split(re, im)));  // in place
}
