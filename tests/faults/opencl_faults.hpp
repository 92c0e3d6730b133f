#pragma once
// The OpenCL of this executable: every call that clprim makes can be counted, and be made to fail.
//
// opencl_faults.cpp defines the functions of the OpenCL API itself, so that they are found before
// the loader's, which they call.

#include <functional>
#include <string>
#include <vector>

#include <clprim/runtime/opencl.hpp>

namespace support {

/// Which call fails, and how; none by default.
struct opencl_fault {
  int nth = 0;  ///< from 1, of the calls of all functions, or of `function` alone; 0: none
  cl_int code = CL_OUT_OF_RESOURCES;
  std::string function{};  ///< empty: any
};

/// What `work` called, in order, and what failed.
struct opencl_calls {
  std::vector<std::string> names;
  std::string failed{};  ///< the function that was made to fail; empty where none was
};

/// Runs `work` with the calls of this thread counted and one of them failing. An exception of
/// `work` passes, and `calls` is filled all the same.
void with_fault(const opencl_fault& fault, opencl_calls& calls, const std::function<void()>& work);

/// Whether calls of this function are counted and can fail.
bool can_fail(const std::string& function);

/// Limits that a device reports and keeps, smaller than its own. Its addresses have 32 bits.
struct device_limits {
  std::size_t local_bytes = 0, group = 0;  ///< of local memory and items of a group
  std::size_t driver_bytes = 0;            ///< of local memory the driver adds to each kernel's own
  bool is_gpu = false;                     ///< of a maker that nobody knows; else what it is
  bool has_double = true;
  std::size_t buffer_bytes = std::size_t{256} << 20;
};

/// Runs `work` with the device of such limits: it reports them to this thread, and refuses what is
/// larger: launches of larger groups, kernels of more local memory, larger buffers, programs with
/// `double`. What it refused is told, one line each; an exception of `work` passes.
std::vector<std::string> with_limits(const device_limits& limits,
                                     const std::function<void()>& work);

/// Runs `work`, and every program that this thread makes of a source meanwhile begins with `text`.
void with_text_before(const std::string& text, const std::function<void()>& work);

/// Objects of OpenCL that are held by this process through the API: created and retained, less
/// released.
struct opencl_objects {
  long memory = 0, programs = 0, kernels = 0, events = 0;
  friend bool operator==(const opencl_objects&, const opencl_objects&) = default;
};
opencl_objects objects_now();

}  // namespace support
