#pragma once
// What a table of GEMM's says: policies with what they were measured to do, and what loads, stores
// and launches cost beside them.

#include <span>

#include <clprim/gemm/policy.hpp>

namespace clprim {

/// A policy with what it was measured to do.
struct gemm_row {
  gemm_policy policy{};
  int resident = 1;    ///< groups that one unit runs at a time
  double rate = 100;   ///< multiply-adds per nanosecond of one unit full of groups
  double step_ns = 0;  ///< a step along k takes that long, however few groups there are: latency
  double group_ns = 1500;   ///< once per wave of groups: the first tiles' way, the last ones' too
  double access = 1;        ///< what an access to memory costs it, of what gemm_costs says
  double single_store = 1;  ///< the same of an output that is stored by itself
};

/// What the rows of a table share: nanoseconds of one unit, and bytes that are one unit's share.
struct gemm_costs {
  double launch_ns = 4000;
  /// An element of a tile on its way from memory, and an access of several of them; `turned`: of an
  /// operand that lies along k and is turned on the way into local memory.
  double plain_ns = 0, turned_ns = 0;
  double plain_access_ns = 0, turned_access_ns = 0;
  double short_run = 0;  ///< so much more for a step of 32 bytes along k, half of it for 64 …
  double overlap = 0;    ///< how much of the shorter of work and latency shows
  double store_ns = 0, single_store_ns = 0;  ///< an output, by vectors and one by one
  /// An output that passes through local memory (gemm_policy::stage_c), and what that takes once
  /// per wave of groups; 0: no product wants it.
  double staged_store_ns = 0, staging_ns = 0;
  double flat_store_ns = 0;  ///< the same where the rows of C that a tile has are one run of memory
  double later_store = 1;    ///< how much of storing shows in a wave that fills the device
  double memory_bytes_per_ns = 32;      ///< what must move
  double written = 1;                   ///< a byte written takes that of so many read
  double cache_bytes_per_ns = 1e9;      ///< what groups load
  double sums_ns = 6000, sum_ns = 0.2;  ///< of a split product: once; per output and part
  /// Of a tile whose parts the last group adds (gemm_finish::last_group_fenced): once, and per
  /// output and part; 0: no group does.
  double join_ns = 0, join_sum_ns = 0;
  double single_sum = 1;     ///< so many times that where parts are added singly
  double packing_ns = 6000;  ///< per operand
  double packing_bytes_per_ns = 20;
};

/// The ways of a device family through products of one element type.
struct gemm_table {
  std::span<const gemm_row> rows;
  gemm_costs costs{};
};

}  // namespace clprim
