// What other devices get, run here: the choice by their facts, the portable text.

#include "support/other_devices.hpp"

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/copy.hpp>

#include "support/campaign.hpp"
#include "support/sequence.hpp"

using namespace clprim;
using namespace support;

namespace {

template <class T> T drawn_value(draw& d) {
  if constexpr (std::floating_point<T>) {
    if (d.chance(2)) return std::numeric_limits<T>::quiet_NaN();
    if (d.chance(2)) return d.chance(50) ? std::numeric_limits<T>::infinity() : T(-1e30);
    return static_cast<T>(d.between(-600, 600)) / 2;  // ties among them
  } else {
    return static_cast<T>(d.bits());
  }
}

/// Nearest, to even; within the integer's range; NaN as 0.
template <class To, class From> To stored(From x) {
  if constexpr (std::floating_point<To>) {
    return static_cast<To>(x);
  } else if constexpr (std::floating_point<From>) {
    if (std::isnan(x)) return 0;
    const long double nearest = std::nearbyint(static_cast<long double>(x));
    constexpr auto least = static_cast<long double>(std::numeric_limits<To>::min()),
                   most = static_cast<long double>(std::numeric_limits<To>::max());
    return nearest >= most    ? std::numeric_limits<To>::max()
           : nearest <= least ? std::numeric_limits<To>::min()
                              : static_cast<To>(nearest);
  } else {
    using limits = std::numeric_limits<To>;
    return std::cmp_less(x, limits::min())      ? limits::min()
           : std::cmp_greater(x, limits::max()) ? limits::max()
                                                : static_cast<To>(x);
  }
}

template <class T> bool equal(T a, T b) { return a == b || (a != a && b != b); }

template <class From, class To> void any_cast(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) -> std::string {
    const session& s = sequence_session(d.chance(70));
    device_facts facts = drawn_device(d, facts_of(s.device));
    if (std::same_as<From, double> || std::same_as<To, double>) facts.fp64 = true;
    const assume_device as_if(facts);
    d.kernels_are_chosen();
    const std::int64_t count = log_uniform(d, most_elements(s));
    const std::int64_t from = d.one_of({0, 1, 8}), stride = d.chance(20) ? 2 : 1;
    std::vector<From> x(static_cast<std::size_t>(from + count));
    for (From& one : x) one = drawn_value<From>(d);
    std::vector<To> expected(static_cast<std::size_t>(count * stride), To(5));
    guarded_buffer<From> X(s, x, From(3));
    guarded_buffer<To> Y(s, expected, To(4));
    clprim::map<To, From> cast(s.queue);
    const bool prepared = d.chance(50);
    const auto in = vector<From>(X.buffer(), count).at(from);
    const auto out = vector<To>(Y.buffer(), count).with_stride(stride);
    if (prepared) cast.prepare({in}, out);
    wait_for(cast({in}, out));
    for (std::int64_t i = 0; i < count; ++i)
      expected[static_cast<std::size_t>(i * stride)] =
          stored<To>(x[static_cast<std::size_t>(from + i)]);
    const std::vector<To> got = Y.read();
    const std::string what = describe(facts) + "\n" + cast.explain({in}, out);
    if (!Y.intact()) return "a guard zone was written\n" + what;
    for (std::size_t i = 0; i < got.size(); ++i)
      if (!equal(got[i], expected[i])) return "element " + std::to_string(i) + " is wrong\n" + what;
    return {};
  });
}

}  // namespace

CAMPAIGN("casts as other devices get them are exact") {
  any_cast<float, std::uint8_t>("float to bytes elsewhere", 1);
  any_cast<float, std::int32_t>("float to int elsewhere", 1);
  any_cast<float, std::int64_t>("float to long elsewhere", 1);
  any_cast<double, std::uint16_t>("double to ushort elsewhere", 1);
  any_cast<std::int32_t, std::int8_t>("int to char elsewhere", 1);
  any_cast<std::int64_t, std::uint32_t>("long to uint elsewhere", 1);
  any_cast<std::uint8_t, float>("bytes to float elsewhere", 1);
  any_cast<float, float>("float elsewhere", 1);
  any_cast<std::uint8_t, std::uint8_t>("bytes elsewhere", 1);
}
