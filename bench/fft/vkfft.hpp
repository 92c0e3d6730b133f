#pragma once
// VkFFT's OpenCL back end behind a class: its header is compiled once, with its own warnings.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <clprim/runtime/opencl.hpp>

#include "pair.hpp"

namespace bench {

/// Forward transforms of one shape from one buffer to another, of several pairs.
class vkfft_plan {
 public:
  /// Throws clprim::error with VkFFT's number when it refuses.
  vkfft_plan(const cl::Device& device, const cl::Context& context, const cl::CommandQueue& queue,
             const std::vector<std::int64_t>& lengths, std::int64_t batch, bool real,
             bool is_double, const std::vector<fft_pair>& pairs);
  ~vkfft_plan();
  vkfft_plan(const vkfft_plan&) = delete;
  vkfft_plan& operator=(const vkfft_plan&) = delete;
  /// From and to the pair of this number.
  void enqueue(std::size_t pair);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace bench
