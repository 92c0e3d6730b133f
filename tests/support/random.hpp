#pragma once
// Random draws that are the same with every compiler and standard library, so that a seed replays.

#include <algorithm>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

#include <clprim/core/scalar.hpp>

namespace support {

/// Numbers from a seed: splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014). What `between` chose is kept, and may be given instead, for a failing
/// case to be made smaller (support/shrinking.hpp): elements of operands then stay what they were.
class draw {
 public:
  /// How far above the first of so many numbers one lies.
  struct choice {
    std::uint32_t offset = 0, range = 1;
    friend bool operator==(const choice&, const choice&) = default;
  };

  explicit draw(std::uint64_t seed) : state_(seed) {}
  draw(std::uint64_t seed, std::vector<choice> given) : state_(seed), given_(std::move(given)) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// A number in first…last, both included.
  int between(int first, int last) {
    const auto range = static_cast<std::uint64_t>(std::int64_t{last} - first + 1);
    std::uint64_t offset = bits() % range;  // drawn all the same: the next one is what it was
    if (made_.size() < given_.size())
      offset = std::min<std::uint64_t>(given_[made_.size()].offset, range - 1);
    if (made_.size() < most_kept)
      made_.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(range)});
    return static_cast<int>(first + static_cast<std::int64_t>(offset));
  }
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <class T> T one_of(std::initializer_list<T> values) {
    return *std::next(values.begin(), between(0, static_cast<int>(values.size()) - 1));
  }
  /// A number in [-1, 1) with all 53 bits of a double.
  double unit() { return static_cast<double>(static_cast<std::int64_t>(bits()) >> 11) * 0x1p-52; }

  /// What was drawn so far chose the kernels: campaigns may try several problems with them.
  void kernels_are_chosen() { chose_kernels_ = made_.size(); }
  /// The choices of the kernels; none where `kernels_are_chosen` was not called.
  std::vector<choice> of_kernels() const {
    return {made_.begin(), made_.begin() + static_cast<std::ptrdiff_t>(chose_kernels_)};
  }
  /// The first choices that were made.
  const std::vector<choice>& made() const { return made_; }

 private:
  static constexpr std::size_t most_kept = 2000;  // those of a problem, not of all its elements

  std::uint64_t state_;
  std::vector<choice> given_, made_;
  std::size_t chose_kernels_ = 0;
};

/// An element in [-1, 1) per part with a full mantissa, exact in its type; of the integers any of 8
/// bits, or of 20.
template <clprim::product_type T> T random_element(draw& d) {
  if constexpr (clprim::facts_of(clprim::scalar_of<T>).is_complex) {
    using real = typename T::value_type;
    const auto re = static_cast<real>(d.unit());
    return {re, static_cast<real>(d.unit())};
  } else if constexpr (std::integral<T>) {
    return static_cast<T>(static_cast<std::int64_t>(d.bits()) >> (sizeof(T) == 1 ? 56 : 44));
  } else if constexpr (clprim::is_narrow(clprim::scalar_of<T>)) {
    return T(static_cast<float>(d.unit()));
  } else {
    return static_cast<T>(d.unit());
  }
}

/// An integer in -limit…limit per part.
template <clprim::product_type T> T random_integer(draw& d, int limit) {
  if constexpr (clprim::facts_of(clprim::scalar_of<T>).is_complex) {
    using real = typename T::value_type;
    const auto re = static_cast<real>(d.between(-limit, limit));
    return {re, static_cast<real>(d.between(-limit, limit))};
  } else if constexpr (clprim::is_narrow(clprim::scalar_of<T>)) {
    return T(static_cast<float>(d.between(-limit, limit)));
  } else {
    return static_cast<T>(d.between(-limit, limit));
  }
}

}  // namespace support
