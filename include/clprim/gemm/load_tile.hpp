#pragma once
// OpenCL C of GEMM, first seam: a tile of A or B from global to local memory.
// Instanced for A (OUTER = m) and B (OUTER = n): the word OPERAND is replaced.

#include <clprim/core/source.hpp>

namespace clprim::gemm_text {

/// Global memory -> registers -> local memory, vector by vector.
inline constexpr kernel_text load_tile = R"cl(
// The tile of OPERAND: OPERAND_OUTER x TILE_K elements. A line is contiguous in global memory; it
// runs along k or along the outer direction. The work-group loads OPERAND_ROWS lines at a time:
//
//        OPERAND_LANES vectors of OPERAND_WIDTH, then again (along = 1, 2, ...)
//       +----+----+----+----+----+----+----+----+
//       |item| 1  | 2  | 3  |item| 1  | 2  | 3  |   line 0
//       | 4  | 5  | 6  | 7  | 4  | 5  | 6  | 7  |   line 1 ... then again (across = 1, 2, ...)
//
// `from` points at this item's first vector. first_k > 0 only in the first step: what lies before
// it is outside the matrix and counts as zero. Tiles at the lower or right edge are moved inside;
// only a matrix smaller than a tile is CLAMPED: its last line is read again, the products are never
// stored.
#define OPERAND_LANE ((int)((uint)get_local_id(0) % OPERAND_LANES))
#define OPERAND_LINE ((int)((uint)get_local_id(0) / OPERAND_LANES))
#define OPERAND_LINES (OPERAND_ALONG_K ? OPERAND_OUTER : TILE_K)

// From the tile's first element to this item's first vector.
#define OPERAND_OWN(ld) \
    (OPERAND_STAGED ? (long)OPERAND_LINE * (ld) + OPERAND_LANE * OPERAND_WIDTH : 0)

// A vector of which only elements first <= e < last exist.
inline OPERAND_VECTOR window_operand(const __global STORED *from, const int first, const int last)
{
    if (first <= 0 && last >= OPERAND_WIDTH) return OPERAND_READ(from);
    TILED each[OPERAND_WIDTH];
    for (int e = 0; e < OPERAND_WIDTH; ++e)
        each[e] = (e >= first && e < last) ? READ_TILED(from + e) : (TILED)(0);
    return OPERAND_PACK(each);
}

// Vector (along, across) of this item: its offset from the first one, and which elements exist.
inline INDEX place_operand(const int along, const int across, const int ld, const int inside,
                           const int first_k, int *first, int *last)
{
    const int begin = (OPERAND_LANE + along * OPERAND_LANES) * OPERAND_WIDTH;
    const int line = OPERAND_LINE + across * OPERAND_ROWS;
    int lines = across * OPERAND_ROWS, beside = along * OPERAND_LANES * OPERAND_WIDTH;
    if (OPERAND_ALONG_K) {
        *first = first_k - begin;
        *last = OPERAND_WIDTH;
        if (CLAMPED) lines = min(line, inside - 1) - OPERAND_LINE;
    } else {
        *first = line < first_k ? OPERAND_WIDTH : 0;
        *last = OPERAND_EXACT ? OPERAND_WIDTH : inside - begin;
        if (CLAMPED && OPERAND_EXACT)
            beside = min(begin, inside - OPERAND_WIDTH) - OPERAND_LANE * OPERAND_WIDTH;
    }
    return (INDEX)lines * (INDEX)ld + (INDEX)beside;
}

// Where element e of that vector lies in local memory.
inline int slot_operand(const int along, const int across, const int e)
{
    const int at = (OPERAND_LANE + along * OPERAND_LANES) * OPERAND_WIDTH + e;
    const int line = OPERAND_LINE + across * OPERAND_ROWS;
    return OPERAND_ALONG_K ? OPERAND_SLOT(at, line) : OPERAND_SLOT(line, at);
}

inline bool has_line_operand(const int across)
{
    return !OPERAND_GUARDED || OPERAND_LINE + across * OPERAND_ROWS < OPERAND_LINES;
}

inline OPERAND_VECTOR fetch_operand(const __global STORED *from, const int along, const int across,
                                    const int ld, const int inside, const int first_k)
{
    int first, last;
    const INDEX at = place_operand(along, across, ld, inside, first_k, &first, &last);
    if (OPERAND_EXACT && first_k == 0) return OPERAND_READ(from + at);
    return window_operand(from + at, first, last);
}

inline void stash_operand(__local TILED *tile, const int along, const int across,
                          const OPERAND_VECTOR v)
{
    if (OPERAND_KEEPS_RUNS) {
        OPERAND_STORE_LOCAL(tile + slot_operand(along, across, 0), v);
    } else {
        TILED each[OPERAND_WIDTH];
        OPERAND_UNPACK(each, v)
        EACH for (int e = 0; e < OPERAND_WIDTH; ++e) tile[slot_operand(along, across, e)] = each[e];
    }
}

inline void copy_operand(__local TILED *tile, const __global STORED *from, const int ld,
                         const int inside, const int first_k)
{
    OPERAND_LOAD_LOOP for (int across = OPERAND_ALONG_K ? 0 : OPERAND_SKIPPED(first_k);
                           across < OPERAND_ACROSS_OF(inside); ++across)
        OPERAND_LOAD_LOOP for (int along = OPERAND_ALONG_K ? OPERAND_SKIPPED(first_k) : 0;
                               along < OPERAND_ALONG_OF(inside); ++along)
            if (has_line_operand(across))
                stash_operand(tile, along, across,
                              fetch_operand(from, along, across, ld, inside, first_k));
}
)cl";

