#pragma once
// Bank conflicts of local memory: the steps that the addresses of one warp need.
//
//   // A column of a 32 × 32 tile of float, read by a warp: 32 steps; with rows padded to 33: one.
//   bank_conflicts(banks_of(90), 4, 32, [](int lane) { return 4 * 32 * lane; }).degree == 32
//
// Sources: NVIDIA OpenCL Programming Guide for the CUDA Architecture 2.3 (2009), 3.1.2.5, for 1.x;
// the CUDA C++ Programming Guide, "Shared Memory" under compute capability 3.x and 5.x, for what
// came after.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>

#include <clprim/core/access/lanes.hpp>
#include <clprim/core/error.hpp>

namespace clprim {

/// How local memory is divided into banks.
struct bank_rule {
  int banks = 32;
  int bank_bytes = 4;          ///< 4; 8 in the wide mode of compute capability 3.x
  int lanes = 32;              ///< lanes served together: a half-warp of 16 on 1.x
  bool one_broadcast = false;  ///< 1.x: one word per step may go to many lanes; later every word
};

/// The banks of a compute capability (10 × major + minor); 0, or another vendor, gets 32 banks of 4
/// bytes, which AMD and Intel have too.
constexpr bank_rule banks_of(int compute_capability) {
  if (compute_capability >= 10 && compute_capability < 20) {
    return {.banks = 16, .bank_bytes = 4, .lanes = 16, .one_broadcast = true};
  }
  return {};
}

/// The steps that an access of a warp takes.
struct conflicts {
  int requests = 0;  ///< parts it is split into: half-warps on 1.x, and words wider than a bank
  int steps = 0;     ///< in all parts together, with the best choice of broadcast words
  int degree = 0;    ///< steps of the worst part: 1 is free of conflicts, n is an n-way conflict
  int worst_degree = 0;  ///< the same with the worst choice of broadcast words, 1.x leaves it open
};

/// Conflicts of a stride of `stride` words: lanes n apart meet when n × stride is a multiple of the
/// banks, so a bank gets ceil(lanes / (banks / gcd(banks, stride))) of them. Stride 0 is a
/// broadcast. This is the guide's rule (3.1.2.5): on 1.x, free of conflicts exactly when the stride
/// is odd.
constexpr int strided_conflict_degree(const bank_rule& rule, std::int64_t stride) {
  if (stride == 0) return 1;
  const int distance = static_cast<int>(rule.banks / std::gcd<std::int64_t>(rule.banks, stride));
  return (rule.lanes + distance - 1) / distance;
}

namespace detail {

/// The lanes of one request that want the same word, as one entry.
struct wanted_word {
  std::int64_t word = 0;
  int bank = 0;
  int lanes = 0;
};

struct request {
  std::array<wanted_word, most_lanes> words{};
  int count = 0;

  constexpr void add(const bank_rule& rule, std::int64_t address) {
    const std::int64_t word = address / rule.bank_bytes;
    for (int i = 0; i < count; ++i) {
      auto& known = words[static_cast<std::size_t>(i)];
      if (known.word == word) {
        ++known.lanes;
        return;
      }
    }
    words[static_cast<std::size_t>(count++)] = {word, static_cast<int>(word % rule.banks), 1};
  }

  /// Lanes that want a word of the bank.
  constexpr int lanes_of(int bank) const {
    int sum = 0;
    for (int i = 0; i < count; ++i) {
      const auto& w = words[static_cast<std::size_t>(i)];
      sum += w.bank == bank ? w.lanes : 0;
    }
    return sum;
  }

