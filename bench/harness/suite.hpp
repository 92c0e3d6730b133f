#pragma once
// A benchmark program: options, roofs, rows beside their peers, table and JSON.
//
// bench/<name>.cpp says what its rows are (`suite_rows`) and calls `run_suite` from main.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "interrupt.hpp"
#include "json.hpp"
#include "options.hpp"
#include "problem_draw.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "roofs.hpp"

namespace bench {

struct bench_row {
  std::string name;
  double work = 0;            ///< flops or bytes of a call
  std::string unit = "GB/s";  ///< or "GFLOP/s"
  std::string roof = "copy";  ///< device_roofs::find knows it; empty: none
  std::vector<bar> bars{};
  bool quick = false;         ///< part of a quick run
  double flops_per_byte = 0;  ///< that must move at least: the place on the roofline; 0: no flops
  /// Operands in place, ours first. What the closures share dies with them, before the next row.
  std::function<std::vector<contestant>()> enter{};
  std::vector<std::pair<std::string, double>> numbers{};  ///< sizes, for the JSON
  std::string kind{};  ///< of a drawn problem, in the distribution
};

/// Where a suite runs.
struct suite_place {
  clprim::session session;
  clprim::device_facts device;
  clock_kind clock = clock_kind::device;
  std::size_t cache = 0;  ///< bytes of the last-level cache
  bool quick = false;
  bool cpu() const { return device.kind == clprim::device_kind::cpu; }
  bool nvidia() const { return device.vendor == clprim::vendor::nvidia; }
};

struct suite_rows {
  std::vector<std::string> columns;  ///< contestants beside ours that get a column, in order
  std::vector<std::string> missing;  ///< peers that were not found
  std::vector<bench_row> rows;

