#pragma once
// CUDA for the peers that need it: the OpenCL device's GPU, arrays, and times of calls.

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <clprim/runtime/device.hpp>

#include "timing.hpp"

#if CLPRIM_HAS_CUBLAS
#include <cuda_runtime_api.h>

#include "cuda_hold.hpp"

namespace bench {

inline void check_cuda(cudaError_t code, const char* call) {
  if (code != cudaSuccess)
    throw clprim::error(std::string(call) + " failed: " + cudaGetErrorString(code));
}

/// Makes the OpenCL device's GPU the current one of CUDA. Throws error when CUDA cannot reach it.
inline void use_cuda_device(const cl::Device& device) {
  constexpr cl_device_info bus_nv = 0x4008, slot_nv = 0x4009, domain_nv = 0x400A;
  const auto number = [&](cl_device_info what) {
    return clprim::detail::device_info<cl_uint>(device(), what, 0);
  };
  char address[32];
  std::snprintf(address, sizeof address, "%04x:%02x:%02x.0", number(domain_nv), number(bus_nv),
                number(slot_nv) >> 3);
  int index = 0;
  int count = 0;
  check_cuda(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  // A container may show CUDA other bus addresses; with one GPU there is no doubt.
  if (cudaDeviceGetByPCIBusId(&index, address) != cudaSuccess) {
    if (count != 1)
      throw clprim::error(std::string("CUDA knows no GPU at the OpenCL device's address ") +
                          address);
    index = 0;
  }
  check_cuda(cudaSetDevice(index), "cudaSetDevice");
}

/// An array in CUDA's device memory.
class cuda_array {
 public:
  explicit cuda_array(std::size_t bytes) { check_cuda(cudaMalloc(&data_, bytes), "cudaMalloc"); }
  ~cuda_array() { cudaFree(data_); }
  cuda_array(const cuda_array&) = delete;
  cuda_array& operator=(const cuda_array&) = delete;
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

class cuda_event {
 public:
  cuda_event() { check_cuda(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~cuda_event() { cudaEventDestroy(event_); }
  cuda_event(const cuda_event&) = delete;
  cuda_event& operator=(const cuda_event&) = delete;
  void record() const { check_cuda(cudaEventRecord(event_), "cudaEventRecord"); }
  double seconds_since(const cuda_event& earlier) const {
    float ms = 0;
    check_cuda(cudaEventElapsedTime(&ms, earlier.event_, event_), "cudaEventElapsedTime");
    return static_cast<double>(ms) * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Times `call(i)`, which enqueues the i-th call on CUDA's default stream, as held.hpp says; with
/// --cold one call between two events, behind what overwrites the cache.
template <class Call> timing time_cold_cuda(std::size_t warm, std::size_t calls, Call call) {
  void* room = nullptr;
  check_cuda(cudaMalloc(&room, cold_bytes), "cudaMalloc");
  std::vector<cuda_event> begin(calls), end(calls);
  for (std::size_t i = 0; i < warm + calls; ++i) {
    cudaMemsetAsync(room, 0, cold_bytes, nullptr);
    if (i >= warm) begin[i - warm].record();
    call(i);
    if (i >= warm) end[i - warm].record();
  }
  check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  cudaFree(room);
  timing result;
  for (std::size_t i = 0; i < calls; ++i) {
    result.seconds.push_back(end[i].seconds_since(begin[i]));
    result.series += result.seconds.back() / static_cast<double>(calls);
  }
  return result;
}
template <class Call> timing time_cuda(std::size_t warm, std::size_t calls, Call call) {
  if (cold_bytes > 0) return time_cold_cuda(warm, calls, call);
  cuda_hold device;
  return time_held(device, warm, calls, call);
}

}  // namespace bench
#endif
