#pragma once
// Device and problem -> policy: the library's choice.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

#include <clprim/core/device_facts.hpp>
#include <clprim/transpose/variant.hpp>

namespace clprim {

/// A transposition in the kernel's terms.
struct transpose_size {
  int bytes = 4;  ///< of the larger of input and output element
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  int in_alignment = 1;   ///< elements that all addresses and extents of the input are multiples of
  int out_alignment = 1;  ///< and those of the output
  bool in_place = false;
  int narrow = 0;       ///< extent of a short axis that exchange registers can hold; 0: none
  bool lines = false;   ///< rows stay rows
  bool outer = false;   ///< there are other axes, whose places follow from steps
  bool joined = false;  ///< other axes, or the longer one, continue a short axis in memory

  constexpr int alignment() const { return std::min(in_alignment, out_alignment); }
};

/// Rows that do not start at whole vectors. H200, driver 580.159.04, 2026-11-26, us, by the bytes
/// of an element, and in brackets by single elements or what was chosen before:
///
///     outputs aligned    1  8192 x 8193  47.3 (101)   2  8192 x 4099 39.9 (55.5)
///                        4  8192 x 4099  70.5 (73.5)
///     inputs aligned     1  8193 x 8192  51.4 (101)   2  4099 x 8192 37.1 (55.7)
///                        4  4099 x 8192  69.1 (74.8)  8  4099 x 8192 133.9 (143.0)
///     neither            2  4098 x 4098  22.5 (26.2)  4  4098 x 4098 37.5 (41.0), 4099 x 4101 37.9
///                        8  4098 x 4098  70.5 (71.5)  16 1667 x 6883 94.4 (104.2)
///
/// Where the output's rows are aligned, runs of four are read at any place and stored whole; where
/// they are not, each side has vectors of its own, and tiles are sheared so that each stores whole
/// sectors. H100, 2026-11-25, bytes of which neither side is aligned, 9838 x 13507: 128 x 128 124
/// us (256 x 128 127, 128 x 64 129; boxes 156, by single bytes 176; copy 95).
constexpr transpose_policy tuned_unaligned_tiles(const transpose_size& size) {
  const bool in = size.in_alignment >= 4, out = size.out_alignment >= 4;
  transpose_policy p{.tile_rows = 64,
                     .tile_cols = 64,
                     .vector = 4,
                     .items = 512,
                     .exchange = tile_exchange::elements,
                     .banks = bank_strategy::padding,
                     .shear = 32};
  if (size.bytes >= 8) {
    // H200, 2026-11-28, shares of the copy's speed, and by 64 x 32 of 8 bytes, 32 x 32 of 16,
    // groups of 512: 8 bytes 643 of 89 x 1088 0.96, 0.90; with gaps 1903459 x 44 0.83, 0.76, 93216
    // x 41 0.90, 0.82; 16 bytes with gaps 192287 x 33 0.78, 0.72.
    p.tile_rows = 32;
    p.tile_cols = size.bytes == 8 ? 64 : 32;
    p.vector = 16 / size.bytes;
    p.items = 256;
  } else if (out) {
    p.tile_cols = 128;
    p.items = size.bytes == 1 ? 256 : 512;
    p.exchange = tile_exchange::local;
    p.unaligned = true;
    p.shear = 0;
  } else if (size.bytes == 1) {
    p.tile_rows = in ? 256 : 128;
    p.tile_cols = in ? 64 : 128;
    p.items = in ? 512 : 256;
    p.exchange = in ? tile_exchange::elements : tile_exchange::local;
    p.unaligned = !in;
  } else if (size.bytes == 2) {
    p.tile_rows = in ? 64 : 128;
    p.tile_cols = in ? 128 : 64;
  }
  return p;
}

// NVIDIA H200, driver 580.159.04, 2026-11-20, medians of 20 calls at 8192^2 in GB/s (one read, one
// write), cudaMemcpy 4177 to 4200 beside them; runner-up in brackets:
//   2 bytes   64 x 128, vector 4, 512 items  3845  (256 items: 3828; 64 x 64: 3757)
//   4 bytes   64 x 64, vector 4, 512 items, exchange elements 4060, 4054, 4054 in three runs on
//             2026-11-22, in turns with exchange local, 256 items: 4047, 4053, 4051
//   8 bytes   32 x 64, vector 2, 512 items   4129  (32 x 32, vector 1, 256 items: 4128)
//   16 bytes  32 x 64, 256 items             3883  (64 x 32: 3881); 2026-11-28 512 items, shares of
//             the copy's speed, and by 256: 254 x 22128 with gaps 0.93, 0.86, 65 of 190 x 240 0.97,
//             0.93, 435918 x 128 with gaps 0.90, 0.88
// Tiles along the input's rows lose 5 to 15 %, diagonals as much.
constexpr transpose_policy tuned_gpu_transpose(const transpose_size& size) {
  using enum bank_strategy;
  const int widest = size.bytes == 1 ? 8 : std::max(1, std::min(4, 16 / size.bytes));
  const int vector = std::min(widest, size.alignment());
  const auto policy = [&](int rows, int cols, int items, bank_strategy banks = swizzle) {
    return transpose_policy{
        .tile_rows = rows, .tile_cols = cols, .vector = vector, .items = items, .banks = banks};
  };
  if (size.in_place)
    return size.bytes >= 8 ? policy(32, 32, 256) : policy(64, 64, vector > 4 ? 64 : 256);
  if (size.rows < 32 || size.cols < 32) {  // a strip: tiles as long as it is narrow
    int narrow = std::max(4, vector);
    while (narrow < 32 && narrow < std::min(size.rows, size.cols)) narrow *= 2;
    const int items = std::min(256, 2048 / (vector * vector));
    // By elements each side has vectors of its own: 31 x 3577212 of 2 bytes 129 us, by blocks 206.
    if (vector == 1 && (size.bytes == 2 || size.bytes == 4)) {
      transpose_policy p = size.rows < size.cols ? policy(narrow, 8192 / size.bytes / narrow, 256)
                                                 : policy(8192 / size.bytes / narrow, narrow, 256);
      p.vector = 4;
      p.exchange = tile_exchange::elements;
      p.banks = padding;
      return p;
    }
    return size.rows < size.cols ? policy(narrow, 2048 / narrow, items)
                                 : policy(2048 / narrow, narrow, items);
  }
  if (size.bytes >= 8 ? size.out_alignment < 32 / size.bytes : vector < 4)
    return tuned_unaligned_tiles(size);
  if (size.bytes >= 8) return policy(32, 64, 512);
  if (size.bytes == 4 && vector == 4) {
    transpose_policy p = policy(64, 64, 512, padding);
    p.exchange = tile_exchange::elements;
    return p;
  }
  return policy(64, 128, 64 * 128 / (vector * vector) >= 512 ? 512 : 128);
}

/// Work-items of the largest group whose number is a power of two, as those of all choices are.
constexpr int tile_group(const device_facts& device) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(device.max_work_group)));
}

