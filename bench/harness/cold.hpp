#pragma once
// Calls that find their operands in memory, not in a cache: --cold.
//
// Before each call that is timed, twice the last-level cache is overwritten; that lies outside of
// the call's time. As NVIDIA's nvbench does in its cold measurements, and it holds for every
// contestant alike, where operands that rotate would need each peer's help.

#include <cstddef>
#include <cstring>
#include <vector>

#include <clprim/runtime/opencl.hpp>

namespace bench {

/// Bytes to overwrite before each call; 0: a call finds what the one before it left. Set once,
/// before anything is timed.
inline std::size_t cold_bytes = 0;

/// Overwrites the cache of a queue's device.
class device_sweep {
 public:
  explicit device_sweep(cl_command_queue queue) : queue_(queue) {
    if (cold_bytes == 0) return;
    cl_context context = nullptr;
    clprim::check(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr),
                  "clGetCommandQueueInfo");
    cl_int code = CL_SUCCESS;
    room_ =
        cl::Buffer(clCreateBuffer(context, CL_MEM_READ_WRITE, cold_bytes, nullptr, &code), false);
    clprim::check(code, "clCreateBuffer to overwrite the cache with");
  }
  void operator()() const {
    if (cold_bytes == 0) return;
    const cl_uint zero = 0;
    clprim::check(clEnqueueFillBuffer(queue_, room_(), &zero, sizeof zero, 0, cold_bytes / 4 * 4, 0,
                                      nullptr, nullptr),
                  "clEnqueueFillBuffer");
  }

 private:
  cl_command_queue queue_;
  cl::Buffer room_;
};

/// Overwrites the cache of the host.
inline void sweep_host_cache() {
  if (cold_bytes == 0) return;
  static std::vector<char> room(cold_bytes);
  std::memset(room.data(), ++room[0], room.size());
}

}  // namespace bench
