// CUB and cuBLAS as contestants of bench_reduce: built where nvcc is found, called through cub.hpp.

#include "cub.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>

#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "../harness/cuda_hold.hpp"
#include "../harness/held.hpp"

namespace {

constexpr std::size_t most_results = std::size_t{1} << 21;

void must(bool ok, const char* what) {
  if (!ok) throw std::runtime_error(std::string(what) + " failed");
}

struct row_begin {
  std::int64_t columns;
  __host__ __device__ std::int64_t operator()(std::int64_t row) const { return row * columns; }
};

void* cold_room = nullptr;
std::size_t cold_bytes_of_room = 0;

template <class Call> double seconds_between_events(int calls, Call call) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  if (cold_room != nullptr) cudaMemsetAsync(cold_room, 0, cold_bytes_of_room);
  cudaEventRecord(begin);
  for (int i = 0; i < calls; ++i) call();
  cudaEventRecord(end);
  must(cudaEventSynchronize(end) == cudaSuccess, "a CUDA call");
  float ms = 0;
  cudaEventElapsedTime(&ms, begin, end);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return ms * 1e-3;
}

template <class Call> double seconds_per_call(int warm, int calls, Call call) {
  if (cold_room == nullptr) {
    bench::cuda_hold device;
    return bench::time_held(device, static_cast<std::size_t>(warm),
                            static_cast<std::size_t>(calls), [&](std::size_t) { call(); })
        .series;
  }
  for (int i = 0; i < warm; ++i) call();
  std::vector<double> all;
  for (int i = 0; i < calls; ++i) all.push_back(seconds_between_events(1, call));
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

}  // namespace

struct bench::cuda_peers::impl {
  float *x = nullptr, *ones = nullptr, *out = nullptr;
  std::int64_t* index = nullptr;
  void* space = nullptr;
  std::size_t space_bytes = std::size_t{1} << 26;
  cublasHandle_t blas = nullptr;
};

bench::cuda_peers::cuda_peers(const float* values, std::size_t count, std::size_t swept_bytes)
  : impl_(new impl) {
  if (swept_bytes > 0) {
    must(cudaMalloc(&cold_room, swept_bytes) == cudaSuccess, "cudaMalloc");
    cold_bytes_of_room = swept_bytes;
  }
  must(cudaMalloc(&impl_->x, count * sizeof(float)) == cudaSuccess, "cudaMalloc");
  must(cudaMalloc(&impl_->ones, most_results * sizeof(float)) == cudaSuccess, "cudaMalloc");
  must(cudaMalloc(&impl_->out, most_results * sizeof(float)) == cudaSuccess, "cudaMalloc");
  must(cudaMalloc(&impl_->index, 16) == cudaSuccess, "cudaMalloc");
  must(cudaMalloc(&impl_->space, impl_->space_bytes) == cudaSuccess, "cudaMalloc");
  must(cudaMemcpy(impl_->x, values, count * sizeof(float), cudaMemcpyDefault) == cudaSuccess,
       "cudaMemcpy");
  const std::vector<float> ones(most_results, 1.0f);
  cudaMemcpy(impl_->ones, ones.data(), most_results * sizeof(float), cudaMemcpyDefault);
  must(cublasCreate(&impl_->blas) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
}
bench::cuda_peers::~cuda_peers() {
  cublasDestroy(impl_->blas);
  for (void* p : {static_cast<void*>(impl_->x), static_cast<void*>(impl_->ones),
                  static_cast<void*>(impl_->out), static_cast<void*>(impl_->index), impl_->space, cold_room})
    cudaFree(p);
  delete impl_;
}

void bench::cuda_peers::poison() {
  must(cudaMemset(impl_->out, 0xff, most_results * sizeof(float)) == cudaSuccess, "cudaMemset");
  must(cudaMemset(impl_->index, 0xff, 16) == cudaSuccess, "cudaMemset");
}
std::vector<float> bench::cuda_peers::results(std::size_t count) const {
  std::vector<float> found(count);
  must(cudaMemcpy(found.data(), impl_->out, count * sizeof(float), cudaMemcpyDefault) ==
           cudaSuccess,
       "cudaMemcpy");
  return found;
}
std::int64_t bench::cuda_peers::index() const {
  std::int64_t found = -1;
  must(cudaMemcpy(&found, impl_->index, sizeof found, cudaMemcpyDefault) == cudaSuccess,
       "cudaMemcpy");
#if CUB_VERSION < 300000
  found = static_cast<int>(found & 0xffffffff);  // a pair of index and value
#endif
  return found;
}

double bench::cuda_peers::sum(std::int64_t n, int warm, int calls) {
  return seconds_per_call(warm, calls, [&] {
    cub::DeviceReduce::Sum(impl_->space, impl_->space_bytes, impl_->x, impl_->out, n);
  });
}
double bench::cuda_peers::argmax(std::int64_t n, int warm, int calls) {
#if CUB_VERSION >= 300000
  return seconds_per_call(warm, calls, [&] {
    cub::DeviceReduce::ArgMax(impl_->space, impl_->space_bytes, impl_->x, impl_->out, impl_->index,
                              n);
  });
#else
  const auto pair = reinterpret_cast<cub::KeyValuePair<int, float>*>(impl_->index);
  const double s = seconds_per_call(warm, calls, [&] {
    cub::DeviceReduce::ArgMax(impl_->space, impl_->space_bytes, impl_->x, pair,
                              static_cast<int>(n));
  });
  cudaMemcpy(impl_->out, &pair->value, sizeof(float), cudaMemcpyDefault);
  return s;
#endif
}
double bench::cuda_peers::rows(std::int64_t rows, std::int64_t columns, int warm, int calls) {
  const auto begins = thrust::make_transform_iterator(
      thrust::counting_iterator<std::int64_t>(0), row_begin{columns});
  return seconds_per_call(warm, calls, [&] {
    cub::DeviceSegmentedReduce::Sum(impl_->space, impl_->space_bytes, impl_->x, impl_->out,
                                    static_cast<int>(rows), begins, begins + 1);
  });
}
double bench::cuda_peers::gemv(std::int64_t rows, std::int64_t columns, bool by_rows, int warm,
                               int calls) {
  const float one = 1, zero = 0;
  return seconds_per_call(warm, calls, [&] {
    cublasSgemv(impl_->blas, by_rows ? CUBLAS_OP_T : CUBLAS_OP_N, static_cast<int>(columns),
                static_cast<int>(rows), &one, impl_->x, static_cast<int>(columns), impl_->ones, 1,
                &zero, impl_->out, 1);
  });
}
