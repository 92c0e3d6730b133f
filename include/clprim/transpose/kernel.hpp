#pragma once
// OpenCL C of transposition: the frame of every kernel, and the tasks that fill it. What turns a
// tile is in turn_kernel.hpp.

#include <clprim/core/source.hpp>

namespace clprim::transpose_text {

/// Runs between memory and registers.
inline constexpr kernel_text run_accesses = R"cl(
// out[c][r] = CONVERT(in[r][c]), rows x cols of the input, both contiguous along their rows.
// A run is V elements of a row of the input, or W of a row of the output.

// A run of the input, converted; `left` of its elements are inside.
INLINE OUT_RUN load_run(const __global IN_STORED *from, const int left, const int r UNUSED,
                        const int c UNUSED CONVERT_PARAMETERS)
{
    if (IN_EXACT ? left > 0 : RUN_WHOLE(left)) {
        const IN_RUN run = READ_RUN(from);
        return CONVERT_RUN(run, r, c);
    }
    OUT_STORED one[V];
    EACH for (int e = 0; e < V; ++e) {
        one[e] = 0;
        if (!IN_EXACT && e < left) one[e] = CONVERT(from[e], r, c + e);
    }
    return PACK(one);
}

// A run of row x of the output inside a tile, from its column y on; columns before `low` are not
// there. (A macro: in the open, compilers warn of a constant.)
#define NOT_BEFORE(y, low) (LEAD == 0 || (y) >= (low))
INLINE void store_run(__global OUT_STORED *to, const INDEX pitch, const OUT_WIDE run, const int x,
                      const int y, const int low, const int inside_x, const int inside_y)
{
    to += (INDEX)x * pitch + y;
    if (x < inside_x && (OUT_EXACT ? y < inside_y : y + W <= inside_y) && NOT_BEFORE(y, low)) {
        WRITE_RUN(to, run);
    } else if (!OUT_EXACT && x < inside_x) {
        OUT_STORED one[W];
        UNPACK(one, run)
        EACH for (int e = 0; e < W; ++e)
            if (y + e < inside_y && NOT_BEFORE(y + e, low)) to[e] = one[e];
    }
}
)cl";

/// Runs of 4 bytes that start anywhere, for devices whose accesses are aligned.
inline constexpr kernel_text word_reads = R"cl(
// The four bytes from `from` on, out of the one or two words that hold them: no other is read.
#define READ_WORD(space, from)                                                              \
    const space uint *const words = (const space uint *)((size_t)(from) & ~(size_t)3);      \
    const uint past = ((uint)(size_t)(from) & 3) * 8, low = words[0];                       \
    return (uint)(upsample(past > 0 ? words[1] : 0u, low) >> past);
INLINE uint read_word(const __global IN_STORED *from) { READ_WORD(__global, from) }
INLINE uint read_local_word(const __local OUT_STORED *from) { READ_WORD(__local, from) }
)cl";

/// The places of a group, and the parameters of a task.
inline constexpr kernel_text tile_places = R"cl(
#define TASK_PARAMETERS                                                                       \
    const uint tile, const uint tiles_r UNUSED, const uint tiles_c UNUSED, const int rows,    \
    const int cols, const __global IN_STORED *in, const long in_pitch, __global OUT_STORED *out, \
    const long out_pitch UNUSED, const long out_place UNUSED POOL_PARAMETER CONVERT_PARAMETERS

// Leaves out of the number of this group its outer axes; returns what is left, the tile.
INLINE uint outer_place(uint group, const uint tiles, long *in_offset UNUSED,
                        long *out_offset UNUSED OUTER_PARAMETERS)
{
    uint rest = group / tiles;
    const uint tile = group - rest * tiles;
    OUTER_STEPS
    return tile;
}

// Row and column of a tile among the tiles.
INLINE void tile_place(const uint tile, const uint tiles_r, const uint tiles_c, int *r0, int *c0)
{
    const uint tr = ORDER == TILE_ORDER_ALONG_INPUT ? tile / tiles_c : tile % tiles_r;
    const uint tc = ORDER == TILE_ORDER_ALONG_INPUT ? tile % tiles_c
                  : ORDER == TILE_ORDER_DIAGONAL    ? (tile / tiles_r + tr) % tiles_c
                                                    : tile / tiles_r;
    *r0 = (int)tr * TILE_ROWS;
    *c0 = (int)tc * TILE_COLS;
}
)cl";

