#include <complex>
#include <cstdint>
#include <string>

#include <clprim/fft.hpp>

#include "faults/sweep.hpp"

using namespace clprim;
using support::check_faults, support::small_integers;

TEST_CASE("a transform in whose calls something fails throws, and is right the next time") {
  const session& s = support::device_session();
  const cl::Buffer a = small_integers(s, 16384), b = small_integers(s, 16384);
  using value = std::complex<float>;
  const auto make = [](const cl::CommandQueue& q) { return fft<float>(q); };
  for (const std::int64_t n : {64, 34, 1009}) {  // stages, Bluestein or Rader
    const std::int64_t batch = 4096 / n;
    check_faults<fft<float>>(
        {"forward " + std::to_string(n),
         make,
         [&, n, batch](fft<float>& transform) {
           transform.forward(array<value>(a, {batch, n}), array<value>(b, {batch, n}));
         },
         {b}});
  }
  check_faults<fft<float>>(
      {"real, of two axes",
       [](const cl::CommandQueue& q) {
         fft_options options;
         options.axes = 2;
         return fft<float>(q, options);
       },
       [&](fft<float>& transform) {
         transform.forward(array<float>(a, {48, 60}), array<value>(b, {48, 31}));
       },
       {b}});
  check_faults<fft<float>>(
      {"in several passes",
       [](const cl::CommandQueue& q) {
         fft_options options;
         options.policy = fft_policy{.one_pass = 64};
         return fft<float>(q, options);
       },
       [&](fft<float>& transform) {
         transform.inverse(array<value>(a, {1, 4096}), array<value>(b, {1, 4096}));
       },
       {b}});
}

TEST_CASE("other transforms in whose calls something fails throw, and are right the next time") {
  const session& s = support::device_session();
  const cl::Buffer a = small_integers(s, 16384), b = small_integers(s, 16384);
  using value = std::complex<float>;
  const auto make_with = [](const fft_options& options) {
    return [options](const cl::CommandQueue& q) { return fft<float>(q, options); };
  };
  check_faults<fft<float>>(
      {"half a spectrum to real values",
       make_with({}),
       [&](fft<float>& transform) {
         transform.inverse(array<value>(a, {4, 65}), array<float>(b, {4, 128}));
       },
       {b}});
  check_faults<fft<float>>({"in place",
                            make_with({}),
                            [&](fft<float>& transform) {
                              transform.forward(array<value>(a, {8, 60}), array<value>(a, {8, 60}));
                            },
                            {a}});
  check_faults<fft<float>>({"a cosine transform",
                            make_with({.trigonometric = fft_trigonometric::dct2}),
                            [&](fft<float>& transform) {
                              transform.forward(array<float>(a, {6, 40}), array<float>(b, {6, 40}));
                            },
                            {b}});
  check_faults<fft<float>>({"with functions of the caller's",
                            make_with({.load = {"return value * (float2)(2.0f);", {}},
                                       .store = {"return value + (float2)(1.0f, 0.0f);", {}}}),
                            [&](fft<float>& transform) {
                              transform.forward(array<value>(a, {8, 64}), array<value>(b, {8, 64}));
                            },
                            {b}});
  const fft_policy shared{.points = 8,
                          .group = 64,
                          .exchange = fft_exchange::planes,
                          .one_pass = 64,
                          .pipeline_kib = 1024};
  check_faults<fft<float>>(
      {"two passes in one launch",
       make_with({.policy = shared}),
       [&](fft<float>& transform) {
         transform.forward(array<value>(a, {1, 4096}), array<value>(b, {1, 4096}));
       },
       {b}});
}

TEST_CASE("a convolution by transforms in whose calls something fails throws, and is right then") {
  const session& s = support::device_session();
  const cl::Buffer x = small_integers(s, 2400), y = small_integers(s, 2400),
                   h = small_integers(s, 25);
  check_faults<fft_convolution<float>>(
      {"kernel and convolution",
       [](const cl::CommandQueue& q) {
         fft_convolution_options options;
         options.axes = 2;
         return fft_convolution<float>(q, options);
       },
       [&](fft_convolution<float>& blur) {
         blur.set_kernel(array<float>(h, {5, 5}), {40, 60});
         blur(array<float>(x, {1, 40, 60}), array<float>(y, {1, 40, 60}));
       },
       {y}});
}
