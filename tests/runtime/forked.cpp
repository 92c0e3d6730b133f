#include <array>
#include <functional>
#include <string>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <clprim/copy.hpp>
#include <clprim/runtime/forked.hpp>

#include "support/device.hpp"

using namespace clprim;
using namespace support;

namespace {

/// What a child of this process throws; "it hangs or dies" where it says nothing within 20 s.
std::string said_by_child(const std::function<void()>& work) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(20);
    std::string said = "nothing was thrown";
    try {
      work();
    } catch (const device_error& e) {
      said = e.what();
    } catch (...) {
      said = "another exception";
    }
    (void)!write(ends[1], said.data(), said.size());
    _exit(0);
  }
  close(ends[1]);
  std::string said;
  std::array<char, 1000> part{};
  for (ssize_t size = 0; (size = read(ends[0], part.data(), part.size())) > 0;)
    said.append(part.data(), static_cast<std::size_t>(size));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return said.empty() ? "it hangs or dies" : said;
}

}  // namespace

TEST_CASE("a child by fork is refused with a sentence, and the parent goes on") {
  const session& s = device_session();
  guarded_buffer<float> a(s, std::vector<float>(100, 2.f), 0), b(s, std::vector<float>(100), 0);
  copy<float> move(s.queue);
  const auto from = vector<float>(a.buffer(), 100), to = vector<float>(b.buffer(), 100);
  wait_for(move(from, to));
  const std::string refusal =
      "OpenCL cannot be used in a child of a process that has used it: fork() copies none of the "
      "driver's threads. Fork before the first operation is made, or start a program by exec";
  CHECK(said_by_child([&] { clFinish((move(from, to), s.queue())); }) == refusal);
  CHECK(said_by_child([&] { move.prepare(from, to); }) == refusal);
  CHECK(said_by_child([&] { const copy<float> other(s.queue); }) == refusal);
  CHECK(said_by_child([] {}) == "nothing was thrown");
  wait_for(move(from, to));
  CHECK(b.read() == std::vector<float>(100, 2.f));
}
