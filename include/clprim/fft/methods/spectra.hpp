#pragma once
// The tables of lengths with large prime factors: Bluestein's and Rader's convolutions.

#include <algorithm>
#include <cstdint>
#include <vector>

#include <clprim/fft/plan/tables.hpp>

namespace clprim {

constexpr bool is_prime(std::int64_t n) {
  if (n < 2) return false;
  for (std::int64_t d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return true;
}

/// a b mod n and a^e mod n for n < 2^31.
constexpr std::int64_t power_modulo(std::int64_t a, std::int64_t e, std::int64_t n) {
  std::int64_t result = 1 % n;
  for (a %= n; e > 0; e /= 2) {
    if (e % 2 == 1) result = result * a % n;
    a = a * a % n;
  }
  return result;
}

/// The smallest generator of the numbers 1 … p - 1 under multiplication modulo the prime p.
inline std::int64_t generator_modulo(std::int64_t p) {
  std::vector<std::int64_t> factors;
  std::int64_t rest = p - 1;
  for (std::int64_t d = 2; d * d <= rest; ++d)
    if (rest % d == 0) {
      factors.push_back(d);
      while (rest % d == 0) rest /= d;
    }
  if (rest > 1) factors.push_back(rest);
  for (std::int64_t g = 1;; ++g)
    if (std::all_of(factors.begin(), factors.end(),
                    [&](std::int64_t f) { return p == 2 || power_modulo(g, (p - 1) / f, p) != 1; }))
      return g;
}

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

/// The transform of the conjugate of a chirp, laid out for a cyclic convolution of `inner` points,
/// and divided by it.
inline std::vector<wide_complex> bluestein_spectrum(const std::vector<wide_complex>& chirp,
                                                    std::int64_t inner) {
  std::vector<wide_complex> b(static_cast<std::size_t>(inner));
  for (std::size_t n = 0; n < chirp.size(); ++n) {
    const wide_complex value = std::conj(chirp[n]) / static_cast<long double>(inner);
    b[n] = value;
    if (n > 0) b[static_cast<std::size_t>(inner) - n] = value;
  }
  return wide_transform(b);
}

/// Rader's order of the points of a prime length p (Proc. IEEE 56, 1968): g^q mod p for q < p - 1,
/// and where each number stands in it; entry 0 of `position` is p - 1.
struct rader_order {
  std::vector<std::int32_t> power;
  std::vector<std::int32_t> position;

  explicit rader_order(std::int64_t p) : position(static_cast<std::size_t>(p)) {
    const std::int64_t g = generator_modulo(p);
    std::int64_t value = 1;
    for (std::int64_t q = 0; q + 1 < p; ++q) {
      power.push_back(static_cast<std::int32_t>(value));
      position[static_cast<std::size_t>(value)] = static_cast<std::int32_t>(q);
      value = value * g % p;
    }
    position[0] = static_cast<std::int32_t>(p - 1);
  }
};

/// The transform of exp(-2 pi i g^-q / p), q < p - 1, divided by p - 1.
inline std::vector<wide_complex> rader_spectrum(std::int64_t p) {
  const rader_order order(p);
  const std::size_t m = order.power.size();
  std::vector<wide_complex> b(m);
  for (std::size_t q = 0; q < m; ++q) {  // g^(m/2) is -1
    b[q] = m % 2 == 0 && 2 * q >= m
               ? std::conj(b[q - m / 2])
               : wide_root(order.power[(m - q) % m], p) / static_cast<long double>(m);
  }
  return wide_transform(b);
}

/// The orders in which stages whose radices have no common factors need neither factors nor other
/// text: the points of a transform of r1 r2 r3 … as an array of that many axes, point n at
/// sum n_i (N / r_i) mod N (Good 1958), values at k mod r_i.
struct coprime_order {
  std::vector<std::int64_t> time;       ///< which point stands at a place before the stages
  std::vector<std::int64_t> frequency;  ///< which value stands at a place after them

  explicit coprime_order(const std::vector<int>& radices) {
    std::int64_t n = 1;
    for (const int r : radices) n *= r;
    time.resize(static_cast<std::size_t>(n));
    frequency.resize(static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k < n; ++k) {
      std::int64_t at = 0, step = 1;  // the first axis is the fastest of the values
      for (const int r : radices) {
        at += k % r * step;
        step *= r;
      }
      frequency[static_cast<std::size_t>(at)] = k;
    }
    for (std::int64_t at = 0; at < n; ++at) {  // and the slowest of the points
      std::int64_t rest = at, point = 0;
      for (auto r = radices.rbegin(); r != radices.rend(); ++r) {
        point += rest % *r * (n / *r);
        rest /= *r;
      }
      time[static_cast<std::size_t>(at)] = point % n;
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

}  // namespace clprim
