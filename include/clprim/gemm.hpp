#pragma once
// General matrix multiplication: C = epilogue(alpha op(A) op(B) + beta C).

#include <clprim/core/language.hpp>

#include <utility>

#include <clprim/gemm/engine.hpp>

namespace clprim {

/// In place of a policy: the library chooses for device and problem.
inline constexpr gemm_policy tuned_policy{.tile_m = 0};

/// Matrix products on one queue; T is half, float, double, std::complex<float> or
/// std::complex<double>.
///
///     clprim::gemm<float> multiply(queue);
///     cl::Event done = multiply(1, A, transposed(B), 0, C);
///
/// With a policy as template argument, `gemm<float, gemm_policy{.tile_m = 128, …}>`, one that
/// breaks a rule does not compile and the type shows what runs; the kernels are the same as with a
/// run-time policy.
template <scalar_type T, gemm_policy P = tuned_policy> class gemm : public detail::gemm_engine<T> {
 public:
  static_assert(P == tuned_policy || checked(P) == P);

  /// On this queue; see gemm_options. Throws as gemm_engine.
  explicit gemm(const queue_handle& queue, gemm_options options = {})
    : detail::gemm_engine<T>(queue, with_policy(std::move(options))) {}

 private:
  static gemm_options with_policy(gemm_options options) {
    if constexpr (P != tuned_policy) options.policy = P;
    return options;
  }
};

}  // namespace clprim
