#pragma once
// OpenCL C that every convolution shares: operands, borders, the way out. And method direct.

#include <clprim/core/source.hpp>

namespace clprim::convolve_text {

inline constexpr kernel_text common = R"cl(
//   out(z, y, x) = sum over kz, ky, kx of CW(kz, ky, kx) in(z', y', x')
//       z' = z_first + z SZ + kz DZ,  y' = y_first + y SY + ky DY,  x' = x_first + x SX + kx DX
//
//        in_width                     out_width
//   +-------------------+           +-----------+      x_first: the place of the first tap of
//   |   +-- window --+  |           |           |      output 0, negative where the apron lies
//   |   | KX  x  KY  |  |   ->      |     o     |      outside; (z', y', x') outside the image go
//   |   +------------+  |           |           |      through the border's index maps.
//   +-------------------+           +-----------+
//
// A pixel is C elements side by side. Everything along x counts elements: neighbours of a channel
// lie C apart, so a picture of several channels is one of C times the width and dilation.
#define IMAGES \
    SOURCE in, const long in_offset, const long in_pitch, \
    const long in_slice, const long in_stride, const int in_width, const int in_height, \
    const int in_depth, const int x_first, const int y_first, const int z_first, \
    SINK out, const long out_offset, const long out_pitch, \
    const long out_slice, const long out_stride, const int out_width, const int out_height, \
    const int out_depth, const SUM border GRID_PARAMETERS

// The images of a batch, and their planes, are the third dimension of the launch.
#define BATCH_OF(plane) (DEEP ? (plane) / out_depth : (plane))
#define Z_OF(plane) (DEEP ? (plane) % out_depth : 0)

#define MAP_X(i, n) border_index(i, n, X_LOWER, X_UPPER, X_FAR)
#define MAP_Y(i, n) border_index(i, n, Y_LOWER, Y_UPPER, Y_FAR)
#define MAP_Z(i, n) border_index(i, n, Z_LOWER, Z_UPPER, Z_FAR)

// Element i of a row, wherever it lies.
inline SUM element_at(const __global STORED *row, const int i, const int in_width,
                      const SUM border)
{
    const int pixel = C == 1 ? i : i >= 0 ? i / C : -((C - 1 - i) / C);
    const int at = MAP_X(pixel, in_width);
    return at < 0 ? border : LOAD_ONE(row + at * C + (i - pixel * C));
}

// V outputs from element e of row y on.
inline void store_whole_vector(__global OUT_STORED *row, const SUM *sums, const int e, const int y,
                               const int z, const int batch USER_PARAMETERS)
{
    SUM one[V];
    EACH for (int k = 0; k < V; ++k)
        one[k] = MAP_VALUE(sums[k], (e + k) / C, y, z, (e + k) % C, batch);
    STORE_V(row + e, PACK(one));
}

// The same; what lies past the image's last element is left out.
inline void store_vector(__global OUT_STORED *row, const SUM *sums, const int e,
                         const int out_width, const int y, const int z,
                         const int batch USER_PARAMETERS)
{
    SUM one[V];
    EACH for (int k = 0; k < V; ++k)
        one[k] = MAP_VALUE(sums[k], (e + k) / C, y, z, (e + k) % C, batch);
    if (e + V <= out_width * C) {
        STORE_V(row + e, PACK(one));
    } else {
        EACH for (int k = 0; k < V; ++k)
            if (e + k < out_width * C) STORE_ONE(row + e + k, one[k]);
    }
}

#if OUT_OBJECT
// PX outputs, which are whole pixels; the image object's only plane.
// Rusticl (Mesa 26.1) writes nothing to an image that is the parameter of a function with a branch.
inline __attribute__((always_inline)) void store_pixels(SINK out, const SUM *sums, const int e,
                                                        const int out_width, const int y
                                                        USER_PARAMETERS)
{
    EACH for (int p = 0; p < PX / C; ++p) {
        const int x = e / C + p;
        SUM one[C];
        EACH for (int k = 0; k < C; ++k) one[k] = MAP_VALUE(sums[p * C + k], x, y, 0, k, 0);
        if (x < out_width) WRITE_PIXEL(x, y, one);
    }
}
#endif
)cl";

