// clprim GEMM, clprim::half
// clprim::gemm_policy{.tile_m = 32, .tile_n = 64, .tile_k = 16, .per_item_m = 4, .per_item_n = 4, .blocks_m = 1, .blocks_n = 1, .slices_k = 2, .lanes_m = 4, .lanes_n = 8, .vector = 4, .vector_m = 1, .vector_n = 4, .stage_a = clprim::staging::local, .stage_b = clprim::staging::local, .stage_c = clprim::staging::local, .buffer = clprim::buffering::registers, .stages = 2, .fetchers = 128, .order = clprim::local_order::padded, .instruction = clprim::gemm_instruction::fma, .packed = false, .turned = false, .unaligned = false, .raster = 8, .unroll = 0, .split_k = 0, .finish = clprim::gemm_finish::second_kernel}
#define TILE_M 32
#define TILE_N 64
#define TILE_K 16
#define PER_ITEM_M 4
#define PER_ITEM_N 4
#define BLOCKS_M 1
#define BLOCKS_N 1
#define SLICES_K 2
#define LANES_M 4
#define LANES_N 8
#define VECTOR 4
#define VECTOR_M 1
#define VECTOR_N 4
#define STAGING_GLOBAL 0
#define STAGING_LOCAL 1
#define STAGE_A 1
#define STAGE_B 1
#define STAGE_C 1
#define BUFFERING_SINGLE 0
#define BUFFERING_REGISTERS 1
#define BUFFERING_ASYNC 2
#define BUFFERING_BULK 3
#define BUFFER 1
#define STAGES 2
#define FETCHERS 128
#define LOCAL_ORDER_PLAIN 0
#define LOCAL_ORDER_PADDED 1
#define LOCAL_ORDER_STORED 2
#define ORDER 1
#define GEMM_INSTRUCTION_FMA 0
#define GEMM_INSTRUCTION_MMA_SYNC 1
#define GEMM_INSTRUCTION_WGMMA 2
#define GEMM_INSTRUCTION_MFMA 3
#define GEMM_INSTRUCTION_WMMA 4
#define GEMM_INSTRUCTION_WMMA_GFX12 5
#define GEMM_INSTRUCTION_DPAS 6
#define INSTRUCTION 0
#define PACKED 0
#define TURNED 0
#define UNALIGNED 0
#define RASTER 8
#define UNROLL 0
#define SPLIT_K 0
#define GEMM_FINISH_SECOND_KERNEL 0
#define GEMM_FINISH_LAST_GROUP_FENCED 1
#define FINISH 0
#define GROUP 256
#define ITEMS_M 8
#define ITEMS_N 16
#define SLICE_K 8
#define PATCH_M(patch) (patch) / (ITEMS_N / LANES_N)
#define PATCH_N(patch) (patch) % (ITEMS_N / LANES_N)
#define LOCAL_POOL __local TILED pool[3136] __attribute__((aligned(128)))
#define CONJUGATE_A 0
#define CONJUGATE_B 0
#define SUMS_STEPS 0
#define WHOLE_STEPS 1
#define EACH _Pragma("unroll")
#define BLOCK_LOOP EACH
#define UNROLL_K EACH
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define STORED half
#define ELEMENT float
#define ZERO ((ELEMENT)(0))
#define READ_ONE(p) vload_half(0, p)
#define TIMES(p, q) ((p) * (q))
#define NOT_ZERO(p) ((p) != 0)
#define VALUE float
#define C_STORED half
#define C_READ_ONE(p) vload_half(0, p)
#define C_WRITE_ONE(p, x) vstore_half_rte(x, 0, p)
#define TILED float
#define READ_TILED(p) vload_half(0, p)
#define M_VECTOR float
#define N_VECTOR float4
#define N_ZERO ((N_VECTOR)(0))
#define M_UNPACK(into, v) into[0] = v; 
#define N_UNPACK(into, v) into[0] = v.s0; into[1] = v.s1; into[2] = v.s2; into[3] = v.s3; 
#define N_PACK(from) (float4)(from[0], from[1], from[2], from[3])
#define C_EXACT 0
#define C_VECTOR float4
#define C_UNPACK(into, v) into[0] = v.s0; into[1] = v.s1; into[2] = v.s2; into[3] = v.s3; 
#define C_PACK(from) (float4)(from[0], from[1], from[2], from[3])
#define C_READ(p) (float4)(vload_half(0, p), vload_half(1, p), vload_half(2, p), vload_half(3, p))
#define C_WRITE(p, x) vstore_half4_rte(x, 0, p)
#define CONJUGATE(p) (p)
#define CONJUGATE_RUN(p) (p)
#define MULTIPLY_ADD(sum, p, q) sum = fma((N_VECTOR)(p), q, sum);
#define A_OUTER 32
#define A_ALONG_K 1
#define A_STAGED 1
#define A_WIDTH 1
#define A_EXACT 1
#define A_LANES 16
#define A_ROWS 16
#define A_ALONG 1
#define A_ACROSS 2
#define A_ACROSS_OF(inside) 2
#define A_ALONG_OF(inside) 1
#define A_SKIPPED(first_k) 0
#define A_GUARDED 0
#define A_LOAD_LOOP EACH
#define A_PANEL 32
#define A_SIZE 544
#define A_SLOT_K(k) ((k) * 32 + (k) / 1 * 2)
#define A_SLOT_OUTER(o) (o)
#define A_SLOT(k, o) A_SLOT_K(k) + A_SLOT_OUTER(o)
#define A_KEEPS_RUNS 1
#define A_VECTOR float
#define A_READ(p) vload_half(0, p)
#define A_PACK(from) from[0]
#define A_UNPACK(into, v) into[0] = v; 
#define A_STORE_LOCAL(p, x) *(p) = x
#define M_READ_LOCAL(p) *(p)
#define B_OUTER 64
#define B_ALONG_K 0
#define B_STAGED 1
#define B_WIDTH 1
#define B_EXACT 1
#define B_LANES 64
#define B_ROWS 4
#define B_ALONG 1
#define B_ACROSS 4
#define B_ACROSS_OF(inside) 4
#define B_ALONG_OF(inside) 1
#define B_SKIPPED(first_k) 0
#define B_GUARDED 0
#define B_LOAD_LOOP EACH
#define B_PANEL 64
#define B_SIZE 1024
#define B_SLOT_K(k) ((k) * 64)
#define B_SLOT_OUTER(o) (o)
#define B_SLOT(k, o) B_SLOT_K(k) + B_SLOT_OUTER(o)
#define B_KEEPS_RUNS 1
#define B_VECTOR float
#define B_READ(p) vload_half(0, p)
#define B_PACK(from) from[0]
#define B_UNPACK(into, v) into[0] = v; 
#define B_STORE_LOCAL(p, x) *(p) = x
#define N_READ_LOCAL(p) *(const __local float4 *)(p)
#define N_STORE_LOCAL(p, x) *(__local float4 *)(p) = x
#define A_BATCH const long a_batch
#define A_BATCH_OFFSET 0
#define B_BATCH const long b_batch
#define B_BATCH_OFFSET 0
#define C_BATCH const long c_batch
#define C_BATCH_OFFSET 0
#define BATCHED 0
#define SPLIT 0
#define SPLITS 1
#define SPLIT_PARAMETERS 
#define WAY_PARAMETERS 
#define RETURN_UNLESS_MEANT 
#define SCALE_PARAMETERS 
#define BULK_PARAMETERS 
#define EACH_TILE const uint number = (uint)get_group_id(0);
#define NEXT_TILE return
#define INDEX int
#define EDGE_M m
#define EDGE_N n
#define CLAMPED 1
#define EPILOGUE_PARAMETERS 
#define EPILOGUE_ARGUMENTS 
#define EPILOGUE(value, row, column) (value)
#define OWN_C __global C_STORED *const c = c_memory + c_offset + C_BATCH_OFFSET;
#define B_FIRST (step0 * TILE_K - lead) * b_row
#define GO_TO_STEP(step) from_a += a_next; from_b += TILE_K * b_row;
#define COMMIT_COPIES 
#define DRAIN_COPIES 
#define AWAIT_COPIES 
#define LEAD(steps, k) ((steps) * TILE_K - (k))
#line "clprim/gemm/load_tile.hpp"
// The tile of A: A_OUTER x TILE_K elements. A line is contiguous in global memory; it
// runs along k or along the outer direction. The work-group loads A_ROWS lines at a time:
//
//        A_LANES vectors of A_WIDTH, then again (along = 1, 2, ...)
//       +----+----+----+----+----+----+----+----+
//       |item| 1  | 2  | 3  |item| 1  | 2  | 3  |   line 0
//       | 4  | 5  | 6  | 7  | 4  | 5  | 6  | 7  |   line 1 ... then again (across = 1, 2, ...)
//
// `from` points at this item's first vector. first_k > 0 only in the first step: what lies before
// it is outside the matrix and counts as zero. Tiles at the lower or right edge are moved inside;
// only a matrix smaller than a tile is CLAMPED: its last line is read again, the products are never
// stored.
#define A_LANE ((int)((uint)get_local_id(0) % A_LANES))
#define A_LINE ((int)((uint)get_local_id(0) / A_LANES))
#define A_LINES (A_ALONG_K ? A_OUTER : TILE_K)

