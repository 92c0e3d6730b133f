#pragma once
// OpenCL C of the transposition of rectangles in their own memory.

#include <clprim/core/source.hpp>

namespace clprim::transpose_text {

/// One pass over the lines of an m x n matrix, m <= n: each line is read, reordered, written back.
inline constexpr kernel_text reorder_lines = R"cl(
// B. Catanzaro, A. Keller, M. Garland, "A decomposition for in-place matrix transposition", PPoPP
// 2014: with c = gcd(m, n), a = m / c, b = n / c, the rows of the transpose follow each other in
// memory after
//
//   PASS 0   each column j turns by j / b:      X[i][j]    = X[(i + j / b) mod m][j]
//   PASS 1   each row is shuffled:              X[i][d(j)] = X[i][j],
//                                               d(j) = ((i + j / b) mod m + j m) mod n
//   PASS 2   each column is shuffled:           X[i][j]    = X[(j + i n - i / a) mod m][j]
//
// Pass 0 is idle when c = 1. INVERSE undoes them in the opposite order, which transposes n x m.
// A line is a row, or STRIP columns side by side, its element k = i * STRIP + w:
//
//       w  0 1 2 3  0 1 2 3  …                 j -> n
//   i = 0  x x x x  x x x x       i = 0    x x x x x x x x x x
//   i = 1  x x x x  x x x x       a line per row
//   a line per strip
//
// Remainders and quotients go along with k, so that no element costs a division.
typedef struct {
    uint linear;    // (p * m) mod n of row elements p, (p * n) mod m of column elements
    uint quotient;  // p / b, p / a
    uint rest;      // p mod b, p mod a
} walk;

INLINE void start_walk(walk *at, const uint p, const uint factor, const uint modulus,
                       const uint divisor)
{
    at->linear = (uint)((ulong)p * factor % modulus);
    at->quotient = p / divisor;
    at->rest = p - at->quotient * divisor;
}

INLINE void next_walk(walk *at, const walk *step, const uint modulus, const uint divisor)
{
    at->linear += step->linear;
    if (at->linear >= modulus) at->linear -= modulus;
    at->quotient += step->quotient;
    at->rest += step->rest;
    if (at->rest >= divisor) {
        at->rest -= divisor;
        ++at->quotient;
    }
}

// (x + y) mod modulus of numbers below the modulus.
INLINE uint add(const uint x, const uint y, const uint modulus)
{
    return x >= modulus - y ? x - (modulus - y) : x + y;
}

// The element of the line that element p of it changes places with; i is the row of a line that is
// one, j the column of p in a line of columns.
INLINE uint partner(const uint p, const walk *at, const uint i, const uint j, const uint m,
                    const uint n, const uint b)
{
    if (PASS == 1) return add(add(i, at->quotient, m), at->linear, n);
    if (PASS == 0) return add(p, j / b, m);
    return add(add(j % m, at->linear, m), m - at->quotient, m);
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
__kernel void reorder(const uint m, const uint n, const uint a, const uint b, const uint first,
                      const uint segments, const uint lines, __global STORED *data,
                      const long offset, BATCH_PARAMETER batch_step,
                      __global STORED *workspace UNUSED
                      CONVERT_PARAMETERS)
{
#if LOCAL
    __local STORED pool[CAPACITY];
#else
    __global STORED *const pool =
        workspace + (get_group_id(0) / segments) * (size_t)(PASS == 1 ? n : m * STRIP);
#endif
    // An item alone takes all columns of a strip, else one: `lanes` items side by side.
    const uint width = PASS == 1 ? 1 : STRIP, lanes = min(width, (uint)ITEMS);
    const uint stride = ITEMS / lanes;
    const uint line = first + (uint)get_group_id(0) / segments, item = (uint)get_local_id(0);
    const uint segment = (uint)get_group_id(0) % segments;
    const uint batch = line / lines, l = line % lines;
    const uint length = PASS == 1 ? n : m;  // elements of a line, STRIP at a time
    const uint share = (length + segments * stride - 1) / (segments * stride) * stride;
    const uint begin = segment * share + item / lanes;
    const uint end = min(length, (segment + 1) * share);
    const uint i = PASS == 1 ? l : 0, j0 = PASS == 1 ? 0 : l * STRIP;
    const uint w0 = item % lanes, inside = min(width, n - j0);  // columns of this strip
    data += offset + BATCH_PLACE(batch, batch_step);
    const uint factor = PASS == 1 ? m : n, modulus = length, divisor = PASS == 1 ? b : a;
    walk step, at;
    start_walk(&step, stride, factor, modulus, divisor);
#if LOAD
    start_walk(&at, begin, factor, modulus, divisor);
    for (uint p = begin; p < end; p += stride) {
        for (uint w = w0; w < inside; w += lanes) {
            const uint to = GATHERS ? p : partner(p, &at, i, j0 + w, m, n, b);
            pool[to * width + w] = data[PASS == 1 ? (long)l * n + p : (long)p * n + j0 + w];
        }
        next_walk(&at, &step, modulus, divisor);
    }
#endif
#if LOCAL
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
#if STORE
    start_walk(&at, begin, factor, modulus, divisor);
    for (uint p = begin; p < end; p += stride) {
        for (uint w = w0; w < inside; w += lanes) {
            const uint from = GATHERS ? partner(p, &at, i, j0 + w, m, n, b) : p;
            const long place = PASS == 1 ? (long)l * n + p : (long)p * n + j0 + w;
            data[place] = CONVERT(pool[from * width + w], (int)(place % OUT_COLS),
                                  (int)(place / OUT_COLS));
        }
        next_walk(&at, &step, modulus, divisor);
    }
#endif
}
)cl";

}  // namespace clprim::transpose_text
