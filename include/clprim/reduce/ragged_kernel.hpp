#pragma once
// OpenCL C of reductions of segments that begin and end at given offsets.

#include <clprim/core/source.hpp>

namespace clprim::reduce_text {

inline constexpr kernel_text ragged_kernel = R"cl(
// out[r] = reduction of x[offsets[r] .. offsets[r + 1]). A segment gets what it needs:
//
//     up to MEDIUM elements   ITEMS work-items: GROUP / ITEMS segments per group at a time
//     up to LONG elements     the whole group, after the short ones
//     more                    all groups: `reduce_ragged` lists it, `reduce_long` reduces a part of
//                             it in every group, `reduce_long_finish` puts the parts together
//
// kept[LISTED_AT] counts what is listed. `reduce_long` copies it to left[0], so that
// `reduce_long_finish` can make it 0 again while all groups know how many there are.
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void reduce_ragged(const __global STORED *restrict x, const long x_offset Y_OF_RAGGED,
                            const __global long *restrict offsets, const long segments,
                            __global result *restrict out, const long out_offset,
                            __global uint *kept, __global uint *left, const int list_room,
                            const int per_block MAP_PARAMETERS)
{
    __global long *const list = (__global long *)(left + LIST_AT);
    __local state shared[GROUP];
    __local int larger;
    const int t = (int)get_local_id(0), lane = t % ITEMS, slot = t / ITEMS;
    const long blocks = (segments + GROUP / ITEMS - 1) / (GROUP / ITEMS);
    for (long block = get_group_id(0); block < blocks; block += get_num_groups(0)) {
        const long segment = block * (GROUP / ITEMS) + slot;
        const long begin = segment < segments ? offsets[segment] : 0;
        const long size = segment < segments ? offsets[segment + 1] - begin : 0;
        if (t == 0) larger = 0;
        state s = walk(x + x_offset + begin Y_AT(y + y_offset + begin), 1 Y_AT(1), x_offset + begin,
                       size <= MEDIUM ? size : 0, 0, 1, lane, ITEMS MAP_ARGUMENTS);
        s = combine_row(s, shared);
        if (lane == 0 && segment < segments && size <= MEDIUM)
            put(out + out_offset + segment, s, size);
        BARRIER;
        if (lane == 0 && size > MEDIUM) {
            atomic_or(&larger, 1);
            if (size > LONG) {
                const int place = (int)atomic_inc((__global volatile uint *)kept + LISTED_AT);
                if (place < list_room) list[place] = segment;
            }
        }
        BARRIER;
        const int some = larger;
        for (int q = 0; q < (some ? GROUP / ITEMS : 0); ++q) {
            const long one = block * (GROUP / ITEMS) + q;
            const long from = one < segments ? offsets[one] : 0;
            const long n = one < segments ? offsets[one + 1] - from : 0;
            if (n > MEDIUM && n <= LONG) {
                s = walk(x + x_offset + from Y_AT(y + y_offset + from), 1 Y_AT(1), x_offset + from,
                         n, 0, 1, t, GROUP MAP_ARGUMENTS);
                s = combine_group(s, shared);
                if (t == 0) put(out + out_offset + one, s, n);
            }
            LOOP_END;
        }
        BARRIER;
    }
}

)cl";

/// The launches after it, for the segments that it listed.
inline constexpr kernel_text long_segments = R"cl(
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void reduce_long(const __global STORED *restrict x, const long x_offset Y_OF_RAGGED,
                          const __global long *restrict offsets, const __global uint *kept,
                          __global uint *left, const int list_room MAP_PARAMETERS)
{
    const __global long *const list = (const __global long *)(left + LIST_AT);
    __global uint *const partial = left + LIST_AT + 2 * list_room;
    __local state shared[GROUP];
    const int t = (int)get_local_id(0), g = (int)get_group_id(0), groups = (int)get_num_groups(0);
    const int listed = min((int)kept[LISTED_AT], list_room);
    if (get_global_id(0) == 0) left[0] = (uint)listed;
    for (int k = 0; k < listed; ++k) {
        const long begin = offsets[list[k]], n = offsets[list[k] + 1] - begin;
        state s = walk(x + x_offset + begin Y_AT(y + y_offset + begin), 1 Y_AT(1), x_offset + begin,
                       n, g, groups, t, GROUP MAP_ARGUMENTS);
        s = combine_group(s, shared);
        if (t == 0) send(partial, (long)k * groups + g, s, 0);
        LOOP_END;
    }
}

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void reduce_long_finish(const __global long *restrict offsets, __global uint *kept,
                                 __global uint *left, const int list_room, const int groups,
                                 __global result *restrict out, const long out_offset)
{
    const __global long *const list = (const __global long *)(left + LIST_AT);
    __global uint *const partial = left + LIST_AT + 2 * list_room;
    __local state shared[GROUP];
    const int t = (int)get_local_id(0);
    const int listed = (int)left[0];
    for (int k = (int)get_group_id(0); k < listed; k += (int)get_num_groups(0)) {
        state s = begin_state();
        for (int i = t; i < groups; i += GROUP)
            s = merge(s, receive(partial, (long)k * groups + i, 0));
        s = combine_group(s, shared);
        const long n = offsets[list[k] + 1] - offsets[list[k]];
        if (t == 0) put(out + out_offset + list[k], s, n);
        LOOP_END;
    }
    if (get_global_id(0) == 0) kept[LISTED_AT] = 0;
}
)cl";

}  // namespace clprim::reduce_text
