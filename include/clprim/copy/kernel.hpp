#pragma once
// OpenCL C of copy and map.

#include <clprim/core/source.hpp>

namespace clprim::copy_text {

/// One element at the edge or of a strided array, and the parts of a group.
inline constexpr kernel_text kernel = R"cl(
// out[i] = map(x0[i], x1[i], …), i < count.
//
//   part of a group: PER_ITEM rows of ITEMS vectors of V elements
//   +----+----+----+----+----+----+
//   | 0  | 1  | 2  | 0  | 1  | 2  |     items 0, 1, 2, … side by side: an access of a warp is one
//   +----+----+----+----+----+----+     piece of memory; an item has all of its vectors in flight
//
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
__kernel void map(const long count, const long parts INPUTS,
                  __global OUT_STORED *RESTRICT out, const long out_offset,
                  const long out_stride UNUSED USER_PARAMETERS)
{
    const long item = get_local_id(0), group = get_group_id(0), groups = get_num_groups(0);
    const long share = (parts + groups - 1) / groups;
    const long first = WALK == COPY_WALK_RUNS ? group * share : group;
    const long last = WALK == COPY_WALK_RUNS ? min(first + share, parts) : parts;
    const long step = WALK == COPY_WALK_RUNS ? 1 : groups;
    INPUTS_BEGIN
    out += out_offset;
    for (long part = first; part < last; part += step) {
        const long begin = part * (ITEMS * PER_ITEM * V);
        if (begin + ITEMS * PER_ITEM * V <= count) {
            OUT_RUN done[PER_ITEM];
            LOAD_ALL
            EACH for (int k = 0; k < PER_ITEM; ++k)
                WRITE_RUN(begin + (item + k * ITEMS) * V, done[k]);
        } else {
            for (long i = begin + item; i < count; i += ITEMS)
                out[i * OUT_STRIDE] = MAP_AT(i);
        }
    }
}
)cl";

}  // namespace clprim::copy_text
