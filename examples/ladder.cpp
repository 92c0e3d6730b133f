// The ladder of the textbook on this machine: the same product by the naive kernel, by tiles in
// local memory, by more and more outputs per work-item, and by the library's choice. Every rung is
// a policy of one generator (clprim/gemm/ladder.hpp); every rung's result is checked.

#include <algorithm>
#include <complex>
#include <cstdio>
#include <exception>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <clprim/core/occupancy.hpp>
#include <clprim/core/occupancy/device.hpp>
#include <clprim/gemm.hpp>
#include <clprim/gemm/ladder.hpp>

#include "support/check_gemm.hpp"
#include "support/device.hpp"
#include "support/gemm_text.hpp"
#include "support/roofs.hpp"
#include "support/terminal.hpp"

namespace {

using namespace examples;

/// One rung as it went: measured, or the sentence that says why it cannot be.
struct result {
  std::string name;
  clprim::gemm_policy policy{};
  double seconds = 0;
  double flops = 0;
  accuracy checked{};
  std::string registers = "?";
  std::string local{};
  std::string occupancy = "–";
  std::string refused{};
};

/// The operands of C = A B, n x n, on host and device.
template <class T> struct problem {
  int n;
  std::vector<T> a, b;
  cl::Buffer A, B, C;
  clprim::matrix_view<T> in_a, in_b, out;

  problem(const clprim::session& on, int size) : n(size) {
    const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    random_numbers random(1);
    const auto element = [&] {
      if constexpr (clprim::facts_of(clprim::scalar_of<T>).is_complex) {
        using real = typename T::value_type;
        const auto re = static_cast<real>(random.next()), im = static_cast<real>(random.next());
        return T(re, im);
      } else if constexpr (std::is_same_v<T, clprim::half>) {
        return T(static_cast<float>(random.next()));
      } else {
        return static_cast<T>(random.next());
      }
    };
    a.resize(count);
    b.resize(count);
    std::generate(a.begin(), a.end(), element);
    std::generate(b.begin(), b.end(), element);
    A = upload(on, a);
    B = upload(on, b);
    C = make_buffer<T>(on, count);
    in_a = clprim::matrix<T>(A, n, n);
    in_b = clprim::matrix<T>(B, n, n);
    out = clprim::matrix<T>(C, n, n);
  }
};

/// What the kernel takes and how it sits on a unit, as far as driver and model know.
template <class T>
void describe_kernel(result& r, const clprim::session& on, const clprim::gemm<T>& multiply,
                     const problem<T>& p) {
  const clprim::device_facts& facts = multiply.device();
  const clprim::gemm_schedule schedule = multiply.schedule(p.in_a, p.in_b, p.out);
  r.policy = schedule.policy;
  // The program comes from the cache: the product has run before.
  const auto plan = clprim::build_gemm_plan(schedule, {}, on.context, on.device, facts);
  const auto used = clprim::resources_of(*plan.program, plan.multiply, "gemm", on.device);
  if (used.registers.known()) {
    r.registers = std::to_string(used.registers.value);
    if (used.spill_bytes.known() && used.spill_bytes.value > 0) r.registers += " spilled";
  }
  const int local = used.local_bytes.known() ? used.local_bytes.value : plan.geometry.local_bytes;
  r.local = local == 0 ? "0" : format("%.1f KiB", local / 1024.0);
  if (!used.local_bytes.known()) r.local = "~" + r.local;
  if (facts.kind == clprim::device_kind::cpu) return;  // a core runs one group, whatever it takes
  clprim::group_use use{.work_items = plan.geometry.group, .local_bytes = local, .barriers = 1};
  if (used.registers.known()) use.registers = used.registers.value;
  const clprim::occupancy o = clprim::occupancy_of(clprim::limits_of(facts), use);
  const char* const mark = o.known == clprim::certainty::conservative ? "≥ "
                           : used.registers.known()                   ? ""
                                                                      : "≤ ";
  r.occupancy = mark + percent(o.fraction());
}

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

void print_results(const std::vector<result>& results) {
  double best = 0;
  for (const result& r : results) best = std::max(best, r.flops);
  using enum table::side;
  table t({{"rung"},
           {"tile, outputs, group"},
           {"time", right},
           {"GFLOP/s", right},
           {"of best", right},
           {"regs", right},
           {"local", right},
           {"occupancy", right},
           {"error", right},
           {"bound", right},
           {""}});
  for (const result& r : results) {
    if (!r.refused.empty()) {
      t.add({r.name, in_short(r.policy), faint("not here")});
      continue;
    }
    t.add({r.name, in_short(r.policy), duration(r.seconds), short_number(1e-9 * r.flops),
           percent(r.flops / best), r.registers, r.local, r.occupancy, magnitude(r.checked.error),
           magnitude(r.checked.bound), r.checked.ok() ? good("ok") : bad("WRONG")});
  }
  t.print();
  for (const result& r : results) {
    if (!r.refused.empty()) std::printf("not here: %s: %s\n", r.name.c_str(), r.refused.c_str());
  }
}

/// Their steps beside ours: each figure over the one before of the same device.
void print_published(const std::vector<result>& results) {
  using enum table::side;
  table t({{"rung"},
           {"published"},
           {"", right},
           {"their step", right},
           {"our step", right},
           {"source"}});
  const clprim::gemm_rung* before = nullptr;
  double ours_before = 0;
  for (std::size_t i = 0; i < std::size(clprim::gemm_ladder::rungs); ++i) {
    const clprim::gemm_rung& rung = clprim::gemm_ladder::rungs[i];
    if (rung.published.value == 0) continue;
    const bool follows = before != nullptr && before->published.device == rung.published.device;
    const double ours = results[i].flops;
    t.add({std::string(rung.name), std::string(rung.published.device),
           short_number(rung.published.value) + " " + std::string(rung.published.unit),
           follows ? format("%.2f×", rung.published.value / before->published.value) : "",
           follows && ours > 0 && ours_before > 0 ? format("%.2f×", ours / ours_before) : "",
           std::string(rung.source)});
    before = &rung;
    ours_before = ours;
  }
  t.print();
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
  std::printf("\n%s\n", bold("What each rung changes, and why").c_str());
  for (const clprim::gemm_rung& rung : clprim::gemm_ladder::rungs) {
    std::printf("  %s: %s\n    %s\n", std::string(rung.name).c_str(),
                std::string(rung.what).c_str(), faint(rung.why).c_str());
  }
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
