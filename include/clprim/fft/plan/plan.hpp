#pragma once
// problem -> the passes that compute it, and the room for what lies between them. No OpenCL calls.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <clprim/fft/plan/joined.hpp>
#include <clprim/fft/plan/line.hpp>

namespace clprim {
namespace detail {

/// Two steps as one, where that pays and is possible: transform by transform (`apart`), or all of
/// them at once.
inline std::optional<fft_step> in_one_launch(const fft_planning& c, const fft_step& first,
                                             const fft_step& second) {
  if (first.pass.spectrum != no_table || second.pass.spectrum != no_table) return std::nullopt;
  fft_step a = first, b = second;
  bool apart = true, at_once = true;
  if (!c.options.policy) {
    const auto both = tuned_fft_joined(c.device, a.pass, b.pass);
    if (!both) return std::nullopt;
    a.policy = both->first;
    b.policy = both->second;
    at_once = both->at_once;
    apart = !at_once;
  }
  if (a.policy.streaming == fft_streaming::both) {
    a.policy.streaming = fft_streaming::loads;  // what lies between stays in the cache
    b.policy.streaming = fft_streaming::stores;
  }
  match_groups(a, b, c.device);
  if (apart) a.second = pipelined(a, b, c.problem.in_place, c.device);
  if (a.second && (c.options.policy || a.second->pays())) return a;
  a.second = at_once ? followed(a, b, c.device) : std::nullopt;
  return a.second ? std::optional(a) : std::nullopt;
}

/// Two steps become one where that pays and is possible, or agree on blocks between them.
inline void join_steps(fft_planning& c) {
  std::vector<fft_step>& steps = c.plan.steps;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    if (!c.options.policy && steps[i].pass.turn != 0 && steps[i].pass.spectrum == no_table)
      for (const std::size_t j : {i, i + 1})
        steps[j].policy = tuned_fft_four_step(c.device, steps[j].pass, j == i, steps[j].policy);
    if (auto both = in_one_launch(c, steps[i], steps[i + 1])) {
      steps[i] = std::move(*both);
      steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    } else {
      fft_step a = steps[i];
      if (!c.options.policy && a.pass.turn == 0)
        a.policy = tuned_fft_blocked_rows(c.device, a.pass, a.policy);
      if (a.policy.blocked && lay_in_blocks(a, steps[i + 1], c.device))
        steps[i] = std::move(a);
      else
        steps[i].policy.blocked = false;
    }
  }
  if (steps.size() != 1 || !steps[0].second || steps[0].second->ring == 0) return;
  steps[0].to.offset = 0;
  c.plan.work_elements =
      std::min(c.plan.work_elements, steps[0].second->ring * steps[0].second->step);
}

/// Passes that have the device to themselves get groups so small that no unit is idle, and the
/// exchange that suits what they write, where local memory has the room.
inline void choose_by_use(fft_planning& c) {
  if (c.options.policy) return;
  for (fft_step& s : c.plan.steps) {
    if (s.second || s.policy.blocked) continue;
    const item_geometry g = item_geometry_of(s.pass, s.policy, c.device);
    const fft_policy chosen =
        tuned_fft_for_use(c.device, s.pass, g.items, g.in_rows && g.out_rows, s.policy);
    if (item_geometry_of(s.pass, chosen, c.device).items > 0) s.policy = chosen;
  }
}

/// Every other pass of a batch by items starts where the one before it ended: what that wrote
/// last is in the cache. H200, driver 580.159.04, 2026-11-22, 2^26 points, us one way and to and
/// fro: 2^18 534.0 532.2, 2^20 550.6 550.5, 2^24 745.4 743.5, 2048 x 2048 560.9 557.2,
/// 4096 x 4096 611.1 608.2, 256 x 256 x 256 687.7 685.4; two of 2048 x 2048 93.5 90.7, eight of
/// 2^20 90.7 89.5. One transform alone ends everywhere at once: 256 x 256 x 256 182.6 186.5.
inline void turn_back(fft_planning& c) {
  if (c.problem.batch() < 2) return;
  for (std::size_t i = 1; i < c.plan.steps.size(); ++i) {
    fft_step& s = c.plan.steps[i];
    s.pass.backwards =
        s.policy.shape == fft_shape::items && !s.second && !c.plan.steps[i - 1].pass.backwards;
  }
}

/// An array that a pass reads or writes: all axes, the last fastest unless strides say otherwise.
struct fft_place {
  fft_memory at{};
  std::vector<std::int64_t> extents{};
  std::vector<std::int64_t> strides{};
  element type{};
};

/// Where the result of an axis that is not the last goes: the output where it has the room, else
/// the workspace.
inline fft_place between(fft_planning& c, const fft_place& now, std::size_t axis,
                         const fft_place& end) {
  fft_place next{.extents = now.extents, .type = c.plain()};
  const std::size_t rank = now.extents.size();
  const bool halves = c.problem.real && axis + 1 == rank;
  const std::int64_t n = c.problem.lengths[axis + static_cast<std::size_t>(c.problem.axes) - rank];
  next.extents[axis] = std::min(halves ? half_of(n) : n, end.extents[axis]);
  // Cosine and sine transforms keep their size: every axis but the first works in the output.
  const bool trigonometric = c.problem.trigonometric != fft_trigonometric::none;
  bool room = (trigonometric ? end.type == c.real() : end.type == c.plain()) &&
              c.options.store.empty() && !(c.problem.real && c.problem.inverse) &&
              !c.problem.out.split;
  for (std::size_t a = 0; a < rank; ++a) room = room && next.extents[a] <= end.extents[a];
  // In place the output is written over input that other groups may still read.
  if (c.problem.in_place && next.extents != c.problem.out.extents) room = false;
  if (c.problem.in_place && c.problem.in.extents != c.problem.out.extents && !c.problem.real)
    room = false;
  if (trigonometric && !room) {
    throw argument_error("a cosine or sine transform of several axes",
                         "works in its output, in the type of the arithmetic",
                         "another type, or a store function", "float or double as computed");
  }
  next.strides = tight_strides(next.extents);
  // Runs that are short cost more where they are read than where they are written.
  const bool transposed = c.options.policy
                              ? c.options.policy->transposed
                              : tuned_fft_transposed(c.device, c.problem.lengths[0],
                                                     c.problem.lengths.back(), c.is_double);
  if (transposed && c.problem.axes == 2 && axis + 1 == rank && !c.problem.real && !trigonometric) {
    next.strides[rank - 2] = 1;
    next.strides[rank - 1] = next.extents[rank - 2];
  } else if (room) {
    return {{fft_buffer::output}, next.extents, end.strides, end.type};
  } else if (now.at.buffer == fft_buffer::work && next.extents == now.extents) {
    return {now.at, now.extents, now.strides, next.type};
  }
  next.at = take(c, product_of(next.extents));
  return next;
}

/// Whether the last `count` axes lie as one run of points without gaps.
inline bool without_gaps(const fft_place& at, std::size_t count) {
  const std::size_t rank = at.extents.size();
  bool tight = at.strides.back() == 1;
  for (std::size_t a = rank - count; a + 1 < rank; ++a)
    tight = tight && at.strides[a] == at.extents[a + 1] * at.strides[a + 1];
  return tight;
}

/// How many of the last axes are one pass, as where local memory holds all their points; 1: each
/// has passes of its own.
inline std::size_t axes_together(const fft_planning& c, const fft_place& from,
                                 const fft_place& to) {
  const fft_problem& q = c.problem;
  const std::size_t rank = from.extents.size(), axes = static_cast<std::size_t>(q.axes);
  if (q.trigonometric != fft_trigonometric::none) return 1;
  // Back to real values the last axis comes last: all axes or none.
  const bool back = q.real && q.inverse;
  for (std::size_t count = axes; count > (back ? axes - 1 : 1) && count > 1; --count) {
    fft_pass p{.is_double = c.is_double};
    bool whole = without_gaps(from, count) && without_gaps(to, count);
    for (std::size_t a = rank - count; a < rank && whole; ++a) {
      const std::int64_t n = q.lengths[a + axes - rank];
      const std::int64_t kept = q.real && a + 1 == rank ? half_of(n) : n;
      whole = n > 1 && n <= (1 << 20) / p.length && has_codelets(c, n) &&
              from.extents[a] == (back ? kept : n) && to.extents[a] == (back ? n : kept);
      p.axes.push_back(n);
      p.length *= n;
    }
    if (!whole) continue;
    p.outer = {{.extent = q.batch()}};
    const fft_policy policy = axes_policy(c, p.length);
    if (!policy.transposed && policy.pipeline_kib == 0 && p.length <= policy.one_pass &&
        fits(c, p, policy))
      return count;
  }
  return 1;
}

/// Whether the last pass of a plan, of two rows of real values in one, is faster than each by
/// itself, where units have as much to do so; direct ones where their values are few enough to stay
/// in the registers, and many times what the device holds at a time.
///
/// H200, driver 580.159.04, 2026-11-28, float, us two by two and apart. Of 2^25 real values: 81
/// points 84 97, 95 89 121, 315 98 128, 1009 (Rader's) 153 200, 3125 107 118, 4095 111 126, 4097
/// (Bluestein's) 311 362; the same 1001 100 100, 2187 101 99, 625 103 96; 999, whose items hold 37
/// points, 149 136; double, 315 88 92, 4095 134 122. Of 2^20: 95 9.6 9.3, 625 9.6 8.9, 1001 9.7
/// 8.7, 4097 15.7 18.0; 52 pairs of 10007 25.3 17.5.
inline bool two_rows_pay(const fft_planning& c, bool inverse) {
  const fft_step& step = c.plan.steps.back();
  const std::int64_t pairs = step.pass.transforms(), units = units_of(c.device);
  if (c.device.kind == device_kind::gpu && 2 * pairs <= units) return false;
  if (step.pass.method == fft_method::convolution) return true;
  if (inverse || c.device.kind != device_kind::gpu || step.policy.shape != fft_shape::items)
    return false;
  const item_geometry g = item_geometry_of(step.pass, step.policy, c.device);
  return g.variables() * (c.is_double ? 4 : 2) <= 42 && pairs * g.items >= 2048 * units;
}

/// Adds the pass that transforms two rows of real values as one of complex ones, where one pass
/// does; tells whether.
inline bool two_rows(fft_planning& c, fft_line l) {
  fft_pass& p = l.pass;
  merge_outer(p.outer);
  order_outer(p.outer, p.along);
  const auto rows =
      std::max_element(p.outer.begin(), p.outer.end(),
                       [](const fft_axis& a, const fft_axis& b) { return a.extent < b.extent; });
  const fft_policy policy = policy_for(c, l);
  const int least = policy.shape == fft_shape::lanes ? 2 * policy.lanes : 2;
  if (!c.options.pair_rows.value_or(policy.shape == fft_shape::items) || rows->extent < least ||
      p.length < 3 || p.read.outside.any())
    return false;
  const bool inverse = p.read.kind == fft_form::half_spectrum;
  p.read.kind = inverse ? fft_form::half_of_rows : fft_form::real_rows;
  p.write.kind = inverse ? fft_form::real_rows : fft_form::half_of_rows;
  p.read.second = rows->in;
  p.write.second = rows->out;
  *rows = {(rows->extent + 1) / 2, 2 * rows->in, 2 * rows->out, rows->extent % 2 != 0};
  fft_planning tried = c;
  transform(tried, l);
  if (tried.plan.steps.size() != c.plan.steps.size() + 1) return false;
  if (!c.options.pair_rows && !two_rows_pay(tried, inverse)) return false;
  c.plan = std::move(tried.plan);
  return true;
}

/// Adds the passes of one axis, or of the last `count` together.
inline void add_axis(fft_planning& c, const fft_place& from, const fft_place& to, std::size_t axis,
                     std::size_t count, bool first, bool last) {
  const std::size_t rank = from.extents.size();
  const std::size_t number = axis + static_cast<std::size_t>(c.problem.axes) - rank;
  const std::int64_t n = c.problem.lengths[number], has = from.extents[axis],
                     wants = to.extents[axis];
  const bool real = c.problem.real && axis + 1 == rank, inverse = c.problem.inverse;
  const auto in_index = tight_strides(from.extents), out_index = tight_strides(to.extents);
  fft_line l{{.length = n, .is_double = c.is_double, .whole = n}, from.at, to.at};
  fft_pass& p = l.pass;
  p.read = {.type = from.type, .swapped = inverse};
  p.write = {.type = to.type, .swapped = inverse};
  if (first) p.read.user = c.options.load;
  if (last) p.write.user = c.options.store;
  p.read.split = first && c.problem.in.split;
  p.write.split = last && c.problem.out.split;
  if (last) p.write.scale = inverse ? c.options.inverse_scale : c.options.forward_scale;
  for (std::size_t a = 0; a < rank; ++a) {
    const fft_stride in{from.strides[a], 0, p.read.user.empty() ? 0 : in_index[a]},
        out{to.strides[a], 0, p.write.user.empty() ? 0 : out_index[a]};
    if (a == axis)
      p.along = {.in = {in.step, 1, in.index}, .out = {out.step, 1, out.index}};
    else if (a + count <= axis || a > axis)
      p.outer.push_back({.extent = std::min(from.extents[a], to.extents[a]), .in = in, .out = out});
  }
  if (has < (real && inverse ? half_of(n) : n)) p.read.points = has;
  if (p.read.points > 0 && !c.options.outside.empty() && !inverse)
    p.read.outside = c.options.outside[number];
  if (wants < n || (real && !inverse)) p.write.points = wants;
  if (c.problem.trigonometric != fft_trigonometric::none)
    return transform(c, trigonometric_line(c, l));
  if (real) {
    p.read.kind = inverse ? fft_form::half_spectrum : fft_form::real_points;
    p.write.kind = inverse ? fft_form::real_points : fft_form::complex_points;
  }
  if (count > 1) {
    for (std::size_t a = 0; a < count; ++a)
      p.axes.push_back(c.problem.lengths[number + 1 + a - count]);
    p.length = product_of(p.axes);
    p.half = real && !inverse;
    p.write.points = 0;
    return add(c, made_pass(l), axes_policy(c, p.length), from.at, to.at);
  }
  if (real) {
    // By pairs of values, as a transform of half as many points, where one pass takes those.
    if (n % 2 == 0 && n > 2 && has_codelets(c, n / 2)) {
      fft_line by_pairs = l;
      fft_pass& halved = by_pairs.pass;
      halved.length = n / 2;
      halved.read.kind = inverse ? fft_form::half_of_pairs : fft_form::real_pairs;
      halved.write.kind = inverse ? fft_form::real_pairs : fft_form::half_of_pairs;
      fft_stride& values = inverse ? halved.along.out : halved.along.in;
      values = 2 * values;
      if (!inverse && wants == half_of(n)) halved.write.points = 0;
      if ((c.device.kind == device_kind::cpu || wide_enough(c, by_pairs)) &&
          add_one(c, by_pairs, policy_for(c, by_pairs)))
        return;
    }
    if (two_rows(c, l)) return;
  }
  transform(c, l);
}

}  // namespace detail

