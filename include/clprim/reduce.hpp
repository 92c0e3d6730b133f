#pragma once
// Reductions: many elements to one value, for arrays, rows, columns, any axis and segments.

#include <clprim/core/language.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <clprim/reduce/engine.hpp>

namespace clprim {

/// In place of a policy: the library chooses for device and problem.
inline constexpr reduce_policy tuned_reduce_policy{.group = 0};

/// Reductions of elements of type T by an operator on one queue. T is half, float, double, a
/// complex number of the latter two or an integer, but no bool; with op::user any trivially
/// copyable type. Operators that may be told their accumulator are templates and are written with
/// <>: op::mean<> or op::mean<double>.
///
///     clprim::reduce<float> sum(queue);
///     float total = sum.value(clprim::whole<float>(buffer, n));                  // waits
///     clprim::reduce<float, clprim::op::argmax> best(queue);
///     cl::Event done = best(clprim::each_row(clprim::matrix<float>(buffer, m, n)), results);
///
/// An output buffer holds one result of the operator after the other, `result_bytes` each, as they
/// are on the host: a number, `extremes` of op::min_max, `located` (value and index) of op::argmin
/// and op::argmax, `moments` (mean and variance) of op::variance, a structure of op::several.
///
/// Results are the same, bit for bit, on every run with the same policy, device and sizes: states
/// are always put together in the same order. op::fastest<op::sum<>> gives that up;
/// op::compensated<op::sum<>> promises an error bound as of twice the precision. With a policy as
/// template argument one that breaks a rule does not compile.
template <class T, class Op = op::sum<>, reduce_policy P = tuned_reduce_policy>
class reduce : public door<detail::reduce_engine> {
  using operator_type = typename op::detail::operator_or_sum<T, Op>::type;
  static_assert(!std::same_as<T, bool>,
                "clprim::reduce: bool has no size on which host and device agree; store "
                "std::uint8_t, and take op::any, op::all or op::count");
  static_assert(std::is_trivially_copyable_v<T>, "clprim::reduce: elements are copied as bytes");
  static_assert(op::is_operator<Op, T>,
                "clprim::reduce: the second argument must be an operator of clprim::op, such as "
                "op::sum<>, op::max, op::several<op::sum<>, op::max> or op::user<state>");
  static_assert(P == tuned_reduce_policy || checked(P) == P);
  using stored_results = op::detail::results<operator_type, T>;
  static constexpr bool two = op::detail::is_dot<operator_type>;
  using view = reduce_view<T>;

 public:
  using result = typename stored_results::type;
  /// Bytes of one result in device memory: of the operator's result type (reduce/types.hpp), of
  /// op::several a C structure of them in this order.
  static constexpr std::size_t result_bytes = stored_results::bytes;

  /// On this queue; nothing is built before the first reduction asks for it. For one thread at a
  /// time. Throws policy_error or device_error for what does not fit the device, argument_error for
  /// options that do not fit the operator.
  explicit reduce(const queue_handle& queue, reduce_options options = {})
    : door(queue, with_policy(options), detail::reduction_of<T, operator_type>(options)) {}

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
  void prepare(const view& x) { engine_.prepare(problem_like(x, nullptr)); }
  void prepare(const view& x, const view& y) requires two { engine_.prepare(problem_like(x, &y)); }

  /// Bytes of workspace that such a reduction uses: what groups leave for others (0 where one group
  /// makes a result, or groups send each other messages through counters, which are the object's
  /// own). With groups_per_unit 0 it is known once the kernel is built, and this is the size for
  /// then.
  std::size_t workspace_bytes(const view& x) const {
    return engine_.workspace_bytes(problem_like(x, nullptr));
  }
  std::size_t workspace_bytes(const view& x, const view& y) const requires two {
    return engine_.workspace_bytes(problem_like(x, &y));
  }
  /// How such a reduction runs.
  reduce_schedule schedule(const view& x) const {
    return engine_.schedule(problem_like(x, nullptr));
  }
  reduce_schedule schedule(const view& x, const view& y) const requires two {
    return engine_.schedule(problem_like(x, &y));
  }
  /// The same for a person: policy, source, launch, resources.
  std::string explain(const view& x) { return engine_.explain(problem_like(x, nullptr)); }
  std::string explain(const view& x, const view& y) requires two {
    return engine_.explain(problem_like(x, &y));
  }
  /// The OpenCL C source that such a reduction runs.
  std::string source(const view& x) const { return engine_.source(problem_like(x, nullptr)); }
  std::string source(const view& x, const view& y) const requires two {
    return engine_.source(problem_like(x, &y));
  }

 private:
  static reduce_options with_policy(reduce_options options) {
    if constexpr (P != tuned_reduce_policy) options.policy = P;
    return options;
  }
  static void require_one(const view& x) {
    if (x.results() == 1) return;
    throw argument_error("number of results of `value`", "must be 1", std::to_string(x.results()),
                         "a view of one result, or `values`");
  }
  reduce_problem problem_like(const view& x, const view* y) const {
    return numbers_of(engine_.what(), x, y != nullptr ? *y : x);
  }
  cl::Event call(const view& x, const view* y, cl_mem out, std::int64_t offset, wait_list waits,
                 argument_list arguments) {
    checked_input in = check_input(engine_.what(), x, y);
    const footprint results = check_results(in, out, offset, result_bytes);
    return engine_.run(in, results, waits, arguments);
  }
  std::vector<result> read(const view& x, const view* y, wait_list waits, argument_list arguments) {
    const checked_input in = check_input(engine_.what(), x, y);
    const std::vector<std::byte> raw = engine_.read(in, result_bytes, waits, arguments);
    std::vector<result> all;
    all.reserve(raw.size() / result_bytes);
    for (std::size_t at = 0; at < raw.size(); at += result_bytes)
      all.push_back(stored_results::read(raw.data() + at));
    return all;
  }
};

}  // namespace clprim
