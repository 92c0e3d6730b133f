#pragma once
// OpenCL C of reductions along adjacent elements: the walk of an item, what a group and what
// several groups make of their states, the kernel.

#include <clprim/core/source.hpp>

namespace clprim::reduce_text {

/// One item's share of `size` elements.
inline constexpr kernel_text walk = R"cl(
//   head  |<- run ->|<- run ->|<- run ->|<- run ->|   | tail      a run: VECTOR elements, one load
//   one   | item 0  | item 1  |  ...    | item 0  |   | one
//   by one|<------ `items` runs ------->|             | by one
//
// Part `part` of `parts` takes a contiguous range of blocks of `items` runs (or every parts-th
// block: GRID_STRIDE); the first one takes the head too, the last one the tail. LOADS runs are in
// flight, each with a state per lane of its own.
inline state walk(const __global STORED *restrict x Y_PARAMETER, const long step, const long skew,
                  const long size, const int part, const int parts, const int lane,
                  const int items MAP_PARAMETERS)
{
    const int head = PEELED ? (int)min((VECTOR - skew % VECTOR) % VECTOR, size) : 0;
    const long runs = (size - head) / VECTOR;
    const int tail = (int)(size - head - runs * VECTOR);
    const long blocks = (runs + items - 1) / items;
    const long block0 = GRID_STRIDE ? part : blocks * part / parts;
    const long block1 = GRID_STRIDE ? blocks : blocks * (part + 1) / parts;
    const long run0 = block0 * items;
    const int ends = (int)(min(runs, block1 * items) - run0);
    const int next = GRID_STRIDE ? items * parts : items;

    run sum[LOADS];
    EACH for (int i = 0; i < LOADS; ++i) sum[i] = begin_run();
    const long first = head + run0 * VECTOR;
    int at = lane;
    for (; at < ends - (LOADS - 1) * next; at += LOADS * next) {
        MAPPED_RUN value[LOADS];
        EACH for (int i = 0; i < LOADS; ++i) {
            const long place = first + (long)(at + i * next) * VECTOR;
            value[i] = fetch_run(x Y_ARGUMENT, step, place, place MAP_ARGUMENTS);
        }
        EACH for (int i = 0; i < LOADS; ++i) take_run(&sum[i], value[i], at + i * next);
    }
    for (; at < ends; at += next) {
        const long place = first + (long)at * VECTOR;
        take_run(&sum[0], fetch_run(x Y_ARGUMENT, step, place, place MAP_ARGUMENTS), at);
    }

    state all = begin_state();
    EACH for (int i = 0; i < LOADS; ++i)
        EACH for (int j = 0; j < VECTOR; ++j)
            all = merge(all, lane_of(sum[i], j, first + j, VECTOR));
    if (PEELED && part == 0) {
        for (int i = lane; i < head; i += items)
            take_one(&all, fetch_one(x Y_ARGUMENT, step, i, i MAP_ARGUMENTS), i);
    }
    if (VECTOR > 1 && part == parts - 1) {
        for (int i = lane; i < tail; i += items) {
            const long place = size - tail + i;
            take_one(&all, fetch_one(x Y_ARGUMENT, step, place, place MAP_ARGUMENTS), place);
        }
    }
    return all;
}
)cl";

/// The states of `ITEMS` neighbouring items become one, in the first of them; always in the same
/// order. All items of the group call it.
inline constexpr kernel_text combine_interleaved = R"cl(
inline state combine_NAME(state s, __local state *const shared)
{
    const int t = (int)get_local_id(0), lane = t / APART % ITEMS;
    BARRIER;
    shared[t] = s;
    BARRIER;
    for (int d = 1; d < ITEMS; d *= 2) {
        if (lane % (2 * d) == 0) shared[t] = merge(shared[t], shared[t + d * APART]);
        BARRIER;
    }
    return shared[t];
}
)cl";
inline constexpr kernel_text combine_sequential = R"cl(
inline state combine_NAME(state s, __local state *const shared)
{
    const int t = (int)get_local_id(0), lane = t / APART % ITEMS;
    BARRIER;
    shared[t] = s;
    BARRIER;
    for (int d = ITEMS / 2; d > 0; d /= 2) {
        if (lane < d) shared[t] = merge(shared[t], shared[t + d * APART]);
        BARRIER;
    }
    return shared[t];
}
)cl";
inline constexpr kernel_text combine_two_steps = R"cl(
inline state combine_NAME(state s, __local state *const shared)
{
    const int t = (int)get_local_id(0);
    BARRIER;
    shared[t] = s;
    BARRIER;
    if (t < 32) {
        EACH for (int i = 32; i < ITEMS; i += 32) s = merge(s, shared[t + i]);
        shared[t] = s;
    }
    BARRIER;
    if (t == 0) {
        EACH for (int i = 1; i < 32; ++i) s = merge(s, shared[i]);
    }
    return s;
}
)cl";
inline constexpr kernel_text combine_shuffle = R"cl(
inline state shuffled(state s, const int d)
{
    union { state s; uint word[WORDS]; } from, to;
    from.s = s;
    EACH for (int w = 0; w < WORDS; ++w)
        asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;"
                     : "=r"(to.word[w]) : "r"(from.word[w]), "r"(d));
    return to.s;
}
inline state combine_NAME(state s, __local state *const shared)
{
    const int t = (int)get_local_id(0);
    EACH for (int d = min(ITEMS, 32) / 2; d > 0; d /= 2) s = merge(s, shuffled(s, d));
    if (ITEMS > 32) {
        BARRIER;
        if (t % 32 == 0) shared[t / 32] = s;
        BARRIER;
        if (t % ITEMS < 32) {
            s = begin_state();
            if (t % ITEMS < ITEMS / 32) s = shared[t / ITEMS * (ITEMS / 32) + t % ITEMS];
            EACH for (int d = 16; d > 0; d /= 2) s = merge(s, shuffled(s, d));
        }
    }
    return s;
}
)cl";

