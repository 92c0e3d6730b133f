// Periodic noise out of a picture: stripes laid over it are peaks of its spectrum, found there and
// cut out with everything else left as it is (a notch filter).
//
// One transform of all channels there, one back, which multiplies by what to keep as it reads.

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <vector>

#include <CLI/CLI.hpp>

#include <clprim/fft.hpp>

#include "support/device.hpp"
#include "support/scene.hpp"
#include "support/stripes.hpp"

namespace {

using examples::image, examples::spectrum;

/// What to keep of every frequency, 0 to 1: peaks far above what lies around them go, with a soft
/// rim; the middle, where the picture itself is, stays.
std::vector<float> notches(const spectrum& s, std::int64_t rows, std::int64_t columns) {
  const auto level = [&](std::int64_t y, std::int64_t x) {
    const auto at = static_cast<std::size_t>((y + rows) % rows * columns + x);
    const auto plane = static_cast<std::size_t>(rows * columns);
    return std::abs(s[at]) + std::abs(s[plane + at]) + std::abs(s[2 * plane + at]);
  };
  std::vector<float> keep(static_cast<std::size_t>(rows * columns), 1.0F);
  constexpr std::int64_t middle = 12, reach = 6, rim = 3;
  constexpr float outstanding = 12;
  for (std::int64_t y = -rows / 2; y < rows - rows / 2; ++y)
    for (std::int64_t x = 0; x + reach < columns; ++x) {
      if (x * x + y * y < middle * middle) continue;
      std::vector<float> around;
      const float here = level(y, x);
      bool peak = true;
      for (std::int64_t v = -reach; peak && v <= reach; ++v)
        for (std::int64_t u = std::max(-reach, -x); u <= reach; ++u) {
          const float there = level(y + v, x + u);
          if (std::abs(u) > 1 || std::abs(v) > 1) around.push_back(there);
          if (there > here) {
            peak = false;
            break;
          }
        }
      if (!peak) continue;
      std::nth_element(around.begin(),
                       around.begin() + static_cast<std::ptrdiff_t>(around.size() / 2),
                       around.end());
      if (here < outstanding * around[around.size() / 2]) continue;
      for (std::int64_t v = -rim; v <= rim; ++v)
        for (std::int64_t u = std::max(-rim, -x); u <= rim; ++u) {
          const auto away = static_cast<float>(u * u + v * v);
          float& k = keep[static_cast<std::size_t>((y + v + rows) % rows * columns + x + u)];
          k = std::min(k, 1 - std::exp(-away / 2));
        }
    }
  return keep;
}

}  // namespace

int main(int argc, char** argv) try {
  std::string input, device;
  std::filesystem::path output = "clprim-notch";
  float strength = 22;
  CLI::App app("Stripes laid over a picture, and taken out again in its spectrum");
  app.add_option("picture", input, "the picture; without one, a landscape is drawn");
  app.add_option("-o,--output", output, "folder of the results");
  app.add_option("--stripes", strength, "their strength in steps of a byte; 0: as the picture is");
  app.add_option("--device", device, "part of a device's name");
  CLI11_PARSE(app, argc, argv);

  const image original =
      input.empty() ? examples::synthesised(768, 512) : examples::load_image(input);
  const image striped = examples::with_stripes(original, strength);
  const std::int64_t rows = original.height, width = original.width, columns = width / 2 + 1;
  const std::vector<float> planes = examples::planes_of(striped);

  const clprim::session on = clprim::open_session(device);
  const cl::Buffer X = examples::upload(on, planes);
  const auto values = static_cast<std::size_t>(3 * rows * columns);
  const cl::Buffer S = examples::make_buffer<std::complex<float>>(on, values);
  const auto x = clprim::array<float>(X, {3, rows, width});
  const auto s = clprim::array<std::complex<float>>(S, {3, rows, columns});
  clprim::fft<float> forward(on.queue, {.axes = 2});
  forward.forward(x, s);
  const spectrum before = examples::download<std::complex<float>>(on, S, values);
  const std::vector<float> keep = notches(before, rows, columns);
  const auto cut = std::count_if(keep.begin(), keep.end(), [](float k) { return k < 0.01F; });

  const cl::Buffer K = examples::upload(on, keep);
  clprim::fft<float> back(
      on.queue, {.axes = 2,
                 .inverse_scale = 1.0 / static_cast<double>(rows * width),
                 .load = {"return value * keep[index % " + std::to_string(rows * columns) + "];",
                          {clprim::buffer<float>("keep")}}});
  back.inverse(s, x, {}, {K});
  const std::vector<float> clean = examples::download<float>(on, X, planes.size());
  const image result = examples::image_of(clean, original.width, original.height);

  std::filesystem::create_directories(output);
  examples::save_png(striped, output / "striped.png");
  examples::save_png(result, output / "cleaned.png");
  examples::save_png(examples::spectrum_picture(before, keep, rows, columns),
                     output / "spectrum.png");
  std::cout << std::setprecision(3) << cut << " notches; " << examples::psnr(original, striped)
            << " dB from the picture before, " << examples::psnr(original, result)
            << " dB after; see " << output.string() << "\n"
            << back.explain(s, x, true);
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
