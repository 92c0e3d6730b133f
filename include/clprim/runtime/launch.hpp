#pragma once
// Sending a kernel to a queue: sizes checked with numbers, arguments set, nothing allocated on the
// way.

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <clprim/core/device_facts.hpp>
#include <clprim/runtime/opencl.hpp>

namespace clprim {

/// A range of work-items: 1 to 3 dimensions, global and work-group sizes in work-items.
struct launch {
  cl_uint dimensions = 1;
  std::array<std::size_t, 3> global{1, 1, 1};
  std::array<std::size_t, 3> local{1, 1, 1};
  friend bool operator==(const launch&, const launch&) = default;
};

/// Checks a launch against a device. Throws argument_error when the sizes do not fit each other,
/// and device_error when the work-group is larger than the device allows.
inline void check_launch(const launch& l, const device_facts& device, std::string_view kernel) {
  const auto named = [&](const char* what, std::size_t dimension) {
    return std::string(what) + " of kernel " + std::string(kernel) + " in dimension " +
           std::to_string(dimension);
  };
  const auto too_large = [&](const std::string& what, std::size_t items, std::size_t allowed) {
    throw device_error(what + " has " + std::to_string(items) + " items: " + device.name +
                       " allows " + std::to_string(allowed));
  };
  if (l.dimensions < 1 || l.dimensions > 3) {
    throw argument_error("number of dimensions of kernel " + std::string(kernel), "must be in 1..3",
                         std::to_string(l.dimensions), "1, 2 or 3");
  }
  std::size_t group = 1;
  for (std::size_t d = 0; d < l.dimensions; ++d) {
    if (l.local[d] == 0 || l.global[d] == 0) {
      throw argument_error(named(l.local[d] == 0 ? "work-group" : "global size", d),
                           "must not be empty", "0", "at least 1");
    }
    if (l.global[d] % l.local[d] != 0) {
      throw argument_error(named("global size", d), "must be whole work-groups",
                           std::to_string(l.global[d]),
                           "a multiple of " + std::to_string(l.local[d]));
    }
    if (l.local[d] > device.max_items[d]) {
      too_large(named("work-group", d), l.local[d], device.max_items[d]);
    }
    group *= l.local[d];
  }
  const auto allowed = static_cast<std::size_t>(device.max_work_group);
  if (group > allowed) too_large("work-group of kernel " + std::string(kernel), group, allowed);
}

namespace detail {

/// cl::Event holds the handle and nothing else, so a span of them is an array of handles.
inline const cl_event* handles(std::span<const cl::Event> events) {
  static_assert(sizeof(cl::Event) == sizeof(cl_event));
  return events.empty() ? nullptr : reinterpret_cast<const cl_event*>(events.data());
}

/// CL_COMPLETE, a number above it for what is not over yet, or below it for what failed.
inline cl_int status_of(const cl::Event& event) {
  cl_int status = CL_COMPLETE;
  check(clGetEventInfo(event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
        "clGetEventInfo(CL_EVENT_COMMAND_EXECUTION_STATUS)");
  return status;
}

}  // namespace detail

/// Whether a call has an event. One takes the host time: 1.5 to 2.4 us of 6.4 that an empty launch
/// takes (NVIDIA H200, driver 580.159.04, 2026-11-22).
enum class completion {
  event,
  none,  ///< the call returns a null event; on an in-order queue later commands come after it
};

/// Enqueues a kernel whose arguments are set and whose launch is checked; the event is that of the
/// kernel, or null where none is wanted. Throws opencl_error.
inline cl::Event enqueue(cl_command_queue queue, cl_kernel kernel, const launch& l,
                         std::span<const cl::Event> waits = {},
                         completion wanted = completion::event) {
  cl_event done = nullptr;
  check(
      clEnqueueNDRangeKernel(queue, kernel, l.dimensions, nullptr, l.global.data(), l.local.data(),
                             static_cast<cl_uint>(waits.size()), detail::handles(waits),
                             wanted == completion::event ? &done : nullptr),
      "clEnqueueNDRangeKernel");
  return cl::Event(done, false);
}

/// An event for work that turned out empty: it completes after the wait list or, where that is
/// empty, after everything enqueued before, on an out-of-order queue too. Throws opencl_error.
inline cl::Event marker(cl_command_queue queue, std::span<const cl::Event> waits = {}) {
  cl_event done = nullptr;
  check(clEnqueueMarkerWithWaitList(queue, static_cast<cl_uint>(waits.size()),
                                    detail::handles(waits), &done),
        "clEnqueueMarkerWithWaitList");
  return cl::Event(done, false);
}

/// What clSetKernelArg takes: a buffer as cl_mem or as its owner, or a plain value but bool, which
/// has no size that host and device agree on.
template <class T>
concept kernel_argument = std::derived_from<T, cl::Memory> ||
    (std::is_trivially_copyable_v<T> && !std::same_as<T, bool>);

/// Sets one argument. Throws opencl_error naming its index.
template <kernel_argument T> void set_arg(cl_kernel kernel, cl_uint index, const T& value) {
  cl_int code = CL_SUCCESS;
  if constexpr (std::derived_from<T, cl::Memory>) {
    const cl_mem handle = value();
    code = clSetKernelArg(kernel, index, sizeof handle, &handle);
  } else {
    code = clSetKernelArg(kernel, index, sizeof value, &value);
  }
  if (code != CL_SUCCESS) [[unlikely]] {
    detail::fail(code, "clSetKernelArg of argument " + std::to_string(index));
  }
}

/// Sets the arguments 0, 1, 2, … of a kernel. Throws opencl_error naming the index.
template <kernel_argument... T> void set_args(cl_kernel kernel, const T&... values) {
  cl_uint index = 0;
  (set_arg(kernel, index++, values), ...);
}

}  // namespace clprim
