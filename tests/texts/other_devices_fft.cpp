#include <complex>
#include <cstdint>

#include <doctest/doctest.h>

#include <clprim/fft.hpp>

#include "texts/texts.hpp"

using namespace clprim;
using support::draw_texts, support::large_buffer;

TEST_CASE("the texts of transforms for NVIDIA's devices") {
  const cl::CommandQueue& queue = support::device_session().queue;
  const auto transformed = [&]<class T>(support::draw& d, T) {
    using value = std::complex<T>;
    fft<T> transform(queue);
    const std::int64_t n = d.one_of({16, 34, 128, 1000, 1009, 1024, 8192, 65536}),
                       batch = d.one_of(
                           {std::int64_t{1}, std::int64_t{3}, (std::int64_t{1} << 24) / n});
    if (d.chance(30))
      return transform.source(array<T>(large_buffer(0), {batch, n}),
                              array<value>(large_buffer(1), {batch, n / 2 + 1}));
    return transform.source(array<value>(large_buffer(0), {batch, n}),
                            array<value>(large_buffer(1), {batch, n}));
  };
  CHECK(draw_texts([&](support::draw& d) { return transformed(d, float{}); }) > 0);
  draw_texts([&](support::draw& d) { return transformed(d, double{}); });
}
