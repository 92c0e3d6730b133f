#pragma once
// The policy of transposition: how the matrix is cut into tiles and how a tile is turned. It
// changes speed only.

#include <array>
#include <string_view>

#include <clprim/core/policy.hpp>

namespace clprim {

/// Where the blocks of a tile change places.
enum class tile_exchange {
  direct,     ///< nowhere: an item stores what it loaded, rows of its blocks far apart
  local,      ///< in local memory by blocks, so that loads and stores both run along rows
  elements,   ///< in local memory element by element: an item may own as little as one run
  registers,  ///< in registers, all of a short axis whose elements follow each other without gaps
  box,        ///< in local memory, a box of all axes (transpose/box.hpp)
};

/// How the tile in local memory avoids that a column falls on one bank (core/access.hpp).
enum class bank_strategy {
  none,
  padding,  ///< a gap after every few rows
  swizzle,  ///< the column exclusive-ored by the row (van den Braak et al., IEEE TC 2016)
};

/// Which tiles the groups that run together work on.
enum class tile_order {
  along_input,   ///< neighbours in the rows of the input
  along_output,  ///< neighbours in the rows of the output: their stores fill whole lines of it
  diagonal,      ///< on diagonals (Ruetsch and Micikevicius 2009, against partition camping)
};

/// The values that cut a transposition up. A group turns tile_rows x tile_cols elements of the
/// input by blocks of vector x vector, which are turned in registers:
///
///     input                        output
///     +------------------+         +-----------+     an item owns
///     | tile_rows x      |         | tile_cols |     tile_rows tile_cols / items elements;
///     | tile_cols        |   ->    | x         |     its loads and stores are
///     +------------------+         | tile_rows |     `vector` elements wide
///                                  +-----------+
struct transpose_policy {
  int tile_rows = 32;
  int tile_cols = 32;
  int vector = 1;   ///< elements per access, where the problem's alignment allows it
  int items = 256;  ///< work-items per group
  tile_exchange exchange = tile_exchange::local;
  bank_strategy banks = bank_strategy::padding;
  tile_order order = tile_order::along_output;
  bool along_output = false;  ///< direct: neighbouring items own neighbours in the output's rows
  bool unaligned = false;     ///< vectors may start at any element (free on a CPU); box: by words
  bool streaming = false;     ///< stores go past the caches, where compiler and alignment allow it
  bool prefetch = false;      ///< CPUs: the next tile of the input is asked for meanwhile
  int shear = 0;              ///< bytes: 0, 32, 64 or 128; see above

  friend constexpr bool operator==(const transpose_policy&, const transpose_policy&) = default;

  constexpr int per_item() const { return tile_rows * tile_cols / items; }
};

template <> struct enum_names<tile_exchange> {
  static constexpr std::string_view type = "clprim::tile_exchange";
  static constexpr std::array<std::string_view, 5> names{"direct", "local", "elements", "registers",
                                                         "box"};
};
template <> struct enum_names<bank_strategy> {
  static constexpr std::string_view type = "clprim::bank_strategy";
  static constexpr std::array<std::string_view, 3> names{"none", "padding", "swizzle"};
};
template <> struct enum_names<tile_order> {
  static constexpr std::string_view type = "clprim::tile_order";
  static constexpr std::array<std::string_view, 3> names{"along_input", "along_output", "diagonal"};
};

template <> struct policy_traits<transpose_policy> {
  static constexpr std::string_view name = "clprim::transpose_policy";
  static constexpr auto fields = field_list{
      field{"tile_rows", &transpose_policy::tile_rows},
      field{"tile_cols", &transpose_policy::tile_cols},
      field{"vector", &transpose_policy::vector},
      field{"items", &transpose_policy::items},
      field{"exchange", &transpose_policy::exchange},
      field{"banks", &transpose_policy::banks},
      field{"order", &transpose_policy::order},
      field{"along_output", &transpose_policy::along_output},
      field{"unaligned", &transpose_policy::unaligned},
      field{"streaming", &transpose_policy::streaming},
      field{"prefetch", &transpose_policy::prefetch},
      field{"shear", &transpose_policy::shear},
  };
};
static_assert(fields_complete<transpose_policy>());

/// Throws policy_error, with the rule as its sentence, when `p` cannot be built for any device.
constexpr void check_rules(const transpose_policy& p) {
  rule(p.tile_rows > 0 && p.tile_cols > 0, "tile_rows and tile_cols must be positive");
  rule(p.tile_rows <= 4096 && p.tile_cols <= 4096, "tile_rows and tile_cols must be at most 4096");
  rule(is_power_of_two(p.vector) && p.vector <= 16, "vector must be 1, 2, 4, 8 or 16");
  rule(p.items > 0, "items must be positive");
  rule(p.tile_rows % p.vector == 0, "tile_rows must be a multiple of vector");
  rule(p.shear == 0 || p.shear == 32 || p.shear == 64 || p.shear == 128,
       "shear must be 0, 32, 64 or 128 bytes");
  const bool local = p.exchange == tile_exchange::local;
  const bool elements = p.exchange == tile_exchange::elements;
  const bool words = p.exchange == tile_exchange::box && p.unaligned;
  rule(p.shear == 0 || local || elements || words,
       "shear is for exchange local and elements, and for box with unaligned");
  rule(p.exchange == tile_exchange::direct || !p.along_output,
       "along_output is for exchange direct");
  if (p.exchange == tile_exchange::box) {
    rule(!p.prefetch, "exchange box needs prefetch = false");
    rule(p.per_item() >= p.vector && p.per_item() <= 64,
         "exchange box needs tile_rows * tile_cols of vector to 64 elements an item", p.per_item(),
         64);
    return;
  }
  if (p.exchange == tile_exchange::registers) {
    rule(!p.prefetch, "prefetch needs exchange local or direct");
    rule(p.tile_cols <= 16, "exchange registers needs tile_cols of at most 16");
    rule(p.tile_rows % (p.items * p.vector) == 0,
         "exchange registers needs tile_rows to be a multiple of items * vector");
    return;
  }
  rule(p.tile_cols % p.vector == 0, "tile_cols must be a multiple of vector");
  rule(p.tile_rows / p.vector * (p.tile_cols / (elements ? 1 : p.vector)) % p.items == 0,
       elements ? "the runs of a tile, tile_rows * tile_cols / vector, must be a multiple of items"
                : "the blocks of a tile, tile_rows * tile_cols / vector^2, must be a multiple of "
                  "items");
  const bool by_elements = elements || p.shear > 0;
  rule(!by_elements || (is_power_of_two(p.tile_rows) && is_power_of_two(p.tile_cols) &&
                        is_power_of_two(p.items)),
       "exchange elements and shear need powers of two for tile_rows, tile_cols and items");
  rule(!by_elements || p.banks != bank_strategy::swizzle,
       "exchange elements and shear need banks none or padding");
  rule(!p.prefetch || (!elements && p.order == tile_order::along_input),
       "prefetch needs order along_input and exchange local or direct");
  rule(!local || p.banks != bank_strategy::swizzle || is_power_of_two(p.tile_rows),
       "banks swizzle needs tile_rows to be a power of two");
}

}  // namespace clprim
