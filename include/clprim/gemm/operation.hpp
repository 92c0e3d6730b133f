#pragma once
// The operation object of GEMM: operands checked, plans kept, kernels enqueued.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <clprim/gemm/arguments.hpp>
#include <clprim/gemm/copies.hpp>
#include <clprim/gemm/engine.hpp>
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

/// What gemm_engine asks for.
template <product_type T, product_type Out = product_output_t<T>>
class gemm_operation : public operation {
 public:
  using real_or_complex = accumulator_t<Out>;

  explicit gemm_operation(const cl::CommandQueue& queue, gemm_options options = {})
    : operation(queue, options.completion, options.math), options_(std::move(options)) {
    check_function(options_.epilogue, "the epilogue", {"value", "row", "column"});
    if (options_.policy) require_rules(*options_.policy);
    if (options_.precision != gemm_precision::full && scalar_of<T> != scalar::float_) {
      throw argument_error(
          "the precision of a product of " + std::string(facts_of(scalar_of<T>).name),
          "must be full", std::string(to_string(options_.precision)), "full");
    }
    check_fits(options_.policy ? *options_.policy : tuned_gemm(device(), scalar_of<T>, {}).policy);
  }

  cl::Event operator()(real_or_complex alpha, const matrix_view<T>& A, const matrix_view<T>& B,
                       real_or_complex beta, const matrix_view<Out>& C, wait_list waits = {},
                       argument_list arguments = {}) {
    gemm_problem p = checked(A, B, C);
    check_arguments(options_.epilogue, arguments);
    check_operands(operands_of(p), arguments);
    if (p.empty()) return command_chain(*this, waits).end();
    if (alpha == real_or_complex{} || p.k == 0) return scale(p, beta, waits, arguments);
    const auto known = recall(p);
    const way& own = known->ways.front();
    const gemm_plan& plan = *own.plan;
    const int splits = own.schedule.splits;
    command_chain commands(*this, waits);
    const cl_mem partial = commands.workspace(known->workspace_bytes);
    if (known->ways.size() > 1)
      return first_that_holds(commands, *known, p, alpha, beta, partial, arguments);
    copy(commands, p, known->kind, own, partial);
    const cl_kernel multiply = plan.multiply();
    set_operands(multiply, p, alpha, beta);
    if (splits == 1) {
      set_arguments(multiply, set_tiles(multiply, gemm_arguments, known->kind, own, partial),
                    arguments);
      return commands.run_last(multiply, own.products);
    }
    set_arg(multiply, gemm_arguments, static_cast<cl_int>(splits));
    set_arg(multiply, gemm_arguments + 1, partial);
    if (joins_parts(plan.policy, plan.variant)) {
      set_arg(multiply, gemm_arguments + 2, static_cast<cl_uint>(own.schedule.whole));
      set_arg(multiply, gemm_arguments + 3, commands.counters(known->counters()));
      set_arguments(multiply, gemm_arguments + 4, arguments);
      return commands.run_last(multiply, own.products);
    }
    set_arguments(multiply, set_tiles(multiply, gemm_arguments + 2, known->kind, own, partial),
                  arguments);
    const cl_kernel finish = plan.finish();
    set_args(finish, static_cast<cl_int>(p.m), static_cast<cl_int>(p.n), p.c.memory);
    set_places(finish, 3, p.c);
    set_arg(finish, 6, alpha);
    set_arg(finish, 7, beta);
    set_arg(finish, 8, static_cast<cl_int>(splits));
    set_arg(finish, 9, partial);
    set_arg(finish, 10, static_cast<cl_int>(gemm_sharers(own.schedule)));
    set_arguments(finish, 11, arguments);
    commands.run(multiply, own.products);
    return commands.run_last(finish, known->sums);
  }

  void prepare(const matrix_view<T>& A, const matrix_view<T>& B, const matrix_view<Out>& C) {
    const gemm_problem p = checked(A, B, C);
    check_operands(operands_of(p));
    if (p.empty()) return;
    scaling(p);
    if (p.k == 0) return;
    const auto known = recall(p);
    for (const way& one : known->ways)
      copies_.prepare(p, known->kind, one.schedule, scalar_of<T>, on());
    command_chain commands(*this, {});
    commands.workspace(known->workspace_bytes);
    if (known->counters() > 0) commands.counters(known->counters());
  }

