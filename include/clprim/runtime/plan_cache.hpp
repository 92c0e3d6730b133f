#pragma once
// Plans that an operation keeps from call to call, within bounds.

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <utility>

namespace clprim {

/// The plans used last, at most `most_plans` of them with at most `most_bytes` of tables on the
/// device. What is dropped lives on while a call holds it, and its commands while they run. The one
/// just asked for is always kept, however large.
///
/// A Plan that has tables on the device tells their size as `table_bytes`.
template <class Plan> class plan_cache {
 public:
  static constexpr std::size_t default_plans = 64;
  static constexpr std::int64_t default_bytes = std::int64_t{64} << 20;

  explicit plan_cache(std::size_t most_plans = default_plans,
                      std::int64_t most_bytes = default_bytes)
    : most_plans_(most_plans), most_bytes_(most_bytes) {}

  /// The plan for which `fits(plan)` holds, else what `make()` returns. When that throws, nothing
  /// has changed.
  template <class Fits, class Make>
  const std::shared_ptr<Plan>& find_or_make(const Fits& fits, const Make& make) {
    if (const std::shared_ptr<Plan>* const known = find(fits)) return *known;
    auto made = std::make_shared<Plan>(make());
    bytes_ += bytes_of(*made);
    plans_.push_front(std::move(made));
    while (plans_.size() > 1 && (plans_.size() > most_plans_ || bytes_ > most_bytes_)) {
      bytes_ -= bytes_of(*plans_.back());
      plans_.pop_back();
    }
    return plans_.front();
  }
  /// The plan for which `fits(plan)` holds, or null; it has then been used last.
  template <class Fits> const std::shared_ptr<Plan>* find(const Fits& fits) {
    for (auto at = plans_.begin(); at != plans_.end(); ++at) {
      if (!fits(std::as_const(**at))) continue;
      plans_.splice(plans_.begin(), plans_, at);
      return &plans_.front();
    }
    return nullptr;
  }
  /// The same without a trace, for questions that run nothing.
  template <class Fits> const Plan* peek(const Fits& fits) const {
    for (const std::shared_ptr<Plan>& plan : plans_)
      if (fits(std::as_const(*plan))) return plan.get();
    return nullptr;
  }
  void clear() {
    plans_.clear();
    bytes_ = 0;
  }
  std::size_t size() const { return plans_.size(); }
  /// Of tables on the device.
  std::int64_t bytes() const { return bytes_; }

 private:
  static std::int64_t bytes_of(const Plan& plan) {
    if constexpr (requires { plan.table_bytes; }) return plan.table_bytes;
    return 0;
  }

  std::size_t most_plans_;
  std::int64_t most_bytes_;
  std::int64_t bytes_ = 0;
  std::list<std::shared_ptr<Plan>> plans_;  // the one used last in front
};

}  // namespace clprim
