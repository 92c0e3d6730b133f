// bench_gemm: our GEMM beside its peers, on one device, in one run.
//
// A row is a problem: everyone who can take part computes it, is verified, and is then timed in
// blocks of calls that take turns, with a pause before each block. Google Benchmark registers and
// runs the rows and writes the JSON; manual time is the median of ours.

#include <csignal>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "gemm/clblast_tuning.hpp"
#include "gemm/comparison.hpp"
#include "gemm/report.hpp"
#include "harness/json.hpp"
#include "harness/options.hpp"
#include "harness/roof.hpp"

namespace {

volatile std::sig_atomic_t interrupted = 0;

struct run_options {
  std::string device;
  std::string filter;
  std::string json;
  std::string table;
  std::string clblast_file;
  std::string timing;
  double tune_clblast = 0;
  bool quick = false;
  bool list = false;
  bool print_device = false;
  bool no_roof = false;
  bench::facts_list context;
};

/// Runs rows; keeps the operands of one type at a time.
class runner {
 public:
  runner(const clprim::session& session, const clprim::device_facts& device,
         std::vector<bench::gemm_problem_row> problems, bench::gemm_settings settings)
    : session_(session),
      device_(device),
      problems_(std::move(problems)),
      settings_(std::move(settings)) {}

  bench::comparison run(const bench::gemm_problem_row& row) {
    switch (row.type) {
      case clprim::scalar::half_: return run_as<clprim::half>(row);
      case clprim::scalar::float_: return run_as<float>(row);
      case clprim::scalar::double_: return run_as<double>(row);
      case clprim::scalar::complex_float: return run_as<std::complex<float>>(row);
      case clprim::scalar::complex_double: return run_as<std::complex<double>>(row);
    }
    throw clprim::error("unknown element type");
  }

 private:
  template <class T> bench::comparison run_as(const bench::gemm_problem_row& row) {
    if (!current_ || type_ != row.type) {
      current_.reset();  // first the old operands go
      const auto arena =
          std::make_shared<bench::gemm_arena<T>>(session_, device_, problems_, settings_);
      current_ = std::make_shared<std::function<bench::comparison(const bench::gemm_problem_row&)>>(
          [arena](const bench::gemm_problem_row& r) {
            return arena->run(r, [] { return interrupted != 0; });
          });
      type_ = row.type;
    }
    return (*current_)(row);
  }

