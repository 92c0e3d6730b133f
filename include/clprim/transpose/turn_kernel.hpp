#pragma once
// OpenCL C of what turns a tile: by blocks in registers, through local memory or without.

#include <clprim/core/source.hpp>

namespace clprim::transpose_text {

/// Blocks of V x V elements.
inline constexpr kernel_text block_accesses = R"cl(
//      input, in_pitch apart          local memory                  output, out_pitch apart
//            c0                       row c, runs of r                     r0
//       r0   +--------+               +--+--+--+--+                  c0   +--------+
//            |        |  V x V blocks |  |  |  |  |   runs of W           |        |
//            |  tile  |  turned in    +--+--+--+--+   along the    ->     |  tile  |
//            |        |  registers -> |  |  |  |  |   output's rows       |        |
//            +--------+               +--+--+--+--+                       +--------+
//
// inside_r, inside_c: what of the matrix lies from the tile's corner on, perhaps nothing.

// Block (br, bc) as V runs of the input, converted. The last row's words may reach past its end,
// and past the buffer's: it is read by elements.
INLINE void load_block(OUT_RUN *block, const __global IN_STORED *from, const INDEX pitch,
                       const int br, const int bc, const int inside_r, const int inside_c,
                       const int r0 UNUSED, const int c0 UNUSED CONVERT_PARAMETERS)
{
    from += (INDEX)(br * V) * pitch + bc * V;
    const bool whole = IN_EXACT ? br * V < inside_r && bc * V < inside_c
                                : br * V + V + WORDS <= inside_r && bc * V + V <= inside_c;
    if (whole) {
        EACH for (int k = 0; k < V; ++k) {
            FETCH_NEXT(from + (INDEX)k * pitch, bc)
            const IN_RUN run = READ_RUN(from + (INDEX)k * pitch);
            block[k] = CONVERT_RUN(run, r0 + br * V + k, c0 + bc * V);
        }
    } else if (IN_EXACT) {
        EACH for (int k = 0; k < V; ++k) block[k] = (OUT_RUN)(0);
    } else {
        EACH for (int k = 0; k < V; ++k)
            block[k] = load_run(from + (INDEX)k * pitch,
                                br * V + k < inside_r ? inside_c - bc * V : 0, r0 + br * V + k,
                                c0 + bc * V CONVERT_ARGUMENTS);
    }
}

// Rows of a block become columns: log2 V steps, each of which exchanges halves of runs.
INLINE void turn_block(OUT_RUN *block UNUSED)
{
    TURN_STEPS
}
)cl";

/// Exchange `local`: runs of turned blocks in local memory.
inline constexpr kernel_text through_runs = R"cl(
INLINE void run_task(TASK_PARAMETERS)
{
    int r0, c0;
    tile_place(tile, tiles_r, tiles_c, &r0, &c0);
    in += r0 * in_pitch + c0;
    out += c0 * out_pitch + r0;
    const int inside_r = rows - r0, inside_c = cols - c0, item = (int)get_local_id(0);
    OUT_RUN block[HELD][V];
    BLOCK_LOOP for (int first = 0; first < BLOCKS; first += HELD) {
        EACH for (int i = 0; i < HELD; ++i) {
            const int e = item + (first + i) * ITEMS;
            load_block(block[i], in, (INDEX)in_pitch, e / BLOCKS_C, e % BLOCKS_C, inside_r,
                       inside_c, r0, c0 CONVERT_ARGUMENTS);
        }
        EACH for (int i = 0; i < HELD; ++i) {
            const int e = item + (first + i) * ITEMS, bc = e % BLOCKS_C;
            turn_block(block[i]);
            EACH for (int k = 0; k < V; ++k)
                pool[SLOT(bc * V + k, bc, e / BLOCKS_C)] = block[i][k];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    BLOCK_LOOP for (int i = 0; i < RUNS; ++i) {
        const int e = item + i * ITEMS, x = e / BLOCKS_R, y = e % BLOCKS_R;
        store_run(out, (INDEX)out_pitch, pool[SLOT(x, x / V, y)], x, y * V, 0, inside_c, inside_r);
    }
}
)cl";

/// Exchange `direct`: no local memory.
inline constexpr kernel_text directly = R"cl(
INLINE void run_task(TASK_PARAMETERS)
{
    int r0, c0;
    tile_place(tile, tiles_r, tiles_c, &r0, &c0);
    in += r0 * in_pitch + c0;
    out += c0 * out_pitch + r0;
    const int inside_r = rows - r0, inside_c = cols - c0, item = (int)get_local_id(0);
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
                store_run(out, (INDEX)out_pitch, block[k], bc * V + k, br * V, 0, inside_c,
                          inside_r);
        }
    }
}
)cl";

