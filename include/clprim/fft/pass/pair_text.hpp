#pragma once
// The kernel of two passes in one launch: every group takes a ticket, which tells the pass and the
// group of it that it runs.
//
//     tickets, in the order in which groups start, transform after transform:
//
//         first pass    0  1  2  3  4  5  6  7  …  n-1
//         second pass            0  1  2  3  4  …       n-1
//                       |--------| lag
//
// So a group of the second pass finds what it waits for written, as a rule, and still in the cache;
// it waits for earlier tickets only, which are taken by groups that run, so all of them end. What
// lies between the passes goes round in a ring of transforms: memory never sees most of it.

#include <clprim/core/source.hpp>

namespace clprim::fft_text {

inline constexpr kernel_text pair_kernel = R"cl(
@// Counters between groups: how they are read and raised so that what was written before a raise
@// is seen after the read. On NVIDIA by PTX (fence.acq_rel.gpu, ld.acquire.gpu: PTX ISA, 9.7.13 and
@// 8), on CPUs by atomics, which their OpenCL orders for the whole device.
@ptx
inline uint read_signal(volatile __global uint *signal)
{
    uint value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(signal) : "memory");
    return value;
}
inline void raise_signal(volatile __global uint *signal)
{
    asm volatile("fence.acq_rel.gpu;\n\tred.relaxed.gpu.global.add.u32 [%0], 1;"
                 :: "l"(signal) : "memory");
}
inline void wait_a_little(void)
{
    asm volatile("nanosleep.u32 64;");
}
@!ptx
inline uint read_signal(volatile __global uint *signal)
{
    const uint value = atomic_add(signal, 0u);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    return value;
}
inline void raise_signal(volatile __global uint *signal)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(signal);
}
inline void wait_a_little(void) {}
@
@// FIRST_GROUPS, SECOND_GROUPS: of a transform; LAG, SLOTS, UNIT in transforms: UNIT of them share
@// their two signals. signals[0]: tickets, [1]: groups of the second pass that need them no more,
@// then per unit, 8 apart: groups of the first pass that have written, and, where there is a ring,
@// groups of the second that have read.
__kernel __attribute__((reqd_work_group_size(PIPELINE_ITEMS, 1, 1)))
void fft(__global PIPELINE_IN *in, const long in_offset,
         __global PIPELINE_MIDDLE *middle, const long middle_offset,
         __global PIPELINE_OUT *out, const long out_offset,
         __global const PIPELINE_PAIR *restrict factors, __global const int *restrict places,
         const long transforms, volatile __global uint *signals PIPELINE_PARAMETERS)
{
    __local PIPELINE_PAIR room[PIPELINE_ROOM];
    __local uint told[2];  // the ticket, and how many were done with the signals before
    const uint item = get_local_id(0);
    if (item == 0) told[0] = atomic_inc(signals);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint ticket = told[0];
    const uint all = (uint)transforms, lag = min((uint)LAG, all);
    const uint alone = lag * FIRST_GROUPS, each = FIRST_GROUPS + SECOND_GROUPS;
    bool first;
    uint transform, group;
    if (ticket < alone) {
        first = true;
        transform = ticket / FIRST_GROUPS;
        group = ticket % FIRST_GROUPS;
    } else if (ticket < alone + (all - lag) * each) {
        // Groups of both passes in turn, in the ratio of their numbers.
        const uint round = (ticket - alone) / each, place = (ticket - alone) % each;
        const uint before = place * FIRST_GROUPS / each;
        first = (place + 1) * FIRST_GROUPS / each != before;
        transform = first ? round + lag : round;
        group = first ? before : place - before;
    } else {
        ticket -= alone + (all - lag) * each;
        first = false;
        transform = all - lag + ticket / SECOND_GROUPS;
        group = ticket % SECOND_GROUPS;
    }
    // Where the transform lies between the passes, beside where it would without a ring.
    const long shift = RING != 0 ? ((long)(transform % SLOTS) - (long)transform) * STEP : 0;
    // What must be over: the transform's first pass, or the reading of what lay here before.
    const bool waits = first ? RING != 0 && transform >= SLOTS : true;
    const uint awaited = !waits ? 0 : (first ? transform - SLOTS : transform) / UNIT;
    const uint members = min((uint)UNIT, all - awaited * UNIT);
    volatile __global uint *awaited_signal = signals + 8 + 8 * awaited + (first ? 4 : 0);
    const uint enough = members * (first ? SECOND_GROUPS : FIRST_GROUPS);
    if (item == 0) {
        if (waits)
            while (read_signal(awaited_signal) < enough) wait_a_little();
        // Without a ring the second pass is done with the signals here.
        if (RING == 0)
            if (!first) told[1] = atomic_inc(signals + 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (first) {
        fft_first(transform * FIRST_GROUPS + group, room, in, in_offset,
                  middle, middle_offset + shift, factors, places,
                  transforms * FIRST_EXTENT LOAD_CALL);
    } else {
        fft_second(transform * SECOND_GROUPS + group, room, middle,
                   middle_offset + shift, out, out_offset, factors, places,
                   transforms STORE_CALL);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (item == 0) {
        volatile __global uint *own = signals + 8 + 8 * (transform / UNIT);
        if (first) {
            raise_signal(own);
        } else if (RING != 0) {
            raise_signal(own + 4);
            told[1] = atomic_inc(signals + 1);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // The last one to be done with them leaves the signals as it found them: every group of the
    // first pass has raised its own by then.
    const bool last = !first && told[1] == all * SECOND_GROUPS - 1;
    if (last)
        for (uint i = item; i < 8 + 8 * ((all + UNIT - 1) / UNIT); i += PIPELINE_ITEMS)
            signals[i] = 0;
}
)cl";

}  // namespace clprim::fft_text
