// misbehaving_kernel race|bounds|uninitialised|divergence|none: runs one small kernel with that
// fault, to prove that tests under Oclgrind would fail for it.
#define CL_TARGET_OPENCL_VERSION 120
#include <cstddef>

#include <CL/cl.h>

namespace {

const char* const source = R"(
__kernel void race(__global int* out) {
  __local int shared[4];
  const int i = get_local_id(0);
  shared[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  shared[i] = i;
  out[i] = shared[i ^ 1];
}
__kernel void bounds(__global int* out) { out[get_global_id(0) + 1] = 0; }
__kernel void uninitialised(__global int* out) {
  __local int shared[4];
  const int i = get_local_id(0);
  if (i == 0) shared[i] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = shared[i];
}
__kernel void divergence(__global int* out) {
  const int i = get_local_id(0);
  if (i < 2) barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = i;
}
__kernel void none(__global int* out) { out[get_global_id(0)] = 0; }
)";

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  cl_platform_id platform = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS) return 3;
  cl_device_id device = nullptr;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) return 4;

  cl_int status = CL_SUCCESS;
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  if (status != CL_SUCCESS) return 5;
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  const char* text = source;
  const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &status);
  if (clBuildProgram(program, 1, &device, nullptr, nullptr, nullptr) != CL_SUCCESS) return 6;
  const cl_kernel kernel = clCreateKernel(program, arguments[1], &status);
  if (status != CL_SUCCESS) return 7;

  constexpr std::size_t items = 4;
  const cl_mem out =
      clCreateBuffer(context, CL_MEM_READ_WRITE, items * sizeof(cl_int), nullptr, &status);
  if (clSetKernelArg(kernel, 0, sizeof(out), &out) != CL_SUCCESS) return 8;
  if (clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr) !=
      CL_SUCCESS)
    return 9;
  return clFinish(queue) == CL_SUCCESS ? 0 : 10;
}
