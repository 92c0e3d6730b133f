#pragma once
// OpenCL C of method rows: one item marches down a strip with the processor's widest vectors.

#include <clprim/core/source.hpp>

namespace clprim::convolve_text {

/// How rows come and go.
inline constexpr kernel_text row_helpers = R"cl(
// Input rows are converted to sums, with the border's elements put in, once each: into SLOTS rows
// of local memory (a CPU's cache) that are used in turn. So the arithmetic knows no border and no
// type.
//
//      | tap 0 of output 0 ...        COLUMNS         | reach |
//      +----------------------------------------------+-------+   row r lies in slot r % SLOTS
//      |                                              |       |
//      +----------------------------------------------+-------+   PY output rows need ROWS of them;
//      |      ^ V elements at any place               |       |   PX / V vectors of PY rows of sums
//      +----------------------------------------------+-------+   stay in registers

// Row at_y of the plane, or a row of the border, from element x0 on.
inline void stage_row(__local SUM *to, const __global STORED *row, const bool row_inside,
                      const int x0, const int count, const int in_width, const SUM border)
{
    const int begin = row_inside ? clamp(-x0, 0, count) : 0;
    const int end = row_inside ? clamp(in_width * C - x0, begin, count) : 0;
    for (int k = 0; k < begin; ++k) to[k] = element_at(row, x0 + k, in_width, border);
    int k = begin;
    for (; k + V <= end; k += V) {
        const SUM_V v = LOAD_V(row + x0 + k);
        KEEP_V(to + k, v);
    }
    for (; k < end; ++k) to[k] = LOAD_ONE(row + x0 + k);
    for (; k < count; ++k)
        to[k] = row_inside ? element_at(row, x0 + k, in_width, border) : border;
}

inline void store_sums(__global OUT_STORED *row, const SUM_V sums, const int e, const int out_width,
                       const int y, const int z, const int batch USER_PARAMETERS)
{
#if MAPPED
    SUM one[V];
    UNPACK(one, sums)
    store_vector(row, one, e, out_width, y, z, batch USER_ARGUMENTS);
#else
    if (e + V <= out_width * C) {
        STORE_V(row + e, sums);
    } else {
        SUM one[V];
        UNPACK(one, sums)
        for (int k = 0; k < V; ++k)
            if (e + k < out_width * C) STORE_ONE(row + e + k, one[k]);
    }
#endif
}

)cl";

/// Dense filters.
inline constexpr kernel_text row_sums = R"cl(
// Multiplies elements of input row s, from `row` on, by a coefficient row of each of the output
// rows first to last, and adds. A macro: PoCL copies coefficients that are passed by value to a
// function at each call. The loop over kx stays one, or the compiler would reorder all taps of a
// block and spill.
#define ADD_ROW(row, TAKE, s, first, last)                                                        \
    {                                                                                             \
        KX_LOOP for (int kx = 0; kx < KX; ++kx) {                                                 \
            SUM_V v[NV];                                                                          \
            EACH for (int n = 0; n < NV; ++n) v[n] = TAKE(row + n * V + kx * DX * C);             \
            EACH for (int i = 0; i < PY; ++i)                                                     \
                if (i >= (first) && i <= (last)) {                                                \
                    const SUM_V c = (SUM_V)(CW(0, ((s) - i * SY) / DY, kx));                      \
                    EACH for (int n = 0; n < NV; ++n) acc[i][n] = MULTIPLY_ADD(c, v[n], acc[i][n]);\
                }                                                                                 \
        }                                                                                         \
    }
#if ROW_PHASES  // a loop over all input rows that every output row needs
#define ADD_ROWS(ROW, TAKE)                                                                       \
    EACH for (int s = 0; s < PY - 1; ++s) ADD_ROW(ROW(s), TAKE, s, 0, s)                          \
    for (int s = PY - 1; s < KY; ++s) ADD_ROW(ROW(s), TAKE, s, 0, PY - 1)                         \
    EACH for (int s = KY; s < KY + PY - 1; ++s) ADD_ROW(ROW(s), TAKE, s, s - KY + 1, PY - 1)
#else
#define ADD_ROWS(ROW, TAKE)                                                                       \
    ROWS_LOOP for (int s = 0; s < ROWS; ++s) {                                                    \
        if (SY == 1 && DY == 1) {                                                                 \
            ADD_ROW(ROW(s), TAKE, s, s - KY + 1, s)                                               \
        } else {                                                                                  \
            EACH for (int own = 0; own < PY; ++own)                                               \
                if (TAP_ROW(s, own)) ADD_ROW(ROW(s), TAKE, s, own, own)                           \
        }                                                                                         \
    }
#endif
)cl";

