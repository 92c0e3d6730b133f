#pragma once
// Lines of an operand -> the powers of two that bring them to where two halves hold the most.

#include <algorithm>
#include <cstdint>
#include <string>

#include <clprim/core/source.hpp>
#include <clprim/gemm/problem.hpp>
#include <clprim/gemm/source.hpp>
#include <clprim/runtime/launch.hpp>

namespace clprim {

/// Parts of k, each of which has greatest magnitudes of lines of its own.
inline constexpr int most_measured_parts = 8;

/// All that the source of the measuring kernel depends on.
struct gemm_measure_variant {
  gemm_batch batch = gemm_batch::strided;
  bool along_k = false;  ///< how the operand lies
  int group = gemm_finish_group;

  friend constexpr bool operator==(const gemm_measure_variant&,
                                   const gemm_measure_variant&) = default;
};

/// Parts of k that are measured by themselves: of at least 512 elements.
constexpr int measured_parts(std::int64_t k) {
  return static_cast<int>(std::clamp<std::int64_t>(k / 512, 1, most_measured_parts));
}

namespace gemm_text {

inline constexpr kernel_text measure_kernel = R"cl(
// One group finds the greatest magnitude of SIDE lines in one of `parts` parts of k, as the bits of
// a float: those of an infinity or of NaN are greater than all others. Items that follow each other
// read neighbours in memory.
#define LANES (GROUP < SIDE ? GROUP : SIDE)
#define ROWS (GROUP / LANES)

inline uint magnitude(const float x) { return as_uint(x) & 0x7fffffffu; }

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void gemm_measure(const __global float *restrict a, const long a_offset, const int a_ld,
                           A_BATCH, __global uint *restrict greatest, const long greatest_first,
                           const long lines, const long length, const int parts)
{
    __local uint found[SIDE][SIDE + 1];  // [line][items that have seen a part of it]
    const int lane = (int)get_local_id(0) % LANES, row = (int)get_local_id(0) / LANES;
    const size_t blocks = (size_t)((lines + SIDE - 1) / SIDE), block = get_group_id(0) % blocks;
    const int part = (int)(get_group_id(0) / blocks % (size_t)parts);
    const size_t batch = get_group_id(0) / blocks / (size_t)parts;
    const long line0 = (long)block * SIDE;
    const long first = length * part / parts, end = length * (part + 1) / parts;
    a += a_offset + A_BATCH_OFFSET;
    for (int at = (int)get_local_id(0); at < SIDE * SIDE; at += GROUP)
        found[at / SIDE][at % SIDE] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#if ALONG_K
    for (int line = row; line < SIDE && line0 + line < lines; line += ROWS) {
        uint top = 0;
        _Pragma("unroll 16") for (long i = first + lane; i < end; i += LANES)
            top = max(top, magnitude(a[(line0 + line) * a_ld + i]));
        found[line][lane] = top;
    }
#else
    for (int line = lane; line < SIDE && line0 + line < lines; line += LANES) {
        uint top = 0;
        _Pragma("unroll 16") for (long i = first + row; i < end; i += ROWS)
            top = max(top, magnitude(a[i * a_ld + line0 + line]));
        found[line][row] = top;
    }
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int line = (int)get_local_id(0); line < SIDE && line0 + line < lines; line += GROUP) {
        uint top = 0;
        EACH for (int i = 0; i < SIDE; ++i) top = max(top, found[line][i]);
        greatest[greatest_first + ((long)batch * parts + part) * lines + line0 + line] = top;
    }
}
)cl";

}  // namespace gemm_text

/// Lines that a group measures at a time, and most items that share one.
inline constexpr int gemm_measure_side = 32;

/// The OpenCL C source of kernel `gemm_measure`.
inline std::string gemm_measure_source(const gemm_measure_variant& v) {
  source_builder out;
  out.banner("clprim GEMM, greatest magnitudes of lines");
  out.define("GROUP", v.group);
  out.define("SIDE", gemm_measure_side);
  out.define("ALONG_K", static_cast<int>(v.along_k));
  out.define("EACH", "_Pragma(\"unroll\")");
  gemm_text::define_batch(out, "A", v.batch, true);
  out.text(gemm_text::measure_kernel);
  return out.str();
}

/// The launch of kernel `gemm_measure`.
inline launch gemm_measure_launch(const packed_lines& lines, const gemm_measure_variant& v,
                                  std::int64_t k) {
  const std::int64_t blocks = (lines.lines + gemm_measure_side - 1) / gemm_measure_side;
  const auto group = static_cast<std::size_t>(v.group);
  const auto groups = static_cast<std::size_t>(blocks * measured_parts(k) * lines.matrices);
  return {1, {groups * group, 1, 1}, {group, 1, 1}};
}

}  // namespace clprim
