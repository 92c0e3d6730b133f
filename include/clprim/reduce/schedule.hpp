#pragma once
// How one reduction is run: the policy as it is built, groups, workspace.

#include <algorithm>
#include <cstdint>
#include <string>

#include <clprim/reduce/problem.hpp>
#include <clprim/reduce/rules.hpp>
#include <clprim/reduce/variant.hpp>
#include <clprim/runtime/launch.hpp>

namespace clprim {

/// How one reduction is run.
struct reduce_schedule {
  reduce_policy policy{};
  reduce_variant variant{};
  int parts = 1;            ///< groups that share a result
  int most_parts = 1;       ///< beyond which a group would have too little to do
  std::int64_t shared = 1;  ///< rows, or tiles of columns, that are shared so
  std::int64_t groups = 1;  ///< of the first kernel
  int list_room = 0;        ///< ragged: long segments that there can be
  int per_block = 1;        ///< ragged: segments that a group takes at a time

  friend constexpr bool operator==(const reduce_schedule&, const reduce_schedule&) = default;
};

#ifndef CLPRIM_COMPILED
namespace detail {

/// The largest power of two up to `most` that divides everything.
constexpr int common_vector(std::int64_t bits, int most) {
  while (most > 1 && bits % most != 0) most /= 2;
  return most;
}

/// All distances of an operand between results, or'ed.
inline std::int64_t distances(const reduce_problem& p, const reduce_operand& x) {
  std::int64_t bits = x.offset | (p.outer > 1 ? x.outer : 0);
  for (int k = 0; k < x.slower.count; ++k) bits |= x.slower.stride.at(static_cast<std::size_t>(k));
  return bits;
}

/// Counting inside one part is done in 32 bits.
inline constexpr std::int64_t longest_part = std::int64_t{1} << 28;

/// Groups of a result, for so many per unit.
inline void share(reduce_schedule& s, const reduce_problem& p, std::int64_t target) {
  const std::int64_t least = ceiling_divide(p.length, longest_part);
  const std::int64_t wanted =
      std::min<std::int64_t>(target / std::max<std::int64_t>(1, s.shared), s.most_parts);
  s.parts = static_cast<int>(std::max<std::int64_t>({wanted, least, s.variant.split ? 2 : 1}));
  // The last group takes a state per item: a few more would cost it another round, of 0.5 us.
  const int over = s.parts % s.policy.group;
  if (s.policy.finish != group_finish::second_kernel && over < s.parts / 16 &&
      s.parts - over >= least)
    s.parts -= over;
  const bool places = s.policy.finish == group_finish::any_order;
  if ((places ? p.results() : s.shared) > reduce_counters) s.parts = 1;
  s.groups = s.parts * s.shared;
}

/// Ragged: how many segments make a window, and by how many items each.
inline void schedule_window(reduce_schedule& s, const reduce_problem& p, std::int64_t average) {
  reduce_variant& v = s.variant;
  const std::int64_t tile = s.policy.ragged_tile;
  if (tile == 0 || average * 8 > tile) return;
  v.staged = true;
  v.items = 1;
  while (v.items < s.policy.group && v.items * 8 < average) v.items *= 2;
  const std::int64_t slots = s.policy.group / v.items;
  std::int64_t block = std::clamp<std::int64_t>(tile * 4 / 5 / average, 1, s.policy.group);
  if (block > slots) block = block / slots * slots;
  s.per_block = static_cast<int>(block);
  s.groups = std::max<std::int64_t>(1, ceiling_divide(p.outer, block));
}

/// Fewer loads in flight, in as many streams as can share them.
inline void set_loads(reduce_policy& p, int loads) {
  p.loads = loads;
  p.streams = std::min(p.streams, loads);
  if (loads % p.streams != 0) p.streams = 1;
}

/// Rows, and the short segments of a ragged problem.
inline void schedule_rows(reduce_schedule& s, const reduce_problem& p, std::int64_t target) {
  reduce_variant& v = s.variant;
  const bool ragged = p.shape == reduce_shape::ragged;
  const std::int64_t length = std::max<std::int64_t>(
      1, ragged ? ceiling_divide(p.length, std::max<std::int64_t>(1, p.outer)) : p.length);
  if (!ragged || s.policy.ragged_tile == 0) {
    while (v.vector > 1 && length < 4 * v.vector) v.vector /= 2;
  }
  const std::int64_t all = distances(p, p.x) | (p.two_operands ? distances(p, p.y) : 0) | p.length;
  // Rows so short that a group has them in flight by single loads: vectors that lie in all of them.
  if (!ragged && !s.policy.unaligned && s.policy.loads > 1 && length <= 8 * s.policy.group)
    v.vector = common_vector(all, v.vector);
  v.aligned = !ragged && common_vector(all, v.vector) == v.vector;
  const std::int64_t loads = ceiling_divide(length, v.vector);
  // Many rows: as few items per row as keep row_steps loads each. Few rows: a warp's, whose items
  // need no barrier, and more as long as each has more loads than are in flight. One: the group's.
  std::int64_t items = 1;
  const std::int64_t free_items = p.outer == 1 ? s.policy.group : 32;
  const auto grows = [&] { return items * (items < free_items ? 1 : s.policy.loads) < loads; };
  while (items < s.policy.group && (items * s.policy.row_steps < loads ||
                                    (p.outer * items < target * s.policy.group / 4 && grows())))
    items *= 2;
  v.items = static_cast<int>(std::min<std::int64_t>(items, s.policy.group));
  // Putting loads and lanes together costs more than they gain where an item has little to do. Of a
  // group's items those of a short row are all in flight.
  const bool grouped = s.policy.group > 1;
  const std::int64_t own = grouped ? ceiling_divide(loads, v.items) : loads;
  int in_flight = s.policy.loads;
  while (in_flight % 2 == 0 && own < in_flight && (!grouped || own <= in_flight / 2))
    in_flight /= 2;
  set_loads(s.policy, !grouped && own < in_flight ? 1 : in_flight);
  v.together = ragged || (grouped && loads < std::int64_t{v.items} * in_flight);
  if (!ragged && v.items < s.policy.group) {
    const auto groups = [&] { return ceiling_divide(p.outer * v.items, s.policy.group); };
    while (s.policy.group > std::max(v.items, 128) && groups() < target / 2) s.policy.group /= 2;
  }
  s.per_block = s.policy.group / v.items;
  s.groups = std::max<std::int64_t>(1, ceiling_divide(p.outer, s.per_block));
  if (ragged) schedule_window(s, p, length);
  if (ragged || v.items < s.policy.group) return;
  const std::int64_t steps =
      static_cast<std::int64_t>(v.items) * s.policy.least_steps * s.policy.loads;
  s.shared = std::max<std::int64_t>(1, p.outer);
  s.most_parts = static_cast<int>(std::clamp<std::int64_t>(loads / steps, 1, 1 << 20));
  share(s, p, target);
  v.split = s.parts > 1;
}

inline void schedule_columns(reduce_schedule& s, const reduce_problem& p, std::int64_t target,
                             std::int64_t element_bytes) {
  reduce_variant& v = s.variant;
  if (s.policy.unaligned) {
    while (v.vector > p.inner) v.vector /= 2;
  } else {
    std::int64_t all = distances(p, p.x) | p.x.step | p.inner;
    if (p.two_operands) all |= distances(p, p.y) | p.y.step;
    v.vector = common_vector(all, v.vector);
  }
  v.aligned = true;
  s.policy.columns = std::min(s.policy.columns, s.policy.group);
  while (s.policy.columns > 1 && s.policy.columns * v.vector >= 2 * p.inner) s.policy.columns /= 2;
  s.policy.column_runs = static_cast<int>(std::min<std::int64_t>(
      s.policy.column_runs, ceiling_divide(p.inner, s.policy.columns * v.vector)));
  // More runs make up for narrower vectors, as far as memory gives more for wider rows of a tile:
  // up to 256 bytes, of many tiles 512. H200, 2026-11-27, us: 13267 x 16383 floats in tiles of 128
  // bytes 236, 256 225, 512 205 (cuBLAS 216); 4096 x 4095 22.7, 22.4, 23.7.
  const std::int64_t row_bytes = p.inner * element_bytes;
  const std::int64_t wanted = std::min<std::int64_t>(row_bytes, row_bytes >= 64 * 512 ? 512 : 256);
  const int most_runs = std::min(64, s.policy.column_runs * (s.policy.vector / v.vector));
  while (s.policy.streaming && 2 * s.policy.column_runs <= most_runs &&
         tile_columns(s.policy, v) * element_bytes < wanted)
    s.policy.column_runs *= 2;
  const auto tiles = [&] { return ceiling_divide(p.inner, tile_columns(s.policy, v)) * p.outer; };
  // Few rows: tiles so wide that an item's loads find some, as long as the units have tiles.
  const auto at_a_time = [&] { return s.policy.group / s.policy.columns * s.policy.loads; };
  while (s.policy.columns < s.policy.group && at_a_time() > p.length && tiles() > target)
    s.policy.columns *= 2;
  while (s.policy.loads > 1 && s.policy.loads % 2 == 0 && at_a_time() / 2 >= p.length)
    set_loads(s.policy, s.policy.loads / 2);
  s.shared = tiles();
  const std::int64_t steps = static_cast<std::int64_t>(s.policy.group / s.policy.columns) *
                             s.policy.loads * s.policy.least_steps;
  s.most_parts = static_cast<int>(std::clamp<std::int64_t>(p.length / steps, 1, 1 << 20));
  share(s, p, target);
  v.split = s.parts > 1;
  v.items = s.policy.group;
}

/// Work-groups that share the units: as many per unit as the policy says, or as are resident.
inline std::int64_t wanted_groups(const reduce_policy& p, const device_facts& device,
                                  int resident) {
  int per_unit = p.groups_per_unit;
  if (per_unit == 0) per_unit = resident;
  if (per_unit == 0) per_unit = std::max(1, 1024 / p.group);  // until the kernel is built
  return std::int64_t{units_of(device)} * per_unit;
}

/// What the device offers of what the policy asks for.
inline void choose_dialect(reduce_schedule& s, const reduction& what, const device_facts& device) {
  reduce_variant& v = s.variant;
  if (s.policy.method == group_method::sub_group) {
    v.dialect = device.subgroup_shuffles == subgroup_shuffle::khr
                    ? reduce_dialect::khr_sub_groups
                    : reduce_dialect::intel_sub_groups;
  }
  const bool mailed = is_mailed(s.policy.finish);
  const bool any_order = s.policy.finish == group_finish::any_order;
  const bool volta = device.inline_ptx && device.compute_capability >= 70;
  v.wide_atomics = v.split && (mailed || any_order) && device.int64_atomics;
  v.ptx = s.policy.streaming && volta;
  v.relaxed = v.split && mailed && volta;
  while (v.finish_items > largest_reduce_group(device)) v.finish_items /= 2;
  v.memory_adds = v.split && any_order && volta && what.parts[0].op == reduce_operator::sum &&
                  what.parts[0].value == "float";
}

}  // namespace detail

/// Fits a policy to a problem that has elements; `resident`: groups that a unit holds, of the built
/// kernel, 0 when that is not known yet. Throws policy_error where 32-bit counting would not do.
inline reduce_schedule schedule_of(const reduce_problem& p, const reduce_policy& policy,
                                   const reduction& what, const device_facts& device,
                                   int resident = 0) {
  reduce_schedule s{.policy = policy};
  const std::int64_t target = detail::wanted_groups(policy, device, resident);
  s.variant.shape = p.shape;
  s.variant.outer_axes = 1 + p.x.slower.count;
  s.variant.vector = what.element.is_struct    ? 1
                     : what.element.is_complex ? std::min(policy.vector, 8)
                                               : policy.vector;
  while (!policy.unaligned && s.variant.vector > 1 &&
         s.variant.vector * what.element.bytes > p.alignment)
    s.variant.vector /= 2;
  if (p.shape == reduce_shape::columns) {
    detail::schedule_columns(s, p, target, what.element.bytes);
  } else {
    s.variant.strided = p.length > 1 && (p.x.step != 1 || (p.two_operands && p.y.step != 1));
    if (s.variant.strided) s.variant.vector = 1;
    detail::schedule_rows(s, p, target);
  }
  if (p.shape == reduce_shape::ragged) {
    s.list_room =
        static_cast<int>(std::min<std::int64_t>(1 << 24, p.length / long_segment(policy) + 1));
    // Every listed segment has a state of every group: of large states they would take more memory
    // than the elements.
    const std::int64_t room =
        p.length * what.element.bytes / 2 / (4 * state_words(what)) / s.list_room;
    const std::int64_t groups = std::min(target, std::max<std::int64_t>(room, units_of(device)));
    s.parts = static_cast<int>(std::max(
        {groups, detail::ceiling_divide(p.length, detail::longest_part), std::int64_t{1}}));
  }
  rule(!policy.grid_stride || p.length / s.variant.vector < (std::int64_t{1} << 31),
       "grid_stride counts loads of a result in 32 bits",
       static_cast<long>(p.length / s.variant.vector), 2147483647L);
  detail::choose_dialect(s, what, device);
  // Where there are more blocks than that a kernel walks over them.
  const std::int64_t most = device.kind == device_kind::cpu ? std::int64_t{64} * units_of(device)
                                                            : (std::int64_t{1} << 31) - 1;
  s.variant.looped = !s.variant.split && s.groups > most;
  if (s.variant.looped) s.groups = most;
  return s;
}

/// 32-bit words in which the groups of a call meet; see reduce_regions.
struct reduce_words {
  std::int64_t kept = 0;  ///< of the object's own
  std::int64_t left = 0;  ///< of the workspace
};
inline reduce_words words_of(const reduce_problem& p, const reduce_schedule& s,
                             const reduction& what) {
  reduce_words words;
  const std::int64_t state = state_words(what), states = s.parts * p.results();
  if (uses_kept_words(s.policy, s.variant)) {
    words.kept = reduce_regions::messages;
    if (sends_messages(s.policy, s.variant)) words.kept += 2 * state * states;
  }
  if (leaves_partials(s.policy, s.variant)) {
    words.left = p.shape == reduce_shape::ragged
                     ? reduce_regions::list + s.list_room * (2 + s.parts * state)
                     : reduce_regions::partials + state * states;
  }
  return words;
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
      finish_is_shared(s.variant) ? p.results() : detail::ceiling_divide(p.results(), group);
  return {
      1, {static_cast<std::size_t>(groups * group), 1, 1}, {static_cast<std::size_t>(group), 1, 1}};
}
#endif

}  // namespace clprim
