// A covering set of policies on lengths of every kind: products of small primes, primes, passes.

#include "support/covering.hpp"

#include <complex>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "fft/reference.hpp"
#include "fft/some_policies.hpp"

using namespace clprim;
using namespace support;

namespace {

using number = std::complex<float>;

/// Shape lanes; shape items is draw_item_policy.
fft_policy draw_lanes(draw& d) {
  fft_policy p{.shape = fft_shape::lanes, .lanes = d.one_of({4, 8, 16})};
  p.twiddles = d.one_of({fft_twiddles::table, fft_twiddles::powers, fft_twiddles::literal});
  p.exchange = d.one_of({fft_exchange::halves, fft_exchange::planes});
  p.one_pass = d.one_of({16, 64, 8192});
  p.ahead = d.one_of({0, 2});
  return p;
}

std::optional<std::string> attempt(draw& d, const fft_policy& p, int size) {
  const session& s = device_session();
  const int lengths[] = {d.one_of({12, 16, 30}), d.one_of({11, 19, 34, 31}),
                         d.one_of({64, 96, 128})};
  const std::int64_t n = lengths[size], batch = d.one_of({1, 3});
  const bool inverse = d.chance(40);
  const auto count = static_cast<std::size_t>(batch * n);
  std::vector<number> from(count);
  for (number& x : from) x = random_element<number>(d);
  guarded_buffer<number> X(s, from, {7, 7}), Y(s, std::vector<number>(count), {7, 7});
  static auto* const all = new std::deque<fft<float>>;
  try {
    all->emplace_back(s.queue, fft_options{.policy = p});
    const auto x = array<number>(X.buffer(), {batch, n}), y = array<number>(Y.buffer(), {batch, n});
    wait_for(inverse ? all->back().inverse(x, y) : all->back().forward(x, y));
  } catch (const policy_error&) {
    return std::nullopt;  // more than the device has, or not for this length
  }
  wide_values wide(from.begin(), from.end());
  if (inverse)
    for (wide_value& x : wide) x = std::conj(x);
  wide = reference_transform(wide, {batch, n}, 1);
  if (inverse)
    for (wide_value& x : wide) x = std::conj(x);
  const long double error = relative_error(Y.read(), wide);
  if (error <= error_bound<float>({n}) && Y.intact()) return std::string();
  return std::to_string(batch) + " x " + std::to_string(n) + (inverse ? " inverse" : "") +
         ", error " + std::to_string(static_cast<double>(error));
}

}  // namespace

TEST_CASE("transforms by items under a covering set of policies touch what is theirs" *
          doctest::test_suite("oclgrind")) {
  run_covering("transforms by items", 3, 3, draw_item_policy, attempt);
}

TEST_CASE("transforms in lanes under a covering set of policies touch what is theirs" *
          doctest::test_suite("oclgrind_races")) {
  run_covering("transforms in lanes", 3, 3, draw_lanes, attempt);
}
