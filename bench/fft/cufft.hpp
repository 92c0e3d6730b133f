#pragma once
// cuFFT as a contestant.

#include <memory>
#include <string>
#include <vector>

#include <cufft.h>

#include "../harness/cuda.hpp"
#include "problem.hpp"

namespace bench {

inline void check_cufft(cufftResult code, const char* call) {
  if (code != CUFFT_SUCCESS)
    throw clprim::error(std::string(call) + " fails with " +
                        std::to_string(static_cast<int>(code)));
}

template <class T> class cufft_run {
 public:
  cufft_run(const fft_arrays<T>& on, const fft_row& row) : real_(row.real) {
    use_cuda_device(on.place.session.device);
    const std::size_t bytes = on.host.size() * sizeof(T);
    for (std::size_t i = 0; i < on.pairs.size(); ++i) {
      in_.push_back(std::make_unique<cuda_array>(bytes));
      out_.push_back(std::make_unique<cuda_array>(bytes + (std::size_t{1} << 22) * sizeof(T)));
      const void* const from = i == 0 ? static_cast<const void*>(on.host.data()) : in_[0]->data();
      check_cuda(cudaMemcpy(in_[i]->data(), from, bytes, cudaMemcpyDefault), "cudaMemcpy");
    }
    std::vector<int> n(row.lengths.begin(), row.lengths.end());
    const bool twofold = sizeof(T) == 8;
    const cufftType type =
        row.real ? (twofold ? CUFFT_D2Z : CUFFT_R2C) : (twofold ? CUFFT_Z2Z : CUFFT_C2C);
    const auto points = static_cast<int>(row.points()), spectrum = static_cast<int>(row.spectrum());
    check_cufft(
        cufftPlanMany(&plan_, static_cast<int>(n.size()), n.data(), nullptr, 1, points, nullptr, 1,
                      spectrum, type, static_cast<int>(fft_batch(on.place, row))),
        "cufftPlanMany");
  }
  ~cufft_run() { cufftDestroy(plan_); }
  cufft_run(const cufft_run&) = delete;
  cufft_run& operator=(const cufft_run&) = delete;

  void enqueue(std::size_t call) {
    void *const x = in_[call % in_.size()]->data(), *const y = out_[call % out_.size()]->data();
    if constexpr (sizeof(T) == 4)
      check_cufft(real_ ? cufftExecR2C(plan_, static_cast<float*>(x), static_cast<cufftComplex*>(y))
                        : cufftExecC2C(plan_, static_cast<cufftComplex*>(x),
                                       static_cast<cufftComplex*>(y), CUFFT_FORWARD),
                  "cufftExec");
    else
      check_cufft(
          real_ ? cufftExecD2Z(plan_, static_cast<double*>(x), static_cast<cufftDoubleComplex*>(y))
                : cufftExecZ2Z(plan_, static_cast<cufftDoubleComplex*>(x),
                               static_cast<cufftDoubleComplex*>(y), CUFFT_FORWARD),
          "cufftExec");
  }
  std::vector<std::complex<T>> read(std::int64_t first, std::int64_t count) const {
    std::vector<std::complex<T>> values(static_cast<std::size_t>(count));
    check_cuda(cudaMemcpy(values.data(), static_cast<std::complex<T>*>(out_[0]->data()) + first,
                          values.size() * sizeof(values[0]), cudaMemcpyDeviceToHost),
               "cudaMemcpy");
    return values;
  }

 private:
  bool real_;
  std::vector<std::unique_ptr<cuda_array>> in_, out_;  ///< taken in turn, as OpenCL's pairs are
  cufftHandle plan_ = 0;
};

template <class T>
contestant cufft_contestant(const std::shared_ptr<const fft_arrays<T>>& on, const fft_row& row) {
  const auto run = std::make_shared<cufft_run<T>>(*on, row);
  return {.name = "cuFFT",
          .verify =
              [=] {
                run->enqueue(0);
                return fft_complaint(*on, row, [&](std::int64_t first, std::int64_t count) {
                  return run->read(first, count);
                });
              },
          .time =
              [=](std::size_t warm, std::size_t calls) {
                return time_cuda(warm, calls, [&](std::size_t i) { run->enqueue(i); });
              }};
}

}  // namespace bench
