// Every wrong call: one exception with names and numbers, nothing enqueued.

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "support/refusal.hpp"
#include "transpose/turning.hpp"

using namespace clprim;
using namespace support;

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
  CHECK(refused([&] { turn.in_place(a.ld(6)); }) ==
        "leading dimension of A must leave no gap in a rectangular matrix that is transposed in "
        "place: 6 given, 5 expected");
  CHECK(refused([&] { turn.in_place(a.batch(2, 19)); }) ==
        "batch stride of A must keep the matrices of an output apart: 19 given, a stride at which "
        "they share no element");
  CHECK(refused([&] { turn.in_place(transposed(a)); }).starts_with("A must not be a transposed"));
  CHECK(refused([&] { turn(a.batch(9, A.buffer()), b.batch(9, 20)); }) ==
        "buffer of B must hold every element addressed: 256 bytes given, at least 720 bytes");
  CHECK(refused([&] { turn(a.batch(33, A.buffer()), b.batch(33, B.buffer())); }) ==
        "batch offsets of A must hold every element addressed: 256 bytes given, at least 264 "
        "bytes");
  const std::vector<argument> two{2.f, 3.f};
  CHECK(refused([&] { turn(a, b, {}, two); }) ==
        "arguments of the user function must be as many as its parameters: 2 given, 0");
}

TEST_CASE("rectangles in place with more lines than 32 bits count are refused") {
  const in_place_policy strips{.items = 64, .strip = 4};
  const std::int64_t most = (std::int64_t{1} << 32) - 1;
  const auto lines = [&](std::int64_t m, std::int64_t n, std::int64_t batch) {
    return refused([&] { check_lines({.m = m, .n = n}, batch, strips); });
  };
  CHECK(lines(2, 3, most / 2) == "accepted");
  CHECK(lines(2, 3, most / 2 + 1) ==
        "lines of the rectangles of a batch that is transposed in place must be few enough to "
        "count in 32 bits: 2147483648 rectangles of 2 lines given, at most 2147483647 of them at a "
        "time");
  CHECK(lines(1, 40, most / 10) == "accepted");
  CHECK(lines(1, 40, most / 10 + 1) != "accepted");  // ten strips
  CHECK(lines(1 << 20, 1 << 20, 4095) == "accepted");
  CHECK(lines(1 << 20, 1 << 20, 4096) != "accepted");
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
                       "vector must be 1, 2, 4, 8 or 16: vector = 3 given", policy_error);
  CHECK_THROWS_WITH_AS(
      transpose<float>(s.queue, {.policy = transpose_policy{.items = 100}}),
      "the blocks of a tile, tile_rows * tile_cols / vector^2, must be a multiple of items: "
      "tile_rows = 32, tile_cols = 32, vector = 1, items = 100 given",
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
  transpose<float> elements(s.queue,
                            {.policy = transpose_policy{.exchange = tile_exchange::elements}});
  CHECK_THROWS_WITH_AS(elements.in_place(matrix<float>(A.buffer(), 8, 8)),
                       "a transposition in place needs exchange direct or local", policy_error);
  transpose<float> strips(
      s.queue, {.policy = transpose_policy{
                    .tile_rows = 256, .tile_cols = 4, .exchange = tile_exchange::registers}});
  guarded_buffer<float> B(s, std::vector<float>(64), 0);
  CHECK_THROWS_WITH_AS(
      strips(matrix<float>(A.buffer(), 5, 6).ld(9), matrix<float>(B.buffer(), 6, 5).ld(8)),
      "exchange registers needs an axis of at most 16 elements that lie without "
      "gaps in the input or the output of a transposition",
      policy_error);
  CHECK_THROWS_WITH_AS(strips(matrix<float>(A.buffer(), 10, 5), matrix<float>(B.buffer(), 5, 10)),
                       "exchange registers needs a short axis of at most tile_cols: 5 given, at "
                       "most 4",
                       policy_error);
  CHECK_THROWS_WITH_AS(
      transpose<float>(
          s.queue, {.policy = transpose_policy{.exchange = tile_exchange::direct, .shear = 32}}),
      "shear is for exchange local and elements, and for box with unaligned: exchange = "
      "clprim::tile_exchange::direct, unaligned = false, shear = 32 given",
      policy_error);
  CHECK_THROWS_WITH_AS(
      transpose<float>(s.queue, {.in_place = in_place_policy{.items = 100, .strip = 8}}),
      "items must be 1 or a multiple of strip: items = 100, strip = 8 given", policy_error);
}

TEST_CASE("an output that shares memory with its input is refused at every door") {
  const session& s = device_session();
  guarded_buffer<float> A(s, std::vector<float>(256), 0);
  transpose<float> turn(s.queue);
  const auto whole = matrix<float>(A.buffer(), 8, 8);
  const std::string sentence =
      "B must not share memory with A unless it is transposed in place: overlapping views given, "
      "separate memory, or in_place(A)";
  CHECK(refused([&] { turn(whole, whole); }) == sentence);
  CHECK(refused([&] { turn(2, whole, whole.at(1)); }) == sentence);
  CHECK(refused([&] { turn(whole, whole.column_major()); }) == sentence);
  CHECK(refused([&] { turn(whole.batch(2, 64), whole.at(100).batch(2, 64)); }) == sentence);
  CHECK(refused([&] { wait_for(turn(whole, whole.at(64))); }) == "accepted");
  CHECK(refused([&] { wait_for(turn.in_place(whole)); }) == "accepted");
  permute<float> order(s.queue);
  CHECK(refused([&] {
          order(array<float>(A.buffer(), {2, 4, 8}), {2, 1, 0},
                array<float>(A.buffer(), {8, 4, 2}).at(63));
        }) == "Y must not share memory with X: overlapping views given, separate memory");
}
