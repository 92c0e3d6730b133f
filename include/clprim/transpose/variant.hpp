#pragma once
// What the source of a transposition depends on besides the policy, and the sizes that source and
// launch share.

#include <algorithm>
#include <cstdint>
#include <numeric>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/element.hpp>
#include <clprim/transpose/box.hpp>
#include <clprim/transpose/box_words.hpp>
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
  int outer = 0;            ///< axes besides the two that are tiled
  bool in_offsets = false;  ///< the first of them, a batch, lies where a buffer of offsets says
  bool out_offsets = false;
  int narrow = 0;          ///< exchange registers: the extent of the short axis
  bool narrow_in = false;  ///< the short axis is the input's fastest, else the output's
  transpose_box box{};     ///< exchange box: what a group moves
  bool conjugate = false;
  bool scaled = false;      ///< times a factor given at each call
  bool by_columns = false;  ///< the kernel's rows are the caller's columns
  bool wide = false;        ///< distances inside a tile need 64 bits
  bool words = false;       ///< unaligned runs of 4 bytes are read by whole words
  bool ptx = false;         ///< the compiler takes inline PTX: NVIDIA's, for streaming stores
  bool prefetch = false;    ///< the compiler takes prefetches of CPUs

  friend constexpr bool operator==(const transpose_variant&, const transpose_variant&) = default;
};

/// Every size that source and launch of one variant share.
struct transpose_geometry {
  int vector = 1;        ///< elements of a run of the input
  int out_vector = 1;    ///< and of the output
  bool in_exact = true;  ///< a run never reaches over the edge
  bool out_exact = true;
  bool in_aligned = true;
  bool out_aligned = true;
  int piece = 1;     ///< shear: elements of the pieces that stores fill; 1: no shear
  int lead = 0;      ///< shear: rows that are loaded before the tile's own
  int blocks_r = 1;  ///< blocks down (those of `lead` too) and across the tile
  int blocks_c = 1;
  int blocks = 1;  ///< of one item, or runs of the input with exchange elements
  int runs = 1;    ///< that one item stores
  int held = 1;    ///< blocks of an item in registers at a time
  int stored = 1;  ///< exchange box: and runs that it stores in one turn of a loop
  int pitch = 1;   ///< of a row of the tile in local memory, in runs or (by_elements) elements
  int skew = 0;    ///< runs left free after every `vector` rows
  int twist = 1;   ///< swizzle: places that neighbouring blocks lie apart, in runs
  int pool = 0;    ///< runs, or elements, of local memory for one tile
  bool by_elements = false;
  bool words = false;   ///< see transpose_variant
  box_places places{};  ///< exchange box: where its elements lie in local memory
  int local_bytes = 0;
};

/// The widest vector that OpenCL's vectors of 16 allow.
constexpr int widest_vector(int vector, const transpose_variant& v) {
  const int parts = std::max(bits_text::parts(v.in.bytes), bits_text::parts(v.out.bytes));
  while (vector > 1 && vector * parts > 16) vector /= 2;
  return vector;
}

/// The place in local memory, in elements, of row `x` of the turned tile (by_elements).
constexpr int row_place(const transpose_geometry& g, int x) {
  return x * g.pitch + (g.words ? x / 32 * g.vector : 0);
}

/// Elements of local memory that a box may take, with its gaps; by words, with what it loads before
/// pieces of the output, too.
constexpr int most_box_places(const transpose_policy& p) {
  return p.tile_rows * p.tile_cols / 4 * (p.unaligned ? 10 : 5);
}

/// The sizes of exchange `box`.
constexpr transpose_geometry box_geometry(const transpose_policy& p, const transpose_variant& v) {
  transpose_geometry g;
  g.by_elements = true;
  g.vector = std::gcd(widest_vector(p.vector, v), v.in_alignment);
  g.out_vector = std::gcd(widest_vector(p.vector, v), v.out_alignment);
  g.pool = most_box_places(p);
  g.words = p.unaligned;
  // Turns of a loop: the text of all runs of a large box does not fit a unit's instruction cache.
  const auto in_turns = [&](int accesses, int most, int& runs, int& at_once) {
    runs = (accesses + p.items - 1) / p.items;
    const int turns = (runs + most - 1) / most;
    at_once = (runs + turns - 1) / turns;
    runs = turns * at_once;
  };
  if (v.box.words.in > 0) {
    const box_words& w = v.box.words;
    g.vector = w.in;
    g.out_vector = w.out;
    g.lead = w.lead;
    g.places = word_places_of(v.box, v.in.bytes, g.pool);
    g.pool = g.places.count;
    const word_counts n = word_counts_of(v.box);
    in_turns(n.in_lines * n.in_words, std::clamp(64 / (w.in * v.in.bytes), 1, 8), g.blocks, g.held);
    in_turns(n.out_lines * n.out_words, std::max(1, 16 / w.out), g.runs, g.stored);
    g.local_bytes = g.pool * v.in.bytes;
    return g;
  }
  if (v.box.rank > 0) {
    g.places = places_of(v.box, v.out.bytes, g.vector, g.out_vector, g.pool);
    g.pool = g.places.count;
    in_turns(v.box.volume() / g.vector, 16, g.blocks, g.held);
    in_turns(v.box.volume() / g.out_vector, 16, g.runs, g.stored);
  }
  g.local_bytes = g.pool * (p.unaligned ? v.in.bytes : v.out.bytes);
  return g;
}

