// Layers below float's own precision: by matrix units where a device has them, in full elsewhere.

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/convolve.hpp>
#include <clprim/gemm/policies_nvidia.hpp>

#include "convolve/drawn_layer.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using namespace support;

namespace {

/// Policies whose tiles come by blocks of windows, by steps, and by items.
std::vector<gemm_policy> policies_of_units() {
  using namespace gemm_tables;
  using enum buffering;
  return {beside(2, wgmma_float(64, 128, 4, bulk)),
          by_warp(wgmma_float(64, 128, 4, bulk)),
          by_warp(wgmma_float(128, 128, 5, bulk)),
          wgmma_float(64, 64, 4, bulk),
          by_warp(beside(2, wgmma_float(64, 256, 4, bulk))),
          wgmma_float(64, 128, 4),
          wgmma_float(128, 64, 3),
          as_wide_as(112, beside(2, wgmma_float(64, 128, 4, bulk))),
          as_wide_as(104, by_warp(wgmma_float(64, 128, 4, bulk))),
          as_wide_as(72, wgmma_float(64, 64, 3))};
}

}  // namespace

CAMPAIGN("layers of every precision") {
  using enum gemm_precision;
  for (const gemm_precision precision : {split_half, split_tf32, tf32}) {
    run_campaign(
        ("layers of float, " + std::string(to_string(precision))).c_str(), 2, [&](draw& d) {
          return complaint_of_layer<float>(d, layer_policy::chosen, {.precision = precision});
        });
  }
}

TEST_CASE("layers by every kind of policy of units are right") {
  if (!facts_of(device_session().queue).facts.warp_group_products) return;
  using enum gemm_precision;
  const std::vector<gemm_policy> policies = policies_of_units();
  for (std::size_t i = 0; i < policies.size(); ++i) {
    for (const gemm_precision precision : {split_tf32, tf32}) {
      INFO(to_string(policies[i]));
      draw d(static_cast<unsigned>(30 + i));
      CHECK(complaint_of_layer<float>(d, layer_policy::chosen,
                                      {.precision = precision, .product = policies[i]}) == "");
    }
  }
}

TEST_CASE("layers whose elements two TF32 numbers do not hold are computed in full") {
  const session& s = device_session();
  const int inputs = 32, outputs = 64, side = 12;
  std::vector<float> x(inputs * side * side), w(outputs * inputs * 9), y(outputs * side * side);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 11) - 5;
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = static_cast<float>(i % 7) - 3;
  const auto run = [&](const std::vector<float>& pixels, gemm_precision precision) {
    guarded_buffer<float> X(s, pixels, 0), W(s, w, 0), Y(s, y, 0);
    convolve_channels<float> layer(s.queue, {.padding = {1, 1}, .precision = precision});
    wait_for(layer(nchw<float>(X.buffer(), 1, inputs, side, side),
                   nchw<float>(W.buffer(), outputs, inputs, 3, 3),
                   nchw<float>(Y.buffer(), 1, outputs, side, side)));
    return Y.read();
  };
  for (const float odd : {0x1p-110f, 0x1p127f, std::numeric_limits<float>::infinity()}) {
    std::vector<float> pixels = x;
    pixels[100] = odd;
    const std::vector<float> full = run(pixels, gemm_precision::full),
                             split = run(pixels, gemm_precision::split_tf32);
    for (std::size_t i = 0; i < full.size(); ++i) {
      INFO(odd, " ", i);
      CHECK((split[i] == full[i] || (std::isnan(split[i]) && std::isnan(full[i]))));
    }
  }
}

TEST_CASE("precisions are for layers of float") {
  const session& s = device_session();
  CHECK(refused([&] {
          convolve_channels<half> layer(s.queue, {.precision = gemm_precision::tf32});
        }) == "the precision of a convolution of clprim::half must be full: tf32 given, full");
}

TEST_CASE("explain tells of every way of a layer") {
  const session& s = device_session();
  convolve_channels<float> layer(s.queue,
                                 {.padding = {1, 1}, .precision = gemm_precision::split_tf32});
  const cl::Buffer x(s.context, CL_MEM_READ_WRITE, 32 * 144 * sizeof(float)),
      w(s.context, CL_MEM_READ_WRITE, 64 * 32 * 9 * sizeof(float)),
      y(s.context, CL_MEM_READ_WRITE, 64 * 144 * sizeof(float));
  const auto in = nchw<float>(x, 1, 32, 12, 12), taps = nchw<float>(w, 64, 32, 3, 3),
             out = nchw<float>(y, 1, 64, 12, 12);
  const std::string text = layer.explain(in, taps, out);
  for (const layer_way& way : layer.schedule(in, taps, out).ways) {
    const std::string precision{to_string(way.product.variant.precision)};
    CHECK(text.find("precision " + precision) != std::string::npos);
  }
  CHECK(text.find("filter and images as lines of channels") != std::string::npos);
  const bool units = layer.device().warp_group_products;
  CHECK((text.find("split_tf32 is not used: the device has no matrix units for it") ==
         std::string::npos) == units);
  convolve_channels<float> direct(
      s.queue, {.policy = channels_policy{}, .padding = {1, 1}, .precision = gemm_precision::tf32});
  CHECK(direct.explain(in, taps, out).find("tf32 is not used: method direct computes in full") !=
        std::string::npos);
}
