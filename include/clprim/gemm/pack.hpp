#pragma once
// Operands -> copies in the workspace that lie as the kernel wants them: lines that begin at whole
// accesses, lines turned to run along k, elements split.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <clprim/core/source.hpp>
#include <clprim/gemm/line_scales.hpp>
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
  gemm_precision split = gemm_precision::full;  ///< where `turned`: how floats are split
  int way = 0;              ///< where they are: of the call's ways (gemm_variant)
  bool inline_ptx = false;  ///< numbers become halves by NVIDIA's instructions

  friend constexpr bool operator==(const gemm_pack_variant&, const gemm_pack_variant&) = default;
};

/// Lines of the copy, and elements of each, that a group makes: runs of at least 64 bytes. Rows of
/// the square lie an odd number of words of 4 bytes apart in local memory.
constexpr int gemm_turn_side(const gemm_pack_variant& v) {
  return is_byte(v.type) || scales_lines(v.split) ? 64 : 32;
}

/// Groups that copy squares at most, where most calls copy none.
inline constexpr std::int64_t gemm_groups_of_later_ways = 1024;

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

/// What becomes of a run of elements: as they are.
inline constexpr kernel_text keep_whole = R"cl(
inline void store_parts(__global COPIED *place, const WORD *x)
{
    *(__global RUN_VECTOR *)place = RUN_OF(x);
}
#define BEGIN_LINES
#define END_LINES
#define WHOLE(x, line) (x)
#define IS_BEYOND(x, line) 0
)cl";

inline constexpr kernel_text split_into_tf32 = R"cl(
// A float is its greater part, rounded to TF32, and the lesser one, what is left, rounded likewise.
inline float part_of(const float x)
{
    return as_float((as_uint(x) + 0x1000u) & 0xffffe000u);
}

inline void store_parts(__global float *place, const float *x)
{
    float greater[RUN], lesser[RUN];
    EACH for (int e = 0; e < RUN; ++e) {
        greater[e] = part_of(x[e]);
        lesser[e] = part_of(x[e] - greater[e]);
    }
    *(__global RUN_VECTOR *)place = RUN_OF(greater);
    *(__global RUN_VECTOR *)(place + PART) = RUN_OF(lesser);
}

// Whether two TF32 numbers do not hold a float: 2^127 and more, infinite, NaN; below 2^-100 the
// lesser part could be below what TF32 reaches.
inline int is_beyond(const uint magnitude)
{
    return magnitude >= 0x7f000000u || (magnitude != 0 && magnitude < 0x0d800000u);
}
#define BEGIN_LINES
#define END_LINES
#define WHOLE(x, line) (x)
#define IS_BEYOND(x, line) is_beyond(as_uint(x) & 0x7fffffffu)
)cl";

inline constexpr kernel_text split_into_halves = R"cl(
// A float is its greater part, rounded to half, and the lesser one, what is left, LESSER_SCALE
// times, rounded likewise. A line is scaled so that its greatest magnitude is in [2^14, 2^15).
inline void store_parts(__global ushort *place, const float *x)
{
    uint greater[RUN / 2], lesser[RUN / 2];
    EACH for (int e = 0; e < RUN; e += 2) {
        float2 left = (float2)(x[e], x[e + 1]);
        greater[e / 2] = halves_of(left);
        left -= floats_of(greater[e / 2]);
        lesser[e / 2] = halves_of(left * LESSER_SCALE);
    }
    *(__global uint4 *)place = vload4(0, greater);
    *(__global uint4 *)(place + PART) = vload4(0, lesser);
}

// The power of two for a line, of whose elements the greatest has these bits.
inline int scale_of(const uint greatest)
{
    return greatest == 0 ? 0 : min(14 + 127 - (int)(greatest >> 23), 127);
}

// The bits of the least magnitude in a line of that scale that two halves hold. Those of 2^-14 and
// more, scaled, they hold like any but for an error of 2^-23 of it; to lesser ones more is allowed,
// 2^-23 times an eighth of the elements that are added up, of which a sum of float may have as much
// for every one. In a line with an infinity or NaN they hold none.
inline uint least_held(const uint greatest, const long length)
{
    const int allowed = length < 16 ? 0 : length >= 2048 ? 8 : 28 - (int)clz((uint)length);
    const int power = -14 - allowed - scale_of(greatest);
    return greatest >= 0x7f800000u ? 0xffffffffu
           : power >= -126         ? (uint)(power + 127) << 23
                                   : 1u << max(power + 149, 0);
}

// The first items have a line each. What they read is on its way together with the square.
#define BEGIN_LINES \
    const int own_line = (int)get_local_id(0); \
    const __global uint *const of_parts = \
        greatest + greatest_first + (long)batch * parts * lines + line0 + own_line; \
    uint greatest_of[MOST_PARTS]; \
    EACH for (int p = 0; p < MOST_PARTS; ++p) \
        greatest_of[p] = own_line < lines_here ? of_parts[min(p, parts - 1) * lines] : 0;
