#include <array>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include <clprim/core/occupancy.hpp>
#include <clprim/core/occupancy/device.hpp>

using namespace clprim;

TEST_CASE("GCN holds the wavefronts per SIMD of AMD's register table") {
  // AMD's optimisation guide, GCN: vector registers up to … allow … wavefronts per SIMD.
  constexpr std::array<std::array<int, 2>, 10> table{{{24, 10},
                                                      {28, 9},
                                                      {32, 8},
                                                      {36, 7},
                                                      {40, 6},
                                                      {48, 5},
                                                      {64, 4},
                                                      {84, 3},
                                                      {128, 2},
                                                      {256, 1}}};
  constexpr auto vega = amd_limits({9, 0, 0});
  for (const auto& row : table) {
    const int registers = row[0], waves = row[1];
    CAPTURE(registers);
    const auto at = occupancy_of(vega, {.work_items = 64, .registers = registers});
    CHECK(at.groups == 4 * waves);
    if (registers == 256) continue;
    const auto above = occupancy_of(vega, {.work_items = 64, .registers = registers + 1});
    CHECK(above.groups < 4 * waves);
  }
}

TEST_CASE("CDNA2 has 512 registers in eights and eight slots per SIMD") {
  constexpr auto mi250 = amd_limits(gfx_version_of("gfx90a:sramecc+:xnack-"));
  // LLVM's llvm-calc-occupancy, gfx90a: 512 work-items, 50 vector and 30 scalar registers, 32 waves
  // per CU.
  constexpr auto o =
      occupancy_of(mi250, {.work_items = 512, .registers = 50, .scalar_registers = 30});
  static_assert(o.warps == 32 && o.fraction() == 1.0 && o.known == certainty::documented);
  static_assert(occupancy_of(mi250, {.work_items = 64, .registers = 65}).warps == 4 * 7);
  static_assert(occupancy_of(mi250, {.work_items = 64, .registers = 128}).warps == 4 * 4);
  static_assert(occupancy_of(mi250, {.work_items = 64, .registers = 512}).warps == 4 * 1);
}

TEST_CASE("scalar registers limit GCN and never RDNA") {
  constexpr group_use use{.work_items = 64, .registers = 16, .scalar_registers = 102};
  constexpr auto gcn = occupancy_of(amd_limits({9, 0, 6}), use);
  static_assert(gcn.groups == 4 * 7 && gcn.limiters == limited_by_scalar_registers);
  static_assert(occupancy_of(amd_limits({10, 3, 0}), use).bounds.scalar_registers == unbounded);
}

TEST_CASE("groups of several wavefronts share sixteen barriers, groups of one need none") {
  constexpr auto vega = amd_limits({9, 0, 6});
  static_assert(occupancy_of(vega, {.work_items = 128, .registers = 24}).groups == 16);
  static_assert(occupancy_of(vega, {.work_items = 128, .registers = 24}).limiters ==
                limited_by_groups);
  static_assert(occupancy_of(vega, {.work_items = 64, .registers = 24}).groups == 40);
}

TEST_CASE("RDNA generations differ in slots, register files and granularity") {
  const auto waves = [](gfx_version gfx, int registers, int width) {
    return occupancy_of(amd_limits(gfx, width), {.work_items = width, .registers = registers})
               .warps /
           4;
  };
  CHECK(waves({10, 1, 0}, 51, 32) == 18);  // 1024 / 56
  CHECK(waves({10, 1, 0}, 32, 32) == 20);
  CHECK(waves({10, 3, 0}, 64, 32) == 16);
  CHECK(waves({10, 3, 0}, 65, 32) == 12);  // 1024 / 80
  CHECK(waves({10, 3, 0}, 65, 64) == 7);   // 512 / 72
  CHECK(waves({11, 0, 0}, 96, 32) == 16);  // 1536 / 96
  CHECK(waves({11, 0, 0}, 97, 32) == 12);  // 1536 / 120
  CHECK(waves({11, 0, 2}, 96, 32) == 10);  // 1024 / 96
  CHECK(waves({12, 0, 1}, 120, 64) == 6);  // 768 / 120
}

TEST_CASE("RDNA shares 128 KiB of local memory per processor, half of it at most per group") {
  constexpr auto navi = amd_limits({10, 3, 0});
  constexpr auto o =
      occupancy_of(navi, {.work_items = 256, .registers = 32, .local_bytes = 64 * 1024});
  static_assert(o.groups == 2 && o.limiters == limited_by_local_memory);
  CHECK_THROWS_AS(occupancy_of(navi, {.work_items = 256, .registers = 32, .local_bytes = 65537}),
                  argument_error);
}

