#pragma once
// The lecture's ladder of aprons: three ways to load tile and apron with one output per item, then
// several outputs per item, windows in registers, and the library's choice.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <clprim/convolve.hpp>
#include <clprim/core/number_text.hpp>

#include "rung.hpp"

namespace bench {

/// An image object of n x n pixels.
inline cl::Image2D picture_of(const cl::Context& context, const std::vector<float>& pixels, int n) {
  const cl_image_format format{CL_R, CL_FLOAT};
  cl_image_desc what{};
  what.image_type = CL_MEM_OBJECT_IMAGE2D;
  what.image_width = what.image_height = static_cast<std::size_t>(n);
  std::vector<float> copy(pixels.begin(), pixels.begin() + static_cast<std::ptrdiff_t>(n) * n);
  cl_int code = CL_SUCCESS;
  cl::Image2D made(clCreateImage(context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &what,
                                 copy.data(), &code),
                   false);
  clprim::check(code, "clCreateImage");
  return made;
}

/// A rung of a convolution of float pixels with size x size taps.
struct convolve_rung {
  std::string name;
  std::optional<clprim::convolve_policy> policy{};
  std::string figure{};
  int size = 9;
  bool object = false;   ///< the image is an image object
  bool clamped = false;  ///< outside lies the pixel of the edge, not zero
  bool quick = true;
};

namespace detail {

/// What is wrong with a result at 400 places, of which half lie in the first rows.
inline std::string wrong_convolution(const std::vector<float>& got, const std::vector<float>& host,
                                     const std::vector<float>& taps, int size, int n,
                                     bool clamped) {
  for (const float value : got)
    if (std::isnan(value)) return "a pixel was not written";
  const auto pixel = [n](int y, int x) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(n) + static_cast<std::size_t>(x);
  };
  for (int k = 0; k < 400; ++k) {
    const int y = k < 200 ? k % 20 : k * 7919 % n, x = k * 104729 % n;
    double sum = 0, magnitude = 0;
    for (int ky = 0; ky < size; ++ky) {
      for (int kx = 0; kx < size; ++kx) {
        int iy = y + ky - size / 2, ix = x + kx - size / 2;
        if (clamped) iy = std::clamp(iy, 0, n - 1), ix = std::clamp(ix, 0, n - 1);
        if (iy < 0 || ix < 0 || iy >= n || ix >= n) continue;
        const double product = static_cast<double>(taps[static_cast<std::size_t>(ky * size + kx)]) *
                               static_cast<double>(host[pixel(iy, ix)]);
        sum += product;
        magnitude += std::fabs(product);
      }
    }
    const double error = std::fabs(static_cast<double>(got[pixel(y, x)]) - sum);
    if (!(error <= (size * size + 2) * 0x1p-24 * 1.001 * magnitude))
      return "(" + std::to_string(y) + ", " + std::to_string(x) + ") is off by " +
             std::to_string(error);
  }
  return {};
}

inline bench_row convolve_row(const suite_place& place, const std::shared_ptr<lazy_arrays>& arrays,
                              int n, const convolve_rung& r) {
  using namespace clprim;
  const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const auto taps = std::make_shared<std::vector<float>>(
      random_values<float>(static_cast<std::size_t>(r.size * r.size), 12));
  std::string text = r.figure;
  std::vector<std::pair<std::string, double>> numbers;
  if (r.policy && r.policy->method == convolve_method::tile) {
    convolve_variant v;
    v.x.taps = v.y.taps = r.size;
    const active_items active = active_items_of(*r.policy, v);
    text = joined("active while loading " + fixed_text(100 * active.loading, 0) + " %, computing " +
                      fixed_text(100 * active.computing, 0) + " %",
                  text);
    numbers = {{"active_loading", active.loading}, {"active_computing", active.computing}};
  }
  const auto enter = [=] {
    const auto a = arrays->get();
    convolve_options options{.policy = r.policy, .filter_is_fixed = true};
    if (r.clamped) options.border = border_mode::replicate;
    const auto run = std::make_shared<convolve<float>>(place.session.queue, options);
    const auto f = std::make_shared<filter<float>>(filter_2d<float>(r.size, r.size, *taps));
    const cl::Image2D picture =
        r.object ? picture_of(place.session.context, a->host, n) : cl::Image2D();
    const auto call = [=] {
      (*run)(r.object ? image<float>(picture) : image<float>(a->x, n, n), *f,
             image<float>(a->y, n, n));
    };
    const auto wrong = [=] {
      return wrong_convolution(a->result_of(call, count), a->host, *taps, r.size, n, r.clamped);
    };
    return std::vector<contestant>{timed_call(place, call, wrong, text)};
  };
  return {.name = r.name,
          .work = 2.0 * r.size * r.size * static_cast<double>(count),
          .unit = "GFLOP/s",
          .roof = "fma float",
          .quick = r.quick,
          .flops_per_byte = r.size * r.size / 4.0,
          .enter = enter,
          .numbers = numbers};
}

}  // namespace detail

