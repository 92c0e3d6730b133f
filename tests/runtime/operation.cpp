// The operation core by an operation of our own: what a call waits for, what it keeps, what a call
// that fails leaves behind.
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/runtime/operation.hpp>
#include <clprim/runtime/plan_cache.hpp>
#include <clprim/runtime/program.hpp>

#include "support/device.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using support::device_session;
using support::out_of_order_session;

namespace {

constexpr const char* text = R"(
__kernel void first(__global const int *x, __global int *space, __global int *count)
{
    space[get_global_id(0)] = x[get_global_id(0)] + count[0];
}
__kernel void second(__global const int *space, __global int *y, __global int *count)
{
    y[get_global_id(0)] = 2 * space[get_global_id(0)];
}
)";

constexpr std::size_t n = 64;

/// y = 2 x by two kernels with a workspace between them, and a counter that stays zero.
class doubling : public operation {
 public:
  explicit doubling(const cl::CommandQueue& queue, completion wanted = completion::event)
    : operation(queue, wanted),
      program_(build(on().context, on().device, text)),
      first_(make_kernel(*program_, "first")),
      second_(make_kernel(*program_, "second")) {}

  cl::Event operator()(const cl::Buffer& x, const cl::Buffer& y, wait_list waits = {},
                       argument_list of_user = {}) {
    check_operands({{operand{"x", whole_buffer(x())}, operand{"y", whole_buffer(y()), true}}},
                   of_user);
    command_chain commands(*this, waits);
    const cl_mem space = commands.workspace(n * sizeof(cl_int));
    const cl_mem count = commands.counters(4);
    set_args(first_(), x(), space, count);
    commands.run(first_(), {1, {n, 1, 1}, {1, 1, 1}});
    if (fails) throw argument_error("the call", "must not fail", "a failure", "none");
    set_args(second_(), space, y(), count);
    return commands.run_last(second_(), {1, {n, 1, 1}, {1, 1, 1}});
  }
  cl::Event nothing(wait_list waits = {}) { return command_chain(*this, waits).end(); }
  std::string explain() const { return explain_head("doubling", 256, 1, 12); }

  bool fails = false;

 private:
  std::shared_ptr<const built_program> program_;
  cl::Kernel first_, second_;
};

cl::Buffer filled(const session& s, int value, cl_mem_flags flags = CL_MEM_READ_WRITE) {
  std::vector<cl_int> values(n, value);
  cl_int code = CL_SUCCESS;
  cl::Buffer made(clCreateBuffer(s.context(), flags | CL_MEM_COPY_HOST_PTR, n * sizeof(cl_int),
                                 values.data(), &code),
                  false);
  check(code, "clCreateBuffer");
  return made;
}

std::vector<cl_int> read(const session& s, const cl::Buffer& buffer) {
  std::vector<cl_int> values(n);
  check(clFinish(s.queue()), "clFinish");
  check(clEnqueueReadBuffer(s.queue(), buffer(), CL_TRUE, 0, n * sizeof(cl_int), values.data(), 0,
                            nullptr, nullptr),
        "clEnqueueReadBuffer");
  return values;
}

const std::vector<cl_int> all(int value) { return std::vector<cl_int>(n, value); }

}  // namespace

TEST_CASE("calls of an object out of order use its memory one after the other") {
  const session& s = out_of_order_session();
  doubling twice(s.queue);
  const cl::Event gate = support::user_event(s);
  std::vector<cl::Buffer> from, to;
  for (int i = 0; i < 6; ++i) {
    from.push_back(filled(s, i + 1));
    to.push_back(filled(s, 0));
    twice(from.back(), to.back(), i == 0 ? wait_list{gate} : wait_list{});
  }
  check(clSetUserEventStatus(gate(), CL_COMPLETE), "clSetUserEventStatus");
  for (int i = 0; i < 6; ++i) CHECK(read(s, to[static_cast<std::size_t>(i)]) == all(2 * (i + 1)));
}

TEST_CASE("an object works after a call whose wait list failed") {
  const session& s = out_of_order_session();
  if (!support::waits_may_fail(s)) return;
  doubling twice(s.queue);
  const cl::Buffer x = filled(s, 3), y = filled(s, 0);
  const cl::Event doomed = support::user_event(s);
  const cl::Event done = twice(x, y, {doomed});
  check(clSetUserEventStatus(doomed(), -1), "clSetUserEventStatus");
  clWaitForEvents(1, &done());
  CHECK(read(s, y) == all(0));
  support::wait_for(twice(x, y));
  CHECK(read(s, y) == all(6));
}

