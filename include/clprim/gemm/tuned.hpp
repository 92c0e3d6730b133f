#pragma once
// Device and problem -> policy: the library's choice. The measured rows are in tuned_rows.hpp.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/scalar.hpp>
#include <clprim/gemm/policy.hpp>
#include <clprim/gemm/tuned_rows.hpp>
#include <clprim/gemm/tuned_rows_units.hpp>
#include <clprim/gemm/variant.hpp>

namespace clprim {

/// A product in the kernel's terms: C is m x n, rows contiguous.
struct gemm_size {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::int64_t batch = 1;
  bool a_along_k = true;
  bool b_along_k = false;
  bool aligned = true;  ///< A and B can be read by vectors of 16 bytes
  int element_bytes = 4;
};

/// A policy and the number of groups along k.
struct gemm_choice {
  gemm_policy policy{};
  int splits = 1;
  double ns = std::numeric_limits<double>::infinity();  ///< predicted
};

/// What is asked of a choice besides speed.
struct gemm_wishes {
  bool portable = false;  ///< nothing but OpenCL C: no cp.async, no matrix units
  bool split = true;      ///< groups along k are allowed
};

/// Bytes per nanosecond of a unit's share of global memory, on the fastest device measured (H200,
/// 4.2 TB/s): no operand is read faster than that.
inline constexpr double most_bytes_per_ns = 32;

/// Nanoseconds that a product takes under a row when k is cut in `splits` parts.
///
/// A unit runs `resident` groups at a time and is then as fast as the row was measured; a last wave
/// that holds fewer groups is slower, less than in proportion (Volkov 2010: instruction-level
/// parallelism stands in for missing warps). The sums of a split product pass through memory once
/// more, in a second launch.
constexpr double predicted_ns(const gemm_row& row, const gemm_size& size, int units, int splits) {
  const gemm_policy& p = row.policy;
  const std::int64_t tiles =
      (size.m + p.tile_m - 1) / p.tile_m * ((size.n + p.tile_n - 1) / p.tile_n) * size.batch;
  const std::int64_t steps = (size.k + p.tile_k - 1) / p.tile_k;
  const std::int64_t depth = std::max<std::int64_t>(1, (steps + splits - 1) / splits) * p.tile_k;
  const gemm_speeds& speeds = size.aligned ? row.aligned : row.unaligned;
  // Register blocks beyond the edge are passed over where a tile has several.
  const auto worked = [](int tile, int blocks, int per_item, std::int64_t extent) {
    const std::int64_t used = (extent + per_item - 1) / per_item * per_item;
    return static_cast<double>(blocks == 1 ? tile : std::min<std::int64_t>(tile, used));
  };
  const bool clamped = size.m < p.tile_m || size.n < p.tile_n;
  const double group_ns = (clamped ? row.clamped : 1) *
                          worked(p.tile_m, p.blocks_m, p.per_item_m, size.m) *
                          worked(p.tile_n, p.blocks_n, p.per_item_n, size.n) *
                          static_cast<double>(depth) / speeds.of(size.a_along_k, size.b_along_k);
  const std::int64_t groups = tiles * splits;
  const std::int64_t slots = static_cast<std::int64_t>(units) * row.resident;
  const std::int64_t rest = groups % slots;
  const double held = static_cast<double>((rest + units - 1) / units);
  const double share = held / row.resident;
  const double last_ns = rest == 0 ? 0 : held * group_ns / share * (share / (0.3 + 0.7 * share));
  const double waves = static_cast<double>((groups + slots - 1) / slots);
  const double whole_ns = static_cast<double>(groups / slots * row.resident) * group_ns;
  const double outputs =
      static_cast<double>(size.m) * static_cast<double>(size.n) * static_cast<double>(size.batch);
  const double moved = (static_cast<double>(size.m) + static_cast<double>(size.n)) *
                       static_cast<double>(size.k) * static_cast<double>(size.batch) *
                       size.element_bytes;
  const double sums_ns = splits == 1 ? 0 : row.sums_ns + row.output_ns * outputs * (splits + 1);
  // Loads and products go on side by side, if not wholly: a quarter of the shorter shows.
  const double products_ns = whole_ns + last_ns, loads_ns = moved / (most_bytes_per_ns * units);
  return row.start_ns * (0.5 + 0.5 * waves) + std::max(products_ns, loads_ns) +
         std::min(products_ns, loads_ns) / 4 + sums_ns;
}

/// Visits a row's ways through a product: k whole, and cut into parts of at least 8 steps that make
/// one and two waves of groups.
constexpr void for_each_split(const gemm_row& row, const gemm_size& size, int units, bool split,
                              auto visit) {
  const gemm_policy& p = row.policy;
  const std::int64_t tiles = std::max<std::int64_t>(
      1, (size.m + p.tile_m - 1) / p.tile_m * ((size.n + p.tile_n - 1) / p.tile_n) * size.batch);
  const std::int64_t slots = static_cast<std::int64_t>(units) * row.resident;
  const std::int64_t most = std::min<std::int64_t>(1024, (size.k + p.tile_k - 1) / p.tile_k / 8);
  for (int waves = 0; waves <= (split ? 2 : 0); ++waves) {
    const std::int64_t splits = waves == 0 ? 1 : std::min(waves * slots / tiles, most);
    if (waves > 0 && splits < 2) continue;
    visit(gemm_choice{p, static_cast<int>(splits),
                      predicted_ns(row, size, units, static_cast<int>(splits))});
  }
}

/// Whether a policy's work-group and tiles fit the device, however the operands lie.
constexpr bool fits(const gemm_policy& p, scalar type, const device_facts& device) {
  return p.group_size() <= device.max_work_group && most_local_bytes(p, type) <= device.local_bytes;
}

/// Whether a policy's text is OpenCL C alone.
constexpr bool is_portable(const gemm_policy& p) {
  return p.buffer != buffering::async && p.instruction == gemm_instruction::fma;
}

/// The number of groups along k for a policy of the caller's that leaves it open (split_k = 0).
constexpr int splits_to_fill(const device_facts& device, const gemm_policy& policy,
                             const gemm_size& size) {
  gemm_choice best;
  for_each_split({.policy = policy}, size, std::max(1, device.compute_units), true,
                 [&](const gemm_choice& one) {
                   if (one.ns < best.ns) best = one;
                 });
  return best.splits;
}

/// Visits every way of the device's rows through a product, with its predicted time; where none of
/// them fits the device's limits, those of the rows for small ones.
constexpr void for_each_choice(const device_facts& device, scalar type, const gemm_size& size,
                               const gemm_wishes& wishes, auto visit) {
  bool any = false;
  const auto consider = [&](std::span<const gemm_row> rows) {
    for (const gemm_row& row : rows) {
      if (wishes.portable && !is_portable(row.policy)) continue;
      if (!has_instructions(row.policy, type, device) || !fits(row.policy, type, device)) continue;
      any = true;
      for_each_split(row, size, std::max(1, device.compute_units), wishes.split, visit);
    }
  };
  consider(gemm_warp_group_rows(device, type));
  consider(gemm_unit_rows(device, type));
  consider(gemm_rows(device, type));
  if (!any) consider(gemm_tables::any_device);
}

/// The library's choice: the way with the shortest predicted time.
constexpr gemm_choice tuned_gemm(const device_facts& device, scalar type, const gemm_size& size,
                                 const gemm_wishes& wishes = {}) {
  gemm_choice best;
  for_each_choice(device, type, size, wishes, [&](const gemm_choice& one) {
    if (one.ns < best.ns) best = one;
  });
  return best;
}

}  // namespace clprim