  /// Notes a peer as a column or as missing.
  void peer(bool has, const std::string& name) { (has ? columns : missing).push_back(name); }
};

struct suite {
  std::string name;  ///< of the benchmark: "transpose" for bench_transpose
  std::string what;  ///< one sentence
  /// Options beyond everybody's; empty: none.
  std::function<void(command_line&)> options{};
  std::function<suite_rows(const suite_place&)> rows;
  /// A problem of the suite's distribution, for --random; its operands are made by `enter`.
  std::function<bench_row(const suite_place&, problem_draw&)> drawn{};
  /// What drawn rows are judged by, as a bar's peer is named; on CPUs, for which others have
  /// written libraries of everything, `best peer` in place of `roof`.
  std::string judged_by = "best peer";
  clock_kind gpu_clock = clock_kind::device;  ///< CPUs have their usual one, or wall where GPUs do
  double gpu_pause_ms = 300;  ///< before a block of arithmetic; moves wait `move_pause_ms` at most
  int rounds = 3;             ///< blocks of each contestant, unless the command says otherwise
  bool show_kernels = false;  ///< registers, local memory and occupancy of ours in the table too
};

namespace detail {

/// Memory at full speed does not heat a GPU as arithmetic does: an H200's copies keep their rate.
inline constexpr double move_pause_ms = 60;
/// More rounds of rows whose calls are short, where pauses are no longer, and on GPUs of those that
/// spread; they take half a second each.
inline constexpr int short_rounds = 6, unsteady_rounds = 12;
/// Of calls before a block, in which a card's clock falls as far as its power makes it.
inline constexpr double sustained_ms = 500;

struct suite_options {
  std::string device, filter, json, table, timing;
  bool quick = false, list = false, print_device = false, no_roof = false, cold = false;
  bool sustained = false;
  double pause = -1;
  std::size_t random = 0;  ///< problems that are drawn in place of the suite's rows
  std::uint64_t seed = 1;
  contest_settings contest;
  facts_list context;
};

/// Throws error for a word that is none.
inline clock_kind clock_of(const std::string& word) {
  if (word == "device") return clock_kind::device;
  if (word == "events") return clock_kind::events;
  if (word == "series") return clock_kind::series;
  if (word == "wall") return clock_kind::wall;
  throw clprim::error("--timing is device, events, series or wall: '" + word + "' given");
}

inline bool read_suite_options(const suite& s, int argc, char** argv, suite_options& o) {
  command_line line(argc, argv);
  o.device = line.text("device", "NAME", "part of a device's name, a kind, or P:D").value_or("");
  o.filter = line.text("filter", "REGEX", "only the rows whose name matches").value_or("");
  o.quick = line.flag("quick", "fewer rows and rounds");
  if (s.drawn) {
    o.random = static_cast<std::size_t>(
        line.number("random", 0, "so many problems, drawn, in place of the listed rows"));
    o.seed = static_cast<std::uint64_t>(
        line.number("seed", 1, "of the drawn problems: the same seed, the same problems"));
  }
  o.list = line.flag("list", "only list the rows");
  o.print_device = line.flag("print-device", "only print the device's name as that of a folder");
  o.json = line.text("json", "FILE", "write the results as JSON").value_or("");
  o.table = line.text("table", "FILE", "write the table").value_or("");
  o.contest.rounds = static_cast<int>(
      line.number("rounds", o.quick ? 2 : s.rounds, "blocks of each contestant, taking turns"));
  o.pause = line.number("pause", -1, "ms before each block (GPU: the suite's, CPU: 0)");
  o.sustained =
      line.flag("sustained",
                "half a second of calls before each block, no pause of the suite's: as under "
                "lasting load, where a card's limit of power may lower its clock");
  o.contest.block_ms =
      line.number("block", o.quick || o.random > 0 ? 20 : 40, "ms that a block takes at least");
  o.timing =
      line.text("timing", "device|events|series|wall", "how OpenCL's calls are timed").value_or("");
  if (!o.timing.empty()) clock_of(o.timing);
  o.no_roof = line.flag("no-roof", "do not measure the roofs");
  o.cold = line.flag("cold", "overwrite the last-level cache before each call (by events)");
  while (const auto fact = line.text("context", "NAME=VALUE", "a line for the head of the JSON")) {
    const auto equals = fact->find('=');
    if (equals != std::string::npos)
      o.context.emplace_back(fact->substr(0, equals), fact->substr(equals + 1));
  }
  if (s.options) s.options(line);
  return line.finish("bench_" + s.name + ": " + s.what);
}

/// Problems by the seed. Each draws for itself, so that more of them begin with the same ones.
inline std::vector<bench_row> drawn_rows(const suite& s, const suite_place& place,
                                         const suite_options& o) {
  std::vector<bench_row> rows;
  for (std::size_t i = 0; i < o.random; ++i) {
    problem_draw draw(o.seed, i);
    rows.push_back(s.drawn(place, draw));
    rows.back().name = std::to_string(i) + " " + rows.back().name;
  }
  return rows;
}

/// The rows that are wanted here. Throws error when no row is.
inline suite_rows chosen_rows(const suite& s, const suite_place& place, const suite_options& o) {
  suite_rows all = s.rows(place);
  if (o.random > 0) all.rows = drawn_rows(s, place, o);
  const std::regex filter(o.filter);
  const bool quick_only = o.quick && o.random == 0 && o.filter.empty();
  std::erase_if(all.rows, [&](const bench_row& row) {
    return (quick_only && !row.quick) || !std::regex_search(row.name, filter);
  });
  if (all.rows.empty()) throw clprim::error("no row matches '" + o.filter + "': see --list");
  return all;
}

inline std::string timing_text(clock_kind clock) {
  switch (clock) {
    case clock_kind::device:
      return "groups of calls that were queued while the device was held, between two marks";
    case clock_kind::events:
      return "OpenCL: profiling start of a call's first kernel to end of its last; CUDA: groups "
             "that were queued while the device was held";
    case clock_kind::series:
      return "OpenCL: wall time of groups of calls back to back; CUDA: groups that were queued "
             "while the device was held";
    case clock_kind::wall: break;
  }
  return "wall time of enqueue and finish";
}

inline constexpr const char* cold_text = "; before each call the last-level cache is overwritten";

inline facts_list head_of(const suite_place& place, const suite_options& o,
                          const device_roofs& roofs, const suite_rows& all) {
  facts_list head = machine_facts(place.device);
  head.insert(head.end(), o.context.begin(), o.context.end());
  head.emplace_back("timing", timing_text(place.clock) + (o.cold ? cold_text : ""));
  head.emplace_back("rounds", std::to_string(o.contest.rounds));
  head.emplace_back("pause_ms", fixed(o.contest.pause_ms, 0));
  head.emplace_back("warm_ms", fixed(o.contest.warm_ms, 0));
  if (!o.no_roof) {
    head.emplace_back("roof_fma_float_gflops", fixed(roofs.fma_float * 1e-9, 0));
    head.emplace_back("roof_fma_double_gflops", fixed(roofs.fma_double * 1e-9, 0));
    head.emplace_back("roof_copy_gb_s", fixed(roofs.copy * 1e-9, 1));
    head.emplace_back("roof_read_gb_s", fixed(roofs.read * 1e-9, 1));
    head.emplace_back("roof_launch_us", fixed(roofs.launch * 1e6, 2));
    head.emplace_back("roof_link_gb_s", fixed(roofs.link * 1e-9, 1));
  }
  for (const std::string& peer : all.missing) head.emplace_back("missing_peer", peer);
  if (o.random > 0) {
    head.emplace_back("drawn", std::to_string(o.random) + " problems");
    head.emplace_back("seed", std::to_string(o.seed));
  }
  return head;
}

/// Numbers of one row as Google Benchmark's counters, so that they reach the JSON.
inline void set_counters(benchmark::State& state, const bench_row& row, const row_head& head,
                         const contest_result& result) {
  auto& counters = state.counters;
  for (const auto& [name, value] : row.numbers) counters[name] = value;
  const std::string rate = head.unit == "GB/s" ? "_gb_s" : "_gflops";
  if (result.cut_short()) {
    counters["interrupted"] = 1;
    counters["rounds_run"] = result.rounds;
  }
  for (const contestant_result& r : result.all) {
    const std::string name = slug(r.name, '_');
    if (r.problem.starts_with("WRONG")) counters["wrong_" + name] = 1;
    if (!r.timed()) continue;
    counters[name + "_us"] = r.seconds.median * 1e6;
    counters[name + rate] = run_report::rate_of(head, r);
    counters[name + "_spread"] = r.seconds.spread;
    counters[name + "_series_us"] = r.series * 1e6;
    for (const auto& [fact, value] : r.facts) counters[name + "_" + fact] = value;
    if (r.as == role::ours) continue;
    if (r.as == role::peer) counters["peer_" + name] = 1;
    counters["ratio_to_" + name] = r.ratio;
    counters["series_ratio_to_" + name] = r.series_ratio;
  }
  if (row.flops_per_byte > 0) counters["flops_per_byte"] = row.flops_per_byte;
  for (const bar& b : head.bars)
    counters[(b.of_ours ? "bar_of_ours_" : "bar_") + slug(b.peer, '_')] = b.ratio;
  if (head.roof > 0) counters["roof_share"] = run_report::rate_of(head, result.ours()) / head.roof;
}

/// Whether what must move of a row fits the last-level cache, where a call before may have left it.
inline bool fits_cache(const bench_row& row, const suite_place& place) {
  const double bytes = row.unit == "GB/s"       ? row.work
                       : row.flops_per_byte > 0 ? row.work / row.flops_per_byte
                                                : 0;
  return cold_bytes == 0 && bytes > 0 && bytes <= static_cast<double>(place.cache);
}

/// What a run shares between its rows.
struct suite_run {
  const suite& of;
  const suite_place& place;
  const device_roofs& roofs;
  const contest_settings& how;
  run_report& report;
  progress& shown;
  bool own_pause = false;  ///< the command line says how long
  bool drawn = false;      ///< rows are drawn: many, and short
};

/// A block of this row pauses as long as what it does needs.
inline contest_settings settings_of(const bench_row& row, const suite_run& run) {
  contest_settings how = run.how;
  if (!run.own_pause && row.unit == "GB/s") how.pause_ms = std::min(how.pause_ms, move_pause_ms);
  if (!run.place.quick && how.pause_ms <= move_pause_ms) {
    how.short_rounds = short_rounds;
    if (!run.place.cpu() && !run.drawn) how.unsteady_rounds = unsteady_rounds;
  }
  how.tell = [&shown = run.shown](const std::string& what) { shown.tell(what); };
  return how;
}

/// Our kernels with what they take, each once.
inline std::vector<kernel_use> uses_of(const contestant_result& ours, const suite_place& place) {
  std::vector<kernel_use> uses;
  std::vector<cl_kernel> known;
  for (const seen_kernel& seen : ours.kernels) {
    if (std::find(known.begin(), known.end(), seen.kernel()) != known.end()) continue;
    known.push_back(seen.kernel());
    uses.push_back(use_of_kernel(seen, place.session.device, place.device));
  }
  return uses;
}

/// Of the kernel with the most work-items: numbers for the JSON.
inline void set_kernel_counters(benchmark::State& state, const std::vector<kernel_use>& uses) {
  const auto most = std::max_element(
      uses.begin(), uses.end(),
      [](const kernel_use& x, const kernel_use& y) { return x.work_items < y.work_items; });
  if (most == uses.end()) return;
  state.counters["group"] = most->group;
  state.counters["kernels"] = static_cast<double>(uses.size());
  if (most->taken.registers.known()) state.counters["registers"] = most->taken.registers.value;
  if (most->taken.spill_bytes.known())
    state.counters["spill_bytes"] = most->taken.spill_bytes.value;
  if (most->taken.local_bytes.known())
    state.counters["local_bytes"] = most->taken.local_bytes.value;
  if (most->resident) state.counters["occupancy"] = most->resident->fraction();
}

inline void run_row(benchmark::State& state, const bench_row& row, const suite_run& run) {
  const suite& of = run.of;
  run_report& report = run.report;
  const row_head head{row.name, row.work,
                      row.unit, run.roofs.attainable(row.roof, row.unit, row.flops_per_byte),
                      row.bars, row.kind};
  const double begin = seconds_now();
  for ([[maybe_unused]] auto one : state) {
    if (interrupted()) {
      state.SkipWithError("interrupted");
      break;
    }
    run.shown.next_row(row.name);
    try {
      const std::vector<contestant> who = row.enter();
      contest_result result = run_contest(who, settings_of(row, run), interrupted);
      const std::vector<kernel_use> uses = uses_of(result.ours(), run.place);
      for (const kernel_use& use : uses) {
        result.all.front().detail += "; " + to_text(use);
        if (of.show_kernels) result.all.front().short_detail += " | " + to_text(use);
      }
      if (fits_cache(row, run.place)) {
        std::string& how = result.all.front().short_detail;
        how = how.empty() ? "cached" : "cached, " + how;
        state.counters["cached"] = 1;
      }
      run.shown.clear();
      report.row(head, result);
      const contestant_result& ours = result.ours();
      if (!ours.timed()) {
        state.SkipWithError(ours.problem.empty() ? "interrupted" : ours.problem.c_str());
        break;
      }
      state.SetIterationTime(ours.seconds.median);
      state.SetLabel(ours.detail);
      set_counters(state, row, head, result);
      set_kernel_counters(state, uses);
      state.counters["wall_s"] = seconds_now() - begin;
    } catch (const std::exception& e) {
      run.shown.clear();
      report.failed(row.name, e.what());
      state.SkipWithError(e.what());
      break;
    }
  }
}

inline void register_rows(const suite_rows& all, const suite_run& run) {
  for (const bench_row& row : all.rows) {
    std::string name = run.of.name + "/" + row.name;
    std::replace(name.begin(), name.end(), ' ', '/');
    benchmark::RegisterBenchmark(
        name.c_str(), [&row, &run](benchmark::State& state) { run_row(state, row, run); })
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

inline int run_suite_rows(const suite& s, suite_options o) {
  clprim::session session = clprim::open_session(o.device);
  suite_place place{.session = session, .device = clprim::facts_of(session.device)};
  if (o.print_device) {
    std::printf("%s\n", device_slug(place.device).c_str());
    return 0;
  }
  place.clock = !o.timing.empty()                                ? clock_of(o.timing)
                : place.cpu() && s.gpu_clock != clock_kind::wall ? usual_clock(place.device)
                                                                 : s.gpu_clock;
  if (o.cold && place.clock != clock_kind::wall)
    place.clock = place.cpu() ? clock_kind::wall : clock_kind::events;
  // Profiling costs each command of a queue a little: only where its times are read.
  if (place.clock == clock_kind::series || place.clock == clock_kind::wall)
    place.session = clprim::open_session(o.device, 0);
  place.cache = cache_bytes(place.session.device);
  if (o.cold) {
    if (place.cache == 0) throw clprim::error("--cold: the device does not tell of a cache");
    cold_bytes = 2 * place.cache;
  }
  // The wall over many calls: the shortest need thousands before two runs agree.
  if (place.clock == clock_kind::series) o.contest.short_ms = o.contest.block_ms;
  place.quick = o.quick;
  if (o.sustained) {
    o.pause = std::max(o.pause, 0.0);  // none, unless the command says how long
    o.contest.warm_ms = sustained_ms;
  }
  // A drawn row is one of many: its own error counts less than that there are more of them.
  const double gpu_pause = o.random > 0 ? std::min(20.0, s.gpu_pause_ms) : s.gpu_pause_ms;
  o.contest.pause_ms = o.pause >= 0 ? o.pause : place.cpu() ? 0 : gpu_pause;

  const suite_rows all = chosen_rows(s, place, o);
  if (o.list) {
    for (const bench_row& row : all.rows) std::printf("%s\n", row.name.c_str());
    return 0;
  }
  const device_roofs roofs =
      o.no_roof ? device_roofs{}
                : measure_roofs(place.session, place.device, place.clock, o.contest.pause_ms);
  run_report report(all.columns);
  const bool beside_peers = place.cpu() && s.judged_by == "roof";
  if (o.random > 0) report.judge_by(beside_peers ? "best peer" : s.judged_by);
  const facts_list head = head_of(place, o, roofs, all);
  for (const auto& [name, value] : head) report.print(cell(name, -24) + value);
  report.print(
      "\n± is half the distance of the quartiles; roof is our share of what the device can do; "
      "ratio is our\nspeed over the best peer's, by rounds; series is the same for calls back to "
      "back, gaps included; cached: what must\nmove fits the last-level cache, where the call "
      "before left "
      "it (--cold overwrites it).\n");
  report.header();

  json_file json(o.json, head);
  progress shown(all.rows.size());
  const suite_run run{s, place, roofs, o.contest, report, shown, o.pause >= 0, o.random > 0};
  register_rows(all, run);
  run_registered(json);
  if (interrupted()) report.print(interrupted_mark);
  report.print("\n" + std::to_string(all.rows.size()) + " rows in " + fixed(shown.seconds(), 0) +
               " s");
  report.finish();
  write_file(o.table, report.text());
  return interrupted() ? interrupted_status : report.wrong() ? 1 : 0;
}

}  // namespace detail

/// What main does. Returns 0; 1 when ours was wrong somewhere; 2 for bad options, no device and
/// files that cannot be written; 130 when interrupted.
inline int run_suite(const suite& s, int argc, char** argv) {
  notice_interrupts();
  clprim::keep_programs(std::nullopt);  // a kernel tells its registers by its source
  try {
    detail::suite_options options;
    if (!detail::read_suite_options(s, argc, argv, options)) return 0;
    return detail::run_suite_rows(s, std::move(options));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_%s: %s\n", s.name.c_str(), e.what());
    return 2;
  }
}

}  // namespace bench
