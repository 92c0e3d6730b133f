#pragma once
// OpenCL C of GEMM: the frame of the kernel around its seams: load tile,
// multiplier, walk, store tile.

#include <clprim/core/source.hpp>

namespace clprim::gemm_text {

/// The kernel's beginning: places of this group and item, the steps along k.
inline constexpr kernel_text kernel_head = R"cl(
// C[m][n] = epilogue(alpha A[m][k] B[k][n] + beta C[m][n]), C contiguous along n.
//
//                     n ->
//                  +-----+------+-----+
//               k  |     |TILE_K|     |  B     one work-group: TILE_M x TILE_N of C,
//        k ->      |     |  x   |     |        TILE_K of k at a time
//      +--------+  +-----+TILE_N+-----+
//    m | A      |  | C   |      |     |        one work-item: BLOCKS_M x BLOCKS_N blocks of
//      | TILE_M |  |     |TILE_M|     |        PER_ITEM_M x PER_ITEM_N sums; SLICES_K items
//      | xTILE_K|  |     |x     |     |        share a block, each with its part of a step
//      +--------+  +-----+------+-----+
//
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void gemm(const int m, const int n, const int k,
                   const __global STORED *restrict a, const long a_offset, const int a_ld, A_BATCH,
                   const __global STORED *restrict b, const long b_offset, const int b_ld, B_BATCH,
                   __global C_STORED *restrict c_memory, const long c_offset, const int c_ld,
                   C_BATCH, const VALUE alpha, const VALUE beta
                   SPLIT_PARAMETERS WAY_PARAMETERS SCALE_PARAMETERS BULK_PARAMETERS
                   EPILOGUE_PARAMETERS)
{
    LOCAL_POOL;
    RETURN_UNLESS_MEANT
    __local TILED *const tiles_a = pool;
    __local TILED *const tiles_b = pool + STAGES * A_SIZE;

    // This item: slice of k, first row and column inside the tile. Items that ask for bulk copies
    // are one slice more. PoCL 7.1 wants the constant (loses_guards_between_barriers); where groups
    // have items, one made NVIDIA's kernels 3 to 13 % slower (H200, 4096 cubed of float).
    const int slice = GROUP > 1 ? (int)((uint)get_local_id(0) / (ITEMS_M * ITEMS_N)) : 0;
    const int item = (int)((uint)get_local_id(0) % (ITEMS_M * ITEMS_N));
    const int lane = LANE_OF(item), patch = item / (LANES_M * LANES_N);
    const int patch_m = PATCH_M(patch), patch_n = PATCH_N(patch);
    const int item_m = patch_m * (LANES_M * PER_ITEM_M) + lane / LANES_N * VECTOR_M;
    const int item_n = patch_n * (LANES_N * PER_ITEM_N) + lane % LANES_N * VECTOR_N;

    const uint tiles_m = (uint)((m + TILE_M - 1) / TILE_M);
    const uint tiles_n = (uint)((n + TILE_N - 1) / TILE_N);
    const int steps = (k + TILE_K - 1) / TILE_K, lead = LEAD(steps, k);
)cl";

/// One output tile of the group: batch and part of k.
inline constexpr kernel_text tile_number = R"cl(
    EACH_TILE {
    uint tile = number, batch = 0, part = 0;
    if (BATCHED || SPLIT) {
        const uint beyond = tile / (tiles_m * tiles_n);
        tile -= beyond * tiles_m * tiles_n;
        batch = beyond / (uint)SPLITS;
        part = beyond - batch * (uint)SPLITS;
    }
)cl";

/// The same where only the tiles from number `whole` on are split: their parts follow each other.
inline constexpr kernel_text tile_number_of_parts = R"cl(
    EACH_TILE {
    const uint beyond = max(number, whole) - whole, split_tile = beyond / (uint)splits;
    const uint parts = number < whole ? 1 : (uint)splits, part = beyond - split_tile * (uint)splits;
    uint tile = min(number, whole) + split_tile;
    const uint batch = BATCHED ? tile / (tiles_m * tiles_n) : 0;
    tile -= batch * tiles_m * tiles_n;
)cl";

/// The tile's place.
inline constexpr kernel_text tile_head = R"cl(
    // Bands of RASTER rows of tiles are walked column by column, so that groups which run together
    // read the same few tiles.
    const uint raster = min((uint)RASTER, tiles_m);
    const uint band = tile / (raster * tiles_n), in_band = tile - band * raster * tiles_n;
    const uint band_rows = min(tiles_m - band * raster, raster);
    const int first_row = (int)(band * raster + in_band % band_rows) * TILE_M;
    const int first_column = (int)(in_band / band_rows) * TILE_N;
    const int row0 = CLAMPED ? first_row : min(first_row, EDGE_M - TILE_M);
    const int column0 = CLAMPED ? first_column : min(first_column, EDGE_N - TILE_N);

