// Real rows two by two in one complex transform: each row as exact as alone, whatever the other
// has.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "fft/reference.hpp"
#include "fft/some_policies.hpp"

using namespace clprim;
using namespace support;

namespace {

using number = std::complex<float>;

constexpr fft_policy by_items{.points = 4, .group = 16, .columns = 4};

/// Rows of which neighbours differ by many powers of ten; one of zeros, one with NaN, one with Inf.
template <class T> std::vector<T> unlike_rows(draw& d, std::int64_t batch, std::int64_t n) {
  const double most = std::same_as<T, float> ? 30 : 250;
  std::vector<T> x;
  for (std::int64_t b = 0; b < batch; ++b) {
    const auto scale = static_cast<T>(std::pow(10.0, most * d.unit()));
    for (std::int64_t i = 0; i < n; ++i)
      x.push_back(b == 3 ? T(0) : static_cast<T>(d.unit()) * scale);
  }
  if (batch > 6) {
    x[static_cast<std::size_t>(5 * n + n / 2)] = std::numeric_limits<T>::quiet_NaN();
    x[static_cast<std::size_t>(6 * n)] = std::numeric_limits<T>::infinity();
  }
  return x;
}

template <class T> bool all_nan(const std::vector<std::complex<T>>& row) {
  return std::all_of(row.begin(), row.end(),
                     [](const auto& v) { return v.real() != v.real() && v.imag() != v.imag(); });
}

/// There and back, each row held to the bound by itself.
template <class T>
std::string complaint_of_rows(draw& d, std::int64_t n, std::int64_t batch,
                              const fft_options& options) {
  using value = std::complex<T>;
  const session& s = device_session();
  const std::int64_t half = n / 2 + 1;
  const std::vector<T> from = unlike_rows<T>(d, batch, n);
  guarded_buffer<T> X(s, from, 7), B(s, std::vector<T>(from.size(), 9), 7);
  guarded_buffer<value> Y(s, std::vector<value>(static_cast<std::size_t>(batch * half), {9, 9}),
                          {7, 7});
  fft_options two_by_two = options;
  two_by_two.pair_rows = true;
  fft<T> transform(s.queue, two_by_two);
  const auto x = array<T>(X.buffer(), {batch, n}), b = array<T>(B.buffer(), {batch, n});
  const auto y = array<value>(Y.buffer(), {batch, half});
  wait_for(transform.forward(x, y));
  wait_for(transform.inverse(y, b));
  const auto got = Y.read();
  const auto back = B.read();
  // Two rows of like norms share one transform: its rounding is that of both.
  const long double bound = 2 * error_bound<T>({n});
  for (std::int64_t r = 0; r < batch; ++r) {
    const auto at = [&](const auto& all, std::int64_t count) {
      return std::vector(all.begin() + r * count, all.begin() + (r + 1) * count);
    };
    const std::vector<value> row = at(got, half);
    const std::vector<T> given = at(from, n), again = at(back, n);
    const std::string told =
        std::to_string(batch) + " x " + std::to_string(n) + ", row " + std::to_string(r) + ": ";
    if (r == 5 || r == 6) {
      if (batch > 6 && !all_nan(row)) return told + "numbers where there must be none";
      if (batch > 6) continue;
    }
    wide_values wide = reference_transform(wide_values(given.begin(), given.end()));
    wide.resize(static_cast<std::size_t>(half));
    const long double error = relative_error(row, wide);
    std::vector<value> returned;
    for (const T v : again) returned.emplace_back(v / static_cast<T>(n));
    const long double round = relative_error(returned, wide_values(given.begin(), given.end())) / 2;
    if (!(std::max(error, round) <= bound))
      return told + "error " + std::to_string(static_cast<double>(error / bound)) + " and " +
             std::to_string(static_cast<double>(round / bound)) + " of the bound";
  }
  return Y.intact() && B.intact() ? std::string() : "writes outside";
}

/// Padded, cut off, with functions and scales, laid anyhow, there or back: what rows apart give.
std::string complaint_of_kind(draw& d) {
  using value = std::complex<float>;
  const session& s = device_session();
  const std::int64_t n = d.one_of({5, 9, 15, 21, 33, 41, 62, 82, 94, 123, 235}), half = n / 2 + 1;
  const bool inverse = d.chance(50), functions = d.chance(40);
  std::vector<std::int64_t> full{d.one_of({1, 2, 3, 7}), d.one_of({2, 3, 5, 12}), n};
  std::vector<std::int64_t> spectrum = full;
  spectrum.back() = d.chance(30) ? half - half / 3 : half;
  if (d.chance(30)) full.back() = n - n / 4;
  fft_options o{
      .lengths = {n}, .forward_scale = 0.5, .inverse_scale = 0.25, .policy = draw_item_policy(d)};
  o.policy->one_pass = std::max(o.policy->one_pass, 512);
  if (d.chance(30)) o.policy = fft_policy{.shape = fft_shape::lanes, .lanes = 4};
  if (functions) {
    o.load = {"return value * (float)(1 + index % 7);", {}};
    o.store = {"return value * (float)(1 + index % 5);", {}};
  }
  if (functions && inverse) o.kind = fft_kind::real;
  const placed_array a = draw_array(d, full), b = draw_array(d, spectrum);
  std::vector<float> reals(a.size());
  for (float& v : reals) v = static_cast<float>(d.unit());
  const auto numbers = random_complex<float>(d, b.size());
  guarded_buffer<float> X(s, reals, 7);
  guarded_buffer<value> Y(s, numbers, {7, 7});
  const auto x = a.view<float>(X.buffer());
  const auto y = b.view<value>(Y.buffer());
  std::vector<std::vector<value>> results;
  for (const bool pairs : {false, true}) {
    o.pair_rows = pairs;
    fft<float> transform(s.queue, o);
    wait_for(inverse ? transform.inverse(y, x) : transform.forward(x, y));
    std::vector<value> got;
    const auto back = X.read();
    const auto there = Y.read();
    const placed_array& to = inverse ? a : b;
    for (std::int64_t i = 0; i < to.count(); ++i)
      got.push_back(inverse ? value(back[to.at(i)]) : there[to.at(i)]);
    results.push_back(got);
  }
  const long double error =
      relative_error(results[1], wide_values(results[0].begin(), results[0].end()));
  if (error <= 3 * error_bound<float>({n}) && X.intact() && Y.intact()) return {};
  return std::to_string(n) + " points, " + a.text() + ", " + b.text() +
         (inverse ? ", inverse" : "") + (functions ? ", functions" : "") + ", error " +
         std::to_string(static_cast<double>(error)) + ", " + to_string(*o.policy);
}

}  // namespace

