// clprim transposition of elements of 4 bytes
// clprim::transpose_policy{.tile_rows = 64, .tile_cols = 64, .vector = 4, .items = 256, .exchange = clprim::tile_exchange::local, .banks = clprim::bank_strategy::swizzle, .order = clprim::tile_order::along_output, .along_output = false, .unaligned = false, .streaming = false}
#define TILE_ROWS 64
#define TILE_COLS 64
#define VECTOR 4
#define ITEMS 256
#define TILE_EXCHANGE_DIRECT 0
#define TILE_EXCHANGE_LOCAL 1
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
#define V 4
#define EXACT 1
#define EXCHANGE_LOCAL 1
#define BLOCKS 1
#define BLOCKS_R 16
#define BLOCKS_C 16
#define RUNS 4
#define EACH _Pragma("unroll")
#define BLOCK_LOOP EACH
#define INDEX int
#define IN_STORED uint
#define OUT_STORED uint
#define IN_RUN uint4
#define OUT_RUN uint4
#define READ_RUN(p) *(const __global uint4 *)(p)
#define WRITE_RUN(p, run) *(__global uint4 *)(p) = run
#define PACK(from) (uint4)(from[0], from[1], from[2], from[3])
#define UNPACK(into, run) into[0] = run.s0; into[1] = run.s1; into[2] = run.s2; into[3] = run.s3; 
#define UNPACK_IN(into, run) into[0] = run.s0; into[1] = run.s1; into[2] = run.s2; into[3] = run.s3; 
#define POOL 1024
#define SLOT(x, block, y) ((x) * 16 + ((y) ^ ((block) & 15)))
#define TURN_LOW_1(a, b) (uint4)((a).s0, (b).s0, (a).s2, (b).s2)
#define TURN_HIGH_1(a, b) (uint4)((a).s1, (b).s1, (a).s3, (b).s3)
#define TURN_LOW_2(a, b) (uint4)((a).s0, (a).s1, (b).s0, (b).s1)
#define TURN_HIGH_2(a, b) (uint4)((a).s2, (a).s3, (b).s2, (b).s3)
#define TURN_STEPS EACH for (int i = 0; i < V; ++i) if ((i & 1) == 0) { const OUT_RUN a = block[i], b = block[i + 1]; block[i] = TURN_LOW_1(a, b); block[i + 1] = TURN_HIGH_1(a, b); } EACH for (int i = 0; i < V; ++i) if ((i & 2) == 0) { const OUT_RUN a = block[i], b = block[i + 2]; block[i] = TURN_LOW_2(a, b); block[i + 2] = TURN_HIGH_2(a, b); } 
#define OUTER 1
#define OUTER_PARAMETERS , const uint extent0, const long in_step0, const long out_step0
#define OUTER_ARGUMENTS , extent0, in_step0, out_step0
#define OUTER_STEPS { const uint place = rest; *in_offset += place * in_step0; *out_offset += place * out_step0; } 
#define CONVERT_PARAMETERS , const float slope
#define CONVERT_ARGUMENTS , slope
inline float map_value(const float value, const int row, const int column, const float slope)
{
return value * slope;
}
inline OUT_STORED convert_one(const IN_STORED bits, const int row, const int column CONVERT_PARAMETERS)
{
    float value = as_float(bits);
    const float done = map_value(value, row, column, slope);
    return as_uint(done);
}
#define CONVERT(bits, r, c) convert_one(bits, c, r CONVERT_ARGUMENTS)
inline OUT_RUN convert_run(const IN_RUN run, const int r, const int c CONVERT_PARAMETERS)
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
#line "clprim/transpose/kernel.hpp"
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
#line "clprim/transpose/kernel.hpp"
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
