#pragma once
// What a memory object tells of itself, and the checks that every operand undergoes.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <clprim/runtime/opencl.hpp>

namespace clprim::detail {

/// What a call does with a buffer.
enum class access { read, write, read_write };

template <class T> T memory_info(cl_mem memory, cl_mem_info what, const char* call) {
  T value{};
  check(clGetMemObjectInfo(memory, what, sizeof value, &value, nullptr), call);
  return value;
}

/// Throws argument_error for a null handle, memory of another context, and memory whose flags
/// forbid kernels the access. Drivers enqueue all of that, and what happens then is theirs.
inline void check_memory(cl_mem memory, cl_context context, access wanted, std::string_view name) {
  const auto refuse = [&](const char* constraint, const char* given, const char* allowed) {
    throw argument_error(std::string(name), constraint, given, allowed);
  };
  if (memory == nullptr) refuse("must be a buffer", "a null handle", "one of the queue's context");
  const auto home =
      memory_info<cl_context>(memory, CL_MEM_CONTEXT, "clGetMemObjectInfo(CL_MEM_CONTEXT)");
  if (home != context) {
    refuse("must belong to the context of the queue", "memory of another context",
           "one of the queue's context");
  }
  const auto flags =
      memory_info<cl_mem_flags>(memory, CL_MEM_FLAGS, "clGetMemObjectInfo(CL_MEM_FLAGS)");
  if (wanted != access::read && (flags & CL_MEM_READ_ONLY) != 0) {
    refuse("must be memory that kernels may write", "CL_MEM_READ_ONLY",
           "CL_MEM_READ_WRITE or CL_MEM_WRITE_ONLY");
  }
  if (wanted != access::write && (flags & CL_MEM_WRITE_ONLY) != 0) {
    refuse("must be memory that kernels may read", "CL_MEM_WRITE_ONLY",
           "CL_MEM_READ_WRITE or CL_MEM_READ_ONLY");
  }
}

/// Bytes that a buffer's first element is known to be aligned to, a power of two up to 128: what
/// every device gives its own memory (CL_DEVICE_MEM_BASE_ADDR_ALIGN is at least 1024 bits, for
/// sub-buffers too), less where the memory is the host's (CL_MEM_USE_HOST_PTR), which only has to
/// be aligned to its elements. Throws opencl_error for an invalid buffer.
inline int base_alignment(cl_mem memory) {
  const auto flags =
      memory_info<cl_mem_flags>(memory, CL_MEM_FLAGS, "clGetMemObjectInfo(CL_MEM_FLAGS)");
  if ((flags & CL_MEM_USE_HOST_PTR) == 0) return 128;
  const auto address = reinterpret_cast<std::uintptr_t>(
      memory_info<void*>(memory, CL_MEM_HOST_PTR, "clGetMemObjectInfo(CL_MEM_HOST_PTR)"));
  return 1 << std::min(7, std::countr_zero(static_cast<std::uint64_t>(address)));
}

}  // namespace clprim::detail
