#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/core/scalar.hpp>
#include <clprim/runtime/device.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/program.hpp>

using namespace clprim;

namespace {

device_facts narrow_device() {
  device_facts facts;
  facts.name = "a narrow device";
  facts.max_work_group = 64;
  facts.max_items = {64, 32, 4};
  return facts;
}

std::vector<std::int32_t> contents(const session& s, const cl::Buffer& buffer, std::size_t count) {
  std::vector<std::int32_t> values(count);
  check(clEnqueueReadBuffer(s.queue(), buffer(), CL_TRUE, 0, count * sizeof values[0],
                            values.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  return values;
}

cl::Buffer zeros(const session& s, std::size_t count) {
  std::vector<std::int32_t> values(count);
  return {s.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count * sizeof values[0],
          values.data()};
}

}  // namespace

TEST_CASE("a launch that fits its device passes") {
  CHECK_NOTHROW(check_launch({1, {128}, {64}}, narrow_device(), "copy"));
  CHECK_NOTHROW(check_launch({3, {64, 8, 4}, {4, 4, 4}}, narrow_device(), "copy"));
  // What lies past the dimensions does not count.
  CHECK_NOTHROW(check_launch({1, {64, 0, 0}, {64, 0, 0}}, narrow_device(), "copy"));
}

TEST_CASE("a launch that does not fit is refused with names and numbers") {
  const device_facts device = narrow_device();
  CHECK_THROWS_WITH_AS(
      check_launch({1, {128}, {128}}, device, "copy"),
      "work-group of kernel copy in dimension 0 has 128 items: a narrow device allows 64",
      device_error);
  CHECK_THROWS_WITH_AS(check_launch({2, {64, 64}, {16, 16}}, device, "copy"),
                       "work-group of kernel copy has 256 items: a narrow device allows 64",
                       device_error);
  CHECK_THROWS_WITH_AS(check_launch({3, {8, 8, 8}, {1, 1, 8}}, device, "copy"),
                       "work-group of kernel copy in dimension 2 has 8 items: a narrow device "
                       "allows 4",
                       device_error);
  CHECK_THROWS_WITH_AS(check_launch({1, {100}, {64}}, device, "copy"),
                       "global size of kernel copy in dimension 0 must be whole work-groups: 100 "
                       "given, a multiple of 64",
                       argument_error);
  CHECK_THROWS_WITH_AS(
      check_launch({2, {64, 0}, {64, 1}}, device, "copy"),
      "global size of kernel copy in dimension 1 must not be empty: 0 given, at least 1",
      argument_error);
  CHECK_THROWS_AS(check_launch({1, {64}, {0}}, device, "copy"), argument_error);
  CHECK_THROWS_WITH_AS(check_launch({0, {64}, {64}}, device, "copy"),
                       "number of dimensions of kernel copy must be in 1..3: 0 given, 1, 2 or 3",
                       argument_error);
  CHECK_THROWS_AS(check_launch({4, {64}, {64}}, device, "copy"), argument_error);
}

TEST_CASE("a kernel runs with buffers, numbers and vectors as arguments") {
  const session s = open_session();
  const auto program =
      build(s.context, s.device,
            "__kernel void f(__global int* y, int a, float2 b, long c) {\n"
            "  y[get_global_id(0)] = get_global_id(0) + a + (int)(b.x * b.y) + c;\n"
            "}\n");
  const cl::Kernel kernel = make_kernel(*program, "f");
  const cl::Buffer y = zeros(s, 8);
  set_args(kernel(), y, 100, std::complex<float>(3, 4), std::int64_t{1000});
  const cl::Event done = enqueue(s.queue(), kernel(), {1, {8}, {4}});
  check(clWaitForEvents(1, &done()), "clWaitForEvents");
  CHECK(contents(s, y, 8) ==
        std::vector<std::int32_t>{1112, 1113, 1114, 1115, 1116, 1117, 1118, 1119});
  set_args(kernel(), y());  // a raw handle is as good as its owner
}

TEST_CASE("an argument of the wrong size is named by its index") {
  const session s = open_session();
  const auto program =
      build(s.context, s.device, "__kernel void f(__global int* y, int a) { y[0] = a; }\n");
  const cl::Kernel kernel = make_kernel(*program, "f");
  const cl::Buffer y = zeros(s, 1);
  CHECK_THROWS_WITH_AS(set_args(kernel(), y, 1.0),
                       "clSetKernelArg of argument 1 failed with CL_INVALID_ARG_SIZE (-51)",
                       opencl_error);
  CHECK_THROWS_WITH_AS(set_args(kernel(), y, 1, 2),
                       "clSetKernelArg of argument 2 failed with CL_INVALID_ARG_INDEX (-49)",
                       opencl_error);
  static_assert(!kernel_argument<bool>);
  static_assert(kernel_argument<half> && kernel_argument<cl::Buffer> && kernel_argument<cl_mem>);
}

TEST_CASE("a launch that the driver refuses is an OpenCL error") {
  const session s = open_session();
  const auto program =
      build(s.context, s.device, "__kernel void f(__global int* y, int a) { y[0] = a; }\n");
  const cl::Kernel kernel = make_kernel(*program, "f");
  CHECK_THROWS_AS(enqueue(nullptr, kernel(), {1, {8}, {4}}), opencl_error);
}

TEST_CASE("on an out-of-order queue kernels and markers wait for their lists") {
  const session s = open_session({}, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto program = build(
      s.context, s.device, "__kernel void f(__global int* y, int a, int b) { *y = *y * a + b; }\n");
  const cl::Buffer y = zeros(s, 1);
  const auto step = [&](int a, int b, std::span<const cl::Event> waits) {
    const cl::Kernel kernel = make_kernel(*program, "f");
    set_args(kernel(), y, a, b);
    return enqueue(s.queue(), kernel(), {1, {1}, {1}}, waits);
  };
  cl_int code = CL_SUCCESS;
  const cl::Event gate(clCreateUserEvent(s.context(), &code), false);
  check(code, "clCreateUserEvent");
  const std::array first{step(0, 3, std::array{gate})};
  const std::array second{step(5, 1, first), first[0]};
  const std::array third{step(2, 0, second)};
  const cl::Event empty = marker(s.queue(), third);
  const cl::Event everything = marker(s.queue());
  check(clFlush(s.queue()), "clFlush");
  const auto status = [](const cl::Event& event) {
    cl_int value = 0;
    check(clGetEventInfo(event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof value, &value, nullptr),
          "clGetEventInfo");
    return value;
  };
  CHECK(status(empty) != CL_COMPLETE);
  CHECK(status(everything) != CL_COMPLETE);
  check(clSetUserEventStatus(gate(), CL_COMPLETE), "clSetUserEventStatus");
  const std::array last{empty(), everything()};
  check(clWaitForEvents(2, last.data()), "clWaitForEvents");
  CHECK(contents(s, y, 1).at(0) == (3 * 5 + 1) * 2);
}
