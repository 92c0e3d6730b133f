#pragma once
// OpenBLAS as a contestant on CPU devices, with all cores.

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "contestant.hpp"

#if CLPRIM_HAS_OPENBLAS
#include <cblas.h>

namespace bench {

template <class T> class openblas_gemm final : public gemm_contestant<T> {
 public:
  openblas_gemm(std::shared_ptr<const std::vector<T>> a, std::shared_ptr<const std::vector<T>> b,
                std::size_t c_elements)
    : a_(std::move(a)), b_(std::move(b)), c_(c_elements) {
    openblas_set_num_threads(static_cast<int>(std::thread::hardware_concurrency()));
  }

  std::string name() const override { return "OpenBLAS"; }
  std::string detail() const override { return openblas_get_config(); }
  void bind(const gemm_problem_row& problem, const placement& where) override {
    if (problem.type == clprim::scalar::half_) throw clprim::error("OpenBLAS has no half gemm");
    problem_ = problem;
    where_ = where;
  }
  std::vector<T> product() override {
    std::fill_n(reinterpret_cast<unsigned char*>(c_.data()), problem_.c_elements() * sizeof(T),
                static_cast<unsigned char>(0xff));
    call(0);
    return {c_.begin(), c_.begin() + static_cast<std::ptrdiff_t>(problem_.c_elements())};
  }
  timing time(std::size_t warm, std::size_t calls) override {
    return time_by_wall(warm, calls, [this](std::size_t i) { call(i); });
  }
  /// Its idle threads spin for 2^28 cycles before they sleep (THREAD_TIMEOUT), on the cores that
  /// others need: 103 ms at 2.6 GHz, where a wait of 60 halved our speed.
  double settle_ms() const override { return 150; }

 private:
  void call(std::size_t i) {
    const std::size_t a = problem_.a().stride(), b = problem_.b().stride(),
                      c = problem_.c().stride();
    for (std::size_t z = 0; z < static_cast<std::size_t>(problem_.batch); ++z) {
      multiply(a_->data() + where_.a(i) + z * a, b_->data() + where_.b(i) + z * b,
               c_.data() + where_.c(i) + z * c);
    }
  }
  static CBLAS_TRANSPOSE operation(clprim::transposition op) {
    return op == clprim::transposition::none        ? CblasNoTrans
           : op == clprim::transposition::transpose ? CblasTrans
                                                    : CblasConjTrans;
  }
  void multiply([[maybe_unused]] const T* a, [[maybe_unused]] const T* b, [[maybe_unused]] T* c) {
    const blasint m = problem_.m, n = problem_.n, k = problem_.k;
    const blasint lda = problem_.a().leading(), ldb = problem_.b().leading(),
                  ldc = problem_.c().leading();
    [[maybe_unused]] const T one{1}, zero{0};
    const auto order = CblasColMajor;
    const CBLAS_TRANSPOSE on_a = operation(problem_.op_a), on_b = operation(problem_.op_b);
    if constexpr (std::same_as<T, float>)
      cblas_sgemm(order, on_a, on_b, m, n, k, one, a, lda, b, ldb, zero, c, ldc);
    else if constexpr (std::same_as<T, double>)
      cblas_dgemm(order, on_a, on_b, m, n, k, one, a, lda, b, ldb, zero, c, ldc);
    else if constexpr (std::same_as<T, std::complex<float>>)
      cblas_cgemm(order, on_a, on_b, m, n, k, &one, a, lda, b, ldb, &zero, c, ldc);
    else if constexpr (std::same_as<T, std::complex<double>>)
      cblas_zgemm(order, on_a, on_b, m, n, k, &one, a, lda, b, ldb, &zero, c, ldc);
  }

  std::shared_ptr<const std::vector<T>> a_, b_;
  std::vector<T> c_;
  gemm_problem_row problem_;
  placement where_;
};

}  // namespace bench
#endif
