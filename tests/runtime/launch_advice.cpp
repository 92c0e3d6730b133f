#include <string>

#include <doctest/doctest.h>

#include <clprim/runtime/device.hpp>
#include <clprim/runtime/launch_advice.hpp>
#include <clprim/runtime/program.hpp>

#include "support/device.hpp"

using namespace clprim;

namespace {

device_facts h200() {
  device_facts d;
  d.name = "NVIDIA H200";
  d.vendor = vendor::nvidia;
  d.compute_capability = 90;
  d.compute_units = 132;
  d.max_work_group = 1024;
  d.max_items = {1024, 1024, 64};
  d.local_bytes = 232448;
  d.reported_local_bytes = 49152;
  return d;
}

kernel_resources with_registers(int registers) {
  kernel_resources r;
  r.registers = {registers, provenance::queried};
  r.local_bytes = {0, provenance::queried};
  return r;
}

}  // namespace

TEST_CASE("a launch is planned from what the driver tells of a kernel, and runs") {
  const session& s = support::device_session();
  const auto built = build(s.context, s.device,
                           "__kernel void count(__global int *y, const int n) {\n"
                           "  for (int i = (int)get_global_id(0); i < n;\n"
                           "       i += (int)get_global_size(0)) y[i] += 1;\n"
                           "}\n");
  const cl::Kernel kernel = make_kernel(*built, "count");
  const device_facts facts = facts_of(s.device);
  const auto taken = resources_of(*built, kernel, "count", s.device);
  constexpr int n = 100'003;
  for (const auto objective : {launch_objective::one_pass, launch_objective::persistent}) {
    const auto advice = advise_launch(facts, taken, {.problem_items = n, .objective = objective});
    CHECK(advice.range.local[0] >= 1);
    CHECK(advice.range.global[0] % advice.range.local[0] == 0);
    CHECK(advice.plan.resident.fits());
    if (objective == launch_objective::one_pass) CHECK(advice.range.global[0] >= n);
    if (objective == launch_objective::persistent) {
      CHECK(advice.plan.groups <= advice.plan.resident_groups);
    }
    const std::vector<int> before(n, 41);
    support::guarded_buffer<int> y(s, before, -1);
    set_args(kernel(), y.buffer(), cl_int{n});
    support::wait_for(enqueue(s.queue(), kernel(), advice.range));
    CHECK(y.read() == std::vector<int>(n, 42));
    CHECK(explain(advice).find("resident:") != std::string::npos);
  }
}

TEST_CASE("the size that a kernel requires is kept, and another one is refused with both numbers") {
  kernel_resources r = with_registers(32);
  r.work_group = {192, provenance::queried};
  CHECK(advise_launch(h200(), r, {.problem_items = 1000}).plan.work_items == 192);
  CHECK_THROWS_WITH_AS(advise_launch(h200(), r, {.problem_items = 1000, .work_items = 128}),
                       doctest::Contains("requires work-groups of 192"), policy_error);
}

TEST_CASE("a required size stands even where the driver names a smaller limit") {
  kernel_resources r = with_registers(128);  // seen on an H200
  r.work_group = {512, provenance::queried};
  r.max_work_group = {256, provenance::queried};
  CHECK(advise_launch(h200(), r, {.problem_items = 1000}).plan.work_items == 512);
}

TEST_CASE("local memory may depend on the size that is looked for") {
  const auto advice = advise_launch(h200(), with_registers(32), {.problem_items = 1 << 20},
                                    [](int size) { return 300 * size; });
  CHECK(advice.use.local_bytes == 300 * advice.plan.work_items);
  CHECK(advice.plan.resident.fits());
}

TEST_CASE("what cannot run is refused with its reason") {
  const auto ask = [](const kernel_resources& r, const launch_request& q) {
    return advise_launch(h200(), r, q);
  };
  CHECK_THROWS_AS(ask(with_registers(32), {.problem_items = 0}), argument_error);
  CHECK_THROWS_AS(ask(with_registers(32), {.problem_items = 9, .work_items = -1}), argument_error);
  CHECK_THROWS_AS(ask(with_registers(32), {.problem_items = 9, .work_items = 2048}), device_error);
  CHECK_THROWS_WITH_AS(ask(with_registers(255), {.problem_items = 9, .work_items = 1024}),
                       doctest::Contains("limited by registers"), policy_error);
  kernel_resources small = with_registers(64);
  small.max_work_group = {256, provenance::queried};
  CHECK_THROWS_WITH_AS(ask(small, {.problem_items = 9, .work_items = 512}),
                       doctest::Contains("allows this kernel: 256"), device_error);
  CHECK_THROWS_AS(advise_launch(h200(), with_registers(32), {.problem_items = 9, .work_items = 64},
                                [](int) { return 1 << 20; }),
                  argument_error);
}

TEST_CASE("local arguments stop at what the driver reports, static arrays do not") {
  const device_facts nvidia = h200();
  kernel_resources r = with_registers(32);
  const auto arguments = [&](std::int64_t bytes) {
    return advise_launch(nvidia, r, {.problem_items = 9, .work_items = 64},
                         [=](int) { return bytes; });
  };
  CHECK(arguments(49152).plan.resident.fits());
  CHECK_THROWS_WITH_AS(arguments(49153), doctest::Contains("at most 49152 bytes"), argument_error);
  r.local_bytes = {200'000, provenance::queried};
  CHECK(arguments(0).plan.resident.fits());
  r = with_registers(32);
  // Where the size is free, those whose arguments would be too large are passed over.
  const auto free =
      advise_launch(nvidia, r, {.problem_items = 1 << 20}, [](int size) { return 128 * size; });
  CHECK(free.plan.work_items <= 384);
  CHECK(free.plan.work_items >= 256);
}

TEST_CASE("a prediction is made where the device was measured, and only there") {
  const launch_request copy{.problem_items = 1 << 26, .work = {.bytes = 8}};
  const auto known = advise_launch(h200(), with_registers(16), copy);
  REQUIRE(known.predicted.has_value());
  CHECK(known.predicted->seconds > 8.0 * (1 << 26) / 4.3e12);
  CHECK(explain(known).find("bound by") != std::string::npos);
  device_facts other = h200();
  other.name = "NVIDIA something new";
  const auto unknown = advise_launch(other, with_registers(16), copy);
  CHECK_FALSE(unknown.predicted.has_value());
  CHECK(explain(unknown).find("nobody has measured") != std::string::npos);
}

TEST_CASE("a device that nobody knows gets an answer marked conservative") {
  device_facts other;
  other.name = "Something else";
  const auto advice = advise_launch(other, kernel_resources{}, {.problem_items = 1000});
  CHECK(advice.plan.resident.known != certainty::exact);
  CHECK(advice.plan.resident.groups == 1);
  CHECK(explain(advice).find("conservative") != std::string::npos);
}
