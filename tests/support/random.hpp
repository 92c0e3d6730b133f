#pragma once
// Random draws that are the same with every compiler and standard library, so that a seed replays.

#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>

#include <clprim/core/scalar.hpp>

namespace support {

/// Numbers from a seed: splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014).
class draw {
 public:
  explicit draw(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// A number in first…last, both included.
  int between(int first, int last) {
    return first + static_cast<int>(bits() % static_cast<std::uint64_t>(last - first + 1));
  }
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <class T> T one_of(std::initializer_list<T> values) {
    return *std::next(values.begin(), between(0, static_cast<int>(values.size()) - 1));
  }
  /// A number in [-1, 1) with all 53 bits of a double.
  double unit() { return static_cast<double>(static_cast<std::int64_t>(bits()) >> 11) * 0x1p-52; }

 private:
  std::uint64_t state_;
};

/// An element in [-1, 1) per part with a full mantissa, exact in its type.
template <clprim::scalar_type T> T random_element(draw& d) {
  if constexpr (clprim::facts_of(clprim::scalar_of<T>).is_complex) {
    using real = typename T::value_type;
    const auto re = static_cast<real>(d.unit());
    return {re, static_cast<real>(d.unit())};
  } else if constexpr (std::same_as<T, clprim::half>) {
    return T(static_cast<float>(d.unit()));
  } else {
    return static_cast<T>(d.unit());
  }
}

/// An integer in -limit…limit per part.
template <clprim::scalar_type T> T random_integer(draw& d, int limit) {
  if constexpr (clprim::facts_of(clprim::scalar_of<T>).is_complex) {
    using real = typename T::value_type;
    const auto re = static_cast<real>(d.between(-limit, limit));
    return {re, static_cast<real>(d.between(-limit, limit))};
  } else if constexpr (std::same_as<T, clprim::half>) {
    return T(static_cast<float>(d.between(-limit, limit)));
  } else {
    return static_cast<T>(d.between(-limit, limit));
  }
}

}  // namespace support
