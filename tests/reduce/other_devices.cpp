// What other devices get: every choice lies within their limits.

#include "support/other_devices.hpp"

#include <complex>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/reference.hpp"
#include "support/builds.hpp"

using namespace clprim;
using namespace support;

namespace {

/// Reductions of small and of large states.
std::vector<reduction> some_reductions() {
  using many = op::several<op::sum<>, op::min_max, op::argmin, op::argmax, op::variance<>,
                           op::count, op::norm2<>, op::product<>>;
  struct big {
    float values[60];
  };
  const reduce_options user{.user = {.state = "float16", .combine = "return a;"}};
  return {detail::reduction_of<float, op::sum<>>({}),
          detail::reduction_of<float, op::fastest<op::sum<>>>({}),
          detail::reduction_of<half, op::argmax>({}),
          detail::reduction_of<std::int8_t, op::max>({}),
          detail::reduction_of<float, op::dot<>>({}),
          detail::reduction_of<std::complex<float>, op::sum<>>({}),
          detail::reduction_of<float, many>({}),
          detail::reduction_of<float, op::user<big>>(user)};
}

std::vector<device_facts> devices() {
  std::vector<device_facts> all = other_devices();
  for (device_facts d : {h200(), a100(), gtx_1080()}) {
    d.inline_ptx = true;
    d.name += " and its assembly";
    all.push_back(d);
  }
  return all;
}

reduce_problem problem(reduce_shape shape, std::int64_t length, std::int64_t results) {
  reduce_problem p;
  p.shape = shape;
  p.length = length;
  (shape == reduce_shape::columns ? p.inner : p.outer) = results;
  p.x.outer = length;
  p.x.step = shape == reduce_shape::columns ? results : 1;
  return p;
}

}  // namespace

TEST_CASE("what the library chooses lies within the limits of every device") {
  int finished = 0, staged = 0;
  for (const device_facts& device : devices()) {
    CAPTURE(device.name);
    for (const reduction& what : some_reductions()) {
      for (const auto shape : {reduce_shape::rows, reduce_shape::columns, reduce_shape::ragged}) {
        for (const std::int64_t length : {1, 100, 20000, 3000000, 300000000}) {
          for (const std::int64_t results : {1, 7, 1000, 20000}) {
            const reduce_problem p = problem(shape, length, results);
            const reduce_policy policy =
                within_limits(tuned_reduce(device, {shape, length, results, what.element.bytes,
                                                    state_words(what), what.may_vary_between_runs}),
                              what, device);
            check_rules(policy);
            const reduce_schedule s = schedule_of(p, policy, what, device);
            check_rules(s.policy);
            check_device_rules(s.policy, what, device, s.variant.staged);
            check_launch(reduce_launch(s), device, "the first");
            check_launch(reduce_finish_launch(p, s), device, "the second");
            CHECK(words_of(p, s, what).left * 4 <= device.max_allocation_bytes);
            CHECK(words_of(p, s, what).kept * 4 <= device.max_allocation_bytes);
            finished += s.variant.split && s.policy.finish == group_finish::second_kernel ? 1 : 0;
            staged += s.variant.staged ? 1 : 0;
          }
        }
      }
    }
  }
  CHECK(finished > 100);
  CHECK(staged > 100);
}

