// Products among other commands: wait lists, queues that keep no order, threads, raw handles.

#include <array>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "gemm/product.hpp"
#include "support/device.hpp"

using namespace clprim;
using namespace support;

namespace {

constexpr gemm_policy whole{.tile_m = 16,
                            .tile_n = 16,
                            .tile_k = 8,
                            .per_item_m = 2,
                            .per_item_n = 4,
                            .lanes_m = 2,
                            .lanes_n = 2,
                            .vector_m = 2};
constexpr gemm_policy in_parts = [] {
  gemm_policy p = whole;
  p.split_k = 4;
  return p;
}();

constexpr int n = 33;

/// n x n floats on the device.
class square {
 public:
  square(const session& s, float value)
    : buffer_(s, std::vector<float>(n * n, value), not_a_number<float>()) {}
  matrix_view<float> view() const { return matrix<float>(buffer_.buffer(), n, n); }
  bool holds(float value) { return buffer_.read() == std::vector<float>(n * n, value); }

 private:
  guarded_buffer<float> buffer_;
};

cl_int status_of(const cl::Event& event) {
  cl_int value = 0;
  check(clGetEventInfo(event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof value, &value, nullptr),
        "clGetEventInfo");
  return value;
}

}  // namespace

TEST_CASE("the same product twice has the same bits, split or not, in one object or another") {
  const session& s = device_session();
  product p{.m = 45, .n = 38, .k = 301};
  for (const gemm_policy& policy : {whole, in_parts}) {
    gemm<float> one(s.queue, {.policy = policy}), other(s.queue, {.policy = policy});
    CHECK(complaint_about<float>(s, one, p) == "");  // runs it twice
    draw d(7);
    std::vector<float> a(45 * 301), b(301 * 38);
    for (float& x : a) x = random_element<float>(d);
    for (float& x : b) x = random_element<float>(d);
    guarded_buffer<float> A(s, a, 0.f), B(s, b, 0.f);
    const auto result = [&](gemm<float>& multiply) {
      guarded_buffer<float> C(s, std::vector<float>(45 * 38), 0.f);
      multiply(1, matrix<float>(A.buffer(), 45, 301), matrix<float>(B.buffer(), 301, 38), 0,
               matrix<float>(C.buffer(), 45, 38));
      return C.read();
    };
    const std::vector<float> first = result(one), second = result(other);
    CHECK(same_bits(first.data(), second.data(), first.size()));
  }
}

TEST_CASE(
    "on a queue that keeps no order products wait for their lists, split ones for each other") {
  const session& s = out_of_order_session();
  for (const gemm_policy& policy : {whole, in_parts}) {
    gemm<float> multiply(s.queue, {.policy = policy});
    square ones(s, 1), x(s, 0), y(s, 0), z(s, 0), w(s, 0);
    const cl::Event gate = user_event(s);
    // w depends on z on y on x on the gate; between them the object and its workspace are used for
    // other products, which must not disturb.
    const cl::Event ready = multiply(1, ones.view(), ones.view(), 0, x.view(), {gate});
    const cl::Event next = multiply(2, x.view(), ones.view(), 0, y.view(), {ready});
    const cl::Event free_one = multiply(3, ones.view(), ones.view(), 0, z.view());
    const cl::Event last = multiply(1, ones.view(), ones.view(), 1, z.view(), {free_one, next});
    const cl::Event end = multiply(1, ones.view(), z.view(), 0, w.view(), {last});
    check(clFlush(s.queue()), "clFlush");
    CHECK(status_of(ready) != CL_COMPLETE);
    CHECK(status_of(end) != CL_COMPLETE);
    check(clSetUserEventStatus(gate(), CL_COMPLETE), "clSetUserEventStatus");
    wait_for(end);
    CHECK(x.holds(n));
    CHECK(y.holds(2 * n * n));
    CHECK(z.holds(4 * n));
    CHECK(w.holds(4 * n * n));
  }
}

TEST_CASE("split products of growing size share one workspace on a queue that keeps no order") {
  const session& s = out_of_order_session();
  gemm<float> multiply(s.queue, {.policy = in_parts});
  struct run {
    int size;
    guarded_buffer<float> a, b, c;
  };
  std::vector<run> runs;
  for (const int size : {17, 33, 64, 20})
    runs.push_back({size,
                    {s, std::vector<float>(static_cast<std::size_t>(size) * 40, 1.f), 0.f},
                    {s, std::vector<float>(static_cast<std::size_t>(size) * 40, 2.f), 0.f},
                    {s, std::vector<float>(static_cast<std::size_t>(size * size), 0.f), 0.f}});
  for (int round = 0; round < 3; ++round) {
    for (run& r : runs)
      multiply(1, matrix<float>(r.a.buffer(), r.size, 40), matrix<float>(r.b.buffer(), 40, r.size),
               0, matrix<float>(r.c.buffer(), r.size, r.size));
  }
  check(clFinish(s.queue()), "clFinish");
  for (run& r : runs)
    CHECK(r.c.read() == std::vector<float>(static_cast<std::size_t>(r.size * r.size), 80.f));
  CHECK(multiply.workspace_held() >= std::size_t{4} * 64 * 64 * sizeof(float));
}

TEST_CASE("on a queue in order each product sees what the one before wrote") {
  const session& s = device_session();
  gemm<float> multiply(s.queue, {.policy = in_parts});
  square ones(s, 1), x(s, 0), y(s, 0);
  multiply(1, ones.view(), ones.view(), 0, x.view());
  multiply(1, x.view(), ones.view(), 0, y.view());
  const cl::Event end = multiply(1, ones.view(), ones.view(), 1, y.view());
  wait_for(end);
  CHECK(y.holds(n * n + n));
}

