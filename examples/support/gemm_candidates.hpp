#pragma once
// Policies of a matrix product that are worth a try.

#include <vector>

#include <clprim/gemm/policy.hpp>

namespace examples {

/// Policies for GPUs, and for CPUs, where a work-group is one item that holds a whole tile.
inline std::vector<clprim::gemm_policy> gemm_candidates(bool cpu) {
  std::vector<clprim::gemm_policy> found;
  if (cpu) {
    for (const int wide : {8, 16, 32})
      for (const int rows : {4, 6, 8})
        for (const int deep : {64, 128, 256})
          found.push_back({.tile_m = rows * 8,
                           .tile_n = wide * 4,
                           .tile_k = deep,
                           .per_item_m = rows,
                           .per_item_n = wide,
                           .blocks_m = 8,
                           .blocks_n = 4,
                           .lanes_m = 1,
                           .lanes_n = 1,
                           .vector = 8,
                           .vector_m = 1,
                           .vector_n = 8,
                           .order = clprim::local_order::plain,
                           .unaligned = true,
                           .unroll = 4});
    return found;
  }
  for (const int m : {4, 8})
    for (const int n : {4, 8})
      for (const int groups : {8, 16})
        for (const int deep : {8, 16})
          for (const bool overlapped : {false, true}) {
            clprim::gemm_policy p{.tile_m = m * groups,
                                  .tile_n = n * groups,
                                  .tile_k = deep,
                                  .per_item_m = m,
                                  .per_item_n = n};
            if (overlapped) p.buffer = clprim::buffering::registers, p.stages = 2;
            found.push_back(p);
          }
  return found;
}

}  // namespace examples
