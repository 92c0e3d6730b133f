// The library's own choices on devices with small or odd limits, which a layer between the library
// and PoCL reports and keeps: every launch and every program within them, and every result right.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/clprim.hpp>

#include "faults/opencl_faults.hpp"
#include "support/builds.hpp"
#include "support/device.hpp"

using namespace clprim;
using support::device_copy, support::device_limits, support::with_limits;

namespace {

std::vector<float> contents(const session& s, const cl::Buffer& b, std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  check(clFinish(s.queue()), "clFinish");
  check(clEnqueueReadBuffer(s.queue(), b(), CL_TRUE, 0, values.size() * sizeof(float),
                            values.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  return values;
}
/// Small integers, whose sums and products float holds exactly.
std::vector<float> integers(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 7 % 11) - 5;
  return values;
}

void check_products(const session& s) {
  struct shape {
    int m, n, k;
  };
  for (const shape p : {shape{70, 65, 50}, {3, 200, 17}, {130, 9, 1}, {16, 16, 3000}}) {
    const auto a = integers(p.m * p.k), b = integers(p.k * p.n);
    const cl::Buffer A = device_copy(s, a), B = device_copy(s, b),
                     C = device_copy(s, integers(p.m * p.n));
    gemm<float> multiply(s.queue);
    multiply(1, matrix<float>(A, p.m, p.k), matrix<float>(B, p.k, p.n), 0,
             matrix<float>(C, p.m, p.n));
    std::vector<float> expected;
    for (int i = 0; i < p.m; ++i)
      for (int j = 0; j < p.n; ++j) {
        float sum = 0;
        for (int l = 0; l < p.k; ++l)
          sum +=
              a[static_cast<std::size_t>(i * p.k + l)] * b[static_cast<std::size_t>(l * p.n + j)];
        expected.push_back(sum);
      }
    CAPTURE(p.m);
    CHECK(contents(s, C, p.m * p.n) == expected);
  }
}

void check_sums(const session& s) {
  constexpr std::int64_t rows = 37, cols = 1003, n = rows * cols;
  const auto x = integers(n);
  const cl::Buffer X = device_copy(s, x), Y = device_copy(s, integers(cols));
  reduce<float> sum(s.queue);
  std::vector<float> of_rows(rows), of_columns(cols);
  float all = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    of_rows[i / cols] += x[i];
    of_columns[i % cols] += x[i];
    all += x[i];
  }
  CHECK(sum.value(whole<float>(X, n)) == all);
  sum(each_row(matrix<float>(X, rows, cols)), Y);
  CHECK(contents(s, Y, rows) == of_rows);
  sum(each_column(matrix<float>(X, rows, cols)), Y);
  CHECK(contents(s, Y, cols) == of_columns);
  reduce<float, op::argmax> most(s.queue);
  CHECK(most.value(whole<float>(X, n)).index == std::max_element(x.begin(), x.end()) - x.begin());
}

void check_turns(const session& s) {
  const auto turned = [](const std::vector<float>& x, std::size_t rows, std::size_t cols) {
    std::vector<float> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) y[i % cols * rows + i / cols] = x[i];
    return y;
  };
  const auto x = integers(130 * 75);
  const cl::Buffer X = device_copy(s, x), Y = device_copy(s, integers(130 * 75));
  transpose<float> turn(s.queue);
  turn(matrix<float>(X, 130, 75), matrix<float>(Y, 75, 130));
  CHECK(contents(s, Y, 130 * 75) == turned(x, 130, 75));
  turn.in_place(matrix<float>(X, 130, 75));
  CHECK(contents(s, X, 130 * 75) == turned(x, 130, 75));
  turn.in_place(matrix<float>(Y, 90, 90));
  const std::vector<float> moved = turned(x, 130, 75);
  CHECK(contents(s, Y, 90 * 90) == turned({moved.begin(), moved.begin() + 90 * 90}, 90, 90));
  const cl::Buffer P = device_copy(s, integers(12 * 10 * 8)),
                   Q = device_copy(s, integers(12 * 10 * 8));
  permute<float> order(s.queue);
  order(array<float>(P, {12, 10, 8}), {2, 0, 1}, array<float>(Q, {8, 12, 10}));
  CHECK(contents(s, Q, 960) == turned(integers(960), 120, 8));
}

void check_copies(const session& s) {
  const auto x = integers(5003);
  const cl::Buffer X = device_copy(s, x), Y = device_copy(s, std::vector<float>(5003));
  copy<float> move(s.queue);
  move(vector<float>(X, 5003), vector<float>(Y, 5003));
  CHECK(contents(s, Y, 5003) == x);
}