constexpr transpose_geometry geometry_of(const transpose_policy& p, const transpose_variant& v) {
  if (p.exchange == tile_exchange::box) return box_geometry(p, v);
  const bool turns = v.task == transpose_task::turn;
  const bool elements = turns && p.exchange == tile_exchange::elements;
  transpose_geometry g;
  const int widest = widest_vector(p.vector, v);
  const auto divided = [&](int alignment) {
    return p.unaligned ? widest : std::gcd(widest, alignment);
  };
  g.vector = divided(elements ? v.in_alignment : std::gcd(v.in_alignment, v.out_alignment));
  g.out_vector = elements ? divided(v.out_alignment) : g.vector;
  // A tile holds whole pieces, or the rows of neighbouring tiles would not meet.
  const int piece = std::min(p.shear / v.out.bytes, p.tile_rows);
  if (turns && piece > 1 && v.out_alignment < piece) {
    g.piece = piece;
    g.out_vector = std::min(widest, g.piece);
    g.lead = elements ? g.piece - 1 : std::max(g.piece, g.vector);
  }
  g.in_aligned = v.in_alignment % g.vector == 0;
  g.out_aligned = v.out_alignment % g.out_vector == 0;
  const bool both = g.in_aligned && g.out_aligned;
  g.in_exact = elements ? g.in_aligned : both;
  g.out_exact = (elements ? g.out_aligned : both) && g.piece == 1;
  if (g.piece > 1) g.out_aligned = g.piece % g.out_vector == 0;
  g.blocks_r = elements ? p.tile_rows + g.lead : (p.tile_rows + g.lead) / g.vector;
  g.blocks_c = p.tile_cols / g.vector;
  g.blocks = (g.blocks_r * g.blocks_c + p.items - 1) / p.items;
  g.runs = p.tile_rows * p.tile_cols / g.out_vector / p.items;
  g.held = g.blocks * g.vector * (elements ? 1 : g.vector) <= 128 ? g.blocks : 1;
  if (p.exchange == tile_exchange::direct || v.task == transpose_task::lines) return g;
  const int tiles = v.task == transpose_task::swap ? 2 : 1;
  g.by_elements = elements || g.piece > 1;
  g.words = v.words && p.unaligned && turns && !elements && v.in.bytes < 4 &&
            v.in.bytes == v.out.bytes && g.vector * v.in.bytes == 4 && g.out_vector == g.vector;
  if (g.by_elements) {
    const int rows = p.tile_rows + g.lead;
    // Words stay whole: the gap is one of them, and another one follows every 32 rows.
    const int gap = g.words ? g.vector : elements ? 1 : 0;
    const bool even = rows / std::max(gap, 1) % 2 == 0;
    g.pitch = rows + (p.banks == bank_strategy::padding && even ? gap : 0);
    g.pool = row_place(g, p.tile_cols);
    g.local_bytes = g.pool * v.out.bytes;
    return g;
  }
  if (p.exchange == tile_exchange::registers) return g;
  // Banks are words of 4 bytes: what is narrower moves by whole words.
  const int word = std::max(1, 4 / (g.vector * v.out.bytes));
  g.pitch = g.blocks_r;
  g.skew = p.banks == bank_strategy::padding ? word : 0;
  g.twist = word;
  g.pool = p.tile_cols * g.pitch + g.blocks_c * g.skew;
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
  rule(v.task != transpose_task::swap || p.exchange == tile_exchange::direct ||
           p.exchange == tile_exchange::local,
       "a transposition in place needs exchange direct or local");
  rule(p.exchange != tile_exchange::registers || v.narrow <= p.tile_cols,
       "exchange registers needs a short axis of at most tile_cols", v.narrow, p.tile_cols);
}

}  // namespace clprim
