#pragma once
// FFTW on the host: plans for one thread and for all, measured or of drawn rows estimated, of which
// the faster one counts.

#include <algorithm>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include <fftw3.h>

#include "problem.hpp"

namespace bench {

/// FFTW's names in float and double.
template <class T> struct fftw;
template <> struct fftw<float> {
  using plan = fftwf_plan;
  using complex = fftwf_complex;
  static void start(int threads) {
    fftwf_init_threads();
    fftwf_plan_with_nthreads(threads);
  }
  static void* room(std::size_t bytes) { return fftwf_malloc(bytes); }
  static void release(void* p) { fftwf_free(p); }
  static void run(plan p) { fftwf_execute(p); }
  static void destroy(plan p) { fftwf_destroy_plan(p); }
  static constexpr auto complex_plan = fftwf_plan_many_dft;
  static constexpr auto real_plan = fftwf_plan_many_dft_r2c;
};
template <> struct fftw<double> {
  using plan = fftw_plan;
  using complex = fftw_complex;
  static void start(int threads) {
    fftw_init_threads();
    fftw_plan_with_nthreads(threads);
  }
  static void* room(std::size_t bytes) { return fftw_malloc(bytes); }
  static void release(void* p) { fftw_free(p); }
  static void run(plan p) { fftw_execute(p); }
  static void destroy(plan p) { fftw_destroy_plan(p); }
  static constexpr auto complex_plan = fftw_plan_many_dft;
  static constexpr auto real_plan = fftw_plan_many_dft_r2c;
};

template <class T> class fftw_run {
 public:
  using api = fftw<T>;

  fftw_run(const fft_arrays<T>& on, const fft_row& row) {
    const auto batch = static_cast<int>(fft_batch(on.place, row));
    const auto points = static_cast<int>(row.points()), spectrum = static_cast<int>(row.spectrum());
    const std::size_t in_values =
        static_cast<std::size_t>(points) * static_cast<std::size_t>(batch) * (row.real ? 1 : 2);
    in_ = static_cast<T*>(api::room(in_values * sizeof(T)));
    out_ = static_cast<T*>(api::room(2 * static_cast<std::size_t>(spectrum) *
                                     static_cast<std::size_t>(batch) * sizeof(T)));
    const int all = static_cast<int>(std::thread::hardware_concurrency());
    plan_ = planned(row, batch, 1);
    // What FFTW measures while it plans errs for short transforms, of whose time threads take most.
    if (const typename api::plan threaded = all > 1 ? planned(row, batch, all) : nullptr) {
      const bool slower = seconds_of(threaded) > seconds_of(plan_);
      api::destroy(slower ? threaded : plan_);
      if (!slower) plan_ = threaded;
    }
    std::copy(on.host.begin(), on.host.begin() + static_cast<std::ptrdiff_t>(in_values), in_);
  }
  ~fftw_run() {
    api::destroy(plan_);
    api::release(in_);
    api::release(out_);
  }
  fftw_run(const fftw_run&) = delete;
  fftw_run& operator=(const fftw_run&) = delete;

  void run() { api::run(plan_); }
  const std::complex<T>* result() const { return reinterpret_cast<std::complex<T>*>(out_); }

 private:
  typename api::plan planned(const fft_row& row, int batch, int threads) {
    const std::vector<int> n(row.lengths.begin(), row.lengths.end());
    const auto points = static_cast<int>(row.points()), spectrum = static_cast<int>(row.spectrum());
    api::start(threads);
    const unsigned how = row.drawn ? FFTW_ESTIMATE : FFTW_MEASURE;
    const auto rank = static_cast<int>(n.size());
    auto* const y = reinterpret_cast<typename api::complex*>(out_);
    if (row.real)
      return api::real_plan(rank, n.data(), batch, in_, nullptr, 1, points, y, nullptr, 1, spectrum,
                            how);
    return api::complex_plan(rank, n.data(), batch, reinterpret_cast<typename api::complex*>(in_),
                             nullptr, 1, points, y, nullptr, 1, spectrum, FFTW_FORWARD, how);
  }
  /// Of a call, about: the best of some for two milliseconds.
  static double seconds_of(typename api::plan plan) {
    double best = std::numeric_limits<double>::infinity();
    for (double spent = 0; spent < 2e-3;) {
      const double begin = seconds_now();
      api::run(plan);
      const double one = seconds_now() - begin;
      best = std::min(best, one);
      spent += one;
    }
    return best;
  }

  T* in_ = nullptr;
  T* out_ = nullptr;
  typename api::plan plan_{};
};

template <class T>
contestant fftw_contestant(const std::shared_ptr<const fft_arrays<T>>& on, const fft_row& row) {
  const auto run = std::make_shared<fftw_run<T>>(*on, row);
  return {.name = "FFTW",
          .verify =
              [=] {
                run->run();
                return fft_complaint(*on, row, [&](std::int64_t first, std::int64_t count) {
                  return std::vector<std::complex<T>>(run->result() + first,
                                                      run->result() + first + count);
                });
              },
          .time =
              [=](std::size_t warm, std::size_t calls) {
                return time_by_wall(warm, calls, [&](std::size_t) { run->run(); });
              }};
}

}  // namespace bench
