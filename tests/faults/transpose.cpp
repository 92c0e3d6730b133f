#include <clprim/transpose.hpp>

#include "faults/sweep.hpp"

using namespace clprim;
using support::check_faults, support::small_integers;

TEST_CASE("a transposition in whose calls something fails throws, and is right the next time") {
  const session& s = support::device_session();
  const cl::Buffer a = small_integers(s, 70 * 90), b = small_integers(s, 70 * 90);
  check_faults<transpose<float>>(
      {"out of place",
       [](const cl::CommandQueue& q) { return transpose<float>(q); },
       [&](transpose<float>& turn) { turn(matrix<float>(a, 70, 90), matrix<float>(b, 90, 70)); },
       {b}});
  check_faults<transpose<float>>(
      {"rectangle in place",
       [](const cl::CommandQueue& q) { return transpose<float>(q); },
       [&](transpose<float>& turn) { turn.in_place(matrix<float>(a, 70, 90)); },
       {a}});
  check_faults<transpose<float>>(
      {"rectangle in place, through a workspace",
       [](const cl::CommandQueue& q) {
         return transpose<float>(
             q, {.policy =
                     transpose_policy{.tile_rows = 8, .tile_cols = 8, .vector = 1, .items = 16}});
       },
       [&](transpose<float>& turn) { turn.in_place(matrix<float>(a, 2, 3150)); },
       {a}});
  check_faults<transpose<float>>(
      {"square in place, scaled",
       [](const cl::CommandQueue& q) { return transpose<float>(q); },
       [&](transpose<float>& turn) { turn.in_place(2, matrix<float>(a, 70, 70)); },
       {a}});
  check_faults<transpose<float>>(
      {"with a map",
       [](const cl::CommandQueue& q) {
         return transpose<float>(q, {.map = {"return value * slope;", {value<float>("slope")}}});
       },
       [&](transpose<float>& turn) {
         turn(matrix<float>(a, 70, 90), matrix<float>(b, 90, 70), {}, {3.f});
       },
       {b}});
}

TEST_CASE("a permutation in whose calls something fails throws, and is right the next time") {
  const session& s = support::device_session();
  const cl::Buffer a = small_integers(s, 2 * 12 * 10 * 8), b = small_integers(s, 2 * 12 * 10 * 8);
  check_faults<permute<float>>(
      {"NHWC to NCHW",
       [](const cl::CommandQueue& q) { return permute<float>(q); },
       [&](permute<float>& order) {
         order(array<float>(a, {2, 12, 10, 8}), {0, 3, 1, 2}, array<float>(b, {2, 8, 12, 10}));
       },
       {b}});
}
