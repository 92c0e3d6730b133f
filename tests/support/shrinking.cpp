#include "support/shrinking.hpp"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "support/campaign.hpp"

using namespace support;

namespace {

/// A failing case among the seeds, and what becomes of it.
template <class Property> std::string smallest(Property property) {
  for (std::uint64_t seed = 1; seed < 10000; ++seed) {
    draw d(seed);
    const std::string complaint = verdict(property, d);
    if (complaint.empty()) continue;
    const shrunk_case small = shrink(seed, d.made(), complaint, property, 1000);
    draw again(seed, choices_of(text_of(small.made)));
    CHECK(verdict(property, again) == small.complaint);
    return small.complaint;
  }
  return "no seed fails";
}

}  // namespace

TEST_CASE("a number is lowered to the least that fails") {
  CHECK(smallest([](draw& d) {
          const int n = d.between(0, 1000);
          return n >= 37 ? std::to_string(n) : std::string();
        }) == "37");
}

TEST_CASE("what a failure does not need is taken away") {
  // Fails where two of the numbers are large; how many there are is drawn as well.
  CHECK(smallest([](draw& d) {
          std::string all;
          int large = 0;
          for (int left = d.between(0, 20); left > 0; --left) {
            const int n = d.between(1, 500);
            large += n > 200 ? 1 : 0;
            all += std::to_string(n) + (d.chance(50) ? "! " : " ");
          }
          return large >= 2 ? all : std::string();
        }) == "201 201 ");
}

TEST_CASE("an exception is a failure that is made smaller, too") {
  CHECK(smallest([](draw& d) {
          const int m = d.between(1, 300), n = d.between(1, 300);
          if (m % 7 == 0 && n >= 20)
            throw std::runtime_error(std::to_string(m) + " x " + std::to_string(n));
          return std::string();
        }) == "an exception that nobody asked for: 7 x 20");
}

TEST_CASE("elements that are drawn stay what they are while choices change") {
  draw plain(5), lower(5, {{0, 0}, {0, 0}});
  CHECK(plain.between(3, 900) != lower.between(3, 900));
  (void)plain.between(0, 9);
  CHECK(lower.between(0, 9) == 0);
  CHECK(plain.unit() == lower.unit());
  CHECK(plain.between(0, 1000) == lower.between(0, 1000));
}

TEST_CASE("choices are written in short and read back") {
  const choices all{{3, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 0}};
  CHECK(text_of(all) == "3,0*3,1");
  CHECK(choices_of("3,0*3,1") == all);
  CHECK(choices_of("").empty());
  CHECK(choices_of("three").empty());
}

namespace {

/// A variable of the environment, set as long as this lives.
class with_variable {
 public:
  with_variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, value, 1);
  }
  with_variable(const with_variable&) = delete;
  with_variable& operator=(const with_variable&) = delete;
  ~with_variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

CAMPAIGN("problems that share kernels draw what follows anew, and are replayed by both") {
  const with_variable problems_each("CLPRIM_PROBLEMS", "3"), cases("CLPRIM_CASES", "7"),
      seed("CLPRIM_SEED", "5");
  std::vector<int> kernels, problems;
  std::vector<choices> of_kernels;
  const auto property = [&](draw& d) {
    kernels.push_back(d.between(0, 1000000));
    d.kernels_are_chosen();
    of_kernels.push_back(d.of_kernels());
    problems.push_back(d.between(0, 1000000));
    return std::string();
  };
  run_campaign("kernels", 1, property);
  REQUIRE(kernels.size() == 7);
  for (std::size_t i = 1; i < 7; ++i) {
    CHECK((kernels[i] == kernels[i - 1]) == (i % 3 != 0));
    CHECK(problems[i] != problems[i - 1]);
  }
  draw replayed(5 + 2, choices_of(text_of(of_kernels[0])));
  property(replayed);
  CHECK(kernels.back() == kernels[2]);
  CHECK(problems.back() == problems[2]);
}

CAMPAIGN("cases that processes share are those that one process tries") {
  std::vector<int> kernels, problems;
  const auto tried = [&](const char* skip, const char* cases) {
    const with_variable problems_each("CLPRIM_PROBLEMS", "3"), seed("CLPRIM_SEED", "5"),
        skipped("CLPRIM_SKIP", skip), given("CLPRIM_CASES", cases);
    run_campaign("shared", 1, [&](draw& d) {
      kernels.push_back(d.between(0, 1000000));
      d.kernels_are_chosen();
      problems.push_back(d.between(0, 1000000));
      return std::string();
    });
  };
  tried("0", "10");
  const std::vector<int> kernels_of_one = kernels, problems_of_one = problems;
  kernels.clear(), problems.clear();
  tried("0", "3");
  tried("3", "6");
  tried("9", "1");
  CHECK(kernels == kernels_of_one);
  CHECK(problems == problems_of_one);
}
