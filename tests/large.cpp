// More than 2^31 elements at every door, where the device has the memory: GPUs of 40 GB and more.
// Contents are formulas of the element's number, written and counted by kernels of this file.

#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/clprim.hpp>

#include "support/device.hpp"

using namespace clprim;

namespace {

constexpr std::int64_t past = std::int64_t{1} << 31;

/// One array of so many elements; `value` in OpenCL C is the element number i, of type ulong.
class formula_array {
 public:
  formula_array(const session& s, std::int64_t count, std::string type, std::size_t element_bytes)
    : s_(s), count_(count), type_(std::move(type)) {
    cl_int code = CL_SUCCESS;
    memory_ =
        cl::Buffer(clCreateBuffer(s.context(), CL_MEM_READ_WRITE,
                                  static_cast<std::size_t>(count) * element_bytes, nullptr, &code),
                   false);
    check(code, "clCreateBuffer");
  }
  const cl::Buffer& buffer() const { return memory_; }

  void fill(const std::string& value) const {
    const std::string text =
        "__kernel void fill(__global T *x, const ulong n, __global uint *wrong)\n"
        "{\n    for (ulong i = get_global_id(0); i < n; i += " +
        std::to_string(items) + ")\n        x[i] = " + value + ";\n}\n";
    run(text, "fill");
  }
  /// How many elements are not the value, or fail the condition, which names the element x[i].
  std::int64_t wrong(const std::string& value) const { return failing("x[i] == (" + value + ")"); }
  std::int64_t failing(const std::string& condition) const {
    const std::string text =
        "__kernel void count(__global T *x, const ulong n, __global uint *wrong)\n"
        "{\n    for (ulong i = get_global_id(0); i < n; i += " +
        std::to_string(items) + ")\n        if (!(" + condition + ")) atomic_inc(wrong);\n}\n";
    return run(text, "count");
  }

 private:
  static constexpr std::size_t items = std::size_t{1} << 20;

  std::int64_t run(const std::string& text, const char* name) const {
    const auto built = build(s_.context, s_.device, "#define T " + type_ + "\n" + text);
    const cl::Kernel kernel = make_kernel(*built, name);
    cl_uint count = 0;
    cl_int code = CL_SUCCESS;
    const cl::Buffer counter(clCreateBuffer(s_.context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                            sizeof count, &count, &code),
                             false);
    check(code, "clCreateBuffer");
    const auto n = static_cast<cl_ulong>(count_);
    check(clSetKernelArg(kernel(), 0, sizeof(cl_mem), &memory_()), "clSetKernelArg");
    check(clSetKernelArg(kernel(), 1, sizeof n, &n), "clSetKernelArg");
    check(clSetKernelArg(kernel(), 2, sizeof(cl_mem), &counter()), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(s_.queue(), kernel(), 1, nullptr, &items, nullptr, 0, nullptr,
                                 nullptr),
          "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(s_.queue(), counter(), CL_TRUE, 0, sizeof count, &count, 0, nullptr,
                              nullptr),
          "clEnqueueReadBuffer");
    return count;
  }

  const session& s_;
  std::int64_t count_;
  std::string type_;
  cl::Buffer memory_;
};

/// Whether the device has room for these tests; says so where it has not.
bool has_room(const session& s) {
  const device_facts facts = facts_of(s.device);
  const bool has = facts.kind == device_kind::gpu && facts.global_bytes >= std::int64_t{40} << 30 &&
                   facts.max_allocation_bytes >= std::int64_t{18} << 30;
  if (!has) MESSAGE("more than 2^31 elements are not tried on " << facts.name);
  return has;
}

void finish(const cl::Event& done) { check(clWaitForEvents(1, &done()), "clWaitForEvents"); }

}  // namespace

TEST_CASE("more than 2^31 elements are copied") {
  const session& s = support::device_session();
  if (!has_room(s)) return;
  const std::int64_t n = past + 100003;
  const formula_array x(s, n, "uchar", 1), y(s, n, "uchar", 1);
  x.fill("(uchar)(i % 251)");
  y.fill("(uchar)255");
  copy<std::uint8_t> move(s.queue);
  finish(move(vector<std::uint8_t>(x.buffer(), n), vector<std::uint8_t>(y.buffer(), n)));
  CHECK(y.wrong("(uchar)(i % 251)") == 0);
  CHECK(y.wrong("(uchar)(i % 250)") > 0);  // the judge sees
}

