#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/convolve.hpp>

#include "texts/texts.hpp"

using namespace clprim;
using support::draw_texts, support::large_buffer;

TEST_CASE("the texts of convolutions for NVIDIA's devices") {
  const cl::CommandQueue& queue = support::device_session().queue;
  const auto convolved = [&]<class T>(support::draw& d, T) {
    convolve<T> smooth(queue);
    const int taps = d.one_of({3, 5, 9, 17});
    const std::int64_t width = d.one_of({100, 1920, 4096}), height = d.one_of({64, 1080, 2048});
    const auto size = static_cast<std::size_t>(taps);
    const auto in = image<T>(large_buffer(0), width, height),
               out = image<T>(large_buffer(1), width, height);
    if (d.chance(50)) {
      const std::vector<float> line(size, 0.25F);
      return smooth.source(in, separable_filter<float>(line, line), out);
    }
    return smooth.source(in, filter_2d<float>(taps, taps, std::vector<float>(size * size, 0.5F)),
                         out);
  };
  draw_texts([&](support::draw& d) { return convolved(d, float{}); });
  draw_texts([&](support::draw& d) { return convolved(d, std::uint8_t{}); });
}
