#pragma once
// The transforms of bench_fft --random.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../harness/problem_draw.hpp"
#include "problem.hpp"

namespace bench {

/// A length of about `about`: of ten five are smooth (products of 2, 3, 5 and 7), two powers of
/// two, two any number, and one is a prime.
inline std::int64_t drawn_length(problem_draw& draw, double about) {
  const std::int64_t kind = draw.between(0, 9);
  if (kind >= 9) return problem_draw::prime_from(std::max<std::int64_t>(2, std::llround(about)));
  if (kind >= 7) return std::max<std::int64_t>(2, std::llround(about));
  if (kind >= 5) return std::int64_t{1} << std::max(1L, std::lround(std::log2(about)));
  std::int64_t n = 1;
  while (static_cast<double>(n) * 1.5 < about) n *= draw.one_of<std::int64_t>({2, 2, 2, 3, 5, 7});
  return std::max<std::int64_t>(2, n);
}

/// Forward transforms without gaps, out of place. Of ten, six run along one axis of 2 to 2^22
/// points, three along two and one along three; a third are of real values, and of ten three are of
/// double. All transforms of a problem together have 2^10 to `most_points` points, log-uniform.
inline fft_row drawn_transforms(problem_draw& draw, bool fp64, double most_points) {
  fft_row row;
  row.is_double = fp64 && draw.chance(0.3);
  row.real = draw.chance(0.33);
  const double most = most_points / (row.is_double ? 2 : 1);
  const auto all = static_cast<double>(draw.log_uniform(1024, most));
  const std::int64_t kind = draw.between(0, 9);
  const int axes = kind < 6 ? 1 : kind < 9 ? 2 : 3;
  const auto points = static_cast<double>(
      draw.log_uniform(std::pow(4, axes), std::min(all, axes == 1 ? 0x1p22 : most)));
  double left = points;
  for (int axis = axes; axis > 0; --axis) {
    const double even = std::pow(left, 1.0 / axis);
    const double about = axis == 1 ? left
                                   : static_cast<double>(draw.log_uniform(std::max(2.0, even / 4),
                                                                          std::max(2.0, even * 2)));
    row.lengths.push_back(drawn_length(draw, std::max(2.0, about)));
    left = std::max(2.0, left / static_cast<double>(row.lengths.back()));
  }
  row.drawn = true;
  row.batch = std::max<std::int64_t>(1, std::llround(all / static_cast<double>(row.points())));
  row.name = std::string(row.is_double ? "double" : "float") + (row.real ? " real " : " ");
  for (std::size_t i = 0; i < row.lengths.size(); ++i)
    row.name += (i == 0 ? "" : "x") + std::to_string(row.lengths[i]);
  if (row.batch > 1) row.name += " *" + std::to_string(row.batch);
  return row;
}

}  // namespace bench
