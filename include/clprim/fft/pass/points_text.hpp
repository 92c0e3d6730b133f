#pragma once
// OpenCL C of READ and WRITE: how one point of a pass comes from memory and goes back, and the
// frame of places that both count in. points.hpp says the facts by which their sections stand.

#include <clprim/core/source.hpp>

namespace clprim::fft_text {

// A place counts along the whole transform that several passes work on, an index through the
// caller's array without gaps. Point n of a transform lies n IN_STEP elements, n IN_PLACE places
// and n IN_INDEX indices behind its first one:
//
//     element  at             at + IN_STEP        at + 2 IN_STEP
//     place    place          place + IN_PLACE    …                  zero from IN_POINTS on
//     index    index          index + IN_INDEX    …                  what the user's function sees
//
// Of pairs of real values a point is two elements, and the steps are those of a pair.

/// An element's way from memory to the value of a point, and back: FETCH_ELEMENT and KEEP_ELEMENT
/// know how it is stored, LOADED and STORED what becomes of it by a conversion or the user's
/// function.
inline constexpr kernel_text read_element_text = R"cl(
@split half
#define FETCH_PART(p, at) vload_half(at, p)
@split !half
#define FETCH_PART(p, at) (p)[at]
@split
#define FETCH_ELEMENT(p, at) \
    (TYPE)(FETCH_PART(p, at), FETCH_PART(in_imaginary, (at) + in_further))
@!split half complex
#define FETCH_ELEMENT(p, at) vload_half2(0, (__global const half *)(p) + 2 * (at))
@!split half !complex
#define FETCH_ELEMENT(p, at) vload_half(at, (__global const half *)(p))
@past
#define FETCH_ELEMENT(p, at) as_TYPE(PASS_read((__global const RUN *)((p) + (at))))
@!split !half !past
#define FETCH_ELEMENT(p, at) (p)[at]
@user
#define LOADED(value, index) load_value(value, index ARGUMENTS)
@!user widened
#define LOADED(value, index) (VALUE)((R)value, 0)
@!user !widened
#define LOADED(value, index) convert_VALUE(value)
@
inline VALUE PASS_read_element(__global const IN *in, const long at, const long index
                               LOAD_PARAMETERS)
{
    const TYPE value = FETCH_ELEMENT(in, at);
    return LOADED(value, index);
}
)cl";
inline constexpr kernel_text write_element_text = R"cl(
@split half
#define KEEP_PART(p, at, v) vstore_half_rte(v, at, p)
@split !half
#define KEEP_PART(p, at, v) (p)[at] = v
@split
#define KEEP_ELEMENT(p, at, done) \
    KEEP_PART(p, at, done.x); KEEP_PART(out_imaginary, (at) + out_further, done.y)
@!split half complex
#define KEEP_ELEMENT(p, at, done) vstore_half2_rte(done, 0, (__global half *)(p) + 2 * (at))
@!split half !complex
#define KEEP_ELEMENT(p, at, done) vstore_half_rte(done, at, (__global half *)(p))
@past
#define KEEP_ELEMENT(p, at, done) PASS_write((__global RUN *)((p) + (at)), as_RUN(done))
@!split !half !past
#define KEEP_ELEMENT(p, at, done) (p)[at] = done
@user
#define STORED(value, index) store_value(value, index ARGUMENTS)
@!user
#define STORED(value, index) convert_TYPE(value)
@
inline void PASS_write_element(__global OUT *out, const long at, const long index,
                               const VALUE value STORE_PARAMETERS)
{
    const TYPE done = STORED(value, index);
    KEEP_ELEMENT(out, at, done);
}
)cl";

/// An input that goes on past its end by a border's rule. PASS_outside(p): the place that place p
/// reads, or -1 for zero.
inline constexpr kernel_text outside_text = R"cl(
#define BORDER(i) border_index((int)(i), IN_POINTS, BORDER_LOWER, BORDER_UPPER, 1)
inline long PASS_outside(const long p)
{
    if (p < IN_POINTS) return p;
    if (p < IN_POINTS + OUTSIDE_AFTER) return BORDER(p);
    return p >= WHOLE - OUTSIDE_BEFORE && p < WHOLE ? BORDER(p - WHOLE) : -1;
}
#define ELEMENT_AT(p) \
    PASS_read_element(in, at + ((p) - place) * (IN_STEP / IN_PLACE), \
                      index + ((p) - place) * (IN_INDEX / IN_PLACE) LOAD_ARGUMENTS)
)cl";

