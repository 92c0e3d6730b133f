#pragma once
// OpenCL C of GEMM, second seam: multipliers by mma.sync of NVIDIA's matrix units.

#include <clprim/core/source.hpp>

namespace clprim::gemm_text {

/// Half or bfloat16, sums in float; int8, sums in int. PTX ISA, "Matrix fragments for mma.m16n8k16
/// with floating point type", "... mma.m16n8k32" and "ldmatrix".
inline constexpr kernel_text ldmatrix_multiplier = R"cl(
#define BEGIN_PRODUCTS
#define END_PRODUCTS(sum)
#define BEGIN_FIRST 0  // fragments come first: the matrix units wait for nothing else
typedef uint FRAGMENT_A[PARTS][PER_ITEM_M / 2][4];
typedef uint FRAGMENT_B[PARTS][RUNS_N][2];

// 16 x 32 bytes of A and 32 bytes x 16 of B, which two products share, are four matrices of 8 rows
// of 16 bytes each, RUN elements. ldmatrix reads all four; lanes 8 i ... 8 i + 7 say where the rows
// of matrix i are:
//
//        A      k 0..   RUN..         B        n 0..7   8..15       lane / 8 % 2: down,
//      m 0..7     0        2        k 0..        0        2         lane / 16: to the right
//      m 8..15    1        3        k RUN..      1        3
//
// Where float is split, the greater parts of a step along k lie before the lesser ones.
// A row lies along k or across it; .trans turns those that lie the other way round (16 bits).
#define RUN (16 / (int)sizeof(TILED))
#define ALONG (lane % 8)
#define DOWN (lane / 8 % 2)
#define RIGHT (lane / 16)
#define A_FRAGMENT_AT(row) \
    (A_SLOT_OUTER((row) - lane / 4 + DOWN * 8 + (A_ALONG_K ? ALONG : 0)) + \
     A_SLOT_K(RIGHT * RUN + (A_ALONG_K ? 0 : ALONG)))
#define B_FRAGMENT_AT(column) \
    (B_SLOT_OUTER((column) - lane % 4 * 2 + RIGHT * 8 + (B_ALONG_K ? ALONG : 0)) + \
     B_SLOT_K(DOWN * RUN + (B_ALONG_K ? 0 : ALONG)))
#define READ_MATRICES(trans, into0, into1, into2, into3, from) \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 {%0, %1, %2, %3}, [%4];" \
                 : "=r"(into0), "=r"(into1), "=r"(into2), "=r"(into3) \
                 : "r"((uint)(size_t)(from)) : "memory")

#define PART_AT(k, part) ((k) / PARTS + (part) * (TILE_K / PARTS))
inline void fragment_a(uint (*a)[PER_ITEM_M / 2][4], const __local TILED *tile, const int k)
{
    EACH for (int part = 0; part < PARTS; ++part)
        EACH for (int i = 0; i < PER_ITEM_M / 2; ++i)
            READ_MATRICES(A_TRANS, a[part][i][0], a[part][i][1], a[part][i][2], a[part][i][3],
                          tile + A_SLOT_K(PART_AT(k, part)) + A_SLOT_OUTER(16 * i));
}

inline void fragment_b(uint (*b)[RUNS_N][2], const __local TILED *tile, const int k)
{
    EACH for (int part = 0; part < PARTS; ++part)
        EACH for (int j = 0; j < RUNS_N; j += 2)
            READ_MATRICES(B_TRANS, b[part][j][0], b[part][j][1], b[part][j + 1][0],
                          b[part][j + 1][1],
                          tile + B_SLOT_K(PART_AT(k, part)) + B_SLOT_OUTER(8 * j));
}

// 16 x 8 sums, of which an item has two in each of two rows, that it names `upper` and `lower`.
inline void multiply_matrices(N_VECTOR *upper, N_VECTOR *lower, const uint *a, const uint *b)
{
    ELEMENT s0 = upper->s0, s1 = upper->s1, s2 = lower->s0, s3 = lower->s1;
    asm volatile("mma.sync.aligned." SHAPE ".row.col." FORMATS
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+" LETTER(s0), "+" LETTER(s1), "+" LETTER(s2), "+" LETTER(s3)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    *upper = (N_VECTOR)(s0, s1);
    *lower = (N_VECTOR)(s2, s3);
}
)cl";

/// The products of these fragments.
inline constexpr kernel_text ldmatrix_products = R"cl(
inline void multiply_add(N_VECTOR (*sum)[RUNS_N], const uint (*a)[PER_ITEM_M / 2][4],
                         const uint (*b)[RUNS_N][2])
{
    EACH for (int i = 0; i < PER_ITEM_M / 2; ++i) {
        EACH for (int at = 0; at < RUNS_N; ++at) {
            const int j = (i & 1) ? RUNS_N - 1 - at : at;  // there and back: b stays where it is
            multiply_matrices(&sum[2 * i][j], &sum[2 * i + 1][j], a[0][i], b[0][j]);
        }
    }
}
)cl";

