// The tuner: what it takes, what it throws out, what it remembers; and the user's file of policies.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce/policy.hpp>
#include <clprim/runtime/tuning_file.hpp>
#include <clprim/transpose/policy.hpp>
#include <clprim/tuner.hpp>

#include "support/device.hpp"

namespace {

using clprim::reduce_policy;
using clprim::transpose_policy;

/// A file of the test's own that is gone afterwards.
struct scratch_file {
  std::string path;
  explicit scratch_file(const std::string& name)
    : path((std::filesystem::temp_directory_path() / ("clprim-test-" + name)).string()) {
    std::filesystem::remove(path);
  }
  ~scratch_file() { std::filesystem::remove(path); }
};

/// Calls that take as long as a function of the policy says, and write a number.
struct pretended {
  const clprim::session& on = support::device_session();
  cl::Buffer out{};
  std::vector<std::string> made;
  std::function<double(const reduce_policy&)> seconds = [](const reduce_policy&) { return 1e-3; };
  std::function<cl_uint(const reduce_policy&)> result = [](const reduce_policy&) { return 7u; };
  reduce_policy chosen{};

  pretended() {
    cl_int code = CL_SUCCESS;
    out = cl::Buffer(clCreateBuffer(on.context(), CL_MEM_READ_WRITE, 4, nullptr, &code), false);
    clprim::check(code, "clCreateBuffer");
  }
  clprim::tuning_task<reduce_policy> task() {
    return {.chosen = chosen,
            .make = [this](const std::optional<reduce_policy>& p) -> std::function<void()> {
              const reduce_policy used = p.value_or(chosen);
              if (p) made.push_back(to_string(used));
              return [this, pause = seconds(used), number = result(used)] {
                clprim::check(
                    clEnqueueFillBuffer(on.queue(), out(), &number, 4, 0, 4, 0, nullptr, nullptr),
                    "clEnqueueFillBuffer");
                clFinish(on.queue());
                std::this_thread::sleep_for(std::chrono::duration<double>(pause));
              };
            },
            .result = out,
            .bytes = 4};
  }
  clprim::tuning<reduce_policy> tuned(double time = 20, clprim::tuning_journal* journal = nullptr,
                                      int most = 60) {
    int asked = 0;
    return clprim::tune(on.queue, task(),
                        {.seconds = time,
                         .block_seconds = 1e-3,
                         .tell = [&](const clprim::tuning_progress&) { return ++asked <= most; },
                         .journal = journal});
  }
};

}  // namespace

TEST_CASE("neighbours of a policy keep its rules, are new, and differ in two fields at most") {
  const transpose_policy p{};
  const std::vector<transpose_policy> all = clprim::neighbours(p);
  CHECK(all.size() > 50);
  for (const transpose_policy& q : all) {
    CHECK_NOTHROW(check_rules(q));
    CHECK_FALSE(q == p);
    CHECK(std::count(all.begin(), all.end(), q) == 1);
    int fields = 0;
    const std::string one = to_string(p), other = to_string(q);
    std::string_view a = one, b = other;
    while (!a.empty() || !b.empty())
      fields += clprim::detail::next_item(a) != clprim::detail::next_item(b) ? 1 : 0;
    CHECK(fields >= 1);
    CHECK(fields <= 2);
  }
  // One change that alone would break a rule comes with another that mends it.
  const auto sheared = std::count_if(
      all.begin(), all.end(), [](const auto& q) { return q.tile_rows == 16 && q.items == 128; });
  CHECK(sheared == 1);
}

TEST_CASE("the tuner takes a policy that is faster, and none that is as fast") {
  pretended calls;
  calls.seconds = [](const reduce_policy& p) { return p.loads == 4 ? 5e-4 : 8e-3; };
  const auto found = calls.tuned();
  REQUIRE(found.policy);
  CHECK(found.policy->loads == 4);
  CHECK(found.gain() > 2);
  CHECK(found.last.tried > 0);

  pretended even;
  const auto none = even.tuned(20, nullptr, 25);
  CHECK_FALSE(none.policy);
  CHECK(none.gain() == doctest::Approx(1));
}

TEST_CASE("a policy whose result differs, or that cannot run, never wins, however fast") {
  pretended calls;
  calls.seconds = [](const reduce_policy& p) {
    if (p.vector == 8) throw clprim::policy_error("vector must not be 8 here");
    return p.loads == 4 ? 5e-4 : 8e-3;
  };
  calls.result = [](const reduce_policy& p) { return p.loads == 4 ? 8u : 7u; };
  const auto found = calls.tuned(20, nullptr, 40);
  CHECK_FALSE(found.policy);
  CHECK(found.last.wrong > 0);
  CHECK(found.last.impossible > 0);
}

