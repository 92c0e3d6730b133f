#pragma once
// The operation object of reductions: operands checked, plans kept, kernels enqueued.

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/occupancy/device.hpp>
#include <clprim/reduce/engine.hpp>
#include <clprim/reduce/explain.hpp>
#include <clprim/reduce/host_results.hpp>
#include <clprim/reduce/options.hpp>
#include <clprim/reduce/plan.hpp>
#include <clprim/reduce/tuned.hpp>
#include <clprim/runtime/operation.hpp>
#include <clprim/runtime/plan_cache.hpp>

namespace clprim::detail {

/// Plans of reductions; types are known by what is reduced only.
class reduce_operation : public operation {
  static auto same_kernels(const reduce_schedule& s) {
    return [&s](const reduce_plan& plan) {
      return plan.variant == s.variant && plan.policy == s.policy;
    };
  }

 public:
  reduce_operation(const cl::CommandQueue& queue, reduce_options options, reduction what)
    : operation(queue, options.completion, options.math),
      options_(std::move(options)),
      what_(std::move(what)) {
    if (options_.policy) require_rules(*options_.policy);
    check_device_rules(options_.policy ? *options_.policy : tuned({}), what_, device());
  }

  const reduction& what() const { return what_; }

  /// Enqueues a checked reduction, `results` being where its results go.
  cl::Event run(const checked_input& in, const footprint& results, wait_list waits,
                argument_list arguments) {
    check_call(in, results, arguments);
    return run(in.problem, waits, arguments);
  }
  /// The results on the host, `each` bytes every one, when they are there.
  std::vector<std::byte> read(checked_input in, std::size_t each, wait_list waits,
                              argument_list arguments) {
    check_call(in, {}, arguments);
    in.problem.out = results_.hold(on(), in.problem.results(), each);
    const cl::Event done = run(in.problem, waits, arguments);
    return results_.read(queue(), static_cast<std::size_t>(in.problem.results()) * each, done);
  }
  void prepare(const reduce_problem& p) {
    require_queue();
    if (p.results() == 0) return;
    command_chain commands(*this, {});
    prepared& ready = planned(p);
    ready.arguments_set = false;  // counters may be new ones, by the handle that others had
    meet(commands, ready);
  }
  /// As far as it is known: a kernel that is built tells how many groups are resident.
  reduce_schedule schedule(const reduce_problem& p) const {
    require_queue();
    reduce_policy policy;
    reduce_schedule s = by_policy(
        options_.policy, [&] { return reduction_title(p, what_); },
        [&](const std::optional<reduce_policy>& own) {
          policy = own ? *own : tuned(p);
          if (own) check_device_rules(policy, what_, device());
          return schedule_of(p, policy, what_, device());
        });
    if (policy.groups_per_unit != 0 || !s.variant.split) return s;
    const reduce_plan* const plan = plans_.peek(same_kernels(s));
    if (plan != nullptr) share(s, p, wanted_groups(policy, device(), plan->resident));
    return s;
  }
  std::size_t workspace_bytes(const reduce_problem& p) const {
    return 4 * static_cast<std::size_t>(words_of(p, schedule(p), what_).left);
  }
  std::string source(const reduce_problem& p) const {
    const reduce_schedule s = schedule(p);
    return reduce_source(s.policy, s.variant, what_);
  }
  std::string explain(const reduce_problem& p) {
    if (p.results() == 0) return "reduction: nothing to do, there is no result\n";
    const std::shared_ptr<reduce_plan> plan = plan_for(schedule(p));
    const reduce_schedule s = schedule(p);
    const kernel_resources used =
        resources_of(*plan->program, plan->first, kernel_name(s.variant.shape), on().device);
    const launch l = reduce_launch(s);
    return explain_head(reduction_title(p, what_), workspace_bytes(p), plans_.size()) +
           explain_reduce(p, s, *plan, what_, used) +
           rules_line(device(), s.policy.group, static_cast<std::int64_t>(l.global[0] / l.local[0]),
                      occupancy_of(limits_of(device()), use_of(used, s.policy.group)));
  }

 private:
  /// What a call needs to know of a problem's numbers.
  struct prepared {
    reduce_problem problem{};
    reduce_schedule schedule{};
    std::shared_ptr<reduce_plan> plan{};
    reduce_words words{};  ///< in which its groups meet
    meeting_place set{};   ///< what its kernels have as arguments, as the problem's numbers
    bool arguments_set = false;
  };

  /// The library's choice.
  reduce_policy tuned(const reduce_problem& p) const {
    const reduce_size size{p.shape,
                           p.length,
                           p.results(),
                           what_.element.bytes,
                           state_words(what_),
                           what_.may_vary_between_runs};
    return within_limits(tuned_reduce(device(), size), what_, device());
  }
  const std::shared_ptr<reduce_plan>& plan_for(const reduce_schedule& s) {
    return plans_.find_or_make(same_kernels(s), [&] {
      return build_reduce_plan(s, what_, on().context, on().device, device(), math());
    });
  }
  /// Everything that is checked before a call, `results` being where its results go.
  void check_call(const checked_input& in, const footprint& results,
                  argument_list arguments) const {
    require_queue();
    check_arguments(what_.map, arguments);
    check_operands(std::array<operand, 4>{operand{"x", in.x}, operand{"y", in.y},
                                          operand{"the offsets of the segments", in.offsets},
                                          operand{"the results", results, true}},
                   arguments);
  }

