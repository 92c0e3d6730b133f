#pragma once
// OpenCL C of GEMM, first seam: tiles of A and B by bulk tensor copies of NVIDIA's compute
// capability 9.0, for which a warp-group asks while the others multiply.

#include <clprim/core/source.hpp>

namespace clprim::gemm_text {

/// What both operands share. PTX ISA: "mbarrier", "cp.async.bulk.tensor", "tensormap.replace",
/// "Tensor-map". Lines that begin with //@ are hidden from the driver's compiler
/// (runtime/hidden_instructions.hpp).
inline constexpr kernel_text bulk_copies = R"cl(
// One of the items that fetch, `slice` 1, asks for the tiles of stage after stage; the unit for
// bulk copies needs to be told only which box of a matrix is wanted. Barriers in local memory:
//
//     THERE(s)   the tiles of stage s have arrived: counts their bytes
//     LEFT(s)    the warp-groups that multiply are done with them; nobody waits for LEFT(STAGES)
//
#define THERE(s) (barriers + (s))
#define LEFT(s) (barriers + STAGES + (s))
#define ADDRESS(of) ((uint)(size_t)(of))
#define READERS (ITEMS_M * ITEMS_N / 128)

inline void begin_barrier(const __local ulong *barrier, const uint arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                 :: "r"(ADDRESS(barrier)), "r"(arrivals) : "memory");
}

inline void arrive(const __local ulong *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(ADDRESS(barrier)) : "memory");
}

inline void arrive_with_bytes(const __local ulong *barrier, const uint bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(ADDRESS(barrier)), "r"(bytes) : "memory");
}

inline void await_phase(const __local ulong *barrier, const uint phase)
{
    asm volatile("{ .reg .pred done; TRY: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; "
                 "@done bra DONE; bra TRY; DONE: }"
                 :: "r"(ADDRESS(barrier)), "r"(phase) : "memory");
}

// An operand for the unit: `matrices` matrices of `lines` lines of `length` elements, of which a
// box of 1 x `box` x 128 bytes is copied at a time; what lies outside is zeros. 32 items make it
// in local memory and publish it where the unit reads it, after whoever asks has acquired it.
#define SET_FIELD(field, type, letter, value) \
    asm volatile("//@tensormap.replace.tile." field ".shared::cta.b1024." type " [%0], %1;" \
                 :: "l"(at), letter(value) : "memory");
#define SET_AXIS(field, axis, type, letter, value) \
    asm volatile("//@tensormap.replace.tile." field ".shared::cta.b1024." type " [%0], " axis \
                 ", %1;" :: "l"(at), letter(value) : "memory");
#define SET_KIND(field, kind) \
    asm volatile("//@tensormap.replace.tile." field ".shared::cta.b1024.b32 [%0], " kind ";" \
                 :: "l"(at) : "memory");
inline void describe(__local uint *words, const __global uint *map, const ulong first,
                     const uint length, const uint lines, const uint matrices,
                     const ulong line_bytes, const ulong matrix_bytes, const uint box)
{
    const ulong at = (ulong)(size_t)words;
    const int own = (int)get_local_id(0) % 32;
    words[own] = 0;
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
    if (own == 0) {
        SET_FIELD("global_address", "b64", "l", first)
        SET_FIELD("rank", "b32", "r", 2)
        SET_AXIS("box_dim", "0", "b32", "r", 128 / (uint)sizeof(TILED))
        SET_AXIS("box_dim", "1", "b32", "r", box)
        SET_AXIS("box_dim", "2", "b32", "r", 1)
        SET_AXIS("global_dim", "0", "b32", "r", length)
        SET_AXIS("global_dim", "1", "b32", "r", lines)
        SET_AXIS("global_dim", "2", "b32", "r", matrices)
        SET_AXIS("global_stride", "0", "b64", "l", line_bytes)
        SET_AXIS("global_stride", "1", "b64", "l", matrix_bytes)
        SET_AXIS("element_stride", "0", "b32", "r", 1)
        SET_AXIS("element_stride", "1", "b32", "r", 1)
        SET_AXIS("element_stride", "2", "b32", "r", 1)
        SET_KIND("elemtype", BULK_ELEMENT)
        SET_KIND("interleave_layout", "0")
        SET_KIND("swizzle_mode", "3")
        SET_KIND("fill_mode", "0")
    }
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
    asm volatile("//@tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync"
                 ".aligned [%0], [%1], 128;" :: "l"(map), "r"(ADDRESS(words)) : "memory");
}

inline void acquire_map(const __global uint *map)
{
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" :: "l"(map) : "memory");
}

inline void copy_box(__local TILED *to, const __global uint *map, const int x, const int line,
                     const int matrix, const __local ulong *there)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4}], [%5];"
                 :: "r"(ADDRESS(to)), "l"(map), "r"(x), "r"(line), "r"(matrix),
                    "r"(ADDRESS(there)) : "memory");
}
)cl";

