// clprim reduction of float
// clprim::reduce_policy{.group = 256, .vector = 4, .loads = 2, .method = clprim::group_method::sequential, .finish = clprim::group_finish::last_group, .groups_per_unit = 4, .least_steps = 4, .row_steps = 8, .grid_stride = false, .columns = 32, .column_runs = 1, .unaligned = false}
#define EACH _Pragma("unroll")
#define GROUP 256
#define VECTOR 4
#define LOADS 2
#define ITEMS 256
#define GRID_STRIDE 0
#define PEELED 1
#define SPLIT 1
#define LAST_GROUP 1
#define MAILED 1
#define FENCED 0
#define FENCE 
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define STORED float
#define WORDS ((int)(sizeof(state) + 3) / 4)
#define Y_PARAMETER 
#define Y_ARGUMENT 
#define Y_PARAMETERS 
#define Y_FROM_ROW 
#define MAP_PARAMETERS , __global const float* weight
#define MAP_ARGUMENTS , weight
#define VALUE_0 float
#define MASK_0 int
#define LANE_0(v, j) (((const float *)&(v))[j])
#define NUMBER_0(x, otherwise) (x)
#define LEAVE_0(s, n) (s)
#define GREATEST_0 INFINITY
#define LEAST_0 -INFINITY
#define WORST_0 INFINITY
#define LESS_0(x, best) (((x) < (best)) | ((x) != (x)))
#define MORE_0(x, best) (((x) > (best)) | ((x) != (x)))
#define BEATS_0(x, best) (((x) < (best)) | ((x) != (x)))
#define PREFERRED_0 <
#define TAKES_0(x, best, at) (((at) < 0) | ((((x) < (best)) | ((x) != (x))) & ((best) == (best))))
#define SOUGHT_0(x) ((x) != 0)
#define FOUND_0(f) (f)
#define ENTER_RUN_0(x) (x)
#define ENTER_ONE_0(x) (x)
#define VALUE_1 float
#define MASK_1 int
#define LANE_1(v, j) (((const float *)&(v))[j])
#define NUMBER_1(x, otherwise) (x)
#define LEAVE_1(s, n) (s)
#define GREATEST_1 INFINITY
#define LEAST_1 -INFINITY
#define WORST_1 -INFINITY
#define LESS_1(x, best) (((x) < (best)) | ((x) != (x)))
#define MORE_1(x, best) (((x) > (best)) | ((x) != (x)))
#define BEATS_1(x, best) (((x) > (best)) | ((x) != (x)))
#define PREFERRED_1 >
#define TAKES_1(x, best, at) (((at) < 0) | ((((x) > (best)) | ((x) != (x))) & ((best) == (best))))
#define SOUGHT_1(x) ((x) != 0)
#define FOUND_1(f) (f)
#define ENTER_RUN_1(x) (x)
#define ENTER_ONE_1(x) (x)
#define MAPPED float
#define MAPPED_RUN float4
#define MAPPED_LANE(x, j) (((float *)&(x))[j])
#define LOAD_RUN(p) *(const __global float4 *)(p)
#define LOAD_OTHER(p) vload4(0, p)
#define LOAD_ONE(p) *(p)
inline MAPPED mapped(const float x, const long index MAP_PARAMETERS)
{
return x * weight[index];
}
#define LANE_INDEX 1
inline MAPPED_RUN fetch_run(const __global STORED *x Y_PARAMETER, const long step, const long place, const long index MAP_PARAMETERS)
{
    const float4 a = LOAD_RUN(x + place);
    MAPPED_RUN r;
    EACH for (int j = 0; j < 4; ++j) MAPPED_LANE(r, j) = mapped(((const float *)&a)[j], index + j * LANE_INDEX MAP_ARGUMENTS);
    return r;
}
inline MAPPED fetch_one(const __global STORED *x Y_PARAMETER, const long step, const long place, const long index MAP_PARAMETERS)
{
    const float a = LOAD_ONE(x + place);
    MAPPED r;
    EACH for (int j = 0; j < 1; ++j) r = mapped(((const float *)&a)[j], index + j * LANE_INDEX MAP_ARGUMENTS);
    return r;
}
#define MASK_RUN_0 int4
typedef float result_0;
#line "clprim/reduce/operator_text.hpp"
typedef struct { float sum; } state_0;
inline state_0 begin_state_0(void) { state_0 s; s.sum = (float)(0); return s; }
inline void take_state_0(state_0 *s, float x, long at) { s->sum += NUMBER_0(x, (float)(0)); }
#line "clprim/reduce/operator_text.hpp"
typedef struct { float4 sum; } run_0;
inline run_0 begin_run_0(void) { run_0 s; s.sum = (float4)(0); return s; }
inline void take_run_0(run_0 *s, float4 x, int4 at) { s->sum += NUMBER_0(x, (float4)(0)); }
#line "clprim/reduce/operator_text.hpp"
inline state_0 lane_0(run_0 r, int j, long first, long stride)
{
    state_0 s;
    s.sum = LANE_0(r.sum, j);
    return s;
}
inline state_0 merge_0(state_0 a, state_0 b) { a.sum += b.sum; return a; }
inline result_0 finish_0(state_0 s, long n) { return (result_0)LEAVE_0(s.sum, n); }
#line "generated"
#define MASK_RUN_1 int4
typedef struct { float best; long at; } result_1;
#line "clprim/reduce/operator_text.hpp"
typedef struct { float best; long at; } state_1;
inline state_1 begin_state_1(void)
{
    state_1 s;
    s.best = (float)(0);
    s.at = (long)(-1);
    return s;
}
inline void take_state_1(state_1 *s, float x, long at)
{
    const long better = TAKES_1(x, s->best, s->at);
    s->best = better ? x : s->best;
    s->at = better ? at : s->at;
}
#line "clprim/reduce/operator_text.hpp"
typedef struct { float4 best; int4 at; } run_1;
inline run_1 begin_run_1(void)
{
    run_1 s;
    s.best = (float4)(0);
    s.at = (int4)(-1);
    return s;
}
inline void take_run_1(run_1 *s, float4 x, int4 at)
{
    const int4 better = TAKES_1(x, s->best, s->at);
    s->best = better ? x : s->best;
    s->at = better ? at : s->at;
}
#line "clprim/reduce/operator_text.hpp"
inline state_1 lane_1(run_1 r, int j, long first, long stride)
{
    state_1 s;
    s.best = LANE_1(r.best, j);
    s.at = ((const MASK_1 *)&r.at)[j];
    s.at = s.at < 0 ? -1 : first + s.at * stride;
    return s;
}
inline state_1 merge_1(state_1 a, state_1 b)
{
    const int nan_a = a.best != a.best, nan_b = b.best != b.best;
    const int equal = (a.best == b.best) | (nan_a & nan_b);
    const int better = equal ? b.at < a.at : nan_b | (!nan_a & (b.best PREFERRED_1 a.best));
    return b.at >= 0 && (a.at < 0 || better) ? b : a;
}
inline result_1 finish_1(state_1 s, long n)
{
    result_1 r;
    r.best = s.best;
    r.at = s.at;
    return r;
}
#line "generated"
typedef struct { state_0 p0; state_1 p1; } state;
typedef struct { run_0 p0; run_1 p1; } run;
typedef struct { result_0 p0; result_1 p1; } result;
inline state begin_state(void) { state s; s.p0 = begin_state_0(); s.p1 = begin_state_1(); return s; }
inline run begin_run(void) { run r; r.p0 = begin_run_0(); r.p1 = begin_run_1(); return r; }
inline void take_run(run *r, MAPPED_RUN x, int at)
{
    take_run_0(&r->p0, ENTER_RUN_0(x), (MASK_RUN_0)(at));
    take_run_1(&r->p1, ENTER_RUN_1(x), (MASK_RUN_1)(at));
}
inline state merge(state a, state b) { a.p0 = merge_0(a.p0, b.p0); a.p1 = merge_1(a.p1, b.p1); return a; }
inline void take_one(state *s, MAPPED x, long at)
{
    state one = begin_state();
    take_state_0(&one.p0, ENTER_ONE_0(x), at);
    take_state_1(&one.p1, ENTER_ONE_1(x), at);
    *s = merge(*s, one);  // not taken in the order of indices
}
inline state lane_of(run r, int j, long first, long stride)
{
    state s;
    s.p0 = lane_0(r.p0, j, first, stride);
    s.p1 = lane_1(r.p1, j, first, stride);
    return s;
}
inline result finish(state s, long n) { result r; r.p0 = finish_0(s.p0, n); r.p1 = finish_1(s.p1, n); return r; }
#line "clprim/reduce/kernel.hpp"
typedef union { state s; uint word[WORDS]; } parcel;

