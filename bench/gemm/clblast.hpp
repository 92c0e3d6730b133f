#pragma once
// CLBlast as a contestant, in the same buffers as ours; with its own parameters or with some that
// were found on this machine (clblast_tuning.hpp).

#include <memory>
#include <string>

#include "opencl_operands.hpp"

#if CLPRIM_HAS_CLBLAST
#include <clblast.h>

namespace bench {

/// The type under which CLBlast knows ours: half by its bits.
template <class T> struct clblast_type { using type = T; };
template <> struct clblast_type<clprim::half> { using type = cl_half; };

template <class T> class clblast_gemm final : public gemm_contestant<T> {
 public:
  using element = typename clblast_type<T>::type;

  clblast_gemm(std::shared_ptr<const opencl_operands<T>> operands, bool tuned)
    : operands_(std::move(operands)), tuned_(tuned) {}

  std::string name() const override { return tuned_ ? "CLBlast tuned" : "CLBlast"; }
  void bind(const gemm_problem_row& p, const placement& where) override {
    if (p.type == clprim::scalar::half_ && !operands_->device.fp16)
      throw clprim::device_error("CLBlast needs half arithmetic (cl_khr_fp16)");
    problem_ = p;
    where_ = where;
    temporary_ = {};
    if (p.batch > 1) return;
    // Its temporary buffer is made beforehand, as it offers; its size is 0 where it needs none.
    const auto m = size(p.m), n = size(p.n), k = size(p.k);
    std::size_t bytes = 0;
    cl_command_queue queue = operands_->session.queue();
    if (clblast::GemmTempBufferSize<element>(clblast::Layout::kColMajor, operation(p.op_a),
                                             operation(p.op_b), m, n, k, 0, size(p.a().leading()),
                                             0, size(p.b().leading()), 0, size(p.c().leading()),
                                             &queue, bytes) != clblast::StatusCode::kSuccess ||
        bytes == 0) {
      return;
    }
    cl_int code = CL_SUCCESS;
    temporary_ = cl::Buffer(
        clCreateBuffer(operands_->session.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code),
        false);
    clprim::check(code, "clCreateBuffer of CLBlast's temporary buffer");
  }
  std::vector<T> product() override {
    operands_->poison(problem_.c_elements());
    call(0);
    return operands_->read_c(problem_.c_elements());
  }
  timing time(std::size_t warm, std::size_t calls) override {
    return operands_->time(warm, calls, [this](std::size_t i) { call(i); });
  }

 private:
  static std::size_t size(int extent) { return static_cast<std::size_t>(extent); }

  static clblast::Transpose operation(clprim::transposition op) {
    return op == clprim::transposition::none        ? clblast::Transpose::kNo
           : op == clprim::transposition::transpose ? clblast::Transpose::kYes
                                                    : clblast::Transpose::kConjugate;
  }
  static element one() {
    if constexpr (std::same_as<T, clprim::half>)
      return clprim::half(1.0f).bits;
    else
      return T{1};
  }

  void call(std::size_t i) {
    const auto order = clblast::Layout::kColMajor;
    const auto m = size(problem_.m), n = size(problem_.n), k = size(problem_.k);
    const blas_matrix of_a = problem_.a(), of_b = problem_.b(), of_c = problem_.c();
    const auto on_a = operation(of_a.op), on_b = operation(of_b.op);
    const auto lda = size(of_a.leading()), ldb = size(of_b.leading()), ldc = size(of_c.leading());
    cl_command_queue queue = operands_->session.queue();
    const cl_mem a = operands_->a(), b = operands_->b(), c = operands_->c();
    const auto status =
        problem_.batch == 1
            ? clblast::Gemm<element>(order, on_a, on_b, m, n, k, one(), a, where_.a(i), lda, b,
                                     where_.b(i), ldb, element{}, c, where_.c(i), ldc, &queue,
                                     nullptr, temporary_())
            : clblast::GemmStridedBatched<element>(
                  order, on_a, on_b, m, n, k, one(), a, where_.a(i), lda, of_a.stride(), b,
                  where_.b(i), ldb, of_b.stride(), element{}, c, where_.c(i), ldc, of_c.stride(),
                  size(problem_.batch), &queue, nullptr);
    if (status != clblast::StatusCode::kSuccess) {
      throw clprim::error("CLBlast's gemm failed with status " +
                          std::to_string(static_cast<int>(status)));
    }
  }

  std::shared_ptr<const opencl_operands<T>> operands_;
  bool tuned_;
  cl::Buffer temporary_;
  gemm_problem_row problem_;
  placement where_;
};

}  // namespace bench
#endif
