// clprim transposition of elements of 4 bytes
// clprim::transpose_policy{.tile_rows = 64, .tile_cols = 64, .vector = 4, .items = 256, .exchange = clprim::tile_exchange::local, .banks = clprim::bank_strategy::swizzle, .order = clprim::tile_order::along_output, .along_output = false, .unaligned = false, .streaming = false, .prefetch = false, .shear = 0}
inline float map_value(const float value, const int row __attribute__((unused)), const int column __attribute__((unused)), const float slope)
{
return value * slope;
}
#define TILE_ROWS 64
#define TILE_COLS 64
#define VECTOR 4
#define ITEMS 256
#define TILE_EXCHANGE_DIRECT 0
#define TILE_EXCHANGE_LOCAL 1
#define TILE_EXCHANGE_ELEMENTS 2
#define TILE_EXCHANGE_REGISTERS 3
#define TILE_EXCHANGE_BOX 4
#define EXCHANGE 1
#define BANK_STRATEGY_NONE 0
#define BANK_STRATEGY_PADDING 1
#define BANK_STRATEGY_SWIZZLE 2
#define BANKS 2
#define TILE_ORDER_ALONG_INPUT 0
#define TILE_ORDER_ALONG_OUTPUT 1
#define TILE_ORDER_DIAGONAL 2
#define ORDER 1
#define ALONG_OUTPUT 0
#define UNALIGNED 0
#define STREAMING 0
#define PREFETCH 0
#define SHEAR 0
#define V 4
#define W 4
#define LEAD 0
#define IN_EXACT 1
#define OUT_EXACT 1
#define EXCHANGE_LOCAL 1
#define BLOCKS 1
#define BLOCKS_R 16
#define BLOCKS_C 16
#define HELD 1
#define RUNS 4
#define EACH _Pragma("unroll")
#define INLINE inline __attribute__((always_inline))
#define UNUSED __attribute__((unused))
#define BLOCK_LOOP EACH
#define INDEX int
#define RESTRICT restrict
#define TILED_ROWS(rows, cols) ((rows) + 0)
#define TILED_COLS(cols) (cols)
#define TILES(tiles_r, tiles_c) (tiles_r * tiles_c)
#define IN_STORED uint
#define OUT_STORED uint
#define IN_RUN uint4
#define OUT_RUN uint4
#define OUT_WIDE uint4
#define PACK(from) (uint4)(from[0], from[1], from[2], from[3])
#define UNPACK(into, run) into[0] = run.s0; into[1] = run.s1; into[2] = run.s2; into[3] = run.s3; 
#define UNPACK_RUN(into, run) into[0] = run.s0; into[1] = run.s1; into[2] = run.s2; into[3] = run.s3; 
#define UNPACK_IN(into, run) into[0] = run.s0; into[1] = run.s1; into[2] = run.s2; into[3] = run.s3; 
#define WORDS 0
#define RUN_WHOLE(left) (left) >= V
#define READ_RUN(p) *(const __global uint4 *)(p)
#define FETCH_NEXT(p, bc) 
#define WRITE_RUN(p, run) *(__global uint4 *)(p) = run
#define POOL 1024
#define POOL_DECLARATION __local OUT_RUN pool[1 * POOL];
#define POOL_PARAMETER , __local OUT_RUN *pool
#define POOL_ARGUMENT , pool
#define SLOT(x, block, y) ((x) * 16 + ((y) ^ ((block) & 15)))
#define TURN_LOW_1(a, b) (uint4)((a).s0, (b).s0, (a).s2, (b).s2)
#define TURN_HIGH_1(a, b) (uint4)((a).s1, (b).s1, (a).s3, (b).s3)
#define TURN_LOW_2(a, b) (uint4)((a).s0, (a).s1, (b).s0, (b).s1)
#define TURN_HIGH_2(a, b) (uint4)((a).s2, (a).s3, (b).s2, (b).s3)
#define TURN_STEPS EACH for (int i = 0; i < V; ++i) if ((i & 1) == 0) { const OUT_RUN a = block[i], b = block[i + 1]; block[i] = TURN_LOW_1(a, b); block[i + 1] = TURN_HIGH_1(a, b); } EACH for (int i = 0; i < V; ++i) if ((i & 2) == 0) { const OUT_RUN a = block[i], b = block[i + 2]; block[i] = TURN_LOW_2(a, b); block[i + 2] = TURN_HIGH_2(a, b); } 
#define OUTER 1
#define OUTER_PARAMETERS , const uint extent0 UNUSED, const long in_step0, const long out_step0
#define OUTER_ARGUMENTS , extent0, in_step0, out_step0
#define OUTER_STEPS { const uint place = rest; *in_offset += place * in_step0; *out_offset += place * out_step0; } 
#define CONVERT_PARAMETERS , const float user_0
#define CONVERT_ARGUMENTS , user_0
INLINE OUT_STORED convert_one(const IN_STORED bits, const int row UNUSED, const int column UNUSED CONVERT_PARAMETERS)
{
    float value = as_float(bits);
    const float done = map_value(value, row, column, user_0);
    return as_uint(done);
}
#define CONVERT(bits, r, c) convert_one(bits, c, r CONVERT_ARGUMENTS)
INLINE OUT_RUN convert_run(const IN_RUN run, const int r UNUSED, const int c UNUSED CONVERT_PARAMETERS)
{
    IN_STORED from[V];
    OUT_STORED to[V];
    UNPACK_IN(from, run)
    EACH for (int e = 0; e < V; ++e) to[e] = convert_one(from[e], c + e, r CONVERT_ARGUMENTS);
    return PACK(to);
}
#define CONVERT_RUN(run, r, c) convert_run(run, r, c CONVERT_ARGUMENTS)
#line "clprim/transpose/kernel.hpp"
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
#line "clprim/transpose/kernel.hpp"
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
#line "clprim/transpose/turn_kernel.hpp"
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
#line "clprim/transpose/turn_kernel.hpp"
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
#line "clprim/transpose/kernel.hpp"
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