TEST_CASE("events that are null or have failed are refused before anything runs") {
  for (const session* s : {&device_session(), &out_of_order_session()}) {
    doubling twice(s->queue);
    const cl::Buffer x = filled(*s, 3), y = filled(*s, 0);
    const cl::Event failed = support::user_event(*s), good = support::user_event(*s);
    check(clSetUserEventStatus(failed(), -5), "clSetUserEventStatus");
    CHECK_THROWS_WITH_AS(
        twice(x, y, {good, failed}),
        doctest::Contains("event 1 of the wait list must be one that can complete: "
                          "one that ended with -5"),
        argument_error);
    CHECK_THROWS_WITH_AS(twice(x, y, {cl::Event{}}), doctest::Contains("a null event"),
                         argument_error);
    check(clSetUserEventStatus(good(), CL_COMPLETE), "clSetUserEventStatus");
    CHECK(read(*s, y) == all(0));
    support::wait_for(twice(x, y, {good}));
    CHECK(read(*s, y) == all(6));
  }
}

TEST_CASE("a call that is given up between its kernels leaves nothing that is believed") {
  for (const session* s : {&device_session(), &out_of_order_session()}) {
    doubling twice(s->queue);
    const cl::Buffer x = filled(*s, 5), y = filled(*s, 0);
    twice.fails = true;
    CHECK_THROWS_AS(twice(x, y), argument_error);
    CHECK(twice.explain().find(" 0 bytes of counters") != std::string::npos);
    twice.fails = false;
    support::wait_for(twice(x, y));
    CHECK(read(*s, y) == all(10));
    CHECK(twice.explain().find(" 16 bytes of counters") != std::string::npos);
  }
}

TEST_CASE("an empty call ends after its wait list, and without an event where none is wanted") {
  const session& s = device_session();
  doubling twice(s.queue);
  const cl::Event gate = support::user_event(s);
  const cl::Event done = twice.nothing({gate});
  cl_int status = CL_COMPLETE;
  check(clGetEventInfo(done(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
        "clGetEventInfo");
  CHECK(status != CL_COMPLETE);
  check(clSetUserEventStatus(gate(), CL_COMPLETE), "clSetUserEventStatus");
  support::wait_for(done);
  CHECK(doubling(s.queue, completion::none).nothing()() == nullptr);
  doubling quiet(s.queue, completion::none);
  const cl::Buffer x = filled(s, 4), y = filled(s, 0);
  CHECK(quiet(x, y)() == nullptr);
  CHECK(read(s, y) == all(8));
}

TEST_CASE("completion none is refused out of order, and a null queue everywhere") {
  CHECK_THROWS_WITH_AS(doubling(out_of_order_session().queue, completion::none),
                       doctest::Contains("out-of-order"), argument_error);
  CHECK_THROWS_WITH_AS(doubling(cl::CommandQueue{}), doctest::Contains("null cl::CommandQueue"),
                       argument_error);
}

TEST_CASE("an object that was moved from says so, and the other one goes on") {
  const session& s = device_session();
  doubling one(s.queue);
  const cl::Buffer x = filled(s, 7), y = filled(s, 0);
  one(x, y);
  doubling other(std::move(one));
  CHECK_THROWS_WITH_AS(one(x, y), doctest::Contains("moved from"), argument_error);  // NOLINT
  CHECK_THROWS_WITH_AS(one.use_workspace(x), doctest::Contains("moved from"), argument_error);
  other(x, y);
  CHECK(read(s, y) == all(14));
}

TEST_CASE("operands must be of the queue's context, and readable or writable as they are used") {
  const session& s = device_session();
  doubling twice(s.queue);
  const cl::Buffer x = filled(s, 1), y = filled(s, 0);
  CHECK_THROWS_WITH_AS(twice(x, filled(s, 0, CL_MEM_READ_ONLY)),
                       doctest::Contains("y must be memory that kernels may write"),
                       argument_error);
  CHECK_THROWS_WITH_AS(twice(filled(s, 0, CL_MEM_WRITE_ONLY), y),
                       doctest::Contains("x must be memory that kernels may read"), argument_error);
  const cl_device_id device = s.device();
  cl_int code = CL_SUCCESS;
  session other = s;
  other.context = cl::Context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code), false);
  check(code, "clCreateContext");
  CHECK_THROWS_WITH_AS(twice(filled(other, 1), y), doctest::Contains("another context"),
                       argument_error);
  CHECK_THROWS_WITH_AS(twice.use_workspace(filled(other, 1)), doctest::Contains("another context"),
                       argument_error);
  twice(x, y);
  CHECK(read(s, y) == all(2));
}

TEST_CASE("buffers of the user function are not null, and not written by the call") {
  const session& s = device_session();
  doubling twice(s.queue);
  const cl::Buffer x = filled(s, 1), y = filled(s, 0), bias = filled(s, 0);
  CHECK_THROWS_WITH_AS(twice(x, y, {}, {y}), doctest::Contains("must not be written"),
                       argument_error);
  CHECK_THROWS_WITH_AS(twice(x, y, {}, {cl::Buffer{}}), doctest::Contains("null handle"),
                       argument_error);
  support::wait_for(twice(x, y, {}, {bias}));
}

