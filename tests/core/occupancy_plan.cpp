#include <algorithm>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include <clprim/core/occupancy/explain.hpp>
#include <clprim/core/occupancy/plan.hpp>

using namespace clprim;

namespace {

std::string reason(const auto& action) {
  try {
    action();
  } catch (const policy_error& e) {
    return e.what();
  }
  return "accepted";
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the suggested work-group size keeps most work-items resident, the larger on a tie") {
  constexpr auto hopper = nvidia_limits(90);
  constexpr auto small = suggest_work_group(hopper, {.registers = 32});
  static_assert(small.work_items == 1024 && small.resident.fraction() == 1.0);
  // 40 registers: 48 warps fit, which 1024 cannot use (32) and 768 can.
  constexpr auto middle = suggest_work_group(hopper, {.registers = 40});
  static_assert(middle.work_items == 768 && middle.resident.warps == 48);
  constexpr auto limited = suggest_work_group(hopper, {.registers = 32}, 100);
  static_assert(limited.work_items == 64);  // 32 groups fill the slots, 21 of 96 do not
  // No size tried by hand does better.
  for (const int registers : {20, 33, 64, 70, 100, 168, 255}) {
    for (const int local : {0, 5000, 60'000}) {
      const auto best = suggest_work_group(hopper, {.registers = registers, .local_bytes = local});
      int most = 0;
      for (int items = 32; items <= 1024; items += 32) {
        most = std::max(
            most, occupancy_of(hopper,
                               {.work_items = items, .registers = registers, .local_bytes = local})
                      .work_items);
      }
      CAPTURE(registers);
      CAPTURE(local);
      CHECK(best.resident.work_items == most);
    }
  }
}

TEST_CASE("local memory may depend on the size, and sizes it rules out are passed over") {
  constexpr auto hopper = nvidia_limits(90);
  constexpr auto s = suggest_work_group(hopper, {.registers = 32}, 0,
                                        [](int items) { return std::int64_t{320} * items; });
  // 227 KB hold 726 work-items at 320 bytes each.
  static_assert(s.work_items * 320 <= 232448);
  static_assert(s.resident.work_items >= 704);
  CHECK_THROWS_AS(suggest_work_group(hopper, {.registers = 32}, 0, [](int) { return -1; }),
                  argument_error);
  CHECK_THROWS_AS(suggest_work_group(hopper, {.registers = 32}, -1), argument_error);
}

TEST_CASE("no size at all is refused with the reason") {
  constexpr auto hopper = nvidia_limits(90);
  const auto registers = reason([&] { (void)suggest_work_group(hopper, {.registers = 300}); });
  CHECK(has(registers, "300 registers"));
  CHECK(has(registers, "limited by registers"));
  const auto local =
      reason([&] { (void)suggest_work_group(hopper, {.registers = 32, .local_bytes = 240'000}); });
  CHECK(has(local, "240000 bytes"));
  CHECK(has(local, "limited by local memory"));
}

TEST_CASE("a launch is laid out in groups, waves and a tail") {
  constexpr auto p =
      plan_launch(nvidia_limits(90), 132, {.work_items = 256, .registers = 32}, 1'000'000, 4);
  static_assert(p.tiles == 977 && p.groups == 977 && p.global == 977 * 256);
  static_assert(p.resident_groups == 8 * 132 && p.tiles_per_group == 1);
  CHECK(p.waves == doctest::Approx(977.0 / 1056));
  CHECK(p.tail_efficiency == doctest::Approx(977.0 / 1056));
  // One group more than a wave: half of the second wave's room is for nothing.
  constexpr auto tail = plan_launch(nvidia_limits(90), 132, {.work_items = 256, .registers = 32},
                                    std::int64_t{1057} * 256);
  CHECK(tail.tail_efficiency == doctest::Approx(1057.0 / 2112));
}

TEST_CASE("a persistent launch has the resident groups, or fewer when there is less to do") {
  constexpr group_use use{.work_items = 256, .registers = 32};
  constexpr auto p = plan_launch(nvidia_limits(90), 132, use, std::int64_t{1} << 30, 1,
                                 launch_objective::persistent);
  static_assert(p.groups == 1056 && p.global == 1056 * 256);
  static_assert(p.tiles == (1 << 22) && p.tiles_per_group == 3972);
  constexpr auto few =
      plan_launch(nvidia_limits(90), 132, use, 1000, 1, launch_objective::persistent);
  static_assert(few.groups == 4 && few.tiles_per_group == 1);
}

TEST_CASE("a launch that cannot be is refused: sizes, units and groups that do not fit") {
  constexpr auto hopper = nvidia_limits(90);
  constexpr group_use use{.work_items = 256, .registers = 32};
  CHECK_THROWS_AS(plan_launch(hopper, 0, use, 1000), argument_error);
  CHECK_THROWS_AS(plan_launch(hopper, 132, use, 0), argument_error);
  CHECK_THROWS_AS(plan_launch(hopper, 132, use, -5), argument_error);
  CHECK_THROWS_AS(plan_launch(hopper, 132, use, 1000, 0), argument_error);
  CHECK_THROWS_AS(plan_launch(hopper, 132, use, (std::int64_t{1} << 62) + 1), argument_error);
  CHECK(plan_launch(hopper, 132, use, std::int64_t{1} << 62).tiles == (std::int64_t{1} << 54));
  const auto text =
      reason([&] { (void)plan_launch(hopper, 132, {.work_items = 1024, .registers = 128}, 1000); });
  CHECK(has(text, "1024 work-items"));
  CHECK(has(text, "limited by registers"));
}

TEST_CASE("limiters are named as a sentence names them") {
  CHECK(limiter_names(0) == "nothing");
  CHECK(limiter_names(limited_by_registers) == "registers");
  CHECK(limiter_names(limited_by_warps | limited_by_registers) == "warp slots and registers");
  CHECK(limiter_names(limited_by_warps | limited_by_registers | limited_by_groups) ==
        "warp slots, registers and work-group slots");
}

TEST_CASE("the explanation of a launch says what runs, what limits, and what it waits for") {
  constexpr auto hopper = nvidia_limits(90);
  constexpr group_use use{.work_items = 256, .registers = 64, .local_bytes = 33 * 1024};
  const auto plan = plan_launch(hopper, 132, use, std::int64_t{1} << 24, 4);
  const auto* row = find_row("H200");
  REQUIRE(row != nullptr);
  const auto text = explain(hopper, use, plan) + explain(*row, predict(*row, plan, {.bytes = 32}));
  CAPTURE(text);
  CHECK(has(text, "16384 groups of 256, 4194304 work-items"));
  CHECK(has(text, "4 groups, 32 slots, 1024 work-items: 50 % occupancy (exact)"));
  CHECK(has(text, "limited by registers"));
  CHECK(has(text, "5 groups take at most 48 registers per work-item; or groups of at most 192"));
  CHECK(has(text, "kB in flight offered"));
  CHECK(has(text, "bound by memory"));
  CHECK(std::count(text.begin(), text.end(), '\n') <= 10);
  // Unknown registers and devices are said to be so.
  const group_use unknown{.work_items = 256};
  CHECK(has(explain(hopper, unknown, occupancy_of(hopper, unknown)), "(upper bound)"));
  const auto cpu = cpu_limits(4096, 65536);
  CHECK(has(explain(cpu, unknown, occupancy_of(cpu, unknown)), "a group for every thread"));
  const auto other = unknown_limits(256, 32768);
  CHECK(has(explain(other, unknown, occupancy_of(other, unknown)), "(conservative)"));
}
