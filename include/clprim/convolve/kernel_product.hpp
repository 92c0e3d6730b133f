#pragma once
// OpenCL C of channels_method::product: an implicit GEMM.

#include <clprim/core/source.hpp>

namespace clprim::convolve_text {

inline constexpr kernel_text product_kernel = R"cl(
// out(k, p) = sum over q of filter(k, q) window(q, p): p counts the output's pixels of all images,
// q the taps and, for each, the input channels. The matrix of windows is never stored: a tile of
// it is gathered from the image where it is needed. One tap at a time, so that an item's pixel lies
// inside or outside the image for a whole tile, and its channels are a plane apart.
//
//                         window   TILE_N pixels
//                                 +-------------+
//                          TILE_K |             |       local memory: two halves of both tiles;
//                                 +-------------+       one is computed, one filled
//         filter    TILE_K
//                  +------+       +-------------+
//         TILE_M   |      |       | PM x PN per |       an item: blocks of 4 x 4, as far apart as
//         channels |      |       | item        |       all items' blocks are wide
//                  +------+       +-------------+
#define TAPS (KY * KX)
#define ITEMS_N (TILE_N / PN)
#define A_EACH (TILE_M * TILE_K / GROUP_ITEMS)
#define B_EACH (TILE_N * TILE_K / GROUP_ITEMS)
#define A_STEP (GROUP_ITEMS / TILE_M)
#define B_STEP (GROUP_ITEMS / TILE_N)
#define INPUT_TILES ((GROUP_INPUTS + TILE_K - 1) / TILE_K)
#define STEPS (TAPS * INPUT_TILES)
#define ROW_OF(i) ((i) / 4 * (TILE_M / PM * 4) + (i) % 4)
#define COLUMN_OF(j) ((j) / 4 * (ITEMS_N * 4) + (j) % 4)

// The filter as group, tap, input channel, output channel: tiles are read along their rows.
__kernel void order_filter(const __global STORED *restrict filter, const long filter_offset,
                           __global STORED *restrict ordered, const int rows)
{
    const int k = (int)get_global_id(0);
    if (k >= GROUP_OUTPUTS) return;
    for (int row = (int)get_global_id(1); row < rows; row += (int)get_global_size(1)) {
        const int c = row % GROUP_INPUTS, tap = row / GROUP_INPUTS % TAPS;
        const int group = row / (GROUP_INPUTS * TAPS);
        const long from = (((long)group * GROUP_OUTPUTS + k) * GROUP_INPUTS + c) * TAPS + tap;
        const SUM one = LOAD_ONE(filter + filter_offset + from);
        STORE_ONE(ordered + (long)row * GROUP_OUTPUTS + k, one);
    }
}

__attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
__kernel void convolve_channels(const __global STORED *restrict in, const long in_offset,
                                const int in_channels, const int in_height, const int in_width,
                                const __global STORED *restrict ordered, const long unused,
                                __global STORED *restrict out, const long out_offset,
                                const int out_channels, const int out_height,
                                const int out_width, const int pixels GRID_PARAMETERS
                                USER_PARAMETERS)
{
    __local SUM a[2][TILE_K][TILE_M] __attribute__((aligned(16)));
    __local SUM b[2][TILE_K][TILE_N] __attribute__((aligned(16)));
    const int t = (int)get_local_id(0), p0 = GROUP_ID_X * TILE_N;
    const int group = GROUP_ID_Y / SLABS, k0 = GROUP_ID_Y % SLABS * TILE_M;
    const int plane = in_height * in_width, out_plane = out_height * out_width;
    // What this item gathers: one pixel's windows, every B_STEP-th channel; one output channel's
    // coefficients, every A_STEP-th input channel.
    const int bn = t % TILE_N, bc = t / TILE_N, am = t % TILE_M, ac = t / TILE_M;
    const int p = p0 + bn, pixel = p % out_plane;
    const int y0 = p < pixels ? pixel / out_width * SY - PAD_Y : -(1 << 30);
    const int x0 = pixel % out_width * SX - PAD_X;
    const __global STORED *const image =
        in + in_offset +
        ((long)(p < pixels ? p / out_plane : 0) * in_channels + group * GROUP_INPUTS + bc) * plane;
    const __global STORED *const taps = ordered + (long)group * TAPS * GROUP_INPUTS * GROUP_OUTPUTS;
    const bool channel_inside = k0 + am < GROUP_OUTPUTS;
    const int tm = t / ITEMS_N * 4, tn = t % ITEMS_N * 4;
    SUM acc[PM][PN], ra[A_EACH], rb[B_EACH];
    EACH for (int i = 0; i < PM; ++i)
        EACH for (int j = 0; j < PN; ++j) acc[i][j] = 0;
    for (int step = -1; step < STEPS; ++step) {
        // Loaded without asking whether there is a next tile: a branch would make the compiler
        // move the loads behind the arithmetic.
        const int next = min(step + 1, STEPS - 1), tap = next / INPUT_TILES;
        const int c0 = next % INPUT_TILES * TILE_K;
        const int y = y0 + tap / KX * DY, x = x0 + tap % KX * DX;
        const bool inside = y >= 0 && y < in_height && x >= 0 && x < in_width;
        const __global STORED *const window =
            image + (inside ? (long)c0 * plane + (long)y * in_width + x : 0);
        EACH for (int i = 0; i < B_EACH; ++i) {
            rb[i] = 0;
            if (inside && c0 + bc + i * B_STEP < GROUP_INPUTS)
                rb[i] = LOAD_ONE(window + (long)(i * B_STEP) * plane);
        }
        EACH for (int i = 0; i < A_EACH; ++i) {
            const int c = c0 + ac + i * A_STEP;
            ra[i] = 0;
            if (channel_inside && c < GROUP_INPUTS)
                ra[i] = LOAD_ONE(taps + ((tap * GROUP_INPUTS + c) * GROUP_OUTPUTS + k0 + am));
        }
        if (step >= 0) {
            EACH for (int k = 0; k < TILE_K; ++k) {
                SUM fa[PM], fb[PN];
                EACH for (int i = 0; i < PM; i += 4) {
                    const SUM_4 v = *(const __local SUM_4 *)&a[step & 1][k][tm + ROW_OF(i)];
                    fa[i] = v.x, fa[i + 1] = v.y, fa[i + 2] = v.z, fa[i + 3] = v.w;
                }
                EACH for (int j = 0; j < PN; j += 4) {
                    const SUM_4 v = *(const __local SUM_4 *)&b[step & 1][k][tn + COLUMN_OF(j)];
                    fb[j] = v.x, fb[j + 1] = v.y, fb[j + 2] = v.z, fb[j + 3] = v.w;
                }
                EACH for (int i = 0; i < PM; ++i)
                    EACH for (int j = 0; j < PN; ++j) acc[i][j] = fma(fa[i], fb[j], acc[i][j]);
            }
        }
        EACH for (int i = 0; i < B_EACH; ++i) b[(step + 1) & 1][bc + i * B_STEP][bn] = rb[i];
        EACH for (int i = 0; i < A_EACH; ++i) a[(step + 1) & 1][ac + i * A_STEP][am] = ra[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    EACH for (int j = 0; j < PN; j += STORED_AT_ONCE) {
        const int to_p = p0 + tn + COLUMN_OF(j), at = to_p % out_plane;
        if (to_p < pixels) {
            const int to_image = to_p / out_plane;
            __global STORED *const to =
                out + out_offset + (long)to_image * out_channels * out_plane + at;
            EACH for (int i = 0; i < PM; ++i) {
                const int k = k0 + tm + ROW_OF(i), channel = group * GROUP_OUTPUTS + k;
                if (k < GROUP_OUTPUTS) {
                    SUM made[STORED_AT_ONCE];
                    EACH for (int l = 0; l < STORED_AT_ONCE; ++l)
                        made[l] = MAP_VALUE(acc[i][j + l], (at + l) % out_width,
                                            (at + l) / out_width, 0, channel, to_image);
                    STORE_MADE(to + (long)channel * out_plane, made);
                }
            }
        }
    }
}
)cl";

}  // namespace clprim::convolve_text
