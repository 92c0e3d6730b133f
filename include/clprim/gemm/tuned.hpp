#pragma once
// Device and problem -> policy: the library's choice. The measured rows are in tuned_rows.hpp.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/scalar.hpp>
#include <clprim/gemm/policy.hpp>
#include <clprim/gemm/tuned_rows.hpp>
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
  /// Every line begins at a multiple of so many elements, a power of two of at most 16.
  int a_alignment = 16, b_alignment = 16, c_alignment = 16;
  int element_bytes = 4;
  bool c_dense = false;  ///< the rows of C lie one after another
  int shared = 1;        ///< elements of B along k that are one in memory: windows of so many taps
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
  bool apart = true;      ///< a second kernel may add them: there is room for all their sums
  bool joined = true;     ///< the group that comes last may add them
  gemm_precision precision = gemm_precision::full;
  bool windows = false;  ///< the columns of B are windows of images
};

namespace detail {

/// What two activities take side by side: the longer one, and a part of the shorter that shows.
constexpr double joined(double a, double b, double overlap) {
  const double longer = std::max(a, b), shorter = std::min(a, b);
  return longer == 0 ? 0 : longer + overlap * shorter * shorter / longer;
}

constexpr std::int64_t parts_of(std::int64_t whole, std::int64_t part) {
  return (whole + part - 1) / part;
}

}  // namespace detail

/// Nanoseconds that a product takes under a row when k is cut in `splits` parts.
///
/// A unit runs `resident` groups at a time, wave after wave, the last wave with what is left. A
/// step along k takes the unit what its groups have to do, or, where they are few, the latency of
/// one group's step (Volkov 2010; Little's law). A full wave's groups end by turns, and what one
/// stores passes beside the work of others. What must move, and what groups load, bound it from
/// below. Parts that a second kernel adds are those of all tiles, others those of the last wave
/// (split_tiles). bench/gemm/fit_rows.py fits the numbers to measured products.
constexpr double predicted_ns(const gemm_row& row, const gemm_costs& cost, const gemm_size& size,
                              int units, int splits) {
  const gemm_policy& p = row.policy;
  const auto real = [](auto x) { return static_cast<double>(x); };
  const std::int64_t whole_steps = std::max<std::int64_t>(1, detail::parts_of(size.k, p.tile_k)),
                     part_steps = detail::parts_of(whole_steps, splits);
  // A group of one item passes over register blocks beyond the edge, and over what the first step
  // lacks: of its tiles the mean is taken.
  const bool alone = p.group_size() == 1;
  const auto used = [&](int tile, int per_item, std::int64_t extent) {
    return alone ? real(detail::parts_of(extent, per_item) * per_item) /
                       real(std::max<std::int64_t>(1, detail::parts_of(extent, tile)))
                 : real(tile);
  };
  const double tile_m = used(p.tile_m, p.per_item_m, size.m),
               tile_n = used(p.tile_n, p.per_item_n, size.n),
               tile_k = alone ? real(std::max<std::int64_t>(1, size.k)) / real(whole_steps)
                              : real(p.tile_k);
  const auto load_ns = [&](staging through, double tile, bool along_k, int alignment) {
    if (through == staging::global) return 0.;
    const bool turned = along_k && p.instruction == gemm_instruction::fma;
    const double width = std::gcd(p.vector, alignment);
    const double element = turned ? cost.turned_ns + cost.turned_access_ns * row.access / width
                                  : cost.plain_ns + cost.plain_access_ns * row.access / width;
    const double run = along_k ? 32 / (tile_k * size.element_bytes) : 0;
    return tile * tile_k * element * (1 + cost.short_run * run);
  };
  const double work_ns = tile_m * tile_n * tile_k / row.rate +
                         load_ns(p.stage_a, tile_m, size.a_along_k, size.a_alignment) +
                         load_ns(p.stage_b, tile_n, size.b_along_k, size.b_alignment);
  const bool runs = stores_runs(p, size.c_alignment);
  const bool staged = p.stage_c == staging::local && !runs;
  // Of a tile that reaches beyond the matrix, what lies within is stored.
  const double tile = std::min(tile_m, real(size.m)) * std::min(tile_n, real(size.n));
  const bool flat = staged && size.c_dense && cost.flat_store_ns > 0 && splits == 1 &&
                    lies_flat(p, size.n, size.n, size.element_bytes);
  const double store_ns = tile * (flat     ? cost.flat_store_ns
                                  : staged ? cost.staged_store_ns
                                  : runs   ? cost.store_ns
                                           : cost.single_store_ns * row.single_store);
  const double group_ns = row.group_ns + (staged ? cost.staging_ns : 0);
  const std::int64_t slots = std::int64_t{units} * row.resident;
  const auto waves_ns_of = [&](std::int64_t groups, std::int64_t steps, double last_ns) {
    const auto wave_ns = [&](double held, double shows) {
      return real(steps) * detail::joined(held * work_ns, row.step_ns, cost.overlap) + group_ns +
             shows * held * last_ns;
    };
    const std::int64_t rest = groups % slots;
    return real(groups / slots) * wave_ns(row.resident, cost.later_store) +
           (rest == 0 ? 0 : wave_ns(real(detail::parts_of(rest, units)), 1));
  };
  const std::int64_t tiles =
      detail::parts_of(size.m, p.tile_m) * detail::parts_of(size.n, p.tile_n) * size.batch;
  const bool apart = p.finish == gemm_finish::second_kernel;
  const std::int64_t split = splits == 1 ? 0 : apart ? tiles : split_tiles(tiles, slots);
  const double waves_ns =
      waves_ns_of(tiles - split, whole_steps, store_ns) +
      waves_ns_of(split * splits, part_steps, apart ? store_ns : tile * cost.store_ns);

  const double outputs = real(size.m) * real(size.n) * real(size.batch);
  const double moved =
      ((real(size.m) + real(size.n) / size.shared) * real(size.k) * real(size.batch) +
       cost.written * outputs * (apart ? splits : 1)) *
      size.element_bytes;
  const double loaded =
      (real(tiles - split) * real(whole_steps) + real(split) * real(splits) * real(part_steps)) *
      (tile_m + tile_n) * tile_k * size.element_bytes;
  const double traffic_ns =
      std::max(moved / cost.memory_bytes_per_ns, loaded / cost.cache_bytes_per_ns) / units;
  // As finish_run has it.
  const double sum_ns = cost.sum_ns * (stores_runs(p, size.c_alignment) ? 1 : cost.single_sum);
  const double sums_ns =
      splits == 1 ? 0
      : apart     ? cost.sums_ns + sum_ns * outputs * (splits + 1) / units
                  : cost.join_ns + real(detail::parts_of(split, units)) *
                                   (tile * cost.join_sum_ns * (splits + 1) + store_ns);
  return cost.launch_ns + detail::joined(waves_ns, traffic_ns, 0.25) + sums_ns;
}

