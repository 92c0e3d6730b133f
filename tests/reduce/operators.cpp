// Each operator along whole arrays, rows, columns, any axis and ragged segments, under any policy,
// with NaN propagated and ignored: against the host, within bounds from epsilon and from how many
// operations there are.

#include <cmath>
#include <concepts>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/drawing.hpp"
#include "support/campaign.hpp"

using namespace clprim;
using namespace support;

namespace {

using operators =
    op::several<op::mean<>, op::variance<>, op::product<>, op::norm1<>, op::norm2<>, op::norm_max,
                op::max, op::min, op::any, op::all, op::compensated<op::mean<>>>;

/// Numbers whose product stays one, NaN among them and zeros.
template <class T> T draw_element(draw& d, int zeros, int nans) {
  if (d.chance(zeros)) return T(static_cast<float>(0));
  if constexpr (std::integral<T>) {
    return static_cast<T>(d.between(-30000, 30000));
  } else {
    if (nans > 0 && d.between(1, 1000) <= nans) return not_a_number<T>();
    const double x = std::exp2(d.unit());
    return T(static_cast<std::conditional_t<std::same_as<T, double>, double, float>>(
        d.chance(50) ? x : -x));
  }
}

/// Complaints about one result.
class checker {
 public:
  checker(double passed, double epsilon) : passed_(passed), epsilon_(epsilon) {}

  /// An operator whose result is `expected` after the tree of additions and so many roundings more
  /// of numbers of this magnitude.
  void near(const char* what, long double is, long double expected, long double magnitude,
            double more) {
    within(what, is, expected, gamma_of(epsilon_, passed_ + more) * magnitude);
  }
  void within(const char* what, long double is, long double expected, long double error) {
    const bool right = std::isnan(expected)   ? std::isnan(is)
                       : std::isinf(expected) ? is == expected
                                              : std::fabs(is - expected) <= error;
    if (right) return;
    text_ += std::string(what) + " is " + std::to_string(is) + ", not " + std::to_string(expected) +
             " +- " + std::to_string(error) + "\n";
  }
  const std::string& text() const { return text_; }