/// Method direct: the window of an item lives in registers, its neighbours share it in the caches.
inline constexpr kernel_text direct_kernel = R"cl(
//   an item's window: ROWS rows of WINDOW elements, one row at a time
//
//      | phase |  X0 ... outputs of the item ... |  reach  |
//      +-------+-----------------------------------------+     input row s feeds output row i by
//      | not   |  tap 0 of output 0 ...           last tap|     coefficient row (s - i SY) / DY
//      | used  |                              of the last |
//      +-------+-----------------------------------------+
//      ^ aligned to a vector
//
// Items whose window and outputs lie inside load without asking, so that the loads of many rows
// are in flight together. The outputs outside of theirs, columns before e_begin and from e_end on,
// rows before y_begin and from y_end on, are made by items of their own, PX of a row each, in the
// first edge_rows rows of groups: one that asks at each row, or makes eight outputs one after the
// other, is what everybody else waits for at the end (H200, 3 x 3 and 5 x 5: 0.90 and 0.78 of the
// copy's speed; 0.89 and 0.55).
//
//      +----------------------------+  0
//      | ids 0 ...                  |
//      +------+--------------+------+  y_begin
//      |      |   PX x PY    |      |
//      |      | outputs each |      |
//      +------+--------------+------+  y_end
//      |                            |
//      +----------------------------+  out_height
//           e_begin        e_end     out_width C
#define INTERIOR \
    const int e_begin, const int e_end, const int y_begin, const int y_end, const int edge_rows

// PX outputs of row y from element e on; the whole ones lie inside.
#if OUT_OBJECT
#define KEEP_ROW(sums, e, y) store_pixels(out, sums, e, out_width, y USER_ARGUMENTS)
#define KEEP_WHOLE_ROW(sums, e, y) KEEP_ROW(sums, e, y)
#else
#define KEEP_ROW(sums, e, y) \
    EACH for (int j = 0; j < PX; j += V) \
        store_vector(to + (y) * out_pitch, (sums) + j, (e) + j, out_width, y, z, batch \
                     USER_ARGUMENTS)
#define KEEP_WHOLE_ROW(sums, e, y) \
    EACH for (int j = 0; j < PX; j += V) \
        store_whole_vector(to + (y) * out_pitch, (sums) + j, (e) + j, y, z, batch USER_ARGUMENTS)
#endif

// Sums along x of PX outputs of a row, from its window.
#define ALONG_X(h, w, first)                                                                    \
    EACH for (int j = 0; j < PX; ++j) (h)[j] = 0;                                               \
    EACH for (int kx = 0; kx < KX; ++kx)                                                        \
        EACH for (int j = 0; j < PX; ++j)                                                       \
            (h)[j] = MULTIPLY_ADD(CX(kx), (w)[(first) + OFFSET(j) + kx * DX * C], (h)[j]);

#if SEPARABLE
// The rows' sums along x are made once for all outputs of the item.
#define ADD_ROW(s)                                                                              \
    SUM h[PX];                                                                                  \
    ALONG_X(h, w, PHASE)                                                                        \
    EACH for (int i = 0; i < PY; ++i) {                                                         \
        if (TAP_ROW(s, i)) {                                                                    \
            EACH for (int j = 0; j < PX; ++j)                                                   \
                acc[i][j] = MULTIPLY_ADD(CY(((s) - i * SY) / DY), h[j], acc[i][j]);             \
        }                                                                                       \
    }
