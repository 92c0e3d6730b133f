// Any convolution, under any policy that can be built, is the sum of its products within the bound.

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "convolve/drawn.hpp"

using namespace clprim;
using namespace support;

namespace {

template <class T, class Out = T, class Sum = pixel_accumulator_t<T>>
void any_convolution(const char* name, convolve_method method, int cases, draw_limits limits = {}) {
  run_campaign(name, cases, [&](draw& d) {
    const session& s = d.chance(20) ? out_of_order_session() : device_session();
    if (method == convolve_method::ring || method == convolve_method::rows) limits.stepped = false;
    const drawn_convolution c = draw_convolution(d, limits);
    convolve_options options = options_of(c);
    const bool tuned = d.chance(15), in_buffer = d.chance(15);
    options.rounding = d.one_of({pixel_rounding::nearest_even, pixel_rounding::toward_zero,
                                 pixel_rounding::downward, pixel_rounding::upward});
    if (!tuned) {
      options.policy = draw_convolve_policy(d, method);
      if (in_buffer) options.policy->filter = filter_place::constant;
    }
    std::string complaint;
    try {
      complaint = complaint_of<T, Out, Sum>(d, s, c, options, in_buffer);
    } catch (const policy_error& e) {
      complaint = e.what();
      if (complaint.find("must fit") != std::string::npos) complaint.clear();
    }
    if (complaint.empty()) return complaint;
    return complaint + "\n" + text_of(c) + "\n" +
           (tuned ? std::string("the tuned policy") : to_string(*options.policy));
  });
}

}  // namespace

TEST_CASE("any convolution of float by windows in registers") {
  any_convolution<float>("direct", convolve_method::direct, 10);
}
TEST_CASE("any convolution of float by tiles with aprons") {
  any_convolution<float>("tile", convolve_method::tile, 10);
}
TEST_CASE("any convolution of float by a ring of rows") {
  any_convolution<float>("ring", convolve_method::ring, 8);
}
TEST_CASE("any convolution of float by wide rows") {
  any_convolution<float>("rows", convolve_method::rows, 8);
}
TEST_CASE("any convolution of volumes") {
  any_convolution<float>("direct 3-D", convolve_method::direct, 5, {.taps = 3, .deep = true});
  any_convolution<float>("tile 3-D", convolve_method::tile, 4, {.taps = 3, .deep = true});
}
TEST_CASE("any separable convolution") {
  const draw_limits plane{.separable = true}, deep{.taps = 4, .deep = true, .separable = true};
  any_convolution<float>("separable ring", convolve_method::ring, 5, plane);
  any_convolution<float>("separable rows", convolve_method::rows, 5, plane);
  any_convolution<float>("separable in passes", convolve_method::direct, 4, plane);
  any_convolution<float>("separable 3-D", convolve_method::rows, 3, deep);
  any_convolution<float>("separable 3-D on rings", convolve_method::ring, 2, deep);
}
TEST_CASE("any convolution of half and double") {
  any_convolution<half>("half", convolve_method::direct, 4);
  any_convolution<half, float>("half to float", convolve_method::rows, 4);
  any_convolution<double>("double", convolve_method::ring, 4);
}
TEST_CASE("any convolution of bytes is rounded and saturated as documented") {
  any_convolution<std::uint8_t>("bytes", convolve_method::rows, 4);
  any_convolution<std::uint8_t>("bytes", convolve_method::direct, 4);
  any_convolution<std::uint8_t, float>("bytes to float", convolve_method::ring, 3);
}
TEST_CASE("any convolution of wider integers is rounded and saturated as documented") {
  any_convolution<std::uint16_t>("uint16", convolve_method::tile, 4);
  any_convolution<std::int16_t>("int16", convolve_method::rows, 4);
  any_convolution<std::int32_t>("int32", convolve_method::direct, 4);
}
TEST_CASE("any convolution of integers summed as integers is exact") {
  any_convolution<std::uint8_t, std::int16_t, std::int32_t>("to int16", convolve_method::rows, 4);
  any_convolution<std::uint8_t, std::uint8_t, std::int32_t>("bytes", convolve_method::direct, 3);
  any_convolution<std::int32_t, std::int32_t, std::int64_t>("int32", convolve_method::tile, 3);
}
