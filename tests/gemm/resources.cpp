// What the driver says of GEMM's kernels against what the library believes: every shipped row for
// this device, built.

#include <future>
#include <iterator>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/core/occupancy.hpp>
#include <clprim/core/occupancy/device.hpp>
#include <clprim/gemm/plan.hpp>
#include <clprim/gemm/tuned_rows.hpp>

#include "support/device.hpp"

using namespace clprim;

namespace {

struct built_row {
  const gemm_row* row = nullptr;
  scalar type = scalar::float_;
  gemm_plan plan;
  kernel_resources multiply, finish;
};

/// Both kernels of a row, split along k so that there is a `gemm_finish`.
built_row built(const gemm_row& row, scalar type, const device_facts& facts) {
  const session& s = support::device_session();
  gemm_schedule schedule{.policy = row.policy, .variant = {.type = type}, .splits = 2};
  schedule.variant.a.alignment = schedule.variant.b.alignment = schedule.variant.c_alignment = 16;
  schedule.variant.split = true;
  built_row b{&row, type, build_gemm_plan(schedule, {}, s.context, s.device, facts), {}, {}};
  b.multiply = resources_of(*b.plan.program, b.plan.multiply, "gemm", s.device);
  b.finish = resources_of(*b.plan.program, b.plan.finish, "gemm_finish", s.device);
  return b;
}

/// The number right before `phrase` in what a log says of a kernel, read by other means than the
/// library's; −1 where there is none.
int in_log(const std::string& log, const std::string& kernel, const char* phrase) {
  const auto begin = log.find("Compiling entry function '" + kernel + "'");
  if (begin == std::string::npos) return -1;
  const auto end = log.find("Compiling entry function", begin + 1);
  std::istringstream part(log.substr(begin, end - begin));
  std::vector<std::string> words{std::istream_iterator<std::string>(part), {}};
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::string following;
    for (std::size_t j = i; j < words.size() && following.size() < std::string(phrase).size(); ++j)
      following += (j > i ? " " : "") + words[j];
    if (following.starts_with(phrase)) return std::stoi(words[i - 1]);
  }
  return -1;
}

}  // namespace

TEST_CASE("the driver agrees on size, registers and local memory of every shipped kernel") {
  const device_facts facts = facts_of(support::device_session().device);
  std::vector<std::future<built_row>> building;
  for (const scalar type : {scalar::float_, scalar::half_, scalar::double_, scalar::complex_float,
                            scalar::complex_double}) {
    if (facts_of(type).needs_fp64 && !facts.fp64) continue;
    for (const gemm_row& row : gemm_table_of(facts, type).rows) {
      // Others are never chosen.
      if (!fits(row.policy, type, facts) || !has_instructions(row.policy, type, facts)) continue;
      building.push_back(
          std::async(facts.vendor == vendor::nvidia ? std::launch::async : std::launch::deferred,
                     [&row, type, &facts] { return built(row, type, facts); }));
    }
  }
  REQUIRE(!building.empty());
  const unit_limits unit = limits_of(facts);
  for (auto& one : building) {
    const built_row b = one.get();
    INFO(facts_of(b.type).name, ": ", to_string(b.row->policy));
    CHECK(b.multiply.work_group == measured<int>{b.plan.geometry.group, provenance::queried});
    CHECK(b.finish.work_group == measured<int>{gemm_finish_group, provenance::queried});
    if (b.multiply.local_bytes.known()) {  // PoCL 5 does not tell
      CHECK(b.multiply.local_bytes.value >= b.plan.geometry.local_bytes);
    }
    CHECK(occupancy_of(unit, use_of(b.multiply)).fits());
    if (facts.vendor != vendor::nvidia) continue;
    // The driver adds up to one unit of allocation.
    CHECK(b.multiply.local_bytes.value <= b.plan.geometry.local_bytes + unit.local_granularity);
    CHECK(b.multiply.registers.from == provenance::queried);
    CHECK(b.finish.registers.from == provenance::queried);
    // Not checked: CL_KERNEL_WORK_GROUP_SIZE says 256 of kernels with 128 registers that require,
    // and run with, 512 work-items.
    const std::string& log = b.plan.program->log;
    // Else the driver had the kernel in its own cache, and was asked again.
    const bool first = in_log(log, "gemm", "registers") >= 0;
    if (first) {
      CHECK(b.multiply.registers.value == in_log(log, "gemm", "registers"));
      CHECK(b.finish.registers.value == in_log(log, "gemm_finish", "registers"));
      CHECK(b.multiply.spill_bytes.value == in_log(log, "gemm", "bytes spill stores"));
      CHECK(b.multiply.local_bytes.value == in_log(log, "gemm", "bytes smem"));
    }
    const occupancy o = occupancy_of(unit, use_of(b.multiply));
    MESSAGE(facts_of(b.type).name, " ", b.row->policy.tile_m, "x", b.row->policy.tile_n, "x",
            b.row->policy.tile_k, " group ", b.plan.geometry.group, ": ",
            b.multiply.registers.value, " registers, ", b.multiply.spill_bytes.value, " spilled, ",
            b.multiply.local_bytes.value, " local bytes, resident ", o.groups,
            " (row: ", b.row->resident, "), log ",
            first ? std::string("of the first build") : std::string("of a second build"));
  }
}
