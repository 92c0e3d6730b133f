#pragma once
// clprim's GEMM as a contestant.

#include <memory>
#include <optional>
#include <string>

#include <clprim/gemm.hpp>

#include "opencl_operands.hpp"

namespace bench {

/// "128x128x16 8x16 slices 4 registers, k in 3": enough to tell the policies of a table apart.
inline std::string short_name(const clprim::gemm_policy& p, int splits) {
  const auto number = [](int n) { return std::to_string(n); };
  std::string text = number(p.tile_m) + "x" + number(p.tile_n) + "x" + number(p.tile_k) + " " +
                     number(p.per_item_m) + "x" + number(p.per_item_n);
  if (p.slices_k > 1) text += " slices " + number(p.slices_k);
  if (p.buffer == clprim::buffering::registers) text += " registers";
  if (p.buffer == clprim::buffering::async) text += " async " + number(p.stages);
  if (p.buffer == clprim::buffering::bulk) text += " bulk " + number(p.stages);
  if (p.instruction == clprim::gemm_instruction::mma_sync) text += " mma_sync";
  if (p.instruction == clprim::gemm_instruction::wgmma) text += " wgmma";
  if (splits > 1) text += ", k in " + number(splits);
  return text;
}

template <clprim::product_type T> class our_gemm final : public gemm_contestant<T> {
 public:
  using Out = clprim::product_output_t<T>;

  /// `policy` in place of the library's choice; `async` in place of it in the rows that ask for
  /// cp.async (without one: the library's choice, and where that has no cp.async, the same with it
  /// in four stages). `portable`: nothing but OpenCL C in all rows.
  our_gemm(std::shared_ptr<const opencl_operands<T>> operands,
           std::optional<clprim::gemm_policy> policy, std::optional<clprim::gemm_policy> async,
           bool portable)
    : operands_(std::move(operands)), policy_(policy), async_(async), portable_(portable) {}

  std::string name() const override { return "clprim"; }
  void bind(const gemm_problem_row& problem, const placement& where) override {
    problem_ = problem;
    where_ = where;
    const auto with = [&](std::optional<clprim::gemm_policy> policy) {
      multiply_ = std::make_unique<clprim::gemm<T>>(
          operands_->session.queue,
          clprim::gemm_options{.policy = policy,
                               .portable = portable_ || problem.ours == wish::portable,
                               .completion = clprim::completion::none,
                               .precision = problem.precision});
    };
    with(policy_);
    if (problem.ours == wish::async && async_) with(async_);
    if (clprim::gemm_policy p = schedule().policy;
        problem.ours == wish::async && p.buffer != clprim::buffering::async) {
      p.buffer = clprim::buffering::async;
      p.stages = 4;
      with(p);
    }
    multiply_->prepare(a(0), b(0), c(0));
  }
  std::string short_detail() const override {
    const clprim::gemm_schedule s = schedule();
    return short_name(s.policy, s.splits);
  }
  std::string detail() const override {
    const clprim::gemm_schedule s = schedule();
    return to_string(s.policy) + ", k in " + std::to_string(s.splits);
  }
  std::vector<Out> product() override {
    operands_->poison(problem_.c_elements());
    call(0);
    return operands_->read_c(problem_.c_elements());
  }
  timing time(std::size_t warm, std::size_t calls) override {
    return operands_->time(warm, calls, [this](std::size_t i) { call(i); });
  }
  clprim::gemm_kind kind() const {
    return clprim::kind_of(clprim::checked_problem(a(0), b(0), c(0)));
  }
  clprim::gemm_schedule schedule() const { return multiply_->schedule(a(0), b(0), c(0)); }

 private:
  using factor = clprim::accumulator_t<Out>;

  template <class E = T>
  clprim::matrix_view<E> view(const cl::Buffer& buffer, const blas_matrix& x,
                              std::size_t first) const {
    auto v = clprim::matrix<E>(buffer, x.rows, x.cols)
                 .column_major()
                 .at(static_cast<std::int64_t>(first));
    if (x.gap > 0) v = v.ld(x.leading());
    if (problem_.batch > 1) v = v.batch(problem_.batch, static_cast<std::int64_t>(x.stride()));
    if (x.op == clprim::transposition::transpose) return clprim::transposed(v);
    return x.op == clprim::transposition::conjugate ? clprim::conjugated(v) : v;
  }
  clprim::matrix_view<T> a(std::size_t i) const {
    return view(operands_->a, problem_.a(), where_.a(i));
  }
  clprim::matrix_view<T> b(std::size_t i) const {
    return view(operands_->b, problem_.b(), where_.b(i));
  }
  clprim::matrix_view<Out> c(std::size_t i) const {
    return view<Out>(operands_->c, problem_.c(), where_.c(i));
  }
  void call(std::size_t i) { (*multiply_)(factor{1}, a(i), b(i), factor{0}, c(i)); }

  std::shared_ptr<const opencl_operands<T>> operands_;
  std::optional<clprim::gemm_policy> policy_;
  std::optional<clprim::gemm_policy> async_;
  bool portable_;
  std::unique_ptr<clprim::gemm<T>> multiply_;
  gemm_problem_row problem_;
  placement where_;
};

}  // namespace bench