  clprim::session session_;
  clprim::device_facts device_;
  std::vector<bench::gemm_problem_row> problems_;
  bench::gemm_settings settings_;
  clprim::scalar type_ = clprim::scalar::float_;
  std::shared_ptr<std::function<bench::comparison(const bench::gemm_problem_row&)>> current_;
};

/// Numbers of one row as Google Benchmark's counters, so that they reach the JSON.
void set_counters(benchmark::State& state, const bench::comparison& row, double roof) {
  const double flops = row.problem.flops();
  auto& counters = state.counters;
  counters["m"] = row.problem.m;
  counters["n"] = row.problem.n;
  counters["k"] = row.problem.k;
  counters["batch"] = row.problem.batch;
  for (const bench::contestant_result& r : row.results) {
    if (!r.timed()) continue;
    const std::string name = bench::slug(r.name, '_');
    counters[name + "_us"] = r.seconds.median * 1e6;
    counters[name + "_gflops"] = flops / r.seconds.median * 1e-9;
    counters[name + "_spread"] = r.seconds.spread;
    counters[name + "_series_us"] = r.series * 1e6;
    counters[name + "_error_epsilons"] = r.error;
    if (r.name == "clprim") continue;
    counters["ratio_to_" + name] = r.ratio;
    counters["series_ratio_to_" + name] = r.series_ratio;
  }
  for (const bench::bar& b : row.problem.bars)
    counters["bar_" + bench::slug(b.peer, '_')] = b.ratio;
  if (roof > 0) counters["roof_share"] = flops / row.ours().seconds.median / roof;
}

void register_rows(const std::vector<bench::gemm_problem_row>& rows, runner& run,
                   bench::gemm_report& report) {
  for (const bench::gemm_problem_row& row : rows) {
    std::string name = "gemm/" + row.name;
    std::replace(name.begin(), name.end(), ' ', '/');
    benchmark::RegisterBenchmark(name.c_str(),
                                 [&run, &report, row](benchmark::State& state) {
                                   for ([[maybe_unused]] auto one : state) {
                                     if (interrupted != 0) {
                                       state.SkipWithError("interrupted");
                                       break;
                                     }
                                     try {
                                       const bench::comparison result = run.run(row);
                                       report.row(result);
                                       if (!result.ours().timed()) {
                                         state.SkipWithError(interrupted != 0
                                                                 ? "interrupted"
                                                                 : result.ours().problem.c_str());
                                         break;
                                       }
                                       state.SetIterationTime(result.ours().seconds.median);
                                       state.SetLabel(result.ours().detail);
                                       set_counters(state, result, report.roof(row.type));
                                     } catch (const std::exception& e) {
                                       report.print("    " + row.name + ": " + e.what());
                                       state.SkipWithError(e.what());
                                       break;
                                     }
                                   }
                                 })
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

std::vector<std::string> peer_columns(const clprim::device_facts& device, bool clblast_tuned,
                                      std::vector<std::string>& missing) {
  std::vector<std::string> peers;
  const auto peer = [&](bool has, const std::string& name) {
    (has ? peers : missing).push_back(name);
  };
  peer(CLPRIM_HAS_CLBLAST != 0, clblast_tuned ? "CLBlast tuned" : "CLBlast");
  if (device.kind == clprim::device_kind::cpu) peer(CLPRIM_HAS_OPENBLAS != 0, "OpenBLAS");
  if (device.vendor == clprim::vendor::nvidia) peer(CLPRIM_HAS_CUBLAS != 0, "cuBLAS");
  return peers;
}

#if CLPRIM_HAS_CLBLAST
/// Tunes on square products, screened at 256 and timed at 1024, in float and double, and keeps what
/// it finds.
void tune_clblast(const clprim::session& session, const clprim::device_facts& device,
                  double seconds, const std::string& path) {
  bench::load_clblast_parameters(path, session.device());  // an earlier search is gone on with
  std::ofstream file;
  if (!path.empty()) file.open(path);
  const auto one = [&]<class T>(T, const char* type) {
    std::printf("tuning CLBlast for %s, at most %.0f s\n", type, seconds / 2);
    const bench::gemm_problem_row small{"screening", clprim::scalar_of<T>, 256, 256, 256};
    const bench::gemm_problem_row large{"tuning", clprim::scalar_of<T>, 1024, 1024, 1024};
    const auto a = bench::random_values<T>(large.a_elements(), 1);
    const auto b = bench::random_values<T>(large.b_elements(), 2);
    const auto operands = std::make_shared<const bench::opencl_operands<T>>(
        session, device, device.kind != clprim::device_kind::cpu, a, b, large.c_elements());
    const bench::clblast_parameters best = bench::tune_clblast<T>(
        operands, a, b, small, large, seconds / 2, [](const std::string& line) {
          std::printf("  %s\n", line.c_str());
          std::fflush(stdout);
        });
    if (!best.empty() && file.is_open()) file << type << " " << bench::to_text(best) << std::endl;
  };
  one(float{}, "float");
  if (device.fp64) one(double{}, "double");
}
#endif

std::optional<clprim::gemm_policy> parsed(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return clprim::parse_policy<clprim::gemm_policy>(*text);
}

bool read_options(int argc, char** argv, run_options& run, bench::gemm_settings& settings,
                  bool& pause_given) {
  bench::command_line line(argc, argv);
  run.device = line.text("device", "NAME", "part of a device's name, a kind, or P:D").value_or("");
  run.filter = line.text("filter", "REGEX", "only the rows whose name matches").value_or("");
  run.quick = line.flag("quick", "fewer rows and rounds");
  run.list = line.flag("list", "only list the rows");
  run.print_device = line.flag("print-device", "only print the device's name as that of a folder");
  run.json = line.text("json", "FILE", "write the results as JSON").value_or("");
  run.table = line.text("table", "FILE", "write the table").value_or("");
  settings.rounds = static_cast<int>(
      line.number("rounds", run.quick ? 2 : 4, "blocks of each contestant, taking turns"));
  const double pause = line.number("pause", -1, "ms before each block (GPU 300, CPU 0)");
  pause_given = pause >= 0;
  settings.pause_ms = std::max(0.0, pause);
  settings.block_ms = line.number("block", run.quick ? 20 : 40, "ms that a block takes at least");
  run.timing =
      line.text("timing", "events|wall", "how OpenCL's calls are timed (GPU events, CPU wall)")
          .value_or("");
  if (!run.timing.empty() && run.timing != "events" && run.timing != "wall")
    throw clprim::error("--timing is events or wall: '" + run.timing + "' given");
  settings.rotate = line.flag("rotate", "operands rotate through twice the last-level cache");
  settings.pedantic = line.flag("pedantic", "cuBLAS in its pedantic mode");
  settings.policy =
      parsed(line.text("policy", "TEXT", "our policy, as its initialiser, for all rows"));
  settings.async_policy =
      parsed(line.text("async-policy", "TEXT", "our policy for the rows named async"));
  run.clblast_file =
      line.text("clblast-parameters", "FILE", "CLBlast's parameters for this machine").value_or("");
  run.tune_clblast =
      line.number("tune-clblast", 0, "seconds to search for them first (kept in that file)");
  run.no_roof = line.flag("no-roof", "do not measure the FMA roof");
  while (const auto fact = line.text("context", "NAME=VALUE", "a line for the head of the JSON")) {
    const auto equals = fact->find('=');
    if (equals != std::string::npos)
      run.context.emplace_back(fact->substr(0, equals), fact->substr(equals + 1));
  }
  return line.finish("bench_gemm: matrix products beside their peers, in one run.");
}

std::vector<bench::gemm_problem_row> chosen_rows(const clprim::device_facts& device,
                                                 const run_options& options) {
  std::vector<bench::gemm_problem_row> rows;
  const std::regex filter(options.filter);
  for (const bench::gemm_problem_row& row : device.kind == clprim::device_kind::cpu
                                                ? bench::cpu_gemm_problems()
                                                : bench::gpu_gemm_problems()) {
    if (options.quick && !row.quick && options.filter.empty()) continue;
    if (row.ours == bench::wish::async && !device.async_copy) continue;
    if (!device.fp64 && clprim::facts_of(row.type).needs_fp64) continue;
    if (std::regex_search(row.name, filter)) rows.push_back(row);
  }
  if (rows.empty()) throw clprim::error("no row matches '" + options.filter + "': see --list");
  return rows;
}

int run_all(const run_options& options, bench::gemm_settings settings, bool pause_given) {
  const clprim::session session = clprim::open_session(options.device);
  const clprim::device_facts device = clprim::facts_of(session.device);
  if (options.print_device) {
    std::printf("%s\n", bench::device_slug(device).c_str());
    return 0;
  }
  const bool cpu = device.kind == clprim::device_kind::cpu;
  if (!pause_given) settings.pause_ms = cpu ? 0 : options.quick ? 150 : 300;
  settings.by_events = options.timing.empty() ? !cpu : options.timing == "events";
  const std::vector<bench::gemm_problem_row> rows = chosen_rows(device, options);
  if (options.list) {
    for (const bench::gemm_problem_row& row : rows) std::printf("%s\n", row.name.c_str());
    return 0;
  }
#if CLPRIM_HAS_CLBLAST
  if (options.tune_clblast > 0)
    tune_clblast(session, device, options.tune_clblast, options.clblast_file);
  if (!options.clblast_file.empty())
    settings.clblast_tuned = bench::load_clblast_parameters(options.clblast_file, session.device());
#endif
  const auto roof = [&](const char* type) {
    return options.no_roof ? 0.0 : bench::fma_flops(session, device, type, settings.pause_ms);
  };
  const double float_roof = roof("float"), double_roof = device.fp64 ? roof("double") : 0.0;
  std::vector<std::string> missing;
  bench::gemm_report report(peer_columns(device, settings.clblast_tuned, missing), float_roof,
                            double_roof);
  bench::facts_list head = bench::machine_facts(device);
  head.insert(head.end(), options.context.begin(), options.context.end());
  head.emplace_back("timing", settings.by_events
                                  ? "OpenCL: profiling start of a call's first kernel to end of "
                                    "its last; CUDA: events around groups of calls"
                                  : "wall time of enqueue and finish");
  head.emplace_back("rounds", std::to_string(settings.rounds));
  head.emplace_back("pause_ms", bench::fixed(settings.pause_ms, 0));
  head.emplace_back("rotated", settings.rotate ? "yes" : "no");
  head.emplace_back("fma_roof_gflops_float", bench::fixed(float_roof * 1e-9, 0));
  head.emplace_back("fma_roof_gflops_double", bench::fixed(double_roof * 1e-9, 0));
  for (const std::string& peer : missing) head.emplace_back("missing_peer", peer);
  for (const auto& [name, value] : head) report.print(bench::cell(name, -24) + value);
  report.print("");
  report.print(
      "GFLOP/s of each; ± is half the distance of the quartiles; roof is the share of the "
      "FMA roof; ratio is our");
  report.print(
      "speed over the best peer's, by rounds; series is the same for calls back to back, "
      "gaps included.");
  report.print("");
  report.header();

  bench::json_file json(options.json, head);
  runner run(session, device, rows, settings);
  register_rows(rows, run, report);
  bench::run_registered(json);
  if (interrupted != 0) report.print("INTERRUPTED: the rows that are missing were not run.");
  report.finish();
  if (!options.table.empty()) {
    std::ofstream file(options.table);
    file << report.text();
    if (!file) throw clprim::error("'" + options.table + "' cannot be written");
  }
  return interrupted != 0 ? 130 : report.wrong() ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  try {
    run_options options;
    bench::gemm_settings settings;
    bool pause_given = false;
    if (!read_options(argc, argv, options, settings, pause_given)) return 0;
    return run_all(options, settings, pause_given);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_gemm: %s\n", e.what());
    return 2;
  }
}
