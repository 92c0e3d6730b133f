// The snippets of docs/howto.md that no other page has.

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <clprim/copy.hpp>
#include <clprim/fft.hpp>
#include <clprim/gemm.hpp>
#include <clprim/reduce.hpp>
#include <clprim/runtime/profile.hpp>

#include "docs/here.hpp"

using docs::filled;

TEST_CASE("recipes: a low-pass filter of real samples") {
  const cl::CommandQueue& queue = support::device_session().queue;
  constexpr int n = 64;
  std::vector<float> wave(n);
  for (int i = 0; i < n; ++i) {
    const double turn = 2 * 3.14159265358979323846 * i / n;
    wave[static_cast<std::size_t>(i)] =
        static_cast<float>(std::cos(2 * turn) + std::cos(20 * turn));
  }
  const cl::Buffer samples = filled(wave), room = filled<std::complex<float>>(n / 2 + 1, 0.f);
  // [low-pass]
  clprim::fft<float> there(queue, {.store = {"return index <= cut ? value : (float2)(0, 0);",
                                             {clprim::value<cl_long>("cut")}}});
  clprim::fft<float> back(queue, {.inverse_scale = 1.0 / n});
  const auto x = clprim::array<float>(samples, {n});
  const auto spectrum = clprim::array<std::complex<float>>(room, {n / 2 + 1});
  const cl_long cut = 10;  // what swings faster than 10 times over the n samples goes
  back.inverse(spectrum, x, {there.forward(x, spectrum, {}, {cut})});
  // [end]
  for (int i = 0; i < n; ++i) {
    const double turn = 2 * 3.14159265358979323846 * i / n;
    const float left = docs::read<float>(samples, n)[static_cast<std::size_t>(i)];
    CHECK(std::abs(static_cast<double>(left) - std::cos(2 * turn)) < 1e-5);
  }
}

TEST_CASE("recipes: rows normalised, extremes per column, sums of ragged rows") {
  const cl::CommandQueue& queue = support::device_session().queue;
  constexpr int rows = 2, columns = 4;
  const cl::Buffer x = filled<float>({1, 2, 3, 4, 10, 10, 30, 30}), y = filled<float>(8, 0),
                   of_row = filled<float>(2 * rows, 0);
  // [layer norm]
  clprim::reduce<float, clprim::op::variance<>> measure(queue);
  clprim::map<float, float> normalise(
      queue, {.map = {"const float2 m = of_row[index / columns];"
                      "return (x0 - m.x) * rsqrt(m.y + 1e-5f);",
                      {clprim::buffer<std::complex<float>>("of_row"),  // mean and variance
                       clprim::value<int>("columns")}}});
  const cl::Event known =
      measure(clprim::each_row(clprim::matrix<float>(x, rows, columns)), of_row);
  normalise({clprim::vector<float>(x, rows * columns)}, clprim::vector<float>(y, rows * columns),
            {known}, {of_row, columns});
  // [end]
  CHECK(std::abs(docs::read<float>(y, 8)[4] + 1) < 1e-4f);
  const cl::Buffer best = filled<clprim::located<float>>(columns, {});
  // [argmax]
  clprim::reduce<float, clprim::op::argmax> find(queue);
  find(clprim::each_column(clprim::matrix<float>(x, rows, columns)), best);  // {value, index} each
  // [end]
  CHECK(docs::read<clprim::located<float>>(best, 1)[0] == clprim::located<float>{10, 1});
  const cl::Buffer starts = filled<std::int64_t>({0, 3, 3, 8}), sums = filled<float>(3, 7);
  // [ragged]
  clprim::reduce<float> sum(queue);
  sum(clprim::ragged<float>(x, 8, starts, 3), sums);  // row r has elements starts[r] to starts[r+1]
  // [end]
  CHECK(docs::read<float>(sums, 3) == std::vector<float>{6, 0, 84});
}

TEST_CASE("recipes: squared distances between all points") {
  const cl::CommandQueue& queue = support::device_session().queue;
  constexpr int n = 3, m = 2, axes = 2;
  const cl::Buffer p = filled<float>({0, 0, 3, 4, 1, 1}), q = filled<float>({0, 0, 3, 0}),
                   pp = filled<float>(n, 0), qq = filled<float>(m, 0), d = filled<float>(n * m, 0);
  // [distances]
  const auto P = clprim::matrix<float>(p, n, axes), Q = clprim::matrix<float>(q, m, axes);
  clprim::reduce<float> squares(queue, {.map = {"return x * x;", {}}});
  const cl::Event known_p = squares(clprim::each_row(P), pp);
  const cl::Event known_q = squares(clprim::each_row(Q), qq);
  clprim::gemm<float> distances(
      queue, {.epilogue = {"return fmax(pp[row] + qq[column] + value, 0.0f);",
                           {clprim::buffer<float>("pp"), clprim::buffer<float>("qq")}}});
  distances(-2, P, transposed(Q), 0, clprim::matrix<float>(d, n, m), {known_p, known_q}, {pp, qq});
  // [end]
  CHECK(docs::read<float>(d, 6) == std::vector<float>{0, 9, 25, 16, 2, 5});
}

TEST_CASE("recipes: what a call costs, and the first one without its build") {
  const cl::CommandQueue& queue = support::device_session().queue;
  const cl::Buffer a = filled<float>(64, 1), b = filled<float>(64, 2), c = filled<float>(64, 0);
  const auto A = clprim::matrix<float>(a, 8, 8), B = clprim::matrix<float>(b, 8, 8),
             C = clprim::matrix<float>(c, 8, 8);
  std::string log;
  // [prepare]
  clprim::gemm<float> multiply(queue);
  multiply.prepare(A, B, C);        // builds kernels and makes room for them, while nobody waits
  multiply(1, A, B, 0, C, {}, {});  // a launch alone
  // [end]
  // [profile]
  for (const clprim::command_times& t : clprim::profile([&] { multiply(1, A, B, 0, C); }))
    log += t.name + ": " + std::to_string(t.ran()) + " ns\n";
  // [end]
  CHECK(log.find("gemm: ") != std::string::npos);
  CHECK(docs::read<float>(c, 1)[0] == 16);
}

TEST_CASE("recipes: a cosine transform along rows") {
  const cl::CommandQueue& queue = support::device_session().queue;
  constexpr int rows = 2, n = 8;
  const cl::Buffer x = filled<float>(rows * n, 1), y = filled<float>(rows * n, 0);
  // [dct]
  clprim::fft<float> cosines(
      queue, {.inverse_scale = 1.0 / (2 * n), .trigonometric = clprim::fft_trigonometric::dct2});
  cosines.forward(clprim::array<float>(x, {rows, n}), clprim::array<float>(y, {rows, n}));
  // [end]
  CHECK(std::abs(docs::read<float>(y, 1)[0] - 2 * n) < 1e-5f);
}