/// Dense filters, rows staged.
inline constexpr kernel_text rows_kernel = R"cl(
#define ROW_OF(s) (ring + (base + (s)) % SLOTS * PITCH + e)

__attribute__((reqd_work_group_size(1, 1, 1)))
__kernel void convolve(IMAGES FILTER_PARAMETERS USER_PARAMETERS)
{
    __local SUM ring[SLOTS * PITCH];
    const int e0 = GROUP_ID_X * COLUMNS, y_begin = GROUP_ID_Y * STRIP;
    const int plane = GROUP_ID_Z, batch = BATCH_OF(plane), z = Z_OF(plane);
    const int x0 = e0 + x_first * C, at_z = MAP_Z(z_first + z * SZ, in_depth);
    const int y_end = min(y_begin + STRIP, out_height);
    const int width = min(COLUMNS, out_width * C - e0);
    const int count = (width + PX - 1) / PX * PX + (KX - 1) * DX * C;
    const __global STORED *const image =
        in + in_offset + batch * in_stride + (at_z < 0 ? 0 : at_z * in_slice);
    __global OUT_STORED *const to = out + out_offset + batch * out_stride + z * out_slice;
    int staged = y_begin * SY;  // the next row to come, counted from y_first
    for (int y = y_begin; y < y_end; y += PY) {
        const int base = y * SY;
        for (staged = max(staged, base); staged < base + ROWS; ++staged) {
            const int at_y = at_z < 0 ? -1 : MAP_Y(y_first + staged, in_height);
            stage_row(ring + staged % SLOTS * PITCH, image + (at_y < 0 ? 0 : at_y * in_pitch),
                      at_y >= 0, x0, count, in_width, border);
        }
        for (int e = 0; e < width; e += PX) {
            SUM_V acc[PY][NV];
            EACH for (int i = 0; i < PY; ++i)
                EACH for (int n = 0; n < NV; ++n) acc[i][n] = (SUM_V)(0);
            ADD_ROWS(ROW_OF, TAKE_V)
            EACH for (int i = 0; i < PY; ++i)
                if (y + i < y_end)
                    EACH for (int n = 0; n < NV; ++n)
                        if (e + n * V < width)
                            store_sums(to + (y + i) * out_pitch, acc[i][n], e0 + e + n * V,
                                       out_width, y + i, z, batch USER_ARGUMENTS);
        }
    }
}
)cl";

/// Dense filters, rows read where they lie; only blocks at the image's edge are staged.
inline constexpr kernel_text unstaged_rows_kernel = R"cl(
#define ROW_INSIDE(s) (block + (s) * in_pitch)
#define ROW_AT_EDGE(s) (edge + (s) * PITCH)

__attribute__((reqd_work_group_size(1, 1, 1)))
__kernel void convolve(IMAGES FILTER_PARAMETERS USER_PARAMETERS)
{
    __local SUM edge[SLOTS * PITCH];
    const int e0 = GROUP_ID_X * COLUMNS, y_begin = GROUP_ID_Y * STRIP;
    const int plane = GROUP_ID_Z, batch = BATCH_OF(plane), z = Z_OF(plane);
    const int x0 = e0 + x_first * C, at_z = MAP_Z(z_first + z * SZ, in_depth);
    const int y_end = min(y_begin + STRIP, out_height);
    const int width = min(COLUMNS, out_width * C - e0);
    const __global STORED *const image =
        in + in_offset + batch * in_stride + (at_z < 0 ? 0 : at_z * in_slice);
    __global OUT_STORED *const to = out + out_offset + batch * out_stride + z * out_slice;
    for (int y = y_begin; y < y_end; y += PY) {
        const int top = y_first + y * SY;
        const bool rows_inside = at_z >= 0 && top >= 0 && top + ROWS <= in_height;
        for (int e = 0; e < width; e += PX) {
            const int x = x0 + e;
            SUM_V acc[PY][NV];
            EACH for (int i = 0; i < PY; ++i)
                EACH for (int n = 0; n < NV; ++n) acc[i][n] = (SUM_V)(0);
            if (rows_inside && x >= 0 && x + PX + (KX - 1) * DX * C <= in_width * C) {
                const __global STORED *const block = image + top * in_pitch + x;
                ADD_ROWS(ROW_INSIDE, LOAD_V)
            } else {
                for (int s = 0; s < ROWS; ++s) {
                    const int at_y = at_z < 0 ? -1 : MAP_Y(top + s, in_height);
                    stage_row(edge + s * PITCH, image + (at_y < 0 ? 0 : at_y * in_pitch),
                              at_y >= 0, x, PX + (KX - 1) * DX * C, in_width, border);
                }
                ADD_ROWS(ROW_AT_EDGE, TAKE_V)
            }
            EACH for (int i = 0; i < PY; ++i)
                if (y + i < y_end)
                    EACH for (int n = 0; n < NV; ++n)
                        if (e + n * V < width)
                            store_sums(to + (y + i) * out_pitch, acc[i][n], e0 + e + n * V,
                                       out_width, y + i, z, batch USER_ARGUMENTS);
        }
    }
}
)cl";