/// Every kernel: finds the group's outer place and tile, and runs the task.
inline constexpr kernel_text frame = R"cl(
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
__kernel void transpose(const int rows, const int cols,
                        const __global IN_STORED *RESTRICT in, long in_offset, const long in_pitch,
                        __global OUT_STORED *RESTRICT out, long out_offset, const long out_pitch
                        OUTER_PARAMETERS CONVERT_PARAMETERS)
{
    POOL_DECLARATION
    const uint tiles_r = ((uint)TILED_ROWS(rows, cols) + TILE_ROWS - 1) / TILE_ROWS;
    const uint tiles_c = ((uint)TILED_COLS(cols) + TILE_COLS - 1) / TILE_COLS;
    uint tile = (uint)get_group_id(0);
    if (OUTER)
        tile = outer_place(tile, TILES(tiles_r, tiles_c), &in_offset, &out_offset OUTER_ARGUMENTS);
    run_task(tile, tiles_r, tiles_c, rows, cols, in + in_offset, in_pitch, out + out_offset,
             out_pitch, out_offset POOL_ARGUMENT CONVERT_ARGUMENTS);
}
)cl";

/// Task `lines`: rows stay rows, only their places change.
inline constexpr kernel_text move_lines = R"cl(
INLINE void run_task(TASK_PARAMETERS)
{
    int r0, c0;
    tile_place(tile, tiles_r, tiles_c, &r0, &c0);
    in += r0 * in_pitch + c0;
    out += r0 * out_pitch + c0;
    const int inside_r = rows - r0, inside_c = cols - c0, item = (int)get_local_id(0);
    BLOCK_LOOP for (int i = 0; i < RUNS; ++i) {
        const int e = item + i * ITEMS, r = e / BLOCKS_C, c = e % BLOCKS_C * V;
        if (r < inside_r && c < inside_c) {
            const OUT_RUN run = load_run(in + (INDEX)r * (INDEX)in_pitch + c, inside_c - c, r0 + r,
                                         c0 + c CONVERT_ARGUMENTS);
            store_run(out, (INDEX)out_pitch, run, r, c, 0, inside_r, inside_c);
        }
    }
}
)cl";

/// Exchange `registers`: the short axis lies in one piece of memory with its neighbours.
inline constexpr kernel_text move_strips = R"cl(
//   NARROW = 3, V = 4             one access     in registers      3 accesses, pitch apart
//   pixels   r g b r g b r g b r g b         ->                ->  r r r r   g g g g   b b b b
//   and, where the short axis is the output's, the other way round.
INLINE void run_task(TASK_PARAMETERS)
{
    const int length = NARROW_IN ? rows : cols;
    BLOCK_LOOP for (int i = 0; i < STRIPS; ++i) {
        const int at = (int)tile * TILE_ROWS + ((int)get_local_id(0) + i * ITEMS) * V;
        const __global IN_STORED *const from = in + (NARROW_IN ? (long)at * NARROW : at);
        __global OUT_STORED *const to = out + (NARROW_IN ? at : (long)at * NARROW);
        if (at + V <= length) {
            OUT_STORED all[NARROW * V];
            EACH for (int n = 0; n < NARROW; ++n) {
                const IN_RUN run = READ_RUN(from + (NARROW_IN ? n * V : n * in_pitch));
                IN_STORED one[V];
                UNPACK_IN(one, run)
                EACH for (int e = 0; e < V; ++e) {
                    const int k = n * V + e;  // of the run of pixels
                    if (NARROW_IN) all[k] = CONVERT(one[e], at + k / NARROW, k % NARROW);
                    else all[e * NARROW + n] = CONVERT(one[e], n, at + e);
                }
            }
            EACH for (int n = 0; n < NARROW; ++n) {
                OUT_STORED one[V];
                EACH for (int e = 0; e < V; ++e)
                    one[e] = all[NARROW_IN ? e * NARROW + n : n * V + e];
                WRITE_RUN(to + (NARROW_IN ? n * out_pitch : n * V), PACK(one));
            }
        } else {
            for (int e = 0; e < length - at; ++e)
                for (int n = 0; n < NARROW; ++n) {
                    if (NARROW_IN) to[e + n * out_pitch] = CONVERT(from[e * NARROW + n], at + e, n);
                    else to[e * NARROW + n] = CONVERT(from[e + n * in_pitch], n, at + e);
                }
        }
    }
}
)cl";

