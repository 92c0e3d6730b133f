#pragma once
// OpenCL C of GEMM, fourth seam: sums to C, or to the workspace and from there to C.

#include <clprim/core/source.hpp>

namespace clprim::gemm_text {

/// One sum to its place in C.
inline constexpr kernel_text store_element = R"cl(
inline void store_one(__global C_STORED *c, const ELEMENT sum, const int row, const int column,
                      const VALUE alpha, const VALUE beta EPILOGUE_PARAMETERS)
{
    VALUE value = TIMES(alpha, sum);
    if (NOT_ZERO(beta)) value += TIMES(beta, C_READ_ONE(c));
    C_WRITE_ONE(c, EPILOGUE(value, row, column));
}
)cl";

/// One run of sums to its place.
inline constexpr kernel_text store_tile = R"cl(
// C = epilogue(alpha sum + beta C) for VECTOR_N elements of row `row` from column `column` on; C is
// not read when beta is zero. Columns outside from..n-1 belong to a neighbour or to nobody.
inline void store_run(__global C_STORED *c, const N_VECTOR sum, const int row, const int column,
                      const int from, const int n, const VALUE alpha, const VALUE beta
                      EPILOGUE_PARAMETERS)
{
    VALUE value[VECTOR_N];
    N_UNPACK(value, sum)
    const bool whole = C_EXACT || (column >= from && column + VECTOR_N <= n);
#define EACH_COLUMN \
    EACH for (int e = 0; e < VECTOR_N; ++e) \
        if (whole || (column + e >= from && column + e < n))
    EACH_COLUMN value[e] = TIMES(alpha, value[e]);
    if (NOT_ZERO(beta)) {
        VALUE old[VECTOR_N];
        if (whole) {
            const C_VECTOR v = C_READ(c);
            C_UNPACK(old, v)
        } else {
            EACH_COLUMN old[e] = C_READ_ONE(c + e);
        }
        EACH_COLUMN value[e] += TIMES(beta, old[e]);
    }
    EACH_COLUMN value[e] = EPILOGUE(value[e], row, column + e);
    if (whole) {
        C_WRITE(c, C_PACK(value));
    } else {
        EACH_COLUMN C_WRITE_ONE(c + e, value[e]);
    }
}

// The same run as partial sums, untouched, to the workspace.
inline void store_partial(__global ELEMENT *to, const N_VECTOR sum, const int column,
                          const int from, const int n)
{
    ELEMENT value[VECTOR_N];
    N_UNPACK(value, sum)
    EACH for (int e = 0; e < VECTOR_N; ++e)
        if (C_EXACT || (column + e >= from && column + e < n)) to[e] = value[e];
}
)cl";

/// The runs of one row of an item in a tile that no edge meets, one after the other.
inline constexpr kernel_text store_row_by_runs = R"cl(
#define STORE_ROW(runs, first) \
    EACH_RUN { \
        const int column = (first) + COLUMN_OF(j); \
        STORE_RUN((runs)[j], column, column + VECTOR_N) \
    }
)cl";

/// The same as matrix units hold sums, 16 bytes at a time: neighbouring lanes swap runs first.
inline constexpr kernel_text swap_between_lanes = R"cl(
#define STORE_ROW(runs, first) \
    store_row(c + (long)row * c_ld, runs, row, first, lane % 4, alpha, beta EPILOGUE_ARGUMENTS);

// Pairs of lanes that are `apart` swap what lies off the diagonal: the lower one gives `high`, the
// upper one `low`.
inline void swap_beside(uint *low, uint *high, const int quad, const int apart)
{
    const bool upper = (quad & apart) != 0;
    uint other = upper ? *low : *high;
    asm volatile("shfl.sync.bfly.b32 %0, %0, %1, 0x1f, 0xffffffff;" : "+r"(other) : "r"(apart));
    if (upper) *low = other;
    else *high = other;
}
)cl";

/// For elements of 16 bits.
inline constexpr kernel_text store_row_by_quads = R"cl(
// Of a run of 8 columns each of four lanes holds 2. Of four runs it gives three away, and gets the
// rest of its own:
//
//     lane   0  1  2  3               0  1  2  3
//     run 0  a  b  c  d     column 0  a  e  i  m
//         1  e  f  g  h            2  b  f  j  n    two times, lanes 1 apart and lanes 2 apart
//         2  i  j  k  l            4  c  g  k  o
//         3  m  n  o  p            6  d  h  l  p
inline void store_row(__global C_STORED *c, const N_VECTOR *runs, const int row, const int first,
                      const int quad, const float alpha, const float beta EPILOGUE_PARAMETERS)
{
    EACH for (int j0 = 0; j0 < RUNS_N; j0 += 4) {
        uint pair[4];
        EACH for (int j = 0; j < 4; ++j) {
            const int column = first + COLUMN_OF(j0 + j);
            float2 value = alpha * VALUES(runs[j0 + j]);
            if (beta != 0) value += beta * C_READ(c + column);
            const float2 stored =
                (float2)(EPILOGUE(value.s0, row, column), EPILOGUE(value.s1, row, column + 1));
            asm(PACK_PAIR " %0, %1, %2;" : "=r"(pair[j]) : "f"(stored.s1), "f"(stored.s0));
        }
        swap_beside(&pair[0], &pair[1], quad, 1);
        swap_beside(&pair[2], &pair[3], quad, 1);
        swap_beside(&pair[0], &pair[2], quad, 2);
        swap_beside(&pair[1], &pair[3], quad, 2);
        *(__global uint4 *)(c + first + COLUMN_OF(j0 + quad) - 2 * quad) =
            (uint4)(pair[0], pair[1], pair[2], pair[3]);
    }
}
)cl";

