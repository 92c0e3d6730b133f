#pragma once
// OpenCL C of the operators. Every text is instantiated twice: SHAPE `state` for one value (V is
// the arithmetic type, K long) and SHAPE `run` for the VECTOR values of one load (V and K are
// vectors, K with lanes as wide as V's, so that a comparison can choose between either). P is the
// number of the part.
//
//     begin_SHAPE_P()               the state of nothing
//     take_SHAPE_P(s, x, at)        a value at index `at` more; of a run one per lane at step `at`
//     lane_P(r, j, first, stride)   lane j as a state: step `at` has index first + at * stride
//     merge_P(a, b)                 the state of both
//     finish_P(s, n)                what is stored, of n elements

#include <clprim/core/source.hpp>

namespace clprim::reduce_text {

inline constexpr kernel_text take_sum = R"cl(
typedef struct { V sum; } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void) { SHAPE_P s; s.sum = (V)(0); return s; }
inline void take_SHAPE_P(SHAPE_P *s, V x, K at) { s->sum += NUMBER(x, (V)(0)); }
)cl";
inline constexpr kernel_text merge_sum = R"cl(
inline state_P lane_P(run_P r, int j, long first, long stride)
{
    state_P s;
    s.sum = LANE_P(r.sum, j);
    return s;
}
inline state_P merge_P(state_P a, state_P b) { a.sum += b.sum; return a; }
inline result_P finish_P(state_P s, long n) { return (result_P)LEAVE(s.sum, n); }
)cl";

inline constexpr kernel_text take_product = R"cl(
typedef struct { V product; } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void) { SHAPE_P s; s.product = (V)(1); return s; }
inline void take_SHAPE_P(SHAPE_P *s, V x, K at) { s->product *= NUMBER(x, (V)(1)); }
)cl";
inline constexpr kernel_text merge_product = R"cl(
inline state_P lane_P(run_P r, int j, long first, long stride)
{
    state_P s;
    s.product = LANE_P(r.product, j);
    return s;
}
inline state_P merge_P(state_P a, state_P b) { a.product *= b.product; return a; }
inline result_P finish_P(state_P s, long n) { return s.product; }
)cl";

// TwoSum (Knuth): the rounding error of a + b is itself a number. Summing these errors plainly
// makes the sum as good as in twice the precision, rounded once (Ogita, Rump and Oishi 2005).
inline constexpr kernel_text take_compensated_sum = R"cl(
typedef struct { V sum; V error; } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void) { SHAPE_P s; s.sum = s.error = (V)(0); return s; }
inline void take_SHAPE_P(SHAPE_P *s, V x, K at)
{
    const V y = NUMBER(x, (V)(0)), sum = s->sum + y, of_y = sum - s->sum;
    s->error += (s->sum - (sum - of_y)) + (y - of_y);
    s->sum = sum;
}
)cl";
inline constexpr kernel_text merge_compensated_sum = R"cl(
inline state_P lane_P(run_P r, int j, long first, long stride)
{
    state_P s;
    s.sum = LANE_P(r.sum, j);
    s.error = LANE_P(r.error, j);
    return s;
}
inline state_P merge_P(state_P a, state_P b)
{
    const VALUE sum = a.sum + b.sum, of_b = sum - a.sum;
    a.error += b.error + ((a.sum - (sum - of_b)) + (b.sum - of_b));
    a.sum = sum;
    return a;
}
inline result_P finish_P(state_P s, long n)
{
    const VALUE sum = isfinite(s.sum) ? s.sum + s.error : s.sum;  // of infinity the error is NaN
    return LEAVE(sum, n);
}
)cl";

// NaN either enters, as it compares with nothing, or is the start and gives way to any number.
inline constexpr kernel_text take_extreme = R"cl(
typedef struct { V best; } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void) { SHAPE_P s; s.best = (V)(WORST); return s; }
inline void take_SHAPE_P(SHAPE_P *s, V x, K at) { s->best = BEATS(x, s->best) ? x : s->best; }
)cl";
inline constexpr kernel_text merge_extreme = R"cl(
inline state_P lane_P(run_P r, int j, long first, long stride)
{
    state_P s;
    s.best = LANE_P(r.best, j);
    return s;
}
inline state_P merge_P(state_P a, state_P b)
{
    a.best = BEATS(b.best, a.best) ? b.best : a.best;
    return a;
}
inline result_P finish_P(state_P s, long n) { return s.best; }
)cl";

inline constexpr kernel_text take_min_max = R"cl(
typedef struct { V least; V most; } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void)
{
    SHAPE_P s;
    s.least = (V)(GREATEST);
    s.most = (V)(LEAST);
    return s;
}
inline void take_SHAPE_P(SHAPE_P *s, V x, K at)
{
    s->least = LESS(x, s->least) ? x : s->least;
    s->most = MORE(x, s->most) ? x : s->most;
}
)cl";
inline constexpr kernel_text merge_min_max = R"cl(
inline state_P lane_P(run_P r, int j, long first, long stride)
{
    state_P s;
    s.least = LANE_P(r.least, j);
    s.most = LANE_P(r.most, j);
    return s;
}
inline state_P merge_P(state_P a, state_P b)
{
    a.least = LESS(b.least, a.least) ? b.least : a.least;
    a.most = MORE(b.most, a.most) ? b.most : a.most;
    return a;
}
inline result_P finish_P(state_P s, long n)
{
    result_P r;
    r.least = s.least;
    r.most = s.most;
    return r;
}
)cl";

