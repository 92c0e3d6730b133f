// Problems drawn by a seed, and what many rows say together.

#include "../../bench/gemm/drawn.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../../bench/harness/distribution.hpp"
#include "../../bench/harness/report.hpp"
#include "bench/program.hpp"

using bench::problem_draw;
using support::contains;

TEST_CASE("a problem is drawn by its seed and its number alone") {
  const auto first = [](std::uint64_t seed, std::size_t number) {
    problem_draw draw(seed, number);
    return std::vector{draw.uniform(), draw.uniform(), draw.uniform()};
  };
  CHECK(first(1, 7) == first(1, 7));
  CHECK(first(1, 7) != first(1, 8));
  CHECK(first(1, 7) != first(2, 7));
  CHECK(first(std::uint64_t{1} << 40, 7) != first(0, 7));
}

TEST_CASE("drawn numbers cover their range, each order of magnitude alike") {
  std::vector<int> decades(4);
  std::set<std::int64_t> small;
  for (std::size_t i = 0; i < 4000; ++i) {
    problem_draw draw(3, i);
    const std::int64_t n = draw.log_uniform(10, 100000);
    REQUIRE(n >= 10);
    REQUIRE(n <= 100000);
    ++decades[static_cast<std::size_t>(std::min(3.0, std::log10(static_cast<double>(n)) - 1))];
    small.insert(draw.between(2, 5));
  }
  for (const int count : decades) {
    CHECK(count > 850);  // of 1000 expected; the standard deviation is 27
    CHECK(count < 1150);
  }
  CHECK(small == std::set<std::int64_t>{2, 3, 4, 5});
}

TEST_CASE("drawn sizes are powers of two, their neighbours, primes, and multiples of 16") {
  int powers = 0, beside = 0, primes = 0, sixteenths = 0;
  const auto is_power = [](std::int64_t n) { return (n & (n - 1)) == 0; };
  for (std::size_t i = 0; i < 2000; ++i) {
    problem_draw draw(4, i);
    const std::int64_t n = draw.size(100, 10000);
    REQUIRE(n >= 100);
    REQUIRE(n <= 10000);
    powers += is_power(n) ? 1 : 0;
    beside += is_power(n - 1) || is_power(n + 1) ? 1 : 0;
    primes += problem_draw::prime_from(n) == n ? 1 : 0;
    sixteenths += n % 16 == 0 ? 1 : 0;
  }
  CHECK(powers > 300);  // a fifth of 2000, less those that fell out of the range
  CHECK(beside > 300);
  CHECK(primes > 360);
  CHECK(sixteenths > 650);
  CHECK(problem_draw::prime_from(90) == 97);
  CHECK(problem_draw::prime_from(2) == 2);
}

TEST_CASE("drawn products keep to their bounds, in every type, operation, gap and batch") {
  std::set<std::string> kinds;
  int transposed = 0, gaps = 0, batches = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    problem_draw draw(5, i);
    const bench::gemm_problem_row p = bench::drawn_product(draw, true, 1e8, 1e11);
    CAPTURE(p.name);
    REQUIRE(static_cast<double>(p.bytes()) <= 1e8);
    REQUIRE(p.flops() <= 1e11);
    REQUIRE(std::min({p.m, p.n, p.k, p.batch}) >= 1);
    CHECK(p.a().leading() >= p.a().rows);
    kinds.insert(p.name.substr(0, p.name.find(' ') + 3));
    transposed += p.op_a != clprim::transposition::none ? 1 : 0;
    gaps += p.gap_c > 0 ? 1 : 0;
    batches += p.batch > 1 ? 1 : 0;
  }
  CHECK(transposed > 400);
  CHECK(gaps > 180);
  CHECK(batches > 250);
  // Three real types by two operations of two operands, two complex ones by three.
  CHECK(kinds.size() == 3 * 4 + 2 * 9);
}

TEST_CASE("a distribution tells means, the worst, shares, and the rows furthest behind") {
  bench::distribution all;
  all.add({2.0, "double", "two"});
  all.add({0.5, "double", "half"});
  for (int i = 0; i < 12; ++i) all.add({1.0, "float", "one " + std::to_string(i)});
  std::string text;
  for (const std::string& line : all.lines("best peer")) text += line + "\n";
  CAPTURE(text);
  CHECK(contains(text, "Against best peer, by kind:"));
  CHECK(contains(text, "double               2      1.000   0.500      50%    50%"));
  CHECK(contains(text, "float               12      1.000   1.000     100%   100%"));
  CHECK(contains(text, "all                 14      1.000   0.500      93%    93%"));
  CHECK(contains(text, "   0.500  half\n   1.000  one 0\n"));
  CHECK_FALSE(contains(text, "one 9"));  // ten rows at most
  CHECK_FALSE(contains(text, "two"));
}

TEST_CASE("a report of drawn rows judges each by what the suite names") {
  bench::contest_result result{.all = {{.name = "clprim", .as = bench::role::ours},
                                       {.name = "copy", .as = bench::role::roof},
                                       {.name = "other", .as = bench::role::peer}}};
  for (auto& one : result.all) one.seconds.median = 1e-3;
  result.all[1].seconds.median = 5e-4;
  result.all[1].ratio = 0.8;
  result.all[2].ratio = 1.25;
  const auto said_against = [&](const std::string& name, double roof = 4) {
    bench::run_report report({}, true);
    report.judge_by(name);
    report.row({.name = "a row", .work = 1e6, .roof = roof}, result);
    report.finish();
    return report.text();
  };
  CHECK(contains(said_against("best peer"), "1.250  a row"));
  CHECK(contains(said_against("copy"), "0.800  a row"));
  CHECK(contains(said_against("roof"), "0.500  a row"));  // the row's own copy is below the roof
  CHECK(contains(said_against("roof", 1.25), "0.800  a row"));
  CHECK(contains(said_against("nobody"), "Nobody to compare with in 1 rows."));
}
