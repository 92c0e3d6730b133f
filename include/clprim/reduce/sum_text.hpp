#pragma once
// OpenCL C of the operators that add and multiply. Every `take` text is instantiated twice: SHAPE
// `state` for one value (V is the arithmetic type, K long) and SHAPE `run` for the VECTOR values of
// one load (V and K are vectors, K with lanes as wide as V's, so that a comparison can choose
// between either; V holds twice as many numbers where they are complex). X is what is taken: V, or
// pairs of it. P is the number of the part.
//
//     begin_SHAPE_P()                     the state of nothing
//     take_SHAPE_P(s, x, at)              a value at index `at` more; of a run one per lane
//     one_P(x, at)                        the state of one value
//     lane_P(&r, j, first, stride, some)  lane j of a run as a state: what was taken `at` a step
//                                         has the index first + at * stride; `some`: there was one.
//                                         By pointer: Intel's compiler for CPUs (2026.2) loses the
//                                         last member of a run of 12 bytes that is given by value
//     merge_P(a, b)                       the state of both
//     put_P(out, s, n)                    stores the result of n elements
//
// COUNTED(text) is text where NaN is ignored by an operator that divides by how many numbers there
// were; elsewhere it is nothing.

#include <clprim/core/source.hpp>

namespace clprim::reduce_text {

/// one_P of most operators.
inline constexpr kernel_text one_by_take = R"cl(
inline state_P one_P(X x, long at)
{
    state_P s = begin_state_P();
    take_state_P(&s, x, at);
    return s;
}
)cl";

inline constexpr kernel_text take_sum = R"cl(
typedef struct { V sum; COUNTED(K n;) } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void)
{
    SHAPE_P s;
    s.sum = (V)(0);
    COUNTED(s.n = (K)(0);)
    return s;
}
inline void take_SHAPE_P(SHAPE_P *s, X x, K at)
{
    s->sum += NUMBER(x, (V)(0));
    COUNTED(s->n TRUTH= COUNTS(x);)
}
)cl";
inline constexpr kernel_text merge_sum = R"cl(
inline state_P lane_P(const run_P *r, int j, long first, long stride, int some)
{
    state_P s;
    s.sum = LANE_P(r->sum, j);
    COUNTED(s.n = LANE_OF_COUNTS(r->n, j);)
    return s;
}
inline state_P merge_P(state_P a, state_P b)
{
    a.sum += b.sum;
    COUNTED(a.n += b.n;)
    return a;
}
inline void put_P(__global result_P *out, state_P s, long n)
{
    COUNTED(n = s.n;)
    PUT_P(*out, LEAVE(s.sum, n));
}
)cl";

inline constexpr kernel_text take_product = R"cl(
typedef struct { V product; } SHAPE_P;
inline V times_SHAPE_P(V a, V b) { return a * b; }
inline SHAPE_P begin_SHAPE_P(void) { SHAPE_P s; s.product = (V)(1); return s; }
inline void take_SHAPE_P(SHAPE_P *s, X x, K at) { s->product *= NUMBER(x, (V)(1)); }
)cl";
inline constexpr kernel_text take_complex_product = R"cl(
typedef struct { V product; } SHAPE_P;
inline V times_SHAPE_P(V a, V b)
{
    V r;
    r.even = a.even * b.even - a.odd * b.odd;
    r.odd = a.even * b.odd + a.odd * b.even;
    return r;
}
inline SHAPE_P begin_SHAPE_P(void)
{
    SHAPE_P s;
    s.product.even = 1;
    s.product.odd = 0;
    return s;
}
inline void take_SHAPE_P(SHAPE_P *s, X x, K at) { s->product = times_SHAPE_P(s->product, x); }
)cl";
inline constexpr kernel_text merge_product = R"cl(
inline state_P lane_P(const run_P *r, int j, long first, long stride, int some)
{
    state_P s;
    s.product = LANE_P(r->product, j);
    return s;
}
inline state_P merge_P(state_P a, state_P b)
{
    a.product = times_state_P(a.product, b.product);
    return a;
}
inline void put_P(__global result_P *out, state_P s, long n) { PUT_P(*out, s.product); }
)cl";