/// READ: point n of the transform whose first element is at `at`, by its form; and WRITE: value y
/// of point k, by its. Behind them the frame.
inline constexpr kernel_text point_text = R"cl(
@two_rows
@// Two rows x and y of real values as one transform of x + i y. Each is scaled by a power of two
@// of its own, so that its largest value is 1 to 2: beside a row that is 10^8 times as large
@// another one would be lost in that one's rounding. A row with Inf or NaN is read as zeros and
@// written as NaN. `loud` has the exponents of a group's rows, NO_EXPONENT where no number scales,
@// NO_ROW where there is no second row. SECOND_ELEMENT: of the second row.
#define SECOND_ELEMENT(n) \
    PASS_read_element(in, at + IN_SECOND + (n) * IN_STEP, \
                      index + IN_INDEX_SECOND + (n) * IN_INDEX LOAD_ARGUMENTS)
#define EXPONENT(x) ((x) == 0 ? 0 : max(1u, EXPONENT_BITS(x) & NO_EXPONENT))
#define NO_ROW (NO_EXPONENT + 1)
#define SCALE_OF(e) \
    ((e) >= NO_EXPONENT ? 0 : POWER_OF_2(NO_EXPONENT - 1 - clamp(e, 1u, NO_EXPONENT - 2)))
#define UNSCALE_OF(e) \
    ((e) == NO_ROW ? -1 : (e) == NO_EXPONENT ? (R)NAN : POWER_OF_2(min(e, NO_EXPONENT - 2)))
#define SCALES(c) (R2)(SCALE_OF(loud[2 * (c)]), SCALE_OF(loud[2 * (c) + 1]))
#define UNSCALES(c) (R2)(UNSCALE_OF(loud[2 * (c)]), UNSCALE_OF(loud[2 * (c) + 1]))
#define SCALED(x, scale) ((scale) == 0 ? (IN_VALUE)(0) : (x) * (scale))
@
#define ELEMENT(n) \
    PASS_read_element(in, at + (n) * IN_STEP, index + (n) * IN_INDEX LOAD_ARGUMENTS)
