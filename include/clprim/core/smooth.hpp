#pragma once
// Lengths that are products of small primes: those that transforms have codelets for, and those
// that an array is padded to where its length is free. And primes, with their generators.

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace clprim {

/// Whether no prime factor of n is above `prime`, 37 at most; 13 is the largest of the codelets
/// that all devices take.
constexpr bool is_smooth(std::int64_t n, int prime = 13) {
  if (n < 1) return false;
  for (const int p : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37})
    while (p <= prime && n % p == 0) n /= p;
  return n == 1;
}

/// The smallest length of at least n whose prime factors are at most `prime`.
constexpr std::int64_t next_smooth(std::int64_t n, int prime = 7) {
  while (!is_smooth(n, prime)) ++n;
  return n;
}

/// The product of all numbers of a list; of none 1.
template <class Product = std::int64_t, class Numbers>
constexpr Product product_of(const Numbers& all) {
  Product product = 1;
  for (const auto& n : all) product *= static_cast<Product>(n);
  return product;
}

constexpr bool is_prime(std::int64_t n) {
  if (n < 2) return false;
  for (std::int64_t d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return true;
}

/// The smallest prime factor of n > 1.
template <class Number> constexpr Number smallest_prime(Number n) {
  Number d = 2;
  while (n % d != 0) ++d;
  return d;
}

/// The largest prime factor of n > 0; 1 of 1.
constexpr std::int64_t largest_prime(std::int64_t n) {
  std::int64_t largest = 1;
  for (std::int64_t d = 2; d * d <= n; ++d)
    for (; n % d == 0; n /= d) largest = d;
  return n > 1 ? n : largest;
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

}  // namespace clprim
