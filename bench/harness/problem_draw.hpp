#pragma once
// Problems drawn by a seed, so that a benchmark is not judged by the rows it was tuned on.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "random.hpp"

namespace bench {

/// The choices of one problem: the same for the same seed and number, on any machine.
class problem_draw {
 public:
  problem_draw(std::uint64_t seed, std::size_t number)
    : first_(random_bits(seed & 0xffffff, seed >> 24) ^ random_bits(0x5eed, number)) {}

  /// In [0, 1).
  double uniform() {
    return static_cast<double>(random_bits(first_ & 0xffffff, (first_ >> 24) + next_++) >> 11) *
           0x1p-53;
  }
  bool chance(double of) { return uniform() < of; }
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(uniform() * static_cast<double>(most - least + 1));
  }
  template <class T> T one_of(std::initializer_list<T> all) {
    return all.begin()[between(0, static_cast<std::int64_t>(all.size()) - 1)];
  }
  /// Each order of magnitude is as likely as any other.
  std::int64_t log_uniform(double least, double most) {
    if (most <= least) return static_cast<std::int64_t>(least);
    const double drawn = std::exp(std::log(least) + uniform() * std::log(most / least));
    return std::clamp(std::llround(drawn), std::llround(std::ceil(least)),
                      std::llround(std::floor(most)));
  }
  /// A size as people have them: of five one is a power of two, one a neighbour of such a power,
  /// one prime, one a multiple of 16, and one is any number.
  std::int64_t size(double least, double most) {
    const std::int64_t any = log_uniform(least, most);
    const auto power = std::int64_t{1} << std::lround(std::log2(static_cast<double>(any)));
    std::int64_t drawn = any;
    switch (between(0, 4)) {
      case 0: drawn = power; break;
      case 1: drawn = power + (chance(0.5) ? 1 : -1); break;
      case 2: drawn = prime_from(any); break;
      case 3: drawn = (any + 15) / 16 * 16; break;
      default: break;
    }
    const auto size = static_cast<double>(drawn);
    return size >= least && size <= most ? drawn : any;
  }
  /// The least prime that is not less than `n`.
  static std::int64_t prime_from(std::int64_t n) {
    const auto is_prime = [](std::int64_t p) {
      for (std::int64_t d = 2; d * d <= p; ++d)
        if (p % d == 0) return false;
      return p > 1;
    };
    while (!is_prime(n)) ++n;
    return n;
  }

 private:
  std::uint64_t first_;
  std::uint64_t next_ = 0;
};

}  // namespace bench
