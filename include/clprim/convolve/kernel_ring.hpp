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
// local memory: in flight they would cost KX + V registers a row. With COPIES the device copies the
// rows past the registers (H200, 17 x 17: 57.1 TFLOP/s, else 55.2; fused separable ones lose 7 %).
#define UNITS (ITEMS_X + EXTRA)
#define EXTRA_LOADS ((IN_FLIGHT * EXTRA + ITEMS_X - 1) / ITEMS_X)
#define INSIDE(x) ((x) >= 0 && (x) + V <= in_width * C)
#define ROW_AT(y) (at_z >= 0 ? MAP_Y(min(y, last), in_height) : -1)

// Vectors inside the image travel whole. The other elements of a row, its edge, are dealt out to
// all items by a plan that is made once (source's place in a row, place in the half), and travel
// with the rows: a group that waits for its edge is what the whole launch waits for where all
// groups run side by side. What lies outside for good is written once: no load overwrites it.
#define EDGE (REACH + 2 * V)
#define EDGE_ROW(plan) ((plan).y / (UNITS * V))

#if COPIES
inline void copy_rows(__local SUM_V *to, const __local int2 *plan, const int planned,
                      const __global STORED *image, const int y, const int last, const int x0,
                      const int t, const long in_pitch, const int in_width, const int in_height,
                      const int at_z, const SUM border)
{
    __local SUM *const places = (__local SUM *)to;
    if (at_z >= 0 && y >= 0 && y + IN_FLIGHT <= in_height) {
        const __global STORED *const first = image + y * in_pitch;
        if (INSIDE(x0 + V * t))
            EACH for (int r = 0; r < IN_FLIGHT; ++r)
                COPY_V(to + r * UNITS + t, first + r * in_pitch + (x0 + V * t));
        EACH for (int k = 0; k < EXTRA_LOADS; ++k) {
            const int e = t + k * ITEMS_X, r = e / max(EXTRA, 1), u = ITEMS_X + e % max(EXTRA, 1);
            if (r < IN_FLIGHT && INSIDE(x0 + V * u))
                COPY_V(to + r * UNITS + u, first + r * in_pitch + (x0 + V * u));
        }
        NOT_UNROLLED for (int e = t; e < planned; e += ITEMS_X)
            if (plan[e].x >= 0)
                COPY_ONE(places + plan[e].y, first + EDGE_ROW(plan[e]) * in_pitch + plan[e].x);
    } else {
        EACH for (int r = 0; r < IN_FLIGHT; ++r) {
            const int at_y = ROW_AT(y + r);
            if (INSIDE(x0 + V * t)) {
                if (at_y >= 0)
                    COPY_V(to + r * UNITS + t, image + at_y * in_pitch + (x0 + V * t));
                else
                    to[r * UNITS + t] = (SUM_V)(border);
            }
        }
        EACH for (int k = 0; k < EXTRA_LOADS; ++k) {
            const int e = t + k * ITEMS_X, r = e / max(EXTRA, 1), u = ITEMS_X + e % max(EXTRA, 1);
            const int at_y = ROW_AT(y + r);
            if (r < IN_FLIGHT && INSIDE(x0 + V * u)) {
                if (at_y >= 0)
                    COPY_V(to + r * UNITS + u, image + at_y * in_pitch + (x0 + V * u));
                else
                    to[r * UNITS + u] = (SUM_V)(border);
            }
        }
        NOT_UNROLLED for (int e = t; e < planned; e += ITEMS_X) {
            const int at_y = ROW_AT(y + EDGE_ROW(plan[e]));
            if (plan[e].x >= 0 && at_y >= 0)
                COPY_ONE(places + plan[e].y, image + at_y * in_pitch + plan[e].x);
            else if (plan[e].x >= 0)
                places[plan[e].y] = border;
        }
    }
}
#else
inline void load_rows(SUM_V *own, SUM_V *extra, const __global STORED *image, const int y,
                      const int last, const int x0, const int t, const long in_pitch,
                      const int in_width, const int in_height, const int at_z, const SUM border)
{
    if (at_z >= 0 && y >= 0 && y + IN_FLIGHT <= in_height) {
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
            const int at_y = ROW_AT(y + r);
            own[r] = (SUM_V)(border);
            if (at_y >= 0 && INSIDE(x0 + V * t))
                own[r] = LOAD_V(image + at_y * in_pitch + (x0 + V * t));
        }
        EACH for (int k = 0; k < EXTRA_LOADS; ++k) {
            const int e = t + k * ITEMS_X, r = e / max(EXTRA, 1), u = ITEMS_X + e % max(EXTRA, 1);
            const int at_y = ROW_AT(y + r);
            extra[k] = (SUM_V)(border);
            if (r < IN_FLIGHT && at_y >= 0 && INSIDE(x0 + V * u))
                extra[k] = LOAD_V(image + at_y * in_pitch + (x0 + V * u));
        }
    }
}