/// The same where float is split into halves: those of greater parts are summed by themselves for
/// the 16 elements of k that an instruction takes, those with lesser ones in sums of their own. No
/// instruction waits for the one before it.
inline constexpr kernel_text ldmatrix_products_of_parts = R"cl(
inline void multiply_parts(N_VECTOR (*sum)[RUNS_N], N_VECTOR (*lesser)[RUNS_N],
                           const uint (*a)[PER_ITEM_M / 2][4], const uint (*b)[RUNS_N][2])
{
    EACH for (int i = 0; i < PER_ITEM_M / 2; ++i) {
        N_VECTOR own[2][RUNS_N];
        EACH_RUN own[0][j] = own[1][j] = N_ZERO;
        EACH_RUN multiply_matrices(&own[0][j], &own[1][j], a[0][i], b[0][j]);
        EACH_RUN multiply_matrices(&lesser[2 * i][j], &lesser[2 * i + 1][j], a[1][i], b[0][j]);
        EACH_RUN multiply_matrices(&lesser[2 * i][j], &lesser[2 * i + 1][j], a[0][i], b[1][j]);
        EACH_RUN {
            sum[2 * i][j] += own[0][j];
            sum[2 * i + 1][j] += own[1][j];
        }
    }
}
#define multiply_add(sum, a, b) multiply_parts(sum, lesser, a, b)
)cl";

/// Double and complex double. PTX ISA, "Matrix fragments for mma.m16n8k4 with .f64".
inline constexpr kernel_text double_mma_multiplier = R"cl(
#define BEGIN_PRODUCTS
#define END_PRODUCTS(sum)
#define BEGIN_FIRST 0  // fragments come first: the matrix units wait for nothing else
typedef ELEMENT FRAGMENT_A[PER_ITEM_M];
typedef ELEMENT FRAGMENT_B[RUNS_N];

// A lane holds A(row lane / 4 of 8, k lane % 4) and B(k lane % 4, column lane / 4 of 8).
#define A_FRAGMENT_AT(row) (A_SLOT_OUTER(row) + A_SLOT_K(lane % 4))
#define B_FRAGMENT_AT(column) \
    (B_SLOT_OUTER((column) - lane % 4 * 2 + lane / 4) + B_SLOT_K(lane % 4))

inline void fragment_a(ELEMENT *a, const __local TILED *tile, const int k)
{
    EACH_ROW {
        a[i] = tile[A_SLOT_K(k) + A_SLOT_OUTER(ROW_OF(i))];
        if (CONJUGATE_A) a[i] = CONJUGATE(a[i]);
    }
}

inline void fragment_b(ELEMENT *b, const __local TILED *tile, const int k)
{
    EACH_RUN {
        b[j] = tile[B_SLOT_K(k) + B_SLOT_OUTER(COLUMN_OF(j))];
        if (CONJUGATE_B) b[j] = CONJUGATE(b[j]);
    }
}

// 16 x 8 sums, of which an item has two in each of two rows.
#define MULTIPLY_MATRICES(s0, s1, s2, s3, a0, a1, b0) \
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, " \
                 "{%6}, {%0, %1, %2, %3};" \
                 : "+d"(s0), "+d"(s1), "+d"(s2), "+d"(s3) : "d"(a0), "d"(a1), "d"(b0))

inline void multiply_add(N_VECTOR (*sum)[RUNS_N], const ELEMENT *a, const ELEMENT *b)
{
    EACH for (int i = 0; i < PER_ITEM_M; i += 2) {
        EACH for (int at = 0; at < RUNS_N; ++at) {
            const int j = (i & 2) ? RUNS_N - 1 - at : at;
            const N_VECTOR p = sum[i][j], q = sum[i + 1][j];
#if COMPLEX
            double s0 = p.s0, s1 = p.s2, s2 = q.s0, s3 = q.s2;
            double t0 = p.s1, t1 = p.s3, t2 = q.s1, t3 = q.s3;
            MULTIPLY_MATRICES(s0, s1, s2, s3, a[i].s0, a[i + 1].s0, b[j].s0);
            MULTIPLY_MATRICES(t0, t1, t2, t3, a[i].s0, a[i + 1].s0, b[j].s1);
            MULTIPLY_MATRICES(s0, s1, s2, s3, -a[i].s1, -a[i + 1].s1, b[j].s1);
            MULTIPLY_MATRICES(t0, t1, t2, t3, a[i].s1, a[i + 1].s1, b[j].s0);
            sum[i][j] = (double4)(s0, t0, s1, t1);
            sum[i + 1][j] = (double4)(s2, t2, s3, t3);
#else
            double s0 = p.s0, s1 = p.s1, s2 = q.s0, s3 = q.s1;
            MULTIPLY_MATRICES(s0, s1, s2, s3, a[i], a[i + 1], b[j]);
            sum[i][j] = (double2)(s0, s1);
            sum[i + 1][j] = (double2)(s2, s3);
#endif
        }
    }
}
)cl";

/// What follows either: matrix units take both operands from local memory.
inline constexpr kernel_text staged_only = R"cl(
#define fragment_a_global(a, from, ld, row, inside, k) (void)0
#define fragment_b_global(b, from, ld, column, inside, k) (void)0
)cl";

}  // namespace clprim::gemm_text
