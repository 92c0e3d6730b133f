#pragma once
// Image objects read through the texture cache, which is made for neighbours in two dimensions: the
// items of a warp read along a row, or down a column, of an image object and of a buffer.

#include <memory>
#include <string>
#include <vector>

#include "convolve.hpp"
#include "negative.hpp"
#include "text_rung.hpp"

namespace bench {

namespace detail {

/// Item (x, y) of groups of 32 x 8 adds the pixels (x, y) and (x + 1, y + 1), or where COLUMNS
/// those with x and y exchanged; what lies outside counts as the last row or column.
inline constexpr const char* images_text = R"cl(
#if COLUMNS
#define AT(dx, dy) (int2)(min(y + (dy), n - 1), min(x + (dx), n - 1))
#else
#define AT(dx, dy) (int2)(min(x + (dx), n - 1), min(y + (dy), n - 1))
#endif
#if OBJECT
#define IN __read_only image2d_t
__constant sampler_t plain =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#define PIXEL(at) read_imagef(in, plain, at).x
#else
#define IN __global const float *
#define PIXEL(at) in[(size_t)(at).y * (size_t)n + (size_t)(at).x]
#endif
__kernel void pixels(IN in, __global float *out, int n)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    out[(size_t)y * (size_t)n + (size_t)x] = PIXEL(AT(0, 0)) + PIXEL(AT(1, 1));
}
)cl";

}  // namespace detail

inline void add_image_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const int n = place.cpu() ? 1024 : 8192;
  const auto side = static_cast<std::size_t>(n);
  const auto arrays = std::make_shared<lazy_arrays>(place, side * side);
  const auto add = [&](bool columns, bool object, const std::string& figure) {
    const auto enter = [=] {
      const auto a = arrays->get();
      const std::string text = "#define COLUMNS " + std::to_string(columns ? 1 : 0) +
                               "\n#define OBJECT " + std::to_string(object ? 1 : 0) + "\n" +
                               detail::images_text;
      const auto program = clprim::build(place.session.context, place.session.device, text);
      const cl::Kernel kernel = clprim::make_kernel(*program, "pixels");
      const cl::Image2D picture =
          object ? picture_of(place.session.context, a->host, n) : cl::Image2D();
      if (object)
        clprim::set_args(kernel(), picture, a->y, cl_int{n});
      else
        clprim::set_args(kernel(), a->x, a->y, cl_int{n});
      // The kernel does not keep its image; the closure does.
      const auto call = [=, kept = picture] {
        clprim::enqueue(a->queue(), kernel(), clprim::launch{2, {side, side, 1}, {32, 8, 1}});
      };
      const auto wrong = [=]() -> std::string {
        const std::vector<float> got = a->result_of(call, side * side);
        const auto pixel = [&](std::size_t x, std::size_t y) {
          if (columns) std::swap(x, y);
          return a->host[std::min(y, side - 1) * side + std::min(x, side - 1)];
        };
        for (std::size_t y = 0; y < side; y += y < 64 || y + 64 > side ? 1 : 61)
          for (std::size_t x = 0; x < side; ++x)
            if (got[y * side + x] != pixel(x, y) + pixel(x + 1, y + 1))
              return "(" + std::to_string(x) + ", " + std::to_string(y) + ")";
        return {};
      };
      return std::vector<contestant>{timed_call(place, call, wrong, figure)};
    };
    rows.push_back({.name = std::string("images ") + (columns ? "columns" : "rows") +
                            (object ? " of an image object" : " of a buffer"),
                    .work = 8.0 * n * n,
                    .roof = "copy",
                    .quick = true,
                    .enter = enter});
  };
  add(false, false, "Guide 3.1.2.4: what the others are held against");
  add(true, false, "Guide 3.1.2.1: the lanes of a warp read a column");
  if (!place.device.images) return;
  add(false, true, "Guide 3.1.2.4: through the texture cache");
  add(true, true, "Guide 3.1.2.4: neighbours in two dimensions, whatever the direction");
}

}  // namespace bench