inline void keep_rows(__local SUM_V *to, const SUM_V *own, const SUM_V *extra, const int x0,
                      const int t, const int in_width)
{
    if (INSIDE(x0 + V * t))
        EACH for (int r = 0; r < IN_FLIGHT; ++r) to[r * UNITS + t] = own[r];
    EACH for (int k = 0; k < EXTRA_LOADS; ++k) {
        const int e = t + k * ITEMS_X, r = e / max(EXTRA, 1), u = ITEMS_X + e % max(EXTRA, 1);
        if (r < IN_FLIGHT && INSIDE(x0 + V * u)) to[r * UNITS + u] = extra[k];
    }
}

inline SUM edge_at(const __global STORED *image, const int2 plan, const int y, const int last,
                   const long in_pitch, const int in_height, const int at_z, const SUM border)
{
    const int at_y = ROW_AT(y + EDGE_ROW(plan));
    return at_y < 0 ? border : LOAD_ONE(image + at_y * in_pitch + plan.x);
}
#endif

__attribute__((reqd_work_group_size(ITEMS_X, 1, 1)))
__kernel void convolve(IMAGES FILTER_PARAMETERS USER_PARAMETERS)
{
    __local SUM_V rows[2 * IN_FLIGHT * UNITS];
    __local int2 edge_plan[EDGE_PLAN];
    const int t = (int)get_local_id(0), plane = GROUP_ID_Z;
    const int batch = BATCH_OF(plane), z = Z_OF(plane);
    const int group_e = GROUP_ID_X * OUT_X, y0 = GROUP_ID_Y * STRIP;
    const int e0 = group_e + t * V, x0 = group_e + x_first * C - PHASE, y_in = y0 + y_first;
    const int height = min(STRIP, out_height - y0), last = y_in + height + KY - 2;
    // A filter of two dimensions: the plane is one of the input's, which z_first may lay outside.
    const int at_z = MAP_Z(z_first + z * SZ, in_depth);
    const __global STORED *const image =
        in + in_offset + batch * in_stride + (at_z < 0 ? 0 : at_z * in_slice);
    __global OUT_STORED *to =
        out + out_offset + batch * out_stride + z * out_slice + y0 * out_pitch;
    const bool whole = e0 + V <= out_width * C;
    SUM acc[KY][V];
    EACH for (int i = 0; i < KY; ++i)
        EACH for (int j = 0; j < V; ++j) acc[i][j] = 0;
    const bool columns_inside = x0 >= 0 && x0 + UNITS * V <= in_width * C;
    // Places in a row: vectors before `left` and from `right` on are not inside; of theirs, the
    // constant's are never loaded, nor what only outputs past the image's end would read.
    const int left = min(x0 < 0 ? (V - 1 - x0) / V * V : 0, UNITS * V);
    const int end = max(in_width * C - x0, 0);
    const int right = min(max(left, end / V * V), UNITS * V);
    const int edge_first = X_LOWER == 0 ? min(max(-x0, 0), left) : 0, edge_left = left - edge_first;
    const int edge_end = min(X_UPPER == 0 ? max(end, right) : right + EDGE, UNITS * V);
    const int edge_count = columns_inside ? 0 : edge_left + max(edge_end - right, 0);
    const int planned = IN_FLIGHT * edge_count;
    for (int e = t; e < max(planned, ITEMS_X); e += ITEMS_X) {
        int2 plan = (int2)(-1);
        if (e < planned) {
            const int r = e / edge_count, k = e - r * edge_count;
            const int place = k < edge_left ? edge_first + k : right + (k - edge_left);
            const int i = x0 + place, pixel = C == 1 ? i : i >= 0 ? i / C : -((C - 1 - i) / C);
            const int at = MAP_X(pixel, in_width);
            plan = (int2)(at < 0 ? -1 : at * C + (i - pixel * C), r * UNITS * V + place);
        }
        edge_plan[e] = plan;
    }
    if (!columns_inside)
        for (int u = t; u < 2 * IN_FLIGHT * UNITS; u += ITEMS_X) rows[u] = (SUM_V)(border);
#if !COPIES
    SUM_V own[IN_FLIGHT], extra[EXTRA_LOADS + 1];
    SUM edge = 0;
    EACH for (int r = 0; r < IN_FLIGHT; ++r) own[r] = (SUM_V)(0);
    EACH for (int k = 0; k < EXTRA_LOADS; ++k) extra[k] = (SUM_V)(0);
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    const int steps = (height + KY - 1 + IN_FLIGHT - 1) / IN_FLIGHT;
    NOT_UNROLLED for (int b = -1; b < steps; ++b) {
        const int next = y_in + (b + 1) * IN_FLIGHT;
        __local SUM_V *const kept = rows + ((b + 1) & 1) * (IN_FLIGHT * UNITS);
#if COPIES
        copy_rows(kept, edge_plan, planned, image, next, last, x0, t, in_pitch, in_width,
                  in_height, at_z, border);
#else
        load_rows(own, extra, image, next, last, x0, t, in_pitch, in_width, in_height, at_z,
                  border);
        if (edge_plan[t].x >= 0)
            edge = edge_at(image, edge_plan[t], next, last, in_pitch, in_height, at_z, border);
#endif
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
            // Rows of the apron add nothing to outputs outside the strip: four at a time are left
            // out, for asking costs as much as four multiply-adds (H200, 17 x 17: one at a time
            // 54.4 TFLOP/s, four 57.1, never 52.2).
            EACH for (int some = 0; some < KY; some += 4) {
                if (!SKIP || (uint)(s - (KY - 1) + some + 3) < (uint)(height + 3)) {
                    EACH for (int q = 0; q < 4; ++q) {
                        const int i = some + q;
                        if (i < KY) {
                            SUM sum[V];
                            EACH for (int j = 0; j < V; ++j)
                                sum[j] = i < KY - 1 ? acc[(i + 1) % KY][j] : 0;
                            EACH for (int kx = 0; kx < KX; ++kx)
                                EACH for (int j = 0; j < V; ++j)
                                    sum[j] = MULTIPLY_ADD(CW(0, KY - 1 - i, kx),
                                                          w[PHASE + j + kx * DX * C], sum[j]);
                            EACH for (int j = 0; j < V; ++j) acc[i][j] = sum[j];
                        }
                    }
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
#if COPIES
        AWAIT_COPIES
#else
        keep_rows(kept, own, extra, x0, t, in_width);
        if (edge_plan[t].x >= 0) ((__local SUM *)kept)[edge_plan[t].y] = edge;
        NOT_UNROLLED for (int e = t + ITEMS_X; e < planned; e += ITEMS_X)
            if (edge_plan[e].x >= 0)
                ((__local SUM *)kept)[edge_plan[e].y] = edge_at(
                    image, edge_plan[e], next, last, in_pitch, in_height, at_z, border);
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
)cl";

}  // namespace clprim::convolve_text