#define END_LINES \
    if (own_line < lines_here) { \
        uint top = 0; \
        EACH for (int p = 0; p < MOST_PARTS; ++p) top = max(top, greatest_of[p]); \
        line_factors[own_line] = as_float((uint)(127 + scale_of(top)) << 23); \
        line_least[own_line] = least_held(top, length); \
        if (first0 == 0) \
            scales[scales_first + (long)batch * lines + line0 + own_line] = scale_of(top); \
    }
#define WHOLE(x, line) ((x) * line_factors[line])
// A zero is no magnitude below the least one.
#define IS_BEYOND(x, line) ((as_uint(x) & 0x7fffffffu) - 1u < line_least[line] - 1u)
)cl";

/// Two floats below 2^15, each rounded to the half next to it, and back.
inline constexpr kernel_text halves_by_ptx = R"cl(
inline uint halves_of(const float2 x)
{
    uint halves;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halves) : "f"(x.s1), "f"(x.s0));
    return halves;
}

inline float2 floats_of(const uint halves)
{
    float2 x;
    asm("{ .reg .b16 low, high; mov.b32 {low, high}, %2; "
        "cvt.f32.f16 %0, low; cvt.f32.f16 %1, high; }"
        : "=f"(x.s0), "=f"(x.s1) : "r"(halves));
    return x;
}
)cl";

/// The same in OpenCL C: half has ten bits behind the leading one, below 2^-14 multiples of 2^-24.
inline constexpr kernel_text halves_by_bits = R"cl(
inline uint half_of(const float x)
{
    const uint sign = as_uint(x) & 0x80000000u, bits = as_uint(x) ^ sign;
    const uint normal = (bits + 0x0fffu + (bits >> 13 & 1)) >> 13;
    const uint small = as_uint(as_float(bits) + 0.5f);  // whose last bit is 2^-24
    return (bits < 0x38800000u ? small - 0x3f000000u : normal - 0x1c000u) | sign >> 16;
}
inline uint halves_of(const float2 x) { return half_of(x.s0) | half_of(x.s1) << 16; }

inline float float_of(const uint bits_and_sign)
{
    const uint bits = bits_and_sign & 0x7fffu;
    const float small = as_float(bits + 0x3f000000u) - 0.5f;
    const float x = bits < 0x400u ? small : as_float((bits + 0x1c000u) << 13);
    return bits_and_sign & 0x8000u ? -x : x;
}
inline float2 floats_of(const uint halves)
{
    return (float2)(float_of(halves), float_of(halves >> 16));
}
)cl";

