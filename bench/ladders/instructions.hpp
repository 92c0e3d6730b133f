#pragma once
// What the units do per cycle of each instruction that the texts list, and how exact it is: chains
// of one operation on registers, native functions beside the precise ones. The Programming Guide
// prints operations per cycle and multiprocessor of compute capability 1.x (3.1.1.1), and errors of
// its functions (appendix B); ours per cycle is the rate over units and clock.
//
// Verified is one application to values over the text's range, against the host in double; what it
// was off by stands beside the rate.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "text_rung.hpp"

namespace bench {

namespace detail {

/// APPLY(a, b) is the operation, in place of a and maybe of b; VALUE(i) a value near 1, or small.
inline constexpr const char* instruction_text = R"cl(
__kernel void once(__global const T *in, __global T *out)
{
    const size_t i = get_global_id(0);
    T a = in[2 * i], b = in[2 * i + 1];
    APPLY(a, b)
    out[i] = a;
}
__kernel void chains(__global T *out, int rounds)
{
    const int i = (int)get_local_id(0);
    T a = VALUE(i), b = VALUE(i + 1), c = VALUE(i + 2), d = VALUE(i + 3);
    T e = VALUE(i + 4), f = VALUE(i + 5), g = VALUE(i + 6), h = VALUE(i + 7);
    for (int r = 0; r < rounds; ++r) {
        APPLY(a, b) APPLY(c, d) APPLY(e, f) APPLY(g, h)
        APPLY(a, b) APPLY(c, d) APPLY(e, f) APPLY(g, h)
        APPLY(a, b) APPLY(c, d) APPLY(e, f) APPLY(g, h)
        APPLY(a, b) APPLY(c, d) APPLY(e, f) APPLY(g, h)
    }
    out[get_global_id(0)] = ((a + b) + (c + d)) + ((e + f) + (g + h));
}
)cl";

/// One instruction of the list.
struct instruction {
  std::string name;
  std::string apply;  ///< statements on a and b; integers need both, or a chain is folded away
  std::function<double(double, double)> exact{};
  double low = 0.5, high = 2;  ///< of a; b lies in 1 … 2
  std::string type = "float";  ///< or int, double
  int operations = 1;          ///< of one application
  double of_1_x = 0;           ///< operations per cycle and unit in the Guide; 0: it tells none
  double ulp = 0;              ///< that the result may be off by; 0: it is exact
  double absolute = 0;         ///< or by so much
  std::string stated{};        ///< the error that the Guide states
  bool quick = false;
  int repeats = 8;  ///< rounds of sixteen applications, times eight
};

inline double unit_in_last_place(double exact) {
  const double least = 0x1p-149;
  const double magnitude = std::fabs(exact);
  if (!(magnitude > 0x1p-126)) return least;
  return std::ldexp(1.0, std::ilogb(magnitude) - 23);
}

inline std::vector<instruction> instructions() {
  const auto sine = [](double a, double) { return std::sin(a); };
  const auto two = [](auto of) { return [of](double a, double b) { return of(a, b); }; };
  const double pi = 3.14159265;
  return {
      {.name = "float add",
       .apply = "a = a + b;",
       .exact = two(std::plus<>()),
       .of_1_x = 8,
       .ulp = 0.5,
       .stated = "0 ulp, as IEEE 754 rounds",
       .quick = true},
      {.name = "float multiply",
       .apply = "a = a * b;",
       .exact = two(std::multiplies<>()),
       .of_1_x = 8,
       .ulp = 0.5,
       .stated = "0 ulp, as IEEE 754 rounds"},
      {.name = "multiply by a literal of double",
       .apply = "a = a * 1.0000001;",
       .exact = [](double a, double) { return a * 1.0000001; },
       .ulp = 0.5001},
      {.name = "float mad",
       .apply = "a = mad(a, b, 0.25f);",
       .exact = [](double a, double b) { return a * b + 0.25; },
       .of_1_x = 8,
       .ulp = 1,
       .stated = "the product is cut off",
       .quick = true},
      {.name = "float fma",
       .apply = "a = fma(a, b, 0.25f);",
       .exact = [](double a, double b) { return a * b + 0.25; },
       .ulp = 0.5,
       .stated = "0 ulp"},
      {.name = "divide",
       .apply = "a = b / a;",
       .exact = [](double a, double b) { return b / a; },
       .of_1_x = 0.88,
       .ulp = 2.5,
       .stated = "2 ulp",
       .quick = true},
      {.name = "native divide",
       .apply = "a = native_divide(b, a);",
       .exact = [](double a, double b) { return b / a; },
       .of_1_x = 1.6,
       .ulp = 8,
       .stated = "2 ulp",
       .quick = true},
      {.name = "native reciprocal",
       .apply = "a = native_recip(a);",
       .exact = [](double a, double) { return 1 / a; },
       .of_1_x = 2,
       .ulp = 8,
       .stated = "as IEEE 754 rounds"},
      {.name = "square root",
       .apply = "a = sqrt(a);",
       .exact = [](double a, double) { return std::sqrt(a); },
       .of_1_x = 1,
       .ulp = 3,
       .stated = "3 ulp"},
      {.name = "native square root",
       .apply = "a = native_sqrt(a);",
       .exact = [](double a, double) { return std::sqrt(a); },
       .ulp = 8,
       .stated = "as IEEE 754 rounds"},
      {.name = "reciprocal square root",
       .apply = "a = rsqrt(a);",
       .exact = [](double a, double) { return 1 / std::sqrt(a); },
       .of_1_x = 2,
       .ulp = 2.5,
       .stated = "2 ulp",
       .quick = true},
      {.name = "native reciprocal square root",
       .apply = "a = native_rsqrt(a);",
       .exact = [](double a, double) { return 1 / std::sqrt(a); },
       .ulp = 8},
      {.name = "logarithm",
       .apply = "a = log(fabs(a));",
       .exact = [](double a, double) { return std::log(a); },
       .ulp = 3.5,
       .stated = "1 ulp"},
      {.name = "native logarithm",
       .apply = "a = native_log(fabs(a));",
       .exact = [](double a, double) { return std::log(a); },
       .of_1_x = 2,
       .ulp = 0,
       .absolute = 0x1p-20,
       .stated = "2^-21.41 absolute from 0.5 to 2"},
      {.name = "exponential",
       .apply = "a = exp(-a);",
       .exact = [](double a, double) { return std::exp(-a); },
       .ulp = 3.5,
       .stated = "2 ulp"},
      {.name = "native exponential",
       .apply = "a = native_exp(-a);",
       .exact = [](double a, double) { return std::exp(-a); },
       .of_1_x = 1,
       .ulp = 8,
       .stated = "2 + |1.16 x| ulp"},
      {.name = "sine",
       .apply = "a = sin(a);",
       .exact = sine,
       .low = -pi,
       .high = pi,
       .ulp = 4.5,
       .stated = "2 ulp",
       .quick = true,
       .repeats = 4},
      {.name = "sine of large arguments",
       .apply = "a = sin(a + 1.0e6f);",
       .exact =
           [](double a, double) {
             return std::sin(static_cast<double>(static_cast<float>(a) + 1.0e6f));
           },
       .low = -pi,
       .high = pi,
       .ulp = 4.5,
       .stated = "2 ulp; a tenth of the speed from 48039 on",
       .repeats = 1},
      {.name = "native sine",
       .apply = "a = native_sin(a);",
       .exact = sine,
       .low = -pi,
       .high = pi,
       .of_1_x = 1,
       .absolute = 0x1p-19,
       .stated = "2^-21.41 absolute within pi",
       .quick = true},
      {.name = "half sine",
       .apply = "a = half_sin(a);",
       .exact = sine,
       .low = -pi,
       .high = pi,
       .ulp = 8192,
       .stated = "nothing; OpenCL allows 8192 ulp"},
      {.name = "native cosine",
       .apply = "a = native_cos(a);",
       .exact = [](double a, double) { return std::cos(a); },
       .low = -pi,
       .high = pi,
       .of_1_x = 1,
       .absolute = 0x1p-19,
       .stated = "2^-21.19 absolute within pi"},
      {.name = "integer add",
       .apply = "a = a + b; b = b + a;",
       .exact = two(std::plus<>()),
       .type = "int",
       .operations = 2,
       .of_1_x = 8,
       .quick = true},
      {.name = "integer multiply",
       .apply = "a = a * b; b = b * a;",
       .exact = two(std::multiplies<>()),
       .type = "int",
       .operations = 2,
       .of_1_x = 2},
      {.name = "mul24",
       .apply = "a = mul24(a, b); b = mul24(b, a);",
       .exact = two(std::multiplies<>()),
       .type = "int",
       .operations = 2,
       .of_1_x = 8,
       .quick = true},
      {.name = "integer divide",
       .apply = "a = b / (a | 1);",
       .exact = [](double a, double b) { return std::trunc(b / (static_cast<int>(a) | 1)); },
       .type = "int",
       .repeats = 2},
      {.name = "integer divide by a literal, 16",
       .apply = "a = (a + b) / 16; b = (b + a) / 16;",
       .exact = [](double a, double b) { return std::trunc((a + b) / 16); },
       .type = "int",
       .operations = 2},
      {.name = "shift and exclusive or",
       .apply = "a ^= b << 1; b ^= a << 1;",
       .exact =
           [](double a, double b) {
             return static_cast<double>(static_cast<int>(a) ^ (static_cast<int>(b) << 1));
           },
       .type = "int",
       .operations = 4,
       .of_1_x = 8},
      {.name = "subtract and maximum",
       .apply = "a = max(b - a, 1); b = max(a - b, 2);",
       .exact = [](double a, double b) { return std::max(b - a, 1.0); },
       .type = "int",
       .operations = 4,
       .of_1_x = 8},
      {.name = "conversions, int to float and back",
       .apply = "a = convert_int(convert_float(a) * 0.5f) ^ b;",
       .exact =
           [](double a, double b) {
             return static_cast<double>(static_cast<int>(a * 0.5) ^ static_cast<int>(b));
           },
       .type = "int",
       .operations = 2,
       .of_1_x = 8},
      {.name = "double fma",
       .apply = "a = fma(a, b, 0.25);",
       .exact = [](double a, double b) { return a * b + 0.25; },
       .type = "double",
       .ulp = 0.5,
       .stated = "0 ulp, as IEEE 754 rounds",
       .repeats = 2},
  };
}

/// What an instruction did to values that are spread over its range, and what that was off by.
struct accuracy {
  double ulp = 0;
  double absolute = 0;
  std::string wrong{};
};

template <class T>
accuracy accuracy_of(const suite_place& place, const clprim::built_program& program,
                     const instruction& one) {
  constexpr std::size_t count = 1 << 16;
  const auto spread = random_values<float>(2 * count, 21);
  std::vector<T> in(2 * count), out(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double at = static_cast<double>(i) / count, other = std::fabs(spread[i]);
    if constexpr (std::is_integral_v<T>) {
      in[2 * i] = static_cast<T>(i % 1999), in[2 * i + 1] = static_cast<T>(1 + i % 1777);
    } else {
      in[2 * i] = static_cast<T>(one.low + (one.high - one.low) * at);
      in[2 * i + 1] = static_cast<T>(1 + other);
    }
  }
  const cl_command_queue queue = place.session.queue();
  const auto made = [&](std::size_t bytes) {
    cl_int code = CL_SUCCESS;
    cl::Buffer buffer(
        clCreateBuffer(place.session.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code), false);
    clprim::check(code, "clCreateBuffer");
    return buffer;
  };
  const cl::Buffer from = made(2 * count * sizeof(T)), to = made(count * sizeof(T));
  clprim::check(clEnqueueWriteBuffer(queue, from(), CL_TRUE, 0, 2 * count * sizeof(T), in.data(), 0,
                                     nullptr, nullptr),
                "clEnqueueWriteBuffer");
  const cl::Kernel kernel = clprim::make_kernel(program, "once");
  clprim::set_args(kernel(), from, to);
  clprim::enqueue(queue, kernel(), line_of(count, 64));
  clprim::check(clEnqueueReadBuffer(queue, to(), CL_TRUE, 0, count * sizeof(T), out.data(), 0,
                                    nullptr, nullptr),
                "clEnqueueReadBuffer");
  accuracy a;
  for (std::size_t i = 0; i < count; ++i) {
    const double exact =
        one.exact(static_cast<double>(in[2 * i]), static_cast<double>(in[2 * i + 1]));
    const double off = std::fabs(static_cast<double>(out[i]) - exact);
    double ulp = unit_in_last_place(exact);
    if constexpr (std::is_same_v<T, double>) ulp = std::ldexp(ulp, -29);
    const bool bad = std::is_integral_v<T>      ? off != 0
                     : one.absolute > 0         ? !(off <= one.absolute)
                     : std::is_same_v<T, float> ? !(off <= one.ulp * 1.0001 * ulp)
                                                : !(off <= 2 * ulp);
    if (bad && a.wrong.empty()) {
      a.wrong = one.name + " of " + std::to_string(in[2 * i]) + " and " +
                std::to_string(in[2 * i + 1]) + " is " + std::to_string(out[i]) + ", off by " +
                clprim::general_text(off / ulp, 3) + " ulp";
    }
    a.ulp = std::max(a.ulp, off / ulp);
    a.absolute = std::max(a.absolute, off);
  }
  return a;
}

/// Nothing but barriers, and an addition between two of them.
inline constexpr const char* barriers_text = R"cl(
__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void barriers(__global uint *out)
{
    __local uint words[256];
    const uint item = (uint)get_local_id(0);
    words[item] = item;
    for (uint k = 0; k < BARRIERS; ++k) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == (k & 255u))
            words[(k + 1u) & 255u] += words[item];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = words[item];
}
)cl";

}  // namespace detail

