// The executable's own clCreateBuffer and clEnqueueNDRangeKernel: they pass a call on to the
// library's, or fail.

#include "convolve/failing_calls.hpp"

#include <dlfcn.h>

#include <clprim/runtime/opencl.hpp>

namespace {

int calls_left = -1;  // until one fails; -1: none does

bool fails() { return calls_left >= 0 && calls_left-- == 0; }

template <class Function> Function* of_library(const char* name, Function*) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

namespace support {

failing_call::failing_call(int n) { calls_left = n; }
failing_call::~failing_call() { calls_left = -1; }
bool failing_call::happened() const { return calls_left < 0; }

}  // namespace support

extern "C" {

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host,
                      cl_int* code) {
  if (fails()) {
    if (code != nullptr) *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return nullptr;
  }
  static auto* const next = of_library("clCreateBuffer", &clCreateBuffer);
  return next(context, flags, size, host, code);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t* offset, const size_t* global, const size_t* local,
                              cl_uint waits, const cl_event* wait_list, cl_event* done) {
  if (fails()) return CL_OUT_OF_RESOURCES;
  static auto* const next = of_library("clEnqueueNDRangeKernel", &clEnqueueNDRangeKernel);
  return next(queue, kernel, dimensions, offset, global, local, waits, wait_list, done);
}
}
