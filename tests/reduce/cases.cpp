// Reductions of data that is awkward: NaN, infinity, zeros of both signs, denormals, ties, huge
// cancellation, one element, sizes around powers of two; maps, user operators, several results.

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/reference.hpp"
#include "support/random.hpp"

using namespace clprim;
using namespace support;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

template <class Op, class T> auto value_of(const std::vector<T>& x, reduce_options options = {}) {
  const session& s = device_session();
  reduce<T, Op> op(s.queue, std::move(options));
  const cl::Buffer buffer = device_copy(s, x);
  return op.value(whole<T>(buffer, static_cast<std::int64_t>(x.size())));
}

std::vector<float> random_floats(std::size_t n, std::uint64_t seed) {
  draw d(seed);
  std::vector<float> x(n);
  for (float& v : x) v = random_element<float>(d);
  return x;
}

}  // namespace

TEST_CASE("NaN makes every floating result NaN, and its lowest index the answer of argmin") {
  std::vector<float> x = random_floats(1000, 1);
  x[700] = x[300] = nan_value;
  using several = op::several<op::sum<>, op::product<>, op::min, op::max, op::argmin, op::argmax,
                              op::norm_max, op::variance<>>;
  const auto [sum, product, least, most, low, high, norm, moments] = value_of<several>(x);
  CHECK(std::isnan(sum));
  CHECK(std::isnan(product));
  CHECK(std::isnan(least));
  CHECK(std::isnan(most));
  CHECK(std::isnan(low.value));
  CHECK(low.index == 300);
  CHECK(high.index == 300);
  CHECK(std::isnan(norm));
  CHECK(std::isnan(moments.mean));
}

TEST_CASE("NaN is as if it were not there where that is asked") {
  std::vector<float> x(513, nan_value);
  x[40] = 2;
  x[400] = -3;
  x[512] = 4;
  const reduce_options ignore{.nan = nan_rule::ignore};
  using several = op::several<op::sum<>, op::product<>, op::min_max, op::argmin, op::argmax,
                              op::count, op::norm1<>>;
  const auto [sum, product, extreme, low, high, count, norm] = value_of<several>(x, ignore);
  CHECK(sum == 3);
  CHECK(product == -24);
  CHECK(extreme == extremes<float>{-3, 4});
  CHECK(low == located<float>{-3, 400});
  CHECK(high == located<float>{4, 512});
  CHECK(count == 3);
  CHECK(norm == 9);
  const std::vector<float> nothing(17, nan_value);
  CHECK(value_of<op::sum<>>(nothing, ignore) == 0);
  CHECK(std::isnan(value_of<op::min>(nothing, ignore)));
  CHECK(value_of<op::argmax>(nothing, ignore).index == -1);
}

TEST_CASE("infinities, zeros of both signs and denormals are numbers like others") {
  CHECK(value_of<op::sum<>>(std::vector<float>{1, infinity, 2}) == infinity);
  CHECK(value_of<op::compensated<op::sum<>>>(std::vector<float>{1, infinity, 2}) == infinity);
  CHECK(std::isnan(value_of<op::sum<>>(std::vector<float>{infinity, -infinity})));
  CHECK(value_of<op::min_max>(std::vector<float>{infinity, -infinity, 0}) ==
        extremes<float>{-infinity, infinity});
  CHECK(value_of<op::argmin>(std::vector<float>(300, infinity)) == located<float>{infinity, 0});
  CHECK(value_of<op::argmax>(std::vector<float>(300, -infinity)) == located<float>{-infinity, 0});
  CHECK(value_of<op::argmin>(std::vector<float>{0.0f, -0.0f}).index == 0);
  CHECK(value_of<op::argmax>(std::vector<float>{-0.0f, 0.0f}).index == 0);
  CHECK(value_of<op::any>(std::vector<float>(100, -0.0f)) == 0);
  CHECK(value_of<op::sum<double>>(std::vector<float>(4, 0x1p-149f)) == 0x1p-147);
}