    // Steps of TILE_K along k: the first one starts `lead` before the matrix.
    const int step0 = (int)((long)steps * part / SPLITS);
    const int step1 = (int)((long)steps * (part + 1) / SPLITS);
)cl";

/// What is summed up there.
inline constexpr kernel_text tile_sums = R"cl(
    OWN_C
    ACCUMULATOR sum[BLOCKS_M * BLOCKS_N];
    BLOCK_LOOP for (int block = 0; block < BLOCKS_M * BLOCKS_N; ++block)
        EACH_ROW EACH_RUN sum[block][i][j] = N_ZERO;
)cl";

/// Where the tiles of A and B begin, for items that fetch them themselves.
inline constexpr kernel_text tile_operands = R"cl(
    const int inside_m = EDGE_M - row0, inside_n = EDGE_N - column0;
    const long a_column = A_ALONG_K ? 1 : a_ld, a_row = A_ALONG_K ? a_ld : 1;
    const long b_row = B_ALONG_K ? 1 : b_ld, b_column = B_ALONG_K ? b_ld : 1;
    const long a_next = TILE_K * a_column;
    const __global STORED *from_a = a + (a_offset + A_BATCH_OFFSET + row0 * a_row + A_OWN(a_ld) +
                                         step0 * a_next - lead * a_column);
    const __global STORED *from_b = b + (b_offset + B_BATCH_OFFSET + column0 * b_column +
                                         B_OWN(b_ld) + B_FIRST);
)cl";

/// Where float is split into halves: the sums of products with lesser parts. These are LESSER_SCALE
/// times as large as they should be, and so much less than those of greater parts that one sum of
/// all steps holds them.
inline constexpr kernel_text lesser_sums = R"cl(
    ACCUMULATOR lesser;
    EACH_ROW EACH_RUN lesser[i][j] = N_ZERO;
)cl";

/// After the last step: both are added, and what A's rows and B's columns were multiplied by
/// (line_scales.hpp) is taken back.
inline constexpr kernel_text join_lesser_sums = R"cl(
    {
        EACH_ROW EACH_RUN sum[0][i][j] += lesser[i][j] * (1.0f / LESSER_SCALE);
        const __global int *const of_rows =
            scales + a_scales + (a_batch == 0 ? 0 : (long)batch * m);
        const __global int *const of_columns =
            scales + b_scales + (b_batch == 0 ? 0 : (long)batch * n);
        int powers[RUNS_N][VECTOR_N];
        EACH_RUN EACH for (int e = 0; e < VECTOR_N; ++e)
            powers[j][e] = of_columns[min(column0 + item_n + COLUMN_OF(j) + e, n - 1)];
        EACH_ROW {
            const int power = of_rows[min(row0 + item_m + ROW_OF(i), m - 1)];
            EACH_RUN sum[0][i][j] = (N_VECTOR)(ldexp(sum[0][i][j].s0, -power - powers[j][0]),
                                               ldexp(sum[0][i][j].s1, -power - powers[j][1]));
        }
    }
)cl";

