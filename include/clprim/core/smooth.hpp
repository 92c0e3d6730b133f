#pragma once
// Lengths that are products of small primes: those that transforms have codelets for, and those
// that an array is padded to where its length is free.

#include <cstdint>
#include <initializer_list>

namespace clprim {

/// Whether no prime factor of n is above `prime`; 13 is the largest of the codelets.
constexpr bool is_smooth(std::int64_t n, int prime = 13) {
  if (n < 1) return false;
  for (const int p : {2, 3, 5, 7, 11, 13})
    while (p <= prime && n % p == 0) n /= p;
  return n == 1;
}

/// The smallest length of at least n whose prime factors are at most `prime`.
constexpr std::int64_t next_smooth(std::int64_t n, int prime = 7) {
  while (!is_smooth(n, prime)) ++n;
  return n;
}

}  // namespace clprim
