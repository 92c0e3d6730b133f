// What a product says of itself, on devices that are not here.

#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include <clprim/gemm/explain.hpp>
#include <clprim/gemm/tuned_rows.hpp>

using namespace clprim;

namespace {

device_facts h200() {
  device_facts d;
  d.name = "NVIDIA H200";
  d.vendor = vendor::nvidia;
  d.compute_capability = 90;
  d.compute_units = 132;
  d.max_work_group = 1024;
  d.local_bytes = 232448;
  return d;
}

measured<int> queried(int value) { return {value, provenance::queried}; }

/// The explanation of C = A B, square, row-major, with the policy's kernel as the driver told of
/// it.
std::string explained(const device_facts& device, const gemm_policy& policy, int n,
                      const kernel_resources& used,
                      gemm_precision precision = gemm_precision::full) {
  gemm_problem p;
  p.m = p.n = p.k = n;
  p.a.leading = p.b.leading = p.c.leading = n;
  p.a.along_k = true;
  gemm_schedule s{.policy = policy, .variant = {.type = scalar::float_}, .splits = 1};
  s.variant.a.alignment = s.variant.b.alignment = s.variant.c_alignment = 16;
  s.variant.precision = precision;
  gemm_plan plan;
  plan.policy = policy;
  plan.variant = s.variant;
  plan.geometry = geometry_of(policy, s.variant);
  return explain_gemm(p, s, plan, device, used);
}

bool says(const std::string& text, const char* words) {
  return text.find(words) != std::string::npos;
}

constexpr gemm_policy wide = gemm_tables::fma(128, 128, 8, 16, 8, 1, 4, 8, 4, buffering::async, 2);

}  // namespace

TEST_CASE("a product explains what is resident, what limits it, and what it will wait for") {
  kernel_resources used;
  used.registers = queried(225);
  used.spill_bytes = queried(0);
  used.local_bytes = queried(16768);
  const std::string text = explained(h200(), wide, 4096, used);
  INFO(text);
  CHECK(says(text, "1024 groups of 128 work-items"));
  CHECK(says(text, "3.88 waves"));
  CHECK(says(text, "225 registers (queried)"));
  CHECK(says(text, "2 groups per unit, 8 of 64 warps (12.5 %), limited by registers"));
  CHECK(says(text, "3 groups take at most 168 registers per work-item"));
  CHECK(says(text, "512 needed"));
  CHECK(says(text, "bound by arithmetic"));
  CHECK(says(text, "predicted  at least 21"));  // 2.08 ms at the roof; measured 2.64
  CHECK(std::count(text.begin(), text.end(), '\n') <= 12);
}

TEST_CASE("a product of split floats says what becomes of them") {
  const gemm_policy units = gemm_tables::wgmma_float(128, 128, 6);
  CHECK(says(explained(h200(), units, 4096, {}, gemm_precision::split_tf32),
             "precision  split_tf32: two TF32 numbers for each element, in full where they do not "
             "hold one"));
  CHECK(
      says(explained(h200(), units, 4096, {}, gemm_precision::split_half),
           "precision  split_half: two halves for each element of a scaled line, by split_tf32 or "
           "in full where they do not hold one"));
  CHECK(says(explained(h200(), units, 4096, {}, gemm_precision::tf32),
             "precision  tf32: elements are cut to TF32"));
  CHECK(!says(explained(h200(), wide, 4096, {}), "precision"));
}

TEST_CASE("a product of one tile is bound by its launch") {
  kernel_resources used;
  used.registers = queried(225);
  CHECK(says(explained(h200(), wide, 128, used), "bound by l"));
}

TEST_CASE("what is not known is said") {
  const std::string text = explained(h200(), wide, 4096, {});
  CHECK(says(text, "unknown registers"));
  CHECK(says(text, "registers are not known"));
  device_facts other = h200();
  other.name = "Something new";
  CHECK(says(explained(other, wide, 4096, {}), "nobody has measured"));
  other.vendor = vendor::unknown;
  other.compute_capability = 0;
  CHECK(says(explained(other, wide, 4096, {}), "conservative"));
}

TEST_CASE("a product on a CPU speaks of its threads, not of warps") {
  device_facts cpu;
  cpu.kind = device_kind::cpu;
  cpu.max_work_group = 4096;
  cpu.local_bytes = 1 << 20;
  cpu.compute_units = 8;
  const gemm_policy p = gemm_tables::cpu(96, 256, 256, 6, 4, 16);
  const std::string text = explained(cpu, p, 1024, {});
  CHECK(says(text, "hardware thread"));
  CHECK_FALSE(says(text, "of 1 warps"));
}
