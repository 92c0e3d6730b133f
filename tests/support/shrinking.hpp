#pragma once
// A failing case is made smaller: fewer and lower choices, as long as it fails (MacIver and
// Donaldson, "Test-case reduction via test-case generation", ECOOP 2020). One mechanism for all
// that is drawn by support::draw, whatever it means.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "support/random.hpp"

namespace support {

using choices = std::vector<draw::choice>;

/// "3,0*12,1": each offset, and how often it stands there.
inline std::string text_of(const choices& all) {
  std::string text;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t next = i;
    while (next < all.size() && all[next].offset == all[i].offset) ++next;
    text += (text.empty() ? "" : ",") + std::to_string(all[i].offset);
    if (next - i > 1) text += "*" + std::to_string(next - i);
    i = next;
  }
  return text;
}

/// Reads what `text_of` wrote; ranges are those of the draw that takes them.
inline choices choices_of(const std::string& text) {
  choices all;
  for (const char* at = text.c_str(); *at != '\0';) {
    char* end = nullptr;
    const auto offset = static_cast<std::uint32_t>(std::strtoul(at, &end, 10));
    const unsigned long times = *end == '*' ? std::strtoul(end + 1, &end, 10) : 1;
    all.insert(all.end(), times, {offset, 0});
    if (end == at || (*end != ',' && *end != '\0')) return {};  // no such text
    at = *end == ',' ? end + 1 : end;
  }
  return all;
}

/// What `property` says of a draw: what is wrong, "" for nothing.
template <class Property> std::string verdict(Property& property, draw& d) {
  try {
    return property(d);
  } catch (const std::exception& e) {
    return std::string("an exception that nobody asked for: ") + e.what();
  }
}

/// A failing case that could not be made smaller within so many tries and seconds.
struct shrunk_case {
  choices made;
  std::string complaint;
  int tries = 0;
};

template <class Property>
shrunk_case shrink(std::uint64_t seed, choices failing, std::string complaint, Property& property,
                   int most_tries = 400, double most_seconds = 60) {
  shrunk_case best{std::move(failing), std::move(complaint), 0};
  const auto begun = std::chrono::steady_clock::now();
  const auto may_try = [&] {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
    return best.tries < most_tries && taken.count() < most_seconds;
  };
  const auto sum_of = [](const choices& all) {
    std::uint64_t sum = 0;
    for (const draw::choice& one : all) sum += one.offset;
    return sum;
  };
  // A last choice of a hundred is what `chance` calls no: as simple as the first of others.
  const auto is_simple = [](const draw::choice& one) {
    return one.offset == 0 || (one.range == 100 && one.offset == 99);
  };
  const auto weight = [&](const choices& all) {
    return std::count_if(all.begin(), all.end(),
                         [&](const draw::choice& one) { return !is_simple(one); });
  };
  const auto still_fails = [&](const choices& candidate) {
    if (!may_try()) return false;
    ++best.tries;
    draw d(seed, candidate);
    const std::string said = verdict(property, d);
    if (said.empty()) return false;
    const choices& made = d.made();
    const bool smaller = weight(made) < weight(best.made) ||
                         (weight(made) == weight(best.made) &&
                          (sum_of(made) < sum_of(best.made) || made.size() < best.made.size()));
    if (smaller) best.made = made, best.complaint = said;
    return smaller;
  };
  for (bool changed = true; changed && may_try();) {
    changed = false;
    for (std::size_t run = best.made.size(); run >= 1; run /= 2) {  // runs to their simplest
      for (std::size_t at = 0; at < best.made.size() && may_try(); at += run) {
        choices candidate = best.made;
        for (std::size_t i = at; i < std::min(at + run, candidate.size()); ++i)
          candidate[i].offset = candidate[i].range == 100 ? 99 : 0;
        if (candidate != best.made) changed = still_fails(candidate) || changed;
      }
    }
    for (std::size_t at = 0; at < best.made.size() && may_try(); ++at) {  // single ones lower
      if (is_simple(best.made[at])) continue;
      const auto fails_with = [&](std::uint32_t offset) {
        choices candidate = best.made;
        candidate[at].offset = offset;
        const bool fails = still_fails(candidate);
        changed = changed || fails;
        return fails;
      };
      // What fails need not go on to fail upwards: the least ones first, then by halves.
      std::uint32_t low = 1;
      while (low <= 6 && low < best.made[at].offset && !fails_with(low)) ++low;
      while (at < best.made.size() && low < best.made[at].offset && may_try()) {
        const std::uint32_t middle = low + (best.made[at].offset - low) / 2;
        if (!fails_with(middle)) low = middle + 1;
      }
    }
  }
  return best;
}

}  // namespace support
