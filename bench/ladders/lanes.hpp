#pragma once
// Which lane reads which element, at the text's size (12288 groups of 256) and at today's: in
// order, with lanes that stay out, in another order, shifted by one, and at random. Then structures
// larger and smaller than what a lane reads at once, and rows of an array with and without a pitch.

#include <memory>
#include <string>
#include <vector>

#include "text_rung.hpp"

namespace bench {

namespace detail {

/// AT is the element of item i; items where OUT holds do nothing.
inline constexpr const char* lanes_text = R"cl(
__kernel void lanes(__global const uint *in, __global uint *out, uint mask)
{
    const uint i = (uint)get_global_id(0);
    if (OUT)
        return;
    const uint at = AT;
    out[at] = in[at] + 1u;
}
)cl";

struct lanes_case {
  std::string name;
  std::string at = "i";
  std::string out = "false";
  std::size_t (*place)(std::size_t, std::size_t) = [](std::size_t i, std::size_t) { return i; };
  bool (*stays)(std::size_t) = [](std::size_t) { return false; };
  double published_us = 0;
  bool quick = false;
};

/// n structures of SIZE words, one per item; their words are added.
inline constexpr const char* structures_text = R"cl(
typedef struct { uint w[WORDS]; } packed_t;
typedef struct { uint4 q[WORDS / 4]; } aligned_t;
__kernel void packed_words(__global const packed_t *in, __global uint *out)
{
    const size_t i = get_global_id(0);
    const packed_t mine = in[i];
    uint sum = 0;
    for (int k = 0; k < WORDS; ++k)
        sum += mine.w[k];
    out[i] = sum;
}
__kernel void aligned(__global const aligned_t *in, __global uint *out)
{
    const size_t i = get_global_id(0);
    const aligned_t mine = in[i];
    uint4 sum = mine.q[0];
    for (int k = 1; k < WORDS / 4; ++k)
        sum += mine.q[k];
    out[i] = sum.x + sum.y + sum.z + sum.w;
}
__kernel void apart(__global const uint4 *in, __global uint *out)
{
    const size_t i = get_global_id(0), n = get_global_size(0);
    uint4 sum = in[i];
    for (int k = 1; k < WORDS / 4; ++k)
        sum += in[i + k * n];
    out[i] = sum.x + sum.y + sum.z + sum.w;
}
)cl";

inline constexpr const char* pitch_text = R"cl(
__kernel void rows(__global const uint *in, __global uint *out, int width, int pitch)
{
    const int x = (int)get_global_id(0);
    const size_t y = get_global_id(1);
    if (x < width)
        out[y * (size_t)pitch + (size_t)x] = in[y * (size_t)pitch + (size_t)x] + 1u;
}
)cl";

}  // namespace detail

inline void add_lane_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const std::size_t of_text = std::size_t{12288} * 256;
  const std::size_t today = std::size_t{1} << (place.cpu() ? 22 : 26);
  const auto arrays = std::make_shared<lazy_arrays>(place, std::max(of_text, today) + 64);
  using detail::lanes_case;
  const auto add = [&](const lanes_case& c, std::size_t count, const std::string& size) {
    text_rung r{
        .name = "copy-lanes " + c.name + ", " + size,
        .text = "#define AT (" + c.at + ")\n#define OUT (" + c.out + ")\n" + detail::lanes_text,
        .kernel = "lanes",
        .range = line_of(count, 256),
        .work = 8.0 * static_cast<double>(count),
        .roof = "copy",
        .figure = count != of_text || c.published_us == 0
                      ? "Techniques: who reads what"
                      : textbook_figure{"Techniques: 12K blocks of 256 threads", "the text's GPU",
                                        c.published_us, "us"}
                            .text(),
        .quick = c.quick};
    r.arguments = [=](cl_kernel kernel, const ladder_arrays& a) {
      clprim::set_args(kernel, a.x, a.y, static_cast<cl_uint>(count - 1));
    };
    r.wrong = [=](const ladder_arrays& a, const std::function<void()>& call) {
      const auto got = words_of(a.result_of(call, count + 1)), in = words_of(a.host);
      std::vector<cl_uint> expected(count + 1, 0xffffffffu);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = c.place(i, count);
        if (!c.stays(i)) expected[at] = in[at] + 1;
      }
      return wrong_word(got, count + 1, [&](std::size_t i) { return expected[i]; });
    };
    add_text_rung(place, rows, arrays, r);
  };
  const std::vector<lanes_case> cases{
      {.name = "coalesced", .published_us = 356, .quick = true},
      {.name = "divergent",
       .out = "(i & 15u) == 5u",
       .stays = [](std::size_t i) { return i % 16 == 5; },
       .published_us = 357,
       .quick = true},
      {.name = "permuted within a half-warp",
       .at = "i ^ 5u",
       .place = [](std::size_t i, std::size_t) { return i ^ 5; },
       .published_us = 3494,
       .quick = true},
      {.name = "misaligned",
       .at = "i + 1u",
       .place = [](std::size_t i, std::size_t) { return i + 1; },
       .published_us = 3494},
  };
  for (const lanes_case& c : cases) add(c, of_text, "12288 x 256");
  for (const lanes_case& c : cases) {
    add(c, today, "today's size");
    rows.back().quick = false;
  }
  // What a permutation costs where no segment holds two lanes' elements.
  add({.name = "scattered",
       .at = "(i * 40503u) & mask",
       .place = [](std::size_t i, std::size_t n) { return (i * 40503) & (n - 1); },
       .quick = true},
      today, "today's size");
}

