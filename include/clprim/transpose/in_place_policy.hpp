#pragma once
// The policy of the transposition of rectangles in their own memory. It changes speed only.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/policy.hpp>

namespace clprim {

/// How the lines of a rectangle are reordered: its rows one by one, its columns by strips of
/// `strip` neighbours, so that every access is `strip` elements wide. A line in hand lies in local
/// memory where it fits; else lines go through a workspace, many at a time.
struct in_place_policy {
  int items = 256;  ///< work-items per group
  int strip = 8;    ///< columns moved together
  bool local = true;
  int workspace_kib = 8192;  ///< for lines that are not local; one line at least

  friend constexpr bool operator==(const in_place_policy&, const in_place_policy&) = default;
};

template <> struct policy_traits<in_place_policy> {
  static constexpr std::string_view name = "clprim::in_place_policy";
  static constexpr auto fields = field_list{
      field{"items", &in_place_policy::items},
      field{"strip", &in_place_policy::strip},
      field{"local", &in_place_policy::local},
      field{"workspace_kib", &in_place_policy::workspace_kib},
  };
};
static_assert(fields_complete<in_place_policy>());

/// Throws policy_error, with the rule as its sentence, when `p` cannot be built for any device.
constexpr void check_rules(const in_place_policy& p) {
  rule(p.items > 0 && p.strip > 0, "items and strip must be positive");
  rule(p.items == 1 || p.items % p.strip == 0, "items must be 1 or a multiple of strip");
  rule(p.strip <= 256, "strip must be at most 256");
  rule(p.workspace_kib > 0 && p.workspace_kib <= 1 << 20, "workspace_kib must be 1 to 1048576");
}

/// The library's choice for a rectangle of `narrow` by `wide` elements of `bytes` bytes: strips of
/// a line of memory while their columns fit the local memory, of a sector at least.
constexpr in_place_policy tuned_in_place(const device_facts& device, int bytes, std::int64_t narrow,
                                         std::int64_t wide) {
  if (device.kind == device_kind::cpu) {
    // PoCL on two cores with AVX2, 2026-11-21, float 4001 x 3999 in ms: one item, strips of 32 94,
    // of 16 170, of 8 160; 16 items side by side 299.
    const int strip = std::max(1, 128 / bytes);
    return {.items = 1, .strip = strip};
  }
  // A power of two, so that strips divide it.
  const int group = static_cast<int>(
      std::bit_floor(static_cast<unsigned>(std::min(1024, device.max_work_group))));
  const int widest = group == 1 ? 128 / bytes : std::min(128 / bytes, group);
  int strip = widest;
  while (strip > 32 / bytes && strip * narrow * bytes > device.local_bytes / 2) strip /= 2;
  // A group alone on its unit must hide all latency by itself.
  const bool alone = std::max(strip * narrow, wide) * bytes > device.local_bytes / 4;
  if (strip * narrow * bytes > device.local_bytes) strip = widest;  // through the workspace
  return {.items = alone ? group : std::min(256, group), .strip = strip};
}

}  // namespace clprim
