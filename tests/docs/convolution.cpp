// The snippets of docs/convolution.md.

#include <doctest/doctest.h>

#include <clprim/convolve.hpp>

#include "docs/here.hpp"

using docs::filled;

TEST_CASE("filters dense and separable, and a layer") {
  const cl::CommandQueue& queue = support::device_session().queue;
  constexpr int height = 4, width = 5;
  const cl::Buffer a = filled<float>(height * width, 1), b = filled<float>(height * width, 0);
  const std::vector<float> taps(9, 1.f / 8);
  // [call]
  clprim::convolve<float> blur(queue, {.border = clprim::border_mode::reflect_101});
  blur(clprim::image<float>(a, height, width), clprim::filter_2d<float>(3, 3, taps),
       clprim::image<float>(b, height, width));
  // [end]
  CHECK(docs::read<float>(b, 1)[0] == 9.f / 8);
  // [separable]
  const std::vector<float> column{0.25f, 0.5f, 0.25f}, row = column;
  blur(clprim::image<float>(a, height, width), clprim::separable_filter<float>(column, row),
       clprim::image<float>(b, height, width));
  // [end]
  CHECK(docs::read<float>(b, 1)[0] == 1);
  // [bytes]
  clprim::convolve<std::uint8_t> smooth(queue, {.border = clprim::border_mode::replicate});
  const auto in = [](const cl::Buffer& rgb) {
    return clprim::image<std::uint8_t>(rgb, height, width).channels(3);
  };
  // [end]
  const cl::Buffer from = filled<std::uint8_t>(60, 8), to = filled<std::uint8_t>(60, 0);
  smooth(in(from), clprim::filter_2d<float>(3, 3, taps), in(to));
  CHECK(docs::read<std::uint8_t>(to, 1)[0] == 9);
  const cl::Buffer x = filled<float>(2 * 3 * 16, 1), w = filled<float>(4 * 3 * 9, 1),
                   y = filled<float>(2 * 4 * 16, 0);
  // [layer]
  clprim::convolve_channels<float> layer(
      queue, {.padding = {1, 1}, .map = {"return fmax(value, 0);", {}}});
  layer(clprim::nchw<float>(x, 2, 3, 4, 4), clprim::nchw<float>(w, 4, 3, 3, 3),
        clprim::nchw<float>(y, 2, 4, 4, 4));
  // [end]
  CHECK(docs::read<float>(y, 6)[5] == 27);
  // [precise layer]
  clprim::convolve_channels<float> exact(
      queue, {.padding = {1, 1}, .precision = clprim::gemm_precision::split_tf32});
  exact(clprim::nchw<float>(x, 2, 3, 4, 4), clprim::nchw<float>(w, 4, 3, 3, 3),
        clprim::nchw<float>(y, 2, 4, 4, 4));
  // [end]
  CHECK(docs::read<float>(y, 6)[5] == 27);
}
