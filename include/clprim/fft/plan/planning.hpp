#pragma once
// What a plan is made for, the policies of its passes, and what fits the device.

#include <algorithm>
#include <complex>
#include <cstdint>
#include <utility>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/smooth.hpp>
#include <clprim/fft/plan/geometry.hpp>
#include <clprim/fft/plan/step.hpp>
#include <clprim/fft/problem.hpp>
#include <clprim/fft/tuned.hpp>

namespace clprim::detail {

/// What a plan is made for, and the plan so far.
struct fft_planning {
  const fft_problem& problem;
  const fft_options& options;
  const device_facts& device;
  bool is_double;
  fft_plan plan{};

  /// Numbers of the arithmetic's precision, complex and real.
  element plain() const {
    return is_double ? describe_element<std::complex<double>>()
                     : describe_element<std::complex<float>>();
  }
  element real() const {
    return is_double ? describe_element<double>() : describe_element<float>();
  }
};

/// Room in the workspace.
inline std::int64_t take(fft_planning& c, std::int64_t elements) {
  const std::int64_t at = c.plan.work_elements;
  c.plan.work_elements += elements;
  return at;
}

/// The policy of a pass of n points.
inline fft_policy policy_for(const fft_planning& c, std::int64_t n, bool columns) {
  return c.options.policy.value_or(tuned_fft(c.device, n, c.is_double, columns));
}

inline fft_policy policy_for(const fft_planning& c, std::int64_t n, const fft_line& l) {
  return policy_for(c, n, l.in_columns());
}

/// The policy of a pass that convolves n points.
inline fft_policy convolution_policy(const fft_planning& c, std::int64_t n, bool columns) {
  return c.options.policy.value_or(tuned_fft_convolution(c.device, n, c.is_double, columns));
}

/// The policy of a pass of several axes, of n points together.
inline fft_policy axes_policy(const fft_planning& c, std::int64_t n) {
  std::int64_t transforms = c.problem.batch();
  for (const std::int64_t l : c.problem.lengths) transforms *= l;
  transforms /= n;
  return c.options.policy.value_or(tuned_fft_axes(c.device, n, transforms, c.is_double));
}

/// Whether codelets reach n points: an item holds those of a prime.
inline bool has_codelets(const fft_planning& c, std::int64_t n) {
  const fft_policy policy = policy_for(c, n, false);
  const int most = policy.shape != fft_shape::items ? 13 : c.is_double ? 19 : 37;
  return is_smooth(n, std::min(most, policy.one_pass));
}

/// Whether the points of a transform stay in the registers of its items; a convolution needs some
/// for itself. H200, 2026-11-27, us by one pass
/// and by several: 14700 points of double (112 registers wanted of 93) 103 times 64 and 36, 700
/// times 390 and 172; 16384, whose values alone fill them, 300 times 87 and 88. Bluestein's for
/// 10667 points of double (96 of 70) 11 times 164 and 24, for 12037 of float (48 of 64) 2 times 41
/// and 18, 60 times 42 and 42.
inline bool stays_in_registers(const item_geometry& g, const fft_pass& pass) {
  const std::int64_t wanted =
      std::int64_t{g.variables()} * (pass.is_double ? 4 : 2) * ((g.items + 31) / 32 * 32);
  return pass.method == fft_method::convolution ? 5 * wanted <= 4 * unit_registers
                                                : wanted <= unit_registers;
}

/// Whether a pass fits the device; one of the library's choice keeps its points in registers.
inline bool fits(const fft_planning& c, const fft_pass& pass, const fft_policy& p) {
  if (p.shape == fft_shape::lanes)
    return pass.axes.empty() && lane_geometry_of(pass, p).local_bytes <= c.device.local_bytes;
  const item_geometry g = item_geometry_of(pass, p, c.device);
  return g.items > 0 && (c.options.policy || stays_in_registers(g, pass));
}

/// The pass of n points that a line is, or is convolved by.
inline fft_pass made_pass(const fft_line& l, std::int64_t n, fft_method method = fft_method::direct,
                          std::int64_t inner = 0) {
  fft_pass pass = l.pass;
  pass.length = n;
  pass.method = method;
  pass.inner = inner;
  merge_outer(pass.outer);
  order_outer(pass.outer, pass.along);
  return pass;
}

/// Whether one pass takes n points here: what local memory holds.
inline bool one_pass(const fft_planning& c, std::int64_t n, const fft_line& l) {
  const fft_policy p = policy_for(c, n, l);
  return n <= p.one_pass && fits(c, made_pass(l, n), p);
}

/// Adds a pass to the plan.
inline void add(fft_planning& c, fft_pass pass, const fft_policy& policy, const fft_place& from,
                const fft_place& to) {
  const bool one = from.buffer == to.buffer;
  const bool both =
      c.problem.in_place && from.buffer != fft_buffer::work && to.buffer != fft_buffer::work;
  pass.aliased = one || both;
  c.plan.steps.push_back({std::move(pass), policy, from.buffer, to.buffer, from.offset, to.offset});
}

/// Whether there are transforms of n points enough for all lanes, or units; few of them are better
/// cut into columns. H200, 2026-11-27, us by one pass and by two: double, one of 7000 13.2 and
/// 10.9, 20 of 8192 14.2 and 11.7, 30 of 9000 15.4 and 14.2, 20 of 16384 22.8 and 13.6, 400 of 9000
/// 54 and 73; float, one of 7000 9.1 and 10.2, 12 of 15000 13.9 and 10.9, 30 of 12000 12.1 and
/// 11.8.
inline bool wide_enough(const fft_planning& c, std::int64_t n, const fft_line& l) {
  const fft_policy policy = policy_for(c, n, l);
  const std::int64_t transforms = l.pass.transforms();
  if (policy.shape == fft_shape::lanes)
    return transforms >= policy.lanes || n < 16 * policy.lanes * policy.lanes;
  return c.options.policy || 4 * transforms >= units_of(c.device) ||
         n <= (c.is_double ? 4096 : 8192);
}

inline bool column_fits(const fft_planning& c, std::int64_t n) {
  constexpr std::int64_t far = 1 << 20;
  const fft_pass pass{.length = n,
                      .along = {.in = {far, 1}, .out = {far, 1}},
                      .outer = {{.extent = far, .in = {1}, .out = {1}}},
                      .is_double = c.is_double,
                      .turn = n};
  return fits(c, pass, policy_for(c, n, true));
}

}  // namespace clprim::detail
