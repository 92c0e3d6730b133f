#pragma once
// Operands whose lines begin anywhere -> the same in the workspace, each line at whole accesses.

#include <cstddef>
#include <cstdint>
#include <string>

#include <clprim/core/source.hpp>
#include <clprim/gemm/problem.hpp>
#include <clprim/gemm/source.hpp>
#include <clprim/runtime/launch.hpp>

namespace clprim {

/// All that the source of the packing kernel depends on.
struct gemm_pack_variant {
  scalar type = scalar::float_;
  gemm_batch batch = gemm_batch::strided;
  int group = gemm_finish_group;

  friend constexpr bool operator==(const gemm_pack_variant&, const gemm_pack_variant&) = default;
};

namespace gemm_text {

inline constexpr kernel_text pack_kernel = R"cl(
// One item writes RUN elements, one access, of a line of the packed operand.
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void gemm_pack(const __global WORD *restrict a, const long a_offset, const int a_ld,
                        A_BATCH, __global WORD *restrict to, const long to_offset,
                        const long lines, const long length, const long before, const long pitch,
                        const long matrices)
{
    const size_t runs = (size_t)(pitch / RUN), line_number = get_global_id(0) / runs;
    const size_t batch = line_number / (size_t)lines;
    if (batch >= (size_t)matrices) return;
    const long line = (long)(line_number - batch * (size_t)lines);
    const long first = (long)(get_global_id(0) - line_number * runs) * RUN - before;
    a += a_offset + A_BATCH_OFFSET + line * a_ld;
    WORD run[RUN];
    EACH for (int e = 0; e < RUN; ++e)
        run[e] = first + e >= 0 && first + e < length ? a[first + e] : (WORD)(0);
    *(__global RUN_VECTOR *)(to + to_offset + get_global_id(0) * RUN) = RUN_OF(run);
}
)cl";

}  // namespace gemm_text

/// The OpenCL C source of the packing kernel `gemm_pack`: bits are moved, whatever they mean.
inline std::string gemm_pack_source(const gemm_pack_variant& v) {
  using namespace gemm_text;
  const int bytes = facts_of(v.type).bytes;
  const std::string run = std::to_string(packed_run(v.type));
  const std::string word = bytes == 2 ? "ushort" : bytes == 4 ? "uint" : "ulong";
  source_builder out;
  out.banner("clprim GEMM, packing, " + std::string{facts_of(v.type).name});
  out.define("GROUP", v.group);
  out.define("EACH", "_Pragma(\"unroll\")");
  out.define("WORD", word);
  out.define("RUN", run);
  out.define("RUN_VECTOR", word + run);
  out.define("RUN_OF(from)", "vload" + run + "(0, from)");
  define_batch(out, "A", v.batch, true);
  out.text(pack_kernel);
  return out.str();
}

/// The launch of kernel `gemm_pack`.
inline launch gemm_pack_launch(const packed_lines& lines, const gemm_pack_variant& v) {
  const std::int64_t runs = lines.elements() / packed_run(v.type);
  const std::int64_t groups = (runs + v.group - 1) / v.group;
  const auto group = static_cast<std::size_t>(v.group);
  return {1, {static_cast<std::size_t>(groups) * group, 1, 1}, {group, 1, 1}};
}

}  // namespace clprim