/// Parts of a tile that one group adds at most: with more it was slower than predicted (H200,
/// 2026-11-26: by a quarter with 33 and more, where those of 16 and less were within 4 %).
inline constexpr std::int64_t most_joined_parts = 32;

/// Visits a row's ways through a product: k whole; cut into parts of at least 8 steps that make one
/// and two waves of groups, for a second kernel; and of the last wave's tiles the best parts of at
/// least 4 steps that make one to four waves, for the group that comes last.
constexpr void for_each_split(const gemm_row& row, const gemm_costs& costs, const gemm_size& size,
                              int units, const gemm_wishes& wishes, auto visit) {
  const gemm_policy& p = row.policy;
  const bool apart = p.finish == gemm_finish::second_kernel;
  const std::int64_t tiles = std::max<std::int64_t>(
      1, detail::parts_of(size.m, p.tile_m) * detail::parts_of(size.n, p.tile_n) * size.batch);
  const std::int64_t slots = std::int64_t{units} * row.resident;
  const std::int64_t steps = detail::parts_of(size.k, p.tile_k);
  const std::int64_t most = std::min<std::int64_t>(1024, steps / 8);
  for (int waves = 0; waves <= (wishes.split && wishes.apart && apart ? 2 : 0); ++waves) {
    const std::int64_t splits = waves == 0 ? 1 : std::min(waves * slots / tiles, most);
    if (waves > 0 && splits < 2) continue;
    visit(gemm_choice{p, static_cast<int>(splits),
                      predicted_ns(row, costs, size, units, static_cast<int>(splits))});
  }
  const bool joins = wishes.joined && costs.join_ns > 0 && p.buffer != buffering::bulk;
  if (!wishes.split || (apart && !joins)) return;
  gemm_row joined = row;
  joined.policy.finish = gemm_finish::last_group_fenced;
  gemm_choice best;
  for (int waves = 1; waves <= 4; ++waves) {
    const std::int64_t splits =
        std::min({waves * slots / split_tiles(tiles, slots), steps / 4, most_joined_parts});
    if (splits < 2) continue;
    const double ns = predicted_ns(joined, costs, size, units, static_cast<int>(splits));
    if (ns < best.ns) best = {joined.policy, static_cast<int>(splits), ns};
  }
  if (best.splits > 1) visit(best);
}

/// Whether a policy's work-group and tiles fit the device, however the operands lie.
constexpr bool fits(const gemm_policy& p, scalar type, const device_facts& device) {
  return p.group_size() <= device.max_work_group && most_local_bytes(p, type) <= device.local_bytes;
}