// TwoSum (Knuth): the rounding error of a + b is itself a number. Summing these errors plainly
// makes the sum as good as in twice the precision, rounded once (Ogita, Rump and Oishi 2005).
inline constexpr kernel_text take_compensated_sum = R"cl(
typedef struct { V sum; V error; COUNTED(K n;) } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void)
{
    SHAPE_P s;
    s.sum = s.error = (V)(0);
    COUNTED(s.n = (K)(0);)
    return s;
}
inline void take_SHAPE_P(SHAPE_P *s, X x, K at)
{
    const V y = NUMBER(x, (V)(0)), sum = s->sum + y, of_y = sum - s->sum;
    s->error += (s->sum - (sum - of_y)) + (y - of_y);
    s->sum = sum;
    COUNTED(s->n TRUTH= COUNTS(x);)
}
)cl";
// The same of products: the rounding error of a b is fma(a, b, -ab).
inline constexpr kernel_text take_compensated_dot = R"cl(
typedef struct { V sum; V error; } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void) { SHAPE_P s; s.sum = s.error = (V)(0); return s; }
inline void take_SHAPE_P(SHAPE_P *s, X x, K at)
{
    const V xy = x.a * x.b, rest = fma(x.a, x.b, -xy), y = NUMBER(xy, (V)(0));
    const V sum = s->sum + y, of_y = sum - s->sum;
    s->error += (s->sum - (sum - of_y)) + (y - of_y) + NUMBER(rest, (V)(0));
    s->sum = sum;
}
)cl";
inline constexpr kernel_text merge_compensated_sum = R"cl(
inline state_P lane_P(const run_P *r, int j, long first, long stride, int some)
{
    state_P s;
    s.sum = LANE_P(r->sum, j);
    s.error = LANE_P(r->error, j);
    COUNTED(s.n = LANE_OF_COUNTS(r->n, j);)
    return s;
}
inline state_P merge_P(state_P a, state_P b)
{
    const VALUE sum = a.sum + b.sum, of_b = sum - a.sum;
    a.error += b.error + ((a.sum - (sum - of_b)) + (b.sum - of_b));
    a.sum = sum;
    COUNTED(a.n += b.n;)
    return a;
}
inline void put_P(__global result_P *out, state_P s, long n)
{
    COUNTED(n = s.n;)
    const VALUE sum = isfinite(s.sum) ? s.sum + s.error : s.sum;  // of infinity the error is NaN
    PUT_P(*out, LEAVE(sum, n));
}
)cl";

// Welford's update; the lanes of a run have seen equally many values, so there is one division.
inline constexpr kernel_text take_variance = R"cl(
typedef struct { V mean; V squares; long n; } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void)
{
    SHAPE_P s;
    s.mean = s.squares = (V)(0);
    s.n = 0;
    return s;
}
inline void take_SHAPE_P(SHAPE_P *s, X x, K at)
{
    const V away = x - s->mean;
    s->n += 1;
    s->mean += away * (V)(1 / (VALUE)s->n);
    s->squares += away * (x - s->mean);
}
)cl";
// Without NaN: a lane counts for itself, and NaN lies where the mean is, which changes nothing.
inline constexpr kernel_text take_counted_variance = R"cl(
typedef struct { V mean; V squares; K n; } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void)
{
    SHAPE_P s;
    s.mean = s.squares = (V)(0);
    s.n = (K)(0);
    return s;
}
inline void take_SHAPE_P(SHAPE_P *s, X x, K at)
{
    const V y = NUMBER(x, s->mean), away = y - s->mean;
    s->n TRUTH= COUNTS(x);
    s->mean += away / convert_V(max(s->n, (K)(1)));
    s->squares += away * (y - s->mean);
}
)cl";
inline constexpr kernel_text merge_variance = R"cl(
inline state_P lane_P(const run_P *r, int j, long first, long stride, int some)
{
    state_P s;
    s.mean = LANE_P(r->mean, j);
    s.squares = LANE_P(r->squares, j);
    s.n = LANE_OF_COUNTS(r->n, j);
    return s;
}
inline state_P merge_P(state_P a, state_P b)  // Chan, Golub and LeVeque 1979
{
    const long n = a.n + b.n;
    const VALUE away = b.mean - a.mean, share = n == 0 ? (VALUE)0 : (VALUE)b.n / (VALUE)n;
    a.squares = a.n == 0 ? b.squares
              : b.n == 0 ? a.squares
                         : a.squares + b.squares + away * away * ((VALUE)a.n * share);
    a.mean = a.n == 0 ? b.mean : b.n == 0 ? a.mean : a.mean + away * share;
    a.n = n;
    return a;
}
inline void put_P(__global result_P *out, state_P s, long n)
{
    out->mean = s.n == 0 ? (VALUE)NAN : s.mean;
    out->variance = s.squares / (VALUE)s.n;
}
)cl";

}  // namespace clprim::reduce_text
