#pragma once
// How good the library's choice is: on random products, every way of its tables beside it.

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/policy.hpp>
#include <clprim/gemm/schedule.hpp>

#include "../harness/machine.hpp"
#include "../harness/random.hpp"
#include "../harness/statistics.hpp"
#include "../harness/text.hpp"
#include "ours.hpp"
#include "tuning_line.hpp"
#include "verify.hpp"

namespace bench {

/// Every `of`-th program, from `number` on; none where `of` is 0.
struct share {
  std::size_t number = 0;
  std::size_t of = 0;
};

/// Reads "J/N"; throws clprim::error.
inline share parse_share(const std::string& text) {
  if (text.empty()) return {};
  const auto slash = text.find('/');
  const auto numbers = whole_numbers(
      text.substr(0, slash) + " " + (slash == std::string::npos ? "" : text.substr(slash + 1)),
      "J/N");
  if (numbers.size() != 2 || numbers[0] < 0 || numbers[0] >= numbers[1])
    throw clprim::error("'" + text + "' is not: J/N, with J of 0 to N - 1");
  return {static_cast<std::size_t>(numbers[0]), static_cast<std::size_t>(numbers[1])};
}

/// What an exhaustive run of one product found.
struct judged_choice {
  std::string problem;
  std::string chosen, best;
  double chosen_us = 0, best_us = 0;
  double predicted_us = 0;  ///< of the choice

