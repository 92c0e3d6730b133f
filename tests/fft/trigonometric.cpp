// Cosine and sine transforms of any length against the sums that define them.

#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "fft/reference.hpp"
#include "fft/some_policies.hpp"

using namespace clprim;
using namespace support;

namespace {

using enum fft_trigonometric;

/// By the definitions that fft_trigonometric states.
std::vector<long double> reference_trigonometric(fft_trigonometric type,
                                                 const std::vector<long double>& x) {
  const auto n = static_cast<std::int64_t>(x.size());
  std::vector<long double> cosines;  // of pi i / 4N
  for (std::int64_t i = 0; i < 8 * n; ++i)
    cosines.push_back(std::cos(std::numbers::pi_v<long double> * static_cast<long double>(i) /
                               static_cast<long double>(4 * n)));
  const auto cosine = [&](std::int64_t i) {
    return cosines[static_cast<std::size_t>(i % (8 * n))];
  };
  const auto sine = [&](std::int64_t i) { return cosine(i + 6 * n); };
  std::vector<long double> y;
  for (std::int64_t k = 0; k < n; ++k) {
    long double sum = 0;
    for (std::int64_t m = 0; m < n; ++m) {
      const long double v = x[static_cast<std::size_t>(m)];
      if (type == dct2) sum += 2 * v * cosine(2 * (2 * m + 1) * k);
      if (type == dct3) sum += (m == 0 ? 1 : 2) * v * cosine(2 * m * (2 * k + 1));
      if (type == dct4) sum += 2 * v * cosine((2 * m + 1) * (2 * k + 1));
      if (type == dst2) sum += 2 * v * sine(2 * (2 * m + 1) * (k + 1));
      if (type == dst3)
        sum += m == n - 1 ? (k % 2 == 0 ? v : -v) : 2 * v * sine(2 * (m + 1) * (2 * k + 1));
      if (type == dst4) sum += 2 * v * sine((2 * m + 1) * (2 * k + 1));
      const auto angle = [&](std::int64_t i, std::int64_t of) {
        return std::numbers::pi_v<long double> * static_cast<long double>(i % (2 * of)) /
               static_cast<long double>(of);
      };
      if (type == dct1) sum += (m == 0 || m == n - 1 ? 1 : 2) * v * std::cos(angle(m * k, n - 1));
      if (type == dst1) sum += 2 * v * std::sin(angle((m + 1) * (k + 1), n + 1));
    }
    y.push_back(sum);
  }
  return y;
}

/// How often a transform and its inverse give back n values.
long double times_of(fft_trigonometric type, std::int64_t n) {
  return 2 * static_cast<long double>(type == dct1 ? n - 1 : type == dst1 ? n + 1 : n);
}

/// Arrays, type and options of a call.
struct trigonometric_case {
  placed_array in, out;
  int axes = 1;
  fft_trigonometric type = dct2;
  bool inverse = false, in_place = false;
  std::optional<fft_policy> policy{};

