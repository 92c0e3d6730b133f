#pragma once
// OpenCL C of GEMM, third seam: the walk along k, which loads tiles and has them multiplied.

#include <clprim/core/source.hpp>

namespace clprim::gemm_text {

/// The walk along k without overlap: fetch, barrier, multiply, barrier. The rungs of the ladder up
/// to several outputs per item, and every CPU policy (group of one: the barriers vanish).
inline constexpr kernel_text walk_single = R"cl(
    for (int step = step0; step < step1; ++step) {
        const int first_k = step == 0 ? lead : 0;
        if (STAGE_A) copy_a(tiles_a, from_a, a_ld, inside_m, first_k);
        if (STAGE_B) copy_b(tiles_b, from_b, b_ld, inside_n, first_k);
        if (STAGE_A || STAGE_B) BARRIER;
        // The blocks of one column of blocks share their panel of B, which stays in the nearest
        // cache.
        BLOCK_LOOP for (int block_n = 0; block_n < BLOCKS_N; ++block_n)
        BLOCK_LOOP for (int block_m = 0; block_m < BLOCKS_M; ++block_m) {
            const int m0 = item_m + block_m * A_PANEL, n0 = item_n + block_n * B_PANEL;
            if (BLOCKS_M * BLOCKS_N > 1 && (m0 >= inside_m || n0 >= inside_n)) continue;
            ACCUMULATOR block_sum;
#define BLOCK_SUM sum[block_n * BLOCKS_M + block_m][i][j]
            EACH_ROW EACH_RUN block_sum[i][j] = SUMS_STEPS ? N_ZERO : BLOCK_SUM;
            BEGIN_PRODUCTS
            UNROLL_K for (int k0 = WHOLE_STEPS ? 0 : max(first_k - slice * SLICE_K, 0);
                          k0 < SLICE_K; k0 += INSTRUCTION_K) {
                FRAGMENT_A fa;
                FRAGMENT_B fb;
                const int at = slice * SLICE_K + k0;
                if (STAGE_A) fragment_a(fa, tiles_a + A_FRAGMENT_AT(m0), at);
                else fragment_a_global(fa, from_a, a_ld, m0, inside_m, at);
                if (STAGE_B) fragment_b(fb, tiles_b + B_FRAGMENT_AT(n0), at);
                else fragment_b_global(fb, from_b, b_ld, n0, inside_n, at);
                multiply_add(block_sum, fa, fb);
            }
            END_PRODUCTS(block_sum)
            EACH_ROW EACH_RUN
                BLOCK_SUM = SUMS_STEPS ? BLOCK_SUM + block_sum[i][j] : block_sum[i][j];
        }
        if (STAGE_A || STAGE_B) BARRIER;
        GO_TO_STEP(step + 1)
    }
)cl";

/// The walk along k with everything overlapped: the next tiles travel while this one is multiplied,
/// and the next fragments are read, across the border of two tiles too, before the current ones are
/// used. One barrier per step. At least two steps: the last tile is fetched once more instead of
/// asking whether there is a next one (a branch there makes compilers sink the loads below the
/// products).
inline constexpr kernel_text walk_overlapped = R"cl(
    const __local TILED *const read_a =
        tiles_a + A_FRAGMENT_AT(item_m) + slice * A_SLOT_K(SLICE_K);
    const __local TILED *const read_b =
        tiles_b + B_FRAGMENT_AT(item_n) + slice * B_SLOT_K(SLICE_K);
    FRAGMENT_A fa[2];
    FRAGMENT_B fb[2];
    HELD_A
    HELD_B
    int step = step0, stage = 0, filled = STAGES - 1;
    EACH for (int ahead = 0; ahead < STAGES - 1; ++ahead) {
        BEGIN(ahead, ahead == 0 && step0 == 0 ? lead : 0)
        END(ahead)
    }
    AWAIT_COPIES
    BARRIER;
    fragment_a(fa[0], read_a, 0);
    fragment_b(fb[0], read_b, 0);
    for (int left = step1 - step0; left > 0; --left) {
        if (BEGIN_FIRST) { BEGIN(FILLING, 0) }
        EACH for (int k0 = 0; k0 < SLICE_K; k0 += INSTRUCTION_K) {
            const int next = (k0 + INSTRUCTION_K) % SLICE_K, now = k0 / INSTRUCTION_K & 1;
            if (next == 0) {
                END(FILLING)
                AWAIT_COPIES
                BARRIER;
                stage = NEXT(stage);
                filled = NEXT(filled);
            }
            fragment_a(fa[now ^ 1], read_a + stage * A_SIZE, next);
            fragment_b(fb[now ^ 1], read_b + stage * B_SIZE, next);
            if (!BEGIN_FIRST && k0 == 0) { BEGIN(FILLING, 0) }
            multiply_add(sum[0], fa[now], fb[now]);
        }
    }
    DRAIN_COPIES  // tiles fetched once more still travel to local memory that slices now share
)cl";

