#pragma once
// CUB and cuBLAS behind a wall: the one side is compiled by nvcc, the other includes OpenCL.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

/// Reductions of floats in CUDA memory. Each function makes `warm` calls, then `calls` that were
/// queued while the device was held (harness/held.hpp), and returns seconds per call; with
/// `swept_bytes` (harness/cold.hpp) each call lies between two events, behind what overwrites the
/// cache.
class cuda_peers {
 public:
  cuda_peers(const float* values, std::size_t count, std::size_t swept_bytes = 0);
  ~cuda_peers();
  cuda_peers(const cuda_peers&) = delete;
  cuda_peers& operator=(const cuda_peers&) = delete;

  double sum(std::int64_t n, int warm, int calls);
  double argmax(std::int64_t n, int warm, int calls);
  double rows(std::int64_t rows, std::int64_t columns, int warm, int calls);
  double gemv(std::int64_t rows, std::int64_t columns, bool by_rows, int warm, int calls);

  /// Fills all places of results with NaN, and the index with -1.
  void poison();
  /// The first `count` results of the last call, and the index that argmax left.
  std::vector<float> results(std::size_t count) const;
  std::int64_t index() const;

 private:
  struct impl;
  impl* impl_;
};

}  // namespace bench
