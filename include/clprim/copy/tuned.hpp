#pragma once
// Device -> policy of copy and map: the library's choice.

#include <algorithm>
#include <cstdint>

#include <clprim/copy/policy.hpp>
#include <clprim/core/device_facts.hpp>

namespace clprim {

/// The library's choice for elements of `bytes` bytes (the largest of all arrays).
constexpr copy_policy tuned_copy(const device_facts& device, int bytes, std::int64_t count) {
  if (device.kind == device_kind::cpu) {
    // One item per group with vectors as wide as the registers (PoCL, AVX-512).
    const copy_policy p{.items = 1, .vector = std::min(16, 64 / bytes), .per_item = 4};
    if (count < std::int64_t{1} << 14) return p;
    copy_policy walking = p;
    walking.walk = copy_walk::runs;
    walking.groups_per_unit = 8;
    walking.unaligned = true;
    return walking;
  }
  // NVIDIA H200, driver 580.159.04, 2026-11-20, medians of 30 calls, float 2^26 | complex double
  // 2^25, GB/s: 256 x 1 vector of 16 bytes 4180 | 4224, 128 x 1 4175 | 4228, 64 x 2 4147 | 4204,
  // 256 x 2 4025 | 4086, 256 x 4 3978 | 4025, 256 x 14 3932 | 3930; cudaMemcpy 4176 | 4191.
  return {.items = std::min(256, device.max_work_group),
          .vector = std::max(1, 16 / bytes),
          .per_item = 1};
}

}  // namespace clprim
