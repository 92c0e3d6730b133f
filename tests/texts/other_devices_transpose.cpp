#include <cstdint>

#include <doctest/doctest.h>

#include <clprim/copy.hpp>
#include <clprim/transpose.hpp>

#include "texts/texts.hpp"

using namespace clprim;
using support::draw_texts, support::large_buffer;

TEST_CASE("the texts of transpositions and maps for NVIDIA's devices") {
  const cl::CommandQueue& queue = support::device_session().queue;
  const auto turned = [&]<class T>(support::draw& d, T) {
    const transpose<T> turn(queue);
    const std::int64_t m = d.one_of({3, 64, 1000, 4096}), n = d.one_of({2, 64, 1000, 4096});
    return turn.source(matrix<T>(large_buffer(0), m, n), matrix<T>(large_buffer(1), n, m));
  };
  draw_texts([&](support::draw& d) { return turned(d, float{}); });
  draw_texts([&](support::draw& d) { return turned(d, std::uint8_t{}); });
  draw_texts([&](support::draw& d) { return turned(d, double{}); });
  draw_texts([&](support::draw& d) {
    const map<float, float, float> add(queue, {.map = {"return x0 + x1;", {}}});
    const std::int64_t count = d.one_of({7, 1000, 1 << 20});
    return add.source(
        {vector<float>(large_buffer(0), count), vector<float>(large_buffer(1), count)},
        vector<float>(large_buffer(2), count));
  });
}
