// Functions of one's own inside the kernels of five primitives, as OpenCL C text.
//
// Each saves a pass over the data: an epilogue of a product, a map before a reduction, the way out
// of a convolution, elementwise arithmetic of several arrays, and a window at loading a transform.

#include <cmath>
#include <complex>
#include <cstdio>
#include <exception>
#include <vector>

#include <clprim/clprim.hpp>

#include "support/device.hpp"
#include "support/usage.hpp"

namespace {

bool all_right = true;

void tell(const char* what, double got, double expected) {
  const bool right = std::fabs(got - expected) <= 1e-4 * std::fabs(expected) + 1e-6;
  std::printf("%-62s %10.4f  %s\n", what, got, right ? "right" : "WRONG");
  all_right = all_right && right;
}

}  // namespace

int main(int argc, char** argv) try {
  if (examples::told_usage(argc, argv, "Functions of one's own inside the library's kernels."))
    return 0;
  const clprim::session on = clprim::open_session();
  constexpr int n = 64;
  const std::vector<float> ones(n * n, 1.f);
  const cl::Buffer X = examples::upload(on, ones), Y = examples::upload(on, ones);
  const auto matrix = clprim::matrix<float>(X, n, n), out = clprim::matrix<float>(Y, n, n);
  const auto first = [&] {
    return static_cast<double>(examples::download<float>(on, Y, 2).back());
  };

  // `value`, `row` and `column` are the product's; bias and slope are ours, given at each call.
  clprim::gemm<float> layer(
      on.queue, {.epilogue = {"return tanh(slope * value + bias[column]);",
                              {clprim::buffer<float>("bias"), clprim::value<float>("slope")}}});
  std::vector<float> b(n, 0.25f);
  const cl::Buffer bias = examples::upload(on, b);
  layer(1, matrix, matrix, 0, out, {}, {bias, 0.01f});
  tell("gemm, epilogue: tanh(slope value + bias)", first(), std::tanh(0.64 + 0.25));

  // `x` is an element, `index` its place: a mean of distances to a line, without storing them.
  clprim::reduce<float, clprim::op::mean<>> spread(
      on.queue, {.map = {"return fabs(x - slope * index);", {clprim::value<float>("slope")}}});
  tell("reduce, map: mean of |x - slope index|",
       static_cast<double>(spread.value(clprim::whole<float>(X, n), {}, {0.01f})),
       1 - 0.01 * (n - 1) / 2);

  // `value` is a sum, `x`, `y` and `channel` its place: brightness and contrast behind a blur.
  clprim::convolve<float> blur(
      on.queue, {.border = clprim::border_mode::replicate,
                 .map = {"return contrast * value + 0.5f;", {clprim::value<float>("contrast")}}});
  blur(clprim::image<float>(X, n, n), clprim::filter_2d<float>(3, 3, std::vector<float>(9, 1.f)),
       clprim::image<float>(Y, n, n), {}, {2.f});
  tell("convolve, map: contrast value + 1/2", first(), 18.5);

  // `x0`, `x1` are the inputs' elements: one pass where a library of vectors takes three.
  clprim::map<float, float, float> hypotenuse(on.queue,
                                              {.map = {"return hypot(3 * x0, 4 * x1);", {}}});
  const auto v = clprim::vector<float>(X, n * n);
  hypotenuse({v, v}, clprim::vector<float>(Y, n * n));
  tell("map of two arrays: hypot(3 x0, 4 x1)", first(), 5);

  // A window as samples are read, and power in decibels as the spectrum is stored.
  clprim::fft<float> power(
      on.queue, {.load = {"return value * (0.5f - 0.5f * cospi(2.0f * index / 64));", {}},
                 .store = {"return 10 * log10(dot(value, value) + 1e-12f);", {}}});
  power.forward(clprim::array<float>(X, {n}), clprim::array<float>(Y, {n / 2 + 1}));
  tell("fft, load and store: Hann window, decibels", first(), 10 * std::log10(16.0 * 16.0));

  return all_right ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
