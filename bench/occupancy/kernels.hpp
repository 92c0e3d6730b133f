#pragma once
// The kernels that ask a device for its latencies and rates. BALLAST bytes of local memory that
// nobody uses keep other groups away: occupancy as a dial.

#include <string>

namespace bench {

inline constexpr const char* ballast_text = R"cl(
// Never run, but the compiler cannot know: `never` is an argument.
#if BALLAST > 0
#define KEEP_BALLAST(never, out)                                                    \
    __local int ballast[BALLAST / 4];                                               \
    if (never) {                                                                    \
        for (int i = (int)get_local_id(0); i < BALLAST / 4; i += 7) ballast[i] = i; \
        (out)[0] += ballast[(int)get_local_size(0) % (BALLAST / 4)];                \
    }
#else
#define KEEP_BALLAST(never, out)
#endif
)cl";

/// ILP chains of dependent multiply-adds per item; a step is 32 of each chain. VECTOR is a scalar
/// on a GPU, and a whole SIMD register on a CPU, where an item is a thread.
inline constexpr int chain_step = 32;
/// Counting, comparing and jumping once per step take their turn too where instructions of one warp
/// are issued one at a time: on GPUs.
inline constexpr int step_instructions = 3;

inline constexpr const char* chains_text = R"cl(
#ifdef NEEDS_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
__kernel void chains(__global VECTOR *out, const REAL factor, const REAL term, const int steps,
                     const int never)
{
    KEEP_BALLAST(never, out)
    VECTOR x[ILP];
    _Pragma("unroll") for (int i = 0; i < ILP; ++i)
        x[i] = (VECTOR)(term * (REAL)((int)get_global_id(0) + i));
    for (int step = 0; step < steps; ++step)
        _Pragma("unroll") for (int again = 0; again < 32; ++again)
            _Pragma("unroll") for (int i = 0; i < ILP; ++i)
                x[i] = fma(x[i], (VECTOR)(factor), (VECTOR)(term));
    _Pragma("unroll") for (int i = 1; i < ILP; ++i) x[0] += x[i];
    out[get_global_id(0)] = x[0];
}
)cl";

/// Each item copies VALUES floats: all loads, then all stores; neighbours read neighbours.
inline constexpr const char* copy_text = R"cl(
__kernel void copy(__global VECTOR *restrict to, const __global VECTOR *restrict from,
                   const int never)
{
    KEEP_BALLAST(never, to)
    const size_t first = get_group_id(0) * get_local_size(0) * VALUES + get_local_id(0);
    VECTOR x[VALUES];
    _Pragma("unroll") for (int i = 0; i < VALUES; ++i) x[i] = from[first + i * get_local_size(0)];
    _Pragma("unroll") for (int i = 0; i < VALUES; ++i) to[first + i * get_local_size(0)] = x[i];
}
)cl";

/// One item follows `next` around a ring, from where the last launch stopped.
inline constexpr const char* chase_text = R"cl(
__kernel void chase(__global int *out, const __global int *next, const int steps)
{
    int at = out[0];
    for (int step = 0; step < steps; ++step) at = next[at];
    out[0] = at;
}
)cl";

/// Groups that do nothing, and groups that count how many of them are there at the same time.
inline constexpr const char* groups_text = R"cl(
__kernel void nothing(__global int *out, const int never) { if (never) out[0] = 1; }

__kernel void census(__global int *counts, const int spins, const int never)
{
    KEEP_BALLAST(never, counts)
    if (get_local_id(0) == 0) {
        volatile __global int *alive = counts, *most = counts + 1;
        int seen = atomic_inc(alive) + 1;
        for (int spin = 0; spin < spins; ++spin) seen = max(seen, atomic_add(alive, 0));
        atomic_max(most, seen);
        atomic_dec(alive);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);  // the other warps stay as long, or their slots would be free
}
)cl";

}  // namespace bench
