// Spectra in the order of their digits: natural ones turned round, and back.

#include <cstdint>
#include <string>
#include <vector>

#include "fft/reference.hpp"
#include "fft/some_policies.hpp"

using namespace clprim;
using namespace support;

namespace {

using number = std::complex<float>;

/// There, against the transform by its definition; and back again, to arrays that lie otherwise.
std::string complaint_of(draw& d) {
  const session& s = device_session();
  fft_policy p = draw_item_policy(d);
  p.points = d.one_of({4, 8});
  p.one_pass = d.one_of({64, 512});
  if (d.chance(30)) p = {.shape = fft_shape::lanes, .one_pass = p.one_pass};
  const std::int64_t n = d.one_of({60, 360, 512, 1024, 1728, 2400, 17, 656});
  const std::vector<std::int64_t> extents{d.one_of({1, 3}), n};
  const bool in_place = d.chance(30);
  const placed_array a = draw_array(d, extents), b = in_place ? a : draw_array(d, extents),
                     e = draw_array(d, extents);
  fft_options o{
      .inverse_scale = 1.0 / static_cast<double>(n), .policy = p, .order = fft_order::digits};
  if (d.chance(30)) o.store = {"return value * (float)(1 + index % 3);", {}};
  const bool stores = !o.store.empty();
  const auto from = random_complex<float>(d, a.size());
  guarded_buffer<number> X(s, from, {7, 7}), Y(s, std::vector<number>(b.size()), {7, 7}),
      B(s, std::vector<number>(e.size()), {7, 7});
  guarded_buffer<number>& out = in_place ? X : Y;
  fft<float> transform(s.queue, o);
  const auto x = a.view<number>(X.buffer()), y = b.view<number>(out.buffer()),
             z = e.view<number>(B.buffer());
  const std::vector<std::int64_t> digits = transform.digits(x, y);
  wait_for(transform.forward(x, y));
  const wide_values original = dense<wide_value>(from, a),
                    natural = reference_transform(original, extents, 1);
  const std::int64_t n1 = digits.size() == 2 ? digits[0] : 1, n2 = n / n1;
  wide_values expected;
  for (std::int64_t i = 0; i < extents[0] * n; ++i) {
    const std::int64_t place = i % n, value = place / n2 + n1 * (place % n2);
    expected.push_back(natural[static_cast<std::size_t>(i - place + value)] *
                       (stores ? static_cast<long double>(1 + i % 3) : 1.0L));
  }
  long double error = relative_error(dense<number>(out.read(), b), expected);
  if (!stores) {
    wait_for(transform.inverse(y, z));
    error = std::max(error, relative_error(dense<number>(B.read(), e), original) / 2);
  }
  const bool two = digits.size() == 2 && digits[0] * digits[1] == n && digits[0] > 1;
  const bool long_one = n > p.one_pass && n != 17 && n != 656;
  if (error <= error_bound<float>({n}) && X.intact() && Y.intact() && B.intact() &&
      two == long_one && digits == transform.digits(y, z, true))
    return {};
  return a.text() + (in_place ? " in place" : " to " + b.text()) + ", back to " + e.text() +
         (stores ? ", stored" : "") + ", " + std::to_string(digits.size()) + " digits, error " +
         std::to_string(static_cast<double>(error)) + ", " + to_string(p);
}

}  // namespace

CAMPAIGN("a spectrum may lie in the order of its digits, and come back from there") {
  run_campaign("order of digits", 6, complaint_of);
}

TEST_CASE("a spectrum in the order of its digits takes no workspace" *
          doctest::test_suite("oclgrind")) {
  const session& s = device_session();
  draw d(3);
  const auto from = random_complex<float>(d, 256);
  guarded_buffer<number> X(s, from, {7, 7}), Y(s, from, {7, 7});
  const auto x = array<number>(X.buffer(), {256}), y = array<number>(Y.buffer(), {256});
  const fft_policy policy{.points = 4, .group = 16, .columns = 4, .one_pass = 16};
  fft<float> transform(s.queue,
                       {.inverse_scale = 1.0 / 256, .policy = policy, .order = fft_order::digits});
  CHECK(transform.workspace_bytes(x, y) == 0);
  CHECK(transform.digits(x, y) == std::vector<std::int64_t>{16, 16});
  wait_for(transform.forward(x, y));
  const auto natural = reference_transform(wide_values(from.begin(), from.end()));
  wide_values expected;
  for (std::size_t i = 0; i < 256; ++i) expected.push_back(natural[i / 16 + 16 * (i % 16)]);
  CHECK(relative_error(Y.read(), expected) <= error_bound<float>({256}));
  wait_for(transform.inverse(y, y));
  CHECK(relative_error(Y.read(), wide_values(from.begin(), from.end())) <=
        2 * error_bound<float>({256}));
  CHECK(Y.intact());
}

TEST_CASE("what has no order of digits is refused") {
  const session& s = device_session();
  guarded_buffer<float> R(s, std::vector<float>(64), 7);
  guarded_buffer<number> Y(s, std::vector<number>(64), {7, 7}),
      Z(s, std::vector<number>(64), {7, 7}), L(s, std::vector<number>(4096), {7, 7});
  const auto y = array<number>(Y.buffer(), {8, 8}), z = array<number>(Z.buffer(), {8, 8});
  fft<float> line(s.queue, {.order = fft_order::digits});
  CHECK_THROWS_WITH_AS(
      line.forward(array<float>(R.buffer(), {64}), array<number>(Y.buffer(), {33})),
      "a spectrum in the order of its digits is of complex values along one axis, without padding: "
      "real values given, natural order for others",
      argument_error);
  fft<float> plane(s.queue, {.axes = 2, .order = fft_order::digits});
  CHECK_THROWS_AS(plane.forward(y, z), argument_error);
  const fft_policy tiny{.points = 4, .group = 16, .columns = 4, .one_pass = 16};
  fft<float> far(s.queue, {.policy = tiny, .order = fft_order::digits});
  const auto l = array<number>(L.buffer(), {4096});
  CHECK_THROWS_WITH_AS(far.forward(l, l),
                       "a spectrum in the order of its digits is of a length that two passes take: "
                       "4096 given, natural order for longer ones",
                       argument_error);
}
