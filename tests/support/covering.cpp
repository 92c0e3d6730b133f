#include "support/covering.hpp"

#include <set>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce/policy.hpp>

using namespace clprim;
using namespace support;

namespace {

std::vector<reduce_policy> every_combination() {
  std::vector<reduce_policy> all;
  for (const int group : {1, 8, 64})
    for (const int vector : {1, 2, 4, 8})
      for (const int loads : {1, 2, 4})
        for (const bool unaligned : {false, true})
          for (const bool streaming : {false, true})
            all.push_back({.group = group,
                           .vector = vector,
                           .loads = loads,
                           .unaligned = unaligned,
                           .streaming = streaming});
  return all;
}

}  // namespace

TEST_CASE("a covering set has every pair of values, and few policies") {
  const auto all = every_combination(), chosen = covering_set(all);
  const auto pairs_of = [](const std::vector<reduce_policy>& policies) {
    std::set<std::tuple<int, int, int, int>> pairs;
    for (const reduce_policy& p : policies) {
      const int values[] = {p.group, p.vector, p.loads, p.unaligned, p.streaming};
      for (int f = 0; f < 5; ++f)
        for (int g = 0; g < f; ++g) pairs.insert({g, values[g], f, values[f]});
    }
    return pairs;
  };
  CHECK(pairs_of(chosen) == pairs_of(all));
  CHECK(all.size() == 144);
  CHECK(chosen.size() >= 12);  // vector and group alone have twelve pairs
  CHECK(chosen.size() <= 20);
}

TEST_CASE("a covering set of nothing is nothing, and of one is that one") {
  CHECK(covering_set(std::vector<reduce_policy>{}).empty());
  CHECK(covering_set(std::vector<reduce_policy>(7)).size() == 1);
}
