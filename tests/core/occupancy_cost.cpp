// What a query of the model costs: no allocation, and less than a microsecond.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <new>

#include <doctest/doctest.h>

#include <clprim/core/access.hpp>
#include <clprim/core/occupancy/plan.hpp>
#include <clprim/core/parallelism.hpp>

namespace {

std::size_t allocations = 0;

}  // namespace

// Replaced for the whole executable: every allocation is counted.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

using namespace clprim;

namespace {

double one_query(int i) {
  const auto unit = nvidia_limits(90);
  const group_use use{.work_items = 32 * (1 + i % 8),
                      .registers = 1 + i % 128,
                      .local_bytes = i % 4096,
                      .barriers = 1};
  const auto plan = plan_launch(unit, 132, use, 1 << 24);
  return predict(*find_row("NVIDIA H200"), plan, {.operations = 100, .bytes = 8}).seconds;
}

}  // namespace

TEST_CASE("a query of occupancy, plan and prediction allocates nothing") {
  const std::size_t before = allocations;
  double sum = 0;
  for (int i = 0; i < 1000; ++i) sum += one_query(i);
  sum += suggest_work_group(amd_limits({9, 0, 10}), {.registers = 64}).work_items;
  sum += occupancy_of(intel_limits(intel_architecture::xe_hpg, 16), {.work_items = 128}).groups;
  sum += column_conflicts(banks_of(90), 4, {.columns = 32, .padding = 1}).degree;
  const std::size_t after = allocations;
  CHECK(after == before);
  CHECK(sum > 0);
}

TEST_CASE("a query takes less than a microsecond") {
  using clock = std::chrono::steady_clock;
  double best = 1;
  double sum = 0;
  for (int again = 0; again < 20; ++again) {  // the quietest moment of a busy machine
    const auto begin = clock::now();
    for (int i = 0; i < 1000; ++i) sum += one_query(i);
    best = std::min(best, std::chrono::duration<double>(clock::now() - begin).count() / 1000);
  }
  CHECK(sum > 0);
  MESSAGE("one query: ", 1e9 * best, " ns");
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
  CHECK(best < 1e-6);
#endif
}