TEST_CASE("short rows are in flight whole; no group takes a second round of others' states") {
  device_facts device = h200();
  device.inline_ptx = true;
  const reduction what = some_reductions().front();
  const auto schedule = [&](reduce_shape shape, std::int64_t length, std::int64_t results) {
    const reduce_size size{shape, length, results, what.element.bytes, state_words(what)};
    return schedule_of(problem(shape, length, results), tuned_reduce(device, size), what, device);
  };
  for (const std::int64_t length : {1, 6, 31, 64, 100, 255, 256, 461, 1000, 1024}) {
    CAPTURE(length);
    for (const std::int64_t rows : {3, 64, 1000, 300000}) {
      const reduce_schedule s = schedule(reduce_shape::rows, length, rows);
      CHECK_FALSE(s.variant.split);
      CHECK(s.variant.items * s.variant.vector * s.policy.loads >= length);
      CHECK(s.variant.aligned);
      CHECK(s.groups * s.per_block >= rows);
    }
  }
  CHECK(schedule(reduce_shape::rows, 255, 191).variant.vector == 1);
  CHECK(schedule(reduce_shape::rows, 346, 1808).variant.vector == 2);
  CHECK(schedule(reduce_shape::rows, 48000, 1).parts == 1);
  for (std::int64_t length = 100000; length < 400000000; length += length / 3) {
    const reduce_schedule s = schedule(reduce_shape::rows, length, 1);
    CAPTURE(length);
    CAPTURE(s.parts);
    CHECK(s.parts > 1);
    const int over = s.parts % s.policy.group;
    CHECK((s.parts < s.policy.group || over == 0 || over >= s.parts / 16));
  }
  const auto tile_bytes = [&](std::int64_t length, std::int64_t columns) {
    const reduce_schedule s = schedule(reduce_shape::columns, length, columns);
    return tile_columns(s.policy, s.variant) * what.element.bytes;
  };
  CHECK(tile_bytes(13267, 16383) == 512);
  CHECK(tile_bytes(4096, 4095) == 256);
  CHECK(tile_bytes(1000, 1001) == 128);  // the cache may hold these
}

TEST_CASE("what runs keeps the rules of policies, however few elements its streams find") {
  const reduction what = some_reductions().front();
  for (const device_facts& device : devices()) {
    for (const int loads : {2, 4, 6, 8}) {
      for (const int streams : {1, 2, 3, 4, 8}) {
        const reduce_policy policy =
            within_limits({.group = 64, .loads = loads, .streams = streams}, what, device);
        if (loads % streams != 0) continue;
        for (const auto shape : {reduce_shape::rows, reduce_shape::columns}) {
          for (const std::int64_t length : {1, 3, 17, 100, 1000}) {
            const auto& s = schedule_of(problem(shape, length, 100000), policy, what, device);
            CAPTURE(to_string(s.policy));
            CHECK_NOTHROW(check_rules(s.policy));
          }
        }
      }
    }
  }
}

TEST_CASE("sums as other devices get them are right here, of rows, columns and segments") {
  const session& s = device_session();
  const device_facts own = facts_of(s.device);
  constexpr std::int64_t rows = 300, columns = 77;
  std::vector<std::int32_t> x(rows * columns);
  std::vector<std::int64_t> ends{0, 5, 5, 900, 901}, by_row(rows), by_column(columns), by_end(4);
  std::int64_t all = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<std::int32_t>(i * i % 1009);
    all += x[i];
    by_row[i / columns] += x[i];
    by_column[i % columns] += x[i];
    for (std::size_t k = 0; k < 4; ++k)
      if (static_cast<std::int64_t>(i) >= ends[k] && static_cast<std::int64_t>(i) < ends[k + 1])
        by_end[k] += x[i];
  }
  const cl::Buffer buffer = device_copy(s, x), offsets = device_copy(s, ends);
  const unoptimised_builds quickly;
  for (const device_facts& other : other_devices()) {
    CAPTURE(other.name);
    const assume_device as_if(portable(other, own));
    reduce<std::int32_t> sum(s.queue);
    CHECK(sum.value(whole<std::int32_t>(buffer, rows * columns)) == all);
    CHECK(sum.values(segments<std::int32_t>(buffer, rows, columns)) == by_row);
    CHECK(sum.values(along_axis<std::int32_t>(buffer, {rows, columns}, 0)) == by_column);
    CHECK(sum.values(ragged<std::int32_t>(buffer, rows * columns, offsets, 4)) == by_end);
  }
}
