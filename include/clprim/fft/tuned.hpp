#pragma once
// Device and length -> policy: the library's choice of a pass, and of two that follow each other.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include <clprim/core/device_facts.hpp>
#include <clprim/fft/plan/pass.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim {
namespace detail {

/// A row of the table of GPUs: what `bench_fft --sweep` measured fastest for one length.
struct fft_tuned_row {
  int length;
  int points;
  number_list<8> radices;
  int group;
  fft_exchange exchange;
  bool native;            ///< factors by native functions, on NVIDIA (2.2e-7 at 1024 points)
  bool separate = false;  ///< transforms of a group wait for their own items alone
  fft_streaming streaming = fft_streaming::none;
  bool ordered = false;  ///< on NVIDIA
};

// H200, driver 580.159.04, 2026-11-22, float, 2^26 points, rows one after the other; GB/s of one
// read and one write, spread 0.1 to 0.5 %. Beside each: ours | the runner-up of other stages | the
// better of cuFFT 13 and VkFFT, in the same run. Rows with "by" percentages: ours and the peer from
// the H200's runs at 982834d, 2920c90, 57837c1, 59a88da and c54465e, the others from sweeps, as
// parts of ours.
inline constexpr std::array<fft_tuned_row, 16> fft_gpu_rows{{
    {16, 8, {2, 8}, 32, fft_exchange::planes, false},         // 4223 | (64 items 4176) | 4094
    {32, 8, {8, 4}, 32, fft_exchange::planes, true},          // 4204 | (64 items 4182) | 4094
    {64, 8, {8, 8}, 32, fft_exchange::planes, true},          // 4243 | (64 items 4206) | 4204
    {128, 4, {4, 4, 4, 2}, 64, fft_exchange::planes, false},  // 4222 | 8 4 4: 4157 | 4109
    {256, 4, {4, 4, 4, 4}, 64, fft_exchange::planes, true},   // 4226 | (powers 4220) | 4047
    // 8 8 4 2 gives 4207, but for pairs of real values (1024 points) 3644 where this gives 3806.
    {512, 8, {8, 8, 8}, 64, fft_exchange::planes, true},  // 4185 | 8 8 4 2: see above | 4139
    {1024, 8, {4, 4, 8, 8}, 256, fft_exchange::planes, true, true},  // 4158 | 16 16 4: 4157 | 4086
    // 4158 | by 512 items, pairs -0.3 %; 512 items, halves up to -5 % | 4138
    {2048, 8, {8, 8, 8, 4}, 256, fft_exchange::halves, true},
    {4096, 8, {8, 8, 8, 8}, 1, fft_exchange::planes, true},  // 4161 | 16 16 16: 4153 | 4079
    // 4122 | by halves -1.2 %; by 32 points, 32 16 16, +0.1 %, and twice the time to build | 4048
    {8192, 16, {8, 8, 8, 16}, 1, fft_exchange::pairs, true, false, fft_streaming::none, true},
    // 3733 | by the compiler's order -1.2 %; by 32 32 16 -2 % | 2898
    {16384, 32, {32, 16, 32}, 1, fft_exchange::halves, false, false, fft_streaming::none, true},
    // 4155 | by 5 8 5 5 the same; 5 5 5 8 -0.6 %; 10 10 10 -1.1 to -1.4 %, but under lasting load
    // +5 % | 4126
    {1000, 8, {5, 5, 8, 5}, 128, fft_exchange::pairs, true, false, fft_streaming::lines},
    // 4148 | by planes +0.4 %, and longer to build | 4101
    {1536, 8, {8, 8, 8, 3}, 64, fft_exchange::pairs, true},
    // 4032 | by halves +0.2 to 0.6 %, but under lasting load, where the card's limit of power
    // lowers its clock, -4 to -14 %; 27 27 3 0 to -0.4 %, under load -0.7 to +1.5 %, and twice the
    // time to build; without whole lines -0.5 %; by the compiler's order -0.2 to -0.4 % | 4019
    {2187, 9, {9, 9, 9, 3}, 64, fft_exchange::pairs, true, false, fft_streaming::lines, true},
    // 4088 | by 14 points, pairs -0.2 %, planes -1.2 % | 3825
    {2401, 7, {7, 7, 7, 7}, 64, fft_exchange::pairs, true, false, fft_streaming::none, true},
    // 4005 | by 25 points -0.3 to +2.2 %, under lasting load +7 to 14 %, and twice the time to
    // build | 3476
    {3125, 10, {5, 5, 5, 5, 5}, 64, fft_exchange::pairs, true, false, fft_streaming::none, true},
}};

/// Of columns: in steps through memory. Two passes of 256, 1024, 4096 points made 2^16 2054, 2^20
/// 1944, 2^24 1428 GB/s (cuFFT 1842, 1650, 1172); with 8 points per item 1802 and 479 for the first
/// and the last, 32 points 1953 for the second. 2026-11-22: 2^22 in two passes of 2048, 8 side by
/// side, 1684 (4: 1488), 2^26 in three 1271 (two of 8192, 2 side by side: 451; 2^25 1276 and 652).
constexpr fft_policy tuned_fft_columns(std::int64_t n, bool nvidia) {
  fft_policy p{.points = n > 8192 ? 32
                         : n > 64 ? 16
                                  : 8,
               .columns = n > 2048  ? 4
                          : n > 512 ? 8
                          : n > 256 ? 16
                                    : 32,
               .exchange = n > 256 ? fft_exchange::halves : fft_exchange::planes,
               .twiddles = n == 1024 && nvidia ? fft_twiddles::native : fft_twiddles::powers,
               .one_pass = 8191};
  if (n == 1024) p.radices = {16, 8, 8};
  return p;
}

}  // namespace detail

