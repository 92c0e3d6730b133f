#include <doctest/doctest.h>

#include <clprim/runtime/device.hpp>
#include <clprim/runtime/opencl.hpp>

using namespace clprim;

TEST_CASE("error codes have their CL_ names") {
  CHECK(error_name(CL_SUCCESS) == "CL_SUCCESS");
  CHECK(error_name(CL_OUT_OF_RESOURCES) == "CL_OUT_OF_RESOURCES");
  CHECK(error_name(CL_INVALID_ARG_SIZE) == "CL_INVALID_ARG_SIZE");
  CHECK(error_name(CL_INVALID_DEVICE_PARTITION_COUNT) == "CL_INVALID_DEVICE_PARTITION_COUNT");
  CHECK(error_name(-1001) == "CL_PLATFORM_NOT_FOUND_KHR");
  CHECK(error_name(-12345) == "unknown error");
}

TEST_CASE("check throws the code and the call, and only for a failure") {
  CHECK_NOTHROW(check(CL_SUCCESS, "clFinish"));
  CHECK_THROWS_WITH_AS(check(CL_INVALID_VALUE, "clFinish"),
                       "clFinish failed with CL_INVALID_VALUE (-30)", opencl_error);
}

TEST_CASE("raw handles of another library are shared, not taken") {
  const session s = open_session();
  const auto count = [&](const cl::CommandQueue& queue) {
    cl_uint references = 0;
    check(clGetCommandQueueInfo(queue(), CL_QUEUE_REFERENCE_COUNT, sizeof references, &references,
                                nullptr),
          "clGetCommandQueueInfo");
    return references;
  };
  const cl_uint before = count(s.queue);
  {
    const cl::CommandQueue shared = retained(s.queue());
    CHECK(shared() == s.queue());
    CHECK(count(shared) == before + 1);
  }
  CHECK(count(s.queue) == before);

  cl_int code = CL_SUCCESS;
  const cl_mem raw = clCreateBuffer(s.context(), CL_MEM_READ_WRITE, 64, nullptr, &code);
  check(code, "clCreateBuffer");
  const cl::Buffer buffer = retained(raw);
  check(clReleaseMemObject(raw), "clReleaseMemObject");
  std::size_t size = 0;
  check(clGetMemObjectInfo(buffer(), CL_MEM_SIZE, sizeof size, &size, nullptr),
        "clGetMemObjectInfo");
  CHECK(size == 64);
}