/// Local memory that a policy takes for a problem, at most.
constexpr int local_bytes_of(const transpose_policy& p, const transpose_size& size) {
  const element any{.bytes = size.bytes, .name = {}};
  return geometry_of(p, {.in = any,
                         .out = any,
                         .task = size.in_place ? transpose_task::swap : transpose_task::turn,
                         .in_alignment = std::min(p.vector, size.in_alignment),
                         .out_alignment = std::min(p.vector, size.out_alignment)})
      .local_bytes;
}

/// The policy within the limits of the device: smaller groups, and halves of tiles until they fit
/// the local memory and an item has no more than 64 elements, the most of all choices; without
/// local memory where no tile fits. Sides and items are powers of two, so all rules still hold.
constexpr transpose_policy fitted(transpose_policy p, const device_facts& device,
                                  const transpose_size& size) {
  p.items = std::min(p.items, tile_group(device));
  const auto too_large = [&] {
    return (device.kind != device_kind::cpu && p.per_item() > 64) ||
           local_bytes_of(p, size) > device.local_bytes;
  };
  while (too_large()) {
    const bool both = size.in_place;  // tiles in place are square
    const bool rows = both || p.tile_rows >= p.tile_cols, cols = both || !rows;
    if ((rows && p.tile_rows == p.vector) || (cols && p.tile_cols == p.vector)) break;
    if (rows) p.tile_rows /= 2;
    if (cols) p.tile_cols /= 2;
    p.items = std::min(p.items, p.tile_rows * p.tile_cols / (p.vector * p.vector));
  }
  if (local_bytes_of(p, size) <= device.local_bytes) return p;
  p.exchange = tile_exchange::direct;
  p.shear = 0;
  return p;
}

