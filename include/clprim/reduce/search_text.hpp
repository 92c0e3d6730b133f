#pragma once
// OpenCL C of the operators that compare and count, and of the caller's; see sum_text.hpp.

#include <clprim/core/source.hpp>

namespace clprim::reduce_text {

// NaN either enters, as it compares with nothing, or is the start and gives way to any number.
inline constexpr kernel_text take_extreme = R"cl(
typedef struct { V best; } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void) { SHAPE_P s; s.best = (V)(WORST); return s; }
inline void take_SHAPE_P(SHAPE_P *s, X x, K at) { s->best = BEATS(x, s->best) ? x : s->best; }
)cl";
inline constexpr kernel_text merge_extreme = R"cl(
inline state_P lane_P(const run_P *r, int j, long first, long stride, int some)
{
    state_P s;
    s.best = LANE_P(r->best, j);
    return s;
}
inline state_P merge_P(state_P a, state_P b)
{
    a.best = BEATS(b.best, a.best) ? b.best : a.best;
    return a;
}
inline void put_P(__global result_P *out, state_P s, long n) { *out = s.best; }
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
inline void take_SHAPE_P(SHAPE_P *s, X x, K at)
{
    s->least = LESS(x, s->least) ? x : s->least;
    s->most = MORE(x, s->most) ? x : s->most;
}
)cl";
inline constexpr kernel_text merge_min_max = R"cl(
inline state_P lane_P(const run_P *r, int j, long first, long stride, int some)
{
    state_P s;
    s.least = LANE_P(r->least, j);
    s.most = LANE_P(r->most, j);
    return s;
}
inline state_P merge_P(state_P a, state_P b)
{
    a.least = LESS(b.least, a.least) ? b.least : a.least;
    a.most = MORE(b.most, a.most) ? b.most : a.most;
    return a;
}
inline void put_P(__global result_P *out, state_P s, long n)
{
    out->least = s.least;
    out->most = s.most;
}
)cl";

// The step at which the best came. A lane takes its elements in the order of their indices, so only
// a better one takes the place; the first number takes it from `WORST` at step 0 or is as good.
// Two comparisons and two choices per element: the first kernel had three more, which showed.
inline constexpr kernel_text take_located = R"cl(
typedef struct { V best; K at; } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void)
{
    SHAPE_P s;
    s.best = (V)(WORST);
    s.at = (K)(NOWHERE);
    return s;
}
inline void take_SHAPE_P(SHAPE_P *s, X x, K at)
{
    const K better = TAKES(x, s->best);
    s->best = better ? x : s->best;
    s->at = better ? at : s->at;
}
)cl";
inline constexpr kernel_text merge_located = R"cl(
typedef struct { VALUE best; long at; } state_P;
inline state_P begin_state_P(void)
{
    state_P s;
    s.best = WORST;
    s.at = -1;
    return s;
}
inline state_P one_P(X x, long at)
{
    state_P s;
    s.best = x;
    s.at = COUNTS(x) ? at : -1;
    return s;
}
inline state_P lane_P(const run_P *r, int j, long first, long stride, int some)
{
    state_P s;
    s.best = LANE_P(r->best, j);
    s.at = ((const MASK *)&r->at)[j];
    s.at = !some || s.at < 0 ? -1 : first + s.at * stride;
    return s;
}
inline state_P merge_P(state_P a, state_P b)
{
    const int nan_a = ISNAN(a.best), nan_b = ISNAN(b.best);
    const int equal = (a.best == b.best) | (nan_a & nan_b);
    const int better = equal ? b.at < a.at : nan_b | (!nan_a & (b.best PREFERRED a.best));
    return b.at >= 0 && (a.at < 0 || better) ? b : a;
}
inline void put_P(__global result_P *out, state_P s, long n)
{
    out->best = s.best;
    out->at = s.at;
}
)cl";

// any, all, count: a lane's truth is -1, a single value's is 1.
inline constexpr kernel_text take_flag = R"cl(
typedef struct { K found; } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void) { SHAPE_P s; s.found = (K)(0); return s; }
inline void take_SHAPE_P(SHAPE_P *s, X x, K at) { s->found |= SOUGHT(x); }
)cl";
inline constexpr kernel_text merge_flag = R"cl(
inline state_P lane_P(const run_P *r, int j, long first, long stride, int some)
{
    state_P s;
    s.found = ((const MASK *)&r->found)[j] != 0;
    return s;
}
inline state_P merge_P(state_P a, state_P b) { a.found |= b.found; return a; }
inline void put_P(__global result_P *out, state_P s, long n) { *out = FOUND(s.found != 0); }
)cl";

inline constexpr kernel_text take_count = R"cl(
typedef struct { K n; } SHAPE_P;
inline SHAPE_P begin_SHAPE_P(void) { SHAPE_P s; s.n = (K)(0); return s; }
inline void take_SHAPE_P(SHAPE_P *s, X x, K at) { s->n TRUTH= SOUGHT(x); }
)cl";
inline constexpr kernel_text merge_count = R"cl(
inline state_P lane_P(const run_P *r, int j, long first, long stride, int some)
{
    state_P s;
    s.n = ((const MASK *)&r->n)[j];
    return s;
}
inline state_P merge_P(state_P a, state_P b) { a.n += b.n; return a; }
inline void put_P(__global result_P *out, state_P s, long n) { *out = s.n; }
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
    s->value = s->some ? clprim_combine(s->value, x) : x;
    s->some = 1;
}
inline state_P one_P(STATE_TYPE x, long at)
{
    state_P s;
    s.value = x;
    s.some = 1;
    return s;
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
inline state_P lane_P(const run_P *r, int j, long first, long stride, int some)
{
    return r->lane[j];
}
inline state_P merge_P(state_P a, state_P b)
{
    if (a.some && b.some) b.value = clprim_combine(a.value, b.value);
    return b.some ? b : a;
}
inline void put_P(__global result_P *out, state_P s, long n) { *out = s.value; }
)cl";

}  // namespace clprim::reduce_text
