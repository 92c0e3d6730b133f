#pragma once
// OpenCL C of transposition: a tile is loaded by blocks, turned, and stored.

#include <clprim/core/source.hpp>

namespace clprim::transpose_text {

/// Places, and a block between memory and registers.
inline constexpr kernel_text blocks = R"cl(
// out[c][r] = CONVERT(in[r][c]), rows x cols of the input, both contiguous along their rows.
//
//      input, in_pitch apart          local memory                  output, out_pitch apart
//            c0                       row c, runs of r                     r0
//       r0   +--------+               +--+--+--+--+                  c0   +--------+
//            |        |  V x V blocks |  |  |  |  |   runs of V           |        |
//            |  tile  |  turned in    +--+--+--+--+   along the    ->     |  tile  |
//            |        |  registers -> |  |  |  |  |   output's rows       |        |
//            +--------+               +--+--+--+--+                       +--------+
//
// inside_r, inside_c: what of the matrix lies from the tile's corner on, perhaps nothing.

// Block (br, bc) as V runs of the input, converted.
inline void load_block(OUT_RUN *block, const __global IN_STORED *from, const INDEX pitch,
                       const int br, const int bc, const int inside_r, const int inside_c,
                       const int r0, const int c0 CONVERT_PARAMETERS)
{
    from += (INDEX)(br * V) * pitch + bc * V;
    const bool whole = EXACT ? br * V < inside_r && bc * V < inside_c
                             : br * V + V <= inside_r && bc * V + V <= inside_c;
    if (whole) {
        EACH for (int k = 0; k < V; ++k) {
            const IN_RUN run = READ_RUN(from + (INDEX)k * pitch);
            block[k] = CONVERT_RUN(run, r0 + br * V + k, c0 + bc * V);
        }
    } else if (EXACT) {
        EACH for (int k = 0; k < V; ++k) block[k] = (OUT_RUN)(0);
    } else {
        EACH for (int k = 0; k < V; ++k) {
            OUT_STORED one[V];
            EACH for (int e = 0; e < V; ++e) {
                one[e] = 0;
                if (br * V + k < inside_r && bc * V + e < inside_c)
                    one[e] = CONVERT(from[(INDEX)k * pitch + e], r0 + br * V + k, c0 + bc * V + e);
            }
            block[k] = PACK(one);
        }
    }
}

// One run of a row of the output: x is its row inside the tile, y its first column.
inline void store_run(__global OUT_STORED *to, const INDEX pitch, const OUT_RUN run, const int x,
                      const int y, const int inside_x, const int inside_y)
{
    to += (INDEX)x * pitch + y;
    if (x < inside_x && (EXACT ? y < inside_y : y + V <= inside_y)) {
        WRITE_RUN(to, run);
    } else if (!EXACT && x < inside_x) {
        OUT_STORED one[V];
        UNPACK(one, run)
        EACH for (int e = 0; e < V; ++e)
            if (y + e < inside_y) to[e] = one[e];
    }
}

// Rows of a block become columns: log2 V steps, each of which exchanges halves of runs.
inline void turn_block(OUT_RUN *block)
{
    TURN_STEPS
}
)cl";

/// The tile of this group.
inline constexpr kernel_text tile_places = R"cl(
// Leaves out of the number of this group its outer axes; returns what is left, the tile.
inline uint outer_place(uint group, const uint tiles, long *in_offset, long *out_offset
                        OUTER_PARAMETERS)
{
    uint rest = group / tiles;
    const uint tile = group - rest * tiles;
    OUTER_STEPS
    return tile;
}

// Row and column of a tile among the tiles.
inline void tile_place(const uint tile, const uint tiles_r, const uint tiles_c, int *r0, int *c0)
{
    const uint tr = ORDER == TILE_ORDER_ALONG_INPUT ? tile / tiles_c : tile % tiles_r;
    const uint tc = ORDER == TILE_ORDER_ALONG_INPUT ? tile % tiles_c
                  : ORDER == TILE_ORDER_DIAGONAL    ? (tile / tiles_r + tr) % tiles_c
                                                    : tile / tiles_r;
    *r0 = (int)tr * TILE_ROWS;
    *c0 = (int)tc * TILE_COLS;
}
)cl";

