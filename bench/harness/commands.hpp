#pragma once
// Device time of calls whose commands we do not hold: from the start of the first kernel that a
// call enqueues to the end of its last.
//
// A library returns the event of its last command at best, and a product may take several (padding,
// transposition, sums). So a benchmark executable defines clEnqueueNDRangeKernel itself
// (commands.cpp): the definition forwards to the ICD loader's, and while a `command_log` is open it
// keeps an event of every kernel that any library in the process enqueues.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <clprim/runtime/opencl.hpp>

namespace bench {

/// Open while it lives; one at a time, for the thread that made it.
class command_log {
 public:
  command_log();
  ~command_log();
  command_log(const command_log&) = delete;
  command_log& operator=(const command_log&) = delete;

  /// What is enqueued from here on belongs to a new call.
  void next_call() { firsts_.push_back(events_.size()); }
  void add(cl_event event) { events_.emplace_back(event, true); }

  /// Seconds of each call since the log was opened; all its commands must have finished.
  std::vector<double> seconds() const {
    std::vector<double> times;
    for (std::size_t call = 0; call < firsts_.size(); ++call) {
      const auto [start, end] = span_of(call);
      times.push_back(static_cast<double>(end - start) * 1e-9);
    }
    return times;
  }
  /// Seconds from the start of call `first` to the end of the last one.
  double series_seconds(std::size_t first) const {
    return static_cast<double>(span_of(firsts_.size() - 1).end - span_of(first).start) * 1e-9;
  }

 private:
  struct interval {
    cl_ulong start = std::numeric_limits<cl_ulong>::max();
    cl_ulong end = 0;
  };

  interval span_of(std::size_t call) const {
    const std::size_t last = call + 1 < firsts_.size() ? firsts_[call + 1] : events_.size();
    if (firsts_[call] == last) {
      throw clprim::error("the commands of call " + std::to_string(call) +
                          " did not pass through this process's clEnqueueNDRangeKernel");
    }
    interval all;
    for (std::size_t i = firsts_[call]; i < last; ++i) {
      all.start = std::min(all.start, profiled(events_[i](), CL_PROFILING_COMMAND_START));
      all.end = std::max(all.end, profiled(events_[i](), CL_PROFILING_COMMAND_END));
    }
    return all;
  }
  static cl_ulong profiled(cl_event event, cl_profiling_info what) {
    cl_ulong time = 0;
    clprim::check(clGetEventProfilingInfo(event, what, sizeof time, &time, nullptr),
                  "clGetEventProfilingInfo");
    return time;
  }

  std::vector<cl::Event> events_;
  std::vector<std::size_t> firsts_;
};

/// A kernel as it was launched.
struct seen_kernel {
  cl::Kernel kernel;
  std::size_t work_items = 0;  ///< in all
  int group = 0;               ///< work-items of a group; 0: the driver chose
};

/// Notes which kernels any library enqueues while it lives, for the thread that made it; one that
/// was opened before it notes them too.
class kernel_watch {
 public:
  kernel_watch();
  ~kernel_watch();
  kernel_watch(const kernel_watch&) = delete;
  kernel_watch& operator=(const kernel_watch&) = delete;

  void add(cl_kernel kernel, cl_uint dimensions, const std::size_t* global,
           const std::size_t* local) {
    seen_kernel seen{.kernel = cl::Kernel(kernel, true), .work_items = 1, .group = 1};
    for (cl_uint d = 0; d < dimensions; ++d) {
      seen.work_items *= global[d];
      seen.group *= local != nullptr ? static_cast<int>(local[d]) : 0;
    }
    kernels_.push_back(std::move(seen));
    if (outer_ != nullptr) outer_->add(kernel, dimensions, global, local);
  }
  const std::vector<seen_kernel>& kernels() const { return kernels_; }

 private:
  kernel_watch* outer_;
  std::vector<seen_kernel> kernels_;
};

}  // namespace bench
