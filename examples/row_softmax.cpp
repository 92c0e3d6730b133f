// Softmax of each row of a matrix: what stands at the end of every classifier.
//
//     y[i][j] = exp(x[i][j] - max of row i) / sum over j of exp(x[i][j] - max of row i)
//
// Two calls: one pass over the rows finds maximum and sum together, by an operator of our own whose
// state is the pair of both (M. Milakov and N. Gimelshein, "Online normalizer calculation for
// softmax", 2018), and a map writes the result.

#include <cmath>
#include <complex>
#include <cstdio>
#include <exception>
#include <limits>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <clprim/copy.hpp>
#include <clprim/reduce.hpp>

#include "support/check_gemm.hpp"
#include "support/device.hpp"
#include "support/terminal.hpp"

namespace {

/// The maximum of the elements so far, and the sum of exp(x - maximum).
struct normaliser {
  float most;
  float sum;
};

// [normaliser]
clprim::reduce_options online_normaliser() {
  return {.map = {"const normaliser n = {x, 1}; return n;", {}},
          .user = {.declarations = "typedef struct { float most, sum; } normaliser;",
                   .state = "normaliser",
                   .combine = "const float most = fmax(a.most, b.most);"
                              "if (most == -INFINITY) return a;"  // neither has an element
                              "const normaliser n = {most, a.sum * exp(a.most - most)"
                              "                          + b.sum * exp(b.most - most)};"
                              "return n;",
                   .identity = "((normaliser){-INFINITY, 0})"}};
}
// [end]

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("Softmax of each row of a matrix, checked on the host");
  int rows = 1024, columns = 1000;
  std::string device;
  app.add_option("--rows", rows, "of the matrix (1024)")->check(CLI::Range(1, 1 << 20));
  app.add_option("--columns", columns, "of the matrix (1000)")->check(CLI::Range(1, 1 << 16));
  app.add_option("--device", device, "part of a device's name");
  CLI11_PARSE(app, argc, argv);

  const clprim::session on = clprim::open_session(device);
  const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  examples::random_numbers random(1);
  std::vector<float> x(count);
  for (float& value : x) value = static_cast<float>(20 * random.next());
  const cl::Buffer X = examples::upload(on, x), Y = examples::make_buffer<float>(on, count),
                   N = examples::make_buffer<normaliser>(on, static_cast<std::size_t>(rows));

  // [softmax]
  clprim::reduce<float, clprim::op::user<normaliser>> normalise(on.queue, online_normaliser());
  clprim::map<float, float> apply(
      on.queue, {.map = {"const float2 n = of_row[index / columns];"
                         "return exp(x0 - n.x) / n.y;",
                         {clprim::buffer<std::complex<float>>("of_row"),  // a pair of floats
                          clprim::value<int>("columns")}}});
  const auto elements = static_cast<std::int64_t>(count);
  const auto run = [&] {
    const cl::Event ready = normalise(clprim::each_row(clprim::matrix<float>(X, rows, columns)), N);
    return apply({clprim::vector<float>(X, elements)}, clprim::vector<float>(Y, elements), {ready},
                 {N, columns});
  };
  // [end]
  const double seconds = examples::measure(on, run, true).median;

  const std::vector<float> y = examples::download<float>(on, Y, count);
  examples::accuracy checked;
  for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r) {
    const std::size_t first = r * static_cast<std::size_t>(columns);
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c)
      most = std::fmax(most, static_cast<double>(x[first + c]));
    for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c)
      sum += std::exp(static_cast<double>(x[first + c]) - most);
    for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c) {
      const double exact = std::exp(static_cast<double>(x[first + c]) - most) / sum;
      // exp of an argument up to 40 that is rounded, and may err by 3 units itself; each step of a
      // sum is an exp, two products and an addition.
      checked.add(std::fabs(static_cast<double>(y[first + c]) - exact),
                  examples::gamma(8 * columns + 200, 0x1p-24) * exact + 1e-30);
    }
  }
  std::printf("softmax of %d rows of %d: %s, %s GB/s of two reads and a write\n", rows, columns,
              examples::duration(seconds).c_str(),
              examples::short_number(12e-9 * static_cast<double>(count) / seconds).c_str());
  std::printf("%s: the worst element has %s of the error that rounding allows\n",
              checked.ok() ? "right" : "WRONG", examples::percent(checked.used).c_str());
  return checked.ok() ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
