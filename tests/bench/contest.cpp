// The benchmarks' own contest: who is wrong or cannot take part is reported, not timed, not ranked.

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

// What a benchmark executable links: the kernels of a call are seen by it.
#include "../../bench/harness/commands.cpp"
#include "../../bench/harness/report.hpp"
#include "bench/program.hpp"

using bench::contestant;
using bench::role;
using support::contains;

namespace {

/// Takes these seconds, as it says; counts how often it was timed.
contestant entrant(const std::string& name, role as, double seconds, int* timed = nullptr) {
  return {.name = name,
          .as = as,
          .verify = [] { return std::string(); },
          .time =
              [=](auto, auto n) {
                if (timed != nullptr) ++*timed;
                return bench::timing{std::vector<double>(n, seconds), seconds};
              }};
}

contestant liar(const std::string& name, role as, int* timed) {
  contestant one = entrant(name, as, 1e-9, timed);
  one.verify = [] { return std::string("7, should be 8"); };
  return one;
}

constexpr auto never = [] { return false; };
const bench::contest_settings quickly{.pause_ms = 0, .block_ms = 0.1, .max_calls = 3, .rounds = 2};

/// The table of one row, ended.
bench::run_report report_of(const bench::contest_result& result, std::vector<bench::bar> bars) {
  bench::run_report report({}, true);
  report.row({.name = "row", .work = 1e9, .unit = "GB/s", .roof = 0, .bars = std::move(bars)},
             result);
  report.finish();
  return report;
}

}  // namespace

TEST_CASE("a peer that is wrong or throws is reported, not timed, not ranked") {
  int lies = 0, throws = 0;
  contestant thrower = entrant("thrower", role::peer, 1e-9, &throws);
  thrower.verify = []() -> std::string { throw clprim::error("it has no such kernel\nlog"); };
  const auto result =
      bench::run_contest({entrant("clprim", role::ours, 1e-3), liar("liar", role::peer, &lies),
                          thrower, entrant("honest", role::peer, 2e-3)},
                         quickly, never);
  CHECK(lies == 0);
  CHECK(throws == 0);
  REQUIRE(result.all.size() == 4);
  CHECK(result.all[1].problem == "WRONG: 7, should be 8");
  CHECK(result.all[2].problem == "it has no such kernel");
  CHECK(result.find("liar") == nullptr);
  CHECK(result.find("thrower") == nullptr);
  REQUIRE(result.best_peer() != nullptr);
  CHECK(result.best_peer()->name == "honest");
  CHECK(result.best_peer()->ratio == doctest::Approx(2));
  CHECK_FALSE(result.cut_short());

  const auto report = report_of(result, {{"liar", 1}, {"best peer", 1.5}});
  CHECK(contains(report.text(), "1.00 liar open, 1.50 best peer ok"));
  CHECK(contains(report.text(), "wrong, not timed:\n  row: liar WRONG: 7, should be 8\n"));
  CHECK(contains(report.text(), "for want of the peer:\n  row: 1.00 liar\n"));
  CHECK(contains(report.text(), "thrower: it has no such kernel"));
  CHECK(contains(report.text(), "No row is under a bar"));
  CHECK_FALSE(report.wrong());
}

TEST_CASE("a wrong result of the library or of a variant of it fails the run") {
  int lies = 0;
  const auto peer = entrant("peer", role::peer, 1e-3);
  const auto ours = bench::run_contest({liar("clprim", role::ours, &lies), peer}, quickly, never);
  CHECK_FALSE(ours.ours().timed());
  CHECK(report_of(ours, {}).wrong());
  CHECK(contains(report_of(ours, {}).text(), "Under their bars:\n  row: clprim WRONG"));

  const auto variant = bench::run_contest(
      {entrant("clprim", role::ours, 1e-3), liar("fastest", role::variant, &lies)}, quickly, never);
  CHECK(variant.ours().timed());
  CHECK(report_of(variant, {}).wrong());
  CHECK(contains(report_of(variant, {}).text(), "Under their bars:\n  row: fastest WRONG"));
  CHECK(lies == 0);
}

