#pragma once
// Lengths with large prime factors are transformed as convolutions, by Bluestein's chirp or in
// Rader's order: their tables, and in which order Rader's points are read and written.

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <clprim/core/access/bank_order.hpp>
#include <clprim/core/smooth.hpp>
#include <clprim/core/wide_transform.hpp>
#include <clprim/fft/plan/geometry.hpp>
#include <clprim/fft/plan/pass.hpp>
#include <clprim/fft/plan/step.hpp>

namespace clprim {

/// c[n] = exp(-pi i n^2 / N), n < N (Bluestein, IEEE Trans. Audio Electroacoust. 18, 1970).
inline std::vector<wide_complex> bluestein_chirp(std::int64_t length) {
  std::vector<wide_complex> chirp;
  std::int64_t square = 0;  // n^2 mod 2 N
  for (std::int64_t n = 0; n < length; ++n) {
    if (2 * n > length) {  // (N - n)^2 = N^2 + n^2 modulo 2 N
      const wide_complex mirrored = chirp[static_cast<std::size_t>(length - n)];
      chirp.push_back(length % 2 == 0 ? mirrored : -mirrored);
      continue;
    }
    chirp.push_back(wide_root(square, 2 * length));
    square = (square + 2 * n + 1) % (2 * length);
  }
  return chirp;
}

/// The least length of Bluestein's convolution of a pass: values k < W of points n < R take the
/// chirp at k - n, from 1 - R to W - 1. Of real points W is about N / 2. H200, 2026-11-28, us by
/// 2 N - 1 points at least and by this: double real 9 of 107603 126 and 81, float real 91 of 122104
/// 374 and 283, 48 of 425939 840 and 549; of 38 kinds the geometric mean is 1.17, and one lost:
/// float real 941023 alone, 60 and 73, for which 2 N - 1 took 2^21 points.
inline std::int64_t least_convolution(const fft_pass& p) {
  return std::max(p.length, p.points_read() + p.points_written() - 1);
}

/// The factors of a whole spectrum as those of its first half, where real parts alone are wanted:
/// that of X[k] w^-nk is that of X[N - k] w^-n(N - k).
inline std::vector<wide_complex> doubled_half(std::vector<wide_complex> factors) {
  const std::size_t n = factors.size();
  for (std::size_t k = 1; k < n; ++k) factors[k] *= 2 * k < n ? 2.0L : 2 * k == n ? 1.0L : 0.0L;
  return factors;
}

/// The transform of the conjugate of a chirp, laid out for the cyclic convolution of a pass by
/// `inner` points, and divided by it.
inline std::vector<wide_complex> bluestein_spectrum(const fft_pass& p,
                                                    const std::vector<wide_complex>& chirp,
                                                    std::int64_t inner) {
  std::vector<wide_complex> b(static_cast<std::size_t>(inner));
  const auto value = [&](std::int64_t n) {
    return std::conj(chirp[static_cast<std::size_t>(n)]) / static_cast<long double>(inner);
  };
  for (std::int64_t n = 0; n < p.points_written(); ++n) b[static_cast<std::size_t>(n)] = value(n);
  for (std::int64_t n = 1; n < p.points_read(); ++n)
    b[static_cast<std::size_t>(inner - n)] = value(n);
  return wide_transform(b);
}

/// Rader's order of the points of a prime length p (Proc. IEEE 56, 1968): g^q mod p for q < p - 1.
inline std::vector<std::int32_t> rader_order(std::int64_t p) {
  const std::int64_t g = generator_modulo(p);
  std::vector<std::int32_t> power{1};
  while (static_cast<std::int64_t>(power.size()) + 1 < p)
    power.push_back(static_cast<std::int32_t>(power.back() * g % p));
  return power;
}

/// The transform of exp(-2 pi i g^-q / p), q < p - 1, divided by p - 1.
inline std::vector<wide_complex> rader_spectrum(std::int64_t p) {
  const std::vector<std::int32_t> power = rader_order(p);
  const std::size_t m = power.size();
  std::vector<wide_complex> b;
  for (std::size_t q = 0; q < m; ++q)
    b.push_back(wide_root(power[(m - q) % m], p) / static_cast<long double>(m));
  return wide_transform(b);
}

/// The spectrum by which the stages of a pass convolve its points.
inline std::vector<wide_complex> spectrum_of(const fft_pass& p) {
  return p.method == fft_method::rader ? rader_spectrum(p.length)
                                       : bluestein_spectrum(p, bluestein_chirp(p.length), p.inner);
}

/// The orders in which stages whose radices have no common factors need neither factors nor other
/// text: the points of a transform of r1 r2 r3 … as an array of that many axes, point n at
/// sum n_i (N / r_i) mod N (Good 1958), values at k mod r_i.
struct coprime_order {
  std::vector<std::int64_t> time;       ///< which point stands at a place before the stages
  std::vector<std::int64_t> frequency;  ///< which value stands at a place after them

