#pragma once
// A plain loop on all cores that the compiler turns into vectors: what a careful C++ programmer
// writes without a library.

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace bench {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CLPRIM_FOR_THIS_PROCESSOR __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define CLPRIM_FOR_THIS_PROCESSOR
#endif

/// Rows first … last - 1 of a correlation of `padded` (rows of `pitch` elements, the apron's zeros
/// in place) by size x size taps: 64 sums at a time stay in registers.
CLPRIM_FOR_THIS_PROCESSOR inline void convolve_rows(const float* padded, std::size_t pitch,
                                                    float* out, int width, int first, int last,
                                                    const float* taps, int size) {
  constexpr int block = 64;
  for (int y = first; y < last; ++y) {
    for (int x = 0; x < width; x += block) {
      float sums[block] = {};
      for (int ky = 0; ky < size; ++ky) {
        const float* const row = padded + static_cast<std::size_t>(y + ky) * pitch + x;
        for (int kx = 0; kx < size; ++kx) {
          const float w = taps[ky * size + kx];
          for (int j = 0; j < block; ++j) sums[j] += w * row[kx + j];
        }
      }
      const int count = std::min(block, width - x);
      std::copy(sums, sums + count,
                out + static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + x);
    }
  }
}

/// The image with its apron of zeros, and the loop over it on all cores.
class host_convolution {
 public:
  host_convolution(const std::vector<float>& image, int height, int width,
                   const std::vector<float>& taps, int size)
    : height_(height),
      width_(width),
      size_(size),
      pitch_(static_cast<std::size_t>(width + size + 64)),
      padded_(pitch_ * static_cast<std::size_t>(height + size)),
      out_(image.size()),
      taps_(taps) {
    const auto radius = static_cast<std::size_t>(size / 2);
    for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
      const auto from =
          image.begin() + static_cast<std::ptrdiff_t>(y * static_cast<std::size_t>(width));
      std::copy(from, from + width,
                padded_.begin() + static_cast<std::ptrdiff_t>((y + radius) * pitch_ + radius));
    }
  }

  void run() {
    const int workers = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::jthread> others;
    for (int w = 1; w < workers; ++w) others.emplace_back([this, w, workers] { part(w, workers); });
    part(0, workers);
  }
  const std::vector<float>& out() const { return out_; }

 private:
  void part(int w, int workers) {
    convolve_rows(padded_.data(), pitch_, out_.data(), width_, height_ * w / workers,
                  height_ * (w + 1) / workers, taps_.data(), size_);
  }

  int height_, width_, size_;
  std::size_t pitch_;
  std::vector<float> padded_, out_, taps_;
};

}  // namespace bench
