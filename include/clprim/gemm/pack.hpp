#pragma once
// Operands -> copies in the workspace that lie as the kernel wants them: lines that begin at whole
// accesses, lines turned to run along k, elements split.

#include <algorithm>
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
  bool turned = false;    ///< the copy is made square by square
  bool same_way = false;  ///< where `turned`: its lines run as the operand's do
  int parts = 1;          ///< where `turned`: TF32 numbers for each float

  friend constexpr bool operator==(const gemm_pack_variant&, const gemm_pack_variant&) = default;
};

/// Lines of the copy, and elements of each, that a group makes: runs of at least 64 bytes. Rows of
/// the square lie an odd number of words of 4 bytes apart in local memory.
constexpr int gemm_turn_side(scalar type) { return is_byte(type) ? 64 : 32; }

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

inline constexpr kernel_text turn_kernel = R"cl(
// One group makes SIDE elements of SIDE lines of the copy from a square of the operand, whose lines
// run the same way or the other:
//
//     PARTS = 1: x x x x ...                  PARTS = 2: 16 greater parts, 16 lesser ones, ...
//
// A float is its greater part, rounded to TF32, and the lesser one, what is left, rounded likewise.
#define TF32_OF(x) as_float((as_uint(x) + 0x1000u) & 0xffffe000u)

// Whether two TF32 numbers do not hold a float: 2^127 and more, infinite, NaN; below 2^-100 the
// lesser part could be below what TF32 reaches.
inline int is_beyond(const float value)
{
    const uint magnitude = as_uint(value) & 0x7fffffffu;
    return magnitude >= 0x7f000000u || (magnitude != 0 && magnitude < 0x0d800000u);
}

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void gemm_pack(const __global WORD *restrict a, const long a_offset, const int a_ld,
                        A_BATCH, __global WORD *restrict to, const long to_offset,
                        const long lines, const long length, const long before, const long pitch,
                        const long matrices UNSAFE_PARAMETERS)
{
    __local WORD square[SIDE][SIDE + BESIDE];  // [line][element]; no bank twice, either way
    const size_t across = (size_t)((lines + SIDE - 1) / SIDE);
    const size_t along = (size_t)((pitch + SIDE * PARTS - 1) / (SIDE * PARTS));
    const size_t group = get_group_id(0), batch = group / (across * along);
    const size_t in_matrix = group - batch * across * along;
    const long line0 = (long)(in_matrix / along) * SIDE, first0 = (long)(in_matrix % along) * SIDE;
    a += a_offset + A_BATCH_OFFSET;
    READ_LOOP for (int at = 0; at < SIDE * SIDE; at += GROUP) {
        const int place = at + (int)get_local_id(0), x = place % SIDE, y = place / SIDE;
        const long line = line0 + (SAME_WAY ? y : x), i = first0 + (SAME_WAY ? x : y) - before;
        const int exists = line < lines && i >= 0 && i < length;
        const WORD value = exists ? a[SAME_WAY ? line * a_ld + i : i * a_ld + line] : (WORD)(0);
        if (place < SIDE * SIDE) square[SAME_WAY ? y : x][SAME_WAY ? x : y] = value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int beyond = 0;
    for (int run = (int)get_local_id(0); run < SIDE * SIDE / RUN; run += GROUP) {
        const int line = run / (SIDE / RUN), first = run % (SIDE / RUN) * RUN;
        if (line0 + line >= lines || (first0 + first) * PARTS >= pitch) continue;
        WORD each[RUN];
        EACH for (int e = 0; e < RUN; ++e) each[e] = square[line][first + e];
        __global WORD *const place =
            to + to_offset + ((long)batch * lines + line0 + line) * pitch + first0 * PARTS + first +
            (PARTS == 2 ? first / 16 * 16 : 0);
#if PARTS == 2
        const float4 value = RUN_OF(each);
        const float4 greater = (float4)(TF32_OF(value.s0), TF32_OF(value.s1), TF32_OF(value.s2),
                                  TF32_OF(value.s3));
        const float4 left = value - greater;
        *(__global float4 *)place = greater;
        *(__global float4 *)(place + 16) =
            (float4)(TF32_OF(left.s0), TF32_OF(left.s1), TF32_OF(left.s2), TF32_OF(left.s3));
        beyond |= is_beyond(value.s0) | is_beyond(value.s1) | is_beyond(value.s2) |
                  is_beyond(value.s3);
#else
        *(__global RUN_VECTOR *)place = RUN_OF(each);
#endif
    }
    MARK_WHERE(beyond)
}
)cl";

}  // namespace gemm_text

/// The OpenCL C source of the packing kernel `gemm_pack`: bits are moved, whatever they mean,
/// unless elements are split.
inline std::string gemm_pack_source(const gemm_pack_variant& v) {
  using namespace gemm_text;
  source_builder out;
  out.banner("clprim GEMM, packing, " + std::string{facts_of(v.type).name});
  out.define("GROUP", v.group);
  out.define("EACH", "_Pragma(\"unroll\")");
  define_batch(out, "A", v.batch, true);
  const bool split = v.parts == 2;
  const int bytes = facts_of(v.type).bytes;
  const std::string run = packed_run(v.type) == 1 ? "" : std::to_string(packed_run(v.type));
  const std::string word = split        ? "float"
                           : bytes == 1 ? "uchar"
                           : bytes == 2 ? "ushort"
                           : bytes == 4 ? "uint"
                           : bytes == 8 ? "ulong"
                                        : "ulong2";
  out.define("WORD", word);
  out.define("RUN", packed_run(v.type));
  out.define("RUN_VECTOR", word + run);
  out.define("RUN_OF(from)", run.empty() ? "*(from)" : "vload" + run + "(0, from)");
  if (v.turned) {
    out.define("SIDE", gemm_turn_side(v.type));
    out.define("BESIDE", std::max(1, 4 / bytes));
    out.define("PARTS", v.parts);
    out.define("SAME_WAY", static_cast<int>(v.same_way));
    out.define("READ_LOOP", v.group >= 64 ? "EACH" : "");  // loads on their way together
    out.define("UNSAFE_PARAMETERS",
               split ? ", volatile __global uint *restrict unsafe, const uint turn" : "");
    out.define("MARK_WHERE(met)", split ? "if (met) atomic_xchg(unsafe, turn);" : "(void)(met);");
    out.text(turn_kernel);
    return out.str();
  }
  out.text(pack_kernel);
  return out.str();
}

/// The launch of kernel `gemm_pack`.
inline launch gemm_pack_launch(const packed_lines& lines, const gemm_pack_variant& v) {
  const auto squares = [](std::int64_t extent, std::int64_t side) {
    return (extent + side - 1) / side;
  };
  const std::int64_t runs = lines.elements() / packed_run(v.type), side = gemm_turn_side(v.type);
  const std::int64_t groups =
      v.turned ? lines.matrices * squares(lines.lines, side) * squares(lines.pitch, side * v.parts)
               : squares(runs, v.group);
  const auto group = static_cast<std::size_t>(v.group);
  return {1, {static_cast<std::size_t>(groups) * group, 1, 1}, {group, 1, 1}};
}

}  // namespace clprim
