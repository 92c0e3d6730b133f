#pragma once
// The reductions of bench_reduce --random.

#include <algorithm>
#include <cstdint>
#include <string>

#include "../harness/problem_draw.hpp"

namespace bench {

enum class reduced { sum, greatest, rows, columns };

/// A reduction of `rows` x `columns` values; of all values rows is 1.
struct drawn_reduction {
  reduced what = reduced::sum;
  std::int64_t rows = 1, columns = 1;
  std::string name() const {
    if (what == reduced::sum) return "sum " + std::to_string(columns);
    if (what == reduced::greatest) return "argmax " + std::to_string(columns);
    return (what == reduced::rows ? "rows " : "columns ") + std::to_string(rows) + "x" +
           std::to_string(columns);
  }
};

/// Of twenty, eight are sums and three the greatest of 2^10 to `most` values, five sums of rows and
/// four of columns of matrices of 2^12 to so many, with up to 2^20 results of up to 2^21 values
/// each, which is what the peers have room for. Extents are of all kinds (problem_draw::size).
inline drawn_reduction draw_reduction(problem_draw& draw, double most) {
  const std::int64_t kind = draw.between(0, 19);
  if (kind < 11) {
    const std::int64_t n = draw.size(1024, most);
    return {kind < 8 ? reduced::sum : reduced::greatest, 1, n};
  }
  const bool by_rows = kind < 16;
  const auto elements = static_cast<double>(draw.log_uniform(4096, most));
  const std::int64_t results =
      draw.size(std::max(2.0, elements / 0x1p20), std::min(elements / 2, 0x1p20));
  const auto left = elements / static_cast<double>(results);
  const std::int64_t length = std::max<std::int64_t>(1, draw.size(std::max(1.0, left / 1.2), left));
  return {by_rows ? reduced::rows : reduced::columns, by_rows ? results : length,
          by_rows ? length : results};
}

}  // namespace bench
