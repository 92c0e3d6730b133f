// The snippets of docs/adding_a_primitive.md: a whole primitive, out[i][j] = x[i] y[j].

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/core/source.hpp>
#include <clprim/runtime/group_grid.hpp>
#include <clprim/runtime/operation.hpp>
#include <clprim/runtime/plan_cache.hpp>
#include <clprim/runtime/program.hpp>
#include <clprim/runtime/view.hpp>

#include "docs/here.hpp"

// [policy]
/// The values that cut an outer product up: a group writes `per_item` rows of `items` columns.
struct outer_policy {
  int items = 64;    ///< work-items per group, side by side along a row
  int per_item = 4;  ///< outputs per work-item, one below the other

  friend constexpr bool operator==(const outer_policy&, const outer_policy&) = default;
};

template <> struct clprim::policy_traits<outer_policy> {
  static constexpr std::string_view name = "outer_policy";
  static constexpr auto fields = field_list{
      field{"items", &outer_policy::items},
      field{"per_item", &outer_policy::per_item},
  };
};
static_assert(clprim::fields_complete<outer_policy>());

constexpr void check_rules(const outer_policy& p) {
  clprim::rule(p.items > 0, "items must be positive");
  clprim::rule(p.per_item > 0 && p.per_item <= 64, "per_item must be 1 to 64");
}
// [end]

// [source]
inline constexpr clprim::kernel_text outer_kernel = R"cl(
//            items side by side
//          +----+----+----+----+
//  x[i]    |    |    |    |    |   an item has y[j] in a register
//  x[i+1]  |    |    |    |    |   for PER_ITEM rows
//          +----+----+----+----+
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
__kernel void outer(const __global float *restrict x, const long x_offset, const long x_stride,
                    const __global float *restrict y, const long y_offset, const long y_stride,
                    __global float *restrict out, const long out_offset, const long out_leading,
                    const long rows, const long cols)
{
    const long across = (cols + ITEMS - 1) / ITEMS;
    const long j = get_group_id(0) % across * ITEMS + get_local_id(0);
    const long i = get_group_id(0) / across * PER_ITEM;
    if (j >= cols) return;
    const float factor = y[y_offset + j * y_stride];
    for (long r = i; r < min(i + PER_ITEM, rows); ++r)
        out[out_offset + r * out_leading + j] = x[x_offset + r * x_stride] * factor;
}
)cl";

/// policy -> the program's text; needs no device.
std::string outer_source(const outer_policy& p) {
  check_rules(p);
  clprim::source_builder out;
  out.banner("outer product\n" + clprim::to_string(p));
  out.define_policy(p);  // ITEMS, PER_ITEM
  out.text(outer_kernel);
  return out.str();
}
// [end]

// [choice]
/// The groups of a launch, all along x: devices start few along y.
std::int64_t groups_of(const outer_policy& p, std::int64_t rows, std::int64_t cols) {
  const auto parts = [](std::int64_t n, int each) { return (n + each - 1) / each; };
  return parts(cols, p.items) * parts(rows, p.per_item);
}

/// The library's choice: enough groups for every unit before an item gets more than one output.
outer_policy tuned_outer(const clprim::device_facts& device, std::int64_t rows, std::int64_t cols) {
  outer_policy p{.items = std::min(64, device.max_work_group), .per_item = 8};
  while (p.per_item > 1 && groups_of(p, rows, cols) < 8 * units_of(device)) p.per_item /= 2;
  return p;
}
// [end]

// [operation]
class outer_product : public clprim::operation {
 public:
  /// Throws policy_error for a policy that breaks a rule or does not fit the device.
  explicit outer_product(const cl::CommandQueue& queue, std::optional<outer_policy> policy = {})
    : operation(queue), policy_(policy) {
    if (!policy_) return;
    check_rules(*policy_);
    clprim::rule(policy_->items <= device().max_work_group,
                 "items must fit the device's largest work-group", policy_->items,
                 device().max_work_group);
  }

