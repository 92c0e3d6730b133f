#pragma once
// A queue or a buffer as a caller has it: a cl:: object, or a plain handle of the C API.

#include <concepts>

#include <clprim/runtime/opencl.hpp>

namespace clprim {

/// A queue: `cl::CommandQueue`, or `cl_command_queue`, which is retained. For parameters.
class queue_handle {
 public:
  queue_handle(const cl::CommandQueue& queue) : queue_(&queue) {}
  queue_handle(cl_command_queue queue) : own_(queue, true), queue_(&own_) {}
  queue_handle(const queue_handle&) = delete;
  queue_handle& operator=(const queue_handle&) = delete;

  operator const cl::CommandQueue&() const { return *queue_; }

 private:
  cl::CommandQueue own_;
  const cl::CommandQueue* queue_;  // the caller's is not copied: that would retain it once more
};

/// A buffer: `cl::Buffer` or `cl_mem`, which is not retained. For parameters.
class memory_handle {
 public:
  template <class Buffer>
  requires(std::convertible_to<const Buffer&, const cl::Buffer&>)
      memory_handle(const Buffer& buffer)
    : memory_(static_cast<const cl::Buffer&>(buffer)()) {}
  constexpr memory_handle(cl_mem memory) : memory_(memory) {}

  constexpr cl_mem operator()() const { return memory_; }

 private:
  cl_mem memory_;
};

}  // namespace clprim