  double ratio() const { return best_us / chosen_us; }
};

struct judging {
  double block_ms = 2;  ///< of one candidate and round
  int rounds = 2;
  double reach = 2;  ///< ways that are predicted to take so many times the best's are left out
  std::ostream* table = nullptr;  ///< a line for each candidate goes there
};

namespace detail {

template <clprim::scalar_type T> struct candidate {
  clprim::gemm_choice choice;
  bool chosen = false;
  std::unique_ptr<our_gemm<T>> multiply{};
  std::string failed{};
  std::vector<double> seconds{};

  double us() const { return 1e6 * median(seconds); }
};

/// Every way of the library's tables, and of `others`, through a product, but for those that are
/// predicted to take more than `judging::reach` times as long as the best of the tables.
inline std::vector<clprim::gemm_choice> ways_through(const clprim::gemm_kind& kind,
                                                     clprim::scalar type,
                                                     const clprim::device_facts& device,
                                                     const std::vector<clprim::gemm_policy>& others,
                                                     double reach) {
  std::vector<clprim::gemm_choice> all;
  double least = std::numeric_limits<double>::infinity();
  const auto visit = [&](const clprim::gemm_size& size, bool packed, bool turned,
                         double packing_ns) {
    const auto add = [&](clprim::gemm_choice one) {
      if (turned && one.policy.instruction != clprim::gemm_instruction::fma) return;
      one.policy.packed = packed;
      one.policy.turned = turned;
      one.policy.split_k = one.splits;
      one.ns += packing_ns;
      const auto same = [&](const auto& x) { return x.policy == one.policy; };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(one);
    };
    clprim::for_each_choice(device, type, size, {}, [&](const clprim::gemm_choice& one) {
      least = std::min(least, one.ns + packing_ns);
      add(one);
    });
    const clprim::gemm_costs costs = clprim::gemm_table_of(device, type).costs;
    for (const clprim::gemm_policy& p : others) {
      if (clprim::has_instructions(p, type, device) && clprim::fits(p, type, device))
        clprim::for_each_split({.policy = p}, costs, size, clprim::units_of(device), {}, add);
    }
  };
  visit(clprim::size_of(kind, type), false, false, 0);
  for (const bool turned : {false, true}) {
    const clprim::gemm_copies how = clprim::copies_of(type, clprim::gemm_precision::full, turned);
    if (turned && !clprim::is_turned(kind.a, how) && !clprim::is_turned(kind.b, how)) continue;
    if (clprim::packed_bytes(kind, type, how) == 0) continue;
    const clprim::gemm_packing packing = clprim::packing_of(kind, type, device, how);
    visit(packing.size, true, turned, packing.ns);
  }
  std::erase_if(all, [&](const auto& one) { return one.ns > reach * least; });
  return all;
}

}  // namespace detail

/// Builds this process's share of the candidates of a product, for the driver to keep; `counted`
/// candidates came before.
template <clprim::scalar_type T>
void build_choices(const clprim::session& session, const clprim::device_facts& device,
                   const gemm_problem_row& p, const std::vector<clprim::gemm_policy>& others,
                   const judging& how, share mine, std::size_t& counted) {
  const auto operands = std::make_shared<const opencl_operands<T>>(
      session, device, usual_clock(device), std::vector<T>(p.a_elements()),
      std::vector<T>(p.b_elements()), p.c_elements());
  our_gemm<T> ours(operands, std::nullopt, std::nullopt, false);
  ours.bind(p, placement{});
  for (const clprim::gemm_choice& one :
       detail::ways_through(ours.kind(), clprim::scalar_of<T>, device, others, how.reach)) {
    if (counted++ % mine.of != mine.number) continue;
    our_gemm<T> built(operands, one.policy, std::nullopt, false);
    built.bind(p, placement{});
  }
}

/// Builds and times every candidate of a product, the best and the library's choice verified;
/// throws clprim::error when either is wrong.
template <clprim::scalar_type T>
judged_choice judge_choice(const clprim::session& session, const clprim::device_facts& device,
                           clock_kind clock, const gemm_problem_row& p,
                           const std::vector<clprim::gemm_policy>& others, const judging& how) {
  const auto a = random_values<T>(p.a_elements(), 1);
  const auto b = random_values<T>(p.b_elements(), 2);
  const auto operands =
      std::make_shared<const opencl_operands<T>>(session, device, clock, a, b, p.c_elements());
  const auto made = [&](std::optional<clprim::gemm_policy> policy) {
    auto one = std::make_unique<our_gemm<T>>(operands, policy, std::nullopt, false);
    one->bind(p, placement{});
    return one;
  };
  std::vector<detail::candidate<T>> all;
  const auto ours = made(std::nullopt);
  const clprim::gemm_kind kind = ours->kind();
  const clprim::gemm_schedule s = ours->schedule();
  for (const clprim::gemm_choice& one :
       detail::ways_through(kind, clprim::scalar_of<T>, device, others, how.reach))
    all.push_back({.choice = one});
  for (detail::candidate<T>& one : all) {
    try {
      one.multiply = made(one.choice.policy);
    } catch (const std::exception& e) {
      one.failed = e.what();
    }
  }
  double best = 1e9;
  for (detail::candidate<T>& one : all) {
    if (!one.multiply) continue;
    // What runs: a schedule may have taken fewer parts, or another walk.
    const clprim::gemm_schedule runs = one.multiply->schedule();
    one.chosen = runs.policy == s.policy && runs.splits == s.splits;
    one.seconds = one.multiply->time(1, 2).seconds;
    best = std::min(best, median(one.seconds));
  }
  for (int round = 0; round < how.rounds; ++round) {
    for (detail::candidate<T>& one : all) {
      if (!one.multiply) continue;
      const double once = median(one.seconds);
      if (once > 3 * best && !one.chosen) continue;
      const auto calls = std::clamp(static_cast<std::size_t>(how.block_ms * 1e-3 / once),
                                    std::size_t{3}, std::size_t{40});
      if (round == 0) one.seconds.clear();
      const timing t = one.multiply->time(1, calls);
      one.seconds.insert(one.seconds.end(), t.seconds.begin(), t.seconds.end());
    }
  }
  const detail::candidate<T>*chosen = nullptr, *fastest = nullptr;
  for (const detail::candidate<T>& one : all) {
    if (!one.multiply) continue;
    if (one.chosen && !chosen) chosen = &one;
    if (!fastest || one.us() < fastest->us()) fastest = &one;
  }
  if (!chosen) throw clprim::error("the library's choice is none of its tables' ways");
  for (const detail::candidate<T>* one : {chosen, fastest}) {
    const verdict v = verify<T>(p, a, b, one->multiply->product());
    if (!v.ok()) throw clprim::error(one->multiply->short_detail() + " is WRONG: " + v.wrong);
  }
  if (how.table != nullptr) {
    for (const detail::candidate<T>& one : all) {
      *how.table << clprim::facts_of(p.type).name << ',' << kind.m << ',' << kind.n << ',' << kind.k
                 << ',' << kind.batch << ',' << kind.a.along_k << ',' << kind.b.along_k << ','
                 << kind.a.alignment << ',' << kind.b.alignment << ',' << kind.c.alignment << ','
                 << (one.multiply ? fixed(one.us(), 3) : "") << ','
                 << fixed(one.choice.ns * 1e-3, 3) << ',' << one.chosen << ",\""
                 << to_string(one.choice.policy) << "\"," << one.failed << '\n';
    }
    how.table->flush();
  }
  return {.problem = p.name,
          .chosen = chosen->multiply->short_detail(),
          .best = fastest->multiply->short_detail(),
          .chosen_us = chosen->us(),
          .best_us = fastest->us(),
          .predicted_us = chosen->choice.ns * 1e-3};
}

}  // namespace bench
