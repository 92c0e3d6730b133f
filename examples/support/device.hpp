#pragma once
// Buffers to and from the device, and times told by its events.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <clprim/runtime/device.hpp>
#include <clprim/runtime/launch.hpp>

namespace examples {

/// A buffer for `count` elements, holding nothing yet.
template <class T> cl::Buffer make_buffer(const clprim::session& on, std::size_t count) {
  cl_int code = CL_SUCCESS;
  const cl_mem memory =
      clCreateBuffer(on.context(), CL_MEM_READ_WRITE, count * sizeof(T), nullptr, &code);
  clprim::check(code, "clCreateBuffer");
  return cl::Buffer(memory, false);
}

/// A buffer that holds these values.
template <class T> cl::Buffer upload(const clprim::session& on, const std::vector<T>& values) {
  cl::Buffer buffer = make_buffer<T>(on, values.size());
  clprim::check(clEnqueueWriteBuffer(on.queue(), buffer(), CL_TRUE, 0, values.size() * sizeof(T),
                                     values.data(), 0, nullptr, nullptr),
                "clEnqueueWriteBuffer");
  return buffer;
}

/// The first `count` elements of a buffer, after all that was enqueued before.
template <class T>
std::vector<T> download(const clprim::session& on, const cl::Buffer& buffer, std::size_t count) {
  std::vector<T> values(count);
  clprim::check(clEnqueueReadBuffer(on.queue(), buffer(), CL_TRUE, 0, count * sizeof(T),
                                    values.data(), 0, nullptr, nullptr),
                "clEnqueueReadBuffer");
  return values;
}

/// Numbers in -1 … 1 with full mantissas, the same at every run (splitmix64). Zeros or short
/// mantissas would draw less power and make a GPU look faster than it is.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}
  double next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
  }

 private:
  std::uint64_t state_;
};

/// Times of one operation on the device, in seconds.
struct timing {
  double median = 0;
  double fastest = 0;
  int runs = 0;
};

namespace detail {

inline double event_time(const cl::Event& event, cl_profiling_info what) {
  cl_ulong nanoseconds = 0;
  clprim::check(clGetEventProfilingInfo(event(), what, sizeof nanoseconds, &nanoseconds, nullptr),
                "clGetEventProfilingInfo");
  return 1e-9 * static_cast<double>(nanoseconds);
}

inline void wait(const cl::Event& event) {
  const cl_event handle = event();
  clprim::check(clWaitForEvents(1, &handle), "clWaitForEvents");
}

}  // namespace detail

/// Runs an operation until its median is worth something: once to warm up (kernels are built then),
/// then at least 3 times and for half a second, at most 30 times. `run` enqueues it and returns its
/// event; of an operation of several kernels that is the last one's, and `several` times them all.
template <class Run>
timing measure(const clprim::session& on, Run run, bool several = false, double budget = 0.5) {
  detail::wait(run());
  std::vector<double> seconds;
  const auto started = std::chrono::steady_clock::now();
  const auto spent = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  while (seconds.size() < 3 || (seconds.size() < 30 && spent() < budget)) {
    const cl::Event before = clprim::marker(on.queue());
    const cl::Event done = run();
    detail::wait(done);
    const double from = several ? detail::event_time(before, CL_PROFILING_COMMAND_END)
                                : detail::event_time(done, CL_PROFILING_COMMAND_START);
    seconds.push_back(detail::event_time(done, CL_PROFILING_COMMAND_END) - from);
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], seconds.front(), static_cast<int>(seconds.size())};
}

}  // namespace examples