 private:
  double passed_, epsilon_;
  std::string text_;
};

/// What is wrong with the result of these elements, NaN among them only where it propagates.
template <class T, class R>
std::string complaint_about(const std::vector<long double>& x, const R& got, double passed,
                            bool ignores = false) {
  using A = op::mean<>::result<T>;
  const auto& [mean, moments, product, norm1, norm2, norm_max, most, least, any, all, exact] = got;
  long double sum = 0, sum1 = 0, sum2 = 0, all_product = 1, largest = 0;
  std::int64_t wrapped = 1;
  bool nan = false, some = false, every = true;
  const bool none = x.empty();
  using limits = std::numeric_limits<op::max::result<T>>;
  const bool floating = limits::has_infinity;
  const auto infinity = std::numeric_limits<long double>::infinity();
  long double high = floating ? -infinity : limits::lowest(),
              low = floating ? infinity : limits::max();
  for (const long double v : x) {
    nan = nan || std::isnan(v);
    some = some || v != 0;
    every = every && v != 0;
    sum += v;
    sum1 += std::fabs(v);
    sum2 += v * v;
    all_product *= v;
    if constexpr (std::integral<T>)  // 64 bits, wrapping
      wrapped = static_cast<std::int64_t>(static_cast<std::uint64_t>(wrapped) *
                                          static_cast<std::uint64_t>(static_cast<std::int64_t>(v)));
    largest = std::max(largest, std::fabs(v));
    high = std::max(high, v);
    low = std::min(low, v);
  }
  const long double nothing = std::numeric_limits<long double>::quiet_NaN();
  if (none && ignores) high = low = nothing;
  const auto n = static_cast<long double>(x.size());
  checker c(passed, epsilon_of<A>);
  if (nan || none) {
    c.within("mean", mean, nothing, 0);
    c.within("compensated mean", exact, nothing, 0);
    c.within("mean beside the variance", moments.mean, nothing, 0);
    c.within("variance", moments.variance, nothing, 0);
  } else {
    c.near("mean", mean, sum / n, sum1 / n, of_division);
    const long double u = epsilon_of<A> / 2, g = gamma_of(epsilon_of<A>, static_cast<double>(n));
    c.within("compensated mean", exact, sum / n,
             ((1 + of_division) * u * std::fabs(sum) + 4 * g * g * sum1) / n * (1 + 8 * u));
    const expected_moments m = moments_of(x, epsilon_of<A>, passed);
    c.within("mean beside the variance", moments.mean, m.mean, m.mean_error);
    c.within("variance", moments.variance, m.variance, m.variance_error);
  }
  const auto or_nan = [&](long double v) { return nan ? nothing : v; };
  if constexpr (std::integral<T>) {
    c.within("product", static_cast<long double>(product), static_cast<long double>(wrapped), 0);
  } else {  // every multiplication rounds
    c.within("product", product, or_nan(all_product),
             gamma_of(epsilon_of<A>, static_cast<double>(n)) * std::fabs(all_product));
  }
  c.near("norm1", norm1, or_nan(sum1), sum1, 0);
  c.near("norm2", norm2, or_nan(std::sqrt(sum2)), std::sqrt(sum2), 1 + of_root);
  c.within("norm_max", norm_max, or_nan(largest), 0);
  c.within("max", number(most), or_nan(high), 0);
  c.within("min", number(least), or_nan(low), 0);
  c.within("any", any, some ? 1 : 0, 0);
  c.within("all", all, every ? 1 : 0, 0);
  return c.text();
}

template <class T> void any_operator(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) {
    const session& s = device_session();
    reduce_options options;
    if (!d.chance(15)) {
      options.policy = draw_policy(d, facts_of(s.device));
      // PoCL compiles many states of eleven operators slowly.
      while (options.policy->vector * options.policy->loads > 8) options.policy->vector /= 2;
    }
    const bool ignores = !std::integral<T> && d.chance(40);
    if (ignores) options.nan = nan_rule::ignore;
    const int zeros = d.one_of({0, 1, 50, 99}), nans = d.one_of({0, 3, ignores ? 600 : 3});
    const drawn<T> x = draw_view<T>(d, s, 4000, [&] { return draw_element<T>(d, zeros, nans); });
    reduce<T, operators> op(s.queue, options);
    const reduce_schedule schedule = op.schedule(x.view);
    const auto got = op.values(x.view);
    std::string text;
    for (std::size_t r = 0; r < got.size() && text.size() < 400; ++r) {
      auto elements = elements_of(x.view, x.values, static_cast<std::int64_t>(r), x.offsets);
      const double passed = roundings(schedule, static_cast<std::int64_t>(elements.size()));
      if (ignores) std::erase_if(elements, [](long double v) { return std::isnan(v); });
      text += complaint_about<T>(elements, got[r], passed, ignores);
    }
    return text.empty() ? text
                        : text + (ignores ? "  NaN ignored, " : "  ") + to_string(schedule.policy) +
                              "\n  " + x.text + "\n";
  });
}

}  // namespace

CAMPAIGN("every operator of float along any shape keeps the bound of its operations") {
  any_operator<float>("float", 8);
}

CAMPAIGN("every operator of double along any shape keeps the bound of its operations") {
  any_operator<double>("double", 3);
}

CAMPAIGN("every operator of half along any shape keeps the bound of its operations") {
  any_operator<half>("half", 3);
}

CAMPAIGN("every operator of 16-bit integers along any shape keeps the bound of its operations") {
  any_operator<std::int16_t>("int16", 3);
}

