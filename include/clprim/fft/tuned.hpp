#pragma once
// Device and length -> policy: the library's choice.

#include <cstdint>

#include <clprim/core/device_facts.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim {

/// The library's choice for a pass of `n` points; `columns`: one of several passes, or one whose
/// points do not lie side by side.
constexpr fft_policy tuned_fft(const device_facts& device, std::int64_t n, bool is_double, bool) {
  if (device.kind == device_kind::cpu) {
    return {.shape = fft_shape::lanes, .lanes = is_double ? 4 : 8, .one_pass = 4096};
  }
  const bool large = n > 4096;
  return {.points = n <= 64    ? 8
                    : n > 8192 ? 32
                               : 16,
          .columns = n <= 256    ? 32
                     : n <= 512  ? 16
                     : n <= 1024 ? 8
                                 : 4,
          .exchange = large || n >= 1024 ? fft_exchange::halves : fft_exchange::planes,
          .twiddles = fft_twiddles::powers,
          .one_pass = 16384};
}

}  // namespace clprim
