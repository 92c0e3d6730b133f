#pragma once
// What the device can do at most, measured by the simplest kernels: multiply-adds and a copy.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include <clprim/runtime/program.hpp>

#include "device.hpp"

namespace examples {

/// Operations and bytes per second; the fastest run counts, since a roof is what no run can pass.
struct roofs {
  double flops = 0;
  double bytes = 0;  ///< read and written
};

namespace detail {

inline constexpr const char* fma_roof_source = R"cl(
#ifdef NEEDS_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
// CHAINS sums that do not wait for each other, 8 steps of each per round.
__kernel void fma_roof(__global VECTOR *out, const REAL factor, const REAL term, const int rounds)
{
    VECTOR sum[CHAINS];
    _Pragma("unroll")
    for (int c = 0; c < CHAINS; ++c) sum[c] = (VECTOR)((REAL)((int)get_global_id(0) + c));
    for (int r = 0; r < rounds; ++r)
        _Pragma("unroll") for (int step = 0; step < 8; ++step)
            _Pragma("unroll") for (int c = 0; c < CHAINS; ++c)
                sum[c] = fma(sum[c], (VECTOR)(factor), (VECTOR)(term));
    _Pragma("unroll") for (int c = 1; c < CHAINS; ++c) sum[0] += sum[c];
    out[get_global_id(0)] = sum[0];
}
)cl";

inline constexpr const char* copy_roof_source = R"cl(
// Each item copies RUN vectors that follow each other.
__kernel void copy_roof(__global VECTOR *restrict to, const __global VECTOR *restrict from)
{
    const size_t first = get_global_id(0) * RUN;
    for (size_t i = first; i < first + RUN; ++i) to[i] = from[i];
}
)cl";

/// How one of the kernels is cut: `width` elements per vector, groups of `group` items.
struct roof_shape {
  int width;
  int group;
  int chains_or_run;
};

// Which shape a device likes is not known beforehand: the best of a few counts.
inline constexpr roof_shape gpu_fma[] = {{1, 256, 8}, {2, 256, 4}, {4, 256, 2}};
inline constexpr roof_shape cpu_fma[] = {{16, 1, 10}, {8, 1, 12}, {4, 1, 12}};
inline constexpr roof_shape gpu_copy[] = {{4, 256, 1}, {2, 256, 1}};
inline constexpr roof_shape cpu_copy[] = {{16, 1, 4096}};

inline std::string vector_name(const std::string& real, int width) {
  return width == 1 ? real : real + std::to_string(width);
}

template <class Real>
double fma_rate(const clprim::session& on, const clprim::device_facts& facts,
                const roof_shape& shape) {
  const std::string real = sizeof(Real) == 8 ? "double" : "float";
  const auto program = clprim::build(on.context, on.device, fma_roof_source,
                                     "-DREAL=" + real + (real == "double" ? " -DNEEDS_FP64" : "") +
                                         " -DVECTOR=" + vector_name(real, shape.width) +
                                         " -DCHAINS=" + std::to_string(shape.chains_or_run));
  const cl::Kernel kernel = clprim::make_kernel(*program, "fma_roof");
  const auto units = static_cast<std::size_t>(std::max(1, facts.compute_units));
  const auto group = static_cast<std::size_t>(std::min(shape.group, facts.max_work_group));
  const std::size_t items = units * group * (group == 1 ? 4 : 32);
  const cl::Buffer out = make_buffer<Real>(on, items * static_cast<std::size_t>(shape.width));
  const clprim::launch launch{1, {items, 1, 1}, {group, 1, 1}};
  const auto seconds = [&](int rounds, double budget) {
    clprim::set_args(kernel(), out, Real(0.999), Real(0.001), static_cast<cl_int>(rounds));
    return measure(
               on, [&] { return clprim::enqueue(on.queue(), kernel(), launch); }, false, budget)
        .fastest;
  };
  const double per_round = 2.0 * 8 * shape.chains_or_run * shape.width * static_cast<double>(items);
  const double trial = seconds(256, 0);
  const int rounds = static_cast<int>(std::clamp(256 * 0.02 / trial, 64.0, 1e6));  // 20 ms
  return per_round * rounds / seconds(rounds, 0.2);
}

inline double copy_rate(const clprim::session& on, const clprim::device_facts& facts,
                        const roof_shape& shape) {
  const auto program = clprim::build(on.context, on.device, copy_roof_source,
                                     "-DVECTOR=" + vector_name("float", shape.width) +
                                         " -DRUN=" + std::to_string(shape.chains_or_run));
  const cl::Kernel kernel = clprim::make_kernel(*program, "copy_roof");
  // Far more than any cache holds, and no more than the device has.
  const std::int64_t room = std::min(facts.max_allocation_bytes, facts.global_bytes / 8);
  const auto wanted =
      static_cast<std::size_t>(std::min<std::int64_t>(room, std::int64_t{1} << 28)) / 4;
  const auto group = static_cast<std::size_t>(std::min(shape.group, facts.max_work_group));
  const auto per_item =
      static_cast<std::size_t>(shape.width) * static_cast<std::size_t>(shape.chains_or_run);
  const std::size_t items = wanted / per_item / group * group;
  const cl::Buffer from = make_buffer<float>(on, items * per_item);
  const cl::Buffer to = make_buffer<float>(on, items * per_item);
  const cl_float one = 1;  // pages that nobody has written may all be the same one
  for (const cl::Buffer* buffer : {&from, &to}) {
    clprim::check(clEnqueueFillBuffer(on.queue(), (*buffer)(), &one, sizeof one, 0,
                                      items * per_item * sizeof one, 0, nullptr, nullptr),
                  "clEnqueueFillBuffer");
  }
  clprim::set_args(kernel(), to, from);
  const clprim::launch launch{1, {items, 1, 1}, {group, 1, 1}};
  const timing t = measure(on, [&] { return clprim::enqueue(on.queue(), kernel(), launch); });
  return 2.0 * static_cast<double>(items * per_item * sizeof one) / t.fastest;
}

}  // namespace detail

/// Multiply-adds of float or double (2 operations each) per second.
template <class Real>
double measured_flops(const clprim::session& on, const clprim::device_facts& facts) {
  const bool cpu = facts.kind == clprim::device_kind::cpu;
  double best = 0;
  for (const auto& shape : cpu ? std::span(detail::cpu_fma) : std::span(detail::gpu_fma)) {
    best = std::max(best, detail::fma_rate<Real>(on, facts, shape));
  }
  return best;
}

/// Bytes read and written per second by a copy that no cache holds.
inline double measured_bandwidth(const clprim::session& on, const clprim::device_facts& facts) {
  const bool cpu = facts.kind == clprim::device_kind::cpu;
  double best = 0;
  for (const auto& shape : cpu ? std::span<const detail::roof_shape>(detail::cpu_copy)
                               : std::span<const detail::roof_shape>(detail::gpu_copy)) {
    best = std::max(best, detail::copy_rate(on, facts, shape));
  }
  return best;
}

}  // namespace examples
