#pragma once
// OpenCL C of method fft: what lies before and after the transforms.

#include <clprim/core/source.hpp>

namespace clprim::convolve_text {

inline constexpr kernel_text transform_kernel = R"cl(
//    input with its borders              tiles of points_x x points_y x points_z sums, one after
//    +--------+--+------------+          the other; for interleaved channels each of its own
//    | tile 0 |  |   tile 1   |   ->
//    |        |  |            |          Neighbours share the filter's span less one. In the result
//    +--------+--+------------+          as many of a tile's last places have wrapped around; the
//                                        next tile has them right.
#define TILES \
    const int points_x, const int points_y, const int points_z, const int tiles_x, \
    const int tiles_y, const int tiles_z, const int outputs_x, const int outputs_y, \
    const int outputs_z, const int tile_count

// The tiles, converted, with the borders' pixels in place.
__attribute__((reqd_work_group_size(ITEMS_X, ITEMS_Y, 1)))
__kernel void gather(IMAGES, __global SUM *restrict tiles, TILES)
{
    const int x = (int)get_global_id(0), rows = points_y * points_z;
    if (x >= points_x) return;
    for (int tile = (int)get_group_id(2); tile < tile_count; tile += (int)get_num_groups(2)) {
        const int tile_x = tile % tiles_x, above = tile / tiles_x, tile_y = above % tiles_y;
        const int behind = above / tiles_y, tile_z = behind % tiles_z, image = behind / tiles_z;
        const int batch = image / C, channel = image % C;
        for (int yz = (int)get_global_id(1); yz < rows; yz += (int)get_global_size(1)) {
            const int y = yz % points_y, z = yz / points_y;
            // The last tiles go on past what any output needs.
            const int px = tile_x * outputs_x * SX + x, py = tile_y * outputs_y * SY + y;
            const int pz = tile_z * outputs_z * SZ + z;
            SUM value = 0;
            if (px <= (out_width - 1) * SX + (KX - 1) * DX &&
                py <= (out_height - 1) * SY + (KY - 1) * DY &&
                pz <= (out_depth - 1) * SZ + (KZ - 1) * DZ) {
                const int at_x = MAP_X(x_first + px, in_width);
                const int at_y = MAP_Y(y_first + py, in_height);
                const int at_z = MAP_Z(z_first + pz, in_depth);
                value = border;
                if (at_x >= 0 && at_y >= 0 && at_z >= 0)
                    value = LOAD_ONE(in + in_offset + batch * in_stride + at_z * in_slice +
                                     at_y * in_pitch + at_x * C + channel);
            }
            tiles[(((long)tile * points_z + z) * points_y + y) * points_x + x] = value;
        }
    }
}

// Each output from the tile that has it right.
__attribute__((reqd_work_group_size(ITEMS_X, ITEMS_Y, 1)))
__kernel void finish(IMAGES, const __global SUM *restrict tiles, TILES USER_PARAMETERS)
{
    const int e = (int)get_global_id(0);
    if (e >= out_width * C) return;
    const int x = e / C, channel = e % C, tile_x = x / outputs_x;
    const int planes = tile_count / (tiles_x * tiles_y * tiles_z * C) * out_depth;
    for (int plane = (int)get_group_id(2); plane < planes; plane += (int)get_num_groups(2)) {
        const int batch = BATCH_OF(plane), z = Z_OF(plane), tile_z = z / outputs_z;
        for (int y = (int)get_global_id(1); y < out_height; y += (int)get_global_size(1)) {
            const int tile_y = y / outputs_y;
            const long tile =
                ((long)((batch * C + channel) * tiles_z + tile_z) * tiles_y + tile_y) * tiles_x +
                tile_x;
            const SUM sum = tiles[((tile * points_z + (z - tile_z * outputs_z) * SZ) * points_y +
                                   (y - tile_y * outputs_y) * SY) * points_x +
                                  (x - tile_x * outputs_x) * SX];
            __global OUT_STORED *const to =
                out + out_offset + batch * out_stride + z * out_slice + y * out_pitch + e;
            const SUM mapped = MAP_VALUE(sum, x, y, z, channel, batch);
            STORE_ONE(to, mapped);
        }
    }
}

// The filter with zeros between its taps, and behind them to `width`.
__attribute__((reqd_work_group_size(ITEMS_X, ITEMS_Y, 1)))
__kernel void spread(__global SUM *restrict taps, const int width FILTER_PARAMETERS)
{
    const int span_x = (KX - 1) * DX + 1, span_y = (KY - 1) * DY + 1, span_z = (KZ - 1) * DZ + 1;
    const int x = (int)get_global_id(0);
    if (x >= width) return;
    for (int yz = (int)get_global_id(1); yz < span_y * span_z; yz += (int)get_global_size(1)) {
        const int y = yz % span_y, z = yz / span_y;
        SUM tap = 0;
        if (x < span_x && x % DX == 0 && y % DY == 0 && z % DZ == 0)
            tap = CW(z / DZ, y / DY, x / DX);
        taps[yz * width + x] = tap;
    }
}
)cl";

}  // namespace clprim::convolve_text
