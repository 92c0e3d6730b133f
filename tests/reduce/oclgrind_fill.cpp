// Oclgrind 21.10 does not see that clEnqueueFillBuffer initialises a buffer, and would call every
// use of a cleared workspace uninitialised. There, and only there, the tests' fills are writes.

#include <cstring>
#include <string>
#include <vector>

#include <dlfcn.h>

#include <clprim/runtime/opencl.hpp>

namespace {

bool on_oclgrind(cl_command_queue queue) {
  cl_device_id device = nullptr;
  cl_platform_id platform = nullptr;
  std::vector<char> name(256, 0);
  clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
  clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
  clGetPlatformInfo(platform, CL_PLATFORM_NAME, name.size() - 1, name.data(), nullptr);
  return std::string(name.data()) == "Oclgrind";
}

}  // namespace

// The program's own symbol comes before the library's.
extern "C" CL_API_ENTRY cl_int CL_API_CALL
clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void* pattern,
                    std::size_t pattern_size, std::size_t offset, std::size_t size, cl_uint waits,
                    const cl_event* wait_list, cl_event* event) {
  if (on_oclgrind(queue)) {
    std::vector<std::byte> all(size);
    for (std::size_t i = 0; i < size; i += pattern_size)
      std::memcpy(all.data() + i, pattern, pattern_size);
    return clEnqueueWriteBuffer(queue, buffer, CL_TRUE, offset, size, all.data(), waits, wait_list,
                                event);
  }
  static const auto next =
      reinterpret_cast<decltype(&clEnqueueFillBuffer)>(dlsym(RTLD_NEXT, "clEnqueueFillBuffer"));
  return next(queue, buffer, pattern, pattern_size, offset, size, waits, wait_list, event);
}