/// Barriers that nobody waits long at: in each step one item adds its word to its neighbour's, so
/// that none may be left out.
inline void add_barrier_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const cl_uint barriers = place.cpu() ? 64 : 512;
  const std::size_t items =
      static_cast<std::size_t>(place.device.compute_units) * (place.cpu() ? 4096 : 16384);
  const auto arrays = std::make_shared<lazy_arrays>(place, items);
  text_rung r{
      .name = "instructions barrier",
      .text = "#define BARRIERS " + std::to_string(barriers) + "u\n" + detail::barriers_text,
      .kernel = "barriers",
      .range = line_of(items, 256),
      .work = static_cast<double>(barriers) * static_cast<double>(items),
      .unit = "Gop/s",
      .figure = textbook_figure{"Guide 3.1.1.4", "a unit of 1.x", 8, "per cycle"}.text(),
      .quick = true,
      .numbers = {{"per_cycle_of_1_x", 8}}};
  r.arguments = [](cl_kernel kernel, const ladder_arrays& a) { clprim::set_args(kernel, a.y); };
  r.wrong = [=](const ladder_arrays& a, const std::function<void()>& call) {
    std::vector<cl_uint> words(256);
    for (cl_uint i = 0; i < 256; ++i) words[i] = i;
    for (cl_uint k = 0; k < barriers; ++k) words[(k + 1) % 256] += words[k % 256];
    return wrong_word(words_of(a.result_of(call, items)), items,
                      [&](std::size_t i) { return words[i % 256]; });
  };
  add_text_rung(place, rows, arrays, r);
}

