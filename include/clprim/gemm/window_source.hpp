#pragma once
// OpenCL C of GEMM whose columns are windows of images: the walk through them, and the way of sums
// to pixels.

#include <cstdint>
#include <string>

#include <clprim/core/function.hpp>
#include <clprim/core/source.hpp>
#include <clprim/core/vector_text.hpp>
#include <clprim/gemm/variant.hpp>
#include <clprim/gemm/windows.hpp>

namespace clprim::gemm_text {

/// Where the numbers of a step along k lie.
inline constexpr kernel_text window_steps = R"cl(
inline int line_of_tap(const int tap)
{
    return tap / TAPS_X * DILATION_Y / STRIDE_Y * WINDOW_PITCH +
           tap % TAPS_X * DILATION_X / STRIDE_X;
}

inline int window_line(const int step)
{
    return line_of_tap(step / STEPS_OF_TAP);
}

inline int window_place(const int step)
{
    const int tap = step / STEPS_OF_TAP;
    return (tap / TAPS_X % PHASES_Y * PHASES_X + tap % TAPS_X % PHASES_X) * PHASE_PITCH +
           step % STEPS_OF_TAP * TILE_K;
}

#define WINDOW_AT(step) ((long)window_line(step) * b_ld + window_place(step))
)cl";

/// Where bulk copies bring the lines that all taps of a tile meet, once for all of them.
inline constexpr kernel_text window_blocks = R"cl(
// A block: TILE_K numbers of each of BLOCK_LINES lines. Tap after tap reads TILE_N of them, from
// its own first line on, so that B travels once where windows overlap; A comes stage by stage:
//
//     block        line 0 . . . . . . . . . . . . . . . BLOCK_LINES
//     tap 0             [ TILE_N       ]
//     tap 1               [ TILE_N       ]
//     tap TAPS_X                [ TILE_N       ]
//
// Lines lie in local memory by the bits of their addresses, so that windows may begin at any (PTX
// ISA, "Swizzling modes"). Two blocks take turns:
//
//     BLOCK_THERE(b)   block b has arrived
//     BLOCK_LEFT(b)    the warp-groups that multiply are done with it; nobody waits for the third
//
#define BLOCK_THERE(b) (barriers + 2 * STAGES + 1 + (b))
#define BLOCK_LEFT(b) (barriers + 2 * STAGES + 3 + (b))
#define REQUESTED TILE_M
#define REQUEST_B
#define READ_B (read_b + block * BLOCK_SIZE + line_of_tap(tap) * TILE_K)
#define BLOCK_STATE \
    int tap = 0, block = 0, block_before = 2; \
    uint block_phase = 0;
#define BEGIN_BLOCKS \
    EACH for (int b = 0; b < 3; ++b) { \
        if (b < 2) begin_barrier(BLOCK_THERE(b), 1); \
        begin_barrier(BLOCK_LEFT(b), READERS); \
    }
#define REQUEST_BLOCK \
    if (tap == 0) { \
        await_phase(BLOCK_LEFT(block), block_phase ^ 1); \
        arrive_with_bytes(BLOCK_THERE(block), BLOCK_LINES * TILE_K * (uint)sizeof(TILED)); \
        EACH for (int line = 0; line < BLOCK_LINES; line += B_BOX) \
            copy_box(tiles_b + block * BLOCK_SIZE + line * TILE_K, maps_of_group + 32, \
                     step / TAPS * TILE_K, column0 + line, B_STRIDE == 0 ? 0 : (int)batch, \
                     BLOCK_THERE(block)); \
    }
#define AWAIT_BLOCK \
    if (tap == 0) await_phase(BLOCK_THERE(block), block_phase);
// Behind the first step of a block no product reads the one before it.
#define LEAVE_BLOCK \
    if (tap == 0 && item % 128 == 0) arrive(BLOCK_LEFT(block_before));
#define LEAVE_LAST_BLOCK \
    if (item % 128 == 0) arrive(BLOCK_LEFT(block_before)); \
    block_before = 2;
#define TURN_TAP \
    if (++tap == TAPS) { \
        tap = 0; \
        block_before = block; \
        block ^= 1; \
        if (block == 0) block_phase ^= 1; \
    }
)cl";

