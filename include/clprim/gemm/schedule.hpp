#pragma once
// Product, device and room -> what is run: the policy, the parts of k, what is packed.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include <clprim/gemm/plan.hpp>
#include <clprim/gemm/problem.hpp>
#include <clprim/gemm/tuned.hpp>

namespace clprim {

/// Bytes of workspace that the packed operands of a product take, each from a multiple of 256 on;
/// 0 where all of them lie as they are wanted.
inline std::size_t packed_bytes(const gemm_kind& p, scalar type, const gemm_copies& how = {}) {
  gemm_variant v = variant_of(packed_kind(p, type, how), {}, type, 1);
  v.precision = how.precision;
  return gemm_spaces_of(p, {.policy = {.turned = how.turned || how.along_k}, .variant = v}, 0)
      .bytes;
}

/// The same where a precision below float's own has A and B copied.
inline std::size_t copies_bytes(const gemm_kind& p, scalar type, gemm_precision precision) {
  const scalar unit = multiplied_type(type, precision);
  return packed_bytes(p, unit, copies_of(unit, precision, true));
}

/// A product whose packed operands lie as they are wanted, and the predicted nanoseconds
/// that packing takes: a launch for each operand, and a copy.
struct gemm_packing {
  gemm_size size;
  double ns = 0;
};
inline gemm_packing packing_of(const gemm_kind& p, scalar type, const device_facts& device,
                               const gemm_copies& how = {}) {
  const gemm_costs costs = gemm_table_of(device, type, how.precision).costs;
  const gemm_kind packed = packed_kind(p, type, how);
  const int launches = (packed.a.packed ? 1 : 0) + (packed.b.packed ? 1 : 0);
  return {.size = size_of(packed, type),
          .ns = launches * costs.packing_ns + 2 * static_cast<double>(packed_bytes(p, type, how)) /
                                                  (costs.packing_bytes_per_ns * units_of(device))};
}

/// The same schedule, without bulk copies where their maps have no room in the workspace.
inline gemm_schedule within_room(const gemm_kind& kind, gemm_schedule s, std::size_t room,
                                 std::size_t sum_bytes, const device_facts& device) {
  if (s.groups == 0 || gemm_spaces_of(kind, s, sum_bytes).bytes <= room) return s;
  s.policy.buffer = buffering::async;
  return schedule_of(kind, s.policy, s.splits, s.variant.type, device, s.variant.precision);
}

/// What a product of floats of a precision below their own runs on matrix units, and the predicted
/// nanoseconds; nothing where it cannot.
struct gemm_unit_way {
  gemm_schedule schedule;
  double ns = 0;
};
inline std::optional<gemm_unit_way> unit_way(const gemm_kind& kind,
                                             const std::optional<gemm_policy>& given,
                                             std::size_t room, scalar type,
                                             const device_facts& device, gemm_precision precision) {
  const scalar unit = multiplied_type(type, precision);
  const gemm_copies how = copies_of(unit, precision, true);
  if (!can_be_packed(kind, precision) || copies_bytes(kind, type, precision) > room) return {};
  const bool split = parts_of(precision) > 1;
  // Float's own short sums are more exact than what matrix units cut off.
  if (!given && split && kind.k < 32) return {};
  const gemm_packing packing = packing_of(kind, unit, device, how);
  const gemm_choice choice =
      given ? gemm_choice{*given, 1, 0}
            : tuned_gemm(device, unit, packing.size,
                         {.portable = false, .split = false, .precision = precision});
  if (!given && choice.ns == std::numeric_limits<double>::infinity()) return {};
  gemm_kind multiplied = kind;
  if (unit != type) multiplied.out = kind.out.value_or(type);
  const gemm_schedule s =
      within_room(multiplied, schedule_of(multiplied, choice.policy, 1, unit, device, precision),
                  room, 0, device);
  // The launches of the ways behind it.
  const double ways_ns = !split ? 0 : scales_lines(precision) ? 12000 : 6000;
  return gemm_unit_way{s, choice.ns + packing.ns + ways_ns};
}

/// What takes the place of a split product whose copies do not hold an element: that of TF32 behind
/// that of halves, where it has room, and the one in full, which needs none, behind all.
inline gemm_schedule way_behind(const gemm_schedule& before, const gemm_kind& kind, bool portable,
                                std::size_t room, scalar type, const device_facts& device) {
  std::optional<gemm_unit_way> of_tf32;
  if (before.variant.precision == gemm_precision::split_half && !portable)
    of_tf32 = unit_way(kind, {}, room, type, device, gemm_precision::split_tf32);
  const gemm_wishes unsplit{.portable = portable, .split = false};
  gemm_schedule s =
      of_tf32 ? of_tf32->schedule
              : schedule_of(kind, tuned_gemm(device, type, size_of(kind, type), unsplit).policy, 1,
                            type, device);
  s.variant.way = before.variant.way + 1;
  return s;
}

/// Copies of so many bytes without which a demanded product cannot be.
inline argument_error no_room(const std::string& product, std::size_t room, std::size_t bytes) {
  return {"the workspace of a product of " + product, "must hold the copies of A and B",
          std::to_string(room) + " bytes", std::to_string(bytes) + " bytes"};
}

/// What a product runs on `device` under a policy of the caller's, or under the library's choice.
/// `room`: bytes of workspace that it may take. `sum_bytes`: of one partial sum. A precision below
/// float's own is what the library may choose, not what it must, unless the policy is one of wgmma:
/// throws argument_error where there is no room for the copies that this takes, or that matrix
/// units take of elements of 8 bits.
inline gemm_schedule schedule_for(const gemm_kind& kind, const std::optional<gemm_policy>& given,
                                  bool portable, std::size_t room, std::size_t sum_bytes,
                                  scalar type, const device_facts& device,
                                  gemm_precision precision = gemm_precision::full) {
  const bool demanded = given && serves(given->instruction, precision);
  std::optional<gemm_unit_way> units;
  if (precision != gemm_precision::full && !portable && (!given || demanded)) {
    units = unit_way(kind, given, room, type, device, precision);
    // That of TF32 is as exact as that of halves, and has fewer launches.
    if (!given && precision == gemm_precision::split_half) {
      const auto of_tf32 = unit_way(kind, {}, room, type, device, gemm_precision::split_tf32);
      if (of_tf32 && (!units || of_tf32->ns < units->ns)) units = of_tf32;
    }
  }
  if (demanded && units) return units->schedule;
  if (demanded) {
    throw no_room("precision " + std::string(to_string(precision)), room,
                  copies_bytes(kind, type, precision));
  }
  const std::size_t one = static_cast<std::size_t>(kind.m) * static_cast<std::size_t>(kind.n) *
                          static_cast<std::size_t>(kind.batch) * sum_bytes;
  // Parts of k of so many bytes each whose sums fit beside so many others.
  const auto parts = [&](std::size_t each, std::size_t taken) {
    const std::size_t left = taken == 0 ? room : (room - taken) / 256 * 256;
    return each == 0 ? std::size_t{1} : left / each;
  };
  const gemm_size size = size_of(kind, type);
  gemm_choice choice;
  const bool turns = given && !reads(*given, type, size);
  if (given) {
    choice.policy = *given;
    if (turns) choice.policy.packed = choice.policy.turned = true;
    choice.splits =
        given->split_k > 0 ? given->split_k : splits_to_fill(device, choice.policy, size);
  } else {
    const auto wishes = [&](std::size_t taken) {
      return gemm_wishes{.portable = portable, .apart = parts(one, taken) > 1};
    };
    choice = tuned_gemm(device, type, size, wishes(0));
    for (const bool turned : {false, true}) {
      const gemm_copies how = copies_of(type, gemm_precision::full, turned);
      const std::size_t bytes = packed_bytes(kind, type, how);
      if (bytes == 0 || bytes > room ||
          (turned && !is_turned(kind.a, how) && !is_turned(kind.b, how)))
        continue;
      const gemm_packing pack = packing_of(kind, type, device, how);
      gemm_choice packed = tuned_gemm(device, type, pack.size, wishes(bytes));
      if (how.turned && packed.policy.instruction != gemm_instruction::fma) continue;
      packed.policy.packed = true;
      packed.policy.turned = turned;
      packed.ns += pack.ns;
      // Both predictions err. H200 and H100, 2026-11-26, packed over plain, predicted and measured:
      // 0.904 0.963, 0.964 0.942, 0.973 1.159, 0.975 0.987, 0.983 1.002.
      if (packed.ns < 0.97 * choice.ns) choice = packed;
    }
  }
  if (units && units->ns < choice.ns) return units->schedule;
  gemm_policy& p = choice.policy;
  const std::size_t packing =
      packed_bytes(kind, type, copies_of(type, gemm_precision::full, p.turned));
  p.packed = p.packed && packing > 0 && packing <= room;
  p.turned = p.turned && p.packed;
  if (turns && !p.packed) throw no_room("elements of 8 bits by matrix units", room, packing);
  const std::int64_t slots = slots_of(device, type, p);
  const std::size_t each =
      p.finish == gemm_finish::second_kernel
          ? one
          : static_cast<std::size_t>(split_tiles(gemm_tiles(kind, p) * kind.batch, slots)) *
                static_cast<std::size_t>(p.tile_m) * static_cast<std::size_t>(p.tile_n) * sum_bytes;
  const std::size_t most = parts(each, p.packed ? packing : 0);
  const auto wanted = static_cast<std::size_t>(choice.splits);
  const int splits = most < 2 ? 1 : static_cast<int>(std::min(most, wanted));
  return within_room(kind, schedule_of(kind, p, splits, type, device, gemm_precision::full, slots),
                     room, sum_bytes, device);
}

}  // namespace clprim
