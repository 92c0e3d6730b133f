#pragma once
// Filter and images -> lines of channels in the workspace, as products read them (windows.hpp): the
// source and launch of the kernel that copies.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <clprim/core/source.hpp>
#include <clprim/gemm/instruction.hpp>
#include <clprim/gemm/pack.hpp>
#include <clprim/gemm/split_text.hpp>
#include <clprim/gemm/windows.hpp>
#include <clprim/runtime/group_grid.hpp>
#include <clprim/runtime/launch.hpp>

namespace clprim {

/// All that the source of the copying kernel depends on.
struct window_lines_variant {
  scalar type = scalar::float_;
  gemm_windows windows{};
  int channels = 1;                               ///< of a group of the images
  bool filter_last = false, images_last = false;  ///< channels lie last
  int group = gemm_finish_group;
  gemm_precision precision = gemm_precision::full;
  int way = 0;  ///< of the call's ways (gemm_variant)

  /// The filter as images of its taps: a position for each tap.
  constexpr gemm_windows filter() const {
    const auto taps = [](const window_axis& a) {
      return window_axis{.extent = a.taps, .out = a.taps};
    };
    return {.y = taps(windows.y),
            .x = taps(windows.x),
            .rows = windows.y.taps,
            .pitch = windows.x.taps,
            .inputs = windows.inputs};
  }
  friend constexpr bool operator==(const window_lines_variant&,
                                   const window_lines_variant&) = default;
};

/// Positions and channels that a group copies at a time, and the local memory that they take.
inline constexpr int window_lines_positions = 64;
constexpr int window_lines_channels(scalar type) { return 128 / facts_of(type).bytes; }
constexpr int window_lines_bytes(scalar type) {
  return window_lines_channels(type) * (window_lines_positions + 1) * facts_of(type).bytes + 4;
}

/// Groups at most, where most calls copy nothing.
inline constexpr std::int64_t window_groups_of_later_ways = 264;

namespace gemm_text {

inline constexpr kernel_text gather_lines = R"cl(
// One group copies a square of channels and positions, of one phase and one group of channels:
//
//     images, planes of channels          copy, lines of positions
//       channel 0   p p p p ...             position 0   c c c c ...     PARTS = 2: PART greater
//       channel 1   p p p p ...      ->     position 1   c c c c ...     parts, as many lesser
//           ...                                 ...                      ones, ...
//
// Zeros take the place of channels and positions that images do not have. Returns whether an
// element is not held by the parts that it is split into.
#define STEP_OF_POSITIONS (GROUP < POSITIONS ? GROUP : POSITIONS)
#define STEP_OF_CHANNELS (GROUP / STEP_OF_POSITIONS)
#define RUNS (CHANNELS * POSITIONS / RUN)
inline int gather(__local WORD (*square)[POSITIONS + 1], const __global WORD *in,
                  const uint images, __global COPIED *to, const uint positions, uint number,
                  const int channels, const int groups, const int last, const int line,
                  const uint pitch, const uint rows, const int height, const int width,
                  const int stride_y, const int stride_x, const int dilation_y,
                  const int dilation_x, const int pad_y, const int pad_x, const int phases_x)
{
    const int item = (int)get_local_id(0);
    const uint squares = (positions + POSITIONS - 1) / POSITIONS;
    const uint first = number % squares * POSITIONS;
    number /= squares;
    const int channel0 = (int)(number % SQUARES_OF_CHANNELS) * CHANNELS;
    number /= SQUARES_OF_CHANNELS;
    const int group = (int)(number % groups), phase = (int)(number / groups);
    const int offset_y = phase / phases_x * dilation_y % stride_y - pad_y;
    const int offset_x = phase % phases_x * dilation_x % stride_x - pad_x;
    const long plane = (long)height * width, channel_step = last ? 1 : plane,
               pixel_step = last ? channels * groups : 1;
    for (int p = item % STEP_OF_POSITIONS; p < POSITIONS; p += STEP_OF_POSITIONS) {
        const uint position = first + (uint)p, row = position / pitch, image = row / rows;
        const int x = (int)(position - row * pitch) * stride_x + offset_x;
        const int y = (int)(row - image * rows) * stride_y + offset_y;
        const bool exists = image < images && y >= 0 && y < height && x >= 0 && x < width;
        const int begin = item / STEP_OF_POSITIONS;
        const __global WORD *next =
            in + (long)image * groups * channels * plane +
            ((long)group * channels + channel0 + begin) * channel_step +
            ((long)y * width + x) * pixel_step;
        READ_LOOP for (int i = 0; i < CHANNELS / STEP_OF_CHANNELS; ++i) {
            const int c = begin + i * STEP_OF_CHANNELS;
            square[c][p] = exists && channel0 + c < channels ? *next : (WORD)(0);
            next += STEP_OF_CHANNELS * channel_step;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int beyond = 0;
    READ_LOOP for (int i = 0; i < (RUNS + GROUP - 1) / GROUP; ++i) {
        const int run = item + i * GROUP;
        if (run >= RUNS) break;
        const int c = run % (CHANNELS / RUN) * RUN, p = run / (CHANNELS / RUN);
        if (first + p >= positions || channel0 + c >= COPIED_CHANNELS) continue;
        WORD each[RUN];
        EACH for (int e = 0; e < RUN; ++e) {
            each[e] = square[c + e][p];
            beyond |= IS_BEYOND(each[e], 0);
        }
        const int place = channel0 * PARTS + c + c / PART * PART * (PARTS - 1);
        store_parts(to + (long)(first + p) * line +
                        (phase * groups + group) * (COPIED_CHANNELS * PARTS) + place, each);
    }
    return beyond;
}

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void gather_lines(const __global WORD *restrict filter, const long filter_offset,
                           const uint filters, const uint filter_positions,
                           const __global WORD *restrict in, const long in_offset,
                           const uint images, const uint positions,
                           __global COPIED *restrict to, const long images_at,
                           const uint filter_squares, const uint squares WAY_PARAMETERS)
{
    __local WORD square[CHANNELS][POSITIONS + 1];  // [channel][position]
    LOCAL_MARK
    RETURN_UNLESS_MEANT
    int beyond = 0;
    for (uint number = (uint)get_group_id(0); number < squares;
         number += (uint)get_num_groups(0)) {
        if (number < filter_squares)
            beyond |= gather(square, filter + filter_offset, filters, to, filter_positions, number,
                             FILTER_NUMBERS);
        else
            beyond |= gather(square, in + in_offset, images, to + images_at, positions,
                             number - filter_squares, IMAGE_NUMBERS);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    MARK_WHERE(beyond)
}
)cl";

}  // namespace gemm_text

/// The OpenCL C source of the kernel `gather_lines`.
inline std::string window_lines_source(const window_lines_variant& v) {
  using namespace gemm_text;
  const gemm_windows& w = v.windows;
  const int parts = parts_of(v.precision);
  const bool split = parts > 1;
  source_builder out;
  out.banner("clprim GEMM, lines of channels, " + std::string{facts_of(v.type).name});
  out.define("GROUP", v.group);
  out.define("EACH", "_Pragma(\"unroll\")");
  out.define("READ_LOOP", v.group >= 64 ? "EACH" : "");  // loads on their way together
  define_words(out, v.type, v.precision);
  const int channels = window_lines_channels(v.type);
  out.define("CHANNELS", channels);
  out.define("POSITIONS", window_lines_positions);
  out.define("COPIED_CHANNELS", w.inputs / parts);
  out.define("SQUARES_OF_CHANNELS", (w.inputs / parts + channels - 1) / channels);
  out.define("PARTS", parts);
  out.define("PART", warp_group_k(v.type) / 2);
  const auto numbers = [&](const gemm_windows& of, bool last) {
    std::string text = std::to_string(v.channels);
    for (const int n : {of.groups, static_cast<int>(last), of.line(), of.pitch, of.rows,
                        of.y.extent, of.x.extent, of.y.stride, of.x.stride, of.y.dilation,
                        of.x.dilation, of.y.pad, of.x.pad, of.x.phases()})
      text += ", " + std::to_string(n);
    return text;
  };
  out.define("FILTER_NUMBERS", numbers(v.filter(), v.filter_last));
  out.define("IMAGE_NUMBERS", numbers(w, v.images_last));
  define_way(out, v.way, split || v.way > 0, false);
  define_marks(out, v.way, split);
  out.text(split ? split_into_tf32 : keep_whole);
  out.text(gather_lines);
  return out.str();
}

/// Squares that groups copy for so many positions.
inline std::int64_t window_squares(const window_lines_variant& v, const gemm_windows& of,
                                   std::int64_t positions) {
  const auto squares = [](std::int64_t extent, std::int64_t side) {
    return (extent + side - 1) / side;
  };
  return squares(positions, window_lines_positions) *
         squares(of.inputs / parts_of(v.precision), window_lines_channels(v.type)) * of.groups *
         of.y.phases() * of.x.phases();
}

/// The launch of kernel `gather_lines`.
inline launch window_lines_launch(const window_lines_variant& v, std::int64_t squares) {
  if (v.way > 0) squares = std::min(squares, window_groups_of_later_ways);
  return launch_of({squares, 1, 1}, {v.group, 1, 1}, "of the lines of channels");
}

}  // namespace clprim
