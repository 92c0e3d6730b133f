#pragma once
// bench_tune --door: the tuner on a drawn problem of any door, and how good the library's choice
// is.

#include <cstdio>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

#include <clprim/runtime/tuning_file.hpp>

#include "../harness/interrupt.hpp"
#include "../harness/options.hpp"
#include "../harness/statistics.hpp"
#include "../harness/text.hpp"
#include "cases.hpp"
#include "watchdog.hpp"

namespace bench {

struct door_settings {
  std::string door, device;
  std::size_t first = 0, count = 1;  ///< of the problems of the seed
  std::uint64_t seed = 1;
  double seconds = 60, patience = 30;
  bool no_rows = false;
  std::string journal;  ///< a folder: what was tried lies there between runs; empty: nowhere
  std::string save;     ///< a file of policies to append to
};

namespace detail {

/// "[######----] 12 of 60 s, 34 tried, 5 impossible, 0 wrong, best 1.08 x", over itself.
inline bool show_progress(const clprim::tuning_progress& now) {
  if (isatty(STDERR_FILENO) != 0) {
    constexpr int width = 20;
    const int full = std::min(width, static_cast<int>(width * now.seconds / now.budget));
    std::fprintf(stderr,
                 "\r\033[K[%s%s] %.0f of %.0f s, %d tried, %d impossible, %d wrong, best %.3f x",
                 std::string(static_cast<std::size_t>(full), '#').c_str(),
                 std::string(static_cast<std::size_t>(width - full), '-').c_str(), now.seconds,
                 now.budget, now.tried, now.impossible, now.wrong, now.gain);
    std::fflush(stderr);
  }
  return !interrupted();
}

/// One problem in this process: a line, and the gain for the one that asked.
inline std::string tune_one(const door_settings& how, std::size_t number,
                            const std::string& journal_path) {
  const clprim::session on = clprim::open_session(how.device, 0);
  case_place at{.on = on, .device = clprim::facts_of(on.device)};
  if (at.cpu()) at.most_bytes = 32e6;
  if (how.no_rows) at.stranger = without_rows(at.device);
  clprim::tuning_journal journal(journal_path);
  problem_draw draw(how.seed, number);
  std::string said;
  with_case(how.door, at, draw, [&]<class P>(const std::string& name, const tuned_case<P>& one) {
    const clprim::tuning_task<P>& task = one.task;
    const clprim::tuning<P> found = clprim::tune(
        on.queue, task, {.seconds = how.seconds, .tell = show_progress, .journal = &journal});
    if (isatty(STDERR_FILENO) != 0) std::fprintf(stderr, "\r\033[K");
    std::printf(
        "%5.3f  %-40s %10.2f us, best %10.2f us; %d tried, %d impossible, %d wrong, %zu lost, "
        "%.0f s\n",
        1 / found.gain(), (std::to_string(number) + " " + name).c_str(), found.chosen_seconds * 1e6,
        found.seconds * 1e6, found.last.tried, found.last.impossible, found.last.wrong,
        journal.lost().size(), found.last.seconds);
    for (const std::string& lost : journal.lost())
      std::printf("       did not come back: %s\n", lost.c_str());
    if (found.policy) {
      std::printf("       chosen %s\n       best   %s\n", to_string(task.chosen).c_str(),
                  to_string(*found.policy).c_str());
      if (!how.save.empty())
        clprim::tuning_file::add(how.save, at.device, one.problem, *found.policy, found.gain());
    }
    said = std::to_string(found.gain());
  });
  return said;
}

}  // namespace detail

/// Tunes each problem in a process of its own, and tells how good the choice was.
inline int tune_doors(const door_settings& how) {
  notice_interrupts();
  std::vector<double> shares;
  for (std::size_t i = how.first; i < how.first + how.count && !interrupted(); ++i) {
    const bool kept = !how.journal.empty();
    const std::filesystem::path folder =
        kept ? std::filesystem::path(how.journal) : std::filesystem::temp_directory_path();
    std::filesystem::create_directories(folder);
    const std::string journal =
        (folder / ("clprim-tune-" + (kept ? std::string() : std::to_string(getpid()) + "-") +
                   how.door + "-" + std::to_string(how.seed) + "-" + std::to_string(i)))
            .string();
    const std::string said =
        under_watchdog(journal, how.patience, [&] { return detail::tune_one(how, i, journal); });
    if (const std::string best = clprim::tuning_journal(journal).best();
        said.empty() && !best.empty())
      std::printf("problem %zu was cut off; best so far %s\n", i, best.c_str());
    if (!kept) std::filesystem::remove(journal);
    double gain = 0;
    if (std::istringstream(said) >> gain) shares.push_back(1 / gain);
  }
  if (shares.size() > 1)
    std::printf(
        "%zu problems of %s%s: the choice has %.3f of the best speed that was found in the "
        "median, %.3f at worst\n",
        shares.size(), how.door.c_str(), how.no_rows ? " without the device's rows" : "",
        median(shares), *std::min_element(shares.begin(), shares.end()));
  return interrupted() ? interrupted_status : shares.empty() ? 1 : 0;
}

}  // namespace bench
