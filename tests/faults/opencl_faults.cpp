#include "faults/opencl_faults.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <dlfcn.h>

namespace {

// Of this thread: PoCL's own threads are left alone.
struct fault_state {
  support::opencl_fault fault;
  support::opencl_calls* calls = nullptr;
  int matching = 0;
};
thread_local fault_state state;

/// Counts a call; whether it is the one that fails.
bool fails(const char* name) {
  if (state.calls == nullptr) return false;
  state.calls->names.emplace_back(name);
  if (!state.fault.function.empty() && state.fault.function != name) return false;
  if (++state.matching != state.fault.nth) return false;
  state.calls->failed = name;
  return true;
}

template <class Function> Function* loader_s(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) std::abort();
  return reinterpret_cast<Function*>(found);
}

// Of this thread, as long as `with_limits` runs.
thread_local const support::device_limits* limits = nullptr;
thread_local std::vector<std::string>* refused = nullptr;

// Of this thread, as long as `with_text_before` runs.
thread_local const std::string* text_before = nullptr;

/// Says what was refused; the code of it.
cl_int refuse(cl_int code, const std::string& what) {
  refused->push_back(what);
  return code;
}

template <class T> void write_answer(void* value, size_t room, T answer) {
  if (value != nullptr && room >= sizeof answer) std::memcpy(value, &answer, sizeof answer);
}
/// Puts the smaller limits in the place of what the device said.
void limit_answer(cl_device_info what, void* value, size_t room) {
  const auto least = [&](auto own, auto limit) {
    if (value == nullptr || room < sizeof own) return;
    std::memcpy(&own, value, sizeof own);
    write_answer(value, room, std::min(own, static_cast<decltype(own)>(limit)));
  };
  switch (what) {
    case CL_DEVICE_LOCAL_MEM_SIZE: least(cl_ulong{}, limits->local_bytes); break;
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: least(size_t{}, limits->group); break;
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: least(cl_ulong{}, limits->buffer_bytes); break;
    case CL_DEVICE_ADDRESS_BITS: least(cl_uint{}, 32); break;
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
      for (size_t i = 0; value != nullptr && (i + 1) * sizeof(size_t) <= room && i < 3; ++i) {
        size_t& one = static_cast<size_t*>(value)[i];
        one = std::min(one, limits->group);
      }
      break;
    case CL_DEVICE_TYPE:
      if (limits->is_gpu) write_answer<cl_device_type>(value, room, CL_DEVICE_TYPE_GPU);
      break;
    case CL_DEVICE_DOUBLE_FP_CONFIG:
      if (!limits->has_double) write_answer<cl_device_fp_config>(value, room, 0);
      break;
    case CL_DEVICE_EXTENSIONS:
      if (!limits->has_double && value != nullptr)  // of the same length
        if (char* const at = std::strstr(static_cast<char*>(value), "cl_khr_fp64"))
          std::memcpy(at, "cl_none_____", 11);
      break;
    case CL_DEVICE_NAME:
    case CL_DEVICE_VENDOR:
      if (limits->is_gpu && value != nullptr)
        for (char* at = static_cast<char*>(value); *at != '\0'; ++at) *at = 'x';
      break;
    default: break;
  }
}

struct object_counts {
  std::atomic<long> memory = 0, programs = 0, kernels = 0, events = 0;
};
object_counts held;

std::atomic<long>& count_of(cl_mem) { return held.memory; }
std::atomic<long>& count_of(cl_program) { return held.programs; }
std::atomic<long>& count_of(cl_kernel) { return held.kernels; }
std::atomic<long>& count_of(cl_event) { return held.events; }

template <class Object> Object counted(Object object) {
  if constexpr (requires { count_of(object); }) count_of(object) += object != nullptr ? 1 : 0;
  return object;
}

}  // namespace

support::opencl_objects support::objects_now() {
  return {held.memory, held.programs, held.kernels, held.events};
}

bool support::can_fail(const std::string& function) {
  // The program's own definition comes before the loader's.
  const auto own = [](void* address) {
    Dl_info where{}, here{};
    return address != nullptr && dladdr(address, &where) != 0 &&
           dladdr(reinterpret_cast<void*>(&support::objects_now), &here) != 0 &&
           where.dli_fbase == here.dli_fbase;
  };
  return own(dlsym(RTLD_DEFAULT, function.c_str()));
}

