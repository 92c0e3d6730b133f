#pragma once
// Constant memory: all items of a warp read one word, or 2 to 32 different ones; the same reads
// from global memory beside it. Then volatile: a value that is read again, or kept.

#include <memory>
#include <string>
#include <vector>

#include "text_rung.hpp"

namespace bench {

namespace detail {

/// Lanes read word k of one of `places` rows of 64 words.
inline constexpr const char* constants_text = R"cl(
#define BODY \
    const size_t i = get_global_id(0); \
    const uint row = (uint)(get_local_id(0) & (places - 1)) * 64u; \
    uint sum = 0; \
    for (int r = 0; r < rounds; ++r) { \
        for (uint k = 0; k < 64u; k += 4u) { \
            sum = sum * 3u + table[row + k]; \
            sum += table[row + k + 1u] ^ table[row + k + 2u]; \
            sum += table[row + k + 3u]; \
        } \
    } \
    out[i] = sum;
__kernel void of_constant(__constant uint *table, __global uint *out, int rounds, int places)
{
    BODY
}
__kernel void of_global(__global const uint *table, __global uint *out, int rounds, int places)
{
    BODY
}
)cl";

/// The same word 16 times; only behind a volatile pointer is it read as often.
inline constexpr const char* volatile_text = R"cl(
__kernel void again(__global QUALIFIER const uint *in, __global uint *out)
{
    const size_t i = get_global_id(0);
    uint sum = 0;
    for (int k = 0; k < 16; ++k)
        sum = sum * 3u + in[i];
    out[i] = sum;
}
)cl";

}  // namespace detail

inline void add_constant_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  constexpr int rounds = 16, words = 64;
  const std::size_t items = std::size_t{1} << (place.cpu() ? 14 : 20);
  const auto arrays = std::make_shared<lazy_arrays>(place, items);
  // Constant memory has 64 KB: the table lies in a buffer of its own.
  const auto tables = std::make_shared<lazy_arrays>(place, std::size_t{32} * words);
  const auto add = [&](const std::string& kernel, int places, const std::string& figure) {
    text_rung r{.name = "constant " + std::string(kernel == "of_global" ? "global memory, " : "") +
                        std::to_string(places) + (places == 1 ? " word" : " words") + " per warp",
                .text = detail::constants_text,
                .kernel = kernel,
                .range = line_of(items, 128),
                .work = static_cast<double>(items) * rounds * words * 4,
                .figure = figure,
                .quick = places == 1,
                .numbers = {{"addresses", places}}};
    r.arguments = [=](cl_kernel k, const ladder_arrays& a) {
      clprim::set_args(k, tables->get()->x, a.y, cl_int{rounds}, cl_int{places});
    };
    r.wrong = [=](const ladder_arrays& a, const std::function<void()>& call) {
      const auto got = words_of(a.result_of(call, items)), table = words_of(tables->get()->host);
      std::vector<cl_uint> expected(static_cast<std::size_t>(places));
      for (std::size_t place_of_lane = 0; place_of_lane < expected.size(); ++place_of_lane) {
        cl_uint sum = 0;
        for (int r2 = 0; r2 < rounds; ++r2) {
          for (std::size_t k = place_of_lane * words; k < (place_of_lane + 1) * words; k += 4) {
            sum = sum * 3u + table[k];
            sum += (table[k + 1] ^ table[k + 2]) + table[k + 3];
          }
        }
        expected[place_of_lane] = sum;
      }
      return wrong_word(got, items, [&](std::size_t i) { return expected[i % expected.size()]; });
    };
    add_text_rung(place, rows, arrays, r);
  };
  for (const int places : {1, 2, 4, 8, 16, 32})
    add("of_constant", places,
        places == 1 ? "Guide 3.1.2.3: as fast as a register"
                    : "Guide 3.1.2.3: the cost is linear in the number of addresses");
  add("of_global", 1, "the same from global memory and its cache");
  add("of_global", 32, "the same from global memory and its cache");
}

inline void add_volatile_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const std::size_t items = std::size_t{1} << (place.cpu() ? 20 : 24);
  const auto arrays = std::make_shared<lazy_arrays>(place, items);
  for (const std::string& qualifier : {std::string(), std::string("volatile")}) {
    text_rung r{
        .name = qualifier.empty() ? "volatile absent, one read" : "volatile present, sixteen reads",
        .text = "#define QUALIFIER " + qualifier + "\n" + detail::volatile_text,
        .kernel = "again",
        .range = line_of(items, 256),
        .work = static_cast<double>(items) * 8,
        .roof = "copy",
        .figure = qualifier.empty() ? "Guide 2.2.2: the first read's result is used again"
                                    : "Guide 2.2.2: every reference is a read",
        .quick = true};
    r.arguments = [](cl_kernel k, const ladder_arrays& a) { clprim::set_args(k, a.x, a.y); };
    r.wrong = [=](const ladder_arrays& a, const std::function<void()>& call) {
      const auto got = words_of(a.result_of(call, items)), in = words_of(a.host);
      return wrong_word(got, items, [&](std::size_t i) {
        cl_uint sum = 0;
        for (int k = 0; k < 16; ++k) sum = sum * 3u + in[i];
        return sum;
      });
    };
    add_text_rung(place, rows, arrays, r);
  }
}

}  // namespace bench
