#pragma once
// One built kind of convolution: policy and variant -> program and kernel.

#include <cstddef>
#include <memory>
#include <span>
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
                                         const cl::Device& device,
                                         math_mode math = math_mode::precise) {
  const std::string source = convolve_source(policy, variant, map, literals);
  const std::string options =
      policy.registers > 0 ? "-cl-nv-maxrregcount=" + std::to_string(policy.registers) : "";
  convolve_plan plan{.policy = policy,
                     .variant = variant,
                     .fixed_taps = {},
                     .source_bytes = source.size(),
                     .program = build(context, device, source, options, math),
                     .kernel = {}};
  plan.kernel = make_kernel(*plan.program, "convolve");
  return plan;
}

namespace detail {

/// Sets what every kernel's arguments begin with: the images of a pass, the first taps, the
/// border's value. An image without memory of its own lies `between` the passes. The number of the
/// next argument.
inline cl_uint set_images(cl_kernel kernel, const convolve_pass& pass, cl_mem between,
                          std::span<const std::byte> border) {
  cl_uint next = 0;
  const auto set = [&](const convolve_image& i) {
    set_arg(kernel, next++, i.memory == nullptr ? between : i.memory);
    for (const std::int64_t distance : {i.offset, i.pitch, i.slice, i.stride})
      set_arg(kernel, next++, static_cast<cl_long>(distance));
    for (const std::int64_t extent : i.extent) set_arg(kernel, next++, static_cast<cl_int>(extent));
  };
  set(pass.in);
  for (const int first : pass.first) set_arg(kernel, next++, static_cast<cl_int>(first));
  set(pass.out);
  check(clSetKernelArg(kernel, next++, border.size(), border.data()),
        "clSetKernelArg of the border's value");
  return pass.variant.flat ? set_grid(kernel, next, grid_of(pass)) : next;
}

}  // namespace detail
}  // namespace clprim
