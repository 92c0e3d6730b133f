#pragma once
// The lanes of a warp that take part in an access, and what is asked of their addresses.

#include <cstdint>
#include <string>

#include <clprim/core/error.hpp>

namespace clprim {

/// The address of a lane that takes no part in an access (a divergent or guarded one).
inline constexpr std::int64_t inactive_lane = -1;

namespace detail {

inline constexpr int most_lanes = 64;

constexpr void check_access(int access_bytes, int lanes) {
  const bool width = access_bytes == 1 || access_bytes == 2 || access_bytes == 4 ||
                     access_bytes == 8 || access_bytes == 16;
  if (!width) {
    throw argument_error("access width in bytes", "must be one the hardware has",
                         std::to_string(access_bytes), "1, 2, 4, 8 or 16");
  }
  if (lanes < 1 || lanes > most_lanes) {
    throw argument_error("lanes of an access", "must be those of one warp", std::to_string(lanes),
                         "1 to " + std::to_string(most_lanes));
  }
}

/// The address itself; hardware has no access that is not aligned to its own width.
constexpr std::int64_t checked_address(std::int64_t address, int access_bytes) {
  if (address != inactive_lane && (address < 0 || address % access_bytes != 0)) {
    throw argument_error("address of a lane", "must be a multiple of the access width",
                         std::to_string(address),
                         "multiples of " + std::to_string(access_bytes) + ", or inactive_lane");
  }
  return address;
}

}  // namespace detail
}  // namespace clprim
