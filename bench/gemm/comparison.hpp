#pragma once
// One row: everybody builds, is verified, and is then timed in turns.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../harness/statistics.hpp"
#include "clblast.hpp"
#include "cublas.hpp"
#include "openblas.hpp"
#include "ours.hpp"
#include "verify.hpp"

namespace bench {

struct gemm_settings {
  double pause_ms = 300;  ///< before each block of calls: a hot GPU clocks lower
  double block_ms = 40;   ///< the least that a block of calls takes
  std::size_t max_calls = 60;
  int rounds = 4;         ///< blocks of each contestant
  bool by_events = true;  ///< OpenCL's calls by their events, else by wall time
  bool rotate = false;    ///< operands out of the last-level cache
  bool pedantic = false;  ///< cuBLAS in its pedantic mode
  bool clblast_tuned = false;
  bool portable = false;  ///< ours without cp.async
  std::optional<clprim::gemm_policy> policy{};
  std::optional<clprim::gemm_policy> async_policy{};
};

/// How one contestant did; `problem` says why there are no times.
struct contestant_result {
  std::string name{};
  std::string short_detail{};
  std::string detail{};
  std::string problem{};
  double error = 0;  ///< epsilon (|A||B|)
  summary seconds{};
  double series = 0;  ///< seconds per call, back to back
  double ratio = 0;   ///< our speed over this one's: median over the rounds
  double series_ratio = 0;
  bool timed() const { return seconds.median > 0; }
};

/// Ours first.
struct comparison {
  gemm_problem_row problem;
  std::vector<contestant_result> results;
  const contestant_result& ours() const { return results.front(); }
  const contestant_result* find(const std::string& name) const {
    for (const contestant_result& r : results) {
      if (r.name == name) return &r;
    }
    return nullptr;
  }
};

/// Copies of the operands so that a round trip through them is twice the cache; one without
/// rotation.
inline placement placement_of(const gemm_problem_row& p, bool rotate, std::size_t cache) {
  const auto rounded = [](std::size_t elements) { return (elements + 1023) / 1024 * 1024; };
  placement where{.a_step = rounded(p.a_elements()),
                  .b_step = rounded(p.b_elements()),
                  .c_step = rounded(p.c_elements())};
  if (rotate && p.bytes() < 2 * cache)
    where.copies = std::min<std::size_t>(256, 2 * cache / p.bytes() + 2);
  return where;
}

/// Everyone who computes in T, with the operands of all rows of T.
template <clprim::scalar_type T> class gemm_arena {
 public:
  gemm_arena(const clprim::session& session, const clprim::device_facts& device,
             const std::vector<gemm_problem_row>& problems, gemm_settings settings)
    : settings_(std::move(settings)), cache_(cache_bytes(session.device)) {
    std::size_t a = 1, b = 1, c = 1;
    for (const gemm_problem_row& p : problems) {
      if (p.type != clprim::scalar_of<T>) continue;
      const placement where = placement_of(p, settings_.rotate, cache_);
      a = std::max(a, where.copies * where.a_step);
      b = std::max(b, where.copies * where.b_step);
      c = std::max(c, where.copies * where.c_step);
    }
    a_ = std::make_shared<std::vector<T>>(random_values<T>(a, 1));
    b_ = std::make_shared<std::vector<T>>(random_values<T>(b, 2));
    const auto buffers = std::make_shared<const opencl_operands<T>>(
        session, device, settings_.by_events, *a_, *b_, c);
    add("clprim", [&] {
      return std::make_unique<our_gemm<T>>(buffers, settings_.policy, settings_.async_policy,
                                           settings_.portable);
    });
#if CLPRIM_HAS_CLBLAST
    add("CLBlast",
        [&] { return std::make_unique<clblast_gemm<T>>(buffers, settings_.clblast_tuned); });
#endif
#if CLPRIM_HAS_OPENBLAS
    if (device.kind == clprim::device_kind::cpu)
      add("OpenBLAS", [&] { return std::make_unique<openblas_gemm<T>>(a_, b_, c); });
#endif
#if CLPRIM_HAS_CUBLAS
    if (device.vendor == clprim::vendor::nvidia) {
      add("cuBLAS", [&] {
        return std::make_unique<cublas_gemm<T>>(session.device, *a_, *b_, c, settings_.pedantic);
      });
    }
#endif
  }

  /// Runs one row. `stop` ends it between blocks.
  template <class Stop> comparison run(const gemm_problem_row& problem, Stop stop) {
    comparison row{.problem = problem, .results = absent_};
    const placement where = placement_of(problem, settings_.rotate, cache_);
    std::vector<contestant_result> results;
    std::vector<entry> ready;
    for (const auto& one : contestants_) {
      results.push_back(check_one(*one, problem, where));
      if (results.back().problem.empty())
        ready.push_back({.who = one.get(), .index = results.size() - 1});
    }
    for (entry& e : ready) size_block(e);
    for (int round = 0; round < settings_.rounds && !stop(); ++round) {
      for (entry& e : ready) time_block(e);
    }
    for (const entry& e : ready) {
      contestant_result& r = results[e.index];
      r.seconds = summarise(e.seconds);
      r.series = median(e.series);
      r.ratio = paired(ready, e, &entry::medians);
      r.series_ratio = paired(ready, e, &entry::series);
    }
    row.results.insert(row.results.begin(), results.begin(), results.end());
    return row;
  }

 private:
  struct entry {
    contestant<T>* who = nullptr;
    std::size_t index = 0;
    std::size_t warm = 1;
    std::size_t calls = 1;
    std::vector<double> seconds{};
    std::vector<double> medians{};  ///< per round
    std::vector<double> series{};   ///< per round
  };

  template <class Make> void add(const std::string& name, Make make) {
    try {
      contestants_.push_back(make());
    } catch (const std::exception& e) {
      absent_.push_back({.name = name, .problem = e.what()});
    }
  }

  contestant_result check_one(contestant<T>& who, const gemm_problem_row& problem,
                              const placement& where) const {
    contestant_result result{.name = who.name()};
    try {
      who.bind(problem, where);
      result.short_detail = who.short_detail();
      result.detail = who.detail();
      const verdict v = verify<T>(problem, *a_, *b_, who.product());
      result.error = v.error;
      if (!v.ok()) result.problem = "WRONG: " + v.wrong;
    } catch (const std::exception& e) {
      result.problem = e.what();
      result.problem = result.problem.substr(0, result.problem.find('\n'));
    }
    pause_ms(who.settle_ms());
    return result;
  }

  /// Calls that count: a block of them takes `block_ms`, but 3 to `max_calls`, and only one where a
  /// call takes much longer than that. Calls before: 2 ms of them, so that clocks are up again.
  void size_block(entry& e) const {
    e.who->time(1, 1);
    const double one = std::max(1e-7, median(e.who->time(0, 2).seconds));
    pause_ms(e.who->settle_ms());
    const double block = settings_.block_ms * 1e-3;
    const std::size_t least = one > 4 * block ? 1 : 3;
    e.calls = std::clamp(static_cast<std::size_t>(block / one), least, settings_.max_calls);
    e.warm = std::clamp<std::size_t>(static_cast<std::size_t>(2e-3 / one), 1, 60);
  }

  void time_block(entry& e) const {
    pause_ms(settings_.pause_ms);
    const timing t = e.who->time(e.warm, e.calls);
    e.seconds.insert(e.seconds.end(), t.seconds.begin(), t.seconds.end());
    e.medians.push_back(median(t.seconds));
    e.series.push_back(t.series);
    pause_ms(e.who->settle_ms());
  }

  /// Speed of ours over this one's, by rounds, so that what drifts falls on both.
  static double paired(const std::vector<entry>& ready, const entry& peer,
                       std::vector<double> entry::*what) {
    if (ready.empty() || ready.front().index != 0) return 0;
    const std::vector<double>& ours = ready.front().*what;
    const std::vector<double>& theirs = peer.*what;
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i)
      ratios.push_back(theirs[i] / ours[i]);
    return median(ratios);
  }

  gemm_settings settings_;
  std::size_t cache_;
  std::shared_ptr<std::vector<T>> a_, b_;
  std::vector<std::unique_ptr<contestant<T>>> contestants_;
  std::vector<contestant_result> absent_;
};

}  // namespace bench