/// Pixels to planes and back: an axis of `narrow` elements in registers.
constexpr transpose_policy tuned_strips(const device_facts& device, const transpose_size& size) {
  // On a GPU items store a short row of the output side by side, by words, through local memory:
  // H200, 2026-11-25, GB/s, and by items that each store their own by several accesses: 8 x 5994944
  // double 4097, 1251 (copy 4185), 4 x 4115273 complex double 4055, 2696, 8 x 29202192 bytes 2988,
  // 1162.
  if (device.kind != device_kind::cpu && size.rows < size.cols) {
    const int rows = static_cast<int>(std::bit_ceil(static_cast<unsigned>(size.rows)));
    transpose_policy p{.tile_rows = rows,
                       .tile_cols = 16384 / std::max(size.bytes, 2) / rows,
                       .vector = std::max(1, std::min(rows, size.bytes == 1 ? 8 : 16 / size.bytes)),
                       .items = 256,
                       .exchange = tile_exchange::elements};
    const int run = std::gcd(p.vector, std::gcd(static_cast<int>(size.rows), 16));
    if (run * size.bytes >= 4) return fitted(p, device, size);
  }
  // PoCL on two cores with AVX2, 2026-11-21, medians of 5 in GB/s: bytes 6291456 x 3 vectors of 8
  // 17.3, of 16 14.8 (copy 14.3; single elements 1.7), 3 x 6291456 13.7, 13.7 (copy 26.7; 1.9);
  // float 6291456 x 4 21.9, 21.8 (copy 21.2; 8.7; OpenBLAS 20.2).
  const bool cpu = device.kind == device_kind::cpu;
  const int widest = std::max(1, (cpu ? 32 : 16) / size.bytes);
  const int vector = std::min(size.narrow > 4 ? 4 : 8, widest);
  const int items = cpu ? 1 : std::min(256, tile_group(device));
  return {.tile_rows = cpu ? 4096 : items * vector,
          .tile_cols = 16,
          .vector = vector,
          .items = items,
          .exchange = tile_exchange::registers,
          .unaligned = cpu};
}

/// Large matrices on a CPU: a turned tile in the second-level cache, stored by whole lines past the
/// caches wherever the rows of the output start.
constexpr transpose_policy tuned_cpu_tiles(const device_facts& device, const transpose_size& size) {
  // PoCL on two cores with AVX2, 2026-11-22, --sweep, GB/s in the better of two runs (the machine's
  // memory is shared: its copy reached 25.4 and 17 to 24), with and without prefetch:
  //   4096^2 float     256 x 128 21.0 20.0, 64 x 128 21.5 19.0, 64 x 256 20.9 21.0
  //   4001 x 3999      256 x 128 20.7 15.7, 64 x 128 21.4 17.3, 64 x 256 20.6 17.4
  //   128 x 128 18.0 16.7 at 4096^2, 17.4 15.1 at 4001 x 3999
  //   double           128 x 64 15.9 14.9, 64 x 64 16.2 12.7, 128 x 32 17.0 12.4
  //   complex double   64 x 32 17.4 13.6, 64 x 16 20.7 10.5, 32 x 32 13.8 14.2
  //   half             128 x 512 11.6 14.0, 128 x 256 11.5 12.5, 256 x 128 11.2
  //   bytes            all between 6.2 and 7.8
  const bool narrow = size.bytes <= 2;
  transpose_policy p{.tile_rows = (narrow ? 256 : 1024) / size.bytes,
                     .tile_cols = 512 / (narrow ? 1 : size.bytes),
                     .vector = std::clamp(32 / size.bytes, 1, 16),
                     .items = 1,
                     .banks = bank_strategy::none,
                     .order = tile_order::along_input,
                     .unaligned = true,
                     .streaming = true,
                     .prefetch = !narrow,
                     .shear = 64};
  while (p.tile_cols > 16 && local_bytes_of(p, size) > device.local_bytes) p.tile_cols /= 2;
  return fitted(p, device, size);
}

/// The share of tiles of this extent that an axis fills.
constexpr double used_share(std::int64_t extent, std::int64_t tile) {
  return static_cast<double>(extent) / static_cast<double>((extent + tile - 1) / tile * tile);
}

