// Filters on a picture: Gaussian blur, Sobel edges, unsharp mask, a bokeh of large radius, and all
// border modes on one contact sheet.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <clprim/convolve.hpp>
#include <clprim/copy.hpp>

#include "support/device.hpp"
#include "support/image.hpp"
#include "support/scene.hpp"
#include "support/terminal.hpp"

namespace {

using namespace examples;
using byte = std::uint8_t;

/// A Gaussian cut off at three standard deviations, its sum 1.
std::vector<float> gaussian(float sigma) {
  const int radius = static_cast<int>(std::ceil(3 * sigma));
  std::vector<float> taps;
  float sum = 0;
  for (int i = -radius; i <= radius; ++i) {
    const float at = static_cast<float>(i) / sigma;
    taps.push_back(std::exp(-0.5f * at * at));
    sum += taps.back();
  }
  for (float& t : taps) t /= sum;
  return taps;
}

/// The opening of a lens: a disc, softer in the middle than at its rim.
clprim::filter<float> lens(int radius) {
  const int size = 2 * radius + 1;
  std::vector<float> taps;
  float sum = 0;
  for (int y = -radius; y <= radius; ++y) {
    for (int x = -radius; x <= radius; ++x) {
      const float away = std::sqrt(static_cast<float>(x * x + y * y)) / static_cast<float>(radius);
      taps.push_back(away <= 1 ? 0.6f + 0.4f * away * away : 0.0f);
      sum += taps.back();
    }
  }
  for (float& t : taps) t /= sum;
  return clprim::filter_2d<float>(size, size, taps);
}

class darkroom {
 public:
  darkroom(const clprim::session& on, const image& picture, std::filesystem::path folder)
    : on_(on),
      picture_(picture),
      folder_(std::move(folder)),
      source_(upload(on, picture.rgb)),
      target_(make_buffer<byte>(on, picture.rgb.size())) {}

  clprim::image_view<byte> from() const { return view<byte>(source_); }
  clprim::image_view<byte> to() const { return view<byte>(target_); }
  template <class T> clprim::image_view<T> view(const cl::Buffer& buffer) const {
    return clprim::image<T>(buffer, picture_.height, picture_.width).channels(3);
  }
  const clprim::session& on() const { return on_; }
  const image& picture() const { return picture_; }
  std::size_t size() const { return picture_.rgb.size(); }
  const cl::Buffer& source() const { return source_; }
  const cl::Buffer& target() const { return target_; }

  /// Times a way to fill the target, and writes it as a picture.
  template <class Run> void develop(const std::string& name, const std::string& how, Run run) {
    const timing time = measure(on_, run);
    image result = picture_;
    result.rgb = download<byte>(on_, target_, size());
    save(result, name);
    std::printf("%-12s %-58s %10s\n", name.c_str(), how.c_str(), duration(time.median).c_str());
  }
  void save(const image& picture, const std::string& name) const {
    save_png(picture, folder_ / (name + ".png"));
  }

