#pragma once
// Holds an OpenCL device while calls are queued: see held.hpp.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/program.hpp>

namespace bench {

/// By a kernel of one work-item; the queue has profiling on.
class opencl_hold {
 public:
  explicit opencl_hold(cl_command_queue queue) : queue_(queue), busy_(busy_of(queue)) {}

  void hold(double seconds) {
    begin_ = launch(queue_, busy_, static_cast<cl_int>(seconds * busy_.steps_per_second));
  }
  void mark() { marks_.push_back(clprim::marker(queue_)); }
  std::vector<double> release(bool anyhow) {
    const bool starved = status() == CL_COMPLETE;
    clprim::check(clFinish(queue_), "clFinish");
    std::vector<double> seconds;
    for (const cl::Event& mark : std::exchange(marks_, {}))
      seconds.push_back(static_cast<double>(end_of(mark) - end_of(begin_)) * 1e-9);
    return starved && !anyhow ? std::vector<double>{} : seconds;
  }

 private:
  struct busy_kernel {
    cl::Kernel kernel;
    cl::Buffer out;
    double steps_per_second = 0;
  };

  static cl_ulong time_of(const cl::Event& event, cl_profiling_info what) {
    cl_ulong time = 0;
    clprim::check(clGetEventProfilingInfo(event(), what, sizeof time, &time, nullptr),
                  "clGetEventProfilingInfo");
    return time;
  }
  static cl_ulong end_of(const cl::Event& event) {
    return time_of(event, CL_PROFILING_COMMAND_END);
  }
  cl_int status() const {
    cl_int now = 0;
    clprim::check(
        clGetEventInfo(begin_(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof now, &now, nullptr),
        "clGetEventInfo");
    return now;
  }
  static cl::Event launch(cl_command_queue queue, const busy_kernel& busy, cl_int steps) {
    clprim::set_args(busy.kernel(), steps, busy.out);
    cl::Event done = clprim::enqueue(queue, busy.kernel(), {1, {1, 1, 1}, {1, 1, 1}});
    clprim::check(clFlush(queue), "clFlush");
    return done;
  }
  /// Built and measured once for a context. Kept until the process ends: a driver may be gone when
  /// its statics are destroyed.
  static const busy_kernel& busy_of(cl_command_queue queue) {
    static auto& known = *new std::map<cl_context, busy_kernel>;
    cl_context context = nullptr;
    clprim::check(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr),
                  "clGetCommandQueueInfo");
    if (const auto it = known.find(context); it != known.end()) return it->second;
    cl_device_id device = nullptr;
    clprim::check(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr),
                  "clGetCommandQueueInfo");
    const auto program = clprim::build(
        cl::Context(context, true), cl::Device(device, true),
        "__kernel void hold(int steps, __global uint* out) {\n"
        "  uint x = get_global_id(0) + 1;\n"
        "  for (int i = 0; i < steps; ++i)\n    x = x * 1664525u + (1013904223u ^ (x >> 7));\n"
        "  if (x == 0) out[0] = steps;\n}\n");
    cl_int code = CL_SUCCESS;
    busy_kernel busy{
        .kernel = clprim::make_kernel(*program, "hold"),
        .out = cl::Buffer(
            clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(cl_uint), nullptr, &code), false)};
    clprim::check(code, "clCreateBuffer of a hold");
    constexpr cl_int steps = 100'000;
    for (int i = 0; i < 2; ++i) {  // the first one may find the device asleep
      const cl::Event done = launch(queue, busy, steps);
      clprim::check(clFinish(queue), "clFinish");
      const double seconds =
          static_cast<double>(end_of(done) - time_of(done, CL_PROFILING_COMMAND_START)) * 1e-9;
      busy.steps_per_second = steps / std::max(seconds, 1e-6);
    }
    return known.emplace(context, std::move(busy)).first->second;
  }

  cl_command_queue queue_;
  const busy_kernel& busy_;
  cl::Event begin_;
  std::vector<cl::Event> marks_;
};

}  // namespace bench
