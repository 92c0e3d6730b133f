// bench_tune: times policies of GEMM that a file lists, each verified: what gemm/tuned.hpp is
// filled from.
//
//   m n k [batch] | layouts | policy initialiser | splits
//   4096 4096 4096 | 1 0 | .tile_m = 128, .tile_n = 128, .per_item_m = 8, .per_item_n = 16 | 1
//
// in the kernel's own terms, which are those of tuned.hpp: C is m x n and row-major; the layouts
// say whether A and B are contiguous along k (1) or across it (0), so "1 0" is the row-major
// product of untransposed matrices. splits 0 leaves the parts of k to the library; the column may
// be left out. A policy of "tuned" is the library's choice. '#' starts a comment. Neighbouring
// lines of one problem are built, verified, then timed in turns, so that what drifts falls on all
// of them.
//
// With --door it is the tuner (clprim/tuner.hpp) as a command, for the problems that the benchmark
// of any door draws (tune/doors.hpp). Else, with --random N --seed S it judges the choice instead:
// the products of that type that bench_gemm draws from the seed, of at most 200 MB; every way of
// the library's tables through each of them is timed beside its choice, and the policies of --file
// (an initialiser in each line) too. Drivers build one program of a process at a time: N processes
// with --build 0/N … N-1/N before it leave what they build in the driver's cache.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include <clprim/gemm.hpp>

#include "gemm/arena.hpp"
#include "gemm/choices.hpp"
#include "gemm/drawn.hpp"
#include "gemm/tuning_line.hpp"
#include "harness/options.hpp"
#include "harness/roof.hpp"
#include "tune/doors.hpp"

