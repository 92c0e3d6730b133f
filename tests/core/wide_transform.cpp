// The roots of unity and transforms in long double that tables are made of.

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/core/wide_transform.hpp>

using namespace clprim;

TEST_CASE("roots of unity by symmetry are those computed one by one") {
  for (std::int64_t n = 1; n <= 300; ++n) {
    const std::vector<wide_complex> roots = wide_roots(n);
    REQUIRE(roots.size() == static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k < n; ++k) {
      const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                                static_cast<long double>(n);
      const wide_complex root = roots[static_cast<std::size_t>(k)];
      CHECK(root == wide_root(k, n));
      CHECK(std::abs(root - std::polar(1.0L, angle)) <=
            8 * std::numeric_limits<long double>::epsilon());
    }
  }
}

TEST_CASE("transforms on the host are the sums that define them") {
  for (const std::int64_t n : {1, 2, 3, 8, 12, 30, 49, 90}) {
    std::vector<wide_complex> x;
    for (std::int64_t i = 0; i < n; ++i)
      x.emplace_back(static_cast<long double>(i * i % 7), static_cast<long double>(i * 5 % 3));
    const std::vector<wide_complex> y = wide_transform(x);
    REQUIRE(y.size() == x.size());
    for (std::int64_t k = 0; k < n; ++k) {
      wide_complex sum = 0;
      for (std::int64_t i = 0; i < n; ++i)
        sum += x[static_cast<std::size_t>(i)] * wide_root(i * k % n, n);
      CHECK(std::abs(y[static_cast<std::size_t>(k)] - sum) <=
            static_cast<long double>(n * n) * 8 * std::numeric_limits<long double>::epsilon());
    }
  }
  CHECK(wide_transform({}).empty());
}
