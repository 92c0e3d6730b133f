#include "support/shrinking.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

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