/// A run of sums to the pixels that they are of.
inline constexpr kernel_text store_pixels = R"cl(
//     columns of C     0 1 2 3 4 | 5 6 7 8 9 | ...    WINDOW_PITCH positions of a line,
//     the output       0 1 2 3   | 4 5 6 7   |        OUT_WIDTH of which are pixels
inline void store_pixels(__global C_STORED *c, const N_VECTOR sum, const int row, const int column,
                         const int from, const int n, const int c_ld, const int channel,
                         const int first_image, const VALUE alpha, const VALUE beta
                         EPILOGUE_PARAMETERS)
{
    ELEMENT of_run[VECTOR_N];
    N_UNPACK(of_run, sum)
    EACH for (int e = 0; e < VECTOR_N; e += PIXEL_RUN) {
        const int at = column + e;
        const uint line = (uint)at / WINDOW_PITCH, x = (uint)at - line * WINDOW_PITCH;
        const uint image = line / WINDOW_ROWS, y = line - image * WINDOW_ROWS;
        if (at < from || at >= n || x >= OUT_WIDTH || y >= OUT_HEIGHT) continue;
        __global C_STORED *const to = c + PIXEL_AT(image, row, y, x);
        VALUE value[PIXEL_RUN];
        EACH for (int i = 0; i < PIXEL_RUN; ++i) {
            value[i] = TIMES(alpha, of_run[e + i]);
            if (NOT_ZERO(beta)) value[i] += TIMES(beta, C_READ_ONE(to + i));
            value[i] = MAP_PIXEL(value[i], (int)x + i, (int)y, channel,
                                 first_image + (int)image);
        }
        PIXELS_WRITE(to, PIXELS_PACK(value));
    }
}
)cl";

/// The numbers of the texts above but those that hang on how C is stored.
inline void define_windows(source_builder& out, const gemm_windows& w, int tile_k,
                           const function& map) {
  out.define("MAP_PIXEL(value, x, y, channel, image)",
             map.empty()
                 ? "(value)"
                 : "epilogue(value, x, y, 0, channel, image" + call_list(carried(map)) + ")");
  const auto uint_text = [](std::int64_t n) { return std::to_string(n) + "u"; };
  if (!w.in_place) out.define("STEPS_OF_TAP", w.inputs / tile_k);
  out.define("TAPS", w.taps());
  out.define("TAPS_X", w.x.taps);
  out.define("DILATION_Y", w.y.dilation);
  out.define("DILATION_X", w.x.dilation);
  out.define("STRIDE_Y", w.y.stride);
  out.define("STRIDE_X", w.x.stride);
  out.define("PHASES_Y", w.y.phases());
  out.define("PHASES_X", w.x.phases());
  out.define("PHASE_PITCH", w.phase());
  out.define("WINDOW_PITCH", uint_text(w.pitch));
  out.define("WINDOW_ROWS", uint_text(w.rows));
  out.define("WINDOW_TAIL", w.tail());
  out.define("OUT_WIDTH", uint_text(w.x.out));
  out.define("OUT_HEIGHT", uint_text(w.y.out));
  const std::int64_t outputs = w.outputs;
  out.define("PIXEL_AT(image, row, y, x)",
             w.output_last ? "((((long)(image) * OUT_HEIGHT + (y)) * OUT_WIDTH + (x)) * " +
                                 std::to_string(outputs) + " + (row))"
                           : "((long)(image) * " + std::to_string(outputs * w.x.out * w.y.out) +
                                 "L + (long)(row) * c_ld + (long)((y) * OUT_WIDTH + (x)))");
  if (!w.in_place) out.text(window_steps);
}

/// How sums get to the pixels of an output, `run` of them at a time.
inline void write_pixel_store(source_builder& out, const gemm_variant& v, int run) {
  const vector_text pixels{v.output(), run};
  out.define("PIXEL_RUN", run);
  out.define("PIXELS_PACK(from)", run == 1 ? "(*(from))" : pixels.pack("from"));
  out.define("PIXELS_WRITE(p, x)", pixels.store("p", "x", true));
  out.text(store_pixels);
  out.define("WHOLE_TILES", 0);
  out.define("STORE_ROW(runs, first)", "(void)row;");  // no tile is stored as a whole
  out.define("STORE_RUN(run, from, beyond)",
             std::string("store_pixels(c, run, row, column, from, beyond, c_ld, ") +
                 (v.windows.in_place ? "row, (int)batch" : "(int)batch * m + row, 0") +
                 ", alpha, beta EPILOGUE_ARGUMENTS);");
}

}  // namespace clprim::gemm_text
