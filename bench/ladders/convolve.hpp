#pragma once
// The lecture's ladder of aprons: three ways to load tile and apron with one output per item, then
// several outputs per item, windows in registers, and the library's choice.

#include <cmath>
#include <memory>
#include <optional>
#include <string>
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

inline void add_convolve_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  using namespace clprim;
  constexpr int size = 9;
  const int n = place.cpu() ? 1024 : 8192;
  const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const auto arrays = std::make_shared<lazy_arrays>(place, count);
  const auto taps = std::make_shared<std::vector<float>>(random_values<float>(size * size, 12));
  const auto add = [&](const std::string& name, std::optional<convolve_policy> policy,
                       const std::string& figure, bool object = false) {
    std::string text = figure;
    if (policy && policy->method == convolve_method::tile) {
      convolve_variant v;
      v.x.taps = v.y.taps = size;
      const active_items active = active_items_of(*policy, v);
      text = joined("active while loading " + fixed_text(100 * active.loading, 0) +
                        " %, computing " + fixed_text(100 * active.computing, 0) + " %",
                    figure);
    }
    const auto enter = [=] {
      const auto a = arrays->get();
      const auto run = std::make_shared<convolve<float>>(
          place.session.queue, convolve_options{.policy = policy, .filter_is_fixed = true});
      const auto f = std::make_shared<filter<float>>(filter_2d<float>(size, size, *taps));
      const cl::Image2D picture =
          object ? picture_of(place.session.context, a->host, n) : cl::Image2D();
      const auto call = [=] {
        (*run)(object ? image<float>(picture) : image<float>(a->x, n, n), *f,
               image<float>(a->y, n, n));
      };
      const auto wrong = [=]() -> std::string {
        const std::vector<float> got = a->result_of(call, count);
        for (const float value : got)
          if (std::isnan(value)) return "a pixel was not written";
        for (int k = 0; k < 400; ++k) {
          const int y = k < 200 ? k % 20 : k * 7919 % n, x = k * 104729 % n;
          double sum = 0, magnitude = 0;
          for (int ky = 0; ky < size; ++ky) {
            for (int kx = 0; kx < size; ++kx) {
              const int iy = y + ky - size / 2, ix = x + kx - size / 2;
              if (iy < 0 || ix < 0 || iy >= n || ix >= n) continue;
              const double product =
                  static_cast<double>((*taps)[static_cast<std::size_t>(ky * size + kx)]) *
                  static_cast<double>(
                      a->host[static_cast<std::size_t>(iy) * static_cast<std::size_t>(n) +
                              static_cast<std::size_t>(ix)]);
              sum += product;
              magnitude += std::fabs(product);
            }
          }
          const double error = std::fabs(
              static_cast<double>(got[static_cast<std::size_t>(y) * static_cast<std::size_t>(n) +
                                      static_cast<std::size_t>(x)]) -
              sum);
          if (!(error <= (size * size + 2) * 0x1p-24 * 1.001 * magnitude))
            return "(" + std::to_string(y) + ", " + std::to_string(x) + ") is off by " +
                   std::to_string(error);
        }
        return {};
      };
      return std::vector<contestant>{timed_call(place, call, wrong, text)};
    };
    rows.push_back({.name = "convolve-apron " + name,
                    .work = 2.0 * size * size * static_cast<double>(count),
                    .unit = "GFLOP/s",
                    .roof = "fma float",
                    .quick = true,
                    .flops_per_byte = size * size / 4.0,
                    .enter = enter});
  };
  convolve_policy p{.method = convolve_method::tile,
                    .items_x = 16,
                    .items_y = 16,
                    .per_item_x = 1,
                    .per_item_y = 1,
                    .vector = 1,
                    .apron = apron_load::item_per_pixel,
                    .filter = filter_place::value};
  const auto solution = [](const std::string& which, double active) {
    return textbook_figure{"Techniques: " + which + " solution", "tiles of 8 x 8, filters of 9 x 9",
                           active, "% of items compute"}
        .text();
  };
  add("an item for each pixel", p, solution("first", 25));
  p.apron = apron_load::several_loads;
  add("several loads per item", p, solution("second", 50));
  p.apron = apron_load::block_per_item;
  add("a block per item", p, solution("third", 100));
  p.per_item_y = 4;
  add("four outputs per item", p, "Volkov 2010: an item reads for several outputs");
  p.per_item_x = 4;
  add("4 x 4 outputs per item", p, "windows overlap in both directions");
  if (place.device.images)
    add("an image object", std::nullopt, "a sampler makes the border, 4 x 4 outputs", true);
  add("the library's choice", std::nullopt, "convolve/tuned.hpp");
}

}  // namespace bench
