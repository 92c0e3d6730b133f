#pragma once
// Whether instructions that no compiler vouches for compute what they should on this device.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/error.hpp>
#include <clprim/gemm/arguments.hpp>
#include <clprim/gemm/plan.hpp>
#include <clprim/gemm/tuned_rows_nvidia.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/queue.hpp>
#include <clprim/runtime/view.hpp>

namespace clprim::detail {

/// Multiplies matrices of small whole numbers, which half, bfloat16 and TF32 hold and whose sums
/// float holds, on a queue of its own. Throws what building and running throw; returns whether C is
/// right.
template <product_type T>
bool multiplies_exactly(const gemm_policy& policy, const queue_facts& on) {
  constexpr int n = 128, k = 184;                // several tiles, a first step that is short
  constexpr bool tf32 = std::same_as<T, float>;  // which lies along k alone
  const auto number = [](int i, int j) { return T(static_cast<float>((7 * i + 3 * j) % 5 - 2)); };
  std::vector<T> a(n * k), b(k * n), c(n * n, T(-1.0f));
  for (int i = 0; i < n * k; ++i) a[static_cast<std::size_t>(i)] = number(i / k, i % k);
  for (int i = 0; i < k * n; ++i) {
    const int row = tf32 ? i % k : i / n, column = tf32 ? i / k : i % n;
    b[static_cast<std::size_t>(i)] = number(column, row + 1);
  }
  const cl::CommandQueue queue(on.context, on.device);
  const auto copied = [&](std::vector<T>& from) {
    cl_int code = CL_SUCCESS;
    cl::Buffer buffer(on.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, from.size() * sizeof(T),
                      from.data(), &code);
    check(code, "clCreateBuffer of a self-test");
    return buffer;
  };
  const cl::Buffer in_a = copied(a), in_b = copied(b), out = copied(c);
  const gemm_problem p = checked_problem(
      matrix<T>(in_a, n, k), tf32 ? transposed(matrix<T>(in_b, n, k)) : matrix<T>(in_b, k, n),
      matrix<T>(out, n, n));
  const gemm_kind kind = kind_of(p);
  gemm_schedule s = schedule_of(kind, policy, 1, scalar_of<T>, on.facts,
                                tf32 ? gemm_precision::tf32 : gemm_precision::full);
  s.groups = std::min(s.groups, 3);  // of which one walks two tiles
  const std::size_t maps = gemm_spaces_of(kind, s, 0).bytes;
  cl_int code = CL_SUCCESS;
  const cl::Buffer space(on.context, CL_MEM_READ_WRITE, std::max(maps, sizeof(T)), nullptr, &code);
  check(code, "clCreateBuffer of a self-test");
  const gemm_plan plan = build_gemm_plan(s, {}, on.context, on.device, on.facts);
  set_operands(plan.multiply(), p, 1.0f, 0.0f);
  set_tiles(plan.multiply(), gemm_arguments, kind, s, space(), 0);
  enqueue(queue(), plan.multiply(), gemm_launch(kind, s, plan.geometry), {}, completion::none);
  check(clEnqueueReadBuffer(queue(), out(), CL_TRUE, 0, c.size() * sizeof(T), c.data(), 0, nullptr,
                            nullptr),
        "clEnqueueReadBuffer of a self-test");
  for (int i = 0; i < n * n; ++i) {
    float sum = 0;
    for (int l = 0; l < k; ++l)
      sum += static_cast<float>(number(i / n, l)) * static_cast<float>(number(i % n, l + 1));
    if (c[static_cast<std::size_t>(i)] != T(sum)) return false;
  }
  return true;
}

/// Why products of warp-groups, or with bulk copies, are not used on a device that should have
/// them, in one sentence; empty where they work. T: half, bfloat16, or float for TF32; no other
/// type has them. Tried once in a process: a kernel is built, or found where programs are kept, and
/// run.
template <product_type T> std::string why_no_products_by(buffering copies, const queue_facts& on) {
  if constexpr (is_short(scalar_of<T>) || std::same_as<T, float>) {
    struct answers {
      std::mutex mutex;
      std::map<std::pair<cl_device_id, buffering>, std::string> reasons;
    };
    static auto* const known = new answers;  // never destroyed: others' statics may multiply
    const std::lock_guard lock(known->mutex);
    const std::pair key{on.device(), copies};
    const auto found = known->reasons.find(key);
    if (found != known->reasons.end()) return found->second;
    std::string reason;
    try {
      gemm_policy policy =
          is_short(scalar_of<T>) ? gemm_tables::self_test_of_wgmma : gemm_tables::self_test_of_tf32;
      policy.buffer = copies;
      if (!multiplies_exactly<T>(policy, on)) {
        reason = "a product of 128 x 128 x 184 elements was not right";
      }
    } catch (const error& e) {
      reason = e.what();
      reason.resize(std::min(reason.size(), reason.find('\n')));
    }
    return known->reasons.emplace(key, reason).first->second;
  } else {
    return {};
  }
}
template <product_type T> std::string why_no_warp_group_products(const queue_facts& on) {
  return why_no_products_by<T>(buffering::async, on);
}
template <product_type T> std::string why_no_bulk_copies(const queue_facts& on) {
  return why_no_products_by<T>(buffering::bulk, on);
}

}  // namespace clprim::detail