void support::with_fault(const opencl_fault& fault, opencl_calls& calls,
                         const std::function<void()>& work) {
  struct scope {
    explicit scope(fault_state now) : before(std::exchange(state, std::move(now))) {}
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() { state = std::move(before); }
    fault_state before;
  };
  calls = {};
  const scope counted(fault_state{fault, &calls, 0});
  work();
}

std::vector<std::string> support::with_limits(const device_limits& given,
                                              const std::function<void()>& work) {
  std::vector<std::string> told;
  struct scope {
    scope(const device_limits* l, std::vector<std::string>* r) { limits = l, refused = r; }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() { limits = nullptr, refused = nullptr; }
  };
  const scope limited(&given, &told);
  work();
  return told;
}

void support::with_text_before(const std::string& text, const std::function<void()>& work) {
  struct scope {
    explicit scope(const std::string* t) { text_before = t; }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() { text_before = nullptr; }
  };
  const scope with(&text);
  work();
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

// A function that returns its code, and one that returns an object and its code by the last
// parameter.
#define FAULTY_CODE(name, parameters, arguments)               \
  cl_int name parameters {                                     \
    static auto* const real = loader_s<decltype(name)>(#name); \
    return fails(#name) ? state.fault.code : real arguments;   \
  }
#define FAULTY_OBJECT(object, name, parameters, arguments)     \
  object name parameters {                                     \
    static auto* const real = loader_s<decltype(name)>(#name); \
    if (!fails(#name)) return counted(real arguments);         \
    if (code != nullptr) *code = state.fault.code;             \
    return nullptr;                                            \
  }
// A function that gives an event, `e`, where it is asked for.
#define FAULTY_COMMAND(name, parameters, arguments)            \
  cl_int name parameters {                                     \
    static auto* const real = loader_s<decltype(name)>(#name); \
    if (fails(#name)) return state.fault.code;                 \
    const cl_int code = real arguments;                        \
    if (code == CL_SUCCESS && e != nullptr) counted(*e);       \
    return code;                                               \
  }
// A count of its own: never made to fail, for nobody looks at its code.
#define COUNTED(name, handle, change)                          \
  cl_int name(handle h) {                                      \
    static auto* const real = loader_s<decltype(name)>(#name); \
    count_of(h) += change;                                     \
    return real(h);                                            \
  }
// Queries of an object: (object, question, room, value, needed).
#define FAULTY_QUERY(name, handle, question)                                             \
  FAULTY_CODE(name, (handle h, question what, size_t room, void* value, size_t* needed), \
              (h, what, room, value, needed))
#define FAULTY_QUERY_OF_DEVICE(name, handle, question)                                             \
  FAULTY_CODE(name,                                                                                \
              (handle h, cl_device_id d, question what, size_t room, void* value, size_t* needed), \
              (h, d, what, room, value, needed))

#define FAULTY_QUERY_LIMITED(name, handle, question, limit)                        \
  cl_int name(handle h, question what, size_t room, void* value, size_t* needed) { \
    static auto* const real = loader_s<decltype(name)>(#name);                     \
    if (fails(#name)) return state.fault.code;                                     \
    const cl_int code = real(h, what, room, value, needed);                        \
    if (limits != nullptr && code == CL_SUCCESS) limit;                            \
    return code;                                                                   \
  }

namespace {

/// Whether a launch lies within the limits: CL_SUCCESS, or the code by which it is refused.
cl_int limited_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                      const size_t* local) {
  if (limits == nullptr) return CL_SUCCESS;
  size_t items = 1;
  for (cl_uint i = 0; local != nullptr && i < dimensions; ++i) items *= local[i];
  if (items > limits->group)
    return refuse(CL_INVALID_WORK_GROUP_SIZE, "a group of " + std::to_string(items) + " items");
  cl_device_id device = nullptr;
  cl_ulong bytes = 0;
  clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
  clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, nullptr);
  bytes -= std::min<cl_ulong>(bytes, limits->driver_bytes);
  if (bytes > limits->local_bytes)
    return refuse(CL_OUT_OF_RESOURCES, std::to_string(bytes) + " bytes of local memory");
  return CL_SUCCESS;
}
/// The same of a program's text, which must not ask for double where there is none.
bool limited_text(cl_uint n, const char** texts) {
  if (limits == nullptr || limits->has_double) return true;
  for (cl_uint i = 0; i < n; ++i)
    if (std::strstr(texts[i], "cl_khr_fp64") != nullptr) return false;
  return true;
}

}  // namespace

extern "C" {
FAULTY_CODE(clGetPlatformIDs, (cl_uint n, cl_platform_id* p, cl_uint* c), (n, p, c))
FAULTY_CODE(clGetDeviceIDs,
            (cl_platform_id p, cl_device_type t, cl_uint n, cl_device_id* d, cl_uint* c),
            (p, t, n, d, c))
FAULTY_QUERY_LIMITED(clGetPlatformInfo, cl_platform_id, cl_platform_info,
                     if (limits->is_gpu && what == CL_PLATFORM_NAME && value != nullptr)
                         std::memset(value, 'x', std::strlen(static_cast<char*>(value))))
FAULTY_QUERY_LIMITED(clGetDeviceInfo, cl_device_id, cl_device_info, limit_answer(what, value, room))
FAULTY_QUERY(clGetCommandQueueInfo, cl_command_queue, cl_command_queue_info)
FAULTY_QUERY(clGetMemObjectInfo, cl_mem, cl_mem_info)
FAULTY_QUERY(clGetImageInfo, cl_mem, cl_image_info)
FAULTY_QUERY(clGetKernelInfo, cl_kernel, cl_kernel_info)
FAULTY_QUERY(clGetProgramInfo, cl_program, cl_program_info)
FAULTY_QUERY(clGetEventInfo, cl_event, cl_event_info)
FAULTY_QUERY(clGetEventProfilingInfo, cl_event, cl_profiling_info)
FAULTY_QUERY_OF_DEVICE(clGetProgramBuildInfo, cl_program, cl_program_build_info)
cl_int clGetKernelWorkGroupInfo(cl_kernel h, cl_device_id d, cl_kernel_work_group_info what,
                                size_t room, void* value, size_t* needed) {
  static auto* const real =
      loader_s<decltype(clGetKernelWorkGroupInfo)>("clGetKernelWorkGroupInfo");
  if (fails("clGetKernelWorkGroupInfo")) return state.fault.code;
  const cl_int code = real(h, d, what, room, value, needed);
  if (limits != nullptr && code == CL_SUCCESS && what == CL_KERNEL_WORK_GROUP_SIZE)
    limit_answer(CL_DEVICE_MAX_WORK_GROUP_SIZE, value, room);
  return code;
}
FAULTY_CODE(clBuildProgram,
            (cl_program p, cl_uint n, const cl_device_id* d, const char* o,
             void(CL_CALLBACK* f)(cl_program, void*), void* u),
            (p, n, d, o, f, u))
FAULTY_CODE(clSetKernelArg, (cl_kernel k, cl_uint i, size_t s, const void* v), (k, i, s, v))
cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint d, const size_t* o,
                              const size_t* g, const size_t* l, cl_uint n, const cl_event* w,
                              cl_event* e) {
  static auto* const real = loader_s<decltype(clEnqueueNDRangeKernel)>("clEnqueueNDRangeKernel");
  if (fails("clEnqueueNDRangeKernel")) return state.fault.code;
  cl_int code = limited_launch(q, k, d, l);
  if (code == CL_SUCCESS) code = real(q, k, d, o, g, l, n, w, e);
  if (code == CL_SUCCESS && e != nullptr) counted(*e);
  return code;
}
FAULTY_COMMAND(clEnqueueReadBuffer,
               (cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s, void* p, cl_uint n,
                const cl_event* w, cl_event* e),
               (q, m, b, o, s, p, n, w, e))
FAULTY_COMMAND(clEnqueueWriteBuffer,
               (cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s, const void* p,
                cl_uint n, const cl_event* w, cl_event* e),
               (q, m, b, o, s, p, n, w, e))
FAULTY_COMMAND(clEnqueueCopyBuffer,
               (cl_command_queue q, cl_mem a, cl_mem b, size_t x, size_t y, size_t s, cl_uint n,
                const cl_event* w, cl_event* e),
               (q, a, b, x, y, s, n, w, e))
FAULTY_COMMAND(clEnqueueFillBuffer,
               (cl_command_queue q, cl_mem m, const void* p, size_t z, size_t o, size_t s,
                cl_uint n, const cl_event* w, cl_event* e),
               (q, m, p, z, o, s, n, w, e))
FAULTY_COMMAND(clEnqueueUnmapMemObject,
               (cl_command_queue q, cl_mem m, void* p, cl_uint n, const cl_event* w, cl_event* e),
               (q, m, p, n, w, e))
FAULTY_COMMAND(clEnqueueMarkerWithWaitList,
               (cl_command_queue q, cl_uint n, const cl_event* w, cl_event* e), (q, n, w, e))
FAULTY_COMMAND(clEnqueueBarrierWithWaitList,
               (cl_command_queue q, cl_uint n, const cl_event* w, cl_event* e), (q, n, w, e))
FAULTY_CODE(clWaitForEvents, (cl_uint n, const cl_event* e), (n, e))
FAULTY_CODE(clFinish, (cl_command_queue q), (q))
FAULTY_CODE(clFlush, (cl_command_queue q), (q))
FAULTY_OBJECT(void*, clEnqueueMapBuffer,
              (cl_command_queue q, cl_mem m, cl_bool b, cl_map_flags f, size_t o, size_t s,
               cl_uint n, const cl_event* w, cl_event* e, cl_int* code),
              (q, m, b, f, o, s, n, w, e, code))
FAULTY_OBJECT(cl_context, clCreateContext,
              (const cl_context_properties* p, cl_uint n, const cl_device_id* d,
               void(CL_CALLBACK* f)(const char*, const void*, size_t, void*), void* u,
               cl_int* code),
              (p, n, d, f, u, code))
FAULTY_OBJECT(cl_command_queue, clCreateCommandQueue,
              (cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int* code),
              (c, d, p, code))
cl_mem clCreateBuffer(cl_context c, cl_mem_flags f, size_t s, void* p, cl_int* code) {
  static auto* const real = loader_s<decltype(clCreateBuffer)>("clCreateBuffer");
  const bool fails_now = fails("clCreateBuffer");
  const bool within = limits == nullptr || s <= limits->buffer_bytes;
  if (!fails_now && within) return counted(real(c, f, s, p, code));
  if (code != nullptr)
    *code = fails_now
                ? state.fault.code
                : refuse(CL_INVALID_BUFFER_SIZE, "a buffer of " + std::to_string(s) + " bytes");
  return nullptr;
}
FAULTY_OBJECT(cl_mem, clCreateSubBuffer,
              (cl_mem m, cl_mem_flags f, cl_buffer_create_type t, const void* r, cl_int* code),
              (m, f, t, r, code))
FAULTY_OBJECT(cl_mem, clCreateImage,
              (cl_context c, cl_mem_flags f, const cl_image_format* i, const cl_image_desc* d,
               void* p, cl_int* code),
              (c, f, i, d, p, code))
cl_program clCreateProgramWithSource(cl_context c, cl_uint n, const char** t, const size_t* l,
                                     cl_int* code) {
  static auto* const real =
      loader_s<decltype(clCreateProgramWithSource)>("clCreateProgramWithSource");
  const bool fails_now = fails("clCreateProgramWithSource"), within = limited_text(n, t);
  if (!fails_now && within && text_before != nullptr) {
    std::string whole = *text_before;
    for (cl_uint i = 0; i < n; ++i)
      whole += l == nullptr || l[i] == 0 ? std::string(t[i]) : std::string(t[i], l[i]);
    const char* one = whole.c_str();
    return counted(real(c, 1, &one, nullptr, code));
  }
  if (!fails_now && within) return counted(real(c, n, t, l, code));
  if (code != nullptr)
    *code = fails_now ? state.fault.code : refuse(CL_INVALID_VALUE, "a program with double");
  return nullptr;
}
FAULTY_OBJECT(cl_program, clCreateProgramWithBinary,
              (cl_context c, cl_uint n, const cl_device_id* d, const size_t* l,
               const unsigned char** b, cl_int* s, cl_int* code),
              (c, n, d, l, b, s, code))
FAULTY_OBJECT(cl_kernel, clCreateKernel, (cl_program p, const char* n, cl_int* code), (p, n, code))
FAULTY_OBJECT(cl_event, clCreateUserEvent, (cl_context c, cl_int* code), (c, code))
COUNTED(clRetainMemObject, cl_mem, 1)
COUNTED(clReleaseMemObject, cl_mem, -1)
COUNTED(clRetainProgram, cl_program, 1)
COUNTED(clReleaseProgram, cl_program, -1)
COUNTED(clRetainKernel, cl_kernel, 1)
COUNTED(clReleaseKernel, cl_kernel, -1)
COUNTED(clRetainEvent, cl_event, 1)
COUNTED(clReleaseEvent, cl_event, -1)
}
