#pragma once
// Results on their way to the host.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <clprim/runtime/footprint.hpp>
#include <clprim/runtime/queue.hpp>

namespace clprim::detail {

/// A buffer of an object's own for results that a caller wants on the host.
class host_results {
 public:
  /// Room for `count` results of `each` bytes, and for one at least. Throws argument_error where no
  /// buffer of the device holds so many, opencl_error when it has no room.
  cl_mem hold(const queue_facts& on, std::int64_t count, std::size_t each) {
    const auto wanted =
        multiply_add(std::max<std::int64_t>(1, count), static_cast<std::int64_t>(each), 0);
    if (!wanted || *wanted > on.facts.max_allocation_bytes) {
      throw argument_error("results on the host", "must fit one buffer of the device",
                           std::to_string(count) + " of " + std::to_string(each) + " bytes",
                           "at most " + std::to_string(on.facts.max_allocation_bytes) + " bytes");
    }
    if (bytes_ >= *wanted) return buffer_();
    cl_int code = CL_SUCCESS;
    cl::Buffer made(clCreateBuffer(on.context(), CL_MEM_READ_WRITE,
                                   static_cast<std::size_t>(*wanted), nullptr, &code),
                    false);
    check(code, "clCreateBuffer of the results");
    buffer_ = std::move(made);
    bytes_ = *wanted;
    return buffer_();
  }
  /// The first `bytes` of them, after `done`, or, where that is null, after all that is on the
  /// queue.
  std::vector<std::byte> read(const cl::CommandQueue& queue, std::size_t bytes,
                              const cl::Event& done) const {
    std::vector<std::byte> raw(bytes);
    if (bytes == 0) return raw;
    const cl_uint events = done() == nullptr ? 0 : 1;
    check(clEnqueueReadBuffer(queue(), buffer_(), CL_TRUE, 0, bytes, raw.data(), events,
                              events == 0 ? nullptr : &done(), nullptr),
          "clEnqueueReadBuffer of the results");
    return raw;
  }

 private:
  cl::Buffer buffer_;
  std::int64_t bytes_ = 0;
};

}  // namespace clprim::detail
