// The snippets of docs/reduce.md.

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "docs/here.hpp"

using docs::filled;

TEST_CASE("two reductions in one pass") {
  const cl::CommandQueue& queue = support::device_session().queue;
  constexpr int m = 2, k = 3, n = m * k;
  const cl::Buffer x = filled<float>({1, 5, 2, 7, 3, 4}), out = filled<char>(1024, 0);
  // [call]
  clprim::reduce<float, clprim::op::several<clprim::op::sum<>, clprim::op::argmax>> both(queue);
  const auto [sum, best] = both.value(clprim::whole<float>(x, n));  // on the host; waits
  cl::Event done = both(clprim::each_row(clprim::matrix<float>(x, m, k)), out);  // on the device
  // [end]
  CHECK(sum == 22);
  CHECK(best.index == 3);
  support::wait_for(done);
}

TEST_CASE("a map before the sum, and an operator in text") {
  const cl::CommandQueue& queue = support::device_session().queue;
  const cl::Buffer x = filled<float>({3, 4, 5}), y = filled<float>({1, 2, 2});
  // [map]
  clprim::reduce<float> distance(
      queue, {.map = {"return (x - centre) * (x - centre);", {clprim::value<float>("centre")}}});
  const float squares = distance.value(clprim::whole<float>(x, 3), {}, {4.f});
  clprim::reduce<float, clprim::op::dot<>> dot(queue);
  const float product = dot.value(clprim::whole<float>(x, 3), clprim::whole<float>(y, 3));
  // [end]
  CHECK(squares == 2);
  CHECK(product == 21);
  // [user]
  struct span {
    float least, most;
  };
  clprim::reduce<float, clprim::op::user<span>> range(
      queue, {.map = {"const span_t s = {x, x}; return s;", {}},
              .user = {.declarations = "typedef struct { float least, most; } span_t;",
                       .state = "span_t",
                       .combine = "const span_t s = {fmin(a.least, b.least), fmax(a.most, b.most)};"
                                  " return s;",
                       .identity = "((span_t){INFINITY, -INFINITY})"}});
  const span found = range.value(clprim::whole<float>(x, 3));
  // [end]
  CHECK(found.least == 3);
  CHECK(found.most == 5);
}