/// For a matrix of these sides, of which a permutation or a batch has many: halves of tiles that
/// still hold the extent, on GPUs the other side doubled meanwhile where there is more of it. H200,
/// 2026-11-25: 83 x 127 matrices of 14 x 16 doubles 28.3 -> 12.2 us. And narrower ones where many
/// columns of the last tile would be left over: 25 matrices of 16385 x 129 floats by 64 x 64
/// 116.3 us, by 64 x 32 112.1, of doubles 249.6, 219.0.
constexpr transpose_policy for_sides(transpose_policy p, const transpose_size& size) {
  if (size.in_place || p.exchange == tile_exchange::box) return p;
  // Rows of the output that one tile stores whole have no pieces that neighbours would share.
  if (size.rows <= p.tile_rows) p.shear = 0;
  const std::int64_t rows = size.rows + p.shear / size.bytes, cols = size.cols;
  if (p.exchange == tile_exchange::registers) {
    while (p.tile_rows / 2 >= std::max(size.rows, size.cols) &&
           p.tile_rows / 2 >= std::min(p.items, 32) * p.vector) {
      p.tile_rows /= 2;
      if (p.tile_rows < p.items * p.vector) p.items /= 2;
    }
    return p;
  }
  const auto halve = [&](int& side, std::int64_t extent, int& other, std::int64_t others) {
    while (side / 2 >= extent && side / 2 % p.vector == 0) {
      side /= 2;
      if (p.items > 1 && other < others && other < 2048) other *= 2;
    }
  };
  halve(p.tile_rows, rows, p.tile_cols, cols);
  halve(p.tile_cols, cols, p.tile_rows, rows);
  while (p.items > 1 && p.tile_cols > 32 && p.tile_cols / 2 % p.vector == 0 &&
         used_share(cols, p.tile_cols) < std::min(0.75, used_share(cols, p.tile_cols / 2)))
    p.tile_cols /= 2;
  const int run = p.exchange == tile_exchange::elements ? p.vector : p.vector * p.vector;
  while (p.items > 1 && p.tile_rows * p.tile_cols / run % p.items != 0) p.items /= 2;
  return p;
}

/// Whether boxes of several axes (transpose/box.hpp) are faster than tiles of two. H200,
/// 2026-11-26, us by tiles and by the boxes below, of the bytes of an element; drawn by
/// `bench_transpose --random`, seeds 41 and 42, 16 to 600 MB:
///   strips   1: 33 x 1377988       71.9  34.4     39200263 x 5                 152.8 242.4
///            1: 2781087 x 16       48.6  35.0     3 x 16777216 (registers)      28.4  39.6
///            2: 3 x 86418576       595   252      2: 33 x 6248031              534   363
///            2: 58115250 x 4       272   235      4: 17 x 4738336              183   163
///            4: 5 x 10747863       122   112      4: 8 x 16777215              268   266
///   lines    2: 8 of 355 x 2049 x 8          123  50.0    2: 16 of 512 x 341 x 32    112  94.0
///            4: 120 of 330 x 127            10.5   9.9    1: 1088 of 31 x 544       10.9  15.9
///   others   1: 128 x 31 x 54 x 127 to 1 3 0 2   51.4 38.5    1: 17 x 131072 x 32   40.6  58.7
///            8: 5 x 64 x 25 x 3885 to 3 2 0 1    134  129     4: 16 x 32769 x 32    35.8  43.8
///            16: 64 x 1289 x 108 to 0 2 1        71.5 74.4
constexpr bool wants_boxes(const transpose_size& size) {
  if (size.in_place || !size.joined) return false;
  if (size.lines) return size.cols * size.bytes <= 64;
  const std::int64_t least = std::min(size.rows, size.cols);
  const bool narrow = least < (size.bytes <= 2 ? 64 : 32);
  if (!size.outer) {  // a strip
    if (!narrow) return false;
    if (size.rows > size.cols)
      return size.bytes == 1 ? size.cols >= 16 : size.cols > (size.bytes == 2 ? 2 : 4);
    // Registers hold few rows: 3 x 16777216 bytes 28.4 us, by boxes 39.6.
    if (size.bytes == 1)
      return size.rows > 4 && (size.rows > 32 || std::gcd(size.rows, std::int64_t{16}) < 4);
    return size.bytes <= 4;
  }
  if (least < 32 || (narrow && (size.bytes > 1 || size.alignment() < 8))) return true;
  if (size.bytes == 2) return used_share(size.rows, 128) * used_share(size.cols, 64) < 0.75;
  return size.bytes >= 8 && size.out_alignment * size.bytes >= 32 &&
         used_share(size.rows, 64) * used_share(size.cols, 32) < 0.75;
}

/// Boxes of several axes, means over those of the problems above that they are faster for, of the
/// best of 4 sizes by 3 groups: bytes 4096 by 256 items 1.13 (2048 by 128 1.13, 8192 1.24), 2
/// bytes 2048 by 128 1.05 (4096 by 256 1.10), 4 bytes 2048 by 256 1.04, 8 bytes 2048 by 256 1.03,
/// 16 bytes 1024 by 256 1.05.
constexpr transpose_policy tuned_boxes(const device_facts& device, const transpose_size& size) {
  return fitted({.tile_rows = size.bytes == 1 ? 64 : 32,
                 .tile_cols = size.bytes == 16 ? 32 : 64,
                 .vector = std::min(4, 16 / size.bytes),
                 .items = size.bytes == 2 ? 128 : 256,
                 .exchange = tile_exchange::box},
                device, size);
}

