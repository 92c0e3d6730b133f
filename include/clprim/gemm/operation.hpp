#pragma once
// The operation object of GEMM: operands checked, plans kept, kernels enqueued.

#include <algorithm>
#include <deque>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <clprim/gemm/explain.hpp>
#include <clprim/gemm/plan.hpp>
#include <clprim/gemm/problem.hpp>
#include <clprim/gemm/scale.hpp>
#include <clprim/gemm/tuned.hpp>
#include <clprim/runtime/argument.hpp>
#include <clprim/runtime/move_only.hpp>
#include <clprim/runtime/queue.hpp>
#include <clprim/runtime/workspace.hpp>

namespace clprim {

/// How an operation object is set up; every member may be left out.
struct gemm_options {
  /// The policy; without one the library chooses per problem (gemm/tuned.hpp).
  std::optional<gemm_policy> policy{};
  /// Text applied to each element before it is stored: the body of a function that sees `value`
  /// (float or double, float2 or double2 for complex; float for half), `row` and `column` of C, and
  /// its own parameters, and nothing of the library's.
  function epilogue{};
  /// Whether the library chooses among policies of plain OpenCL C only (no cp.async).
  bool portable = false;
  /// The most device memory, in bytes, that the object may hold for products split along k, within
  /// the device's largest allocation. 0: never split.
  std::size_t workspace_limit = std::size_t{1} << 28;
};

}  // namespace clprim