/// The same in two halves, so that a multiplication fits between them: BEGIN starts the loads of a
/// tile and END sees them to local memory (buffering::registers).
inline constexpr kernel_text load_tile_by_registers = R"cl(
#define HELD_OPERAND OPERAND_VECTOR held_operand[OPERAND_ACROSS * OPERAND_ALONG];
#define BEGIN_OPERAND(tile, from, ld, inside, first_k) \
    begin_operand(held_operand, from, ld, inside, first_k);
#define END_OPERAND(tile) end_operand(tile, held_operand);

inline void begin_operand(OPERAND_VECTOR *held, const __global STORED *from, const int ld,
                          const int inside, const int first_k)
{
    EACH for (int across = 0; across < OPERAND_ACROSS; ++across)
        EACH for (int along = 0; along < OPERAND_ALONG; ++along)
            if (has_line_operand(across))
                held[across * OPERAND_ALONG + along] =
                    fetch_operand(from, along, across, ld, inside, first_k);
}

inline void end_operand(__local TILED *tile, const OPERAND_VECTOR *held)
{
    EACH for (int across = 0; across < OPERAND_ACROSS; ++across)
        EACH for (int along = 0; along < OPERAND_ALONG; ++along)
            if (has_line_operand(across))
                stash_operand(tile, along, across, held[across * OPERAND_ALONG + along]);
}
)cl";

/// The same without registers in between: PTX ISA, cp.async, which fills with zeros what lies
/// beyond the source size (buffering::async, for an operand that lies in local memory as it does in
/// global memory).
inline constexpr kernel_text load_tile_async = R"cl(
#define HELD_OPERAND
#define BEGIN_OPERAND(tile, from, ld, inside, first_k) \
    begin_operand(tile, from, ld, inside, first_k);
#define END_OPERAND(tile)

// Whether vector (along, across) of this item is part of the matrix. What is not counts as zero,
// for copies of one place to many go one after the other (H200, us: 11821 x 33 x 192 of float by
// 32 x 64 x 16 23.6, so 13.3; 339 x 7 x 512 of double in 584 by 64 x 16 x 32 350, so 273).
inline int is_inside_operand(const int along, const int across, const int inside)
{
    return !CLAMPED ||
           (OPERAND_ALONG_K ? OPERAND_LINE + across * OPERAND_ROWS
                            : (OPERAND_LANE + along * OPERAND_LANES) * OPERAND_WIDTH) < inside;
}

inline void begin_operand(__local TILED *tile, const __global STORED *from, const int ld,
                          const int inside, const int first_k)
{
    EACH for (int across = 0; across < OPERAND_ACROSS; ++across)
        EACH for (int along = 0; along < OPERAND_ALONG; ++along)
            if (has_line_operand(across)) {
                int first, last;
                const INDEX at = place_operand(along, across, ld, inside, first_k, &first, &last);
                copy_run_operand(tile + slot_operand(along, across, 0), from + at,
                                 first_k == 0 && !CLAMPED,
                                 (first_k == 0 || first < OPERAND_WIDTH) &&
                                     is_inside_operand(along, across, inside));
            }
}
)cl";

}  // namespace clprim::gemm_text
