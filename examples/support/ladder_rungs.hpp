#pragma once
// Operands of the ladder, and what is told of a rung.

#include <algorithm>
#include <string>
#include <vector>

#include <clprim/core/occupancy.hpp>
#include <clprim/core/occupancy/device.hpp>
#include <clprim/gemm.hpp>

#include "check_gemm.hpp"
#include "device.hpp"
#include "terminal.hpp"

namespace examples {

/// One rung as it went: measured, or the sentence that says why it cannot be.
struct result {
  std::string name;
  clprim::gemm_policy policy{};
  double seconds = 0;
  double flops = 0;
  accuracy checked{};
  std::string registers = "?";
  std::string local{};
  std::string occupancy = "–";
  std::string refused{};
};

/// The operands of C = A B, n x n, on host and device.
template <class T> struct problem {
  int n;
  std::vector<T> a, b;
  cl::Buffer A, B, C;
  clprim::matrix_view<T> in_a, in_b, out;

  problem(const clprim::session& on, int size) : n(size) {
    const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    random_numbers random(1);
    const auto element = [&] {
      if constexpr (clprim::facts_of(clprim::scalar_of<T>).is_complex) {
        using real = typename T::value_type;
        const auto re = static_cast<real>(random.next()), im = static_cast<real>(random.next());
        return T(re, im);
      } else if constexpr (std::is_same_v<T, clprim::half>) {
        return T(static_cast<float>(random.next()));
      } else {
        return static_cast<T>(random.next());
      }
    };
    a.resize(count);
    b.resize(count);
    std::generate(a.begin(), a.end(), element);
    std::generate(b.begin(), b.end(), element);
    A = upload(on, a);
    B = upload(on, b);
    C = make_buffer<T>(on, count);
    in_a = clprim::matrix<T>(A, n, n);
    in_b = clprim::matrix<T>(B, n, n);
    out = clprim::matrix<T>(C, n, n);
  }
};

/// What the kernel takes and how it sits on a unit, as far as driver and model know.
template <class T>
void describe_kernel(result& r, const clprim::session& on, const clprim::gemm<T>& multiply,
                     const problem<T>& p) {
  const clprim::device_facts& facts = multiply.device();
  const clprim::gemm_schedule schedule = multiply.schedule(p.in_a, p.in_b, p.out);
  r.policy = schedule.policy;
  // The program comes from the cache: the product has run before.
  const auto plan = clprim::build_gemm_plan(schedule, {}, on.context, on.device, facts);
  const auto used = clprim::resources_of(*plan.program, plan.multiply, "gemm", on.device);
  if (used.registers.known()) {
    r.registers = std::to_string(used.registers.value);
    if (used.spill_bytes.known() && used.spill_bytes.value > 0) r.registers += " spilled";
  }
  const int local = used.local_bytes.known() ? used.local_bytes.value : plan.geometry.local_bytes;
  r.local = local == 0 ? "0" : format("%.1f KiB", local / 1024.0);
  if (!used.local_bytes.known()) r.local = "~" + r.local;
  if (facts.kind == clprim::device_kind::cpu) return;  // a core runs one group, whatever it takes
  clprim::group_use use{.work_items = plan.geometry.group, .local_bytes = local, .barriers = 1};
  if (used.registers.known()) use.registers = used.registers.value;
  const clprim::occupancy o = clprim::occupancy_of(clprim::limits_of(facts), use);
  const char* const mark = o.known == clprim::certainty::conservative ? "≥ "
                           : used.registers.known()                   ? ""
                                                                      : "≤ ";
  r.occupancy = mark + percent(o.fraction());
}

}  // namespace examples
