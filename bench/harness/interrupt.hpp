#pragma once
// Ctrl-C and SIGTERM end a run between two measurements; what there is by then is kept.

#include <csignal>

namespace bench {

inline volatile std::sig_atomic_t interrupt_came = 0;

/// From here on signals are noted instead of ending the process.
inline void notice_interrupts() {
  std::signal(SIGINT, [](int) { interrupt_came = 1; });
  std::signal(SIGTERM, [](int) { interrupt_came = 1; });
}

inline bool interrupted() { return interrupt_came != 0; }

/// What main returns then, as shells have it.
inline constexpr int interrupted_status = 130;

/// What stands at the end of a table that was cut short; a row that ran only some of its rounds has
/// a mark of its own.
inline constexpr const char* interrupted_mark =
    "INTERRUPTED: the rows that are missing were not run.";

}  // namespace bench
