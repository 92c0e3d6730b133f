#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/core/occupancy.hpp>

using namespace clprim;

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#elif defined(__clang__)
constexpr bool sanitized = __has_feature(address_sanitizer);
#else
constexpr bool sanitized = false;
#endif
#ifdef __OPTIMIZE__
constexpr bool optimised = true;
#else
constexpr bool optimised = false;
#endif

struct calculator_case {
  int capability, work_items, registers, groups;
  std::int64_t local_bytes;
  unsigned mask;
};

std::vector<calculator_case> calculator_cases() {
  std::ifstream file("data/occupancy-nvidia.csv");
  std::vector<calculator_case> cases;
  std::string line;
  std::getline(file, line);
  REQUIRE(line == "cc,threads,regs,smem_bytes,active_groups,limiting_mask");
  while (std::getline(file, line)) {
    int major = 0, minor = 0;
    long local = 0;
    calculator_case c{};
    REQUIRE(std::sscanf(line.c_str(), "%d.%d,%d,%d,%ld,%d,%u", &major, &minor, &c.work_items,
                        &c.registers, &local, &c.groups, &c.mask) == 7);
    c.capability = 10 * major + minor;
    c.local_bytes = local;
    cases.push_back(c);
  }
  return cases;
}

// 50 % of 24 warps is 12 / 24: compared as warps, so that no rounding hides a wrong count.
void check(const occupancy& o, int groups, int warps, int per_cent) {
  CHECK(o.groups == groups);
  CHECK(o.warps == warps);
  CHECK(static_cast<int>(100 * o.fraction()) == per_cent);
}

}  // namespace

TEST_CASE("all 720 answers of NVIDIA's calculator agree, groups and limiters") {
  const auto cases = calculator_cases();
  REQUIRE(cases.size() == 720);
  int with_groups = 0;
  for (const auto& c : cases) {
    const auto o = occupancy_of(
        nvidia_limits(c.capability),
        {.work_items = c.work_items, .registers = c.registers, .local_bytes = c.local_bytes});
    CAPTURE(c.capability);
    CAPTURE(c.work_items);
    CAPTURE(c.registers);
    CAPTURE(c.local_bytes);
    CHECK(o.groups == c.groups);
    CHECK(o.limiters == c.mask);
    CHECK(o.known == certainty::exact);
    CHECK(o.bounds.smallest() == o.groups);
    with_groups += o.fits() ? 1 : 0;
  }
  CHECK(with_groups > 400);  // the file is not all refusals
}

TEST_CASE("the worked examples of NVIDIA's OpenCL Optimization slides come out on compute 1.0") {
  constexpr auto g80 = nvidia_limits(10);
  // "3 work-groups use 256*10*3 < 8192", 100 %; at 11 registers only two fit, 66 %.
  check(occupancy_of(g80, {.work_items = 256, .registers = 10}), 3, 24, 100);
  check(occupancy_of(g80, {.work_items = 256, .registers = 11}), 2, 16, 66);
  // "if work-group has 128 work-items, since 128*11*5 < 8192, occupancy can be 83 %"
  check(occupancy_of(g80, {.work_items = 128, .registers = 11}), 5, 20, 83);
}

TEST_CASE("the calculator's sheet for G80 comes out line by line") {
  constexpr auto o =
      occupancy_of(nvidia_limits(10), {.work_items = 192, .registers = 20, .local_bytes = 68});
  static_assert(o.warps_per_group == 6);
  static_assert(o.group_registers == 3840);
  static_assert(o.group_local_bytes == 512);
  static_assert(o.bounds.warps == 4);
  static_assert(o.bounds.registers == 2);
  static_assert(o.bounds.local_memory == 32);
  static_assert(o.bounds.groups == 8);
  static_assert(o.limiters == limited_by_registers);
  static_assert(o.work_items == 384);
  check(o, 2, 12, 50);
}

TEST_CASE("the three curves of the calculator's sheet for G80 step where the sheet's do") {
  constexpr auto g80 = nvidia_limits(10);
  const auto warps = [&](int items, int registers, int local) {
    return occupancy_of(g80, {.work_items = items, .registers = registers, .local_bytes = local})
        .warps;
  };
  // Work-group size, at 20 registers and 68 bytes: from 400 on a group takes more than 8192
  // registers.
  CHECK(warps(80, 20, 68) == 12);
  CHECK(warps(192, 20, 68) == 12);
  CHECK(warps(384, 20, 68) == 12);
  CHECK(warps(400, 20, 68) == 0);
  CHECK(warps(464, 20, 68) == 0);
  // Registers, at 192 work-items.
  CHECK(warps(192, 10, 68) == 24);
  CHECK(warps(192, 20, 68) == 12);
  CHECK(warps(192, 24, 68) == 6);
  CHECK(warps(192, 32, 68) == 6);
  // Local memory: half of the 16 KB is the last size that lets two groups in.
  CHECK(warps(192, 20, 8192) == 12);
  CHECK(warps(192, 20, 8193) == 6);
}

