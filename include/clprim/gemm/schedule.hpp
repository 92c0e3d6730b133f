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

/// A product whose packed operands begin every line at a multiple of 16 bytes, and the predicted
/// nanoseconds that packing takes: a launch for each operand, and a copy.
struct gemm_packing {
  gemm_size size;
  double ns = 0;
};
inline gemm_packing packing_of(const gemm_kind& p, scalar type, const device_facts& device) {
  const gemm_costs costs = gemm_table_of(device, type).costs;
  gemm_packing packing{.size = size_of(packed_kind(p, type), type)};
  const int launches = (packing.size.a_alignment != size_of(p, type).a_alignment ? 1 : 0) +
                       (packing.size.b_alignment != size_of(p, type).b_alignment ? 1 : 0);
  packing.ns = launches * costs.packing_ns +
               2 * static_cast<double>(packed_bytes(p, type)) /
                   (costs.packing_bytes_per_ns * std::max(1, device.compute_units));
  return packing;
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
  const std::size_t packing = packed_bytes(kind, type);
  gemm_choice choice;
  if (given) {
    choice.policy = *given;
    choice.splits =
        given->split_k > 0 ? given->split_k : splits_to_fill(device, choice.policy, size);
  } else {
    choice = tuned_gemm(device, type, size, {portable, parts(0) > 1});
    if (packing > 0 && packing <= room) {
      const gemm_packing pack = packing_of(kind, type, device);
      gemm_choice packed = tuned_gemm(device, type, pack.size, {portable, parts(packing) > 1});
      packed.policy.packed = true;
      packed.ns += pack.ns;
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