  std::string text() const {
    return (inverse ? "inverse of type " : "type ") + std::to_string(static_cast<int>(type)) +
           ", " + std::to_string(axes) + " axes, " + in.text() +
           (in_place ? " in place" : " to " + out.text()) +
           (policy ? ", " + to_string(*policy) : std::string());
  }
};

template <class T> std::string complaint_of(const trigonometric_case& c, draw& d) {
  const session& s = device_session();
  std::vector<T> from(c.in.size());
  for (T& v : from) v = static_cast<T>(d.unit());
  guarded_buffer<T> X(s, from, 7), Y(s, std::vector<T>(c.out.size(), 9), 7);
  guarded_buffer<T>& result = c.in_place ? X : Y;
  const placed_array& to = c.in_place ? c.in : c.out;
  const std::vector<std::int64_t> lengths(c.in.extents.end() - c.axes, c.in.extents.end());
  long double points = 1;
  for (const std::int64_t n : lengths) points *= times_of(c.type, n);
  fft<T> transform(s.queue, {.axes = c.axes,
                             .inverse_scale = static_cast<double>(1 / points),
                             .policy = c.policy,
                             .trigonometric = c.type});
  const auto x = c.in.view<T>(X.buffer()), y = to.view<T>(result.buffer());
  wait_for(c.inverse ? transform.inverse(x, y) : transform.forward(x, y));
  std::vector<long double> wide;
  for (std::int64_t i = 0; i < c.in.count(); ++i) wide.push_back(from[c.in.at(i)]);
  const fft_trigonometric type = c.inverse ? inverse_of(c.type) : c.type;
  std::int64_t step = 1;
  for (int a = 0; a < c.axes; ++a) {
    const std::int64_t n = lengths[lengths.size() - 1 - static_cast<std::size_t>(a)];
    for (std::int64_t first = 0; first < c.in.count(); ++first) {
      if (first / step % n != 0) continue;
      std::vector<long double> line;
      for (std::int64_t i = 0; i < n; ++i)
        line.push_back(wide[static_cast<std::size_t>(first + i * step)]);
      line = reference_trigonometric(type, line);
      for (std::int64_t i = 0; i < n; ++i)
        wide[static_cast<std::size_t>(first + i * step)] = line[static_cast<std::size_t>(i)];
    }
    step *= n;
  }
  wide_values expected;
  std::vector<std::complex<T>> dense;
  const std::vector<T> got = result.read();
  for (std::int64_t i = 0; i < c.in.count(); ++i) {
    expected.emplace_back(wide[static_cast<std::size_t>(i)] / (c.inverse ? points : 1));
    dense.emplace_back(got[to.at(i)]);
  }
  std::vector<std::int64_t> twice = lengths;
  for (std::int64_t& n : twice) n *= 2;
  const long double error = relative_error(dense, expected), bound = error_bound<T>(twice);
  if (error <= bound && result.intact()) return {};
  return c.text() + ": error " + std::to_string(static_cast<double>(error)) +
         (result.intact() ? "" : ", written outside");
}

constexpr std::array<fft_trigonometric, 8> types{dct2, dct3, dct4, dst2, dst3, dst4, dct1, dst1};

void check_lengths(const std::vector<std::int64_t>& lengths,
                   const std::optional<fft_policy>& policy) {
  std::size_t which = 0;
  for (const std::int64_t n : lengths) {
    const bool inverse = (which / types.size() + which) % 2 == 1;
    fft_trigonometric type = types[which++ % types.size()];
    if (n < 2 && type == dct1) type = dct2;
    draw d(static_cast<std::uint64_t>(n));
    const placed_array rows = tight_array({3, n});
    const std::string complaint =
        complaint_of<float>({rows, rows, 1, type, inverse, false, policy}, d);
    CHECK_MESSAGE(complaint.empty(), complaint);
  }
}

std::string complaint_of_random(draw& d, const std::optional<fft_policy>& policy) {
  trigonometric_case c;
  c.axes = d.one_of({1, 1, 1, 2});
  std::vector<std::int64_t> extents;
  for (int a = 0; a < c.axes + d.one_of({0, 1, 1}); ++a) extents.push_back(d.one_of({1, 3, 9}));
  for (std::size_t a = extents.size(); a-- > extents.size() - static_cast<std::size_t>(c.axes);)
    extents[a] = c.axes > 1     ? d.one_of({2, 8, 17, 19, 34})
                 : d.chance(40) ? d.between(1, 400)
                                : d.one_of({16, 17, 23, 26, 38, 59, 97, 166, 211, 1009});
  c.type = types[static_cast<std::size_t>(d.between(0, 7))];
  for (int a = 0; a < c.axes; ++a)
    if (extents[extents.size() - 1 - static_cast<std::size_t>(a)] < 2 && c.type == dct1)
      c.type = dst1;
  c.inverse = d.chance(50);
  c.in_place = d.chance(25);
  c.policy = policy;
  c.in = draw_array(d, extents);
  c.out = draw_array(d, extents);
  return complaint_of<float>(c, d);
}

}  // namespace

TEST_CASE("cosine and sine transforms of every kind of length are what FFTW defines") {
  check_lengths({1, 12, 16, 17, 19, 23, 26, 34, 38, 59, 97, 166, 1009}, std::nullopt);
}
TEST_CASE("cosine and sine transforms by items, and by several passes of a convolution") {
  check_lengths({12, 17, 34, 59}, fft_policy{.points = 8, .group = 32});
  check_lengths({97, 166}, fft_policy{.points = 4, .group = 16, .columns = 4, .one_pass = 64});
}
TEST_CASE("cosine and sine transforms of double") {
  if (!facts_of(device_session().device).fp64) return;
  for (const fft_trigonometric type : types) {
    draw d(static_cast<std::uint64_t>(type));
    const placed_array rows = tight_array({2, 34});
    const std::string complaint = complaint_of<double>({rows, rows, 1, type, false, false, {}}, d);
    CHECK_MESSAGE(complaint.empty(), complaint);
  }
}
CAMPAIGN("cosine and sine transforms of any arrays, along several axes, in place too") {
  run_campaign("trigonometric", 2, [](draw& d) { return complaint_of_random(d, std::nullopt); });
  run_campaign("trigonometric by items", 2,
               [](draw& d) { return complaint_of_random(d, draw_item_policy(d)); });
}
TEST_CASE("cosines and sines of type I are their own inverses, of two values and more") {
  for (const fft_trigonometric type : {dct1, dst1}) {
    for (const std::int64_t n : {2, 3, 5, 9, 16, 18, 33, 100, 129, 257}) {
      draw d(static_cast<std::uint64_t>(n));
      const placed_array rows = tight_array({3, n});
      for (const bool inverse : {false, true}) {
        const std::string complaint = complaint_of<float>({rows, rows, 1, type, inverse}, d);
        CHECK_MESSAGE(complaint.empty(), complaint);
      }
    }
  }
  const session& s = device_session();
  const guarded_buffer<float> X(s, std::vector<float>(3), 7);
  fft<float> transform(s.queue, {.trigonometric = dct1});
  const auto x = array<float>(X.buffer(), {3, 1});
  CHECK_THROWS_WITH_AS(
      transform.forward(x, x),
      "length of axis 1 must have two ends for a DCT of type I: 1 given, at least 2",
      argument_error);
}
