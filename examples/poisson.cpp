// A spectral Poisson solver: laplace(u) = f on a periodic cube, 256^3 points unless told otherwise.
//
// In the spectrum the equation is a division by -|k|^2, done as the forward transform stores its
// result; the inverse transform gives u. The right side belongs to a known u: the error is exact.

#include <cmath>
#include <cstdint>
#include <exception>
#include <iostream>
#include <numbers>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <clprim/fft.hpp>

#include "support/device.hpp"

int main(int argc, char** argv) try {
  std::int64_t n = 256;
  std::string device;
  CLI::App app("Solves laplace(u) = f on a periodic cube by Fourier transforms");
  app.add_option("--size", n, "points along each edge")->check(CLI::Range(8, 512));
  app.add_option("--device", device, "part of a device's name");
  CLI11_PARSE(app, argc, argv);

  const clprim::session on = clprim::open_session(device);
  const std::int64_t half = n / 2 + 1;
  const auto count = static_cast<std::size_t>(n * n * n);
  const double h = 2 * std::numbers::pi / static_cast<double>(n);
  std::vector<float> right(count), exact(count);
  std::size_t i = 0;
  for (std::int64_t z = 0; z < n; ++z)
    for (std::int64_t y = 0; y < n; ++y)
      for (std::int64_t x = 0; x < n; ++x, ++i) {
        const double X = h * static_cast<double>(x), Y = h * static_cast<double>(y),
                     Z = h * static_cast<double>(z);
        const double a = std::sin(X) * std::cos(2 * Y) * std::sin(3 * Z), b = std::cos(3 * X + Y);
        exact[i] = static_cast<float>(a + b);
        right[i] = static_cast<float>(-14 * a - 10 * b);
      }
  const std::string N = std::to_string(n), H = std::to_string(half);
  clprim::fft<float> transform(
      on.queue,
      {.axes = 3,
       .inverse_scale = 1 / static_cast<double>(count),
       .store = {"const int x = index % " + H + ", yy = index / " + H + " % " + N +
                     ", zz = index / (" + H + " * " + N + ");\n    const int y = yy > " + N +
                     " / 2 ? yy - " + N + " : yy, z = zz > " + N + " / 2 ? zz - " + N +
                     " : zz;\n    const float k = (float)(x * x + y * y + z * z);\n"
                     "    return k == 0 ? (float2)(0, 0) : value / -k;",
                 {}}});
  clprim::fft<float> back(on.queue, {.axes = 3, .inverse_scale = 1 / static_cast<double>(count)});
  const cl::Buffer F = examples::upload(on, right), U = examples::make_buffer<float>(on, count),
                   S = examples::make_buffer<std::complex<float>>(
                       on, static_cast<std::size_t>(n * n * half));
  const auto f = clprim::array<float>(F, {n, n, n}), u = clprim::array<float>(U, {n, n, n});
  const auto s = clprim::array<std::complex<float>>(S, {n, n, half});
  const cl::Event divided = transform.forward(f, s);
  back.inverse(s, u, std::span(&divided, 1));
  const std::vector<float> solved = examples::download<float>(on, U, count);
  double worst = 0;
  for (i = 0; i < count; ++i)
    worst = std::max(worst, std::abs(static_cast<double>(solved[i]) - exact[i]));
  std::cout << n << "^3 points, largest error " << worst << "\n" << transform.explain(f, s);
  return worst < 1e-4 ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
