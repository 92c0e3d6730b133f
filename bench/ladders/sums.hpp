#pragma once
// The last steps of a sum within a warp: with a barrier after every step; without, on volatile
// local memory, as the Programming Guide has it (3.4); and without either. The last two rest on a
// warp that goes in step, which no OpenCL promises, and which NVIDIA's gave up with compute
// capability 7.0; what comes out wrong is counted, and is what the rung has to show.

#include <memory>
#include <string>
#include <vector>

#include "text_rung.hpp"

namespace bench {

namespace detail {

/// Groups of 256 add 256 values; KIND 0: barriers, 1: volatile, 2: neither.
inline constexpr const char* sums_text = R"cl(
#if KIND == 1
#define CELLS volatile uint
#else
#define CELLS uint
#endif
__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void sums(__global const uint *in, __global uint *out)
{
    __local CELLS cells[256];
    const int item = (int)get_local_id(0);
    cells[item] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_of = 128; half_of > (KIND == 0 ? 0 : 32); half_of /= 2) {
        if (item < half_of)
            cells[item] += cells[item + half_of];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#if KIND != 0
    if (item < 32) {
        cells[item] += cells[item + 32];
        cells[item] += cells[item + 16];
        cells[item] += cells[item + 8];
        cells[item] += cells[item + 4];
        cells[item] += cells[item + 2];
        cells[item] += cells[item + 1];
    }
#endif
    if (item == 0)
        out[get_group_id(0)] = cells[0];
}
)cl";

}  // namespace detail

inline void add_sum_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const std::size_t items = std::size_t{1} << (place.cpu() ? 20 : 24), groups = items / 256;
  const auto arrays = std::make_shared<lazy_arrays>(place, items);
  const auto add = [&](const std::string& name, int kind, const std::string& figure) {
    const auto enter = [=] {
      const auto a = arrays->get();
      const auto program =
          clprim::build(place.session.context, place.session.device,
                        "#define KIND " + std::to_string(kind) + "\n" + detail::sums_text);
      const cl::Kernel kernel = clprim::make_kernel(*program, "sums");
      clprim::set_args(kernel(), a->x, a->y);
      const auto call = [=] { clprim::enqueue(a->queue(), kernel(), line_of(items, 256)); };
      const auto count = std::make_shared<std::size_t>(0);
      const auto wrong = [=]() -> std::string {
        const auto got = words_of(a->result_of(call, groups)), in = words_of(a->host);
        for (std::size_t g = 0; g < groups; ++g) {
          cl_uint sum = 0;
          for (std::size_t i = 0; i < 256; ++i) sum += in[g * 256 + i];
          *count += sum != got[g] ? 1 : 0;
        }
        if (kind != 0 || *count == 0) return {};
        return std::to_string(*count) + " sums";
      };
      contestant who = timed_call(place, call, wrong, figure);
      if (kind != 0) {
        who.short_detail = who.detail = [=] {
          return figure + "; WRONG here in " + std::to_string(*count) + " of " +
                 std::to_string(groups) + " sums";
        };
        who.facts = [=]() -> std::vector<std::pair<std::string, double>> {
          return {{"wrong_sums", static_cast<double>(*count)}};
        };
      }
      return std::vector<contestant>{who};
    };
    rows.push_back({.name = "warp-sums " + name,
                    .work = 4.0 * static_cast<double>(items),
                    .roof = "read",
                    .quick = true,
                    .enter = enter});
  };
  add("a barrier after every step", 0, "Guide 3.4: what is safe");
  add("volatile, no barriers in a warp", 1, "Guide 3.4: allowed on 1.x");
  add("neither", 2, "Guide 2.2.2: the compiler keeps values in registers");
}

}  // namespace bench
