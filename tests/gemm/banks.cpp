// Bank conflicts of GEMM's tiles in local memory, by the addresses that the kernel's text computes:
// the stores of the load-tile seam and the reads of the fragments, for every row that is shipped.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/core/access.hpp>
#include <clprim/gemm/tuned_rows_nvidia.hpp>
#include <clprim/gemm/variant.hpp>

using namespace clprim;

namespace {

constexpr bank_rule banks = banks_of(90);

/// A_SLOT(k, outer) of gemm/source.hpp, in elements.
constexpr std::int64_t slot(const gemm_tile& t, int k, int outer) {
  if (t.swizzled) {  // PTX ISA: bits 4 to 6 of an address are exchanged by bits 7 to 9
    const std::int64_t row = t.by_rows ? outer : outer / 64 * t.depth + k;
    const std::int64_t byte = 128 * row + 2 * (t.by_rows ? k : outer % 64);
    return (byte ^ (byte >> 7 & 7) << 4) / 2;
  }
  if (t.by_rows) return std::int64_t{outer} * (t.depth + t.skew) + k;
  return std::int64_t{k} * t.panel + k / t.run * t.skew +
         std::int64_t{outer} / t.panel * t.panel_size() + outer % t.panel;
}

/// The worst degree of one warp's access of `count` neighbouring elements per lane, which the
/// compiler cuts into pieces of at most 16 bytes. `place(lane)` in elements, or inactive_lane.
template <class Place> int degree(int element_bytes, int count, Place place) {
  int piece = element_bytes * count;
  while (piece > 16) piece /= 2;
  int worst = 0;
  for (int at = 0; at < element_bytes * count; at += piece) {
    worst = std::max(worst, bank_conflicts(banks, piece, 32, [&](int lane) {
                              const std::int64_t element = place(lane);
                              return element == inactive_lane ? inactive_lane
                                                              : element * element_bytes + at;
                            }).degree);
  }
  return worst;
}

struct degrees {
  int store = 0;
  int read = 0;
};

/// The stores of one tile by all warps of the group: `slot_operand` of gemm/load_tile.hpp.
int store_degree(const gemm_tile& t, int group, int bytes) {
  int worst = 0;
  const int lines = t.along_k ? t.outer : t.depth;
  const bool whole_runs = t.keeps_runs();
  for (int warp = 0; warp < group; warp += 32) {
    for (int along = 0; along < t.loads_along(); ++along) {
      for (int across = 0; across < t.loads_across(); ++across) {
        for (int e = 0; e < (whole_runs ? 1 : t.width); ++e) {
          const auto place = [&](int lane) -> std::int64_t {
            const int item = warp + lane;
            const int at = (item % t.lanes + along * t.lanes) * t.width + e;
            const int line = item / t.lanes + across * t.rows;
            if (item >= group || line >= lines) return inactive_lane;
            return t.along_k ? slot(t, at, line) : slot(t, line, at);
          };
          worst = std::max(worst, degree(bytes, whole_runs ? t.width : 1, place));
        }
      }
    }
  }
  return worst;
}

/// The reads of the fragments by all warps: `fragment_a` and `fragment_b` of gemm/multiplier.hpp.
int read_degree(const gemm_policy& p, const gemm_tile& t, bool is_a, int bytes) {
  int worst = 0;
  const int vector = is_a ? p.vector_m : p.vector_n;
  const int per_item = is_a ? p.per_item_m : p.per_item_n;
  const int lanes = is_a ? p.lanes_m : p.lanes_n;
  for (int warp = 0; warp < p.group_size(); warp += 32) {
    for (int k = 0; k < p.slice_depth(); ++k) {
      for (int run = 0; run < per_item / vector; ++run) {
        const auto place = [&](int in_warp) -> std::int64_t {
          if (warp + in_warp >= p.group_size()) return inactive_lane;
          const int slice = (warp + in_warp) / (p.items_m() * p.items_n());
          const int item = (warp + in_warp) % (p.items_m() * p.items_n());
          const int lane = item % (p.lanes_m * p.lanes_n), patch = item / (p.lanes_m * p.lanes_n);
          const int patches_n = p.items_n() / p.lanes_n;
          const int own =
              is_a ? patch / patches_n * (p.lanes_m * p.per_item_m) + lane / p.lanes_n * p.vector_m
                   : patch % patches_n * (p.lanes_n * p.per_item_n) + lane % p.lanes_n * p.vector_n;
          return slot(t, slice * p.slice_depth() + k, own + run * lanes * vector);
        };
        worst = std::max(worst, degree(bytes, vector, place));
      }
    }
  }
  return worst;
}

/// Bytes of an element in local memory, where half is float.
int local_bytes(scalar type) { return type == scalar::half_ ? 4 : facts_of(type).bytes; }

degrees degrees_of(const gemm_policy& p, scalar type, bool is_a, bool along_k, int alignment) {
  const gemm_tile t = tile_of(p, {.along_k = along_k, .alignment = alignment}, type, is_a);
  const int bytes = local_bytes(type);
  return {store_degree(t, p.group_size(), bytes), read_degree(p, t, is_a, bytes)};
}

/// What `shift_rows` claims: none, unless lines of 128 bytes would be split for it.
int claimed_degree(const gemm_policy& p, scalar type, bool is_a, bool along_k, int alignment) {
  const gemm_tile t = tile_of(p, {.along_k = along_k, .alignment = alignment}, type, is_a);
  if (!along_k || alignment >= 4) return 1;
  const int served = std::max(1, 32 / std::max(1, local_bytes(type) / 4));
  const int fragment = is_a ? p.vector_m : p.vector_n;
  return std::max(1, std::min(t.lanes, served) * fragment / served);
}

/// The reads of matrix units' fragments: A_FRAGMENT_AT, B_FRAGMENT_AT, fragment_a and fragment_b of
/// gemm/multiplier_mma.hpp.
int unit_read_degree(const gemm_tile& t, scalar type, bool is_a) {
  const bool half = type == scalar::half_;
  int worst = 0;
  for (int k = 0; k < t.depth; k += instruction_k(gemm_instruction::mma_sync, type)) {
    for (int outer = 0; outer < t.outer; outer += half ? 16 : 8) {
      const auto place = [&](int lane) -> std::int64_t {
        if (!half) return slot(t, k + lane % 4, outer + lane / 4);
        const int along = lane % 8, down = lane / 8 % 2 * 8, right = lane / 16 * 8;
        const int across_k = is_a ? down : right, along_k = is_a ? right : down;
        return t.along_k ? slot(t, k + along_k, outer + across_k + along)
                         : slot(t, k + along_k + along, outer + across_k);
      };
      worst = std::max(worst, degree(facts_of(type).bytes, half ? 8 : 1, place));
    }
  }
  return worst;
}

void check_unit_rows(std::span<const gemm_row> rows, scalar type) {
  for (const gemm_row& row : rows) {
    if (row.policy.instruction != gemm_instruction::mma_sync) continue;
    for (const bool is_a : {true, false})
      for (const bool along_k : {false, true})
        for (const int alignment : {16, 4, 2, 1}) {
          const gemm_tile t =
              tile_of(row.policy, {.along_k = along_k, .alignment = alignment}, type, is_a);
          INFO(facts_of(type).name, ", ", std::string(is_a ? "A" : "B"),
               std::string(along_k ? " along k" : " across k"), ": ", to_string(row.policy));
          CHECK(unit_read_degree(t, type, is_a) == 1);
        }
  }
}

void check_rows(std::span<const gemm_row> rows, scalar type) {
  for (const gemm_row& row : rows) {
    const gemm_policy& p = row.policy;
    if (p.order != local_order::padded) continue;
    for (const bool is_a : {true, false}) {
      for (const bool along_k : {false, true}) {
        for (const int alignment : {16, 4, 2, 1}) {
          const degrees found = degrees_of(p, type, is_a, along_k, alignment);
          INFO(facts_of(type).name, ", ", std::string(is_a ? "A" : "B"),
               std::string(along_k ? " along k" : " across k"), ", alignment ", alignment, ": ",
               to_string(p));
          CHECK(found.store <= claimed_degree(p, type, is_a, along_k, alignment));
          CHECK(found.read == 1);
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("no shipped policy that pads its tiles meets a bank twice") {
  using namespace gemm_tables;
  check_rows(nvidia_float, scalar::float_);
  check_rows(nvidia_float, scalar::half_);
  check_rows(nvidia_double, scalar::double_);
  check_rows(nvidia_complex_float, scalar::complex_float);
  check_rows(nvidia_complex_double, scalar::complex_double);
  check_rows(any_gpu_half, scalar::half_);
  check_rows(any_gpu, scalar::float_);
  check_rows(any_gpu_wide, scalar::double_);
}

TEST_CASE("matrix units' fragments are read without a conflict") {
  using namespace gemm_tables;
  check_unit_rows(nvidia_half, scalar::half_);
  check_unit_rows(nvidia_double, scalar::double_);
  check_unit_rows(nvidia_complex_double, scalar::complex_double);
}

TEST_CASE("warp-groups' tiles hold every element once, as wgmma reads them, without conflicts") {
  for (const gemm_row& row : gemm_tables::nvidia_half) {
    if (row.policy.instruction != gemm_instruction::wgmma) continue;
    for (const bool is_a : {true, false})
      for (const bool along_k : {false, true}) {
        gemm_policy by_items = row.policy;  // as where bulk copies do not reach the operands
        by_items.buffer = buffering::async;
        const gemm_tile t =
            tile_of(by_items, {.along_k = along_k, .alignment = 8}, scalar::half_, is_a);
        INFO(std::string(is_a ? "A" : "B"), std::string(along_k ? " along k" : " across k"), ": ",
             to_string(row.policy));
        std::vector<int> held(static_cast<std::size_t>(t.local_size()));
        for (int k = 0; k < t.depth; ++k)
          for (int outer = 0; outer < t.outer; ++outer)
            ++held.at(static_cast<std::size_t>(slot(t, k, outer)));
        CHECK(std::all_of(held.begin(), held.end(), [](int times) { return times == 1; }));
        CHECK(t.async);
        CHECK(2 * t.local_size() % 1024 == 0);
        CHECK(store_degree(t, by_items.group_size(), 2) == 1);
      }
  }
}

TEST_CASE("no access of a warp-group's tile is wider than the runs that swizzling keeps together") {
  for (const scalar type : {scalar::half_, scalar::bfloat16_, scalar::float_})
    for (const buffering buffer : {buffering::single, buffering::registers, buffering::async})
      for (const bool along_k : {false, true}) {
        gemm_policy p = gemm_tables::wgmma(64, 192, 3, buffer);
        p.tile_k = warp_group_k(type);
        p.vector = 8;
        const gemm_tile t = tile_of(p, {.along_k = along_k, .alignment = 8}, type, false);
        CHECK(t.width * facts_of(type).bytes == 16);
      }
}

TEST_CASE("without padding a transposing store meets a bank as often as lines share it") {
  gemm_policy p{.tile_m = 64, .tile_n = 64, .tile_k = 16};
  p.order = local_order::plain;
  CHECK(degrees_of(p, scalar::float_, true, true, 16).store == 4);
  CHECK(degrees_of(p, scalar::float_, true, false, 16).store == 1);
  p.order = local_order::padded;
  CHECK(degrees_of(p, scalar::float_, true, true, 16).store == 1);
}