/// The library's choice for a pass of `n` points; `columns`: which lie in steps through memory.
constexpr fft_policy tuned_fft(const device_facts& device, std::int64_t n, bool is_double,
                               bool columns = false) {
  if (device.kind == device_kind::cpu) {
    // PoCL on two cores with AVX2, 2026-11-21, 2^24 points, best of 4 calls, GFLOP/s. One pass of
    // 1024 points: stages 16 8 8 41.4 (8 8 4 4: 36.1, 4 4 4 4 4: 33.0; without gaps 35.5; 16 lanes
    // 28.1, 4 lanes 31.7); FFTW 38.7 beside it. Several passes in parts that stay in the
    // caches gained nothing once their lines were asked for (tuned_fft_four_step). With AVX-512,
    // 2026-11-27, the least of six times, geometric means: 43 kinds of transforms of double take
    // 0.93 by 8 lanes of what they take by 4, and 1.19 by 16 of that; 66 of float 1.09 by 16.
    const bool few = is_double && device.simd_bytes < 64;
    return {.shape = fft_shape::lanes, .lanes = few ? 4 : 8, .one_pass = 4096};
  }
  const bool nvidia = device.vendor == vendor::nvidia;
  if (is_double) {
    // H200, 1024 points, means of three runs: 4 4 4 4 4 4080, 8 8 8 2 4077, cuFFT 4078 GB/s.
    fft_policy p = detail::tuned_fft_columns(n, false);
    if (!columns) p.one_pass = 16384;
    if (!columns && n <= 1024) {
      p.points = 4;
      p.radices = {4};
      p.group = 256;
      p.exchange = fft_exchange::planes;
    }
    return p;
  }
  if (columns) return detail::tuned_fft_columns(n, nvidia);
  for (const detail::fft_tuned_row& row : detail::fft_gpu_rows) {
    if (row.length != n || row.points * std::int64_t{device.max_work_group} < n) continue;
    return {.points = row.points,
            .radices = row.radices,
            .group = row.group,
            .columns = detail::tuned_fft_columns(n, nvidia).columns,
            .exchange = 9 * n > device.local_bytes ? fft_exchange::halves : row.exchange,
            .twiddles = row.native && nvidia ? fft_twiddles::native : fft_twiddles::powers,
            .one_pass = 16384,
            .streaming = row.streaming,
            .separate = row.separate,
            .ordered = row.ordered && nvidia};
  }
  // Other lengths: few points per item, as the rows above have it, while groups have room.
  fft_policy p = detail::tuned_fft_columns(n, nvidia);
  p.points = n > 8192 ? 32 : n > 4096 ? 16 : n > 512 ? 10 : 8;
  // H200, 2026-11-28, us by groups of 64 and of 128: 1500000 of 2 20.1 15.9, 60000 of 3 6.3 6.0, of
  // 5 6.6 6.4; 1500000 of 8 51.1 52.2.
  p.group = n < 8 ? 128 : 64;
  p.one_pass = 16384;
  p.exchange = n > 8192 || 9 * n > device.local_bytes ? fft_exchange::halves : fft_exchange::pairs;
  return p;
}