/// After the last step: the slices of k are added through local memory, always in the same order.
inline constexpr kernel_text add_slices = R"cl(
    for (int from = SLICES_K - 1; from > 0; --from) {
        __local ELEMENT *const shared = (__local ELEMENT *)pool + item_m * TILE_N + item_n;
#define SHARED_RUN (shared + ROW_OF(i) * TILE_N + COLUMN_OF(j))
        BARRIER;
        if (slice == from) EACH_ROW EACH_RUN N_STORE_LOCAL(SHARED_RUN, sum[0][i][j]);
        BARRIER;
        if (slice == 0) EACH_ROW EACH_RUN sum[0][i][j] += N_READ_LOCAL(SHARED_RUN);
    }
)cl";

/// After that: the parts of a tile are added by the group that comes last, through the workspace,
/// always in the same order. There they lie as in registers: run j of row i of all items of the
/// first slice side by side. The group leaves the tile's count of arrivals at zero.
inline constexpr kernel_text add_parts = R"cl(
    if (parts > 1) {
        __global N_VECTOR *const first_part =
            (__global N_VECTOR *)partial +
            (size_t)split_tile * parts * (TILE_M * TILE_N / VECTOR_N) + item;
        __global volatile uint *const arrivals_here = arrivals + FIRST_ARRIVAL + split_tile;
        __local uint *const arrived = (__local uint *)pool;
#define PART_RUN(number) \
    first_part[(size_t)(number) * (TILE_M * TILE_N / VECTOR_N) + \
               ((block * PER_ITEM_M + i) * RUNS_N + j) * (ITEMS_M * ITEMS_N)]
        BLOCK_LOOP for (int block = 0; block < BLOCKS_M * BLOCKS_N; ++block)
            if (slice == 0) EACH_ROW EACH_RUN PART_RUN(part) = sum[block][i][j];
        FENCE;
        BARRIER;
        if (get_local_id(0) == 0) {
            *arrived = atomic_inc(arrivals_here);
            if (*arrived == parts - 1) atomic_xchg(arrivals_here, 0u);
        }
        BARRIER;
        if (*arrived < parts - 1) NEXT_TILE;
        FENCE;
        BLOCK_LOOP for (int block = 0; block < BLOCKS_M * BLOCKS_N; ++block)
            EACH_ROW EACH_RUN sum[block][i][j] = N_ZERO;
        PARTS_AT_ONCE for (uint of = 0; of < parts; ++of)
            BLOCK_LOOP for (int block = 0; block < BLOCKS_M * BLOCKS_N; ++block)
                if (slice == 0) EACH_ROW EACH_RUN sum[block][i][j] += PART_RUN(of);
    }
)cl";

/// The kernel's end: every item of the first slice stores its sums.
inline constexpr kernel_text store_own_sums = R"cl(
    if (slice > 0) NEXT_TILE;
    if (WHOLE_TILES && row0 == first_row && column0 == first_column && m - row0 >= TILE_M &&
        n - column0 >= TILE_N) {
        EACH_ROW {
            const int row = row0 + item_m + ROW_OF(i);
            STORE_ROW(sum[0][i], column0 + item_n)
        }
        NEXT_TILE;
    }
    BLOCK_LOOP for (int block = 0; block < BLOCKS_M * BLOCKS_N; ++block) {
        const int m0 = row0 + item_m + block % BLOCKS_M * A_PANEL;
        const int n0 = column0 + item_n + block / BLOCKS_M * B_PANEL;
        EACH_ROW {
            const int row = m0 + ROW_OF(i);
            if (row < first_row || row >= m) continue;  // a neighbour's, or outside
            EACH_RUN {
                const int column = n0 + COLUMN_OF(j);
                if (column > first_column - VECTOR_N && column < n)
                    STORE_RUN(sum[block][i][j], first_column, n)
            }
        }
    }
    }
}
)cl";

