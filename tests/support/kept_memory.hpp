#pragma once
// Whether small memory that this process frees is used again late, not at once.
//
// PoCL since 5.0 keeps by address which values of a kernel are the same for all work-items of a
// group, over passes that free values and make others (loses_guards_between_barriers). Tests ask
// whether the texts of kernels are right: so no address has another meaning while one compiles.

#include <atomic>

namespace support {

/// Off until a test has opened such a device. harness/kept_memory.cpp has the `free` that reads it.
inline std::atomic<bool>& keeps_memory() {
  static constinit std::atomic<bool> keeps{false};
  return keeps;
}

}  // namespace support
