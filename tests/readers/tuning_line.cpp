#include "../../bench/gemm/tuning_line.hpp"

#include <string>

#include <doctest/doctest.h>

namespace {

bench::tuning_line read(const std::string& line) {
  return bench::parse_tuning_line(line, clprim::scalar::float_);
}

}  // namespace

TEST_CASE("a line of bench_tune holds a problem, its layouts, a policy and splits") {
  const bench::tuning_line line = read("4096 300 200 | 1 0 | .tile_m = 32, .tile_n = 16 | 3");
  CHECK(line.problem.m == 4096);
  CHECK(line.problem.n == 300);
  CHECK(line.problem.k == 200);
  CHECK(line.problem.batch == 1);
  CHECK(line.a_along_k);
  CHECK_FALSE(line.b_along_k);
  REQUIRE(line.policy.has_value());
  CHECK(line.policy->tile_m == 32);
  CHECK(line.policy->split_k == 3);
  CHECK(read("1 2 3 7 | 0 1 | tuned").problem.batch == 7);
  CHECK_FALSE(read("1 2 3 | 0 1 | tuned | ").policy.has_value());
  CHECK(read("1 2 3 | 0 1 | clprim::gemm_policy{.tile_k = 4}").policy->tile_k == 4);
}

TEST_CASE("a line of bench_tune that is none is refused in one sentence") {
  const auto refused = [](const std::string& line, const char* why) {
    CHECK_THROWS_WITH_AS(read(line), why, clprim::error);
  };
  refused("1 2 3 | 1 0", "'1 2 3 | 1 0' is not: m n k | layouts | policy | splits");
  // Once accepted: a batch of nothing, of fewer, and what follows a number.
  for (const std::string sizes :
       {"1 2", "1 2 0", "1 2 3 0", "1 2 3 -4", "1 2 3 4 5", "1 2 3x", "1 2 99999999999", ""})
    refused(sizes + " | 1 0 | tuned",
            ("'" + sizes + "' is not: m n k, or m n k batch, from 1 on").c_str());
  refused("1 2 3 | 1 | tuned", "'1' is not: two of 0 and 1");
  refused("1 2 3 | 1 0 | tile_m = 4",
          "text of clprim::gemm_policy must hold designated values: 'tile_m = 4' given, "
          "'.field = value' expected");
  // Once told by the standard library: "stoi".
  for (const std::string splits : {"many", "-1", "1 2", "99999999999"})
    refused("1 2 3 | 1 0 | .tile_m = 4 | " + splits,
            ("'" + splits + "' is not: a number of parts, from 0 on").c_str());
}