// Within a run a lane meets its elements in order, so the first of equals stays; between states
// the lower index wins. A place below 0 means that there is none yet.
inline constexpr kernel_text take_located = R"cl(
typedef struct { V best; K at; } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void)
{
    SHAPE_P s;
    s.best = (V)(0);
    s.at = (K)(-1);
    return s;
}
inline void take_SHAPE_P(SHAPE_P *s, V x, K at)
{
    const K better = TAKES(x, s->best, s->at);
    s->best = better ? x : s->best;
    s->at = better ? at : s->at;
}
)cl";
inline constexpr kernel_text merge_located = R"cl(
inline state_P lane_P(run_P r, int j, long first, long stride)
{
    state_P s;
    s.best = LANE_P(r.best, j);
    s.at = ((const MASK *)&r.at)[j];
    s.at = s.at < 0 ? -1 : first + s.at * stride;
    return s;
}
inline state_P merge_P(state_P a, state_P b)
{
    const int nan_a = a.best != a.best, nan_b = b.best != b.best;
    const int equal = (a.best == b.best) | (nan_a & nan_b);
    const int better = equal ? b.at < a.at : nan_b | (!nan_a & (b.best PREFERRED a.best));
    return b.at >= 0 && (a.at < 0 || better) ? b : a;
}
inline result_P finish_P(state_P s, long n)
{
    result_P r;
    r.best = s.best;
    r.at = s.at;
    return r;
}
)cl";

// any, all, count: a lane's truth is -1, a single value's is 1.
inline constexpr kernel_text take_flag = R"cl(
typedef struct { K found; } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void) { SHAPE_P s; s.found = (K)(0); return s; }
inline void take_SHAPE_P(SHAPE_P *s, V x, K at) { s->found |= SOUGHT(x); }
)cl";
inline constexpr kernel_text merge_flag = R"cl(
inline state_P lane_P(run_P r, int j, long first, long stride)
{
    state_P s;
    s.found = ((const MASK *)&r.found)[j] != 0;
    return s;
}
inline state_P merge_P(state_P a, state_P b) { a.found |= b.found; return a; }
inline result_P finish_P(state_P s, long n) { return FOUND(s.found != 0); }
)cl";

inline constexpr kernel_text take_count = R"cl(
typedef struct { K n; } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void) { SHAPE_P s; s.n = (K)(0); return s; }
inline void take_SHAPE_P(SHAPE_P *s, V x, K at) { s->n TRUTH= SOUGHT(x); }
)cl";
inline constexpr kernel_text merge_count = R"cl(
inline state_P lane_P(run_P r, int j, long first, long stride)
{
    state_P s;
    s.n = ((const MASK *)&r.n)[j];
    return s;
}
inline state_P merge_P(state_P a, state_P b) { a.n += b.n; return a; }
inline result_P finish_P(state_P s, long n) { return s.n; }
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
inline void take_SHAPE_P(SHAPE_P *s, V x, K at)
{
    const V away = x - s->mean;
    s->n += 1;
    s->mean += away * (V)(1 / (VALUE)s->n);
    s->squares += away * (x - s->mean);
}
)cl";
inline constexpr kernel_text merge_variance = R"cl(
inline state_P lane_P(run_P r, int j, long first, long stride)
{
    state_P s;
    s.mean = LANE_P(r.mean, j);
    s.squares = LANE_P(r.squares, j);
    s.n = r.n;
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
inline result_P finish_P(state_P s, long n)
{
    result_P r;
    r.mean = s.mean;
    r.variance = s.squares / (VALUE)n;
    return r;
}
)cl";

// The caller's operator: lanes are states of their own.
inline constexpr kernel_text user_operator = R"cl(
typedef struct { STATE_TYPE value; int some; } state_P;
typedef struct { state_P lane[VECTOR]; } run_P;
inline state_P begin_state_P(void)
{
    state_P s;
    EMPTY_STATE
    s.some = 0;
    return s;
}
inline void take_state_P(state_P *s, STATE_TYPE x, long at)
{
    s->value = s->some ? combine(s->value, x) : x;
    s->some = 1;
}
inline run_P begin_run_P(void)
{
    run_P r;
    EACH for (int j = 0; j < VECTOR; ++j) r.lane[j] = begin_state_P();
    return r;
}
inline void take_run_P(run_P *r, MAPPED_RUN x, MASK_RUN_P at)
{
    EACH for (int j = 0; j < VECTOR; ++j) take_state_P(&r->lane[j], MAPPED_LANE(x, j), 0);
}
inline state_P lane_P(run_P r, int j, long first, long stride) { return r.lane[j]; }
inline state_P merge_P(state_P a, state_P b)
{
    if (a.some && b.some) b.value = combine(a.value, b.value);
    return b.some ? b : a;
}
inline result_P finish_P(state_P s, long n) { return s.value; }
)cl";

}  // namespace clprim::reduce_text