// From the tile's first element to this item's first vector.
#define A_OWN(ld) \
    (A_STAGED ? (long)A_LINE * (ld) + A_LANE * A_WIDTH : 0)

// A vector of which only elements first <= e < last exist.
inline A_VECTOR window_a(const __global STORED *from, const int first, const int last)
{
    if (first <= 0 && last >= A_WIDTH) return A_READ(from);
    TILED each[A_WIDTH];
    for (int e = 0; e < A_WIDTH; ++e)
        each[e] = (e >= first && e < last) ? READ_TILED(from + e) : (TILED)(0);
    return A_PACK(each);
}

// Vector (along, across) of this item: its offset from the first one, and which elements exist.
inline INDEX place_a(const int along, const int across, const int ld, const int inside,
                           const int first_k, int *first, int *last)
{
    const int begin = (A_LANE + along * A_LANES) * A_WIDTH;
    const int line = A_LINE + across * A_ROWS;
    int lines = across * A_ROWS, beside = along * A_LANES * A_WIDTH;
    if (A_ALONG_K) {
        *first = first_k - begin;
        *last = A_WIDTH;
        if (CLAMPED) lines = min(line, inside - 1) - A_LINE;
    } else {
        *first = line < first_k ? A_WIDTH : 0;
        *last = A_EXACT ? A_WIDTH : inside - begin;
        if (CLAMPED && A_EXACT)
            beside = min(begin, inside - A_WIDTH) - A_LANE * A_WIDTH;
    }
    return (INDEX)lines * (INDEX)ld + (INDEX)beside;
}

