#pragma once
// The factors of Fourier transforms, with the digits that a rounding to any type needs.

#include <cmath>
#include <numbers>
#include <utility>

namespace clprim {

/// exp(-2 pi i k / n), exact at the eighths; from an angle of the first one, which costs least.
inline std::pair<long double, long double> root_of_unity(long long k, long long n) {
  k %= n;
  if (k < 0) k += n;
  const long long eighth = 8 * k / n, rest = 8 * k % n;
  constexpr long double h = std::numbers::sqrt2_v<long double> / 2;
  const bool odd = eighth % 2 != 0;
  const long double angle = std::numbers::pi_v<long double> / 4 *
                            static_cast<long double>(odd ? n - rest : rest) /
                            static_cast<long double>(n);
  const long double c = rest == 0 ? (odd ? h : 1) : std::cos(angle),
                    s = rest == 0 ? (odd ? h : 0) : std::sin(angle);
  switch (eighth) {
    case 0: return {c, 0 - s};
    case 1: return {s, -c};
    case 2: return {0 - s, -c};
    case 3: return {-c, -s};
    case 4: return {-c, s};
    case 5: return {-s, c};
    case 6: return {s, c};
    default: return {c, s};
  }
}

}  // namespace clprim