/// Whether boxes by aligned words (transpose/box_words.hpp) are faster: elements narrower than the
/// words of memory whose lines do not start at such. H200, driver 580.159.04, 2026-11-26, shares of
/// the copy's speed, in brackets of what was chosen before; 16 problems of bytes and 26 of shorts
/// that bench_transpose draws, 13 policies each:
///
///     bytes    2049 x 10753  0.72 (0.60)    8 x 29202192  0.96 (0.74)    4267888 x 33, with gaps,
///     shorts   8191 x 13829  0.87 (0.67)    9 x 2926473   0.91 (0.66)    0.59 (0.28)
///
/// Registers keep short axes of bytes: of 3 x 16777216, 28.4 us for 32.6 by words.
/// Shorts whose input's lines are aligned lose by it (17807 x 2016 0.83, 0.93) where they have no
/// other axes (2026-11-28, by boxes of elements: 4 x 43691 x 800 to 2 1 0 0.73, 0.49; 2045437 x 6 x
/// 5 to 0 2 1 0.92, 0.80), and so do those of a short axis with gaps, lines that are all ends (16 x
/// 783272 0.23, 0.38).
constexpr bool wants_words(const transpose_size& size) {
  if (size.in_place || size.bytes > 2) return false;
  const bool in_registers =
      size.cols < size.rows ? size.cols <= 16 : size.bytes == 1 && size.rows <= 4;
  if (size.narrow > 0 && in_registers) return false;
  if (size.bytes == 1) return size.alignment() < 16;
  if (size.joined && size.outer && !size.lines) return true;
  return size.in_alignment < 4 && (size.joined || std::min(size.rows, size.cols) >= 64);
}

/// Shorts by 128 x 128 and 512 items have 1.17 times the speed of 128 x 64 and 256 (H200,
/// 2026-11-28, six problems, 0.99 to 1.48; 5484 x 12207 74 us, 94); bytes 0.94 (ten problems).
constexpr transpose_policy tuned_words(const device_facts& device, const transpose_size& size) {
  return fitted({.tile_rows = 128,
                 .tile_cols = size.bytes == 1 ? 64 : 128,
                 .vector = 8,
                 .items = size.bytes == 1 ? 128 : 512,
                 .exchange = tile_exchange::box,
                 .unaligned = true,
                 .shear = 32},
                device, size);
}

/// The choice for large matrices.
constexpr transpose_policy tuned_tiles(const device_facts& device, const transpose_size& size) {
  const bool strips = !size.in_place && size.narrow > 0 && std::max(size.rows, size.cols) >= 64;
  if (device.kind != device_kind::cpu) {
    if (wants_words(size)) return tuned_words(device, size);
    if (wants_boxes(size)) return tuned_boxes(device, size);
    return strips ? tuned_strips(device, size) : fitted(tuned_gpu_transpose(size), device, size);
  }
  if (strips) return tuned_strips(device, size);
  if (!size.in_place && std::min(size.rows, size.cols) < 8) {
    // A strip with gaps: single elements, long tiles.
    const int narrow = std::min(size.rows, size.cols) > 4 ? 8 : 4;
    return {.tile_rows = size.rows < size.cols ? narrow : 4096,
            .tile_cols = size.rows < size.cols ? 4096 : narrow,
            .vector = 1,
            .items = 1,
            .exchange = tile_exchange::direct,
            .along_output = size.rows >= size.cols};
  }
  const bool large = size.rows * size.cols * size.bytes >= std::int64_t{1} << 22;
  if (!size.in_place && large && std::min(size.rows, size.cols) >= 64)
    return tuned_cpu_tiles(device, size);
  const bool aligned = size.alignment() >= std::min(16, 64 / size.bytes);
  return {.tile_rows = aligned || size.in_place ? 64 : 256,
          .tile_cols = 64,
          .vector = std::min(16, (aligned ? 64 : 32) / size.bytes),
          .items = 1,
          .exchange = tile_exchange::direct,
          .along_output = true,
          .unaligned = true};
}

/// The library's choice.
constexpr transpose_policy tuned_transpose(const device_facts& device, const transpose_size& size) {
  const transpose_policy p = for_sides(tuned_tiles(device, size), size);
  return local_bytes_of(p, size) <= device.local_bytes ? p : tuned_tiles(device, size);
}

}  // namespace clprim
