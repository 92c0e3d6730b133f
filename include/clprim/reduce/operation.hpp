#pragma once
// The operation object of reductions: operands checked, plans kept, kernels enqueued.

#include <cstddef>
#include <deque>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <clprim/reduce/explain.hpp>
#include <clprim/reduce/kept_words.hpp>
#include <clprim/reduce/options.hpp>
#include <clprim/reduce/plan.hpp>
#include <clprim/reduce/tuned.hpp>
#include <clprim/runtime/argument.hpp>
#include <clprim/runtime/move_only.hpp>
#include <clprim/runtime/queue.hpp>
#include <clprim/runtime/workspace.hpp>

namespace clprim::detail {

/// All behaviour of `reduce<T, Op, P>`, the same for every P.
template <class T, class Op> class reduce_operation : move_only {
  static_assert(std::is_trivially_copyable_v<T>);
  using stored_results = op::detail::results<Op, T>;

 public:
  using result = typename stored_results::type;
  /// Bytes of one result in device memory.
  static constexpr std::size_t result_bytes = stored_results::bytes;

  /// Prepares reductions on a queue's device; nothing is built before the first call asks for it.
  /// The object is for one thread at a time. Throws policy_error or device_error for what does not
  /// fit the device, argument_error for options that do not fit the operator.
  explicit reduce_operation(const cl::CommandQueue& queue, reduce_options options = {})
    : reduce_operation(queue, facts_of(queue), std::move(options)) {}
  /// The same as if the device had these facts (tests run what other devices get).
  reduce_operation(const cl::CommandQueue& queue, queue_facts facts, reduce_options options)
    : queue_(queue),
      on_(std::move(facts)),
      options_(std::move(options)),
      what_(reduction_of<T, Op>(options_)) {
    if (options_.policy) check_rules(*options_.policy);
    require_order(options_.completion, on_.out_of_order);
    check_device_rules(policy_for({}), what_, on_.facts);
  }

  /// Enqueues the reduction of `x` into result `offset` and those after it of `out` (result_bytes
  /// each, results in the order of the view) and returns the event of its last command. Runs after
  /// `waits`, on out-of-order queues too. `arguments` are those of the map's parameters. Throws
  /// argument_error before anything is enqueued, build_error at the first reduction of a kind,
  /// opencl_error.
  cl::Event operator()(const reduce_view<T>& x, const cl::Buffer& out, std::int64_t offset = 0,
                       std::span<const cl::Event> waits = {},
                       std::span<const argument> arguments = {}) {
    return run(checked(x, nullptr, out(), offset), waits, arguments);
  }
  /// The same of two operands (op::dot).
  cl::Event operator()(const reduce_view<T>& x, const reduce_view<T>& y, const cl::Buffer& out,
                       std::int64_t offset = 0, std::span<const cl::Event> waits = {},
                       std::span<const argument> arguments = {}) {
    return run(checked(x, &y, out(), offset), waits, arguments);
  }

  /// The results on the host; waits for them. Throws as the call.
  std::vector<result> values(const reduce_view<T>& x, std::span<const cl::Event> waits = {},
                             std::span<const argument> arguments = {}) {
    return read(x, nullptr, waits, arguments);
  }
  std::vector<result> values(const reduce_view<T>& x, const reduce_view<T>& y,
                             std::span<const cl::Event> waits = {},
                             std::span<const argument> arguments = {}) {
    return read(x, &y, waits, arguments);
  }
  /// The result of a whole array on the host; waits for it. Throws as the call.
  result value(const reduce_view<T>& x, std::span<const cl::Event> waits = {},
               std::span<const argument> arguments = {}) {
    require_one(x);
    return read(x, nullptr, waits, arguments).at(0);
  }
  result value(const reduce_view<T>& x, const reduce_view<T>& y,
               std::span<const cl::Event> waits = {}, std::span<const argument> arguments = {}) {
    require_one(x);
    return read(x, &y, waits, arguments).at(0);
  }

  /// Bytes of workspace that the reduction of a view like `x` uses: what groups leave for others (0
  /// where one group makes a result, or groups send each other messages through words that are the
  /// object's own; `explain` tells how many). The object makes one of its own when it is needed, or
  /// uses the one given. With groups_per_unit 0 it is known after the first call only, and this is
  /// the size for then.
  std::size_t workspace_bytes(const reduce_view<T>& x) const {
    const reduce_problem p = problem_like(x);
    return 4 * static_cast<std::size_t>(words_of(p, schedule(p), what_).left);
  }
  /// Gives the object a buffer in place of one of its own; its contents are overwritten.
  void use_workspace(const cl::Buffer& buffer) {
    workspace_.use(buffer);
    last_ = {};
  }
  /// Bytes of workspace that the object holds now.
  std::size_t workspace_held() const { return workspace_.bytes(); }

  /// How a reduction of this view runs.
  reduce_schedule schedule(const reduce_view<T>& x) const { return schedule(problem_like(x)); }
  /// The same for a person: policy, source, launch, resources.
  std::string explain(const reduce_view<T>& x) {
    const reduce_problem p = problem_like(x);
    if (p.results() == 0) return "reduction: nothing to do, there is no result\n";
    reduce_plan& plan = plan_for(schedule(p));
    const reduce_schedule s = schedule(p);
    return explain_reduce(
        p, s, plan, what_, on_.facts,
        resources_of(*plan.program, plan.first, kernel_name(s.variant.shape), on_.device));
  }
  /// The OpenCL C source that a reduction of this view runs.
  std::string source(const reduce_view<T>& x) const {
    const reduce_schedule s = schedule(problem_like(x));
    return reduce_source(s.policy, s.variant, what_);
  }
  /// The facts of the device it runs on.
  const device_facts& device() const { return on_.facts; }

 private:
  reduce_problem checked(const reduce_view<T>& x, const reduce_view<T>* y, cl_mem out,
                         std::int64_t offset) const {
    const footprint given = workspace_.given();
    return check_results(check_input(what_, x, y, given), out, offset, result_bytes, given);
  }
  /// The shape of a view whose buffers are not looked at.
  reduce_problem problem_like(const reduce_view<T>& x) const {
    reduce_problem p = shape_of(x);
    p.two_operands = what_.two_operands;
    if (p.two_operands) p.y = p.x;
    return p;
  }

  reduce_policy policy_for(const reduce_problem& p) const {
    if (options_.policy) return *options_.policy;
    return tuned_reduce(on_.facts, {p.shape, p.length, p.results(), what_.element.bytes,
                                    state_words(what_), what_.may_vary_between_runs});
  }
  /// As far as it is known: a kernel that is built tells how many groups are resident.
  reduce_schedule schedule(const reduce_problem& p) const {
    const reduce_policy policy = policy_for(p);
    reduce_schedule s = schedule_of(p, policy, what_, on_.facts);
    if (policy.groups_per_unit != 0) return s;
    for (const reduce_plan& plan : plans_) {
      if (plan.variant == s.variant && plan.policy == s.policy && s.variant.split)
        share(s, p, wanted_groups(policy, on_.facts, plan.resident));
    }
    return s;
  }
  reduce_plan& plan_for(const reduce_schedule& s) {
    for (reduce_plan& plan : plans_) {
      if (plan.variant == s.variant && plan.policy == s.policy) return plan;
    }
    plans_.push_back(build_reduce_plan(s, what_, on_.context, on_.device, on_.facts));
    return plans_.back();
  }

  static void require_one(const reduce_view<T>& x) {
    if (x.results() == 1) return;
    throw argument_error("number of results of `value`", "must be 1", std::to_string(x.results()),
                         "a view of one result, or `values`");
  }

  std::vector<result> read(const reduce_view<T>& x, const reduce_view<T>* y,
                           std::span<const cl::Event> waits, std::span<const argument> arguments) {
    const checked_input in = check_input(what_, x, y, workspace_.given());
    const auto wanted = multiply_add(in.problem.results(), result_bytes, 0);
    if (!wanted || *wanted > on_.facts.max_allocation_bytes) {
      throw argument_error(
          "results on the host", "must fit one buffer of the device",
          std::to_string(in.problem.results()) + " of " + std::to_string(result_bytes) + " bytes",
          "at most " + std::to_string(on_.facts.max_allocation_bytes) + " bytes");
    }
    const auto count = static_cast<std::size_t>(in.problem.results());
    const std::size_t bytes = count * result_bytes;
    hold_results(std::max(bytes, result_bytes));
    const cl::Event done = run(check_results(in, results_(), 0, result_bytes), waits, arguments);
    std::vector<std::byte> raw(bytes);
    if (count > 0) {
      const std::span<const cl::Event> order = only(done);
      check(clEnqueueReadBuffer(queue_(), results_(), CL_TRUE, 0, bytes, raw.data(),
                                static_cast<cl_uint>(order.size()), handles(order), nullptr),
            "clEnqueueReadBuffer of the results");
    }
    std::vector<result> all;
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
      all.push_back(stored_results::read(raw.data() + i * result_bytes));
    return all;
  }

  /// Room for results that go to the host.
  void hold_results(std::size_t bytes) {
    if (results_bytes_ >= bytes) return;
    cl_int code = CL_SUCCESS;
    const cl::Buffer made(clCreateBuffer(on_.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code),
                          false);
    check(code, "clCreateBuffer of the results");
    results_ = made;
    results_bytes_ = bytes;
  }

  cl::Event run(const reduce_problem& p, std::span<const cl::Event> waits,
                std::span<const argument> arguments) {
    check_arguments(what_.map, arguments);
    if (p.results() == 0) {
      return options_.completion == completion::none ? cl::Event{} : marker(queue_(), waits);
    }
    prepared& ready = prepare(p);
    std::vector<cl::Event> own;
    const meeting at = meet(ready, waits, own);
    cl::Event done = p.shape == reduce_shape::ragged ? run_ragged(p, ready, at, waits, arguments)
                                                     : run_plain(p, ready, at, waits, arguments);
    if (at.kept != nullptr) kept_.end();
    return done;
  }

  /// What a call needs to know of a problem's numbers.
  struct prepared {
    reduce_problem problem{};
    reduce_schedule schedule{};
    reduce_plan* plan = nullptr;  ///< of plans_, which keeps its elements in place
    reduce_words words{};         ///< in which its groups meet
    bool arguments_set = false;   ///< all but the operands', by the call before
  };
  /// A problem like the last one is not planned again: small arrays take no longer than a launch.
  prepared& prepare(const reduce_problem& p) {
    if (last_.plan != nullptr && same_numbers(last_.problem, p)) return last_;
    reduce_plan& plan = plan_for(schedule(p));
    const reduce_schedule s = schedule(p);
    return last_ = {p, s, &plan, words_of(p, s, what_), false};
  }

  /// Where the groups of a call meet. `waits` becomes what the kernels wait for, perhaps in `own`.
  meeting meet(prepared& ready, std::span<const cl::Event>& waits, std::vector<cl::Event>& own) {
    const auto bytes = static_cast<std::size_t>(ready.words.left) * 4;
    if (workspace_.is_given() && workspace_.bytes() < bytes) {
      throw argument_error("the given workspace", "must hold what the groups leave",
                           std::to_string(workspace_.bytes()) + " bytes",
                           "at least " + std::to_string(bytes) + " bytes");
    }
    meeting at;
    if (bytes > 0) {
      workspace_.require(on_.context(), bytes);
      at.left = workspace_.memory();
    }
    const bool shared = bytes > 0 || ready.words.kept > 0;
    if (on_.out_of_order && shared) waits = own = workspace_.waits(waits);
    if (ready.words.kept == 0) return at;
    // A message has 16 bits for its turn where the device has no 64-bit atomics.
    const std::uint32_t last_turn = on_.facts.int64_atomics ? 0xffffffffu : 0xffffu;
    const kept_words::call kept = kept_.begin(on_, queue_(), ready.words.kept, last_turn);
    if (kept.made) ready.arguments_set = false;
    if (kept.cleared() != nullptr) {
      own.push_back(kept.cleared);
      waits = own;
    }
    at.kept = kept.memory;
    at.turn = kept.turn;
    return at;
  }

  cl::Event run_plain(const reduce_problem& p, prepared& ready, const meeting& at,
                      std::span<const cl::Event> waits, std::span<const argument> arguments) {
    const reduce_schedule& s = ready.schedule;
    reduce_plan& plan = *ready.plan;
    reduce_arguments set(plan, p, s, at, !ready.arguments_set);
    set_arguments(plan.first(), set.first(), arguments);
    if (plan.second() != nullptr) set.finish();
    ready.arguments_set = true;
    const bool shared = s.variant.split;
    if (plan.second() == nullptr) return last(plan.first, reduce_launch(s), waits, shared);
    const cl::Event done = between(plan.first, reduce_launch(s), waits);
    return last(plan.second, reduce_finish_launch(p, s), only(done), shared);
  }

  /// The last kernel of a call; `shared`: with memory that the next call uses, too.
  cl::Event last(const cl::Kernel& kernel, const launch& l, std::span<const cl::Event> waits,
                 bool shared) {
    cl::Event done = enqueue(queue_(), kernel(), l, waits, options_.completion);
    if (on_.out_of_order && shared) workspace_.free_after(done);
    return done;
  }
  /// A kernel that another one of the same call follows; in order, that needs no event.
  cl::Event between(const cl::Kernel& kernel, const launch& l, std::span<const cl::Event> waits) {
    if (!on_.out_of_order) return enqueue(queue_(), kernel(), l, waits, completion::none);
    cl::Event done = enqueue(queue_(), kernel(), l, waits);
    workspace_.free_after(done);  // should the one that follows not be enqueued
    return done;
  }
  /// The wait list after a kernel; `event` may be null.
  static std::span<const cl::Event> only(const cl::Event& event) {
    return event() == nullptr ? std::span<const cl::Event>{} : std::span(&event, 1);
  }

  cl::Event run_ragged(const reduce_problem& p, const prepared& ready, const meeting& at,
                       std::span<const cl::Event> waits, std::span<const argument> arguments) {
    const reduce_schedule& s = ready.schedule;
    const reduce_plan& plan = *ready.plan;
    set_ragged_arguments(plan, p, s, at, arguments);
    const auto group = static_cast<std::size_t>(s.policy.group);
    const launch all{1, {static_cast<std::size_t>(s.parts) * group, 1, 1}, {group, 1, 1}};
    const cl::Event one = between(plan.first, reduce_launch(s), waits);
    const cl::Event two = between(plan.second, all, only(one));
    return last(plan.third, all, only(two), true);
  }

  cl::CommandQueue queue_;
  queue_facts on_;
  reduce_options options_;
  reduction what_;
  std::deque<reduce_plan> plans_;
  prepared last_;
  workspace workspace_;
  kept_words kept_;
  cl::Buffer results_;  ///< of those that go to the host
  std::size_t results_bytes_ = 0;
};

}  // namespace clprim::detail
