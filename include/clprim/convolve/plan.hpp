#pragma once
// One built kind of convolution: policy and variant -> program and kernel.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <clprim/convolve/passes.hpp>
#include <clprim/convolve/source.hpp>
#include <clprim/runtime/program.hpp>

namespace clprim {

/// The kernel of one policy and variant, built for one device.
struct convolve_plan {
  convolve_policy policy{};
  convolve_variant variant{};
  std::vector<std::byte> fixed_taps{};  ///< those that are literals in the source
  std::size_t source_bytes = 0;
  std::shared_ptr<const built_program> program;
  cl::Kernel kernel;
};

/// Builds the kernel. Throws policy_error when the policy does not fit the device, and build_error
/// when the driver refuses the source, as it does for a map that does not compile.
inline convolve_plan build_convolve_plan(const convolve_policy& policy,
                                         const convolve_variant& variant, const function& map,
                                         const std::string& literals, const cl::Context& context,
                                         const cl::Device& device) {
  const std::string source = convolve_source(policy, variant, map, literals);
  const std::string options =
      policy.registers > 0 ? "-cl-nv-maxrregcount=" + std::to_string(policy.registers) : "";
  convolve_plan plan{.policy = policy,
                     .variant = variant,
                     .fixed_taps = {},
                     .source_bytes = source.size(),
                     .program = build(context, device, source, options),
                     .kernel = {}};
  plan.kernel = make_kernel(*plan.program, "convolve");
  return plan;
}

}  // namespace clprim
