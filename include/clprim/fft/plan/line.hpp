#pragma once
// One axis -> its passes, where codelets reach its length: one, or several by the four-step method.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/device_facts.hpp>
#include <clprim/fft/pass/items.hpp>
#include <clprim/fft/pass/lanes.hpp>
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
  return c.options.policy ? *c.options.policy : tuned_fft(c.device, n, c.is_double, columns);
}

inline fft_policy policy_for(const fft_planning& c, std::int64_t n, const fft_line& l) {
  return policy_for(c, n, l.in_columns());
}

/// Whether a pass fits the device.
inline bool fits(const fft_planning& c, const fft_pass& pass, const fft_policy& p) {
  if (p.shape == fft_shape::lanes)
    return lane_geometry_of(pass, p).local_bytes <= c.device.local_bytes;
  return item_geometry_of(pass, p, c.device.max_work_group, c.device.local_bytes).items > 0;
}

/// The pass of n points that a line is, or is convolved by.
inline fft_pass make_pass(const fft_planning& c, const fft_line& l, std::int64_t n,
                          fft_method method, std::int64_t inner) {
  fft_pass pass{.length = n,
                .along = l.along,
                .outer = l.outer,
                .input = l.input,
                .output = l.output,
                .in = l.from.type,
                .out = l.to.type,
                .is_double = c.is_double,
                .swap_in = l.swap_in,
                .swap_out = l.swap_out,
                .scale = l.scale,
                .whole = l.whole,
                .in_points = l.in_points,
                .outside = l.in_points > 0 ? l.outside : fft_outside{},
                .out_points = l.out_points,
                .method = method,
                .inner = method == fft_method::direct ? 0 : inner,
                .in_factor = l.in_factor,
                .out_factor = l.out_factor};
  if (l.first) pass.load = c.options.load;
  if (l.last) pass.store = c.options.store;
  merge_outer(pass.outer);
  order_outer(pass.outer, pass.along);
  return pass;
}

