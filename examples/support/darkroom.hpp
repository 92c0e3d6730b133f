#pragma once
// A picture on the device, a place for what filters make of it, and filters to begin with.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <clprim/convolve.hpp>

#include "device.hpp"
#include "image.hpp"
#include "terminal.hpp"

namespace examples {

/// A Gaussian cut off at three standard deviations, its sum 1.
inline std::vector<float> gaussian(float sigma) {
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
inline clprim::filter<float> lens(int radius) {
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
      target_(make_buffer<std::uint8_t>(on, picture.rgb.size())) {}

  clprim::image_view<std::uint8_t> from() const { return view<std::uint8_t>(source_); }
  clprim::image_view<std::uint8_t> to() const { return view<std::uint8_t>(target_); }
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
    result.rgb = download<std::uint8_t>(on_, target_, size());
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

}  // namespace examples
