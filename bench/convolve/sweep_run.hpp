#pragma once
// What a sweep needs besides its list: programs built by several processes, results compared on
// the device.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <clprim/runtime/program.hpp>
#include <clprim/runtime/queue.hpp>

namespace bench {

/// What `job(0)` … `job(count - 1)` say, a line each, from processes of their own: NVIDIA's driver
/// compiles for one thread of a process at a time, and keeps the programs for the next process.
/// For a process that has not opened a device yet.
inline std::vector<std::string> ask_in_processes(
    std::size_t count, const std::function<std::string(std::size_t)>& job) {
  const std::size_t workers =
      std::min<std::size_t>(count, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::FILE*> ends;
  for (std::size_t w = 0; w < workers; ++w) {
    int ways[2];
    if (pipe(ways) != 0) throw clprim::error("no pipe for a process that builds");
    const pid_t child = fork();
    if (child < 0) throw clprim::error("no process that builds");
    if (child == 0) {
      close(ways[0]);
      std::FILE* const to = fdopen(ways[1], "w");
      for (std::size_t k = w; k < count; k += workers) {
        std::string line;
        try {
          line = job(k);
        } catch (const std::exception& e) {
          line = e.what();
          line = line.substr(0, line.find('\n'));
        }
        std::fprintf(to, "%zu %s\n", k, line.c_str());
      }
      std::fclose(to);
      _exit(0);
    }
    close(ways[1]);
    ends.push_back(fdopen(ways[0], "r"));
  }
  std::vector<std::string> said(count);
  for (std::FILE* const from : ends) {
    std::size_t k = 0;
    char line[400];
    while (std::fscanf(from, "%zu %399[^\n]", &k, line) == 2)
      if (k < count) said[k] = line;
    std::fclose(from);
  }
  while (wait(nullptr) > 0) {
  }
  return said;
}

/// Counts, on the device, the values of two buffers that lie further apart than a tolerance.
class device_comparison {
 public:
  explicit device_comparison(const clprim::session& s) : s_(s) {
    const auto program = clprim::build(
        s.context, s.device,
        "__kernel void differ(__global const float* a, __global const float* b, float tolerance,\n"
        "                     __global int* count) {\n"
        "  size_t i = get_global_id(0);\n"
        "  if (!(fabs(a[i] - b[i]) <= tolerance)) atomic_inc(count);\n}\n");
    kernel_ = clprim::make_kernel(*program, "differ");
    cl_int code = CL_SUCCESS;
    count_ = cl::Buffer(clCreateBuffer(s.context(), CL_MEM_READ_WRITE, 4, nullptr, &code), false);
    clprim::check(code, "clCreateBuffer");
  }
  int differing(const cl::Buffer& a, const cl::Buffer& b, std::size_t n, float tolerance) {
    const cl_int zero = 0;
    clprim::check(
        clEnqueueWriteBuffer(s_.queue(), count_(), CL_TRUE, 0, 4, &zero, 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
    clprim::set_args(kernel_(), a, b, tolerance, count_);
    clprim::enqueue(s_.queue(), kernel_(), {1, {n, 1, 1}, {64, 1, 1}});
    cl_int result = 0;
    clprim::check(
        clEnqueueReadBuffer(s_.queue(), count_(), CL_TRUE, 0, 4, &result, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
    return result;
  }

 private:
  const clprim::session& s_;
  cl::Kernel kernel_;
  cl::Buffer count_;
};

}  // namespace bench