// Where element e of that vector lies in local memory.
inline int slot_a(const int along, const int across, const int e)
{
    const int at = (A_LANE + along * A_LANES) * A_WIDTH + e;
    const int line = A_LINE + across * A_ROWS;
    return A_ALONG_K ? A_SLOT(at, line) : A_SLOT(line, at);
}

inline bool has_line_a(const int across)
{
    return !A_GUARDED || A_LINE + across * A_ROWS < A_LINES;
}

inline A_VECTOR fetch_a(const __global STORED *from, const int along, const int across,
                                    const int ld, const int inside, const int first_k)
{
    int first, last;
    const INDEX at = place_a(along, across, ld, inside, first_k, &first, &last);
    if (A_EXACT && first_k == 0) return A_READ(from + at);
    return window_a(from + at, first, last);
}

inline void stash_a(__local TILED *tile, const int along, const int across,
                          const A_VECTOR v)
{
    if (A_KEEPS_RUNS) {
        A_STORE_LOCAL(tile + slot_a(along, across, 0), v);
    } else {
        TILED each[A_WIDTH];
        A_UNPACK(each, v)
        EACH for (int e = 0; e < A_WIDTH; ++e) tile[slot_a(along, across, e)] = each[e];
    }
}

inline void copy_a(__local TILED *tile, const __global STORED *from, const int ld,
                         const int inside, const int first_k)
{
    A_LOAD_LOOP for (int across = A_ALONG_K ? 0 : A_SKIPPED(first_k);
                           across < A_ACROSS_OF(inside); ++across)
        A_LOAD_LOOP for (int along = A_ALONG_K ? A_SKIPPED(first_k) : 0;
                               along < A_ALONG_OF(inside); ++along)
            if (has_line_a(across))
                stash_a(tile, along, across,
                              fetch_a(from, along, across, ld, inside, first_k));
}
#line "clprim/gemm/load_tile.hpp"
#define HELD_A A_VECTOR held_a[A_ACROSS * A_ALONG];
#define BEGIN_A(tile, from, ld, inside, first_k) \
    begin_a(held_a, from, ld, inside, first_k);
#define END_A(tile) end_a(tile, held_a);

inline void begin_a(A_VECTOR *held, const __global STORED *from, const int ld,
                          const int inside, const int first_k)
{
    EACH for (int across = 0; across < A_ACROSS; ++across)
        EACH for (int along = 0; along < A_ALONG; ++along)
            if (has_line_a(across))
                held[across * A_ALONG + along] =
                    fetch_a(from, along, across, ld, inside, first_k);
}