  std::size_t workspace_bytes(const matrix_view<T>& A, const matrix_view<T>& B,
                              const matrix_view<Out>& C) const {
    const gemm_problem p = checked(A, B, C);
    const gemm_kind kind = kind_of(p);
    return workspace_of(kind, schedules(kind));
  }
  void use_workspace(memory_handle buffer) {
    operation::use_workspace(buffer);
    kinds_.clear();
  }

  gemm_schedule schedule(const matrix_view<T>& A, const matrix_view<T>& B,
                         const matrix_view<Out>& C) const {
    return schedule(kind_of(checked(A, B, C)));
  }
  std::string explain(const matrix_view<T>& A, const matrix_view<T>& B, const matrix_view<Out>& C) {
    const gemm_problem p = checked(A, B, C);
    const auto head = [&](const std::string& what, std::size_t workspace = 0) {
      return explain_head(gemm_title(kind_of(p), scalar_of<T>) + what, workspace,
                          plans_.size() + scalings_.size() + copies_.programs());
    };
    if (p.empty()) return head(": nothing to do, C has no element");
    if (p.k == 0) return head(": nothing to multiply, C = beta C, one work-item per element");
    const auto known = recall(p);
    const gemm_plan& plan = *known->ways.front().plan;
    return head("", known->workspace_bytes) +
           explain_gemm(p, known->ways.front().schedule, plan, device(),
                        resources_of(*plan.program, plan.multiply, "gemm", on().device)) +
           passed_over(*known);
  }
  std::string source(const matrix_view<T>& A, const matrix_view<T>& B,
                     const matrix_view<Out>& C) const {
    const gemm_problem p = checked(A, B, C);
    if (p.k == 0) return gemm_scale_source(scale_variant(p), options_.epilogue);
    const gemm_schedule s = schedule(kind_of(p));
    return gemm_source(s.policy, s.variant, options_.epilogue);
  }

 private:
  /// One way through a product.
  struct way {
    gemm_schedule schedule;
    std::shared_ptr<gemm_plan> plan;
    launch products;
  };
  /// What a kind of problem runs, found once: a way, and those that take its place where its copies
  /// do not hold an element, in turn.
  struct remembered {
    gemm_kind kind;
    std::vector<way> ways;
    launch sums;
    std::size_t workspace_bytes = 0;

    /// Words that groups count each other by, or copies mark ways in.
    std::size_t counters() const {
      const gemm_schedule& s = ways.front().schedule;
      if (!joins_parts(s.policy, s.variant)) return ways.size() - 1;
      return gemm_first_arrival + static_cast<std::size_t>(gemm_split_tiles(kind, s));
    }
  };

