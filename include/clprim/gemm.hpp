#pragma once
// General matrix multiplication: C = epilogue(alpha op(A) op(B) + beta C).

#include <clprim/core/language.hpp>

#include <concepts>
#include <utility>

#include <clprim/gemm/engine.hpp>

namespace clprim {

/// In place of a policy: the library chooses for device and problem.
inline constexpr gemm_policy tuned_policy{.tile_m = 0};

/// Matrix products on one queue; T is half, bfloat16, float, double, std::complex<float>,
/// std::complex<double>, std::int8_t, float8_e4m3 or float8_e5m2.
///
///     clprim::gemm<float> multiply(queue);
///     cl::Event done = multiply(1, A, transposed(B), 0, C);
///
/// C is of the same type, or, for half and bfloat16, of Out = float: sums are kept in float, and
/// then not rounded. Of std::int8_t it is of std::int32_t, and sums past its range wrap around, or,
/// with factors alpha and beta of float, of float or half; of float8 it is of float, half or
/// bfloat16.
///
/// With a policy as template argument, `gemm<float, gemm_policy{.tile_m = 128, …}>`, one that
/// breaks a rule does not compile and the type shows what runs; the kernels are the same as with a
/// run-time policy.
template <product_factor T, gemm_policy P = tuned_policy, product_type Out = product_output_t<T>>
class gemm : public detail::gemm_engine<T, Out> {
 public:
  static_assert(P == tuned_policy || checked(P) == P);
  static_assert(
      product_output<T, Out>,
      "C is of the type of A and B, or of float where these are half or bfloat16; of "
      "std::int32_t, float or half where they are std::int8_t; of float, half or bfloat16 "
      "where they are float8");

  /// On this queue; see gemm_options. Throws as gemm_engine.
  explicit gemm(const queue_handle& queue, gemm_options options = {})
    : detail::gemm_engine<T, Out>(queue, with_policy(std::move(options))) {}

 private:
  static gemm_options with_policy(gemm_options options) {
    if constexpr (P != tuned_policy) options.policy = P;
    return options;
  }
};

}  // namespace clprim
