#pragma once
// The times of each command of a call: queued, submitted, started, ended.

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <clprim/runtime/launch.hpp>

namespace clprim {

/// One command of a call; the times are nanoseconds of the device's clock (clGetEventProfilingInfo,
/// OpenCL 1.2, 5.12).
struct command_times {
  std::string name;  ///< of the kernel, or what else the command is
  cl_ulong queued = 0;
  cl_ulong submitted = 0;
  cl_ulong started = 0;
  cl_ulong ended = 0;

  /// Nanoseconds that the command ran.
  cl_ulong ran() const { return ended - started; }
};

namespace detail {

/// The commands enqueued by this thread while a `profile` is under way.
struct command_record {
  std::vector<std::pair<std::string, cl::Event>> commands;

  static command_record*& current() {
    thread_local command_record* record = nullptr;
    return record;
  }
};

inline std::string name_of(cl_kernel kernel) {
  std::size_t bytes = 0;
  check(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &bytes), "clGetKernelInfo");
  std::string name(bytes, '\0');
  check(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, bytes, name.data(), nullptr),
        "clGetKernelInfo");
  while (!name.empty() && name.back() == '\0') name.pop_back();
  return name;
}

}  // namespace detail

/// Makes a call, or several, waits for its end and tells when each of its commands was queued,
/// submitted, started and ended. The call's queue must profile (CL_QUEUE_PROFILING_ENABLE); on
/// another the call throws argument_error before anything is enqueued.
///
///     clprim::fft<float> transform(queue);
///     for (const clprim::command_times& t : clprim::profile([&] { transform.forward(x, y); }))
///       std::cout << t.name << ": " << t.ran() << " ns\n";
template <class Call> std::vector<command_times> profile(Call&& call) {
  detail::command_record record;
  struct scope {
    detail::command_record* outer;
    explicit scope(detail::command_record* now)
      : outer(std::exchange(detail::command_record::current(), now)) {}
    ~scope() { detail::command_record::current() = outer; }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
  };
  {
    const scope recording(&record);
    std::forward<Call>(call)();
  }
  std::vector<command_times> all;
  for (const auto& [name, event] : record.commands) {
    check(clWaitForEvents(1, &event()), "clWaitForEvents of a profiled call");
    std::array<cl_ulong, 4> at{};
    constexpr std::array<cl_profiling_info, 4> questions{
        CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
        CL_PROFILING_COMMAND_END};
    for (std::size_t i = 0; i < at.size(); ++i) {
      check(clGetEventProfilingInfo(event(), questions[i], sizeof at[i], &at[i], nullptr),
            "clGetEventProfilingInfo");
    }
    all.push_back({name, at[0], at[1], at[2], at[3]});
  }
  return all;
}

}  // namespace clprim
