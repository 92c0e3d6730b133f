#pragma once
// What the programs of this folder share: numbers to a buffer and back.

#include <vector>

#include <clprim/runtime/device.hpp>

template <class T> cl::Buffer to_device(const clprim::session& on, std::vector<T> values) {
  return cl::Buffer(on.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof(T) * values.size(),
                    values.data());
}
/// Whether a buffer holds these values.
template <class T>
bool holds(const clprim::session& on, const cl::Buffer& buffer, const std::vector<T>& wanted) {
  std::vector<T> values(wanted.size());
  on.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, sizeof(T) * values.size(), values.data());
  return values == wanted;
}
