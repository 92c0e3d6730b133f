#pragma once
// How many groups, how many work-items in each, how many warps on a unit: the texts' heuristics, a
// rung for each threshold. And DRAM: the same lines of memory, read in an order that stays in a row
// of it or leaves it with every step.

#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "text_rung.hpp"

namespace bench {

namespace detail {

/// Groups share the work evenly: each item takes every get_global_size-th element.
inline constexpr const char* shared_text = R"cl(
__kernel void shared_work(__global const uint *in, __global uint *out, uint count)
{
    const uint step = (uint)get_global_size(0);
    for (uint i = (uint)get_global_id(0); i < count; i += step) {
        uint x = in[i];
        for (int k = 0; k < STEPS; ++k)
            x = x * 1664525u + 1013904223u;
        out[i] = x;
    }
}
__kernel void one_each(__global const uint *in, __global uint *out, uint count)
{
    const uint i = (uint)get_global_id(0);
    if (i >= count)
        return;
    uint x = in[i];
    for (int k = 0; k < STEPS; ++k)
        x = x * 1664525u + 1013904223u;
    out[i] = x;
}
)cl";

/// Warp w adds eight lines of 128 bytes: the v-th that all warps read together is line
/// `v / turn + v % turn * stride`, where 2^turn_bits strides of 2^stride_bits lines are all of
/// them: neighbours in time are a stride apart, and every line is read once.
inline constexpr const char* dram_text = R"cl(
__kernel void dram(__global const uint *in, __global uint *out, uint turn_bits, uint stride_bits)
{
    const uint i = (uint)get_global_id(0), warps = (uint)get_global_size(0) / 32u;
    uint sum = 0;
    for (uint k = 0; k < 8u; ++k) {
        const uint v = i / 32u + k * warps, turn = v & ((1u << turn_bits) - 1u);
        sum = sum * 3u + in[((v >> turn_bits) + (turn << stride_bits)) * 32u + i % 32u];
    }
    out[i] = sum;
}
)cl";

inline cl_uint stepped(cl_uint x, int steps) {
  for (int k = 0; k < steps; ++k) x = x * 1664525u + 1013904223u;
  return x;
}

}  // namespace detail

inline void add_launch_ladders(const suite_place& place, std::vector<bench_row>& rows) {
  const std::size_t count = std::size_t{1} << (place.cpu() ? 20 : 24);
  const auto arrays = std::make_shared<lazy_arrays>(place, count);
  const auto add = [&](const std::string& name, const std::string& kernel, std::size_t items,
                       std::size_t group, int steps, const std::string& figure, bool quick) {
    text_rung r{.name = name,
                .text = "#define STEPS " + std::to_string(steps) + "\n" + detail::shared_text,
                .kernel = kernel,
                .range = line_of(items, group),
                .work = 8.0 * static_cast<double>(count),
                .roof = "copy",
                .figure = figure,
                .quick = quick,
                .numbers = {{"groups", static_cast<double>(items / group)}}};
    r.arguments = [=](cl_kernel k, const ladder_arrays& a) {
      clprim::set_args(k, a.x, a.y, static_cast<cl_uint>(count));
    };
    r.wrong = [=](const ladder_arrays& a, const std::function<void()>& call) {
      const auto got = words_of(a.result_of(call, count)), in = words_of(a.host);
      return wrong_word(got, count, [&](std::size_t i) { return detail::stepped(in[i], steps); });
    };
    add_text_rung(place, rows, arrays, r);
  };
  const auto units = static_cast<std::size_t>(place.device.compute_units);
  const struct {
    std::size_t halves;
    const char* name;
    const char* figure;
  } numbers[] = {
      {1, "half of the units", "deck: at least one group per unit"},
      {2, "one per unit", "deck, Guide 3.2: at least as many groups as units"},
      {4, "two per unit", "deck, Guide 3.2: more than two per unit, or barriers idle it"},
      {16, "eight per unit", "Guide A.1.1: at most 8 groups were resident on a unit of 1.x"},
      {200, "a hundred per unit", "deck: 100 per unit scale to later devices"},
      {2000, "a thousand per unit", "Guide 3.2: 1000 scale across several generations"},
  };
  for (const auto& n : numbers) {
    const std::size_t groups = std::max<std::size_t>(1, units * n.halves / 2);
    add(std::string("groups ") + n.name, "shared_work", groups * 256, 256, 16, n.figure,
        n.halves == 2 || n.halves == 200);
  }
  for (const int size : {16, 32, 33, 48, 64, 128, 192, 256, 512}) {
    if (size > place.device.max_work_group) continue;
    const auto group = static_cast<std::size_t>(size);
    std::string figure = "Guide 3.2: a multiple of 64 is better";
    if (group % 32 != 0) figure = "deck, Techniques: no multiple of the warp's 32";
    if (group == 32) figure = "deck, Techniques: a multiple of the warp's 32";
    if (group == 64) figure = "deck, Guide 3.2: 64 at least";
    if (group == 192 || group == 256) figure = "Guide 3.2: 192 or 256 are better";
    add("items " + std::to_string(group) + " in a group", "one_each",
        (count + group - 1) / group * group, group, 16, figure, group == 33 || group == 256);
  }
  // The deck's case: 8 instructions for each load, 400 cycles of latency, 4 for an instruction.
  for (const int warps : {2, 4, 6, 8, 13, 16, 24, 32, 48, 64}) {
    if (place.cpu() && warps > 16) continue;
    std::string figure = "deck: warps hide latency";
    if (warps == 6) figure = "deck: 24 / 4 = 6 warps hide registers' latency, 25 % of 24";
    if (warps == 13) figure = "deck: 400 / 4 / 8 = 13 warps hide memory's, 54 % of 24";
    const std::size_t items = units * 32 * static_cast<std::size_t>(warps);
    const std::size_t group = warps > 24 ? 64 : 32;  // no more than 32 groups fit a unit
    add("warps " + std::to_string(warps) + " on a unit", "shared_work", items, group, 8, figure,
        warps == 13);
  }
}

