// Tunes a matrix product on this device by clprim/tuner.hpp, and prints the policy to paste.
//
// The tuner begins with a small grid of tiles and outputs per work-item, then tries what lies
// around the library's choice. Rules and the device's limits throw out what cannot run, each answer
// is checked before its time counts, and only what is faster beyond noise takes the place of the
// library's choice. The landscape is a bar for every policy that ran.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <clprim/gemm.hpp>
#include <clprim/tuner.hpp>

#include "support/device.hpp"
#include "support/gemm_candidates.hpp"
#include "support/gemm_text.hpp"
#include "support/terminal.hpp"

int main(int argc, char** argv) try {
  CLI::App app("Tunes C = A B on this device and prints the fastest policy");
  int size = 512;
  double seconds = 20;
  std::string device;
  app.add_option("--size", size, "rows and columns (512)")->check(CLI::Range(16, 8192));
  app.add_option("--seconds", seconds, "to search (20)")->check(CLI::Range(0.1, 3600.0));
  app.add_option("--device", device, "part of a device's name");
  CLI11_PARSE(app, argc, argv);

  const clprim::session on = clprim::open_session(device, 0);
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

  const clprim::tuning_task<clprim::gemm_policy> task{
      .chosen = clprim::gemm<float>(on.queue).schedule(A, B, C).policy,
      .make =
          [&](const auto& policy) {
            const auto multiply =
                std::make_shared<clprim::gemm<float>>(on.queue, clprim::gemm_options{policy});
            return [=] { (*multiply)(1, A, B, 0, C); };
          },
      .result = cb,
      .bytes = elements * sizeof(float),
      .same = clprim::close_values<float>(2.0 * size * 0x1p-24),  // k epsilon, elements below 1
      .first = examples::gemm_candidates(facts.kind == clprim::device_kind::cpu)};

  std::vector<std::pair<double, std::string>> landscape;
  const auto rate = [&](double time) { return 2e-9 * std::pow(size, 3) / time; };
  const auto note = [&](const clprim::tuning_progress& now) {
    if (now.trial_seconds > 0) {
      const auto tried = clprim::parse_policy<clprim::gemm_policy>(now.trial);
      landscape.emplace_back(rate(now.trial_seconds), examples::in_short(tried));
    }
    if (examples::colours()) {
      std::fprintf(stderr, "\r\033[K%.0f of %.0f s, %d policies, best %.3f x", now.seconds,
                   now.budget, now.tried, now.gain);
    }
    return true;
  };
  const auto found = clprim::tune(on.queue, task, {.seconds = seconds, .tell = note});
  if (examples::colours()) std::fprintf(stderr, "\r\033[K");

  std::printf("%s, C = A B of %d x %d floats: %d policies ran, %d cannot run here, %d wrong\n\n",
              facts.name.c_str(), size, size, found.last.tried, found.last.impossible,
              found.last.wrong);
  std::sort(landscape.rbegin(), landscape.rend());
  constexpr std::size_t most = 24;  // bars; of more, every so-manieth
  const std::size_t step = (landscape.size() + most - 1) / most;
  for (std::size_t i = 0; i < landscape.size(); i += step) {
    const auto length = static_cast<std::size_t>(40 * landscape[i].first / landscape[0].first);
    std::printf("%10s GFLOP/s  %-40s  %s\n", examples::short_number(landscape[i].first).c_str(),
                std::string(length, '#').c_str(), landscape[i].second.c_str());
  }
  std::printf("\nbefore  %10s GFLOP/s  the library's choice: %s\n",
              examples::short_number(rate(found.chosen_seconds)).c_str(),
              examples::in_short(task.chosen).c_str());
  if (found.policy) {
    std::printf("after   %10s GFLOP/s  to paste:\n%s\n",
                examples::short_number(rate(found.seconds)).c_str(),
                to_string(*found.policy).c_str());
  } else {
    std::printf("after   the same: nothing was faster beyond noise\n");
  }
  return found.last.wrong == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