 private:
  clprim::session on_;
  image picture_;
  std::filesystem::path folder_;
  cl::Buffer source_, target_;
};

void blur(darkroom& d) {
  const std::vector<float> taps = gaussian(4);
  clprim::convolve<byte> filter(d.on().queue, {.border = clprim::border_mode::reflect_101});
  const auto gauss = clprim::separable_filter<float>(taps, taps);
  d.develop("blur", "Gaussian, " + std::to_string(taps.size()) + " taps, separable",
            [&] { return filter(d.from(), gauss, d.to()); });
}

/// The length of the gradient by Sobel's two filters, each separable.
void edges(darkroom& d) {
  clprim::convolve<byte, float> slope(d.on().queue, {.border = clprim::border_mode::replicate});
  const cl::Buffer across = make_buffer<float>(d.on(), d.size()),
                   down = make_buffer<float>(d.on(), d.size());
  const auto dx = clprim::separable_filter<float>({1, 2, 1}, {-1, 0, 1});
  const auto dy = clprim::separable_filter<float>({-1, 0, 1}, {1, 2, 1});
  clprim::map<byte, float, float> length(
      d.on().queue, {.map = {"return convert_uchar_sat_rte(0.5f * sqrt(x0 * x0 + x1 * x1));", {}}});
  const auto n = static_cast<std::int64_t>(d.size());
  d.develop("edges", "Sobel, two separable filters of 3 taps and a map", [&] {
    slope(d.from(), dx, d.view<float>(across));
    slope(d.from(), dy, d.view<float>(down));
    return length({clprim::vector<float>(across, n), clprim::vector<float>(down, n)},
                  clprim::vector<byte>(d.target(), n));
  });
}

/// Original plus what a blur has taken away, in the blur's own kernel.
void sharpen(darkroom& d) {
  const char* const text =
      "const float own = original[(y * width + x) * 3 + channel];\n"
      "return own + amount * (own - value);";
  clprim::convolve<byte> filter(
      d.on().queue, {.border = clprim::border_mode::reflect_101,
                     .map = {text,
                             {clprim::buffer<byte>("original"), clprim::value<int>("width"),
                              clprim::value<float>("amount")}}});
  const std::vector<float> taps = gaussian(1.5f);
  const auto gauss = clprim::separable_filter<float>(taps, taps);
  d.develop("unsharp", "unsharp mask, the map of a Gaussian of " + std::to_string(taps.size()),
            [&] {
              return filter(d.from(), gauss, d.to(), {}, {d.source(), d.picture().width, 1.2f});
            });
}

/// A lens out of focus: in light, not in the code values of the picture, so that highlights become
/// discs.
void bokeh(darkroom& d, int radius) {
  const cl::Buffer light = make_buffer<float>(d.on(), d.size());
  clprim::map<float, byte> to_light(
      d.on().queue,
      {.map = {"const float v = x0 / 255.0f;\nreturn pow(v, 2.2f) * (1 + 6 * pow(v, 12.0f));",
               {}}});
  clprim::convolve<float, byte> filter(
      d.on().queue, {.border = clprim::border_mode::reflect,
                     .map = {"return 255 * pow(clamp(value, 0.0f, 1.0f), 1 / 2.2f);", {}},
                     .filter_is_fixed = true});
  const auto disc = lens(radius);
  const auto n = static_cast<std::int64_t>(d.size());
  d.develop("bokeh",
            std::to_string(disc.taps[0]) + " x " + std::to_string(disc.taps[1]) +
                " taps, in linear light",
            [&] {
              to_light({clprim::vector<byte>(d.source(), n)}, clprim::vector<float>(light, n));
              return filter(d.view<float>(light), disc, d.to());
            });
}

/// What each border mode sees around a small picture: the filter that changes nothing, whose full
/// output is the picture with its apron.
void borders(darkroom& d) {
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
    clprim::convolve<byte> extend(
        d.on().queue,
        {.extent = clprim::output_extent::full, .border = mode.border, .border_value = 160});
    const auto extent = extend.extent(part, same);
    const auto pixels = static_cast<std::size_t>(3 * extent[0] * extent[1]);
    const cl::Buffer out = make_buffer<byte>(d.on(), pixels);
    detail::wait(extend(part, same, clprim::image<byte>(out, extent[1], extent[0]).channels(3)));
    const auto rgb = download<byte>(d.on(), out, pixels);
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
          const byte value = frame ? byte{255} : rgb[at(y, across, x)];
          sheet.rgb[at(top + y, sheet.width, left + x)] = value;
        }
      }
    }
    std::printf("borders      %d: %s\n", ++place, mode.name);
  }
  d.save(sheet, "borders");
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("Filters on a picture: blur, edges, unsharp mask, bokeh, borders");
  std::string file, device, folder = "clprim-filters";
  int radius = 14;
  app.add_option("picture", file, "a PNG (default: a landscape is synthesised)")
      ->check(CLI::ExistingFile);
  app.add_option("--device", device, "part of a name, gpu, cpu, or platform:device");
  app.add_option("--radius", radius, "of the bokeh's disc, pixels (14)")->check(CLI::Range(1, 40));
  app.add_option("--output", folder, "folder for the pictures it writes (clprim-filters)");
  CLI11_PARSE(app, argc, argv);

  const clprim::session on = clprim::open_session(device);
  darkroom d(on, file.empty() ? synthesised(1536, 1024) : load_image(file), folder);
  std::printf("%s\n%d x %d pixels of 3 bytes\n\n",
              clprim::describe(clprim::facts_of(on.device)).c_str(), d.picture().width,
              d.picture().height);
  d.save(d.picture(), "picture");
  blur(d);
  edges(d);
  sharpen(d);
  bokeh(d, radius);
  borders(d);
  std::printf("\nwritten to %s\n", folder.c_str());
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "the example stopped: %s\n", error.what());
  return 1;
}
