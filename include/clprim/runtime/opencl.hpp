#pragma once
// The one place that includes OpenCL, and the little that makes its C API fit for C++: the library
// calls the C API on raw handles and owns them by cl:: classes, so it behaves the same with and
// without CL_HPP_ENABLE_EXCEPTIONS.

// An application that has chosen its versions keeps them, and where it has chosen one end the other
// follows. Ours are 1.2 on both ends: the CLHPP of Debian 12 does not compile with a minimum of 120
// and a target of 300 together, and the library needs no more.
#if !defined(CL_HPP_TARGET_OPENCL_VERSION) && !defined(CL_HPP_MINIMUM_OPENCL_VERSION)
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#elif !defined(CL_HPP_MINIMUM_OPENCL_VERSION)
#if CL_HPP_TARGET_OPENCL_VERSION < 200  // CLHPP's default minimum of 200 would be above it
#define CL_HPP_MINIMUM_OPENCL_VERSION CL_HPP_TARGET_OPENCL_VERSION
#endif
#elif !defined(CL_HPP_TARGET_OPENCL_VERSION)
#if CL_HPP_MINIMUM_OPENCL_VERSION < 200  // CLHPP's default target of 300 would be too far above it
#define CL_HPP_TARGET_OPENCL_VERSION CL_HPP_MINIMUM_OPENCL_VERSION
#endif
#endif

#include <clprim/core/language.hpp>

#include <string>
#include <string_view>

#include <CL/opencl.hpp>

#include <clprim/core/error.hpp>

