#pragma once
// OpenCL C of GEMM's copies: what becomes of a run of elements, kept whole or split into two parts.

#include <clprim/core/source.hpp>

namespace clprim::gemm_text {

/// What becomes of a run of elements: as they are.
inline constexpr kernel_text keep_whole = R"cl(
inline void store_parts(__global COPIED *place, const WORD *x)
{
    *(__global RUN_VECTOR *)place = RUN_OF(x);
}
#define BEGIN_LINES
#define END_LINES
#define SCALED(x, line) (x)
#define IS_BEYOND(x, line) 0
)cl";

inline constexpr kernel_text split_into_tf32 = R"cl(
// A float is its greater part, rounded to TF32, and the lesser one, what is left, rounded likewise.
inline float part_of(const float x)
{
    return as_float((as_uint(x) + 0x1000u) & 0xffffe000u);
}

inline void store_parts(__global float *place, const float *x)
{
    float greater[RUN], lesser[RUN];
    EACH for (int e = 0; e < RUN; ++e) {
        greater[e] = part_of(x[e]);
        lesser[e] = part_of(x[e] - greater[e]);
    }
    *(__global RUN_VECTOR *)place = RUN_OF(greater);
    *(__global RUN_VECTOR *)(place + PART) = RUN_OF(lesser);
}

// Whether two TF32 numbers do not hold a float: 2^127 and more, infinite, NaN; below 2^-100 the
// lesser part could be below what TF32 reaches.
inline int is_beyond(const uint magnitude)
{
    return magnitude >= 0x7f000000u || (magnitude != 0 && magnitude < 0x0d800000u);
}
#define BEGIN_LINES
#define END_LINES
#define SCALED(x, line) (x)
#define IS_BEYOND(x, line) is_beyond(as_uint(x) & 0x7fffffffu)
)cl";

inline constexpr kernel_text split_into_halves = R"cl(
// A float is its greater part, rounded to half, and the lesser one, what is left, LESSER_SCALE
// times, rounded likewise. A line is scaled so that its greatest magnitude is in [2^14, 2^15).
inline void store_parts(__global ushort *place, const float *x)
{
    uint greater[RUN / 2], lesser[RUN / 2];
    EACH for (int e = 0; e < RUN; e += 2) {
        float2 left = (float2)(x[e], x[e + 1]);
        greater[e / 2] = halves_of(left);
        left -= floats_of(greater[e / 2]);
        lesser[e / 2] = halves_of(left * LESSER_SCALE);
    }
    *(__global uint4 *)place = vload4(0, greater);
    *(__global uint4 *)(place + PART) = vload4(0, lesser);
}

// The power of two for a line, of whose elements the greatest has these bits.
inline int scale_of(const uint greatest)
{
    return greatest == 0 ? 0 : min(14 + 127 - (int)(greatest >> 23), 127);
}

// The bits of the least magnitude in a line of that scale that two halves hold. Those of 2^-14 and
// more, scaled, they hold like any but for an error of 2^-23 of it; to lesser ones more is allowed,
// 2^-23 times an eighth of the elements that are added up, of which a sum of float may have as much
// for every one. In a line with an infinity or NaN they hold none.
inline uint least_held(const uint greatest, const long length)
{
    const int allowed = length < 16 ? 0 : length >= 2048 ? 8 : 28 - (int)clz((uint)length);
    const int power = -14 - allowed - scale_of(greatest);
    return greatest >= 0x7f800000u ? 0xffffffffu
           : power >= -126         ? (uint)(power + 127) << 23
                                   : 1u << max(power + 149, 0);
}

// The first items have a line each. What they read is on its way together with the square.
#define BEGIN_LINES \
    const int own_line = (int)get_local_id(0); \
    const __global uint *const of_parts = \
        greatest + greatest_first + (long)batch * parts * lines + line0 + own_line; \
    uint greatest_of[MOST_PARTS]; \
    EACH for (int p = 0; p < MOST_PARTS; ++p) \
        greatest_of[p] = own_line < lines_here ? of_parts[min(p, parts - 1) * lines] : 0;
#define END_LINES \
    if (own_line < lines_here) { \
        uint top = 0; \
        EACH for (int p = 0; p < MOST_PARTS; ++p) top = max(top, greatest_of[p]); \
        line_factors[own_line] = as_float((uint)(127 + scale_of(top)) << 23); \
        line_least[own_line] = least_held(top, length); \
        if (first0 == 0) \
            scales[scales_first + (long)batch * lines + line0 + own_line] = scale_of(top); \
    }
#define SCALED(x, line) ((x) * line_factors[line])
// A zero is no magnitude below the least one.
#define IS_BEYOND(x, line) ((as_uint(x) & 0x7fffffffu) - 1u < line_least[line] - 1u)
)cl";

/// Two floats below 2^15, each rounded to the half next to it, and back.
inline constexpr kernel_text halves_by_ptx = R"cl(
inline uint halves_of(const float2 x)
{
    uint halves;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halves) : "f"(x.s1), "f"(x.s0));
    return halves;
}

inline float2 floats_of(const uint halves)
{
    float2 x;
    asm("{ .reg .b16 low, high; mov.b32 {low, high}, %2; "
        "cvt.f32.f16 %0, low; cvt.f32.f16 %1, high; }"
        : "=f"(x.s0), "=f"(x.s1) : "r"(halves));
    return x;
}
)cl";

/// The same in OpenCL C: half has ten bits behind the leading one, below 2^-14 multiples of 2^-24.
inline constexpr kernel_text halves_by_bits = R"cl(
inline uint half_of(const float x)
{
    const uint sign = as_uint(x) & 0x80000000u, bits = as_uint(x) ^ sign;
    const uint normal = (bits + 0x0fffu + (bits >> 13 & 1)) >> 13;
    const uint small = as_uint(as_float(bits) + 0.5f);  // whose last bit is 2^-24
    return (bits < 0x38800000u ? small - 0x3f000000u : normal - 0x1c000u) | sign >> 16;
}
inline uint halves_of(const float2 x) { return half_of(x.s0) | half_of(x.s1) << 16; }

inline float float_of(const uint bits_and_sign)
{
    const uint bits = bits_and_sign & 0x7fffu;
    const float small = as_float(bits + 0x3f000000u) - 0.5f;
    const float x = bits < 0x400u ? small : as_float((bits + 0x1c000u) << 13);
    return bits_and_sign & 0x8000u ? -x : x;
}
inline float2 floats_of(const uint halves)
{
    return (float2)(float_of(halves), float_of(halves >> 16));
}
)cl";

}  // namespace clprim::gemm_text
