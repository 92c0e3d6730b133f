#pragma once
// Looks for a faster policy for one problem of the caller's, on its device, and never takes a
// slower one.
//
//   clprim::tuning_task<clprim::reduce_policy> task{
//       .chosen = sum.schedule(x).policy,
//       .make = [&](const auto& policy) {
//         auto op = std::make_shared<clprim::reduce<float>>(queue, {.policy = policy});
//         return [=] { (*op)(x, out); };
//       },
//       .result = out, .bytes = 4, .same = clprim::close_values<float>(1e-5)};
//   const auto found = clprim::tune(queue, task, {.seconds = 20});
//   clprim::reduce<float> faster(queue, {.policy = found.policy});

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <clprim/core/neighbours.hpp>
#include <clprim/runtime/fill.hpp>
#include <clprim/runtime/handle.hpp>
#include <clprim/runtime/queue.hpp>
#include <clprim/runtime/tuning_journal.hpp>

namespace clprim {

/// A result as it lies in memory.
using byte_span = std::span<const std::byte>;

/// Whether results of T agree within so much of the greatest of the right ones.
template <class T> std::function<bool(byte_span, byte_span)> close_values(double tolerance) {
  return [tolerance](byte_span got, byte_span right) {
    const auto at = [](byte_span all, std::size_t i) {
      T value{};
      std::memcpy(&value, all.data() + i * sizeof(T), sizeof(T));
      return static_cast<double>(value);
    };
    double greatest = 0;
    const std::size_t count = right.size() / sizeof(T);
    for (std::size_t i = 0; i < count; ++i) greatest = std::max(greatest, std::fabs(at(right, i)));
    for (std::size_t i = 0; i < count; ++i) {
      const double g = at(got, i), r = at(right, i);
      if (!(std::fabs(g - r) <= tolerance * greatest) && !(std::isnan(g) && std::isnan(r)))
        return false;
    }
    return true;
  };
}

/// One problem, as far as the tuner knows it.
template <policy P> struct tuning_task {
  P chosen{};  ///< the library's choice, around which is searched
  /// Makes a call by a policy, or without one as the library chooses; throws where it cannot.
  std::function<std::function<void()>(const std::optional<P>&)> make{};
  memory_handle result;   ///< what a call writes, wholly; afterwards it holds what the choice wrote
  std::size_t bytes = 0;  ///< of that
  /// Whether a candidate's result is right, beside that of the choice; empty: bit for bit.
  std::function<bool(byte_span got, byte_span right)> same{};
  std::vector<P> first{};  ///< tried before what lies around the choice, best first
};

/// How far a search is.
struct tuning_progress {
  int tried = 0;       ///< that ran and were right
  int impossible = 0;  ///< that this device or problem cannot run
  int wrong = 0;       ///< whose result was not that of the choice
  double seconds = 0, budget = 0;
  double gain = 1;           ///< speed of the best over that of the choice, so far
  std::string trial{};       ///< the policy that was tried last; empty: none yet
  double trial_seconds = 0;  ///< of a call by it; 0: it did not run, or was wrong
  std::string best{};
};

/// How long to search and how sure to be, whom to tell and what to remember.
struct tune_options {
  double seconds = 60;
  double block_seconds = 2e-3;  ///< that a block of calls takes at least
  int rounds = 7;               ///< paired blocks before a candidate may win
  double margin = 0.01;         ///< by which it must be faster in the median of them
  /// Asked after each candidate; false ends the search, and what was found stands.
  std::function<bool(const tuning_progress&)> tell{};
  tuning_journal* journal = nullptr;  ///< what earlier processes tried of this problem
};

/// What a search found: the policy, if any won, and the times of a call.
template <policy P> struct tuning {
  std::optional<P> policy{};               ///< empty: the library's choice stands
  double seconds = 0, chosen_seconds = 0;  ///< of a call, by policy and by choice
  tuning_progress last{};
  double gain() const { return seconds > 0 ? chosen_seconds / seconds : 1; }
};

namespace detail {

inline double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A search: blocks of calls by the wall clock, of the best and of a candidate in turns.
template <policy P> class policy_search {
 public:
  policy_search(const cl::CommandQueue& queue, const tuning_task<P>& task,
                const tune_options& options)
    : queue_(queue), task_(task), how_(options), right_(task.bytes), got_(task.bytes) {}

  tuning<P> run() {
    const std::function<void()> choice = task_.make(std::nullopt);
    right_ = result_of(choice);
    best_call_ = choice;
    once_ = block(choice, 1);
    calls_ = std::clamp(static_cast<int>(how_.block_seconds / std::max(once_, 1e-9)), 1, 1000);
    best_seconds_ = block(choice, calls_);
    std::deque<P> waiting(task_.first.begin(), task_.first.end());
    seen_.insert(to_string(task_.chosen));
    const auto spread = [&](const P& around) {
      const std::vector<P> more = neighbours(around);
      waiting.insert(waiting.end(), more.begin(), more.end());
    };
    if (how_.journal != nullptr && !how_.journal->best().empty())
      waiting.push_front(parse_policy<P>(how_.journal->best()));
    spread(task_.chosen);
    while (!waiting.empty() && goes_on()) {
      const P p = waiting.front();
      waiting.pop_front();
      if (!seen_.insert(to_string(p)).second || !attempt(p)) continue;
      waiting
          .clear();  // what lies around a better one goes first; what was seen is not tried again
      spread(p);
    }
    return ended(choice);
  }

 private:
  bool goes_on() {
    now_.seconds = seconds_since_start();
    now_.budget = how_.seconds;
    now_.best = best_ ? to_string(*best_) : "";
    if (now_.seconds >= how_.seconds) return false;
    return !how_.tell || how_.tell(now_);
  }
  /// Whether the policy is the best now.
  bool attempt(const P& p) {
    const std::string text = to_string(p);
    now_.trial = text;
    now_.trial_seconds = 0;
    if (how_.journal != nullptr && how_.journal->knows(text) && text != how_.journal->best())
      return false;
    const tuning_note note(how_.journal, text);
    std::function<void()> call;
    try {
      call = task_.make(p);
      const std::vector<std::byte> got = result_of(call);
      if (task_.same ? !task_.same(got, right_) : got != right_) {
        ++now_.wrong;
        return false;
      }
    } catch (const std::exception&) {
      ++now_.impossible;
      return false;
    }
    ++now_.tried;
    now_.trial_seconds = block(call, std::max(1, calls_ / 4));
    if (now_.trial_seconds > 1.25 * best_seconds_) return false;
    if (paired(best_call_, call, how_.rounds).first < 1 + how_.margin) return false;
    // Of many candidates one wins by chance: it must win once more, in twice as many rounds.
    const auto [ratio, seconds] = paired(best_call_, call, 2 * how_.rounds);
    if (ratio < 1 + how_.margin) return false;
    now_.gain *= ratio;
    best_ = p;
    best_call_ = call;
    best_seconds_ = seconds;
    if (how_.journal != nullptr) how_.journal->best(text);
    return true;
  }
  /// How many times as fast the second is as the first, or 1 where they lie within the spread of
  /// the rounds; and seconds of a call of the second.
  std::pair<double, double> paired(const std::function<void()>& a, const std::function<void()>& b,
                                   int rounds) {
    std::vector<double> ratios, seconds;
    for (int round = 0; round < rounds; ++round) {
      const bool turned = round % 2 != 0;  // who is second finds a warmer device
      const double first = block(turned ? b : a, calls_), second = block(turned ? a : b, calls_);
      ratios.push_back(turned ? second / first : first / second);
      seconds.push_back(turned ? first : second);
      if (round == 2 && median_of(ratios) < 1) break;
    }
    const double median = median_of(ratios);
    const auto ahead = std::count_if(ratios.begin(), ratios.end(), [](double r) { return r > 1; });
    const bool sure = 4 * ahead >= 3 * static_cast<std::ptrdiff_t>(ratios.size());
    return {sure ? median : 1, median_of(seconds)};
  }
  /// The best beside the choice once more: where it does not win again, the choice stands.
  tuning<P> ended(const std::function<void()>& choice) {
    tuning<P> found{.seconds = best_seconds_, .chosen_seconds = best_seconds_};
    if (best_) {
      const auto [ratio, seconds] = paired(choice, best_call_, 2 * how_.rounds);
      found.last.gain = now_.gain = ratio;
      found.seconds = seconds;
      found.chosen_seconds = seconds * ratio;
      if (ratio >= 1 + how_.margin) found.policy = best_;
      if (!found.policy) now_.gain = 1;
    }
    now_.best = found.policy ? to_string(*found.policy) : "";
    now_.seconds = seconds_since_start();
    found.last = now_;
    result_of(choice);
    return found;
  }

  std::vector<std::byte> result_of(const std::function<void()>& call) {
    fill_with_ones(queue_(), task_.result(), task_.bytes);
    call();
    check(clEnqueueReadBuffer(queue_(), task_.result(), CL_TRUE, 0, task_.bytes, got_.data(), 0,
                              nullptr, nullptr),
          "clEnqueueReadBuffer");
    return got_;
  }
  /// Seconds of a call, of so many.
  double block(const std::function<void()>& call, int count) {
    check(clFinish(queue_()), "clFinish");
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) call();
    check(clFinish(queue_()), "clFinish");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / count;
  }
  double seconds_since_start() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  cl::CommandQueue queue_;
  const tuning_task<P>& task_;
  const tune_options& how_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::vector<std::byte> right_, got_;
  std::set<std::string> seen_;
  std::optional<P> best_;
  std::function<void()> best_call_;
  double once_ = 0, best_seconds_ = 0;
  int calls_ = 1;
  tuning_progress now_;
};

}  // namespace detail

/// Tries policies, each verified before its time counts, until the time is up or `tell` says so. A
/// policy wins by paired blocks beyond their spread, and once more against the choice at the end:
/// else the choice stands. Throws what making or running the library's own choice throws.
template <policy P>
tuning<P> tune(const queue_handle& queue, const tuning_task<P>& task,
               const tune_options& options = {}) {
  return detail::policy_search<P>(queue, task, options).run();
}

}  // namespace clprim
