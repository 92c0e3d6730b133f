// Several axes in one pass: planes and boxes that local memory holds, read and written once.

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fft/reference.hpp"
#include "fft/some_policies.hpp"
#include "support/other_devices.hpp"

using namespace clprim;
using namespace support;

namespace {

/// An array of `extents` without gaps along the last `axes` axes, which may be apart.
struct box {
  std::vector<std::int64_t> extents;
  int axes = 2;
  bool real = false, inverse = false, in_place = false;

  std::string text() const {
    std::string all;
    for (const std::int64_t e : extents) all += std::to_string(e) + " ";
    return all + (inverse ? "inverse " : "forward ") + (real ? "real " : "complex ") +
           std::to_string(axes) + " axes" + (in_place ? " in place" : "");
  }
};

std::int64_t count_of(const std::vector<std::int64_t>& extents) {
  std::int64_t n = 1;
  for (const std::int64_t e : extents) n *= e;
  return n;
}

/// What a transform makes of random values, and of how many passes it is.
template <class T> struct outcome {
  long double error = 0;
  std::size_t passes = 0;
  bool intact = true;
};
template <class T>
outcome<T> outcome_of(const box& b, const fft_options& base, const device_facts* as, draw& d) {
  using value = std::complex<T>;
  const session& s = device_session();
  fft_options o = base;
  o.axes = b.axes;
  o.forward_scale = 0.5;
  o.inverse_scale = 0.25;
  std::vector<std::int64_t> halves = b.extents;
  if (b.real) halves.back() = halves.back() / 2 + 1;
  const auto all = static_cast<std::size_t>(count_of(b.extents)),
             kept = static_cast<std::size_t>(count_of(halves));
  std::optional<assume_device> as_if;
  if (as != nullptr) as_if.emplace(portable(*as, facts_of(s.device)));
  fft<T> transform(s.queue, o);
  as_if.reset();
  std::vector<T> plain(all);
  for (T& v : plain) v = static_cast<T>(d.unit());
  const auto from = random_complex<T>(d, all);
  guarded_buffer<T> R(s, plain, 7);
  guarded_buffer<value> X(s, from, {7, 7}), Y(s, std::vector<value>(kept, {9, 9}), {7, 7});
  guarded_buffer<value>& out = b.in_place ? X : Y;
  const auto x = array<value>(X.buffer(), b.extents), y = array<value>(out.buffer(), halves);
  const auto r = array<T>(R.buffer(), b.extents);
  outcome<T> told;
  told.passes = b.real ? transform.schedule(r, y).size() : transform.schedule(x, y).size();
  if (b.real && b.inverse) {  // of a spectrum that is one: there, by passes apart, and back
    fft<T> there(s.queue, {.axes = b.axes, .kind = fft_kind::real});
    wait_for(there.forward(r, y));
    guarded_buffer<T> B(s, std::vector<T>(all), 7);
    const auto back = array<T>(B.buffer(), b.extents);
    told.passes = transform.schedule(y, back, true).size();
    wait_for(transform.inverse(y, back));
    T points = static_cast<T>(0.25);
    for (std::size_t a = b.extents.size();
         a-- > b.extents.size() - static_cast<std::size_t>(b.axes);)
      points *= static_cast<T>(b.extents[a]);
    std::vector<value> got;
    for (const T v : B.read()) got.emplace_back(v / points);
    told.error = relative_error(got, wide_values(plain.begin(), plain.end())) / 2;
    told.intact = B.intact();
    return told;
  }
  wait_for(b.real      ? transform.forward(r, y)
           : b.inverse ? transform.inverse(x, y)
                       : transform.forward(x, y));
  wide_values wide =
      b.real ? wide_values(plain.begin(), plain.end()) : wide_values(from.begin(), from.end());
  wide = reference_transform(wide, b.extents, b.axes, b.inverse, b.inverse ? 0.25L : 1);
  wide_values expected;
  for (std::size_t i = 0; i < wide.size(); ++i)
    if (static_cast<std::int64_t>(i) % b.extents.back() < halves.back())
      expected.push_back(wide[i] * (b.inverse ? 1.0L : 0.5L));
  told.error = relative_error(out.read(), expected);
  told.intact = out.intact() && R.intact();
  return told;
}

template <class T> long double bound_of(const box& b) {
  return error_bound<T>({b.extents.end() - b.axes, b.extents.end()});
}

constexpr fft_policy by_items{.points = 4, .group = 16, .staging = 4};

template <class T> std::string complaint_of(draw& d) {
  box b;
  b.axes = d.one_of({2, 2, 3});
  b.real = d.chance(40);
  b.inverse = d.chance(40);
  b.in_place = !b.real && d.chance(30);
  if (d.chance(60)) b.extents.push_back(d.one_of({1, 3, 9}));
  for (int a = 0; a < b.axes; ++a)
    b.extents.push_back(b.axes == 3 ? d.one_of({2, 3, 4, 7, 8})
                                    : d.one_of({2, 3, 5, 8, 12, 16, 25, 32, 64}));
  fft_options o;
  device_facts facts = h200();
  const bool by_policy = std::same_as<T, double> || d.chance(60);
  if (by_policy)
    o.policy = draw_item_policy(d);
  else
    facts = drawn_device(d, facts_of(device_session().device));
  const auto told = outcome_of<T>(b, o, by_policy ? nullptr : &facts, d);
  if (told.error <= 2 * bound_of<T>(b) && told.intact) return {};
  return b.text() + ", error " + std::to_string(static_cast<double>(told.error)) + ", " +
         (by_policy ? to_string(*o.policy) : "as " + facts.name);
}

}  // namespace

