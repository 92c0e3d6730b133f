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
#include <clprim/gemm/split_text.hpp>
#include <clprim/runtime/launch.hpp>

namespace clprim {

/// All that the source of the packing kernel depends on.
struct gemm_pack_variant {
  scalar type = scalar::float_;
  gemm_batch batch = gemm_batch::strided;
  int group = gemm_finish_group;  ///< of a line each at least, where lines are scaled
  bool turned = false;            ///< the copy is made square by square
  bool same_way = false;          ///< where `turned`: its lines run as the operand's do
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
            each[e] = SCALED(square[line][first + e], line);
        }
        store_parts(to_square + line * pitch + first + first / PART * PART * (PARTS - 1), each);
    }
    NEXT_SQUARE
    }
    MARK_WHERE(beyond)
}
)cl";

/// The elements of a copy: bits that are moved, whatever they mean, unless they are split.
inline void define_words(source_builder& out, scalar type, gemm_precision split) {
  const scalar copied = multiplied_type(type, split);
  const int bytes = facts_of(type).bytes;
  const std::string run = packed_run(copied) == 1 ? "" : std::to_string(packed_run(copied));
  const std::string word = parts_of(split) == 2 ? "float"
                           : bytes == 1         ? "uchar"
                           : bytes == 2         ? "ushort"
                           : bytes == 4         ? "uint"
                           : bytes == 8         ? "ulong"
                                                : "ulong2";
  out.define("WORD", word);
  out.define("COPIED", copied == type ? word : "ushort");
  out.define("RUN", packed_run(copied));
  out.define("RUN_VECTOR", (copied == type ? word : "ushort") + run);
  out.define("RUN_OF(from)", run.empty() ? "*(from)" : "vload" + run + "(0, from)");
}

/// How copies that are split mark their way where they do not hold an element.
inline void define_marks(source_builder& out, int way, bool split) {
  out.define("MARK_WHERE(met)",
             split ? "if (met) any_beyond = 1; barrier(CLK_LOCAL_MEM_FENCE); "
                     "if (get_local_id(0) == 0 && any_beyond) atomic_xchg(unsafe + " +
                         std::to_string(way) + ", turn);"
                   : "(void)(met);");
  out.define("LOCAL_MARK", split ? "__local int any_beyond; if (get_local_id(0) == 0) "
                                   "any_beyond = 0;"
                                 : "");
}

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
  define_words(out, v.type, v.split);
  if (v.turned) {
    out.define("SIDE", gemm_turn_side(v));
    out.define("BESIDE", std::max(1, 4 / facts_of(v.type).bytes));
    const scalar copied = multiplied_type(v.type, v.split);
    const int parts = parts_of(v.split);
    out.define("PARTS", parts);
    out.define("PART", std::min(warp_group_k(copied) / parts, gemm_turn_side(v)));
    out.define("SAME_WAY", static_cast<int>(v.same_way));
    out.define("READ_LOOP", v.group >= 64 ? "EACH" : "");  // loads on their way together
    define_way(out, v.way, split, false);
    define_marks(out, v.way, split);
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