inline void add_instruction_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const std::size_t items = static_cast<std::size_t>(place.device.compute_units) * 8192;
  const auto arrays = std::make_shared<lazy_arrays>(place, 2 * items + 4096);
  for (const detail::instruction& one : detail::instructions()) {
    const bool in_double = one.type == "double" || one.name.find("of double") != std::string::npos;
    if (in_double && !place.device.fp64) continue;
    const int rounds = one.repeats * (place.cpu() ? 2 : 8);
    const auto enter = [=] {
      const auto a = arrays->get();
      const std::string value = one.type == "int" ? "((i) * 7 + 3)" : "(1.1f + 0.00001f * (i))";
      std::string text = "#define T " + one.type + "\n#define VALUE(i) " + value +
                         "\n#define APPLY(a, b) " + one.apply + "\n" + detail::instruction_text;
      if (in_double) text = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" + text;
      const auto program = clprim::build(place.session.context, place.session.device, text);
      const cl::Kernel kernel = clprim::make_kernel(*program, "chains");
      clprim::set_args(kernel(), a->y, cl_int{rounds});
      const auto call = [=] { clprim::enqueue(a->queue(), kernel(), line_of(items, 256)); };
      const auto found = std::make_shared<detail::accuracy>();
      const auto wrong = [=] {
        *found = one.type == "int"      ? detail::accuracy_of<cl_int>(place, *program, one)
                 : one.type == "double" ? detail::accuracy_of<double>(place, *program, one)
                                        : detail::accuracy_of<float>(place, *program, one);
        call();
        clprim::check(clFinish(a->queue()), "clFinish");
        return found->wrong;
      };
      contestant who = timed_call(place, call, wrong, "");
      who.short_detail = who.detail = [=] {
        std::string said;
        if (one.of_1_x > 0) {
          said = textbook_figure{"Guide 3.1.1.1", "a unit of 1.x", one.of_1_x, "per cycle"}.text();
        }
        if (one.type != "int") {
          said = joined(said, clprim::general_text(found->ulp, 3) + " ulp, " +
                                  clprim::general_text(found->absolute, 3) + " at most");
        }
        return one.stated.empty() ? said : joined(said, "the Guide states " + one.stated);
      };
      who.facts = [=]() -> std::vector<std::pair<std::string, double>> {
        if (one.type == "int") return {};
        return {{"ulp", found->ulp}, {"absolute_error", found->absolute}};
      };
      return std::vector<contestant>{who};
    };
    rows.push_back({.name = "instructions " + one.name,
                    .work = 16.0 * rounds * one.operations * static_cast<double>(items),
                    .unit = "Gop/s",
                    .roof = "",
                    .quick = one.quick,
                    .enter = enter,
                    .numbers = {{"per_cycle_of_1_x", one.of_1_x}}});
  }
}

}  // namespace bench
