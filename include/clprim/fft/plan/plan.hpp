#pragma once
// problem -> the passes that compute it, and the room for what lies between them. No OpenCL calls.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <clprim/core/smooth.hpp>
#include <clprim/fft/methods/trigonometric.hpp>
#include <clprim/fft/plan/blocks.hpp>
#include <clprim/fft/plan/line.hpp>
#include <clprim/fft/plan/pair.hpp>

namespace clprim {
namespace detail {

/// Builds the steps of one problem.
class fft_planner : public fft_line_planner {
 public:
  using fft_line_planner::fft_line_planner;

  fft_plan build() {
    const std::size_t rank = p_.in.extents.size(), axes = static_cast<std::size_t>(p_.axes);
    std::vector<std::size_t> order;
    for (std::size_t a = rank; a-- > rank - axes;) order.push_back(a);
    // Back to real values the last axis comes last.
    if (p_.real && p_.inverse) std::rotate(order.begin(), order.begin() + 1, order.end());
    fft_place now{fft_buffer::input, 0, p_.in.extents, p_.in.strides, p_.in.type};
    const fft_place end{fft_buffer::output, 0, p_.out.extents, p_.out.strides, p_.out.type};
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool last = i + 1 == order.size();
      fft_place next = last ? end : between(now, order[i], end);
      add_axis(now, next, order[i], i == 0, last);
      now = next;
    }
    join_steps();
    turn_back();
    return std::move(plan_);
  }

 private:
  /// Two steps become one where that pays and is possible, or agree on blocks between them.
  void join_steps() {
    std::vector<fft_step>& steps = plan_.steps;
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      if (!o_.policy && steps[i].pass.turn != 0)
        for (const std::size_t j : {i, i + 1})
          steps[j].policy = tuned_fft_four_step(device_, steps[j].pass.length, j == i, is_double_,
                                                steps[j].policy);
      if (auto both = in_one_launch(steps[i], steps[i + 1])) {
        steps[i] = std::move(*both);
        steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      } else {
        fft_step a = steps[i], b = steps[i + 1];
        if (!o_.policy && a.pass.turn == 0)
          a.policy = tuned_fft_blocked_rows(device_, a.pass.length, is_double_, a.policy);
        if (a.policy.blocked && lay_in_blocks(a, b, device_)) {
          steps[i] = std::move(a);
          steps[i + 1] = std::move(b);
        } else {
          steps[i].policy.blocked = false;
        }
      }
    }
    if (steps.size() != 1 || !steps[0].second || steps[0].to != fft_buffer::work) return;
    steps[0].to_offset = 0;
    plan_.work_elements =
        std::min(plan_.work_elements, steps[0].second->ring * steps[0].second->step);
  }

  /// Every other pass of a batch by items starts where the one before it ended: what that wrote
  /// last is in the cache. H200, driver 580.159.04, 2026-11-22, 2^26 points, us one way and to and
  /// fro: 2^18 534.0 532.2, 2^20 550.6 550.5, 2^24 745.4 743.5, 2048 x 2048 560.9 557.2,
  /// 4096 x 4096 611.1 608.2, 256 x 256 x 256 687.7 685.4; two of 2048 x 2048 93.5 90.7, eight of
  /// 2^20 90.7 89.5. One transform alone ends everywhere at once: 256 x 256 x 256 182.6 186.5.
  void turn_back() {
    if (p_.batch() < 2) return;
    for (std::size_t i = 1; i < plan_.steps.size(); ++i) {
      fft_step& s = plan_.steps[i];
      s.pass.backwards =
          s.policy.shape == fft_shape::items && !s.second && !plan_.steps[i - 1].pass.backwards;
    }
  }

  /// Two steps as one, where that pays and is possible.
  std::optional<fft_step> in_one_launch(fft_step a, fft_step b) const {
    if (!o_.policy) {
      const auto both =
          tuned_fft_pipeline(device_, a.pass.length, b.pass.length, a.pass.turn != 0, is_double_);
      if (!both) return std::nullopt;
      a.policy = both->first;
      b.policy = both->second;
    }
    if (a.policy.streaming == fft_streaming::both) {
      a.policy.streaming = fft_streaming::loads;  // what lies between stays in the cache
      b.policy.streaming = fft_streaming::stores;
    }
    match_groups(a.pass, a.policy, b.pass, b.policy, device_);
    a.second = pipelined(a, b, p_.in_place, device_);
    if (!a.second || (!o_.policy && !a.second->pays())) return std::nullopt;
    return a;
  }

