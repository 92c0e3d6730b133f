#pragma once
// pass + policy -> the OpenCL C source of its kernel, its launch, and the tables that it reads.

#include <string>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/source.hpp>
#include <clprim/fft/pass/items_kernel.hpp>
#include <clprim/fft/pass/lanes_kernel.hpp>
#include <clprim/fft/plan/pass.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim {

/// What is needed to launch the kernel of a pass.
struct fft_kernel {
  std::string source;
  std::string options;  ///< of the compiler
  std::vector<int> radices;
  int side_by_side = 1;  ///< transforms of the first axis that a block holds
  int blocks = 1;        ///< blocks that a group works on
  int items = 1;         ///< work-items of a group
  std::int64_t local_bytes = 0;
  std::vector<int> then_radices{};  ///< of a second pass in the same launch
  int then_side_by_side = 0;
};

namespace fft_text {

/// Where the factors stand that make the spectrum of pairs half a spectrum, or back.
inline std::int64_t pair_roots_of(const fft_pass& p, fft_tables& tables) {
  if (p.input != fft_input::spectrum_pairs && p.output != fft_output::half_of_pairs) return 0;
  std::vector<wide_complex> part;
  for (std::int64_t k = 0; k <= p.length; ++k) part.push_back(wide_root(k, 2 * p.length));
  return tables.add(part);
}

}  // namespace fft_text

/// The source of a pass's kernel `fft`; adds what it reads to `tables`. Needs no device.
/// Throws policy_error when the policy breaks a rule or does not fit the device.
inline fft_kernel fft_source(const fft_pass& p, const fft_policy& policy,
                             const device_facts& device, fft_tables& tables) {
  check_rules(policy);
  source_builder out;
  out.banner("clprim Fourier transforms of " + std::to_string(p.length) + " points\n" +
             to_string(policy));
  const std::int64_t pair_roots = fft_text::pair_roots_of(p, tables);
  const bool ptx =
      policy.shape == fft_shape::items && device.inline_ptx && device.compute_capability >= 70;
  const bool can =
      ptx && (policy.streaming != fft_streaming::lines || device.compute_capability >= 80);
  fft_text::define_prelude(out, p, pair_roots, can ? policy.streaming : fft_streaming::none);
  if (policy.shape == fft_shape::items) {
    const item_geometry g = item_geometry_of(p, policy, device.max_work_group, device.local_bytes);
    if (g.items == 0) {
      throw policy_error("transforms of " + std::to_string(p.points()) +
                         " points do not fit a group of " + device.name + " with " +
                         to_string(policy));
    }
    fft_policy used = policy;
    used.separate = policy.separate && ptx;
    fft_text::item_kernel kernel(p, used, g, tables);
    const std::string body = kernel.body();
    out.line(kernel.constants());
    out.line(body);
    std::string options;
    if (ptx && policy.registers > 0)
      options = "-cl-nv-maxrregcount=" + std::to_string(policy.registers);
    if (loses_guards_between_barriers(device)) options = "-cl-opt-disable";
    return {.source = out.str(),
            .options = options,
            .radices = g.radices,
            .side_by_side = g.together,
            .blocks = 1,
            .items = g.group(),
            .local_bytes = g.local_bytes};
  }
  fft_text::lane_kernel kernel(p, policy, tables);
  const lane_geometry& g = kernel.geometry();
  rule(g.local_bytes <= device.local_bytes,
       "transforms by lanes must fit the device's local memory in bytes",
       static_cast<long>(g.local_bytes), static_cast<long>(device.local_bytes));
  kernel.define(out, takes_prefetches(device));
  out.line(kernel.body());
  return {.source = out.str(),
          .options = {},
          .radices = g.radices,
          .side_by_side = policy.lanes,
          .blocks = g.blocks,
          .items = 1,
          .local_bytes = g.local_bytes};
}

}  // namespace clprim