  explicit coprime_order(const std::vector<int>& radices) {
    const std::int64_t n = product_of(radices);
    time.resize(static_cast<std::size_t>(n));
    frequency.resize(static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k < n; ++k) {
      // The first axis is the slowest of the points, and the fastest of the values.
      std::int64_t before = 0, after = 0, point = 0, step = 1;
      for (const int r : radices) {
        const std::int64_t digit = k % r;
        before = before * r + digit;
        after += digit * step;
        point += digit * (n / r);
        step *= r;
      }
      time[static_cast<std::size_t>(before)] = point % n;
      frequency[static_cast<std::size_t>(after)] = k;
    }
  }
};

/// The entries of `part` in another order.
template <class T>
std::vector<T> reordered(const std::vector<T>& part, const std::vector<std::int64_t>& order) {
  std::vector<T> all;
  for (const std::int64_t i : order) all.push_back(part[static_cast<std::size_t>(i)]);
  return all;
}

namespace fft_text {

// Rader's points in a pass by items:
//
//     memory     n = 0 1 2 3 4 …     runs of 32 points, moved by sub-groups
//     local      each run permuted   so that no access in the order of a generator's powers meets
//                                    two of its points in a bank (bank_order; where points
//                                    lie in place, three or four of 32 meet)
//     registers  n = g^q             q = t, t + ITEMS, …: the places told by a table

/// Where the points before and after the stages lie: tables of places, in local memory or in the
/// array; tables of the points at places in banks; the place of point 0.
struct rader_places {
  std::int64_t in = 0, out = 0;
  std::int64_t fetched_in = 0, fetched_out = 0;
  std::int32_t first_in = 0, first_out = 0;
};

/// Points that an item has of the first radix.
inline int slots(const item_geometry& g) {
  return g.radices.front() * g.butterflies(g.radices.front());
}

/// The places of an item's points, two to a word, words of neighbouring items side by side.
inline std::vector<std::int32_t> packed(const item_geometry& g,
                                        const std::vector<std::int32_t>& order) {
  const std::int64_t r = g.radices.front(), count = g.points / r;
  const auto place = [&](std::int64_t t, std::int64_t slot) -> std::uint32_t {
    const std::int64_t j = t + slot / r * g.items;
    if (slot >= slots(g) || j >= count) return 0;
    return static_cast<std::uint32_t>(order[static_cast<std::size_t>(j + slot % r * count)]);
  };
  std::vector<std::int32_t> words;
  for (int i = 0; 2 * i < slots(g); ++i)
    for (std::int64_t t = 0; t < g.items; ++t)
      words.push_back(static_cast<std::int32_t>(place(t, 2 * i) | place(t, 2 * i + 1) << 16));
  return words;
}

/// Changes points for their places in banks; returns the points of the places. `first` is the place
/// of point 0.
inline std::vector<std::int32_t> into_banks(const item_geometry& g, std::int64_t length,
                                            std::vector<std::int32_t>& order, std::int32_t& first) {
  // Place q is leg m of butterfly k of item t: t + k T + m N / r.
  const std::int64_t count = g.points / g.radices.front();
  const std::int64_t sub_groups = (count + detail::local_banks - 1) / detail::local_banks;
  std::vector<int> access(static_cast<std::size_t>(length));
  for (std::size_t q = 0; q < order.size(); ++q) {
    const auto at = static_cast<std::int64_t>(q);
    access[static_cast<std::size_t>(order[q])] =
        1 + static_cast<int>(at / count * sub_groups + at % count / detail::local_banks);
  }
  const bank_order banks(access, detail::local_banks);
  for (std::int32_t& n : order) n = banks.place[static_cast<std::size_t>(n)];
  first = banks.place[0];
  return banks.fetched;
}

/// Adds the orders of a pass to the tables, where it is Rader's.
inline rader_places add_rader_places(const fft_pass& p, const item_geometry& g,
                                     fft_tables& tables) {
  rader_places all;
  if (p.method != fft_method::rader) return all;
  std::vector<std::int32_t> power = rader_order(p.length), back;
  const std::size_t m = power.size();
  for (std::size_t q = 0; q < m; ++q) back.push_back(power[(m - q) % m]);
  if (g.coprime) {
    const coprime_order order(g.radices);
    power = reordered(power, order.time);
    back = reordered(back, order.time);
  }
  if (g.banks) {
    all.fetched_in = tables.add(into_banks(g, p.length, power, all.first_in));
    all.fetched_out = tables.add(into_banks(g, p.length, back, all.first_out));
  }
  all.in = tables.add(g.banks ? packed(g, power) : power);
  all.out = tables.add(g.banks ? packed(g, back) : back);
  return all;
}

}  // namespace fft_text
}  // namespace clprim
