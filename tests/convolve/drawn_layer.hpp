#pragma once
// Convolutions of many channels of drawn shape against a loop in double.

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/convolve.hpp>

#include "convolve/small_product.hpp"
#include "support/campaign.hpp"
#include "support/device.hpp"
#include "support/rounding.hpp"

namespace support {

enum class layer_policy { drawn, direct, product, chosen };

/// Where element (n, c, y, x) of a view lies.
template <class T>
std::size_t place_in(const clprim::channels_view<T>& v, std::int64_t n, std::int64_t c,
                     std::int64_t y, std::int64_t x) {
  const std::int64_t at = v.channels_last ? ((n * v.height + y) * v.width + x) * v.channels + c
                                          : ((n * v.channels + c) * v.height + y) * v.width + x;
  return static_cast<std::size_t>(v.offset + at);
}

template <class T> double real_of(const T& x) { return static_cast<double>(widened<T>(x)); }

/// Numbers of a layer that are not drawn where they are given; its images are small where there are
/// so many of them or of groups. Of a precision other than full it has channels enough for units.
struct given_numbers {
  int images = 0, groups = 0;
  clprim::gemm_precision precision = clprim::gemm_precision::full;
  std::optional<clprim::gemm_policy> product{};
};

template <class T>
std::string complaint_of_layer(draw& d, layer_policy by = layer_policy::drawn,
                               given_numbers given = {}) {
  using namespace clprim;
  const session& s = device_session();
  channels_options o;
  o.groups = given.groups > 0 ? given.groups : d.one_of({1, 1, 2, 3});
  o.stride = {.x = d.between(1, 2), .y = d.between(1, 2)};
  o.dilation = {.x = d.between(1, 2), .y = d.between(1, 2)};
  o.padding = {d.between(0, 2), d.between(0, 3)};
  const bool units = given.precision != gemm_precision::full;
  o.precision = given.precision;
  const bool chosen = by == layer_policy::chosen;
  if (by == layer_policy::direct || (!chosen && d.chance(70)))
    o.policy = channels_policy{.items = d.one_of({1, 8}),
                               .per_item_x = d.one_of({1, 3, 8}),
                               .per_item_channels = d.one_of({1, 2, 4})};
  const bool drawn_product = by == layer_policy::drawn && d.chance(50);
  if (by == layer_policy::product || drawn_product) {
    o.policy.reset();
    o.product = small_product;
    o.product->tile_k = d.one_of({2, 4, 8});
    if (d.chance(50)) {
      o.product->buffer = buffering::registers;
      o.product->stages = 2;
    }
    if (d.chance(30)) o.product->lanes_m = o.product->lanes_n = 4;
  }
  if (given.product) o.product = given.product;
  const bool quads = d.chance(40);  // planes of the output that are whole quads
  if (quads) {
    o.stride = o.dilation = {};
    o.padding = {1, 1};
  }
  const bool many = units || (chosen && d.chance(60));  // enough for tiles
  const int inputs = many ? d.between(16, units ? 70 : 20) : d.between(1, 3), groups = o.groups;
  const int outputs = many ? d.between(32, 70) : d.one_of({1, 2, 5});
  const bool small = given.images > 0 || given.groups > 0;
  const int images = given.images > 0 ? given.images : d.between(1, 2);
  const int height = d.between(1, small ? 2 : 9);
  const int width = quads ? 8 : d.between(1, small ? 3 : 20), offset = quads ? 4 : d.between(0, 3);
  const int ky = quads ? 3 : d.between(1, 3), kx = quads ? 3 : d.between(1, 3);
  const auto count = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  convolve_channels<T> probe(s.queue, o);
  channels_view<T> in{nullptr, images, inputs * groups, height, width, offset},
      filter{nullptr, outputs * groups, inputs, ky, kx, offset};
  const auto [oh, ow] = probe.extent(in, filter);
  channels_view<T> out{nullptr, images, outputs * groups, oh, ow, offset};
  in.channels_last = d.chance(30);
  filter.channels_last = d.chance(30);
  out.channels_last = d.chance(30);
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
                    static_cast<long double>(real_of(x[place_in(in, n, from, iy, ix)])) *
                    real_of(w[place_in(filter, k, ch, i, j)]);
                sum += product;
                size += std::abs(product);
              }
          const double expected = static_cast<double>(2 * sum) + static_cast<double>(k) + 0.5;
          const double magnitude = static_cast<double>(2 * size) + static_cast<double>(k) + 0.5;
          // TF32 cuts both factors, matrix units the sums.
          const double cut = given.precision == gemm_precision::tf32 ? 2.5 * 0x1p-10 : 0;
          const double error =
              (static_cast<double>(gamma<T>(inputs * ky * kx + 4.0)) + cut) * magnitude;
          const auto at = place_in(out, n, k, r, c);
          if (!within<T>(got[at], expected,
                         stored_error<T>(std::abs(expected), static_cast<wide_real<T>>(error))))
            return "image " + std::to_string(n) + " channel " + std::to_string(k) + " (" +
                   std::to_string(r) + ", " + std::to_string(c) + ") is " +
                   std::to_string(real_of(got[at])) + ", not " + std::to_string(expected);
        }
  return {};
}

}  // namespace support