#define ADD_EDGE_ROW(kz, ky)                                                                    \
    SUM h[PX], c = CY(EDGE_UNROLLED ? ky : 0);                                                  \
    if (!EDGE_UNROLLED)                                                                         \
        EACH for (int q = 1; q < KY; ++q) c = q == ky ? CY(q) : c;                              \
    ALONG_X(h, w, 0)                                                                            \
    EACH for (int j = 0; j < PX; ++j) acc[j] = MULTIPLY_ADD(c, h[j], acc[j]);
#else
#define ADD_ROW(s)                                                                              \
    EACH for (int i = 0; i < PY; ++i) {                                                         \
        if (TAP_ROW(s, i)) {                                                                    \
            EACH for (int kx = 0; kx < KX; ++kx)                                                \
                EACH for (int j = 0; j < PX; ++j)                                               \
                    acc[i][j] = MULTIPLY_ADD(CW(kz, ((s) - i * SY) / DY, kx),                   \
                                             w[PHASE + OFFSET(j) + kx * DX * C], acc[i][j]);    \
        }                                                                                       \
    }
// Not by an index: arguments by value have no address.
#define ADD_EDGE_ROW(kz, ky)                                                                    \
    EACH for (int kx = 0; kx < KX; ++kx) {                                                      \
        SUM c = CW(kz, (EDGE_UNROLLED ? ky : 0), kx);                                           \
        if (!EDGE_UNROLLED)                                                                     \
            EACH for (int q = 1; q < KY; ++q) c = q == ky ? CW(kz, q, kx) : c;                  \
        EACH for (int j = 0; j < PX; ++j)                                                       \
            acc[j] = MULTIPLY_ADD(c, w[OFFSET(j) + kx * DX * C], acc[j]);                       \
    }
#endif