/// A tile. Instanced for A (OUTER = m) and B (OUTER = n): the word OPERAND is replaced.
inline constexpr kernel_text load_tile_bulk = R"cl(
// Elements outer0 ... of OPERAND from k0 on, as lines along k or as panels across it.
inline void fetch_operand(__local TILED *tile, const __global uint *map, const int k0,
                          const int outer0, const int matrix, const __local ulong *there)
{
    if (OPERAND_ALONG_K) {
        copy_box(tile, map, k0, outer0, matrix, there);
    } else {
        EACH for (int panel = 0; panel < OPERAND_OUTER; panel += OPERAND_PANEL)
            copy_box(tile + panel * TILE_K, map, outer0 + panel, k0, matrix, there);
    }
}

// `first`: the operand's first element; zeros that a copy has before it belong to the matrix.
inline void describe_operand(__local uint *words, const __global uint *map,
                             const __global STORED *first, const int ld, const int outer,
                             const int k, const long stride, const uint matrices)
{
    const uint inner = (uint)(OPERAND_LENGTH), lines = (uint)(OPERAND_LINES);
    const ulong line_bytes = (ulong)ld * sizeof(TILED);
    describe(words, map, (ulong)(first - OPERAND_BEFORE(k)), inner, lines,
             stride == 0 ? 1 : matrices, line_bytes,
             stride == 0 ? line_bytes : (ulong)stride * sizeof(TILED),
             OPERAND_BOX);
}
)cl";

/// The roles, before a group's first tile. Each has a loop over tiles of its own: in one for both,
/// items that multiply had more registers, and products took longer (H200, 2026-11-29, us, 4096
/// cubed: int8 96.0, so 93.6; half 182.9, so 178.7).
inline constexpr kernel_text bulk_roles = R"cl(
    const __global uint *const maps_of_group = maps + maps_offset + get_group_id(0) * 64;
    if (get_local_id(0) == 0) {
        EACH for (int s = 0; s < STAGES; ++s) {
            begin_barrier(THERE(s), 1);
            begin_barrier(LEFT(s), READERS);
        }
        begin_barrier(LEFT(STAGES), READERS);
        BEGIN_BLOCKS
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    const uint matrices = BATCHED ? tiles / (tiles_m * tiles_n * (uint)SPLITS) : 1;
    if (slice > 0 && item < 32)
        describe_a(map_words, maps_of_group, a + a_offset, a_ld, EDGE_M, k, A_STRIDE, matrices);
    if (slice > 0 && item / 32 == (FETCHERS > 32 ? 1 : 0))
        describe_b(map_words + 32, maps_of_group + 32, b + b_offset, b_ld, EDGE_N, k, B_STRIDE,
                   matrices);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (slice > 0 && item == 0) {
        acquire_map(maps_of_group);
        acquire_map(maps_of_group + 32);
    }
    int stage = 0;   // that is read or filled
    uint phase = 0;  // of its barriers
    BLOCK_STATE
    if (slice > 0) {
        GIVE_REGISTERS
        if (item > 0) return;
)cl";

/// What the item that asks does in a tile, and where its part ends.
inline constexpr kernel_text bulk_requests = R"cl(
        for (int step = step0; step < step1; ++step) {
            await_phase(LEFT(stage), phase ^ 1);
            REQUEST_BLOCK
            arrive_with_bytes(THERE(stage), REQUESTED * TILE_K * (uint)sizeof(TILED));
            fetch_a(tiles_a + stage * A_SIZE, maps_of_group, A_PLACE, row0,
                    A_STRIDE == 0 ? 0 : (int)batch, THERE(stage));
            REQUEST_B
            TURN_STAGE
        }
    }
    return;
    }
    TAKE_REGISTERS
    int before = STAGES;  // the stage before `stage`
)cl";

/// The moves of both roles. A reader leaves a stage one step later, when its products have ended.
inline constexpr kernel_text bulk_moves = R"cl(
#define TURN_STAGE \
    stage = NEXT(stage); \
    if (stage == 0) phase ^= 1; \
    TURN_TAP
#define LEAVE_BEFORE \
    if (item % 128 == 0) arrive(LEFT(before));
#define BEGIN_WALK
#define AWAIT_TILES \
    AWAIT_BLOCK \
    await_phase(THERE(stage), phase);
#define BEGIN_NEXT
#define END_NEXT \
    LEAVE_BEFORE \
    LEAVE_BLOCK \
    before = stage; \
    TURN_STAGE
#define END_WALK \
    LEAVE_BEFORE \
    LEAVE_LAST_BLOCK \
    before = STAGES;
)cl";

/// Where both operands come stage by stage.
inline constexpr kernel_text bulk_stages = R"cl(
#define REQUESTED (TILE_M + TILE_N)
#define REQUEST_B \
    fetch_b(tiles_b + stage * B_SIZE, maps_of_group + 32, B_PLACE, B_LINE, \
            B_STRIDE == 0 ? 0 : (int)batch, THERE(stage));
#define READ_B (read_b + stage * B_SIZE)
#define BLOCK_STATE
#define BEGIN_BLOCKS
#define REQUEST_BLOCK
#define AWAIT_BLOCK
#define LEAVE_BLOCK
#define LEAVE_LAST_BLOCK
#define TURN_TAP
)cl";

}  // namespace clprim::gemm_text
