#pragma once
// OpenCL C of how states travel from group to group.

#include <clprim/core/source.hpp>

namespace clprim::reduce_text {

/// MAILED (group_finish::last_group, last_started): every word is a message of its own, with the
/// number of the call beside it, its turn; what an earlier call left is no message of this one. So
/// nothing rests on a fence between groups, which OpenCL 1.2 does not have, and nobody clears up.
inline constexpr kernel_text exchanged_words = R"cl(
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
)cl";

/// The same with NVIDIA's loads and stores that no cache of a unit holds back: an exchange of each
/// place would take turns with every other group's.
inline constexpr kernel_text relaxed_words = R"cl(
inline void send_word(__global uint *const partial, const long place, const uint word,
                      const uint turn)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;"
                 : : "l"((__global ulong *)partial + place), "l"((ulong)turn << 32 | word)
                 : "memory");
}
inline uint take_word(__global uint *const partial, const long place, const uint turn)
{
    ulong m = 0;
    while (m >> 32 != turn)
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                     : "=l"(m) : "l"((__global ulong *)partial + place) : "memory");
    return (uint)m;
}
)cl";

inline constexpr kernel_text messages = R"cl(
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
)cl";

/// group_finish::any_order, for states of one word: the place holds what has come so far and, above
/// it, how many states that are. Whoever completes it has the result, without any fence.
inline constexpr kernel_text arrival = R"cl(
inline int arrive(__global uint *const partial, const long place, const int parts, state *const s)
{
    volatile __global ulong *const at = (volatile __global ulong *)partial + place;
    ulong seen = 0, next;  // a guess: the first exchange tells
    uint word[1];
    state sum;
    int came = 0;
    for (int done = 0; !done;) {
        came = (int)(seen >> 32) + 1;
        word[0] = (uint)seen;
        sum = came == 1 ? *s : merge(unpack(word), *s);
        pack(sum, word);
        next = came == parts ? 0 : (ulong)came << 32 | word[0];
        const ulong old = atom_cmpxchg(at, seen, next);
        done = old == seen;
        seen = old;
    }
    *s = sum;
    return came == parts;
}
)cl";

/// The same with NVIDIA's addition in memory: on a GPU hundreds of groups come at a time.
inline constexpr kernel_text arrival_by_addition = R"cl(
inline int arrive(__global uint *const partial, const long place, const int parts, state *const s)
{
    __global float *const at = (__global float *)(partial + 2 * place);
    __global uint *const counter = partial + 2 * place + 1;
    uint before;
    asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" : : "l"(at), "f"(s->MEMBER) : "memory");
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;"
                 : "=r"(before) : "l"(counter) : "memory");
    if (before != (uint)(parts - 1)) return 0;
    s->MEMBER = as_float(atomic_xchg((__global volatile uint *)at, 0u));
    atomic_xchg((__global volatile uint *)counter, 0u);
    return 1;
}
)cl";

}  // namespace clprim::reduce_text
