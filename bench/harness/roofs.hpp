#pragma once
// What the device can do at most, measured at the start of a run: arithmetic, copy, read, launch.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include <clprim/copy.hpp>

#include "roof.hpp"
#include "statistics.hpp"
#include "timing.hpp"

namespace bench {

/// Rates in FLOP/s and bytes/s; 0 where a roof was not measured.
struct device_roofs {
  double fma_float = 0;
  double fma_double = 0;
  double copy = 0;    ///< one read and one write of every byte
  double read = 0;    ///< every byte read once, next to nothing written
  double launch = 0;  ///< seconds per launch of an empty kernel, back to back
  double link = 0;    ///< from the host's pinned memory to the device

  /// By a row's name for it, in GFLOP/s or GB/s: "fma float", "fma double", "copy", "read", "link",
  /// and "links" for both ways at a time.
  double find(const std::string& name) const {
    if (name == "fma float") return fma_float * 1e-9;
    if (name == "fma double") return fma_double * 1e-9;
    if (name == "copy") return copy * 1e-9;
    if (name == "read") return read * 1e-9;
    if (name == "link") return link * 1e-9;
    if (name == "links") return 2 * link * 1e-9;
    return 0;
  }

  /// The roofline (S. Williams, A. Waterman and D. Patterson, CACM 52 (2009) 65): what a row may
  /// reach in its unit whose `flops_per_byte` is known. The row's own roof bounds it, and so does
  /// the other side: arithmetic by the bytes that must move, moves by their arithmetic.
  double attainable(const std::string& name, const std::string& unit, double flops_per_byte) const {
    const double own = find(name);
    if (flops_per_byte <= 0) return own;
    const double other =
        unit == "GB/s" ? find("fma float") / flops_per_byte : find("copy") * flops_per_byte;
    if (own <= 0 && unit != "GB/s") return std::min(find("fma float"), other);
    return other > 0 ? std::min(own, other) : own;
  }
};

namespace detail {

inline cl::Buffer roof_buffer(const clprim::session& s, std::size_t bytes) {
  cl_int code = CL_SUCCESS;
  cl::Buffer made(clCreateBuffer(s.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code), false);
  clprim::check(code, "clCreateBuffer of a roof");
  const cl_uint pattern = 0x3f800001;
  clprim::check(clEnqueueFillBuffer(s.queue(), made(), &pattern, sizeof pattern, 0, bytes, 0,
                                    nullptr, nullptr),
                "clEnqueueFillBuffer of a roof");
  return made;
}

inline double best_seconds(const timing& t) {
  return *std::min_element(t.seconds.begin(), t.seconds.end());
}

/// A grid of groups that reads everything, four vectors in flight, and keeps nothing.
inline double read_seconds(const clprim::session& s, const clprim::device_facts& device,
                           clock_kind clock, const cl::Buffer& x, std::size_t bytes) {
  const bool cpu = device.kind == clprim::device_kind::cpu;
  const std::size_t group = cpu ? 1 : 512;
  const std::string vector = cpu ? "float16" : "float4", lanes = cpu ? "16" : "4";
  const std::string step = std::to_string(group), per = std::to_string(4 * group);
  const std::string text =
      "__kernel void roof(__global const " + vector + "* x, long runs, __global float* out) {\n" +
      "  long share = runs / get_num_groups(0);\n"
      "  long at = get_group_id(0) * share + get_local_id(0);\n"
      "  long end = (get_group_id(0) + 1) * share;\n  " +
      vector + " a = 0, b = 0, c = 0, d = 0;\n  for (; at + 3 * " + step + " < end; at += " + per +
      ") {\n    a += x[at];\n    b += x[at + " + step + "];\n    c += x[at + 2 * " + step +
      "];\n    d += x[at + 3 * " + step + "];\n  }\n  for (; at < end; at += " + step +
      ")\n    a += x[at];\n  a += b + c + d;\n" +
      "  if (a.s0 + a.s1 + a.s2 + a.s3 == 12345.678f) out[0] = 1;\n}\n";
  const auto program = clprim::build(s.context, s.device, text);
  const cl::Kernel kernel = clprim::make_kernel(*program, "roof");
  const cl::Buffer out = roof_buffer(s, 64);
  clprim::set_args(kernel(), x, static_cast<cl_long>(bytes / sizeof(float) / (cpu ? 16 : 4)), out);
  // How many groups read fastest, the device must tell.
  double best = 0;
  for (const int per_unit : {1, 2, 4, 8, 16}) {
    if (cpu && per_unit > 1) break;
    const std::size_t groups = static_cast<std::size_t>(device.compute_units * per_unit);
    const clprim::launch range{1, {groups * group, 1, 1}, {group, 1, 1}};
    const double seconds = best_seconds(time_opencl(
        s.queue(), clock, 3, 8, [&](std::size_t) { clprim::enqueue(s.queue(), kernel(), range); }));
    if (best == 0 || seconds < best) best = seconds;
  }
  return best;
}

inline double copy_seconds(const clprim::session& s, clock_kind clock, const cl::Buffer& from,
                           const cl::Buffer& to, std::size_t bytes) {
  clprim::copy<float> move(s.queue, {.completion = clprim::completion::none});
  const auto count = static_cast<std::int64_t>(bytes / sizeof(float));
  return best_seconds(time_opencl(s.queue(), clock, 3, 8, [&](std::size_t) {
    move(clprim::vector<float>(from, count), clprim::vector<float>(to, count));
  }));
}

inline double launch_seconds(const clprim::session& s, clock_kind clock) {
  const auto program = clprim::build(s.context, s.device, "__kernel void nothing(int x) {}\n");
  const cl::Kernel kernel = clprim::make_kernel(*program, "nothing");
  clprim::set_args(kernel(), 1);
  const auto call = [&](std::size_t) {
    clprim::enqueue(s.queue(), kernel(), {1, {1, 1, 1}, {1, 1, 1}}, {}, clprim::completion::none);
  };
  const clock_kind how = clock == clock_kind::events ? clock_kind::series : clock;
  return median(time_opencl(s.queue(), how, 100, 1000, call).seconds);
}

/// The host writes from memory that the driver pinned, to memory that is there.
inline double link_seconds(const clprim::session& s, const cl::Buffer& to, std::size_t bytes) {
  cl_int code = CL_SUCCESS;
  const cl::Buffer pinned(
      clCreateBuffer(s.context(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &code),
      false);
  clprim::check(code, "clCreateBuffer of a roof");
  void* const host = clEnqueueMapBuffer(s.queue(), pinned(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                        bytes, 0, nullptr, nullptr, &code);
  clprim::check(code, "clEnqueueMapBuffer of a roof");
  std::memset(host, 1, bytes);
  const timing t = time_by_wall(2, 5, [&](std::size_t) {
    clprim::check(
        clEnqueueWriteBuffer(s.queue(), to(), CL_TRUE, 0, bytes, host, 0, nullptr, nullptr),
        "clEnqueueWriteBuffer of a roof");
  });
  clprim::check(clEnqueueUnmapMemObject(s.queue(), pinned(), host, 0, nullptr, nullptr),
                "clEnqueueUnmapMemObject of a roof");
  clprim::check(clFinish(s.queue()), "clFinish");
  return best_seconds(t);
}

}  // namespace detail

/// Measures them all; on a GPU in half a second. Arrays of 512 MiB on GPUs, of 128 MiB on CPUs.
inline device_roofs measure_roofs(const clprim::session& s, const clprim::device_facts& device,
                                  clock_kind clock, double pause) {
  device_roofs roofs;
  roofs.fma_float = fma_flops(s, device, clock, "float", pause);
  if (device.fp64) roofs.fma_double = fma_flops(s, device, clock, "double", pause);
  pause_ms(pause);
  const bool cpu = device.kind == clprim::device_kind::cpu;
  const std::size_t bytes = std::size_t{cpu ? 128u : 512u} << 20;
  const cl::Buffer x = detail::roof_buffer(s, bytes), y = detail::roof_buffer(s, bytes);
  roofs.copy = 2.0 * static_cast<double>(bytes) / detail::copy_seconds(s, clock, x, y, bytes);
  roofs.read = static_cast<double>(bytes) / detail::read_seconds(s, device, clock, x, bytes);
  roofs.launch = detail::launch_seconds(s, clock);
  const std::size_t part = std::size_t{64} << 20;
  roofs.link = static_cast<double>(part) / detail::link_seconds(s, x, part);
  return roofs;
}

}  // namespace bench
