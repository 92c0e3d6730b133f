#pragma once
// A process of its own for what may hang or crash a driver.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <clprim/core/error.hpp>

#include "../harness/interrupt.hpp"

namespace bench {

/// Runs `job` in a child, and again as long as the child dies or says nothing in its journal for
/// `patience` seconds, but has got further than the one before: `job` passes over what it finds
/// there. Returns what the last child wrote to its pipe, or nothing. For a process that has not
/// opened a device.
inline std::string under_watchdog(const std::string& journal, double patience,
                                  const std::function<std::string()>& job) {
  const auto size = [&]() -> std::uintmax_t {
    std::error_code none;
    const auto bytes = std::filesystem::file_size(journal, none);
    return none ? 0 : bytes;
  };
  for (;;) {
    const std::uintmax_t before = size();
    int ways[2];
    if (pipe(ways) != 0) throw clprim::error("no pipe for a process that tunes");
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) throw clprim::error("no process that tunes");
    if (child == 0) {
      close(ways[0]);
      std::string said;
      int status = 0;
      try {
        said = job();
      } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        status = 1;
      }
      if (write(ways[1], said.data(), said.size()) < 0) status = 1;
      std::fflush(nullptr);
      _exit(status);
    }
    close(ways[1]);
    using clock = std::chrono::steady_clock;
    auto changed = clock::now();
    std::uintmax_t last = before;
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (const std::uintmax_t now = size(); now != last) {
        last = now;
        changed = clock::now();
      }
      // Who is interrupted has some seconds to tell what it found.
      const double waits = interrupted() ? std::min(patience, 5.0) : patience;
      if (std::chrono::duration<double>(clock::now() - changed).count() < waits) continue;
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      break;
    }
    std::string said;
    char part[512];
    for (ssize_t n = 0; (n = read(ways[0], part, sizeof part)) > 0;)
      said.append(part, static_cast<std::size_t>(n));
    close(ways[0]);
    if (WIFEXITED(status)) return said;
    if (interrupted() || size() == before) return {};  // lost before it tried anything
  }
}

}  // namespace bench
