#pragma once
// Volkov's curves of products and transforms over occupancy: 1 to 36 outputs of a matrix per item,
// 2 to 16 points of a transform, each at 100, 50, 25 and 12.5 % of a unit's warps, where registers
// allow so many. The kernels are those of the ladders; local memory that nobody touches keeps
// groups out (harness/ballast.hpp).
//
// On CPUs a core runs one group, whatever it takes: there is no such curve.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <clprim/gemm/ladder.hpp>
#include <clprim/runtime/program.hpp>

#include "../harness/ballast.hpp"
#include "fft.hpp"
#include "gemm.hpp"

namespace bench {

namespace detail {

/// Bytes that leave `wanted` groups of this kernel on a unit: in the middle of all that would; 0
/// where no more are there anyway.
inline std::size_t ballast_for(const suite_place& place, const kernel_use& use, int wanted) {
  const clprim::unit_limits unit = clprim::limits_of(place.device);
  const clprim::group_use own = clprim::use_of(use.taken, use.group);
  const auto resident = [&](std::int64_t bytes) {
    clprim::group_use more = own;
    more.local_bytes += bytes;
    return clprim::occupancy_of(unit, more).groups;
  };
  if (resident(0) <= wanted) return 0;
  const auto most_with = [&](int groups) {
    std::int64_t low = 0, high = unit.group_local_bytes - own.local_bytes + 1;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (resident(middle) >= groups ? low : high) = middle;
    }
    return low;
  };
  return static_cast<std::size_t>((most_with(wanted) + most_with(wanted + 1)) / 2 / 16 * 16);
}

/// What `make` gives, its kernels held to `share` of a unit's warps.
inline std::vector<contestant> held_to(const suite_place& place,
                                       const std::function<contestant()>& make, double share) {
  contestant plain = make();
  std::size_t bytes = 0;
  {
    const kernel_watch watch;
    std::string wrong = plain.verify();
    if (!wrong.empty()) throw clprim::error("wrong without ballast: " + wrong);
    if (watch.kernels().empty()) throw clprim::error("no kernel was seen");
    const kernel_use use =
        use_of_kernel(watch.kernels().front(), place.session.device, place.device);
    const clprim::unit_limits unit = clprim::limits_of(place.device);
    const int warps = (use.group + unit.warp_width - 1) / unit.warp_width;
    const int groups = static_cast<int>(std::lround(share * unit.max_warps / warps));
    bytes = ballast_for(place, use, std::max(1, groups));
  }
  if (bytes == 0) return {plain};
  // The cache knows programs by the source that the library wrote: none may outlive the ballast.
  contestant held = make();
  held.verify = [verify = held.verify, place, bytes] {
    clprim::clear_program_cache();
    const kernel_watch watch;
    std::string wrong;
    {
      const ballast open(bytes);  // whatever a contestant builds, and when, it builds in here
      wrong = verify();
    }
    clprim::clear_program_cache();
    const kernel_use use =
        use_of_kernel(watch.kernels().front(), place.session.device, place.device);
    const auto local = static_cast<std::size_t>(use.taken.local_bytes.value);
    if (local >= bytes || !wrong.empty()) return wrong;
    return "the kernel has " + std::to_string(local) + " bytes of local memory, its ballast " +
           std::to_string(bytes);
  };
  return {held};
}

inline std::string share_text(double share) { return clprim::general_text(100 * share, 3) + " %"; }

}  // namespace detail

inline void add_occupancy_ladders(const suite_place& place, std::vector<bench_row>& rows) {
  if (place.cpu()) return;
  const double shares[] = {1, 0.5, 0.25, 0.125};
  const int max_warps = clprim::limits_of(place.device).max_warps;
  const auto fits = [&](int group, double share) { return group <= 32 * max_warps * share; };
  const gemm_problem_row problem{"gemm-occupancy", clprim::scalar::float_, 2048, 2048, 2048};
  const auto shared = std::make_shared<gemm_rung_operands>();
  const struct {
    int outputs;
    clprim::gemm_policy policy;
  } products[] = {{1, clprim::gemm_ladder::one_output},
                  {2, clprim::gemm_ladder::two_outputs},
                  {4, clprim::gemm_ladder::four_outputs},
                  {8, clprim::gemm_ladder::eight_outputs},
                  {36, clprim::gemm_ladder::thirty_six_outputs}};
  for (const auto& one : products) {
    for (const double share : shares) {
      if (!fits(one.policy.group_size(), share)) continue;
      const auto make = [=] {
        return detail::gemm_contestant_of(place, shared, problem, one.policy,
                                          "Volkov: GFLOP/s go up, occupancy goes down");
      };
      rows.push_back({.name = "gemm-occupancy " + std::to_string(one.outputs) +
                              (one.outputs == 1 ? " output, " : " outputs, ") +
                              detail::share_text(share),
                      .work = problem.flops(),
                      .unit = "GFLOP/s",
                      .roof = "fma float",
                      .flops_per_byte = problem.flops() / static_cast<double>(problem.bytes()),
                      .enter = [=] { return detail::held_to(place, make, share); },
                      .numbers = {{"outputs", one.outputs}, {"held_to", share}}});
    }
  }
  const auto arrays = std::make_shared<std::shared_ptr<const fft_arrays<float>>>();
  for (const detail::fft_rung& one : detail::fft_rungs) {
    for (const double share : shares) {
      if (!fits(1024 / one.outputs, share)) continue;
      const auto make = [=] {
        return detail::fft_contestant(place, arrays, detail::policy_of(place, one),
                                      "Volkov: GFLOP/s go up, occupancy goes down");
      };
      rows.push_back({.name = "fft-occupancy " + std::to_string(one.outputs) + " points, " +
                              detail::share_text(share),
                      .work = detail::fft_flops(place),
                      .unit = "GFLOP/s",
                      .roof = "fma float",
                      .flops_per_byte = 5 * std::log2(1024.0) / 16,
                      .enter = [=] { return detail::held_to(place, make, share); },
                      .numbers = {{"outputs", one.outputs}, {"held_to", share}}});
    }
  }
}

}  // namespace bench