/// The passes of a problem on a device; throws policy_error when no pass takes a factor of a
/// length.
inline fft_plan plan_fft(const fft_problem& p, const fft_options& o, const device_facts& device,
                         bool is_double) {
  using namespace detail;
  fft_planning c{p, o, device, is_double};
  const std::size_t rank = p.in.extents.size(), axes = static_cast<std::size_t>(p.axes);
  std::vector<std::size_t> order;
  for (std::size_t a = rank; a-- > rank - axes;) order.push_back(a);
  // Back to real values the last axis comes last.
  if (p.real && p.inverse) std::rotate(order.begin(), order.begin() + 1, order.end());
  fft_place now{{fft_buffer::input}, p.in.extents, p.in.strides, p.in.type};
  const fft_place end{{fft_buffer::output}, p.out.extents, p.out.strides, p.out.type};
  for (std::size_t i = 0; i < order.size();) {
    const std::size_t count = i == 0 ? axes_together(c, now, end) : 1,
                      axis = count > 1 ? rank - 1 : order[i];
    const bool first = i == 0, last = (i += count) == order.size();
    fft_place next = last ? end : between(c, now, axis, end);
    add_axis(c, now, next, axis, count, first, last);
    now = next;
  }
  join_steps(c);
  choose_by_use(c);
  turn_back(c);
  return std::move(c.plan);
}

}  // namespace clprim
