#pragma once
// Every border mode around a small picture, on one sheet.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "darkroom.hpp"

namespace examples {

/// What each border mode sees around a small picture: the filter that changes nothing, whose full
/// output is the picture with its apron.
inline void borders(darkroom& d) {
  using enum clprim::border_mode;
  const int apron = 60, gap = 6, columns = 3;
  const std::int64_t width = std::min(150, d.picture().width - 40),
                     height = std::min(100, d.picture().height - 40);
  // A part of the picture whose surroundings are not looked at.
  const auto part = d.from()
                        .region(d.picture().height / 3 - height / 2,
                                d.picture().width * 17 / 25 - width / 2, height, width)
                        .isolated();
  std::vector<float> one(2 * apron + 1);
  one[apron] = 1;
  const auto same = clprim::separable_filter<float>(one, one);
  const struct {
    const char* name;
    clprim::image_border border;
  } modes[] = {{"constant (a value of 160)", constant},
               {"replicate", replicate},
               {"reflect", reflect},
               {"reflect_101", reflect_101},
               {"wrap", wrap},
               {"left none, right wrap; above replicate, below constant",
                {{none, wrap}, {replicate, constant}}}};
  const int cell_width = static_cast<int>(width) + 2 * apron,
            cell_height = static_cast<int>(height) + 2 * apron;
  image sheet{.width = columns * (cell_width + gap) + gap,
              .height = 2 * (cell_height + gap) + gap,
              .rgb = {}};
  sheet.rgb.assign(3 * sheet.pixels(), 30);
  int place = 0;
  for (const auto& mode : modes) {
    clprim::convolve<std::uint8_t> extend(
        d.on().queue,
        {.extent = clprim::output_extent::full, .border = mode.border, .border_value = 160});
    const auto extent = extend.extent(part, same);
    const auto pixels = static_cast<std::size_t>(3 * extent[0] * extent[1]);
    const cl::Buffer out = make_buffer<std::uint8_t>(d.on(), pixels);
    detail::wait(
        extend(part, same, clprim::image<std::uint8_t>(out, extent[1], extent[0]).channels(3)));
    const auto rgb = download<std::uint8_t>(d.on(), out, pixels);
    // Without an apron on the left the cell is narrower: its right edge stays where it is.
    const int left = gap + place % columns * (cell_width + gap) + cell_width -
                     static_cast<int>(extent[0]),
              top = gap + place / columns * (cell_height + gap);
    const int cut = cell_width - static_cast<int>(extent[0]), across = static_cast<int>(extent[0]);
    for (int y = 0; y < static_cast<int>(extent[1]); ++y) {
      for (int x = 0; x < across; ++x) {
        const int inner_x = x - (apron - cut), inner_y = y - apron;
        const bool frame =
            ((inner_x == -1 || inner_x == width) && inner_y >= -1 && inner_y <= height) ||
            ((inner_y == -1 || inner_y == height) && inner_x >= -1 && inner_x <= width);
        for (int c = 0; c < 3; ++c) {
          const auto at = [c](int row, int row_length, int column) {
            const auto pixel =
                static_cast<std::size_t>(row) * static_cast<std::size_t>(row_length) +
                static_cast<std::size_t>(column);
            return pixel * 3 + static_cast<std::size_t>(c);
          };
          const std::uint8_t value = frame ? std::uint8_t{255} : rgb[at(y, across, x)];
          sheet.rgb[at(top + y, sheet.width, left + x)] = value;
        }
      }
    }
    std::printf("borders      %d: %s\n", ++place, mode.name);
  }
  d.save(sheet, "borders");
}

}  // namespace examples
