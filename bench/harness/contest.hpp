#pragma once
// One row of a benchmark: everybody gets ready and is verified, and is then timed in turns.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/error.hpp>

#include "kernels.hpp"
#include "statistics.hpp"
#include "timing.hpp"

namespace bench {

/// What a row must reach: at least `ratio` times the speed of `peer` in the same run. Three names
/// are not of contestants: "best peer" is the fastest of the peers (roofs and our own variants are
/// no peers), "rate" bounds our own rate in the row's unit, "roof" its share of the row's roof.
struct bar {
  std::string peer;
  double ratio = 1;
  bool of_ours = false;  ///< the other way round: `peer`, a variant, reaches that much of our speed
};

enum class role {
  ours,     ///< the library as it comes
  variant,  ///< the library by other means: a rung, a policy, another contract
  peer,
  roof,  ///< what the device can do at best, timed in turns with the others
};

/// What takes part in a row: closures over operands that are already in place.
struct contestant {
  std::string name;
  role as = role::peer;
  /// Builds, runs once on a poisoned result, and says what is wrong with the result; nothing if
  /// all is well. Throws clprim::error when it cannot take part.
  std::function<std::string()> verify{};
  /// Runs `warm` calls, then `calls` that count.
  std::function<timing(std::size_t warm, std::size_t calls)> time{};
  /// How it does it, in short for the table and in full for the JSON; asked after `verify`.
  std::function<std::string()> short_detail{};
  std::function<std::string()> detail{};
  double settle_ms = 0;  ///< how long others must wait after it: its threads may still spin
  /// More numbers for the JSON by name, asked after `verify` (errors, registers, groups).
  std::function<std::vector<std::pair<std::string, double>>()> facts{};
};

/// Who cannot take part at all still stands in the row, with the reason.
inline contestant absent(const std::string& name, const std::string& why) {
  return {.name = name, .verify = [why]() -> std::string { throw clprim::error(why); }};
}

struct contest_settings {
  double pause_ms = 300;  ///< before each block of calls: a hot GPU clocks lower
  double warm_ms = 2;     ///< of calls before each block, so that clocks are up again
  double block_ms = 40;   ///< the least that a block of calls takes
  std::size_t max_calls = 60;
  double short_ms = 10;  ///< but calls for so long, however short they are
  int rounds = 4;        ///< blocks of each contestant
  /// So many more, and no pauses, where a call of ours takes less than `short_call`: such calls are
  /// bound by launches, which drift, and most after a pause, at the same clocks (H200, sum of 2^16
  /// values: 5.0 to 5.9 us, spread 10 to 18 %, after 20 ms; 4.7 us, 1.4 %, without).
  int short_rounds = 0;
  int unsteady_rounds = 0;  ///< so many more, once, where ours spread too far in those
  /// Told what is done now; empty: nobody asks.
  std::function<void(const std::string&)> tell{};
};

/// How one contestant did; `problem` says why there are no times.
struct contestant_result {
  std::string name{};
  role as = role::peer;
  std::string short_detail{};
  std::string detail{};
  std::string problem{};
  std::vector<seen_kernel> kernels{};  ///< of the call that was verified
  std::vector<std::pair<std::string, double>> facts{};
  summary seconds{};
  double series = 0;  ///< seconds per call, back to back
  double ratio = 0;   ///< our speed over this one's: median over the rounds
  double series_ratio = 0;
  bool timed() const { return seconds.median > 0; }
};

/// Ours first.
struct contest_result {
  std::vector<contestant_result> all;
  int rounds = 0;         ///< that everybody ran whose result was right
  int rounds_wanted = 0;  ///< more than `rounds` when the run was interrupted
  bool cut_short() const { return rounds < rounds_wanted; }
  const contestant_result& ours() const { return all.front(); }
  const contestant_result* find(const std::string& name) const {
    for (const contestant_result& r : all) {
      if (r.name == name && r.timed()) return &r;
    }
    return nullptr;
  }
  /// The fastest peer that was timed; null without one.
  const contestant_result* best_peer() const {
    const contestant_result* best = nullptr;
    for (const contestant_result& r : all) {
      if (r.as != role::peer || !r.timed()) continue;
      if (best == nullptr || r.ratio < best->ratio) best = &r;
    }
    return best;
  }
};

namespace detail {

struct entrant {
  const contestant* who = nullptr;
  std::size_t index = 0;
  std::size_t warm = 1;
  std::size_t calls = 1;
  double one = 0;                              ///< seconds of a call, about
  std::vector<std::vector<double>> seconds{};  ///< per round
  std::vector<double> series{};                ///< per round
};

inline contestant_result judged(const contestant& who) {
  contestant_result result{.name = who.name, .as = who.as};
  try {
    std::string wrong;
    if (who.verify) {
      const kernel_watch watch;
      wrong = who.verify();
      result.kernels = watch.kernels();
    }
    if (!wrong.empty()) result.problem = "WRONG: " + wrong;
    if (who.short_detail) result.short_detail = who.short_detail();
    if (who.detail) result.detail = who.detail();
    if (who.facts) result.facts = who.facts();
  } catch (const std::exception& e) {
    result.problem = e.what();
    result.problem = result.problem.substr(0, result.problem.find('\n'));
  }
  pause_ms(who.settle_ms);
  return result;
}

/// Seconds under which a call is short.
inline constexpr double short_call = 50e-6;
/// The spread from which calls are unsteady: two runs are held to 3 %.
inline constexpr double unsteady_spread = 0.02;

/// Calls that count: a block of them takes `block_ms`, but 3 to `max_calls` (or `short_ms` of
/// them), and only one where a call takes much longer than that. Calls before: `warm_ms` of them,
/// but 250 a millisecond at most.
inline void size_block(entrant& e, const contest_settings& how) {
  const double block = how.block_ms * 1e-3;
  double one = e.one = median(e.who->time(0, 1).seconds);  // verified before, hence warm
  if (one > 10 * block) {
    e.warm = 0;
    pause_ms(e.who->settle_ms);
    return;
  }
  one = e.one = std::max(1e-7, median(e.who->time(1, 2).seconds));
  pause_ms(e.who->settle_ms);
  const std::size_t least = one > 4 * block ? 1 : 3;
  const std::size_t most =
      std::max(how.max_calls, static_cast<std::size_t>(how.short_ms * 1e-3 / one));
  e.calls = std::clamp(static_cast<std::size_t>(block / one), least, most);
  e.warm = std::clamp<std::size_t>(static_cast<std::size_t>(how.warm_ms * 1e-3 / one), 1,
                                   static_cast<std::size_t>(how.warm_ms * 250));
}

inline void time_block(entrant& e, const contest_settings& how) {
  pause_ms(how.pause_ms);
  const timing t = e.who->time(e.warm, e.calls);
  e.seconds.push_back(t.seconds);
  e.series.push_back(t.series);
  pause_ms(e.who->settle_ms);
}

/// Speed of ours over the peer's, by rounds, so that what drifts falls on both.
inline double paired(const std::vector<double>& ours, const std::vector<double>& theirs) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i)
    ratios.push_back(theirs[i] / ours[i]);
  return median(ratios);
}

}  // namespace detail

