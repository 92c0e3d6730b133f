#pragma once
// What the source of a reduction depends on besides policy and operators, and the sizes that source
// and launch share.
#include <algorithm>
#include <bit>
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

/// One kind of problem: every value here is a constant in the kernel's text.
struct reduce_variant {
  reduce_shape shape = reduce_shape::rows;
  bool split = false;    ///< several groups share a result
  bool strided = false;  ///< rows: elements lie x_step apart
  bool aligned = false;  ///< every row starts and ends at a multiple of the vector
  int vector = 4;        ///< elements per load here: not more than the policy's
  int items = 256;       ///< rows and ragged: work-items per result, a power of two

  friend constexpr bool operator==(const reduce_variant&, const reduce_variant&) = default;
};

/// 32-bit words of the state that travels between items and groups.
inline int state_words(const reduction& what) {
  int at = 0, align = 1;
  for (const reduce_part& p : what.parts) {
    const int step = p.op == reduce_operator::user ? std::max(4, p.state_align) : p.state_align;
    int bytes = p.state_bytes;
    if (p.op == reduce_operator::user) bytes = (bytes + 3) / 4 * 4 + 4;  // and whether there is one
    at = (at + step - 1) / step * step + (bytes + step - 1) / step * step;
    align = std::max(align, step);
  }
  return ((at + align - 1) / align * align + 3) / 4;
}

/// Bytes of a partial result in the workspace.
inline std::int64_t partial_bytes(const reduce_policy& p, const reduction& what) {
  return 4LL * state_words(what) * (p.finish == group_finish::last_group ? 2 : 1);
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
  return v.items == p.group ? long_segment(p) : 32LL * v.items * v.vector;
}

/// Whether the second kernel gives each result a whole group (else an item).
constexpr bool finish_is_shared(const reduce_variant& v) {
  return v.shape != reduce_shape::columns;
}

/// Work-items per group of the second kernel.
constexpr int finish_group(const reduce_policy& p, const reduce_variant& v) {
  return finish_is_shared(v) ? p.group : 64;
}

/// Throws policy_error, with the numbers, when `p` cannot run on `device`, and device_error when
/// the device lacks the arithmetic.
inline void check_device_rules(const reduce_policy& p, const reduction& what,
                               const device_facts& device) {
  bool fp64 = what.element.needs_fp64;
  for (const reduce_part& part : what.parts) fp64 = fp64 || part.value == "double";
  if (fp64 && !device.fp64) {
    throw device_error(
        "this reduction needs double precision (cl_khr_fp64) for its elements or its accumulator, "
        "which " +
        device.name + " lacks");
  }
  rule(p.group <= device.max_work_group,
       "the policy's work-group must fit the device's limit of work-items", p.group,
       device.max_work_group);
  rule(4L * p.group * state_words(what) + 8 <= device.local_bytes,
       "the states of a group must fit the local memory of the device in bytes",
       4L * p.group * state_words(what) + 8, static_cast<long>(device.local_bytes));
  const bool nvidia = device.vendor == vendor::nvidia;
  rule(p.method != group_method::shuffle || (nvidia && device.compute_capability >= 30),
       "method shuffle needs NVIDIA's warp shuffles: compute capability 3.0 or more");
  rule(p.finish != group_finish::last_group_fenced || (nvidia && device.compute_capability >= 70),
       "finish last_group_fenced needs NVIDIA's fence.acq_rel: compute capability 7.0 or more");
}

}  // namespace clprim