TEST_CASE("compute 1.2 has twice the registers of 1.1 and gives them in 512s") {
  constexpr auto o = occupancy_of(nvidia_limits(12), {.work_items = 256, .registers = 11});
  static_assert(o.group_registers == 3072);  // 2816 rounded up to a multiple of 16384 / 32
  static_assert(o.bounds.registers == 5);
  static_assert(o.groups == 4 && o.limiters == limited_by_warps);
  static_assert(occupancy_of(nvidia_limits(11), {.work_items = 256, .registers = 11}).groups == 2);
  static_assert(occupancy_of(nvidia_limits(13), {.work_items = 256, .registers = 11}).groups == 4);
}

TEST_CASE("Volkov's multiplication on Fermi holds the groups he reports at each output count") {
  // GTX 480, 48 KB, two 32×32 tiles of 4 bytes: 8 KB per group in every version.
  constexpr auto gf100 = nvidia_limits(20);
  const auto groups = [&](int items, int registers) {
    return occupancy_of(gf100, {.work_items = items, .registers = registers, .local_bytes = 8192});
  };
  check(groups(1024, 21), 1, 32, 66);  // one output:   67 % and one group
  check(groups(512, 28), 2, 32, 66);   // two outputs:  67 % and two groups
  check(groups(256, 41), 3, 24, 50);   // four outputs: 50 % and three groups
  check(groups(128, 63), 4, 16, 33);   // eight outputs: 33 % and four groups
}

TEST_CASE("Fermi rounds eight register counts up to four per lane") {
  constexpr auto gf100 = nvidia_limits(20);
  for (int registers = 1; registers <= 63; ++registers) {
    const bool odd_one = registers == 21 || registers == 22 || registers == 29 || registers == 30 ||
                         registers == 37 || registers == 38 || registers == 45 || registers == 46;
    const int granularity = odd_one ? 128 : 64;
    const int expected = (registers * 32 + granularity - 1) / granularity * granularity;
    CAPTURE(registers);
    CHECK(occupancy_of(gf100, {.work_items = 32, .registers = registers}).group_registers ==
          expected);
  }
}

TEST_CASE("registers are shared out per sub-partition, not per multiprocessor") {
  // 88 registers: 11 × 256 per warp, 5.8 warps in a quarter of 64 K, so 20 warps and not 23.
  constexpr auto o = occupancy_of(nvidia_limits(90), {.work_items = 32, .registers = 88});
  static_assert(o.bounds.registers == 20);
}

TEST_CASE("a group whose warps do not fill the sub-partitions is checked as if they did") {
  // 66 registers are 2304 per warp: 28 warps take 64,512 of 65,536, 29 are checked as 32 and take
  // 73,728.
  constexpr auto ampere = nvidia_limits(80);
  static_assert(occupancy_of(ampere, {.work_items = 28 * 32, .registers = 66}).fits());
  constexpr auto none = occupancy_of(ampere, {.work_items = 28 * 32 + 1, .registers = 66});
  static_assert(none.groups == 0 && none.limiters == limited_by_registers);
}

TEST_CASE("compute 6.0 refuses what the rest of Pascal would refuse") {
  // 88 registers are 2816 per warp. 6.0 has two sub-partitions and could hold 22 warps; 21 warps
  // are checked as 24 all the same, because 6.1 would check them so.
  static_assert(occupancy_of(nvidia_limits(60), {.work_items = 32, .registers = 88}).groups == 22);
  static_assert(occupancy_of(nvidia_limits(61), {.work_items = 32, .registers = 88}).groups == 20);
  static_assert(occupancy_of(nvidia_limits(60), {.work_items = 20 * 32, .registers = 88}).fits());
  static_assert(!occupancy_of(nvidia_limits(60), {.work_items = 21 * 32, .registers = 88}).fits());
}

TEST_CASE("from compute 8.0 on every group pays one kilobyte of local memory more") {
  constexpr auto hopper = occupancy_of(nvidia_limits(90), {.work_items = 32, .registers = 32});
  static_assert(hopper.group_local_bytes == 1024 && hopper.bounds.local_memory == 228);
  constexpr auto volta = occupancy_of(nvidia_limits(70), {.work_items = 32, .registers = 32});
  static_assert(volta.group_local_bytes == 0 && volta.bounds.local_memory == unbounded);
  constexpr auto whole =
      occupancy_of(nvidia_limits(90), {.work_items = 32, .registers = 32, .local_bytes = 232448});
  static_assert(whole.groups == 1 && whole.limiters == limited_by_local_memory);
}

