#pragma once
// One built kind of transposition: policy and variant -> program, kernel, launch.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include <clprim/core/function.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/program.hpp>
#include <clprim/transpose/problem.hpp>
#include <clprim/transpose/source.hpp>

namespace clprim {

/// The kernel of one policy and variant, built for one device.
struct transpose_plan {
  transpose_policy policy{};
  transpose_variant variant{};
  transpose_geometry geometry{};
  std::size_t source_bytes = 0;
  std::shared_ptr<const built_program> program;
  cl::Kernel kernel;
};

/// Builds the kernel. Throws policy_error when the policy does not fit the device, and build_error
/// when the driver refuses the source, as it does for a map that does not compile.
inline transpose_plan build_transpose_plan(const transpose_policy& policy,
                                           const transpose_variant& variant, const function& map,
                                           const cl::Context& context, const cl::Device& device,
                                           const device_facts& facts,
                                           math_mode math = math_mode::precise) {
  check_device_rules(policy, variant, facts);
  rule(policy.exchange != tile_exchange::registers || variant.narrow > 0,
       "exchange registers needs an axis of at most 16 elements that lie without gaps in the input "
       "or the output of a transposition");
  const std::string source = transpose_source(policy, variant, map);
  transpose_plan plan{.policy = policy,
                      .variant = variant,
                      .geometry = geometry_of(policy, variant),
                      .source_bytes = source.size(),
                      .program = build(context, device, source, "", math),
                      .kernel = {}};
  plan.kernel = make_kernel(*plan.program, "transpose");
  return plan;
}

/// The launch of kernel `transpose`. Throws argument_error when there are more groups than 31 bits
/// count.
inline launch transpose_launch(const transpose_problem& p, const transpose_policy& policy,
                               const transpose_variant& variant) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const auto bounded = [](std::int64_t groups, std::int64_t times) {
    if (groups <= most / std::max<std::int64_t>(1, times)) return groups * times;
    throw argument_error("the product of tiles and outer extents",
                         "must be a number of work-groups that 31 bits hold",
                         std::to_string(groups) + " * " + std::to_string(times),
                         "at most " + std::to_string(most));
  };
  std::int64_t groups = 1;
  if (variant.box.rank > 0) {
    const auto all = detail::axes_of(p);
    for (int a = 0; a < variant.box.rank; ++a) {
      const std::int64_t wide = variant.box.at(a), lead = loaded_extent(variant.box, a) - wide;
      groups = bounded(groups, (all[static_cast<std::size_t>(a)].extent + lead + wide - 1) / wide);
    }
  } else {
    const bool strips = variant.narrow > 0;
    const std::int64_t down = strips ? (variant.narrow_in ? p.rows : p.cols)
                                     : p.rows + geometry_of(policy, variant).piece - 1;
    const std::int64_t tiles_r = (down + policy.tile_rows - 1) / policy.tile_rows;
    const std::int64_t tiles_c = strips ? 1 : (p.cols + policy.tile_cols - 1) / policy.tile_cols;
    groups = p.task == transpose_task::swap ? (tiles_r + 1) / 2 * (tiles_r + 1)
                                            : bounded(tiles_r, tiles_c);
    groups = bounded(groups, 1);
    for (int a = 0; a < p.outer_count; ++a)
      groups = bounded(groups, p.outer[static_cast<std::size_t>(a)].extent);
  }
  const auto items = static_cast<std::size_t>(policy.items);
  return {1, {static_cast<std::size_t>(groups) * items, 1, 1}, {items, 1, 1}};
}

}  // namespace clprim