inline void add_structure_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const std::size_t words = std::size_t{1} << (place.cpu() ? 23 : 27);
  const auto arrays = std::make_shared<lazy_arrays>(place, words);
  const auto add = [&](const std::string& name, const std::string& kernel, int size,
                       const std::string& figure) {
    const std::size_t count = words / static_cast<std::size_t>(size) / 256 * 256;
    text_rung r{.name = "structures " + name,
                .text = "#define WORDS " + std::to_string(size) + "\n" + detail::structures_text,
                .kernel = kernel,
                .range = line_of(count, 256),
                .work = 4.0 * (size + 1) * static_cast<double>(count),
                .roof = "read",
                .figure = figure,
                .quick = size == 8};
    r.arguments = [](cl_kernel k, const ladder_arrays& a) { clprim::set_args(k, a.x, a.y); };
    r.wrong = [=](const ladder_arrays& a, const std::function<void()>& call) {
      const auto got = words_of(a.result_of(call, count)), in = words_of(a.host);
      const auto width = static_cast<std::size_t>(size);
      return wrong_word(got, count, [&](std::size_t i) {
        cl_uint sum = 0;
        for (std::size_t k = 0; k < width; ++k)
          sum += kernel == "apart" ? in[(k / 4) * 4 * count + 4 * i + k % 4] : in[i * width + k];
        return sum;
      });
    };
    add_text_rung(place, rows, arrays, r);
  };
  const std::string rule = "Guide 3.1.2.1: one load where 4, 8 or 16 bytes are aligned so";
  add("12 bytes, packed", "packed_words", 3, "Guide, figure 3-3: 16 transactions on 1.0");
  add("16 bytes, packed", "packed_words", 4, rule);
  add("16 bytes, aligned", "aligned", 4, rule);
  add("20 bytes, packed", "packed_words", 5, rule);
  add("32 bytes, packed", "packed_words", 8, rule);
  add("32 bytes, aligned", "aligned", 8, rule);
  add("32 bytes, as two arrays of 16", "apart", 8,
      "Guide 3.1.2.1: larger structures are split into arrays");
}

inline void add_pitch_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const int height = place.cpu() ? 2048 : 16384;
  constexpr int width = 1001;
  const auto arrays = std::make_shared<lazy_arrays>(place, static_cast<std::size_t>(height) * 1024);
  for (const int pitch : {1001, 1008, 1024}) {
    text_rung r{.name = "pitch rows of 1001, " + std::to_string(pitch) + " apart",
                .text = detail::pitch_text,
                .kernel = "rows",
                .range = {2, {1024, static_cast<std::size_t>(height), 1}, {64, 4, 1}},
                .work = 8.0 * width * height,
                .roof = "copy",
                .figure = pitch == 1001 ? "Guide 3.1.2.1: a width that is no multiple of 16"
                                        : "Guide 3.1.2.1: rows padded to a multiple of 16",
                .quick = pitch != 1024};
    r.arguments = [=](cl_kernel k, const ladder_arrays& a) {
      clprim::set_args(k, a.x, a.y, cl_int{width}, cl_int{pitch});
    };
    r.wrong = [=](const ladder_arrays& a, const std::function<void()>& call) {
      const auto step = static_cast<std::size_t>(pitch);
      const std::size_t count = step * static_cast<std::size_t>(height);
      const auto got = words_of(a.result_of(call, count)), in = words_of(a.host);
      return wrong_word(got, count,
                        [&](std::size_t i) { return i % step < width ? in[i] + 1 : 0xffffffffu; });
    };
    add_text_rung(place, rows, arrays, r);
  }
}

}  // namespace bench