/// The moves of the walks whose products run by themselves and read local memory, where items fetch
/// the tiles that they multiply: of the ring of tiles one is being multiplied, the one before it
/// may be, and STAGES - 2 are on their way.
inline constexpr kernel_text overlap_products = R"cl(
#define BEGIN_WALK \
    HELD_A \
    HELD_B \
    int step = step0, stage = 0, filled = STAGES - 2; \
    EACH for (int ahead = 0; ahead < STAGES - 2; ++ahead) { \
        BEGIN(ahead, ahead == 0 && step0 == 0 ? lead : 0) \
        END(ahead) \
    }
// All items see this step's tiles, and are done with those before the last step's.
#define AWAIT_TILES AWAIT_COPIES BARRIER;
#define READ_B (read_b + stage * B_SIZE)
#define BEGIN_NEXT BEGIN(filled, 0)
#define END_NEXT \
    END(filled) \
    stage = NEXT(stage); \
    filled = NEXT(filled);
#define END_WALK DRAIN_COPIES
)cl";

/// The walk whose products run by themselves and read local memory. READ_B is where this step's
/// tile of B lies.
inline constexpr kernel_text walk_asynchronous = R"cl(
    const __local TILED *const read_a = tiles_a + A_FRAGMENT_AT(item_m);
    const __local TILED *const read_b = tiles_b + B_FRAGMENT_AT(item_n);
    BEGIN_WALK
    for (int left = step1 - step0; left > 0; --left) {
        AWAIT_TILES
        BEGIN_PRODUCTS
        EACH for (int k0 = 0; k0 < TILE_K; k0 += INSTRUCTION_K) {
            FRAGMENT_A fa;
            FRAGMENT_B fb;
            fragment_a(fa, read_a + stage * A_SIZE, k0);
            fragment_b(fb, READ_B, k0);
            multiply_add(sum[0], fa, fb);
        }
        COMMIT_PRODUCTS
        BEGIN_NEXT
        AWAIT_PRODUCTS(1)
        END_NEXT
    }
    AWAIT_PRODUCTS(0)
    PIN_SUMS(sum[0])
    END_WALK
)cl";

/// The same, and every step's products are summed by themselves (sums_steps): matrix units cut off
/// what a long sum has no room for, float's additions round it. Two sets of such sums take turns,
/// so that one is added up while the products of the next step run.
inline constexpr kernel_text walk_summing = R"cl(
    const __local TILED *const read_a = tiles_a + A_FRAGMENT_AT(item_m);
    const __local TILED *const read_b = tiles_b + B_FRAGMENT_AT(item_n);
    ACCUMULATOR own[2];
    EACH_ROW EACH_RUN own[1][i][j] = N_ZERO;
    BEGIN_WALK
#define ADD_UP(products) \
    PIN_SUMS(products) \
    EACH_ROW EACH_RUN sum[0][i][j] += (products)[i][j];
#define STEP(now, before) \
    AWAIT_TILES \
    BEGIN_PRODUCTS \
    EACH for (int k0 = 0; k0 < TILE_K; k0 += INSTRUCTION_K) { \
        FRAGMENT_A fa; \
        FRAGMENT_B fb; \
        fragment_a(fa, read_a + stage * A_SIZE, k0); \
        fragment_b(fb, READ_B, k0); \
        multiply_onto(own[now], fa, fb, k0 > 0); \
    } \
    COMMIT_PRODUCTS \
    BEGIN_NEXT \
    AWAIT_PRODUCTS(1) \
    ADD_UP(own[before]) \
    END_NEXT

    int left = step1 - step0;
    for (; left > 1; left -= 2) {
        STEP(0, 1)
        STEP(1, 0)
    }
    if (left > 0) {
        STEP(0, 1)
        AWAIT_PRODUCTS(0)
        ADD_UP(own[0])
    } else {
        AWAIT_PRODUCTS(0)
        ADD_UP(own[1])
    }
    END_WALK
)cl";

