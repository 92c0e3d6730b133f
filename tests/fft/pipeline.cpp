// Two passes in one launch, from and to arrays with gaps.

#include <cstdint>
#include <string>
#include <vector>

#include "fft/reference.hpp"

using namespace clprim;
using namespace support;

namespace {

using number = std::complex<float>;

constexpr fft_policy shared{.points = 8,
                            .group = 64,
                            .exchange = fft_exchange::planes,
                            .one_pass = 64,
                            .pipeline_kib = 1024};

placed_array stretched(const std::vector<std::int64_t>& extents, std::int64_t stride) {
  placed_array a = tight_array(extents);
  for (std::int64_t& s : a.strides) s *= stride;
  return a;
}

/// Complex points, or half a spectrum to real values, of one axis.
std::string complaint_of(std::int64_t n, std::int64_t batch, std::int64_t in_stride,
                         std::int64_t out_stride, bool real, const fft_policy& policy) {
  const session& s = device_session();
  const std::int64_t points = real ? n / 2 + 1 : n;
  const placed_array a = stretched({batch, points}, in_stride),
                     b = stretched({batch, n}, out_stride);
  draw d(static_cast<std::uint64_t>(n));
  const auto from = random_complex<float>(d, a.size());
  guarded_buffer<number> X(s, from, {7, 7}), Y(s, std::vector<number>(b.size()), {7, 7});
  guarded_buffer<float> R(s, std::vector<float>(b.size()), 7);
  fft<float> transform(s.queue, {.policy = policy});
  const auto x = a.view<number>(X.buffer());
  wait_for(real ? transform.inverse(x, b.view<float>(R.buffer()))
                : transform.forward(x, b.view<number>(Y.buffer())));
  wide_values wide;
  for (std::int64_t i = 0; i < batch * n; ++i) {
    const std::int64_t row = i / n, k = i % n;
    if (!real) {
      wide.emplace_back(from[a.at(i)]);
      continue;
    }
    // The inverse transform of a spectrum with that symmetry, as a forward one.
    wide_value v = from[a.at(row * points + std::min(k, n - k))];
    if (k == 0 || 2 * k == n) v = v.real();
    wide.push_back(2 * k > n ? v : std::conj(v));
  }
  wide = reference_transform(wide, {batch, n}, 1);
  std::vector<number> got;
  const auto complex_values = Y.read();
  const auto real_values = R.read();
  for (std::int64_t i = 0; i < batch * n; ++i)
    got.push_back(real ? number(real_values[b.at(i)]) : complex_values[b.at(i)]);
  const long double error = relative_error(got, wide);
  if (error <= error_bound<float>({n}) && Y.intact() && R.intact()) return {};
  return std::to_string(n) + " points, strides " + std::to_string(in_stride) + " and " +
         std::to_string(out_stride) + (real ? ", real, error " : ", error ") +
         std::to_string(static_cast<double>(error)) + ", " + to_string(policy);
}

}  // namespace

TEST_CASE("two passes in one launch read and write arrays with gaps") {
  const std::string one = complaint_of(17120, 1, 4, 1, true, shared),
                    two = complaint_of(34300, 1, 1, 4, false, shared);
  CHECK_MESSAGE(one.empty(), one);
  CHECK_MESSAGE(two.empty(), two);
}
TEST_CASE("the passes of one transform alone share a launch too") {
  const session& s = device_session();
  const guarded_buffer<number> X(s, std::vector<number>(3 * 4096), {7, 7}),
      Y(s, std::vector<number>(3 * 4096), {7, 7});
  fft_policy p = shared;
  for (const std::int64_t batch : {1, 3}) {
    for (const int kib : {0, 4, 1024}) {  // 32 KB a transform
      p.pipeline_kib = kib;
      const fft<float> transform(s.queue, {.policy = p});
      const std::string text = transform.source(array<number>(X.buffer(), {batch, 4096}),
                                                array<number>(Y.buffer(), {batch, 4096}));
      const bool one = text.find("__kernel") == text.rfind("__kernel");
      CHECK(one == (kib == 1024 && !facts_of(s.device).loses_guards));
    }
    const std::string complaint = complaint_of(4096, batch, 1, 1, false, p);
    CHECK_MESSAGE(complaint.empty(), complaint);
  }
}
CAMPAIGN("any passes in one launch read and write arrays with gaps") {
  run_campaign("pipeline", 3, [](draw& d) {
    fft_policy p = shared;
    p.one_pass = d.one_of({16, 32, 64});
    p.points = d.one_of({4, 8});
    p.pipeline_kib = d.one_of({4, 64, 1024});
    p.exchange = d.one_of({fft_exchange::planes, fft_exchange::pairs, fft_exchange::halves});
    return complaint_of(d.one_of({1024, 1728, 2744, 3840, 5000, 9261, 10290}), d.one_of({1, 3}),
                        d.one_of({1, 2, 4}), d.one_of({1, 3, 4}), d.chance(40), p);
  });
}
