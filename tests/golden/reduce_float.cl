// clprim reduction of float
// clprim::reduce_policy{.group = 256, .vector = 4, .loads = 2, .streams = 1, .method = clprim::group_method::sequential, .finish = clprim::group_finish::last_group, .groups_per_unit = 4, .least_steps = 4, .row_steps = 8, .grid_stride = false, .columns = 32, .column_runs = 1, .unaligned = false, .streaming = false, .ragged_tile = 0, .registers = 0}
inline float clprim_map(const float x, const long index, __global const float* weight)
{
return x * weight[index];
}
#define EACH _Pragma("unroll")
#define GROUP 256
#define VECTOR 4
#define LOADS 2
#define STREAMS 1
#define LESS_LOADS 1
#define LEFT_TOGETHER 0
#define ITEMS 256
#define GRID_STRIDE 0
#define PEELED 1
#define STEP 1
#define STEP_OF_Y 1
#define SPLIT 1
#define BLOCKS uint
#define LOOPED 0
#define LAST_GROUP 1
#define LAST_STARTED 0
#define MAILED 1
#define WIDE_MESSAGES 0
#define ANY_ORDER 0
#define SENT_BY_FIRST 1
#define FENCE 
#define EARLY_EXIT 0
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define LOOP_END barrier(CLK_LOCAL_MEM_FENCE)
#define STORED float
#define Y_ONLY(text) 
#define Y_AT(place) 
#define Y_POINTER 
#define Y_STEP 
#define Y_PARAMETER 
#define Y_OF_RAGGED 
#define MAP_PARAMETERS , __global const float* user_0
#define MAP_ARGUMENTS , user_0
#define OUTER_PARAMETERS 
#define X_PLACE(o) ((o) * x_row)
#define Y_PLACE(o) ((o) * y_row)
#line "clprim/reduce/walk_text.hpp"
typedef struct {
    long x_offset, x_row, x_step, y_offset, y_row, y_step;  // of elements; y is of a dot product
    long length, inner, outer;
    long out_offset, parts, turn;  // turn: the call's number, which its messages carry
} reduce_numbers;
#line "generated"
#define KEPT_PARAMETER , __global uint *kept
#define LEFT_PARAMETER 
#define COUNTERS kept
#define PARTIAL kept + 32770
#define VALUE_0 float
#define MASK_0 int
#define LANE_0(v, j) (((const float *)&(v))[j])
#define NUMBER_0(x, otherwise) (x)
#define LEAVE_0(s, n) (s)
#define PUT_0(to, s) (to) = s
#define GREATEST_0 INFINITY
#define LEAST_0 -INFINITY
#define WORST_0 INFINITY
#define NOWHERE_0 0
#define COUNTS_0(x) 1
#define ISNAN_0(x) ((x) != (x))
#define COUNTED_0(text) 
#define LANE_OF_COUNTS_0(n, j) (n)
#define LESS_0(x, best) (((x) < (best)) | ((x) != (x)))
#define MORE_0(x, best) (((x) > (best)) | ((x) != (x)))
#define BEATS_0(x, best) (((x) < (best)) | ((x) != (x)))
#define PREFERRED_0 <
#define TAKES_0(x, best) (!((x) >= (best)) & ((best) == (best)))
#define SOUGHT_0(x) ((x) != 0)
#define FOUND_0(f) (f)
#define ENTER_RUN_0(x) (x)
#define ENTER_ONE_0(x) (x)
#define VALUE_1 float
#define MASK_1 int
#define LANE_1(v, j) (((const float *)&(v))[j])
#define NUMBER_1(x, otherwise) (x)
#define LEAVE_1(s, n) (s)
#define PUT_1(to, s) (to) = s
#define GREATEST_1 INFINITY
#define LEAST_1 -INFINITY
#define WORST_1 -INFINITY
#define NOWHERE_1 0
#define COUNTS_1(x) 1
#define ISNAN_1(x) ((x) != (x))
#define COUNTED_1(text) 
#define LANE_OF_COUNTS_1(n, j) (n)
#define LESS_1(x, best) (((x) < (best)) | ((x) != (x)))
#define MORE_1(x, best) (((x) > (best)) | ((x) != (x)))
#define BEATS_1(x, best) (((x) > (best)) | ((x) != (x)))
#define PREFERRED_1 >
#define TAKES_1(x, best) (!((x) <= (best)) & ((best) == (best)))
#define SOUGHT_1(x) ((x) != 0)
#define FOUND_1(f) (f)
#define ENTER_RUN_1(x) (x)
#define ENTER_ONE_1(x) (x)
#define OPERAND float
#define OPERAND_RUN float4
#define MAPPED float
#define MAPPED_RUN float4
#define MAPPED_LANE(x, j) (((float *)&(x))[j])
#define LOAD_RUN(p) *(const __global float4 *)(p)
#define LOAD_OTHER(p) vload4(0, p)
#define LOAD_ONE(p) *(p)
inline MAPPED made_of(const OPERAND a, const long index MAP_PARAMETERS)
{
    MAPPED r;
    r = clprim_map(a, index MAP_ARGUMENTS);
    return r;
}
inline MAPPED fetch_one(const __global STORED *x Y_POINTER, const long index MAP_PARAMETERS)
{
    return made_of(LOAD_ONE(x), index MAP_ARGUMENTS);
}
#define LANE_INDEX 1
inline MAPPED_RUN fetch_run(const __global STORED *x Y_POINTER, const long index MAP_PARAMETERS)
{
    const float4 a = LOAD_RUN(x);
    MAPPED_RUN r;
    EACH for (int j = 0; j < VECTOR; ++j)
        MAPPED_LANE(r, j) = made_of(((const OPERAND *)&a)[j], index + j * LANE_INDEX MAP_ARGUMENTS);
    return r;
}
#define MASK_RUN_0 int4
typedef float result_0;
#line "clprim/reduce/sum_text.hpp"
typedef struct { float sum; COUNTED_0(long n;) } state_0;
inline state_0 begin_state_0(void)
{
    state_0 s;
    s.sum = (float)(0);
    COUNTED_0(s.n = (long)(0);)
    return s;
}
inline void take_state_0(state_0 *s, float x, long at)
{
    s->sum += NUMBER_0(x, (float)(0));
    COUNTED_0(s->n += COUNTS_0(x);)
}
#line "clprim/reduce/sum_text.hpp"
inline state_0 one_0(float x, long at)
{
    state_0 s = begin_state_0();
    take_state_0(&s, x, at);
    return s;
}
#line "clprim/reduce/sum_text.hpp"
typedef struct { float4 sum; COUNTED_0(int4 n;) } run_0;
inline run_0 begin_run_0(void)
{
    run_0 s;
    s.sum = (float4)(0);
    COUNTED_0(s.n = (int4)(0);)
    return s;
}
inline void take_run_0(run_0 *s, float4 x, int4 at)
{
    s->sum += NUMBER_0(x, (float4)(0));
    COUNTED_0(s->n -= COUNTS_0(x);)
}
#line "clprim/reduce/sum_text.hpp"
inline state_0 lane_0(const run_0 *r, int j, long first, long stride, int some)
{
    state_0 s;
    s.sum = LANE_0(r->sum, j);
    COUNTED_0(s.n = LANE_OF_COUNTS_0(r->n, j);)
    return s;
}
inline state_0 merge_0(state_0 a, state_0 b)
{
    a.sum += b.sum;
    COUNTED_0(a.n += b.n;)
    return a;
}
inline void put_0(__global result_0 *out, state_0 s, long n)
{
    COUNTED_0(n = s.n;)
    PUT_0(*out, LEAVE_0(s.sum, n));
}
#line "generated"
#define MASK_RUN_1 int4
typedef struct { float best; long at; } result_1;
#line "clprim/reduce/search_text.hpp"
typedef struct { float4 best; int4 at; } run_1;
inline run_1 begin_run_1(void)
{
    run_1 s;
    s.best = (float4)(WORST_1);
    s.at = (int4)(NOWHERE_1);
    return s;
}
inline void take_run_1(run_1 *s, float4 x, int4 at)
{
    const int4 better = TAKES_1(x, s->best);
    s->best = better ? x : s->best;
    s->at = better ? at : s->at;
}
#line "clprim/reduce/search_text.hpp"
typedef struct { VALUE_1 best; long at; } state_1;
inline state_1 begin_state_1(void)
{
    state_1 s;
    s.best = WORST_1;
    s.at = -1;
    return s;
}
inline state_1 one_1(float x, long at)
{
    state_1 s;
    s.best = x;
    s.at = COUNTS_1(x) ? at : -1;
    return s;
}
inline state_1 lane_1(const run_1 *r, int j, long first, long stride, int some)
{
    state_1 s;
    s.best = LANE_1(r->best, j);
    s.at = ((const MASK_1 *)&r->at)[j];
    s.at = !some || s.at < 0 ? -1 : first + s.at * stride;
    return s;
}
inline state_1 merge_1(state_1 a, state_1 b)
{
    const int nan_a = ISNAN_1(a.best), nan_b = ISNAN_1(b.best);
    const int equal = (a.best == b.best) | (nan_a & nan_b);
    const int better = equal ? b.at < a.at : nan_b | (!nan_a & (b.best PREFERRED_1 a.best));
    return b.at >= 0 && (a.at < 0 || better) ? b : a;
}
inline void put_1(__global result_1 *out, state_1 s, long n)
{
    out->best = s.best;
    out->at = s.at;
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
inline state state_of(MAPPED x, long at) { state s; s.p0 = one_0(ENTER_ONE_0(x), at); s.p1 = one_1(ENTER_ONE_1(x), at); return s; }
inline state lane_of(const run *r, int j, long first, long stride, int some)
{
    state s;
    s.p0 = lane_0(&r->p0, j, first, stride, some);
    s.p1 = lane_1(&r->p1, j, first, stride, some);
    return s;
}
inline void put(__global result *out, state s, long n) { put_0(&out->p0, s.p0, n); put_1(&out->p1, s.p1, n); }
#define WORDS 4
typedef union { float value; uint word[1]; } words_0_sum;
typedef union { float value; uint word[1]; } words_1_best;
typedef union { long value; uint word[2]; } words_1_at;
inline void pack(state s, uint *word)
{
    { words_0_sum m; m.value = s.p0.sum; EACH for (int i = 0; i < 1; ++i) word[0 + i] = m.word[i]; }
    { words_1_best m; m.value = s.p1.best; EACH for (int i = 0; i < 1; ++i) word[1 + i] = m.word[i]; }
    { words_1_at m; m.value = s.p1.at; EACH for (int i = 0; i < 2; ++i) word[2 + i] = m.word[i]; }
}
inline state unpack(const uint *word)
{
    state s;
    { words_0_sum m; EACH for (int i = 0; i < 1; ++i) m.word[i] = word[0 + i]; s.p0.sum = m.value; }
    { words_1_best m; EACH for (int i = 0; i < 1; ++i) m.word[i] = word[1 + i]; s.p1.best = m.value; }
    { words_1_at m; EACH for (int i = 0; i < 2; ++i) m.word[i] = word[2 + i]; s.p1.at = m.value; }
    return s;
}
#line "clprim/reduce/message_text.hpp"
// A message is one 64-bit word, or two 32-bit words of 16 bits each where the device has no 64-bit
// atomics; the upper half is the turn, which is never 0. Sent by atomic exchanges, and looked at by
// atomic additions of nothing.
inline void send_word(__global uint *const partial, const long place, const uint word,
                      const uint turn)
{
#if WIDE_MESSAGES
    volatile __global ulong *const to = (volatile __global ulong *)partial + place;
    atom_xchg(to, (ulong)turn << 32 | word);
#else
    __global volatile uint *const to = partial + 2 * place;
    atomic_xchg(to, turn << 16 | (word & 0xffffu));
    atomic_xchg(to + 1, turn << 16 | word >> 16);
#endif
}
inline uint take_half_message(__global volatile uint *const from, const uint turn)
{
    uint m = atomic_add(from, 0u);
    while (m >> 16 != turn) m = atomic_add(from, 0u);
    return m & 0xffffu;
}
inline uint take_word(__global uint *const partial, const long place, const uint turn)
{
#if WIDE_MESSAGES
    volatile __global ulong *const from = (volatile __global ulong *)partial + place;
    ulong m = atom_add(from, (ulong)0);
    while (m >> 32 != turn) m = atom_add(from, (ulong)0);
    return (uint)m;
#else
    __global volatile uint *const from = partial + 2 * place;
    return take_half_message(from, turn) | take_half_message(from + 1, turn) << 16;
#endif
}
#line "clprim/reduce/message_text.hpp"
inline void send(__global uint *const partial, const long place, const state s, const uint turn)
{
    uint word[WORDS];
    pack(s, word);
    EACH for (int w = 0; w < WORDS; ++w) {
        if (MAILED)
            send_word(partial, place * WORDS + w, word[w], turn);
        else
            partial[place * WORDS + w] = word[w];
    }
}
inline state receive(__global uint *const partial, const long place, const uint turn)
{
    uint word[WORDS];
    EACH for (int w = 0; w < WORDS; ++w)
        word[w] = MAILED ? take_word(partial, place * WORDS + w, turn)
                         : ((__global volatile uint *)partial)[place * WORDS + w];
    return unpack(word);
}

// Whether this group is the last of `parts` to come here; the counter is then 0 again. The barriers
// are outside of any branch: PoCL lets an increment overtake stores otherwise.
inline int is_last(__global volatile uint *const counter, const int parts, const int sent,
                   __local int *const last)
{
    if (sent) FENCE;
    if (!SENT_BY_FIRST) BARRIER;
    if (get_local_id(0) == 0) {
        *last = atomic_inc(counter) == (uint)(parts - 1);
        if (*last) atomic_xchg(counter, 0u);  // a plain store races with others' increments
    }
    BARRIER;
    if (*last) FENCE;
    return *last;
}

// LAST_STARTED: whether this group, as its first item knows by its ticket, is the one that waits;
// the counter of tickets is then 0 again. What the first item stored before is there.
inline int started_last(__global volatile uint *const counter, const int keeps,
                        __local int *const last)
{
    if (get_local_id(0) == 0) {
        *last = keeps;
        if (keeps) atomic_xchg(counter, 0u);
    }
    BARRIER;
    return *last;
}
#line "generated"
inline int arrive(__global uint *const partial, const long place, const int parts, state *const s) { return 0; }
#line "clprim/reduce/walk_text.hpp"
//   head  |<- run ->|<- run ->|<- run ->|<- run ->|   | tail      a run: VECTOR elements, one load
//   one   | item 0  | item 1  |  ...    | item 0  |   | one
//   by one|<------ `items` runs ------->|             | by one
//
// Part `part` of `parts` takes a contiguous range of blocks of `items` runs (or every parts-th
// block: GRID_STRIDE); the first one takes the head too, the last one the tail. LOADS runs are in
// flight, each with a state per lane of its own. They lie one block apart; or (STREAMS > 1) the
// range is cut into STREAMS stretches, and LOADS / STREAMS are in flight in each: a core that
// fetches ahead along several streams at a time is faster.
//
// Addresses advance by constants, so that of 64-bit numbers only the pointers live in the loop.
inline state walk(const __global STORED *x Y_POINTER, const long step Y_STEP, const long skew,
                  const long size, const int part, const int parts, const int lane,
                  const int items MAP_PARAMETERS)
{
    const int head = PEELED ? (int)min((VECTOR - skew % VECTOR) % VECTOR, size) : 0;
    const long runs = (size - head) / VECTOR;
    const int tail = (int)(size - head - runs * VECTOR);
    const BLOCKS blocks = (BLOCKS)((runs + items - 1) / items);
    const BLOCKS share = blocks / (BLOCKS)parts, longer = blocks - share * (BLOCKS)parts;
    const BLOCKS block0 = GRID_STRIDE ? (BLOCKS)part : share * part + min((BLOCKS)part, longer);
    const BLOCKS block1 = GRID_STRIDE ? blocks : block0 + share + ((BLOCKS)part < longer ? 1 : 0);
    const long run0 = parts == 1 ? 0 : (long)block0 * items;
    const int ends = (int)((parts == 1 ? runs : min(runs, (long)block1 * items)) - run0);
    const int next = GRID_STRIDE ? items * parts : items;
    const int round = LOADS / STREAMS * next;
    const int stretch = max(ends, 0) / (STREAMS * round) * round;

    // What lies beside the runs is asked for first and taken last: it comes meanwhile.
    const int before = PEELED && part == 0 ? head : 0;
    const int beside = before + (VECTOR > 1 && part == parts - 1 ? tail : 0);
#define BESIDE(i) ((i) < before ? (i) : size - beside + (i))
#define FETCH_BESIDE(i) \
    fetch_one(x + BESIDE(i) * STEP Y_AT(y + BESIDE(i) * STEP_OF_Y), BESIDE(i) MAP_ARGUMENTS)
    MAPPED one;
    if (lane < beside) one = FETCH_BESIDE(lane);

    run sum[LOADS];
    EACH for (int i = 0; i < LOADS; ++i) sum[i] = begin_run();
    const long first = head + run0 * VECTOR;
    const __global STORED *px = x + (first + lane * VECTOR) * STEP;
    Y_ONLY(const __global STORED *py = y + (first + lane * VECTOR) * STEP_OF_Y;)
    int at = lane;
    for (; at < stretch; at += round) {
        MAPPED_RUN value[LOADS];
        EACH for (int i = 0; i < LOADS; ++i) {
            const long on = (i % (LOADS / STREAMS) * next + i / (LOADS / STREAMS) * (long)stretch) *
                            VECTOR;
            value[i] = fetch_run(px + on * STEP Y_AT(py + on * STEP_OF_Y),
                                 first + (long)at * VECTOR + on MAP_ARGUMENTS);
        }
        EACH for (int i = 0; i < LOADS; ++i)
            take_run(&sum[i], value[i], at + i % (LOADS / STREAMS) * next +
                                            i / (LOADS / STREAMS) * stretch);
        px += (long)round * VECTOR * STEP;
        Y_ONLY(py += (long)round * VECTOR * STEP_OF_Y;)
    }
    if (STREAMS > 1) {
        px += (long)(STREAMS - 1) * stretch * VECTOR * STEP;
        Y_ONLY(py += (long)(STREAMS - 1) * stretch * VECTOR * STEP_OF_Y;)
    }
    at = STREAMS * stretch + lane;
#if LEFT_TOGETHER
    // What is left of a short range is in flight together, as far as there is something.
    for (; at < ends; at += round) {
        MAPPED_RUN value[LOADS / STREAMS];
        EACH for (int i = 0; i < LOADS / STREAMS; ++i) {
            const long on = (long)i * next * VECTOR;
            if (at + i * next < ends)
                value[i] = fetch_run(px + on * STEP Y_AT(py + on * STEP_OF_Y),
                                     first + (long)at * VECTOR + on MAP_ARGUMENTS);
        }
        EACH for (int i = 0; i < LOADS / STREAMS; ++i)
            if (at + i * next < ends) take_run(&sum[i], value[i], at + i * next);
        px += (long)round * VECTOR * STEP;
        Y_ONLY(py += (long)round * VECTOR * STEP_OF_Y;)
    }
#define HAS_TAKEN(i) ((i) < LOADS / STREAMS ? lane + (i) * next < ends : stretch > 0)
#else
    // What is left, of which the first items have a round: rounds, then half as many runs at a
    // time, a quarter … (columns_kernel.hpp says why).
#define TAKE_LEFT(count) { \
        MAPPED_RUN value[LOADS / STREAMS]; \
        EACH for (int i = 0; i < (count); ++i) { \
            const long on = (long)i * next * VECTOR; \
            value[i] = fetch_run(px + on * STEP Y_AT(py + on * STEP_OF_Y), \
                                 first + (long)at * VECTOR + on MAP_ARGUMENTS); \
        } \
        EACH for (int i = 0; i < (count); ++i) take_run(&sum[i], value[i], at + i * next); \
        at += (count) * next; \
        px += (long)(count) * next * VECTOR * STEP; \
        Y_ONLY(py += (long)(count) * next * VECTOR * STEP_OF_Y;) \
    }
    while (at + (LOADS / STREAMS - 1) * next < ends) TAKE_LEFT(LOADS / STREAMS)
    EACH for (int some = LESS_LOADS; some > 0; some /= 2)
        if (at + (some - 1) * next < ends) TAKE_LEFT(some)
    // Sum i has something from as many runs on as make the first rung that reaches it.
#define RUNG(i) \
    min((i) < 1 ? 1 : (i) < 2 ? 2 : (i) < 4 ? 4 : (i) < 8 ? 8 : (i) < 16 ? 16 : 32, LOADS / STREAMS)
#define HAS_TAKEN(i) \
    (stretch > 0 || ((i) < LOADS / STREAMS && lane + (RUNG(i) - 1) * next < ends))
#endif

    state all = begin_state();
    if (LOADS * VECTOR > 16) {  // a loop: unrolled, it is what compiling takes the longest for
        run kept[LOADS];
        EACH for (int i = 0; i < LOADS; ++i) kept[i] = sum[i];
        for (int i = 0; i < LOADS; ++i)
            for (int j = 0; j < VECTOR; ++j)
                all = merge(all, lane_of(&kept[i], j, first + j, VECTOR,
                                         HAS_TAKEN(i)));
    } else {
        EACH for (int i = 0; i < LOADS; ++i) {
            const run kept = sum[i];
            EACH for (int j = 0; j < VECTOR; ++j)
                all = merge(all, lane_of(&kept, j, first + j, VECTOR,
                                         HAS_TAKEN(i)));
        }
    }
    for (int i = lane; i < beside; i += items) {
        if (i > lane) one = FETCH_BESIDE(i);
        all = merge(all, state_of(one, BESIDE(i)));
    }
    return all;
}
#line "clprim/reduce/group_text.hpp"
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
#line "clprim/reduce/rows_kernel.hpp"
// out[r] = reduction of x[r][0 .. length): ITEMS work-items per row, GROUP / ITEMS rows per group
// at a time; or, SPLIT, `parts` groups per row, whose states go through `partial`. LOOPED: there
// are fewer groups than that asks for.
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void reduce_rows(const __global STORED *restrict x Y_PARAMETER, const reduce_numbers call,
                          __global result *restrict out KEPT_PARAMETER LEFT_PARAMETER
                          OUTER_PARAMETERS MAP_PARAMETERS)
{
    const long x_offset = call.x_offset, x_row = call.x_row, x_step = call.x_step;
    Y_ONLY(const long y_offset = call.y_offset;)
    Y_ONLY(const long y_row = call.y_row;)
    Y_ONLY(const long y_step = call.y_step;)
    const long length = call.length, rows = call.outer, out_offset = call.out_offset;
    const int parts = (int)call.parts;
    const uint turn = (uint)call.turn;
    __global uint *const counters = COUNTERS, *const partial = PARTIAL;
    __local state shared[GROUP];
    __local state own;
    __local int last;
    const int t = (int)get_local_id(0), lane = t % ITEMS, slot = t / ITEMS;
    const long blocks = SPLIT ? rows * parts : (rows + GROUP / ITEMS - 1) / (GROUP / ITEMS);
    for (long block = get_group_id(0); block < blocks; block += get_num_groups(0)) {
        const int whole = SPLIT ? (uint)block / (uint)parts : 0;  // a split one is never LOOPED
        const int part = SPLIT ? (int)block - whole * parts : 0;
        const long row = SPLIT ? whole : block * (GROUP / ITEMS) + slot;
        const long from = x_offset + X_PLACE(row);
        const long size = row < rows ? length : 0;
        Y_ONLY(const long y_from = y_offset + Y_PLACE(row);)
        uint ticket = 0;  // asked for here, so that it is there when it is looked at
        if (LAST_STARTED && t == 0) ticket = atomic_inc((__global volatile uint *)counters + row);
        state s = walk(x + from Y_AT(y + y_from), x_step Y_AT(y_step), from, size, part,
                       SPLIT ? parts : 1, lane, ITEMS MAP_ARGUMENTS);
        s = combine_row(s, shared);
        if (!SPLIT) {
            if (lane == 0 && row < rows) put(out + out_offset + row, s, length);
        } else if (ANY_ORDER) {
            if (t == 0 && arrive(partial, row, parts, &s)) put(out + out_offset + row, s, length);
        } else {
            const int keeps = LAST_STARTED && ticket == (uint)(parts - 1);
            if (t == 0) {
                if (keeps) own = s; else send(partial, part * rows + row, s, turn);
            }
            if (LAST_GROUP) {
                const int all = (LAST_STARTED ? started_last(counters + row, keeps, &last)
                                              : is_last(counters + row, parts, t == 0, &last))
                                    ? parts : 0;
                if (EARLY_EXIT && all == 0) {
                    if (!LOOPED) break;
                    continue;
                }
                s = begin_state();
                for (int i = t; i < all; i += GROUP)
                    s = merge(s, LAST_STARTED && i == part
                                     ? own : receive(partial, i * rows + row, turn));
                s = combine_row(s, shared);
                if (t == 0 && all > 0) put(out + out_offset + row, s, length);
            }
        }
        LOOP_END;
        if (!LOOPED) break;
    }
}
