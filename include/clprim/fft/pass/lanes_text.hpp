#pragma once
// OpenCL C of a pass by lanes: the frame, and the seams READ and WRITE of a block of transforms.
//
//     One work-item, V transforms side by side in the lanes of its vectors:
//
//         memory, a transform a row          work (local memory)        slot of point n
//         x0[0] x0[1] x0[2] …                re: x0[n] x1[n] … xV[n]    2 SLOT(n)
//         x1[0] x1[1] x1[2] …   tiles ->     im: x0[n] x1[n] … xV[n]    2 SLOT(n) + 1
//         …
//
//     The stages run in place: forwards by decimation in frequency (natural order in,
//     digit-reversed out), back by decimation in time (the other way round), so that nothing is
//     ever reordered; the order is undone where points are stored. Only butterflies, the turned
//     tiles and lists of lanes are emitted.

#include <clprim/core/source.hpp>

namespace clprim::fft_text {

/// What both seams name. A run of a tile lies at any address and is moved in halves: PoCL warns of
/// 16 floats that pass between functions on processors whose registers hold 8.
inline constexpr kernel_text lanes_accesses = R"cl(
#define ROW_IN(l) \
    __global const R *in##l = \
        (__global const R *)(in + in_at + min(l, here - 1) * ((long)IN_ACROSS));
#define ROW(l) ((__global R *)(out + out_at + min(l, here - 1) * ((long)OUT_ACROSS)))
#define ROW_OUT(l) __global R *out##l = ROW(l);
#define LOAD_RUN(p) (RUN)(LOAD_HALF(0, p), LOAD_HALF(1, p))
#define INSIDE(ends, place, each, points) \
    (ends == 0 ? points \
               : (int)clamp((ends - place + (each - 1)) / each, 0L, (long)points))
@!streams
#define STORE_RUN(v, p) STORE_HALF(v.lo, 0, p); STORE_HALF(v.hi, 1, p);
@streams
#define STREAM(v, p) STORE_HALF(v, 0, p)
#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#undef STREAM
#define STREAM(v, p) \
    if (((size_t)(p) & (sizeof(HALF_RUN) - 1)) == 0) \
        __builtin_nontemporal_store(v, (__global HALF_RUN *)(p)); \
    else STORE_HALF(v, 0, p)
#endif
#endif
#define STORE_RUN(v, p) STREAM(v.lo, p); STREAM(v.hi, (p) + TILE);
)cl";

/// READ: the two vectors of point n to its slot, as they are or times a factor.
inline constexpr kernel_text lanes_put = R"cl(
@!read_factor
#define PUT_PARTS(n, re, im) \
    { __local RV *to = work + 2 * SLOT_IN(n); to[0] = re; to[1] = im; }
@read_factor
#define PUT_PARTS(n, re, im) \
    { __local RV *to = work + 2 * SLOT_IN(n); \
      const R2 f = factors[IN_FACTOR + in_place + (n) * (long)IN_PLACE]; \
      to[0] = re * f.x - im * f.y; to[1] = re * f.y + im * f.x; }
)cl";

/// The frame, and in it READ, by `tiles`, `vectors` or elements. Blocks: where the block's
/// transforms begin; a tile turned, or a point of all lanes.
inline constexpr kernel_text lanes_read = R"cl(
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void fft(PARAMETERS)
{
    __local RV work[2 * SLOTS];
    TURN_MEMORY
    const long last = min((long)(get_group_id(0) + 1) * EACH, (long)BLOCKS);
    for (long block = (long)get_group_id(0) * EACH; block < last; ++block) {
    long rest = block;
    BEGINNINGS
@two_rows
@// Two rows as one transform: how large the values of each are.
    uint loud[2 * V];
    for (int l = 0; l < here; ++l) {
    const long at = in_at + l * ((long)IN_ACROSS), index = in_index + (long)l * IN_INDEX_ACROSS;
    const uint2 most = pass_row_exponents(in, at, index, BOTH(l), 0, 1 LOAD_ARGUMENTS);
    loud[2 * l] = most.x;
    loud[2 * l + 1] = most.y;
    }
@!known
    const int valid = 0;
@known
@// The points before `valid` are neither zeros nor a border's.
    const int valid = INSIDE(IN_POINTS, in_place, IN_PLACE, LENGTH);
@tiles
@// Tiles of points and lanes turned in registers, where points are neighbours.
#define TILE_ROW(l) const RUN t##l = LOAD_RUN(in##l + 2 * n);
    EACH_LANE(ROW_IN)
    for (int n = 0; n + TILE <= valid; n += TILE) {
    POINTS_OF_LANES
    }
    for (int n = valid / TILE * TILE; n < valid; ++n) PUT(n, LANES_AT(2 * n), LANES_AT(2 * n + 1))
@vectors
@// Vectors across the lanes, where transforms are neighbours and there are as many as lanes.
#define VECTOR_RUN(b, at) const RUN c##b = LOAD_RUN(from + at);
    if (here == V) {
    for (int n = 0; n < valid; ++n) {
    __global const R *from = (__global const R *)(in + in_at + n * IN_STEP);
    POINTS_OF_LANES
    }
    } else {
    EACH_LANE(ROW_IN)
    for (int n = 0; n < valid; ++n) {
    const long at = 2 * n * IN_STEP;
    PUT(n, LANES_AT(at), LANES_AT(at + 1))
    }
    }
@elements
@// Points from `valid` on one lane after the other.
    for (int n = valid; n < LENGTH; ++n) {
    __local R *to = (__local R *)(work + 2 * SLOT_IN(n));
    for (int l = 0; l < V; ++l) {
    const long o = min(l, here - 1);
    const R2 x = pass_read_point(in, in_at + o * ((long)IN_ACROSS), in_place + o * IN_PLACE_ACROSS,
                                 in_index + o * IN_INDEX_ACROSS, n,
                                 factors SCALES_ARGUMENT(o) LOAD_ARGUMENTS);
    to[l] = x.x;
    to[V + l] = x.y;
    }
    }
@zeros
    for (int n = valid; n < LENGTH; ++n) {
    __local RV *to = work + 2 * SLOT_IN(n);
    to[0] = to[1] = 0;
    }
@padded
    for (int n = LENGTH; n < POINTS; ++n) work[2 * SLOT(n)] = work[2 * SLOT(n) + 1] = 0;
)cl";

/// A stage in blocks of BLOCK points. Butterfly j has its legs BUTTERFLIES points apart, from point
/// j of a block on, and the same factors in all blocks.
inline constexpr kernel_text lanes_stage = R"cl(
    for (int j = 0; j < BUTTERFLIES; ++j) {
    FACTORS
    for (int b = 0; b < POINTS; b += BLOCK) {
    __local RV *p = work + 2 * (SLOT(b) + SLOT(j));
    BUTTERFLY
    }
    }
)cl";

