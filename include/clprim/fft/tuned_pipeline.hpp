#pragma once
// Device and lengths -> the policies of two passes that follow each other: of those that share a
// launch, or none; what the four-step method, and axes with blocks between them, add to theirs.

#include <cstdint>
#include <optional>
#include <utility>

#include <clprim/core/device_facts.hpp>
#include <clprim/fft/policy.hpp>
#include <clprim/fft/tuned.hpp>

namespace clprim {

/// The library's choice for two passes of `first` and `second` points that may share a launch, of
/// one axis (`four_step`) or of two; nothing where each has its own.
constexpr std::optional<std::pair<fft_policy, fft_policy>> tuned_fft_pipeline(
    const device_facts& device, std::int64_t first, std::int64_t second, bool four_step,
    bool is_double) {
  // H200, driver 580.159.04, 2026-11-22, float, 2^26 points, in GB/s of one read and one write, the
  // counters' reset included; beside each the same passes in two launches.
  //   1024 x 1024, 16 MiB behind: 32 points 2326 (without streaming 2094), 16 points 2164,
  //   4 columns 2008 | 1902
  //   512 x 512, 12 MiB: 32 points 2482, 8 MiB 2436, 16 MiB 2337, 8 columns 2262
  //   256 x 256, 12 MiB: 16 columns 2516, 32 columns 2483, 8 points 2435 | 2029
  //   2^16 in one axis, 12 MiB: 16 columns 2193, 32 columns 2037 | 2052
  //   pairs: 2^16 2300 (planes 2258), 256 x 256 x 256 0.2 % (halves), 1024 x 1024 -12 %
  //   2^18, 8 MiB: 32 points 1852 | 2005; 2^20: 32 points 1890, 16 points 1869 | 1930
  if (device.vendor != vendor::nvidia || device.compute_capability != 90 || is_double)
    return std::nullopt;
  const std::int64_t longest = first > second ? first : second;
  if (longest > (four_step ? 256 : 1024)) return std::nullopt;
  const bool large = longest > 512, middle = longest > 256 && !large;
  const auto policy = [=](std::int64_t n) {
    fft_policy p{.points = large || middle ? 32 : 16,
                 .columns = large ? 8 : 16,
                 .exchange = large || middle ? fft_exchange::halves : fft_exchange::pairs,
                 .twiddles = large ? fft_twiddles::native : fft_twiddles::powers,
                 .one_pass = 16384,
                 .pipeline_kib = large ? 16384 : 12288,
                 .streaming = four_step ? fft_streaming::none : fft_streaming::both};
    if (n == 1024) p.radices = 3232;
    if (n == 512) p.radices = 3216;
    return p;
  };
  return std::pair{policy(first), policy(second)};
}

/// What the passes of a four-step transform change in their policies; `n` points, `first`: of its
/// columns.
constexpr fft_policy tuned_fft_four_step(const device_facts& device, std::int64_t n, bool first,
                                         bool is_double, fft_policy p) {
  if (p.shape == fft_shape::lanes) {
    // The lines of the next block of columns are asked for, and results go past the caches. PoCL on
    // two cores with AVX2, 2026-11-22, 2^24 points, GFLOP/s without | with lines asked for | with
    // both: 2^16 points 20.0 | 23.6 | 24.1 (FFTW 27.7), 2^20 points 20.2 | 22.8 | 25.8 (in parts of
    // 16 MiB 24.6; FFTW 9). Passes in place lose: 1024 x 1024 40.9 | 39.5 | 25.3.
    p.ahead = 1;
    p.streaming = fft_streaming::stores;
  } else if (device.vendor == vendor::nvidia && n == 1024 && first && !is_double) {
    // H200, columns of 2^20 points: 279 us for 285 with 16 points and 8 columns; rows 269. Blocks
    // lose here (a sub-group writes an eighth of 16 x 8 elements), 2^24 gains 1 to 2 %.
    p.points = 32;
    p.radices = 3232;
    p.columns = 16;
  } else if (device.vendor == vendor::nvidia && n > 1024 && first && !is_double) {
    p.points = 32;
    if (n == 2048) p.radices = 321604;
    p.blocked = true;
  }
  return p;
}

/// What rows change in their policy where they can be written in blocks for the columns after them.
constexpr fft_policy tuned_fft_blocked_rows(const device_facts& device, std::int64_t n,
                                            bool is_double, fft_policy p) {
  // H200, driver 580.159.04, 2026-11-22, 2^26 points, us of rows and columns; without blocks and
  // transposition in brackets: 4096 x 4096 616 with 16 points, 2 rows (612 as rows alone are tuned;
  // 16 points, 4 rows 628; 1 row 640; transposed without blocks 640) [700], 2048 x 2048 564 with 4
  // rows [603], 4096 x 512 584 [684], 1536 x 1536 573 [642], 1080 x 1920 543 [564].
  if (device.vendor != vendor::nvidia || is_double || p.shape != fft_shape::items) return p;
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
