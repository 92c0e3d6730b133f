#pragma once
// What -cl-mad-enable, -cl-fast-relaxed-math and native functions buy, and what they cost in
// exactness: the library's doors by math mode, of arithmetic that each of them touches.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <clprim/copy.hpp>

#include "rung.hpp"

namespace bench {

namespace detail {

/// A map's text of one input, and what it should give.
struct map_case {
  std::string name;
  std::string text;
  std::function<double(double)> exact;
  double flops = 1;
  double bound = 1e-5;  ///< of the error, relative to the largest term: a loose check of sanity
};

}  // namespace detail

inline void add_math_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  using namespace clprim;
  const std::size_t count = std::size_t{1} << (place.cpu() ? 18 : 25);
  const auto arrays = std::make_shared<lazy_arrays>(place, count);
  const std::vector<detail::map_case> cases{
      {.name = "polynomial of degree 64",
       .text = "float y = 0.5f;\nfor (int k = 0; k < 64; ++k) y = y * x0 + 0.25f;\nreturn y;",
       .exact =
           [](double x) {
             double y = 0.5;
             for (int k = 0; k < 64; ++k) y = y * x + 0.25;
             return y;
           },
       .flops = 128,
       .bound = 1e-4},
      {.name = "sin(x) exp(x) over sqrt(1 + x x)",
       .text = "return sin(x0) * exp(x0) / sqrt(1.0f + x0 * x0);",
       .exact = [](double x) { return std::sin(x) * std::exp(x) / std::sqrt(1 + x * x); },
       .flops = 7,
       .bound = 2e-3},
  };
  const auto figure = [](math_mode m) -> std::string {
    if (m == math_mode::precise) return "what the others are held against";
    if (m == math_mode::mad) return "deck, Guide 3.1.1.1: -cl-mad-enable";
    if (m == math_mode::relaxed) return "deck, Techniques: -cl-fast-relaxed-math";
    return "deck, Guide B.2, Techniques: native functions";
  };
  for (const detail::map_case& one : cases) {
    for (const math_mode m :
         {math_mode::precise, math_mode::mad, math_mode::relaxed, math_mode::native}) {
      const auto enter = [=] {
        const auto a = arrays->get();
        const auto run = std::make_shared<map<float, float>>(
            place.session.queue, copy_options{.map = {one.text, {}}, .math = m});
        const auto n = static_cast<std::int64_t>(count);
        const auto call = [=] { (*run)({vector<float>(a->x, n)}, vector<float>(a->y, n)); };
        const auto worst = std::make_shared<double>(0);
        const auto wrong = [=]() -> std::string {
          const std::vector<float> got = a->result_of(call, count);
          for (std::size_t i = 0; i < count; i += 7) {
            const double exact = one.exact(static_cast<double>(a->host[i]));
            const double off =
                std::fabs(static_cast<double>(got[i]) - exact) / std::max(1.0, std::fabs(exact));
            *worst = std::max(*worst, std::isnan(off) ? 1e30 : off);
          }
          if (*worst <= one.bound) return {};
          return "off by " + general_text(*worst, 3);
        };
        contestant who = timed_call(place, call, wrong, figure(m));
        who.short_detail = who.detail = [=] {
          return figure(m) + "; off by " + general_text(*worst, 3) + " at most";
        };
        who.facts = [=]() -> std::vector<std::pair<std::string, double>> {
          return {{"largest_error", *worst}};
        };
        return std::vector<contestant>{who};
      };
      rows.push_back({.name = "math " + one.name + ", " + to_string(m),
                      .work = one.flops * static_cast<double>(count),
                      .unit = "GFLOP/s",
                      .roof = "fma float",
                      .quick = true,
                      .flops_per_byte = one.flops / 8,
                      .enter = enter});
    }
  }
}

}  // namespace bench
