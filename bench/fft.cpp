// bench_fft: Fourier transforms beside FFTW, clFFT, VkFFT (OpenCL) and cuFFT, on one device, in one
// run; forward, out of place. See bench/results/README.md for what is timed and how.
// --sweep [REGEX] times many policies for the rows whose names match instead, --policies FILE REGEX
// those that a file lists, and builds them; --first-call [SAMPLES [REGEX]] the making of an
// operation object and its first call.

#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <clprim/copy.hpp>

#include "fft/drawn.hpp"
#include "fft/first_call.hpp"
#include "fft/problem.hpp"
#include "fft/sweep.hpp"
#include "harness/cuda.hpp"
#include "harness/sweep.hpp"

#if CLPRIM_HAS_FFTW
#include "fft/fftw.hpp"
#endif
#if CLPRIM_HAS_CLFFT
#include "fft/clfft.hpp"
#endif
#if CLPRIM_HAS_VKFFT
#include "fft/vkfft.hpp"
#endif
#if CLPRIM_HAS_CUFFT
#include "fft/cufft.hpp"
#endif

namespace {

using bench::fft_arrays;
using bench::fft_row;

std::vector<fft_row> problems(const bench::suite_place& place) {
  std::vector<fft_row> all;
  const auto add = [&](const std::string& name, std::vector<std::int64_t> lengths, bool quick) {
    all.push_back({.name = name, .lengths = std::move(lengths), .quick = quick});
  };
  const bool cpu = place.cpu();
  if (!cpu)
    for (int e = 4; e <= 14; ++e) add("2^" + std::to_string(e), {std::int64_t{1} << e}, e % 3 == 1);
  else
    for (const std::int64_t n : {16, 64, 256, 1024, 4096})
      add(std::to_string(n), {n}, n == 256 || n == 1024);
  // Peers plan and build these for long on a CPU.
  add("2^16", {65536}, !cpu);
  add("2^20", {1 << 20}, !cpu);
  if (!cpu) add("2^24", {1 << 24}, true);
  for (const std::int64_t n : {1000, 1536, 2187, 2401, 3125, 1009, 10007})
    add(std::to_string(n), {n}, !cpu && (n == 1000 || n == 1009));
  all.push_back({.name = "real 1024", .lengths = {1024}, .real = true, .quick = true});
  if (place.device.fp64)
    all.push_back({.name = "double 1024", .lengths = {1024}, .is_double = true, .quick = !cpu});
  add("1024x1024", {1024, 1024}, !cpu);
  add("4096x4096", {4096, 4096}, !cpu);
  if (cpu) return all;
  add("256x256x256", {256, 256, 256}, true);
  for (const std::int64_t n : {999, 1001, 4095, 4097, 1 << 20, 1 << 22})
    all.push_back({.name = "real " + (n < 5000       ? std::to_string(n)
                                      : n == 1 << 20 ? "2^20"
                                                     : "2^22"),
                   .lengths = {n},
                   .real = true});
  // Inside the cache, one call after the other.
  const auto add_one = [&](const std::string& name, std::vector<std::int64_t> lengths) {
    all.push_back({.name = "one " + name, .lengths = std::move(lengths), .batch = 1});
  };
  for (const int e : {14, 16, 18, 20, 22, 24})
    add_one("2^" + std::to_string(e), {std::int64_t{1} << e});
  add_one("64x64", {64, 64});
  add_one("1024x1024", {1024, 1024});
  add_one("2048x2048", {2048, 2048});
  add_one("100x100x100", {100, 100, 100});
  const auto add_double = [&](const std::string& name, std::vector<std::int64_t> lengths) {
    if (place.device.fp64)
      all.push_back({.name = "double " + name, .lengths = std::move(lengths), .is_double = true});
  };
  add_double("2^20", {1 << 20});
  add_double("1024x1024", {1024, 1024});
  add_double("4096x4096", {4096, 4096});
  return all;
}

/// Our own transform of a row, and what it says of itself.
template <class T> class own_transform {
 public:
  own_transform(const fft_arrays<T>& on, const fft_row& row,
                const std::optional<clprim::fft_policy>& policy)
    : transform_(on.place.session.queue,
                 clprim::fft_options{.axes = static_cast<int>(row.lengths.size()),
                                     .policy = policy,
                                     .completion = clprim::completion::none}),
      in_{bench::fft_batch(on.place, row)},
      real_(row.real) {
    in_.insert(in_.end(), row.lengths.begin(), row.lengths.end());
    out_ = in_;
    if (real_) out_.back() = out_.back() / 2 + 1;
  }
  void forward(const bench::fft_pair& at) {
    on(at, [&](const auto& x, const auto& y) { transform_.forward(x, y); });
  }
  std::string explain(const bench::fft_pair& at) {
    return on(at, [&](const auto& x, const auto& y) { return transform_.explain(x, y); });
  }
  std::string source(const bench::fft_pair& at) {
    return on(at, [&](const auto& x, const auto& y) { return transform_.source(x, y); });
  }

 private:
  template <class Use> auto on(const bench::fft_pair& at, Use use) {
    const auto y = clprim::array<std::complex<T>>(at.out, out_);
    return real_ ? use(clprim::array<T>(at.in, in_), y)
                 : use(clprim::array<std::complex<T>>(at.in, in_), y);
  }

  clprim::fft<T> transform_;
  std::vector<std::int64_t> in_, out_;
  bool real_;
};

template <class T>
bench::contestant ours(const std::shared_ptr<const fft_arrays<T>>& on, const fft_row& row,
                       const std::optional<clprim::fft_policy>& policy,
                       const std::string& name = "clprim", bench::role as = bench::role::ours) {
  const auto own = std::make_shared<own_transform<T>>(*on, row, policy);
  auto who = bench::fft_on_opencl<T>(name, as, on, row,
                                     [own](const bench::fft_pair& at) { own->forward(at); });
  who.detail = [=] { return own->explain(on->of(0)); };
  return who;
}

/// As many bytes, unchanged: what one pass over memory takes.
template <class T>
bench::contestant copied(const std::shared_ptr<const fft_arrays<T>>& on, const fft_row& row) {
  const auto move = std::make_shared<clprim::copy<T>>(on->place.session.queue);
  const std::int64_t points = bench::fft_batch(on->place, row) * row.points();
  const auto call = [=](const bench::fft_pair& at) {
    (*move)(clprim::vector<T>(at.in, 2 * points), clprim::vector<T>(at.out, 2 * points));
  };
  bench::contestant who = bench::fft_on_opencl<T>("copy", bench::role::roof, on, row, call);
  who.verify = [=] {
    bench::fft_poison(*on);
    call(on->of(0));
    for (const std::int64_t i : {std::int64_t{0}, points / 2, points - 1}) {
      const auto at = static_cast<std::size_t>(2 * i);
      if (bench::fft_read(*on, on->of(0).out, i, 1)[0] !=
          std::complex<T>(on->host[at], on->host[at + 1]))
        return "the copy differs at point " + std::to_string(i);
    }
    return std::string();
  };
  return who;
}

/// The peers that know any policy's rivals on a GPU.
template <class T>
std::vector<bench::contestant> gpu_peers(
    [[maybe_unused]] const std::shared_ptr<const fft_arrays<T>>& on,
    [[maybe_unused]] const fft_row& row) {
  std::vector<bench::contestant> all;
  [[maybe_unused]] const auto guarded = [&](const std::string& name, const auto& make) {
    try {
      all.push_back(make());
    } catch (const clprim::error& e) {
      all.push_back(bench::absent(name, e.what()));
    }
  };
#if CLPRIM_HAS_VKFFT
  guarded("VkFFT", [&] {
    const auto& s = on->place.session;
    const auto plan = std::make_shared<bench::vkfft_plan>(s.device, s.context, s.queue, row.lengths,
                                                          bench::fft_batch(on->place, row),
                                                          row.real, row.is_double, on->pairs);
    return bench::fft_on_opencl<T>(
        "VkFFT", bench::role::peer, on, row, [plan, on](const bench::fft_pair& at) {
          plan->enqueue(static_cast<std::size_t>(&at - on->pairs.data()));
        });
  });
#endif
#if CLPRIM_HAS_CUFFT
  if (on->place.nvidia()) guarded("cuFFT", [&] { return bench::cufft_contestant<T>(on, row); });
#endif
  return all;
}

template <class T>
std::vector<bench::contestant> enter(const std::shared_ptr<const fft_arrays<T>>& on,
                                     const fft_row& row,
                                     const std::optional<clprim::fft_policy>& policy) {
  std::vector<bench::contestant> all{ours<T>(on, row, policy)};
  if (!on->place.cpu() && !row.real) all.push_back(copied<T>(on, row));
  [[maybe_unused]] const auto guarded = [&](const std::string& name, const auto& make) {
    try {
      all.push_back(make());
    } catch (const clprim::error& e) {
      all.push_back(bench::absent(name, e.what()));
    }
  };
#if CLPRIM_HAS_FFTW
  if (on->place.cpu()) guarded("FFTW", [&] { return bench::fftw_contestant<T>(on, row); });
#endif
  if (on->place.cpu() && row.drawn) return all;
#if CLPRIM_HAS_CLFFT
  guarded("clFFT", [&] { return bench::clfft_contestant<T>(on, row); });
#endif
  for (bench::contestant& peer : gpu_peers<T>(on, row)) all.push_back(std::move(peer));
  return all;
}

/// What the project wants to reach, by row.
std::vector<bench::bar> bars_of(const bench::suite_place& place, const std::string& name) {
  using bench::bar;
  if (place.cpu()) return {{"FFTW", 0.7}, {"clFFT", 3}, {"VkFFT", 3}};
  static const std::map<std::string, double> over{{"2^16", 1.1},
                                                  {"2^20", 1.17},
                                                  {"2^24", 1.12},
                                                  {"1009", 2},
                                                  {"10007", 2},
                                                  {"1024x1024", 1.03},
                                                  {"4096x4096", 1.2},
                                                  {"256x256x256", 1.2},
                                                  {"one 2^22", 1.1},
                                                  {"one 2048x2048", 1.1},
                                                  {"double 2^20", 1.05},
                                                  {"double 1024x1024", 1.05},
                                                  {"double 4096x4096", 1.05}};
  const auto found = over.find(name);
  if (name.starts_with("real ") && name != "real 1024") return {{"best peer", 1.1}};
  std::vector<bar> all{{"best peer", found == over.end() ? 1 : found->second}};
  for (int e = 4; e <= 13; ++e) {
    if (name == "2^" + std::to_string(e)) all.push_back({"copy", 0.97});
  }
  if (name == "2^14") all.push_back({"rate", 3600});
  return all;
}

/// One read of the input and one write of the output, all transforms of a row.
double bytes_of(const bench::suite_place& place, const fft_row& row) {
  const double points = static_cast<double>(row.points()) * (row.real ? 1 : 2);
  return static_cast<double>(bench::fft_batch(place, row)) * (row.is_double ? 8 : 4) *
         (points + 2 * static_cast<double>(row.spectrum()));
}

bench::bench_row row_of(const bench::suite_place& place, const fft_row& row,
                        std::function<std::vector<bench::contestant>()> enter) {
  const double count = static_cast<double>(bench::fft_batch(place, row)),
               points = static_cast<double>(row.points());
  const double bytes = bytes_of(place, row);
  const double flops = count * (row.real ? 2.5 : 5) * points * std::log2(points);
  return {.name = row.name,
          .work = place.cpu() ? flops : bytes,
          .unit = place.cpu() ? "GFLOP/s" : "GB/s",
          .roof = place.cpu() ? "" : "copy",
          .quick = row.quick,
          .flops_per_byte = flops / bytes,
          .enter = std::move(enter),
          .numbers = {{"points", points}, {"batch", count}},
          .kind = std::string(row.is_double ? "double" : "float") + (row.real ? " real" : "") +
                  " " + std::to_string(row.lengths.size()) + "-d"};
}

/// In arrays of its own.
bench::bench_row drawn_row(const bench::suite_place& place,
                           const std::optional<clprim::fft_policy>& policy,
                           bench::problem_draw& draw) {
  const fft_row row =
      bench::drawn_transforms(draw, place.device.fp64, place.cpu() ? 0x1p20 : 0x1p25);
  const auto entered = [=]<class T>(T) {
    const auto on = std::make_shared<fft_arrays<T>>(place, row.batch * row.points());
    return enter<T>(on, row, policy);
  };
  return row_of(place, row, [=] { return row.is_double ? entered(double{}) : entered(float{}); });
}

bench::suite_rows fft_rows(const bench::suite_place& place,
                           const std::optional<clprim::fft_policy>& policy) {
  bench::suite_rows all;
  if (place.cpu())
    all.peer(CLPRIM_HAS_FFTW != 0, "FFTW");
  else
    all.columns.emplace_back("copy");
  all.peer(CLPRIM_HAS_CLFFT != 0, "clFFT");
  all.peer(CLPRIM_HAS_VKFFT != 0, "VkFFT");
  if (place.nvidia()) all.peer(CLPRIM_HAS_CUFFT != 0, "cuFFT");
  struct shared {
    std::shared_ptr<const fft_arrays<float>> single;
    std::shared_ptr<const fft_arrays<double>> twofold;
  };
  const auto kept = std::make_shared<shared>();
  for (const fft_row& row : problems(place)) {
    all.rows.push_back(row_of(place, row, [=] {
      if (row.is_double) {
        kept->single = nullptr;
        if (!kept->twofold)
          kept->twofold =
              std::make_shared<fft_arrays<double>>(place, bench::fft_total(place, true));
        return enter<double>(kept->twofold, row, policy);
      }
      kept->twofold = nullptr;
      if (!kept->single)
        kept->single = std::make_shared<fft_arrays<float>>(place, bench::fft_total(place, false));
      return enter<float>(kept->single, row, policy);
    }));
    all.rows.back().bars = bars_of(place, row.name);
  }
  return all;
}

/// Drivers compile one program at a time in a process: several sweeps side by side, which take
/// turns at the device by a lock on a file.
class turn {
 public:
  explicit turn(const char* file)
    : file_(file == nullptr ? -1 : open(file, O_CREAT | O_RDWR, 0600)) {
    if (file_ >= 0) flock(file_, LOCK_EX);
  }
  ~turn() {
    if (file_ >= 0) close(file_);
  }
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;

