#pragma once
// The sweeps: multiply-add chains and copies over occupancy, measured and predicted.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../harness/interrupt.hpp"
#include "../harness/progress.hpp"
#include "probe.hpp"

namespace bench {

/// One point of a sweep.
struct sweep_point {
  std::string kind;  ///< "fma", "copy" or "copy4": by float4
  int parallel = 1;  ///< chains, or values, of one item
  residence held;
  clprim::launch_plan plan;
  clprim::item_work work;
  int registers = 0;
  summary time;       ///< seconds
  double amount = 0;  ///< multiply-adds, or bytes

  double rate() const { return amount / time.median; }
};

/// One wave of groups, each item with `ilp` chains; about `seconds` long.
inline sweep_point fma_point(const probe& p, const residence& r, int ilp,
                             const std::string& real = "float", double seconds = 1e-3) {
  const std::string defines = "-DILP=" + std::to_string(ilp) + " -DREAL=" + real +
                              " -DVECTOR=" + p.vector(real) +
                              (real == "double" ? " -DNEEDS_FP64" : "");
  const probe_kernel k = p.make(chains_text, "chains", r, defines);
  const std::int64_t groups = std::int64_t{p.units()} * r.groups;
  const std::int64_t items = groups * r.work_items;
  const cl::Buffer out = p.buffer(static_cast<std::size_t>(items) * 8 * sizeof(double));
  const auto timed = [&](int steps) {
    if (real == "double") {
      clprim::set_args(k.kernel(), out, cl_double{0.997}, cl_double{0.0017}, cl_int{steps},
                       cl_int{0});
    } else {
      clprim::set_args(k.kernel(), out, 0.997f, 0.0017f, cl_int{steps}, cl_int{0});
    }
    return p.seconds(k.kernel, groups, r.work_items);
  };
  int steps = 64;
  double taken = timed(steps).median;
  while (taken < seconds / 8 && steps < 500'000) taken = timed(steps *= 8).median;
  steps = static_cast<int>(std::clamp(steps * seconds / std::max(taken, 1e-9), 64.0, 1e6));
  sweep_point point;
  point.kind = "fma", point.parallel = ilp, point.held = r;
  point.time = timed(steps);
  const int lanes = real == "double" ? p.lanes() / 2 : p.lanes();
  const double chains = ilp * std::max(1, lanes);
  const double step = chain_step * chains;
  point.work = {.operations = steps * (step + (p.is_cpu() ? 0 : step_instructions)), .ilp = chains};
  point.amount = steps * step * static_cast<double>(items);
  point.registers = k.use.registers;
  point.plan = clprim::plan_launch(p.unit(), p.units(), k.use, items);
  return point;
}

inline sweep_point copy_point(const probe& p, const residence& r, bool by_four, int values,
                              const cl::Buffer& to, const cl::Buffer& from, std::int64_t floats) {
  const std::string vector = by_four ? "float4" : p.vector("float");
  const int lanes = by_four ? 4 : p.lanes();
  const probe_kernel k =
      p.make(copy_text, "copy", r, "-DVALUES=" + std::to_string(values) + " -DVECTOR=" + vector);
  const std::int64_t items = floats / lanes / values;
  const std::int64_t groups = items / r.work_items;
  clprim::set_args(k.kernel(), to, from, cl_int{0});
  sweep_point point;
  point.kind = by_four ? "copy4" : "copy", point.parallel = values, point.held = r;
  point.time = p.seconds(k.kernel, groups, r.work_items);
  point.work = {.bytes = 8.0 * values * lanes};
  point.amount = point.work.bytes * static_cast<double>(groups * r.work_items);
  point.registers = k.use.registers;
  point.plan = clprim::plan_launch(p.unit(), p.units(), k.use, groups * r.work_items);
  return point;
}

/// All points; fewer when the run is interrupted.
inline std::vector<sweep_point> sweep(const probe& p, bool quick) {
  std::vector<sweep_point> points;
  const std::vector<residence> held = p.residences();
  // Volkov's copies: 1 to 8 floats of an item, then 8 and 14 float4. (A CPU's are of its vectors.)
  const std::vector<int> chains{1, 2, 3, 4, 6, 8}, copied{1, 2, 4, 8, 14, 16};
  const std::vector<int> by_four = p.is_cpu() ? std::vector<int>{} : std::vector<int>{8, 14};
  progress shown((chains.size() + copied.size() + by_four.size()) * held.size());
  const auto next = [&](const char* kind, int parallel) {
    if (!interrupted()) shown.next_row(kind + std::string(" x ") + std::to_string(parallel));
    return !interrupted();
  };
  for (const int ilp : chains) {
    for (const residence& r : held) {
      if (next("multiply-adds", ilp)) points.push_back(fma_point(p, r, ilp));
    }
  }
  const std::int64_t floats = quick || p.is_cpu() ? 1 << 24 : 1 << 27;
  const auto bytes = static_cast<std::size_t>(floats) * sizeof(float);
  const cl::Buffer to = p.buffer(bytes), from = p.buffer(bytes);
  for (const bool four : {false, true}) {
    for (const int values : four ? by_four : copied) {
      for (const residence& r : held) {
        if (next(four ? "copies of float4" : "copies", values))
          points.push_back(copy_point(p, r, four, values, to, from, floats));
      }
    }
  }
  shown.clear();
  return points;
}

/// Amount per second that the model promises.
inline double predicted_rate(const clprim::device_row& row, const sweep_point& s) {
  return s.amount / clprim::predict(row, s.plan, s.work).seconds;
}

/// The device's row from what was measured; the memory latency under load is the one with which the
/// model meets the copies best (least squares of the logarithms).
inline clprim::device_row measured_row(const probe& p, const std::vector<sweep_point>& points) {
  clprim::device_row row;
  row.name = p.facts().name;
  row.units = p.units();
  row.clock_ghz = p.facts().clock_mhz * 1e-3;
  row.schedulers = p.unit().partitions;
  row.launch_us = launch_seconds(p) * 1e6;
  row.dispatch_groups_ns = dispatched_groups(p, row.launch_us * 1e-6) * 1e-9;
  const double cycles = row.units * row.clock_ghz * 1e9;
  double slowest_chain = 0;
  for (const sweep_point& s : points) {
    if (s.kind == "copy") row.memory_gb_s = std::max(row.memory_gb_s, s.rate() * 1e-9);
    if (s.kind != "fma") continue;
    const double seconds = s.time.median - row.launch_us * 1e-6;
    if (seconds < s.time.median / 2) continue;  // the launches of a busy machine: it tells nothing
    const double per_cycle = s.amount / seconds / cycles;
    row.arithmetic_throughput = std::max(row.arithmetic_throughput, per_cycle);
    if (s.parallel != 1) continue;
    row.single_issue = std::max(row.single_issue, per_cycle);
    const double items = static_cast<double>(s.plan.global);
    const double latency = seconds * row.clock_ghz * 1e9 * items * p.lanes() / s.amount;
    slowest_chain = slowest_chain == 0 ? latency : std::min(slowest_chain, latency);
  }
  row.arithmetic_latency = slowest_chain;
  double best = std::numeric_limits<double>::max();
  double found = 1;
  for (double latency = 20; latency < 20000; latency *= 1.01) {
    row.memory_latency_ns = latency;
    double squares = 0;
    for (const sweep_point& s : points) {
      if (s.kind != "copy") continue;
      squares += std::pow(std::log(predicted_rate(row, s) / s.rate()), 2);
    }
    if (squares < best) best = squares, found = latency;
  }
  row.memory_latency_ns = found;
  return row;
}

/// How well predictions fit.
struct fit {
  int points = 0;
  double spearman = 0;
  double within_quarter = 0;  ///< share of the points
  double worst = 0;           ///< |predicted / measured − 1|
};

/// Ranks from 1 on, ties sharing their mean.
inline std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> result;
  for (const double v : values) {
    const auto below = std::count_if(values.begin(), values.end(), [=](double w) { return w < v; });
    const auto same = std::count(values.begin(), values.end(), v);
    result.push_back(static_cast<double>(below) + 0.5 * static_cast<double>(same + 1));
  }
  return result;
}

/// Spearman's rank correlation; 0 where everything is the same.
inline double spearman(const std::vector<double>& a, const std::vector<double>& b) {
  const auto x = ranks(a), y = ranks(b);
  const double mean = 0.5 * static_cast<double>(a.size() + 1);
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

/// Of all points of a kind; of all kinds, each as a share of its roof, when `kind` is empty.
inline fit fit_of(const clprim::device_row& row, const std::vector<sweep_point>& points,
                  const std::string& kind) {
  std::vector<double> predicted, measured;
  fit f;
  int within = 0;
  for (const sweep_point& s : points) {
    if (!kind.empty() && s.kind != kind) continue;
    const double roof = s.kind != "fma"
                            ? row.memory_gb_s * 1e9
                            : row.arithmetic_throughput * row.units * row.clock_ghz * 1e9;
    predicted.push_back(predicted_rate(row, s) / roof);
    measured.push_back(s.rate() / roof);
    const double error = std::abs(predicted.back() / measured.back() - 1);
    within += error <= 0.25 ? 1 : 0;
    f.worst = std::max(f.worst, error);
  }
  f.points = static_cast<int>(measured.size());
  f.within_quarter = static_cast<double>(within) / std::max(1, f.points);
  f.spearman = spearman(predicted, measured);
  return f;
}

}  // namespace bench
