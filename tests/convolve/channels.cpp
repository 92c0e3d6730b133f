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

TEST_CASE("lines of positions are as long as windows and their padding need") {
  const auto axis = [](int extent, int taps, int stride, int dilation, int pad) {
    const int out = (extent + 2 * pad - (taps - 1) * dilation - 1) / stride + 1;
    return window_axis{.extent = extent,
                       .out = out,
                       .taps = taps,
                       .stride = stride,
                       .dilation = dilation,
                       .pad = pad};
  };
  CHECK(axis(56, 3, 1, 1, 1).pitch() == 57);  // two lines share a zero between them
  CHECK(axis(56, 3, 1, 1, 0).pitch() == 56);
  CHECK(axis(56, 1, 1, 1, 0).pitch() == 56);
  CHECK(axis(56, 5, 1, 2, 4).pitch() == 60);
  CHECK(axis(224, 7, 2, 1, 3).phases() == 2);
  CHECK(axis(224, 7, 2, 2, 3).phases() == 1);
  CHECK(axis(56, 1, 2, 1, 0).phases() == 1);
}

TEST_CASE("windows of lines of positions are those of images") {
  // Every tap of every output meets its pixel's position, or one that holds a zero.
  for (const int extent : {1, 2, 5, 9})
    for (const int taps : {1, 2, 3, 5})
      for (const int stride : {1, 2, 3})
        for (const int dilation : {1, 2, 3})
          for (const int pad : {0, 1, 2, 7}) {
            const int places = extent + 2 * pad - (taps - 1) * dilation - 1;
            if (places < 0) continue;
            const window_axis a{.extent = extent,
                                .out = places / stride + 1,
                                .taps = taps,
                                .stride = stride,
                                .dilation = dilation,
                                .pad = pad};
            const int pitch = a.pitch();
            const auto held = [&](int position, int phase) {  // the pixel, or -1
              const int at = position % pitch * stride + a.offset(phase) - pad;
              return at < 0 || at >= extent ? -1 : at;
            };
            for (int x = 0; x < a.out; ++x)
              for (int tap = 0; tap < taps; ++tap) {
                const int at = x * stride + tap * dilation - pad;
                const int pixel = at < 0 || at >= extent ? -1 : at;
                INFO(extent, " ", taps, " ", stride, " ", dilation, " ", pad, " ", x, " ", tap);
                CHECK(held(x + a.shift(tap), tap % a.phases()) == pixel);
              }
          }
}

TEST_CASE("layers of many channels are products on GPUs") {
  device_facts gpu;
  gpu.compute_units = 132;
  for (const std::int64_t outputs : {32, 64, 128, 512})
    CHECK(tuned_channels(gpu, {.group_inputs = 64, .group_outputs = outputs}).method ==
          channels_method::product);
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
  convolve_channels<float> product(s.queue, {.product = small_product, .groups = 2});
  const auto taps = nchw<float>(w.buffer(), 4, 2, 3, 3);
  // 36 lines of the filter of 4 numbers, 37 of the image of 2 groups of 4.
  const std::size_t bytes = 768 + 1280;
  CHECK(product.workspace_bytes(in, taps, out) == bytes);
  CHECK(product.explain(in, taps, out).find(std::to_string(bytes) + " bytes of workspace") !=
        std::string::npos);
  guarded_buffer<float> room(s, std::vector<float>(10), 0);
  product.use_workspace(room.buffer());
  CHECK(refused([&] { product(in, taps, out); }) ==
        "the workspace of a layer must hold the copies of filter and images: 40 bytes given, " +
            std::to_string(bytes) + " bytes");
  CHECK(y.read() == before);
}
