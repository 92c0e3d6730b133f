#pragma once
// Memory of the host that a device reads and writes at the full speed of the link.

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <clprim/core/error.hpp>
#include <clprim/runtime/opencl.hpp>
#include <clprim/runtime/queue.hpp>

namespace clprim {

/// `size()` values of T, uninitialised, in pinned memory: what CL_MEM_ALLOC_HOST_PTR gives while it
/// is mapped (NVIDIA, "OpenCL Programming Guide" 2.3, 3.1.1). Transfers to and from pageable memory
/// go through such memory of the driver's own, and cannot run beside kernels; on an H200 they reach
/// 10 GB/s of the 55 that pinned memory reaches (bench_transfers).
///
///     clprim::pinned<float> staged(queue, n);
///     std::ranges::copy(values, staged.begin());
///     queue.enqueueWriteBuffer(x, CL_FALSE, 0, staged.bytes(), staged.data());
///
/// It must outlive the transfers that use it. To overlap them with kernels take two queues, or one
/// that is out of order.
template <class T> class pinned {
  static_assert(std::is_trivially_copyable_v<T>, "pinned memory holds trivially copyable values");

 public:
  /// Of the queue's context. Throws argument_error for no or too many values, opencl_error when
  /// the memory is not to be had.
  pinned(const queue_handle& queue, std::size_t size) : queue_(queue), size_(size) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / sizeof(T);
    if (size == 0 || size > most) {
      throw argument_error("size of pinned memory", "must be at least one value and addressable",
                           std::to_string(size), "1 to " + std::to_string(most));
    }
    cl_int code = CL_SUCCESS;
    memory_ = cl::Buffer(
        clCreateBuffer(facts_of(queue).context(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                       bytes(), nullptr, &code),
        false);
    check(code, "clCreateBuffer(CL_MEM_ALLOC_HOST_PTR)");
    data_ =
        static_cast<T*>(clEnqueueMapBuffer(queue_(), memory_(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                           0, bytes(), 0, nullptr, nullptr, &code));
    check(code, "clEnqueueMapBuffer");
  }
  /// Unmaps it, behind everything on the queue.
  ~pinned() {
    if (data_ != nullptr) clEnqueueUnmapMemObject(queue_(), memory_(), data_, 0, nullptr, nullptr);
  }
  pinned(pinned&& other) noexcept
    : queue_(std::move(other.queue_)),
      memory_(std::move(other.memory_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}
  pinned& operator=(pinned&& other) noexcept {
    pinned taken(std::move(other));
    std::swap(queue_, taken.queue_);
    std::swap(memory_, taken.memory_);
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    return *this;
  }
  pinned(const pinned&) = delete;
  pinned& operator=(const pinned&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  std::span<T> values() { return {data_, size_}; }
  std::span<const T> values() const { return {data_, size_}; }

 private:
  cl::CommandQueue queue_;
  cl::Buffer memory_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace clprim