 private:
  int file_;
};

/// Milliseconds of a build of our program that no cache knows, the shorter of two, without a limit
/// of registers; nothing for plans of several passes, whose programs are several.
template <class T>
std::vector<std::pair<std::string, double>> cold_build(
    const fft_arrays<T>& on, const fft_row& row, const std::optional<clprim::fft_policy>& policy) {
  const std::string source = own_transform<T>(on, row, policy).source(on.of(0));
  if (source.find("void fft(") != source.rfind("void fft(")) return {};
  const clprim::session& s = on.place.session;
  const auto program = clprim::build(s.context, s.device, source);
  const auto once = [&] {
    return bench::milliseconds_of(
        [&] { (void)clprim::detail::first_build_log(*program, s.device()); });
  };
  return {{"ms to build", std::min(once(), once())}};
}

/// Times the library's choice, all policies and the peers on one row: in blocks with rest between
/// them, and then under lasting load.
template <class T>
void sweep_row(const std::shared_ptr<const fft_arrays<T>>& on, const fft_row& row, double bytes,
               const std::vector<clprim::fft_policy>& tried, const char* turns) {
  bench::prepare_by_threads(tried.size(),
                            [&](std::size_t i) { ours<T>(on, row, tried[i]).detail(); });
  std::vector<bench::contestant> who{ours<T>(on, row, std::nullopt, "the library's")};
  for (const clprim::fft_policy& p : tried)
    who.push_back(ours<T>(on, row, p, bench::short_text(p), bench::role::variant));
  const turn mine(turns);
  for (std::size_t i = 0; i < who.size(); ++i) {
    const auto p = i == 0 ? std::nullopt : std::optional(tried[i - 1]);
    who[i].facts = [=] { return cold_build<T>(*on, row, p); };
  }
  for (bench::contestant& peer : gpu_peers<T>(on, row)) who.push_back(std::move(peer));
  // Blocks as long as the suite's: in blocks of 1.5 ms others win.
  bench::contest_settings how{
      .pause_ms = 20, .block_ms = 11, .max_calls = 40, .short_ms = 0, .rounds = 4};
  bench::print_fastest_first(row.name, bytes, "GB/s", who, how);
  for (bench::contestant& one : who) one.facts = {};
  how.pause_ms = 0;
  how.warm_ms = 50;
  bench::print_fastest_first(row.name + ", lasting load", bytes, "GB/s", who, how);
}

/// bench_fft --prepare REGEX K N: builds every Nth candidate from the Kth on. What the driver keeps
/// of programs is there for all processes, so that N of these make a sweep short.
int prepare(const std::string& wanted, std::size_t first, std::size_t step) {
  clprim::keep_programs(std::nullopt);
  const clprim::session s = clprim::open_session({}, CL_QUEUE_PROFILING_ENABLE);
  const bench::suite_place place{.session = s, .device = clprim::facts_of(s.device)};
  const std::regex filter(wanted);
  std::size_t number = 0;
  for (const fft_row& row : problems(place)) {
    if (!std::regex_search(row.name, filter) || row.is_double) continue;
    const auto on = std::make_shared<fft_arrays<float>>(place, 1);  // room, but no values
    const auto room = static_cast<std::size_t>(bench::fft_total(place, false) + (1 << 22)) * 8;
    on->pairs = {{on->buffer(room), on->buffer(room)}};
    for (const clprim::fft_policy& p : bench::fft_candidates(row)) {
      if (number++ % step != first) continue;
      try {
        ours<float>(on, row, p).detail();
      } catch (const std::exception&) {  // told by the sweep
      }
    }
  }
  return 0;
}

/// The policies that a file lists, one a line, as initialisers: {.points = 8, .group = 64}.
std::vector<clprim::fft_policy> listed_policies(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw clprim::error("there is no file '" + file + "'");
  std::vector<clprim::fft_policy> all;
  for (std::string line; std::getline(in, line);) {
    if (line.find('{') != std::string::npos)
      all.push_back(clprim::parse_policy<clprim::fft_policy>(line));
  }
  return all;
}

/// bench_fft --sweep [REGEX [FILE]]: several may run at a time with one file to take turns by; or
/// the policies of a file on the rows.
int sweep(const std::string& wanted, const char* turns, const std::string& policies = {}) {
  clprim::keep_programs(std::nullopt);
  const clprim::session s = clprim::open_session({}, CL_QUEUE_PROFILING_ENABLE);
  const bench::suite_place place{.session = s, .device = clprim::facts_of(s.device)};
  const std::regex filter(wanted);
  std::vector<clprim::fft_policy> listed;
  if (!policies.empty()) listed = listed_policies(policies);
  std::shared_ptr<const fft_arrays<float>> single;
  for (const fft_row& row : problems(place)) {
    if (!std::regex_search(row.name, filter)) continue;
    const auto tried = policies.empty() ? bench::fft_candidates(row) : listed;
    const double bytes = bytes_of(place, row);
    if (row.is_double) {
      sweep_row<double>(
          std::make_shared<const fft_arrays<double>>(place, bench::fft_total(place, true)), row,
          bytes, tried, turns);
      continue;
    }
    if (!single)
      single = std::make_shared<const fft_arrays<float>>(place, bench::fft_total(place, false));
    sweep_row<float>(single, row, bytes, tried, turns);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "", what = argc > 2 ? argv[2] : "";
  try {
    if (mode == "--sweep") return sweep(what, argc > 3 ? argv[3] : nullptr);
    if (mode == "--policies" && argc > 3) return sweep(argv[3], nullptr, what);
    if (mode == "--prepare" && argc > 4)
      return prepare(what, std::stoul(argv[3]), std::stoul(argv[4]));
    if (mode == "--first-call")
      return bench::first_calls(what.empty() ? 5 : std::stoi(what), argc > 3 ? argv[3] : "");
    if (mode == "--first-call-of") return bench::first_call_of(what, argc > 3);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_fft: %s\n", e.what());
    return 2;
  }
  std::optional<clprim::fft_policy> policy;
  bench::suite s{
      .name = "fft",
      .what = "Fourier transforms beside their peers",
      .options =
          [&](bench::command_line& line) {
            if (const auto text = line.text("policy", "TEXT", "our policy, as its initialiser"))
              policy = clprim::parse_policy<clprim::fft_policy>(*text);
          },
      .rows = [&](const bench::suite_place& place) { return fft_rows(place, policy); },
      .drawn = [&](const bench::suite_place& place,
                   bench::problem_draw& draw) { return drawn_row(place, policy, draw); }};
  return bench::run_suite(s, argc, argv);
}