// FINISH_LAST_GROUP: every 16 bits are a message of their own, sent and taken by atomic exchanges;
// a bit above them says that there is one, and taking it makes the place empty again. So nothing
// rests on a fence between groups, which OpenCL 1.2 does not have.
inline void send(__global volatile uint *const partial, const long place, const state s)
{
    parcel p;
    EACH for (int w = 0; w < WORDS; ++w) p.word[w] = 0;
    p.s = s;
    __global volatile uint *const to = partial + place * (MAILED ? 2 * WORDS : WORDS);
    for (int w = 0; w < WORDS; ++w) {
        if (MAILED) {
            atomic_xchg(to + 2 * w, 0x10000u | (p.word[w] & 0xffffu));
            atomic_xchg(to + 2 * w + 1, 0x10000u | (p.word[w] >> 16));
        } else {
            to[w] = p.word[w];
        }
    }
}
inline uint take_message(__global volatile uint *const from)
{
    uint m = 0;
    while (m == 0) m = atomic_xchg(from, 0u);
    return m & 0xffffu;
}
inline state receive(__global volatile uint *const partial, const long place)
{
    parcel p;
    __global volatile uint *const from = partial + place * (MAILED ? 2 * WORDS : WORDS);
    for (int w = 0; w < WORDS; ++w) {
        if (MAILED)
            p.word[w] = take_message(from + 2 * w) | take_message(from + 2 * w + 1) << 16;
        else
            p.word[w] = from[w];
    }
    return p.s;
}

