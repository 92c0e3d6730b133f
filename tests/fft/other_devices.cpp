// Transforms as other devices get them: chosen, planned and written by their facts, run here.

#include "support/other_devices.hpp"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "fft/reference.hpp"
#include "support/sequence.hpp"

using namespace clprim;
using namespace support;

namespace {

using number = std::complex<float>;

/// Native functions stand in for factors where the tuned policy of a device has them: what OpenCL
/// leaves to the device that is here.
long double bound_of(const std::vector<std::int64_t>& lengths) {
  return 2 * error_bound<float>(lengths);
}

std::int64_t draw_length(draw& d, std::int64_t most) {
  for (;;) {
    const auto n = d.chance(50)
                       ? log_uniform(d, most)
                       : std::int64_t{d.one_of({16, 17, 19, 31, 34, 59, 64, 97, 127, 256, 323, 512,
                                                1000, 1009, 1024, 2048, 4096, 4099})};
    if (n > most) continue;
    // The reference takes n p operations, p being the largest prime factor.
    std::int64_t rest = n, p = 1;
    for (std::int64_t f = 2; rest > 1; ++f)
      while (rest % f == 0) {
        rest /= f;
        p = f;
      }
    if (n * p <= std::int64_t{1} << 24) return n;
  }
}

std::string complaint_of(draw& d) {
  const session& s = d.chance(20) ? out_of_order_session() : device_session();
  const device_facts facts = drawn_device(d, facts_of(s.device));
  fft_options o{.axes = d.one_of({1, 1, 1, 2}), .inverse_scale = 0.5};
  std::int64_t left = most_elements(s);
  std::vector<std::int64_t> extents;
  for (int a = 0; a < o.axes; ++a) {
    const std::int64_t share = o.axes - a == 1 ? left : 64;
    extents.push_back(draw_length(d, std::min(left, share)));
    left /= extents.back();
  }
  if (d.chance(70)) {
    const auto batch = std::int64_t{d.one_of({1, 3, 9, 33})};
    extents.insert(extents.begin(), std::min(batch, std::max<std::int64_t>(1, left)));
  }
  const bool real = d.chance(40), inverse = d.chance(50), in_place = !real && d.chance(20);
  std::vector<std::int64_t> halves = extents;
  halves.back() = halves.back() / 2 + 1;
  const placed_array full = draw_array(d, extents), half = draw_array(d, halves);
  const placed_array a = real && inverse ? half : full, b = in_place ? a
                                                            : real   ? (inverse ? full : half)
                                                                     : draw_array(d, extents);
  std::optional<assume_device> as_if(facts);
  fft<float> transform(s.queue, o);
  as_if.reset();
  const std::vector<std::int64_t> lengths(extents.end() - o.axes, extents.end());
  const auto told = [&](long double error) {
    return (inverse ? "inverse, " : "forward, ") + std::string(real ? "real, " : "") + a.text() +
           (in_place ? " in place" : " to " + b.text()) + ", " + std::to_string(o.axes) +
           " axes, as " + facts.name + ", error " + std::to_string(static_cast<double>(error));
  };
  if (!real) {
    const auto from = random_complex<float>(d, a.size());
    guarded_buffer<number> X(s, from, {7, 7}), Y(s, std::vector<number>(b.size()), {7, 7});
    guarded_buffer<number>& out = in_place ? X : Y;
    const auto x = a.view<number>(X.buffer()), y = b.view<number>(out.buffer());
    wait_for(inverse ? transform.inverse(x, y) : transform.forward(x, y));
    const wide_values wide =
        reference_transform(dense<wide_value>(from, a), extents, o.axes, inverse, 0.5L);
    const long double error = relative_error(dense<number>(out.read(), b), wide);
    return error <= bound_of(lengths) && out.intact() ? std::string() : told(error);
  }
  // There, and back when that is what is drawn: half a spectrum must be that of real values.
  std::vector<float> from(full.size());
  for (float& v : from) v = static_cast<float>(d.unit());
  guarded_buffer<float> R(s, from, 7), B(s, std::vector<float>(full.size()), 7);
  guarded_buffer<number> H(s, std::vector<number>(half.size()), {7, 7});
  const auto h = half.view<number>(H.buffer());
  wait_for(transform.forward(full.view<float>(R.buffer()), h));
  if (inverse) wait_for(transform.inverse(h, full.view<float>(B.buffer())));
  wide_values wide, expected;
  for (std::int64_t i = 0; i < full.count(); ++i) wide.emplace_back(from[full.at(i)]);
  const wide_values spectrum = reference_transform(wide, extents, o.axes);
  std::vector<number> got, back;
  const auto all = H.read();
  const auto again = B.read();
  for (std::int64_t i = 0; i < full.count(); ++i)
    if (i % extents.back() <= extents.back() / 2)
      expected.push_back(spectrum[static_cast<std::size_t>(i)]);
  for (std::int64_t i = 0; i < half.count(); ++i) got.push_back(all[half.at(i)]);
  long double error = relative_error(got, expected);
  if (inverse) {
    float points = 0.5F;
    for (const std::int64_t n : lengths) points *= static_cast<float>(n);
    for (std::int64_t i = 0; i < full.count(); ++i) back.emplace_back(again[full.at(i)] / points);
    error = std::max(error, relative_error(back, wide) / 2);
  }
  const bool intact = H.intact() && (!inverse || B.intact());
  return error <= bound_of(lengths) && intact ? std::string() : told(error);
}

/// Dense rows and columns by the facts of one device.
std::string complaint_of_plane(const device_facts& facts, std::int64_t rows, std::int64_t columns) {
  const session& s = device_session();
  draw d(static_cast<std::uint64_t>(rows));
  const auto from = random_complex<float>(d, static_cast<std::size_t>(rows * columns));
  guarded_buffer<number> X(s, from, {7, 7}), Y(s, from, {7, 7});
  std::optional<assume_device> as_if(portable(facts, facts_of(s.device)));
  fft<float> transform(s.queue, {.axes = 2});
  as_if.reset();
  wait_for(transform.forward(array<number>(X.buffer(), {rows, columns}),
                             array<number>(Y.buffer(), {rows, columns})));
  const long double error = relative_error(
      Y.read(), reference_transform(wide_values(from.begin(), from.end()), {rows, columns}, 2));
  if (error <= bound_of({rows, columns}) && Y.intact()) return {};
  return std::to_string(rows) + " x " + std::to_string(columns) + " as " + facts.name + ": error " +
         std::to_string(static_cast<double>(error));
}

}  // namespace

