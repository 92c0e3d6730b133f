#pragma once
// OpenCL C of an item's way over adjacent elements.

#include <clprim/core/source.hpp>

namespace clprim::reduce_text {

/// The numbers of a call, as kernel_numbers (plan.hpp) has them. One parameter: a launch on NVIDIA
/// takes the host 0.5 us more for eleven parameters than for two, which is what small sums cost.
inline constexpr kernel_text numbers_type = R"cl(
typedef struct {
    long x_offset, x_row, x_step, y_offset, y_row, y_step;  // of elements; y is of a dot product
    long length, inner, outer;
    long out_offset, parts, turn;  // turn: the call's number, which its messages carry
} reduce_numbers;
)cl";

/// One item's share of `size` elements.
inline constexpr kernel_text walk = R"cl(
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
)cl";

}  // namespace clprim::reduce_text