/// Whether one pass takes n points here: what local memory holds.
inline bool one_pass(const fft_planning& c, std::int64_t n, const fft_line& l) {
  const fft_policy p = policy_for(c, n, l);
  return n <= p.one_pass && fits(c, make_pass(c, l, n, fft_method::direct, n), p);
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

/// Whether there are transforms enough for all lanes; one alone is better cut into columns.
inline bool wide_enough(const fft_planning& c, const fft_line& l) {
  const fft_policy policy = policy_for(c, l.length, l);
  if (policy.shape != fft_shape::lanes) return true;
  std::int64_t transforms = 1;
  for (const fft_axis& a : l.outer) transforms *= a.extent;
  return transforms >= policy.lanes || l.length < 16 * policy.lanes * policy.lanes ||
         l.input == fft_input::real_pairs || l.input == fft_input::spectrum_pairs;
}

inline bool column_fits(const fft_planning& c, std::int64_t n) {
  fft_line l{.length = n, .along = {}, .outer = {}, .from = {}, .to = {}};
  l.along = {.in_step = 1 << 20, .out_step = 1 << 20, .in_place = 1, .out_place = 1};
  l.outer = {{.extent = 1 << 20, .in_step = 1, .out_step = 1}};
  fft_pass pass = make_pass(c, l, n, fft_method::direct, n);
  pass.turn = n;
  return fits(c, pass, policy_for(c, n, true));
}

/// N = n1 n2, n1 the points of the first of as few passes as there can be, as near their root as
/// factors allow.
inline std::int64_t cut(const fft_planning& c, std::int64_t n) {
  const auto most = static_cast<double>(policy_for(c, n, true).one_pass);
  double rest = most;  // that the other passes can take
  for (int passes = 2; passes < 64; ++passes, rest *= most) {
    auto d = static_cast<std::int64_t>(std::pow(static_cast<double>(n), 1.0 / passes) + 1e-6);
    while (d > 1 && (n % d != 0 || d > policy_for(c, d, true).one_pass || !column_fits(c, d))) --d;
    if (d > 1 && static_cast<double>(n / d) <= rest) return d;
  }
  throw policy_error("a transform of " + std::to_string(n) +
                     " points has no factor that one pass takes with " +
                     to_string(policy_for(c, n, true)));
}

/// The four-step method (Gentleman and Sande 1966; Bailey 1990): columns of a matrix n1 x n2,
/// factors, rows, whose points k2 are points k1 + n1 k2 of the result.
inline void several_passes(fft_planning& c, const fft_line& l) {
  const std::int64_t n = l.length, n1 = cut(c, n), n2 = n / n1;
  const fft_policy policy = policy_for(c, n1, true);
  // The workspace [outer …][n1][n2][side], or the places in it where this line already lives.
  // Neighbours in memory stay side by side there.
  const bool inside =
      l.from.buffer == fft_buffer::work && l.input == fft_input::complex_points && l.in_points == 0;
  const auto beside = std::find_if(l.outer.begin(), l.outer.end(), [&](const fft_axis& a) {
    return policy.shape == fft_shape::items && a.in_step == 1 && l.along.in_step > 1 &&
           a.extent >= policy.columns;
  });
  const std::int64_t unit = inside ? l.along.in_step : beside != l.outer.end() ? beside->extent : 1;
  fft_place middle{fft_buffer::work, 0, {}, {}, c.plain()};
  std::vector<fft_axis> columns, rows;
  std::int64_t step = n * unit;
  for (auto a = l.outer.begin(); a != l.outer.end(); ++a) {
    fft_axis column = *a, row = *a;
    column.out_step = row.in_step = inside ? a->in_step : a == beside ? 1 : step;
    column.out_place = column.out_index = row.in_place = row.in_index = 0;
    if (a != beside) step *= a->extent;
    columns.push_back(column);
    rows.push_back(row);
  }
  middle.offset = inside ? l.from.offset : take(c, step);
  fft_line first = l;
  first.length = n1;
  first.last = false;
  first.output = fft_output::complex_points;
  first.to = middle;
  first.swap_out = false;
  first.out_points = 0;
  first.out_factor = no_table;
  first.scale = 1;
  first.outer = columns;
  const fft_axis turning{.extent = n2,
                         .in_step = l.along.in_step,
                         .out_step = unit,
                         .in_place = l.along.in_place,
                         .in_index = l.along.in_index};
  first.outer.push_back(turning);
  first.along = {.in_step = n2 * l.along.in_step,
                 .out_step = n2 * unit,
                 .in_place = n2 * l.along.in_place,
                 .out_place = 1,
                 .in_index = n2 * l.along.in_index};
  fft_pass pass = make_pass(c, first, n1, fft_method::direct, n1);
  pass.turn = n;
  const auto at = std::find(pass.outer.begin(), pass.outer.end(), turning);
  if (beside != l.outer.end())
    pass.turn_axis = static_cast<int>(at - pass.outer.begin());
  else
    std::rotate(pass.outer.begin(), at, at + 1);
  add(c, std::move(pass), policy, l.from, middle);

  fft_line second = l;
  second.length = n2;
  second.first = false;
  second.input = fft_input::complex_points;
  second.from = middle;
  second.swap_in = false;
  second.in_points = 0;
  second.in_factor = no_table;
  second.outer = rows;
  second.outer.push_back({.extent = n1,
                          .in_step = n2 * unit,
                          .out_step = l.along.out_step,
                          .out_place = l.along.out_place,
                          .out_index = l.along.out_index});
  second.along = {.in_step = unit,
                  .out_step = n1 * l.along.out_step,
                  .in_place = 1,
                  .out_place = n1 * l.along.out_place,
                  .out_index = n1 * l.along.out_index};
  const fft_policy last = policy_for(c, n2, true);
  fft_pass whole = make_pass(c, second, n2, fft_method::direct, n2);
  if (n2 <= last.one_pass && fits(c, whole, last))
    return add(c, std::move(whole), last, middle, l.to);
  several_passes(c, second);
}

/// Adds the passes of a length that codelets reach.
inline void smooth(fft_planning& c, const fft_line& l) {
  const fft_policy policy = policy_for(c, l.length, l);
  fft_pass pass = make_pass(c, l, l.length, fft_method::direct, l.length);
  if (wide_enough(c, l) && l.length <= policy.one_pass && fits(c, pass, policy))
    return add(c, std::move(pass), policy, l.from, l.to);
  several_passes(c, l);
}

}  // namespace clprim::detail