namespace clprim::detail {

/// All behaviour of `gemm<T, P>`, the same for every P.
template <scalar_type T> class gemm_operation : move_only {
 public:
  using real_or_complex = accumulator_t<T>;

  /// Prepares products on a queue's device; nothing is built before the first product asks for it.
  /// The object is for one thread at a time. Throws policy_error for a policy that breaks its rules
  /// or does not fit the device, device_error when the device lacks double precision for double
  /// operands.
  explicit gemm_operation(const cl::CommandQueue& queue, gemm_options options = {})
    : queue_(queue), on_(facts_of(queue)), options_(std::move(options)) {
    if (options_.policy) {
      check_rules(*options_.policy);
      check_device_rules(*options_.policy, scalar_of<T>, on_.facts);
    } else {
      check_device_rules(tuned_gemm(on_.facts, scalar_of<T>, {}).policy, scalar_of<T>, on_.facts);
    }
  }

  /// Enqueues C = epilogue(alpha op(A) op(B) + beta C) and returns the event of its last command.
  ///
  /// op(A) is m x k, op(B) k x n, C m x n; each operand has its own layout, leading dimension,
  /// offset and batch. beta = 0 does not read C; alpha = 0 and k = 0 leave C = epilogue(beta C), where
  /// beta = 1 changes no bit, and read neither A nor B. Runs after `waits`, on out-of-order queues
  /// too. `arguments` are those of the epilogue's parameters.
  /// Throws argument_error before anything is enqueued (see checked_problem), build_error at the
  /// first product of a kind, opencl_error.
  cl::Event operator()(real_or_complex alpha, const matrix_view<T>& A, const matrix_view<T>& B,
                       real_or_complex beta, const matrix_view<T>& C,
                       std::span<const cl::Event> waits = {},
                       std::span<const argument> arguments = {}) {
    const gemm_problem problem = checked_problem(A, B, C);
    check_arguments(options_.epilogue, arguments);
    if (problem.m == 0 || problem.n == 0 || problem.batch == 0) return marker(queue_(), waits);
    if (alpha == real_or_complex{} || problem.k == 0)
      return enqueue_scale(problem, beta, waits, arguments);
    const remembered& known = recall(problem);
    const cl_kernel multiply = known.plan->multiply();
    set_operands(multiply, problem, alpha, beta);
    if (known.schedule.splits == 1) {
      set_arguments(multiply, multiply_arguments, arguments);
      return enqueue(queue_(), multiply, known.products, waits);
    }
    return enqueue_split(known, problem, alpha, beta, waits, arguments);
  }
  cl::Event operator()(real_or_complex alpha, const matrix_view<T>& A, const matrix_view<T>& B,
                       real_or_complex beta, const matrix_view<T>& C,
                       std::span<const cl::Event> waits,
                       std::initializer_list<argument> arguments) {
    return (*this)(alpha, A, B, beta, C, waits, std::span(arguments.begin(), arguments.size()));
  }

  /// Builds what a product of these operands needs, whatever alpha and beta are, so that the first
  /// call does not. Throws as the call.
  void prepare(const matrix_view<T>& A, const matrix_view<T>& B, const matrix_view<T>& C) {
    const gemm_problem problem = checked_problem(A, B, C);
    if (problem.m == 0 || problem.n == 0 || problem.batch == 0) return;
    scaling(problem);
    if (problem.k == 0) return;
    const remembered& known = recall(problem);
    if (known.schedule.splits > 1)
      workspace_.require(on_.context(), partial_bytes(problem, known.schedule.splits));
  }

  /// Bytes of workspace that a product of these operands uses (0 unless it is split along k). The
  /// object makes one of its own at the first such product, or uses the one given by
  /// `use_workspace`.
  std::size_t workspace_bytes(const matrix_view<T>& A, const matrix_view<T>& B,
                              const matrix_view<T>& C) const {
    const gemm_problem problem = checked_problem(A, B, C);
    return partial_bytes(problem, schedule(kind_of(problem)).splits);
  }
  /// Gives the object a buffer for partial sums; it then makes none of its own.
  void use_workspace(const cl::Buffer& buffer) {
    workspace_.use(buffer);
    remembered_.clear();  // schedules split k according to the room there is
  }
  /// Bytes of workspace that the object holds now, its own or given.
  std::size_t workspace_held() const { return workspace_.bytes(); }

  /// The policy and the parts of k that a product of these operands runs with.
  gemm_schedule schedule(const matrix_view<T>& A, const matrix_view<T>& B,
                         const matrix_view<T>& C) const {
    return schedule(kind_of(checked_problem(A, B, C)));
  }
  /// What a product of these operands runs, for a person: policy, source, launch, resources, floor.
  std::string explain(const matrix_view<T>& A, const matrix_view<T>& B, const matrix_view<T>& C) {
    const gemm_problem problem = checked_problem(A, B, C);
    if (problem.m == 0 || problem.n == 0 || problem.batch == 0)
      return "gemm: nothing to do, C has no element\n";
    if (problem.k == 0)
      return "gemm: nothing to multiply, k is 0: C = beta C, one work-item per element\n";
    const remembered& known = recall(problem);
    const gemm_plan& plan = *known.plan;
    return explain_gemm(problem, known.schedule, plan, on_.facts,
                        resources_of(*plan.program, plan.multiply, "gemm", on_.device));
  }
  /// The OpenCL C source that a product of these operands runs.
  std::string source(const matrix_view<T>& A, const matrix_view<T>& B,
                     const matrix_view<T>& C) const {
    const gemm_problem problem = checked_problem(A, B, C);
    if (problem.k == 0) return gemm_scale_source(scale_variant(problem), options_.epilogue);
    const gemm_schedule s = schedule(kind_of(problem));
    return gemm_source(s.policy, s.variant, options_.epilogue);
  }
  /// The facts of the device it runs on.
  const device_facts& device() const { return on_.facts; }

 private:
  static constexpr cl_uint multiply_arguments = 17;  ///< kernel arguments before the optional ones
  static constexpr cl_uint finish_arguments = 8;

  /// What a kind of problem runs, found once.
  struct remembered {
    gemm_kind kind;
    gemm_schedule schedule;
    gemm_plan* plan = nullptr;
    launch products;
    launch sums;
  };

  const remembered& recall(const gemm_problem& problem) {
    const gemm_kind kind = kind_of(problem);
    for (const remembered& one : remembered_) {
      if (one.kind == kind) return one;
    }
    const gemm_schedule s = schedule(kind);
    gemm_plan& plan = plan_for(s);
    const launch products = gemm_launch(kind, s, plan.geometry);
    if (remembered_.size() == remembered_limit) remembered_.pop_back();
    remembered_.push_front({kind, s, &plan, products, gemm_finish_launch(kind, s)});
    return remembered_.front();
  }

  gemm_schedule schedule(const gemm_kind& kind) const {
    const gemm_size size = size_of(kind, scalar_of<T>);
    const auto largest = static_cast<std::size_t>(on_.facts.max_allocation_bytes);
    const std::size_t room =
        workspace_.is_given() ? workspace_.bytes() : std::min(options_.workspace_limit, largest);
    const std::size_t one = static_cast<std::size_t>(kind.m) * static_cast<std::size_t>(kind.n) *
                            static_cast<std::size_t>(kind.batch) * sizeof(real_or_complex);
    const std::size_t most = one == 0 ? 1 : room / one;  // parts of k whose sums fit
    gemm_choice choice;
    if (!options_.policy) {
      choice = tuned_gemm(on_.facts, scalar_of<T>, size, {options_.portable, most > 1});
    } else {
      choice.policy = *options_.policy;
      choice.splits = choice.policy.split_k > 0 ? choice.policy.split_k
                                                : splits_to_fill(on_.facts, choice.policy, size);
    }
    const int splits = most < 2 ? 1
                                : static_cast<int>(std::min<std::size_t>(
                                      most, static_cast<std::size_t>(choice.splits)));
    return schedule_of(kind, choice.policy, splits, scalar_of<T>, on_.facts);
  }

  template <class Problem> static std::size_t partial_bytes(const Problem& problem, int splits) {
    return static_cast<std::size_t>(gemm_partial_sums(problem, splits)) * sizeof(real_or_complex);
  }

  gemm_plan& plan_for(const gemm_schedule& s) {
    for (gemm_plan& plan : plans_) {
      if (plan.variant == s.variant && plan.policy == s.policy) return plan;
    }
    plans_.push_back(build_gemm_plan(s, options_.epilogue, on_.context, on_.device, on_.facts));
    return plans_.back();
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

  cl::Event enqueue_split(const remembered& known, const gemm_problem& p, real_or_complex alpha,
                          real_or_complex beta, std::span<const cl::Event> waits,
                          std::span<const argument> arguments) {
    const auto splits = static_cast<cl_int>(known.schedule.splits);
    for (const cl_mem operand : {p.a.memory, p.b.memory, p.c.memory}) {
      if (operand == workspace_.memory()) {
        throw argument_error("the workspace", "must not be an operand", "a buffer of A, B or C",
                             "a buffer of its own");
      }
    }
    workspace_.require(on_.context(), partial_bytes(p, splits));
    const cl_kernel multiply = known.plan->multiply(), finish = known.plan->finish();
    set_arg(multiply, multiply_arguments, splits);
    set_arg(multiply, multiply_arguments + 1, workspace_.memory());
    set_arguments(multiply, multiply_arguments + 2, arguments);
    set_args(finish, static_cast<cl_int>(p.m), static_cast<cl_int>(p.n), p.c.memory);
    set_places(finish, 3, p.c);
    set_arg(finish, 6, alpha);
    set_arg(finish, 7, beta);
    set_arg(finish, finish_arguments, splits);
    set_arg(finish, finish_arguments + 1, workspace_.memory());
    set_arg(finish, finish_arguments + 2, static_cast<cl_int>(gemm_sharers(known.schedule)));
    set_arguments(finish, finish_arguments + 3, arguments);
    if (!on_.out_of_order) {
      enqueue(queue_(), multiply, known.products, waits);
      return enqueue(queue_(), finish, known.sums);
    }
    const cl::Event parts = enqueue(queue_(), multiply, known.products, workspace_.waits(waits));
    cl::Event done = enqueue(queue_(), finish, known.sums, std::span(&parts, 1));
    workspace_.free_after(done);
    return done;
  }

  /// C = epilogue(beta C) for one kind of C: at most two kinds of batch times two orders.
  struct built_scaling {
    gemm_scale_variant variant;
    std::shared_ptr<const built_program> program;
    cl::Kernel kernel;
  };

  gemm_scale_variant scale_variant(const gemm_problem& p) const {
    return {.type = scalar_of<T>,
            .batch = p.c.offsets != nullptr ? gemm_batch::offsets : gemm_batch::strided,
            .swapped = p.swapped && !options_.epilogue.empty(),
            .group = finish_group_of(on_.facts)};
  }

  const built_scaling& scaling(const gemm_problem& p) {
    const gemm_scale_variant v = scale_variant(p);
    for (const built_scaling& one : scalings_) {
      if (one.variant == v) return one;
    }
    auto program = build(on_.context, on_.device, gemm_scale_source(v, options_.epilogue));
    cl::Kernel kernel = make_kernel(*program, "gemm_scale");
    scalings_.push_back({v, std::move(program), std::move(kernel)});
    return scalings_.back();
  }

  cl::Event enqueue_scale(const gemm_problem& p, real_or_complex beta,
                          std::span<const cl::Event> waits, std::span<const argument> arguments) {
    if (beta == real_or_complex(1) && options_.epilogue.empty()) return marker(queue_(), waits);
    const built_scaling& known = scaling(p);
    const cl_kernel kernel = known.kernel();
    set_args(kernel, static_cast<cl_int>(p.m), static_cast<cl_int>(p.n),
             static_cast<cl_long>(p.batch), p.c.memory);
    set_places(kernel, 4, p.c);
    set_arg(kernel, 7, beta);
    set_arguments(kernel, 8, arguments);
    const auto group = static_cast<std::size_t>(known.variant.group);
    const std::size_t elements = static_cast<std::size_t>(p.m) * static_cast<std::size_t>(p.n) *
                                 static_cast<std::size_t>(p.batch);
    return enqueue(queue_(), kernel,
                   {1, {(elements + group - 1) / group * group, 1, 1}, {group, 1, 1}}, waits);
  }

  static constexpr std::size_t remembered_limit = 64;

  cl::CommandQueue queue_;
  queue_facts on_;
  gemm_options options_;
  std::deque<gemm_plan> plans_;
  std::deque<remembered> remembered_;
  std::deque<built_scaling> scalings_;
  workspace workspace_;
};

}  // namespace clprim::detail
