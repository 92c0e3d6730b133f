#pragma once
// Atomic additions: all items to one word, neighbours to the words of a line, each to its own; and
// first within a group in local memory, then once for the group.

#include <memory>
#include <string>
#include <vector>

#include "text_rung.hpp"

namespace bench {

namespace detail {

/// Item i adds a value of its own to word i % (mask + 1).
inline constexpr const char* atomics_text = R"cl(
__kernel void each_item(__global const uint *in, volatile __global uint *out, uint mask)
{
    const uint i = (uint)get_global_id(0);
    atomic_add(out + (i & mask), in[i]);
}
__kernel void each_group(__global const uint *in, volatile __global uint *out, uint mask)
{
    __local uint sum;
    if (get_local_id(0) == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, in[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(out + ((uint)get_group_id(0) & mask), sum);
}
)cl";

}  // namespace detail

inline void add_atomics_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const std::size_t items = std::size_t{1} << (place.cpu() ? 18 : 24);
  const auto arrays = std::make_shared<lazy_arrays>(place, items);
  const auto add = [&](const std::string& name, const std::string& kernel, std::size_t words,
                       const std::string& figure) {
    text_rung r{.name = "atomics " + name,
                .text = detail::atomics_text,
                .kernel = kernel,
                .range = line_of(items, 256),
                .work = static_cast<double>(items),
                .unit = "Gop/s",
                .figure = figure,
                .quick = true,
                .numbers = {{"words", static_cast<double>(words)}}};
    r.arguments = [=](cl_kernel k, const ladder_arrays& a) {
      clprim::set_args(k, a.x, a.y, static_cast<cl_uint>(words - 1));
    };
    r.wrong = [=](const ladder_arrays& a, const std::function<void()>& call) {
      const auto got = words_of(a.result_of(call, words)), in = words_of(a.host);
      std::vector<cl_uint> sums(words, ~cl_uint{0});  // the result begins with all bits set
      for (std::size_t i = 0; i < items; ++i)
        sums[kernel == "each_item" ? i % words : i / 256 % words] += in[i];
      return wrong_word(got, words, [&](std::size_t i) { return sums[i]; });
    };
    add_text_rung(place, rows, arrays, r);
  };
  add("to one word", "each_item", 1, "ETH: they are serialised");
  add("to 32 words", "each_item", 32, "ETH: lanes of a warp each have a word, warps share them");
  add("each to its own word", "each_item", items, "ETH: nobody waits");
  add("in local memory first", "each_group", 1,
      "Guide A.1.3: on local memory since 1.2; one addition of a group is left");
}

}  // namespace bench
