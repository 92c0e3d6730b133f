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
  /// Its idle threads spin for 2^26 cycles before they sleep (THREAD_TIMEOUT), on the cores that
  /// others need.
  double settle_ms() const override { return 60; }

 private:
  void call(std::size_t i) {
    const auto m = static_cast<std::size_t>(problem_.m), n = static_cast<std::size_t>(problem_.n),
               k = static_cast<std::size_t>(problem_.k);
    for (std::size_t z = 0; z < static_cast<std::size_t>(problem_.batch); ++z) {
      multiply(a_->data() + where_.a(i) + z * m * k, b_->data() + where_.b(i) + z * k * n,
               c_.data() + where_.c(i) + z * m * n);
    }
  }
  void multiply([[maybe_unused]] const T* a, [[maybe_unused]] const T* b, [[maybe_unused]] T* c) {
    const blasint m = problem_.m, n = problem_.n, k = problem_.k;
    [[maybe_unused]] const T one{1}, zero{0};
    const auto order = CblasColMajor;
    const auto plain = CblasNoTrans;
    if constexpr (std::same_as<T, float>)
      cblas_sgemm(order, plain, plain, m, n, k, one, a, m, b, k, zero, c, m);
    else if constexpr (std::same_as<T, double>)
      cblas_dgemm(order, plain, plain, m, n, k, one, a, m, b, k, zero, c, m);
    else if constexpr (std::same_as<T, std::complex<float>>)
      cblas_cgemm(order, plain, plain, m, n, k, &one, a, m, b, k, &zero, c, m);
    else if constexpr (std::same_as<T, std::complex<double>>)
      cblas_zgemm(order, plain, plain, m, n, k, &one, a, m, b, k, &zero, c, m);
  }

  std::shared_ptr<const std::vector<T>> a_, b_;
  std::vector<T> c_;
  gemm_problem_row problem_;
  placement where_;
};

}  // namespace bench
#endif