inline void end_a(__local TILED *tile, const A_VECTOR *held)
{
    EACH for (int across = 0; across < A_ACROSS; ++across)
        EACH for (int along = 0; along < A_ALONG; ++along)
            if (has_line_a(across))
                stash_a(tile, along, across, held[across * A_ALONG + along]);
}
#line "clprim/gemm/load_tile.hpp"
// The tile of B: B_OUTER x TILE_K elements. A line is contiguous in global memory; it
// runs along k or along the outer direction. The work-group loads B_ROWS lines at a time:
//
//        B_LANES vectors of B_WIDTH, then again (along = 1, 2, ...)
//       +----+----+----+----+----+----+----+----+
//       |item| 1  | 2  | 3  |item| 1  | 2  | 3  |   line 0
//       | 4  | 5  | 6  | 7  | 4  | 5  | 6  | 7  |   line 1 ... then again (across = 1, 2, ...)
//
// `from` points at this item's first vector. first_k > 0 only in the first step: what lies before
// it is outside the matrix and counts as zero. Tiles at the lower or right edge are moved inside;
// only a matrix smaller than a tile is CLAMPED: its last line is read again, the products are never
// stored.
#define B_LANE ((int)((uint)get_local_id(0) % B_LANES))
#define B_LINE ((int)((uint)get_local_id(0) / B_LANES))
#define B_LINES (B_ALONG_K ? B_OUTER : TILE_K)

// From the tile's first element to this item's first vector.
#define B_OWN(ld) \
    (B_STAGED ? (long)B_LINE * (ld) + B_LANE * B_WIDTH : 0)

// A vector of which only elements first <= e < last exist.
inline B_VECTOR window_b(const __global STORED *from, const int first, const int last)
{
    if (first <= 0 && last >= B_WIDTH) return B_READ(from);
    TILED each[B_WIDTH];
    for (int e = 0; e < B_WIDTH; ++e)
        each[e] = (e >= first && e < last) ? READ_TILED(from + e) : (TILED)(0);
    return B_PACK(each);
}

// Vector (along, across) of this item: its offset from the first one, and which elements exist.
inline INDEX place_b(const int along, const int across, const int ld, const int inside,
                           const int first_k, int *first, int *last)
{
    const int begin = (B_LANE + along * B_LANES) * B_WIDTH;
    const int line = B_LINE + across * B_ROWS;
    int lines = across * B_ROWS, beside = along * B_LANES * B_WIDTH;
    if (B_ALONG_K) {
        *first = first_k - begin;
        *last = B_WIDTH;
        if (CLAMPED) lines = min(line, inside - 1) - B_LINE;
    } else {
        *first = line < first_k ? B_WIDTH : 0;
        *last = B_EXACT ? B_WIDTH : inside - begin;
        if (CLAMPED && B_EXACT)
            beside = min(begin, inside - B_WIDTH) - B_LANE * B_WIDTH;
    }
    return (INDEX)lines * (INDEX)ld + (INDEX)beside;
}

// Where element e of that vector lies in local memory.
inline int slot_b(const int along, const int across, const int e)
{
    const int at = (B_LANE + along * B_LANES) * B_WIDTH + e;
    const int line = B_LINE + across * B_ROWS;
    return B_ALONG_K ? B_SLOT(at, line) : B_SLOT(line, at);
}

inline bool has_line_b(const int across)
{
    return !B_GUARDED || B_LINE + across * B_ROWS < B_LINES;
}

inline B_VECTOR fetch_b(const __global STORED *from, const int along, const int across,
                                    const int ld, const int inside, const int first_k)
{
    int first, last;
    const INDEX at = place_b(along, across, ld, inside, first_k, &first, &last);
    if (B_EXACT && first_k == 0) return B_READ(from + at);
    return window_b(from + at, first, last);
}

inline void stash_b(__local TILED *tile, const int along, const int across,
                          const B_VECTOR v)
{
    if (B_KEEPS_RUNS) {
        B_STORE_LOCAL(tile + slot_b(along, across, 0), v);
    } else {
        TILED each[B_WIDTH];
        B_UNPACK(each, v)
        EACH for (int e = 0; e < B_WIDTH; ++e) tile[slot_b(along, across, e)] = each[e];
    }
}

