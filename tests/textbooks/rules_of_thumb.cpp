// The textbooks' rules for launches, and their tables of the first devices.

#include <string>

#include <doctest/doctest.h>

#include <clprim/clprim.hpp>
#include <clprim/core/occupancy/device.hpp>
#include <clprim/core/occupancy/explain.hpp>
#include <clprim/core/occupancy/first_generation.hpp>
#include <clprim/core/occupancy/rules_of_thumb.hpp>

#include "support/device.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using support::refused;

TEST_CASE("the deck's warps hide its two latencies: 13 of 24 are 54 %, 6 are 25 %") {
  CHECK(thumb::warps_to_hide(400, 4, 8) == 13);
  CHECK(100 * thumb::warps_to_hide(400, 4, 8) / first_generation(10).max_warps == 54);
  CHECK(thumb::warps_to_hide(400, 4, 1) == 100);
  CHECK(thumb::warps_to_hide(24, 4, 1) == 6);
  CHECK(6.0 / first_generation(10).max_warps == thumb::least_occupancy);
  // 192 work-items are those 6 warps.
  CHECK(thumb::warps_to_hide(24, 4, 1) * 32 == thumb::resident_items);
}

TEST_CASE("rules of thumb name the thresholds that a launch misses, and what it has") {
  constexpr unit_limits hopper = nvidia_limits(90);
  const auto said = [&](int items, std::int64_t groups, int registers) {
    const occupancy o = occupancy_of(hopper, {.work_items = items, .registers = registers});
    return rules_of_thumb_text(hopper, 132, items, groups, o);
  };
  CHECK(said(256, 132 * 100, 32) == "7 of 7 rules of thumb kept");
  CHECK(said(48, 132 * 100, 32) ==
        "5 of 7 rules of thumb kept; not: work-items of a group that are whole warps 64 (has 48; "
        "deck, Techniques); work-items of a group, at least 64 (has 48; deck, Guide)");
  CHECK(said(256, 66, 32) ==
        "4 of 7 rules of thumb kept; not: groups for the units, at least 132 (has 66; deck, "
        "Guide); groups per unit, more than 2 (has 0.5; deck, Guide); groups per unit that scale "
        "to later devices 100 (has 0.5; deck, Guide)");
  CHECK(said(128, 132 * 100, 255) ==
        "6 of 7 rules of thumb kept; not: per cent of occupancy, at least 25 (has 12.5; deck)");
  const occupancy o = occupancy_of(hopper, {.work_items = 256, .registers = 32});
  CHECK(rules_of_thumb_text(cpu_limits(4096, 65536), 2, 256, 4, o).empty());
  const launch_plan plan = plan_launch(hopper, 132, {.work_items = 256, .registers = 64}, 1 << 12);
  CHECK(explain(hopper, {.work_items = 256, .registers = 64}, plan).find("rules:     4 of 7") !=
        std::string::npos);
}

TEST_CASE("every primitive's explain says which rules of thumb a GPU's launch keeps") {
  const session& s = support::device_session();
  const cl::Buffer x(s.context, CL_MEM_READ_WRITE, 65536), y(s.context, CL_MEM_READ_WRITE, 65536);
  const bool gpu = limits_of(facts_of(s.device)).max_warps > 1;
  const auto tells = [gpu](const std::string& text) {
    CAPTURE(text);
    CHECK((text.find("  rules      ") != std::string::npos) == gpu);
  };
  tells(copy<float>(s.queue).explain(vector<float>(x, 4096), vector<float>(y, 4096)));
  tells(transpose<float>(s.queue).explain(matrix<float>(x, 64, 64), matrix<float>(y, 64, 64)));
  tells(gemm<float>(s.queue).explain(matrix<float>(x, 64, 64), matrix<float>(x, 64, 64),
                                     matrix<float>(y, 64, 64)));
  tells(reduce<float, op::sum<>>(s.queue).explain(whole<float>(x, 4096)));
  // The line itself, whatever runs here.
  device_facts h200;
  h200.vendor = vendor::nvidia;
  h200.compute_capability = 90;
  h200.compute_units = 132;
  h200.max_work_group = 1024;
  const occupancy o = occupancy_of(limits_of(h200), {.work_items = 256, .registers = 32});
  CHECK(rules_line(h200, 256, 13200, o) == "  rules      7 of 7 rules of thumb kept\n");
}

TEST_CASE("the first devices are as the Programming Guide's appendix has them") {
  CHECK(first_generation(10).registers == 8192);
  CHECK_FALSE(first_generation(10).global_atomics);
  CHECK(first_generation(11).global_atomics);
  CHECK_FALSE(first_generation(11).local_atomics);
  CHECK(first_generation(12).registers == 16384);
  CHECK(first_generation(12).max_items == 1024);
  CHECK(first_generation(12).warp_votes);
  CHECK_FALSE(first_generation(12).doubles);
  CHECK(first_generation(13).doubles);
  CHECK(refused([] { first_generation(20); }) ==
        "compute capability must be of the first generation: 20 given, 10, 11, 12 or 13");
  for (const int capability : {10, 11, 12, 13}) {  // occupancy knows the same
    const unit_limits unit = nvidia_limits(capability);
    const first_generation_facts f = first_generation(capability);
    CHECK(unit.max_warps == f.max_warps);
    CHECK(unit.max_groups == f.max_groups);
    CHECK(unit.local_bytes == f.local_bytes);
    CHECK(unit.max_warps * unit.warp_width == f.max_items);
  }
  CHECK(first_generation_table().find("1.3         16384") != std::string::npos);
}
