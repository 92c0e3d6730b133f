// The ladder of the textbook on this machine: the same product by the naive kernel, by tiles in
// local memory, by more and more outputs per work-item, and by the library's choice. Every rung is
// a policy of one generator (clprim/gemm/ladder.hpp); every rung's result is checked.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <clprim/gemm.hpp>
#include <clprim/gemm/ladder.hpp>

#include "support/ladder_rungs.hpp"
#include "support/ladder_tables.hpp"
#include "support/roofs.hpp"
#include "support/terminal.hpp"

namespace {

using namespace examples;

template <class T>
result climb(const clprim::session& on, const problem<T>& p, std::string_view name,
             const clprim::gemm_options& options) {
  result r{.name = std::string(name)};
  if (options.policy) r.policy = *options.policy;
  try {
    clprim::gemm<T> multiply(on.queue, options);
    const bool split = multiply.schedule(p.in_a, p.in_b, p.out).splits > 1;
    const auto one = clprim::accumulator_t<T>{1}, zero = clprim::accumulator_t<T>{0};
    const T nan = T(std::numeric_limits<float>::quiet_NaN());  // what is not written shows
    clprim::check(clEnqueueFillBuffer(
                      on.queue(), p.C(), &nan, sizeof nan, 0,
                      static_cast<std::size_t>(p.n) * static_cast<std::size_t>(p.n) * sizeof nan, 0,
                      nullptr, nullptr),
                  "clEnqueueFillBuffer");
    const timing t = measure(
        on, [&] { return multiply(one, p.in_a, p.in_b, zero, p.out); }, split);
    r.seconds = t.median;
    const double n = p.n;
    const bool is_complex = clprim::facts_of(clprim::scalar_of<T>).is_complex;
    r.flops = (is_complex ? 8.0 : 2.0) * n * n * n / t.median;
    r.checked =
        check_product<T>(p.a, p.b, download<T>(on, p.C, p.a.size()), p.n, p.n, sampled_rows(p.n));
    describe_kernel(r, on, multiply, p);
  } catch (const clprim::policy_error& error) {
    r.refused = error.what();
  }
  return r;
}

template <class T> bool run_ladder(const clprim::session& on, int size) {
  const clprim::device_facts facts = clprim::facts_of(on.device);
  if (size == 0) size = facts.kind == clprim::device_kind::cpu ? 512 : 4096;
  constexpr clprim::scalar_facts type = clprim::facts_of(clprim::scalar_of<T>);
  std::printf("%s\nC = A B of %s, %d x %d x %d, row-major\n%s\n\n",
              bold("The ladder of matrix multiplication").c_str(), std::string(type.name).c_str(),
              size, size, size, clprim::describe(facts).c_str());
  std::vector<result> results;
  double roof = 0;
  {
    constexpr std::span rungs(clprim::gemm_ladder::rungs);
    progress telling("climbing", static_cast<int>(rungs.size()) + 1);
    if constexpr (type.needs_fp64)
      roof = facts.fp64 ? measured_flops<double>(on, facts) : 0;
    else
      roof = measured_flops<float>(on, facts);
    const problem<T> p(on, size);
    for (const clprim::gemm_rung& rung : rungs) {
      telling.step(std::string(rung.name));
      results.push_back(climb<T>(on, p, rung.name, {.policy = rung.policy}));
    }
    telling.step("the library's choice");
    results.push_back(climb<T>(on, p, "the library's choice", {}));
  }
  print_results(results);
  const result& last = results.back();
  std::printf(
      "\nThe device's multiply-adds alone: %s GFLOP/s (measured); the library's choice reaches "
      "%s.\n"
      "Registers and local memory: as the driver tells; ~ worked out; ? not told. Occupancy: ≤ with"
      " registers not known, ≥ on a device not known.\n",
      short_number(1e-9 * roof).c_str(), percent(last.flops / roof).c_str());
  std::printf("\n%s, on the devices of their time: compare the steps, not the speeds\n",
              bold("What was published").c_str());
  print_published(results);
  print_reasons();
  return std::all_of(results.begin(), results.end(),
                     [](const result& r) { return !r.refused.empty() || r.checked.ok(); });
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("The ladder of matrix multiplication, from naive to tuned, on an OpenCL device");
  std::string device, type = "float";
  int size = 0;
  app.add_option("--device", device, "part of a name, gpu, cpu, or platform:device");
  app.add_option("--size", size, "rows and columns of the matrices (default: suits the device)")
      ->check(CLI::Range(1, 32768));
  app.add_option("--type", type, "element type")
      ->check(CLI::IsMember({"float", "double", "half", "complex", "double-complex"}));
  CLI11_PARSE(app, argc, argv);

  const clprim::session on = clprim::open_session(device);
  const bool right = type == "double"           ? run_ladder<double>(on, size)
                     : type == "half"           ? run_ladder<clprim::half>(on, size)
                     : type == "complex"        ? run_ladder<std::complex<float>>(on, size)
                     : type == "double-complex" ? run_ladder<std::complex<double>>(on, size)
                                                : run_ladder<float>(on, size);
  if (!right) std::printf("\n%s\n", examples::bad("A rung gave a wrong result.").c_str());
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
