#pragma once
// Runs the kernels of kernels.hpp and tells their times.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/occupancy/device.hpp>
#include <clprim/core/parallelism.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/program.hpp>

#include "../harness/machine.hpp"
#include "../harness/statistics.hpp"
#include "kernels.hpp"

namespace bench {

/// A group of the sweep: its size, and the local memory that leaves room for so many.
struct residence {
  int work_items = 0;
  int groups = 0;  ///< per unit
  int ballast = 0;
};

/// A kernel with what it takes of the device.
struct probe_kernel {
  cl::Kernel kernel;
  clprim::group_use use;
};

class probe {
 public:
  probe(const clprim::session& s, bool quick)
    : on_(s), facts_(clprim::facts_of(s.device)), unit_(clprim::limits_of(facts_)), quick_(quick) {}

  const clprim::device_facts& facts() const { return facts_; }
  const clprim::unit_limits& unit() const { return unit_; }
  int units() const { return clprim::units_of(facts_); }
  bool is_cpu() const { return facts_.kind == clprim::device_kind::cpu; }
  /// Floats that one work-item's operation takes: a SIMD register's on a CPU.
  int lanes() const { return is_cpu() ? 16 : 1; }
  std::string vector(const std::string& real) const {
    return is_cpu() ? real + (real == "double" ? "8" : "16") : real;
  }

  probe_kernel make(const char* text, const char* name, const residence& r,
                    const std::string& defines) const {
    const auto program = clprim::build(
        on_.context, on_.device, std::string(ballast_text) + text,
        "-DBALLAST=" + std::to_string(r.ballast) + (defines.empty() ? "" : " ") + defines);
    probe_kernel made{clprim::make_kernel(*program, name), {}};
    const auto taken = clprim::resources_of(*program, made.kernel, name, on_.device);
    made.use = clprim::use_of(taken, r.work_items);
    made.use.barriers = 0;
    return made;
  }

