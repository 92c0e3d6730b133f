#pragma once
// What an operation object needs to know of the queue that it is made for.

#include <mutex>
#include <utility>
#include <vector>

#include <clprim/runtime/device.hpp>
#include <clprim/runtime/device_info.hpp>
#include <clprim/runtime/forked.hpp>
#include <clprim/runtime/handle.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/opencl.hpp>

namespace clprim {

/// A queue's device and context, owned, and the facts that decide how work is enqueued on it.
struct queue_facts {
  cl::Device device;
  cl::Context context;
  device_facts facts;
  bool out_of_order = false;  ///< commands are ordered by events only
  bool profiles = false;      ///< commands tell their times
};

/// While it lives, operations that this thread makes choose policies and write kernels as for a
/// device of these facts, whatever device runs them: so what other devices get can be read and run
/// here. The facts must be ones whose kernels the present device can run: `inline_ptx` false,
/// limits within its own.
///
///     const clprim::assume_device as_if(facts);
///     clprim::gemm<float> multiply(queue);
class assume_device {
 public:
  explicit assume_device(device_facts facts) : facts_(std::move(facts)), outer_(current()) {
    current() = &facts_;
  }
  ~assume_device() { current() = outer_; }
  assume_device(const assume_device&) = delete;
  assume_device& operator=(const assume_device&) = delete;

  /// The facts assumed now; null: those of the device itself.
  static const device_facts*& current() {
    thread_local const device_facts* facts = nullptr;
    return facts;
  }

 private:
  device_facts facts_;
  const device_facts* outer_;
};

namespace detail {

/// The facts of a device, which do not change, asked once in a process: that takes 0.6 ms on an
/// H200 (driver 580.159.04, 2026-11-22). A part of a device is asked each time, for its handle may
/// name another part when it is gone.
inline device_facts known_facts(const cl::Device& device) {
  if (device_info<cl_device_id>(device(), CL_DEVICE_PARENT_DEVICE) != nullptr)
    return facts_of(device);
  struct answers {
    std::mutex mutex;
    std::vector<std::pair<cl_device_id, device_facts>> facts;  // a process has few devices
  };
  static auto* const known = new answers;  // never destroyed: others' statics may make operations
  const std::lock_guard lock(known->mutex);
  for (const auto& [id, facts] : known->facts)
    if (id == device()) return facts;
  return known->facts.emplace_back(device(), facts_of(device)).second;
}

}  // namespace detail

/// Asks the queue. Throws argument_error for one without a handle, opencl_error for an invalid one,
/// device_error in a child by fork() of a process that has asked one.
inline queue_facts facts_of(const cl::CommandQueue& queue) {
  detail::require_not_forked();
  detail::watch_forks();
  if (queue() == nullptr) {
    throw argument_error("the queue", "must be one of a device", "a null cl::CommandQueue",
                         "such as open_session().queue");
  }
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue_properties properties = 0;
  check(clGetCommandQueueInfo(queue(), CL_QUEUE_DEVICE, sizeof device, &device, nullptr),
        "clGetCommandQueueInfo(CL_QUEUE_DEVICE)");
  check(clGetCommandQueueInfo(queue(), CL_QUEUE_CONTEXT, sizeof context, &context, nullptr),
        "clGetCommandQueueInfo(CL_QUEUE_CONTEXT)");
  check(
      clGetCommandQueueInfo(queue(), CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr),
      "clGetCommandQueueInfo(CL_QUEUE_PROPERTIES)");
  queue_facts q{.device = cl::Device(device, true),
                .context = cl::Context(context, true),
                .facts = {},
                .out_of_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0,
                .profiles = (properties & CL_QUEUE_PROFILING_ENABLE) != 0};
  const device_facts* const assumed = assume_device::current();
  q.facts = assumed != nullptr ? *assumed : detail::known_facts(q.device);
  return q;
}

/// Throws argument_error where nothing but an event would order what follows a call.
inline void require_order(completion wanted, bool out_of_order) {
  if (wanted == completion::event || !out_of_order) return;
  throw argument_error("completion", "must be an event on an out-of-order queue",
                       "completion::none", "completion::event, or an in-order queue");
}

}  // namespace clprim
