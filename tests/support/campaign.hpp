#pragma once
// A property is tried on many drawn cases; each has a seed of its own that replays it alone. The
// first that fails is made smaller (support/shrinking.hpp).
//
//   CLPRIM_SEED    of the first case; "random" takes it from the clock. Case i has the seed + i. If
//                  none is given, the campaign's name gives one: other names, other cases.
//   CLPRIM_CASES   how many cases.
//   CLPRIM_SKIP    how many cases are left out before the first, which is told with its own seed:
//                  other processes try them. A multiple of CLPRIM_PROBLEMS.
//   CLPRIM_CHOICES those of the first case, as a failure printed them: its smallest form, or those
//                  of its kernels
//   CLPRIM_PROBLEMS cases with the same kernels, one after the other; building them takes most of
//                  a case's time. Usually 1.
//   CLPRIM_OPTIMISED of so many kernels PoCL builds one as users get it, the others without
//                  optimisation, much sooner; 0: none. Usually 4.
//   CLPRIM_SECONDS after which a campaign begins no further case. Unless told, and no number of
//                  cases is, two minutes where PoCL builds all kernels as users get them.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "support/builds.hpp"
#include "support/random.hpp"
#include "support/shrinking.hpp"

/// A test case that calls run_campaign: tests/campaign finds those, and only those, by their suite.
#define CAMPAIGN(name) TEST_CASE(name* doctest::test_suite("campaigns"))

namespace support {

/// FNV-1a of a name, short enough to type.
constexpr std::uint64_t seed_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash % 1'000'000'000;
}

/// The calls that the cases of the running campaign have made, where a case is a sequence of them.
inline std::int64_t& calls_tried() {
  static std::int64_t calls = 0;
  return calls;
}

/// Calls `property(draw)` for each case; it returns what is wrong and how to replay it, or "".
/// After `most_failures` the campaign ends: the first one is what matters.
template <class Property>
void run_campaign(const std::string& name, int default_cases, Property property) {
  const std::string suite = doctest::getContextOptions()->currentTest->m_test_suite;
  REQUIRE_MESSAGE(suite == "campaigns", name << " is a test of CAMPAIGN, not of TEST_CASE");
  const char* const given_seed = std::getenv("CLPRIM_SEED");
  const char* const given_cases = std::getenv("CLPRIM_CASES");
  std::uint64_t seed = 20261120 + seed_of(name);
  if (given_seed != nullptr && std::string(given_seed) == "random") {
    seed = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  } else if (given_seed != nullptr) {
    seed = std::strtoull(given_seed, nullptr, 10);
  }
  const char* const given_skip = std::getenv("CLPRIM_SKIP");
  if (given_skip != nullptr) seed += std::strtoull(given_skip, nullptr, 10);
  const char* const given_choices = std::getenv("CLPRIM_CHOICES");
  const int cases = given_cases == nullptr ? default_cases : std::atoi(given_cases);
  MESSAGE(name << ": CLPRIM_SEED=" << seed << " CLPRIM_CASES=" << cases);
  const char* const given_seconds = std::getenv("CLPRIM_SECONDS");
  const bool slow = given_cases == nullptr && !may_build_unoptimised();
  const double seconds = given_seconds != nullptr ? std::atof(given_seconds) : slow ? 120 : 1e9;
  const char* const given_problems = std::getenv("CLPRIM_PROBLEMS");
  const int problems = given_problems == nullptr ? 1 : std::max(1, std::atoi(given_problems));
  const char* const given_optimised = std::getenv("CLPRIM_OPTIMISED");
  const int optimised = given_optimised == nullptr ? 4 : std::max(0, std::atoi(given_optimised));
  const auto begun = std::chrono::steady_clock::now();
  const auto in_time = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() <
           seconds;
  };
  constexpr int most_failures = 5;
  int failures = 0, tried = 0;
  calls_tried() = 0;
  choices kernels;  // of the case that the next ones share them with
  for (int i = 0; i < cases && failures < most_failures && in_time(); ++i, ++tried) {
    const std::uint64_t own_seed = seed + static_cast<std::uint64_t>(i);
    choices given;
    if (i == 0 && given_choices != nullptr)
      given = choices_of(given_choices);
    else if (i % problems != 0)
      given = kernels;
    const bool as_users = optimised > 0 && i / problems % optimised == 0;
    std::optional<unoptimised_builds> quickly;
    if (!as_users) quickly.emplace();
    draw d(own_seed, given);
    const std::string complaint = verdict(property, d);
    if (i % problems == 0) kernels = d.of_kernels();
    if (complaint.empty()) continue;
    const std::string replay = "CLPRIM_SEED=" + std::to_string(own_seed) +
                               " CLPRIM_CASES=1 CLPRIM_OPTIMISED=" + (as_users ? "1" : "0");
    const std::string with = given.empty() ? "" : " CLPRIM_CHOICES=" + text_of(given);
    std::string smallest;
    if (failures++ == 0 && given_choices == nullptr) {
      const shrunk_case small = shrink(own_seed, d.made(), complaint, property);
      smallest = "\nsmaller (after " + std::to_string(small.tries) + " tries), replay with " +
                 replay + " CLPRIM_CHOICES=" + text_of(small.made) + "\n" + small.complaint;
    }
    CHECK_MESSAGE(complaint.empty(), name << ": replay with " << replay << with << "\n"
                                          << complaint << smallest);
  }
  const std::string calls =
      calls_tried() > 0 ? " of " + std::to_string(calls_tried()) + " calls" : std::string();
  MESSAGE(name << ": tried " << tried << " cases" << calls);
}

}  // namespace support
