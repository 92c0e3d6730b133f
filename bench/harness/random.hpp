#pragma once
// Operands: uniform in (-1, 1), every bit of the mantissa random. Short mantissas and zeros toggle
// fewer bits, draw less power and let a GPU clock higher: they flatter (cuBLAS DGEMM on an H200
// gives 63 TFLOP/s on short mantissas, 55 on full ones).

#include <algorithm>
#include <bit>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <clprim/core/scalar.hpp>

namespace bench {

/// The i-th number of a stream (S. Vigna, splitmix64): no state, so threads may share a stream.
constexpr std::uint64_t random_bits(std::uint64_t stream, std::uint64_t i) {
  std::uint64_t z = (stream << 40) + (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// A uniform value: the exponent is geometric, the mantissa full; of integers any.
template <clprim::product_type T> constexpr T random_value(std::uint64_t stream, std::uint64_t i) {
  if constexpr (std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>) {
    using real = typename T::value_type;
    return {random_value<real>(stream, 2 * i), random_value<real>(stream, 2 * i + 1)};
  } else if constexpr (std::integral<T>) {
    return static_cast<T>(random_bits(stream, i) >> (64 - 8 * sizeof(T)));
  } else {
    const std::uint64_t bits = random_bits(stream, i);
    const int down = std::min(10, std::countr_zero(bits | 1024u));  // uses the 11 lowest bits
    if constexpr (std::same_as<T, double>) {
      const std::uint64_t exponent = static_cast<std::uint64_t>(1022 - down) << 52;
      return std::bit_cast<double>((bits & (1ull << 63)) | exponent | ((bits << 1) >> 12));
    } else {
      const auto high = static_cast<std::uint32_t>(bits >> 32);
      const std::uint32_t exponent = static_cast<std::uint32_t>(126 - down) << 23;
      const auto value = std::bit_cast<float>((high & 0x80000000u) | exponent | ((high << 1) >> 9));
      return static_cast<T>(value);
    }
  }
}

/// `count` random values, made by all cores; the same for the same stream.
template <clprim::product_type T>
std::vector<T> random_values(std::size_t count, std::uint64_t stream) {
  std::vector<T> values(count);
  const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 16);
  const std::size_t share = (count + threads - 1) / threads;
  std::vector<std::jthread> workers;
  for (std::size_t t = 0; t < threads; ++t) {
    workers.emplace_back([&values, t, share, count, stream] {
      const std::size_t end = std::min(count, (t + 1) * share);
      for (std::size_t i = t * share; i < end; ++i) values[i] = random_value<T>(stream, i);
    });
  }
  workers.clear();  // joins
  return values;
}

}  // namespace bench