/// Whether a policy's text is OpenCL C alone.
constexpr bool is_portable(const gemm_policy& p) {
  return p.buffer != buffering::async && p.instruction == gemm_instruction::fma &&
         p.finish == gemm_finish::second_kernel;
}

/// The number of groups along k for a policy of the caller's that leaves it open (split_k = 0).
constexpr int splits_to_fill(const device_facts& device, const gemm_policy& policy,
                             const gemm_size& size) {
  gemm_choice best;
  for_each_split({.policy = policy}, {}, size, units_of(device), {}, [&](const gemm_choice& one) {
    if (one.ns < best.ns) best = one;
  });
  return best.splits;
}

/// Whether a policy has two ways of storing a product's sums (gemm_policy::stage_c).
constexpr bool may_stage_sums(const gemm_policy& p, const gemm_size& size) {
  return !stores_runs(p, size.c_alignment) && p.buffer != buffering::bulk &&
         p.blocks_m * p.blocks_n == 1;
}

/// Whether an instruction multiplies operands that lie so.
constexpr bool reads(const gemm_policy& p, scalar type, const gemm_size& size) {
  return p.instruction == gemm_instruction::fma || !is_byte(type) ||
         (size.a_along_k && size.b_along_k);
}

/// Whether a unit that reads its tiles from local memory by itself would wait for operands that
/// come there element by element. H200, 2026-11-27, half: of 59 products with such operands wgmma
/// was the fastest for 4, by copies of them for 25, mma.sync for the others; it took up to 3.4
/// times as long as predicted.
constexpr bool starves(const gemm_policy& p, const gemm_size& size) {
  return p.instruction == gemm_instruction::wgmma &&
         std::min(size.a_alignment, size.b_alignment) * size.element_bytes < 16;
}

/// Visits every way of the device's rows through a product, with its predicted time; where none of
/// them fits the device's limits, those of the rows for small ones. There may be none where a
/// precision is wished for.
constexpr void for_each_choice(const device_facts& device, scalar type, const gemm_size& size,
                               gemm_wishes wishes, auto visit) {
  const bool may_join = wishes.joined && !wishes.portable;
  const auto consider = [&](const gemm_table& table) {
    bool any = false;
    for (const gemm_row& row : table.rows) {
      if (wishes.portable && !is_portable(row.policy)) continue;
      if (!has_instructions(row.policy, type, device, wishes.precision) ||
          !fits(row.policy, type, device) || starves(row.policy, size) ||
          !reads(row.policy, type, size))
        continue;
      any = true;
      gemm_policy joined = row.policy;
      joined.finish = gemm_finish::last_group_fenced;
      wishes.joined = may_join && has_finish(joined, device);
      const int units = units_of(device);
      for_each_split(row, table.costs, size, units, wishes, visit);
      if (table.costs.staged_store_ns == 0 || !may_stage_sums(row.policy, size)) continue;
      gemm_row staged = row;
      staged.policy.stage_c = staging::local;
      if (fits(staged.policy, type, device))
        for_each_split(staged, table.costs, size, units, {.split = false}, visit);
    }
    return any;
  };
  const bool any = consider(gemm_table_of(device, type, wishes.precision, wishes.windows));
  if (!any && wishes.precision == gemm_precision::full) consider({gemm_tables::any_device});
}

/// Groups of a policy that the device is counted on to run at a time: what its row says, one for
/// each unit where no row has it.
constexpr std::int64_t slots_of(const device_facts& device, scalar type, gemm_policy policy) {
  int resident = 1;
  policy.packed = policy.turned = false;
  policy.split_k = 0;
  policy.finish = gemm_finish::second_kernel;
  for (const gemm_row& row : gemm_table_of(device, type).rows) {
    policy.stage_c = row.policy.stage_c;
    if (row.policy == policy) resident = row.resident;
  }
  return std::int64_t{units_of(device)} * resident;
}

/// The library's choice: the way with the shortest predicted time.
constexpr gemm_choice tuned_gemm(const device_facts& device, scalar type, const gemm_size& size,
                                 const gemm_wishes& wishes = {}) {
  gemm_choice best;
  double least = best.ns;
  for_each_choice(device, type, size, wishes, [&](const gemm_choice& one) {
    // Predictions err. H200, 2026-11-26: of 90 products those that this keeps from a split of their
    // last wave would have lost as much as gained by it.
    const bool joined = one.policy.finish == gemm_finish::last_group_fenced;
    const double ns = joined ? 1.03 * one.ns : one.ns;
    if (ns >= least) return;
    least = ns;
    best = one;
  });
  return best;
}

}  // namespace clprim