TEST_CASE("sizes around powers of two, and the lowest index among equals") {
  for (int k = 0; k <= 20; k += k < 8 ? 1 : 3) {
    for (int around = -1; around <= 1; ++around) {
      const int n = (1 << k) + around;
      if (n < 1) continue;
      CAPTURE(n);
      std::vector<std::int32_t> x(static_cast<std::size_t>(n), 7);
      using several = op::several<op::sum<>, op::argmin, op::argmax, op::all, op::count>;
      const auto [sum, low, high, all, count] = value_of<several>(x);
      CHECK(sum == 7LL * n);
      CHECK(low == located<std::int32_t>{7, 0});
      CHECK(high == located<std::int32_t>{7, 0});
      CHECK(all == 1);
      CHECK(count == n);
    }
  }
}

TEST_CASE("a compensated sum of ill-conditioned data keeps its bound, a plain one its tree's") {
  draw d(5);
  std::vector<float> x;
  long double sum = 0, magnitude = 0;
  for (int i = 0; i < 200000; ++i) {
    const float big = std::ldexp(random_element<float>(d), d.between(0, 60));
    for (const float v : {big, random_element<float>(d), -big}) {
      x.push_back(v);
      sum += v;
      magnitude += std::fabs(v);
    }
  }
  const long double u = 0x1p-24L, n = static_cast<long double>(x.size());
  const long double gamma = n * u / (1 - n * u);
  const long double allowed = u * std::fabs(sum) + 4 * gamma * gamma * magnitude;
  const float compensated = value_of<op::compensated<op::sum<>>>(x);
  CHECK(std::fabs(compensated - sum) <= allowed);
  const session& s = device_session();
  reduce<float> plain(s.queue);
  const cl::Buffer buffer = device_copy(s, x);
  const auto view = whole<float>(buffer, static_cast<std::int64_t>(x.size()));
  const long double off = std::fabs(plain.value(view) - sum);
  const double passed = roundings(plain.schedule(view), view.length);
  CHECK(off <= gamma_of(0x1p-23, passed) * magnitude);
}

TEST_CASE("alternating cancellation: compensated is exact where a plain sum has nothing left") {
  std::vector<float> x;
  for (int i = 0; i < 10000; ++i) {
    x.push_back(1e20f);
    x.push_back(1);
    x.push_back(-1e20f);
  }
  CHECK(std::fabs(value_of<op::compensated<op::sum<>>>(x) - 10000) <= 1);
}

TEST_CASE("accumulators wider than the element: sum, norm, variance and dot of float in double") {
  const session& s = device_session();
  const std::vector<float> x = random_floats(100003, 6), y = random_floats(100003, 7);
  const cl::Buffer a = device_copy(s, x), b = device_copy(s, y);
  const auto view = whole<float>(a, 100003);
  std::vector<long double> elements(x.begin(), x.end()), products;
  for (std::size_t i = 0; i < x.size(); ++i) products.push_back(elements[i] * y[i]);
  const expected_sum sum = sum_of(elements), dot = sum_of(products);
  long double squares = 0;
  for (const long double v : elements) squares += v * v;
  using several = op::several<op::sum<double>, op::norm2<double>, op::variance<double>>;
  reduce<float, several> op(s.queue);
  const double passed = roundings(op.schedule(view), view.length);
  const auto [total, norm2, moments] = op.value(view);
  CHECK(std::fabs(total - sum.sum) <= gamma_of(0x1p-52, passed) * sum.magnitude);
  CHECK(std::fabs(norm2 - std::sqrt(squares)) <=
        gamma_of(0x1p-52, passed + 1 + of_root) * std::sqrt(squares));
  const expected_moments expected = moments_of(elements, 0x1p-52, passed);
  CHECK(std::fabs(moments.mean - expected.mean) <= expected.mean_error);
  CHECK(std::fabs(moments.variance - expected.variance) <= expected.variance_error);

  reduce<float, op::dot<double>> product(s.queue);
  const double got = product.value(view, whole<float>(b, 100003));
  const double of_dot = roundings(product.schedule(view), view.length) + 1;
  CHECK(std::fabs(got - dot.sum) <= gamma_of(0x1p-52, of_dot) * dot.magnitude);
  const auto rows = segments<float>(a, 11, 9001);
  const auto all = product.values(rows, segments<float>(b, 11, 9001));
  const double of_rows = roundings(product.schedule(rows), rows.length) + 1;
  for (std::size_t r = 0; r < 11; ++r) {
    const auto from = products.begin() + static_cast<std::ptrdiff_t>(r * 9001);
    const expected_sum row = sum_of({from, from + 9001});
    CHECK(std::fabs(all[r] - row.sum) <= gamma_of(0x1p-52, of_rows) * row.magnitude);
  }
}