namespace {

template <class T, class Op, class Bound> void any_dot(const char* name, int cases, Bound bound) {
  run_campaign(name, cases, [&](draw& d) {
    const session& s = device_session();
    reduce_options options;
    if (!d.chance(15)) {
      options.policy = draw_policy(d, facts_of(s.device));
      while (options.policy->vector * options.policy->loads > 8) options.policy->vector /= 2;
    }
    const auto element = [&] { return random_element<T>(d); };
    const drawn<T> x = draw_view<T>(d, s, 4000, element);
    std::vector<T> values(x.values.size());
    for (T& v : values) v = element();
    const cl::Buffer other = device_copy(s, values);
    reduce_view<T> y = x.view;
    y.memory = other();
    reduce<T, Op> op(s.queue, options);
    const reduce_schedule schedule = op.schedule(x.view);
    const auto got = op.values(x.view, y);
    for (std::size_t r = 0; r < got.size(); ++r) {
      auto products = elements_of(x.view, x.values, static_cast<std::int64_t>(r), x.offsets);
      const auto of_y = elements_of(y, values, static_cast<std::int64_t>(r), x.offsets);
      for (std::size_t i = 0; i < products.size(); ++i) products[i] *= of_y[i];
      const expected_sum dot = sum_of(products);
      const auto n = static_cast<std::int64_t>(products.size());
      const long double off = std::fabs(number(got[r]) - dot.sum);
      const long double allowed = bound(dot, static_cast<double>(n), roundings(schedule, n) + 1);
      if (!(off <= allowed))
        return "result " + std::to_string(r) + " is off by " + std::to_string(off * 0x1p23) +
               " / 2^23, not " + std::to_string(allowed * 0x1p23) + "\n  " +
               to_string(schedule.policy) + "\n  " + x.text + "\n";
    }
    return std::string();
  });
}

/// Of a sum or dot product by its tree.
template <class A> long double plain(const expected_sum& s, double, double passed) {
  return gamma_of(epsilon_of<A>, passed) * s.magnitude;
}
/// op::compensated, in any order.
template <class A> long double compensated(const expected_sum& s, double n, double) {
  const long double g = gamma_of(epsilon_of<A>, n);
  return epsilon_of<A> / 2 * std::fabs(s.sum) + 4 * g * g * s.magnitude;
}

}  // namespace

CAMPAIGN("dot products of float and half along any shape keep the bound of their operations") {
  any_dot<float, op::dot<>>("dot of float", 4, plain<float>);
  any_dot<half, op::dot<>>("dot of half", 2, plain<float>);
}

CAMPAIGN("dot products of double along any shape keep the bound of their operations") {
  any_dot<double, op::dot<>>("dot of double", 2, plain<double>);
}

CAMPAIGN("compensated dot products of float along any shape keep their bound") {
  any_dot<float, op::compensated<op::dot<>>>("compensated float", 3, compensated<float>);
}

namespace {

/// Numbers that cancel in threes, (b + s - b) y with b up to 2^range: left is the sum of s y.
template <class T> struct cancelling {
  static constexpr std::int64_t lines = 7, length = 3 * 401;
  std::vector<T> x = std::vector<T>(lines * length), y = x;
  std::vector<expected_sum> expected;  // per line

  cancelling(draw& d, int range, bool by_columns, bool two_operands) {
    for (std::int64_t line = 0; line < lines; ++line) {
      std::vector<long double> left, all;
      for (std::int64_t i = 0; i < length; i += 3) {
        const T big = std::ldexp(random_element<T>(d), d.between(0, range));
        const T small = random_element<T>(d), other = two_operands ? random_element<T>(d) : T{1};
        for (const auto& [k, v] : {std::pair{0, big}, {1, small}, {2, -big}}) {
          const auto at =
              static_cast<std::size_t>(by_columns ? (i + k) * lines + line : line * length + i + k);
          x[at] = v;
          y[at] = other;
          all.push_back(static_cast<long double>(v) * other);
        }
        left.push_back(static_cast<long double>(small) * other);
      }
      expected.push_back({sum_of(left).sum, sum_of(all).magnitude});
    }
  }
};

/// Along arrays, rows, columns and ragged segments.
template <class T, class Op> void check_cancelling(int range) {
  const session& s = device_session();
  draw d(17);
  constexpr bool two = op::detail::is_dot<Op>;
  constexpr auto lines = cancelling<T>::lines, length = cancelling<T>::length;
  reduce<T, Op> op(s.queue,
                   {.policy = reduce_policy{
                        .group = 8, .vector = 2, .loads = 1, .least_steps = 1, .columns = 4}});
  std::vector<std::int64_t> ends;
  for (std::int64_t line = 0; line <= lines; ++line) ends.push_back(line * length);
  const cl::Buffer offsets = device_copy(s, ends);
  for (const std::string kind : {"rows", "columns", "ragged", "array"}) {
    CAPTURE(kind);
    const cancelling<T> c(d, range, kind == "columns", two);
    const cl::Buffer a = device_copy(s, c.x), b = device_copy(s, c.y);
    reduce_view<T> x = kind == "columns"  ? along_axis<T>(a, {length, lines}, 0)
                       : kind == "ragged" ? ragged<T>(a, lines * length, offsets, lines)
                                          : segments<T>(a, kind == "rows" ? lines : 1, length);
    reduce_view<T> y = x;
    y.memory = b();
    const auto got = [&] {
      if constexpr (two)
        return op.values(x, y);
      else
        return op.values(x);
    }();
    for (std::size_t r = 0; r < got.size(); ++r) {
      const long double u = epsilon_of<T> / 2, g = gamma_of(epsilon_of<T>, length);
      const expected_sum& e = c.expected[r];
      CHECK(std::fabs(got[r] - e.sum) <= u * std::fabs(e.sum) + 4 * g * g * e.magnitude);
    }
  }
}

}  // namespace

