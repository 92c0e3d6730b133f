// Convolutions of many channels against a loop in double, and what they refuse.

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/convolve.hpp>

#include "support/campaign.hpp"
#include "support/device.hpp"
#include "support/refusal.hpp"
#include "support/rounding.hpp"

using namespace clprim;
using namespace support;

namespace {

template <class T> double real_of(const T& x) { return static_cast<double>(widened<T>(x)); }

template <class T> std::string complaint_of_layer(draw& d, int product_percent = 50) {
  const session& s = device_session();
  channels_options o;
  o.groups = d.one_of({1, 1, 2, 3});
  o.stride = {.x = d.between(1, 2), .y = d.between(1, 2)};
  o.dilation = {.x = d.between(1, 2), .y = d.between(1, 2)};
  o.padding = {d.between(0, 2), d.between(0, 3)};
  if (d.chance(70))
    o.policy = channels_policy{.items = d.one_of({1, 8}),
                               .per_item_x = d.one_of({1, 3, 8}),
                               .per_item_channels = d.one_of({1, 2, 4})};
  if (d.chance(product_percent)) {  // 16 items
    o.policy = channels_policy{.method = channels_method::product,
                               .per_item_x = 4,
                               .per_item_channels = 4,
                               .tile_channels = 16,
                               .tile_pixels = 16,
                               .tile_inputs = d.one_of({1, 2})};
  }
  const bool quads = d.chance(40);  // planes of the output that are whole quads
  if (quads) {
    o.stride = o.dilation = {};
    o.padding = {1, 1};
  }
  const int inputs = d.between(1, 3), outputs = d.one_of({1, 2, 5}), groups = o.groups;
  const int images = d.between(1, 2), height = d.between(1, 9);
  const int width = quads ? 8 : d.between(1, 20), offset = quads ? 4 : d.between(0, 3);
  const int ky = quads ? 3 : d.between(1, 3), kx = quads ? 3 : d.between(1, 3);
  const auto count = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  convolve_channels<T> probe(s.queue, o);
  channels_view<T> in{nullptr, images, inputs * groups, height, width, offset},
      filter{nullptr, outputs * groups, inputs, ky, kx, offset};
  const auto [oh, ow] = probe.extent(in, filter);
  channels_view<T> out{nullptr, images, outputs * groups, oh, ow, offset};
  std::vector<T> x(count(in.size() + offset)), w(count(filter.size() + offset)),
      y(count(out.size() + offset), T(7.0f));
  for (T& v : x) v = random_element<T>(d);
  for (T& v : w) v = random_element<T>(d);
  guarded_buffer<T> X(s, x, T(1.0f)), W(s, w, T(1.0f)), Y(s, y, T(7.0f));
  in.memory = X.buffer()();
  filter.memory = W.buffer()();
  out.memory = Y.buffer()();
  o.map = {"return 2 * value + channel + bias;",
           {value<std::conditional_t<std::same_as<T, double>, double, float>>("bias")}};
  convolve_channels<T> layer(s.queue, o);
  using scalar = std::conditional_t<std::same_as<T, double>, double, float>;
  const std::vector<argument> bias{scalar{0.5}};
  wait_for(layer(in, filter, out, {}, bias));
  const std::vector<T> got = Y.read();
  if (!Y.intact()) return "a guard zone was written";
  for (int i = 0; i < offset; ++i)
    if (real_of(got[count(i)]) != 7) return "what lies before the output was written";
  for (std::int64_t n = 0; n < images; ++n)
    for (std::int64_t k = 0; k < out.channels; ++k)
      for (std::int64_t r = 0; r < oh; ++r)
        for (std::int64_t c = 0; c < ow; ++c) {
          long double sum = 0, size = 0;
          for (std::int64_t ch = 0; ch < inputs; ++ch)
            for (int i = 0; i < ky; ++i)
              for (int j = 0; j < kx; ++j) {
                const std::int64_t iy = r * o.stride.y + i * o.dilation.y - o.padding[0],
                                   ix = c * o.stride.x + j * o.dilation.x - o.padding[1];
                if (iy < 0 || ix < 0 || iy >= height || ix >= width) continue;
                const std::int64_t from = k / outputs * inputs + ch;
                const long double product =
                    static_cast<long double>(real_of(
                        x[count(offset + ((n * in.channels + from) * height + iy) * width + ix)])) *
                    real_of(w[count(offset + ((k * inputs + ch) * ky + i) * kx + j)]);
                sum += product;
                size += std::abs(product);
              }
          const double expected = static_cast<double>(2 * sum) + static_cast<double>(k) + 0.5;
          const double magnitude = static_cast<double>(2 * size) + static_cast<double>(k) + 0.5;
          const double error = static_cast<double>(gamma<T>(inputs * ky * kx + 4.0)) * magnitude;
          const auto at = count(offset + ((n * out.channels + k) * oh + r) * ow + c);
          if (!within<T>(got[at], expected,
                         stored_error<T>(std::abs(expected), static_cast<wide_real<T>>(error))))
            return "image " + std::to_string(n) + " channel " + std::to_string(k) + " (" +
                   std::to_string(r) + ", " + std::to_string(c) + ") is " +
                   std::to_string(real_of(got[at])) + ", not " + std::to_string(expected);
        }
  return {};
}

}  // namespace

TEST_CASE("any convolution of many channels, with groups and depthwise") {
  run_campaign("channels of float", 10, [](draw& d) { return complaint_of_layer<float>(d); });
  run_campaign("channels of double", 2, [](draw& d) { return complaint_of_layer<double>(d); });
  run_campaign("channels of half", 2, [](draw& d) { return complaint_of_layer<half>(d); });
}

TEST_CASE("a small convolution of channels runs clean" * doctest::test_suite("oclgrind")) {
  for (const int product_percent : {0, 100}) {
    draw d(3);
    CHECK(complaint_of_layer<float>(d, product_percent) == "");
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