__attribute__((reqd_work_group_size(ITEMS_X, ITEMS_Y, 1)))
__kernel void convolve(IMAGES, INTERIOR FILTER_PARAMETERS USER_PARAMETERS)
{
    const int plane = GROUP_ID_Z, batch = BATCH_OF(plane), z = Z_OF(plane);
    const __global STORED *const image = in + in_offset + batch * in_stride;
#if !OUT_OBJECT
    __global OUT_STORED *const to = out + out_offset + batch * out_stride + z * out_slice;
#endif
#if ROLLED
    const int e0 = GLOBAL_ID_X * PX, y0 = GLOBAL_ID_Y * PY;
    if (e0 >= out_width * C || y0 >= out_height) return;
    const int x0 = (SX == 1 ? e0 : e0 / C * SX * C) + x_first * C;
    const bool inside = x0 >= 0 && x0 - PHASE + WINDOW <= in_width * C;
    for (int i = 0; i < PY && y0 + i < out_height; ++i) {
        SUM acc[PX];
        EACH for (int j = 0; j < PX; ++j) acc[j] = 0;
        for (int kz = 0; kz < KZ; ++kz) {
            const int at_z = MAP_Z(z_first + z * SZ + kz * DZ, in_depth);
            for (int ky = 0; ky < KY; ++ky) {
                const int at_y = MAP_Y(y_first + (y0 + i) * SY + ky * DY, in_height);
                const bool row_inside = at_y >= 0 && at_z >= 0;
                const __global STORED *const row =
                    image + (row_inside ? at_z * in_slice + at_y * in_pitch : 0);
                for (int kx = 0; kx < KX; ++kx) {
                    const SUM c = CW(kz, ky, kx);
                    EACH for (int j = 0; j < PX; ++j) {
                        const int e = x0 + kx * DX * C + OFFSET(j);
                        const SUM value = inside && row_inside ? LOAD_ONE(row + e)
                                          : row_inside ? element_at(row, e, in_width, border)
                                                       : border;
                        acc[j] = MULTIPLY_ADD(c, value, acc[j]);
                    }
                }
            }
        }
        KEEP_ROW(acc, e0, y0 + i);
    }
#else
    if (GROUP_ID_Y >= edge_rows) {
        const int e0 = (GROUP_ID_X * ITEMS_X + (int)get_local_id(0)) * PX;
        const int y0 =
            ((GROUP_ID_Y - edge_rows) * ITEMS_Y + (int)get_local_id(1)) * PY;
        if (e0 < e_begin || e0 >= e_end || y0 < y_begin || y0 >= y_end) return;
        const int x0 = (SX == 1 ? e0 : e0 / C * SX * C) + x_first * C - PHASE;
        SUM acc[PY][PX];
        EACH for (int i = 0; i < PY; ++i)
            EACH for (int j = 0; j < PX; ++j) acc[i][j] = 0;
        for (int kz = 0; kz < KZ; ++kz) {
            const int at_z = MAP_Z(z_first + z * SZ + kz * DZ, in_depth);
            if (at_z < 0) {  // a whole plane of the border
                SUM sum = 0;
#if SEPARABLE
                SUM row = 0;
                EACH for (int kx = 0; kx < KX; ++kx) row = MULTIPLY_ADD(CX(kx), border, row);
                EACH for (int ky = 0; ky < KY; ++ky) sum = MULTIPLY_ADD(CY(ky), row, sum);
#else
                EACH for (int ky = 0; ky < KY; ++ky)
                    EACH for (int kx = 0; kx < KX; ++kx)
                        sum = MULTIPLY_ADD(CW(kz, ky, kx), border, sum);
#endif
                EACH for (int i = 0; i < PY; ++i)
                    EACH for (int j = 0; j < PX; ++j) acc[i][j] += sum;
            } else {
                const __global STORED *const window =
                    image + at_z * in_slice + (y_first + y0 * SY) * in_pitch + x0;
                EACH for (int s = 0; s < ROWS; ++s) {
                    if (ROW_USED(s)) {
                        SUM w[WINDOW];
                        LOAD_WINDOW(w, window + s * in_pitch)
                        ADD_ROW(s)
                    }
                }
            }
        }
        EACH for (int i = 0; i < PY; ++i) KEEP_WHOLE_ROW(acc[i], e0, y0 + i);
    } else {
        const int wide = (out_width * C + PX - 1) / PX, left = e_begin / PX, right = e_end / PX;
        const long group = (long)GROUP_ID_Y * GROUPS_X + GROUP_ID_X;
        const long id = (group * ITEMS_Y + get_local_id(1)) * ITEMS_X + get_local_id(0);
        const long above = (long)y_begin * wide, beside = left + wide - right;
        const long middle = (y_end - y_begin) * beside;
        int u, y;
        if (id < above || id >= above + middle) {
            const long i = id < above ? id : id - above - middle;
            y = (int)(i / wide) + (id < above ? 0 : y_end);
            u = (int)(i % wide);
        } else {
            y = y_begin + (int)((id - above) / beside);
            u = (int)((id - above) % beside);
            u = u < left ? u : u - left + right;
        }
        if (y >= out_height) return;
        const int e = u * PX, x = (SX == 1 ? e : e / C * SX * C) + x_first * C;
        SUM acc[PX];
        EACH for (int j = 0; j < PX; ++j) acc[j] = 0;
        for (int kz = 0; kz < KZ; ++kz) {
            const int at_z = MAP_Z(z_first + z * SZ + kz * DZ, in_depth);
            EDGE_LOOP for (int ky = 0; ky < KY; ++ky) {
                const int at_y = MAP_Y(y_first + y * SY + ky * DY, in_height);
                const bool row_inside = at_y >= 0 && at_z >= 0;
                const __global STORED *const row =
                    image + (row_inside ? at_z * in_slice + at_y * in_pitch : 0);
                SUM w[WINDOW - PHASE];
                EACH for (int k = 0; k < WINDOW - PHASE; ++k)
                    w[k] = row_inside ? element_at(row, x + k, in_width, border) : border;
                ADD_EDGE_ROW(kz, ky)
            }
        }
        KEEP_ROW(acc, e, y);
    }
#endif
}
)cl";

}  // namespace clprim::convolve_text
