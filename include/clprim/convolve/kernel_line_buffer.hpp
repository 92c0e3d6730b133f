#pragma once
// OpenCL C of method line_buffer: separable filters of any width on GPUs.

#include <clprim/core/source.hpp>

namespace clprim::convolve_text {

inline constexpr kernel_text line_buffer_kernel = R"cl(
// A group marches down a strip of OUT_X columns and STRIP rows, PY rows a step. The first pass,
// along x, makes PY rows of sums from as many input rows; the second one, along y, makes PY rows
// of the output from all rows of the first that it needs, which stay in local memory. An item
// makes PX sums of one row, then PY outputs of one column: an element of local memory is read
// once for PX or PY multiply-adds, where it needs no alignment.
//
//   rows: PY input rows                  sums: a ring of CHUNKS times PY rows, the line buffer
//
//      |<- OUT_X ->|<- REACH ->|            |<- OUT_X ->|
//      +-----------+-----------+            +-----------+
//      |  items 0 ... PY - 1   |    ->      |           |  oldest: PAD rows that are not used,
//      |  below each other     |            |           |  then the first taps of PY outputs
//      +-----------+-----------+            +-----------+
//                                           |           |  newest
//                                           +-----------+
//
// Lanes next to each other take rows below each other first and lines of sums along them next: rows
// lie one element more than a multiple of PY apart in the banks.
#define ROW_LOADS ((PY * PITCH + ITEMS_X - 1) / ITEMS_X)
#define REACH_Y ((KY - 1) * DY)
#define CHUNKS (SLOTS / PY)
#define PAD (SLOTS - PY - REACH_Y)
// Whether element m of a line feeds output j, and by which tap.
#define FEEDS(m, j, taps, step) \
    ((m) >= (j) && ((m) - (j)) % (step) == 0 && ((m) - (j)) / (step) < (taps))
#define TAP_OF(m, j, step) (((m) - (j)) / (step))

// PY rows of the input from row y on, whose elements lie `from` the first row's beginning; -1 for
// the border's constant, and what lies between two rows of local memory.
inline void load_rows(SUM *own, const long *from, const __global STORED *image, const int y,
                      const int first, const int last, const int t, const long in_pitch,
                      const int in_height, const int at_z, const SUM border)
{
    if (at_z >= 0 && y >= max(first, 0) && y + PY <= min(in_height, last + 1)) {
        const __global STORED *const begin = image + y * in_pitch;
        EACH for (int k = 0; k < ROW_LOADS; ++k)
            own[k] = from[k] < 0 ? border : LOAD_ONE(begin + from[k]);
    } else {
        EACH for (int k = 0; k < ROW_LOADS; ++k) {
            const int r = (t + k * ITEMS_X) / PITCH, row = clamp(y + r, first, last);
            const int at_y = at_z >= 0 ? MAP_Y(row, in_height) : -1;
            own[k] = from[k] < 0 || at_y < 0 ? border
                                             : LOAD_ONE(image + from[k] + (at_y - r) * in_pitch);
        }
    }
}

inline void keep_rows(__local SUM *rows, const SUM *own, const int t)
{
    EACH for (int k = 0; k < ROW_LOADS; ++k)
        if (t + k * ITEMS_X < PY * PITCH) rows[t + k * ITEMS_X] = own[k];
}

__attribute__((reqd_work_group_size(ITEMS_X, 1, 1)))
__kernel void convolve(IMAGES FILTER_PARAMETERS USER_PARAMETERS)
{
    __local SUM rows[PY * PITCH], sums[SLOTS * SUMS_PITCH];
    const int t = (int)get_local_id(0), plane = GROUP_ID_Z;
    const int batch = BATCH_OF(plane), z = Z_OF(plane);
    const int e0 = GROUP_ID_X * OUT_X, y0 = GROUP_ID_Y * STRIP;
    const int height = min(STRIP, out_height - y0), width = min(OUT_X, out_width * C - e0);
    const int first = y0 + y_first, last = first + height - 1 + REACH_Y;
    const int at_z = MAP_Z(z_first + z * SZ, in_depth);
    const __global STORED *const image =
        in + in_offset + batch * in_stride + (at_z < 0 ? 0 : at_z * in_slice);
    __global OUT_STORED *to =
        out + out_offset + batch * out_stride + z * out_slice + y0 * out_pitch + e0;
    long from[ROW_LOADS];
    EACH for (int k = 0; k < ROW_LOADS; ++k) {
        const int e = t + k * ITEMS_X, r = e / PITCH, place = e % PITCH;
        const int i = e0 + x_first * C + place;
        const int pixel = C == 1 ? i : i >= 0 ? i / C : -((C - 1 - i) / C);
        const int at = r < PY && place < width + REACH ? MAP_X(pixel, in_width) : -1;
        from[k] = at < 0 ? -1 : r * in_pitch + (at * C + (i - pixel * C));
    }
    SUM own[ROW_LOADS];
    load_rows(own, from, image, first - PAD, first, last, t, in_pitch, in_height, at_z, border);
    keep_rows(rows, own, t);
    barrier(CLK_LOCAL_MEM_FENCE);
    const int steps = CHUNKS - 1 + (height + PY - 1) / PY;
    int newest = 0;  // chunk of the ring
    NOT_UNROLLED for (int b = 0; b < steps; ++b) {
        if (b + 1 < steps)
            load_rows(own, from, image, first - PAD + (b + 1) * PY, first, last, t, in_pitch,
                      in_height, at_z, border);
        {
            const int row = t % PY, x = t / PY * PX;
            const __local SUM *const line = rows + row * PITCH + x;
            SUM sum[PX];
            EACH for (int j = 0; j < PX; ++j) sum[j] = 0;
            EACH for (int m = 0; m < PX + REACH; ++m) {
                const SUM value = line[m];
                EACH for (int j = 0; j < PX; ++j)
                    if (FEEDS(m, j, KX, DX * C))
                        sum[j] = MULTIPLY_ADD(CX(TAP_OF(m, j, DX * C)), value, sum[j]);
            }
            __local SUM *const made = sums + (newest * PY + row) * SUMS_PITCH + x;
            EACH for (int j = 0; j < PX; ++j) made[j] = sum[j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        newest = newest + 1 < CHUNKS ? newest + 1 : 0;  // the oldest, from here on
        if (b >= CHUNKS - 1) {
            const int begin = (b - (CHUNKS - 1)) * PY;
            for (int x = t; x < width; x += ITEMS_X) {
                SUM sum[PY];
                EACH for (int o = 0; o < PY; ++o) sum[o] = 0;
                EACH for (int q = 0; q < CHUNKS; ++q) {
                    const int chunk = newest + q < CHUNKS ? newest + q : newest + q - CHUNKS;
                    const __local SUM *const line = sums + chunk * PY * SUMS_PITCH + x;
                    EACH for (int i = 0; i < PY; ++i) {
                        const int m = q * PY + i - PAD;
                        if (m >= 0) {
                            const SUM value = line[i * SUMS_PITCH];
                            EACH for (int o = 0; o < PY; ++o)
                                if (FEEDS(m, o, KY, DY))
                                    sum[o] = MULTIPLY_ADD(CY(TAP_OF(m, o, DY)), value, sum[o]);
                        }
                    }
                }
                __global OUT_STORED *place = to + begin * out_pitch + x;
                EACH for (int o = 0; o < PY; ++o) {
                    if (begin + o < height)
                        STORE_ONE(place, MAP_VALUE(sum[o], (e0 + x) / C, y0 + begin + o, z,
                                                   (e0 + x) % C, batch));
                    place += out_pitch;
                }
            }
        }
        // Last of all, so that both passes go by while the rows are on their way.
        if (b + 1 < steps) keep_rows(rows, own, t);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
)cl";

}  // namespace clprim::convolve_text