TEST_CASE("compensated sums keep their bound where plain ones have nothing left") {
  check_cancelling<float, op::compensated<op::sum<>>>(20);
  check_cancelling<double, op::compensated<op::sum<>>>(45);
}

TEST_CASE("compensated dot products keep their bound where plain ones have nothing left") {
  check_cancelling<float, op::compensated<op::dot<>>>(20);
  check_cancelling<double, op::compensated<op::dot<>>>(45);
}

TEST_CASE("an empty ragged segment gives what each operator says of nothing") {
  const session& s = device_session();
  const std::vector<std::int64_t> ends{0, 0, 3, 3, 300, 300};
  const cl::Buffer offsets = device_copy(s, ends);
  const auto check = [&]<class T>(T one, int tile) {
    const std::vector<T> x(300, one);
    const cl::Buffer a = device_copy(s, x);
    reduce<T, operators> op(
        s.queue, {.policy = reduce_policy{.group = 16, .loads = 1, .ragged_tile = tile}});
    const auto got = op.values(ragged<T>(a, 300, offsets, 5));
    for (std::size_t r = 0; r < 5; ++r) {
      const std::vector<long double> elements(static_cast<std::size_t>(ends[r + 1] - ends[r]), 1);
      CHECK(complaint_about<T>(elements, got[r], 300) == "");
    }
  };
  check(1.0f, 256);
  check(std::int16_t{1}, 0);
}

TEST_CASE("one element decides any and all, wherever it is") {
  const session& s = device_session();
  const std::int64_t n = 1003;  // no multiple of a vector
  for (const std::int64_t at : {std::int64_t{0}, std::int64_t{500}, n - 1}) {
    CAPTURE(at);
    std::vector<float> x(static_cast<std::size_t>(n), 0.0f), y(static_cast<std::size_t>(n), 2.0f);
    reduce<float, operators> op(s.queue);
    const auto any = [&](const std::vector<float>& v) {
      return std::get<8>(op.value(whole<float>(device_copy(s, v), n)));
    };
    const auto all = [&](const std::vector<float>& v) {
      return std::get<9>(op.value(whole<float>(device_copy(s, v), n)));
    };
    CHECK(any(x) == 0);
    CHECK(all(y) == 1);
    x[static_cast<std::size_t>(at)] = 0x1p-149f;
    y[static_cast<std::size_t>(at)] = -0.0f;
    CHECK(any(x) == 1);
    CHECK(all(x) == 0);
    CHECK(any(y) == 1);
    CHECK(all(y) == 0);
  }
}
