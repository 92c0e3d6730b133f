#include <complex>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "texts/texts.hpp"

using namespace clprim;
using support::draw_texts, support::large_buffer;

TEST_CASE("the texts of products for NVIDIA's devices") {
  const cl::CommandQueue& queue = support::device_session().queue;
  const auto text = [&]<class T>(support::draw& d, T) {
    const gemm<T> multiply(queue);
    const std::int64_t m = d.one_of({64, 500, 1024, 2048}), n = d.one_of({64, 500, 1024, 2048}),
                       k = d.one_of({64, 500, 1024, 2048});
    return multiply.source(matrix<T>(large_buffer(0), m, k), matrix<T>(large_buffer(1), k, n),
                           matrix<T>(large_buffer(2), m, n));
  };
  draw_texts([&](support::draw& d) { return text(d, float{}); });
  draw_texts([&](support::draw& d) { return text(d, double{}); });
  draw_texts([&](support::draw& d) { return text(d, half{}); });
  draw_texts([&](support::draw& d) { return text(d, std::complex<float>{}); });
}
