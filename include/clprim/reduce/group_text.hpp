#pragma once
// OpenCL C of how the items of a group put their states together. Each text is a function
// combine_NAME: the states of ITEMS neighbouring items, APART from each other, become one, in the
// first of them; always in the same order. All items of the group call it.

#include <clprim/core/source.hpp>

namespace clprim::reduce_text {

inline constexpr kernel_text combine_interleaved = R"cl(
inline state combine_NAME(state s, __local state *const shared)
{
    const int t = (int)get_local_id(0), lane = t / APART % ITEMS;
    BARRIER;
    shared[t] = s;
    BARRIER;
    for (int d = 1; d < ITEMS; d *= 2) {
        if (lane % (2 * d) == 0) shared[t] = merge(shared[t], shared[t + d * APART]);
        BARRIER;
    }
    return shared[t];
}
)cl";

inline constexpr kernel_text combine_sequential = R"cl(
inline state combine_NAME(state s, __local state *const shared)
{
    const int t = (int)get_local_id(0), lane = t / APART % ITEMS;
    BARRIER;
    shared[t] = s;
    BARRIER;
    for (int d = ITEMS / 2; d > 0; d /= 2) {
        if (lane < d) shared[t] = merge(shared[t], shared[t + d * APART]);
        BARRIER;
    }
    return shared[t];
}
)cl";

inline constexpr kernel_text combine_two_steps = R"cl(
inline state combine_NAME(state s, __local state *const shared)
{
    const int t = (int)get_local_id(0);
    BARRIER;
    shared[t] = s;
    BARRIER;
    if (t < 32) {
        EACH for (int i = 32; i < ITEMS; i += 32) s = merge(s, shared[t + i]);
        shared[t] = s;
    }
    BARRIER;
    if (t == 0) {
        EACH for (int i = 1; i < 32; ++i) s = merge(s, shared[i]);
    }
    return s;
}
)cl";

/// What shuffles share: the state of the item whose number differs in bit d.
inline constexpr kernel_text shuffled_state = R"cl(
inline state shuffled(state s, const int d)
{
    uint from[WORDS], to[WORDS];
    pack(s, from);
    EACH for (int w = 0; w < WORDS; ++w) SHUFFLE(to[w], from[w], d);
    return unpack(to);
}
)cl";

inline constexpr kernel_text combine_shuffle = R"cl(
inline state combine_NAME(state s, __local state *const shared)
{
    const int t = (int)get_local_id(0);
    EACH for (int d = min(ITEMS, 32) / 2; d > 0; d /= 2) s = merge(s, shuffled(s, d));
    if (ITEMS > 32) {
        BARRIER;
        if (t % 32 == 0) shared[t / 32] = s;
        BARRIER;
        if (t % ITEMS < 32) {
            s = begin_state();
            if (t % ITEMS < ITEMS / 32) s = shared[t / ITEMS * (ITEMS / 32) + t % ITEMS];
            EACH for (int d = ITEMS / 64; d > 0; d /= 2) s = merge(s, shuffled(s, d));
        }
    }
    return s;
}
)cl";

/// Which items a sub-group holds is the driver's affair, so only whole groups go this way.
inline constexpr kernel_text combine_sub_group = R"cl(
inline state combine_NAME(state s, __local state *const shared)
{
    for (int d = (int)get_sub_group_size() / 2; d > 0; d /= 2) s = merge(s, shuffled(s, d));
    BARRIER;
    if (get_sub_group_local_id() == 0) shared[get_sub_group_id()] = s;
    BARRIER;
    if (get_local_id(0) == 0) {
        s = shared[0];
        for (int i = 1; i < (int)get_num_sub_groups(); ++i) s = merge(s, shared[i]);
    }
    return s;
}
)cl";

}  // namespace clprim::reduce_text