  cl::Buffer buffer(std::size_t bytes, float fill = 0.7f) const {
    cl_int code = CL_SUCCESS;
    const cl::Buffer made(clCreateBuffer(on_.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code),
                          false);
    clprim::check(code, "clCreateBuffer");
    clprim::check(
        clEnqueueFillBuffer(on_.queue(), made(), &fill, sizeof fill, 0, bytes, 0, nullptr, nullptr),
        "clEnqueueFillBuffer");
    return made;
  }
  void write(const cl::Buffer& to, const std::vector<cl_int>& values) const {
    clprim::check(
        clEnqueueWriteBuffer(on_.queue(), to(), CL_TRUE, 0, values.size() * sizeof(cl_int),
                             values.data(), 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
  }
  std::vector<cl_int> read(const cl::Buffer& from, std::size_t count) const {
    std::vector<cl_int> values(count);
    clprim::check(clEnqueueReadBuffer(on_.queue(), from(), CL_TRUE, 0, count * sizeof(cl_int),
                                      values.data(), 0, nullptr, nullptr),
                  "clEnqueueReadBuffer");
    return values;
  }

  /// Median seconds of a launch, after one that warms up; wall time on a CPU.
  summary seconds(const cl::Kernel& kernel, std::int64_t groups, int work_items,
                  int runs = 0) const {
    const auto items = static_cast<std::size_t>(work_items);
    const clprim::launch range{1, {static_cast<std::size_t>(groups) * items, 1, 1}, {items, 1, 1}};
    std::vector<double> times;
    for (int i = 0; i <= (runs > 0 ? runs : quick_ ? 3 : 7); ++i) {
      const double begin = seconds_now();
      const cl::Event done = clprim::enqueue(on_.queue(), kernel(), range);
      clprim::check(clFinish(on_.queue()), "clFinish");
      const double wall = seconds_now() - begin;
      if (i > 0) times.push_back(is_cpu() ? wall : profiled(done));
    }
    return summarise(times);
  }

  /// Local memory for exactly `groups` groups of this size: from the middle of all that would do,
  /// since the driver may set aside less than the whole of a unit's for local memory.
  std::vector<residence> residences() const {
    if (is_cpu()) return {{1, 1, 0}};
    std::vector<residence> all{{96, 1, 0}};
    for (const int groups : {1, 2, 3, 4, 6, 8, 12, 16}) all.push_back({128, groups, 0});
    std::vector<residence> possible;
    for (residence r : all) {
      const auto resident = [&](std::int64_t bytes) {
        return clprim::occupancy_of(unit_, {.work_items = r.work_items, .local_bytes = bytes})
            .groups;
      };
      const auto most_with = [&](int wanted) {  // the most bytes with which so many still fit
        std::int64_t low = 0, high = unit_.group_local_bytes + 1;
        while (high - low > 1) {
          const std::int64_t middle = low + (high - low) / 2;
          (resident(middle) >= wanted ? low : high) = middle;
        }
        return low;
      };
      if (resident(0) < r.groups) continue;
      if (resident(0) > r.groups) {
        r.ballast = static_cast<int>((most_with(r.groups) + most_with(r.groups + 1)) / 2 / 16 * 16);
      }
      if (resident(r.ballast) == r.groups) possible.push_back(r);
    }
    return possible;
  }

 private:
  static double profiled(const cl::Event& event) {
    cl_ulong start = 0, end = 0;
    clGetEventProfilingInfo(event(), CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr);
    clGetEventProfilingInfo(event(), CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
    return static_cast<double>(end - start) * 1e-9;
  }

  clprim::session on_;
  clprim::device_facts facts_;
  clprim::unit_limits unit_;
  bool quick_ = false;
};

/// An empty kernel, in seconds.
inline double launch_seconds(const probe& p) {
  const residence one{p.is_cpu() ? 1 : 128, 1, 0};
  const probe_kernel k = p.make(groups_text, "nothing", one, "");
  const cl::Buffer out = p.buffer(64);
  clprim::set_args(k.kernel(), out, cl_int{0});
  return p.seconds(k.kernel, 1, one.work_items, 51).median;
}

/// Groups of 128 that do nothing, started per second.
inline double dispatched_groups(const probe& p, double launch) {
  const residence one{p.is_cpu() ? 1 : 128, 1, 0};
  const probe_kernel k = p.make(groups_text, "nothing", one, "");
  const cl::Buffer out = p.buffer(64);
  clprim::set_args(k.kernel(), out, cl_int{0});
  const std::int64_t groups = p.is_cpu() ? 1 << 14 : 1 << 21;
  return static_cast<double>(groups) /
         (p.seconds(k.kernel, groups, one.work_items).median - launch);
}

/// Groups that were on one unit at the same time, counted by themselves.
inline double counted_groups(const probe& p, const residence& r) {
  const probe_kernel k = p.make(groups_text, "census", r, "");
  const cl::Buffer counts = p.buffer(64, 0.0f);
  clprim::set_args(k.kernel(), counts, cl_int{p.is_cpu() ? 1000 : 20000}, cl_int{0});
  p.seconds(k.kernel, std::int64_t{3} * p.units() * r.groups, r.work_items, 1);
  return static_cast<double>(p.read(counts, 2)[1]) / p.units();
}

/// Nanoseconds that the model takes for one answer: occupancy with bounds and next step, plan,
/// prediction.
inline double query_ns(const probe& p, const clprim::device_row& row) {
  constexpr int queries = 100'000;
  double sum = 0;
  const int most = p.is_cpu() ? 1 : p.unit().max_group_items / 32;
  const double begin = seconds_now();
  for (int i = 0; i < queries; ++i) {
    const clprim::group_use use{.work_items = p.is_cpu() ? 1 : 32 * (1 + i % std::min(most, 8)),
                                .registers = 1 + i % 128,
                                .local_bytes = i % 4096};
    const auto plan = clprim::plan_launch(p.unit(), p.units(), use, 1 << 24);
    sum += clprim::predict(row, plan, {.operations = 100, .bytes = 8}).seconds;
  }
  const double each = (seconds_now() - begin) / queries * 1e9;
  return sum > 0 ? each : 0;
}

/// Nanoseconds from a load to the one that needs it: a walk over a ring of 128-byte lines in random
/// order, far larger than any cache (S. Sattolo's shuffle makes one cycle of all).
inline double chase_ns(const probe& p, std::size_t bytes, int steps) {
  constexpr std::size_t line = 32;
  const std::size_t lines = bytes / sizeof(cl_int) / line;
  std::vector<cl_int> order(lines), next(lines * line, 0);
  std::iota(order.begin(), order.end(), 0);
  std::uint64_t state = 1;
  for (std::size_t i = lines - 1; i > 0; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::swap(order[i], order[(state >> 33) % i]);
  }
  for (std::size_t i = 0; i < lines; ++i) {
    next[static_cast<std::size_t>(order[i]) * line] =
        static_cast<cl_int>(static_cast<std::size_t>(order[(i + 1) % lines]) * line);
  }
  const residence one{1, 1, 0};
  const probe_kernel k = p.make(chase_text, "chase", one, "");
  const cl::Buffer ring = p.buffer(next.size() * sizeof(cl_int)), out = p.buffer(64, 0.0f);
  p.write(ring, next);
  const auto with = [&](int n) {
    clprim::set_args(k.kernel(), out, ring, cl_int{n});
    return p.seconds(k.kernel, 1, 1, 5).median;
  };
  return (with(2 * steps) - with(steps)) / steps * 1e9;
}

}  // namespace bench