/// The library's choice for a pass of several axes, of `n` points together, `transforms` of them.
constexpr fft_policy tuned_fft_axes(const device_facts& device, std::int64_t n,
                                    std::int64_t transforms, bool is_double) {
  fft_policy p = tuned_fft(device, n, is_double);
  p.points = n > 8192 ? 32 : n > 4096 ? 16 : is_double && n <= 1024 ? 4 : 8;
  p.radices = {};
  p.group = 64;
  p.exchange = fft_exchange::pairs;
  p.separate = p.ordered = false;
  p.streaming = fft_streaming::none;
  // Few large ones alone would leave most of the device idle.
  if (4 * transforms < units_of(device)) p.one_pass = is_double || transforms < 8 ? 4096 : 8192;
  return p;
}

/// The library's choice for a pass that convolves `n` points, as lengths with large prime factors
/// do. What counts is the work between reading and writing: many points per item, few exchanges.
constexpr fft_policy tuned_fft_convolution(const device_facts& device, std::int64_t n,
                                           bool is_double, bool columns = false) {
  fft_policy p = tuned_fft(device, n, is_double, columns);
  if (p.shape == fft_shape::lanes || columns) return p;
  p.points = n > 8192 && !is_double ? 32 : 16;
  p.radices = {};
  p.group = 128;
  p.twiddles = fft_twiddles::powers;
  // H200, 10007 points of float: 900 us by pairs, 988 by planes; 1024 of double lose 2 % by pairs.
  p.exchange = n * (is_double ? 18 : 9) > device.local_bytes ? fft_exchange::halves
               : is_double                                   ? fft_exchange::planes
                                                             : fft_exchange::pairs;
  return p;
}

/// Policies of two passes that share a launch.
struct fft_joined_policies {
  fft_policy first, second;
  bool at_once = false;  ///< the second starts as the first one ends, not transform by transform
};

/// The library's choice for two passes, of one axis or of two, where sharing a launch is known to
/// gain; nothing where each has its own.
inline std::optional<fft_joined_policies> tuned_fft_joined(const device_facts& device,
                                                           const fft_pass& first,
                                                           const fft_pass& second) {
  // H200, driver 580.159.04, 2026-11-22, float, 2^26 points, in GB/s of one read and one write, the
  // counters' reset included; beside each the same passes in two launches.
  //   1024 x 1024, 16 MiB behind: 32 points 2326 (without streaming 2094), 16 points 2164,
  //   4 columns 2008 | 1902
  //   512 x 512, 12 MiB: 32 points 2482, 8 MiB 2436, 16 MiB 2337, 8 columns 2262
  //   256 x 256, 12 MiB: 16 columns 2516, 32 columns 2483, 8 points 2435 | 2029
  //   2^16 in one axis, 12 MiB: 16 columns 2193, 32 columns 2037 | 2052
  //   pairs: 2^16 2300 (planes 2258), 256 x 256 x 256 0.2 % (halves), 1024 x 1024 -12 %
  //   2^18, 8 MiB: 32 points 1852 | 2005; 2^20: 32 points 1890, 16 points 1869 | 1930
  // At once: H100, driver 580.159.04, 2026-11-27, times of the device: one of 2^20 points 16.3 us,
  // in two launches with 8 columns 16.9. Others lose: 1024 x 1024 14.1 for 13.2, 9 of 512 x 90 14.1
  // for 9.0, 128 x 6720 18.3 for 12.6, 8 of 65536 real points 9.7 for 8.5; one of 65536 is the
  // same.
  const bool able =
      device.vendor == vendor::nvidia && device.compute_capability >= 70 && !first.is_double;
  const bool four_step = first.turn != 0;
  const std::int64_t longest = std::max(first.length, second.length);
  if (able && four_step && first.length == 1024 && second.length == 1024) {
    const fft_policy p{.points = 8,
                       .radices = {8, 8, 16},
                       .group = 64,
                       .columns = 4,
                       .exchange = fft_exchange::pairs,
                       .twiddles = fft_twiddles::native,
                       .one_pass = 2048,
                       .pipeline_kib = 20480};
    return fft_joined_policies{p, p, true};
  }
  if (!able || device.compute_capability != 90 || longest > (four_step ? 256 : 1024))
    return std::nullopt;
  const bool large = longest > 512, middle = longest > 256 && !large;
  const auto policy = [=](std::int64_t n) {
    fft_policy p{.points = large || middle ? 32 : 16,
                 .columns = large ? 8 : 16,
                 .exchange = large || middle ? fft_exchange::halves : fft_exchange::pairs,
                 .twiddles = large ? fft_twiddles::native : fft_twiddles::powers,
                 .one_pass = 16384,
                 .pipeline_kib = large ? 16384 : 12288,
                 .streaming = four_step ? fft_streaming::none : fft_streaming::both};
    if (n == 1024) p.radices = {32, 32};
    if (n == 512) p.radices = {32, 16};
    return p;
  };
  return fft_joined_policies{policy(first.length), policy(second.length)};
}

