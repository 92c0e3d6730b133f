#pragma once
// OpenCL C of reductions along adjacent elements, and of the second launch that finishes any.

#include <clprim/core/source.hpp>

namespace clprim::reduce_text {

inline constexpr kernel_text rows_kernel = R"cl(
// out[r] = reduction of x[r][0 .. length): ITEMS work-items per row, GROUP / ITEMS rows per group
// at a time; or, SPLIT, `parts` groups per row, whose states go through `partial`. LOOPED: there
// are fewer groups than that asks for.
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void reduce_rows(const __global STORED *restrict x Y_PARAMETER, const reduce_numbers call,
                          __global result *restrict out KEPT_PARAMETER LEFT_PARAMETER
                          OUTER_PARAMETERS MAP_PARAMETERS)
{
    const long x_offset = call.x_offset, x_row = call.x_row, x_step = call.x_step;
    Y_ONLY(const long y_offset = call.y_offset;)
    Y_ONLY(const long y_row = call.y_row;)
    Y_ONLY(const long y_step = call.y_step;)
    const long length = call.length, rows = call.outer, out_offset = call.out_offset;
    const int parts = (int)call.parts;
    const uint turn = (uint)call.turn;
    __global uint *const counters = COUNTERS, *const partial = PARTIAL;
    __local state shared[GROUP];
    __local state own;
    __local int last;
    const int t = (int)get_local_id(0), lane = t % ITEMS, slot = t / ITEMS;
    const long blocks = SPLIT ? rows * parts : (rows + GROUP / ITEMS - 1) / (GROUP / ITEMS);
    for (long block = get_group_id(0); block < blocks; block += get_num_groups(0)) {
        const int whole = SPLIT ? (uint)block / (uint)parts : 0;  // a split one is never LOOPED
        const int part = SPLIT ? (int)block - whole * parts : 0;
        const long row = SPLIT ? whole : block * (GROUP / ITEMS) + slot;
        const long from = x_offset + X_PLACE(row);
        const long size = row < rows ? length : 0;
        Y_ONLY(const long y_from = y_offset + Y_PLACE(row);)
        uint ticket = 0;  // asked for here, so that it is there when it is looked at
        if (LAST_STARTED && t == 0) ticket = atomic_inc((__global volatile uint *)counters + row);
        state s = walk(x + from Y_AT(y + y_from), x_step Y_AT(y_step), from, size, part,
                       SPLIT ? parts : 1, lane, ITEMS MAP_ARGUMENTS);
        s = combine_row(s, shared);
        if (!SPLIT) {
            if (lane == 0 && row < rows) put(out + out_offset + row, s, length);
        } else if (ANY_ORDER) {
            if (t == 0 && arrive(partial, row, parts, &s)) put(out + out_offset + row, s, length);
        } else {
            const int keeps = LAST_STARTED && ticket == (uint)(parts - 1);
            if (t == 0) {
                if (keeps) own = s; else send(partial, part * rows + row, s, turn);
            }
            if (LAST_GROUP) {
                const int all = (LAST_STARTED ? started_last(counters + row, keeps, &last)
                                              : is_last(counters + row, parts, t == 0, &last))
                                    ? parts : 0;
                if (EARLY_EXIT && all == 0) {
                    if (!LOOPED) break;
                    continue;
                }
                s = begin_state();
                for (int i = t; i < all; i += GROUP)
                    s = merge(s, LAST_STARTED && i == part
                                     ? own : receive(partial, i * rows + row, turn));
                s = combine_row(s, shared);
                if (t == 0 && all > 0) put(out + out_offset + row, s, length);
            }
        }
        LOOP_END;
        if (!LOOPED) break;
    }
}
)cl";

/// The second kernel: out[r] of the `parts` states of result r.
inline constexpr kernel_text finish_kernel = R"cl(
__attribute__((reqd_work_group_size(FINISH_GROUP, 1, 1)))
__kernel void reduce_finish(const long length, const long results, const int parts,
                            __global result *restrict out, const long out_offset,
                            __global uint *left)
{
    __local state shared[FINISH_SHARED ? FINISH_GROUP : 1];
    const int t = (int)get_local_id(0), group = (int)get_group_id(0);
    const long r = FINISH_SHARED ? group : (long)group * FINISH_GROUP + t;
    state s = begin_state();
    for (int i = FINISH_SHARED ? t : 0; i < parts && r < results;
         i += FINISH_SHARED ? FINISH_GROUP : 1)
        s = merge(s, receive(left, i * results + r, 0));
    if (FINISH_SHARED) s = combine_finish(s, shared);
    const int mine = FINISH_SHARED ? t == 0 : 1;
    if (mine && r < results) put(out + out_offset + r, s, length);
}
)cl";

}  // namespace clprim::reduce_text