/// A convolution: work *= the spectrum, in the order of the slots. Rader's first point lies in a
/// slot of its own and is added to all.
inline constexpr kernel_text lanes_product = R"cl(
@rader
    const RV x0r = work[EXTRA], x0i = work[EXTRA + 1];
    work[EXTRA] = x0r + work[0];
    work[EXTRA + 1] = x0i + work[1];
@
    for (int n = 0; n < POINTS; ++n) {
    __local RV *at = work + 2 * SLOT(n);
    const R2 f = factors[SPECTRUM + n];
    const RV re = at[0], im = at[1];
    at[0] = re * f.x - im * f.y;
    at[1] = re * f.y + im * f.x;
    }
@rader
    work[0] += x0r;
    work[1] += x0i;
)cl";

/// The factors between two passes: powers of exp(-2 pi i o / turn), o being the lane's transform:
/// k < 16, and multiples of 16. Each is one of the first lane times one of a table for the lane: a
/// power made of powers is wrong by as many roundings (2^22 points: 0.71 eps log2 N that way, 0.06
/// this way). first times k < turn. Lanes that a last block lacks do what the one before them does.
inline constexpr kernel_text lanes_turns = R"cl(
#define TURN_POWERS(at, count, times, table) \
    for (int k = 0; k < count; ++k) { \
        const long q = first * times * k; \
        const R2 a = factors[TURNS + (q & TURNS_LOW)], \
                 b = factors[TURNS + TURNS_LOW + 1 + (q >> TURNS_BITS)]; \
        const R c = a.x * b.x - a.y * b.y, s = a.x * b.y + a.y * b.x; \
        __global const R *lane = (__global const R *)(factors + table) + 2 * V * k; \
        RV re = LOAD_LANES(0, lane), im = LOAD_LANES(1, lane); \
        if (LAST_LACKS_LANES && here < V) { \
            R r[V], i[V]; \
            for (int l = 0; l < V; ++l) { \
                r[l] = lane[min(l, here - 1)]; \
                i[l] = lane[V + min(l, here - 1)]; \
            } \
            re = LOAD_LANES(0, r); \
            im = LOAD_LANES(0, i); \
        } \
        turns[at + 2 * k] = c * re - s * im; \
        turns[at + 2 * k + 1] = c * im + s * re; \
    }
)cl";

/// WRITE: the vectors of output k, a point or a value of half the spectrum of real values; then,
/// where there are such, factors, roles and scale.
inline constexpr kernel_text lanes_get = R"cl(
#define TIMES(re, im) const RV s = re * fx - im * fy; im = re * fy + im * fx; re = s;
#define GET(k, re, im) \
@!half_of_pairs
    { __local const RV *from = work + 2 * SLOT_OUT(k); re = from[0]; im = from[1]; } \
@half_of_pairs
    { const int kp = k; \
      __local const RV *a = work + 2 * SLOT_OUT((kp == LENGTH ? 0 : kp)), \
                       *b = work + 2 * SLOT_OUT((kp == 0 ? 0 : LENGTH - kp)); \
      const R2 w = factors[PAIR_ROOTS + kp]; \
      const RV sr = a[0] + b[0], si = a[1] - b[1], dr = a[0] - b[0], di = a[1] + b[1]; \
      re = ((R)0.5) * (sr + (w.x * di + w.y * dr)); \
      im = ((R)0.5) * (si - (w.x * dr - w.y * di)); } \
