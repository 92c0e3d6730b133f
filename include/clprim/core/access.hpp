#pragma once
// What an access of one warp costs: bank conflicts in local memory (access/banks.hpp), transactions
// in global memory (access/transactions.hpp), and the two ways to lay a tile so that rows and
// columns are both free of conflicts. Everything is constexpr and allocates nothing: a generator's
// test states its tile's claim with it.

#include <cstdint>

#include <clprim/core/access/banks.hpp>
#include <clprim/core/access/transactions.hpp>

namespace clprim {

/// Where the elements of a tile lie in local memory: row by row, each row `padding` elements longer
/// than it is used, or with the column exclusive-ored by the row.
///
///   plain          padded by 1       swizzled
///   0 1 2 3        0 1 2 3 .         0 1 2 3
///   4 5 6 7        5 6 7 8 .         5 4 7 6     (element (1, 0) lies at 5)
///
/// Padding costs memory, the swizzle an instruction per address. The swizzle permutes each row, so
/// `columns` must be a power of two; it is the hash of "Configurable XOR Hash Functions for Banked
/// Scratchpad Memories in GPUs" (van den Braak et al., IEEE TC 2016) in its simplest form.
struct tile_layout {
  int columns = 0;        ///< elements used of a row
  int padding = 0;        ///< elements after each row that nobody uses
  bool swizzled = false;  ///< column ^ (row mod columns)

  /// The element's place, counted in elements. Throws argument_error for a swizzle of rows whose
  /// length is not a power of two.
  constexpr std::int64_t operator()(int row, int column) const {
    if (swizzled && (columns < 1 || (columns & (columns - 1)) != 0)) {
      throw argument_error("columns of a swizzled tile", "must be a power of two",
                           std::to_string(columns), "1, 2, 4, 8, … are");
    }
    const int place = swizzled ? column ^ (row % columns) : column;
    return std::int64_t{row} * (columns + padding) + place;
  }
};

/// Conflicts when a warp reads or writes one column of a tile, lane k its row k; elements of
/// `element_bytes`.
constexpr conflicts column_conflicts(const bank_rule& rule, int element_bytes,
                                     const tile_layout& tile, int column = 0) {
  return bank_conflicts(rule, element_bytes, 32,
                        [&](int lane) { return element_bytes * tile(lane, column); });
}

/// Conflicts when a warp reads or writes one row of a tile from its first column on, lane k column
/// k.
constexpr conflicts row_conflicts(const bank_rule& rule, int element_bytes, const tile_layout& tile,
                                  int row = 0) {
  return bank_conflicts(rule, element_bytes, 32, [&](int lane) {
    return lane < tile.columns ? element_bytes * tile(row, lane) : inactive_lane;
  });
}

}  // namespace clprim
