#pragma once
// The transpositions of bench_transpose --random.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "../harness/problem_draw.hpp"
#include "permutation.hpp"
#include "problem.hpp"

namespace bench {

/// A matrix without gaps of `least` to `most` bytes, log-uniform, of elements of 1, 2, 4, 8 or 16
/// bytes alike. Of three one has a short axis of 2 to 64 elements, either one; the others have axes
/// within a factor of 64 of each other. Extents are of all kinds (problem_draw::size).
inline turn_problem drawn_turn(problem_draw& draw, bool fp64, double least, double most) {
  turn_problem p;
  p.bytes = draw.one_of({1, 2, 4, 8, 16});
  if (!fp64 && p.bytes >= 8) p.bytes = 4;
  const double elements = static_cast<double>(draw.log_uniform(least, most)) / p.bytes;
  const double side = std::sqrt(elements);
  const bool narrow = draw.chance(1.0 / 3);
  const auto first = draw.size(narrow ? 2 : side / 8, narrow ? 64 : side * 8);
  const double other = elements / static_cast<double>(first);
  const auto second = draw.size(other * 0.9, std::max(other * 1.1, 2.0));
  p.rows = static_cast<int>(first);
  p.cols = static_cast<int>(std::max<std::int64_t>(1, second));
  if (draw.chance(0.5)) std::swap(p.rows, p.cols);
  p.name =
      std::to_string(p.bytes) + "-byte " + std::to_string(p.rows) + " " + std::to_string(p.cols);
  return p;
}

/// An array of `least` to `most` bytes whose axes change places: of six, two are matrices with gaps
/// of up to 40 elements behind the lines of either side, one is a batch of matrices, and three are
/// any permutations of three or four axes, of 2 elements and more.
inline permutation_problem drawn_permutation(problem_draw& draw, bool fp64, double least,
                                             double most) {
  permutation_problem p;
  p.bytes = draw.one_of({1, 2, 4, 8, 16});
  if (!fp64 && p.bytes >= 8) p.bytes = 4;
  double left = static_cast<double>(draw.log_uniform(least, most)) / p.bytes;
  const std::int64_t kind = draw.between(0, 5);
  const int rank = kind < 2 ? 2 : kind == 2 ? 3 : static_cast<int>(draw.between(3, 4));
  for (int a = 0; a + 1 < rank; ++a) {
    p.extents.push_back(draw.size(2, std::max(2.0, std::pow(left, 1.6 / (rank - a)))));
    left = std::max(2.0, left / static_cast<double>(p.extents.back()));
  }
  p.extents.push_back(draw.size(left * 0.9, left * 1.1));
  std::swap(p.extents.back(), p.extents[static_cast<std::size_t>(draw.between(0, rank - 1))]);
  p.axes.resize(static_cast<std::size_t>(rank));
  std::iota(p.axes.begin(), p.axes.end(), 0);
  if (kind <= 2) {
    std::swap(p.axes[p.axes.size() - 2], p.axes.back());
  } else {
    while (std::is_sorted(p.axes.begin(), p.axes.end()))
      for (std::size_t a = p.axes.size() - 1; a > 0; --a)
        std::swap(p.axes[a],
                  p.axes[static_cast<std::size_t>(draw.between(0, static_cast<int>(a)))]);
  }
  if (kind < 2) {
    p.in_gap = draw.between(0, 40);
    p.out_gap = draw.between(0, 40);
  }
  p.name = std::to_string(p.bytes) + "-byte";
  for (const std::int64_t e : p.extents) p.name += " " + std::to_string(e);
  p.name += " to";
  for (const int a : p.axes) p.name += " " + std::to_string(a);
  if (kind < 2) p.name += " gaps " + std::to_string(p.in_gap) + " " + std::to_string(p.out_gap);
  return p;
}

}  // namespace bench