TEST_CASE("a row that was cut short keeps the rounds that it ran, and says so") {
  int timed = 0;
  const std::vector<contestant> who{entrant("clprim", role::ours, 1e-3, &timed)};
  bench::contest_settings how = quickly;
  how.rounds = 4;
  // Two calls choose the block's size, each round is one more.
  const auto result = bench::run_contest(who, how, [&] { return timed >= 3; });
  CHECK(result.cut_short());
  CHECK(result.rounds == 1);
  CHECK(result.ours().timed());
  CHECK(contains(report_of(result, {}).text(), "interrupted after 1 of 4 rounds"));
}

TEST_CASE(
    "calls before a block last as long as the settings say, 250 of them a millisecond at most") {
  const auto warm_calls = [](double seconds, double warm_ms) {
    std::size_t seen = 0;
    contestant one = entrant("clprim", role::ours, seconds);
    one.time = [&seen, seconds](std::size_t warm, std::size_t n) {
      seen = warm;
      return bench::timing{std::vector<double>(n, seconds), seconds};
    };
    bench::contest_settings how = quickly;
    how.warm_ms = warm_ms;
    CHECK(bench::run_contest({one}, how, never).ours().timed());
    return seen;
  };
  CHECK(warm_calls(1e-4, 2) == 20);
  CHECK(warm_calls(1e-4, 500) == 5000);  // lasting load
  CHECK(warm_calls(1e-6, 2) == 500);
  CHECK(warm_calls(9e-4, 0.5) == 1);
}

TEST_CASE("a time is the median of the quieter rounds, its spread that of all") {
  using rounds = std::vector<std::vector<double>>;
  CHECK(bench::quiet_samples({}).empty());
  CHECK(bench::quiet_samples(rounds{{3, 1}}) == std::vector<double>{3, 1});
  CHECK(bench::quiet_samples(rounds{{5, 5}, {1, 9}, {2, 2}}) == std::vector<double>{2, 2, 5, 5});
  const rounds disturbed{{4, 4, 4}, {9, 9, 9}, {4, 4, 4}, {9, 9, 9}, {4, 4, 4}};
  const bench::summary all = bench::summarise(disturbed);
  CHECK(all.median == 4);
  CHECK(all.spread > 0.5);
  CHECK(bench::summarise(rounds{{9}, {4}, {9}, {4}, {9}}).median == 4);
  CHECK(bench::summarise(rounds{{9}, {4}, {9}, {9}, {9}}).median == 9);
}

TEST_CASE("cold calls are each timed after a sweep of the cache, which is no part of their time") {
  std::string order;
  const bench::timing t = bench::time_by_wall(
      1, 2, [&](std::size_t) { order += "call "; }, [&] { order += "sweep "; });
  CHECK(order == "sweep call sweep call sweep call ");
  CHECK(t.seconds.size() == 2);
}

TEST_CASE("short calls get more rounds, where the settings say so") {
  bench::contest_settings how = quickly;
  how.short_rounds = 3;
  CHECK(bench::run_contest({entrant("clprim", role::ours, 1e-6)}, how, never).rounds == 5);
  CHECK(bench::run_contest({entrant("clprim", role::ours, 1e-3)}, how, never).rounds == 2);
}

TEST_CASE("calls that spread get more rounds once, where the settings say so") {
  bench::contest_settings how = quickly;
  how.unsteady_rounds = 4;
  const auto rounds_of = [&](double step) {
    contestant ours = entrant("clprim", role::ours, 1e-3);
    int calls = 0;
    ours.time = [&calls, step](auto, auto n) {
      const double seconds = 1e-3 * (1 + step * (calls++ % 4));
      return bench::timing{std::vector<double>(n, seconds), seconds};
    };
    return bench::run_contest({ours}, how, never).rounds;
  };
  CHECK(rounds_of(0.001) == 2);
  CHECK(rounds_of(0.2) == 6);
  how.unsteady_rounds = 0;
  CHECK(rounds_of(0.2) == 2);
}
