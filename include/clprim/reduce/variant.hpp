#pragma once
// What the source of a reduction depends on besides policy and operators, and the sizes that source
// and launch share.
#include <algorithm>
#include <cstdint>
#include <string>

#include <clprim/core/device_facts.hpp>
#include <clprim/reduce/policy.hpp>
#include <clprim/reduce/reduction.hpp>

namespace clprim {

/// How the elements of one result lie.
enum class reduce_shape {
  rows,     ///< side by side: whole arrays, rows, fixed-size segments, the last axis
  columns,  ///< across adjacent elements: columns, any axis but the last
  ragged,   ///< side by side, from offset to offset
};

/// Whose instructions a kernel may use, of those that the policy asks for.
enum class reduce_dialect {
  portable,
  khr_sub_groups,    ///< cl_khr_subgroup_shuffle
  intel_sub_groups,  ///< cl_intel_subgroups
};

/// One kind of problem: every value here is a constant in the kernel's text.
struct reduce_variant {
  reduce_shape shape = reduce_shape::rows;
  bool split = false;         ///< several groups share a result
  bool strided = false;       ///< rows: elements lie x_step apart
  bool aligned = false;       ///< every row starts and ends at a multiple of the vector
  bool looped = false;        ///< a group does several blocks
  bool staged = false;        ///< ragged: through tiles in local memory
  bool together = false;      ///< rows and ragged: what is no whole round is in flight together
  int vector = 4;             ///< elements per load here: not more than the policy's
  int items = 256;            ///< rows and ragged: work-items per result, a power of two
  int outer_axes = 1;         ///< axes that `outer` is made of
  int finish_items = 64;      ///< columns: work-items per group of the second kernel
  bool wide_atomics = false;  ///< the device has 64-bit atomics
  bool ptx = false;           ///< streaming loads by inline PTX (NVIDIA)
  bool memory_adds = false;   ///< any_order by additions in memory (NVIDIA)
  bool relaxed = false;       ///< messages by relaxed loads and stores (NVIDIA)
  reduce_dialect dialect = reduce_dialect::portable;

  friend constexpr bool operator==(const reduce_variant&, const reduce_variant&) = default;
};

/// Where the groups of a call meet, in 32-bit words of two buffers. No word serves two purposes:
/// what one call left there, another one, finishing otherwise, would take for its own.
struct reduce_regions {
  // Of the object's own words, which are 0 when they are made (reduce/kept_words.hpp):
  static constexpr int counters = 0;      ///< 0 between calls: arrivals, tickets; of any_order the
                                          ///< results, of two words each
  static constexpr int listed = 32768;    ///< 0 between calls: ragged segments that are listed
  static constexpr int messages = 32770;  ///< to the end: messages, each with its call's turn
  // Of the workspace, where nothing is read but what the same call has written:
  static constexpr int partials = 0;  ///< what groups leave for a second kernel or the last group
  static constexpr int list = 2;      ///< ragged: listed segments, after their number; then what
                                      ///< groups leave of each
};

/// Results, or tiles of columns, that groups may share: each has a counter, or of any_order a place
/// of two words.
inline constexpr int reduce_counters = reduce_regions::listed / 2;

/// Whether groups send each other messages.
constexpr bool sends_messages(const reduce_policy& p, const reduce_variant& v) {
  return v.split && v.shape != reduce_shape::ragged && is_mailed(p.finish);
}
/// Whether groups leave plain states in the workspace.
constexpr bool leaves_partials(const reduce_policy& p, const reduce_variant& v) {
  return v.shape == reduce_shape::ragged ||
         (v.split &&
          (p.finish == group_finish::second_kernel || p.finish == group_finish::last_group_fenced));
}
/// Whether a kernel uses words of the object's own.
constexpr bool uses_kept_words(const reduce_policy& p, const reduce_variant& v) {
  return v.shape == reduce_shape::ragged || (v.split && p.finish != group_finish::second_kernel);
}

/// Columns of one tile.
constexpr std::int64_t tile_columns(const reduce_policy& p, const reduce_variant& v) {
  return static_cast<std::int64_t>(p.columns) * v.vector * p.column_runs;
}

/// Ragged: elements above which a segment gets all groups.
constexpr std::int64_t long_segment(const reduce_policy& p) {
  return std::max<std::int64_t>(1 << 15, 64LL * p.group * p.vector);
}

/// Ragged: elements above which a segment gets the whole group.
constexpr std::int64_t medium_segment(const reduce_policy& p, const reduce_variant& v) {
  if (v.staged) return std::min<std::int64_t>(p.ragged_tile, 64LL * v.items);
  return v.items == p.group ? long_segment(p) : 32LL * v.items * v.vector;
}

/// Bytes of an element as it lies in a tile.
inline int operand_bytes(const reduction& what) {
  const int own = what.element.stored == "half" ? 4 : what.element.bytes;
  return what.two_operands ? what.parts[0].value_bytes : own;
}

/// Work-items of a group of one dimension, at most.
inline int largest_reduce_group(const device_facts& device) {
  return std::min(device.max_work_group, static_cast<int>(device.max_items[0]));
}

/// Bytes of local memory that a kernel asks for, at most.
inline std::int64_t reduce_local_bytes(const reduce_policy& p, const reduction& what, bool staged) {
  std::int64_t bytes = (std::int64_t{p.group} + 1) * state_bytes(what) + 64;
  if (!staged) return bytes;
  bytes += 4LL * (p.group + 1) + 128;
  return bytes +
         (p.ragged_tile + 2LL * p.vector) * operand_bytes(what) * (what.two_operands ? 2 : 1);
}

/// Whether the second kernel gives each result a whole group (else an item).
constexpr bool finish_is_shared(const reduce_variant& v) {
  return v.shape != reduce_shape::columns;
}

/// Work-items per group of the second kernel.
constexpr int finish_group(const reduce_policy& p, const reduce_variant& v) {
  return finish_is_shared(v) ? p.group : v.finish_items;
}

}  // namespace clprim
