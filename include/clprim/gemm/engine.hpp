#pragma once
// What a matrix product asks of its engine; gemm/operation.hpp has what that does.

#include <complex>
#include <cstddef>
#include <string>

#include <clprim/core/scalar.hpp>
#include <clprim/gemm/options.hpp>
#include <clprim/runtime/engine.hpp>
#include <clprim/runtime/view.hpp>

namespace clprim {

struct gemm_schedule;  // gemm/plan.hpp

namespace detail {

/// All behaviour of `gemm<T, P, Out>`, the same for every P. A and B are of T, C of Out.
template <product_type T, product_type Out = product_output_t<T>>
class gemm_engine : public engine {
 public:
  using real_or_complex = accumulator_t<Out>;

  /// Prepares products on a queue's device; nothing is built before the first product asks for it.
  /// The object is for one thread at a time. Throws policy_error for a policy that breaks its rules
  /// or does not fit the device, device_error when the device lacks double precision for double
  /// operands, argument_error for an epilogue that cannot be one (check_function).
  explicit gemm_engine(const cl::CommandQueue& queue, gemm_options options = {});

  /// Enqueues C = epilogue(alpha op(A) op(B) + beta C) and returns the event of its last command.
  ///
  /// op(A) is m x k, op(B) k x n, C m x n; each operand has its own layout, leading dimension,
  /// offset and batch. beta = 0 does not read C; alpha = 0 and k = 0 leave C = epilogue(beta C),
  /// where beta = 1 changes no bit, and read neither A nor B. Runs after `waits`, on out-of-order
  /// queues too. `arguments` are those of the epilogue's parameters. Throws argument_error before
  /// anything is enqueued (see checked_problem and operation::check_operands), build_error at the
  /// first product of a kind, opencl_error.
  cl::Event operator()(real_or_complex alpha, const matrix_view<T>& A, const matrix_view<T>& B,
                       real_or_complex beta, const matrix_view<Out>& C, wait_list waits = {},
                       argument_list arguments = {});

  /// Builds what a product of these operands needs, whatever alpha and beta are, and reserves its
  /// workspace, so that the first call does not. Throws as the call.
  void prepare(const matrix_view<T>& A, const matrix_view<T>& B, const matrix_view<Out>& C);

  /// Bytes of workspace that a product of these operands uses (0 unless it is split along k,
  /// operands are packed, or bulk copies have them described). The object makes one of its own at
  /// the first such product, or uses the one given by `use_workspace`.
  std::size_t workspace_bytes(const matrix_view<T>& A, const matrix_view<T>& B,
                              const matrix_view<Out>& C) const;
  /// Gives the object a buffer for partial sums and packed operands, which decides how far k is
  /// split and what is packed; it then makes none of its own. Throws as operation::use_workspace.
  void use_workspace(memory_handle buffer);

  /// The policy and the parts of k that a product of these operands runs with.
  gemm_schedule schedule(const matrix_view<T>& A, const matrix_view<T>& B,
                         const matrix_view<Out>& C) const;
  /// What a product of these operands runs, for a person: policy, source, launch, resources, floor.
  std::string explain(const matrix_view<T>& A, const matrix_view<T>& B, const matrix_view<Out>& C);
  /// The OpenCL C source that a product of these operands runs.
  std::string source(const matrix_view<T>& A, const matrix_view<T>& B,
                     const matrix_view<Out>& C) const;
};

}  // namespace detail
}  // namespace clprim

#ifdef CLPRIM_COMPILED
namespace clprim::detail {
extern template class gemm_engine<half>;
extern template class gemm_engine<half, float>;
extern template class gemm_engine<bfloat16>;
extern template class gemm_engine<bfloat16, float>;
extern template class gemm_engine<float>;
extern template class gemm_engine<double>;
extern template class gemm_engine<std::complex<float>>;
extern template class gemm_engine<std::complex<double>>;
extern template class gemm_engine<std::int8_t, std::int32_t>;
extern template class gemm_engine<std::int8_t, float>;
extern template class gemm_engine<std::int8_t, half>;
extern template class gemm_engine<float8_e4m3, float>;
extern template class gemm_engine<float8_e4m3, half>;
extern template class gemm_engine<float8_e4m3, bfloat16>;
extern template class gemm_engine<float8_e5m2, float>;
extern template class gemm_engine<float8_e5m2, half>;
extern template class gemm_engine<float8_e5m2, bfloat16>;
}  // namespace clprim::detail
#else
#include <clprim/gemm/operation.hpp>
#endif