  /// A problem like the last one is not planned again: small arrays take no longer than a launch.
  prepared& planned(const reduce_problem& p) {
    if (last_.plan != nullptr && same_numbers(last_.problem, p)) return last_;
    const std::shared_ptr<reduce_plan> plan = plan_for(schedule(p));
    const reduce_schedule s = schedule(p);
    return last_ = {p, s, plan, words_of(p, s, what_), {}, false};
  }
  /// Where the groups of a call meet.
  meeting_place meet(command_chain& commands, const prepared& ready) const {
    meeting_place at;
    if (sends_messages(ready.schedule.policy, ready.schedule.variant))
      at.turn = commands.turn(device().int64_atomics ? 0xffffffffu : 0xffffu);
    at.left = commands.workspace(static_cast<std::size_t>(ready.words.left) * 4);
    if (ready.words.kept > 0)
      at.kept = commands.counters(static_cast<std::size_t>(ready.words.kept));
    return at;
  }
  cl::Event run(const reduce_problem& p, wait_list waits, argument_list arguments) {
    if (p.results() == 0) return command_chain(*this, waits).end();
    prepared& ready = planned(p);
    command_chain commands(*this, waits);
    const meeting_place at = meet(commands, ready);
    // Turn 1: new words, which may have come by a handle that other words had.
    const bool fresh = !std::exchange(ready.arguments_set, false) || at.turn == 1 ||
                       at.kept != ready.set.kept || at.left != ready.set.left;
    cl::Event done = p.shape == reduce_shape::ragged
                         ? run_ragged(p, ready, at, commands, arguments)
                         : run_plain(p, ready, at, fresh, commands, arguments);
    ready.set = at;
    ready.arguments_set = true;
    return done;
  }

  static cl::Event run_plain(const reduce_problem& p, const prepared& ready,
                             const meeting_place& at, bool fresh, command_chain& commands,
                             argument_list arguments) {
    const reduce_schedule& s = ready.schedule;
    reduce_plan& plan = *ready.plan;
    reduce_arguments set(plan, p, s, at, fresh);
    set_arguments(plan.first(), set.first(), arguments);
    if (plan.second() == nullptr) return commands.run_last(plan.first(), reduce_launch(s));
    set.finish();
    commands.run(plan.first(), reduce_launch(s));
    return commands.run_last(plan.second(), reduce_finish_launch(p, s));
  }
  static cl::Event run_ragged(const reduce_problem& p, const prepared& ready,
                              const meeting_place& at, command_chain& commands,
                              argument_list arguments) {
    const reduce_schedule& s = ready.schedule;
    const reduce_plan& plan = *ready.plan;
    set_ragged_arguments(plan, p, s, at, arguments);
    const auto group = static_cast<std::size_t>(s.policy.group);
    const launch all{1, {static_cast<std::size_t>(s.parts) * group, 1, 1}, {group, 1, 1}};
    commands.run(plan.first(), reduce_launch(s));
    commands.run(plan.second(), all);
    return commands.run_last(plan.third(), all);
  }

  reduce_options options_;
  reduction what_;
  plan_cache<reduce_plan> plans_;
  prepared last_;
  host_results results_;
};

CLPRIM_INLINE reduce_engine::reduce_engine(const cl::CommandQueue& queue, reduce_options options,
                                           reduction what)
  : engine(std::make_shared<reduce_operation>(queue, std::move(options), std::move(what))) {}
CLPRIM_INLINE const reduction& reduce_engine::what() const { return as<reduce_operation>().what(); }
CLPRIM_INLINE cl::Event reduce_engine::run(const checked_input& in, const footprint& results,
                                           wait_list waits, argument_list arguments) {
  return as<reduce_operation>().run(in, results, waits, arguments);
}
CLPRIM_INLINE std::vector<std::byte> reduce_engine::read(const checked_input& in, std::size_t each,
                                                         wait_list waits, argument_list arguments) {
  return as<reduce_operation>().read(in, each, waits, arguments);
}
CLPRIM_INLINE void reduce_engine::prepare(const reduce_problem& p) {
  as<reduce_operation>().prepare(p);
}
CLPRIM_INLINE std::size_t reduce_engine::workspace_bytes(const reduce_problem& p) const {
  return as<reduce_operation>().workspace_bytes(p);
}
CLPRIM_INLINE reduce_schedule reduce_engine::schedule(const reduce_problem& p) const {
  return as<reduce_operation>().schedule(p);
}
CLPRIM_INLINE std::string reduce_engine::explain(const reduce_problem& p) {
  return as<reduce_operation>().explain(p);
}
CLPRIM_INLINE std::string reduce_engine::source(const reduce_problem& p) const {
  return as<reduce_operation>().source(p);
}

}  // namespace clprim::detail
