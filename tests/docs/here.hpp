#pragma once
// What the snippets of the pages stand on: buffers with values on the device of the tests.

#include <vector>

#include <clprim/runtime/device.hpp>

#include "support/device.hpp"

namespace docs {

/// A buffer that holds these values.
template <class T> cl::Buffer filled(const std::vector<T>& values) {
  const clprim::session& on = support::device_session();
  cl_int code = CL_SUCCESS;
  cl::Buffer buffer(
      clCreateBuffer(on.context(), CL_MEM_READ_WRITE, values.size() * sizeof(T), nullptr, &code),
      false);
  clprim::check(code, "clCreateBuffer");
  clprim::check(clEnqueueWriteBuffer(on.queue(), buffer(), CL_TRUE, 0, values.size() * sizeof(T),
                                     values.data(), 0, nullptr, nullptr),
                "clEnqueueWriteBuffer");
  return buffer;
}

/// A buffer of `count` values.
template <class T> cl::Buffer filled(std::size_t count, T value) {
  return filled(std::vector<T>(count, value));
}

/// What a buffer holds, after all that was enqueued before.
template <class T> std::vector<T> read(const cl::Buffer& buffer, std::size_t count) {
  std::vector<T> values(count);
  clprim::check(clEnqueueReadBuffer(support::device_session().queue(), buffer(), CL_TRUE, 0,
                                    count * sizeof(T), values.data(), 0, nullptr, nullptr),
                "clEnqueueReadBuffer");
  return values;
}

}  // namespace docs
