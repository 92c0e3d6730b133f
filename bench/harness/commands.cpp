// The process's clEnqueueNDRangeKernel: see commands.hpp.

#include "commands.hpp"

#include <dlfcn.h>

namespace {
thread_local bench::command_log* open_log = nullptr;
thread_local bench::kernel_watch* open_watch = nullptr;
}  // namespace

bench::command_log::command_log() { open_log = this; }
bench::command_log::~command_log() { open_log = nullptr; }

bench::kernel_watch::kernel_watch() { open_watch = this; }
bench::kernel_watch::~kernel_watch() { open_watch = nullptr; }

extern "C" CL_API_ENTRY cl_int CL_API_CALL
clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                       const size_t* offset, const size_t* global, const size_t* local,
                       cl_uint wait_count, const cl_event* waits, cl_event* event) {
  static const auto loader = reinterpret_cast<decltype(&clEnqueueNDRangeKernel)>(
      dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel"));
  if (loader == nullptr) return CL_INVALID_OPERATION;
  cl_event own = nullptr;
  cl_event* const done = event != nullptr || open_log == nullptr ? event : &own;
  const cl_int code =
      loader(queue, kernel, dimensions, offset, global, local, wait_count, waits, done);
  if (code == CL_SUCCESS && open_log != nullptr) open_log->add(*done);
  if (code == CL_SUCCESS && open_watch != nullptr)
    open_watch->add(kernel, dimensions, global, local);
  if (own != nullptr) clReleaseEvent(own);
  return code;
}