TEST_CASE("variance is stable far away from 0") {
  draw d(8);
  std::vector<double> x(100000);
  for (double& v : x) v = 1e9 + d.unit();
  const session& s = device_session();
  reduce<double, op::variance<>> op(s.queue);
  const cl::Buffer buffer = device_copy(s, x);
  const auto view = whole<double>(buffer, 100000);
  const auto [mean, variance] = op.value(view);
  const double passed = roundings(op.schedule(view), view.length);
  const expected_moments expected = moments_of({x.begin(), x.end()}, 0x1p-52, passed);
  CHECK(std::fabs(mean - expected.mean) <= expected.mean_error);
  CHECK(std::fabs(variance - expected.variance) <= expected.variance_error);
  CHECK(expected.variance_error < 0.05);  // mean of squares minus square of mean: off by some 100
}

TEST_CASE("a map sees element, index and its parameters") {
  const session& s = device_session();
  std::vector<float> x(5000), w(5000);
  double expected = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i % 13);
    w[i] = static_cast<float>(i % 7);
    expected += 2.0 * x[i] * w[i];
  }
  const cl::Buffer a = device_copy(s, x), weights = device_copy(s, w);
  reduce<float> sum(s.queue, {.map = {"return scale * x * weight[index];",
                                      {buffer<float>("weight"), value<float>("scale")}}});
  const std::vector<argument> arguments = {weights, 2.0f};
  CHECK(sum.value(whole<float>(a, 5000), {}, arguments) == expected);
  reduce<float, op::count> above(s.queue, {.map = {"return x > 10;", {}}});
  CHECK(above.value(whole<float>(a, 5000)) == 768);
  CHECK_THROWS_AS(sum.value(whole<float>(a, 5000)), argument_error);
}

TEST_CASE("user structures and operators: the bounding box of points") {
  struct point {
    float x, y;
  };
  struct box {
    float left, top, right, bottom;
  };
  const session& s = device_session();
  draw d(9);
  std::vector<point> points(12345);
  for (point& p : points) p = {random_element<float>(d), random_element<float>(d)};
  points[12344] = {5, -7};
  points[77] = {-6, 8};
  const cl::Buffer buffer = device_copy(s, points);
  reduce<point, op::user<box>> bounds(
      s.queue, {.map = {"box b = {x.x, x.y, x.x, x.y}; return b;", {}},
                .user = {.declarations = "typedef struct { float x, y; } point;\n"
                                         "typedef struct { float left, top, right, bottom; } box;",
                         .element = "point",
                         .state = "box",
                         .combine = "a.left = fmin(a.left, b.left); a.top = fmin(a.top, b.top);\n"
                                    "a.right = fmax(a.right, b.right);\n"
                                    "a.bottom = fmax(a.bottom, b.bottom); return a;"}});
  const box b = bounds.value(whole<point>(buffer, 12345));
  CHECK(b.left == -6);
  CHECK(b.top == -7);
  CHECK(b.right == 5);
  CHECK(b.bottom == 8);
  CHECK_THROWS_AS(bounds.value(whole<point>(buffer, 0)), argument_error);
  reduce<std::uint32_t, op::user<std::uint32_t>> mix(
      s.queue, {.user = {.state = "uint", .combine = "return a ^ b;", .identity = "0u"}});
  std::vector<std::uint32_t> bits(4099);
  std::uint32_t expected = 0;
  for (std::uint32_t& v : bits) expected ^= v = static_cast<std::uint32_t>(d.bits());
  CHECK(mix.value(whole<std::uint32_t>(device_copy(s, bits), 4099)) == expected);
  CHECK(mix.value(whole<std::uint32_t>(device_copy(s, bits), 0)) == 0);
}

