// Convolutions of many channels against a loop in double, and what they refuse.

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/convolve.hpp>

#include "convolve/drawn_layer.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using namespace support;

CAMPAIGN("any convolution of many channels, with groups and depthwise") {
  run_campaign("channels of float", 10, [](draw& d) { return complaint_of_layer<float>(d); });
  run_campaign("channels of double", 2, [](draw& d) { return complaint_of_layer<double>(d); });
  run_campaign("channels of half", 2, [](draw& d) { return complaint_of_layer<half>(d); });
}

TEST_CASE("a small convolution of channels runs clean" * doctest::test_suite("oclgrind")) {
  for (const layer_policy by : {layer_policy::direct, layer_policy::product}) {
    draw d(3);
    CHECK(complaint_of_layer<float>(d, by) == "");
  }
}

TEST_CASE("tiles that the items cannot load are refused") {
  const auto of = [](const channels_policy& p) { return refused([&] { check_rules(p); }); };
  channels_policy p{.method = channels_method::product, .per_item_x = 8, .per_item_channels = 8};
  CHECK(of(p) == "accepted");
  p.per_item_x = 6;
  CHECK(of(p) == "method product needs per_item_x and per_item_channels to be multiples of 4");
  p.per_item_x = 8;
  p.tile_inputs = 3;
  CHECK(of(p) == "tile_inputs rows must be whole loads of all items");
}

TEST_CASE("every choice of tiles follows the rules") {
  device_facts gpu;
  gpu.compute_units = 132;
  for (const std::int64_t outputs : {32, 64, 128, 512})
    for (const std::int64_t pixels : {1, 1568, 6272, 25088, 100352}) {
      const channels_policy p =
          tuned_channels(gpu, {.group_inputs = 64, .group_outputs = outputs, .pixels = pixels});
      CHECK(p.method == channels_method::product);
      CHECK(refused([&] { check_rules(p); }) == "accepted");
      CHECK(p.group_items() == 128);
    }
  CHECK(tuned_channels(gpu, {.group_inputs = 3, .group_outputs = 64}).method ==
        channels_method::direct);
}

TEST_CASE("channels that do not fit are named with both numbers") {
  const session& s = device_session();
  const std::vector<float> before(200, 7);
  guarded_buffer<float> x(s, before, 0), w(s, before, 0), y(s, before, 0);
  convolve_channels<float> layer(s.queue, {.groups = 2});
  const auto in = nchw<float>(x.buffer(), 1, 4, 5, 5), out = nchw<float>(y.buffer(), 1, 4, 3, 3);
  CHECK(refused([&] { layer(in, nchw<float>(w.buffer(), 4, 4, 3, 3), out); }) ==
        "input channels of the filter must equal the channels of a group of the input: 4 given, 2 "
        "expected");
  CHECK(refused([&] { layer(in, nchw<float>(w.buffer(), 3, 2, 3, 3), out); }) ==
        "output channels of the filter must equal the channels of the output: 3 given, 4 expected");
  CHECK(refused([&] {
          layer(in, nchw<float>(w.buffer(), 4, 2, 3, 3), nchw<float>(y.buffer(), 1, 4, 5, 3));
        }) ==
        "height of the output must be what input, filter, padding and steps make it: 5 given, 3 "
        "expected");
  CHECK(refused([&] {
          layer(nchw<float>(x.buffer(), 1, 3, 5, 5), nchw<float>(w.buffer(), 4, 2, 3, 3), out);
        }) == "channels of input and output must be whole groups: 3 and 4 given, multiples of 2");
  CHECK(refused([&] {
          layer(in, nchw<float>(w.buffer(), 4, 2, 3, 3), nchw<float>(x.buffer(), 1, 4, 3, 3));
        }) ==
        "the output must not share memory with input or filter: overlapping views given, separate "
        "memory");
  CHECK(refused([&] {
          layer(in, nchw<float>(w.buffer(), 4, 2, 0, 3), nchw<float>(y.buffer(), 1, 4, 0, 3));
        }) == "taps of the filter must be a size that a filter has: 0 given, at least 1");
  convolve_channels<float> product(s.queue,
                                   {.policy = channels_policy{.method = channels_method::product,
                                                              .per_item_x = 4,
                                                              .per_item_channels = 4,
                                                              .tile_channels = 16,
                                                              .tile_pixels = 16,
                                                              .tile_inputs = 1},
                                    .groups = 2});
  const auto taps = nchw<float>(w.buffer(), 4, 2, 3, 3);
  CHECK(product.workspace_bytes(in, taps, out) == 4 * 2 * 9 * sizeof(float));
  CHECK(product.explain(in, taps, out).find("288 bytes of workspace") != std::string::npos);
  guarded_buffer<float> room(s, std::vector<float>(10), 0);
  product.use_workspace(room.buffer());
  CHECK(refused([&] { product(in, taps, out); }) ==
        "the workspace must hold what lies between the kernels of the call: 40 bytes given, at "
        "least 288 bytes");
  CHECK(y.read() == before);
}
