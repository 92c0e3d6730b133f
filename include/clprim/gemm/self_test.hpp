#pragma once
// Whether instructions that no compiler vouches for compute what they should on this device.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <clprim/core/error.hpp>
#include <clprim/gemm/arguments.hpp>
#include <clprim/gemm/plan.hpp>
#include <clprim/gemm/policies_nvidia.hpp>
#include <clprim/gemm/tuned_rows_gpu.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/queue.hpp>
#include <clprim/runtime/view.hpp>

namespace clprim::detail {

/// Multiplies matrices of small whole numbers, which all types hold and whose sums float holds, on
/// a queue of its own. Throws what building and running throw; returns whether C is
/// right. Row 0 of A is of numbers that half holds below its least normal one, but for NVIDIA's
/// units: AMD's of CDNA 2 take them for zeros.
template <product_type T>
bool multiplies_exactly(const gemm_policy& policy, const queue_facts& on) {
  constexpr int n = 128, k = 184;  // several tiles, a first step that is short
  using Out = product_output_t<T>;
  const bool tf32 = std::same_as<T, float> && policy.instruction == gemm_instruction::wgmma;
  const gemm_precision precision = tf32 ? gemm_precision::tf32 : gemm_precision::full;
  const bool along_k = reads_along_k(scalar_of<T>, precision);
  const bool small = std::same_as<T, half> && !is_ptx(policy.instruction);
  const auto number = [](int i, int j) { return static_cast<float>((7 * i + 3 * j) % 5 - 2); };
  const auto scale = [&](int i) { return i == 0 && small ? 0x1p-20f : 1.0f; };
  std::vector<T> a(n * k), b(k * n);
  std::vector<Out> c(n * n, Out(-1.0f));
  for (int i = 0; i < n * k; ++i)
    a[static_cast<std::size_t>(i)] = T(scale(i / k) * number(i / k, i % k));
  for (int i = 0; i < k * n; ++i) {
    const int row = along_k ? i % k : i / n, column = along_k ? i / k : i % n;
    b[static_cast<std::size_t>(i)] = T(number(column, row + 1));
  }
  const cl::CommandQueue queue(on.context, on.device);
  const auto copied = [&]<class E>(std::vector<E>& from) {
    cl_int code = CL_SUCCESS;
    cl::Buffer buffer(on.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, from.size() * sizeof(E),
                      from.data(), &code);
    check(code, "clCreateBuffer of a self-test");
    return buffer;
  };
  const cl::Buffer in_a = copied(a), in_b = copied(b), out = copied(c);
  const gemm_problem p = checked_problem(
      matrix<T>(in_a, n, k), along_k ? transposed(matrix<T>(in_b, n, k)) : matrix<T>(in_b, k, n),
      matrix<Out>(out, n, n));
  const gemm_kind kind = kind_of(p);
  gemm_schedule s = schedule_of(kind, policy, 1, scalar_of<T>, on.facts, precision);
  s.groups = std::min(s.groups, 3);  // of which one walks two tiles
  const std::size_t maps = gemm_spaces_of(kind, s, 0).bytes;
  cl_int code = CL_SUCCESS;
  const cl::Buffer space(on.context, CL_MEM_READ_WRITE, std::max(maps, sizeof(T)), nullptr, &code);
  check(code, "clCreateBuffer of a self-test");
  const gemm_plan plan = build_gemm_plan(s, {}, on.context, on.device, on.facts);
  using factor = accumulator_t<Out>;
  set_operands(plan.multiply(), p, factor{1}, factor{0});
  set_tiles(plan.multiply(), gemm_arguments, kind, s, space(), 0);
  enqueue(queue(), plan.multiply(), gemm_launch(kind, s, plan.geometry), {}, completion::none);
  check(clEnqueueReadBuffer(queue(), out(), CL_TRUE, 0, c.size() * sizeof(Out), c.data(), 0,
                            nullptr, nullptr),
        "clEnqueueReadBuffer of a self-test");
  for (int i = 0; i < n * n; ++i) {
    float sum = 0;
    for (int l = 0; l < k; ++l) sum += number(i / n, l) * number(i % n, l + 1);
    if (c[static_cast<std::size_t>(i)] != Out(scale(i / n) * sum)) return false;
  }
  return true;
}

/// What is multiplied to prove that an instruction works; wgmma has several kinds of copies.
template <product_type T>
gemm_policy self_test_of(gemm_instruction instruction, buffering copies,
                         const device_facts& device) {
  if (instruction != gemm_instruction::wgmma)
    return gemm_tables::self_test_of(instruction, scalar_of<T>, device.matrix_unit_lanes);
  gemm_policy policy = is_short(scalar_of<T>)  ? gemm_tables::self_test_of_wgmma
                       : is_byte(scalar_of<T>) ? gemm_tables::self_test_of_bytes
                                               : gemm_tables::self_test_of_tf32;
  policy.buffer = copies;
  return policy;
}

/// Why products by an instruction, or with bulk copies, are not used on a device that should have
/// them, in one sentence; empty where they work. Tried once in a process for each type and device
/// (or what is assumed to be one): a kernel is built, or found where programs are kept, and run.
template <product_type T>
std::string why_no_products_by(gemm_instruction instruction, buffering copies,
                               const queue_facts& on) {
  if constexpr (!facts_of(scalar_of<T>).is_complex) {
    struct answers {
      std::mutex mutex;
      std::map<std::tuple<cl_device_id, std::string, scalar, gemm_instruction, buffering>,
               std::string>
          reasons;
    };
    static auto* const known = new answers;  // never destroyed: others' statics may multiply
    const std::lock_guard lock(known->mutex);
    const std::tuple key{on.device(), on.facts.name, scalar_of<T>, instruction, copies};
    const auto found = known->reasons.find(key);
    if (found != known->reasons.end()) return found->second;
    std::string reason;
    try {
      if (!multiplies_exactly<T>(self_test_of<T>(instruction, copies, on.facts), on)) {
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
template <product_type T>
std::string why_no_products_by(gemm_instruction instruction, const queue_facts& on) {
  return why_no_products_by<T>(instruction, buffering::async, on);
}
/// The same for what a schedule multiplies, where the caller's operands are of T.
template <product_type T>
std::string why_no_products(const gemm_schedule& s, gemm_instruction unit, buffering copies,
                            const queue_facts& on) {
  using split = std::conditional_t<std::same_as<T, float>, half, T>;
  return s.variant.type == scalar_of<T> ? why_no_products_by<T>(unit, copies, on)
                                        : why_no_products_by<split>(unit, copies, on);
}
template <product_type T> std::string why_no_bulk_copies(const queue_facts& on) {
  return why_no_products_by<T>(gemm_instruction::wgmma, buffering::bulk, on);
}

/// What `fitting` finds for the device as far as it is what it says it is; T is the type of the
/// caller's operands. Throws device_error where an instruction is `demanded` that does not work.
template <product_type T>
gemm_schedule proven_schedule(const queue_facts& on, const auto& fitting, bool demanded) {
  device_facts facts = on.facts;
  gemm_schedule s = fitting(facts);
  if (s.policy.buffer == buffering::bulk &&
      !why_no_products<T>(s, gemm_instruction::wgmma, buffering::bulk, on).empty()) {
    facts.bulk_copies = false;
    s = fitting(facts);
  }
  const gemm_instruction unit = s.policy.instruction;
  if (!wants_proof(unit) || s.policy.buffer == buffering::bulk) return s;
  const std::string why = why_no_products<T>(s, unit, buffering::async, on);
  if (why.empty()) return s;
  if (demanded) {
    throw device_error("instruction " + std::string(to_string(unit)) + " does not work on " +
                       on.facts.name + ": " + why);
  }
  facts.warp_group_products = false;
  facts.matrix_units = matrix_unit::none;
  return fitting(facts);
}

}  // namespace clprim::detail