/// Task `turn` through local memory, and without.
inline constexpr kernel_text turn = R"cl(
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
__kernel void transpose(const int rows, const int cols,
                        const __global IN_STORED *restrict in, long in_offset, const long in_pitch,
                        __global OUT_STORED *restrict out, long out_offset, const long out_pitch
                        OUTER_PARAMETERS CONVERT_PARAMETERS)
{
    const uint tiles_r = (uint)((rows + TILE_ROWS - 1) / TILE_ROWS);
    const uint tiles_c = (uint)((cols + TILE_COLS - 1) / TILE_COLS);
    uint tile = (uint)get_group_id(0);
    if (OUTER) tile = outer_place(tile, tiles_r * tiles_c, &in_offset, &out_offset OUTER_ARGUMENTS);
    int r0, c0;
    tile_place(tile, tiles_r, tiles_c, &r0, &c0);
    in += in_offset + r0 * in_pitch + c0;
    out += out_offset + c0 * out_pitch + r0;
    const int inside_r = rows - r0, inside_c = cols - c0, item = (int)get_local_id(0);
#if EXCHANGE_LOCAL
    __local OUT_RUN pool[POOL];
    OUT_RUN block[BLOCKS][V];
    EACH for (int i = 0; i < BLOCKS; ++i) {
        const int e = item + i * ITEMS;
        load_block(block[i], in, (INDEX)in_pitch, e / BLOCKS_C, e % BLOCKS_C, inside_r, inside_c,
                   r0, c0 CONVERT_ARGUMENTS);
    }
    EACH for (int i = 0; i < BLOCKS; ++i) {
        const int e = item + i * ITEMS, bc = e % BLOCKS_C;
        turn_block(block[i]);
        EACH for (int k = 0; k < V; ++k) pool[SLOT(bc * V + k, bc, e / BLOCKS_C)] = block[i][k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    EACH for (int i = 0; i < BLOCKS * V; ++i) {
        const int e = item + i * ITEMS, x = e / BLOCKS_R, y = e % BLOCKS_R;
        store_run(out, (INDEX)out_pitch, pool[SLOT(x, x / V, y)], x, y * V, inside_c, inside_r);
    }
#else
    BLOCK_LOOP for (int i = 0; i < BLOCKS; ++i) {
        const int e = item + i * ITEMS;
        const int br = ALONG_OUTPUT ? e % BLOCKS_R : e / BLOCKS_C;
        const int bc = ALONG_OUTPUT ? e / BLOCKS_R : e % BLOCKS_C;
        OUT_RUN block[V];
        if (br * V < inside_r && bc * V < inside_c) {
            load_block(block, in, (INDEX)in_pitch, br, bc, inside_r, inside_c, r0, c0
                       CONVERT_ARGUMENTS);
            turn_block(block);
            EACH for (int k = 0; k < V; ++k)
                store_run(out, (INDEX)out_pitch, block[k], bc * V + k, br * V, inside_c, inside_r);
        }
    }
#endif
}
)cl";

/// Task `lines`: rows stay rows, only their places change.
inline constexpr kernel_text lines = R"cl(
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
__kernel void transpose(const int rows, const int cols,
                        const __global IN_STORED *restrict in, long in_offset, const long in_pitch,
                        __global OUT_STORED *restrict out, long out_offset, const long out_pitch
                        OUTER_PARAMETERS CONVERT_PARAMETERS)
{
    const uint tiles_r = (uint)((rows + TILE_ROWS - 1) / TILE_ROWS);
    const uint tiles_c = (uint)((cols + TILE_COLS - 1) / TILE_COLS);
    uint tile = (uint)get_group_id(0);
    if (OUTER) tile = outer_place(tile, tiles_r * tiles_c, &in_offset, &out_offset OUTER_ARGUMENTS);
    int r0, c0;
    tile_place(tile, tiles_r, tiles_c, &r0, &c0);
    in += in_offset + r0 * in_pitch + c0;
    out += out_offset + r0 * out_pitch + c0;
    const int inside_r = rows - r0, inside_c = cols - c0, item = (int)get_local_id(0);
    BLOCK_LOOP for (int i = 0; i < RUNS; ++i) {
        const int e = item + i * ITEMS, r = e / BLOCKS_C, c = e % BLOCKS_C * V;
        if (r < inside_r && (EXACT ? c < inside_c : c + V <= inside_c)) {
            const IN_RUN run = READ_RUN(in + (INDEX)r * (INDEX)in_pitch + c);
            const OUT_RUN done = CONVERT_RUN(run, r0 + r, c0 + c);
            WRITE_RUN(out + (INDEX)r * (INDEX)out_pitch + c, done);
        } else if (!EXACT && r < inside_r) {
            EACH for (int k = 0; k < V; ++k)
                if (c + k < inside_c)
                    out[(INDEX)r * (INDEX)out_pitch + c + k] = CONVERT(
                        in[(INDEX)r * (INDEX)in_pitch + c + k], r0 + r, c0 + c + k);
        }
    }
}
)cl";