/// Task `swap`: a group turns the tile (tr, tc) and its mirror image (tc, tr).
inline constexpr kernel_text swap_tiles = R"cl(
// The pairs tr <= tc, folded to a rectangle: row i holds those of tr = i and of tr = tiles - 1 - i.
//
//      tr = 0   x x x x x          x x x x x | x      tiles + 1 pairs in each row; with an odd
//      tr = 1     x x x x    ->    x x x x | x x      number of tiles the last row is only half
//      tr = 2       x x x          x x x . . .        full (.)
//      …
INLINE void run_task(TASK_PARAMETERS)
{
    const uint tiles = tiles_r, i = tile / (tiles + 1), j = tile % (tiles + 1);
    const bool upper = j < tiles - i;
    const bool active = upper || i != tiles - 1 - i;
    const uint tr = upper ? i : tiles - 1 - i;
    const uint tc = upper ? i + j : tr + (j - (tiles - i));
    const int r0 = (int)tr * TILE_ROWS, c0 = (int)tc * TILE_COLS, item = (int)get_local_id(0);
    const int inside_r = active ? rows - r0 : 0, inside_c = active ? cols - c0 : 0;
    const int mirror_r UNUSED = tr == tc ? 0 : inside_r;
    const int mirror_c UNUSED = tr == tc ? 0 : inside_c;
    const INDEX pitch = (INDEX)in_pitch;
    const long here = r0 * in_pitch + c0, there = c0 * in_pitch + r0;
#if EXCHANGE_LOCAL
    OUT_RUN block[2][BLOCKS][V];
    EACH for (int n = 0; n < BLOCKS; ++n) {
        const int e = item + n * ITEMS, br = e / BLOCKS_C, bc = e % BLOCKS_C;
        load_block(block[0][n], in + here, pitch, br, bc, inside_r, inside_c, r0, c0
                   CONVERT_ARGUMENTS);
        load_block(block[1][n], in + there, pitch, br, bc, mirror_c, mirror_r, c0, r0
                   CONVERT_ARGUMENTS);
    }
    EACH for (int n = 0; n < 2 * BLOCKS; ++n) {
        const int e = item + n % BLOCKS * ITEMS, bc = e % BLOCKS_C;
        turn_block(block[n / BLOCKS][n % BLOCKS]);
        EACH for (int k = 0; k < V; ++k)
            pool[n / BLOCKS * POOL + SLOT(bc * V + k, bc, e / BLOCKS_C)] =
                block[n / BLOCKS][n % BLOCKS][k];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);  // all is read before any is written
    EACH for (int n = 0; n < BLOCKS * V; ++n) {
        const int e = item + n * ITEMS, x = e / BLOCKS_R, y = e % BLOCKS_R;
        store_run(out + there, pitch, pool[SLOT(x, x / V, y)], x, y * V, 0, inside_c, inside_r);
        store_run(out + here, pitch, pool[POOL + SLOT(x, x / V, y)], x, y * V, 0, mirror_r,
                  mirror_c);
    }
#else
    BLOCK_LOOP for (int n = 0; n < BLOCKS; ++n) {
        const int e = item + n * ITEMS, br = e / BLOCKS_C, bc = e % BLOCKS_C;
        const bool own = tr != tc || br <= bc;  // on the diagonal an item owns both of its blocks
        OUT_RUN block[V], other[V];
        if (own && br * V < inside_r && bc * V < inside_c) {
            load_block(block, in + here, pitch, br, bc, inside_r, inside_c, r0, c0
                       CONVERT_ARGUMENTS);
            load_block(other, in + there, pitch, bc, br, inside_c, inside_r, c0, r0
                       CONVERT_ARGUMENTS);
            turn_block(block);
            turn_block(other);
            EACH for (int k = 0; k < V; ++k) {
                store_run(out + there, pitch, block[k], bc * V + k, br * V, 0, inside_c, inside_r);
                store_run(out + here, pitch, other[k], br * V + k, bc * V, 0, inside_r, inside_c);
            }
        }
    }
#endif
}
)cl";

}  // namespace clprim::transpose_text
