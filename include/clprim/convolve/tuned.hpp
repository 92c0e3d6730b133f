#pragma once
// Device and problem -> policy: the library's choice.

#include <algorithm>
#include <array>
#include <cstdint>

#include <clprim/convolve/fit.hpp>
#include <clprim/convolve/policy.hpp>
#include <clprim/convolve/size.hpp>
#include <clprim/convolve/strips.hpp>
#include <clprim/convolve/tiling.hpp>
#include <clprim/core/device_facts.hpp>

namespace clprim {

/// Where the coefficients go, for a device that reads them fast in this order: as literals where
/// they may, by value where they fit the arguments, else from constant memory.
constexpr filter_place tuned_filter(const device_facts& device, const convolve_size& s) {
  const int taps = s.separable ? s.taps_x + s.taps_y + s.taps_z : s.taps_x * s.taps_y * s.taps_z;
  constexpr std::int64_t constant_bytes = 65536;  // that every device has
  if (std::int64_t{taps} * s.sum_bytes > constant_bytes) return filter_place::buffer;
  if (s.in_buffer) return filter_place::constant;
  if (s.fixed && taps > 25) return filter_place::literals;
  // H200, 17 x 17: by value 54 TFLOP/s, from constant memory 31.
  const int taken = device.argument_bytes - 384;
  const int room = device.kind == device_kind::cpu ? std::min(640, taken) : taken;
  return taps * s.sum_bytes <= room ? filter_place::value : filter_place::constant;
}

/// Method direct, for whatever the others are not for.
constexpr convolve_policy tuned_cpu_direct(const device_facts& device, const convolve_size& s) {
  const int lanes = s.stepped_x ? 1 : 32 / s.sum_bytes;
  const filter_place place = tuned_filter(device, s);
  return {.items_x = 1,
          .items_y = 1,
          .per_item_x = s.stepped_x ? 4 : lanes,
          .per_item_y = 1,
          .vector = lanes,
          .loads = 1,
          .filter = place == filter_place::literals ? filter_place::constant : place,
          .fused = !s.separable,
          .unaligned = true};
}

// PoCL 3.1 on two cores (it compiles for AVX2: 16 registers of 8 floats), 2026-11-21, other work
// beside it, 1920 x 1080 float, ms, OpenCV 4.6 on both cores in the same run:
//   3 x 3    unstaged 16 x 2  0.59 (8 x 4: 0.53, 16 x 1: 0.76, staged 0.92)      OpenCV 0.79
//   5 x 5    unstaged 16 x 2  1.33 (8 x 4: 1.91, staged 1.77)                    OpenCV 1.40
//   9 x 9    unstaged 24 x 4  4.31 (16 x 6: 4.60, staged 5.06)                   OpenCV 4.95
//   17 x 17  unstaged 24 x 4  11.8 (16 x 6: 13.4, staged 13.1)                   OpenCV 23.4
//   separable 17, fused, 32 x 2  3.41 (16 x 4: 3.43, 24 x 4: 4.32)               OpenCV 5.79
constexpr convolve_policy tuned_cpu_convolve(const device_facts& device, const convolve_size& s) {
  const int lanes = 32 / s.sum_bytes;
  convolve_policy p = tuned_cpu_direct(device, s);
  if ((s.taps_z > 1 && !s.separable) || s.stepped_x || s.out_object) return p;
  const int taps = s.taps_x > s.taps_y ? s.taps_x : s.taps_y;
  p.method = convolve_method::rows;
  p.strip = 64;
  if (s.separable) {
    p.per_item_x = 4 * lanes;
    p.per_item_y = 2;
    p.columns = 512;
    return p;
  }
  // Conversions cost a load and a store per row, not per tap, where rows are staged.
  p.staged = s.converted && taps > 3;
  // PoCL 3.1, AVX2, float, 4096 x 4096, GB/s: 3 x 3 by 32 x 1 past the caches 24.1, 32 x 1 20.2,
  // 24 x 2 20.8, 16 x 2 19.8 (copy 23.3), strips of 32 rows as fast as of 64 or faster; 5 x 5 by
  // 32 x 2 15, 24 x 2 13.4, 16 x 2 12.8, each slower past the caches.
  p.streaming = taps <= 3 && !s.converted;
  p.per_item_x = (p.staged ? taps <= 7 ? 2 : 3 : taps <= 7 ? 4 : 3) * lanes;
  p.per_item_y = s.stepped_y || p.streaming ? 1 : taps <= 7 ? 2 : 4;
  p.columns = (p.staged ? 20 : 128) * p.per_item_x;
  if (p.streaming) p.strip = 32;
  return p;
}

/// Method direct, for whatever the others are not for.
constexpr convolve_policy tuned_gpu_direct(const device_facts& device, const convolve_size& s) {
  const int lanes = s.sum_bytes <= 4 ? 4 : 2;
  return {.items_x = 128,
          .items_y = s.taps_y > 5 ? 2 : 4,
          .per_item_x = lanes,
          .per_item_y = s.stepped_y || s.stepped_x ? 1
                        : s.taps_y <= 3            ? 2
                        : s.taps_y <= 5            ? 4
                                                   : 8,
          .vector = lanes,
          .filter = tuned_filter(device, s),
          .fused = !s.separable};
}

/// The vector of a ring whose unfinished rows and window fit an item's 255 registers of 4 bytes; 0
/// when none does.
constexpr int ring_vector(const convolve_size& s) {
  const int words = s.sum_bytes <= 4 ? 1 : 2;
  for (int vector = words == 1 ? 4 : 2; vector > 0; vector /= 2) {
    if (((s.taps_y + 1) * vector + s.reach) * words <= 220) return vector;
  }
  return 0;
}

/// Whether a separable filter is so narrow that items make the sums along x of all rows of their
/// window by themselves. H200, 2026-11-28, float, shares of the copy's speed so and by rings or
/// line buffers: 2 taps on 691 x 10656 0.97, 0.75, on 1680 x 11373 0.90, 0.75; 3 on 1023 x 4400
/// 0.93, 0.78, on 2496 x 12981 0.87, 0.79; 4 on 4096 x 4496 0.97, 0.79; 5 on 4096^2 0.87, 0.89, on
/// 5679 x 528 0.69, 0.68, on 3359 x 651 0.61, 0.52; 7 on 4051 x 20832 0.90, 0.86. Of unaligned rows
/// 6 on 1808 x 1719 0.54, 0.58, 8 on 8191 x 6022 0.75, 0.85.
constexpr bool wants_windows(const convolve_size& s) {
  const bool even = !s.stepped_x && !s.stepped_y && !s.stepped_z && s.taps_z == 1;
  return s.separable && even && s.sum_bytes <= 4 && !s.converted && s.reach < 32 &&
         std::max(s.taps_x, s.taps_y) <= (s.aligned ? 7 : 5);
}

// H200, 2026-11-26, us by line buffers of 16 x 16 and by rings with `cut_strips`, float:
//   5 taps   1001 x 1999 7.7, 7.6; 4096 x 2069 27.3, 23.6; 4096^2 54.0, 39.6; 8191 x 6022 122, 112
//   8 taps   1001 x 1999 7.8, 8.6; 4096 x 2069 27.7, 24.9; 4096^2 55.2, 40.2; 8191 x 6022 124, 113
//   15 taps  1001 x 1999 8.5, 11.7; 4096 x 2069 29.4, 31.0; 4096^2 57.8, 43.6; 8191 x 6022 129, 119
//   17 taps  1080 x 1920 9.5, 14.1; 8192^2 178.8, 148.9
// H100, 2026-11-25, us by line buffers of 16 x 16 and of 8 x 8, and by rings:
//   float   22 taps on 12049 x 4064 160, 190, 161, on 1904 x 1361 13.0, 15.6, 22.9; 33 on 8192^2
//           255, more than 270, 275; 49 on 1904 x 1361 21.7, 28.5, 53.0; 62 on 8192 x 8191
//           453, 458, 746, on 4866 x 433 29.5, 35.7, 98.1
//   bytes   17 taps on 8192^2 306, 211, 165; 25 355, 263, 368
//   double  17 taps on 4096^2 118, 118, 113; 25 126, 111, 139; 33 140, 149, 165
// H200, 2026-11-26, float, us by the best line buffer of 16 x 16 and the best of 32 rings: 8112 x
// 7984 16 taps more than 167, 151; 18 175.5, 176.5; 22 198, 191; 24 205, 204; 2048 x 4096 18 taps
// 29.9, 32.2; 24 33.6, 36.8. Groups of 256 in place of 128 were faster by up to 10 % and slower by
// up to 5.
constexpr bool wants_line_buffer(const convolve_size& s) {
  if (!s.separable || s.stepped_x || s.stepped_y || s.taps_z > 1) return false;
  const int taps = std::max(s.taps_x, s.taps_y);
  if (ring_vector(s) == 0) return true;
  if (s.converted || s.sum_bytes > 4) return taps >= 22;
  return taps >= (s.width * s.height > std::int64_t{1} << 22 ? 18 : 6);
}
constexpr convolve_policy tuned_line_buffer(const device_facts& device, const convolve_size& s) {
  // On AMD (gfx90a, clang 14, 62 taps) 16 x 16 take 279 registers and leave one wave a SIMD, 8 x 8
  // 173 and two.
  const int each = s.converted || device.vendor != vendor::nvidia ? 8 : 16;
  // H200, 2026-11-28, us by groups of 256 and of 128: 20 taps on 16637 x 2633 132, 129; 23 on 37307
  // x 2336 277, 300; 32 on 2240 x 6528 65, 82; 35 on 8191 x 1423 58.8, 60.4; 42 on 8192 x 1243
  // 57.1, 56.3.
  const bool large = each == 16 && std::max(s.taps_x, s.taps_y) >= 22;
  return {.method = convolve_method::line_buffer,
          .items_x = large ? 256 : 128,
          .items_y = 1,
          .per_item_x = each,
          .per_item_y = each,
          .vector = 1,
          .filter = tuned_filter(device, s)};
}

// H200, driver 580.159.04, 2026-11-22, 8192 x 8192 float, us (copy 130), reflect_101 within 1 %:
//   3 x 3  direct 4 x 2, groups 128 x 4 133.1 (64 x 4 133.4, 4 x 4 outputs 135.0)
//   5 x 5  direct 4 x 4, groups 64 x 8 137.8 (128 x 4 138.0, 64 x 4 138.4, 4 x 6 outputs 140.0)
//   9 x 9  direct 4 x 6, groups 64 x 2 203.2 (32 x 4 205.2, 4 x 4 outputs 209.9), ring, 6 in
//          flight, 3 rows unrolled 206.8 (8 and 2: 210.8)
//   17 x 17  ring, past the registers, strips of 249, 6 in flight 653.6 (4: 656.8, 3: 660.5, strips
//            of 256 671.6), through them 3 in flight 689.5; by value 717.9
//   31 x 31  ring, past the registers, groups of 128, strips of 256, 6 in flight 2544 (3: 2554, 4:
//            2587, groups of 64 2555, strips of 248 2632), through them 2535 in a cooler run
//   separable 17  ring through the registers, 5 in flight, 2 rows unrolled 148.5 (4: 150.1, past
//            the registers 160.1; 6 take more than 128 registers: 202); 2026-11-26, 8112 x 7984, 15
//            taps 4 in flight 146.9 (6, past 128 registers: 203.4), 16 4 151.2 (5: 153.5), 14 6
//            144.8 (4: 148.9)
// 1920 x 1080, us a call, back to back, without events (64 x 64 takes 6.1): groups are small, since
// few of the large ones are there for each unit:
//   3 x 3  4 x 2, groups 128 x 1 6.15 (32 x 2 6.20, 128 x 2 6.15, 128 x 4 7.40; copy 8.7)
//   5 x 5  4 x 4, groups 32 x 2 6.84 (64 x 2 7.08, 128 x 4 11.07)
//   9 x 9  4 x 4, groups 32 x 1 10.1 (32 x 2 10.4, 64 x 1 10.6, 32 x 4 11.05)
constexpr convolve_policy tuned_gpu_convolve(const device_facts& device, const convolve_size& s) {
  convolve_policy p = tuned_gpu_direct(device, s);
  if (s.out_object) return p;
  const int taps = std::max(s.taps_x, s.taps_y);
  const bool plane = s.taps_z == 1 || s.separable;
  const bool even = !s.stepped_x && !s.stepped_y && !(s.separable && s.stepped_z);
  const bool wide = s.sum_bytes <= 4;
  const bool small = s.width * s.height <= std::int64_t{1} << 22;
  if (plane && even && !s.separable && wide && !s.aligned && taps <= 9) {
    // Vectors of rows that are not aligned go by single elements, side by side of fewer items.
    // H200, 2026-11-26, us, by two columns and by four: 8191 x 6022 2 taps 101.7, 138.9, 5 taps
    // 111.5, 153.2, 8 taps 151.7, 201.0; 4096 x 2069 3 taps 22.6, 26.6, 6 taps 28.2, 33.1; 1001
    // x 1999 5 taps 7.2, 9.2, 9 taps 12.6, 14.8. Groups of 32 to 512 items are within 4 %.
    p.items_x = 64;
    p.items_y = 2;
    p.per_item_x = p.vector = 2;
    p.per_item_y = taps <= 3 ? 4 : taps <= 6 ? 6 : 8;
    return p;
  }
  if (plane && even && !s.separable && wide && taps > 7 && taps <= 9 && s.reach < s.taps_x) {
    p.items_x = small ? 32 : 64;
    p.items_y = small ? 1 : 2;
    p.per_item_y = small ? 4 : 6;
    return p;
  }
  if (wants_windows(s)) {
    p.fused = true;
    p.items_x = s.aligned ? 64 : 128;
    p.items_y = s.aligned ? 4 : 2;
    p.per_item_x = p.vector = s.aligned ? 4 : 2;
    p.per_item_y = s.aligned && taps <= 4 ? 4 : 8;
    return p;
  }
  if (wants_line_buffer(s)) return tuned_line_buffer(device, s);
  if (plane && even && (s.separable || taps > 7) && ring_vector(s) > 0) {
    p.method = convolve_method::ring;
    p.fused = true;
    p.async = device.async_copy && !s.separable;
    p.items_x = taps > 20 && !p.async ? 64 : 128;
    p.items_y = 1;
    p.per_item_y = 1;
    p.per_item_x = p.vector = ring_vector(s);
    // Of rows that are not aligned each element of a vector is an access of its own. H200,
    // 2026-11-26, separable, us by two and by four: 2 taps 16384 x 4097 147.5, 164.6, 5 taps 155.8,
    // 164.6, 8 taps 160.7, 168.2. Dense ones of 12 taps and more do without.
    if (s.separable && !s.aligned) p.per_item_x = p.vector = std::min(p.vector, 2);
    p.strip = 256;
    p.in_flight = !s.separable ? 4 : taps >= 20 ? 4 : 5;
    if (s.separable && wide && !s.converted) p.in_flight = taps <= 14 ? 6 : 4;
    if (p.async) p.in_flight = 6;
    if (!p.async && !s.separable && taps > 13 && taps < 20) p.in_flight = 3;
    p.unroll = s.separable ? 2 : taps <= 9 ? 3 : 1;
    return p;
  }
  if (plane && even && small && taps <= 5) {
    p.items_x = taps <= 3 ? 128 : 32;
    p.items_y = taps <= 3 ? 1 : 2;
  }
  return p;
}

// H200, driver 580.159.04, 2026-11-22, 8192 x 8192 float, 63 x 63 taps, us by points of a tile:
//   512 2450, 1024 2386, 2048 3257, the whole image 3207 (copy 131); 31 x 31: 1024 2340, ring 2938
// PoCL 3.1 on two cores, 2048 x 2048, 31 x 31 taps, ms: 256 175, 512 172, 1024 240, rows 180
constexpr convolve_policy tuned_transforms(const device_facts& device) {
  return {.method = convolve_method::fft,
          .items_x = device.kind == device_kind::cpu ? 256 : 128,
          .items_y = 1,
          .per_item_x = 1,
          .per_item_y = 1,
          .vector = 1,
          .strip = device.kind == device_kind::cpu ? 512 : 1024,
          .columns = device.kind == device_kind::cpu ? 512 : 1024,
          .filter = filter_place::buffer};
}

/// What one output costs: in multiply-adds of the direct methods for filters that fit registers.
struct convolve_cost {
  double direct = 0;
  double transforms = 0;
};

/// An estimate from a few measurements, to choose by.
constexpr convolve_cost cost_of(const device_facts& device, const convolve_size& s) {
  const bool cpu = device.kind == device_kind::cpu;
  const convolve_tiling t = tiling_of(tuned_transforms(device), s.outputs,
                                      {s.taps_x, s.taps_y, s.taps_z}, s.strides, s.dilations);
  double outputs = static_cast<double>(s.images);
  for (const std::int64_t n : s.outputs) outputs *= static_cast<double>(n > 0 ? n : 1);
  const double points = static_cast<double>(t.points()) * static_cast<double>(t.tiles()) *
                        static_cast<double>(s.images);
  convolve_cost c;
  c.direct = static_cast<double>(s.taps_x) * s.taps_y * s.taps_z;
  if (s.separable) c.direct = s.taps_x + s.taps_y + (s.taps_z > 1 ? s.taps_z : 0);
  const double per_point = cpu ? 650 : 700, launches = cpu ? 2e7 : 1e9;
  c.transforms = (per_point * points + launches) / outputs;
  return c;
}

/// Of pixels in image objects; not tuned by measurement yet.
constexpr convolve_policy tuned_objects(const device_facts& device, const convolve_size& s) {
  return {.method = convolve_method::image,
          .items_x = 32,
          .items_y = 4,
          .per_item_x = 4,
          .per_item_y = s.stepped_y || s.stepped_x ? 1 : 4,
          .filter = tuned_filter(device, s)};
}

/// The library's choice.
constexpr convolve_policy tuned_convolve(const device_facts& device, const convolve_size& size) {
  if (size.transforms) {
    const convolve_cost cost = cost_of(device, size);
    if (cost.transforms < cost.direct)
      return detail::fitted(tuned_transforms(device), {}, size, device);
  }
  const bool cpu = device.kind == device_kind::cpu;
  convolve_policy p = size.in_object ? tuned_objects(device, size)
                      : cpu          ? tuned_cpu_convolve(device, size)
                                     : tuned_gpu_convolve(device, size);
  if (p.method == convolve_method::ring && size.separable) cut_strips(p, size, device);
  if (p.method == convolve_method::ring && !size.separable) cut_dense_strips(p, size, device);
  if (p.method == convolve_method::line_buffer) cut_line_buffer(p, size, device);
  return detail::fitted(p, cpu ? tuned_cpu_direct(device, size) : tuned_gpu_direct(device, size),
                        size, device);
}

}  // namespace clprim