/// For elements of 32 bits.
inline constexpr kernel_text store_row_by_pairs = R"cl(
// Of a run of 8 columns each of four lanes holds 2. Of two runs lanes keep one, the even ones the
// first, and get two columns more of it: lanes 0, 2, 1, 3 store 16 columns.
inline void store_row(__global C_STORED *c, const N_VECTOR *runs, const int row, const int first,
                      const int quad, const VALUE alpha, const VALUE beta EPILOGUE_PARAMETERS)
{
    EACH for (int j0 = 0; j0 < RUNS_N; j0 += 2) {
        uint pair[2][2];
        EACH for (int j = 0; j < 2; ++j) {
            const int column = first + COLUMN_OF(j0 + j);
            C_VECTOR value = alpha * VALUES(runs[j0 + j]);
            if (beta != 0) value += beta * C_READ(c + column);
            pair[j][0] = as_uint(EPILOGUE(value.s0, row, column));
            pair[j][1] = as_uint(EPILOGUE(value.s1, row, column + 1));
        }
        swap_beside(&pair[0][0], &pair[1][0], quad, 1);
        swap_beside(&pair[0][1], &pair[1][1], quad, 1);
        *(__global uint4 *)(c + first + COLUMN_OF(j0 + quad % 2) - quad % 2 * 2) =
            (uint4)(pair[0][0], pair[0][1], pair[1][0], pair[1][1]);
    }
}
)cl";

/// The second kernel of a split product: adds the parts, always in the same order.
inline constexpr kernel_text finish_kernel = R"cl(
// One item adds the parts of one run of C: FINISH_RUN elements of one row. `sharers` items, a power
// of two, share a run when there are many parts: sharer s adds parts s, s + sharers, ..., then the
// first one adds the sharers in order.
__attribute__((reqd_work_group_size(FINISH_GROUP, 1, 1)))
__kernel void gemm_finish(const int m, const int n, __global C_STORED *restrict c,
                          const long c_offset, const int c_ld, C_BATCH,
                          const VALUE alpha, const VALUE beta
                          SPLIT_PARAMETERS, const int sharers EPILOGUE_PARAMETERS)
{
    __local F_VECTOR share[FINISH_GROUP];
    const uint width = FINISH_GROUP / (uint)sharers;  // runs per group
    const uint own = (uint)get_local_id(0) % width;
    const int sharer = (int)((uint)get_local_id(0) / width);
    const size_t size = (size_t)m * (size_t)n, runs = size / FINISH_RUN;
    const size_t groups = (runs + width - 1) / width, batch = get_group_id(0) / groups;
    const size_t run = (get_group_id(0) - batch * groups) * width + own;
    const __global ELEMENT *part = partial + batch * (size_t)splits * size + run * FINISH_RUN;
    F_VECTOR sum = F_ZERO;
    if (run < runs)
        for (int s = sharer; s < splits; s += 8 * sharers)  // eight loads on their way at a time
            EACH for (int i = 0; i < 8; ++i)
                if (s + i * sharers < splits)
                    sum += F_READ(part + (size_t)(s + i * sharers) * size);
    // Not under `if (sharers > 1)`: PoCL 3.1 adds wrongly after a barrier inside a branch.
    share[get_local_id(0)] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < sharers && sharer == 0; ++s) sum += share[(uint)s * width + own];
    if (sharer > 0 || run >= runs) return;
    const int row = (int)(run * FINISH_RUN / (size_t)n);
    const int column = (int)(run * FINISH_RUN - (size_t)row * (size_t)n);
    c += c_offset + C_BATCH_OFFSET + (long)row * c_ld + column;
    ELEMENT value[FINISH_RUN];
    F_UNPACK(value, sum)
    EACH for (int e = 0; e < FINISH_RUN; ++e)
        store_one(c + e, value[e], row, column + e, alpha, beta EPILOGUE_ARGUMENTS);
}
)cl";

}  // namespace clprim::gemm_text
