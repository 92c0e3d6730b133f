#pragma once
// Operands and options of convolutions of many channels.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <clprim/convolve/channels_policy.hpp>
#include <clprim/convolve/options.hpp>
#include <clprim/core/function.hpp>
#include <clprim/gemm/policy.hpp>
#include <clprim/gemm/precision.hpp>
#include <clprim/runtime/view.hpp>

namespace clprim {

/// A batch of images of many channels in a buffer without gaps: element (n, c, y, x) lies at
/// offset + ((n channels + c) height + y) width + x, or, with the channels last, at
/// offset + ((n height + y) width + x) channels + c.
template <class T> struct channels_view {
  cl_mem memory = nullptr;
  std::int64_t images = 0;
  std::int64_t channels = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t offset = 0;
  bool channels_last = false;

  constexpr std::int64_t size() const { return images * channels * height * width; }
};

/// A view of images x channels x height x width elements; of a filter, output channels x input
/// channels of a group x rows x columns.
template <class T>
channels_view<T> nchw(memory_handle buffer, std::int64_t images, std::int64_t channels,
                      std::int64_t height, std::int64_t width, std::int64_t offset = 0) {
  return {buffer(), images, channels, height, width, offset};
}

/// The same with the channels of a pixel side by side: images x height x width x channels elements;
/// of a filter, output channels x rows x columns x input channels of a group.
template <class T>
channels_view<T> nhwc(memory_handle buffer, std::int64_t images, std::int64_t height,
                      std::int64_t width, std::int64_t channels, std::int64_t offset = 0) {
  return {buffer(), images, channels, height, width, offset, true};
}

/// How an operation object is set up; every member may be left out.
struct channels_options {
  std::optional<channels_policy> policy{};
  /// Method product: how it is cut up; without it the library chooses as it does for products.
  std::optional<gemm_policy> product{};
  int groups = 1;  ///< input and output channels fall into as many; all input channels: depthwise
  axis_steps stride{};
  axis_steps dilation{};
  std::array<int, 2> padding{0, 0};  ///< pixels of zeros above and below, left and right
  /// Method product, of float: how exactly (gemm/precision.hpp); split_half is split_tf32 here.
  gemm_precision precision = gemm_precision::full;
  /// As convolve_options::map; `channel` is the output's, `z` is 0. Bias and activation go here.
  function map{};
  /// completion::none: calls return a null event. On in-order queues only.
  clprim::completion completion = clprim::completion::event;
  /// How exactly the kernels must compute (core/math_mode.hpp has the bounds).
  math_mode math = math_mode::precise;
};

namespace detail {

template <class T> footprint check_channels(const channels_view<T>& v, const std::string& name) {
  for (const auto& [value, what] : {std::pair{v.images, "images"},
                                    {v.channels, "channels"},
                                    {v.height, "height"},
                                    {v.width, "width"}}) {
    require_extent(value, what, name);
  }
  require_at_least(v.offset, 0, "offset", name, "must not be negative");
  if (v.images == 0 || v.channels == 0 || v.height == 0 || v.width == 0) return {};
  const auto plane = multiply_add(v.height, v.width, 0);
  const auto image = plane ? multiply_add(v.channels, *plane, 0) : std::nullopt;
  const auto all = image ? multiply_add(v.images, *image, 0) : std::nullopt;
  if (!all) fail_too_far(name);
  return footprint_in_bytes<T>({v.memory, v.offset, 1, *all, *all}, name);
}

}  // namespace detail

}  // namespace clprim