/// How a state travels from group to group.
inline constexpr kernel_text messages = R"cl(
typedef union { state s; uint word[WORDS]; } parcel;

// FINISH_LAST_GROUP: every 16 bits are a message of their own, sent and taken by atomic exchanges;
// a bit above them says that there is one, and taking it makes the place empty again. So nothing
// rests on a fence between groups, which OpenCL 1.2 does not have.
inline void send(__global volatile uint *const partial, const long place, const state s)
{
    parcel p;
    EACH for (int w = 0; w < WORDS; ++w) p.word[w] = 0;
    p.s = s;
    __global volatile uint *const to = partial + place * (MAILED ? 2 * WORDS : WORDS);
    for (int w = 0; w < WORDS; ++w) {
        if (MAILED) {
            atomic_xchg(to + 2 * w, 0x10000u | (p.word[w] & 0xffffu));
            atomic_xchg(to + 2 * w + 1, 0x10000u | (p.word[w] >> 16));
        } else {
            to[w] = p.word[w];
        }
    }
}
inline uint take_message(__global volatile uint *const from)
{
    uint m = 0;
    while (m == 0) m = atomic_xchg(from, 0u);
    return m & 0xffffu;
}
inline state receive(__global volatile uint *const partial, const long place)
{
    parcel p;
    __global volatile uint *const from = partial + place * (MAILED ? 2 * WORDS : WORDS);
    for (int w = 0; w < WORDS; ++w) {
        if (MAILED)
            p.word[w] = take_message(from + 2 * w) | take_message(from + 2 * w + 1) << 16;
        else
            p.word[w] = from[w];
    }
    return p.s;
}

// Whether this group is the last of `parts` to come here; the counter is then 0 again. The barriers
// are outside of any branch: PoCL lets an increment overtake stores otherwise.
inline int is_last(__global volatile uint *const counter, const int parts, const int sent,
                   __local int *const last)
{
    if (sent) FENCE;
    BARRIER;
    if (get_local_id(0) == 0) {
        *last = atomic_inc(counter) == (uint)(parts - 1);
        if (*last) *counter = 0;
    }
    BARRIER;
    if (*last) FENCE;
    return *last;
}
)cl";

inline constexpr kernel_text rows_kernel = R"cl(
// out[r] = reduction of x[r][0 .. length): ITEMS work-items per row, GROUP / ITEMS rows per group
// at a time; or, SPLIT, `parts` groups per row, whose states go through `partial`.
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void reduce_rows(const __global STORED *restrict x, const long x_offset, const long x_row,
                          const long x_step Y_PARAMETERS, const long length, const long rows,
                          const int parts, __global result *restrict out, const long out_offset,
                          __global uint *space, const long partial_at MAP_PARAMETERS)
{
    __global uint *const counters = space, *const partial = space + partial_at;
    __local state shared[GROUP];
    __local int last;
    const int t = (int)get_local_id(0), lane = t % ITEMS, slot = t / ITEMS;
    const long blocks = SPLIT ? rows * parts : (rows + GROUP / ITEMS - 1) / (GROUP / ITEMS);
    for (long block = get_group_id(0); block < blocks; block += get_num_groups(0)) {
        const int part = SPLIT ? (int)(block % parts) : 0;
        const long row = SPLIT ? block / parts : block * (GROUP / ITEMS) + slot;
        const long from = x_offset + row * x_row;
        const long size = row < rows ? length : 0;
        state s = walk(x + from Y_FROM_ROW, x_step, from, size, part, SPLIT ? parts : 1, lane,
                       ITEMS MAP_ARGUMENTS);
        s = combine_row(s, shared);
        if (!SPLIT) {
            if (lane == 0 && row < rows) out[out_offset + row] = finish(s, length);
        } else {
            if (t == 0) send(partial, part * rows + row, s);
            if (LAST_GROUP) {
                const int all = is_last(counters + row, parts, t == 0, &last) ? parts : 0;
                if (FENCED && all == 0) continue;
                s = begin_state();
                for (int i = t; i < all; i += GROUP) s = merge(s, receive(partial, i * rows + row));
                s = combine_row(s, shared);
                if (t == 0 && all > 0) out[out_offset + row] = finish(s, length);
            }
        }
    }
}
)cl";

/// The second kernel: out[r] of the `parts` states of result r.
inline constexpr kernel_text finish_kernel = R"cl(
__attribute__((reqd_work_group_size(FINISH_GROUP, 1, 1)))
__kernel void reduce_finish(const long length, const long results, const int parts,
                            __global result *restrict out, const long out_offset,
                            __global uint *space, const long partial_at)
{
    __global uint *const partial = space + partial_at;
    __local state shared[FINISH_GROUP];
    const int t = (int)get_local_id(0), group = (int)get_group_id(0);
    const long r = FINISH_SHARED ? group : (long)group * FINISH_GROUP + t;
    state s = begin_state();
    for (int i = FINISH_SHARED ? t : 0; i < parts && r < results;
         i += FINISH_SHARED ? FINISH_GROUP : 1)
        s = merge(s, receive(partial, i * results + r));
    if (FINISH_SHARED) s = combine_finish(s, shared);
    if (r < results && (!FINISH_SHARED || t == 0)) out[out_offset + r] = finish(s, length);
}
)cl";

}  // namespace clprim::reduce_text
