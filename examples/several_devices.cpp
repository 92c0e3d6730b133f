// One product on all OpenCL devices at a time, each with a part of C's rows.
//
// The rows are dealt out by the speed that each device shows in a first, small product. Every
// device has a context, a queue and an object of its own, and a thread that feeds it.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>

#include <clprim/gemm.hpp>

#include "support/device.hpp"
#include "support/terminal.hpp"

namespace {

/// A device at work on `rows` rows from `first` on.
struct worker {
  clprim::session on;
  std::string name;
  double flops = 0;
  int first = 0;
  int rows = 0;
  std::exception_ptr failed = nullptr;
};

double speed_of(const clprim::session& on) {
  constexpr int n = 256;
  const cl::Buffer a = examples::upload(on, std::vector<float>(n * n, 0.7f)),
                   c = examples::make_buffer<float>(on, n * n);
  const auto A = clprim::matrix<float>(a, n, n), C = clprim::matrix<float>(c, n, n);
  clprim::gemm<float> multiply(on.queue);
  const auto run = [&] { return multiply(1, A, A, 0, C); };
  return 2.0 * n * n * n / examples::measure(on, run, false, 0.1).median;
}

void work(worker& w, const std::vector<float>& a, const std::vector<float>& b,
          std::vector<float>& c, int n, int k) try {
  const std::size_t elements = static_cast<std::size_t>(w.rows) * static_cast<std::size_t>(n);
  const auto from = a.begin() + std::ptrdiff_t{w.first} * k;
  const cl::Buffer A = examples::upload(w.on, std::vector<float>(from, from + w.rows * k)),
                   B = examples::upload(w.on, b), C = examples::make_buffer<float>(w.on, elements);
  clprim::gemm<float> multiply(w.on.queue);
  multiply(1, clprim::matrix<float>(A, w.rows, k), clprim::matrix<float>(B, k, n), 0,
           clprim::matrix<float>(C, w.rows, n));
  const auto part = examples::download<float>(w.on, C, elements);
  std::copy(part.begin(), part.end(), c.begin() + std::ptrdiff_t{w.first} * n);
} catch (...) {
  w.failed = std::current_exception();
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("One matrix product on every OpenCL device of this machine at a time");
  int size = 1000, copies = 1;
  app.add_option("--size", size, "rows and columns (1000)")->check(CLI::Range(1, 16384));
  app.add_option("--copies", copies, "take each device so many times, to try it with one alone (1)")
      ->check(CLI::Range(1, 16));
  CLI11_PARSE(app, argc, argv);

  std::vector<worker> workers;
  double all = 0;
  // [open]
  for (const clprim::device_entry& entry : clprim::list_devices())
    for (int copy = 0; copy < copies; ++copy) {
      const std::string place =
          std::to_string(entry.platform_index) + ":" + std::to_string(entry.device_index);
      worker w{.on = clprim::open_session(place), .name = place + " " + entry.facts.name};
      w.flops = speed_of(w.on);
      all += w.flops;
      workers.push_back(std::move(w));
    }
  // [end]
  if (workers.empty()) throw clprim::device_error("there is no OpenCL device");
  double before = 0;
  for (worker& w : workers) {
    // [deal]
    w.first = static_cast<int>(std::lround(size * before / all));
    before += w.flops;
    w.rows = static_cast<int>(std::lround(size * before / all)) - w.first;
    // [end]
    std::printf("rows %5d to %5d on %s (%s GFLOP/s alone)\n", w.first, w.first + w.rows - 1,
                w.name.c_str(), examples::short_number(1e-9 * w.flops).c_str());
  }

  const auto elements = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  std::vector<float> a(elements, 0.5f), b(elements, 2), c(elements, -1);
  const auto started = std::chrono::steady_clock::now();
  // [threads]
  std::vector<std::jthread> threads;
  for (worker& w : workers)
    if (w.rows > 0) threads.emplace_back([&] { work(w, a, b, c, size, size); });
  threads.clear();  // joins
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  for (const worker& w : workers)
    if (w.failed) std::rethrow_exception(w.failed);
  // [end]
  const bool right =
      std::all_of(c.begin(), c.end(), [&](float x) { return x == static_cast<float>(size); });
  std::printf("%d devices, transfers and builds included: %s. Every element is %d: %s\n",
              static_cast<int>(workers.size()), examples::duration(took.count()).c_str(), size,
              right ? "right" : "WRONG");
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
