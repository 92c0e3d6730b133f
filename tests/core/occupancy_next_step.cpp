#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/core/occupancy.hpp>

using namespace clprim;

namespace {

// Everything the steps promise, found the slow way: by trying every value.
int largest_registers(const unit_limits& unit, group_use use, int groups) {
  for (int registers = use.registers - 1; registers > 0; --registers) {
    use.registers = registers;
    if (occupancy_of(unit, use).bounds.registers >= groups) return registers;
  }
  return next_step::none;
}

std::int64_t largest_local(const unit_limits& unit, group_use use, int groups) {
  for (std::int64_t bytes = use.local_bytes; bytes-- > 0;) {
    use.local_bytes = bytes;
    if (occupancy_of(unit, use).bounds.local_memory >= groups) return bytes;
  }
  return next_step::none;
}

int nearest_smaller_group(const unit_limits& unit, group_use use, int groups) {
  for (int items = use.work_items - 1; items > 0; --items) {
    use.work_items = items;
    if (occupancy_of(unit, use).groups >= groups) return items;
  }
  return next_step::none;
}

}  // namespace

TEST_CASE("the next step is what trying every value finds, on every vendor") {
  const std::vector<unit_limits> units{nvidia_limits(10),
                                       nvidia_limits(20),
                                       nvidia_limits(60),
                                       nvidia_limits(90),
                                       nvidia_limits(120),
                                       amd_limits({9, 0, 10}),
                                       amd_limits({11, 0, 0}),
                                       intel_limits(intel_architecture::gen9),
                                       intel_limits(intel_architecture::xe_hpc, 32)};
  int register_steps = 0, local_steps = 0, group_steps = 0, impossible = 0;
  unsigned seed = 12345;
  const auto random = [&](int least, std::int64_t most) {
    seed = seed * 1664525u + 1013904223u;
    return least + static_cast<int>((seed >> 8) % static_cast<unsigned>(most - least + 1));
  };
  for (const auto& unit : units) {
    for (int i = 0; i < 60; ++i) {
      const group_use use{
          .work_items = random(1, unit.max_group_items),
          .registers = random(1, std::min(unit.max_registers, 128)),
          .local_bytes =
              i % 3 == 0 ? 0 : random(0, std::min<std::int64_t>(unit.group_local_bytes, 20'000))};
      const auto o = occupancy_of(unit, use);
      CAPTURE(unit.name);
      CAPTURE(use.work_items);
      CAPTURE(use.registers);
      CAPTURE(use.local_bytes);
      CHECK(o.next.groups == o.groups + 1);
      const auto others = o.limiters & ~(limited_by_registers | limited_by_local_memory);
      const int registers = o.bounds.registers > o.groups
                                ? next_step::none
                                : largest_registers(unit, use, o.next.groups);
      const std::int64_t local = o.bounds.local_memory > o.groups
                                     ? next_step::none
                                     : largest_local(unit, use, o.next.groups);
      const bool possible = others == 0 &&
                            (o.bounds.registers > o.groups || registers != next_step::none) &&
                            (o.bounds.local_memory > o.groups || local != next_step::none);
      CHECK(o.next.registers == (possible ? registers : next_step::none));
      CHECK(o.next.local_bytes == (possible ? local : next_step::none));
      register_steps += o.next.registers != next_step::none ? 1 : 0;
      local_steps += o.next.local_bytes != next_step::none ? 1 : 0;
      if (possible) {
        group_use changed = use;
        if (registers != next_step::none) changed.registers = registers;
        if (local != next_step::none) changed.local_bytes = local;
        CHECK(occupancy_of(unit, changed).groups >= o.next.groups);
      }
      CHECK(o.next.work_items == nearest_smaller_group(unit, use, o.next.groups));
      (o.next.work_items == next_step::none ? impossible : group_steps) += 1;
    }
  }
  CHECK(register_steps > 100);
  CHECK(local_steps > 50);
  CHECK(group_steps > 50);
  CHECK(impossible > 10);
}

TEST_CASE("one change is enough only where a single resource limits") {
  constexpr auto hopper = nvidia_limits(90);
  // 64 registers and 56 KB each hold 4 groups of 256: both have to give for a fifth.
  constexpr group_use use{.work_items = 256, .registers = 64, .local_bytes = 56 * 1024 - 1024};
  constexpr auto both = occupancy_of(hopper, use);
  static_assert(both.groups == 4);
  static_assert(both.limiters == (limited_by_registers | limited_by_local_memory));
  static_assert(!both.next.one_suffices && both.next.registers == 48);
  static_assert(both.next.local_bytes == 45568);  // a fifth of 228 KB, in 128s, less the kilobyte
  constexpr auto less_of_one =
      occupancy_of(hopper, {.work_items = 256, .registers = 48, .local_bytes = use.local_bytes});
  static_assert(less_of_one.groups == 4 && less_of_one.next.one_suffices);
  static_assert(
      occupancy_of(hopper, {.work_items = 256, .registers = 48, .local_bytes = 45568}).groups == 5);
}

TEST_CASE("a kernel that cannot run is told what would let it run") {
  constexpr auto o = occupancy_of(nvidia_limits(50), {.work_items = 1024, .registers = 82});
  static_assert(!o.fits() && o.fraction() == 0 && o.limiters == limited_by_registers);
  static_assert(o.next.groups == 1 && o.next.registers == 64 && o.next.work_items == 640);
}

TEST_CASE("where group slots limit, nothing smaller helps and no step is offered") {
  constexpr auto o = occupancy_of(nvidia_limits(90), {.work_items = 32, .registers = 32});
  static_assert(o.limiters == limited_by_groups && o.groups == 32);
  static_assert(o.next.registers == next_step::none && o.next.local_bytes == next_step::none &&
                o.next.work_items == next_step::none);
}
