// bench_call_overhead: what a warm call of our GEMM costs the host beyond OpenCL's own calls.
//
// On a product so small that only the call counts, blocks of calls of two kinds take turns: ours,
// and a bare clSetKernelArg for each argument with clEnqueueNDRangeKernel, for the same kernel,
// arguments and launch, with an event, which both release. The queue is drained after each block,
// outside the times.

#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <clprim/gemm.hpp>

#include "harness/interrupt.hpp"
#include "harness/json.hpp"
#include "harness/options.hpp"
#include "harness/statistics.hpp"

namespace {

constexpr double bar_us = 2;  ///< over the bare calls

/// The kernel `gemm` of one product as plain OpenCL: arguments by value, in order.
class bare_call {
 public:
  bare_call(const clprim::session& s, clprim::gemm<float>& multiply,
            const clprim::matrix_view<float>& A, const clprim::matrix_view<float>& B,
            const clprim::matrix_view<float>& C)
    : queue_(s.queue()) {
    const clprim::gemm_problem p = clprim::checked_problem(A, B, C);
    const clprim::gemm_schedule schedule = multiply.schedule(A, B, C);
    if (schedule.splits != 1) throw clprim::error("the product is split: it takes two kernels");
    const auto program = clprim::build(s.context, s.device, multiply.source(A, B, C));
    kernel_ = clprim::make_kernel(*program, "gemm");
    launch_ = clprim::gemm_launch(clprim::kind_of(p), schedule,
                                  clprim::geometry_of(schedule.policy, schedule.variant));
    extents_ = {p.m, p.n, p.k};
    matrices_ = {p.a, p.b, p.c};
    for (std::size_t i = 0; i < 3; ++i) leading_[i] = matrices_[i].leading;
  }

  /// Sets all arguments, enqueues, releases the event.
  void operator()() const {
    cl_uint index = 0;
    cl_int code = CL_SUCCESS;
    const auto set = [&](const auto& value) {
      code |= clSetKernelArg(kernel_(), index++, sizeof value, &value);
    };
    for (const cl_int extent : extents_) set(extent);
    for (std::size_t i = 0; i < 3; ++i) {
      set(matrices_[i].memory);
      set(static_cast<cl_long>(matrices_[i].offset));
      set(leading_[i]);
      set(static_cast<cl_long>(matrices_[i].stride));
    }
    set(1.0f);
    set(0.0f);
    cl_event done = nullptr;
    code |= clEnqueueNDRangeKernel(queue_, kernel_(), launch_.dimensions, nullptr,
                                   launch_.global.data(), launch_.local.data(), 0, nullptr, &done);
    if (code != CL_SUCCESS)
      throw clprim::error("a bare call failed: has the kernel other arguments now?");
    clReleaseEvent(done);
  }