inline void add_convolve_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  using namespace clprim;
  const int n = place.cpu() ? 1024 : 8192;
  const auto arrays = std::make_shared<lazy_arrays>(
      place, static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  const auto add = [&](convolve_rung r) {
    r.name = "convolve-apron " + r.name;
    rows.push_back(detail::convolve_row(place, arrays, n, r));
  };
  add({.name = "untiled, every tap from memory",
       .policy =
           convolve_policy{
               .items_x = 16, .items_y = 16, .per_item_x = 1, .per_item_y = 1, .vector = 1},
       .figure = "Techniques: the simplest solution"});
  const auto solution = [](const std::string& which, double active) {
    return textbook_figure{"Techniques: " + which + " solution", "tiles of 8 x 8, filters of 9 x 9",
                           active, "% of items compute"}
        .text();
  };
  convolve_policy p{.method = convolve_method::tile,
                    .items_x = 16,
                    .items_y = 16,
                    .per_item_x = 1,
                    .per_item_y = 1,
                    .vector = 1,
                    .apron = apron_load::item_per_pixel,
                    .filter = filter_place::value};
  for (const int side : {8, 16}) {
    const std::string tile = ", tiles of " + std::to_string(side);
    p.items_x = p.items_y = side;
    p.apron = apron_load::item_per_pixel;
    add({.name = "an item for each pixel" + tile, .policy = p, .figure = solution("first", 25)});
    p.apron = apron_load::several_loads;
    add({.name = "several loads per item" + tile, .policy = p, .figure = solution("second", 50)});
    p.apron = apron_load::block_per_item;
    add({.name = "a block per item" + tile, .policy = p, .figure = solution("third", 100)});
  }
  add({.name = "a block per item, edges clamped",
       .policy = p,
       .figure = "Techniques: the apron is clamped to the edge, or zero",
       .clamped = true});
  p.per_item_y = 4;
  add({.name = "four outputs per item",
       .policy = p,
       .figure = "Volkov 2010: an item reads for several outputs"});
  p.per_item_x = 4;
  add({.name = "4 x 4 outputs per item",
       .policy = p,
       .figure = "windows overlap in both directions"});
  if (place.device.images)
    add({.name = "an image object",
         .figure = "a sampler makes the border, 4 x 4 outputs",
         .object = true});
  add({.name = "the library's choice", .figure = "convolve/tuned.hpp"});
  add({.name = "the library's choice, edges clamped",
       .figure = "Techniques: the apron is clamped to the edge, or zero",
       .clamped = true});
}

/// ETH's example of reuse: a Gaussian of 3 x 3, from the loop over memory to tiles with a halo.
inline void add_halo_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  using namespace clprim;
  const int n = place.cpu() ? 1024 : 8192;
  const auto arrays = std::make_shared<lazy_arrays>(
      place, static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  const auto add = [&](convolve_rung r) {
    r.name = "halo " + r.name;
    r.size = 3;
    rows.push_back(detail::convolve_row(place, arrays, n, r));
  };
  convolve_policy p{.items_x = 32, .items_y = 8, .per_item_x = 1, .per_item_y = 1, .vector = 1};
  add({.name = "3 x 3 untiled", .policy = p, .figure = "ETH: neighbours read the same pixels"});
  p.method = convolve_method::tile;
  p.apron = apron_load::several_loads;
  p.items_x = p.items_y = 8;
  add({.name = "3 x 3, tiles of 8 + 2", .policy = p, .figure = "ETH: tiles of (L + 2) (L + 2)"});
  p.items_x = p.items_y = 16;
  add({.name = "3 x 3, tiles of 16 + 2", .policy = p, .figure = "ETH: tiles of (L + 2) (L + 2)"});
  p.apron = apron_load::block_per_item;  // 32 x 32 items are as many as a group may have
  p.items_x = 32;
  p.items_y = 32 * 32 <= place.device.max_work_group ? 32 : 8;
  add({.name = "3 x 3, tiles of 32 + 2", .policy = p, .figure = "ETH: tiles of (L + 2) (L + 2)"});
  add({.name = "3 x 3, the library's choice", .figure = "windows in registers, no tile"});
}

}  // namespace bench
