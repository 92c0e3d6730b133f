// Any reduction, under any policy that can be built, however the elements lie.

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/reference.hpp"
#include "support/campaign.hpp"

using namespace clprim;
using namespace support;

namespace {

using everything = op::several<op::sum<>, op::min_max, op::argmin, op::argmax, op::count>;

reduce_policy draw_policy(draw& d, const device_facts& facts) {
  reduce_policy p;
  p.group = d.one_of({1, 1, 8, 32, 64, 128});
  while (p.group > facts.max_work_group) p.group /= 2;
  p.vector = d.one_of({1, 2, 4, 8, 16});
  p.loads = d.one_of({1, 2, 3, 4});
  p.streams = p.loads == 4 ? d.one_of({1, 2, 4}) : p.loads == 2 ? d.one_of({1, 2}) : 1;
  p.method =
      d.one_of({group_method::interleaved, group_method::sequential, group_method::two_steps});
  p.finish = d.one_of({group_finish::second_kernel, group_finish::last_group});
  if (facts.vendor == vendor::nvidia && facts.compute_capability >= 70) {
    if (d.chance(40) && p.group >= 32) p.method = group_method::shuffle;
    if (d.chance(40)) p.finish = group_finish::last_group_fenced;
  }
  p.groups_per_unit = d.one_of({0, 1, 3, 8});
  p.ragged_tile = d.one_of({0, 256, 1024});
  p.least_steps = d.one_of({1, 2, 5});
  p.row_steps = d.one_of({1, 4, 8});
  p.grid_stride = p.streams == 1 && d.chance(30);
  p.columns = d.one_of({1, 4, 16, 32});
  while (p.columns > p.group) p.columns /= 2;
  p.column_runs = d.one_of({1, 1, 2, 3});
  p.unaligned = d.chance(30);
  p.streaming = d.chance(40);
  return p;
}

template <class T> struct drawn {
  std::vector<T> values;
  std::vector<std::int64_t> offsets;
  cl::Buffer buffer, offset_buffer;
  reduce_view<T> view;
  std::string text;
};

template <class T> drawn<T> draw_view(draw& d, const session& s) {
  drawn<T> x;
  const int offset = d.chance(60) ? 0 : d.between(1, 9);
  const int kind = d.between(0, 5);
  const auto some = [&] {
    return d.one_of({1, 2, 3, 7, 31, 32, 33, 64, 127, 128, 129, d.between(1, 300)});
  };
  std::int64_t total = 0;
  if (kind == 0) {  // whole, perhaps strided
    const std::int64_t n = d.chance(50) ? some() : d.between(1, 40000);
    const std::int64_t step = d.chance(80) ? 1 : d.between(2, 5);
    x.view.length = n;
    x.view.step = step;
    total = (n - 1) * step + 1;
  } else if (kind == 1 || kind == 2) {  // rows
    x.view.length = some();
    x.view.outer = some();
    x.view.outer_stride = x.view.length + (d.chance(50) ? 0 : d.between(1, 8));
    total = x.view.outer * x.view.outer_stride;
  } else if (kind == 3) {  // columns, or an axis
    x.view.length = some();
    x.view.inner = some();
    x.view.step = x.view.inner + (d.chance(60) ? 0 : d.between(1, 8));
    x.view.outer = d.chance(60) ? 1 : d.between(2, 4);
    x.view.outer_stride = x.view.length * x.view.step;
    total = x.view.outer * x.view.outer_stride;
  } else if (kind == 5) {  // any axis of an array with gaps
    std::int64_t extents[4], strides[4];
    std::int64_t apart = d.chance(70) ? 1 : 2;
    for (int axis = 3; axis >= 0; --axis) {
      extents[axis] = d.between(1, 9);
      strides[axis] = apart;
      apart = apart * extents[axis] + (d.chance(50) ? 0 : d.between(1, 3));
    }
    x.view =
        along_axis<T>(cl::Buffer{}, extents, strides, static_cast<std::size_t>(d.between(0, 3)));
    total = apart;
  } else {  // ragged: no empty segment here
    const int count = some();
    x.offsets.push_back(0);
    for (int i = 0; i < count; ++i) {
      const int size = d.chance(2) ? 70000 : d.chance(5) ? d.between(1, 5000) : d.between(1, 50);
      x.offsets.push_back(x.offsets.back() + size);
    }
    x.view.length = x.offsets.back();
    x.view.outer = count;
    total = x.offsets.back();
    x.offset_buffer = device_copy(s, x.offsets);
    x.view.offsets = x.offset_buffer();
  }
  x.view.offset = offset;
  const bool few = d.chance(30);  // many equal elements: the lowest index must win
  for (std::int64_t i = 0; i < total + offset; ++i) {
    if constexpr (std::integral<T>)
      x.values.push_back(static_cast<T>(d.between(few ? 0 : -100, few ? 2 : 100)));
    else
      x.values.push_back(few ? random_integer<T>(d, 2) : random_element<T>(d));
  }
  x.buffer = device_copy(s, x.values);
  x.view.memory = x.buffer();
  x.text = "kind " + std::to_string(kind) + ", offset " + std::to_string(offset) + ", length " +
           std::to_string(x.view.length) + ", step " + std::to_string(x.view.step) + ", inner " +
           std::to_string(x.view.inner) + ", outer " + std::to_string(x.view.outer) +
           ", distance " + std::to_string(x.view.outer_stride);
  return x;
}

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

template <class T> void any_reduction(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) {
    const bool in_order = d.chance(80);
    const session& s = in_order ? device_session() : out_of_order_session();
    reduce_options options;
    if (in_order && d.chance(30)) options.completion = completion::none;
    if (!d.chance(15)) options.policy = draw_policy(d, facts_of(s.device));
    const drawn<T> x = draw_view<T>(d, s);
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

TEST_CASE("any reduction of float under any policy is right, the sum within its tree's bound") {
  any_reduction<float>("float", 16);
}

TEST_CASE("any reduction of double under any policy is right, the sum within its tree's bound") {
  any_reduction<double>("double", 8);
}

TEST_CASE("any reduction of half under any policy is right, the sum within its tree's bound") {
  any_reduction<half>("half", 8);
}

TEST_CASE("any reduction of bytes under any policy is exact") {
  any_reduction<std::int8_t>("int8", 8);
}

TEST_CASE("any reduction of 64-bit integers under any policy is exact") {
  any_reduction<std::int64_t>("int64", 8);
}