TEST_CASE("a workspace shares nothing with operands, sub-buffers seen in their parents") {
  const session& s = device_session();
  doubling twice(s.queue);
  const cl::Buffer y = filled(s, 0);
  cl_int code = CL_SUCCESS;
  const cl::Buffer parent(clCreateBuffer(s.context(), CL_MEM_READ_WRITE, 1 << 16, nullptr, &code),
                          false);
  const auto part = [&](std::size_t origin, std::size_t bytes) {
    const cl_buffer_region region{origin, bytes};
    cl::Buffer made(clCreateSubBuffer(parent(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                      &region, &code),
                    false);
    check(code, "clCreateSubBuffer");
    return made;
  };
  twice.use_workspace(parent);
  CHECK_THROWS_WITH_AS(twice(part(4096, n * 4), y),
                       doctest::Contains("the workspace must not share memory with x"),
                       argument_error);
  twice.use_workspace(part(8192, 4096));
  support::wait_for(twice(part(4096, n * 4), y));
  CHECK(twice.workspace_held() == 4096);
  // Another object may have the rest of the parent, and not this part, until it is given back.
  doubling other(s.queue);
  CHECK_THROWS_WITH_AS(other.use_workspace(parent), doctest::Contains("one operation alone"),
                       argument_error);
  other.use_workspace(part(16384, 4096));
  { const doubling gone(std::move(twice)); }
  other.use_workspace(parent);
  CHECK_THROWS_WITH_AS(other.use_workspace(cl::Buffer{}), doctest::Contains("null handle"),
                       argument_error);
  doubling third(s.queue);
  third.use_workspace(filled(s, 0));
  CHECK_THROWS_WITH_AS(third.use_workspace(filled(s, 0, CL_MEM_READ_ONLY)),
                       doctest::Contains("may write"), argument_error);
  CHECK(third.workspace_held() == n * 4);
}

TEST_CASE("a call that is profiled tells the times of each of its kernels") {
  const session& s = device_session();
  cl_int code = CL_SUCCESS;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const cl::CommandQueue timed(
      clCreateCommandQueue(s.context(), s.device(), CL_QUEUE_PROFILING_ENABLE, &code), false);
  const cl::CommandQueue untimed(clCreateCommandQueue(s.context(), s.device(), 0, &code), false);
#pragma GCC diagnostic pop
  const cl::Buffer x = filled(s, 1), y = filled(s, 0);
  doubling twice(timed, completion::none);
  const std::vector<command_times> times = profile([&] { twice(x, y); });
  REQUIRE(times.size() == 2);
  CHECK(times[0].name == "first");
  CHECK(times[1].name == "second");
  for (const command_times& t : times) {
    CHECK(t.queued <= t.submitted);
    CHECK(t.submitted <= t.started);
    CHECK(t.started <= t.ended);
  }
  CHECK(times[0].ended <= times[1].started);
  CHECK(twice(x, y)() == nullptr);  // as before
  doubling other(untimed);
  CHECK_THROWS_WITH_AS(profile([&] { other(x, y); }), doctest::Contains("tells times"),
                       argument_error);
  support::wait_for(other(x, y));
}

TEST_CASE("operations choose under assumed facts while these are assumed") {
  const session& s = device_session();
  device_facts facts = facts_of(s.queue).facts;
  facts.name = "another device";
  {
    const assume_device as_if(facts);
    CHECK(doubling(s.queue).device().name == "another device");
    {
      facts.name = "a third one";
      const assume_device inner(facts);
      CHECK(doubling(s.queue).device().name == "a third one");
    }
    CHECK(doubling(s.queue).device().name == "another device");
  }
  CHECK(doubling(s.queue).device() == facts_of(s.queue).facts);
}

TEST_CASE("turns are numbers from 1 on, and words are new when they begin again") {
  counters words;
  words.require(device_session().context(), 8);
  CHECK(words.next_turn(3) == 1);
  CHECK(words.next_turn(3) == 2);
  CHECK(words.next_turn(3) == 3);
  CHECK(words.bytes() == 32);
  CHECK(words.next_turn(3) == 1);
  CHECK(words.bytes() == 0);
}

TEST_CASE("plans are kept within bounds, those used last") {
  struct plan {
    int kind;
    std::int64_t table_bytes;
  };
  int made = 0;
  plan_cache<plan> plans(3, 100);
  const auto ask = [&](int kind, std::int64_t bytes) {
    return plans.find_or_make([&](const plan& p) { return p.kind == kind; },
                              [&] {
                                return plan{kind, (++made, bytes)};
                              });
  };
  const auto held = ask(1, 10);
  ask(2, 10);
  ask(3, 10);
  CHECK(made == 3);
  ask(1, 10);
  CHECK(made == 3);
  ask(4, 10);  // 2 was used longest ago
  CHECK(plans.size() == 3);
  ask(1, 10);
  CHECK(made == 4);
  ask(2, 10);
  CHECK(made == 5);
  ask(5, 95);
  CHECK(plans.bytes() <= 100);
  ask(6, 1000);  // more than all: kept alone
  CHECK(plans.size() == 1);
  CHECK(plans.bytes() == 1000);
  CHECK(held->kind == 1);
  CHECK_THROWS(plans.find_or_make([](const plan&) { return false; },
                                  []() -> plan { throw argument_error("a", "b", "c", "d"); }));
  CHECK(plans.size() == 1);
}