namespace {

struct tune_settings {
  double pause_ms = 300;
  double block_ms = 20;
  int rounds = 2;
  std::size_t jobs = 1;
  double roof = 0;
  clprim::gemm_precision precision = clprim::gemm_precision::full;
};

/// One candidate with its kernels, on operands that lie as its layouts say.
template <clprim::scalar_type T> class attempt {
 public:
  attempt(std::shared_ptr<const bench::opencl_operands<T>> operands, bench::tuning_line c,
          clprim::gemm_precision precision)
    : operands_(std::move(operands)),
      candidate_(std::move(c)),
      multiply_(operands_->session.queue, {.policy = candidate_.policy, .precision = precision}) {}

  const bench::tuning_line& what() const { return candidate_; }

  void prepare() {
    const double begin = bench::seconds_now();
    multiply_.prepare(a(), b(), c());
    build_seconds_ = bench::seconds_now() - begin;
  }
  std::string source() const { return multiply_.source(a(), b(), c()); }
  std::vector<T> product() {
    operands_->poison(candidate_.problem.c_elements());
    call();
    return operands_->read_c(candidate_.problem.c_elements());
  }
  bench::timing time(std::size_t warm, std::size_t count) {
    return operands_->time(warm, count, [this](std::size_t) { call(); });
  }
  /// Groups, work-items, registers, spills, local memory, seconds of the build.
  std::string resources() const {
    const clprim::gemm_schedule s = multiply_.schedule(a(), b(), c());
    const auto geometry = clprim::geometry_of(s.policy, s.variant);
    const auto range =
        clprim::gemm_launch(clprim::kind_of(clprim::checked_problem(a(), b(), c())), s, geometry);
    const auto program =
        clprim::build(operands_->session.context, operands_->session.device, source());
    const auto kernel = clprim::make_kernel(*program, "gemm");
    const auto used = clprim::resources_of(*program, kernel, "gemm", operands_->session.device);
    std::string text = std::to_string(range.global[0] / range.local[0]) + " x " +
                       std::to_string(range.local[0]) + " items";
    if (used.registers.known()) text += ", " + std::to_string(used.registers.value) + " registers";
    if (used.spill_bytes.known() && used.spill_bytes.value > 0)
      text += ", SPILLS " + std::to_string(used.spill_bytes.value) + " B";
    return text + ", local " + std::to_string(geometry.local_bytes) + " B, built in " +
           bench::fixed(build_seconds_, 2) + " s";
  }
  std::string name() const {
    const clprim::gemm_schedule s = multiply_.schedule(a(), b(), c());
    return bench::short_name(s.policy, s.splits);
  }

  std::vector<double> seconds;
  std::size_t calls = 1;

 private:
  clprim::matrix_view<T> view(const cl::Buffer& buffer, int rows, int columns, bool by_rows) const {
    auto v = clprim::matrix<T>(buffer, rows, columns);
    if (!by_rows) v = v.column_major();
    const int batch = candidate_.problem.batch;
    return batch == 1 ? v : v.batch(batch, std::int64_t{rows} * columns);
  }
  clprim::matrix_view<T> a() const {
    return view(operands_->a, candidate_.problem.m, candidate_.problem.k, candidate_.a_along_k);
  }
  clprim::matrix_view<T> b() const {
    return view(operands_->b, candidate_.problem.k, candidate_.problem.n, !candidate_.b_along_k);
  }
  clprim::matrix_view<T> c() const {
    return view(operands_->c, candidate_.problem.m, candidate_.problem.n, true);
  }
  void call() {
    using factor = clprim::accumulator_t<T>;
    multiply_(factor{1}, a(), b(), factor{0}, c());
  }

  std::shared_ptr<const bench::opencl_operands<T>> operands_;
  bench::tuning_line candidate_;
  clprim::gemm<T> multiply_;
  double build_seconds_ = 0;
};

/// The host's copies, turned to the column-major order in which `verify` reads.
template <class T>
std::vector<T> column_major(const std::vector<T>& values, std::size_t rows, std::size_t columns,
                            std::size_t batch, bool by_rows) {
  if (!by_rows) return values;
  std::vector<T> turned(rows * columns * batch);
  constexpr std::size_t tile = 32;
  for (std::size_t z = 0; z < batch; ++z) {
    const std::size_t base = z * rows * columns;
    for (std::size_t r0 = 0; r0 < rows; r0 += tile) {
      for (std::size_t c0 = 0; c0 < columns; c0 += tile) {
        for (std::size_t r = r0; r < std::min(rows, r0 + tile); ++r) {
          for (std::size_t c = c0; c < std::min(columns, c0 + tile); ++c)
            turned[base + c * rows + r] = values[base + r * columns + c];
        }
      }
    }
  }
  return turned;
}

void print_failure(const bench::tuning_line& c, const char* why) {
  std::printf("FAILED  %s\n        %s\n", c.text.c_str(), why);
  std::fflush(stdout);
}

/// Programs are cached by their source, so a build ahead of time in another thread is the build.
template <class T>
void build_ahead(const clprim::session& s, const std::vector<std::unique_ptr<attempt<T>>>& all,
                 std::size_t jobs) {
  if (jobs < 2) return;
  std::vector<std::string> sources;
  for (const auto& one : all) sources.push_back(one->source());
  std::atomic<std::size_t> next{0};
  std::vector<std::jthread> workers;
  for (std::size_t j = 0; j < std::min(jobs, sources.size()); ++j) {
    workers.emplace_back([&] {
      for (std::size_t i = next++; i < sources.size(); i = next++) {
        try {
          clprim::build(s.context, s.device, sources[i]);
        } catch (const std::exception&) {  // told where it is prepared
        }
      }
    });
  }
}

template <class T>
void tune_group(const clprim::session& s, const clprim::device_facts& device,
                const std::vector<bench::tuning_line>& group, const tune_settings& settings) {
  bench::gemm_problem_row p = group.front().problem;
  p.precision = settings.precision;
  const auto m = static_cast<std::size_t>(p.m), n = static_cast<std::size_t>(p.n),
             k = static_cast<std::size_t>(p.k), batch = static_cast<std::size_t>(p.batch);
  const auto a = bench::random_values<T>(p.a_elements(), 1);
  const auto b = bench::random_values<T>(p.b_elements(), 2);
  const auto operands = std::make_shared<const bench::opencl_operands<T>>(
      s, device, bench::usual_clock(device), a, b, p.c_elements());
  const auto plain_a = column_major(a, m, k, batch, group.front().a_along_k);
  const auto plain_b = column_major(b, k, n, batch, !group.front().b_along_k);

  std::vector<std::unique_ptr<attempt<T>>> all, ready;
  for (const bench::tuning_line& c : group) {
    try {
      all.push_back(std::make_unique<attempt<T>>(operands, c, settings.precision));
    } catch (const std::exception& e) {
      print_failure(c, e.what());
    }
  }
  build_ahead(s, all, settings.jobs);
  std::map<const attempt<T>*, double> errors;
  for (auto& one : all) {
    try {
      one->prepare();
      const bench::verdict v =
          bench::verify<T>(p, plain_a, plain_b, column_major(one->product(), m, n, batch, true));
      if (!v.ok()) throw clprim::error("WRONG: " + v.wrong);
      errors[one.get()] = v.error;
      one->time(0, 1);
      const double once = bench::median(one->time(0, 1).seconds);
      one->calls = std::clamp(static_cast<std::size_t>(settings.block_ms * 1e-3 / once),
                              std::size_t{2}, std::size_t{60});
      ready.push_back(std::move(one));
    } catch (const std::exception& e) {
      print_failure(one->what(), e.what());
    }
  }
  for (int round = 0; round < settings.rounds; ++round) {
    for (auto& one : ready) {
      bench::pause_ms(settings.pause_ms);
      const bench::timing t = one->time(1, one->calls);
      one->seconds.insert(one->seconds.end(), t.seconds.begin(), t.seconds.end());
    }
  }
  std::sort(ready.begin(), ready.end(), [](const auto& x, const auto& y) {
    return bench::median(x->seconds) < bench::median(y->seconds);
  });
  std::printf("\n%d %d %d batch %d | %d %d  (fastest first)\n", p.m, p.n, p.k, p.batch,
              group.front().a_along_k ? 1 : 0, group.front().b_along_k ? 1 : 0);
  for (const auto& one : ready) {
    const bench::summary t = bench::summarise(one->seconds);
    const double best = *std::min_element(one->seconds.begin(), one->seconds.end());
    const double rate = p.flops() / t.median;
    std::printf(
        "%10.1f GFLOP/s (best %.1f) %10.2f us ±%s%s, error %.1f eps, %s\n"
        "           %s\n           %s\n",
        rate * 1e-9, p.flops() / best * 1e-9, t.median * 1e6, bench::percent(t.spread).c_str(),
        settings.roof > 0 ? (", roof " + bench::percent(rate / settings.roof)).c_str() : "",
        errors[one.get()], one->name().c_str(), one->resources().c_str(), one->what().text.c_str());
  }
  std::fflush(stdout);
}

template <class T>
int tune_all(const clprim::session& s, const clprim::device_facts& device, std::istream& input,
             tune_settings settings, bool roof) {
  std::vector<bench::tuning_line> candidates;
  int failures = 0;
  for (std::string line; std::getline(input, line);) {
    line = bench::trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    try {
      candidates.push_back(bench::parse_tuning_line(line, clprim::scalar_of<T>));
    } catch (const std::exception& e) {
      ++failures;
      std::printf("FAILED  %s\n        %s\n", line.c_str(), e.what());
    }
  }
  if (roof)
    settings.roof = bench::fma_flops(s, device, bench::usual_clock(device),
                                     std::string(clprim::facts_of(clprim::scalar_of<T>).compute),
                                     settings.pause_ms);
  std::printf("%s\n%zu policies, %d rounds, FMA roof %.0f GFLOP/s\n",
              clprim::describe(device).c_str(), candidates.size(), settings.rounds,
              settings.roof * 1e-9);
  for (std::size_t first = 0; first < candidates.size();) {
    std::size_t last = first;
    while (last < candidates.size() && candidates[last].key() == candidates[first].key()) ++last;
    tune_group<T>(s, device,
                  {candidates.begin() + static_cast<std::ptrdiff_t>(first),
                   candidates.begin() + static_cast<std::ptrdiff_t>(last)},
                  settings);
    first = last;
  }
  return failures == 0 ? 0 : 1;
}

/// The products of type T among the `count` that bench_gemm draws, or, where `count` is 0, among
/// those that it lists, and how good the choice is for them.
template <class T>
int judge_all(const clprim::session& s, const clprim::device_facts& device, std::istream* others,
              std::size_t count, std::uint64_t seed, const std::string& filter, bench::share build,
              const bench::judging& how) {
  std::vector<clprim::gemm_policy> policies;
  for (std::string line; others != nullptr && std::getline(*others, line);) {
    line = bench::trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    policies.push_back(
        clprim::parse_policy<clprim::gemm_policy>("clprim::gemm_policy{" + line + "}"));
  }
  const bool cpu = device.kind == clprim::device_kind::cpu;
  std::vector<bench::gemm_problem_row> problems;
  if (count == 0) problems = cpu ? bench::cpu_gemm_problems() : bench::gpu_gemm_problems();
  for (std::size_t i = 0; i < count; ++i) {
    bench::problem_draw draw(seed, i);
    problems.push_back(bench::drawn_product(draw, device.fp64, cpu ? 64e6 : 2e8, cpu ? 4e9 : 2e11));
  }
  const std::regex wanted(filter);
  std::erase_if(problems, [&](const auto& p) {
    return p.type != clprim::scalar_of<T> || !std::regex_search(p.name, wanted);
  });
  if (build.of > 0) {
    std::size_t counted = 0;
    for (const bench::gemm_problem_row& p : problems)
      bench::build_choices<T>(s, device, p, policies, how, build, counted);
    return 0;
  }
  std::vector<bench::judged_choice> all;
  for (const bench::gemm_problem_row& p : problems) {
    try {
      all.push_back(
          bench::judge_choice<T>(s, device, bench::usual_clock(device), p, policies, how));
    } catch (const std::exception& e) {
      std::printf("FAILED  %s: %s\n", p.name.c_str(), e.what());
      continue;
    }
    const bench::judged_choice& one = all.back();
    std::printf("%5.3f  %-44s %9.2f us (predicted %9.2f) %s\n", one.ratio(), one.problem.c_str(),
                one.chosen_us, one.predicted_us, one.chosen.c_str());
    if (one.ratio() < 0.97)
      std::printf("       best %54.2f us %s\n", one.best_us, one.best.c_str());
    std::fflush(stdout);
  }
  std::vector<double> ratios;
  double within = 0;
  for (const bench::judged_choice& one : all) {
    ratios.push_back(one.ratio());
    within += std::abs(one.predicted_us / one.chosen_us - 1) <= 0.2 ? 1 : 0;
  }
  if (ratios.empty()) return 0;
  std::printf(
      "%zu products: the choice has %.3f of the best way's speed in the median, %.3f at worst; "
      "%.0f %% of its times were predicted within 20 %%\n",
      ratios.size(), bench::median(ratios), *std::min_element(ratios.begin(), ratios.end()),
      100 * within / static_cast<double>(ratios.size()));
  return 0;
}

int run_all(int argc, char** argv) {
  bench::command_line line(argc, argv);
  const std::string wish =
      line.text("device", "NAME", "part of a device's name, a kind, or P:D").value_or("");
  const std::string path =
      line.text("file", "FILE", "the policies (else standard input)").value_or("");
  const std::string type =
      line.text("type", "NAME", "float, double, half, complex_float or complex_double")
          .value_or("float");
  tune_settings settings;
  const double pause = line.number("pause", -1, "ms before each block (GPU 300, CPU 0)");
  settings.block_ms = line.number("block", 20, "ms that a block takes at least");
  settings.rounds =
      static_cast<int>(line.number("rounds", 2, "blocks of each policy, taking turns"));
  const double jobs =
      line.number("jobs", 0, "builds at a time (default: all cores on NVIDIA, else 1)");
  const bool no_roof = line.flag("no-roof", "do not measure the FMA roof");
  const auto random = static_cast<std::size_t>(
      line.number("random", 0, "judge the choice on those of so many drawn products"));
  const bool listed = line.flag("listed", "judge it on the products that bench_gemm lists");
  const auto seed = static_cast<std::uint64_t>(line.number("seed", 1, "of the products"));
  const std::string filter =
      line.text("filter", "REGEX", "with --random or --listed: those whose name matches")
          .value_or("");
  const std::string build =
      line.text("build", "J/N", "with --random: only build every N-th program, J = 0 … N - 1")
          .value_or("");
  const std::string precision =
      line.text("precision", "NAME",
                "full, split_half, split_tf32 or tf32: of a list's products of float")
          .value_or("full");
  const double reach = line.number(
      "reach", 2, "with --random: of ways predicted to take at most so many times the best's");
  const std::string table = line.text("table", "FILE", "a CSV line of each candidate").value_or("");
  bench::door_settings door;
  door.door = line.text("door", "NAME",
                        "tune drawn problems of gemm, fft, reduce, transpose or convolve instead: "
                        "--random of them, or the one of --problem")
                  .value_or("");
  door.first = static_cast<std::size_t>(line.number("problem", 0, "the first one's number"));
  door.seconds = line.number("seconds", 60, "with --door: for each problem");
  door.patience = line.number("patience", 30, "seconds after which a silent driver is given up");
  door.no_rows = line.flag("no-rows", "with --door: judge what a device gets that nobody measured");
  door.journal =
      line.text("journal", "FOLDER", "with --door: what was tried, kept between runs").value_or("");
  door.save =
      line.text("save", "FILE", "with --door: append what was found, for CLPRIM_TUNING_FILE")
          .value_or("");
  if (!line.finish("bench_tune: times GEMM policies, one per line:\n"
                   "  m n k [batch] | A along k? B along k? (1 0) | policy or 'tuned' | splits"))
    return 0;
  if (!door.door.empty()) {
    door.device = wish;
    door.count = random > 0 ? random : 1;
    door.seed = seed;
    return bench::tune_doors(door);
  }

  const clprim::session s = clprim::open_session(wish);
  const clprim::device_facts device = clprim::facts_of(s.device);
  settings.pause_ms = pause >= 0 ? pause : device.kind == clprim::device_kind::cpu ? 0 : 300;
  settings.precision = clprim::parse_precision(precision);
  settings.jobs = jobs > 0                                  ? static_cast<std::size_t>(jobs)
                  : device.vendor == clprim::vendor::nvidia ? std::thread::hardware_concurrency()
                                                            : 1;
  std::ifstream file;
  if (!path.empty()) {
    file.open(path);
    if (!file) throw clprim::error("'" + path + "' cannot be read");
  }
  std::istream& input = path.empty() ? std::cin : file;
  std::ofstream candidates;
  if (!table.empty()) candidates.open(table);
  const auto as = [&]<class T>(T) {
    if (random == 0 && !listed) return tune_all<T>(s, device, input, settings, !no_roof);
    return judge_all<T>(s, device, path.empty() ? nullptr : &file, random, seed, filter,
                        bench::parse_share(build),
                        {.rounds = settings.rounds,
                         .reach = reach,
                         .table = candidates.is_open() ? &candidates : nullptr});
  };
  if (type == "float") return as(float{});
  if (type == "double") return as(double{});
  if (type == "half") return as(clprim::half{});
  if (type == "complex_float") return as(std::complex<float>{});
  if (type == "complex_double") return as(std::complex<double>{});
  throw clprim::error("'" + type + "' is no element type: see --help");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    clprim::keep_programs(std::nullopt);  // candidates by the hundred, most of them never again
    return run_all(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_tune: %s\n", e.what());
    return 2;
  }
}
