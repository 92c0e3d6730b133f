#pragma once
// Device and length -> policy: the library's choice.

#include <cstdint>

#include <clprim/core/device_facts.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim {

/// The library's choice for a pass of `n` points.
constexpr fft_policy tuned_fft(const device_facts& device, std::int64_t n, bool is_double) {
  if (device.kind == device_kind::cpu) {
    // PoCL on two cores with AVX2, 2026-11-21, 2^24 points, best of 4 calls, GFLOP/s with parts of
    // all | 1 | 4 | 16 MiB: 2^16 points 18.3 | 13.3 | 13.0 | 15.0, 2^20 points 19.2 | 17.6 | 15.6 |
    // 20.2. One pass, 1024 points: stages 16 8 8 41.4 (8 8 4 4: 36.1, 4 4 4 4 4: 33.0; without gaps
    // 35.5; 16 lanes 28.1, 4 lanes 31.7); FFTW 38.7 beside it.
    return {.shape = fft_shape::lanes,
            .lanes = is_double ? 4 : 8,
            .one_pass = 4096,
            .chunk_kib = n > 65536 ? 16384 : 0};
  }
  // From prototypes on an H200: 16 points per item, one plane from 1024 points on, columns that
  // make segments of 64 to 256 bytes as long as a group has room for them. Not measured yet here.
  return {.points = n > 8192 ? 32
                    : n > 64 ? 16
                             : 8,
          .columns = n > 1024  ? 4
                     : n > 512 ? 8
                     : n > 256 ? 16
                               : 32,
          .exchange = n >= 1024 ? fft_exchange::halves : fft_exchange::planes,
          .twiddles = fft_twiddles::powers,
          .one_pass = 16384};
}

}  // namespace clprim