/// Against loops over a filter of `taps` x `taps`, zero beyond the border.
void check_filters(const session& s) {
  constexpr int width = 90, height = 60;
  const auto x = integers(width * height);
  const cl::Buffer X = device_copy(s, x), Y = device_copy(s, std::vector<float>(width * height));
  const auto at = [&](int r, int c) {
    return r < 0 || c < 0 || r >= height || c >= width ? 0.f
                                                       : x[static_cast<std::size_t>(r * width + c)];
  };
  for (const bool separable : {false, true})
    for (const int taps : {1, 3, 5, 9, 17, 31}) {
      if (!separable && taps > 17) continue;
      std::vector<float> line;
      for (int i = 0; i < taps; ++i) line.push_back(static_cast<float>(i % 3) - 1);
      std::vector<float> dense;
      for (const float down : line)
        for (const float along : line) dense.push_back(down * along);
      convolve_options options;
      options.border = border_mode::constant;
      convolve<float> smooth(s.queue, options);
      const auto in = image<float>(X, height, width), out = image<float>(Y, height, width);
      if (separable)
        smooth(in, separable_filter<float>(line, line), out);
      else
        smooth(in, filter_2d<float>(taps, taps, dense), out);
      std::vector<float> expected;
      for (int r = 0; r < height; ++r)
        for (int c = 0; c < width; ++c) {
          float sum = 0;
          for (int i = 0; i < taps; ++i)
            for (int j = 0; j < taps; ++j)
              sum += dense[static_cast<std::size_t>(i * taps + j)] *
                     at(r + i - taps / 2, c + j - taps / 2);
          expected.push_back(sum);
        }
      CAPTURE(taps);
      CAPTURE(separable);
      CHECK(contents(s, Y, width * height) == expected);
    }
}

/// A wave of 3 turns is one value of the spectrum: n at place 3.
void check_transforms(const session& s) {
  for (const std::int64_t n : {16, 60, 127, 1000, 1024, 4096, 5003}) {
    std::vector<float> x;
    for (std::int64_t i = 0; i < n; ++i) {
      const double angle =
          2 * std::numbers::pi * static_cast<double>(3 * i % n) / static_cast<double>(n);
      x.push_back(static_cast<float>(std::cos(angle)));
      x.push_back(static_cast<float>(std::sin(angle)));
    }
    const cl::Buffer X = device_copy(s, x), Y = device_copy(s, std::vector<float>(x.size()));
    fft<float> transform(s.queue);
    transform.forward(array<std::complex<float>>(X, {n}), array<std::complex<float>>(Y, {n}));
    const std::vector<float> got = contents(s, Y, 2 * n);
    double error = 0;
    for (std::int64_t k = 0; k < n; ++k)
      error +=
          std::hypot(got[static_cast<std::size_t>(2 * k)] - (k == 3 ? static_cast<float>(n) : 0.f),
                     got[static_cast<std::size_t>(2 * k + 1)]) /
          static_cast<double>(n);
    CAPTURE(n);
    CHECK(error < 2e-6 * std::sqrt(static_cast<double>(n)) * std::log2(static_cast<double>(n)));
  }
}

/// Every door on the device as it is assumed to be.
void run_doors(const session& s) {
  const auto run = [&](const std::string& door, void (*work)(const session&)) {
    CAPTURE(door);
    try {
      work(s);
    } catch (const std::exception& e) {
      FAIL_CHECK(door, " threw: ", std::string(e.what()));
    }
  };
  run("gemm", check_products);
  run("reduce", check_sums);
  run("transpose", check_turns);
  run("copy", check_copies);
  run("convolve", check_filters);
  run("fft", check_transforms);
}

void check_none_refused(const std::vector<std::string>& refused) {
  std::string all;
  for (const std::string& one : refused) all += one + "\n";
  CHECK_MESSAGE(all.empty(), "refused: " << all);
}

cl::Kernel kernel_of(const session& s, std::size_t local_bytes) {
  const auto built =
      build(s.context, s.device,
            "__kernel void f(__global float *x) { __local float y[" +
                std::to_string(local_bytes / sizeof(float)) +
                "]; y[get_local_id(0)] = x[0]; barrier(CLK_LOCAL_MEM_FENCE); x[0] = y[0]; }");
  return make_kernel(*built, "f");
}
/// Of local memory, as the driver tells; PoCL 5.0: always 0.
std::size_t told_bytes(const session& s, const cl::Kernel& kernel) {
  cl_ulong told = 0;
  check(clGetKernelWorkGroupInfo(kernel(), s.device(), CL_KERNEL_LOCAL_MEM_SIZE, sizeof told, &told,
                                 nullptr),
        "clGetKernelWorkGroupInfo");
  return told;
}
/// What it adds: NVIDIA's 1 KB from compute capability 8.0 on.
std::size_t driver_bytes(const session& s) {
  const std::size_t told = told_bytes(s, kernel_of(s, sizeof(float)));
  return told - std::min(told, sizeof(float));
}