/// The same where sums are staged: row i of every item lies in local memory at a time,
///
///       item row      TILE_N columns
///           0      x x x x x x x x x x ...     row row0 + ROW_OF(i) of C
///           1      x x x x x x x x x x ...     row row0 + ROW_OF(i) + VECTOR_M
///          ...                                 and so on, a patch of LANES_M rows after the other
///
/// and all items, those of the other slices too, store it column by column.
inline constexpr kernel_text store_staged_sums = R"cl(
    __local ELEMENT *const staged = (__local ELEMENT *)pool;
    __local ELEMENT *const own_run =
        staged + (patch_m * LANES_M + lane / LANES_N) * STAGED_PITCH + item_n;
    EACH_ROW {
        BARRIER;
        if (slice == 0) EACH_RUN N_STORE_LOCAL(own_run + COLUMN_OF(j), sum[0][i][j]);
        BARRIER;
        for (int at = (int)get_local_id(0); at < ITEMS_M * TILE_N; at += GROUP) {
            const int item_row = at / TILE_N, column = column0 + at % TILE_N;
            const int row = row0 + item_row / LANES_M * (LANES_M * PER_ITEM_M) +
                            item_row % LANES_M * VECTOR_M + ROW_OF(i);
            // Others are a neighbour's, or outside.
            if (row >= first_row && row < m && column >= first_column && column < n)
                STORE_ONE(staged[item_row * STAGED_PITCH + at % TILE_N])
        }
    }
    }
}
)cl";

/// The same where the rows of C that a tile has lie one after another: row i of a patch's lanes is
/// a run of memory, which is made in local memory as it will lie,
///
///       item row      n columns                   words of 16 bytes
///           0      a a a a a a a          |. . . a|a a a a|a a b b|b b b b|b c c c|...
///           1      b b b b b b b    ->
///           2      c c c c c c c          and stored word by word, its ends element by element.
inline constexpr kernel_text store_flat_sums = R"cl(
    __local C_STORED *const image = (__local C_STORED *)pool;
    EACH_ROW {
        BARRIER;
        if (slice == 0) {
            const int row = row0 + item_m + ROW_OF(i), lane_row = lane / LANES_N;
            __local C_STORED *const own = image + patch_m * FLAT_PITCH + lane_row * n +
                                          FLAT_SHIFT(c + (long)(row - lane_row) * n);
            EACH_RUN {
                VALUE value[VECTOR_N];
                N_UNPACK(value, sum[0][i][j])
                EACH for (int e = 0; e < VECTOR_N; ++e) {
                    const int column = item_n + COLUMN_OF(j) + e;
                    if (row < first_row || row >= m || column >= n) continue;
                    value[e] = TIMES(alpha, value[e]);
                    if (NOT_ZERO(beta))
                        value[e] += TIMES(beta, C_READ_ONE(c + (long)row * n + column));
                    C_WRITE_ONE(own + column, EPILOGUE(value[e], row, column));
                }
            }
        }
        FLAT_BARRIER;  // of global memory too: others have read the old C that is stored over
        for (int at = (int)get_local_id(0); at < ITEMS_M / LANES_M * FLAT_WORDS; at += GROUP) {
            const int patch = at / FLAT_WORDS, word = at % FLAT_WORDS * FLAT_WORD;
            const int row = row0 + patch * (LANES_M * PER_ITEM_M) + ROW_OF(i);
            __global C_STORED *const line = c + (long)row * n;
            const int shift = FLAT_SHIFT(line);
            const int low = max(first_row - row, 0) * n + shift,
                      high = min(m - row, LANES_M) * n + shift;
            const __local FLAT_BITS *const from =
                (const __local FLAT_BITS *)(image + patch * FLAT_PITCH) + word;
            __global FLAT_BITS *const to = (__global FLAT_BITS *)line - shift + word;
            if (word >= low && word + FLAT_WORD <= high) {
                *(__global uint4 *)to = *(const __local uint4 *)from;
            } else {
                EACH for (int e = 0; e < FLAT_WORD; ++e)
                    if (word + e >= low && word + e < high) to[e] = from[e];
            }
        }
    }
    }
}
)cl";

}  // namespace clprim::gemm_text
