#pragma once
// cuBLAS as a contestant, on the same GPU, in memory of its own with the same values.

#include <algorithm>
#include <complex>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <clprim/runtime/device.hpp>

#include "contestant.hpp"

#if CLPRIM_HAS_CUBLAS
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

namespace bench {

inline void check_cuda(cudaError_t code, const char* call) {
  if (code != cudaSuccess)
    throw clprim::error(std::string(call) + " failed: " + cudaGetErrorString(code));
}
inline void check_cublas(cublasStatus_t code, const char* call) {
  if (code != CUBLAS_STATUS_SUCCESS)
    throw clprim::error(std::string(call) + " failed: " + cublasGetStatusString(code));
}

/// Makes the OpenCL device's GPU the current one of CUDA. Throws error when CUDA cannot reach it.
inline void use_cuda_device(const cl::Device& device) {
  constexpr cl_device_info bus_nv = 0x4008, slot_nv = 0x4009, domain_nv = 0x400A;
  const auto number = [&](cl_device_info what) {
    return clprim::detail::device_info<cl_uint>(device(), what, 0);
  };
  char address[32];
  std::snprintf(address, sizeof address, "%04x:%02x:%02x.0", number(domain_nv), number(bus_nv),
                number(slot_nv) >> 3);
  int index = 0;
  int count = 0;
  check_cuda(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  // A container may show CUDA other bus addresses; with one GPU there is no doubt.
  if (cudaDeviceGetByPCIBusId(&index, address) != cudaSuccess) {
    if (count != 1)
      throw clprim::error(std::string("CUDA knows no GPU at the OpenCL device's address ") +
                          address);
    index = 0;
  }
  check_cuda(cudaSetDevice(index), "cudaSetDevice");
}

/// An array in CUDA's device memory.
class cuda_array {
 public:
  explicit cuda_array(std::size_t bytes) { check_cuda(cudaMalloc(&data_, bytes), "cudaMalloc"); }
  ~cuda_array() { cudaFree(data_); }
  cuda_array(const cuda_array&) = delete;
  cuda_array& operator=(const cuda_array&) = delete;
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

class cuda_event {
 public:
  cuda_event() { check_cuda(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~cuda_event() { cudaEventDestroy(event_); }
  cuda_event(const cuda_event&) = delete;
  cuda_event& operator=(const cuda_event&) = delete;
  void record() const { check_cuda(cudaEventRecord(event_), "cudaEventRecord"); }
  double seconds_since(const cuda_event& earlier) const {
    float ms = 0;
    check_cuda(cudaEventElapsedTime(&ms, earlier.event_, event_), "cudaEventElapsedTime");
    return static_cast<double>(ms) * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

template <class T> class cublas_gemm final : public contestant<T> {
 public:
  cublas_gemm(const cl::Device& device, const std::vector<T>& a, const std::vector<T>& b,
              std::size_t c_elements, bool pedantic)
    : pedantic_(pedantic) {
    use_cuda_device(device);
    check_cublas(cublasCreate(&handle_), "cublasCreate");
    // No TF32 for float: neither mode allows it. Pedantic forbids other liberties as well.
    check_cublas(cublasSetMathMode(handle_, pedantic ? CUBLAS_PEDANTIC_MATH : CUBLAS_DEFAULT_MATH),
                 "cublasSetMathMode");
    a_ = uploaded(a);
    b_ = uploaded(b);
    c_ = std::make_unique<cuda_array>(c_elements * sizeof(T));
  }
  ~cublas_gemm() override {
    if (handle_ != nullptr) cublasDestroy(handle_);
  }

  std::string name() const override { return "cuBLAS"; }
  std::string detail() const override {
    int version = 0, runtime = 0;
    cublasGetVersion(handle_, &version);
    cudaRuntimeGetVersion(&runtime);
    return "cuBLAS " + std::to_string(version) + ", CUDA " + std::to_string(runtime / 1000) + "." +
           std::to_string(runtime / 10 % 100) + (pedantic_ ? ", pedantic" : "");
  }
  void bind(const gemm_problem_row& problem, const placement& where) override {
    problem_ = problem;
    where_ = where;
  }
  std::vector<T> product() override {
    check_cuda(cudaMemset(c_->data(), 0xff, problem_.c_elements() * sizeof(T)), "cudaMemset");
    call(0);
    std::vector<T> host(problem_.c_elements());
    check_cuda(cudaMemcpy(host.data(), c_->data(), host.size() * sizeof(T), cudaMemcpyDeviceToHost),
               "cudaMemcpy of C");
    return host;
  }
  /// CUDA tells no start and end of a kernel outside a profiler; an event on each side of a call
  /// costs about as much as a small product. So a sample is the mean of a group of calls in a row
  /// between two events: the gaps between kernels are in it, the events are not.
  timing time(std::size_t warm, std::size_t calls) override {
    const std::size_t groups = std::min<std::size_t>(calls, 5);
    std::vector<cuda_event> marks(groups + 1);
    for (std::size_t i = 0; i < warm; ++i) call(i);
    marks[0].record();
    std::vector<std::size_t> sizes;
    std::size_t done = 0;
    for (std::size_t g = 0; g < groups; ++g) {
      const std::size_t end = (g + 1) * calls / groups;
      sizes.push_back(end - done);
      for (; done < end; ++done) call(warm + done);
      marks[g + 1].record();
    }
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    timing result;
    for (std::size_t g = 0; g < groups; ++g)
      result.seconds.push_back(marks[g + 1].seconds_since(marks[g]) /
                               static_cast<double>(sizes[g]));
    result.series = marks[groups].seconds_since(marks[0]) / static_cast<double>(calls);
    return result;
  }

 private:
  static constexpr cudaDataType_t data_type() {
    if constexpr (std::same_as<T, clprim::half>)
      return CUDA_R_16F;
    else if constexpr (std::same_as<T, float>)
      return CUDA_R_32F;
    else if constexpr (std::same_as<T, double>)
      return CUDA_R_64F;
    else if constexpr (std::same_as<T, std::complex<float>>)
      return CUDA_C_32F;
    else
      return CUDA_C_64F;
  }
  cublasComputeType_t compute_type() const {
    if constexpr (std::same_as<T, double> || std::same_as<T, std::complex<double>>)
      return pedantic_ ? CUBLAS_COMPUTE_64F_PEDANTIC : CUBLAS_COMPUTE_64F;
    else
      return pedantic_ ? CUBLAS_COMPUTE_32F_PEDANTIC : CUBLAS_COMPUTE_32F;
  }

  static std::unique_ptr<cuda_array> uploaded(const std::vector<T>& host) {
    auto array = std::make_unique<cuda_array>(host.size() * sizeof(T));
    check_cuda(
        cudaMemcpy(array->data(), host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice),
        "cudaMemcpy of an operand");
    return array;
  }

  void call(std::size_t i) {
    const auto one = clprim::accumulator_t<T>{1}, zero = clprim::accumulator_t<T>{0};
    const int m = problem_.m, n = problem_.n, k = problem_.k;
    const T* const a = static_cast<const T*>(a_->data()) + where_.a(i);
    const T* const b = static_cast<const T*>(b_->data()) + where_.b(i);
    T* const c = static_cast<T*>(c_->data()) + where_.c(i);
    constexpr cudaDataType_t type = data_type();
    if (problem_.batch == 1) {
      check_cublas(cublasGemmEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a, type, m, b,
                                type, k, &zero, c, type, m, compute_type(), CUBLAS_GEMM_DEFAULT),
                   "cublasGemmEx");
    } else {
      check_cublas(cublasGemmStridedBatchedEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a,
                                              type, m, static_cast<long long>(m) * k, b, type, k,
                                              static_cast<long long>(k) * n, &zero, c, type, m,
                                              static_cast<long long>(m) * n, problem_.batch,
                                              compute_type(), CUBLAS_GEMM_DEFAULT),
                   "cublasGemmStridedBatchedEx");
    }
  }

  bool pedantic_;
  cublasHandle_t handle_ = nullptr;
  std::unique_ptr<cuda_array> a_, b_, c_;
  gemm_problem_row problem_;
  placement where_;
};

}  // namespace bench
#endif