TEST_CASE("RDNA from 10.3 on gives local memory in blocks of one kilobyte") {
  // Transforms of 1024 points: 18,456 bytes become 19,456, six groups of eight wavefronts. LLVM,
  // which does not round, says seven.
  constexpr group_use use{.work_items = 256, .registers = 47, .local_bytes = 18456};
  static_assert(occupancy_of(amd_limits({10, 3, 0}), use).groups == 6);
  static_assert(occupancy_of(amd_limits({11, 0, 0}), use).groups == 6);
  static_assert(occupancy_of(amd_limits({10, 1, 0}), use).group_local_bytes == 18944);
}

TEST_CASE("which matrix units a gfx name has") {
  const auto units = [](const char* name) { return matrix_unit_of(gfx_version_of(name)); };
  for (const char* name : {"gfx90a:sramecc+:xnack-", "gfx940", "gfx942", "gfx950"})
    CHECK(units(name) == matrix_unit::mfma);
  for (const char* name : {"gfx1100", "gfx1151"}) CHECK(units(name) == matrix_unit::wmma);
  CHECK(units("gfx1201") == matrix_unit::wmma_gfx12);
  for (const char* name : {"gfx900", "gfx908", "gfx1030", "Arc"})
    CHECK(units(name) == matrix_unit::none);
}

TEST_CASE("gfx names are read, and everything else is not a gfx name") {
  static_assert(gfx_version_of("gfx90a") == gfx_version{9, 0, 10});
  static_assert(gfx_version_of("gfx1030") == gfx_version{10, 3, 0});
  static_assert(gfx_version_of("gfx906:sramecc+:xnack-") == gfx_version{9, 0, 6});
  static_assert(gfx_version_of("gfx90c") == gfx_version{9, 0, 12});
  for (const char* name :
       {"", "gfx", "gfx9", "gfx12345", "Ellesmere", "gfxabc", "gfx90x", "GFX900"}) {
    CAPTURE(name);
    CHECK(gfx_version_of(name) == gfx_version{});
  }
  CHECK(!knows_amd(gfx_version_of("gfx1250")));
  CHECK_THROWS_AS(amd_limits({13, 0, 0}), argument_error);
  CHECK_THROWS_AS(amd_limits({9, 0, 10}, 32), argument_error);
  CHECK_THROWS_AS(amd_limits({11, 0, 0}, 16), argument_error);
}

TEST_CASE("Intel's subslices and cores answer as Intel's calculator does") {
  using enum intel_architecture;
  struct row {
    intel_architecture architecture;
    int simd, work_items, registers;
    std::int64_t local_bytes;
    int barriers, groups, warps;
  };
  // Threads per group = work-items / SIMD; groups = slots / threads, local memory, barrier
  // registers.
  const std::array rows{
      row{gen9, 8, 256, 128, 0, 0, 1, 32},
      row{gen9, 16, 256, 128, 0, 0, 3, 48},
      row{gen9, 8, 8, 128, 0, 0, 56, 56},
      row{gen9, 8, 8, 128, 0, 1, 32, 32},
      row{gen11, 16, 128, 128, 20480, 0, 2, 16},
      row{xe_lp, 16, 256, 128, 0, 0, 7, 112},
      row{xe_lp, 16, 512, 128, 0, 0, 3, 96},
      row{xe_hpg, 16, 1024, 128, 0, 1, 2, 128},
      row{xe_hpg, 16, 256, 128, 33 * 1024, 1, 2, 32},
      row{xe_hpc, 32, 1024, 128, 0, 1, 2, 64},
      row{xe_hpc, 32, 1024, 256, 0, 1, 1, 32},
      row{xe_hpc, 16, 512, 128, 25 * 1024, 1, 2, 64},
      row{xe_hpc, 16, 256, 128, 25 * 1024, 1, 4, 64},
      row{xe2, 16, 64, 128, 17 * 1024, 1, 5, 20},
  };
  for (const auto& r : rows) {
    const auto o = occupancy_of(intel_limits(r.architecture, r.simd), {.work_items = r.work_items,
                                                                       .registers = r.registers,
                                                                       .local_bytes = r.local_bytes,
                                                                       .barriers = r.barriers});
    CAPTURE(static_cast<int>(r.architecture));
    CAPTURE(r.simd);
    CAPTURE(r.work_items);
    CHECK(o.groups == r.groups);
    CHECK(o.warps == r.warps);
    CHECK(o.known == certainty::documented);
  }
  CHECK_THROWS_AS(intel_limits(xe_hpc, 8), argument_error);
  CHECK_THROWS_AS(intel_limits(gen9, 64), argument_error);
  CHECK_THROWS_AS(intel_limits(unknown), argument_error);
  CHECK(!occupancy_of(intel_limits(gen9), {.work_items = 64, .registers = 256}).fits());
}