CAMPAIGN("transforms are right as every other device gets them") {
  run_campaign("transforms of other devices", 4, complaint_of);
}
// Local memory of 32 KiB holds the 4096 points of a transform, one part after the other, but not
// both parts, which half a spectrum of pairs takes.
TEST_CASE("real values whose half spectrum has no room in local memory are right, both ways") {
  const session& s = device_session();
  for (const std::int64_t n : {8190, 8192, 10000}) {
    CAPTURE(n);
    draw d(static_cast<std::uint64_t>(n));
    std::vector<float> from(static_cast<std::size_t>(n));
    for (float& v : from) v = static_cast<float>(d.unit());
    guarded_buffer<float> X(s, from, 7), Y(s, std::vector<float>(from.size()), 7);
    guarded_buffer<number> H(s, std::vector<number>(from.size() / 2 + 1), {7, 7});
    std::optional<assume_device> as_if(portable(apple_m2(), facts_of(s.device)));
    fft<float> transform(s.queue);
    as_if.reset();
    const auto h = array<number>(H.buffer(), {n / 2 + 1});
    wait_for(transform.forward(array<float>(X.buffer(), {n}), h));
    wait_for(transform.inverse(h, array<float>(Y.buffer(), {n})));
    const wide_values wide(from.begin(), from.end());
    wide_values half = reference_transform(wide, {n}, 1);
    half.resize(static_cast<std::size_t>(n / 2 + 1));
    CHECK(relative_error(H.read(), half) <= bound_of({n}));
    std::vector<number> back;
    for (const float v : Y.read()) back.emplace_back(v / static_cast<float>(n));
    CHECK(relative_error(back, wide) <= 2 * bound_of({n}));
    CHECK((H.intact() && Y.intact()));
  }
}
TEST_CASE("planes with prime sides are right as an H200 gets them") {
  const std::string complaint = complaint_of_plane(h200(), 127, 61);
  CHECK_MESSAGE(complaint.empty(), complaint);
}
TEST_CASE("large planes with prime sides are right as an H200 gets them") {
  if (std::getenv("CLPRIM_CAMPAIGN") == nullptr) return;  // a long run
  for (const auto& [rows, columns] : {std::pair{std::int64_t{1201}, std::int64_t{1009}},
                                      {std::int64_t{4051}, std::int64_t{512}}}) {
    const std::string complaint = complaint_of_plane(h200(), rows, columns);
    CHECK_MESSAGE(complaint.empty(), complaint);
  }
}
