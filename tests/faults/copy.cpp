#include <clprim/copy.hpp>

#include "faults/sweep.hpp"

using namespace clprim;
using support::check_faults, support::small_integers;

TEST_CASE("a copy in whose calls something fails throws, and is right the next time") {
  const session& s = support::device_session();
  const cl::Buffer x = small_integers(s, 3000), y = small_integers(s, 3000);
  for (const copy_walk walk : {copy_walk::once, copy_walk::grid_stride, copy_walk::runs}) {
    check_faults<copy<float>>(
        {"copy, " + detail::value_text(walk),
         [=](const cl::CommandQueue& q) {
           return copy<float>(
               q, {.policy = copy_policy{.items = 16,
                                         .walk = walk,
                                         .groups_per_unit = walk == copy_walk::once ? 0 : 2}});
         },
         [&](copy<float>& move) { move(vector<float>(x, 3000), vector<float>(y, 3000)); },
         {y}});
  }
  check_faults<copy<float>>({"copy between strides",
                             [](const cl::CommandQueue& q) { return copy<float>(q); },
                             [&](copy<float>& move) {
                               vector_view<float> from = vector<float>(x, 1000),
                                                  to = vector<float>(y, 1000);
                               from.stride = 3;
                               to.stride = 2;
                               move(from, to);
                             },
                             {y}});
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

TEST_CASE("a map of several inputs in whose calls something fails throws, and is right then") {
  const session& s = support::device_session();
  const cl::Buffer x = small_integers(s, 1000), y = small_integers(s, 1000);
  using axpy = map<float, float, float>;
  check_faults<axpy>(
      {"axpy in place",
       [](const cl::CommandQueue& q) {
         return axpy(q, {.map = {"return a * x0 + x1;", {value<float>("a")}}});
       },
       [&](axpy& add) {
         add({vector<float>(x, 1000), vector<float>(y, 1000)}, vector<float>(y, 1000), {}, {2.f});
       },
       {y}});
}
