// Tries policies of a matrix product on this device, and prints the fastest to paste.
//
// The candidates are a small grid of tiles and outputs per work-item. Rules and the device's limits
// throw out what cannot run, each answer is checked before its time counts, and the library's own
// choice stands beside them.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <clprim/gemm.hpp>

#include "support/device.hpp"
#include "support/gemm_candidates.hpp"
#include "support/gemm_text.hpp"
#include "support/terminal.hpp"

int main(int argc, char** argv) try {
  CLI::App app("Tries policies of C = A B on this device and prints the fastest");
  int size = 512;
  std::string device;
  app.add_option("--size", size, "rows and columns (512)")->check(CLI::Range(16, 8192));
  app.add_option("--device", device, "part of a device's name");
  CLI11_PARSE(app, argc, argv);

  const clprim::session on = clprim::open_session(device);
  const clprim::device_facts facts = clprim::facts_of(on.device);
  const auto elements = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  examples::random_numbers random(1);
  std::vector<float> a(elements), b(elements);
  for (float& v : a) v = static_cast<float>(random.next());
  for (float& v : b) v = static_cast<float>(random.next());
  const cl::Buffer ab = examples::upload(on, a), bb = examples::upload(on, b),
                   cb = examples::make_buffer<float>(on, elements);
  const auto A = clprim::matrix<float>(ab, size, size), B = clprim::matrix<float>(bb, size, size),
             C = clprim::matrix<float>(cb, size, size);

  // The library's choice gives the answer that the others must give within rounding.
  clprim::gemm<float> library(on.queue);
  const auto timed = [&](clprim::gemm<float>& multiply) {
    return examples::measure(
               on, [&] { return multiply(1, A, B, 0, C); }, true, 0.2)
        .median;
  };
  const double chosen = timed(library);
  const std::vector<float> right = examples::download<float>(on, cb, elements);
  const double bound = 2.0 * size * 0x1p-24 * size;  // k epsilon |A||B|, elements below 1

  struct result {
    clprim::gemm_policy policy;
    double seconds;
  };
  std::vector<result> results;
  int impossible = 0, wrong = 0;
  for (const clprim::gemm_policy& p :
       examples::gemm_candidates(facts.kind == clprim::device_kind::cpu))
    try {
      clprim::gemm<float> multiply(on.queue, {.policy = p});
      const double seconds = timed(multiply);
      const std::vector<float> c = examples::download<float>(on, cb, elements);
      const bool ok = std::equal(c.begin(), c.end(), right.begin(), [&](float x, float y) {
        return std::fabs(static_cast<double>(x) - static_cast<double>(y)) <= bound;
      });
      wrong += ok ? 0 : 1;
      if (ok) results.push_back({p, seconds});
    } catch (const clprim::policy_error&) {
      ++impossible;  // breaks a rule, or is too large for the device
    }
  std::sort(results.begin(), results.end(),
            [](const result& x, const result& y) { return x.seconds < y.seconds; });
  const auto line = [&](double seconds, const std::string& text) {
    std::printf("%10s GFLOP/s  %s\n",
                examples::short_number(2e-9 * std::pow(size, 3) / seconds).c_str(), text.c_str());
  };
  std::printf("%s, C = A B of %d x %d floats: %zu policies ran, %d cannot run here, %d wrong\n\n",
              facts.name.c_str(), size, size, results.size(), impossible, wrong);
  for (std::size_t i = 0; i < std::min<std::size_t>(5, results.size()); ++i)
    line(results[i].seconds, examples::in_short(results[i].policy));
  line(chosen, "the library's choice");
  if (!results.empty())
    std::printf("\nthe fastest of them, to paste:\n%s\n", to_string(results[0].policy).c_str());
  return wrong == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
