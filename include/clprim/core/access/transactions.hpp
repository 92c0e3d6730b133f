#pragma once
// Coalescing: the memory transactions that the global-memory addresses of one warp need.
//
//   // Each lane reads the float after its own: on 1.3 three transactions and 1.75 times the bytes.
//   const auto next = [](int lane) { return 4 * (lane + 1); };
//   global_transactions(coalescing_of(13), 4, 32, next).bytes == 224
//
// Sources: NVIDIA OpenCL Programming Guide for the CUDA Architecture 2.3 (2009), 3.1.2.1, for 1.x;
// the CUDA C++ Programming Guide, "Global Memory" under compute capability 2.x (128-byte lines of
// the first cache) and 3.x and later (32-byte sectors).

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include <clprim/core/access/lanes.hpp>

namespace clprim {

/// How the accesses of a warp become transactions.
enum class coalescing {
  in_order,  ///< 1.0, 1.1: lane k of a half-warp wants word k of a segment, or all go alone
  segments,  ///< 1.2, 1.3: one transaction per segment a half-warp touches, cut to its used half
  lines,     ///< 2.x: one per 128-byte line a warp touches
  sectors    ///< from 3.0 on: one per 32-byte sector a warp touches
};

/// The rule of a compute capability (10 × major + minor); sectors for 0, other vendors' closest
/// match.
constexpr coalescing coalescing_of(int compute_capability) {
  if (compute_capability >= 10 && compute_capability < 12) return coalescing::in_order;
  if (compute_capability >= 12 && compute_capability < 20) return coalescing::segments;
  if (compute_capability >= 20 && compute_capability < 30) return coalescing::lines;
  return coalescing::sectors;
}

/// What one access of a warp moves.
struct transactions {
  int count = 0;
  std::int64_t bytes = 0;   ///< moved, used or not
  std::int64_t useful = 0;  ///< asked for; what several lanes want counts once

  /// Useful over moved bytes, 0 to 1; 1 when nothing is moved.
  constexpr double efficiency() const {
    return bytes == 0 ? 1.0 : static_cast<double>(useful) / static_cast<double>(bytes);
  }
};

namespace detail {

/// The addresses of the lanes served together.
struct lane_addresses {
  std::array<std::int64_t, most_lanes> at{};
  int count = 0;

  constexpr std::int64_t& operator[](int i) { return at[static_cast<std::size_t>(i)]; }
  constexpr std::int64_t operator[](int i) const { return at[static_cast<std::size_t>(i)]; }
};

constexpr std::int64_t useful_bytes(const lane_addresses& lanes, int access_bytes) {
  std::int64_t bytes = 0;
  for (int i = 0; i < lanes.count; ++i) {
    bool first = lanes[i] != inactive_lane;
    for (int j = 0; j < i && first; ++j) first = lanes[j] != lanes[i];
    bytes += first ? access_bytes : 0;
  }
  return bytes;
}

/// 1.0 and 1.1. A lane that goes alone moves the smallest transaction, 32 bytes.
constexpr transactions in_order(const lane_addresses& lanes, int access_bytes) {
  const std::int64_t segment = 16 * access_bytes;
  transactions t;
  bool coalesced = access_bytes >= 4;
  std::int64_t base = inactive_lane;
  for (int k = 0; k < lanes.count; ++k) {
    if (lanes[k] == inactive_lane) continue;
    ++t.count;
    const std::int64_t start = lanes[k] - k * access_bytes;
    if (base == inactive_lane) base = start;
    coalesced = coalesced && start == base && start >= 0 && start % segment == 0;
  }
  t.bytes = 32 * t.count;
  if (coalesced && t.count > 0) t = {.count = access_bytes == 16 ? 2 : 1, .bytes = segment};
  return t;
}

/// 1.2 and 1.3: the protocol of the guide, lane by lane.
constexpr transactions by_segment(lane_addresses lanes, int access_bytes) {
  const std::int64_t segment = access_bytes == 1 ? 32 : access_bytes == 2 ? 64 : 128;
  transactions t;
  for (int k = 0; k < lanes.count; ++k) {
    if (lanes[k] == inactive_lane) continue;
    const std::int64_t start = lanes[k] / segment * segment;
    std::int64_t lowest = start + segment, highest = start;
    for (int j = k; j < lanes.count; ++j) {
      if (lanes[j] < start || lanes[j] >= start + segment) continue;
      lowest = lanes[j] < lowest ? lanes[j] : lowest;
      const std::int64_t end = lanes[j] + access_bytes;
      highest = end > highest ? end : highest;
      lanes[j] = inactive_lane;
    }
    std::int64_t size = segment, from = start;
    while (size > 32 && (highest <= from + size / 2 || lowest >= from + size / 2)) {
      size /= 2;
      if (lowest >= from + size) from += size;
    }
    ++t.count;
    t.bytes += size;
  }
  return t;
}

/// One transaction per piece of `size` bytes that is touched.
constexpr transactions by_piece(lane_addresses lanes, std::int64_t size) {
  transactions t;
  for (int k = 0; k < lanes.count; ++k) {
    if (lanes[k] == inactive_lane) continue;
    const std::int64_t piece = lanes[k] / size;
    for (int j = k; j < lanes.count; ++j) {
      if (lanes[j] != inactive_lane && lanes[j] / size == piece) lanes[j] = inactive_lane;
    }
    ++t.count;
    t.bytes += size;
  }
  return t;
}

}  // namespace detail

/// The transactions of one access: `address_of(lane)` is the byte address of lane 0 … lanes − 1
/// from a base aligned to 256 bytes, as every buffer is, or `inactive_lane`; `access_bytes` is what
/// a lane reads or writes. Throws argument_error for a width that is not 1, 2, 4, 8 or 16, for more
/// than 64 lanes, and for an address that is negative or not a multiple of the width.
template <std::invocable<int> AddressOf>
constexpr transactions global_transactions(coalescing rule, int access_bytes, int lanes,
                                           AddressOf address_of) {
  detail::check_access(access_bytes, lanes);
  const int together = rule == coalescing::in_order || rule == coalescing::segments ? 16 : 32;
  transactions total;
  for (int first = 0; first < lanes; first += together) {
    detail::lane_addresses served;
    for (int lane = first; lane < lanes && lane < first + together; ++lane) {
      served[served.count++] = detail::checked_address(address_of(lane), access_bytes);
    }
    const transactions part = rule == coalescing::in_order ? detail::in_order(served, access_bytes)
                              : rule == coalescing::segments
                                  ? detail::by_segment(served, access_bytes)
                              : rule == coalescing::lines ? detail::by_piece(served, 128)
                                                          : detail::by_piece(served, 32);
    total.count += part.count;
    total.bytes += part.bytes;
    total.useful += detail::useful_bytes(served, access_bytes);
  }
  return total;
}

}  // namespace clprim
