#pragma once
// cuBLAS as a contestant, on the same GPU, in memory of its own with the same values.

#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "../harness/cuda.hpp"
#include "contestant.hpp"

#if CLPRIM_HAS_CUBLAS
#include <cublas_v2.h>

namespace bench {

inline void check_cublas(cublasStatus_t code, const char* call) {
  if (code != CUBLAS_STATUS_SUCCESS)
    throw clprim::error(std::string(call) + " failed: " + cublasGetStatusString(code));
}

/// A copy of an array of the host's.
template <class T> std::unique_ptr<cuda_array> uploaded_to_cuda(const std::vector<T>& host) {
  auto array = std::make_unique<cuda_array>(host.size() * sizeof(T));
  check_cuda(
      cudaMemcpy(array->data(), host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice),
      "cudaMemcpy of an operand");
  return array;
}

template <class T> class cublas_gemm final : public gemm_contestant<T> {
 public:
  cublas_gemm(const cl::Device& device, const std::vector<T>& a, const std::vector<T>& b,
              std::size_t c_elements, bool pedantic)
    : pedantic_(pedantic) {
    use_cuda_device(device);
    check_cublas(cublasCreate(&handle_), "cublasCreate");
    // No TF32 for float but in the rows that ask for it: neither mode allows it. Pedantic forbids
    // other liberties as well.
    check_cublas(cublasSetMathMode(handle_, pedantic ? CUBLAS_PEDANTIC_MATH : CUBLAS_DEFAULT_MATH),
                 "cublasSetMathMode");
    a_ = uploaded_to_cuda(a);
    b_ = uploaded_to_cuda(b);
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
  timing time(std::size_t warm, std::size_t calls) override {
    return time_cuda(warm, calls, [this](std::size_t i) { call(i); });
  }

 private:
  static constexpr cudaDataType_t data_type() {
    if constexpr (std::same_as<T, clprim::half>)
      return CUDA_R_16F;
    else if constexpr (std::same_as<T, clprim::bfloat16>)
      return CUDA_R_16BF;
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
    else if (problem_.precision == clprim::gemm_precision::tf32)
      return CUBLAS_COMPUTE_32F_FAST_TF32;
    else
      return pedantic_ ? CUBLAS_COMPUTE_32F_PEDANTIC : CUBLAS_COMPUTE_32F;
  }

  static cublasOperation_t operation(clprim::transposition op) {
    return op == clprim::transposition::none        ? CUBLAS_OP_N
           : op == clprim::transposition::transpose ? CUBLAS_OP_T
                                                    : CUBLAS_OP_C;
  }

  void call(std::size_t i) {
    const auto one = clprim::accumulator_t<T>{1}, zero = clprim::accumulator_t<T>{0};
    const int m = problem_.m, n = problem_.n, k = problem_.k;
    const blas_matrix of_a = problem_.a(), of_b = problem_.b(), of_c = problem_.c();
    const T* const a = static_cast<const T*>(a_->data()) + where_.a(i);
    const T* const b = static_cast<const T*>(b_->data()) + where_.b(i);
    T* const c = static_cast<T*>(c_->data()) + where_.c(i);
    constexpr cudaDataType_t type = data_type();
    if (problem_.batch == 1) {
      check_cublas(cublasGemmEx(handle_, operation(of_a.op), operation(of_b.op), m, n, k, &one, a,
                                type, of_a.leading(), b, type, of_b.leading(), &zero, c, type,
                                of_c.leading(), compute_type(), CUBLAS_GEMM_DEFAULT),
                   "cublasGemmEx");
    } else {
      const auto stride = [](const blas_matrix& x) { return static_cast<long long>(x.stride()); };
      check_cublas(
          cublasGemmStridedBatchedEx(handle_, operation(of_a.op), operation(of_b.op), m, n, k, &one,
                                     a, type, of_a.leading(), stride(of_a), b, type, of_b.leading(),
                                     stride(of_b), &zero, c, type, of_c.leading(), stride(of_c),
                                     problem_.batch, compute_type(), CUBLAS_GEMM_DEFAULT),
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