/// The same with one such set, of the tile's columns or of half of them at a time, where registers
/// have no room for more: while one warp-group adds up, the other one multiplies.
inline constexpr kernel_text walk_summing_in_parts = R"cl(
    const __local TILED *const read_a = tiles_a + A_FRAGMENT_AT(item_m);
    const __local TILED *const read_b = tiles_b + B_FRAGMENT_AT(item_n);
    N_VECTOR own[PER_ITEM_M][PRODUCT_RUNS];
    EACH_ROW EACH for (int j = 0; j < PRODUCT_RUNS; ++j) own[i][j] = N_ZERO;
    BEGIN_WALK
    for (int left = step1 - step0; left > 0; --left) {
        AWAIT_TILES
        EACH for (int part = 0; part < GROUP_COLUMNS / PRODUCT_N; ++part) {
            BEGIN_PRODUCTS
            EACH for (int k0 = 0; k0 < TILE_K; k0 += INSTRUCTION_K) {
                FRAGMENT_A fa;
                FRAGMENT_B fb;
                fragment_a(fa, read_a + stage * A_SIZE, k0);
                fragment_b(fb, READ_B + B_SLOT_OUTER(part * PRODUCT_N), k0);
                multiply_onto(own, fa, fb, k0 > 0);
            }
            COMMIT_PRODUCTS
            AWAIT_PRODUCTS(0)
            PIN_SUMS(own)
            EACH_ROW EACH for (int j = 0; j < PRODUCT_RUNS; ++j)
                sum[0][i][part * PRODUCT_RUNS + j] += own[i][j];
        }
        END_NEXT
    }
    END_WALK
)cl";

/// The same where float is split into halves. The products of greater parts are summed by
/// themselves, step by step, while those with lesser parts run.
inline constexpr kernel_text walk_summing_greater_parts = R"cl(
    const __local TILED *const read_a = tiles_a + A_FRAGMENT_AT(item_m);
    const __local TILED *const read_b = tiles_b + B_FRAGMENT_AT(item_n);
    ACCUMULATOR own;
    BEGIN_WALK
    for (int left = step1 - step0; left > 0; --left) {
        AWAIT_TILES
        BEGIN_PRODUCTS
        FRAGMENT_A fa[TILE_K / INSTRUCTION_K];
        FRAGMENT_B fb[TILE_K / INSTRUCTION_K];
        EACH for (int at = 0; at < TILE_K / INSTRUCTION_K; ++at) {
            fragment_a(fa[at], read_a + stage * A_SIZE, at * INSTRUCTION_K);
            fragment_b(fb[at], READ_B, at * INSTRUCTION_K);
            multiply_parts(own, fa[at][0], fb[at][0], at > 0);
        }
        COMMIT_PRODUCTS
        EACH for (int at = 0; at < TILE_K / INSTRUCTION_K; ++at) {
            multiply_parts(lesser, fa[at][1], fb[at][0], 1);
            multiply_parts(lesser, fa[at][0], fb[at][1], 1);
        }
        COMMIT_PRODUCTS
        BEGIN_NEXT
        AWAIT_PRODUCTS(1)
        PIN_SUMS(own)
        EACH_ROW EACH_RUN sum[0][i][j] += own[i][j];
        END_NEXT
    }
    AWAIT_PRODUCTS(0)
    PIN_SUMS(lesser)
    END_WALK
)cl";

/// The moves of walks whose items fetch tiles: in the overlapped one STAGES - 1 of the ring of
/// STAGES tiles are on their way.
inline constexpr kernel_text overlap = R"cl(
#define BEGIN(into, k_begin) \
    BEGIN_A(tiles_a + (into) * A_SIZE, from_a, a_ld, inside_m, k_begin) \
    BEGIN_B(tiles_b + (into) * B_SIZE, from_b, b_ld, inside_n, k_begin) \
    COMMIT_COPIES \
    if (++step < step1) { GO_TO_STEP(step) }
#define END(into) \
    END_A(tiles_a + (into) * A_SIZE) \
    END_B(tiles_b + (into) * B_SIZE)
#define FILLING (STAGES == 2 ? stage ^ 1 : filled)
)cl";

/// The stage that follows in a ring of STAGES tiles.
inline constexpr kernel_text ring = R"cl(
#define NEXT(slot) (STAGES == 2 ? (slot) ^ 1 : (slot) + 1 == STAGES ? 0 : (slot) + 1)
)cl";

}  // namespace clprim::gemm_text