namespace clprim {

/// The CL_ name of an error code, "unknown error" for one that is not in the list.
std::string_view error_name(cl_int code);
#ifndef CLPRIM_COMPILED
CLPRIM_INLINE std::string_view error_name(cl_int code) {
  switch (code) {
#define CLPRIM_NAME(number, name) \
  case number: return #name;
    CLPRIM_NAME(0, CL_SUCCESS)
    CLPRIM_NAME(-1, CL_DEVICE_NOT_FOUND)
    CLPRIM_NAME(-2, CL_DEVICE_NOT_AVAILABLE)
    CLPRIM_NAME(-3, CL_COMPILER_NOT_AVAILABLE)
    CLPRIM_NAME(-4, CL_MEM_OBJECT_ALLOCATION_FAILURE)
    CLPRIM_NAME(-5, CL_OUT_OF_RESOURCES)
    CLPRIM_NAME(-6, CL_OUT_OF_HOST_MEMORY)
    CLPRIM_NAME(-7, CL_PROFILING_INFO_NOT_AVAILABLE)
    CLPRIM_NAME(-8, CL_MEM_COPY_OVERLAP)
    CLPRIM_NAME(-9, CL_IMAGE_FORMAT_MISMATCH)
    CLPRIM_NAME(-10, CL_IMAGE_FORMAT_NOT_SUPPORTED)
    CLPRIM_NAME(-11, CL_BUILD_PROGRAM_FAILURE)
    CLPRIM_NAME(-12, CL_MAP_FAILURE)
    CLPRIM_NAME(-13, CL_MISALIGNED_SUB_BUFFER_OFFSET)
    CLPRIM_NAME(-14, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    CLPRIM_NAME(-15, CL_COMPILE_PROGRAM_FAILURE)
    CLPRIM_NAME(-16, CL_LINKER_NOT_AVAILABLE)
    CLPRIM_NAME(-17, CL_LINK_PROGRAM_FAILURE)
    CLPRIM_NAME(-18, CL_DEVICE_PARTITION_FAILED)
    CLPRIM_NAME(-19, CL_KERNEL_ARG_INFO_NOT_AVAILABLE)
    CLPRIM_NAME(-30, CL_INVALID_VALUE)
    CLPRIM_NAME(-31, CL_INVALID_DEVICE_TYPE)
    CLPRIM_NAME(-32, CL_INVALID_PLATFORM)
    CLPRIM_NAME(-33, CL_INVALID_DEVICE)
    CLPRIM_NAME(-34, CL_INVALID_CONTEXT)
    CLPRIM_NAME(-35, CL_INVALID_QUEUE_PROPERTIES)
    CLPRIM_NAME(-36, CL_INVALID_COMMAND_QUEUE)
    CLPRIM_NAME(-37, CL_INVALID_HOST_PTR)
    CLPRIM_NAME(-38, CL_INVALID_MEM_OBJECT)
    CLPRIM_NAME(-39, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)
    CLPRIM_NAME(-40, CL_INVALID_IMAGE_SIZE)
    CLPRIM_NAME(-41, CL_INVALID_SAMPLER)
    CLPRIM_NAME(-42, CL_INVALID_BINARY)
    CLPRIM_NAME(-43, CL_INVALID_BUILD_OPTIONS)
    CLPRIM_NAME(-44, CL_INVALID_PROGRAM)
    CLPRIM_NAME(-45, CL_INVALID_PROGRAM_EXECUTABLE)
    CLPRIM_NAME(-46, CL_INVALID_KERNEL_NAME)
    CLPRIM_NAME(-47, CL_INVALID_KERNEL_DEFINITION)
    CLPRIM_NAME(-48, CL_INVALID_KERNEL)
    CLPRIM_NAME(-49, CL_INVALID_ARG_INDEX)
    CLPRIM_NAME(-50, CL_INVALID_ARG_VALUE)
    CLPRIM_NAME(-51, CL_INVALID_ARG_SIZE)
    CLPRIM_NAME(-52, CL_INVALID_KERNEL_ARGS)
    CLPRIM_NAME(-53, CL_INVALID_WORK_DIMENSION)
    CLPRIM_NAME(-54, CL_INVALID_WORK_GROUP_SIZE)
    CLPRIM_NAME(-55, CL_INVALID_WORK_ITEM_SIZE)
    CLPRIM_NAME(-56, CL_INVALID_GLOBAL_OFFSET)
    CLPRIM_NAME(-57, CL_INVALID_EVENT_WAIT_LIST)
    CLPRIM_NAME(-58, CL_INVALID_EVENT)
    CLPRIM_NAME(-59, CL_INVALID_OPERATION)
    CLPRIM_NAME(-60, CL_INVALID_GL_OBJECT)
    CLPRIM_NAME(-61, CL_INVALID_BUFFER_SIZE)
    CLPRIM_NAME(-62, CL_INVALID_MIP_LEVEL)
    CLPRIM_NAME(-63, CL_INVALID_GLOBAL_WORK_SIZE)
    CLPRIM_NAME(-64, CL_INVALID_PROPERTY)
    CLPRIM_NAME(-65, CL_INVALID_IMAGE_DESCRIPTOR)
    CLPRIM_NAME(-66, CL_INVALID_COMPILER_OPTIONS)
    CLPRIM_NAME(-67, CL_INVALID_LINKER_OPTIONS)
    CLPRIM_NAME(-68, CL_INVALID_DEVICE_PARTITION_COUNT)
    CLPRIM_NAME(-69, CL_INVALID_PIPE_SIZE)
    CLPRIM_NAME(-70, CL_INVALID_DEVICE_QUEUE)
    CLPRIM_NAME(-71, CL_INVALID_SPEC_ID)
    CLPRIM_NAME(-72, CL_MAX_SIZE_RESTRICTION_EXCEEDED)
    CLPRIM_NAME(-1001, CL_PLATFORM_NOT_FOUND_KHR)
#undef CLPRIM_NAME
    default: return "unknown error";
  }
}
#endif

namespace detail {
[[noreturn]] void fail(cl_int code, std::string call);
#ifndef CLPRIM_COMPILED
CLPRIM_INLINE void fail(cl_int code, std::string call) {
  throw opencl_error(code, std::string(error_name(code)), std::move(call));
}
#endif
}  // namespace detail

/// Throws opencl_error naming the call unless the code is CL_SUCCESS.
inline void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS) [[unlikely]]
    detail::fail(code, call);
}

/// Shares ownership of a queue that came from elsewhere as a raw handle.
inline cl::CommandQueue retained(cl_command_queue queue) { return cl::CommandQueue(queue, true); }

/// Shares ownership of a buffer that came from elsewhere as a raw handle.
inline cl::Buffer retained(cl_mem memory) { return cl::Buffer(memory, true); }

}  // namespace clprim