/// Task `swap`: a group turns the tile (tr, tc) and its mirror image (tc, tr).
inline constexpr kernel_text swap = R"cl(
// The pairs tr <= tc, folded to a rectangle: row i holds those of tr = i and of tr = tiles - 1 - i.
//
//      tr = 0   x x x x x          x x x x x | x      tiles + 1 pairs in each row; with an odd
//      tr = 1     x x x x    ->    x x x x | x x      number of tiles the last row is only half
//      tr = 2       x x x          x x x . . .        full (.)
//      …
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
__kernel void transpose(const int rows, const int cols, __global IN_STORED *in, long in_offset,
                        const long in_pitch, __global OUT_STORED *out, long out_offset,
                        const long out_pitch OUTER_PARAMETERS CONVERT_PARAMETERS)
{
    const uint tiles = (uint)((rows + TILE_ROWS - 1) / TILE_ROWS);
    uint pair = (uint)get_group_id(0);
    if (OUTER)
        pair = outer_place(pair, (tiles + 1) / 2 * (tiles + 1), &in_offset, &out_offset
                           OUTER_ARGUMENTS);
    const uint i = pair / (tiles + 1), j = pair % (tiles + 1);
    const bool upper = j < tiles - i;
    const bool active = upper || i != tiles - 1 - i;
    const uint tr = upper ? i : tiles - 1 - i;
    const uint tc = upper ? i + j : tr + (j - (tiles - i));
    const int r0 = (int)tr * TILE_ROWS, c0 = (int)tc * TILE_COLS, item = (int)get_local_id(0);
    const int inside_r = active ? rows - r0 : 0, inside_c = active ? cols - c0 : 0;
    const int mirror_r = tr == tc ? 0 : inside_r, mirror_c = tr == tc ? 0 : inside_c;
    const INDEX pitch = (INDEX)in_pitch;
    __global IN_STORED *const tile = in + in_offset + r0 * in_pitch + c0;
    __global IN_STORED *const mirror = in + in_offset + c0 * in_pitch + r0;
#if EXCHANGE_LOCAL
    __local OUT_RUN pool[2 * POOL];
    OUT_RUN block[2][BLOCKS][V];
    EACH for (int n = 0; n < BLOCKS; ++n) {
        const int e = item + n * ITEMS, br = e / BLOCKS_C, bc = e % BLOCKS_C;
        load_block(block[0][n], tile, pitch, br, bc, inside_r, inside_c, r0, c0 CONVERT_ARGUMENTS);
        load_block(block[1][n], mirror, pitch, br, bc, mirror_c, mirror_r, c0, r0
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
        store_run(mirror, pitch, pool[SLOT(x, x / V, y)], x, y * V, inside_c, inside_r);
        store_run(tile, pitch, pool[POOL + SLOT(x, x / V, y)], x, y * V, mirror_r, mirror_c);
    }
#else
    BLOCK_LOOP for (int n = 0; n < BLOCKS; ++n) {
        const int e = item + n * ITEMS, br = e / BLOCKS_C, bc = e % BLOCKS_C;
        const bool own = tr != tc || br <= bc;  // on the diagonal an item owns both of its blocks
        OUT_RUN block[V], other[V];
        if (own && br * V < inside_r && bc * V < inside_c) {
            load_block(block, tile, pitch, br, bc, inside_r, inside_c, r0, c0 CONVERT_ARGUMENTS);
            load_block(other, mirror, pitch, bc, br, inside_c, inside_r, c0, r0 CONVERT_ARGUMENTS);
            turn_block(block);
            turn_block(other);
            EACH for (int k = 0; k < V; ++k) {
                store_run(mirror, pitch, block[k], bc * V + k, br * V, inside_c, inside_r);
                store_run(tile, pitch, other[k], br * V + k, bc * V, inside_r, inside_c);
            }
        }
    }
#endif
}
)cl";

}  // namespace clprim::transpose_text
