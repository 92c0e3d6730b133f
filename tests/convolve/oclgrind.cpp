// Each kernel once with its borders, small enough to be interpreted: no race, no access out of
// bounds, nothing read that was not written.

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "convolve/reference.hpp"

using namespace clprim;
using namespace support;

namespace {

drawn_convolution small_convolution() {
  drawn_convolution c;
  c.axes[0] = {.inside = 21, .taps = 3, .border = {border_mode::reflect, border_mode::constant}};
  c.axes[1] = {.inside = 7, .before = 1, .taps = 5, .border = border_mode::wrap};
  c.gap = 3;
  return c;
}

void check(const convolve_policy& p, bool separable) {
  drawn_convolution c = small_convolution();
  c.separable = separable;
  draw d(7);
  convolve_options o = options_of(c);
  o.policy = p;
  CHECK(complaint_of<float, float, float>(d, device_session(), c, o) == "");
}

}  // namespace

TEST_CASE("direct, tile, ring, line_buffer and rows run clean" * doctest::test_suite("oclgrind")) {
  check({.items_x = 4, .items_y = 2}, false);
  for (const apron_load apron :
       {apron_load::item_per_pixel, apron_load::several_loads, apron_load::block_per_item}) {
    check({.method = convolve_method::tile,
           .items_x = 4,
           .items_y = 4,
           .per_item_x = 1,
           .per_item_y = 1,
           .vector = 1,
           .apron = apron},
          false);
  }
  for (const bool separable : {false, true}) {
    check({.method = convolve_method::ring,
           .items_x = 4,
           .items_y = 1,
           .per_item_y = 1,
           .strip = 4,
           .in_flight = 2},
          separable);
    check({.method = convolve_method::rows, .items_x = 1, .items_y = 1, .strip = 4, .columns = 12},
          separable);
  }
  check({.method = convolve_method::line_buffer,
         .items_x = 4,
         .items_y = 1,
         .per_item_x = 3,
         .per_item_y = 2,
         .vector = 1,
         .strip = 4},
        true);
  check({.method = convolve_method::rows,
         .items_x = 1,
         .items_y = 1,
         .strip = 4,
         .columns = 12,
         .staged = false},
        false);
}

TEST_CASE("tiles for transforms run clean" * doctest::test_suite("oclgrind")) {
  drawn_convolution c = small_convolution();
  c.axes[1].inside = 4;
  draw d(7);
  convolve_options o = options_of(c);
  o.policy = convolve_policy{.method = convolve_method::fft,
                             .items_x = 8,
                             .items_y = 1,
                             .per_item_x = 1,
                             .per_item_y = 1,
                             .vector = 1,
                             .strip = 8,
                             .columns = 16,
                             .filter = filter_place::buffer};
  CHECK(complaint_of<float, float, float>(d, device_session(), c, o) == "");
}