inline void copy_b(__local TILED *tile, const __global STORED *from, const int ld,
                         const int inside, const int first_k)
{
    B_LOAD_LOOP for (int across = B_ALONG_K ? 0 : B_SKIPPED(first_k);
                           across < B_ACROSS_OF(inside); ++across)
        B_LOAD_LOOP for (int along = B_ALONG_K ? B_SKIPPED(first_k) : 0;
                               along < B_ALONG_OF(inside); ++along)
            if (has_line_b(across))
                stash_b(tile, along, across,
                              fetch_b(from, along, across, ld, inside, first_k));
}
#line "clprim/gemm/load_tile.hpp"
#define HELD_B B_VECTOR held_b[B_ACROSS * B_ALONG];
#define BEGIN_B(tile, from, ld, inside, first_k) \
    begin_b(held_b, from, ld, inside, first_k);
#define END_B(tile) end_b(tile, held_b);

inline void begin_b(B_VECTOR *held, const __global STORED *from, const int ld,
                          const int inside, const int first_k)
{
    EACH for (int across = 0; across < B_ACROSS; ++across)
        EACH for (int along = 0; along < B_ALONG; ++along)
            if (has_line_b(across))
                held[across * B_ALONG + along] =
                    fetch_b(from, along, across, ld, inside, first_k);
}

inline void end_b(__local TILED *tile, const B_VECTOR *held)
{
    EACH for (int across = 0; across < B_ACROSS; ++across)
        EACH for (int along = 0; along < B_ALONG; ++along)
            if (has_line_b(across))
                stash_b(tile, along, across, held[across * B_ALONG + along]);
}
#line "clprim/gemm/multiplier.hpp"
// An item's rows: runs of VECTOR_M, LANES_M * VECTOR_M apart; its columns: likewise with VECTOR_N.
#define ROW_OF(i) ((i) / VECTOR_M * LANES_M * VECTOR_M + (i) % VECTOR_M)
#define COLUMN_OF(j) ((j) * LANES_N * VECTOR_N)
#define RUNS_N (PER_ITEM_N / VECTOR_N)
#define EACH_ROW EACH for (int i = 0; i < PER_ITEM_M; ++i)
#define EACH_RUN EACH for (int j = 0; j < RUNS_N; ++j)
typedef N_VECTOR ACCUMULATOR[PER_ITEM_M][RUNS_N];
#line "generated"
#define LANE_OF(item) ((item) % (LANES_M * LANES_N))
#line "clprim/gemm/multiplier.hpp"
#define INSTRUCTION_K 1
#define BEGIN_PRODUCTS
#define END_PRODUCTS(sum)
#define BEGIN_FIRST 1  // the overlapped walk begins the next tiles before it reads fragments
typedef ELEMENT FRAGMENT_A[PER_ITEM_M];
typedef N_VECTOR FRAGMENT_B[RUNS_N];
// From a tile's first element to the fragments of an item whose first row, or column, is given.
#define A_FRAGMENT_AT(row) A_SLOT_OUTER(row)
#define B_FRAGMENT_AT(column) B_SLOT_OUTER(column)

// a[i] = A(row i of this item, k); `tile` points at the item's first row.
inline void fragment_a(ELEMENT *a, const __local TILED *tile, const int k)
{
    EACH for (int i = 0; i < PER_ITEM_M; i += VECTOR_M) {
        const M_VECTOR v = M_READ_LOCAL(tile + A_SLOT_K(k) + A_SLOT_OUTER(ROW_OF(i)));
        M_UNPACK((a + i), v)
    }
    if (CONJUGATE_A) EACH_ROW a[i] = CONJUGATE(a[i]);
}

// b[j] = B(k, run j of this item's columns)
inline void fragment_b(N_VECTOR *b, const __local TILED *tile, const int k)
{
    EACH_RUN {
        b[j] = N_READ_LOCAL(tile + B_SLOT_K(k) + B_SLOT_OUTER(COLUMN_OF(j)));
        if (CONJUGATE_B) b[j] = CONJUGATE_RUN(b[j]);
    }
}

// The same from global memory, element by element; `row`, `column`: this item's first.
inline void fragment_a_global(ELEMENT *a, const __global STORED *from, const int ld, const int row,
                              const int inside, const int k)
{
    EACH_ROW {
        const size_t line = (size_t)min(row + ROW_OF(i), inside - 1);
        a[i] = READ_ONE(from + (A_ALONG_K ? line * (size_t)ld + (size_t)k
                                          : (size_t)k * (size_t)ld + line));
        if (CONJUGATE_A) a[i] = CONJUGATE(a[i]);
    }
}

