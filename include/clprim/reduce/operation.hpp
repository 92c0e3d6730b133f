#pragma once
// The operation object of reductions: operands checked, plans kept, kernels enqueued.

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <clprim/core/occupancy/device.hpp>
#include <clprim/reduce/explain.hpp>
#include <clprim/reduce/host_results.hpp>
#include <clprim/reduce/options.hpp>
#include <clprim/reduce/plan.hpp>
#include <clprim/reduce/tuned.hpp>
#include <clprim/runtime/operation.hpp>
#include <clprim/runtime/plan_cache.hpp>

namespace clprim::detail {

/// All behaviour of `reduce<T, Op, P>`, the same for every P. A dot product takes two operands, x
/// and y, wherever other operators take x.
template <class T, class Given> class reduce_operation : public operation {
  using Op = typename op::detail::operator_or_sum<T, Given>::type;
  static_assert(!std::same_as<T, bool>,
                "clprim::reduce: bool has no size on which host and device agree; store "
                "std::uint8_t, and take op::any, op::all or op::count");
  static_assert(std::is_trivially_copyable_v<T>, "clprim::reduce: elements are copied as bytes");
  static_assert(op::is_operator<Given, T>,
                "clprim::reduce: the second argument must be an operator of clprim::op, such as "
                "op::sum<>, op::max, op::several<op::sum<>, op::max> or op::user<state>");
  using stored_results = op::detail::results<Op, T>;
  static constexpr bool two = op::detail::is_dot<Op>;
  using view = reduce_view<T>;

 public:
  using result = typename stored_results::type;
  /// Bytes of one result in device memory: of the operator's result type (reduce/types.hpp), of
  /// op::several a C structure of them in this order.
  static constexpr std::size_t result_bytes = stored_results::bytes;

  /// Prepares reductions on a queue's device; nothing is built before the first call asks for it.
  /// The object is for one thread at a time. Throws policy_error or device_error for what does not
  /// fit the device, argument_error for options that do not fit the operator.
  explicit reduce_operation(const cl::CommandQueue& queue, reduce_options options = {})
    : operation(queue, options.completion, options.math),
      options_(std::move(options)),
      what_(reduction_of<T, Op>(options_)) {
    if (options_.policy) require_rules(*options_.policy);
    check_device_rules(policy_for({}), what_, device());
  }

  /// Enqueues the reduction of `x` into result `offset` and those after it of `out` (result_bytes
  /// each, results in the order of the view) and returns the event of its last command. Runs after
  /// `waits`, on out-of-order queues too. `arguments` are those of the map's parameters. Throws
  /// argument_error before anything is enqueued, build_error at the first reduction of a kind,
  /// opencl_error.
  cl::Event operator()(const view& x, memory_handle out, std::int64_t offset = 0,
                       wait_list waits = {}, argument_list arguments = {}) requires(!two) {
    return call(x, nullptr, out(), offset, waits, arguments);
  }
  cl::Event operator()(const view& x, const view& y, memory_handle out, std::int64_t offset = 0,
                       wait_list waits = {}, argument_list arguments = {}) requires two {
    return call(x, &y, out(), offset, waits, arguments);
  }

  /// The results on the host; waits for them. Throws as the call.
  std::vector<result> values(const view& x, wait_list waits = {},
                             argument_list arguments = {}) requires(!two) {
    return read(x, nullptr, waits, arguments);
  }
  std::vector<result> values(const view& x, const view& y, wait_list waits = {},
                             argument_list arguments = {}) requires two {
    return read(x, &y, waits, arguments);
  }
  /// The result of a whole array on the host; waits for it. Throws as the call.
  result value(const view& x, wait_list waits = {}, argument_list arguments = {}) requires(!two) {
    require_one(x);
    return read(x, nullptr, waits, arguments).at(0);
  }
  result value(const view& x, const view& y, wait_list waits = {},
               argument_list arguments = {}) requires two {
    require_one(x);
    return read(x, &y, waits, arguments).at(0);
  }

  /// Builds what such a reduction needs and makes room for it, so that its first call does not.
  /// Buffers are not looked at, here and in the questions below; where a dot product leaves y out,
  /// it lies like x. Throws as the call.
  void prepare(const view& x) { ready_for(problem_like(x, nullptr)); }
  void prepare(const view& x, const view& y) requires two { ready_for(problem_like(x, &y)); }

  /// Bytes of workspace that such a reduction uses: what groups leave for others (0 where one group
  /// makes a result, or groups send each other messages through counters, which are the object's
  /// own). With groups_per_unit 0 it is known once the kernel is built, and this is the size for
  /// then.
  std::size_t workspace_bytes(const view& x) const { return bytes_of(problem_like(x, nullptr)); }
  std::size_t workspace_bytes(const view& x, const view& y) const requires two {
    return bytes_of(problem_like(x, &y));
  }
  /// How such a reduction runs.
  reduce_schedule schedule(const view& x) const { return schedule_for(problem_like(x, nullptr)); }
  reduce_schedule schedule(const view& x, const view& y) const requires two {
    return schedule_for(problem_like(x, &y));
  }
  /// The same for a person: policy, source, launch, resources.
  std::string explain(const view& x) { return explained(problem_like(x, nullptr)); }
  std::string explain(const view& x, const view& y) requires two {
    return explained(problem_like(x, &y));
  }
  /// The OpenCL C source that such a reduction runs.
  std::string source(const view& x) const { return source_for(problem_like(x, nullptr)); }
  std::string source(const view& x, const view& y) const requires two {
    return source_for(problem_like(x, &y));
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

  reduce_problem problem_like(const view& x, const view* y) const {
    return numbers_of(what_, x, y != nullptr ? *y : x);
  }
  reduce_policy policy_for(const reduce_problem& p) const {
    if (options_.policy) return *options_.policy;
    const reduce_size size{p.shape,
                           p.length,
                           p.results(),
                           what_.element.bytes,
                           state_words(what_),
                           what_.may_vary_between_runs};
    return within_limits(tuned_reduce(device(), size), what_, device());
  }
  /// As far as it is known: a kernel that is built tells how many groups are resident.
  reduce_schedule schedule_for(const reduce_problem& p) const {
    require_queue();
    const reduce_policy policy = policy_for(p);
    reduce_schedule s = schedule_of(p, policy, what_, device());
    if (policy.groups_per_unit != 0 || !s.variant.split) return s;
    const reduce_plan* const plan = plans_.peek(same_kernels(s));
    if (plan != nullptr) share(s, p, wanted_groups(policy, device(), plan->resident));
    return s;
  }
  static auto same_kernels(const reduce_schedule& s) {
    return [&s](const reduce_plan& plan) {
      return plan.variant == s.variant && plan.policy == s.policy;
    };
  }
  const std::shared_ptr<reduce_plan>& plan_for(const reduce_schedule& s) {
    return plans_.find_or_make(same_kernels(s), [&] {
      return build_reduce_plan(s, what_, on().context, on().device, device(), math());
    });
  }
  std::size_t bytes_of(const reduce_problem& p) const {
    return 4 * static_cast<std::size_t>(words_of(p, schedule_for(p), what_).left);
  }
  std::string source_for(const reduce_problem& p) const {
    const reduce_schedule s = schedule_for(p);
    return reduce_source(s.policy, s.variant, what_);
  }
  std::string explained(const reduce_problem& p) {
    if (p.results() == 0) return "reduction: nothing to do, there is no result\n";
    const std::shared_ptr<reduce_plan> plan = plan_for(schedule_for(p));
    const reduce_schedule s = schedule_for(p);
    const kernel_resources used =
        resources_of(*plan->program, plan->first, kernel_name(s.variant.shape), on().device);
    const launch l = reduce_launch(s);
    return explain_head(reduction_title(p, what_), bytes_of(p), plans_.size()) +
           explain_reduce(p, s, *plan, what_, used) +
           rules_line(device(), s.policy.group, static_cast<std::int64_t>(l.global[0] / l.local[0]),
                      occupancy_of(limits_of(device()), use_of(used, s.policy.group)));
  }

  static void require_one(const view& x) {
    if (x.results() == 1) return;
    throw argument_error("number of results of `value`", "must be 1", std::to_string(x.results()),
                         "a view of one result, or `values`");
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

  cl::Event call(const view& x, const view* y, cl_mem out, std::int64_t offset, wait_list waits,
                 argument_list arguments) {
    checked_input in = check_input(what_, x, y);
    const footprint results = check_results(in, out, offset, result_bytes);
    check_call(in, results, arguments);
    return run(in.problem, waits, arguments);
  }

  std::vector<result> read(const view& x, const view* y, wait_list waits, argument_list arguments) {
    checked_input in = check_input(what_, x, y);
    check_call(in, {}, arguments);
    const auto count = static_cast<std::size_t>(in.problem.results());
    in.problem.out = results_.hold(on(), in.problem.results(), result_bytes);
    const cl::Event done = run(in.problem, waits, arguments);
    const std::vector<std::byte> raw = results_.read(queue(), count * result_bytes, done);
    std::vector<result> all;
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
      all.push_back(stored_results::read(raw.data() + i * result_bytes));
    return all;
  }

  /// A problem like the last one is not planned again: small arrays take no longer than a launch.
  prepared& planned(const reduce_problem& p) {
    if (last_.plan != nullptr && same_numbers(last_.problem, p)) return last_;
    const std::shared_ptr<reduce_plan> plan = plan_for(schedule_for(p));
    const reduce_schedule s = schedule_for(p);
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
  void ready_for(const reduce_problem& p) {
    if (p.results() == 0) return;
    command_chain commands(*this, {});
    prepared& ready = planned(p);
    ready.arguments_set = false;  // counters may be new ones, by the handle that others had
    meet(commands, ready);
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

}  // namespace clprim::detail