/// Local memory by elements, for exchange `elements` and for shear. FILL_POOL loads it.
inline constexpr kernel_text through_elements = R"cl(
// Row x of the tile, a row of the output, lies in local memory from ROW_PLACE(x) on, LEAD + y being
// the place of its element y. With shear the row is stored from y = -shift on, where a piece of
// the output's memory starts:
//
//        -LEAD      0                       TILE_ROWS
//          . . [. . x x x x x x x x x x x x] x x         rows y of the tile that are loaded
//              -shift                                    and what of them is stored here
INLINE void run_task(TASK_PARAMETERS)
{
    int r0, c0;
    tile_place(tile, tiles_r, tiles_c, &r0, &c0);
    in += (r0 - LEAD) * in_pitch + c0;
    out += c0 * out_pitch + r0;
    const uint start = (uint)out_place + (uint)c0 * (uint)out_pitch + (uint)r0;
    const int inside_r = rows - r0, inside_c = cols - c0, item = (int)get_local_id(0);
    FILL_POOL
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool whole = r0 >= LEAD && inside_r >= TILE_ROWS;  // of every row: no run is cut
    BLOCK_LOOP for (int i = 0; i < TILE_COLS / STEP_X; ++i) {
        const int x = item / RUNS_Y + i * STEP_X;
        const int shift = (int)(start + (uint)x * (uint)out_pitch) & (PIECE - 1);
        const __local OUT_STORED *const row = pool + ROW_PLACE(x) + LEAD - shift;
        if (whole && x < inside_c) {
            __global OUT_STORED *const to = out + (INDEX)x * (INDEX)out_pitch - shift;
            BLOCK_LOOP for (int j = 0; j < RUNS_Y / STEP_Y; ++j) {
                const int y = (item % RUNS_Y + j * STEP_Y) * W;
                WRITE_RUN(to + y, READ_POOL(row + y));
            }
        } else {
            for (int j = 0; j < RUNS_Y / STEP_Y; ++j) {
                const int y = (item % RUNS_Y + j * STEP_Y) * W;
                store_run(out, (INDEX)out_pitch, READ_POOL(row + y), x, y - shift, -r0, inside_c,
                          inside_r);
            }
        }
    }
}
)cl";

/// FILL_POOL of exchange `elements`: runs as they come.
inline constexpr kernel_text fill_by_runs = R"cl(
INLINE void fill_pool(__local OUT_STORED *pool, const __global IN_STORED *in, const INDEX pitch,
                      const int item, const int inside_r, const int inside_c,
                      const int r0 UNUSED, const int c0 UNUSED CONVERT_PARAMETERS)
{
    OUT_RUN run[HELD];
    BLOCK_LOOP for (int first = 0; first < BLOCKS; first += HELD) {
        EACH for (int i = 0; i < HELD; ++i) {
            const int e = item + (first + i) * ITEMS, r = e / BLOCKS_C - LEAD, c = e % BLOCKS_C * V;
            const bool there = r < inside_r && r0 + r >= 0 && r < TILE_ROWS;
            run[i] = load_run(in + (INDEX)(r + LEAD) * pitch + c, there ? inside_c - c : 0, r0 + r,
                              c0 + c CONVERT_ARGUMENTS);
        }
        EACH for (int i = 0; i < HELD; ++i) {
            const int e = item + (first + i) * ITEMS, r = e / BLOCKS_C, c = e % BLOCKS_C * V;
            OUT_STORED one[V];
            UNPACK_RUN(one, run[i])
            if (r < TILE_ROWS + LEAD) {
                EACH for (int k = 0; k < V; ++k) pool[(c + k) * PITCH + r] = one[k];
            }
        }
    }
}
)cl";

/// FILL_POOL of exchange `local` with shear: turned blocks.
inline constexpr kernel_text fill_by_blocks = R"cl(
INLINE void fill_pool(__local OUT_STORED *pool, const __global IN_STORED *in, const INDEX pitch,
                      const int item, const int inside_r, const int inside_c,
                      const int r0 UNUSED, const int c0 UNUSED CONVERT_PARAMETERS)
{
    OUT_RUN block[HELD][V];
    BLOCK_LOOP for (int first = 0; first < BLOCKS; first += HELD) {
        EACH for (int i = 0; i < HELD; ++i) {
            const int e = item + (first + i) * ITEMS, br = e / BLOCKS_C;
            const bool there = r0 - LEAD + br * V >= 0 && br < BLOCKS_R;
            load_block(block[i], in, pitch, br, e % BLOCKS_C, there ? inside_r + LEAD : 0, inside_c,
                       r0 - LEAD, c0 CONVERT_ARGUMENTS);
        }
        EACH for (int i = 0; i < HELD; ++i) {
            const int e = item + (first + i) * ITEMS, br = e / BLOCKS_C, bc = e % BLOCKS_C;
            turn_block(block[i]);
            if (br < BLOCKS_R) {
                EACH for (int k = 0; k < V; ++k)
                    WRITE_POOL(pool + ROW_PLACE(bc * V + k) + br * V, block[i][k]);
            }
        }
    }
}
)cl";

}  // namespace clprim::transpose_text
