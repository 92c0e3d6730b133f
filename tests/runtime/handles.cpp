// Plain handles of the C API in place of cl:: objects, at every view and object.

#include <chrono>
#include <complex>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/clprim.hpp>
#include <clprim/runtime/handle.hpp>

#include "support/device.hpp"

using namespace clprim;

TEST_CASE("plain handles make objects and views, and keep their own counts") {
  const session& on = support::device_session();
  const cl_context context = on.context();
  const cl_command_queue queue = on.queue();
  const auto holds = [&] {
    cl_uint count = 0;
    check(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, nullptr),
          "clGetCommandQueueInfo");
    return count;
  };
  const cl_uint before = holds();
  std::vector<float> values(64);
  std::iota(values.begin(), values.end(), 1.f);
  cl_int code = CL_SUCCESS;
  const auto make = [&] {
    const cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                       64 * sizeof(float), values.data(), &code);
    check(code, "clCreateBuffer");
    return made;
  };
  const cl_mem x = make(), y = make(), z = make();
  {
    // [handles]
    clprim::gemm<float> multiply(queue);  // a cl_command_queue
    const auto A = clprim::matrix<float>(x, 2, 2), B = clprim::matrix<float>(y, 2, 2);  // cl_mem
    const cl::Event done = multiply(1, A, B, 0, clprim::matrix<float>(z, 2, 2));
    const cl_event handle = done();  // ends with `done` unless it is retained
    // [end]
    check(clWaitForEvents(1, &handle), "clWaitForEvents");
    multiply.use_workspace(z);
    float c[4];
    check(clEnqueueReadBuffer(queue, z, CL_TRUE, 0, sizeof c, c, 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    CHECK(c[0] == 7);
    CHECK(c[3] == 22);
    CHECK(holds() > before);

    reduce<float> sum(queue);
    CHECK(sum.value(whole<float>(x, 4)) == 10);
    sum(segments<float>(x, 2, 2), y);
    sum(along_axis<float>(x, {2, 2}, 0), y);
    transpose<float> turn(queue);
    turn(A, matrix<float>(y, 2, 2));
    permute<float> reorder(queue);
    reorder(array<float>(x, {2, 2}), {1, 0}, array<float>(y, {2, 2}));
    copy<float> duplicate(queue);
    duplicate(vector<float>(x, 4), vector<float>(y, 4));
    map<float, float> negate(queue, {.map = {"return -x0;", {}}});
    negate({vector<float>(x, 4)}, vector<float>(y, 4));
    convolve<float> blur(queue);
    blur(image<float>(x, 2, 2), filter_2d<float>(1, 1, {2}), image<float>(y, 2, 2));
    blur(signal<float>(x, 4), filter_1d<float>({2}), signal<float>(y, 4));
    blur(image<float>(x, 2, 2), device_filter_2d<float>(1, 1, z), image<float>(y, 2, 2));
    convolve_channels<float> layer(queue);
    layer(nchw<float>(x, 1, 1, 2, 2), nchw<float>(z, 1, 1, 1, 1), nchw<float>(y, 1, 1, 2, 2));
    fft<float> transform(queue);
    transform.forward(array<std::complex<float>>(x, {4}), array<std::complex<float>>(y, {4}));
    pinned<float> host(queue, 4);
    check(clFinish(queue), "clFinish");
  }
  for (const cl_mem memory : {x, y, z}) check(clReleaseMemObject(memory), "clReleaseMemObject");
  // PoCL's threads let go of a command a little after clFinish has returned.
  for (int ms = 0; ms < 5000 && holds() != before; ms += 10)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(holds() == before);
}
