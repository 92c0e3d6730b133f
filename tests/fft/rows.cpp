// Real rows two by two in one complex transform: each row as exact as alone, whatever the other has.

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
  return std::all_of(row.begin(), row.end(), [](const auto& v) {
    return v.real() != v.real() && v.imag() != v.imag();
  });
}

/// There and back, each row held to the bound by itself.
template <class T> std::string complaint_of_rows(draw& d, std::int64_t n, std::int64_t batch,
                                                 const fft_options& options) {
  using value = std::complex<T>;
  const session& s = device_session();
  const std::int64_t half = n / 2 + 1;
  const std::vector<T> from = unlike_rows<T>(d, batch, n);
  guarded_buffer<T> X(s, from, 7), B(s, std::vector<T>(from.size(), 9), 7);
  guarded_buffer<value> Y(s, std::vector<value>(static_cast<std::size_t>(batch * half), {9, 9}),
                          {7, 7});
  fft<T> transform(s.queue, options);
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
    const std::string told = std::to_string(batch) + " x " + std::to_string(n) + ", row " +
                             std::to_string(r) + ": ";
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

}  // namespace

TEST_CASE("real rows two by two are each as exact as alone") {
  // Products of small primes, by Rader's convolution, by Bluestein's; even and odd numbers of rows.
  for (const auto& [n, batch] : {std::pair{3, 2},
                                 {9, 3},
                                 {45, 9},
                                 {105, 12},
                                 {31, 9},
                                 {101, 2},
                                 {34, 12},
                                 {46, 3},
                                 {235, 9}}) {
    draw d(static_cast<std::uint64_t>(n * 100 + batch));
    const std::string complaint = complaint_of_rows<float>(d, n, batch, {.policy = by_items});
    CHECK_MESSAGE(complaint.empty(), complaint);
  }
}