/// The same of a separable filter: rows are filtered along x as they are staged.
inline constexpr kernel_text separable_rows_kernel = R"cl(
// Adds row s of the ring, filtered along x, to the output rows first to last.
#define ADD_COLUMNS(s, first, last)                                                               \
    {                                                                                             \
        const __local SUM *const row = ring + (base + (s)) % SLOTS * PITCH + e;                   \
        SUM_V v[NV];                                                                              \
        EACH for (int n = 0; n < NV; ++n) v[n] = TAKE_V(row + n * V);                             \
        EACH for (int i = 0; i < PY; ++i)                                                         \
            if (i >= (first) && i <= (last)) {                                                    \
                const SUM_V c = (SUM_V)(CY(((s) - i * SY) / DY));                                 \
                EACH for (int n = 0; n < NV; ++n) acc[i][n] = MULTIPLY_ADD(c, v[n], acc[i][n]);   \
            }                                                                                     \
    }

__attribute__((reqd_work_group_size(1, 1, 1)))
__kernel void convolve(IMAGES FILTER_PARAMETERS USER_PARAMETERS)
{
    __local SUM ring[SLOTS * PITCH];
    __local SUM raw[PITCH];
    const int e0 = GROUP_ID_X * COLUMNS, y_begin = GROUP_ID_Y * STRIP;
    const int plane = GROUP_ID_Z, batch = BATCH_OF(plane), z = Z_OF(plane);
    const int x0 = e0 + x_first * C, at_z = MAP_Z(z_first + z * SZ, in_depth);
    const int y_end = min(y_begin + STRIP, out_height);
    const int width = min(COLUMNS, out_width * C - e0);
    const int padded = (width + PX - 1) / PX * PX;
    const __global STORED *const image =
        in + in_offset + batch * in_stride + (at_z < 0 ? 0 : at_z * in_slice);
    __global OUT_STORED *const to = out + out_offset + batch * out_stride + z * out_slice;
    int staged = y_begin * SY;
    for (int y = y_begin; y < y_end; y += PY) {
        const int base = y * SY;
        for (staged = max(staged, base); staged < base + ROWS; ++staged) {
            const int at_y = at_z < 0 ? -1 : MAP_Y(y_first + staged, in_height);
            stage_row(raw, image + (at_y < 0 ? 0 : at_y * in_pitch), at_y >= 0, x0,
                      padded + (KX - 1) * DX * C, in_width, border);
            __local SUM *const row = ring + staged % SLOTS * PITCH;
            for (int e = 0; e < padded; e += PX) {
                SUM_V h[NV];
                EACH for (int n = 0; n < NV; ++n) h[n] = (SUM_V)(0);
                KX_LOOP for (int kx = 0; kx < KX; ++kx) {
                    const SUM_V c = (SUM_V)(CX(kx));
                    EACH for (int n = 0; n < NV; ++n)
                        h[n] = MULTIPLY_ADD(c, TAKE_V(raw + e + n * V + kx * DX * C), h[n]);
                }
                EACH for (int n = 0; n < NV; ++n) KEEP_V(row + e + n * V, h[n]);
            }
        }
        for (int e = 0; e < width; e += PX) {
            SUM_V acc[PY][NV];
            EACH for (int i = 0; i < PY; ++i)
                EACH for (int n = 0; n < NV; ++n) acc[i][n] = (SUM_V)(0);
#if ROW_PHASES
            EACH for (int s = 0; s < PY - 1; ++s) ADD_COLUMNS(s, s - KY + 1, s)
            for (int s = PY - 1; s < KY; ++s) ADD_COLUMNS(s, 0, PY - 1)
            EACH for (int s = KY; s < KY + PY - 1; ++s) ADD_COLUMNS(s, s - KY + 1, PY - 1)
#else
            ROWS_LOOP for (int s = 0; s < ROWS; ++s)
                EACH for (int own = 0; own < PY; ++own)
                    if (TAP_ROW(s, own)) ADD_COLUMNS(s, own, own)
#endif
            EACH for (int i = 0; i < PY; ++i)
                if (y + i < y_end)
                    EACH for (int n = 0; n < NV; ++n)
                        if (e + n * V < width)
                            store_sums(to + (y + i) * out_pitch, acc[i][n], e0 + e + n * V,
                                       out_width, y + i, z, batch USER_ARGUMENTS);
        }
    }
}
)cl";

}  // namespace clprim::convolve_text