  gemm_problem checked(const matrix_view<T>& A, const matrix_view<T>& B,
                       const matrix_view<Out>& C) const {
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
          const std::vector<gemm_schedule> schedules = this->schedules(kind);
          remembered one{
              kind, {}, gemm_finish_launch(kind, schedules.front()), workspace_of(kind, schedules)};
          for (const gemm_schedule& s : schedules) {
            std::shared_ptr<gemm_plan> plan = plan_for(s);
            const launch products = gemm_launch(kind, s, plan->geometry);
            one.ways.push_back({s, std::move(plan), products});
          }
          return one;
        });
  }

  /// What is run, and what takes its place where its copies do not hold an element, in turn.
  std::vector<gemm_schedule> schedules(const gemm_kind& kind) const {
    std::vector<gemm_schedule> ways{schedule(kind)};
    while (parts_of(ways.back().variant.precision) > 1) {
      ways.push_back(proven(
          [&](const device_facts& facts) {
            return way_behind(ways.back(), kind, options_.portable, room(), scalar_of<T>, facts);
          },
          false));
    }
    return ways;
  }
  gemm_schedule schedule(const gemm_kind& kind) const {
    return by_policy(
        options_.policy, [&] { return gemm_title(kind, scalar_of<T>); },
        [&](const std::optional<gemm_policy>& own) {
          if (own && !options_.policy) check_fits(*own);
          return schedule(kind, own);
        });
  }
  gemm_schedule schedule(const gemm_kind& kind, const std::optional<gemm_policy>& own) const {
    return proven(
        [&](const device_facts& facts) {
          return schedule_for(kind, own, options_.portable, room(), sizeof(accumulator_t<T>),
                              scalar_of<T>, facts, options_.precision);
        },
        own.has_value());
  }
  /// Throws policy_error or device_error where a policy does not fit the device.
  void check_fits(const gemm_policy& policy) const {
    const bool units = serves(policy.instruction, options_.precision);
    const gemm_precision precision = units ? options_.precision : gemm_precision::full;
    check_device_rules(policy, multiplied_type(scalar_of<T>, precision), device(), precision);
  }
  gemm_schedule proven(const auto& fitting, bool demanded) const {
    return proven_schedule<T>(on(), fitting, demanded);
  }

  /// Bytes of workspace that the object may have.
  std::size_t room() const {
    if (held().is_given()) return held().bytes();
    const auto largest = static_cast<std::size_t>(device().max_allocation_bytes);
    const std::size_t unless_told =
        options_.precision == gemm_precision::full ? std::size_t{1} << 28 : largest;
    return std::min(options_.workspace_limit.value_or(unless_told), largest);
  }

  /// A line of `explain` where the library's choice could not be what it should, or is not what the
  /// caller's precision allows.
  std::string passed_over(const remembered& known) const {
    const gemm_precision precision = options_.precision;
    const gemm_schedule& s = known.ways.front().schedule;
    if (s.variant.precision != precision) {
      std::string why = "the plain kernel is predicted to be faster";
      const std::size_t bytes = copies_bytes(known.kind, scalar_of<T>, precision);
      if (s.variant.precision != gemm_precision::full) {
        why = std::string(to_string(s.variant.precision)) + " is predicted to be faster";
      } else if (options_.policy) {
        why = "the policy's instruction is " + std::string(to_string(options_.policy->instruction));
      } else if (options_.portable) {
        why = "nothing but OpenCL C is asked for";
      } else if (!has_units_for(device(), precision)) {
        why = "the device has no matrix units for it";
      } else if (const std::string off = why_no_products<T>(
                     {.variant = {.type = multiplied_type(scalar_of<T>, precision)}},
                     gemm_instruction::wgmma, buffering::async, on());
                 device().warp_group_products && !off.empty()) {
        why = off;
      } else if (bytes > room()) {
        why = "the copies take " + std::to_string(bytes) + " bytes of workspace, " +
              std::to_string(room()) + " are allowed";
      }
      return "  precision  " + std::string(to_string(precision)) + " is not used: " + why + "\n";
    }
    const gemm_instruction unit = device().warp_group_products
                                      ? gemm_instruction::wgmma
                                      : instruction_of(device().matrix_units);
    const bool wanted = !options_.policy && !options_.portable && wants_proof(unit) &&
                        multiplies(unit, scalar_of<T>);
    const bool proven = s.policy.buffer == buffering::bulk;
    const std::string why = wanted && !proven ? why_no_products_by<T>(unit, on()) : std::string{};
    return why.empty()
               ? why
               : "  units      " + std::string(to_string(unit)) + " is not used: " + why + "\n";
  }
  static gemm_spaces spaces(const gemm_kind& kind, const gemm_schedule& s) {
    return gemm_spaces_of(kind, s, sizeof(accumulator_t<T>));
  }
  static std::size_t workspace_of(const gemm_kind& kind, const std::vector<gemm_schedule>& ways) {
    std::size_t most = 0;
    for (const gemm_schedule& s : ways) most = std::max(most, spaces(kind, s).bytes);
    return most;
  }
  static cl_uint set_tiles(cl_kernel kernel, cl_uint first, const gemm_kind& kind, const way& own,
                           cl_mem space) {
    return detail::set_tiles(kernel, first, kind, own.schedule, space,
                             spaces(kind, own.schedule).maps);
  }
  void copy(command_chain& commands, gemm_problem& p, const gemm_kind& kind, const way& own,
            cl_mem space, const way_marks& marks = {}) {
    if (!own.schedule.policy.packed) return;
    copies_.enqueue(commands, p, kind, own.schedule, scalar_of<T>, spaces(kind, own.schedule),
                    space, marks, on());
  }

  /// Enqueues all ways of a product, each with its copies. The device takes the first whose copies
  /// hold every element; the kernels of the others return at once.
  cl::Event first_that_holds(command_chain& commands, const remembered& known,
                             const gemm_problem& p, real_or_complex alpha, real_or_complex beta,
                             cl_mem space, argument_list arguments) {
    const cl_uint turn = commands.turn();
    const way_marks marks{commands.counters(known.counters()), turn};
    cl::Event end;
    for (const way& one : known.ways) {
      gemm_problem operands = p;
      copy(commands, operands, known.kind, one, space, marks);
      const cl_kernel multiply = one.plan->multiply();
      set_operands(multiply, operands, alpha, beta);
      set_way(multiply, gemm_arguments, marks);
      const cl_uint next = set_scales(multiply, gemm_arguments + 2, one.schedule, space,
                                      spaces(known.kind, one.schedule));
      set_arguments(multiply, set_tiles(multiply, next, known.kind, one, space), arguments);
      if (&one == &known.ways.back())
        end = commands.run_last(multiply, one.products);
      else
        commands.run(multiply, one.products);
    }
    return end;
  }

  std::shared_ptr<gemm_plan> plan_for(const gemm_schedule& s) {
    return plans_.find_or_make(
        [&](const gemm_plan& plan) { return plan.variant == s.variant && plan.policy == s.policy; },
        [&] {
          return build_gemm_plan(s, options_.epilogue, on().context, on().device, device(), math());
        });
  }

  gemm_scale_variant scale_variant(const gemm_problem& p) const {
    return {.type = scalar_of<Out>,
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
  operand_copies copies_;
};

template <product_type T, product_type Out>
gemm_engine<T, Out>::gemm_engine(const cl::CommandQueue& queue, gemm_options options)
  : engine(std::make_shared<gemm_operation<T, Out>>(queue, std::move(options))) {}
template <product_type T, product_type Out>
cl::Event gemm_engine<T, Out>::operator()(real_or_complex alpha, const matrix_view<T>& A,
                                          const matrix_view<T>& B, real_or_complex beta,
                                          const matrix_view<Out>& C, wait_list waits,
                                          argument_list arguments) {
  return as<gemm_operation<T, Out>>()(alpha, A, B, beta, C, waits, arguments);
}
template <product_type T, product_type Out>
void gemm_engine<T, Out>::use_workspace(memory_handle buffer) {
  as<gemm_operation<T, Out>>().use_workspace(buffer);
}
template <product_type T, product_type Out>
void gemm_engine<T, Out>::prepare(const matrix_view<T>& A, const matrix_view<T>& B,
                                  const matrix_view<Out>& C) {
  as<gemm_operation<T, Out>>().prepare(A, B, C);
}
template <product_type T, product_type Out>
std::size_t gemm_engine<T, Out>::workspace_bytes(const matrix_view<T>& A, const matrix_view<T>& B,
                                                 const matrix_view<Out>& C) const {
  return as<gemm_operation<T, Out>>().workspace_bytes(A, B, C);
}
template <product_type T, product_type Out>
gemm_schedule gemm_engine<T, Out>::schedule(const matrix_view<T>& A, const matrix_view<T>& B,
                                            const matrix_view<Out>& C) const {
  return as<gemm_operation<T, Out>>().schedule(A, B, C);
}
template <product_type T, product_type Out>
std::string gemm_engine<T, Out>::explain(const matrix_view<T>& A, const matrix_view<T>& B,
                                         const matrix_view<Out>& C) {
  return as<gemm_operation<T, Out>>().explain(A, B, C);
}
template <product_type T, product_type Out>
std::string gemm_engine<T, Out>::source(const matrix_view<T>& A, const matrix_view<T>& B,
                                        const matrix_view<Out>& C) const {
  return as<gemm_operation<T, Out>>().source(A, B, C);
}

}  // namespace clprim::detail
