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

// Vectors inside the image travel through registers while others are computed. Those at its edge
// are loaded when they are stored, in one loop that most groups leave out: unrolled among the
// others, their index maps took registers from everybody (H200, 9 x 9: 128 instead of 96, and 41
// instead of 50 TFLOP/s).
#define INSIDE(x) ((x) >= 0 && (x) + V <= in_width * C)

inline void load_rows(SUM_V *own, SUM_V *extra, const __global STORED *image, const int y,
                      const int x0, const int t, const long in_pitch, const int in_width,
                      const bool rows_inside)
{
    const __global STORED *const first = image + y * in_pitch;
    if (rows_inside && INSIDE(x0 + V * t))
        EACH for (int r = 0; r < IN_FLIGHT; ++r)
            own[r] = LOAD_V(first + r * in_pitch + (x0 + V * t));
    EACH for (int k = 0; k < EXTRA_LOADS; ++k) {
        const int e = t + k * ITEMS_X, r = e / max(EXTRA, 1), u = ITEMS_X + e % max(EXTRA, 1);
        if (r < IN_FLIGHT && rows_inside && INSIDE(x0 + V * u))
            extra[k] = LOAD_V(first + r * in_pitch + (x0 + V * u));
    }
}

inline void keep_rows(__local SUM_V *half_ring, const SUM_V *own, const SUM_V *extra, const int t)
{
    EACH for (int r = 0; r < IN_FLIGHT; ++r) half_ring[r * UNITS + t] = own[r];
    EACH for (int k = 0; k < EXTRA_LOADS; ++k) {
        const int e = t + k * ITEMS_X, r = e / max(EXTRA, 1), u = ITEMS_X + e % max(EXTRA, 1);
        if (r < IN_FLIGHT) half_ring[r * UNITS + u] = extra[k];
    }
}

// In place of what the group's items have kept of the image's edge: each its own vectors.
inline void keep_edge(__local SUM_V *half_ring, const __global STORED *image, const int y,
                      const int last, const int x0, const int t, const long in_pitch,
                      const int in_width, const int in_height, const bool plane_inside,
                      const bool rows_inside, const SUM border)
{
    NOT_UNROLLED for (int e = t; e < IN_FLIGHT * UNITS; e += ITEMS_X) {
        // The vectors of item t are t of each row, then those of extra.
        const int r = e < IN_FLIGHT * ITEMS_X ? e / ITEMS_X
                                              : (e - IN_FLIGHT * ITEMS_X) / max(EXTRA, 1);
        const int u = e < IN_FLIGHT * ITEMS_X
                          ? t
                          : ITEMS_X + (e - IN_FLIGHT * ITEMS_X) % max(EXTRA, 1);
        if (!rows_inside || !INSIDE(x0 + V * u)) {
            const int at_y = plane_inside ? MAP_Y(min(y + r, last), in_height) : -1;
            half_ring[r * UNITS + u] = vector_at(image + (at_y < 0 ? 0 : at_y * in_pitch),
                                                 at_y >= 0, x0 + V * u, in_width, border);
        }
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
    const int steps = (height + KY - 1 + IN_FLIGHT - 1) / IN_FLIGHT;
    NOT_UNROLLED for (int b = -1; b < steps; ++b) {
        const int next = y_in + (b + 1) * IN_FLIGHT;
        const bool rows_inside = at_z >= 0 && next >= 0 && next + IN_FLIGHT <= in_height;
        load_rows(own, extra, image, next, x0, t, in_pitch, in_width, rows_inside);
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
        keep_rows(kept, own, extra, t);
        if (!rows_inside || !columns_inside)
            keep_edge(kept, image, next, last, x0, t, in_pitch, in_width, in_height, at_z >= 0,
                      rows_inside, border);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
)cl";

}  // namespace clprim::convolve_text
