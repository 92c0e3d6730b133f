// A covering set of policies of each method, on images around their tiles.

#include "support/covering.hpp"

#include <optional>
#include <string>

#include <doctest/doctest.h>

#include "convolve/drawn.hpp"

using namespace clprim;
using namespace support;

namespace {

/// Small enough to be interpreted.
convolve_policy draw_small(draw& d, convolve_method method) {
  while (true) {
    const convolve_policy p = draw_convolve_policy(d, method);
    if (p.items_x * p.items_y * p.per_item_x * p.per_item_y > 512) continue;
    const bool tall = p.method == convolve_method::direct || p.method == convolve_method::tile;
    if (!tall && p.strip > 16) continue;
    if (method == convolve_method::fft && p.columns > 32) continue;
    return p;
  }
}

drawn_convolution convolution_of(draw& d, const convolve_policy& p, int size) {
  const bool rows = p.method == convolve_method::rows, fft = p.method == convolve_method::fft,
             lines = p.method == convolve_method::line_buffer, strips = walks_strips(p.method);
  const int width = rows || fft ? std::min(p.columns, 64)
                    : lines     ? p.items_x / p.per_item_y * p.per_item_x
                                : p.items_x * p.per_item_x,
            height = strips || fft ? p.strip : p.items_y * p.per_item_y;
  while (true) {
    drawn_convolution c =
        draw_convolution(d, {.taps = 5, .stepped = !strips, .separable = size == 2 || lines});
    c.axes[0].inside = size == 0 ? 1 : size == 1 ? std::max(1, width - 1) : width + 1;
    c.axes[1].inside = size == 0 ? 1 : size == 1 ? height + 1 : std::max(1, height - 1);
    // Sides of two kinds are for aprons that lie within the image.
    for (drawn_axis& a : c.axes) a.border.upper = a.border.lower;
    if (has_outputs(c)) return c;
  }
}

void cover(const char* name, convolve_method method, int usually) {
  run_covering(
      name, usually, 3, [=](draw& d) { return draw_small(d, method); },
      [](draw& d, const convolve_policy& p, int size) -> std::optional<std::string> {
        const drawn_convolution c = convolution_of(d, p, size);
        convolve_options options = options_of(c);
        options.policy = p;
        const bool in_buffer =
            p.filter == filter_place::constant || p.filter == filter_place::buffer;
        try {
          const std::string complaint = complaint_of<float, float, float>(
              d, device_session(), c, options, in_buffer && d.chance(30));
          return complaint.empty() ? complaint : complaint + "\n" + text_of(c);
        } catch (const policy_error&) {
          return std::nullopt;  // more than the device has, or not for this filter
        }
      });
}

}  // namespace

TEST_SUITE_BEGIN("oclgrind");

TEST_CASE("windows in registers under a covering set of policies touch what is theirs") {
  cover("method direct", convolve_method::direct, 2);
}
TEST_CASE("tiles in local memory under a covering set of policies touch what is theirs") {
  cover("method tile", convolve_method::tile, 2);
}
TEST_CASE("rings of rows under a covering set of policies touch what is theirs") {
  cover("method ring", convolve_method::ring, 2);
}
TEST_CASE("line buffers under a covering set of policies touch what is theirs") {
  cover("method line_buffer", convolve_method::line_buffer, 2);
}
TEST_CASE("strips of one item under a covering set of policies touch what is theirs") {
  cover("method rows", convolve_method::rows, 1);
}
TEST_CASE("transformed tiles under a covering set of policies touch what is theirs") {
  cover("method fft", convolve_method::fft, 1);
}

TEST_SUITE_END();
