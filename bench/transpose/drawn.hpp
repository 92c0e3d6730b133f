#pragma once
// The transpositions of bench_transpose --random.

#include <algorithm>
#include <cmath>
#include <string>

#include "../harness/problem_draw.hpp"
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

}  // namespace bench
