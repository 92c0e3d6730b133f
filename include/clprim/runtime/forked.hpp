#pragma once
// A process that was forked after OpenCL was used has none of the driver's threads.

#include <atomic>

#include <clprim/core/error.hpp>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace clprim::detail {

/// Set in a child by fork() of a process that has made an operation, and never again.
inline std::atomic<bool>& forked() {
  static std::atomic<bool> now = false;
  return now;
}

/// From the first call on a child by fork() is told by `forked`.
inline void watch_forks() {
#if defined(__unix__) || defined(__APPLE__)
  static const int watched =
      pthread_atfork(nullptr, nullptr, [] { forked().store(true, std::memory_order_relaxed); });
  (void)watched;
#endif
}

/// Throws device_error in such a child, where the first command would wait for ever.
inline void require_not_forked() {
  if (!forked().load(std::memory_order_relaxed)) [[likely]]
    return;
  throw device_error(
      "OpenCL cannot be used in a child of a process that has used it: fork() copies none of the "
      "driver's threads. Fork before the first operation is made, or start a program by exec");
}

}  // namespace clprim::detail
