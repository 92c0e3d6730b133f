// A covering set of policies on whole arrays, rows, columns and segments around their steps.

#include "support/covering.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/drawing.hpp"
#include "support/device.hpp"

using namespace clprim;
using namespace support;

namespace {

using sum_and_largest = op::several<op::sum<>, op::argmax>;

/// A view of small integers that end with the buffer: their sums are exact in any order.
struct placed_view {
  std::vector<float> values;
  std::vector<std::int64_t> offsets;
  reduce_view<float> view;

  placed_view(draw& d, const reduce_policy& p, int size) {
    const std::int64_t step = p.group * p.vector * p.loads;
    switch (size) {
      case 0: view.length = step + 1; break;
      case 1: view.length = 2 * step - 1, view.outer = 3; break;
      case 2: view.length = 5, view.inner = p.columns + 1, view.outer = 2; break;
      case 3:
        view.outer = p.group + 1;
        offsets.push_back(0);
        for (std::int64_t i = 0; i < view.outer; ++i)
          offsets.push_back(offsets.back() + (i == 1 ? step + 3 : d.between(1, 4)));
        view.length = offsets.back();
        break;
      default: view.length = 1; break;
    }
    view.step = view.inner;
    view.outer_stride = view.length * view.inner;
    view.offset = d.chance(50) ? 0 : d.between(1, 3);
    const std::int64_t elements =
        !offsets.empty() ? offsets.back() : view.length * view.inner * view.outer;
    for (std::int64_t i = 0; i < elements + view.offset; ++i)
      values.push_back(static_cast<float>(d.between(-50, 50)));
  }

  /// The places of the elements of result r.
  std::vector<std::size_t> places(std::int64_t r) const {
    std::vector<std::size_t> all;
    const std::int64_t first = offsets.empty() ? r / view.inner * view.outer_stride + r % view.inner
                                               : offsets[static_cast<std::size_t>(r)];
    const std::int64_t count =
        offsets.empty() ? view.length : offsets[static_cast<std::size_t>(r) + 1] - first;
    for (std::int64_t i = 0; i < count; ++i)
      all.push_back(
          static_cast<std::size_t>(view.offset + first + i * (offsets.empty() ? view.step : 1)));
    return all;
  }
};

std::optional<std::string> attempt(draw& d, const reduce_policy& p, int size) {
  const session& s = device_session();
  placed_view x(d, p, size);
  const guarded_buffer<float> values(s, x.values, 0);
  const guarded_buffer<std::int64_t> offsets(s, x.offsets, 0);
  x.view.memory = values.buffer()();
  x.view.offsets = x.offsets.empty() ? nullptr : offsets.buffer()();
  static auto* const all = new std::deque<reduce<float, sum_and_largest>>;
  all->emplace_back(s.queue, reduce_options{.policy = p});
  std::vector<reduce<float, sum_and_largest>::result> got;
  try {
    got = all->back().values(x.view);
  } catch (const policy_error&) {
    return std::nullopt;  // more than the device has
  }
  for (std::size_t r = 0; r < got.size(); ++r) {
    double sum = 0;
    std::int64_t place = -1, best = 0;
    float largest = 0;
    for (const std::size_t at : x.places(static_cast<std::int64_t>(r))) {
      sum += static_cast<double>(x.values[at]);
      if (++place == 0 || x.values[at] > largest) largest = x.values[at], best = place;
    }
    const auto& [total, high] = got[r];
    if (static_cast<double>(total) != sum || high.index != best)
      return "result " + std::to_string(r) + " of " + std::to_string(got.size()) + " is wrong";
  }
  return std::string();
}

}  // namespace

TEST_CASE("reductions under a covering set of policies touch what is theirs" *
          doctest::test_suite("oclgrind")) {
  const device_facts facts = facts_of(device_session().device);
  run_covering(
      "reductions", 3, 5, [&](draw& d) { return draw_policy(d, facts); }, attempt);
}
