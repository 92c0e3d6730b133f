#pragma once
// Local memory at its purest: nothing but reads of it, at strides that cause conflicts of 1 to 32
// ways, a broadcast, bytes, doubles and structures (the Programming Guide's cases, 3.1.2.5); beside
// them multiply-adds on registers, whose operands are the bandwidth that Volkov compares with.

#include <memory>
#include <string>
#include <vector>

#include <clprim/core/access/banks.hpp>

#include "text_rung.hpp"

namespace bench {

namespace detail {

/// An item reads words STRIDE * item + 32 k, k = 0 … 15, again and again; volatile, or the compiler
/// would read them once.
///
/// What is in capitals is defined in front; SUM is T, or what holds sums of bytes.
inline constexpr const char* banks_text = R"cl(
#define SIZE (STRIDE * (GROUP - 1) + 15 * STEP + 1)
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void banks(__global uint *out, int rounds)
{
    __local volatile T tile[SIZE];
    const int item = (int)get_local_id(0);
    for (int i = item; i < SIZE; i += GROUP)
        tile[i] = (T)(i % 7);
    barrier(CLK_LOCAL_MEM_FENCE);
    __local volatile const T *const mine = tile + STRIDE * item;
    SUM a = 0, b = 0, c = 0, d = 0;
    for (int r = 0; r < rounds; ++r) {
        for (int k = 0; k < 16; k += 4) {
            a += mine[STEP * k];
            b += mine[STEP * (k + 1)];
            c += mine[STEP * (k + 2)];
            d += mine[STEP * (k + 3)];
        }
    }
    out[get_global_id(0)] = (uint)(a + b + c + d);
}
)cl";

/// Four chains of multiply-adds: three operands and a result of four bytes each.
inline constexpr const char* registers_text = R"cl(
__kernel void registers(__global float *out, int rounds, float b, float c)
{
    float w = (float)(get_local_id(0) & 7), x = w + 1.0f, y = w + 2.0f, z = w + 3.0f;
    for (int r = 0; r < rounds; ++r) {
        for (int k = 0; k < 4; ++k) {
            w = mad(w, b, c);
            x = mad(x, b, c);
            y = mad(y, b, c);
            z = mad(z, b, c);
        }
    }
    out[get_global_id(0)] = w + x + y + z;
}
)cl";

struct bank_case {
  std::string name;
  std::string type = "uint";
  int bytes = 4;
  int stride = 1;
  std::string figure{};
  bool quick = false;
};

}  // namespace detail

inline void add_bank_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  constexpr std::size_t group = 64;
  constexpr int rounds = 128, reads = 16;
  const std::size_t items = std::size_t{1} << (place.cpu() ? 15 : 21);
  const auto arrays = std::make_shared<lazy_arrays>(place, items);
  const auto add = [&](const detail::bank_case& c) {
    // The next of the 16 reads: as far on as leaves the lanes' banks as they were.
    const int step = c.bytes == 1 ? 128 : 32;
    text_rung r{.name = c.name,
                .text = "#define T " + c.type + "\n#define SUM " +
                        (c.bytes == 1 ? "uint" : c.type) + "\n#define STRIDE " +
                        std::to_string(c.stride) + "\n#define STEP " + std::to_string(step) +
                        "\n#define GROUP " + std::to_string(group) + "\n" + detail::banks_text,
                .kernel = "banks",
                .range = line_of(items, group),
                .work = static_cast<double>(items) * rounds * reads * c.bytes,
                .figure = c.figure,
                .quick = c.quick};
    if (c.type == "double") r.text = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" + r.text;
    if (!place.cpu()) {
      const auto of = [&](int capability) {
        const clprim::bank_rule rule = clprim::banks_of(capability);
        return clprim::bank_conflicts(
                   rule, c.bytes, 32,
                   [&](int lane) { return std::int64_t{c.bytes} * c.stride * lane; })
            .degree;
      };
      const int now = of(place.device.compute_capability), then = of(13);
      r.figure = joined(r.figure, std::to_string(now) + "-way by the device's rule (1.3: " +
                                      std::to_string(then) + "-way)");
      r.numbers = {{"conflict_degree", now}, {"conflict_degree_of_1_3", then}};
    }
    r.arguments = [=](cl_kernel kernel, const ladder_arrays& a) {
      clprim::set_args(kernel, a.y, cl_int{rounds});
    };
    r.wrong = [=](const ladder_arrays& a, const std::function<void()>& call) {
      const auto got = words_of(a.result_of(call, items));
      return wrong_word(got, items, [&](std::size_t i) {
        cl_uint sum = 0;
        for (int k = 0; k < reads; ++k) {
          const auto at =
              static_cast<std::size_t>(c.stride) * (i % group) + static_cast<std::size_t>(step * k);
          sum += static_cast<cl_uint>(at % 7) * rounds;
        }
        return sum;
      });
    };
    add_text_rung(place, rows, arrays, r);
  };
  add({.name = "local-memory stride 0, one word",
       .stride = 0,
       .figure = "Guide 3.1.2.5: a word is broadcast",
       .quick = true});
  for (const int stride : {1, 2, 3, 4, 8, 16, 32}) {
    std::string figure = "Guide 3.1.2.5";
    if (stride == 2 || stride == 8) figure += ", figure 3-7: " + std::to_string(stride) + "-way";
    if (stride == 3) figure += ", figure 3-6: free of conflicts";
    add({.name = "local-memory stride " + std::to_string(stride),
         .stride = stride,
         .figure = figure,
         .quick = stride == 1 || stride == 32});
  }
  add({.name = "local-memory bytes side by side",
       .type = "uchar",
       .bytes = 1,
       .figure = "Guide 3.1.2.5: char at stride 1 conflicts on 1.x"});
  add({.name = "local-memory bytes, stride 4",
       .type = "uchar",
       .bytes = 1,
       .stride = 4,
       .figure = "Guide 3.1.2.5: char at stride 4 is free of conflicts"});
  if (place.device.fp64)
    add({.name = "local-memory doubles",
         .type = "double",
         .bytes = 8,
         .figure = "Guide 3.1.2.5: 2-way conflicts on 1.x, as two 32-bit requests"});

  // Volkov's comparison, of the same two kernels.
  add({.name = "bandwidth local memory",
       .figure = textbook_figure{"Volkov", "GTX 480", 1300, "GB/s"}.text(),
       .quick = true});
  text_rung r{.name = "bandwidth registers",
              .text = detail::registers_text,
              .kernel = "registers",
              .range = line_of(items, group),
              .work = static_cast<double>(items) * rounds * reads * 16,
              .figure = textbook_figure{"Volkov: multiply-adds, 12 bytes in and 4 out of each",
                                        "GTX 480", 8100, "GB/s"}
                            .text(),
              .quick = true};
  r.arguments = [=](cl_kernel kernel, const ladder_arrays& a) {
    clprim::set_args(kernel, a.y, cl_int{rounds}, 0.5f, 1.0f);
  };
  r.wrong = [=](const ladder_arrays& a, const std::function<void()>& call) -> std::string {
    const std::vector<float> got = a.result_of(call, items);
    for (std::size_t i = 0; i < items; ++i)  // all four have come to c / (1 - b) = 2
      if (!(got[i] > 7.999f && got[i] < 8.001f)) return "item " + std::to_string(i);
    return {};
  };
  add_text_rung(place, rows, arrays, r);
}

}  // namespace bench