TEST_CASE("any axis of an array of four dimensions") {
  const session& s = device_session();
  const std::int64_t n[] = {3, 5, 7, 4};
  std::vector<std::int32_t> x(3 * 5 * 7 * 4);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int32_t>(i * i % 101);
  const cl::Buffer buffer = device_copy(s, x);
  reduce<std::int32_t> sum(s.queue);
  for (std::size_t axis = 0; axis < 4; ++axis) {
    CAPTURE(axis);
    const auto view = along_axis<std::int32_t>(buffer, n, axis);
    const auto got = sum.values(view);
    REQUIRE(static_cast<std::int64_t>(got.size()) == view.results());
    for (std::size_t r = 0; r < got.size(); ++r) {
      long double expected = 0;
      for (const long double v : elements_of(view, x, static_cast<std::int64_t>(r), {}))
        expected += v;
      CHECK(got[r] == static_cast<std::int64_t>(expected));
    }
  }
}

TEST_CASE("rows and columns of a matrix in every layout") {
  const session& s = device_session();
  const std::vector<float> x = [] {
    std::vector<float> v(40 * 50);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i % 97);
    return v;
  }();
  const cl::Buffer buffer = device_copy(s, x);
  reduce<float> sum(s.queue);
  const auto m = matrix<float>(buffer, 37, 41).ld(45).at(3);
  const auto rows = sum.values(each_row(m)), columns = sum.values(each_column(m));
  REQUIRE(rows.size() == 37);
  REQUIRE(columns.size() == 41);
  const auto at = [&](std::size_t r, std::size_t c) { return x[3 + r * 45 + c]; };
  float row5 = 0, column7 = 0;
  for (std::size_t c = 0; c < 41; ++c) row5 += at(5, c);
  for (std::size_t r = 0; r < 37; ++r) column7 += at(r, 7);
  CHECK(rows[5] == row5);
  CHECK(columns[7] == column7);
  CHECK(sum.values(each_row(transposed(m))) == columns);
  CHECK(sum.values(each_column(transposed(m))) == rows);
}

// Copies would share kernels, and with them the arguments that the other one has set.
static_assert(!std::is_copy_constructible_v<reduce<float>> &&
              std::is_move_constructible_v<reduce<float>>);

TEST_CASE("what is kept between calls follows the sizes, the offsets and a move") {
  const session& s = device_session();
  const std::vector<float> ones(70000, 1.0f);
  const cl::Buffer buffer = device_copy(s, ones);
  reduce<float> sum(s.queue);
  for (const std::int64_t n : {1000, 70000, 1000, 65536}) {
    CHECK(sum.value(whole<float>(buffer, n)) == static_cast<float>(n));
    CHECK(sum.value(whole<float>(buffer, n)) == static_cast<float>(n));
  }
  reduce<float> other = std::move(sum);
  CHECK(other.value(whole<float>(buffer, 65536)) == 65536.0f);
  const auto by_rows = other.values(each_row(matrix<float>(buffer, 70, 1000)));
  CHECK(by_rows == std::vector<float>(70, 1000.0f));
  const auto by_columns = other.values(each_column(matrix<float>(buffer, 70, 1000)));
  CHECK(by_columns == std::vector<float>(1000, 70.0f));
  CHECK(other.value(whole<float>(buffer, 65536)) == 65536.0f);
}