TEST_CASE("Intel's architecture is read off the product name, or not at all") {
  using enum intel_architecture;
  static_assert(intel_architecture_of("Intel(R) UHD Graphics 630") == gen9);
  static_assert(intel_architecture_of("Intel(R) HD Graphics 530") == gen9);
  static_assert(intel_architecture_of("Intel(R) Iris(R) Plus Graphics 655") == gen9);
  static_assert(intel_architecture_of("Intel(R) Iris(R) Plus Graphics") == gen11);
  static_assert(intel_architecture_of("Intel(R) UHD Graphics 770") == xe_lp);
  static_assert(intel_architecture_of("Intel(R) Iris(R) Xe Graphics") == xe_lp);
  static_assert(intel_architecture_of("Intel(R) Arc(TM) A770 Graphics") == xe_hpg);
  static_assert(intel_architecture_of("Intel(R) Arc(TM) Graphics") == xe_hpg);
  static_assert(intel_architecture_of("Intel(R) Data Center GPU Flex 170") == xe_hpg);
  static_assert(intel_architecture_of("Intel(R) Data Center GPU Max 1550") == xe_hpc);
  static_assert(intel_architecture_of("Intel(R) Arc(TM) B580 Graphics") == xe2);
  static_assert(intel_architecture_of("Intel(R) Arc(TM) 140V GPU (16GB)") == xe2);
  static_assert(intel_architecture_of("Intel(R) UHD Graphics") == unknown);
  static_assert(intel_architecture_of("NVIDIA H200") == unknown);
  static_assert(intel_architecture_of("Intel(R) Arc(TM) Pro B50 Graphics") == xe2);
  static_assert(intel_architecture_of("Intel(R) Arc(TM) Pro B60 Graphics") == xe2);
  static_assert(intel_architecture_of("Intel(R) Arc(TM) Pro A60 Graphics") == xe_hpg);
  static_assert(intel_architecture_of("Intel(R) HD Graphics P530") == gen9);
  static_assert(intel_architecture_of("Intel(R) Iris(R) Pro Graphics 580") == gen9);
  static_assert(intel_architecture_of("Intel(R) HD Graphics 5500") == unknown);  // Gen8
  static_assert(intel_architecture_of("Intel(R) HD Graphics 6000") == unknown);
  static_assert(intel_architecture_of("Intel(R) Iris(R) Pro Graphics 6200") == unknown);
  static_assert(intel_architecture_of("Intel(R) HD Graphics 4600") == unknown);
}

