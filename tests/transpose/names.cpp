// Parameters of the user's text under names that the kernels use, at every door.

#include <vector>

#include <doctest/doctest.h>

#include "support/taken_names.hpp"
#include "transpose/turning.hpp"

using namespace clprim;
using namespace support;

namespace {

const std::vector<float> six{1, 2, 3, 4, 5, 6}, turned{1, 4, 2, 5, 3, 6};

/// Policies that reach every text.
std::vector<transpose_policy> policies() {
  const transpose_policy small{.tile_rows = 8, .tile_cols = 8, .items = 8};
  std::vector<transpose_policy> all(4, small);
  all[0].exchange = tile_exchange::direct;
  all[1].exchange = tile_exchange::elements;
  all[1].shear = 32;
  all[2].exchange = tile_exchange::registers;
  all[3].vector = 2;
  return all;
}

}  // namespace

TEST_CASE("parameters of a transposition's map may have the names that its kernels use") {
  const session& s = device_session();
  const taken_names taken;
  guarded_buffer<float> A(s, six, 0), B(s, std::vector<float>(6), 0);
  for (const transpose_policy& policy : policies()) {
    CAPTURE(to_string(policy));
    transpose<float> turn(s.queue, {.policy = policy, .map = taken.times("value")});
    wait_for(
        turn(matrix<float>(A.buffer(), 2, 3), matrix<float>(B.buffer(), 3, 2), {}, taken.values()));
    CHECK(B.read() == taken.expected(turned));
  }
}

TEST_CASE("parameters of a permutation's map may have the names that its kernels use") {
  const session& s = device_session();
  const taken_names taken;
  guarded_buffer<float> A(s, six, 0), B(s, std::vector<float>(6), 0);
  permute<float> order(s.queue, {.map = taken.times("value")});
  const std::vector<argument> arguments = taken.values();
  wait_for(order(array<float>(A.buffer(), {2, 3}), {1, 0}, array<float>(B.buffer(), {3, 2}), {},
                 arguments));
  CHECK(B.read() == taken.expected(turned));
  wait_for(order(array<float>(A.buffer(), {2, 3}), {0, 1}, array<float>(B.buffer(), {2, 3}), {},
                 arguments));
  CHECK(B.read() == taken.expected(six));
}

TEST_CASE("parameters of a map in place may have the names that its kernels use") {
  const session& s = device_session();
  const taken_names taken;
  for (const bool local : {true, false}) {
    guarded_buffer<float> A(s, six, 0);
    transpose<float> turn(
        s.queue, {.in_place = in_place_policy{.local = local}, .map = taken.times("value")});
    wait_for(turn.in_place(matrix<float>(A.buffer(), 2, 3), {}, taken.values()));
    CHECK(A.read() == taken.expected(turned));
  }
  guarded_buffer<float> C(s, std::vector<float>{1, 2, 3, 4}, 0);
  transpose<float> turn(s.queue, {.map = taken.times("value")});
  wait_for(turn.in_place(matrix<float>(C.buffer(), 2, 2), {}, taken.values()));
  CHECK(C.read() == taken.expected({1, 3, 2, 4}));
}
