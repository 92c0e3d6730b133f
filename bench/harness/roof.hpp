#pragma once
// The arithmetic roof, measured on the same device in the same run: fused multiply-adds on
// independent sums, nothing else.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/program.hpp>

#include "machine.hpp"
#include "timing.hpp"

namespace bench {

/// Multiply-adds count as two. `type` is "float" or "double".
///
/// A GPU hides the latency of 16 sums per item by many items; a CPU's core runs one item with sums
/// of one vector register each: latency 4 or 5 times 2 pipes, so 10 at least, and 16 where there
/// are registers for them (AVX-512).
inline double fma_flops(const clprim::session& s, const clprim::device_facts& device,
                        clock_kind clock, const std::string& type, double pause) {
  const bool cpu = device.kind == clprim::device_kind::cpu;
  const bool narrow = cpu && device.simd_bytes < 64;
  const int lanes = cpu ? (narrow ? 8 : 16) / (type == "float" ? 1 : 2) : 1;
  const std::string vector = type + (lanes > 1 ? std::to_string(lanes) : "");
  const int sums = narrow ? 12 : 16;
  std::string text;
  if (type == "double") text += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
  text += "__kernel void roof(__global " + vector + "* out, " + type + " m, " + type +
          " a, int steps) {\n  " + vector + " x[" + std::to_string(sums) + "];\n";
  for (int i = 0; i < sums; ++i) {
    text += "  x[" + std::to_string(i) + "] = (" + vector + ")(a * (" + type +
            ")(get_global_id(0) + " + std::to_string(i) + "));\n";
  }
  text += "  for (int i = 0; i < steps; ++i) {\n";
  for (int i = 0; i < sums; ++i) {
    const std::string x = "x[" + std::to_string(i) + "]";
    text += "    " + x + " = fma(" + x + ", (" + vector + ")(m), (" + vector + ")(a));\n";
  }
  text += "  }\n  out[get_global_id(0)] = x[0]";
  for (int i = 1; i < sums; ++i) text += " + x[" + std::to_string(i) + "]";
  text += ";\n}\n";

  const std::size_t group = cpu ? 1 : 256;
  const std::size_t items = static_cast<std::size_t>(device.compute_units) * (cpu ? 8 : 8 * group);
  const int steps = cpu ? 100'000 : 16'000;
  const auto program = clprim::build(s.context, s.device, text);
  const cl::Kernel kernel = clprim::make_kernel(*program, "roof");
  cl_int code = CL_SUCCESS;
  const std::size_t bytes = items * static_cast<std::size_t>(lanes) * (type == "float" ? 4 : 8);
  const cl::Buffer out(clCreateBuffer(s.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code),
                       false);
  clprim::check(code, "clCreateBuffer of the roof's sums");
  if (type == "float")
    clprim::set_args(kernel(), out, 0.99731f, 0.00173f, steps);
  else
    clprim::set_args(kernel(), out, 0.99731234567, 0.00173234567, steps);
  const clprim::launch range{1, {items, 1, 1}, {group, 1, 1}};
  const auto run = [&](std::size_t warm, std::size_t calls) {
    return time_opencl(s.queue(), clock, warm, calls,
                       [&](std::size_t) { clprim::enqueue(s.queue(), kernel(), range); })
        .seconds;
  };
  run(1, 1);
  pause_ms(pause);
  const std::vector<double> seconds = run(1, cpu ? 9 : 5);
  const double best = *std::min_element(seconds.begin(), seconds.end());
  return 2.0 * sums * lanes * static_cast<double>(steps) * static_cast<double>(items) / best;
}

}  // namespace bench
