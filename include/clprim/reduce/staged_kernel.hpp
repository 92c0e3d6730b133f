#pragma once
// OpenCL C of reductions of many short segments: a tile of elements at a time in local memory.

#include <clprim/core/source.hpp>

namespace clprim::reduce_text {

inline constexpr kernel_text staged_kernel = R"cl(
// out[r] = reduction of x[offsets[r] .. offsets[r + 1]). The elements of neighbouring segments lie
// side by side, so a group copies a window of them to local memory with full loads, wherever they
// begin, and ITEMS work-items each then reduce a segment from there:
//
//     segments   |  next   |   | +1 |       +2       | ...| longer than MEDIUM
//     window     |<------- `some` segments, up to TILE ---->|
//     tile   |skew|  elements of these segments             |    skew: loads begin at a multiple
//                                                                of VECTOR
//
// A longer one ends the window; the whole group reduces it, or, past LONG, lists it for
// `reduce_long`. A block of `per_block` segments fits into one window as a rule.
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void reduce_ragged(const __global STORED *restrict x, const long x_offset Y_OF_RAGGED,
                            const __global long *restrict offsets, const long segments,
                            __global result *restrict out, const long out_offset,
                            __global uint *kept, __global uint *left, const int list_room,
                            const int per_block MAP_PARAMETERS)
{
    __global long *const list = (__global long *)(left + LIST_AT);
    __local state shared[GROUP];
    __local OPERAND tile[TILE + 2 * VECTOR] __attribute__((aligned(128)));
    Y_ONLY(__local OPERAND tile_y[TILE];)
    __local int starts[GROUP + 1], window;
    const int t = (int)get_local_id(0), lane = t % ITEMS, slot = t / ITEMS;
    const long blocks = (segments + per_block - 1) / per_block;
    for (long block = get_group_id(0); block < blocks; block += get_num_groups(0)) {
        const long stop = min(segments, (block + 1) * per_block);
        long next = block * per_block;
        while (next < stop) {
            const int count = (int)(stop - next);
            const long begin = offsets[next];
            BARRIER;
            if (t == 0) {
                window = count;
                starts[0] = 0;
            }
            BARRIER;
            if (t < count) {
                const long from = offsets[next + t], to = offsets[next + t + 1];
                starts[t + 1] = (int)(to - begin);
                if (to - from > MEDIUM || to - begin > TILE) atomic_min(&window, t);
            }
            BARRIER;
            const int some = window, held = starts[some];
            const long first = x_offset + begin;
            const int skew = (int)(first % VECTOR), runs = (held + skew) / VECTOR;
            const __global STORED *const from = x + (first - skew);
            for (int r0 = 0; r0 < runs; r0 += LOADS * GROUP) {
                OPERAND_RUN value[LOADS];  // of the last run again and again past the end
                EACH for (int i = 0; i < LOADS; ++i)
                    value[i] = LOAD_RUN(from + min(r0 + i * GROUP + t, runs - 1) * VECTOR);
                EACH for (int i = 0; i < LOADS; ++i) {
                    const int r = r0 + i * GROUP + t;
                    if (r < runs) *(__local OPERAND_RUN *)(tile + r * VECTOR) = value[i];
                }
            }
            for (int i = runs * VECTOR + t; i < held + skew; i += GROUP)
                tile[i] = LOAD_ONE(from + i);
            Y_ONLY(for (int i = t; i < held; i += GROUP)
                       tile_y[i] = LOAD_ONE(y + y_offset + begin + i);)
            BARRIER;
            for (int q = 0; q < some; q += GROUP / ITEMS) {
                const int one = q + slot;
                const int at = one < some ? starts[one] : 0;
                const int size = one < some ? starts[one + 1] - at : 0;
                state s = begin_state();
                for (int i = lane; i < size; i += ITEMS)
                    s = merge(s, state_of(made_of(tile[skew + at + i] Y_AT(tile_y[at + i]),
                                                  i MAP_ARGUMENTS), i));
                s = combine_row(s, shared);
                if (lane == 0 && one < some) put(out + out_offset + next + one, s, size);
                LOOP_END;
            }
            next += some;
            for (int q = 0; q < (some == 0 ? 1 : 0); ++q) {  // the first one is longer
                const long n = offsets[next + 1] - begin;
                state s = walk(x + first Y_AT(y + y_offset + begin), 1 Y_AT(1), first,
                               n <= LONG ? n : 0, 0, 1, t, GROUP MAP_ARGUMENTS);
                s = combine_group(s, shared);
                if (t == 0 && n <= LONG) put(out + out_offset + next, s, n);
                if (t == 0 && n > LONG) {
                    const int place = (int)atomic_inc((__global volatile uint *)kept + LISTED_AT);
                    if (place < list_room) list[place] = next;
                }
                LOOP_END;
            }
            next += some == 0 ? 1 : 0;
            LOOP_END;
        }
        LOOP_END;
    }
}
)cl";

}  // namespace clprim::reduce_text
