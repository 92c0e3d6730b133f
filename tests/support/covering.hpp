#pragma once
// Policies of which any two fields have met in every combination that can be: most mistakes of a
// generator need one or two fields to show (Kuhn, Wallace and Gallo, "Software fault interactions
// and implications for software testing", IEEE TSE 30(6), 2004). Each is tried on awkward sizes.
//
//   CLPRIM_COVERING   how many policies of the set at most; they are in the order in which each
//                     adds the most pairs. Each case is told before it runs. Else it is one on a
//                     device, where other tests draw policies, and a few under a checker.
//   CLPRIM_SHARD      "3/16": the policies 3, 3 + 16, 3 + 32 … of those alone

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/core/policy.hpp>

#include "support/campaign.hpp"
#include "support/device.hpp"
#include "support/random.hpp"

namespace support {

namespace covering {

/// The values of all fields as numbers. Where a field has more than eight among all policies it is
/// told by its octave, and whether it is a power of two.
template <clprim::policy P>
std::vector<std::vector<std::int64_t>> field_values(const std::vector<P>& policies) {
  std::vector<std::vector<std::int64_t>> all;
  for (const P& policy : policies) {
    auto& values = all.emplace_back();
    clprim::for_each_field(policy, [&]<class T>(std::string_view, const T& value) {
      if constexpr (clprim::detail::is_list<T>)
        values.insert(values.end(), value.begin(), value.end());
      else
        values.push_back(static_cast<std::int64_t>(value));
    });
  }
  for (std::size_t f = 0; !all.empty() && f < all.front().size(); ++f) {
    std::set<std::int64_t> distinct;
    for (const auto& values : all) distinct.insert(values[f]);
    if (distinct.size() <= 8) continue;
    for (auto& values : all) {
      int octave = 0;
      while (values[f] >> (octave + 1) > 0) ++octave;
      values[f] = 2 * octave + ((values[f] & (values[f] - 1)) == 0 ? 0 : 1);
    }
  }
  return all;
}

/// For each policy the pairs of values that it has, numbered over all policies.
inline std::vector<std::vector<std::size_t>> pairs_of(
    const std::vector<std::vector<std::int64_t>>& values) {
  std::map<std::tuple<std::size_t, std::int64_t, std::size_t, std::int64_t>, std::size_t> numbers;
  std::vector<std::vector<std::size_t>> all;
  for (const auto& of_policy : values) {
    auto& pairs = all.emplace_back();
    for (std::size_t f = 0; f < of_policy.size(); ++f)
      for (std::size_t g = 0; g < f; ++g)
        pairs.push_back(
            numbers.emplace(std::tuple(g, of_policy[g], f, of_policy[f]), numbers.size())
                .first->second);
  }
  return all;
}

/// Every which policy is tried, and from which on.
struct shard {
  std::size_t first = 0, of = 1;
};
inline shard own_shard() {
  const char* const given = std::getenv("CLPRIM_SHARD");
  if (given == nullptr) return {};
  char* end = nullptr;
  const std::size_t first = std::strtoul(given, &end, 10);
  const std::size_t of = *end == '/' ? std::strtoul(end + 1, nullptr, 10) : 0;
  REQUIRE_MESSAGE(first < of, "CLPRIM_SHARD is \"3/16\" and the like");
  return {first, of};
}

}  // namespace covering

/// Those of the drawn policies that together have every pair of values that all of them have; the
/// first adds the most pairs, and so on.
template <clprim::policy P> std::vector<P> covering_set(const std::vector<P>& drawn) {
  const auto pairs = covering::pairs_of(covering::field_values(drawn));
  std::set<std::size_t> covered;
  const auto gain = [&](std::size_t i) {
    return static_cast<std::size_t>(
        std::count_if(pairs[i].begin(), pairs[i].end(),
                      [&](std::size_t pair) { return covered.count(pair) == 0; }));
  };
  // What a policy adds only falls: it is counted again when it stands first.
  std::priority_queue<std::pair<std::size_t, std::size_t>> by_gain;
  for (std::size_t i = 0; i < drawn.size(); ++i) by_gain.emplace(pairs[i].size(), i);
  std::vector<P> chosen;
  while (!by_gain.empty() && by_gain.top().first > 0) {
    const auto [then, i] = by_gain.top();
    by_gain.pop();
    const std::size_t now = gain(i);
    if (now < then) {
      by_gain.emplace(now, i);
      continue;
    }
    covered.insert(pairs[i].begin(), pairs[i].end());
    chosen.push_back(drawn[i]);
  }
  return chosen;
}

/// Tries `attempt(draw, policy, size)` for policies of the covering set of what `draw_policy` draws
/// and sizes 0 to `sizes` - 1; it returns what is wrong or "", and nothing where the device or the
/// problem refuses the policy. `usually`: how many policies under a
/// checker without CLPRIM_COVERING.
template <class DrawPolicy, class Attempt>
void run_covering(const std::string& name, int usually, int sizes, DrawPolicy draw_policy,
                  Attempt attempt) {
  draw d(20261124 + seed_of(name));
  constexpr int drawn_policies = 1500;
  std::vector<decltype(draw_policy(d))> drawn;
  for (int i = 0; i < drawn_policies; ++i) drawn.push_back(draw_policy(d));
  const auto chosen = covering_set(drawn);
  const char* const given = std::getenv("CLPRIM_COVERING");
  const std::size_t most =
      static_cast<std::size_t>(given != nullptr                                ? std::atoi(given)
                               : usual_surroundings() == surroundings::nothing ? usually
                                                                               : 1);
  const covering::shard own = covering::own_shard();
  int cases = 0, refused = 0, policies = 0;
  for (std::size_t i = own.first; i < std::min(most, chosen.size()); i += own.of, ++policies) {
    for (int size = 0; size < sizes; ++size) {
      if (given != nullptr) {
        std::printf("case %s, size %d: %s\n", name.c_str(), size, to_string(chosen[i]).c_str());
        std::fflush(stdout);
      }
      // Of its own, so that a case is the same in any shard.
      draw own_draw(20261124 + seed_of(name + to_string(chosen[i]) + std::to_string(size)));
      std::optional<std::string> complaint;
      try {
        complaint = attempt(own_draw, chosen[i], size);
      } catch (const std::exception& e) {
        complaint = std::string("an exception that nobody asked for: ") + e.what();
      }
      if (!complaint) {
        ++refused;
        continue;
      }
      ++cases;
      CHECK_MESSAGE(complaint->empty(), name << ", size " << size << ": " << *complaint << "\n  "
                                             << to_string(chosen[i]));
    }
  }
  MESSAGE(name << ": tried " << cases << " cases of " << policies << " policies, of "
               << chosen.size() << " that cover all pairs; " << refused << " refused");
  if (own.of == 1) CHECK(cases > 0);
}

}  // namespace support
