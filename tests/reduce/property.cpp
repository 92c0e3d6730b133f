// Any reduction, under any policy that can be built, however the elements lie.

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/drawing.hpp"
#include "support/campaign.hpp"
#include "support/other_devices.hpp"

using namespace clprim;
using namespace support;

namespace {

using everything = op::several<op::sum<>, op::min_max, op::argmin, op::argmax, op::count>;

template <class T, class R>
std::string complaint_about(const drawn<T>& x, std::int64_t r, const R& got,
                            const reduce_schedule& s) {
  const std::vector<long double> all = elements_of(x.view, x.values, r, x.offsets);
  std::size_t least = 0, most = 0;
  std::int64_t nonzero = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] < all[least]) least = i;
    if (all[i] > all[most]) most = i;
    nonzero += all[i] != 0 ? 1 : 0;
  }
  const expected_sum sum = sum_of(all);
  const double epsilon = std::same_as<T, double> ? 0x1p-52 : std::integral<T> ? 0 : 0x1p-23;
  const double passed = roundings(s, static_cast<std::int64_t>(all.size()));
  const long double allowed = gamma_of(epsilon, passed) * sum.magnitude;
  const auto& [total, extreme, low, high, count] = got;
  const auto wrong = [&](const char* what, long double is, long double should) {
    return std::string(what) + " of result " + std::to_string(r) + " is " + std::to_string(is) +
           ", not " + std::to_string(should) + "\n";
  };
  std::string text;
  if (!(std::fabs(number(total) - sum.sum) <= allowed))
    text += wrong("sum", number(total), sum.sum);
  if (number(extreme.least) != all[least]) text += wrong("min", extreme.least, all[least]);
  if (number(extreme.greatest) != all[most]) text += wrong("max", extreme.greatest, all[most]);
  if (low.index != static_cast<std::int64_t>(least) || number(low.value) != all[least])
    text += wrong("argmin", static_cast<long double>(low.index), static_cast<long double>(least));
  if (high.index != static_cast<std::int64_t>(most) || number(high.value) != all[most])
    text += wrong("argmax", static_cast<long double>(high.index), static_cast<long double>(most));
  if (count != nonzero)
    text += wrong("count", static_cast<long double>(count), static_cast<long double>(nonzero));
  return text;
}

/// Whether a drawn policy is one for a device of these facts.
bool fits(const reduce_policy& p, const reduction& what, const device_facts& facts) {
  try {
    check_device_rules(p, what, facts, p.ragged_tile > 0);
  } catch (const policy_error&) {
    return false;
  }
  return true;
}

template <class T> void any_reduction(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) {
    const bool in_order = d.chance(80);
    const session& s = in_order ? device_session() : out_of_order_session();
    reduce_options options;
    if (in_order && d.chance(30)) options.completion = completion::none;
    // As this device gets it, or another one; by the library's choice or any policy.
    device_facts facts = facts_of(s.device);
    std::optional<assume_device> as_if;
    if (d.chance(40)) {
      const bool fp64 = facts.fp64;
      facts = drawn_device(d, facts);
      facts.fp64 = fp64;  // which a reduction of double needs
      as_if.emplace(facts);
    }
    if (d.chance(60)) options.policy = draw_policy(d, facts);
    d.kernels_are_chosen();
    const bool few = d.chance(30);  // many equal elements: the lowest index must win
    const drawn<T> x = draw_view<T>(d, s, 40000, [&] {
      if constexpr (std::integral<T>)
        return static_cast<T>(d.between(few ? 0 : -100, few ? 2 : 100));
      else
        return few ? random_integer<T>(d, 2) : random_element<T>(d);
    });
    if (options.policy &&
        !fits(*options.policy, detail::reduction_of<T, everything>(options), facts))
      options.policy.reset();
    reduce<T, everything> both(s.queue, options);
    const reduce_schedule schedule = both.schedule(x.view);
    std::string text;
    std::vector<typename reduce<T, everything>::result> first;
    for (int run = 0; run < 2; ++run) {  // the workspace must be left as it was found
      const auto got = both.values(x.view);
      for (std::size_t r = 0; r < got.size() && text.size() < 400; ++r)
        text += complaint_about(x, static_cast<std::int64_t>(r), got[r], schedule);
      if (run == 0) first = got;
      if (run == 1 && got != first) text += "the second run gave other results\n";
    }
    return text.empty() ? text : text + "  " + to_string(schedule.policy) + "\n  " + x.text + "\n";
  });
}

}  // namespace

CAMPAIGN("any reduction of float under any policy is right, the sum within its tree's bound") {
  any_reduction<float>("float", 12);
}

CAMPAIGN("any reduction of double under any policy is right, the sum within its tree's bound") {
  any_reduction<double>("double", 5);
}

CAMPAIGN("any reduction of half under any policy is right, the sum within its tree's bound") {
  any_reduction<half>("half", 5);
}

CAMPAIGN("any reduction of bytes under any policy is exact") {
  any_reduction<std::int8_t>("int8", 5);
}

CAMPAIGN("any reduction of 64-bit integers under any policy is exact") {
  any_reduction<std::int64_t>("int64", 5);
}
