#pragma once
// CUB and cuBLAS behind a wall: the one side is compiled by nvcc, the other includes OpenCL.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

/// Sums of floats in CUDA memory. Each function makes `calls` calls back to back between two events
/// and returns seconds per call; `result` is the first of the results.
class cuda_peers {
 public:
  cuda_peers(const float* values, std::size_t count);
  ~cuda_peers();
  cuda_peers(const cuda_peers&) = delete;
  cuda_peers& operator=(const cuda_peers&) = delete;

  double sum(std::int64_t n, int calls, float* result);
  double argmax(std::int64_t n, int calls, float* result);
  double rows(std::int64_t rows, std::int64_t columns, int calls, float* result);
  double gemv(std::int64_t rows, std::int64_t columns, bool by_rows, int calls, float* result);

 private:
  struct impl;
  impl* impl_;
};

}  // namespace bench
