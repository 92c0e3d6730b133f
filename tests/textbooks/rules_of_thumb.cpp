// The textbooks' rules for launches, and their tables of the first devices.

#include <complex>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/clprim.hpp>
#include <clprim/core/occupancy/device.hpp>
#include <clprim/core/occupancy/explain.hpp>
#include <clprim/core/occupancy/first_generation.hpp>
#include <clprim/core/occupancy/rules_of_thumb.hpp>
#include <clprim/runtime/explain_kernel.hpp>

#include "support/device.hpp"
#include "support/other_devices.hpp"
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

TEST_CASE("every door's explain says for each launch which rules of thumb it keeps, on a GPU") {
  const session& s = support::device_session();
  device_facts gpu = support::gtx_1080();  // its choices and its units; the text runs here
  gpu.inline_ptx = false;
  gpu.async_copy = false;
  const device_facts here = facts_of(s.device);
  for (const device_facts& facts : {gpu, here}) {
    const assume_device as_if(facts);
    const bool expected = limits_of(facts).max_warps > 1;
    const auto tells = [expected](int launches, const std::string& text) {
      CAPTURE(text);
      int lines = 0;
      for (auto at = text.find("  rules      "); at != std::string::npos;
           at = text.find("  rules      ", at + 1))
        ++lines;
      CHECK(lines == (expected ? launches : 0));
    };
    const cl::Buffer x(s.context, CL_MEM_READ_WRITE, 1 << 20),
        y(s.context, CL_MEM_READ_WRITE, 1 << 20);
    tells(1, copy<float>(s.queue).explain(vector<float>(x, 4096), vector<float>(y, 4096)));
    transpose<float> turn(s.queue);
    tells(1, turn.explain(matrix<float>(x, 64, 64), matrix<float>(y, 64, 64)));
    tells(1, turn.explain_in_place(matrix<float>(x, 64, 64)));
    tells(2, turn.explain_in_place(matrix<float>(x, 63, 64)));
    tells(3, turn.explain_in_place(matrix<float>(x, 48, 64)));
    // Lines through the workspace are loaded by one launch and stored by another.
    tells(6, transpose<float>(s.queue, {.in_place = in_place_policy{.local = false}})
                 .explain_in_place(matrix<float>(x, 48, 64)));
    tells(1, permute<float>(s.queue).explain(array<float>(x, {4, 5, 6}), {2, 1, 0},
                                             array<float>(y, {6, 5, 4})));
    tells(1, gemm<float>(s.queue).explain(matrix<float>(x, 64, 64), matrix<float>(x, 64, 64),
                                          matrix<float>(y, 64, 64)));
    tells(1, reduce<float, op::sum<>>(s.queue).explain(whole<float>(x, 4096)));
    const auto in = array<std::complex<float>>(x, {4, 1024});
    tells(1, fft<float>(s.queue).explain(in, array<std::complex<float>>(y, {4, 1024})));
    const auto from = image<float>(x, 64, 64), to = image<float>(y, 64, 64);
    const auto box = filter_2d<float>(3, 3, std::vector<float>(9, 1));
    tells(1, convolve<float>(s.queue).explain(from, box, to));
    convolve_policy by_transforms;
    by_transforms.method = convolve_method::fft;
    by_transforms.filter = filter_place::constant;
    tells(2, convolve<float>(s.queue, {.policy = by_transforms}).explain(from, box, to));
    const auto planes = nchw<float>(x, 1, 4, 16, 16), taps = nchw<float>(x, 8, 4, 3, 3),
               out = nchw<float>(y, 1, 8, 16, 16);
    for (const channels_method method : {channels_method::direct, channels_method::product})
      tells(method == channels_method::direct ? 1 : 2,
            convolve_channels<float>(
                s.queue, {.policy = channels_policy{.method = method}, .padding = {1, 1}})
                .explain(planes, taps, out));
  }
}

TEST_CASE("a line of explain has the numbers of the launch it is about") {
  kernel_resources used;
  used.registers = {32, provenance::queried};
  used.spill_bytes = {0, provenance::queried};
  const std::string text = explain_kernel(support::h200(), {2, {128 * 132, 100, 1}, {64, 4, 1}},
                                          "1 element each", used, 1024, true);
  CHECK(text ==
        "  launch     6600 groups of 256 work-items, 1 element each\n"
        "  kernel     32 registers (queried), 0 bytes spilled (queried), 1024 bytes of local "
        "memory\n"
        "  resident   8 groups per unit, 64 of 64 warps\n"
        "  rules      6 of 7 rules of thumb kept; not: groups per unit that scale to later devices "
        "100 (has 50; deck, Guide)\n");
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
