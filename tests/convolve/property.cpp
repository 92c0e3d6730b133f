// Any convolution, under any policy that can be built, is the sum of its products within the bound.

#include <cstdint>

#include <doctest/doctest.h>

#include "convolve/any.hpp"

using namespace clprim;
using namespace support;

CAMPAIGN("any convolution of float by windows in registers") {
  any_convolution<float>("direct", convolve_method::direct, 16);
}
CAMPAIGN("any convolution of float by tiles with aprons") {
  any_convolution<float>("tile", convolve_method::tile, 14);
}
CAMPAIGN("any convolution of float by a ring of rows") {
  any_convolution<float>("ring", convolve_method::ring, 14);
}
CAMPAIGN("any convolution of float by wide rows") {
  any_convolution<float>("rows", convolve_method::rows, 14);
}
CAMPAIGN("any convolution of volumes") {
  any_convolution<float>("direct 3-D", convolve_method::direct, 5, {.taps = 3, .deep = true});
  any_convolution<float>("tile 3-D", convolve_method::tile, 4, {.taps = 3, .deep = true});
}
CAMPAIGN("any convolution by transforms") {
  any_convolution<float>("fft", convolve_method::fft, 6);
  any_convolution<float>("fft 3-D", convolve_method::fft, 2, {.taps = 3, .deep = true});
  any_convolution<std::uint8_t, float>("fft of bytes", convolve_method::fft, 2);
  if (facts_of(device_session().device).fp64)
    any_convolution<double>("fft double", convolve_method::fft, 2);
}
CAMPAIGN("any separable convolution") {
  const draw_limits plane{.separable = true}, deep{.taps = 4, .deep = true, .separable = true};
  any_convolution<float>("separable ring", convolve_method::ring, 8, plane);
  any_convolution<float>("separable rows", convolve_method::rows, 8, plane);
  any_convolution<float>("separable line buffer", convolve_method::line_buffer, 8,
                         {.taps = 9, .separable = true});
  any_convolution<std::uint8_t, float>("separable line buffer of bytes",
                                       convolve_method::line_buffer, 2, plane);
  any_convolution<float>("separable 3-D by line buffers", convolve_method::line_buffer, 2, deep);
  any_convolution<float>("separable by windows or in passes", convolve_method::direct, 12, plane);
  any_convolution<std::uint8_t, float>("separable by windows, of bytes", convolve_method::direct, 3,
                                       plane);
  any_convolution<float>("separable 3-D by windows", convolve_method::direct, 4, deep);
  any_convolution<float>("separable 3-D", convolve_method::rows, 3, deep);
  any_convolution<float>("separable 3-D on rings", convolve_method::ring, 2, deep);
}
