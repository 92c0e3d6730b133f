// What a driver's compiler says of kernels: nothing, for users see it in their terminals.

#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include <clprim/gemm/plan.hpp>

#include "gemm/draw_problem.hpp"
#include "support/campaign.hpp"
#include "support/device.hpp"

using namespace clprim;
using namespace support;

namespace {

std::string log_of(const session& s, const std::string& source) {
  const std::string log = build(s.context, s.device, source)->log;
  return std::all_of(log.begin(), log.end(), [](char c) { return c == '\n' || c == ' '; })
             ? ""
             : log + "\n" + source;
}

}  // namespace

CAMPAIGN("the compiler has nothing to say of any kernel, of the product or beside it") {
  const session& s = device_session();
  const device_facts facts = facts_of(s.device);
  // NVIDIA's log tells of registers, Intel's of its steps, whatever the kernel is.
  if (!log_of(s, "__kernel void one(__global int *x) { *x = 1; }").empty()) return;
  run_campaign("silence", 4, [&](draw& d) {
    const scalar type = d.one_of({scalar::float_, scalar::half_, scalar::complex_float});
    gemm_policy p = draw_policy(d);
    // PoCL 7.1 warns of vectors that the CPU's registers do not hold: 16 floats without AVX-512.
    const int widest = type == scalar::complex_float ? 4 : 8;
    p.vector_m = std::min(p.vector_m, widest), p.vector_n = std::min(p.vector_n, widest);
    if (p.group_size() > facts.max_work_group || most_local_bytes(p, type) > facts.local_bytes)
      return std::string();
    const auto operand = [&] {
      return gemm_operand{.along_k = d.chance(50),
                          .conjugate = d.chance(30),
                          .alignment = d.one_of({1, 4, 16}),
                          .batch = d.one_of({gemm_batch::strided, gemm_batch::offsets})};
    };
    const gemm_variant v{.type = type,
                         .a = operand(),
                         .b = operand(),
                         .c_alignment = d.one_of({1, 4, 16}),
                         .batched = d.chance(50),
                         .split = d.chance(50),
                         .swapped = d.chance(50),
                         .wide = d.chance(20),
                         .clamped = d.chance(50)};
    const function epilogue =
        d.chance(50) ? function{} : function{"return value * 2 + slope;", {value<float>("slope")}};
    return log_of(s, gemm_source(p, v, epilogue)) +
           log_of(s, gemm_scale_source({type, v.a.batch, v.swapped}, epilogue));
  });
}
