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
    const __global STORED *restrict in, const long in_offset, const long in_pitch, \
    const long in_slice, const long in_stride, const int in_width, const int in_height, \
    const int in_depth, const int x_first, const int y_first, const int z_first, \
    __global OUT_STORED *restrict out, const long out_offset, const long out_pitch, \
    const long out_slice, const long out_stride, const int out_width, const int out_height, \
    const int out_depth, const SUM border

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

// V elements of a row from i on. row_inside: the row is no row of the border.
inline SUM_V vector_at(const __global STORED *row, const bool row_inside, const int i,
                       const int in_width, const SUM border)
{
    if (row_inside && i >= 0 && i + V <= in_width * C) return LOAD_V(row + i);
    SUM one[V];
    EACH for (int k = 0; k < V; ++k)
        one[k] = row_inside ? element_at(row, i + k, in_width, border) : border;
    return PACK(one);
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
// Items whose window and outputs lie inside (all but those at the edges) load without asking any
// further, so that the loads of many rows are in flight together; with a question per row the
// arithmetic waited for each (H200: 3 x 3 at 0.90 of the copy's speed, 5 x 5 at 0.78). The others
// make EDGE_X outputs at a time, which takes few registers: what a kernel takes is the most of all
// its paths, and 40 instead of 32 for 3 x 3 cost 7 %.
#define ADD_ROW(s)                                                                              \
    EACH for (int i = 0; i < PY; ++i) {                                                         \
        if (TAP_ROW(s, i)) {                                                                    \
            EACH for (int kx = 0; kx < KX; ++kx)                                                \
                EACH for (int j = 0; j < PX; ++j)                                               \
                    acc[i][j] = MULTIPLY_ADD(CW(kz, ((s) - i * SY) / DY, kx),                   \
                                             w[PHASE + OFFSET(j) + kx * DX * C], acc[i][j]);    \
        }                                                                                       \
    }

__attribute__((reqd_work_group_size(ITEMS_X, ITEMS_Y, 1)))
__kernel void convolve(IMAGES FILTER_PARAMETERS USER_PARAMETERS)
{
    const int e0 = ((int)get_group_id(0) * ITEMS_X + (int)get_local_id(0)) * PX;
    const int y0 = ((int)get_group_id(1) * ITEMS_Y + (int)get_local_id(1)) * PY;
    const int plane = (int)get_group_id(2), batch = BATCH_OF(plane), z = Z_OF(plane);
    if (e0 >= out_width * C || y0 >= out_height) return;
    const int x0 = (SX == 1 ? e0 : e0 / C * SX * C) + x_first * C - PHASE;
    const int top = y_first + y0 * SY;
    const bool inside = x0 >= 0 && x0 + WINDOW_READ <= in_width * C;
    const bool whole = inside && top >= 0 && top + ROWS <= in_height &&
                       e0 + PX <= out_width * C && y0 + PY <= out_height;
    const __global STORED *const image = in + in_offset + batch * in_stride;
    __global OUT_STORED *const to =
        out + out_offset + batch * out_stride + z * out_slice + y0 * out_pitch;
#if ROLLED
    for (int i = 0; i < PY && y0 + i < out_height; ++i) {
        SUM acc[PX];
        EACH for (int j = 0; j < PX; ++j) acc[j] = 0;
        for (int kz = 0; kz < KZ; ++kz) {
            const int at_z = MAP_Z(z_first + z * SZ + kz * DZ, in_depth);
            for (int ky = 0; ky < KY; ++ky) {
                const int at_y = MAP_Y(top + i * SY + ky * DY, in_height);
                const bool row_inside = at_y >= 0 && at_z >= 0;
                const __global STORED *const row =
                    image + (row_inside ? at_z * in_slice + at_y * in_pitch : 0);
                for (int kx = 0; kx < KX; ++kx) {
                    const SUM c = CW(kz, ky, kx);
                    const int x = x0 + PHASE + kx * DX * C;
                    EACH for (int j = 0; j < PX; ++j) {
                        const int e = x + OFFSET(j);
                        const SUM value = inside && row_inside ? LOAD_ONE(row + e)
                                          : row_inside ? element_at(row, e, in_width, border)
                                                       : border;
                        acc[j] = MULTIPLY_ADD(c, value, acc[j]);
                    }
                }
            }
        }
        EACH for (int j = 0; j < PX; j += V)
            store_vector(to + i * out_pitch, acc + j, e0 + j, out_width, y0 + i, z, batch
                         USER_ARGUMENTS);
    }
#else
    bool planes_inside = true;
    for (int kz = 0; kz < KZ; ++kz)
        planes_inside = planes_inside && MAP_Z(z_first + z * SZ + kz * DZ, in_depth) >= 0;
    if (whole && planes_inside) {
        SUM acc[PY][PX];
        EACH for (int i = 0; i < PY; ++i)
            EACH for (int j = 0; j < PX; ++j) acc[i][j] = 0;
        for (int kz = 0; kz < KZ; ++kz) {
            const int at_z = MAP_Z(z_first + z * SZ + kz * DZ, in_depth);
            const __global STORED *const window = image + at_z * in_slice + top * in_pitch + x0;
            EACH for (int s = 0; s < ROWS; ++s) {
                if (ROW_USED(s)) {
                    SUM w[WINDOW];
                    LOAD_WINDOW(w, window + s * in_pitch)
                    ADD_ROW(s)
                }
            }
        }
        EACH for (int i = 0; i < PY; ++i)
            EACH for (int j = 0; j < PX; j += V)
                store_whole_vector(to + i * out_pitch, acc[i] + j, e0 + j, y0 + i, z, batch
                                   USER_ARGUMENTS);
        return;
    }
    NOT_UNROLLED for (int o = 0; o < PY * PX / EDGE_X; ++o) {
        const int i = o / (PX / EDGE_X), j0 = o % (PX / EDGE_X) * EDGE_X;
        const int e = e0 + j0, x = x0 + PHASE + OFFSET(j0);
        if (y0 + i >= out_height || e >= out_width * C) continue;
        SUM acc[EDGE_X];
        EACH for (int j = 0; j < EDGE_X; ++j) acc[j] = 0;
        for (int kz = 0; kz < KZ; ++kz) {
            const int at_z = MAP_Z(z_first + z * SZ + kz * DZ, in_depth);
            EDGE_LOOP for (int ky = 0; ky < KY; ++ky) {
                const int at_y = MAP_Y(top + i * SY + ky * DY, in_height);
                const bool row_inside = at_y >= 0 && at_z >= 0;
                const __global STORED *const row =
                    image + (row_inside ? at_z * in_slice + at_y * in_pitch : 0);
                SUM w[WINDOW];
                EACH for (int k = 0; k < OFFSET(EDGE_X - 1) + (KX - 1) * DX * C + 1; ++k)
                    w[k] = row_inside ? element_at(row, x + k, in_width, border) : border;
                EACH for (int kx = 0; kx < KX; ++kx) {
                    SUM c = CW(kz, (EDGE_UNROLLED ? ky : 0), kx);
                    // Not by an index: arguments by value have no address.
                    if (!EDGE_UNROLLED)
                        EACH for (int q = 1; q < KY; ++q) c = q == ky ? CW(kz, q, kx) : c;
                    EACH for (int j = 0; j < EDGE_X; ++j)
                        acc[j] = MULTIPLY_ADD(c, w[OFFSET(j) + kx * DX * C], acc[j]);
                }
            }
        }
        EACH for (int j = 0; j < EDGE_X; ++j) {
            if (e + j < out_width * C) {
                const SUM mapped =
                    MAP_VALUE(acc[j], (e + j) / C, y0 + i, z, (e + j) % C, batch);
                STORE_ONE(to + i * out_pitch + e + j, mapped);
            }
        }
    }
#endif
}
)cl";

}  // namespace clprim::convolve_text
