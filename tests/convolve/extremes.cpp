// Views, filters and options of any numbers whatever: accepted or refused, never computed with past
// their type (the sanitizers see that).

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/convolve.hpp>
#include <clprim/convolve/problem_size.hpp>

#include "support/campaign.hpp"
#include "support/device.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using namespace support;

namespace {

std::int64_t any_size(draw& d) {
  constexpr std::int64_t top = std::numeric_limits<std::int64_t>::max();
  const std::int64_t drawn[] = {0,       1,        2,         7,         64,        1000,
                                1 << 20, 1 << 29,  1LL << 31, 1LL << 32, 1LL << 61, top,
                                top - 1, -top - 1, -1,        -(1 << 20)};
  return drawn[d.bits() % std::size(drawn)];
}
int any_int(draw& d) {
  constexpr int top = std::numeric_limits<int>::max();
  return d.one_of({0, 1, 1, 2, 3, 5, 9, 64, 4096, 1 << 20, (1 << 20) + 1, top, -1, -top - 1});
}

/// Mostly a number that is small.
std::int64_t size_of_view(draw& d) { return d.chance(70) ? d.between(1, 40) : any_size(d); }
int step(draw& d) { return d.chance(70) ? 1 : any_int(d); }

image_view<float> any_view(draw& d, const cl::Buffer& buffer) {
  image_view<float> v =
      volume<float>(buffer, d.chance(70) ? 1 : size_of_view(d), size_of_view(d), size_of_view(d));
  if (d.chance(40)) v = v.channels(any_int(d));
  if (d.chance(30)) v = v.pitch(any_size(d));
  if (d.chance(30)) v = v.slices(any_size(d));
  if (d.chance(30)) v = v.at(any_size(d));
  if (d.chance(30)) v = v.batch(any_size(d), any_size(d));
  if (d.chance(40)) {
    refused([&] {
      v = v.region(any_size(d), size_of_view(d), size_of_view(d), any_size(d), size_of_view(d),
                   size_of_view(d));
    });
  }
  if (d.chance(10)) {
    v.around = {any_size(d), any_size(d), any_size(d), any_size(d), any_size(d), any_size(d)};
  }
  return v;
}

}  // namespace

TEST_CASE("saturated products and sums are exact or the end of the range") {
  using detail::saturated;
  constexpr std::int64_t top = std::numeric_limits<std::int64_t>::max(), low = -top - 1;
  CHECK(saturated(3, -4, 5) == -7);
  CHECK(saturated(low, 1) == low);
  CHECK(saturated(low, -1) == top);
  CHECK(saturated(top, 2) == top);
  CHECK(saturated(top, -2) == low);
  CHECK(saturated(1LL << 32, 1LL << 31) == top);
  CHECK(saturated(1LL << 32, 1LL << 30) == 1LL << 62);
  CHECK(saturated(0, low, top) == top);
  CHECK(saturated(top, 1, 1) == top);
  CHECK(saturated(low, 1, -1) == low);
}

CAMPAIGN("views and filters of any numbers are refused or run") {
  const session& s = device_session();
  guarded_buffer<float> a(s, std::vector<float>(4000, 1.0f), 0), b(s, std::vector<float>(4000), 0);
  convolve<float> run(s.queue);
  run_campaign("extreme views", 2000, [&](draw& d) -> std::string {
    const image_view<float> in = any_view(d, a.buffer());
    convolve_options o{
        .extent = d.one_of({output_extent::same, output_extent::valid, output_extent::full}),
        .border = d.one_of({border_mode::constant, border_mode::reflect_101, border_mode::none}),
        .stride = {step(d), step(d), step(d)},
        .dilation = {step(d), step(d), step(d)}};
    filter<float> f{.taps = {step(d), step(d), step(d)}, .is_separable = d.chance(30)};
    if (d.chance(30)) f.anchors = {any_int(d), any_int(d), any_int(d)};
    if (d.chance(20)) {
      f.memory = a.buffer()();
      f.offset = any_size(d);
    } else {
      f.coefficients.resize(static_cast<std::size_t>(d.between(1, 12)), 1.0f);
    }
    refused([&] { separated(f); });
    std::array<std::int64_t, 3> extent{1, 1, 1};
    refused([&] { extent = convolved_extent(in, f, o); });
    image_view<float> out = volume<float>(b.buffer(), extent[2], extent[1], extent[0]);
    if (d.chance(90)) out = out.channels(in.channel_count);
    if (d.chance(20)) out = any_view(d, b.buffer());
    if (d.chance(80)) out = out.batch(in.batch_count, 1);
    refused([&] {
      const convolve_problem p = checked_convolution(in, f, out, o).problem;
      const convolve_types real{describe_element<float>(), describe_element<float>(),
                                describe_element<float>()};
      const convolve_size size = size_of(p, real, o, f.memory != nullptr);
      const device_facts gpu;
      const convolve_schedule all = schedule_of(p, tuned_convolve(gpu, size), real, o.rounding);
      for (const convolve_pass& pass : all.passes)
        check_device_rules(pass.policy, pass.variant, gpu);
      if (!p.empty())
        for (const convolve_pass& pass : all.passes) launch_of(pass);
    });
    return {};
  });
}

CAMPAIGN("policies of any numbers have sizes that are refused or fit") {
  const device_facts gpu;
  run_campaign("extreme policies", 5000, [&](draw& d) -> std::string {
    convolve_policy p{
        .method = d.one_of({convolve_method::direct, convolve_method::tile, convolve_method::ring,
                            convolve_method::rows, convolve_method::line_buffer}),
        .items_x = d.one_of({1, 128, 4096}),
        .items_y = d.one_of({1, 4, 4096}),
        .per_item_x = d.one_of({1, 4, 64}),
        .per_item_y = d.one_of({1, 32}),
        .vector = d.one_of({1, 4, 16}),
        .strip = 65536,
        .columns = 65536,
        .in_flight = 16,
        .apron = d.one_of(
            {apron_load::item_per_pixel, apron_load::several_loads, apron_load::block_per_item})};
    convolve_variant v{.channels = d.between(1, 4)};
    const auto axis = [&] {
      const int dilation = d.one_of({1, 4, 4096});
      return convolve_axis{.taps = d.one_of({1, 3, 64, 4096}),
                           .stride = d.one_of({1, 2, 1 << 20}),
                           .dilation = dilation};
    };
    v.x = axis();
    v.y = axis();
    refused([&] {
      check_rules(p);
      check_device_rules(p, v, gpu);
    });
    return {};
  });
}
