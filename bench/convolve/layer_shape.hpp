#pragma once
// A layer of a neural network in numbers.

#include <cstddef>
#include <string>

namespace bench {

/// Images of `inputs` channels to `outputs` channels by size x size taps.
struct layer_shape {
  int images = 1, inputs = 1, height = 1, width = 1, outputs = 1, size = 1, stride = 1, padding = 0;

  int out_height() const { return (height + 2 * padding - size) / stride + 1; }
  int out_width() const { return (width + 2 * padding - size) / stride + 1; }
  std::size_t in_count() const { return product(images, inputs, height, width); }
  std::size_t tap_count() const { return product(outputs, inputs, size, size); }
  std::size_t out_count() const { return product(images, outputs, out_height(), out_width()); }
  double flops() const { return 2.0 * static_cast<double>(out_count()) * inputs * size * size; }
  std::string name() const {
    const auto text = [](int n) { return std::to_string(n); };
    return "layer " + text(images) + "x" + text(inputs) + "x" + text(height) + "x" + text(width) +
           " to " + text(outputs) + ", " + text(size) + "x" + text(size) +
           (stride > 1 ? ", stride " + text(stride) : "");
  }

 private:
  static std::size_t product(int a, int b, int c, int d) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c) *
           static_cast<std::size_t>(d);
  }
};

}  // namespace bench