  /// Enqueues out[i][j] = x[i] y[j] and returns its event. Throws argument_error before anything
  /// runs, build_error at the first call of a kind, opencl_error.
  cl::Event operator()(const clprim::vector_view<float>& x, const clprim::vector_view<float>& y,
                       const clprim::matrix_view<float>& out, clprim::wait_list waits = {}) {
    const clprim::operand all[] = {{"x", check_vector(x, "x")},
                                   {"y", check_vector(y, "y")},
                                   {"the output", check_output(out, "the output"), true}};
    const auto require = [](std::int64_t given, std::int64_t count, const char* what) {
      if (given == count) return;
      throw clprim::argument_error(what, "must be as many as there are elements",
                                   std::to_string(given), std::to_string(count) + " expected");
    };
    require(out.rows, x.count, "rows of the output");
    require(out.cols, y.count, "columns of the output");
    for (const clprim::operand& in : {all[0], all[1]}) {
      if (!overlaps(in.bytes, all[2].bytes)) continue;
      throw clprim::argument_error("the output", "must not share memory with an input",
                                   "memory of " + std::string(in.name), "separate memory");
    }
    check_operands(all);
    if (out.empty()) return command_chain(*this, waits).end();
    const outer_policy p = policy_ ? *policy_ : tuned_outer(device(), x.count, y.count);
    const clprim::launch range =
        clprim::launch_of({groups_of(p, x.count, y.count)}, {p.items, 1, 1}, "of an outer product");
    const cl_kernel kernel = plan_of(p)->kernel();
    const auto number = [](std::int64_t n) { return static_cast<cl_long>(n); };
    clprim::set_args(kernel, x.memory, number(x.offset), number(x.stride), y.memory,
                     number(y.offset), number(y.stride), out.memory, number(out.offset),
                     number(out.leading), number(x.count), number(y.count));
    return command_chain(*this, waits).run_last(kernel, range);
  }

 private:
  struct plan {
    outer_policy policy;
    std::shared_ptr<const clprim::built_program> program;
    cl::Kernel kernel;
  };
  std::shared_ptr<plan> plan_of(const outer_policy& p) {
    return plans_.find_or_make([&](const plan& one) { return one.policy == p; },
                               [&] {
                                 auto program =
                                     clprim::build(on().context, on().device, outer_source(p));
                                 cl::Kernel kernel = clprim::make_kernel(*program, "outer");
                                 return plan{p, std::move(program), std::move(kernel)};
                               });
  }

  std::optional<outer_policy> policy_;
  clprim::plan_cache<plan> plans_;
};
// [end]

namespace {

std::vector<float> expected(const std::vector<float>& x, const std::vector<float>& y) {
  std::vector<float> all(3, -1);  // what lies before the output
  for (const float a : x)
    for (const float b : y) all.push_back(a * b);
  return all;
}

std::vector<float> counted(int n, float from) {
  std::vector<float> values;
  for (int i = 0; i < n; ++i) values.push_back(from + static_cast<float>(i));
  return values;
}

}  // namespace

TEST_CASE("a primitive of one's own stands on the operation core") {
  const cl::CommandQueue& queue = support::device_session().queue;
  const std::vector<float> numbers = counted(260, -5), xs = counted(67, 1);
  std::vector<float> ys;
  for (std::size_t j = 1; j < numbers.size(); j += 2) ys.push_back(numbers[j]);
  const auto rows = static_cast<std::int64_t>(xs.size()),
             cols = static_cast<std::int64_t>(ys.size());
  const cl::Buffer a = docs::filled(xs), b = docs::filled(numbers);
  const auto x = clprim::vector<float>(a, rows),
             y = clprim::vector<float>(b, cols).at(1).with_stride(2);
  for (const auto& policy :
       {std::optional<outer_policy>{}, std::optional(outer_policy{.items = 1, .per_item = 64}),
        std::optional(outer_policy{.items = 32, .per_item = 3})}) {
    const cl::Buffer c = docs::filled<float>(xs.size() * ys.size() + 3, -1);
    const auto out = clprim::matrix<float>(c, rows, cols).at(3);
    outer_product outer(queue, policy);
    outer(x, y, out);
    CHECK(docs::read<float>(c, xs.size() * ys.size() + 3) == expected(xs, ys));
    CHECK_THROWS_WITH_AS(
        outer(x, y, clprim::matrix<float>(c, rows, 2)),
        "columns of the output must be as many as there are elements: 2 given, 130 expected",
        clprim::argument_error);
    CHECK_THROWS_WITH_AS(outer(clprim::vector<float>(c, rows), y, out),
                         doctest::Contains("must not share memory with an input"),
                         clprim::argument_error);
  }
  CHECK_THROWS_WITH_AS(outer_product(queue, outer_policy{.per_item = 0}),
                       doctest::Contains("per_item must be 1 to 64"), clprim::policy_error);
  CHECK_THROWS_WITH_AS(outer_product(queue, outer_policy{.items = 1 << 30}),
                       doctest::Contains("items must fit the device's largest work-group"),
                       clprim::policy_error);
}

TEST_CASE("an outer product has work for every unit before an item has more than one") {
  clprim::device_facts device;
  device.compute_units = 132;
  CHECK(tuned_outer(device, 64, 64).per_item == 1);
  CHECK(tuned_outer(device, 512, 512).per_item == 2);  // 2,048 groups; by 4 rows 1,024 of 1,056
  CHECK(tuned_outer(device, 10000, 10000).per_item == 8);
  CHECK(clprim::parse_policy<outer_policy>("{.items = 32}") == outer_policy{.items = 32});
}
