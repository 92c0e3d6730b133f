// The process's clEnqueueNDRangeKernel and clCreateProgramWithSource: see commands.hpp and
// ballast.hpp.

#include "commands.hpp"

#include <string>
#include <vector>

#include <dlfcn.h>

#include "ballast.hpp"

namespace {
thread_local bench::command_log* open_log = nullptr;
thread_local bench::kernel_watch* open_watch = nullptr;
thread_local std::size_t open_ballast = 0;
}  // namespace

bench::command_log::command_log() { open_log = this; }
bench::command_log::~command_log() { open_log = nullptr; }

bench::kernel_watch::kernel_watch() : outer_(open_watch) { open_watch = this; }
bench::kernel_watch::~kernel_watch() { open_watch = outer_; }

bench::ballast::ballast(std::size_t bytes) { open_ballast = bytes; }
bench::ballast::~ballast() { open_ballast = 0; }

extern "C" CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(
    cl_context context, cl_uint count, const char** strings, const size_t* lengths, cl_int* code) {
  static const auto loader = reinterpret_cast<decltype(&clCreateProgramWithSource)>(
      dlsym(RTLD_NEXT, "clCreateProgramWithSource"));
  if (loader == nullptr) {
    if (code != nullptr) *code = CL_INVALID_OPERATION;
    return nullptr;
  }
  if (open_ballast == 0) return loader(context, count, strings, lengths, code);
  std::string all;
  for (cl_uint i = 0; i < count; ++i) {
    if (lengths != nullptr && lengths[i] != 0)
      all.append(strings[i], lengths[i]);
    else
      all.append(strings[i]);
  }
  const std::string heavy = bench::with_ballast(all, open_ballast);
  const char* text = heavy.c_str();
  const std::size_t size = heavy.size();
  return loader(context, 1, &text, &size, code);
}

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
