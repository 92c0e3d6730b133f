#pragma once
// A policy of method product that tests run.

#include <clprim/gemm/policy.hpp>

namespace support {

/// Tiles of 16 x 16 by 16 items.
inline constexpr clprim::gemm_policy small_product{
    .tile_m = 16, .tile_n = 16, .tile_k = 4, .lanes_m = 2, .lanes_n = 2, .vector = 2};

}  // namespace support