inline constexpr kernel_text turn_kernel = R"cl(
// One group makes SIDE elements of SIDE lines of the copy from a square of the operand, whose lines
// run the same way or the other:
//
//     PARTS = 1: x x x x ...        PARTS = 2: PART greater parts, as many lesser ones, ...
//
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void gemm_pack(const __global WORD *restrict a, const long a_offset, const int a_ld,
                        A_BATCH, __global COPIED *restrict to, const long to_offset,
                        const long lines, const long length, const long before, const long pitch,
                        const long matrices WAY_PARAMETERS LINE_PARAMETERS)
{
    __local WORD square[SIDE][SIDE + BESIDE];  // [line][element]; no bank twice, either way
    LOCAL_SCALES
    LOCAL_MARK  // one for a group: an atomic of every item would take longer than the copy
    RETURN_UNLESS_MEANT
    const uint across = (uint)((lines + SIDE - 1) / SIDE);
    const uint along = (uint)((pitch + SIDE * PARTS - 1) / (SIDE * PARTS));
    int beyond = 0;
    EACH_SQUARE {
    const uint batch = group / (across * along), in_matrix = group - batch * across * along;
    const long line0 = (long)(in_matrix / along) * SIDE, first0 = (long)(in_matrix % along) * SIDE;
    // Those lines of the square, and those elements of each, that the operand has.
    const int lines_here = (int)min(lines - line0, (long)SIDE);
    const int begin = (int)max(before - first0, 0L);
    const int end = (int)min(before + length - first0, (long)SIDE);
    const __global WORD *const from =
        a + a_offset + A_BATCH_OFFSET +
        (SAME_WAY ? line0 * a_ld + first0 - before : (first0 - before) * a_ld + line0);
    __global COPIED *const to_square =
        to + to_offset + ((long)batch * lines + line0) * pitch + first0 * PARTS;
    BEGIN_LINES
    if (GROUP % SIDE == 0 && lines_here == SIDE && begin == 0 && end == SIDE) {
        const int x = (int)get_local_id(0) % SIDE, y0 = (int)get_local_id(0) / SIDE;
        const __global WORD *next = from + y0 * (long)a_ld + x;
        const long rows = GROUP / SIDE * (long)a_ld;
        READ_LOOP for (int i = 0; i < SIDE * SIDE / GROUP; ++i) {
            const int y = y0 + i * (GROUP / SIDE);
            square[SAME_WAY ? y : x][SAME_WAY ? x : y] = *next;
            next += rows;
        }
    } else {
        for (int place = (int)get_local_id(0); place < SIDE * SIDE; place += GROUP) {
            const int x = place % SIDE, y = place / SIDE;
            const int line = SAME_WAY ? y : x, i = SAME_WAY ? x : y;
            const bool exists = line < lines_here && i >= begin && i < end;
            square[line][i] = exists ? from[y * (long)a_ld + x] : (WORD)(0);
        }
    }
    END_LINES
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int run = (int)get_local_id(0); run < SIDE * SIDE / RUN; run += GROUP) {
        const int line = run / (SIDE / RUN), first = run % (SIDE / RUN) * RUN;
        if (line >= lines_here || (first0 + first) * PARTS >= pitch) continue;
        WORD each[RUN];
        EACH for (int e = 0; e < RUN; ++e) {
            beyond |= IS_BEYOND(square[line][first + e], line);
            each[e] = WHOLE(square[line][first + e], line);
        }
        store_parts(to_square + line * pitch + first + first / PART * PART * (PARTS - 1), each);
    }
    NEXT_SQUARE
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
  const bool split = parts_of(v.split) == 2;
  const scalar copied = multiplied_type(v.type, v.split);
  const int bytes = facts_of(v.type).bytes;
  const std::string run = packed_run(copied) == 1 ? "" : std::to_string(packed_run(copied));
  const std::string word = split        ? "float"
                           : bytes == 1 ? "uchar"
                           : bytes == 2 ? "ushort"
                           : bytes == 4 ? "uint"
                           : bytes == 8 ? "ulong"
                                        : "ulong2";
  out.define("WORD", word);
  out.define("RUN", packed_run(copied));
  out.define("RUN_VECTOR", (copied == v.type ? word : "ushort") + run);
  out.define("RUN_OF(from)", run.empty() ? "*(from)" : "vload" + run + "(0, from)");
  if (v.turned) {
    out.define("SIDE", gemm_turn_side(v));
    out.define("BESIDE", std::max(1, 4 / bytes));
    const int parts = parts_of(v.split);
    out.define("COPIED", copied == v.type ? word : "ushort");
    out.define("PARTS", parts);
    out.define("PART", std::min(warp_group_k(copied) / parts, gemm_turn_side(v)));
    out.define("SAME_WAY", static_cast<int>(v.same_way));
    out.define("READ_LOOP", v.group >= 64 ? "EACH" : "");  // loads on their way together
    define_way(out, v.way, split, false);
    out.define("MARK_WHERE(met)",
               split ? "if (met) any_beyond = 1; barrier(CLK_LOCAL_MEM_FENCE); "
                       "if (get_local_id(0) == 0 && any_beyond) atomic_xchg(unsafe + " +
                           std::to_string(v.way) + ", turn);"
                     : "(void)(met);");
    out.define("LOCAL_MARK", split ? "__local int any_beyond; if (get_local_id(0) == 0) "
                                     "any_beyond = 0;"
                                   : "");
    const bool in_turns = v.way > 0, scaled = scales_lines(v.split);
    out.define("EACH_SQUARE",
               in_turns ? "for (uint group = (uint)get_group_id(0); group < across * along * "
                          "(uint)matrices; group += (uint)get_num_groups(0))"
                        : "const uint group = (uint)get_group_id(0);");
    out.define("NEXT_SQUARE", in_turns ? "barrier(CLK_LOCAL_MEM_FENCE);" : "");
    out.define("LINE_PARAMETERS",
               scaled ? ", const __global uint *restrict greatest, const long greatest_first, "
                        "const int parts, __global int *restrict scales, const long scales_first"
                      : "");
    out.define("LOCAL_SCALES",
               scaled ? "__local float line_factors[SIDE]; __local uint line_least[SIDE];" : "");
    if (scaled) {
      out.define("MOST_PARTS", most_measured_parts);
      out.define("LESSER_SCALE", gemm_lesser_scale);
      out.text(v.inline_ptx ? halves_by_ptx : halves_by_bits);
    }
    out.text(scaled ? split_into_halves : split ? split_into_tf32 : keep_whole);
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
  const std::int64_t runs = lines.elements() / packed_run(v.type), side = gemm_turn_side(v);
  std::int64_t groups = v.turned ? lines.matrices * squares(lines.lines, side) *
                                       squares(lines.pitch, side * parts_of(v.split))
                                 : squares(runs, v.group);
  if (v.way > 0) groups = std::min(groups, gemm_groups_of_later_ways);
  const auto group = static_cast<std::size_t>(v.group);
  return {1, {static_cast<std::size_t>(groups) * group, 1, 1}, {group, 1, 1}};
}

}  // namespace clprim
