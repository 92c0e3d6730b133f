// How GPUs' groups cut images for the methods that walk down strips: every unit gets its share.

#include <algorithm>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include <clprim/convolve.hpp>

#include "support/campaign.hpp"
#include "support/device.hpp"
#include "support/other_devices.hpp"

using namespace clprim;
using namespace support;

namespace {

convolve_size size_of(int taps, bool separable, std::int64_t height, std::int64_t width) {
  return {.taps_x = taps,
          .taps_y = taps,
          .separable = separable,
          .reach = taps - 1,
          .width = width,
          .height = height,
          .aligned = width % 4 == 0,
          .outputs = {width, height, 1}};
}

/// Outputs of an image over those that the units could make while the busiest one is at work.
double balance_of(const convolve_policy& p, const convolve_size& s, std::int64_t units) {
  const std::int64_t columns = p.method == convolve_method::line_buffer
                                   ? std::int64_t{p.items_x} / p.per_item_y * p.per_item_x
                                   : std::int64_t{p.items_x} * p.vector;
  const std::int64_t groups = parts_of(s.width, columns) * parts_of(s.height, p.strip);
  return static_cast<double>(s.width * s.height) /
         static_cast<double>(parts_of(groups, units) * units * columns * p.strip);
}

}  // namespace

CAMPAIGN("strips give every unit of a GPU nearly equally much, whatever the image's sides") {
  const device_facts device = h200();
  run_campaign("strips", 3000, [&](draw& d) -> std::string {
    const bool separable = d.chance(50);
    const int taps = d.between(separable ? 2 : 10, separable ? 64 : 31);
    const int height = d.between(1000, 20000), width = d.between(1000, 20000);
    const convolve_size size = size_of(taps, separable, height, width);
    const convolve_policy p = tuned_convolve(device, size);
    if (!passes_rows(p.method)) return {};
    const double balance = balance_of(p, size, units_of(device));
    if (balance > 0.7) return {};
    return std::to_string(taps) + (separable ? " separable" : "") + " taps on " +
           std::to_string(height) + " x " + std::to_string(width) + ": " + std::to_string(balance) +
           " by " + to_string(p);
  });
}

CAMPAIGN("the cuts of a ring cover the image by strips of its rows") {
  run_campaign("cuts", 300, [&](draw& d) -> std::string {
    device_facts device = h200();
    device.compute_units = d.between(1, 200);
    convolve_size size = size_of(9, false, d.between(1, d.one_of({4, 300, 100000})),
                                 d.between(1, d.one_of({4, 300, 100000})));
    size.outputs[2] = d.one_of({1, 1, 7, 30});
    const convolve_policy whole{.method = convolve_method::ring,
                                .items_x = d.one_of({32, 64, 128}),
                                .vector = d.one_of({1, 4})};
    std::string why;
    int cuts = 0;
    for_each_ring_cut(whole, size, device, [&](const convolve_policy& one, std::int64_t warps) {
      ++cuts;
      const std::int64_t groups = parts_of(size.width, std::int64_t{one.items_x} * one.vector) *
                                  parts_of(size.height, one.strip) * size.outputs[2];
      if (one.strip < 1 || one.strip > std::max<std::int64_t>(size.height, 8)) why = "strip";
      if (one.items_x > whole.items_x || (one.items_x < 32)) why = "items";
      if (warps < 1 || warps * 32 * units_of(device) < groups * one.items_x) why = "warps";
    });
    return cuts == 0 ? "none" : why;
  });
}

TEST_CASE("a narrow separable filter on a GPU is one launch without a workspace") {
  const convolve_types real{describe_element<float>(), describe_element<float>(),
                            describe_element<float>()};
  for (const int taps : {2, 3, 5, 7}) {
    const convolve_policy p = tuned_convolve(h200(), size_of(taps, true, 3000, 4096));
    CHECK(p.method == convolve_method::direct);
    convolve_problem problem{.separable = true};
    problem.in.extent = problem.out.extent = {4096, 3000, 1};
    problem.in.pitch = problem.out.pitch = 4096;
    problem.axes[0].taps = problem.axes[1].taps = taps;
    const convolve_schedule all = schedule_of(problem, p, real, pixel_rounding::nearest_even);
    CHECK(all.passes.size() == 1);
    CHECK(all.workspace_bytes == 0);
    convolve_policy apart = p;
    apart.fused = false;
    CHECK(schedule_of(problem, apart, real, pixel_rounding::nearest_even).passes.size() == 2);
  }
}
