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
  int alignment = 1;  ///< elements that all addresses and extents are multiples of
  bool in_place = false;
  int narrow = 0;       ///< extent of a short axis that exchange registers can hold; 0: none
  bool lines = false;   ///< rows stay rows
  bool outer = false;   ///< there are other axes, whose places follow from steps
  bool joined = false;  ///< other axes, or the longer one, continue a short axis in memory
};

// NVIDIA H200, driver 580.159.04, 2026-11-20, medians of 20 calls at 8192^2 in GB/s (one read, one
// write), cudaMemcpy 4177 to 4200 beside them; runner-up in brackets:
//   2 bytes   64 x 128, vector 4, 512 items  3845  (256 items: 3828; 64 x 64: 3757)
//   4 bytes   64 x 64, vector 4, 512 items, exchange elements 4060, 4054, 4054 in three runs on
//             2026-11-22, in turns with exchange local, 256 items: 4047, 4053, 4051
//   8 bytes   32 x 64, vector 2, 512 items   4129  (32 x 32, vector 1, 256 items: 4128)
//   16 bytes  32 x 64, 256 items             3883  (64 x 32: 3881)
// and 4 bytes without alignment, 4095 x 8193, 2026-11-21, --sweep: exchange elements, 64 x 64, 512
// items, shear 32 3714 (32 x 64: 3703; shear 0: 3289); exchange local, vector 1, 512 items 3336
// (cuBLAS 3216).
// Tiles along the input's rows lose 5 to 15 %, diagonals as much.
constexpr transpose_policy tuned_gpu_transpose(const transpose_size& size) {
  using enum bank_strategy;
  const int vector =
      std::min(size.bytes == 1 ? 8 : std::max(1, std::min(4, 16 / size.bytes)), size.alignment);
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
  if (size.bytes > 8) return policy(32, 64, 256);
  if (size.bytes == 8) return policy(32, 64, 512);
  if (vector == 1) {
    // 2 bytes by elements too, H200, 2026-11-25: 206195 x 48 13.8 us (local 22.5), of odd widths on
    // both sides the same. Bytes by words, H100, 2026-11-25, 9838 x 13507: 128 x 128 124 us (256 x
    // 128 127, 128 x 64 129; boxes 156, local by single bytes 176; copy 95).
    transpose_policy p =
        policy(size.bytes == 4 ? 64 : 128, size.bytes == 1 ? 128 : 64, 512, padding);
    if (size.bytes == 1) {
      p.items = 256;
      p.vector = 4;
      p.unaligned = true;
      p.shear = 32;
      return p;
    }
    p.exchange = tile_exchange::elements;
    if (size.bytes == 2) p.vector = 4;
    p.shear = 32;
    return p;
  }
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
                         .in_alignment = std::min(p.vector, size.alignment),
                         .out_alignment = std::min(p.vector, size.alignment)})
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

/// For a matrix of these sides, of which a permutation or a batch has many: halves of tiles that
/// still hold the extent, on GPUs the other side doubled meanwhile where there is more of it. H200,
/// 2026-11-25: 83 x 127 matrices of 14 x 16 doubles 28.3 -> 12.2 us.
constexpr transpose_policy for_sides(transpose_policy p, const transpose_size& size) {
  if (size.in_place || p.exchange == tile_exchange::box) return p;
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
  const int run = p.exchange == tile_exchange::elements ? p.vector : p.vector * p.vector;
  while (p.items > 1 && p.tile_rows * p.tile_cols / run % p.items != 0) p.items /= 2;
  return p;
}

/// Whether boxes of several axes (transpose/box.hpp) are faster than tiles of two. Shares of the
/// copy's speed by tiles and by boxes, H100, 2026-11-25, of 2 bytes unless they say otherwise:
///   255 x 256 x 288 x 2 to 3 1 2 0   0.31 0.60      9 x 3818864           0.37 0.86
///   1025 x 32 x 326 x 45 to 2 0 3 1  0.30 0.76      21683995 x 5          0.76 0.82
///   4: 400 x 17 x 1008 x 16 to 3 0 2 1  0.48 0.86   4: 2998727 x 11       0.74 0.91
///   16: 9 x 11 x 8 x 22831 to 3 2 1 0   0.48 0.93   1: 14 x 1340897       0.16 0.44
///   16: 51 x 41 x 16 x 65 to 0 3 2 1    0.82 0.96   1: 5517616 x 13       0.96 0.81
///   8: 22 x 1984 x 2219 to 2 1 0        0.74 0.86   4: 864 x 4154 x 32 to 0 2 1  0.97 0.89
constexpr bool wants_boxes(const transpose_size& size) {
  if (size.in_place || !size.joined) return false;
  if (size.lines) return size.cols * size.bytes < 16;
  const std::int64_t least = std::min(size.rows, size.cols);
  if (!size.outer)  // a strip
    return size.rows < size.cols ? std::gcd(size.rows, std::int64_t{16}) * size.bytes < 4
                                 : size.bytes > 1 && size.cols > 4;
  const auto used = [](std::int64_t n, std::int64_t tile) {
    return static_cast<double>(n) / static_cast<double>((n + tile - 1) / tile * tile);
  };
  return least < 32 || (size.bytes < 4 && least < 64) ||
         (size.bytes >= 8 && used(size.rows, 32) * used(size.cols, 64) < 0.75);
}

/// Boxes of several axes: local memory of 16 KB, or 32 elements an item.
constexpr transpose_policy tuned_boxes(const device_facts& device, const transpose_size& size) {
  return fitted({.tile_rows = 64,
                 .tile_cols = std::min(128, 256 / size.bytes),
                 .vector = std::min(4, 16 / size.bytes),
                 .items = 256,
                 .exchange = tile_exchange::box},
                device, size);
}

/// The choice for large matrices.
constexpr transpose_policy tuned_tiles(const device_facts& device, const transpose_size& size) {
  const bool strips = !size.in_place && size.narrow > 0 && std::max(size.rows, size.cols) >= 64;
  if (device.kind != device_kind::cpu) {
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
  const bool aligned = size.alignment >= std::min(16, 64 / size.bytes);
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