TEST_CASE("the result's buffer holds what the library's choice wrote after a search") {
  pretended calls;
  calls.result = [](const reduce_policy& p) { return p.loads == 4 ? 8u : 7u; };
  calls.tuned(20, nullptr, 10);
  cl_uint got = 0;
  clprim::check(
      clEnqueueReadBuffer(calls.on.queue(), calls.out(), CL_TRUE, 0, 4, &got, 0, nullptr, nullptr),
      "clEnqueueReadBuffer");
  CHECK(got == 7);
}

TEST_CASE("a search ends when its time is up or its caller says so, with what was found") {
  pretended calls;
  calls.seconds = [](const reduce_policy& p) { return p.group == 512 ? 5e-4 : 8e-3; };
  const auto begin = std::chrono::steady_clock::now();
  const auto found = calls.tuned(0.4);
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < 4);
  CHECK(found.last.budget == doctest::Approx(0.4));
  const auto stopped = calls.tuned(60, nullptr, 3);
  CHECK(stopped.last.seconds < 20);
  REQUIRE(stopped.policy);
  CHECK(stopped.policy->group == 512);
}

TEST_CASE("a journal keeps what was tried, and what a process did not come back from") {
  const scratch_file file("journal");
  const reduce_policy hangs{.group = 512}, good{.loads = 4};
  {
    std::ofstream before(file.path);
    before << "try " << to_string(good) << "\ndone\nbest " << to_string(good) << "\ntry "
           << to_string(hangs) << "\n";
  }
  clprim::tuning_journal journal(file.path);
  CHECK(journal.lost().count(to_string(hangs)) == 1);
  CHECK(journal.lost().size() == 1);
  pretended calls;
  calls.seconds = [&](const reduce_policy& p) { return p.loads == 4 ? 5e-4 : 8e-3; };
  const auto found = calls.tuned(20, &journal, 30);
  CHECK(std::count(calls.made.begin(), calls.made.end(), to_string(hangs)) == 0);
  REQUIRE(!calls.made.empty());
  CHECK(calls.made.front() == to_string(good));  // the best of before is tried first
  REQUIRE(found.policy);
  CHECK(found.policy->loads == 4);
  const clprim::tuning_journal after(file.path);
  for (const std::string& one : calls.made) CHECK(after.knows(one));
  CHECK(after.lost().size() == 1);
  CHECK_THROWS_WITH_AS(clprim::tuning_journal("/no/such/folder/journal"),
                       doctest::Contains("cannot be written"), clprim::error);
}

TEST_CASE("the user's file gives a policy for its device, driver and problem, or a sentence") {
  const scratch_file file("tunings");
  clprim::device_facts device;
  device.name = "A device";
  device.driver = "1.2";
  const reduce_policy p{.group = 512, .loads = 4};
  clprim::tuning_file::add(file.path, device, "reduce sum 100", p, 1.1);
  {
    std::ofstream more(file.path, std::ios::app);
    more << "# a comment\n\n"
            "A device | 1.2 | unknown field | clprim::reduce_policy{.groups = 3} | 1.1\n"
            "A device | 1.2 | broken rule | clprim::reduce_policy{.group = 3} | 1.1\n"
            "A device | 1.1 | old driver | clprim::reduce_policy{.group = 512} | 1.1\n"
            "Another | 1.2 | other device | clprim::reduce_policy{.group = 512} | 1.1\n"
            "A device | 1.2 | short\n";
  }
  clprim::tuning_file all(file.path);
  CHECK(all.find<reduce_policy>(device, "reduce sum 100") == p);
  REQUIRE(all.complaints().size() == 1);
  CHECK(all.complaints()[0] ==
        "line 8 of '" + file.path +
            "' must be device | driver | problem | policy | gain: 3 parts given, 5 expected");
  const auto refused = [&](const char* problem, const char* why) {
    clprim::tuning_file again(file.path);
    CHECK_FALSE(again.find<reduce_policy>(device, problem));
    REQUIRE(again.complaints().size() == 2);
    CHECK(again.complaints()[1].find(why) != std::string::npos);
  };
  refused("unknown field", "'groups' given");
  refused("broken rule", "group must be a power of two");
  refused("old driver", "is of another driver: 1.1 given, 1.2 is here");
  CHECK_FALSE(all.find<reduce_policy>(device, "other device"));
  CHECK_FALSE(all.find<reduce_policy>(device, "nobody's"));
  CHECK_FALSE(clprim::tuning_file("/no/such/file").find<reduce_policy>(device, "x"));
  CHECK_THROWS_AS(clprim::tuning_file::add(file.path, device, "a | b", p, 1),
                  clprim::argument_error);
  CHECK_THROWS_AS(clprim::tuning_file::add("/no/such/folder/x", device, "a", p, 1), clprim::error);
}
