// The library's choice lies within the limits of whatever device there is.

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/convolve.hpp>
#include <clprim/convolve/problem_size.hpp>

#include "support/refusal.hpp"

using namespace clprim;
using namespace support;

namespace {

device_facts small_device(device_kind kind, int local, int group) {
  device_facts d;
  d.kind = kind;
  d.local_bytes = d.reported_local_bytes = local;
  d.max_work_group = group;
  d.max_items = {static_cast<std::size_t>(group), static_cast<std::size_t>(group),
                 static_cast<std::size_t>(group > 64 ? 64 : group)};
  d.simd_bytes = kind == device_kind::cpu ? 32 : 0;
  d.subgroup_width = kind == device_kind::cpu ? 1 : 32;
  d.compute_units = 8;
  return d;
}

/// A problem as `checked_convolution` would lay it out: nothing here needs the pixels.
convolve_problem problem(std::array<int, 3> taps, std::array<int, 3> steps, int dilation,
                         int channels, bool separable, std::int64_t extent) {
  convolve_problem p{.channels = channels, .separable = separable};
  for (std::size_t a = 0; a < 3; ++a) {
    p.axes[a] = {.taps = taps[a], .stride = steps[a], .dilation = dilation};
    p.out.extent[a] = a == 2 && taps[2] == 1 ? 1 : extent;
    p.in.extent[a] = p.out.extent[a] * steps[a] + p.axes[a].span();
  }
  p.in.pitch = p.in.extent[0] * channels;
  p.in.slice = p.in.pitch * p.in.extent[1];
  p.out.pitch = p.out.extent[0] * channels;
  p.out.slice = p.out.pitch * p.out.extent[1];
  return p;
}

/// What keeps the library's choice from a device: "" or a sentence.
std::string refusal(const device_facts& d, const convolve_problem& p, const convolve_types& types,
                    const convolve_options& options) {
  const convolve_policy chosen = tuned_convolve(d, size_of(p, types, options, false));
  try {
    for (const convolve_pass& pass : schedule_of(p, chosen, types, options.rounding).passes) {
      check_rules(pass.policy);
      check_device_rules(pass.policy, pass.variant, d);
      const convolve_geometry g = geometry_of(pass.policy, pass.variant);
      for (const auto& [items, most] :
           {std::pair{g.group_x, d.max_items[0]}, {g.group_y, d.max_items[1]}})
        if (static_cast<std::size_t>(items) > most)
          return std::to_string(items) + " items of a group side by side";
      const std::int64_t bytes = std::int64_t{pass.variant.taps()} * types.sum.bytes;
      if (pass.policy.filter == filter_place::constant && bytes > 65536)
        return std::to_string(bytes) + " bytes of constant memory";
    }
  } catch (const error& e) {
    return e.what() + ("\n" + to_string(chosen));
  }
  return {};
}

}  // namespace

TEST_CASE("every choice lies within the groups and the local memory of the device") {
  const convolve_types types[] = {
      {describe_element<float>(), describe_element<float>(), describe_element<float>()},
      {describe_element<std::uint8_t>(), describe_element<std::uint8_t>(),
       describe_element<float>()},
      {describe_element<double>(), describe_element<double>(), describe_element<double>()}};
  struct shape {
    std::array<int, 3> steps;
    int dilation, depth;
  };
  const shape shapes[] = {{{1, 1, 1}, 1, 1}, {{2, 1, 1}, 1, 1}, {{1, 3, 1}, 1, 1},
                          {{1, 1, 1}, 2, 1}, {{1, 1, 1}, 1, 9}, {{1, 1, 2}, 1, 5}};
  int asked = 0;
  for (const device_kind kind : {device_kind::cpu, device_kind::gpu})
    for (const int local : {0, 1024, 8192, 16384, 32768, 49152, 232448})
      for (const int group : {1, 12, 64, 128, 256, 1024}) {
        device_facts d = small_device(kind, local, group);
        for (const bool async : {false, true}) {
          d.async_copy = async;
          for (const int taps : {1, 3, 5, 9, 17, 31, 63})
            for (const shape& one : shapes)
              for (const bool separable : {false, true})
                for (const bool transforms : {false, true})
                  for (const int channels : {1, 4})
                    for (const convolve_types& t : types) {
                      const convolve_problem p =
                          problem({taps, taps, one.depth}, one.steps, one.dilation, channels,
                                  separable, taps % 4 == 1 ? 100 : 3000);
                      const std::string why =
                          refusal(d, p, t, {.transforms = transforms, .filter_is_fixed = async});
                      ++asked;
                      if (why.empty()) continue;
                      const std::string told = describe(d) + ", " + std::to_string(taps) +
                                               (separable ? " separable" : "") + " taps, " +
                                               std::to_string(channels) + " channels: " + why;
                      CHECK_MESSAGE(why.empty(), told);
                    }
        }
      }
  CHECK(asked > 80000);
}

