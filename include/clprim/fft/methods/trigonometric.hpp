#pragma once
// Cosine and sine transforms: the factors that make them of complex ones.

#include <cstdint>
#include <vector>

#include <clprim/core/wide_transform.hpp>
#include <clprim/fft/plan/pass.hpp>

namespace clprim::detail {

/// Points of the complex transform that makes a cosine or sine transform of n values.
constexpr std::int64_t trigonometric_points(fft_trigonometric type, std::int64_t n) {
  using enum fft_trigonometric;
  return type == dct1 ? 2 * n - 2 : type == dst1 ? 2 * n + 2 : 2 * n;
}

struct trigonometric_tables {
  std::vector<wide_complex> in, out;
};

/// y[k] = Re(out[k] sum over n < N of in[n] x[n] exp(-2 pi i n k / M)), M being 2N unless the type
/// is I. With t = exp(-pi i / 4N) every type is a product of such powers, as cos(a) = Re exp(-ia)
/// and sin(a) = Re(i exp(-ia)).
inline trigonometric_tables trigonometric_factors(fft_trigonometric type, std::int64_t n) {
  using enum fft_trigonometric;
  const bool sine = type == dst2 || type == dst3 || type == dst4;
  const bool three = type == dct3 || type == dst3, four = type == dct4 || type == dst4;
  trigonometric_tables t;
  const wide_complex i(0, 1);
  if (type == dct1 || type == dst1) {  // n k, and (n + 1) (k + 1)
    const std::int64_t all = trigonometric_points(type, n);
    for (std::int64_t m = 0; m < n; ++m) {
      const bool end = m == 0 || m == n - 1;
      t.in.push_back(type == dst1 ? wide_root(m, all) : wide_complex(end ? 1 : 2));
      t.out.push_back(type == dst1 ? 2.0L * i * wide_root(m + 1, all) : wide_complex(1));
    }
    return t;
  }
  for (std::int64_t m = 0; m < n; ++m) {
    const auto power = [&](std::int64_t quarter) { return wide_root(quarter % (8 * n), 8 * n); };
    // Of II (2 m + 1) (k + sine) / 2, of III (m + sine) (2 k + 1) / 2, of IV (2 m + 1) (2 k + 1),
    // which is 4 m k + 2 m + 2 k + 1.
    const std::int64_t shifted = 2 * (m + (sine ? 1 : 0)), rest = sine ? 4 * m : 0;
    wide_complex in = power(four ? 2 * m : three ? shifted : rest), out = 2;
    out *= power(four ? 2 * m + 1 : three ? rest : shifted);
    if (three && m == (sine ? n - 1 : 0)) in /= 2;
    t.in.push_back(in);
    t.out.push_back(sine ? i * out : out);
  }
  return t;
}

}  // namespace clprim::detail
