#pragma once
// CLBlast, OpenBLAS and cuBLAS as transposers.

#include <algorithm>
#include <complex>
#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "../gemm/cublas.hpp"
#include "../harness/suite.hpp"
#include "problem.hpp"

#if CLPRIM_HAS_CLBLAST
#include <clblast.h>
#endif
#if CLPRIM_HAS_OPENBLAS
#include <cblas.h>
#endif

namespace bench {

/// Compares `got` with the transpose of `from`: some rows all over, all columns.
template <class T>
std::string wrong_elements(const std::vector<T>& got, const std::vector<T>& from, int rows,
                           int cols) {
  const auto m = static_cast<std::size_t>(rows), n = static_cast<std::size_t>(cols);
  std::size_t count = 0;
  for (std::size_t c = 0; c < n; c += c < 70 || c + 70 > n ? 1 : 97)
    for (std::size_t r = 0; r < m; ++r) count += got[c * m + r] != from[r * n + c] ? 1 : 0;
  return count == 0 ? std::string() : std::to_string(count) + " elements of those looked at";
}

#if CLPRIM_HAS_CLBLAST
/// One call in row-major terms. Throws error when CLBlast fails.
template <class T>
void clblast_turn(const clprim::session& s, const turn_problem& p, const cl::Buffer& a,
                  const cl::Buffer& b) {
  cl_command_queue queue = s.queue();
  const auto m = static_cast<std::size_t>(p.rows), n = static_cast<std::size_t>(p.cols);
  const auto status = clblast::Omatcopy(clblast::Layout::kRowMajor, clblast::Transpose::kYes, m, n,
                                        T{1}, a(), 0, n, b(), 0, m, &queue, nullptr);
  if (status != clblast::StatusCode::kSuccess)
    throw clprim::error("CLBlast's omatcopy failed with status " +
                        std::to_string(static_cast<int>(status)));
}
#endif

template <class T, class Poison, class Check>
void add_clblast([[maybe_unused]] std::vector<contestant>& who,
                 [[maybe_unused]] const suite_place& place, [[maybe_unused]] const turn_problem& p,
                 [[maybe_unused]] const cl::Buffer& a, [[maybe_unused]] const cl::Buffer& b,
                 [[maybe_unused]] bool tuned, [[maybe_unused]] Poison poison,
                 [[maybe_unused]] Check check) {
#if CLPRIM_HAS_CLBLAST
  if constexpr (sizeof(T) >= 4 && clprim::scalar_type<T>) {
    const auto call = [=] { clblast_turn<T>(place.session, p, a, b); };
    who.push_back({.name = tuned ? "CLBlast tuned" : "CLBlast",
                   .verify =
                       [=] {
                         poison();
                         call();
                         return check();
                       },
                   .time =
                       [=](std::size_t warm, std::size_t calls) {
                         return time_opencl(place.session.queue(), place.clock, warm, calls,
                                            [&](std::size_t) { call(); });
                       }});
  }
#endif
}

/// Two bands of rows, a thread each: OpenBLAS runs omatcopy on one.
template <class T>
void add_openblas([[maybe_unused]] std::vector<contestant>& who,
                  [[maybe_unused]] const suite_place& place, [[maybe_unused]] const turn_problem& p,
                  [[maybe_unused]] const std::shared_ptr<std::vector<T>>& host) {
#if CLPRIM_HAS_OPENBLAS
  if constexpr (std::same_as<T, float> || std::same_as<T, double>) {
    if (!place.cpu()) return;
    const auto result = std::make_shared<std::vector<T>>(host->size());
    const auto call = [=] {
      const auto band = [&](int first, int last) {
        const T* const from = host->data() + static_cast<std::ptrdiff_t>(first) * p.cols;
        if constexpr (std::same_as<T, float>)
          cblas_somatcopy(CblasRowMajor, CblasTrans, last - first, p.cols, 1, from, p.cols,
                          result->data() + first, p.rows);
        else
          cblas_domatcopy(CblasRowMajor, CblasTrans, last - first, p.cols, 1, from, p.cols,
                          result->data() + first, p.rows);
      };
      std::jthread other([&] { band(0, p.rows / 2); });
      band(p.rows / 2, p.rows);
    };
    who.push_back({.name = "OpenBLAS",
                   .verify =
                       [=] {
                         call();
                         return wrong_elements(*result, *host, p.rows, p.cols);
                       },
                   .time =
                       [=](std::size_t warm, std::size_t calls) {
                         return time_by_wall(warm, calls, [&](std::size_t) { call(); });
                       }});
  }
#endif
}

#if CLPRIM_HAS_CUBLAS
/// geam as a transposition; column-major: the row-major A is cols x rows, its transpose rows x
/// cols.
template <class T> void geam(cublasHandle_t handle, const turn_problem& p, void* a, void* b) {
  const T one{1}, zero{};
  const auto call = [&](auto function, auto* type) {
    using number = std::remove_pointer_t<decltype(type)>;
    check_cublas(function(handle, CUBLAS_OP_T, CUBLAS_OP_N, p.rows, p.cols,
                          reinterpret_cast<const number*>(&one), static_cast<const number*>(a),
                          p.cols, reinterpret_cast<const number*>(&zero),
                          static_cast<const number*>(b), p.rows, static_cast<number*>(b), p.rows),
                 "cublasXgeam");
  };
  if constexpr (std::same_as<T, float>) call(cublasSgeam, static_cast<float*>(nullptr));
  if constexpr (std::same_as<T, double>) call(cublasDgeam, static_cast<double*>(nullptr));
  if constexpr (std::same_as<T, std::complex<double>>)
    call(cublasZgeam, static_cast<cuDoubleComplex*>(nullptr));
}
#endif

/// cuBLAS, and CUDA's own copy as a second roof.
template <class T>
void add_cublas([[maybe_unused]] std::vector<contestant>& who,
                [[maybe_unused]] const suite_place& place, [[maybe_unused]] const turn_problem& p,
                [[maybe_unused]] const std::shared_ptr<std::vector<T>>& host) {
#if CLPRIM_HAS_CUBLAS
  if constexpr (sizeof(T) >= 4 && clprim::scalar_type<T>) {
    if (!place.nvidia()) return;
    try {
      use_cuda_device(place.session.device);
      const std::size_t bytes = host->size() * sizeof(T);
      const auto a = std::make_shared<cuda_array>(bytes), b = std::make_shared<cuda_array>(bytes);
      check_cuda(cudaMemcpy(a->data(), host->data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
      static cublasHandle_t handle = [] {
        cublasHandle_t made = nullptr;
        check_cublas(cublasCreate(&made), "cublasCreate");
        return made;
      }();
      const auto call = [=] { geam<T>(handle, p, a->data(), b->data()); };
      who.push_back({.name = "cuBLAS",
                     .verify =
                         [=] {
                           call();
                           std::vector<T> got(host->size());
                           check_cuda(
                               cudaMemcpy(got.data(), b->data(), bytes, cudaMemcpyDeviceToHost),
                               "cudaMemcpy");
                           return wrong_elements(got, *host, p.rows, p.cols);
                         },
                     .time =
                         [=](std::size_t warm, std::size_t calls) {
                           return time_cuda(warm, calls, [&](std::size_t) { call(); });
                         }});
      who.push_back({.name = "cudaMemcpy",
                     .as = role::roof,
                     .time = [=](std::size_t warm, std::size_t calls) {
                       return time_cuda(warm, calls, [&](std::size_t) {
                         cudaMemcpyAsync(b->data(), a->data(), bytes, cudaMemcpyDeviceToDevice);
                       });
                     }});
    } catch (const std::exception& e) {
      who.push_back(absent("cuBLAS", e.what()));
    }
  }
#endif
}

}  // namespace bench
