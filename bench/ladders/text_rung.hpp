#pragma once
// A rung with a kernel of its own: a few lines of OpenCL C that show one effect alone, where no
// primitive of the library is about it.

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/program.hpp>

#include "rung.hpp"

namespace bench {

struct text_rung {
  std::string name;    ///< of the row: the ladder's word, then the rung
  std::string text;    ///< OpenCL C
  std::string kernel;  ///< its name in the text
  clprim::launch range{};
  double work = 0;
  std::string unit = "GB/s";
  std::string roof{};
  double flops_per_byte = 0;
  std::string figure{};  ///< what the text printed, and what is said beside it
  bool quick = false;
  std::vector<std::pair<std::string, double>> numbers{};
  /// Sets the arguments.
  std::function<void(cl_kernel, const ladder_arrays&)> arguments{};
  /// What is wrong with the result of one call of the kernel.
  std::function<std::string(const ladder_arrays&, const std::function<void()>&)> wrong{};
};

/// A range of `items` in groups of `group`.
inline clprim::launch line_of(std::size_t items, std::size_t group) {
  return {1, {items, 1, 1}, {group, 1, 1}};
}

/// The 32-bit words of an array of floats.
inline std::vector<cl_uint> words_of(const std::vector<float>& values) {
  std::vector<cl_uint> words(values.size());
  std::memcpy(words.data(), values.data(), values.size() * sizeof(float));
  return words;
}

/// Says which of `count` words differs from `expected(i)`.
template <class Expected>
std::string wrong_word(const std::vector<cl_uint>& got, std::size_t count, Expected expected) {
  for (std::size_t i = 0; i < count; ++i) {
    const cl_uint wanted = expected(i);
    if (got[i] != wanted)
      return "word " + std::to_string(i) + " is " + std::to_string(got[i]) + ", not " +
             std::to_string(wanted);
  }
  return {};
}

inline void add_text_rung(const suite_place& place, std::vector<bench_row>& rows,
                          const std::shared_ptr<lazy_arrays>& arrays, const text_rung& r) {
  const auto enter = [place, arrays, r] {
    const auto a = arrays->get();
    const auto program = clprim::build(place.session.context, place.session.device, r.text);
    const cl::Kernel kernel = clprim::make_kernel(*program, r.kernel.c_str());
    r.arguments(kernel(), *a);
    const auto call = [=] { clprim::enqueue(a->queue(), kernel(), r.range); };
    const auto wrong = [=] { return r.wrong(*a, call); };
    return std::vector<contestant>{timed_call(place, call, wrong, r.figure)};
  };
  rows.push_back({.name = r.name,
                  .work = r.work,
                  .unit = r.unit,
                  .roof = r.roof,
                  .quick = r.quick,
                  .flops_per_byte = r.flops_per_byte,
                  .enter = enter,
                  .numbers = r.numbers});
}

}  // namespace bench