@turn
    { __local const RV *f1 = turns + 2 * ((k) & 15), *f2 = turns + 32 + 2 * ((k) >> 4); \
      const RV fx = f1[0] * f2[0] - f1[1] * f2[1], fy = f1[0] * f2[1] + f1[1] * f2[0]; \
      TIMES(re, im) } \
@write_factor !each_place
    { const R2 f = factors[OUT_FACTOR + out_place + (k) * (long)OUT_PLACE]; \
      const RV fx = f.x, fy = f.y; TIMES(re, im) } \
@write_factor each_place
    { R gx[V], gy[V]; \
      for (int l = 0; l < V; ++l) { \
          const long g = out_place + min(l, here - 1) * (long)OUT_PLACE_ACROSS \
                         + (k) * (long)OUT_PLACE; \
          const R2 f = g < OUT_PLACES ? factors[OUT_FACTOR + g] : (R2)(0, 0); \
          gx[l] = f.x; gy[l] = f.y; \
      } \
      const RV fx = LOAD_LANES(0, gx), fy = LOAD_LANES(0, gy); TIMES(re, im) } \
@write_swapped
    { const RV s = re; re = im; im = s; } \
@write_scaled
    re *= SCALE; im *= SCALE; \
@

)cl";

/// Outputs, those that are wanted. Block: a tile of them turned.
inline constexpr kernel_text lanes_write_tiles = R"cl(
    const int wanted = INSIDE(WANTED, out_place, OUT_PLACE, VALUES);
@tiles
@// Where the points of a transform are neighbours; what is left of a row, value by value.
#define TILE_VALUE(e) RV r##e, i##e; GET(k + e, r##e, i##e)
    EACH_LANE(ROW_OUT)
    for (int k = 0; k + TILE <= wanted; k += TILE) {
    TURNED
    }
)cl";
/// Half a spectrum of each of two rows; else value by value from WRITTEN on: vectors across the
/// lanes where transforms are neighbours and there are as many as lanes, else lane by lane: V turns
/// with a condition, since Intel's compiler for CPUs (2026.2) crashes or does not end over `here`
/// turns. The end of the frame.
inline constexpr kernel_text lanes_write = R"cl(
@half_of_rows
    for (int k = 0; k <= LENGTH / 2; ++k) {
    RV ar, ai, br, bi;
    GET(k, ar, ai)
    GET((k == 0 ? 0 : LENGTH - k), br, bi)
    R xr[V], xi[V], yr[V], yi[V];
    STORE_LANES((R)0.5 * (ar + br), 0, xr);
    STORE_LANES((R)0.5 * (ai - bi), 0, xi);
    STORE_LANES((R)0.5 * (ai + bi), 0, yr);
    STORE_LANES((R)0.5 * (br - ar), 0, yi);
    for (int l = 0; l < here; ++l) {
    const R2 un = UNSCALES(l);
    const long at = out_at + l * ((long)OUT_ACROSS), place = out_place + (long)l * OUT_PLACE_ACROSS,
               index = out_index + (long)l * OUT_INDEX_ACROSS;
    pass_write_point(out, at, place, index, k, (R2)(xr[l] * un.x, xi[l] * un.x), factors
                     STORE_ARGUMENTS);
    if (BOTH(l))
        pass_write_point(out, at + OUT_SECOND, place, index + OUT_INDEX_SECOND, k,
                         (R2)(yr[l] * un.y, yi[l] * un.y), factors STORE_ARGUMENTS);
    }
    }
@!half_of_rows
#define STORE_VECTOR(at, ...) { const RUN run = (RUN)(__VA_ARGS__); STORE_RUN(run, to + at) }
    for (int k = WRITTEN; k < wanted; ++k) {
    RV r, i;
    GET(k, r, i)
    if (VECTORS && here == V) {
    __global R *to UNUSED = (__global R *)(out + out_at + k * OUT_STEP);
    RUNS
    } else {
    R re[V], im[V];
    STORE_LANES(r, 0, re);
    STORE_LANES(i, 0, im);
    for (int l = 0; l < V; ++l) {
    if (ELEMENTS) {
        if (l < here)
        pass_write_point(out, out_at + l * ((long)OUT_ACROSS),
                         out_place + (long)l * OUT_PLACE_ACROSS,
                         out_index + (long)l * OUT_INDEX_ACROSS, k, (R2)(re[l], im[l]),
                         factors UNSCALES_ARGUMENT(l) STORE_ARGUMENTS);
    } else {
        __global R *to = ROW(l) + OUT_AT(k);
        to[0] = re[l];
        to[1] = im[l];
    }
    }
    }
    }
@
    }
}
)cl";

}  // namespace clprim::fft_text
