// Times of held calls: what is between two marks is timed, and a device that ran out of calls is
// held again, for longer.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/runtime/find_device.hpp>

#include "../../bench/harness/timing.hpp"

namespace {

/// A device whose calls take a second each, and a hundred behind a hold; `starved`: so often it
/// tells that it had run out of calls.
struct slow_device {
  int starved = 0;
  double now = 0;
  std::vector<double> marks{}, holds{};
  std::size_t most = 0, queued = 0;

  void hold(double seconds) {
    holds.push_back(seconds);
    now += 100;
    queued = 0;
  }
  void call() {
    now += 1;
    most = std::max(most, ++queued);
  }
  void mark() { marks.push_back(now); }
  std::vector<double> release(bool anyhow) {
    std::vector<double> all = std::exchange(marks, {});
    if (starved-- > 0 && !anyhow) all.clear();
    return all;
  }
};

bench::timing timed(slow_device& device, std::size_t warm, std::size_t calls, std::size_t& called) {
  called = 0;
  return bench::time_held(device, warm, calls, [&](std::size_t i) {
    CHECK(i == called++);
    device.call();
  });
}

}  // namespace

TEST_CASE("what a call takes is what lies between marks, in groups of few calls and of many") {
  for (const std::size_t calls : {1u, 2u, 3u, 7u, 60u, 100u, 101u, 500u, 100'000u}) {
    CAPTURE(calls);
    slow_device device;
    std::size_t called = 0;
    const bench::timing t = timed(device, 2, calls, called);
    const std::size_t runs = calls > bench::most_held ? 5 : 1;
    CHECK(t.seconds == std::vector<double>(std::min<std::size_t>(calls, 5), 1.0));
    CHECK(t.series == doctest::Approx(1));
    CHECK(device.holds.size() == runs);
    CHECK(device.most <= bench::most_held + 1);
    CHECK(called <= calls + 2 + runs);  // two that warm, one behind each hold
  }
}

TEST_CASE("a device that ran out of calls is held again for longer, and believed in the end") {
  for (const int starved : {0, 1, 3, 100}) {
    slow_device device{.starved = starved};
    std::size_t called = 0;
    CHECK(timed(device, 1, 10, called).series == doctest::Approx(1));
    CHECK(device.holds.size() == static_cast<std::size_t>(std::min(starved, 3) + 1));
    CHECK(device.holds.back() <= 20e-3);
  }
}

TEST_CASE("an OpenCL device is held until calls are queued, and times a kernel by marks") {
  const clprim::session s = clprim::open_session("cpu");
  const auto program =
      clprim::build(s.context, s.device, "__kernel void nothing(__global int* x) { x[0] = 7; }\n");
  const cl::Kernel kernel = clprim::make_kernel(*program, "nothing");
  cl_int code = CL_SUCCESS;
  const cl::Buffer x(clCreateBuffer(s.context(), CL_MEM_READ_WRITE, 4, nullptr, &code), false);
  REQUIRE(code == CL_SUCCESS);
  clprim::set_args(kernel(), x);
  std::size_t called = 0;
  const bench::timing t =
      bench::time_opencl(s.queue(), bench::clock_kind::device, 3, 20, [&](std::size_t) {
        ++called;
        clprim::enqueue(s.queue(), kernel(), {1, {1, 1, 1}, {1, 1, 1}}, {},
                        clprim::completion::none);
      });
  CHECK(called >= 24);
  REQUIRE(t.seconds.size() == 5);
  for (const double seconds : t.seconds) CHECK(seconds >= 0);
  CHECK(t.series > 0);
  CHECK(t.series < 1e-2);
}
