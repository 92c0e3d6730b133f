#pragma once
// The operation object of GEMM: operands checked, plans kept, kernels enqueued.

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <clprim/gemm/explain.hpp>
#include <clprim/gemm/plan.hpp>
#include <clprim/gemm/problem.hpp>
#include <clprim/gemm/scale.hpp>
#include <clprim/gemm/tuned.hpp>
#include <clprim/runtime/operation.hpp>
#include <clprim/runtime/plan_cache.hpp>

namespace clprim {

/// How an operation object is set up; every member may be left out.
struct gemm_options {
  /// The policy; without one the library chooses per problem (gemm/tuned.hpp).
  std::optional<gemm_policy> policy{};
  /// Text applied to each element before it is stored: the body of a function that sees `value`
  /// (float or double, float2 or double2 for complex; float for half), `row` and `column` of C, and
  /// its own parameters, and nothing of the library's.
  function epilogue{};
  /// Whether the library chooses among policies of plain OpenCL C only: no cp.async, no matrix
  /// units.
  bool portable = false;
  /// The most device memory, in bytes, that the object may hold for products split along k, within
  /// the device's largest allocation. 0: never split.
  std::size_t workspace_limit = std::size_t{1} << 28;
  /// Whether calls have events.
  clprim::completion completion = completion::event;
};

}  // namespace clprim

