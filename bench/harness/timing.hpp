#pragma once
// Times of blocks of calls: OpenCL's by marks, by their events or by the wall, others' by the wall.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <clprim/runtime/device.hpp>

#include "cold.hpp"
#include "commands.hpp"
#include "held.hpp"
#include "machine.hpp"
#include "opencl_hold.hpp"

namespace bench {

/// How OpenCL's calls are timed.
enum class clock_kind {
  device,  ///< groups of calls that the device takes without waiting for the host: see held.hpp
  events,  ///< profiling start of a call's first kernel to end of its last, many calls in the queue
  series,  ///< the wall over groups of calls back to back: launches and gaps are in it (CPUs)
  wall,    ///< the wall over enqueue and finish of each call
};

/// What a device takes for calls that follow each other: on a CPU, which cannot be held, launches
/// too. PoCL 3.1 on two cores takes 2 to 9 us for one, and 28 to 45 where the caller waits for
/// each, while threads fall asleep and wake.
inline clock_kind usual_clock(const clprim::device_facts& device) {
  return device.kind == clprim::device_kind::cpu ? clock_kind::series : clock_kind::device;
}

/// Times `call(i)`, which does all of the i-th call before it returns; `sweep` is what makes it
/// cold, where that is asked for.
template <class Call, class Sweep = void (*)()>
timing time_by_wall(std::size_t warm, std::size_t calls, Call call,
                    Sweep sweep = sweep_host_cache) {
  timing result;
  for (std::size_t i = 0; i < warm + calls; ++i) {
    sweep();
    const double begin = seconds_now();
    call(i);
    if (i >= warm) result.seconds.push_back(seconds_now() - begin);
  }
  result.series = std::accumulate(result.seconds.begin(), result.seconds.end(), 0.0) /
                  static_cast<double>(calls);
  return result;
}

/// Runs `call(i)` for `calls` calls in at most 5 groups; `mark(g)` after group g and, as mark(0),
/// before the first. Gives the calls of each group.
template <class Call, class Mark>
std::vector<std::size_t> run_groups(std::size_t warm, std::size_t calls, Call call, Mark mark) {
  for (std::size_t i = 0; i < warm; ++i) call(i);
  mark(0);
  const std::size_t groups = std::min<std::size_t>(calls, 5);
  std::vector<std::size_t> sizes;
  std::size_t done = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t end = (g + 1) * calls / groups;
    sizes.push_back(end - done);
    for (; done < end; ++done) call(warm + done);
    mark(g + 1);
  }
  return sizes;
}

/// Times `call(i)`, which enqueues the i-th call on `queue`. With `device` and `events` the
/// queue has profiling on, and with `events` the executable is linked with commands.cpp. Only
/// `events` and `wall` have room for --cold.
template <class Call>
timing time_opencl(cl_command_queue queue, clock_kind clock, std::size_t warm, std::size_t calls,
                   Call call) {
  const auto finish = [&] { clprim::check(clFinish(queue), "clFinish"); };
  const device_sweep sweep(queue);
  finish();
  if (clock == clock_kind::wall) {
    return time_by_wall(
        warm, calls,
        [&](std::size_t i) {
          call(i);
          finish();
        },
        [&] {
          sweep();
          finish();
        });
  }
  if (clock == clock_kind::device) {
    opencl_hold device(queue);
    return time_held(device, warm, calls, call);
  }
  timing result;
  if (clock == clock_kind::series) {
    std::vector<double> marks;
    const std::vector<std::size_t> sizes = run_groups(warm, calls, call, [&](std::size_t) {
      finish();
      marks.push_back(seconds_now());
    });
    for (std::size_t g = 0; g < sizes.size(); ++g)
      result.seconds.push_back((marks[g + 1] - marks[g]) / static_cast<double>(sizes[g]));
    result.series = (marks.back() - marks.front()) / static_cast<double>(calls);
    return result;
  }
  command_log log;
  for (std::size_t i = 0; i < warm + calls; ++i) {
    sweep();
    log.next_call();
    call(i);
  }
  finish();
  result.seconds = log.seconds();
  result.seconds.erase(result.seconds.begin(),
                       result.seconds.begin() + static_cast<std::ptrdiff_t>(warm));
  const double all = cold_bytes == 0
                         ? log.series_seconds(warm)
                         : std::accumulate(result.seconds.begin(), result.seconds.end(), 0.0);
  result.series = all / static_cast<double>(calls);
  return result;
}

}  // namespace bench
