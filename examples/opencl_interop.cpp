// clprim in a program that speaks plain C OpenCL: its context, queue, buffers, kernels and events.
//
// A kernel of the program's own fills a matrix, clprim multiplies it with its transpose, and
// another kernel of the program's own sums the diagonal. Nothing is wrapped: clprim takes
// cl_command_queue and cl_mem, and hands back events.

#include <cstdio>
#include <exception>
#include <vector>

#include <clprim/gemm.hpp>

#include "support/usage.hpp"

namespace {

constexpr int size = 128;

constexpr const char* source = R"cl(
__kernel void fill(__global float *x) { x[get_global_id(0)] = (get_global_id(0) % 7) / 8.0f; }
__kernel void trace(const __global float *x, __global float *sum, const int size)
{
    float t = 0;
    for (int i = 0; i < size; ++i) t += x[i * size + i];
    *sum = t;
}
)cl";

/// What a C program does after each call.
void must(cl_int code) { clprim::check(code, "a call of this example"); }

}  // namespace

int main(int argc, char** argv) try {
  if (examples::told_usage(argc, argv, "clprim beside plain C OpenCL: shared queue and buffers."))
    return 0;

  // The program's own OpenCL, by the C API.
  const cl_device_id device = clprim::choose_device()();  // honours CLPRIM_DEVICE
  cl_int code = CL_SUCCESS;
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  must(code);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // the call that OpenCL 1.2 has too
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
#pragma GCC diagnostic pop
  must(code);
  const char* text = source;
  const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
  must(code);
  must(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  const cl_kernel fill = clCreateKernel(program, "fill", &code);
  const cl_kernel trace = clCreateKernel(program, "trace", &code);
  const std::size_t bytes = sizeof(float) * size * size, items = size * size, one = 1;
  const cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
  const cl_mem c = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
  const cl_mem sum = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(float), nullptr, &code);
  must(code);

  must(clSetKernelArg(fill, 0, sizeof a, &a));
  cl_event filled = nullptr;
  must(clEnqueueNDRangeKernel(queue, fill, 1, nullptr, &items, nullptr, 0, nullptr, &filled));

  // clprim on the same queue and buffers: C = A Aᵀ after the program's kernel.
  float total = 0;
  {
    clprim::gemm<float> multiply(queue);  // retains the queue as long as it lives
    const auto A = clprim::matrix<float>(a, size, size);
    const cl::Event product = multiply(1, A, transposed(A), 0, clprim::matrix<float>(c, size, size),
                                       {cl::Event(filled, true)});  // true: shared, not taken over

    // And the program's own kernel after clprim's.
    const cl_event done = product();
    const cl_int n = size;
    must(clSetKernelArg(trace, 0, sizeof c, &c));
    must(clSetKernelArg(trace, 1, sizeof sum, &sum));
    must(clSetKernelArg(trace, 2, sizeof n, &n));
    must(clEnqueueNDRangeKernel(queue, trace, 1, nullptr, &one, nullptr, 1, &done, nullptr));
    must(clEnqueueReadBuffer(queue, sum, CL_TRUE, 0, sizeof total, &total, 0, nullptr, nullptr));
  }

  double exact = 0;  // the trace of A Aᵀ is the sum of squares, and every term is exact
  for (int i = 0; i < size * size; ++i) exact += (i % 7) * (i % 7) / 64.0;
  std::printf("trace of A times its transpose: %.4f, expected %.4f\n", static_cast<double>(total),
              exact);

  clReleaseEvent(filled);
  for (const cl_mem memory : {a, c, sum}) clReleaseMemObject(memory);
  for (const cl_kernel kernel : {fill, trace}) clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return std::abs(static_cast<double>(total) - exact) <= 1e-4 * exact ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
