#pragma once
// Many candidates for one problem, fastest first: what the rows of a tuned.hpp are chosen from.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "contest.hpp"
#include "text.hpp"

namespace bench {

/// Calls `prepare(i)` for i < count, by as many threads as there are cores: to build the programs
/// of all candidates beforehand. What one of them throws is left for its turn to tell.
template <class Prepare> void prepare_by_threads(std::size_t count, Prepare prepare) {
  const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 16);
  std::vector<std::jthread> workers;
  for (std::size_t t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      for (std::size_t i = t; i < count; i += threads) {
        try {
          prepare(i);
        } catch (const std::exception&) {  // told by the contest
        }
      }
    });
  }
}

/// Short blocks and pauses: candidates are many, and take turns.
inline contest_settings sweep_settings() {
  return {.pause_ms = 5, .block_ms = 1.5, .max_calls = 20, .short_ms = 0, .rounds = 4};
}

/// Runs the contest and prints everybody, the fastest first, with the speed against the first of
/// `who`; `work` is in units of 1e9 of `unit`, bytes for GB/s.
inline void print_fastest_first(const std::string& name, double work, const std::string& unit,
                                const std::vector<contestant>& who, const contest_settings& how) {
  const double begin = seconds_now();
  contest_result result = run_contest(who, how, [] { return false; });
  const std::string first = result.ours().name;
  std::stable_sort(result.all.begin(), result.all.end(),
                   [](const contestant_result& x, const contestant_result& y) {
                     if (x.timed() != y.timed()) return x.timed();
                     return x.seconds.median < y.seconds.median;
                   });
  std::printf("%s: %zu contestants in %.1f s\n", name.c_str(), who.size(), seconds_now() - begin);
  for (const contestant_result& r : result.all) {
    if (r.timed()) {
      std::string facts;
      for (const auto& [fact, value] : r.facts) facts += ", " + fixed(value, 0) + " " + fact;
      std::printf("  %9.2f us %8.1f %s +-%4s  %5.3f of %s  %s%s\n", r.seconds.median * 1e6,
                  work / r.seconds.median * 1e-9, unit.c_str(), percent(r.seconds.spread).c_str(),
                  r.ratio > 0 ? 1 / r.ratio : 0, first.c_str(), r.name.c_str(), facts.c_str());
    } else {
      std::printf("  %s: %s\n", r.name.c_str(), r.problem.c_str());
    }
  }
  std::fflush(stdout);
}

}  // namespace bench
