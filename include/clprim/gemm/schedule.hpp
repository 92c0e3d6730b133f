#pragma once
// Product, device and room -> what is run: the policy, the parts of k, what is packed.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <clprim/gemm/plan.hpp>
#include <clprim/gemm/problem.hpp>
#include <clprim/gemm/tuned.hpp>

namespace clprim {

/// Bytes of workspace that the packed operands of a product take, each from a multiple of 256 on;
/// 0 where all of them begin every line at a multiple of 16 bytes.
inline std::size_t packed_bytes(const gemm_kind& p, scalar type) {
  return gemm_spaces_of(p, {.policy = {}, .variant = variant_of(packed_kind(p, type), {}, type, 1)},
                        0)
      .bytes;
}

/// Nanoseconds that packing takes, an estimate: launches, and a copy at 20 bytes per nanosecond and
/// unit (2.6 TB/s of an H200's 4.2).
constexpr double packing_ns(std::size_t bytes, int units) {
  return 6000 + 2 * static_cast<double>(bytes) / (20.0 * std::max(1, units));
}

/// What a product runs on `device` under a policy of the caller's, or under the library's choice.
/// `room`: bytes of workspace that it may take. `sum_bytes`: of one partial sum.
inline gemm_schedule schedule_for(const gemm_kind& kind, const std::optional<gemm_policy>& given,
                                  bool portable, std::size_t room, std::size_t sum_bytes,
                                  scalar type, const device_facts& device) {
  const std::size_t one = static_cast<std::size_t>(kind.m) * static_cast<std::size_t>(kind.n) *
                          static_cast<std::size_t>(kind.batch) * sum_bytes;
  // Parts of k whose sums fit beside so many bytes.
  const auto parts = [&](std::size_t taken) {
    const std::size_t left = taken == 0 ? room : (room - taken) / 256 * 256;
    return one == 0 ? std::size_t{1} : left / one;
  };
  const gemm_size size = size_of(kind, type);
  const std::size_t packing = size.aligned ? 0 : packed_bytes(kind, type);
  gemm_choice choice;
  if (given) {
    choice.policy = *given;
    choice.splits =
        given->split_k > 0 ? given->split_k : splits_to_fill(device, choice.policy, size);
  } else {
    choice = tuned_gemm(device, type, size, {portable, parts(0) > 1});
    if (packing > 0 && packing <= room) {
      gemm_size whole = size;
      whole.aligned = true;
      gemm_choice packed = tuned_gemm(device, type, whole, {portable, parts(packing) > 1});
      packed.policy.packed = true;
      packed.ns += packing_ns(packing, device.compute_units);
      if (packed.ns < 0.95 * choice.ns) choice = packed;
    }
  }
  choice.policy.packed = choice.policy.packed && packing > 0 && packing <= room;
  const std::size_t most = parts(choice.policy.packed ? packing : 0);
  const auto wanted = static_cast<std::size_t>(choice.splits);
  const int splits = most < 2 ? 1 : static_cast<int>(std::min(most, wanted));
  return schedule_of(kind, choice.policy, splits, type, device);
}

}  // namespace clprim
