#include <clprim/copy.hpp>
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
}

TEST_CASE("a map in whose calls something fails throws, and is right the next time") {
  const session& s = support::device_session();
  const cl::Buffer x = small_integers(s, 1000), y = small_integers(s, 1000);
  check_faults<map<float, float>>(
      {"map",
       [](const cl::CommandQueue& q) {
         return map<float, float>(q, {.map = {"return 2.0f * x0;", {}}});
       },
       [&](map<float, float>& twice) { twice({vector<float>(x, 1000)}, vector<float>(y, 1000)); },
       {y}});
}