TEST_CASE("a separable filter of 17 taps fits a CPU of 32 KiB, and a GPU of 8 KiB") {
  const convolve_types real{describe_element<float>(), describe_element<float>(),
                            describe_element<float>()};
  const convolve_problem p = problem({17, 17, 1}, {1, 1, 1}, 1, 1, true, 2048);
  const auto method = [&](device_kind kind, int local) {
    const device_facts d = small_device(kind, local, 256);
    return tuned_convolve(d, size_of(p, real, {}, false)).method;
  };
  CHECK(method(device_kind::cpu, 32768) == convolve_method::rows);
  CHECK(method(device_kind::cpu, 8192) == convolve_method::rows);
  CHECK(method(device_kind::cpu, 1024) == convolve_method::direct);
  CHECK(method(device_kind::gpu, 16384) == convolve_method::line_buffer);
  CHECK(method(device_kind::gpu, 8192) == convolve_method::line_buffer);
  CHECK(method(device_kind::gpu, 1024) == convolve_method::direct);
}

TEST_CASE("every choice of tiles of channels lies within the device") {
  for (const device_kind kind : {device_kind::cpu, device_kind::gpu})
    for (const int local : {0, 8192, 16384, 32768, 232448})
      for (const int group : {1, 12, 64, 128, 256, 1024})
        for (const int units : {1, 8, 132})
          for (const scalar type : {scalar::half_, scalar::float_, scalar::double_})
            for (const int outputs : {1, 3, 32, 64, 100, 512}) {
              device_facts d = small_device(kind, local, group);
              d.compute_units = units;
              const channels_policy p = tuned_channels(
                  d, {.bytes = facts_of(type).bytes, .group_inputs = 64, .group_outputs = outputs});
              CHECK(refused([&] { check_rules(p); }) == "accepted");
              CHECK(p.items <= group);
              const layer_size layer{.type = type,
                                     .y = {.extent = 28, .out = 28, .taps = 3, .pad = 1},
                                     .x = {.extent = 28, .out = 28, .taps = 3, .pad = 1},
                                     .images = 2,
                                     .inputs = 64,
                                     .outputs = outputs};
              for (const layer_way& way :
                   layer_ways(layer, {}, gemm_precision::full, std::size_t{1} << 30, d)) {
                CHECK(way.product.policy.group_size() <= group);
                CHECK(geometry_of(way.product.policy, way.product.variant).local_bytes <= local);
                CHECK(way.lines.group <= group);
                CHECK(window_lines_bytes(type) <= local);
              }
            }
}

TEST_CASE("grids with more groups along y or z than devices start are launched along x") {
  const convolve_types real{describe_element<float>(), describe_element<float>(),
                            describe_element<float>()};
  convolve_problem p = problem({3, 3, 1}, {1, 1, 1}, 1, 1, false, 16);
  p.out.extent[1] = 70'000;
  p.in.extent[1] = 70'002;
  const convolve_policy by{.items_y = 1, .per_item_y = 1};
  const auto pass_of = [&] { return schedule_of(p, by, real, {}).passes.front(); };
  const convolve_pass tall = pass_of();
  CHECK(tall.variant.flat);
  const group_grid g = grid_of(tall);
  CHECK(g.y >= 70'000);
  const launch l = launch_of(tall);
  CHECK(l.global[0] / l.local[0] == static_cast<std::size_t>(g.x * g.y * g.z));
  CHECK(l.global[1] == l.local[1]);
  p.out.extent[1] = 60'000;
  CHECK(!pass_of().variant.flat);
  CHECK(launch_of(pass_of()).global[1] >= 60'000);
  p.batch = 70'000;
  CHECK(pass_of().variant.flat);
  CHECK(
      refused([&] { launch_of(pass_of()); }) ==
      "work-groups of a convolution must be as many as devices start: 1 x 60000 x 70000 given, at "
      "most 2147483647 of all");
}