// Whether this group is the last of `parts` to come here; the counter is then 0 again. The barriers
// are outside of any branch: PoCL lets an increment overtake stores otherwise.
inline int is_last(__global volatile uint *const counter, const int parts, const int sent,
                   __local int *const last)
{
    if (sent) FENCE;
    BARRIER;
    if (get_local_id(0) == 0) {
        *last = atomic_inc(counter) == (uint)(parts - 1);
        if (*last) *counter = 0;
    }
    BARRIER;
    if (*last) FENCE;
    return *last;
}
#line "clprim/reduce/kernel.hpp"
//   head  |<- run ->|<- run ->|<- run ->|<- run ->|   | tail      a run: VECTOR elements, one load
//   one   | item 0  | item 1  |  ...    | item 0  |   | one
//   by one|<------ `items` runs ------->|             | by one
//
// Part `part` of `parts` takes a contiguous range of blocks of `items` runs (or every parts-th
// block: GRID_STRIDE); the first one takes the head too, the last one the tail. LOADS runs are in
// flight, each with a state per lane of its own.
inline state walk(const __global STORED *restrict x Y_PARAMETER, const long step, const long skew,
                  const long size, const int part, const int parts, const int lane,
                  const int items MAP_PARAMETERS)
{
    const int head = PEELED ? (int)min((VECTOR - skew % VECTOR) % VECTOR, size) : 0;
    const long runs = (size - head) / VECTOR;
    const int tail = (int)(size - head - runs * VECTOR);
    const long blocks = (runs + items - 1) / items;
    const long block0 = GRID_STRIDE ? part : blocks * part / parts;
    const long block1 = GRID_STRIDE ? blocks : blocks * (part + 1) / parts;
    const long run0 = block0 * items;
    const int ends = (int)(min(runs, block1 * items) - run0);
    const int next = GRID_STRIDE ? items * parts : items;

    run sum[LOADS];
    EACH for (int i = 0; i < LOADS; ++i) sum[i] = begin_run();
    const long first = head + run0 * VECTOR;
    int at = lane;
    for (; at < ends - (LOADS - 1) * next; at += LOADS * next) {
        MAPPED_RUN value[LOADS];
        EACH for (int i = 0; i < LOADS; ++i) {
            const long place = first + (long)(at + i * next) * VECTOR;
            value[i] = fetch_run(x Y_ARGUMENT, step, place, place MAP_ARGUMENTS);
        }
        EACH for (int i = 0; i < LOADS; ++i) take_run(&sum[i], value[i], at + i * next);
    }
    for (; at < ends; at += next) {
        const long place = first + (long)at * VECTOR;
        take_run(&sum[0], fetch_run(x Y_ARGUMENT, step, place, place MAP_ARGUMENTS), at);
    }

    state all = begin_state();
    EACH for (int i = 0; i < LOADS; ++i)
        EACH for (int j = 0; j < VECTOR; ++j)
            all = merge(all, lane_of(sum[i], j, first + j, VECTOR));
    if (PEELED && part == 0) {
        for (int i = lane; i < head; i += items)
            take_one(&all, fetch_one(x Y_ARGUMENT, step, i, i MAP_ARGUMENTS), i);
    }
    if (VECTOR > 1 && part == parts - 1) {
        for (int i = lane; i < tail; i += items) {
            const long place = size - tail + i;
            take_one(&all, fetch_one(x Y_ARGUMENT, step, place, place MAP_ARGUMENTS), place);
        }
    }
    return all;
}
#line "clprim/reduce/kernel.hpp"
inline state combine_row(state s, __local state *const shared)
{
    const int t = (int)get_local_id(0), lane = t / 1 % 256;
    BARRIER;
    shared[t] = s;
    BARRIER;
    for (int d = 256 / 2; d > 0; d /= 2) {
        if (lane < d) shared[t] = merge(shared[t], shared[t + d * 1]);
        BARRIER;
    }
    return shared[t];
}
#line "clprim/reduce/kernel.hpp"
// out[r] = reduction of x[r][0 .. length): ITEMS work-items per row, GROUP / ITEMS rows per group
// at a time; or, SPLIT, `parts` groups per row, whose states go through `partial`.
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void reduce_rows(const __global STORED *restrict x, const long x_offset, const long x_row,
                          const long x_step Y_PARAMETERS, const long length, const long rows,
                          const int parts, __global result *restrict out, const long out_offset,
                          __global uint *space, const long partial_at MAP_PARAMETERS)
{
    __global uint *const counters = space, *const partial = space + partial_at;
    __local state shared[GROUP];
    __local int last;
    const int t = (int)get_local_id(0), lane = t % ITEMS, slot = t / ITEMS;
    const long blocks = SPLIT ? rows * parts : (rows + GROUP / ITEMS - 1) / (GROUP / ITEMS);
    for (long block = get_group_id(0); block < blocks; block += get_num_groups(0)) {
        const int part = SPLIT ? (int)(block % parts) : 0;
        const long row = SPLIT ? block / parts : block * (GROUP / ITEMS) + slot;
        const long from = x_offset + row * x_row;
        const long size = row < rows ? length : 0;
        state s = walk(x + from Y_FROM_ROW, x_step, from, size, part, SPLIT ? parts : 1, lane,
                       ITEMS MAP_ARGUMENTS);
        s = combine_row(s, shared);
        if (!SPLIT) {
            if (lane == 0 && row < rows) out[out_offset + row] = finish(s, length);
        } else {
            if (t == 0) send(partial, part * rows + row, s);
            if (LAST_GROUP) {
                const int all = is_last(counters + row, parts, t == 0, &last) ? parts : 0;
                if (FENCED && all == 0) continue;
                s = begin_state();
                for (int i = t; i < all; i += GROUP) s = merge(s, receive(partial, i * rows + row));
                s = combine_row(s, shared);
                if (t == 0 && all > 0) out[out_offset + row] = finish(s, length);
            }
        }
    }
}
