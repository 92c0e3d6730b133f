#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/runtime/pinned.hpp>

#include "support/device.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using support::device_session;
using support::refused;

TEST_CASE("pinned memory holds what travels to a buffer and back") {
  const session& s = device_session();
  pinned<int> there(s.queue, 1000), back(s.queue, 1000);
  std::iota(there.begin(), there.end(), -500);
  std::fill(back.begin(), back.end(), 0);
  const cl::Buffer x(s.context, CL_MEM_READ_WRITE, there.bytes());
  check(s.queue.enqueueWriteBuffer(x, CL_FALSE, 0, there.bytes(), there.data()), "write");
  check(s.queue.enqueueReadBuffer(x, CL_TRUE, 0, back.bytes(), back.data()), "read");
  CHECK(std::equal(there.begin(), there.end(), back.begin(), back.end()));
  CHECK(back[0] == -500);
  CHECK(back.values().back() == 499);
}

TEST_CASE("pinned memory is moved with its values, into other pinned memory too") {
  const session& s = device_session();
  pinned<float> first(s.queue, 3), second(s.queue, 5);
  first[2] = 7;
  second[4] = 9;
  pinned<float> moved(std::move(first));
  CHECK(moved.size() == 3);
  CHECK(moved[2] == 7);
  moved = std::move(second);
  CHECK(moved.size() == 5);
  CHECK(moved[4] == 9);
}

TEST_CASE("pinned memory of no values, or of more than there are addresses, is refused") {
  const session& s = device_session();
  CHECK(refused([&] { pinned<float>(s.queue, 0); }) ==
        "size of pinned memory must be at least one value and addressable: 0 given, 1 to "
        "4611686018427387903");
  CHECK_THROWS_AS(pinned<float>(s.queue, std::numeric_limits<std::size_t>::max()), argument_error);
}