  /// Different words of the bank that somebody wants.
  constexpr int words_of(int bank) const {
    int sum = 0;
    for (int i = 0; i < count; ++i) {
      sum += words[static_cast<std::size_t>(i)].bank == bank ? 1 : 0;
    }
    return sum;
  }
};

/// Every word goes to all lanes that want it: a bank takes one step per different word.
constexpr int steps_with_broadcasts(const bank_rule& rule, const request& r) {
  int most = 0;
  for (int bank = 0; bank < rule.banks; ++bank) most = std::max(most, r.words_of(bank));
  return most;
}

/// Broadcasts that `bank` needs so that `steps` steps serve it: each spares it all lanes of a word
/// but one.
constexpr int broadcasts_needed(request r, int bank, int steps) {
  int lanes = r.lanes_of(bank);
  int used = 0;
  while (lanes > steps) {
    wanted_word* widest = nullptr;
    for (int i = 0; i < r.count; ++i) {
      auto& w = r.words[static_cast<std::size_t>(i)];
      if (w.bank == bank && w.lanes > 1 && (widest == nullptr || w.lanes > widest->lanes)) {
        widest = &w;
      }
    }
    if (widest == nullptr) return most_lanes + 1;
    lanes -= widest->lanes - 1;
    widest->lanes = 1;
    ++used;
  }
  return used;
}

/// Fewest steps when each step broadcasts one word and serves one lane of every other bank.
constexpr int fewest_steps(const bank_rule& rule, const request& r) {
  for (int steps = 1;; ++steps) {
    int broadcasts = 0;
    for (int bank = 0; bank < rule.banks; ++bank) broadcasts += broadcasts_needed(r, bank, steps);
    if (broadcasts <= steps) return steps;
  }
}

/// Most steps. A bank alone takes a step per word, because each step must broadcast one of them.
/// While other banks have words to waste `steps` broadcasts on, it gives up one lane at a time and
/// keeps its words, so it lasts that much longer, but never longer than it has lanes: the fullest
/// bank comes last.
constexpr int most_steps(const bank_rule& rule, const request& r) {
  int steps = 0;
  for (int lanes = 1; lanes <= most_lanes; ++lanes) {
    for (int bank = 0; bank < rule.banks; ++bank) {
      if (r.lanes_of(bank) != lanes) continue;
      const int lasts = std::min(lanes, steps + r.words_of(bank));
      steps = std::max(steps, lasts);
    }
  }
  return steps;
}

constexpr void check_rule(const bank_rule& rule) {
  if (rule.banks < 1 || rule.bank_bytes < 1 || rule.lanes < 1 || rule.lanes > most_lanes) {
    throw argument_error("bank rule", "must have banks, bytes and lanes",
                         std::to_string(rule.banks) + " banks of " +
                             std::to_string(rule.bank_bytes) + " bytes for " +
                             std::to_string(rule.lanes) + " lanes",
                         "positive numbers and at most 64 lanes are allowed");
  }
}

}  // namespace detail

/// The steps of one access: `address_of(lane)` is the byte address of lane 0 … lanes − 1 in local
/// memory, or `inactive_lane`; `access_bytes` is what a lane reads or writes. An access wider than
/// a bank is split: on 1.x into 4-byte words of all lanes (a double conflicts with itself), later
/// into fewer lanes at a time, so that a request asks for at most one word per bank and lane.
/// Throws argument_error for a width that is not 1, 2, 4, 8 or 16, for more than 64 lanes, and for
/// an address that is negative or not a multiple of it.
template <std::invocable<int> AddressOf>
constexpr conflicts bank_conflicts(const bank_rule& rule, int access_bytes, int lanes,
                                   AddressOf address_of) {
  detail::check_rule(rule);
  detail::check_access(access_bytes, lanes);
  const int words = access_bytes > rule.bank_bytes ? access_bytes / rule.bank_bytes : 1;
  const int split = rule.one_broadcast ? 1 : words;
  const int together = rule.lanes > split ? rule.lanes / split : 1;
  conflicts total;
  for (int first = 0; first < lanes; first += together) {
    const int last = first + together < lanes ? first + together : lanes;
    for (int part = 0; part < (rule.one_broadcast ? words : 1); ++part) {
      detail::request r;
      for (int lane = first; lane < last; ++lane) {
        const std::int64_t address = detail::checked_address(address_of(lane), access_bytes);
        if (address == inactive_lane) continue;
        if (rule.one_broadcast) {
          r.add(rule, address + part * rule.bank_bytes);
        } else {
          for (int w = 0; w < words; ++w) r.add(rule, address + w * rule.bank_bytes);
        }
      }
      if (r.count == 0) continue;
      const int steps = rule.one_broadcast ? detail::fewest_steps(rule, r)
                                           : detail::steps_with_broadcasts(rule, r);
      const int worst = rule.one_broadcast ? detail::most_steps(rule, r) : steps;
      ++total.requests;
      total.steps += steps;
      total.degree = steps > total.degree ? steps : total.degree;
      total.worst_degree = worst > total.worst_degree ? worst : total.worst_degree;
    }
  }
  return total;
}

}  // namespace clprim