/// The policy of a pass that has the device to itself. Half a spectrum of pairs of real values is
/// read from local memory from both its ends, by pairs in half the accesses. Few transforms get two
/// groups for every unit at least, by smaller groups, down to a sub-group or four rows of half a
/// spectrum, and fewer columns, down to runs of 64 bytes; rows that leave units items to spare
/// exchange in the fewest steps, and those of real values have half as many points for each, two
/// where there is a group for each row. `items` are those of a transform by the policy of its
/// length; `in_runs`: points are read and written in runs.
inline fft_policy tuned_fft_for_use(const device_facts& device, const fft_pass& pass, int items,
                                    bool in_runs, fft_policy p) {
  // H100, driver 580.159.04, 2026-11-27, us with groups of 256 or 64 and 16 or 32 columns | spread:
  // double, 870 of 5 points 3.0 | 2.5, 2644 of 14 real ones 4.1 | 3.3, 18 of 84672 50.7 | 41.8, 15
  // of 109760 38.2 | 29.1; float, 16 of 1024 3.3 | 2.9, 12 of 41160 real ones 11.8 | 10.2, two of
  // 105840 10.8 | 9.0. With plenty of groups smaller ones lose: 61294 of 4 real points 3.2 | 3.8.
  //
  // H200, driver 580.159.04, 2026-11-28, us with 3.5 of a profiled call, float unless told.
  //   Real rows by planes or halves | pairs: 65536 of 512 77.4 | 71.9, 16384 of 2048 78.1 | 73.0,
  //   8192 of 4096 87.1 | 82.0, 32768 of 1024 71.4 | 70.9, 1024 of 2048 10.9 | 10.3.
  //   Few rows by halves or planes | pairs: 9 of 2048 6.8 | 6.4, 50 of 12000 12.2 | 11.4, 60 of
  //   15000 14.4 | 13.9; double, 30 of 1960 8.4 | 8.1, 200 of 2048 9.4 | 9.0.
  //   Real rows by 8 to 16 points for an item | half of them: 293 of 48 6.6 | 6.0, 1479 of 392
  //   8.1 | 7.6, 100 of 1200 8.2 | 7.0, 60 of 2400 8.1 | 7.3, 20 of 5040 9.1 | 8.3, 6 of 9604
  //   10.7 | 10.0.
  //   Complex ones lose (150 of 1500 7.0 | 7.6), real ones of double too.
  //   Real rows, one or two to a group | up to four: 900 of 720 8.3 | 7.8; double, 500 of 720
  //   8.4 | 7.9.
  //   The same, by four and more points | a group for each, of two points for an item: 14 of 840
  //   6.6 | 6.4; double, 5 of 1024 7.5 | 6.7, 7 of 588 7.2 | 6.6, 4 of 392 6.8 | 6.5, 226 of 1152
  //   8.0 | 7.6, 44 of 256 6.3 | 6.3. 149 of 2048, by the stages of the table: 7.0 | 7.2.
  //   Real rows of which an item has one, by way of local memory | straight from global memory:
  //   1500000 of 10 40.7 | 38.4, 60000 of 6 6.8 | 6.6; double, 800000 of 6 30.1 | 28.9.
  if (device.kind != device_kind::gpu || p.shape != fft_shape::items || items < 1) return p;
  const bool rows = in_runs && pass.axes.empty() && pass.method == fft_method::direct;
  const bool halves = rows && pass.write.kind == fft_form::half_of_pairs;
  const std::int64_t units = units_of(device), groups = 2 * units, transforms = pass.transforms();
  const bool spare = rows && transforms * items <= 512 * units;
  if (spare || (halves && !pass.is_double)) p.exchange = fft_exchange::pairs;
  if (halves && items == 1) p.staging = 0;
  const bool told = p.radices[1] != 0;  // the stages of a row of the table
  const bool alone = spare && halves && !told && p.points <= 8 && items > 1 && transforms <= groups;
  if (alone || (spare && halves && !pass.is_double && !told && p.points <= 16)) {
    const int points = alone ? 2 : p.points / 2;
    items *= p.points / points;
    p.points = points;
    p.radices = {};
  }
  while (p.columns > 8 && transforms / p.columns < groups) p.columns /= 2;
  const int least = alone ? 64 : 32;
  while (p.group > least && transforms * items / p.group < groups) p.group /= 2;
  while (halves && !alone && p.group < 256 && p.group < 4 * items) p.group *= 2;
  return p;
}