 private:
  cl_command_queue queue_;
  cl::Kernel kernel_;
  clprim::launch launch_;
  std::array<cl_int, 3> extents_{};
  std::array<clprim::gemm_matrix, 3> matrices_{};
  std::array<cl_int, 3> leading_{};
};

struct result {
  double ours = 0, bare = 0;            ///< median microseconds of a call
  double ours_high = 0, bare_high = 0;  ///< nine of ten calls take less
  double overhead() const { return ours - bare; }
};

/// `blocks` blocks of each kind in turns, `calls` calls in a block.
template <class Ours, class Bare>
result measure(cl_command_queue queue, int blocks, int calls, Ours ours, Bare bare) {
  std::vector<std::vector<double>> with, without;
  const auto block = [&](auto& call, std::vector<std::vector<double>>& rounds) {
    std::vector<double>& times = rounds.emplace_back();
    for (int i = 0; i < calls; ++i) {
      const double begin = bench::seconds_now();
      call();
      times.push_back((bench::seconds_now() - begin) * 1e6);
    }
    clprim::check(clFinish(queue), "clFinish");
  };
  for (int i = 0; i < blocks + 2; ++i) {  // the first two warm up
    if (i == 2) with.clear(), without.clear();
    block(ours, with);
    block(bare, without);
  }
  const auto typical = [](const auto& rounds) { return bench::summarise(rounds).median; };
  const auto high = [](const auto& rounds) {
    return bench::quantile(bench::all_samples(rounds), 0.9);
  };
  return {typical(with), typical(without), high(with), high(without)};
}

result run(const clprim::session& s, int extent, int blocks, int calls) {
  cl_int code = CL_SUCCESS;
  const auto elements = static_cast<std::size_t>(extent) * static_cast<std::size_t>(extent);
  const auto buffer = [&] {
    cl::Buffer made(
        clCreateBuffer(s.context(), CL_MEM_READ_WRITE, elements * sizeof(float), nullptr, &code),
        false);
    clprim::check(code, "clCreateBuffer");
    const float value = 0.7f;
    clprim::check(clEnqueueFillBuffer(s.queue(), made(), &value, sizeof value, 0,
                                      elements * sizeof value, 0, nullptr, nullptr),
                  "clEnqueueFillBuffer");
    return made;
  };
  const cl::Buffer a = buffer(), b = buffer(), c = buffer();
  const auto A = clprim::matrix<float>(a, extent, extent);
  const auto B = clprim::matrix<float>(b, extent, extent);
  const auto C = clprim::matrix<float>(c, extent, extent);
  clprim::gemm<float> multiply(s.queue);
  multiply.prepare(A, B, C);
  const bare_call bare(s, multiply, A, B, C);
  return measure(
      s.queue(), blocks, calls, [&] { multiply(1, A, B, 0, C); }, bare);
}

std::string table_text(const result& r, int calls, int extent) {
  using bench::cell;
  using bench::fixed;
  const auto line = [](const char* what, double middle, double high) {
    return "  " + cell(what, -50) + cell(fixed(middle, 2), 9) + cell(fixed(high, 2), 9) + "\n";
  };
  std::string text =
      "\n" + std::to_string(calls) + " calls of each kind, " + std::to_string(extent) +
      "^3, us on the host: median, nine of ten below\n" +
      line("bare clSetKernelArg x 17 + clEnqueueNDRangeKernel", r.bare, r.bare_high) +
      line("clprim::gemm", r.ours, r.ours_high) + "\n";
  const std::string reached =
      "overhead " + fixed(r.overhead(), 2) + " us, bar " + fixed(bar_us, 1) + " us";
  text += r.overhead() <= bar_us ? "No row is under a bar that was tried: " + reached + "\n"
                                 : "Under their bars:\n  " + reached + "\n";
  return text;
}

int run_all(int argc, char** argv) {
  bench::command_line line(argc, argv);
  const std::string wish =
      line.text("device", "NAME", "part of a device's name, a kind, or P:D").value_or("");
  const std::string path = line.text("json", "FILE", "write the results as JSON").value_or("");
  const std::string table = line.text("table", "FILE", "write the table").value_or("");
  const bool quick = line.flag("quick", "fewer blocks");
  const int extent = static_cast<int>(line.number("size", 16, "rows and columns of the matrices"));
  const int blocks =
      static_cast<int>(line.number("blocks", quick ? 50 : 200, "blocks of each kind"));
  const int calls = static_cast<int>(line.number("calls", 50, "calls in a block"));
  if (!line.finish("bench_call_overhead: the host's time in a warm call of gemm.")) return 0;

  const clprim::session s = clprim::open_session(wish);
  const clprim::device_facts device = clprim::facts_of(s.device);
  const bench::facts_list head = bench::machine_facts(device);
  std::string text;
  for (const auto& [name, value] : head) text += bench::cell(name, -24) + value + "\n";
  benchmark::RegisterBenchmark("call_overhead/sgemm",
                               [&](benchmark::State& state) {
                                 for ([[maybe_unused]] auto one : state) {
                                   try {
                                     const result r = run(s, extent, blocks, calls);
                                     text += table_text(r, blocks * calls, extent);
                                     state.SetIterationTime(r.ours * 1e-6);
                                     state.counters["bare_us"] = r.bare;
                                     state.counters["clprim_us"] = r.ours;
                                     state.counters["overhead_us"] = r.overhead();
                                     state.counters["bar_us"] = bar_us;
                                   } catch (const std::exception& e) {
                                     text += std::string("call_overhead: ") + e.what() + "\n";
                                     state.SkipWithError(e.what());
                                     break;
                                   }
                                 }
                               })
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
  bench::json_file json(path, head);
  bench::run_registered(json);
  std::printf("%s", text.c_str());
  bench::write_file(table, text);
  return bench::interrupted() ? bench::interrupted_status : 0;
}

}  // namespace

int main(int argc, char** argv) {
  bench::notice_interrupts();
  try {
    return run_all(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_call_overhead: %s\n", e.what());
    return 2;
  }
}
