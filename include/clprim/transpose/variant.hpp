#pragma once
// What the source of a transposition depends on besides the policy, and the sizes that source and
// launch share.

#include <algorithm>
#include <cstdint>
#include <numeric>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/element.hpp>
#include <clprim/transpose/policy.hpp>

namespace clprim {

/// What is made of the input's tiles.
enum class transpose_task {
  turn,   ///< out[c][r] = f(in[r][c])
  lines,  ///< out[r][c] = f(in[r][c]): a permutation that leaves the fastest axis in its place
  swap,   ///< in place: a square matrix, pairs of tiles change places
};

/// One kind of problem: every value here is a constant in the kernel's text.
struct transpose_variant {
  element in{};
  element out{};
  transpose_task task = transpose_task::turn;
  int in_alignment = 1;  ///< elements that addresses and extents are multiples of
  int out_alignment = 1;
  int outer = 0;  ///< axes besides the two that are tiled
  bool conjugate = false;
  bool scaled = false;      ///< times a factor given at each call
  bool by_columns = false;  ///< the kernel's rows are the caller's columns
  bool wide = false;        ///< distances inside a tile need 64 bits

  friend constexpr bool operator==(const transpose_variant&, const transpose_variant&) = default;
};

/// Every size that source and launch of one variant share.
struct transpose_geometry {
  int vector = 1;
  bool exact = true;  ///< a run never reaches over the edge
  bool in_aligned = true;
  bool out_aligned = true;
  int blocks_r = 1;  ///< blocks down and across the tile
  int blocks_c = 1;
  int blocks = 1;  ///< of one item
  int runs = 1;    ///< that one item stores
  int pitch = 1;   ///< of a row of the tile in local memory, in runs
  int skew = 0;    ///< runs left free after every `vector` rows
  int twist = 1;   ///< swizzle: places that neighbouring blocks lie apart, in runs
  int pool = 0;    ///< runs of local memory for one tile
  int local_bytes = 0;
};

/// The widest vector that both alignments and OpenCL's vectors of 16 allow.
constexpr int transpose_vector(const transpose_policy& p, const transpose_variant& v) {
  int vector = p.vector;
  while (vector > 1 &&
         vector * std::max(bits_text::parts(v.in.bytes), bits_text::parts(v.out.bytes)) > 16) {
    vector /= 2;
  }
  if (!p.unaligned) vector = std::gcd(vector, std::gcd(v.in_alignment, v.out_alignment));
  return vector;
}

constexpr transpose_geometry geometry_of(const transpose_policy& p, const transpose_variant& v) {
  transpose_geometry g;
  g.vector = transpose_vector(p, v);
  g.in_aligned = v.in_alignment % g.vector == 0;
  g.out_aligned = v.out_alignment % g.vector == 0;
  g.exact = g.in_aligned && g.out_aligned;
  g.blocks_r = p.tile_rows / g.vector;
  g.blocks_c = p.tile_cols / g.vector;
  g.blocks = g.blocks_r * g.blocks_c / p.items;
  g.runs = g.blocks * g.vector;
  if (p.exchange == tile_exchange::direct || v.task == transpose_task::lines) return g;
  // Banks are words of 4 bytes: what is narrower moves by whole words.
  const int word = std::max(1, 4 / (g.vector * v.out.bytes));
  g.pitch = g.blocks_r;
  g.skew = p.banks == bank_strategy::padding ? word : 0;
  g.twist = word;
  g.pool = p.tile_cols * g.pitch + g.blocks_c * g.skew;
  const int tiles = v.task == transpose_task::swap ? 2 : 1;
  g.local_bytes = tiles * g.pool * g.vector * v.out.bytes;
  return g;
}

/// The place in local memory, in runs, of run `y` of row `x` of the turned tile.
constexpr int transpose_slot(const transpose_policy& p, const transpose_geometry& g, int x, int y) {
  const int block = x / g.vector;
  const int column = p.banks == bank_strategy::swizzle ? y ^ (block * g.twist & (g.pitch - 1)) : y;
  return x * g.pitch + block * g.skew + column;
}

/// Throws policy_error, with the numbers, when `p` cannot run the variant on the device, and
/// device_error when the device lacks the arithmetic of a type that is computed with.
inline void check_device_rules(const transpose_policy& p, const transpose_variant& v,
                               const device_facts& device) {
  const transpose_geometry g = geometry_of(p, v);
  rule(p.items <= device.max_work_group,
       "the policy's work-group must fit the device's limit of work-items", p.items,
       device.max_work_group);
  rule(g.local_bytes <= device.local_bytes,
       "the policy's tiles must fit the local memory of the device in bytes", g.local_bytes,
       static_cast<long>(device.local_bytes));
  rule(v.task != transpose_task::swap || p.tile_rows == p.tile_cols,
       "a transposition in place needs tile_rows = tile_cols");
}

}  // namespace clprim