inline R2 PASS_read_point(__global const IN *in, const long at, const long place,
                          const long index, const int n, __global const R2 *factors
                          SCALES_PARAMETER LOAD_PARAMETERS)
{
@complex_points !outside
    if (IN_POINTS != 0 && place + n * (long)IN_PLACE >= IN_POINTS) return (R2)(0, 0);
    R2 x = ELEMENT((long)n);
@real_points !outside
    if (IN_POINTS != 0 && place + n * (long)IN_PLACE >= IN_POINTS) return (R2)(0, 0);
    R2 x = (R2)(ELEMENT((long)n), 0);
@real_pairs !outside  // x[2 n] and x[2 n + 1]; an input may end in the middle of a pair
    if (IN_POINTS != 0 && place + n * (long)IN_PLACE >= IN_POINTS) return (R2)(0, 0);
    const bool ends = IN_POINTS != 0 && place + n * (long)IN_PLACE + IN_PLACE / 2 >= IN_POINTS;
    const long t = at + (long)n * IN_STEP, u = index + (long)n * IN_INDEX;
    R2 x = (R2)(PASS_read_element(in, t, u LOAD_ARGUMENTS), ends ? 0 :
                PASS_read_element(in, t + IN_STEP / 2, u + IN_INDEX / 2 LOAD_ARGUMENTS));
@half_spectrum !axes
@// Point g of the whole of WHOLE points, mirrored at its middle; the imaginary parts of its ends,
@// which real values do not have, are not read.
    long g = place + n * (long)IN_PLACE, t = at + (long)n * IN_STEP, u = index + (long)n * IN_INDEX;
    if (g >= WHOLE) return (R2)(0, 0);
    const bool mirrored = 2 * g > WHOLE;
    if (mirrored) {
        t += (WHOLE - 2 * g) * (IN_STEP / IN_PLACE);
        u += (WHOLE - 2 * g) * (IN_INDEX / IN_PLACE);
        g = WHOLE - g;
    }
    R2 x = IN_POINTS == 0 || g < IN_POINTS ? PASS_read_element(in, t, u LOAD_ARGUMENTS)
                                           : (R2)(0, 0);
    if (mirrored) x.y = -x.y;
    if (g == 0 || 2 * g == WHOLE) x.y = 0;
@half_spectrum axes
@// The same of several axes in one pass: point n of row n / ROW_POINTS, or its image, whose numbers
@// along all axes are those mirrored.
    const int last = n % ROW_POINTS, row = n / ROW_POINTS;
    const bool mirrored = 2 * last > ROW_POINTS;
    const long e = (mirrored ? MIRRORED(row) : row) * (long)(ROW_POINTS / 2 + 1) +
                   (mirrored ? ROW_POINTS - last : last);
    R2 x = ELEMENT(e);
    if (mirrored) x.y = -x.y;
@spectrum_pairs
@// Half a spectrum X made into the spectrum Z of pairs, M being LENGTH:
@// Z[n] = X[n] + conj X[M - n] + i conj(w^n) (X[n] - conj X[M - n]), w = exp(-2 pi i / 2M)
    R2 a = IN_POINTS == 0 || n < IN_POINTS ? ELEMENT((long)n) : (R2)(0, 0);
    R2 b = IN_POINTS == 0 || LENGTH - n < IN_POINTS ? ELEMENT((long)(LENGTH - n)) : (R2)(0, 0);
    if (n == 0) a.y = b.y = 0;
    const R2 w = factors[PAIR_ROOTS + n];
    const R2 s = (R2)(a.x + b.x, a.y - b.y), d = (R2)(a.x - b.x, a.y + b.y);
    R2 x = (R2)(s.x - (d.y * w.x - d.x * w.y), s.y + (d.x * w.x + d.y * w.y));
@real_rows
    if (IN_POINTS != 0 && n >= IN_POINTS) return (R2)(0, 0);
    R2 x = (R2)(SCALED(ELEMENT((long)n), scales.x), SCALED(SECOND_ELEMENT((long)n), scales.y));
@spectrum_rows
    const bool mirrored = 2 * n > LENGTH;
    const long g = mirrored ? LENGTH - n : n;
    if (IN_POINTS != 0 && g >= IN_POINTS) return (R2)(0, 0);
    R2 a = SCALED(ELEMENT(g), scales.x), b = SCALED(SECOND_ELEMENT(g), scales.y);
    if (mirrored) a.y = -a.y, b.y = -b.y;
    if (g == 0 || 2 * g == LENGTH) a.y = b.y = 0;
    R2 x = (R2)(a.x - b.y, a.y + b.x);
@outside
    const long from = PASS_outside(place + n * (long)IN_PLACE);
    R2 x = 0;
    if (from >= 0) x READ_PART = ELEMENT_AT(from);
@outside real_pairs
    const long next = PASS_outside(place + n * (long)IN_PLACE + IN_PLACE / 2);
    if (next >= 0) x.y = ELEMENT_AT(next);
@read_swapped
    x = x.yx;  // real and imaginary parts change roles: the inverse transform
@read_factor !later
    const R2 f = factors[IN_FACTOR + place + n * (long)IN_PLACE];
    x = (R2)(x.x * f.x - x.y * f.y, x.x * f.y + x.y * f.x);
@
    return x;
}
@two_rows !later
@// How large the values t, t + step, … of two rows are: the largest exponents, as they stand in the
@// bits of numbers; 0 where all are zero. Imaginary parts that are not read as such do not count.
inline uint2 PASS_row_exponents(__global const IN *in, const long at, const long index,
                                const bool both, const int t, const int step LOAD_PARAMETERS)
{
    uint2 most = (uint2)(0, both ? 0 : NO_ROW);
    for (int i = 0; i < (ROW_VALUES + step - 1) / step; ++i) {
        const int n = min(t + i * step, ROW_VALUES - 1);
        const IN_VALUE x = ELEMENT((long)n);
        most.x = max(most.x, ROW_EXPONENT(x));
        if (both) {
            const IN_VALUE y = SECOND_ELEMENT((long)n);
            most.y = max(most.y, ROW_EXPONENT(y));
        }
    }
    return most;
}
@
inline void PASS_write_point(__global OUT *out, const long at, const long place,
                             const long index, const int k, R2 y, __global const R2 *factors
                             UNSCALES_PARAMETER STORE_PARAMETERS)
{
@!folded
    if (OUT_POINTS != 0 && place + k * (long)OUT_PLACE >= OUT_POINTS) return;
    const long t = at + (long)k * OUT_STEP, u = index + (long)k * OUT_INDEX;
@folded
@// Rows k1 to the middle of a matrix n1 x n2 of real values: value g = k1 + n1 k2 of the whole of
@// WHOLE points, or the conjugate of value WHOLE - g, whose row is not there unless it is this one.
    long g = place + (long)k * OUT_PLACE, t = at + (long)k * OUT_STEP,
         u = index + (long)k * OUT_INDEX;
    if (2 * g > WHOLE) {
        const int row = (int)(g % OUT_FOLD);
        if (row == 0 || 2 * row == OUT_FOLD) return;
        t += (WHOLE - 2 * g) * (OUT_STEP / OUT_PLACE);
        u += (WHOLE - 2 * g) * (OUT_INDEX / OUT_PLACE);
        g = WHOLE - g;
        y.FOLDED_PART = -y.FOLDED_PART;
    }
    if (OUT_POINTS != 0 && g >= OUT_POINTS) return;
@!to_reals !to_pairs !to_rows
    PASS_write_element(out, t, u, y STORE_ARGUMENTS);
@to_reals
    PASS_write_element(out, t, u, y.x STORE_ARGUMENTS);
@to_pairs
    PASS_write_element(out, t, u, y.x STORE_ARGUMENTS);
    if (OUT_POINTS != 0 && place + k * (long)OUT_PLACE + OUT_PLACE / 2 >= OUT_POINTS) return;
    PASS_write_element(out, t + OUT_STEP / 2, u + OUT_INDEX / 2, y.y STORE_ARGUMENTS);
@to_rows
    PASS_write_element(out, t, u, y.x * unscales.x STORE_ARGUMENTS);
    if (!(unscales.y < 0))
        PASS_write_element(out, t + OUT_SECOND, u + OUT_INDEX_SECOND,
                           y.y * unscales.y STORE_ARGUMENTS);
@
}
@// The frame: the parameters of every kernel; where the group, or block, `rest` begins: LOCATE and,
@// for each axis beside the points, MOVE. `here` are the transforms of the first axis that there
@// are.
#define UNUSED __attribute__((unused))
#define PARAMETERS \
    __global const IN *RESTRICT in, const long in_offset, __global OUT *RESTRICT out, \
    const long out_offset, __global const R2 *restrict factors, \
    __global const int *restrict places, const long extent LOAD_PARAMETERS STORE_PARAMETERS
#define LOCATE \
    long in_at UNUSED = in_offset, out_at UNUSED = out_offset; \
    long in_place UNUSED = 0, out_place UNUSED = 0, in_index UNUSED = 0, out_index UNUSED = 0;
#define AXIS(o, number) const long o = (long)number;
#define NEXT_AXIS(extent) rest /= extent;
#define MOVE(o, step_in, step_out, place_in, place_out, index_in, index_out) \
    in_at += (o) * (step_in); out_at += (o) * (step_out); \
    in_place += (o) * (place_in); out_place += (o) * (place_out); \
    in_index += (o) * (index_in); out_index += (o) * (index_out);
#define HERE(block, extent) const int here = (int)min((long)block, extent - first);
)cl";

}  // namespace clprim::fft_text