inline void add_dram_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const std::size_t words = std::size_t{1} << (place.cpu() ? 23 : 28);
  const auto arrays = std::make_shared<lazy_arrays>(place, words);
  const std::size_t lines = words / 32;
  for (std::size_t stride = 128; stride <= std::size_t{1} << (place.cpu() ? 22 : 28); stride *= 8) {
    const std::size_t lines_of_row = stride / 128, in_turn = lines / lines_of_row;
    const std::string size = stride < 1024       ? std::to_string(stride) + " B"
                             : stride < 1u << 20 ? std::to_string(stride >> 10) + " KiB"
                                                 : std::to_string(stride >> 20) + " MiB";
    text_rung r{.name = "dram lines " + size + " apart",
                .text = detail::dram_text,
                .kernel = "dram",
                .range = line_of(words / 8, 256),
                .work = 4.5 * static_cast<double>(words),
                .roof = "read",
                .figure = stride == 128 ? "ETH: within a row of DRAM, bursts follow each other"
                                        : "ETH: another row, another bank or channel",
                .quick = stride == 128 || stride == 8192,
                .numbers = {{"stride_bytes", static_cast<double>(stride)}}};
    r.arguments = [=](cl_kernel k, const ladder_arrays& a) {
      clprim::set_args(k, a.x, a.y, static_cast<cl_uint>(std::countr_zero(in_turn)),
                       static_cast<cl_uint>(std::countr_zero(lines_of_row)));
    };
    r.wrong = [=](const ladder_arrays& a, const std::function<void()>& call) {
      const std::size_t items = words / 8, warps = items / 32;
      const auto got = words_of(a.result_of(call, items));
      // All are written; the sums of some are enough, for the host walks as badly as the device.
      for (std::size_t i = 0; i < items; i += 61) {
        cl_uint sum = 0;
        for (std::size_t k = 0; k < 8; ++k) {
          const std::size_t v = i / 32 + k * warps;
          sum = sum * 3u + std::bit_cast<cl_uint>(
                               a.host[(v / in_turn + v % in_turn * lines_of_row) * 32 + i % 32]);
        }
        if (got[i] != sum) return "word " + std::to_string(i);
      }
      return std::string();
    };
    add_text_rung(place, rows, arrays, r);
  }
}

}  // namespace bench
