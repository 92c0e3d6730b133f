#pragma once
// Buffers in which every bit is set: not a number in every floating-point type.

#include <cstddef>

#include <clprim/runtime/opencl.hpp>

namespace clprim {

/// Enqueues writes of ones to the first `bytes` of a buffer. By words: NVIDIA's driver 580.159.04
/// does not end with 3.3 GB by a pattern of one byte (H200, 2026-11-26).
inline void fill_with_ones(cl_command_queue queue, cl_mem buffer, std::size_t bytes) {
  const cl_uint ones = ~cl_uint{0};
  const auto fill = [&](std::size_t pattern, std::size_t begin, std::size_t end) {
    if (begin == end) return;
    check(
        clEnqueueFillBuffer(queue, buffer, &ones, pattern, begin, end - begin, 0, nullptr, nullptr),
        "clEnqueueFillBuffer");
  };
  const std::size_t words = bytes / sizeof ones * sizeof ones;
  fill(sizeof ones, 0, words);
  fill(1, words, bytes);
}

}  // namespace clprim
