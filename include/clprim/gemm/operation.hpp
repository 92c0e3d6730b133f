#pragma once
// The operation object of GEMM: operands checked, plans kept, kernels enqueued.

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <clprim/gemm/arguments.hpp>
#include <clprim/gemm/explain.hpp>
#include <clprim/gemm/options.hpp>
#include <clprim/gemm/plan.hpp>
#include <clprim/gemm/problem.hpp>
#include <clprim/gemm/scale.hpp>
#include <clprim/gemm/schedule.hpp>
#include <clprim/gemm/self_test.hpp>
#include <clprim/gemm/tuned.hpp>
#include <clprim/runtime/operation.hpp>
#include <clprim/runtime/plan_cache.hpp>

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
    : operation(queue, options.completion, options.math), options_(std::move(options)) {
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
    gemm_problem p = checked(A, B, C);
    check_arguments(options_.epilogue, arguments);
    check_operands(operands_of(p), arguments);
    if (p.empty()) return command_chain(*this, waits).end();
    if (alpha == real_or_complex{} || p.k == 0) return scale(p, beta, waits, arguments);
    const auto known = recall(p);
    const gemm_plan& plan = *known->plan;
    const int splits = known->schedule.splits;
    command_chain commands(*this, waits);
    const cl_mem partial = commands.workspace(known->workspace_bytes);
    if (known->schedule.policy.packed) pack(commands, *known, partial, p);
    const cl_kernel multiply = plan.multiply();
    set_operands(multiply, p, alpha, beta);
    if (splits == 1) {
      set_arguments(multiply, gemm_arguments, arguments);
      return commands.run_last(multiply, known->products);
    }
    set_arg(multiply, gemm_arguments, static_cast<cl_int>(splits));
    set_arg(multiply, gemm_arguments + 1, partial);
    set_arguments(multiply, gemm_arguments + 2, arguments);
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
    if (p.k == 0) return;
    const auto known = recall(p);
    if (known->schedule.variant.a.packed) packing(p.a);
    if (known->schedule.variant.b.packed) packing(p.b);
    command_chain(*this, {}).workspace(known->workspace_bytes);
  }

  /// Bytes of workspace that a product of these operands uses (0 unless it is split along k, or
  /// operands are packed). The
  /// object makes one of its own at the first such product, or uses the one given by
  /// `use_workspace`.
  std::size_t workspace_bytes(const matrix_view<T>& A, const matrix_view<T>& B,
                              const matrix_view<T>& C) const {
    const gemm_problem p = checked(A, B, C);
    const gemm_kind kind = kind_of(p);
    return spaces(kind, schedule(kind)).bytes;
  }
  /// Gives the object a buffer for partial sums and packed operands, which decides how far k is
  /// split and what is packed; it then makes none of its own. Throws as operation::use_workspace.
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
    const auto head = [&](const std::string& what, std::size_t workspace = 0) {
      return explain_head(gemm_title(p, scalar_of<T>) + what, workspace,
                          plans_.size() + scalings_.size() + packings_.size());
    };
    if (p.empty()) return head(": nothing to do, C has no element");
    if (p.k == 0) return head(": nothing to multiply, C = beta C, one work-item per element");
    const auto known = recall(p);
    const gemm_plan& plan = *known->plan;
    return head("", known->workspace_bytes) +
           explain_gemm(p, known->schedule, plan, device(),
                        resources_of(*plan.program, plan.multiply, "gemm", on().device)) +
           passed_over();
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
  /// What a kind of problem runs, found once.
  struct remembered {
    gemm_kind kind;
    gemm_schedule schedule;
    std::shared_ptr<gemm_plan> plan;
    launch products;
    launch sums;
    std::size_t workspace_bytes = 0;
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
    return kinds_.find_or_make([&](const remembered& one) { return one.kind == kind; },
                               [&] {
                                 const gemm_schedule s = schedule(kind);
                                 std::shared_ptr<gemm_plan> plan = plan_for(s);
                                 const launch products = gemm_launch(kind, s, plan->geometry);
                                 return remembered{kind,
                                                   s,
                                                   std::move(plan),
                                                   products,
                                                   gemm_finish_launch(kind, s),
                                                   spaces(kind, s).bytes};
                               });
  }

  gemm_schedule schedule(const gemm_kind& kind) const {
    const auto largest = static_cast<std::size_t>(device().max_allocation_bytes);
    const std::size_t room =
        held().is_given() ? held().bytes() : std::min(options_.workspace_limit, largest);
    const auto fitting = [&](const device_facts& facts) {
      return schedule_for(kind, options_.policy, options_.portable, room, sizeof(real_or_complex),
                          scalar_of<T>, facts);
    };
    const gemm_schedule s = fitting(device());
    if (s.policy.instruction != gemm_instruction::wgmma) return s;
    const std::string why = why_no_warp_group_products(on());
    if (why.empty()) return s;
    if (options_.policy)
      throw device_error("instruction wgmma does not work on " + device().name + ": " + why);
    device_facts others = device();
    others.warp_group_products = false;
    return fitting(others);
  }

  /// A line of `explain` where the library's choice could not be what it should.
  std::string passed_over() const {
    const bool wanted = !options_.policy && !options_.portable && device().warp_group_products &&
                        multiplies(gemm_instruction::wgmma, scalar_of<T>);
    const std::string why = wanted ? why_no_warp_group_products(on()) : std::string{};
    return why.empty() ? why : "  units      wgmma is not used: " + why + "\n";
  }
  static gemm_spaces spaces(const gemm_kind& kind, const gemm_schedule& s) {
    return gemm_spaces_of(kind, s, sizeof(real_or_complex));
  }

  std::shared_ptr<gemm_pack_plan> packing(const gemm_matrix& x) {
    const gemm_pack_variant v{scalar_of<T>, batch_of(x), finish_group_of(device())};
    return packings_.find_or_make([&](const gemm_pack_plan& plan) { return plan.variant == v; },
                                  [&] { return build_pack_plan(v, on().context, on().device); });
  }
  /// Enqueues the copies of the operands that a schedule packs, and makes them those of `p`.
  void pack(command_chain& commands, const remembered& known, cl_mem space, gemm_problem& p) {
    const gemm_spaces at = spaces(known.kind, known.schedule);
    const auto one = [&](gemm_matrix& x, const gemm_kind::operand& kind, int outer,
                         std::size_t place) {
      const packed_lines lines = packed_lines_of(kind, outer, known.kind, scalar_of<T>);
      const auto plan = packing(x);
      const gemm_matrix to =
          packed_matrix(x, lines, space, static_cast<std::int64_t>(place / sizeof(T)));
      set_packing(plan->pack(), x, lines, to);
      commands.run(plan->pack(), gemm_pack_launch(lines, plan->variant));
      x = to;
    };
    if (known.schedule.variant.a.packed) one(p.a, known.kind.a, p.m, at.a);
    if (known.schedule.variant.b.packed) one(p.b, known.kind.b, p.n, at.b);
  }

  std::shared_ptr<gemm_plan> plan_for(const gemm_schedule& s) {
    return plans_.find_or_make(
        [&](const gemm_plan& plan) { return plan.variant == s.variant && plan.policy == s.policy; },
        [&] {
          return build_gemm_plan(s, options_.epilogue, on().context, on().device, device(), math());
        });
  }

  gemm_scale_variant scale_variant(const gemm_problem& p) const {
    return {.type = scalar_of<T>,
            .batch = batch_of(p.c),
            .swapped = p.swapped && !options_.epilogue.empty(),
            .group = finish_group_of(device())};
  }
  std::shared_ptr<gemm_scale_plan> scaling(const gemm_problem& p) {
    const gemm_scale_variant v = scale_variant(p);
    return scalings_.find_or_make(
        [&](const gemm_scale_plan& plan) { return plan.variant == v; },
        [&] { return build_scale_plan(v, options_.epilogue, on().context, on().device, math()); });
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

  gemm_options options_;
  plan_cache<remembered> kinds_;
  plan_cache<gemm_plan> plans_;
  plan_cache<gemm_scale_plan> scalings_;
  plan_cache<gemm_pack_plan> packings_;
};

}  // namespace clprim::detail
