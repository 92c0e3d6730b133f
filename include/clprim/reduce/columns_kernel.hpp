#pragma once
// OpenCL C of reductions across adjacent elements: along columns, along any axis but the last.

#include <clprim/core/source.hpp>

namespace clprim::reduce_text {

inline constexpr kernel_text columns_kernel = R"cl(
// out[o][c] = reduction of x[o][0 .. length)[c], c < inner, the elements of a row lying together;
// from row to row it is x_step, from o to o + 1 x_row.
//
//            |<------------- TILE columns ------------->|
//   row y    | item (0,y) | item (1,y) | ... |item (0,y)|    COLUMNS items side by side, RUNS runs
//   row y+1  | item (0,y+1)            | ... |          |    of VECTOR columns each;
//    ...                                                     GROUP / COLUMNS rows at a time
//
// The last tile is moved inside the row (its first columns are computed twice, stored once).
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void reduce_columns(const __global STORED *restrict x Y_PARAMETER,
                             const reduce_numbers call, __global result *restrict out
                             KEPT_PARAMETER LEFT_PARAMETER OUTER_PARAMETERS MAP_PARAMETERS)
{
    const long x_offset = call.x_offset, x_row = call.x_row, x_step = call.x_step;
    Y_ONLY(const long y_offset = call.y_offset;)
    Y_ONLY(const long y_row = call.y_row;)
    Y_ONLY(const long y_step = call.y_step;)
    const long length = call.length, inner = call.inner, outer = call.outer;
    const long out_offset = call.out_offset;
    const int parts = (int)call.parts;
    const uint turn = (uint)call.turn;
    __global uint *const counters = COUNTERS, *const partial = PARTIAL;
    __local state shared[GROUP];
    __local int last;
    const int t = (int)get_local_id(0), across = t % COLUMNS, down = t / COLUMNS;
    const int downs = GROUP / COLUMNS;
    const long tiles = (inner + TILE - 1) / TILE, results = outer * inner;
    for (long block = get_group_id(0); block < outer * tiles * parts; block += get_num_groups(0)) {
        const long tile = SPLIT ? (uint)block / (uint)parts : block, o = tile / tiles;
        const int part = SPLIT ? (int)(block - tile * parts) : 0;
        const long begin = (tile - o * tiles) * TILE + across * VECTOR;
        const long row0 = SPLIT ? length * part / parts : 0;
        const int rows = (int)((SPLIT ? length * (part + 1) / parts : length) - row0);
        const __global STORED *px = x + x_offset + X_PLACE(o) + (row0 + down) * x_step;
        Y_ONLY(const __global STORED *py = y + y_offset + Y_PLACE(o) + (row0 + down) * y_step;)

        run sum[RUNS];
        EACH for (int i = 0; i < RUNS; ++i) sum[i] = begin_run();
        int row = down;
        for (; row < rows - (LOADS - 1) * downs; row += LOADS * downs) {
            MAPPED_RUN value[LOADS][RUNS];
            EACH for (int n = 0; n < LOADS; ++n) {
                EACH for (int i = 0; i < RUNS; ++i)
                    value[n][i] = fetch_run(px + n * downs * x_step + COLUMN(i)
                                            Y_AT(py + n * downs * y_step + COLUMN(i)),
                                            row0 + row + n * downs MAP_ARGUMENTS);
            }
            EACH for (int n = 0; n < LOADS; ++n)
                EACH for (int i = 0; i < RUNS; ++i)
                    take_run(&sum[i], value[n][i], row + n * downs);
            px += LOADS * downs * x_step;
            Y_ONLY(py += LOADS * downs * y_step;)
        }
        // Fewer than LOADS rows are left: half as many at a time, a quarter … All of them together
        // would be in flight at once, and hold registers that the rounds above want for groups.
        EACH for (int some = LESS_LOADS; some > 0; some /= 2) {
            if (row + (some - 1) * downs >= rows) continue;
            MAPPED_RUN value[LOADS][RUNS];
            EACH for (int n = 0; n < some; ++n)
                EACH for (int i = 0; i < RUNS; ++i)
                    value[n][i] = fetch_run(px + n * downs * x_step + COLUMN(i)
                                            Y_AT(py + n * downs * y_step + COLUMN(i)),
                                            row0 + row + n * downs MAP_ARGUMENTS);
            EACH for (int n = 0; n < some; ++n)
                EACH for (int i = 0; i < RUNS; ++i)
                    take_run(&sum[i], value[n][i], row + n * downs);
            row += some * downs;
            px += some * downs * x_step;
            Y_ONLY(py += some * downs * y_step;)
        }

        EACH for (int i = 0; i < RUNS; ++i) {
            const run kept = sum[i];
            EACH for (int j = 0; j < VECTOR; ++j) {
                state s = lane_of(&kept, j, row0, 1, down < rows);
                if (COLUMNS < GROUP) s = combine_column(s, shared);
                const long c = COLUMN(i) + j;
                if (down == 0 && c >= OWN(i) && c < inner) {
                    const long r = o * inner + c;
                    if (ANY_ORDER ? arrive(partial, r, parts, &s) : !SPLIT)
                        put(out + out_offset + r, s, length);
                    if (!ANY_ORDER && SPLIT) send(partial, part * results + r, s, turn);
                }
            }
        }
        if (SPLIT && LAST_GROUP) {
            const int all = is_last(counters + tile, parts, down == 0, &last) ? parts : 0;
            if (EARLY_EXIT && all == 0) continue;
            EACH for (int i = 0; i < RUNS; ++i) {
                for (int j = 0; j < VECTOR; ++j) {
                    const long c = COLUMN(i) + j;
                    const int mine = c >= OWN(i) && c < inner ? all : 0;
                    state s = begin_state();
                    for (int k = down; k < mine; k += downs)
                        s = merge(s, receive(partial, k * results + o * inner + c, turn));
                    if (COLUMNS < GROUP) s = combine_column(s, shared);
                    if (down == 0 && mine > 0) put(out + out_offset + o * inner + c, s, length);
                    LOOP_END;
                }
            }
        }
        LOOP_END;
    }
}
)cl";

}  // namespace clprim::reduce_text
