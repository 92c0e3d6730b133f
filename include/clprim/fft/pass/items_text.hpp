#pragma once
// OpenCL C of a pass by items: the frame, and the seams READ, EXCHANGE and WRITE of its points.
//
//     A group has TOGETHER transforms side by side, ITEMS work-items each. Item t of transform c
//     holds, in the variables x0r, x0i, x1r, …, the butterflies t, t + ITEMS, … of a stage:
//
//         memory    READ     registers   EXCHANGE   registers   WRITE    memory
//         points  -------->  radix r1  ----------->  radix r2  -------->  points
//                  in rows:   t = lid % ITEMS,    c = lid / ITEMS
//                  in columns: c = lid % TOGETHER, t = lid / TOGETHER
//
//     Which item of which transform a work-item is, is one mapping for what is read up to the
//     first exchange, and one for all that follows: rows on one side of a pass may be columns on
//     the other. Where runs of memory would be short, or points lie in no order, READ and WRITE go
//     through local memory, transform c from c PITCH on. Only butterflies and the list of what an
//     item holds are emitted, as calls of the texts that are said here.

#include <clprim/core/source.hpp>

namespace clprim::fft_text {

/// The seams, as calls that the list of what an item holds is made of.
inline constexpr kernel_text items_text = R"cl(
@// EXCHANGE, three ways: both parts of a value together in one plane, in a plane each, or one part
@// after the other through the only plane.
@exchange pairs
#define LOCAL_MEMORY __local ORDERED R2 plane[PLANE];
#define LOCAL_POINTERS __local ORDERED R2 *plane = (__local ORDERED R2 *)room;
#define PUT(at, re, im) plane[at] = (R2)(re, im);
#define GET(at, into) { const R2 p = plane[at]; into##r = p.x; into##i = p.y; }
#define VALUE(at) plane[at]
#define VALUE_RE(at) plane[at].x
#define VALUE_IM(at) plane[at].y
@exchange planes
#define LOCAL_MEMORY __local ORDERED R plane_a[PLANE]; __local ORDERED R plane_b[PLANE];
#define LOCAL_POINTERS \
    __local ORDERED R *plane_a = (__local ORDERED R *)room, *plane_b = plane_a + PLANE;
#define PUT(at, re, im) plane_a[at] = re; plane_b[at] = im;
#define VALUE(at) (R2)(plane_a[at], plane_b[at])
#define VALUE_RE(at) plane_a[at]
#define VALUE_IM(at) plane_b[at]
@exchange halves
#define LOCAL_MEMORY __local ORDERED R plane_a[PLANE];
#define LOCAL_POINTERS __local ORDERED R *plane_a = (__local ORDERED R *)room;
@!exchange
#define LOCAL_MEMORY
#define LOCAL_POINTERS
@
@// READ. A transform past the end is read as the last one, so that no branch parts the loads.
#define READ_POINT(c, n) \
    PASS_read_point(in, in_at + (long)(c) * IN_ACROSS, in_place + (long)(c) * IN_PLACE_ACROSS, \
                    in_index + (long)(c) * IN_INDEX_ACROSS, n, factors SCALES_ARGUMENT(c) \
                    LOAD_ARGUMENTS)
#define EXISTING(c) min(c, here - 1)
#define FROM(c) const int from UNUSED = EXISTING(c);
#define LOAD(into, c, n) { const R2 p = POINT(c, n); into##r = p.x; into##i = p.y; }
// One address for all points of an item, `leg` elements apart.
#define NEAR_POINTS(c, t) \
    __global const R2 *points = \
        (__global const R2 *)(in + in_at + (long)(c) * IN_ACROSS + (long)(t) * IN_STEP);
#define LOAD_NEAR(into, leg) \
    { const R2 p = points[leg]; into##r = p.RE_IN; into##i = p.IM_IN; }
// Pairs that lie as complex numbers do are read as such.
#define POINTS_ALIGNED (((size_t)points & (sizeof(R2) - 1)) == 0)
@!staged_in
#define POINT(c, n) READ_POINT(c, n)
@staged_in
#define POINT(c, n) VALUE((c) * PITCH + n)
@staged
@// READ through local memory: value number lid + `at` of the group's transforms, of `count` points
@// each, in rows or in columns; or all of them as one run of memory.
#define ROW_PLACE(at, count) \
    const int c##at = i##at / (count), n##at = i##at % (count);
#define COLUMN_PLACE(at, count) \
    const int c##at = i##at % TOGETHER, n##at = i##at / TOGETHER;
#define STAGE(at) const R2 p##at = READ_POINT(EXISTING(c##at), n##at);
#define STAGED(at) PUT(c##at * PITCH + n##at, p##at.x, p##at.y)
#define PUT_POINT(to, at) PUT(to, p##at.x, p##at.y)
#define READ_RUN \
    const long in_run = in_at + (long)lid * IN_STEP, in_run_index = in_index + (long)lid * IN_INDEX;
#define RUN_VALUE(at) R2 p##at;
#define RUN_WHOLE(at) \
    p##at = PASS_read_point(in, in_run, 0, in_run_index, at, factors LOAD_ARGUMENTS);
#define RUN_TO(at, last) \
    p##at = PASS_read_point(in, in_at, 0, in_index, min(lid + at, last), factors LOAD_ARGUMENTS);
#define WRITE_RUN \
    const long out_run = out_at + (long)lid * OUT_STEP, \
               out_run_index = out_index + (long)lid * OUT_INDEX;
#define WRITE_RUN_POINT(n, y) \
    PASS_write_point(out, out_run, 0, out_run_index, n, y, factors STORE_ARGUMENTS);
// The row, of `count` values, and the place in it of number lid + `at` of the group's values.
#define ROW_OF(at, count) \
    const int row = (int)((uint)(lid + at) / count##u), k = lid + at - row * count;
#define EACH_NUMBER(count) for (int at = 0; at < count; at += GROUP)
@rader
@// Place `place` of the table of points, read for transform `transform`: number `at` of an item.
// Item 0 has the sum of all points but the first.
#define TOTAL(re, im) \
    const R total_re = first_point.x + re, total_im = first_point.y + im; \
    const R2 add = t == 0 ? first_point : (R2)(0, 0);
#define TWO_PLACES(name, at, t) const uint name = (uint)places[at + t];
#define FIRST_POINT(c, place) R2 first_point = POINT(c, place);
#define EACH_PLACE(count) for (int at = lid; at < count; at += GROUP)
#define POINT_OF_PLACE(fetched) const int k = places[fetched + at]; if (k >= LENGTH) continue;
#define FETCH(at, transform, place) \
    const int f##at = places[place]; \
    const R2 p##at = READ_POINT(EXISTING(transform), min(f##at, LENGTH - 1));
@!direct  // the values of a butterfly times those of the spectrum
#define BUTTERFLY(name, number) const int name = number;
@!direct !own_spectra
#define SPECTRUM(f, at, butterfly) const R2 f = factors[at + butterfly];
@own_spectra
#define SPECTRUM(f, at, butterfly) const R2 f = factors[at + column * LENGTH + butterfly];
@
@// WRITE: point k of transform c, or point t + k from the item's own beginning.
#define WRITE_POINT(c, k, y) \
    PASS_write_point(out, out_at + (long)(c) * OUT_ACROSS, \
                     out_place + (long)(c) * OUT_PLACE_ACROSS, \
                     out_index + (long)(c) * OUT_INDEX_ACROSS, k, y, \
                     factors UNSCALES_ARGUMENT(c) STORE_ARGUMENTS);
#define PLACE_OF(c, k) (out_place + (long)(c) * OUT_PLACE_ACROSS + (long)(k) * OUT_PLACE)
// Points in blocks of OUT_BLOCK: the other points of an item are whole blocks away.
#define BEGIN_WRITE(here, t) \
    const long out##here = out_at + (long)c * OUT_ACROSS + (long)(t) * OUT_STEP \
                           - (long)((t) % OUT_BLOCK) * (OUT_STEP - 1), \
               out_place##here UNUSED = out_place + (long)c * OUT_PLACE_ACROSS \
                                        + (long)(t) * OUT_PLACE, \
               out_index##here = out_index + (long)c * OUT_INDEX_ACROSS + (long)(t) * OUT_INDEX;
#define WRITE_AT(here, k, y) \
    PASS_write_point(out, out##here, out_place##here, out_index##here, k, y, \
                     factors UNSCALES_ARGUMENT(c) STORE_ARGUMENTS);
#define PLACE_HERE(k) (out_place_here + (k) * (long)OUT_PLACE)
// The factor of what is stored at a place, zero where nothing is.
#define OUT_FACTOR_OF(f, place) \
    const R2 f = ((place) < OUT_PLACES ? factors[OUT_FACTOR + (place)] : (R2)(0, 0));
#define UNUSED_VALUE(re, im) (void)(re), (void)(im);
@turn
@// Factors exp(-2 pi i column k / turn) between two passes, as the product of two table entries;
@// column k < turn <= 2^30.
#define COLUMN(o) const uint column = (uint)(o);
#define TURN(name, k) \
    const uint name##p = column * (uint)(k); \
    const R2 name##a = factors[TURNS + (name##p & TURNS_LOW)], \
             name##b = factors[TURNS + TURNS_LOW + 1 + (name##p >> TURNS_BITS)];
@makes_half
@// Half the spectrum of real values, of that of their pairs, M being LENGTH: value k in general;
@// and values k and M - k together, where an item holds one and local memory the other.
#define HALF_VALUE(c, k) const R2 pw = PAIR_ROOT(k); MIRRORED_SUMS(c, k)
#define MIRRORED_SUMS(c, k) \
    const int za = (c) * PITCH + (k), zb = (c) * PITCH + LENGTH - (k); \
    const R sr = VALUE_RE(za) + VALUE_RE(zb), si = VALUE_IM(za) - VALUE_IM(zb), \
            dr = VALUE_RE(za) - VALUE_RE(zb), di = VALUE_IM(za) + VALUE_IM(zb);
#define HALF_RE ((R)0.5 * (sr + (pw.x * di + pw.y * dr)))
#define HALF_IM ((R)0.5 * (si - (pw.x * dr - pw.y * di)))
#define MIRROR(middle) const int mirror = c * PITCH + middle - t;
#define MIRRORED(e, at, re, im) \
    const R2 pw##e = factors[PAIR_ROOTS + t + (at)], b##e = VALUE(mirror - (at)); \
    const R sr##e = re + b##e.x, si##e = im - b##e.y, dr##e = re - b##e.x, di##e = im + b##e.y, \
            u##e##r = pw##e.x * di##e + pw##e.y * dr##e, \
            u##e##i = pw##e.x * dr##e - pw##e.y * di##e;
#define LOWER_RE(e) ((R)0.5 * (sr##e + u##e##r))
#define LOWER_IM(e) ((R)0.5 * (si##e - u##e##i))
#define UPPER_RE(e) ((R)0.5 * (sr##e - u##e##r))
#define UPPER_IM(e) (-(R)0.5 * (si##e + u##e##i))
@axes
@// Several axes: where value p of the stages, and value v of those that are written, stand in the
@// order of memory (axes_place); the other legs of a butterfly are neighbours along the last axis.
#define AXES_VALUE(b, p) const int value##b = c * PITCH + AXES_PLACE(p);
#define KEPT(v) (KEPT_POINT(v) + KEPT_POINT(v) / SLOWEST * AXES_GAP)
#define KEPT_POINT(v) ((v) / ROW_KEPT * ROW_POINTS + (v) % ROW_KEPT)
)cl";

/// The frame: a kernel of its own, or a function of the group's number for kernels that run several
/// passes; and what its group does. Blocks: tables in the text; where the group's transforms begin;
/// the variables, and what tables give them; the seams and stages.
inline constexpr kernel_text items_frame = R"cl(
@two_rows
@// Two rows as one transform: how large the values of each are; half a spectrum of each.
#define TELL_LOUDNESS(c, most) \
    if ((c) < here) { \
        atomic_max(loud + 2 * (c), most.x); \
        atomic_max(loud + 2 * (c) + 1, most.y); \
    }
// Of real values: when they are in registers.
#define LOUDNESS(c) uint2 most = (uint2)(0, BOTH(c) ? 0 : NO_ROW);
#define LOUDER(re, im) most = max(most, (uint2)(EXPONENT(re), EXPONENT(im)));
#define FIRST_LOUDNESS(c) \
    const uint2 first_most = (uint2)(EXPONENT(first_point.x), \
                                     BOTH(c) ? EXPONENT(first_point.y) : NO_ROW); \
    TELL_LOUDNESS(c, first_most)
#define ROW_SCALES(name, c) const R2 name = SCALES(c);
#define SCALE_ROWS(re, im, by) re = SCALED(re, by.x); im = SCALED(im, by.y);
#define TIMES_FACTOR(re, im, n) \
    { \
        const R2 f = factors[IN_FACTOR + (n)]; \
        const R x = re; \
        re = x * f.x - im * f.y; \
        im = x * f.y + im * f.x; \
    }
#define ROWS_VALUE(c, k) \
    MIRRORED_SUMS(c, k) \
    const R2 un = UNSCALES(c);
#define FIRST_HALF (R2)((R)0.5 * sr * un.x, (R)0.5 * si * un.x)
#define SECOND_HALF (R2)((R)0.5 * di * un.y, (R)-0.5 * dr * un.y)
#define WRITE_SECOND(c, k, value) \
    if (BOTH(c)) \
        PASS_write_point(out, out_at + (long)(c) * OUT_ACROSS + OUT_SECOND, \
                         out_place + (long)(c) * OUT_PLACE_ACROSS, \
                         out_index + (long)(c) * OUT_INDEX_ACROSS + OUT_INDEX_SECOND, k, value, \
                         factors STORE_ARGUMENTS);
@
CONSTANTS
@own
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void fft(PARAMETERS)
{
    LOCAL_MEMORY
@!own
__attribute__((always_inline)) inline void fft_PASS(const uint group, __local R2 *room, PARAMETERS)
{
    LOCAL_POINTERS
@two_rows own
    __local uint loud[2 * TOGETHER];
@two_rows !own
    __local uint *loud = (__local uint *)(room + ROWS_PLACE);
@own !backwards
    uint rest = (uint)get_group_id(0);
@own backwards
    uint rest = (uint)(get_num_groups(0) - 1 - get_group_id(0));
@!own
    uint rest = group;
@
    BEGINNINGS
    const int lid = get_local_id(0);
@rows_in columns_out  // while points are read, items are mapped otherwise
    const int t1 = lid % ALONG, c1 = lid / ALONG;
@!rows_in !columns_out
    const int t1 = lid / BESIDE, c1 = lid % BESIDE;
@!columns_out
    const int t = lid % ALONG, c = lid / ALONG;
@columns_out
    const int t = lid / BESIDE, c = lid % BESIDE;
@two_rows
    for (int i = lid; i < 2 * TOGETHER; i += GROUP) loud[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
@two_rows !later  // half a spectrum, read for that alone: its points have values of both rows
    if (READERS < here) {
        const uint2 most = PASS_row_exponents(in, in_at + (long)(READERS) * IN_ACROSS,
                                              in_index + (long)(READERS) * IN_INDEX_ACROSS,
                                              BOTH(READERS), READER, ITEMS LOAD_ARGUMENTS);
        TELL_LOUDNESS(READERS, most)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
@aliased !exchange !later
@// In place, and with no barrier before the stores, an item without a transform must not read the
@// points of the last one.
    if (c >= here) return;
@
    VARIABLES
    READ
    STAGES
    WRITE
}
)cl";

}  // namespace clprim::fft_text
