// The spectrogram of a sound as a picture: time to the right, frequency upwards.
//
// Samples of 16 bits go in as they are; windowing, the transforms of overlapping frames (an array
// whose rows begin `hop` samples apart), and the magnitudes are one kernel.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <iostream>
#include <numbers>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <clprim/fft.hpp>

#include "support/device.hpp"
#include "support/image.hpp"
#include "support/labels.hpp"
#include "support/terminal.hpp"
#include "support/wav.hpp"

namespace {

constexpr int chirp_rate = 16000;  // samples per second

/// A tone that rises from 200 Hz to 7 kHz in four seconds, and its third harmonic, 16 kHz sampling.
std::vector<std::int16_t> chirp() {
  constexpr int rate = chirp_rate, count = 4 * rate;
  std::vector<std::int16_t> samples;
  for (int i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) / rate;
    const double phase = 2 * std::numbers::pi * (200 * t + 6800.0 / 8 * t * t);
    samples.push_back(
        static_cast<std::int16_t>(9000 * std::sin(phase) + 1500 * std::sin(phase / 3)));
  }
  return samples;
}

}  // namespace

int main(int argc, char** argv) try {
  std::string input, output = "spectrogram.png", device;
  std::int64_t points = 512, hop = 64;
  CLI::App app("The spectrogram of a WAV file, or of a chirp without one");
  app.add_option("sound", input, "WAV file of 16 bits");
  app.add_option("-o,--output", output, "the picture");
  app.add_option("--points", points, "points of a transform")->check(CLI::Range(16, 8192));
  app.add_option("--hop", hop, "samples from frame to frame")->check(CLI::Range(1, 8192));
  app.add_option("--device", device, "part of a device's name");
  CLI11_PARSE(app, argc, argv);

  std::uint32_t rate = chirp_rate;
  const std::vector<std::int16_t> samples =
      input.empty() ? chirp() : examples::load_wav(input, &rate);
  const auto length = static_cast<std::int64_t>(samples.size());
  if (length < points) throw clprim::error("the sound is shorter than one transform");
  const std::int64_t frames = (length - points) / hop + 1, rows = points / 2 + 1;
  std::vector<float> window;
  for (std::int64_t n = 0; n < points; ++n)  // Hann
    window.push_back(
        static_cast<float>(0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(n) /
                                                static_cast<double>(points))));
  const clprim::session on = clprim::open_session(device);
  const cl::Buffer X = examples::upload(on, samples), W = examples::upload(on, window),
                   Y = examples::make_buffer<float>(on, static_cast<std::size_t>(frames * rows));
  clprim::fft<float> transform(
      on.queue, {.load = {"return (float)value * window[index % " + std::to_string(points) + "];",
                          {clprim::buffer<float>("window")}},
                 .store = {"return 20.0f * log10(length(value) + 1.0f);", {}}});
  // Frames overlap in the input; in the output time runs along the rows of the picture.
  const auto x = clprim::array<std::int16_t>(X, {frames, points}).with_strides({hop, 1});
  const auto y = clprim::array<float>(Y, {frames, rows}).with_strides({1, frames});
  transform.forward(x, y, {}, {W});
  const std::vector<float> level =
      examples::download<float>(on, Y, static_cast<std::size_t>(frames * rows));

  const float loudest = *std::max_element(level.begin(), level.end());
  examples::image picture{static_cast<int>(frames), static_cast<int>(rows), {}};
  for (std::int64_t r = rows; r-- > 0;)
    for (std::int64_t c = 0; c < frames; ++c) {
      const float v = std::clamp(
          1 - (loudest - level[static_cast<std::size_t>(r * frames + c)]) / 80, 0.f, 1.f);
      for (const float tint : {v, v * v, 0.4f * v + 0.6f * (1 - v) * v})
        picture.rgb.push_back(static_cast<std::uint8_t>(255 * tint));
    }
  examples::labelled axes(picture);
  const double seconds = static_cast<double>(length) / rate, nyquist = 0.5 * rate;
  const double every = examples::nice_step(seconds, 8), apart = examples::nice_step(nyquist, 8);
  for (double t = 0; t <= seconds; t += every)
    axes.tick_below(static_cast<int>(t / seconds * static_cast<double>(frames)),
                    examples::format("%.3g", t) + "s");
  for (double f = 0; f <= nyquist; f += apart)
    axes.tick_beside(static_cast<int>((1 - f / nyquist) * static_cast<double>(rows - 1)),
                     examples::format("%.3g", f / 1000) + "kHz");
  examples::save_png(axes.picture(), output);
  std::cout << output << ": time to the right, frequency upwards, bright is loud; " << frames
            << " transforms of " << points << " points\n\n"
            << transform.explain(x, y);
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
