#pragma once
// How one reduction is run: the policy as it is built, groups, workspace; and the kernels.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>

#include <clprim/reduce/problem.hpp>
#include <clprim/reduce/source.hpp>
#include <clprim/reduce/tuned.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/program.hpp>

namespace clprim {

/// How one reduction is run.
struct reduce_schedule {
  reduce_policy policy{};
  reduce_variant variant{};
  int parts = 1;            ///< groups that share a result
  std::int64_t groups = 1;  ///< of the first kernel
  int list_room = 0;        ///< ragged: long segments that there can be

  friend constexpr bool operator==(const reduce_schedule&, const reduce_schedule&) = default;
};

namespace detail {

constexpr std::int64_t ceiling(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// The largest power of two up to `most` that divides everything.
constexpr int common_vector(std::int64_t bits, int most) {
  while (most > 1 && bits % most != 0) most /= 2;
  return most;
}

/// Counting inside one part is done in 32 bits.
inline constexpr std::int64_t longest_part = std::int64_t{1} << 28;

/// Rows, and the short segments of a ragged problem.
inline void schedule_rows(reduce_schedule& s, const reduce_problem& p, std::int64_t units) {
  reduce_variant& v = s.variant;
  const bool ragged = p.shape == reduce_shape::ragged;
  const std::int64_t length = ragged ? ceiling(p.length, std::max<std::int64_t>(1, p.outer))
                                     : std::max<std::int64_t>(1, p.length);
  while (v.vector > 1 && length < 4 * v.vector) v.vector /= 2;
  v.aligned = !ragged && common_vector(p.x_offset | p.length | (p.outer > 1 ? p.x_outer : 0) |
                                           p.y_offset | (p.outer > 1 ? p.y_outer : 0),
                                       v.vector) == v.vector;
  const std::int64_t loads = ceiling(length, v.vector);
  const std::int64_t target = units * s.policy.groups_per_unit;
  // Many rows: as few items per row as keep row_steps loads each; few rows: the whole group.
  std::int64_t items = 1;
  while (items < s.policy.group &&
         (items * s.policy.row_steps < loads || p.outer * items < target * s.policy.group / 4))
    items *= 2;
  while (items > 1 && items / 2 >= loads && s.policy.group > 1) items /= 2;
  v.items = static_cast<int>(std::min<std::int64_t>(items, s.policy.group));
  // Putting loads and lanes together costs more than they gain where an item has little to do.
  while (s.policy.loads > 1 && loads < 2LL * v.items * s.policy.loads) s.policy.loads /= 2;
  const std::int64_t blocks = ceiling(p.outer, s.policy.group / v.items);
  s.groups = std::max<std::int64_t>(1, blocks);
  if (!ragged && v.items == s.policy.group) {
    const std::int64_t share =
        static_cast<std::int64_t>(v.items) * s.policy.least_steps * s.policy.loads;
    std::int64_t parts = std::clamp<std::int64_t>(target / std::max<std::int64_t>(1, p.outer), 1,
                                                  std::max<std::int64_t>(1, loads / share));
    parts = std::max(parts, ceiling(p.length, longest_part));
    if (p.outer > reduce_counters) parts = 1;
    s.parts = static_cast<int>(parts);
    v.split = parts > 1;
    if (v.split) s.groups = parts * p.outer;
  }
}

inline void schedule_columns(reduce_schedule& s, const reduce_problem& p, std::int64_t units) {
  reduce_variant& v = s.variant;
  if (s.policy.unaligned) {
    while (v.vector > p.inner) v.vector /= 2;
  } else {
    v.vector =
        common_vector(p.x_offset | p.step | p.inner | (p.outer > 1 ? p.x_outer : 0), v.vector);
  }
  v.aligned = true;
  s.policy.columns = std::min(s.policy.columns, s.policy.group);
  while (s.policy.columns > 1 && s.policy.columns * v.vector >= 2 * p.inner) s.policy.columns /= 2;
  s.policy.column_runs = static_cast<int>(
      std::min<std::int64_t>(s.policy.column_runs, ceiling(p.inner, s.policy.columns * v.vector)));
  const std::int64_t tiles = ceiling(p.inner, tile_columns(s.policy, v)) * p.outer;
  const std::int64_t target = units * s.policy.groups_per_unit;
  const std::int64_t share = static_cast<std::int64_t>(s.policy.group / s.policy.columns) *
                             s.policy.loads * s.policy.least_steps;
  std::int64_t parts =
      std::clamp<std::int64_t>(target / tiles, 1, std::max<std::int64_t>(1, p.length / share));
  parts = std::max(parts, ceiling(p.length, longest_part));
  if (tiles > reduce_counters) parts = 1;
  s.parts = static_cast<int>(parts);
  v.split = parts > 1;
  v.items = s.policy.group;
  s.groups = tiles * parts;
}

}  // namespace detail

/// Fits a policy to a problem that has elements.
inline reduce_schedule schedule_of(const reduce_problem& p, const reduce_policy& policy,
                                   const reduction& what, const device_facts& device) {
  reduce_schedule s{.policy = policy};
  const std::int64_t units = std::max(1, device.compute_units);
  s.variant.shape = p.shape;
  s.variant.vector = what.element.is_struct ? 1 : policy.vector;
  if (p.shape == reduce_shape::columns) {
    detail::schedule_columns(s, p, units);
  } else {
    s.variant.strided = p.step != 1 && p.length > 1;
    if (s.variant.strided) s.variant.vector = 1;
    detail::schedule_rows(s, p, units);
  }
  if (p.shape == reduce_shape::ragged) {
    s.parts = static_cast<int>(units * policy.groups_per_unit);
    s.list_room =
        static_cast<int>(std::min<std::int64_t>(1 << 24, p.length / long_segment(policy) + 1));
  }
  // A kernel walks over its blocks with as many groups as there are.
  const std::int64_t most = device.kind == device_kind::cpu ? units * 64 : std::int64_t{1} << 22;
  s.groups = std::min(s.groups, std::max<std::int64_t>(most, s.variant.split ? s.groups : 1));
  return s;
}

/// 32-bit words of workspace that a schedule needs: counters first, then what groups leave.
inline std::int64_t workspace_words(const reduce_problem& p, const reduce_schedule& s,
                                    const reduction& what) {
  if (p.shape == reduce_shape::ragged) {
    return reduce_counters + s.list_room * (2 + std::int64_t{s.parts} * state_words(what));
  }
  if (!s.variant.split) return 0;
  return reduce_counters + partial_bytes(s.policy, what) / 4 * s.parts * p.results();
}

/// The kernels of one schedule's policy and variant, built for one device.
struct reduce_plan {
  reduce_policy policy{};
  reduce_variant variant{};
  std::size_t source_bytes = 0;
  std::shared_ptr<const built_program> program;
  cl::Kernel first;
  cl::Kernel second;  ///< reduce_finish or reduce_long
  cl::Kernel third;   ///< reduce_long_finish
};

inline const char* kernel_name(reduce_shape shape) {
  return shape == reduce_shape::rows      ? "reduce_rows"
         : shape == reduce_shape::columns ? "reduce_columns"
                                          : "reduce_ragged";
}

/// Builds the kernels. Throws policy_error or device_error when the policy does not fit the device,
/// and build_error when the driver or the user's text is refused.
inline reduce_plan build_reduce_plan(const reduce_schedule& s, const reduction& what,
                                     const cl::Context& context, const cl::Device& device,
                                     const device_facts& facts) {
  check_device_rules(s.policy, what, facts);
  const std::string source = reduce_source(s.policy, s.variant, what);
  reduce_plan plan{.policy = s.policy,
                   .variant = s.variant,
                   .source_bytes = source.size(),
                   .program = build(context, device, source),
                   .first = {},
                   .second = {},
                   .third = {}};
  plan.first = make_kernel(*plan.program, kernel_name(s.variant.shape));
  if (s.variant.shape == reduce_shape::ragged) {
    plan.second = make_kernel(*plan.program, "reduce_long");
    plan.third = make_kernel(*plan.program, "reduce_long_finish");
  } else if (s.variant.split && s.policy.finish == group_finish::second_kernel) {
    plan.second = make_kernel(*plan.program, "reduce_finish");
  }
  return plan;
}

/// The launch of the first kernel.
inline launch reduce_launch(const reduce_schedule& s) {
  const auto group = static_cast<std::size_t>(s.policy.group);
  return {1, {static_cast<std::size_t>(s.groups) * group, 1, 1}, {group, 1, 1}};
}

/// The launch of reduce_finish.
inline launch reduce_finish_launch(const reduce_problem& p, const reduce_schedule& s) {
  const std::int64_t group = finish_group(s.policy, s.variant);
  const std::int64_t groups =
      finish_is_shared(s.variant) ? p.results() : detail::ceiling(p.results(), group);
  return {
      1, {static_cast<std::size_t>(groups * group), 1, 1}, {static_cast<std::size_t>(group), 1, 1}};
}

}  // namespace clprim