/// Runs one row, whose first contestant is ours. `stop()` ends it between rounds.
template <class Stop>
contest_result run_contest(const std::vector<contestant>& who, const contest_settings& how,
                           Stop stop) {
  contest_result result{.all = {}, .rounds_wanted = how.rounds};
  std::vector<detail::entrant> ready;
  const auto tell = [&](const std::string& what) {
    if (how.tell) how.tell(what);
  };
  for (const contestant& one : who) {
    if (stop() && !result.all.empty()) break;
    tell("verifying " + one.name);
    result.all.push_back(detail::judged(one));
    if (result.all.back().problem.empty())
      ready.push_back({.who = &one, .index = result.all.size() - 1});
  }
  for (detail::entrant& e : ready) {
    if (!stop()) detail::size_block(e, how);
  }
  const bool ours_is_there = !ready.empty() && ready.front().index == 0;
  contest_settings block = how;
  if (how.short_rounds > 0 && ours_is_there && ready.front().one > 0 &&
      ready.front().one < detail::short_call) {
    result.rounds_wanted += how.short_rounds;
    block.pause_ms = 0;
  }
  bool extended = false;
  for (int round = 0; round < result.rounds_wanted && !stop(); ++round) {
    ++result.rounds;
    for (detail::entrant& e : ready) {
      tell("round " + std::to_string(round + 1) + " of " + std::to_string(result.rounds_wanted) +
           ", " + e.who->name);
      detail::time_block(e, block);
    }
    if (ours_is_there && how.unsteady_rounds > 0 && !extended &&
        result.rounds == result.rounds_wanted) {
      extended = true;
      if (summarise(ready.front().seconds).spread > detail::unsteady_spread)
        result.rounds_wanted += how.unsteady_rounds;
    }
  }
  const auto medians_of = [](const detail::entrant& e) {
    std::vector<double> all;
    for (const std::vector<double>& round : e.seconds) all.push_back(median(round));
    return all;
  };
  for (const detail::entrant& e : ready) {
    contestant_result& r = result.all[e.index];
    r.seconds = summarise(e.seconds);
    r.series = median(e.series);
    if (!ours_is_there) continue;
    r.ratio = detail::paired(medians_of(ready.front()), medians_of(e));
    r.series_ratio = detail::paired(ready.front().series, e.series);
  }
  return result;
}

}  // namespace bench
