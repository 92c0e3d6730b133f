#pragma once
// A convolution in the terms of the choice of its policy.

#include <array>
#include <cstdint>

namespace clprim {

/// A convolution in the terms of the choice.
struct convolve_size {
  int taps_x = 1, taps_y = 1, taps_z = 1;
  bool separable = false;
  bool stepped_x = false;  ///< stride along x
  bool stepped_y = false;  ///< stride or dilation along y
  bool stepped_z = false;  ///< stride or dilation along z
  int channels = 1;
  int reach = 0;           ///< elements between the first and the last tap of a row
  std::int64_t width = 0;  ///< elements of an output row
  std::int64_t height = 0;
  int in_bytes = 4;
  int sum_bytes = 4;
  bool fixed = false;                            ///< coefficients may go into the source
  bool in_buffer = false;                        ///< coefficients are on the device
  bool in_object = false;                        ///< pixels are in an image object
  bool out_object = false;                       ///< and go to one
  bool converted = false;                        ///< pixels are not of the sums' type
  bool aligned = true;                           ///< rows begin at multiples of four elements
  bool transforms = false;                       ///< method fft may be chosen
  std::array<std::int64_t, 3> outputs{1, 1, 1};  ///< x, y, z
  std::int64_t images = 1;                       ///< of one channel
  std::array<int, 3> strides{1, 1, 1}, dilations{1, 1, 1};
};

}  // namespace clprim