inline void fragment_b_global(N_VECTOR *b, const __global STORED *from, const int ld,
                              const int column, const int inside, const int k)
{
    EACH_RUN {
        ELEMENT each[VECTOR_N];
        EACH for (int e = 0; e < VECTOR_N; ++e) {
            const size_t line = (size_t)min(column + COLUMN_OF(j) + e, inside - 1);
            each[e] = READ_ONE(from + (B_ALONG_K ? line * (size_t)ld + (size_t)k
                                                 : (size_t)k * (size_t)ld + line));
        }
        b[j] = N_PACK(each);
        if (CONJUGATE_B) b[j] = CONJUGATE_RUN(b[j]);
    }
}

// sum[i][j] += a[i] b[j]: PER_ITEM_M * PER_ITEM_N independent sums are the instruction-level
// parallelism that hides the latency of a multiply-add.
inline void multiply_add(N_VECTOR (*sum)[RUNS_N], const ELEMENT *a, const N_VECTOR *b)
{
    EACH_ROW EACH_RUN MULTIPLY_ADD(sum[i][j], a[i], b[j])
}
#line "generated"
#define FLAT_BARRIER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define FLAT_PITCH 264
#define FLAT_WORD 8
#define FLAT_WORDS 33
#define FLAT_BITS ushort
#define FLAT_SHIFT(p) (int)((uint)(size_t)(p) / (uint)sizeof(C_STORED) & 7u)
#line "clprim/gemm/walk.hpp"
#define NEXT(slot) (STAGES == 2 ? (slot) ^ 1 : (slot) + 1 == STAGES ? 0 : (slot) + 1)
#line "clprim/gemm/walk.hpp"
#define BEGIN(into, k_begin) \
    BEGIN_A(tiles_a + (into) * A_SIZE, from_a, a_ld, inside_m, k_begin) \
    BEGIN_B(tiles_b + (into) * B_SIZE, from_b, b_ld, inside_n, k_begin) \
    COMMIT_COPIES \
    if (++step < step1) { GO_TO_STEP(step) }
#define END(into) \
    END_A(tiles_a + (into) * A_SIZE) \
    END_B(tiles_b + (into) * B_SIZE)
#define FILLING (STAGES == 2 ? stage ^ 1 : filled)
#line "clprim/gemm/kernel.hpp"
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
#line "clprim/gemm/kernel.hpp"
    EACH_TILE {
    uint tile = number, batch = 0, part = 0;
    if (BATCHED || SPLIT) {
        const uint beyond = tile / (tiles_m * tiles_n);
        tile -= beyond * tiles_m * tiles_n;
        batch = beyond / (uint)SPLITS;
        part = beyond - batch * (uint)SPLITS;
    }
#line "clprim/gemm/kernel.hpp"
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
#line "clprim/gemm/kernel.hpp"
    OWN_C
    ACCUMULATOR sum[BLOCKS_M * BLOCKS_N];
    BLOCK_LOOP for (int block = 0; block < BLOCKS_M * BLOCKS_N; ++block)
        EACH_ROW EACH_RUN sum[block][i][j] = N_ZERO;
#line "clprim/gemm/kernel.hpp"
    const int inside_m = EDGE_M - row0, inside_n = EDGE_N - column0;
    const long a_column = A_ALONG_K ? 1 : a_ld, a_row = A_ALONG_K ? a_ld : 1;
    const long b_row = B_ALONG_K ? 1 : b_ld, b_column = B_ALONG_K ? b_ld : 1;
    const long a_next = TILE_K * a_column;
    const __global STORED *from_a = a + (a_offset + A_BATCH_OFFSET + row0 * a_row + A_OWN(a_ld) +
                                         step0 * a_next - lead * a_column);
    const __global STORED *from_b = b + (b_offset + B_BATCH_OFFSET + column0 * b_column +
                                         B_OWN(b_ld) + B_FIRST);
#line "clprim/gemm/walk.hpp"
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
#line "clprim/gemm/kernel.hpp"
    for (int from = SLICES_K - 1; from > 0; --from) {
        __local ELEMENT *const shared = (__local ELEMENT *)pool + item_m * TILE_N + item_n;
#define SHARED_RUN (shared + ROW_OF(i) * TILE_N + COLUMN_OF(j))
        BARRIER;
        if (slice == from) EACH_ROW EACH_RUN N_STORE_LOCAL(SHARED_RUN, sum[0][i][j]);
        BARRIER;
        if (slice == 0) EACH_ROW EACH_RUN sum[0][i][j] += N_READ_LOCAL(SHARED_RUN);
    }
#line "clprim/gemm/kernel.hpp"
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
