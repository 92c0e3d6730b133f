#pragma once
// Filters of rank 1: a dense filter as a product of one-dimensional ones, where it is one.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <clprim/convolve/filter.hpp>

namespace clprim {

/// The separable filter that equals a dense one: exactly for integers; for floating point up to
/// `tolerance` times the largest coefficient in each (default: 4 epsilon). Nothing when there is
/// none, or when the coefficients are in a buffer. A cross through the largest coefficient: every
/// row of a filter of rank 1 is a multiple of the row through it.
template <tap_type A>
std::optional<filter<A>> separated(const filter<A>& f, double tolerance = -1) {
  if (f.is_separable) return f;
  const int nx = f.taps[0], ny = f.taps[1], nz = f.taps[2];  // lambdas capture no bindings
  constexpr int most = 4096;                                 // taps that a convolution takes
  if (f.memory != nullptr || std::min({nx, ny, nz}) < 1 || std::max({nx, ny, nz}) > most ||
      static_cast<std::int64_t>(f.coefficients.size()) != f.size())
    return std::nullopt;
  const auto at = [&](int z, int y, int x) {
    const auto index =
        (static_cast<std::size_t>(z) * static_cast<std::size_t>(ny) + static_cast<std::size_t>(y)) *
            static_cast<std::size_t>(nx) +
        static_cast<std::size_t>(x);
    return f.coefficients[index];
  };
  std::array<int, 3> pivot{0, 0, 0};  // x, y, z
  double largest = -1;
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const double size = std::abs(static_cast<double>(at(z, y, x)));
        // Nor a number without a negative, which no greatest common divisor is known of.
        if (!(size <= std::numeric_limits<double>::max()) ||
            (std::integral<A> && at(z, y, x) == std::numeric_limits<A>::min()))
          return std::nullopt;
        if (size > largest) {
          largest = size;
          pivot = {x, y, z};
        }
      }
    }
  }
  const A middle = at(pivot[2], pivot[1], pivot[0]);
  std::vector<A> row, column, deep;
  for (int x = 0; x < nx; ++x) row.push_back(at(pivot[2], pivot[1], x));
  for (int y = 0; y < ny; ++y) column.push_back(at(pivot[2], y, pivot[0]));
  for (int z = 0; z < nz; ++z) deep.push_back(at(z, pivot[1], pivot[0]));
  if constexpr (std::floating_point<A>) {
    if (largest > 0) {
      for (A& c : column) c /= middle;
      for (A& d : deep) d /= middle;
    }
    if (tolerance < 0) tolerance = 4 * static_cast<double>(std::numeric_limits<A>::epsilon());
  } else {
    // Integers: the smallest column, row and plane vectors that the cross allows.
    const auto reduced = [](std::vector<A>& v) {
      A divisor = 0;
      for (const A c : v) divisor = std::gcd(divisor, c);
      if (divisor > 1)
        for (A& c : v) c /= divisor;
    };
    reduced(column);
    reduced(deep);
    const auto over = static_cast<double>(column[static_cast<std::size_t>(pivot[1])]) *
                      static_cast<double>(deep[static_cast<std::size_t>(pivot[2])]);
    if (largest > 0) {
      for (A& r : row) {
        const double exact = static_cast<double>(r) / over;
        if (exact != std::floor(exact)) return std::nullopt;
        r = static_cast<A>(exact);
      }
    }
    tolerance = 0;
  }
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const double product = static_cast<double>(deep[static_cast<std::size_t>(z)]) *
                               static_cast<double>(column[static_cast<std::size_t>(y)]) *
                               static_cast<double>(row[static_cast<std::size_t>(x)]);
        if (!(std::abs(product - static_cast<double>(at(z, y, x))) <= tolerance * largest))
          return std::nullopt;
      }
    }
  }
  filter<A> result = separable_filter(deep, std::move(column), std::move(row));
  result.anchors = f.anchors;
  return result;
}

}  // namespace clprim
