// Compares with NVIDIA's own calculator where a CUDA toolkit is on the include path; without one
// this file is empty, and the 720 recorded answers (occupancy_nvidia.cpp) stand in for it.
#if __has_include(<cuda_occupancy.h>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop

#include <algorithm>
#include <climits>
#include <cstddef>

#include <doctest/doctest.h>

#include <clprim/core/occupancy.hpp>
#include <clprim/core/occupancy/plan.hpp>

using namespace clprim;

namespace {

cudaOccDeviceProp properties(int capability, const unit_limits& unit) {
  cudaOccDeviceProp p;
  p.computeMajor = capability / 10;
  p.computeMinor = capability % 10;
  p.maxThreadsPerBlock = unit.max_group_items;
  p.maxThreadsPerMultiprocessor = unit.max_warps * unit.warp_width;
  p.regsPerBlock = unit.group_registers;
  p.regsPerMultiprocessor = unit.lane_registers * unit.partitions * unit.warp_width;
  p.warpSize = unit.warp_width;
  p.sharedMemPerBlock = 48 * 1024;
  p.sharedMemPerMultiprocessor = static_cast<std::size_t>(unit.local_bytes);
  p.sharedMemPerBlockOptin = static_cast<std::size_t>(unit.group_local_bytes);
  p.reservedSharedMemPerBlock = static_cast<std::size_t>(unit.local_reserved);
  p.numSms = 1;
  return p;
}

cudaOccFuncAttributes attributes(const group_use& use) {
  cudaOccFuncAttributes a;
  a.maxThreadsPerBlock = INT_MAX;
  a.numRegs = use.registers;
  a.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  a.maxDynamicSharedSizeBytes = static_cast<std::size_t>(use.local_bytes);
  a.numBlockBarriers = use.barriers;
  return a;
}

struct random_numbers {
  unsigned state = 2024;
  int operator()(int least, int most) {
    state = state * 1664525u + 1013904223u;
    return least + static_cast<int>((state >> 8) % static_cast<unsigned>(most - least + 1));
  }
};

// 3.0 has 63 registers per work-item; the header, which no longer serves it, says 255.
bool header_serves(int capability) {
  return capability >= 32 && knows_nvidia(capability) &&
         capability <= 10 * __CUDA_OCC_MAJOR__ + __CUDA_OCC_MINOR__;
}

}  // namespace

TEST_CASE("random kernels get the groups, bounds and limiters of cuda_occupancy.h") {
  random_numbers random;
  int compared = 0;
  for (int capability = 32; capability < 130; ++capability) {
    if (!header_serves(capability)) continue;
    const auto unit = nvidia_limits(capability);
    const auto device = properties(capability, unit);
    for (int i = 0; i < 4000; ++i, ++compared) {
      // One barrier at most: beyond, the header leaves the bits of bounds that no longer bind.
      const group_use use{
          .work_items = random(1, 1024),
          .registers = random(1, i % 2 == 0 ? 64 : 256),
          .local_bytes = random(0, i % 3 == 0 ? 4096 : static_cast<int>(unit.group_local_bytes)),
          // Headers before 13.5 have twice the barriers for 10.3.
          .barriers = capability == 103 ? 0 : random(0, 1)};
      const auto kernel = attributes(use);
      const cudaOccDeviceState state;
      cudaOccResult theirs{};
      REQUIRE(cudaOccMaxActiveBlocksPerMultiprocessor(
                  &theirs, &device, &kernel, &state, use.work_items,
                  static_cast<std::size_t>(use.local_bytes)) == CUDA_OCC_SUCCESS);
      const auto ours = occupancy_of(unit, use);
      CAPTURE(capability);
      CAPTURE(use.work_items);
      CAPTURE(use.registers);
      CAPTURE(use.local_bytes);
      REQUIRE(ours.groups == theirs.activeBlocksPerMultiprocessor);
      REQUIRE(ours.limiters == theirs.limitingFactors);
      REQUIRE(ours.bounds.warps == theirs.blockLimitWarps);
      REQUIRE(ours.bounds.registers == theirs.blockLimitRegs);
      REQUIRE(ours.bounds.local_memory == theirs.blockLimitSharedMem);
      REQUIRE(ours.bounds.groups == theirs.blockLimitBlocks);
      REQUIRE(ours.bounds.barriers == theirs.blockLimitBarriers);
      REQUIRE(ours.group_registers == theirs.allocatedRegistersPerBlock);
    }
  }
  CHECK(compared > 50'000);
}

TEST_CASE("a carve-out is raised to the group's need as cuda_occupancy.h does") {
  random_numbers random;
  for (int capability = 70; capability < 130; ++capability) {
    if (!header_serves(capability)) continue;
    const auto whole = nvidia_limits(capability);
    const auto device = properties(capability, whole);
    for (int i = 0; i < 2000; ++i) {
      const group_use use{
          .work_items = 32 * random(1, 32),
          .registers = 32,
          .local_bytes = random(0, i % 3 == 0 ? 8192 : static_cast<int>(whole.group_local_bytes))};
      const auto kernel = attributes(use);
      cudaOccDeviceState state;
      state.carveoutConfig = random(0, 100);
      auto unit = whole;
      unit.local_bytes =
          nvidia_local_configuration(capability, state.carveoutConfig * whole.local_bytes / 100);
      cudaOccResult theirs{};
      REQUIRE(cudaOccMaxActiveBlocksPerMultiprocessor(
                  &theirs, &device, &kernel, &state, use.work_items,
                  static_cast<std::size_t>(use.local_bytes)) == CUDA_OCC_SUCCESS);
      CAPTURE(capability);
      CAPTURE(use.work_items);
      CAPTURE(use.local_bytes);
      CAPTURE(state.carveoutConfig);
      REQUIRE(occupancy_of(unit, use).groups == theirs.activeBlocksPerMultiprocessor);
      REQUIRE(occupancy_of(unit, use).bounds.local_memory == theirs.blockLimitSharedMem);
    }
  }
}

TEST_CASE("the suggested work-group size is that of CUDA's potential-block-size query") {
  random_numbers random;
  for (int capability = 32; capability < 130; ++capability) {
    if (!header_serves(capability)) continue;
    const auto unit = nvidia_limits(capability);
    const auto device = properties(capability, unit);
    for (int i = 0; i < 100; ++i) {
      const group_use use{.registers = random(1, 200), .local_bytes = random(0, 48 * 1024)};
      const int limit = i % 2 == 0 ? 1024 : random(1, 1024);
      auto kernel = attributes(use);
      kernel.maxThreadsPerBlock = limit;
      const cudaOccDeviceState state;
      int grid = 0, theirs = 0;
      REQUIRE(cudaOccMaxPotentialOccupancyBlockSize(&grid, &theirs, &device, &kernel, &state,
                                                    static_cast<std::size_t>(use.local_bytes)) ==
              CUDA_OCC_SUCCESS);
      CAPTURE(capability);
      CAPTURE(use.registers);
      CAPTURE(use.local_bytes);
      CAPTURE(limit);
      const auto ours = suggest_work_group(unit, use, limit);
      REQUIRE(ours.work_items == theirs);
      REQUIRE(ours.resident.groups == grid);
    }
  }
}
#endif