/// What the passes of a four-step transform change in their policies; `first`: its columns.
inline fft_policy tuned_fft_four_step(const device_facts& device, const fft_pass& pass, bool first,
                                      fft_policy p) {
  const std::int64_t n = pass.length;
  if (p.shape == fft_shape::lanes) {
    // The lines of the next block of columns are asked for, and results go past the caches. PoCL on
    // two cores with AVX2, 2026-11-22, 2^24 points, GFLOP/s without | with lines asked for | with
    // both: 2^16 points 20.0 | 23.6 | 24.1 (FFTW 27.7), 2^20 points 20.2 | 22.8 | 25.8 (in parts of
    // 16 MiB 24.6; FFTW 9). Passes in place lose: 1024 x 1024 40.9 | 39.5 | 25.3.
    p.ahead = 1;
    p.streaming = fft_streaming::stores;
  } else if (device.vendor == vendor::nvidia && n == 1024 && first && !pass.is_double) {
    // H200, columns of 2^20 points: 279 us for 285 with 16 points and 8 columns; rows 269. Blocks
    // lose here (a sub-group writes an eighth of 16 x 8 elements), 2^24 gains 1 to 2 %.
    p.points = 32;
    p.radices = {32, 32};
    p.columns = 16;
  } else if (device.vendor == vendor::nvidia && n > 1024 && first && !pass.is_double) {
    p.points = 32;
    if (n == 2048) p.radices = {32, 16, 4};
    p.blocked = true;
  }
  return p;
}

/// What rows change in their policy where they can be written in blocks for the columns after them.
inline fft_policy tuned_fft_blocked_rows(const device_facts& device, const fft_pass& pass,
                                         fft_policy p) {
  const std::int64_t n = pass.length;
  // H200, driver 580.159.04, 2026-11-22, 2^26 points, us of rows and columns; without blocks and
  // transposition in brackets: 4096 x 4096 616 with 16 points, 2 rows (612 as rows alone are tuned;
  // 16 points, 4 rows 628; 1 row 640; transposed without blocks 640) [700], 2048 x 2048 564 with 4
  // rows [603], 4096 x 512 584 [684], 1536 x 1536 573 [642], 1080 x 1920 543 [564].
  if (device.vendor != vendor::nvidia || pass.is_double || p.shape != fft_shape::items) return p;
  p = detail::tuned_fft_columns(n, true);
  p.columns = n > 2048 ? 2 : 4;
  p.exchange = fft_exchange::pairs;
  p.one_pass = 16384;
  p.blocked = true;
  return p;
}

/// Whether two axes of these lengths are transposed on their way, twice, instead of having columns.
constexpr bool tuned_fft_transposed(const device_facts& device, std::int64_t rows,
                                    std::int64_t columns, bool is_double) {
  // H200: a pass of 4096 points, 4 side by side, reads segments of 32 bytes in 435 us and writes
  // them in 322; one that does neither takes 262. 512 x 512 and 1024 x 1024 share a launch instead;
  // 1024 x 4096 gains 1 %.
  return device.vendor == vendor::nvidia && !is_double && rows > 1024 && rows < 8192 &&
         columns >= 512 && columns < 8192;
}

}  // namespace clprim
