// Filters on a picture: Gaussian blur, Sobel edges, unsharp mask, wide bokeh, and all borders.

#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <clprim/convolve.hpp>
#include <clprim/copy.hpp>

#include "support/border_sheet.hpp"
#include "support/darkroom.hpp"
#include "support/scene.hpp"

namespace {

using namespace examples;

void blur(darkroom& d) {
  const std::vector<float> taps = gaussian(4);
  clprim::convolve<std::uint8_t> filter(d.on().queue, {.border = clprim::border_mode::reflect_101});
  const auto gauss = clprim::separable_filter<float>(taps, taps);
  d.develop("blur", "Gaussian, " + std::to_string(taps.size()) + " taps, separable",
            [&] { return filter(d.from(), gauss, d.to()); });
}

/// The length of the gradient by Sobel's two filters, each separable.
void edges(darkroom& d) {
  clprim::convolve<std::uint8_t, float> slope(d.on().queue,
                                              {.border = clprim::border_mode::replicate});
  const cl::Buffer across = make_buffer<float>(d.on(), d.size()),
                   down = make_buffer<float>(d.on(), d.size());
  const auto dx = clprim::separable_filter<float>({1, 2, 1}, {-1, 0, 1});
  const auto dy = clprim::separable_filter<float>({-1, 0, 1}, {1, 2, 1});
  clprim::map<std::uint8_t, float, float> length(
      d.on().queue, {.map = {"return convert_uchar_sat_rte(0.5f * sqrt(x0 * x0 + x1 * x1));", {}}});
  const auto n = static_cast<std::int64_t>(d.size());
  d.develop("edges", "Sobel, two separable filters of 3 taps and a map", [&] {
    slope(d.from(), dx, d.view<float>(across));
    slope(d.from(), dy, d.view<float>(down));
    return length({clprim::vector<float>(across, n), clprim::vector<float>(down, n)},
                  clprim::vector<std::uint8_t>(d.target(), n));
  });
}

/// Original plus what a blur has taken away, in the blur's own kernel.
void sharpen(darkroom& d) {
  const char* const text =
      "const float own = original[(y * width + x) * 3 + channel];\n"
      "return own + amount * (own - value);";
  clprim::convolve<std::uint8_t> filter(
      d.on().queue, {.border = clprim::border_mode::reflect_101,
                     .map = {text,
                             {clprim::buffer<std::uint8_t>("original"), clprim::value<int>("width"),
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
  clprim::map<float, std::uint8_t> to_light(
      d.on().queue,
      {.map = {"const float v = x0 / 255.0f;\nreturn pow(v, 2.2f) * (1 + 6 * pow(v, 12.0f));",
               {}}});
  clprim::convolve<float, std::uint8_t> filter(
      d.on().queue, {.border = clprim::border_mode::reflect,
                     .map = {"return 255 * pow(clamp(value, 0.0f, 1.0f), 1 / 2.2f);", {}},
                     .filter_is_fixed = true});
  const auto disc = lens(radius);
  const auto n = static_cast<std::int64_t>(d.size());
  d.develop("bokeh",
            std::to_string(disc.taps[0]) + " x " + std::to_string(disc.taps[1]) +
                " taps, in linear light",
            [&] {
              to_light({clprim::vector<std::uint8_t>(d.source(), n)},
                       clprim::vector<float>(light, n));
              return filter(d.view<float>(light), disc, d.to());
            });
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
