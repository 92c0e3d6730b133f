// The contract chosen by type: fastest, the same on every run, compensated; and what each refuses.

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/reference.hpp"
#include "support/random.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using namespace support;

namespace {

std::vector<float> random_floats(std::size_t n, std::uint64_t seed) {
  draw d(seed);
  std::vector<float> x(n);
  for (float& v : x) v = random_element<float>(d);
  return x;
}

constexpr reduce_policy any_order{
    .group = 16, .finish = group_finish::any_order, .least_steps = 1, .columns = 4};

}  // namespace

TEST_CASE(
    "groups that merge as they come give a sum within its bound, of arrays, rows and columns") {
  const session& s = device_session();
  if (!facts_of(s.device).int64_atomics) return;
  const std::vector<float> x = random_floats(60000, 3);
  const cl::Buffer a = device_copy(s, x);
  reduce<float, op::fastest<op::sum<>>> sum(s.queue, {.policy = any_order});
  for (const auto& view : {whole<float>(a, 60000), segments<float>(a, 3, 20000),
                           along_axis<float>(a, {5000, 12}, 0)}) {
    const reduce_schedule schedule = sum.schedule(view);
    CHECK(schedule.parts > 1);
    for (int run = 0; run < 3; ++run) {  // the places must be left empty
      const auto got = sum.values(view);
      for (std::size_t r = 0; r < got.size(); ++r) {
        const auto all = elements_of(view, x, static_cast<std::int64_t>(r), {});
        const expected_sum expected = sum_of(all);
        const double passed = roundings(schedule, static_cast<std::int64_t>(all.size()));
        CHECK(std::fabs(got[r] - expected.sum) <= gamma_of(0x1p-23, passed) * expected.magnitude);
      }
    }
  }
  CHECK(sum.explain(whole<float>(a, 60000)).find("as they come, in any order") !=
        std::string::npos);
}

TEST_CASE("where the order does not show, any order needs no contract: least and greatest") {
  const session& s = device_session();
  if (!facts_of(s.device).int64_atomics) return;
  std::vector<float> x = random_floats(50000, 4);
  x[777] = -5;
  const cl::Buffer a = device_copy(s, x);
  CHECK(reduce<float, op::min>(s.queue, {.policy = any_order}).value(whole<float>(a, 50000)) == -5);
}

TEST_CASE("a policy that breaks the operator's contract is refused") {
  const session& s = device_session();
  const std::string sentence =
      "finish any_order merges groups as they come, so this operator's result would vary from run "
      "to run: it needs op::fastest";
  CHECK(refused([&] { reduce<float>(s.queue, {.policy = any_order}); }) == sentence);
  CHECK(refused([&] {
          reduce<float, op::compensated<op::sum<>>>(s.queue, {.policy = any_order});
        }) == sentence);
  CHECK(refused([&] { reduce<float, op::argmax>(s.queue, {.policy = any_order}); }) ==
        "finish any_order needs a state of 32-bit words in number: 3 given, at most 1");
  CHECK(refused([&] {
          reduce<float, op::argmax>(s.queue,
                                    {.policy = reduce_policy{.method = group_method::work_group}});
        }) ==
        "method work_group needs sums and counts only: OpenCL C has no other function that fits");
  CHECK(refused([&] {
          reduce<float>(s.queue, {.policy = reduce_policy{.method = group_method::work_group}});
        }).find("needs op::fastest") != std::string::npos);
  const device_facts facts = facts_of(s.device);
  if (facts.work_group_functions == 0) {
    CHECK_THROWS_AS(
        reduce<int>(s.queue, {.policy = reduce_policy{.method = group_method::work_group}}),
        policy_error);
  }
  if (facts.subgroup_shuffles == subgroup_shuffle::none) {
    CHECK_THROWS_AS(
        reduce<int>(s.queue, {.policy = reduce_policy{.method = group_method::sub_group}}),
        policy_error);
  }
}

TEST_CASE("the functions of sub-groups and work-groups are right where the device has them") {
  const session& s = device_session();
  const device_facts facts = facts_of(s.device);
  std::vector<std::int32_t> x(40000);
  std::int64_t expected = 0;
  for (std::size_t i = 0; i < x.size(); ++i) expected += x[i] = static_cast<std::int32_t>(i % 1001);
  const cl::Buffer a = device_copy(s, x);
  const auto sum_by = [&](group_method method) {
    return reduce<std::int32_t>(s.queue, {.policy = reduce_policy{.group = 64, .method = method}})
        .value(whole<std::int32_t>(a, 40000));
  };
  CHECK(sum_by(group_method::sequential) == expected);
  if (facts.work_group_functions != 0) CHECK(sum_by(group_method::work_group) == expected);
  if (facts.subgroup_shuffles != subgroup_shuffle::none)
    CHECK(sum_by(group_method::sub_group) == expected);
}

TEST_CASE("a compensated dot product keeps its bound where a plain one has nothing left") {
  const session& s = device_session();
  draw d(11);
  std::vector<float> x, y;
  long double dot = 0, magnitude = 0;
  for (int i = 0; i < 20000; ++i) {
    const float big = std::ldexp(random_element<float>(d), d.between(0, 40));
    const float other = random_element<float>(d), small = random_element<float>(d);
    for (const auto& [a, b] : {std::pair{big, other}, {small, other}, {-big, other}}) {
      x.push_back(a);
      y.push_back(b);
      dot += static_cast<long double>(a) * b;
      magnitude += std::fabs(static_cast<long double>(a) * b);
    }
  }
  const cl::Buffer a = device_copy(s, x), b = device_copy(s, y);
  const auto n = static_cast<std::int64_t>(x.size());
  const long double u = 0x1p-24L, gamma = static_cast<long double>(n) * u;
  for (const bool fixed : {false, true}) {
    reduce_options options;
    if (fixed)
      options.policy = reduce_policy{.group = 32, .vector = 2, .finish = group_finish::last_group};
    reduce<float, op::compensated<op::dot<>>> compensated(s.queue, options);
    const float got = compensated.value(whole<float>(a, n), whole<float>(b, n));
    CHECK(std::fabs(got - dot) <= u * std::fabs(dot) + 4 * gamma * gamma * magnitude);
  }
  const float plain =
      reduce<float, op::dot<>>(s.queue).value(whole<float>(a, n), whole<float>(b, n));
  CHECK(std::fabs(plain - dot) > 100 * u * std::fabs(dot));
  const std::vector<float> x3{1, std::numeric_limits<float>::infinity(), 2}, y3{1, 1, 3};
  CHECK(reduce<float, op::compensated<op::dot<>>>(s.queue).value(
            whole<float>(device_copy(s, x3), 3), whole<float>(device_copy(s, y3), 3)) ==
        std::numeric_limits<float>::infinity());
  const std::vector<float> holes{1, std::nanf(""), 2};
  CHECK(reduce<float, op::compensated<op::dot<>>>(s.queue, {.nan = nan_rule::ignore})
            .value(whole<float>(device_copy(s, holes), 3), whole<float>(device_copy(s, y3), 3)) ==
        7);
  reduce<float, op::compensated<op::dot<>>> mapped(s.queue, {.map = {"return fabs(x - y);", {}}});
  CHECK(mapped.value(whole<float>(device_copy(s, std::vector<float>{1, 5, 2}), 3),
                     whole<float>(device_copy(s, y3), 3)) == 5);
}
