// Every wrong call: one exception with names and numbers, nothing enqueued.

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "transpose/turning.hpp"

using namespace clprim;
using namespace support;

namespace {

template <class Call> std::string refused(Call call) {
  try {
    call();
  } catch (const argument_error& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("matrices that do not fit are named with both numbers") {
  const session& s = device_session();
  guarded_buffer<float> A(s, std::vector<float>(64), 0), B(s, std::vector<float>(64), 0);
  transpose<float> turn(s.queue);
  const auto a = matrix<float>(A.buffer(), 4, 5), b = matrix<float>(B.buffer(), 5, 4);
  CHECK(refused([&] { turn(a, matrix<float>(B.buffer(), 4, 4)); }) ==
        "rows of B must equal the columns of A: 4 given, 5 expected");
  CHECK(refused([&] { turn(a, matrix<float>(B.buffer(), 5, 5)); }) ==
        "columns of B must equal the rows of A: 5 given, 4 expected");
  CHECK(refused([&] { turn(a.batch(3, 20), b.batch(2, 20)); }) ==
        "batch count of B must equal the batch count of A: 2 given, 3 expected");
  CHECK(refused([&] { turn(a.ld(4), b); }) ==
        "leading dimension of A must be at least its columns: 4 given, at least 5");
  CHECK(refused([&] { turn(a.at(50), b); }) ==
        "buffer of A must hold every element addressed: 256 bytes given, at least 280 bytes");
  CHECK(refused([&] { turn(a, matrix<float>(A.buffer(), 5, 4).at(3)); }) ==
        "B must not share memory with A unless it is transposed in place: overlapping views given, "
        "separate memory, or in_place(A)");
  CHECK(refused([&] { turn(transposed(a), b); }) ==
        "A must not be a transposed view of a transposition: a transposed view given, a plain "
        "view, or conjugated(A) for the conjugate transpose");
  CHECK(refused([&] { turn.in_place(a); }) ==
        "rows of A must equal its columns: 4 given, 5 expected");
  CHECK(refused([&] { turn(a.batch(2, A.buffer()), b.batch(2, 20)); }) ==
        "batch of A must lie at equal distances: an array of offsets given, a batch stride "
        "expected");
  const std::vector<argument> two{2.f, 3.f};
  CHECK(refused([&] { turn(a, b, {}, two); }) ==
        "arguments of the user function must be as many as its parameters: 2 given, 0");
}

TEST_CASE("elements without arithmetic are neither cast nor mapped") {
  const session& s = device_session();
  CHECK(refused([&] {
          transpose<sixteen> t(s.queue, {.map = {"return value;", {}}});
        }) ==
        "element type must have a name in OpenCL C to be mapped or cast: 16 bytes without a name "
        "given, a scalar or an integer type");
  CHECK(refused([&] { transpose<std::complex<float>, float> t(s.queue); }) ==
        "a cast from complex to real needs a map that says which part: no map given, such as "
        "'return value.x;'");
}

TEST_CASE("a policy that breaks a rule, or a device, is refused with its sentence") {
  const session& s = device_session();
  CHECK_THROWS_WITH_AS(transpose<float>(s.queue, {.policy = transpose_policy{.vector = 3}}),
                       "vector must be 1, 2, 4, 8 or 16", policy_error);
  CHECK_THROWS_WITH_AS(
      transpose<float>(s.queue, {.policy = transpose_policy{.items = 100}}),
      "the blocks of a tile, tile_rows * tile_cols / vector^2, must be a multiple of items",
      policy_error);
  device_facts small;
  small.max_work_group = 64;
  CHECK_THROWS_WITH_AS(
      check_device_rules(transpose_policy{}, {}, small),
      "the policy's work-group must fit the device's limit of work-items: 256 given, at most 64",
      policy_error);
  small.max_work_group = 256;
  small.local_bytes = 4000;
  CHECK_THROWS_WITH_AS(check_device_rules(transpose_policy{}, {}, small),
                       "the policy's tiles must fit the local memory of the device in bytes: 4224 "
                       "given, at most 4000",
                       policy_error);
  guarded_buffer<float> A(s, std::vector<float>(64), 0);
  transpose<float> oblong(s.queue, {.policy = transpose_policy{.tile_cols = 64}});
  CHECK_THROWS_WITH_AS(oblong.in_place(matrix<float>(A.buffer(), 8, 8)),
                       "a transposition in place needs tile_rows = tile_cols", policy_error);
}
