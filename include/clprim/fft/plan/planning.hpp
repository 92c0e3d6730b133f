#pragma once
// What a plan is made for, the lines of points that become its passes, the policies of these, and
// what fits the device.

#include <algorithm>
#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

#include <clprim/core/axes.hpp>
#include <clprim/core/cheapest.hpp>
#include <clprim/core/device_facts.hpp>
#include <clprim/core/smooth.hpp>
#include <clprim/fft/plan/geometry.hpp>
#include <clprim/fft/plan/step.hpp>
#include <clprim/fft/problem.hpp>
#include <clprim/fft/tuned.hpp>

namespace clprim::detail {

/// One axis to be transformed, as the pass that does it where one can, and where it lies.
struct fft_line {
  fft_pass pass;
  fft_memory from, to;

  /// Whether other transforms lie between its points.
  bool in_columns() const {
    return std::any_of(pass.outer.begin(), pass.outer.end(), [this](const fft_axis& a) {
      return a.extent > 1 && (a.in.step < pass.along.in.step || a.out.step < pass.along.out.step);
    });
  }
};

/// Neighbouring axes that are one in every respect become one.
inline void merge_outer(std::vector<fft_axis>& axes) {
  merge_axes(axes, [](const fft_axis& slow, const fft_axis& fast) {
    return slow.in == fast.extent * fast.in && slow.out == fast.extent * fast.out && !slow.odd &&
           !fast.odd;
  });
}

/// The first axis is the one whose transforms are neighbours in memory, where the points are not;
/// else the longest. The last one is the longest of the others: its extent is told at run time.
inline void order_outer(std::vector<fft_axis>& axes, const fft_axis& along) {
  if (axes.empty()) axes.push_back({});
  const auto worth = [&](const fft_axis& a) {
    const bool in = along.in.step > a.in.step && a.in.step == 1;
    const bool out = along.out.step > a.out.step && a.out.step == 1;
    return (in ? 2e18 : 0) + (out ? 2e18 : 0) + static_cast<double>(a.extent);
  };
  std::sort(axes.begin(), axes.end(),
            [&](const fft_axis& a, const fft_axis& b) { return worth(a) > worth(b); });
  if (axes.size() > 2) std::swap(axes[1], axes.back());
}

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
inline fft_memory take(fft_planning& c, std::int64_t elements) {
  return {fft_buffer::work, std::exchange(c.plan.work_elements, c.plan.work_elements + elements)};
}

/// The policy of a pass of n points.
inline fft_policy policy_for(const fft_planning& c, std::int64_t n, bool columns) {
  return c.options.policy.value_or(tuned_fft(c.device, n, c.is_double, columns));
}

inline fft_policy policy_for(const fft_planning& c, const fft_line& l) {
  return policy_for(c, l.pass.length, l.in_columns());
}

/// The policy of a pass that convolves n points.
inline fft_policy convolution_policy(const fft_planning& c, std::int64_t n, bool columns) {
  return c.options.policy.value_or(tuned_fft_convolution(c.device, n, c.is_double, columns));
}

/// The stages of a pass that convolves n points.
inline fft_stages convolution_stages(const fft_planning& c, std::int64_t n, bool columns,
                                     stage_use use) {
  const fft_policy p = convolution_policy(c, n, columns);
  return item_stages(n, p.points, p.radices, c.device.max_work_group, use);
}

/// The policy of a pass of several axes, of n points together.
inline fft_policy axes_policy(const fft_planning& c, std::int64_t n) {
  const std::int64_t transforms = c.problem.batch() * product_of(c.problem.lengths) / n;
  return c.options.policy.value_or(tuned_fft_axes(c.device, n, transforms, c.is_double));
}

/// Whether codelets reach n points: an item holds those of a prime.
inline bool has_codelets(const fft_planning& c, std::int64_t n) {
  const fft_policy policy = policy_for(c, n, false);
  const int most = policy.shape != fft_shape::items ? 13 : c.is_double ? 19 : 37;
  return is_smooth(n, std::min(most, policy.one_pass));
}

/// Whether the points of a transform stay in the registers of its items; a convolution needs some
/// for itself. H200, 2026-11-27, us by one pass and by several: 14700 points of double (112
/// registers wanted of 93) 103 times 64 and 36, 700 times 390 and 172; 16384, whose values alone
/// fill them, 300 times 87 and 88. Bluestein's for 10667 points of double (96 of 70) 11 times 164
/// and 24, for 12037 of float (48 of 64) 2 times 41 and 18, 60 times 42 and 42.
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

/// The pass that a line is, or is convolved by.
inline fft_pass made_pass(const fft_line& l, fft_method method = fft_method::direct,
                          std::int64_t inner = 0) {
  fft_pass pass = l.pass;
  pass.method = method;
  pass.inner = inner;
  merge_outer(pass.outer);
  order_outer(pass.outer, pass.along);
  return pass;
}

/// Adds a pass to the plan.
inline void add(fft_planning& c, fft_pass pass, const fft_policy& policy, const fft_memory& from,
                const fft_memory& to) {
  const bool both =
      c.problem.in_place && from.buffer != fft_buffer::work && to.buffer != fft_buffer::work;
  pass.aliased = both || from.buffer == to.buffer;
  c.plan.steps.push_back({std::move(pass), policy, from, to});
}

/// Whether one pass does a line, or convolves it by `inner` points: what the policy gives a pass,
/// four times as much to a convolution, and the device has room for.
inline bool one_pass(const fft_planning& c, const fft_line& l, const fft_policy& policy,
                     fft_method method = fft_method::direct, std::int64_t inner = 0) {
  const fft_pass pass = made_pass(l, method, inner);
  const std::int64_t share = method == fft_method::convolution ? 4 : 1;
  return pass.points() <= share * policy.one_pass && fits(c, pass, policy);
}

/// The length of Bluestein's convolution in one pass, of `points` at least. By items: the one whose
/// stages cost least, of the smooth ones to a sixteenth more; by lanes: the shortest, or one that
/// is a multiple of 8 and not much longer.
inline std::int64_t convolution_length(const fft_planning& c, std::int64_t points, bool columns) {
  const std::int64_t least = next_smooth(points);
  if (convolution_policy(c, least, columns).shape == fft_shape::lanes) {
    std::int64_t best = least;
    while (best % 8 != 0) best = next_smooth(best + 1);
    return 10 * best <= 13 * least ? best : least;
  }
  cheapest<std::int64_t> length{least};
  for (std::int64_t m = least; 16 * m <= 17 * least; m = next_smooth(m + 1)) {
    const fft_stages stages = convolution_stages(c, m, columns, stage_use::bluestein);
    if (!stages.radices.empty()) length.offer(m, static_cast<double>(m) * stages.cost);
  }
  return length.value;
}

/// Whether Rader's stages of a line (of prime length) cost no more than Bluestein's of twice the
/// points or more, if one pass takes those: always under the library's own policies, not always
/// under those of few points or with odd radices. By lanes half the points are always less.
/// Time of Rader's by that of Bluestein's where the costs are closest, 2026-11-22: H200, 18 primes
/// from 71 to 7723: 0.45 to 1.04, at 5 of them more than 1; PoCL, 13 from 17 to 4001: 0.27 to 0.85.
inline bool rader_pays(const fft_planning& c, const fft_line& l) {
  const std::int64_t n = l.pass.length;
  const bool columns = l.in_columns();
  if (convolution_policy(c, n - 1, columns).shape == fft_shape::lanes) return true;
  const std::int64_t m = convolution_length(c, 2 * n - 1, columns);
  const auto cost = [&](std::int64_t points, stage_use use) {
    return static_cast<double>(points) * convolution_stages(c, points, columns, use).cost;
  };
  return !one_pass(c, l, convolution_policy(c, m, columns), fft_method::convolution, m) ||
         cost(n - 1, stage_use::rader) <= cost(m, stage_use::bluestein);
}

/// Adds the pass of a line where one does it; tells whether.
inline bool add_one(fft_planning& c, const fft_line& l, const fft_policy& policy,
                    fft_method method = fft_method::direct, std::int64_t inner = 0) {
  const bool one = one_pass(c, l, policy, method, inner);
  if (one) add(c, made_pass(l, method, inner), policy, l.from, l.to);
  return one;
}

/// Whether a line has transforms enough for all lanes, or units; few of them are better cut into
/// columns. H200, 2026-11-27, us by one pass and by two: double, one of 7000 13.2 and 10.9, 20 of
/// 8192 14.2 and 11.7, 30 of 9000 15.4 and 14.2, 20 of 16384 22.8 and 13.6, 400 of 9000 54 and 73;
/// float, one of 7000 9.1 and 10.2, 12 of 15000 13.9 and 10.9, 30 of 12000 12.1 and 11.8.
inline bool wide_enough(const fft_planning& c, const fft_line& l) {
  const fft_policy policy = policy_for(c, l);
  const std::int64_t n = l.pass.length, transforms = l.pass.transforms();
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