TEST_CASE("an empty product on a queue that keeps no order completes after its wait list") {
  const session& s = out_of_order_session();
  gemm<float> multiply(s.queue);
  const cl::Event gate = user_event(s);
  const auto none = matrix<float>(cl::Buffer(), 0, 0);
  const cl::Event done = multiply(1, none, none, 0, none, {gate});
  check(clFlush(s.queue()), "clFlush");
  CHECK(status_of(done) != CL_COMPLETE);
  check(clSetUserEventStatus(gate(), CL_COMPLETE), "clSetUserEventStatus");
  wait_for(done);
}

TEST_CASE("threads with an object each do not disturb each other") {
  const session& s = device_session();
  constexpr int threads = 4;
  std::array<std::string, threads> complaints;
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      try {
        const session own = t % 2 == 0 ? s : open_session();
        gemm<float> multiply(own.queue, {.policy = t < 2 ? whole : in_parts});
        for (int i = 0; i < 5; ++i) {
          const product p{
              .m = 20 + t, .n = 30 + i, .k = 50, .seed = static_cast<std::uint64_t>(10 * t + i)};
          complaints[static_cast<std::size_t>(t)] += complaint_about<float>(own, multiply, p);
        }
      } catch (const std::exception& e) {
        complaints[static_cast<std::size_t>(t)] = e.what();
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  for (const std::string& complaint : complaints) CHECK(complaint == "");
}

TEST_CASE("raw handles of queue and buffers are as good as their owners") {
  const session& s = device_session();
  const cl_command_queue queue = s.queue();
  cl_int code = CL_SUCCESS;
  std::array<float, 4> ones{1, 1, 1, 1}, got{};
  const auto raw = [&] {
    const cl_mem memory = clCreateBuffer(s.context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                         sizeof ones, ones.data(), &code);
    check(code, "clCreateBuffer");
    return memory;
  };
  const cl_mem a = raw(), b = raw(), c = raw();
  {
    gemm<float> multiply(retained(queue));
    const cl::Event done =
        multiply(1, matrix<float>(a, 2, 2), matrix<float>(b, 2, 2), 1, matrix<float>(c, 2, 2));
    cl_event handle = done();
    check(clEnqueueReadBuffer(queue, c, CL_TRUE, 0, sizeof got, got.data(), 1, &handle, nullptr),
          "clEnqueueReadBuffer");
  }
  CHECK(got == std::array<float, 4>{3, 3, 3, 3});
  for (const cl_mem memory : {a, b, c}) check(clReleaseMemObject(memory), "clReleaseMemObject");
}

TEST_CASE("a given workspace is used as far as it reaches, and none is made beside it") {
  const session& s = device_session();
  guarded_buffer<float> a(s, std::vector<float>(20 * 64, 1.f), 0.f),
      b(s, std::vector<float>(64 * 20, 1.f), 0.f), c(s, std::vector<float>(400), 0.f);
  const auto A = matrix<float>(a.buffer(), 20, 64), B = matrix<float>(b.buffer(), 64, 20),
             C = matrix<float>(c.buffer(), 20, 20);
  const auto room = [&](std::size_t sums) {
    return guarded_buffer<float>(s, std::vector<float>(sums * 400, 7.f), 5.f);
  };
  for (const auto& [sums, splits] : {std::pair<std::size_t, int>{1, 1}, {3, 3}, {9, 4}}) {
    gemm<float> multiply(s.queue, {.policy = in_parts});
    guarded_buffer<float> workspace = room(sums);
    multiply.use_workspace(workspace.buffer());
    CHECK(multiply.schedule(A, B, C).splits == splits);
    CHECK(multiply.workspace_bytes(A, B, C) ==
          (splits == 1 ? 0 : static_cast<std::size_t>(splits) * 1600));
    multiply(1, A, B, 0, C);
    CHECK(c.read() == std::vector<float>(400, 64.f));
    workspace.read();
    CHECK(workspace.intact());
    CHECK(multiply.workspace_held() == sums * 1600);
  }
}

TEST_CASE("the workspace keeps the limit it was given, and 0 means no split") {
  const session& s = device_session();
  square a(s, 1), b(s, 1), c(s, 0);
  constexpr std::size_t one = n * n * sizeof(float);
  for (const auto& [limit, splits] :
       {std::pair<std::size_t, int>{0, 1}, {one, 1}, {2 * one, 2}, {100 * one, 4}}) {
    gemm<float> multiply(s.queue, {.policy = in_parts, .workspace_limit = limit});
    CHECK(multiply.workspace_held() == 0);
    CHECK(multiply.schedule(a.view(), b.view(), c.view()).splits == splits);
    multiply(1, a.view(), b.view(), 0, c.view());
    CHECK(c.holds(n));
    CHECK(multiply.workspace_held() <= limit);
    CHECK(multiply.workspace_held() == multiply.workspace_bytes(a.view(), b.view(), c.view()));
  }
}

TEST_CASE("after prepare a product allocates and builds nothing") {
  const session& s = device_session();
  square a(s, 1), b(s, 1), c(s, 0);
  gemm<float> multiply(s.queue, {.policy = in_parts});
  multiply.prepare(a.view(), b.view(), c.view());
  const std::size_t held = multiply.workspace_held();
  CHECK(held == multiply.workspace_bytes(a.view(), b.view(), c.view()));
  multiply(1, a.view(), b.view(), 0, c.view());
  CHECK(multiply.workspace_held() == held);
  CHECK(c.holds(n));
}
