// More work-groups along y or z than devices start: tall images, large batches, many channels.

#include <string>

#include <doctest/doctest.h>

#include "convolve/drawn.hpp"
#include "convolve/drawn_layer.hpp"

using namespace clprim;
using namespace support;

namespace {

/// A convolution of few columns whose rows, or images of the batch, make more groups than that.
std::string complaint_of_grid(draw& d, convolve_method method, bool tall) {
  drawn_convolution c;
  c.channels = d.one_of({1, 3});
  const draw_limits limits{.taps = 3, .stepped = false};
  c.extent = output_extent::same;
  for (drawn_axis* const a : {&c.axes[0], &c.axes[1]}) {
    *a = draw_axis(d, c, a == &c.axes[0] ? 40 : 4, limits);
    a->anchor = 0;
  }
  convolve_options options = options_of(c);
  convolve_policy p = draw_convolve_policy(d, method);
  p.items_y = p.per_item_y = 1;
  p.apron = apron_load::block_per_item;
  if (method == convolve_method::ring) p.strip = 5;
  if (method == convolve_method::rows) p.strip = 1;
  const int rows = method == convolve_method::ring ? 5 : 1;
  if (tall) c.axes[1].inside = 66'000 * rows;
  if (!tall) c.batch = 66'000;
  options.policy = p;
  return complaint_of<float, float, float>(d, device_session(), c, options);
}

}  // namespace

TEST_CASE("images of any number of rows and batches of any number of images are convolved") {
  for (const convolve_method method : {convolve_method::direct, convolve_method::tile,
                                       convolve_method::ring, convolve_method::rows})
    for (const bool tall : {true, false}) {
      draw d(7);
      CHECK(complaint_of_grid(d, method, tall) == "");
    }
}

TEST_CASE("layers of any number of images and of groups are convolved") {
  draw d(8);
  CHECK(complaint_of_layer<float>(d, layer_policy::direct, {.images = 66'000}) == "");
  CHECK(complaint_of_layer<float>(d, layer_policy::product, {.groups = 66'000}) == "");
}
