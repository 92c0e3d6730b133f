// Bank conflicts of the transposition's tile in local memory, by the addresses that the kernel's
// text computes: the stores of turned blocks and the reads of output runs, for every policy that is
// shipped for GPUs.

#include <algorithm>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include <clprim/core/access.hpp>
#include <clprim/transpose/tuned.hpp>
#include <clprim/transpose/variant.hpp>

using namespace clprim;

namespace {

/// The worst degree of one warp's access to the runs in the slots `slot(lane)`; the compiler cuts
/// runs of more than 16 bytes into pieces.
template <class Slot> int degree(int run_bytes, Slot slot) {
  const int piece = std::min(run_bytes, 16);
  int worst = 0;
  for (int at = 0; at < run_bytes; at += piece) {
    worst = std::max(worst, bank_conflicts(banks_of(90), piece, 32, [&](int lane) {
                              return slot(lane) * run_bytes + at;
                            }).degree);
  }
  return worst;
}

struct degrees {
  int store = 0;
  int read = 0;
};

/// Of all warps of a group, as in the kernel's text: item e of a pass stores run k of its block,
/// then reads run e of the turned tile.
degrees degrees_of(const transpose_policy& p, const transpose_geometry& g, int bytes) {
  degrees d;
  if (g.by_elements) {  // items side by side fill a row of the input, then read a row of the output
    if (g.words) {      // a word of a block's column each
      for (int k = 0; k < g.vector; ++k)
        d.store = std::max(d.store, degree(4, [&](int lane) {
                             const int row = lane % g.blocks_c * g.vector + k;
                             return row_place(g, row) / g.vector + lane / g.blocks_c;
                           }));
      d.read = 1;
      return d;
    }
    d.store = degree(bytes, [&](int lane) { return lane * g.pitch; });
    d.read = degree(bytes, [](int lane) { return lane; });
    return d;
  }
  const int run_bytes = g.vector * bytes;
  for (int pass = 0; pass < g.blocks; ++pass) {
    for (int warp = 0; warp + 32 <= p.items; warp += 32) {
      for (int k = 0; k < g.vector; ++k) {
        d.store =
            std::max(d.store, degree(run_bytes, [&](int lane) {
                       const int e = warp + lane + pass * p.items;
                       return transpose_slot(p, g, e % g.blocks_c * g.vector + k, e / g.blocks_c);
                     }));
      }
    }
  }
  for (int pass = 0; pass < g.runs; ++pass) {
    for (int warp = 0; warp + 32 <= p.items; warp += 32) {
      d.read = std::max(d.read, degree(run_bytes, [&](int lane) {
                          const int e = warp + lane + pass * p.items;
                          return transpose_slot(p, g, e / g.blocks_r, e % g.blocks_r);
                        }));
    }
  }
  return d;
}

}  // namespace

TEST_CASE("tiles of shipped transpositions meet no bank twice, but stores of short elements may") {
  for (const int bytes : {1, 2, 4, 8, 16}) {
    for (const int alignment : {1, 2, 4, 8, 16}) {
      for (const bool in_place : {false, true}) {
        const transpose_policy p = tuned_gpu_transpose({.bytes = bytes,
                                                        .rows = 8192,
                                                        .cols = 8192,
                                                        .in_alignment = alignment,
                                                        .out_alignment = alignment,
                                                        .in_place = in_place});
        const element any{.bytes = bytes};
        const transpose_geometry g = geometry_of(p, {.in = any,
                                                     .out = any,
                                                     .in_alignment = alignment,
                                                     .out_alignment = alignment,
                                                     .words = true});
        const degrees d = degrees_of(p, g, bytes);
        CAPTURE(bytes);
        CAPTURE(alignment);
        CAPTURE(in_place);
        CAPTURE(to_string(p));
        // Words of four bytes: two runs of one block meet, and two elements of two bytes.
        const bool meet = bytes == 1 || (bytes == 2 && p.exchange == tile_exchange::elements);
        CHECK(d.store <= (meet ? 2 : 1));
        CHECK(d.read == 1);
      }
    }
  }
}

TEST_CASE("without padding or swizzle a tile's column falls on few banks") {
  const transpose_policy p{
      .tile_rows = 64, .tile_cols = 64, .vector = 1, .banks = bank_strategy::none};
  const element four{.bytes = 4};
  const transpose_geometry g = geometry_of(p, {.in = four, .out = four});
  CHECK(degrees_of(p, g, 4).store == 32);
}