TEST_CASE("axes that local memory holds are transformed in one pass" *
          doctest::test_suite("oclgrind")) {
  draw d(5);
  for (const box& b : {box{{3, 8, 4}}, box{{6, 10}}, box{{2, 4, 6, 5}, 3}, box{{3, 6, 8}, 2, true},
                       box{{5, 9}, 2, true}, box{{3, 4, 7}, 3, true}, box{{3, 6, 8}, 2, true, true},
                       box{{5, 9}, 2, true, true}, box{{2, 3, 4, 7}, 3, true, true},
                       box{{2, 8, 8}, 2, false, true}, box{{2, 4, 8}, 2, false, false, true}}) {
    const auto told = outcome_of<float>(b, {.policy = by_items}, nullptr, d);
    CHECK_MESSAGE(told.passes == 1, b.text());
    CHECK_MESSAGE(told.error <= bound_of<float>(b), b.text(), " error ", double(told.error));
    CHECK(told.intact);
  }
}

CAMPAIGN("any axes of small boxes are right under any policy, and as other devices get them") {
  run_campaign("several axes", 6, complaint_of<float>);
  run_campaign("several axes of double", 3, complaint_of<double>);
}

TEST_CASE("an H200 reads and writes planes once, where a group holds them") {
  draw d(11);
  const device_facts as = h200();
  const long double inaccuracy = native_error(device_session());
  struct kind {
    box of;
    std::size_t passes;
  };
  // A few of 100 x 100 would leave a device of 132 units idle; 15 x 41 has a prime axis.
  for (const kind& k : {kind{{{40, 100, 100}}, 1},
                        {{{9, 100, 100}}, 2},
                        {{{32, 32}}, 1},
                        {{{16, 16, 16}, 3, true}, 1},
                        {{{2, 15, 41}}, 2},
                        {{{2, 256, 128}}, 2}}) {
    const auto told = outcome_of<float>(k.of, {}, &as, d);
    if (facts_of(device_session().device).local_bytes >= as.reported_local_bytes * 2)
      CHECK_MESSAGE(told.passes == k.passes, k.of.text(), ": ", told.passes);
    // Factors of planes of 1024 points are native functions'.
    CHECK_MESSAGE(told.error <= 2 * (bound_of<float>(k.of) + inaccuracy), k.of.text());
  }
}

TEST_CASE("axes whose stages have few butterflies are right by few points per item") {
  // Two points per item want six items of 25 points and three of 13, whose stages have five and
  // one.
  for (const box& of : {box{{3, 4, 13}}, box{{2, 25, 8}}, box{{2, 25, 12}}}) {
    draw d(12);
    const auto told =
        outcome_of<float>(of, {.policy = fft_policy{.points = 2, .group = 16}}, nullptr, d);
    CHECK_MESSAGE(told.error <= bound_of<float>(of), of.text());
  }
}

TEST_CASE("functions see the elements of several axes in one pass by their places") {
  const session& s = device_session();
  using value = std::complex<float>;
  const std::vector<std::int64_t> extents{2, 6, 10}, halves{2, 6, 6};
  std::vector<float> from(120);
  draw d(3);
  for (float& v : from) v = static_cast<float>(d.unit());
  guarded_buffer<float> X(s, from, 7);
  guarded_buffer<value> Y(s, std::vector<value>(72), {7, 7});
  fft<float> transform(s.queue, {.axes = 2,
                                 .policy = by_items,
                                 .load = {"return value * (float)(1 + index % 7);", {}},
                                 .store = {"return value * (float)(1 + index % 5);", {}}});
  wait_for(transform.forward(array<float>(X.buffer(), extents), array<value>(Y.buffer(), halves)));
  wide_values wide;
  for (std::size_t i = 0; i < from.size(); ++i)
    wide.emplace_back(from[i] * static_cast<float>(1 + i % 7));
  wide = reference_transform(wide, extents, 2);
  wide_values expected;
  for (std::size_t i = 0; i < wide.size(); ++i)
    if (i % 10 < 6) expected.push_back(wide[i] * static_cast<long double>(1 + expected.size() % 5));
  CHECK(relative_error(Y.read(), expected) <= error_bound<float>({6, 10}));
  CHECK(Y.intact());
}
