#pragma once
// OpenCL C of method tile: tile and apron in local memory, loaded in one of three ways.

#include <clprim/core/source.hpp>

namespace clprim::convolve_text {

inline constexpr kernel_text tile_kernel = R"cl(
//   local memory            TILE_X
//        +-------------------------------------+
//        |  apron                              |     who loads what (APRON):
//        |    +---------------------------+    |     item_per_pixel  GROUP_X x GROUP_Y items are
//        |    | tile: ITEMS_X PX          |    |                     TILE_X x TILE_Y
// TILE_Y |    |     x ITEMS_Y PY outputs  |    |     several_loads   TILE_X x TILE_Y / loads items;
//        |    |                           |    |                     rows GROUP_Y apart
//        |    +---------------------------+    |     block_per_item  ITEMS_X x ITEMS_Y items, each
//        |                                     |                     BLOCK_X x BLOCK_Y pixels
//        +-------------------------------------+
//
// The first ITEMS_X ITEMS_Y items compute, numbered anew: with item_per_pixel and several_loads
// whole warps go idle, not the last lanes of each.
__attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1)))
__kernel void convolve(IMAGES FILTER_PARAMETERS USER_PARAMETERS)
{
    __local SUM tile[TILE_Y * TILE_X];
    const int lx = (int)get_local_id(0), ly = (int)get_local_id(1), item = lx + ly * GROUP_X;
    const int plane = GROUP_ID_Z, batch = BATCH_OF(plane), z = Z_OF(plane);
    const int e0 = GROUP_ID_X * OUT_X, y0 = GROUP_ID_Y * OUT_Y;
    const int x0 = (SX == 1 ? e0 : e0 / C * SX * C) + x_first * C;
    const __global STORED *const image = in + in_offset + batch * in_stride;
    const int cx = item % ITEMS_X, cy = item / ITEMS_X;
    SUM acc[PY][PX];
    EACH for (int i = 0; i < PY; ++i)
        EACH for (int j = 0; j < PX; ++j) acc[i][j] = 0;
    for (int kz = 0; kz < KZ; ++kz) {
        const int at_z = MAP_Z(z_first + z * SZ + kz * DZ, in_depth);
        EACH for (int by = 0; by < BLOCK_Y; ++by) {
            const int r = APRON == APRON_LOAD_SEVERAL_LOADS ? ly + by * GROUP_Y : ly * BLOCK_Y + by;
            const int at_y = MAP_Y(y_first + y0 * SY + r, in_height);
            const bool row_inside = at_y >= 0 && at_z >= 0;
            const __global STORED *const row =
                image + (row_inside ? at_z * in_slice + at_y * in_pitch : 0);
            EACH for (int bx = 0; bx < BLOCK_X; ++bx) {
                const int k = lx * BLOCK_X + bx;
                if (r < TILE_Y && k < TILE_X)
                    tile[r * TILE_X + k] =
                        row_inside ? element_at(row, x0 + k, in_width, border) : border;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < ITEMS_X * ITEMS_Y) {
            TAP_LOOP for (int ky = 0; ky < KY; ++ky)
                TAP_LOOP for (int kx = 0; kx < KX; ++kx) {
                    const SUM c = CW(kz, ky, kx);
                    EACH for (int i = 0; i < PY; ++i)
                        EACH for (int j = 0; j < PX; ++j)
                            acc[i][j] = MULTIPLY_ADD(
                                c,
                                tile[((cy * PY + i) * SY + ky * DY) * TILE_X +
                                     (SX == 1 ? cx * PX : cx * PX * SX) + OFFSET(j) + kx * DX * C],
                                acc[i][j]);
                }
        }
#if KZ > 1
        barrier(CLK_LOCAL_MEM_FENCE);  // before the next plane takes this one's place
#endif
    }
    if (item < ITEMS_X * ITEMS_Y) {
        const int e = e0 + cx * PX, y = y0 + cy * PY;
        __global OUT_STORED *const to =
            out + out_offset + batch * out_stride + z * out_slice + y * out_pitch;
        EACH for (int i = 0; i < PY; ++i)
            if (y + i < out_height)
                EACH for (int j = 0; j < PX; j += V)
                    store_vector(to + i * out_pitch, acc[i] + j, e + j, out_width, y + i, z, batch
                                 USER_ARGUMENTS);
    }
}
)cl";

}  // namespace clprim::convolve_text