TEST_CASE("a CPU keeps one group per hardware thread whatever it takes") {
  constexpr auto cpu = cpu_limits(4096, 512 * 1024);
  for (const int items : {1, 16, 4096}) {
    const auto o = occupancy_of(cpu, {.work_items = items, .registers = 0, .local_bytes = 500'000});
    CAPTURE(items);
    CHECK(o.groups == 1);
    CHECK(o.work_items == items);
    CHECK(o.known == certainty::documented);
  }
  CHECK_THROWS_AS(occupancy_of(cpu, {.work_items = 4097}), argument_error);
}

TEST_CASE("an unknown device gets one group, marked conservative") {
  constexpr auto o = occupancy_of(unknown_limits(256, 32768, 16),
                                  {.work_items = 64, .registers = 40, .local_bytes = 4096});
  static_assert(o.groups == 1 && o.known == certainty::conservative && o.max_warps == 16);
  static_assert(o.fraction() == 0.25);
  CHECK(to_string(o.known) == "conservative");
}

TEST_CASE("an unknown register count makes the answer an upper bound") {
  static_assert(occupancy_of(nvidia_limits(90), {.work_items = 256}).known ==
                certainty::upper_bound);
  static_assert(occupancy_of(nvidia_limits(90), {.work_items = 256}).bounds.registers == unbounded);
  static_assert(occupancy_of(amd_limits({9, 0, 10}), {.work_items = 256}).known ==
                certainty::upper_bound);
  static_assert(occupancy_of(unknown_limits(256, 0), {.work_items = 64}).known ==
                certainty::conservative);
  CHECK(to_string(certainty::upper_bound) == "upper bound");
}

TEST_CASE("a device is recognised by vendor, and by nothing else than what it says") {
  device_facts device;
  device.max_work_group = 1024;
  device.local_bytes = 232448;
  device.vendor = vendor::nvidia;
  device.compute_capability = 90;
  CHECK(limits_of(device).name == "compute capability 9.0");
  CHECK(limits_of(device).group_local_bytes == 232448);
  device.local_bytes = 49152;  // smaller limits that the device reports win
  device.max_work_group = 512;
  CHECK(limits_of(device).group_local_bytes == 49152);
  CHECK(limits_of(device).max_group_items == 512);
  CHECK(limits_of(device).local_bytes == 228 * 1024);
  device.local_bytes = 232448;
  device.max_work_group = 1024;
  device.compute_capability = 999;
  CHECK(limits_of(device).known == certainty::conservative);
  device.compute_capability = 0;

  device.vendor = vendor::amd;
  device.name = "gfx1100";
  device.subgroup_width = 32;
  CHECK(limits_of(device).name == "AMD RDNA work-group processor");
  device.max_work_group = 256;
  CHECK(limits_of(device).max_group_items == 256);
  device.subgroup_width = 64;
  CHECK(limits_of(device).warp_width == 64);
  device.name = "Radeon of the future";
  CHECK(limits_of(device).known == certainty::conservative);

  device.vendor = vendor::intel;
  device.name = "Intel(R) Data Center GPU Max 1550";
  device.subgroup_width = 8;  // the core has no 8: the compiler's 16 is assumed
  device.compute_units = 1024;
  CHECK(limits_of(device).warp_width == 16);
  device.compute_units_per_unit = limits_of(device).compute_units_per_unit;
  CHECK(units_of(device) == 128);

  device.kind = device_kind::cpu;
  CHECK(limits_of(device).name == "CPU hardware thread");
  device.compute_units_per_unit = limits_of(device).compute_units_per_unit;
  CHECK(units_of(device) == 1024);
  device.compute_units = device.compute_units_per_unit = 0;  // nobody told
  CHECK(units_of(device) == 1);
}

TEST_CASE("bad input is refused with the limit in the sentence") {
  constexpr auto hopper = nvidia_limits(90);
  const auto message = [&](const group_use& use) -> std::string {
    try {
      (void)occupancy_of(hopper, use);
    } catch (const argument_error& e) {
      return e.what();
    }
    return "accepted";
  };
  const auto says = [&](const group_use& use, const char* part) {
    const auto text = message(use);
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  says({.work_items = 0, .registers = 32}, "work-group size");
  says({.work_items = -64, .registers = 32}, "-64");
  says({.work_items = 1025, .registers = 32}, "at most 1024 work-items");
  says({.work_items = 64, .registers = -1}, "registers per work-item");
  says({.work_items = 64, .registers = 32, .local_bytes = -1}, "local memory");
  says({.work_items = 64, .registers = 32, .local_bytes = 232449}, "at most 232448 bytes");
  says({.work_items = 64, .registers = 32, .barriers = -1}, "barriers");
  says({.work_items = 64, .registers = 32, .scalar_registers = -1}, "scalar registers");
  says({.work_items = std::numeric_limits<int>::max(), .registers = 32}, "at most 1024");
  CHECK(message({.work_items = 1024, .registers = 32, .local_bytes = 232448}) == "accepted");
  CHECK_THROWS_AS(occupancy_of(unit_limits{}, {.work_items = 1}), argument_error);
  CHECK_THROWS_AS(nvidia_limits(0), argument_error);
  CHECK_THROWS_AS(nvidia_limits(-90), argument_error);
  // More registers than a work-item can have: no group, and the registers are named.
  const auto o = occupancy_of(hopper, {.work_items = 64, .registers = 1000});
  CHECK(o.groups == 0);
  CHECK(o.limiters == limited_by_registers);
  CHECK(o.next.registers == 256);
  // The largest numbers there are overflow nothing.
  constexpr int huge = std::numeric_limits<int>::max();
  for (const auto& unit : {hopper, nvidia_limits(10), amd_limits({9, 0, 10}), cpu_limits(4096, 0),
                           unknown_limits(64, 0)}) {
    const auto far = occupancy_of(
        unit, {.work_items = 64, .registers = huge, .barriers = huge, .scalar_registers = huge});
    CAPTURE(unit.name);
    CHECK(far.groups == (unit.lane_registers == 0 ? 1 : 0));
    CHECK(far.group_registers == 0);
  }
}
