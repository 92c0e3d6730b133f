#pragma once
// OpenCL C of method ring: large filters and fused separable ones on GPUs.

#include <clprim/core/source.hpp>

namespace clprim::convolve_text {

inline constexpr kernel_text ring_kernel = R"cl(
// A group marches down a strip of ITEMS_X V columns and STRIP rows. acc[i] is the unfinished output
// row s - (KY - 1) + i: each input row s is read from local memory once and added to all of them.
// The shift acc[i] <- acc[i + 1] costs nothing, for the first multiply-add of a row reads the one
// register and writes the other; so the loop over rows needs no unrolling and the code stays small.
//
//   local memory: two halves of IN_FLIGHT rows; one is computed while the other is in flight
//
//      | phase | tap 0 of item 0, item 1, ...                    | reach |
//      +-------+-------+-------+-------+-------+- ... -+-------+-------+     UNITS vectors of V
//      | item 0| item 1|                                | first items load these EXTRA too
//      +-------+-------+-------+-------+-------+- ... -+-------+-------+
//
// An item holds its own vectors of the next rows (4 registers each) but reads whole windows from
// local memory: in flight they would cost KX + V registers a row.
#define UNITS (ITEMS_X + EXTRA)
#define EXTRA_LOADS ((IN_FLIGHT * EXTRA + ITEMS_X - 1) / ITEMS_X)

// Vectors inside the image travel whole; the elements of the others, at most EDGE on each side of a
// row, are dealt out to all items: a group that loads row after row is what the whole launch waits
// for where all groups run side by side (H200: 9 x 9 at 36 instead of 50 TFLOP/s).
#define EDGE ((KX - 1) * DX * C + 2 * V)
#define INSIDE(x) ((x) >= 0 && (x) + V <= in_width * C)

inline void load_rows(SUM_V *own, SUM_V *extra, const __global STORED *image, const int y,
                      const int last, const int x0, const int t, const long in_pitch,
                      const int in_width, const int in_height, const bool plane_inside,
                      const SUM border)
{
    if (plane_inside && y >= 0 && y + IN_FLIGHT <= in_height) {
        const __global STORED *const first = image + y * in_pitch;
        if (INSIDE(x0 + V * t))
            EACH for (int r = 0; r < IN_FLIGHT; ++r)
                own[r] = LOAD_V(first + r * in_pitch + (x0 + V * t));
        EACH for (int k = 0; k < EXTRA_LOADS; ++k) {
            const int e = t + k * ITEMS_X, r = e / max(EXTRA, 1), u = ITEMS_X + e % max(EXTRA, 1);
            if (r < IN_FLIGHT && INSIDE(x0 + V * u))
                extra[k] = LOAD_V(first + r * in_pitch + (x0 + V * u));
        }
    } else {
        EACH for (int r = 0; r < IN_FLIGHT; ++r) {
            const int at_y = plane_inside ? MAP_Y(min(y + r, last), in_height) : -1;
            own[r] = (SUM_V)(border);
            if (at_y >= 0 && INSIDE(x0 + V * t))
                own[r] = LOAD_V(image + at_y * in_pitch + (x0 + V * t));
        }
        EACH for (int k = 0; k < EXTRA_LOADS; ++k) {
            const int e = t + k * ITEMS_X, r = e / max(EXTRA, 1), u = ITEMS_X + e % max(EXTRA, 1);
            const int at_y = plane_inside ? MAP_Y(min(y + r, last), in_height) : -1;
            extra[k] = (SUM_V)(border);
            if (r < IN_FLIGHT && at_y >= 0 && INSIDE(x0 + V * u))
                extra[k] = LOAD_V(image + at_y * in_pitch + (x0 + V * u));
        }
    }
}

inline void keep_rows(__local SUM_V *half_ring, const SUM_V *own, const SUM_V *extra, const int x0,
                      const int t, const int in_width)
{
    if (INSIDE(x0 + V * t))
        EACH for (int r = 0; r < IN_FLIGHT; ++r) half_ring[r * UNITS + t] = own[r];
    EACH for (int k = 0; k < EXTRA_LOADS; ++k) {
        const int e = t + k * ITEMS_X, r = e / max(EXTRA, 1), u = ITEMS_X + e % max(EXTRA, 1);
        if (r < IN_FLIGHT && INSIDE(x0 + V * u)) half_ring[r * UNITS + u] = extra[k];
    }
}

// Elements from .. from + count - 1 of each row of a batch. In a loop, and not before the
// arithmetic: that took 27 registers more for 17 x 17.
inline void keep_edge(__local SUM *half_ring, const int from, const int count,
                      const __global STORED *image, const int y, const int last, const int x0,
                      const int t, const long in_pitch, const int in_width, const int in_height,
                      const bool plane_inside, const SUM border)
{
    NOT_UNROLLED for (int e = t; e < IN_FLIGHT * count; e += ITEMS_X) {
        const int r = e / count, at = from + e % count;
        const int at_y = plane_inside ? MAP_Y(min(y + r, last), in_height) : -1;
        half_ring[r * UNITS * V + at] =
            at_y < 0 ? border : element_at(image + at_y * in_pitch, x0 + at, in_width, border);
    }
}

__attribute__((reqd_work_group_size(ITEMS_X, 1, 1)))
__kernel void convolve(IMAGES FILTER_PARAMETERS USER_PARAMETERS)
{
    __local SUM_V rows[2 * IN_FLIGHT * UNITS];
    const int t = (int)get_local_id(0), plane = (int)get_group_id(2);
    const int batch = BATCH_OF(plane), z = Z_OF(plane);
    const int group_e = (int)get_group_id(0) * OUT_X, y0 = (int)get_group_id(1) * STRIP;
    const int e0 = group_e + t * V, x0 = group_e + x_first * C - PHASE, y_in = y0 + y_first;
    const int height = min(STRIP, out_height - y0), last = y_in + height + KY - 2;
    // A filter of two dimensions: the plane is one of the input's, which z_first may lay outside.
    const int at_z = MAP_Z(z_first + z * SZ, in_depth);
    const __global STORED *const image =
        in + in_offset + batch * in_stride + (at_z < 0 ? 0 : at_z * in_slice);
    __global OUT_STORED *to =
        out + out_offset + batch * out_stride + z * out_slice + y0 * out_pitch;
    const bool whole = e0 + V <= out_width * C;
    SUM_V own[IN_FLIGHT], extra[EXTRA_LOADS + 1];
    SUM acc[KY][V];
    EACH for (int i = 0; i < KY; ++i)
        EACH for (int j = 0; j < V; ++j) acc[i][j] = 0;
    EACH for (int r = 0; r < IN_FLIGHT; ++r) own[r] = (SUM_V)(0);
    EACH for (int k = 0; k < EXTRA_LOADS; ++k) extra[k] = (SUM_V)(0);
    const bool columns_inside = x0 >= 0 && x0 + UNITS * V <= in_width * C;
    // Places in a row: vectors before `left` and from `right` on are not inside.
    const int left = min(x0 < 0 ? (V - 1 - x0) / V * V : 0, UNITS * V);
    const int right = min(max(left, max(in_width * C - x0, 0) / V * V), UNITS * V);
    // Nobody writes what only outputs past the image's end would read.
    if (!columns_inside)
        for (int u = t; u < 2 * IN_FLIGHT * UNITS; u += ITEMS_X) rows[u] = (SUM_V)(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    const int steps = (height + KY - 1 + IN_FLIGHT - 1) / IN_FLIGHT;
    NOT_UNROLLED for (int b = -1; b < steps; ++b) {
        const int next = y_in + (b + 1) * IN_FLIGHT;
        load_rows(own, extra, image, next, last, x0, t, in_pitch, in_width, in_height, at_z >= 0,
                  border);
        const __local SUM_V *half_ring = rows + (b & 1) * (IN_FLIGHT * UNITS);
        if (b >= 0) ROW_LOOP for (int r = 0; r < IN_FLIGHT; ++r) {
            const int s = b * IN_FLIGHT + r;
            SUM w[WINDOW_UNITS * V];
            EACH for (int u = 0; u < WINDOW_UNITS; ++u) {
                const SUM_V v = half_ring[r * UNITS + t + u];
                UNPACK(w + u * V, v)
            }
#if SEPARABLE
            SUM h[V];
            EACH for (int j = 0; j < V; ++j) h[j] = 0;
            EACH for (int kx = 0; kx < KX; ++kx)
                EACH for (int j = 0; j < V; ++j)
                    h[j] = MULTIPLY_ADD(CX(kx), w[PHASE + j + kx * DX * C], h[j]);
            EACH for (int i = 0; i < KY; ++i)
                EACH for (int j = 0; j < V; ++j)
                    acc[i][j] = i < KY - 1
                                    ? MULTIPLY_ADD(CY(KY - 1 - i), h[j], acc[(i + 1) % KY][j])
                                    : CY(0) * h[j];
#else
            EACH for (int i = 0; i < KY; ++i) {
                // Rows of the apron add nothing to outputs outside the strip.
                if (!SKIP || (i >= KY - 1 - s && i < height + KY - 1 - s)) {
                    SUM sum[V];
                    EACH for (int j = 0; j < V; ++j) sum[j] = i < KY - 1 ? acc[(i + 1) % KY][j] : 0;
                    EACH for (int kx = 0; kx < KX; ++kx)
                        EACH for (int j = 0; j < V; ++j)
                            sum[j] = MULTIPLY_ADD(CW(0, KY - 1 - i, kx), w[PHASE + j + kx * DX * C],
                                                  sum[j]);
                    EACH for (int j = 0; j < V; ++j) acc[i][j] = sum[j];
                }
            }
#endif
            if (s >= KY - 1 && s < height + KY - 1) {
                const int y = y0 + s - (KY - 1);
                if (whole)
                    store_whole_vector(to, acc[0], e0, y, z, batch USER_ARGUMENTS);
                else if (e0 < out_width * C)
                    store_vector(to, acc[0], e0, out_width, y, z, batch USER_ARGUMENTS);
                to += out_pitch;
            }
        }
        __local SUM_V *const kept = rows + ((b + 1) & 1) * (IN_FLIGHT * UNITS);
        keep_rows(kept, own, extra, x0, t, in_width);
        if (!columns_inside) {
            NOT_UNROLLED for (int side = 0; side < 2; ++side)
                keep_edge((__local SUM *)kept, side == 0 ? 0 : right,
                          side == 0 ? left : min(UNITS * V - right, EDGE), image, next, last, x0,
                          t, in_pitch, in_width, in_height, at_z >= 0, border);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
)cl";

}  // namespace clprim::convolve_text
