#pragma once
// pass + policy -> the OpenCL C source of its kernel, its launch, and the tables that it reads.

#include <clprim/core/device_facts.hpp>
#include <clprim/fft/pass/items_kernel.hpp>
#include <clprim/fft/pass/lanes_kernel.hpp>

namespace clprim {

/// The source of a pass's kernel `fft`; adds what it reads to `tables`. Needs no device.
/// Throws policy_error when the policy breaks a rule or does not fit the device.
inline fft_kernel fft_source(const fft_pass& p, const fft_policy& policy,
                             const device_facts& device, fft_tables& tables) {
  check_rules(policy);
  return policy.shape == fft_shape::items ? items_source(p, policy, device, tables)
                                          : lanes_source(p, policy, device, tables);
}
/// The same of a step, which may have a second pass.
inline fft_kernel fft_source(const fft_step& s, const device_facts& device, fft_tables& tables) {
  return s.second ? pair_source(s.pass, s.policy, *s.second, device, tables)
                  : fft_source(s.pass, s.policy, device, tables);
}

}  // namespace clprim