TEST_CASE("a carve-out below the group's need is raised to it") {
  auto hopper = nvidia_limits(90);
  constexpr group_use use{.work_items = 128, .registers = 16, .local_bytes = 56 * 1024};
  constexpr std::array<std::array<int, 2>, 9> table{
      {{0, 1}, {8, 1}, {32, 1}, {64, 1}, {100, 1}, {132, 2}, {164, 2}, {196, 3}, {228, 4}}};
  for (const auto& row : table) {
    const int set = row[0], groups = row[1];
    hopper.local_bytes = set * 1024;
    CAPTURE(set);
    CHECK(occupancy_of(hopper, use).groups == groups);
    // What one more group leaves each is enough for it.
    group_use smaller = use;
    const auto next = occupancy_of(hopper, use).next;
    smaller.local_bytes = next.local_bytes;
    CHECK(occupancy_of(hopper, smaller).groups >= next.groups);
  }
  auto kepler = nvidia_limits(35);
  kepler.local_bytes = 16 * 1024;
  CHECK(occupancy_of(kepler, {.work_items = 64, .local_bytes = 8 * 1024}).groups == 2);
  CHECK(occupancy_of(kepler, {.work_items = 64, .local_bytes = 20 * 1024}).groups == 2);
}

TEST_CASE("a group on compute 3.2 has 32 K registers, on 3.5 twice as many") {
  constexpr group_use use{.work_items = 1024, .registers = 40};
  static_assert(!occupancy_of(nvidia_limits(32), use).fits());
  static_assert(occupancy_of(nvidia_limits(35), use).fits());
  static_assert(occupancy_of(nvidia_limits(32), {.work_items = 1024, .registers = 32}).groups == 2);
}

TEST_CASE("local memory can be configured to the sizes of the architecture and no others") {
  const auto kib = [](int capability, int wanted) {
    return nvidia_local_configuration(capability, wanted * 1024) / 1024;
  };
  CHECK(kib(70, 0) == 0);
  CHECK(kib(70, 65) == 96);
  CHECK(kib(75, 1) == 32);
  CHECK(kib(75, 33) == 64);
  CHECK(kib(80, 101) == 132);
  CHECK(kib(86, 65) == 100);
  CHECK(kib(90, 165) == 196);
  CHECK(kib(90, 197) == 228);
  CHECK(kib(120, 9) == 16);
  CHECK(kib(61, 1) == 96);
  CHECK_THROWS_AS(nvidia_local_configuration(86, 101 * 1024), argument_error);
  CHECK_THROWS_AS(nvidia_local_configuration(90, -1), argument_error);
  // Set to 196 KB a 9.0 holds three groups of 56 KB, as copies on an H200 suggest; set to 228,
  // four.
  constexpr group_use use{.work_items = 128, .registers = 16, .local_bytes = 56 * 1024};
  auto hopper = nvidia_limits(90);
  CHECK(occupancy_of(hopper, use).groups == 4);
  hopper.local_bytes = nvidia_local_configuration(90, 196 * 1024);
  CHECK(occupancy_of(hopper, use).groups == 3);
}

TEST_CASE("barriers limit from compute 9.0 on") {
  constexpr group_use use{.work_items = 32, .registers = 16, .barriers = 4};
  constexpr auto hopper = occupancy_of(nvidia_limits(90), use);
  static_assert(hopper.groups == 16 && hopper.limiters == limited_by_barriers);
  static_assert(occupancy_of(nvidia_limits(120), use).groups == 6);
  static_assert(occupancy_of(nvidia_limits(89), use).bounds.barriers == unbounded);
}

TEST_CASE("every compute capability fills its warp slots with small kernels") {
  int capabilities = 0;
  for (int capability = 10; capability <= 130; ++capability) {
    if (!knows_nvidia(capability)) {
      CHECK_THROWS_AS(nvidia_limits(capability), argument_error);
      continue;
    }
    ++capabilities;
    const auto o = occupancy_of(nvidia_limits(capability), {.work_items = 256, .registers = 10});
    CAPTURE(capability);
    CHECK(o.fraction() == 1.0);
    CHECK(o.known == certainty::exact);
  }
  CHECK(capabilities == 31);
}

TEST_CASE("a query takes less than a microsecond") {
  const auto limits = nvidia_limits(90);
  constexpr int queries = 100'000;
  long groups = 0;
  double best = 1e9;  // of five runs: other processes may hold the machine during some of them
  for (int run = 0; run < 5; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < queries; ++i) {
      groups += occupancy_of(limits, {.work_items = 32 + i % 992,
                                      .registers = 20 + i % 200,
                                      .local_bytes = i * 37 % 200'000,
                                      .barriers = 1})
                    .groups;
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count() / queries);
  }
  CHECK(groups > 0);
  if (optimised && !sanitized) CHECK(best < 1e-6);
}
