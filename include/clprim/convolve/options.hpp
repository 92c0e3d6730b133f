#pragma once
// How a convolution is set up: borders, sizes, steps, rounding, the way out.

#include <array>
#include <optional>

#include <clprim/convolve/element.hpp>
#include <clprim/convolve/policy.hpp>
#include <clprim/core/border.hpp>
#include <clprim/core/function.hpp>
#include <clprim/core/math_mode.hpp>
#include <clprim/runtime/launch.hpp>

namespace clprim {

/// What the coefficients meet: w[k] x[i + k - anchor], as image processing and neural networks have
/// it (OpenCV, cuDNN), or w[k] x[i - (k - anchor)], as mathematics has.
enum class sliding { correlation, convolution };

/// How large the output is for n pixels and a filter that spans s of them, before the stride.
enum class output_extent {
  same,   ///< n: a place for each of the image's
  valid,  ///< n - s + 1: where all taps lie in the image (of a region: in the region)
  full,   ///< n + s - 1: where any tap does
};

/// Steps along x, y and z.
struct axis_steps {
  int x = 1;
  int y = 1;
  int z = 1;
  friend constexpr bool operator==(const axis_steps&, const axis_steps&) = default;
};

/// How an operation object is set up; every member may be left out.
struct convolve_options {
  /// The policy; without one the library chooses per problem (convolve/tuned.hpp).
  std::optional<convolve_policy> policy{};
  sliding direction = sliding::correlation;
  output_extent extent = output_extent::same;
  /// What lies outside, of a region: outside all that surrounds it.
  image_border border{};
  double border_value = 0;  ///< of border_mode::constant, in all channels
  axis_steps stride{};      ///< from one output to the next, in pixels
  axis_steps dilation{};    ///< from one tap to the next, in pixels
  /// Text applied to each sum before it is rounded: the body of a function that sees `value` (in
  /// the accumulator's type), int `x`, `y`, `z`, `channel`, `batch` of the output, and its own
  /// parameters, and returns the value to store.
  function map{};
  pixel_rounding rounding = pixel_rounding::nearest_even;  ///< to integers, which saturate
  /// Large filters of floating-point images may go through transforms where that costs less. Their
  /// rounding errors are then in proportion to the largest pixels of a tile, not to those under the
  /// filter, and a NaN or an infinity spreads over its tile.
  bool transforms = true;
  bool find_separable = false;  ///< run dense filters of rank 1 as separable ones (separate.hpp)
  /// The same coefficients come again and again: the library may put them into the source, which
  /// is faster from 9 x 9 taps on and costs a build for each new set.
  bool filter_is_fixed = false;
  /// completion::none: calls return a null event, which takes less of the host's time. On in-order
  /// queues only.
  clprim::completion completion = clprim::completion::event;
  /// How exactly the kernels must compute (core/math_mode.hpp has the bounds).
  math_mode math = math_mode::precise;
};

}  // namespace clprim
