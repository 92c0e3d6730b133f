#pragma once
// cuBLASLt as a contestant for elements of 8 bits, which cuBLAS itself does not take: its first
// choice, with 64 MiB of workspace, sums of float8 kept in full (no "fast accumulation").

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cublas.hpp"

#if CLPRIM_HAS_CUBLAS
#include <cublasLt.h>

namespace bench {

template <class T> class cublaslt_gemm final : public gemm_contestant<T> {
 public:
  using Out = clprim::product_output_t<T>;

  cublaslt_gemm(const cl::Device& device, const std::vector<T>& a, const std::vector<T>& b,
                std::size_t c_elements) {
    use_cuda_device(device);
    check_cublas(cublasLtCreate(&handle_), "cublasLtCreate");
    a_ = uploaded_to_cuda(a);
    b_ = uploaded_to_cuda(b);
    c_ = std::make_unique<cuda_array>(c_elements * sizeof(Out));
    workspace_ = std::make_unique<cuda_array>(workspace_bytes);
  }
  ~cublaslt_gemm() override {
    release();
    if (handle_ != nullptr) cublasLtDestroy(handle_);
  }

  std::string name() const override { return "cuBLAS"; }
  std::string detail() const override { return "cuBLASLt " + std::to_string(cublasLtGetVersion()); }
  /// Throws where cuBLASLt has no way: of float8 and int8 it wants A transposed, B not.
  void bind(const gemm_problem_row& problem, const placement& where) override {
    problem_ = problem;
    where_ = where;
    release();
    check_cublas(cublasLtMatmulDescCreate(
                     &product_, is_int ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F, scale_type),
                 "cublasLtMatmulDescCreate");
    const auto set = [&](cublasLtMatmulDescAttributes_t what, clprim::transposition op) {
      const cublasOperation_t value = op == clprim::transposition::none ? CUBLAS_OP_N : CUBLAS_OP_T;
      check_cublas(cublasLtMatmulDescSetAttribute(product_, what, &value, sizeof value),
                   "cublasLtMatmulDescSetAttribute");
    };
    set(CUBLASLT_MATMUL_DESC_TRANSA, problem.op_a);
    set(CUBLASLT_MATMUL_DESC_TRANSB, problem.op_b);
    layout_of(problem.a(), data_type, &of_a_);
    layout_of(problem.b(), data_type, &of_b_);
    layout_of(problem.c(), is_int ? CUDA_R_32I : CUDA_R_32F, &of_c_);
    cublasLtMatmulPreference_t preference = nullptr;
    check_cublas(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
    const std::size_t most = workspace_bytes;
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                         &most, sizeof most);
    cublasLtMatmulHeuristicResult_t found;
    int count = 0;
    const cublasStatus_t code = cublasLtMatmulAlgoGetHeuristic(
        handle_, product_, of_a_, of_b_, of_c_, of_c_, preference, 1, &found, &count);
    cublasLtMatmulPreferenceDestroy(preference);
    check_cublas(code, "cublasLtMatmulAlgoGetHeuristic");
    if (count == 0) throw clprim::error("cuBLASLt has no way through this product");
    algorithm_ = found.algo;
  }
  std::vector<Out> product() override {
    check_cuda(cudaMemset(c_->data(), 0xff, problem_.c_elements() * sizeof(Out)), "cudaMemset");
    call(0);
    std::vector<Out> host(problem_.c_elements());
    check_cuda(
        cudaMemcpy(host.data(), c_->data(), host.size() * sizeof(Out), cudaMemcpyDeviceToHost),
        "cudaMemcpy of C");
    return host;
  }
  timing time(std::size_t warm, std::size_t calls) override {
    return time_cuda(warm, calls, [this](std::size_t i) { call(i); });
  }

 private:
  static constexpr bool is_int = std::same_as<T, std::int8_t>;
  static constexpr cudaDataType_t data_type = is_int ? CUDA_R_8I
                                              : std::same_as<T, clprim::float8_e4m3>
                                                  ? CUDA_R_8F_E4M3
                                                  : CUDA_R_8F_E5M2;
  static constexpr cudaDataType_t scale_type = is_int ? CUDA_R_32I : CUDA_R_32F;
  static constexpr std::size_t workspace_bytes = std::size_t{1} << 26;

  void layout_of(const blas_matrix& x, cudaDataType_t type, cublasLtMatrixLayout_t* layout) {
    check_cublas(cublasLtMatrixLayoutCreate(layout, type, static_cast<std::uint64_t>(x.rows),
                                            static_cast<std::uint64_t>(x.cols), x.leading()),
                 "cublasLtMatrixLayoutCreate");
    const auto batch = static_cast<std::int32_t>(problem_.batch);
    const auto stride = static_cast<std::int64_t>(x.stride());
    cublasLtMatrixLayoutSetAttribute(*layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch,
                                     sizeof batch);
    cublasLtMatrixLayoutSetAttribute(*layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                                     sizeof stride);
  }
  void release() {
    if (product_ != nullptr) cublasLtMatmulDescDestroy(product_);
    for (cublasLtMatrixLayout_t* layout : {&of_a_, &of_b_, &of_c_}) {
      if (*layout != nullptr) cublasLtMatrixLayoutDestroy(*layout);
      *layout = nullptr;
    }
    product_ = nullptr;
  }
  void call(std::size_t i) {
    const auto one = clprim::accumulator_t<T>{1}, zero = clprim::accumulator_t<T>{0};
    Out* const c = static_cast<Out*>(c_->data()) + where_.c(i);
    check_cublas(
        cublasLtMatmul(handle_, product_, &one, static_cast<const T*>(a_->data()) + where_.a(i),
                       of_a_, static_cast<const T*>(b_->data()) + where_.b(i), of_b_, &zero, c,
                       of_c_, c, of_c_, &algorithm_, workspace_->data(), workspace_bytes, nullptr),
        "cublasLtMatmul");
  }

  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t product_ = nullptr;
  cublasLtMatrixLayout_t of_a_ = nullptr, of_b_ = nullptr, of_c_ = nullptr;
  cublasLtMatmulAlgo_t algorithm_{};
  std::unique_ptr<cuda_array> a_, b_, c_, workspace_;
  gemm_problem_row problem_;
  placement where_;
};

}  // namespace bench
#endif
