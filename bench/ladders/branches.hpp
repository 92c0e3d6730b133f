#pragma once
// Divergence by itself: the items of a warp take 1 to 32 different paths of the same length, either
// neighbours different ones (the paths follow each other) or whole warps the same one (nothing is
// lost). No memory in between, so what the branch costs is all there is.

#include <memory>
#include <string>
#include <vector>

#include "text_rung.hpp"

namespace bench {

namespace detail {

/// Each path is a loop of its own; were they one loop over a table of constants, the compiler would
/// have removed what is to be measured.
inline std::string branches_text() {
  std::string text = R"cl(
__kernel void branches(__global const uint *in, __global uint *out, int steps, int ways, int warp)
{
    const size_t i = get_global_id(0);
    const int lane = (int)get_local_id(0);
    const int path = (warp ? lane / 32 : lane) & (ways - 1);
    uint x = in[i];
    switch (path) {
)cl";
  for (int k = 0; k < 32; ++k) {
    text += "    case " + std::to_string(k) + ":\n        for (int s = 0; s < steps; ++s)\n" +
            "            x = x * 1664525u + " + std::to_string(2 * k + 1) + "u;\n        break;\n";
  }
  return text + R"cl(
    }
    out[i] = x;
}
__kernel void predicated(__global const uint *in, __global uint *out, int steps)
{
    const size_t i = get_global_id(0);
    uint x = in[i];
    for (int s = 0; s < steps; ++s) {
        if (x & 1u)
            x = x * 1664525u + 1u;
        else
            x = (x >> 1) + 77u;
    }
    out[i] = x;
}
)cl";
}

inline constexpr int branch_steps = 256;

inline cl_uint branch_result(cl_uint x, cl_uint path) {
  for (int s = 0; s < branch_steps; ++s) x = x * 1664525u + 2 * path + 1;
  return x;
}

}  // namespace detail

inline void add_branch_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const std::size_t items = std::size_t{1} << (place.cpu() ? 17 : 22);
  const std::size_t group = 1024 <= place.device.max_work_group ? 1024 : 256;
  const auto arrays = std::make_shared<lazy_arrays>(place, items);
  const auto add = [&](const std::string& name, int ways, bool warp, const std::string& figure) {
    text_rung r{.name = "branches " + name,
                .text = detail::branches_text(),
                .kernel = "branches",
                .range = line_of(items, group),
                .work = static_cast<double>(items) * detail::branch_steps,
                .unit = "Gop/s",
                .figure = figure,
                .quick = ways == 1 || ways == 2 || ways == 32,
                .numbers = {{"paths", ways}}};
    r.arguments = [=](cl_kernel kernel, const ladder_arrays& a) {
      clprim::set_args(kernel, a.x, a.y, cl_int{detail::branch_steps}, cl_int{ways},
                       cl_int{warp ? 1 : 0});
    };
    r.wrong = [=](const ladder_arrays& a, const std::function<void()>& call) {
      const auto got = words_of(a.result_of(call, items)), in = words_of(a.host);
      return wrong_word(got, std::min<std::size_t>(items, 1 << 15), [&](std::size_t i) {
        const std::size_t lane = i % group;
        const auto path =
            static_cast<cl_uint>((warp ? lane / 32 : lane) & static_cast<std::size_t>(ways - 1));
        return detail::branch_result(in[i], path);
      });
    };
    add_text_rung(place, rows, arrays, r);
  };
  add("one path", 1, false, "what the others are held against");
  for (const int ways : {2, 4, 8, 16, 32}) {
    add(std::to_string(ways) + " paths, by lane", ways, false,
        ways == 2 ? "ETH: if (t % 2 == 0), half of the lanes idle"
                  : "deck: paths within a warp follow each other");
    add(std::to_string(ways) + " paths, by warp", ways, true,
        ways == 2 ? "ETH: if (t < 32); Guide 3.1.1.2: local id / warp size"
                  : "deck: no penalty if different warps diverge");
  }
  text_rung r{.name = "branches short, predicated",
              .text = detail::branches_text(),
              .kernel = "predicated",
              .range = line_of(items, group),
              .work = static_cast<double>(items) * detail::branch_steps,
              .unit = "Gop/s",
              .figure = "Guide 3.1.1.2: at most 4 to 7 instructions get predicates, no branch"};
  r.arguments = [](cl_kernel kernel, const ladder_arrays& a) {
    clprim::set_args(kernel, a.x, a.y, cl_int{detail::branch_steps});
  };
  r.wrong = [=](const ladder_arrays& a, const std::function<void()>& call) {
    const auto got = words_of(a.result_of(call, items)), in = words_of(a.host);
    return wrong_word(got, std::min<std::size_t>(items, 1 << 15), [&](std::size_t i) {
      cl_uint x = in[i];
      for (int s = 0; s < detail::branch_steps; ++s)
        x = (x & 1u) != 0 ? x * 1664525u + 1u : (x >> 1) + 77u;
      return x;
    });
  };
  add_text_rung(place, rows, arrays, r);
}

}  // namespace bench