TEST_CASE("real rows two by two are each as exact as alone") {
  // Products of small primes, by Rader's convolution, by Bluestein's; even and odd numbers of rows.
  for (const auto& [n, batch] : {std::pair{3, 2},
                                 {9, 3},
                                 {45, 9},
                                 {105, 12},
                                 {37, 2},
                                 {41, 9},
                                 {101, 2},
                                 {82, 12},
                                 {94, 3},
                                 {235, 9}}) {
    draw d(static_cast<std::uint64_t>(n * 100 + batch));
    const std::string complaint = complaint_of_rows<float>(d, n, batch, {.policy = by_items});
    CHECK_MESSAGE(complaint.empty(), complaint);
  }
}
TEST_CASE("real rows two by two by lanes are each as exact as alone") {
  for (const auto& [n, batch] : {std::pair{15, 16}, {41, 9}, {82, 8}, {94, 13}}) {
    draw d(static_cast<std::uint64_t>(n));
    const std::string complaint = complaint_of_rows<float>(
        d, n, batch, {.policy = fft_policy{.shape = fft_shape::lanes, .lanes = 4}});
    CHECK_MESSAGE(complaint.empty(), complaint);
  }
}
TEST_CASE("real rows of double two by two are each as exact as alone") {
  if (!facts_of(device_session().device).fp64) return;
  for (const auto& [n, batch] : {std::pair{15, 9}, {37, 3}, {82, 2}}) {
    draw d(static_cast<std::uint64_t>(n));
    const std::string complaint = complaint_of_rows<double>(d, n, batch, {.policy = by_items});
    CHECK_MESSAGE(complaint.empty(), complaint);
  }
}
CAMPAIGN("two rows in one give what rows apart give, of any kind") {
  run_campaign("two rows in one", 4, complaint_of_kind);
}
TEST_CASE("two real rows in one come back where one follows the other value by value") {
  // By Rader's convolution, which stages: the first rows of all pairs make one run of memory.
  const session& s = device_session();
  constexpr std::int64_t n = 41, half = n / 2 + 1, rows = 2;
  draw d(216);
  const auto numbers = random_complex<float>(d, static_cast<std::size_t>(2 * rows * half));
  const guarded_buffer<number> Y(s, numbers, {7, 7});
  const auto y = array<number>(Y.buffer(), {2, rows, half});
  std::vector<std::vector<float>> results;
  for (const bool pairs : {false, true}) {
    guarded_buffer<float> X(s, std::vector<float>(2 * rows * n, 9), 7);
    const auto x = array<float>(X.buffer(), {2, rows, n}).with_strides({1, 2 * n, 2});
    const fft_policy one_each{
        .points = 2, .group = 1, .columns = 1, .exchange = fft_exchange::halves, .one_pass = 512};
    fft<float> transform(s.queue, {.policy = one_each, .pair_rows = pairs});
    wait_for(transform.inverse(y, x));
    results.push_back(X.read());
    CHECK(X.intact());
  }
  const wide_values apart(results[0].begin(), results[0].end());
  std::vector<number> paired(results[1].begin(), results[1].end());
  CHECK(relative_error(paired, apart) <= 3 * error_bound<float>({n}));
}
TEST_CASE("real rows two by two touch what is theirs" * doctest::test_suite("oclgrind")) {
  for (const auto& [n, batch] : {std::pair{15, 3}, {41, 2}}) {
    draw d(1);
    const std::string complaint = complaint_of_rows<float>(d, n, batch, {.policy = by_items});
    CHECK_MESSAGE(complaint.empty(), complaint);
  }
}
TEST_CASE("two real rows are one transform where they may be") {
  const session& s = device_session();
  const guarded_buffer<float> X(s, std::vector<float>(6 * 45), 7);
  const guarded_buffer<number> Y(s, std::vector<number>(6 * 23), {7, 7});
  const auto x = array<float>(X.buffer(), {6, 45});
  const auto y = array<number>(Y.buffer(), {6, 23});
  const auto groups = [&](bool pairs) {
    fft_options o{.policy = by_items, .pair_rows = pairs};
    o.policy->group = 1;
    fft<float> transform(s.queue, o);
    const auto passes = transform.schedule(x, y);
    REQUIRE(passes.size() == 1);
    CHECK((transform.explain(x, y).find("two real rows in one") != std::string::npos) == pairs);
    return passes[0].range.global[0] / passes[0].range.local[0];
  };
  CHECK(groups(false) == 6);
  CHECK(groups(true) <= 3);
}
