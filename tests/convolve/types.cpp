// The same of other types than float: rounding and saturation are as documented.

#include <cstdint>

#include <doctest/doctest.h>

#include "convolve/any.hpp"

using namespace clprim;
using namespace support;

CAMPAIGN("any convolution of half and double") {
  any_convolution<half>("half", convolve_method::direct, 4);
  any_convolution<half, float>("half to float", convolve_method::rows, 4);
  any_convolution<double>("double", convolve_method::ring, 4);
  any_convolution<double>("separable double", convolve_method::ring, 3, {.separable = true});
}
CAMPAIGN("any convolution of bytes is rounded and saturated as documented") {
  any_convolution<std::uint8_t>("bytes by rows", convolve_method::rows, 5);
  any_convolution<std::uint8_t>("bytes in registers", convolve_method::direct, 5);
  any_convolution<std::uint8_t>("separable bytes", convolve_method::rows, 4, {.separable = true});
  any_convolution<std::uint8_t, float>("bytes to float", convolve_method::ring, 3);
}
CAMPAIGN("any convolution of wider integers is rounded and saturated as documented") {
  any_convolution<std::uint16_t>("uint16", convolve_method::tile, 4);
  any_convolution<std::int16_t>("int16", convolve_method::rows, 4);
  any_convolution<std::int32_t>("int32", convolve_method::direct, 4);
}
CAMPAIGN("any convolution of integers summed as integers is exact") {
  any_convolution<std::uint8_t, std::int16_t, std::int32_t>("to int16", convolve_method::rows, 4);
  any_convolution<std::uint8_t, std::uint8_t, std::int32_t>("bytes, exact", convolve_method::direct,
                                                            4);
  any_convolution<std::int32_t, std::int32_t, std::int64_t>("int32, exact", convolve_method::tile,
                                                            4);
}
