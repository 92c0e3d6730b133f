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
  int vector = 4;             ///< elements per load here: not more than the policy's
  int items = 256;            ///< rows and ragged: work-items per result, a power of two
  int outer_axes = 1;         ///< axes that `outer` is made of
  bool wide_atomics = false;  ///< the device has 64-bit atomics
  bool ptx = false;           ///< streaming loads by inline PTX (NVIDIA)
  bool memory_adds = false;   ///< any_order by additions in memory (NVIDIA)
  bool relaxed = false;       ///< messages by relaxed loads and stores (NVIDIA)
  reduce_dialect dialect = reduce_dialect::portable;

  friend constexpr bool operator==(const reduce_variant&, const reduce_variant&) = default;
};

/// Bytes of a partial result in the workspace.
inline std::int64_t partial_bytes(const reduce_policy& p, const reduction& what) {
  const bool plain =
      p.finish == group_finish::second_kernel || p.finish == group_finish::last_group_fenced;
  return 4LL * state_words(what) * (plain ? 1 : 2);
}

/// 32-bit counters at the beginning of every workspace; always 0 between calls.
inline constexpr int reduce_counters = 16384;

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

/// Bytes of local memory that a kernel asks for, at most.
inline std::int64_t reduce_local_bytes(const reduce_policy& p, const reduction& what, bool staged) {
  std::int64_t bytes = std::int64_t{p.group} * state_bytes(what) + 64;
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
  return finish_is_shared(v) ? p.group : 64;
}

}  // namespace clprim