void check_doors(device_limits limits) {
  const support::unoptimised_builds quickly;
  const session& s = support::device_session();
  limits.driver_bytes = driver_bytes(s);
  if (facts_of(s.device).kind == device_kind::gpu) limits.is_gpu = true;
  CAPTURE(limits.local_bytes);
  CAPTURE(limits.group);
  CAPTURE(limits.is_gpu);
  CAPTURE(limits.has_double);
  const bool loses_guards = facts_of(s.device).loses_guards;
  check_none_refused(with_limits(limits, [&] {
    device_facts facts = facts_of(s.device);
    CHECK(facts.local_bytes == static_cast<std::int64_t>(limits.local_bytes));
    CHECK(facts.max_work_group == static_cast<int>(limits.group));
    CHECK(facts.fp64 == limits.has_double);
    CHECK((facts.kind == device_kind::gpu) == limits.is_gpu);
    CHECK(facts.max_allocation_bytes == static_cast<std::int64_t>(limits.buffer_bytes));
    facts.loses_guards = loses_guards;  // the compiler's, whatever device the layer makes of it
    const assume_device as_if(facts);
    run_doors(s);
  }));
}

}  // namespace

TEST_CASE("limits that a layer reports are kept by it") {
  const session& s = support::device_session();
  const std::size_t by_driver = driver_bytes(s);
  std::size_t told = 0;
  const auto launch = [&](std::size_t items, std::size_t local) {
    return with_limits({.local_bytes = 1024, .group = 8, .driver_bytes = by_driver}, [&] {
      const cl::Kernel kernel = kernel_of(s, local);
      const cl::Buffer x = device_copy(s, std::vector{1.f});
      check(clSetKernelArg(kernel(), 0, sizeof(cl_mem), &x()), "clSetKernelArg");
      told = told_bytes(s, kernel);
      clEnqueueNDRangeKernel(s.queue(), kernel(), 1, nullptr, &items, &items, 0, nullptr, nullptr);
      check(clFinish(s.queue()), "clFinish");
    });
  };
  CAPTURE(by_driver);
  CHECK(launch(8, 1024).empty());
  CAPTURE(told);
  CHECK(launch(9, 1024) == std::vector<std::string>{"a group of 9 items"});
  const std::vector<std::string> too_large = launch(8, 1028);
  if (told > 0)
    CHECK(too_large == std::vector<std::string>{"1028 bytes of local memory"});
  else
    MESSAGE("this driver does not tell what local memory a kernel has: not limited");
  const auto buffer = [&](std::size_t bytes) {
    return with_limits({.local_bytes = 1024, .group = 8, .buffer_bytes = 64}, [&] {
      cl_int code = CL_SUCCESS;
      const cl::Buffer made(clCreateBuffer(s.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code),
                            false);
      CHECK((code == CL_SUCCESS) == (bytes <= 64));
      CHECK(detail::device_value<cl_uint>(s.device(), CL_DEVICE_ADDRESS_BITS) == 32);
    });
  };
  CHECK(buffer(64).empty());
  CHECK(buffer(65) == std::vector<std::string>{"a buffer of 65 bytes"});
  CHECK_THROWS(with_limits({.local_bytes = 1024, .group = 8, .has_double = false}, [&] {
    (void)build(s.context, s.device,
                "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n__kernel void none(void) {}");
  }));
}

TEST_CASE("every door chooses groups of one item on a CPU, of whatever size they may be") {
  const session& s = support::device_session();
  const device_facts facts = facts_of(s.device);
  if (facts.kind != device_kind::cpu) return;
  // As Mesa's: parts of products are added by a second kernel, of larger groups without barriers.
  if (facts.vendor == vendor::unknown) return;
  const assume_device as_if(facts);
  check_none_refused(with_limits({.local_bytes = 1 << 20, .group = 1}, [&] { run_doors(s); }));
}
TEST_CASE("every door chooses within 8 KB and groups of one item, and is right") {
  check_doors({.local_bytes = 8192, .group = 1});
}
TEST_CASE("every door chooses within 32 KB and groups of 12 items without double, and is right") {
  check_doors({.local_bytes = 32768, .group = 12, .is_gpu = true, .has_double = false});
}
TEST_CASE("every door chooses within 16 KB and groups of 64 items, and is right") {
  check_doors({.local_bytes = 16384, .group = 64, .is_gpu = true});
}
TEST_CASE("every door chooses within any small limits, and is right, in the long run") {
  if (std::getenv("CLPRIM_CAMPAIGN") == nullptr) {
    MESSAGE("not tried: set CLPRIM_CAMPAIGN for it, which takes minutes");
    return;
  }
  for (const bool is_gpu : {false, true})
    for (const std::size_t local : {8192u, 16384u, 32768u})
      for (const std::size_t group : {1u, 12u, 64u, 128u, 256u})
        check_doors(
            {.local_bytes = local, .group = group, .is_gpu = is_gpu, .has_double = local != 16384});
}
