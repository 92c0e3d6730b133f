#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "texts/texts.hpp"

using namespace clprim;
using support::draw_texts, support::large_buffer;

TEST_CASE("the texts of reductions for NVIDIA's devices") {
  const cl::CommandQueue& queue = support::device_session().queue;
  const auto reduced = [&]<class Op>(support::draw& d, Op) {
    const reduce<float, Op> all(queue);
    const auto x = matrix<float>(large_buffer(0), d.one_of({1, 20, 1000, 5000}),
                                 d.one_of({3, 100, 1000, 9000}));
    switch (d.between(0, 2)) {
      case 0: return all.source(whole<float>(large_buffer(0), x.rows * x.cols));
      case 1: return all.source(each_row(x));
      default: return all.source(each_column(x));
    }
  };
  draw_texts([&](support::draw& d) { return reduced(d, op::sum<>{}); });
  draw_texts([&](support::draw& d) { return reduced(d, op::fastest<op::sum<>>{}); });
  draw_texts([&](support::draw& d) { return reduced(d, op::argmax{}); });
  draw_texts([&](support::draw& d) { return reduced(d, op::variance<>{}); });
}