TEST_CASE("more than 2^31 elements are transposed") {
  const session& s = support::device_session();
  if (!has_room(s)) return;
  const std::int64_t rows = 46411, cols = 46349;
  const formula_array x(s, rows * cols, "uchar", 1), y(s, rows * cols, "uchar", 1);
  x.fill("(uchar)((i / 46349 * 31 + i % 46349 * 7) % 251)");
  y.fill("(uchar)255");
  transpose<std::uint8_t> turn(s.queue);
  finish(turn(matrix<std::uint8_t>(x.buffer(), rows, cols),
              matrix<std::uint8_t>(y.buffer(), cols, rows)));
  CHECK(y.wrong("(uchar)((i % 46411 * 31 + i / 46411 * 7) % 251)") == 0);
}

TEST_CASE("more than 2^31 elements are summed, and the place of the greatest is told") {
  const session& s = support::device_session();
  if (!has_room(s)) return;
  const std::int64_t n = past + 100003, at = past + 4321;
  const formula_array x(s, n, "uchar", 1);
  x.fill("i == " + std::to_string(at) + "UL ? (uchar)255 : (uchar)(i % 251)");
  reduce<std::uint8_t, op::several<op::sum<>, op::argmax>> both(s.queue);
  const auto [sum, most] = both.value(whole<std::uint8_t>(x.buffer(), n));
  const std::int64_t rounds = n / 251, rest = n % 251;
  CHECK(static_cast<std::int64_t>(sum) ==
        rounds * (251 * 250 / 2) + rest * (rest - 1) / 2 - at % 251 + 255);
  CHECK(most.index == at);
}

TEST_CASE("a product of more than 2^31 elements is exact") {
  const session& s = support::device_session();
  if (!has_room(s)) return;
  const std::int64_t m = 46411, n = 46349;
  const formula_array a(s, m * 2, "float", 4), b(s, 2 * n, "float", 4), c(s, m * n, "float", 4);
  a.fill("i % 2 == 0 ? (float)(i / 2 % 127) : 1.0f");
  b.fill("i < 46349 ? (float)(i % 113) : (float)((i - 46349) % 7)");
  c.fill("-1.0f");
  gemm<float> multiply(s.queue);
  finish(multiply(1, matrix<float>(a.buffer(), m, 2), matrix<float>(b.buffer(), 2, n), 0,
                  matrix<float>(c.buffer(), m, n)));
  CHECK(c.wrong("(float)(i / 46349 % 127 * (i % 46349 % 113) + i % 46349 % 7)") == 0);
}

TEST_CASE("more than 2^31 points are transformed in place") {
  const session& s = support::device_session();
  if (!has_room(s)) return;
  constexpr std::int64_t n = 1024, batch = past / n + 3;
  const formula_array x(s, batch * n, "float2", 8);
  // One point of each transform, at its number modulo n: a wave of that many turns.
  x.fill("i % 1024 == i / 1024 % 1024 ? (float2)((float)(i / 1024 % 7 + 1), 0) : (float2)(0, 0)");
  fft<float> transform(s.queue);
  const auto all = array<std::complex<float>>(x.buffer(), {batch, n});
  finish(transform.forward(all, all));
  // 12 roundings of numbers up to 7, far below this.
  const std::string turns = "(float)(i % 1024 * (i / 1024 % 1024) % 1024) / -512.0f";
  const std::string most = "(float)(i / 1024 % 7 + 1)";
  CHECK(x.failing("fabs(x[i].x - " + most + " * cospi(" + turns + ")) + fabs(x[i].y - " + most +
                  " * sinpi(" + turns + ")) < 3e-5f") == 0);
}

TEST_CASE("an image of more than 2^31 pixels is convolved") {
  const session& s = support::device_session();
  if (!has_room(s)) return;
  const std::int64_t width = 65549, height = 32771;
  const formula_array x(s, width * height, "float", 4), y(s, width * height, "float", 4);
  x.fill("(float)(i % 65549 % 60 + i / 65549 % 50)");
  y.fill("-1.0f");
  convolve<float> smooth(s.queue);
  finish(smooth(image<float>(x.buffer(), height, width),
                filter_2d<float>(3, 3, {0, 0, 0, 0, 1, 2, 0, 4, 0}),
                image<float>(y.buffer(), height, width)));
  // Away from the borders; the filter is laid on as it is, not turned.
  CHECK(y.failing("i % 65549 == 0 || i % 65549 == 65548 || i / 65549 == 0 || i / 65549 == 32770 || "
                  "x[i] == (float)(i % 65549 % 60 + i / 65549 % 50 + 2 * ((i + 1) % 65549 % 60 + "
                  "i / 65549 % 50) + 4 * (i % 65549 % 60 + (i / 65549 + 1) % 50))") == 0);
}
