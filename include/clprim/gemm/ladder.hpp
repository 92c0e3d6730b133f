#pragma once
// The ladder of the textbook: from the naive matrix product to a fast one, each rung a policy of
// the one generator. gemm_source(rung.policy, …) shows its kernel, examples/ladder runs it.

#include <string_view>

#include <clprim/gemm/policy.hpp>

namespace clprim {

/// What a source measured, on its device and size: for comparing steps, not speeds. 0: nothing.
struct published_figure {
  std::string_view device;
  double value = 0;
  std::string_view unit;
};

/// One step of the ladder.
struct gemm_rung {
  std::string_view name;
  std::string_view what;    ///< what changed against the rung before
  std::string_view why;     ///< what that buys
  std::string_view source;  ///< who taught it
  published_figure published;
  gemm_policy policy{};
};

namespace gemm_ladder {

/// A square group whose items own one element each, with A and B read from where `a` and `b` say:
/// the kernels of NVIDIA's guide and deck. Groups follow each other along rows of C; no vectors.
constexpr gemm_policy one_each(int side, staging a, staging b) {
  return {.tile_m = side,
          .tile_n = side,
          .tile_k = side,
          .per_item_m = 1,
          .per_item_n = 1,
          .lanes_m = side,
          .lanes_n = side,
          .vector = 1,
          .vector_m = 1,
          .vector_n = 1,
          .stage_a = a,
          .stage_b = b,
          .order = local_order::plain,
          .raster = 1,
          .unroll = a == staging::local && b == staging::local ? 0 : 1};
}

/// Volkov's step: the same 32 x 32 tiles by a group of fewer items, each with `outputs` rows of one
/// column, 32 / outputs rows apart.
constexpr gemm_policy column_of(int outputs) {
  gemm_policy p = one_each(32, staging::local, staging::local);
  p.per_item_m = outputs;
  p.lanes_m = 32 / outputs;
  return p;
}

/// Patches of rows x columns per item in groups of 16 x 16 items, with vector access.
constexpr gemm_policy patch_of(int rows, int columns) {
  const auto run = [](int extent) { return extent % 4 == 0 ? 4 : 2; };
  return {.tile_m = 16 * rows,
          .tile_n = 16 * columns,
          .tile_k = 16,
          .per_item_m = rows,
          .per_item_n = columns,
          .lanes_m = 4,
          .lanes_n = 8,
          .vector_m = run(rows),
          .vector_n = run(columns)};
}

/// The tiles of the next step travel through registers while this one is multiplied.
constexpr gemm_policy overlapped(gemm_policy p) {
  p.buffer = buffering::registers;
  p.stages = 2;
  return p;
}

inline constexpr gemm_policy naive = one_each(16, staging::global, staging::global);
inline constexpr gemm_policy tile_of_a = one_each(16, staging::local, staging::global);
inline constexpr gemm_policy tiles_of_a_and_b = one_each(16, staging::local, staging::local);
inline constexpr gemm_policy one_output = column_of(1);
inline constexpr gemm_policy two_outputs = column_of(2);
inline constexpr gemm_policy four_outputs = column_of(4);
inline constexpr gemm_policy eight_outputs = column_of(8);
inline constexpr gemm_policy sixteen_outputs = patch_of(4, 4);
inline constexpr gemm_policy thirty_two_outputs = patch_of(4, 8);
inline constexpr gemm_policy thirty_six_outputs = patch_of(6, 6);
inline constexpr gemm_policy sixty_four_outputs = patch_of(8, 8);
inline constexpr gemm_policy sixty_four_overlapped = overlapped(sixty_four_outputs);
/// 16 rows x 8 columns: half the items of the rung before, two groups to a unit of 64 K registers.
inline constexpr gemm_policy hundred_twenty_eight_outputs = overlapped({.tile_m = 128,
                                                                        .tile_n = 128,
                                                                        .tile_k = 16,
                                                                        .per_item_m = 16,
                                                                        .per_item_n = 8,
                                                                        .lanes_m = 4,
                                                                        .lanes_n = 8});

/// The rungs in order; the last step up is the library's own choice for a device (gemm/tuned.hpp).
/// Deck: NVIDIA, "OpenCL Optimization" (effective bandwidth of a product of depth 16). Guide:
/// NVIDIA, OpenCL Programming Guide 2.3, 2.5. Volkov: "Better Performance at Lower Occupancy",
/// GTC 2010, part IV (1024 x 1024 on a GTX 480, whose peak is 1345 GFLOP/s).
inline constexpr gemm_rung rungs[] = {
    {"naive",
     "an item per element, operands straight from global memory",
     "the starting point: every element of A and B is read n and m times",
     "Guide 2.5, deck",
     {"GTX 280", 8.8, "GB/s"},
     naive},
    {"A in local memory",
     "the group copies its tile of A to local memory first",
     "neighbours stop fetching the same row of A, and the copy is coalesced",
     "deck",
     {"GTX 280", 14.3, "GB/s"},
     tile_of_a},
    {"A and B in local memory",
     "the tile of B goes there too",
     "a group of 16 x 16 reads each element from global memory once: a sixteenth of the traffic",
     "Guide 2.5, deck",
     {"GTX 280", 29.7, "GB/s"},
     tiles_of_a_and_b},
    {"1 output per item",
     "tiles of 32 x 32",
     "half the global traffic of 16 x 16; local now limits",
     "Volkov",
     {"GTX 480", 242, "GFLOP/s"},
     one_output},
    {"2 outputs per item",
     "half the items, two rows each",
     "an element of B read from local memory serves two sums: 6 bytes per product, not 8",
     "Volkov",
     {"GTX 480", 341, "GFLOP/s"},
     two_outputs},
    {"4 outputs per item",
     "a quarter of the items, four rows each",
     "less local traffic, and four independent sums hide the latency of each other",
     "Volkov",
     {"GTX 480", 427, "GFLOP/s"},
     four_outputs},
    {"8 outputs per item",
     "an eighth of the items, eight rows each",
     "the same again, at half the occupancy of one output",
     "Volkov",
     {"GTX 480", 485, "GFLOP/s"},
     eight_outputs},
    {"16 outputs per item",
     "patches of 4 x 4, vector access, padded tiles of 64 x 64",
     "a square patch needs fewest operands: 8 reads for 16 products",
     "after Volkov",
     {},
     sixteen_outputs},
    {"32 outputs per item",
     "patches of 4 x 8",
     "12 reads for 32 products",
     "after Volkov",
     {},
     thirty_two_outputs},
    {"36 outputs per item",
     "patches of 6 x 6, tiles of 96 x 96",
     "MAGMA's shape on Fermi: 12 reads for 36 products",
     "MAGMA, in Volkov",
     {"GTX 480", 838, "GFLOP/s"},
     thirty_six_outputs},
    {"64 outputs per item",
     "patches of 8 x 8, tiles of 128 x 128",
     "16 reads for 64 products",
     "after Volkov",
     {},
     sixty_four_outputs},
    {"64, overlapped",
     "the next tiles are fetched while these are multiplied",
     "nobody waits for global memory, one barrier per step",
     "double buffering",
     {},
     sixty_four_overlapped},
    {"128, overlapped",
     "patches of 16 x 8, half the items",
     "24 reads for 128 products; occupancy falls again",
     "after Volkov",
     {},
     hundred_twenty_eight_outputs},
};

constexpr bool all_checked() {
  for (const gemm_rung& r : rungs) {
    if (!(checked(r.policy) == r.policy)) return false;
  }
  return true;
}
static_assert(all_checked());

}  // namespace gemm_ladder

}  // namespace clprim