  /// Where the result of an axis that is not the last goes: the output where it has the room, else
  /// the workspace.
  fft_place between(const fft_place& now, std::size_t axis, const fft_place& end) {
    fft_place next{fft_buffer::work, 0, now.extents, {}, plain_};
    const std::size_t rank = now.extents.size();
    const bool halves = p_.real && axis + 1 == rank;
    const std::int64_t n = p_.lengths[axis + static_cast<std::size_t>(p_.axes) - rank];
    next.extents[axis] = std::min(halves ? half_of(n) : n, end.extents[axis]);
    // Cosine and sine transforms keep their size: every axis but the first works in the output.
    const bool trigonometric = p_.trigonometric != fft_trigonometric::none;
    bool room = (trigonometric ? end.type == real_ : end.type == plain_) && o_.store.empty() &&
                !(p_.real && p_.inverse);
    for (std::size_t a = 0; a < rank; ++a) room = room && next.extents[a] <= end.extents[a];
    // In place the output is written over input that other groups may still read.
    if (p_.in_place && next.extents != p_.out.extents) room = false;
    if (p_.in_place && p_.in.extents != p_.out.extents && !p_.real) room = false;
    if (trigonometric && !room) {
      throw argument_error("a cosine or sine transform of several axes",
                           "works in its output, in the type of the arithmetic",
                           "another type, or a store function", "float or double as computed");
    }
    // Runs that are short cost more where they are read than where they are written.
    const bool transposed =
        o_.policy ? o_.policy->transposed
                  : tuned_fft_transposed(device_, p_.lengths[0], p_.lengths.back(), is_double_);
    if (transposed && p_.axes == 2 && axis + 1 == rank && !p_.real && !trigonometric) {
      next.strides = tight_strides(next.extents);
      next.strides[rank - 2] = 1;
      next.strides[rank - 1] = next.extents[rank - 2];
      std::int64_t all = 1;
      for (const std::int64_t e : next.extents) all *= e;
      next.offset = take(all);
      return next;
    }
    if (room) {
      next.buffer = fft_buffer::output;
      next.type = end.type;
      next.strides = end.strides;
      return next;
    }
    if (now.buffer == fft_buffer::work && next.extents == now.extents) {
      next.strides = now.strides;
      next.offset = now.offset;
      return next;
    }
    next.strides = tight_strides(next.extents);
    next.offset = take(next.strides[0] * next.extents[0]);
    return next;
  }

  /// A cosine or sine transform as the real part of a complex one of twice the length, whose second
  /// half is zero on its way in and not wanted on its way out.
  line trigonometric_line(line l) {
    const auto factors = trigonometric_factors(p_.trigonometric, l.length);
    l.in_factor = plan_.tables.add(factors.in);
    l.out_factor = plan_.tables.add(factors.out);
    l.in_points = l.out_points = l.length;
    l.length *= 2;
    l.whole = l.length;
    l.input = fft_input::real_points;
    l.output = fft_output::real_points;
    l.swap_in = l.swap_out = false;
    return l;
  }

  void add_axis(const fft_place& from, const fft_place& to, std::size_t axis, bool first,
                bool last) {
    const std::size_t rank = from.extents.size();
    const std::int64_t n = p_.lengths[axis + static_cast<std::size_t>(p_.axes) - rank];
    const bool real = p_.real && axis + 1 == rank;
    const auto in_index = tight_strides(from.extents), out_index = tight_strides(to.extents);
    line l{.length = n,
           .along = {},
           .outer = {},
           .from = from,
           .to = to,
           .first = first,
           .last = last};
    for (std::size_t a = 0; a < rank; ++a) {
      fft_axis x{.extent = std::min(from.extents[a], to.extents[a]),
                 .in_step = from.strides[a],
                 .out_step = to.strides[a],
                 .in_index = first && !o_.load.empty() ? in_index[a] : 0,
                 .out_index = last && !o_.store.empty() ? out_index[a] : 0};
      if (a != axis) {
        l.outer.push_back(x);
        continue;
      }
      x.extent = 1;
      x.in_place = x.out_place = 1;
      l.along = x;
    }
    l.swap_in = l.swap_out = p_.inverse;
    l.whole = n;
    if (last) l.scale = p_.inverse ? o_.inverse_scale : o_.forward_scale;
    const std::int64_t in = real && p_.inverse ? half_of(n) : n,
                       out = real && !p_.inverse ? half_of(n) : n;
    if (from.extents[axis] < in) l.in_points = from.extents[axis];
    if (!o_.outside.empty() && !p_.inverse)
      l.outside = o_.outside[axis + static_cast<std::size_t>(p_.axes) - rank];
    if (to.extents[axis] < n || to.extents[axis] < out) l.out_points = to.extents[axis];
    if (real && !p_.inverse) l.out_points = to.extents[axis];
    if (p_.trigonometric != fft_trigonometric::none) return transform(trigonometric_line(l));
    if (real) {
      l.input = p_.inverse ? fft_input::half_spectrum : fft_input::real_points;
      l.output = p_.inverse ? fft_output::real_points : fft_output::complex_points;
      const std::int64_t half = n / 2;
      if (n % 2 == 0 && half > 1 && is_smooth(half) && one_pass(half, l)) {
        l.length = half;
        if (p_.inverse) {
          l.input = fft_input::spectrum_pairs;
          l.output = fft_output::real_pairs;
          l.along.out_step *= 2;
          l.along.out_index *= 2;
          l.along.out_place = 2;
        } else {
          l.input = fft_input::real_pairs;
          l.output = fft_output::half_of_pairs;
          l.along.in_step *= 2;
          l.along.in_index *= 2;
          l.along.in_place = 2;
          if (to.extents[axis] == half_of(n)) l.out_points = 0;
        }
      }
    }
    transform(l);
  }
};

}  // namespace detail

/// The passes of a problem on a device; throws policy_error when no pass takes a factor of a
/// length.
inline fft_plan plan_fft(const fft_problem& p, const fft_options& o, const device_facts& device,
                         bool is_double) {
  return detail::fft_planner(p, o, device, is_double).build();
}

}  // namespace clprim