namespace clprim::detail {

/// All behaviour of `gemm<T, P>`, the same for every P.
template <scalar_type T> class gemm_operation : public operation {
 public:
  using real_or_complex = accumulator_t<T>;

  /// Prepares products on a queue's device; nothing is built before the first product asks for it.
  /// The object is for one thread at a time. Throws policy_error for a policy that breaks its rules
  /// or does not fit the device, device_error when the device lacks double precision for double
  /// operands, argument_error for an epilogue that cannot be one (check_function).
  explicit gemm_operation(const cl::CommandQueue& queue, gemm_options options = {})
    : operation(queue, options.completion), options_(std::move(options)) {
    check_function(options_.epilogue, "the epilogue", {"value", "row", "column"});
    if (options_.policy) require_rules(*options_.policy);
    check_device_rules(
        options_.policy ? *options_.policy : tuned_gemm(device(), scalar_of<T>, {}).policy,
        scalar_of<T>, device());
  }

  /// Enqueues C = epilogue(alpha op(A) op(B) + beta C) and returns the event of its last command.
  ///
  /// op(A) is m x k, op(B) k x n, C m x n; each operand has its own layout, leading dimension,
  /// offset and batch. beta = 0 does not read C; alpha = 0 and k = 0 leave C = epilogue(beta C),
  /// where beta = 1 changes no bit, and read neither A nor B. Runs after `waits`, on out-of-order
  /// queues too. `arguments` are those of the epilogue's parameters. Throws argument_error before
  /// anything is enqueued (see checked_problem and operation::check_operands), build_error at the
  /// first product of a kind, opencl_error.
  cl::Event operator()(real_or_complex alpha, const matrix_view<T>& A, const matrix_view<T>& B,
                       real_or_complex beta, const matrix_view<T>& C, wait_list waits = {},
                       argument_list arguments = {}) {
    const gemm_problem p = checked(A, B, C);
    check_arguments(options_.epilogue, arguments);
    check_operands(operands_of(p), arguments);
    if (p.empty()) return command_chain(*this, waits).end();
    if (alpha == real_or_complex{} || p.k == 0) return scale(p, beta, waits, arguments);
    const auto known = recall(p);
    const gemm_plan& plan = *known->plan;
    const int splits = known->schedule.splits;
    command_chain commands(*this, waits);
    const cl_mem partial = commands.workspace(partial_bytes(p, splits));
    const cl_kernel multiply = plan.multiply();
    set_operands(multiply, p, alpha, beta);
    if (splits == 1) {
      set_arguments(multiply, multiply_arguments, arguments);
      return commands.run_last(multiply, known->products);
    }
    set_arg(multiply, multiply_arguments, static_cast<cl_int>(splits));
    set_arg(multiply, multiply_arguments + 1, partial);
    set_arguments(multiply, multiply_arguments + 2, arguments);
    const cl_kernel finish = plan.finish();
    set_args(finish, static_cast<cl_int>(p.m), static_cast<cl_int>(p.n), p.c.memory);
    set_places(finish, 3, p.c);
    set_arg(finish, 6, alpha);
    set_arg(finish, 7, beta);
    set_arg(finish, 8, static_cast<cl_int>(splits));
    set_arg(finish, 9, partial);
    set_arg(finish, 10, static_cast<cl_int>(gemm_sharers(known->schedule)));
    set_arguments(finish, 11, arguments);
    commands.run(multiply, known->products);
    return commands.run_last(finish, known->sums);
  }

  /// Builds what a product of these operands needs, whatever alpha and beta are, and reserves its
  /// workspace, so that the first call does not. Throws as the call.
  void prepare(const matrix_view<T>& A, const matrix_view<T>& B, const matrix_view<T>& C) {
    const gemm_problem p = checked(A, B, C);
    check_operands(operands_of(p));
    if (p.empty()) return;
    scaling(p);
    if (p.k > 0) command_chain(*this, {}).workspace(partial_bytes(p, recall(p)->schedule.splits));
  }

  /// Bytes of workspace that a product of these operands uses (0 unless it is split along k). The
  /// object makes one of its own at the first such product, or uses the one given by
  /// `use_workspace`.
  std::size_t workspace_bytes(const matrix_view<T>& A, const matrix_view<T>& B,
                              const matrix_view<T>& C) const {
    const gemm_problem p = checked(A, B, C);
    return partial_bytes(p, schedule(kind_of(p)).splits);
  }
  /// Gives the object a buffer for partial sums, which decides how far k is split; it then makes
  /// none of its own. Throws as operation::use_workspace.
  void use_workspace(const cl::Buffer& buffer) {
    operation::use_workspace(buffer);
    kinds_.clear();
  }

  /// The policy and the parts of k that a product of these operands runs with.
  gemm_schedule schedule(const matrix_view<T>& A, const matrix_view<T>& B,
                         const matrix_view<T>& C) const {
    return schedule(kind_of(checked(A, B, C)));
  }
  /// What a product of these operands runs, for a person: policy, source, launch, resources, floor.
  std::string explain(const matrix_view<T>& A, const matrix_view<T>& B, const matrix_view<T>& C) {
    const gemm_problem p = checked(A, B, C);
    const auto head = [&](const std::string& what, int splits = 1) {
      return explain_head(gemm_title(p, scalar_of<T>) + what, partial_bytes(p, splits),
                          plans_.size() + scalings_.size());
    };
    if (p.empty()) return head(": nothing to do, C has no element");
    if (p.k == 0) return head(": nothing to multiply, C = beta C, one work-item per element");
    const auto known = recall(p);
    const gemm_plan& plan = *known->plan;
    return head("", known->schedule.splits) +
           explain_gemm(p, known->schedule, plan, device(),
                        resources_of(*plan.program, plan.multiply, "gemm", on().device));
  }
  /// The OpenCL C source that a product of these operands runs.
  std::string source(const matrix_view<T>& A, const matrix_view<T>& B,
                     const matrix_view<T>& C) const {
    const gemm_problem p = checked(A, B, C);
    if (p.k == 0) return gemm_scale_source(scale_variant(p), options_.epilogue);
    const gemm_schedule s = schedule(kind_of(p));
    return gemm_source(s.policy, s.variant, options_.epilogue);
  }

 private:
  static constexpr cl_uint multiply_arguments = 17;  ///< kernel arguments before the optional ones

  /// What a kind of problem runs, found once.
  struct remembered {
    gemm_kind kind;
    gemm_schedule schedule;
    std::shared_ptr<gemm_plan> plan;
    launch products;
    launch sums;
  };

  gemm_problem checked(const matrix_view<T>& A, const matrix_view<T>& B,
                       const matrix_view<T>& C) const {
    require_queue();
    return checked_problem(A, B, C);
  }
  static std::array<operand, 3> operands_of(const gemm_problem& p) {
    return {{{p.a.name, p.a.bytes}, {p.b.name, p.b.bytes}, {p.c.name, p.c.bytes, true}}};
  }

  std::shared_ptr<remembered> recall(const gemm_problem& p) {
    const gemm_kind kind = kind_of(p);
    return kinds_.find_or_make(
        [&](const remembered& one) { return one.kind == kind; },
        [&] {
          const gemm_schedule s = schedule(kind);
          std::shared_ptr<gemm_plan> plan = plan_for(s);
          const launch products = gemm_launch(kind, s, plan->geometry);
          return remembered{kind, s, std::move(plan), products, gemm_finish_launch(kind, s)};
        });
  }

  gemm_schedule schedule(const gemm_kind& kind) const {
    const gemm_size size = size_of(kind, scalar_of<T>);
    const auto largest = static_cast<std::size_t>(device().max_allocation_bytes);
    const std::size_t room =
        held().is_given() ? held().bytes() : std::min(options_.workspace_limit, largest);
    const std::size_t one = static_cast<std::size_t>(kind.m) * static_cast<std::size_t>(kind.n) *
                            static_cast<std::size_t>(kind.batch) * sizeof(real_or_complex);
    const std::size_t most = one == 0 ? 1 : room / one;  // parts of k whose sums fit
    gemm_choice choice;
    if (!options_.policy) {
      choice = tuned_gemm(device(), scalar_of<T>, size, {options_.portable, most > 1});
    } else {
      choice.policy = *options_.policy;
      choice.splits = choice.policy.split_k > 0 ? choice.policy.split_k
                                                : splits_to_fill(device(), choice.policy, size);
    }
    const int splits = most < 2 ? 1
                                : static_cast<int>(std::min<std::size_t>(
                                      most, static_cast<std::size_t>(choice.splits)));
    return schedule_of(kind, choice.policy, splits, scalar_of<T>, device());
  }

  static std::size_t partial_bytes(const gemm_problem& p, int splits) {
    return static_cast<std::size_t>(gemm_partial_sums(p, splits)) * sizeof(real_or_complex);
  }

  std::shared_ptr<gemm_plan> plan_for(const gemm_schedule& s) {
    return plans_.find_or_make(
        [&](const gemm_plan& plan) { return plan.variant == s.variant && plan.policy == s.policy; },
        [&] { return build_gemm_plan(s, options_.epilogue, on().context, on().device, device()); });
  }

  gemm_scale_variant scale_variant(const gemm_problem& p) const {
    return {.type = scalar_of<T>,
            .batch = p.c.offsets != nullptr ? gemm_batch::offsets : gemm_batch::strided,
            .swapped = p.swapped && !options_.epilogue.empty(),
            .group = finish_group_of(device())};
  }
  std::shared_ptr<gemm_scale_plan> scaling(const gemm_problem& p) {
    const gemm_scale_variant v = scale_variant(p);
    return scalings_.find_or_make(
        [&](const gemm_scale_plan& plan) { return plan.variant == v; },
        [&] { return build_scale_plan(v, options_.epilogue, on().context, on().device); });
  }

  /// C = epilogue(beta C).
  cl::Event scale(const gemm_problem& p, real_or_complex beta, wait_list waits,
                  argument_list arguments) {
    if (beta == real_or_complex(1) && options_.epilogue.empty())
      return command_chain(*this, waits).end();
    const auto plan = scaling(p);
    const cl_kernel kernel = plan->scale();
    set_args(kernel, static_cast<cl_int>(p.m), static_cast<cl_int>(p.n),
             static_cast<cl_long>(p.batch), p.c.memory);
    set_places(kernel, 4, p.c);
    set_arg(kernel, 7, beta);
    set_arguments(kernel, 8, arguments);
    return command_chain(*this, waits).run_last(kernel, gemm_scale_launch(p, plan->variant));
  }

  /// Arguments first, first + 1, first + 2: where a matrix and its batch begin.
  static void set_places(cl_kernel kernel, cl_uint first, const gemm_matrix& x) {
    set_arg(kernel, first, static_cast<cl_long>(x.offset));
    set_arg(kernel, first + 1, static_cast<cl_int>(x.leading));
    if (x.offsets != nullptr) {
      set_arg(kernel, first + 2, x.offsets);
    } else {
      set_arg(kernel, first + 2, static_cast<cl_long>(x.stride));
    }
  }

  static void set_operands(cl_kernel kernel, const gemm_problem& p, real_or_complex alpha,
                           real_or_complex beta) {
    set_args(kernel, static_cast<cl_int>(p.m), static_cast<cl_int>(p.n), static_cast<cl_int>(p.k),
             p.a.memory);
    set_places(kernel, 4, p.a);
    set_arg(kernel, 7, p.b.memory);
    set_places(kernel, 8, p.b);
    set_arg(kernel, 11, p.c.memory);
    set_places(kernel, 12, p.c);
    set_arg(kernel, 15, alpha);
    set_arg(kernel, 16, beta);
  }

  gemm_options options_;
  plan_cache<remembered> kinds_;
  plan_cache<gemm_plan> plans_;
  plan_cache<gemm_scale_plan> scalings_;
};

}  // namespace clprim::detail
