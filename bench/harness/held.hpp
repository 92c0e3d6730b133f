#pragma once
// Times of calls that a device takes one behind the other, without waiting for the host.
//
// A host takes 4 to 15 us to launch a kernel (CUDA 4.4, OpenCL 5.8, with profiled events 14; H200,
// 580.159.04), a device 1.8 to run an empty one. So a device that is not held back waits for the
// host between short calls, and their times are the host's: the same copy of 1 MB took 6.3 us by
// the events of each call and 4.9 us by CUDA's around groups, and 2.2 us by both of them held. Here
// calls are queued while the device is held, and then run between two marks, of either library.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace bench {

/// Times of one block of calls.
struct timing {
  std::vector<double> seconds;  ///< samples of one call each
  double series = 0;            ///< seconds of a call when calls follow each other without a break
};

/// Calls that are held back at once: a driver takes some thousand launches before it makes the host
/// wait, and a call may launch several.
inline constexpr std::size_t most_held = 100;

/// Runs `warm` calls, then `calls` that count (of more than most_held 5 * most_held at most), in
/// groups between marks. A `Device` has `hold(seconds)`, which keeps it busy or makes it wait for
/// so long at least; `mark()`; and `release()`, which waits for all and gives the seconds at each
/// mark since the hold, nothing where the device had run out of calls meanwhile.
template <class Device, class Call>
timing time_held(Device& device, std::size_t warm, std::size_t calls, Call call) {
  using clock = std::chrono::steady_clock;
  const auto since = [](clock::time_point begin) {
    return std::chrono::duration<double>(clock::now() - begin).count();
  };
  std::size_t called = 0;
  const auto begin = clock::now();
  for (; called < warm; ++called) call(called);
  double host = warm == 0 ? 20e-6 : since(begin) / static_cast<double>(warm);
  const std::size_t runs = calls <= most_held ? 1 : 5;
  const std::size_t each = std::min(calls / runs, most_held);
  const std::size_t groups = runs == 1 ? std::min<std::size_t>(each, 5) : 1;
  timing result;
  for (std::size_t run = 0; run < runs; ++run) {
    std::vector<double> marks;
    for (int attempt = 0; marks.empty() && attempt < 4; ++attempt) {
      const auto queued = clock::now();
      device.hold(std::min(20e-3, 1.5 * host * static_cast<double>(each + 1) + 50e-6));
      if (warm > 0) call(called++);  // the first behind a hold, whose gap is another
      device.mark();
      for (std::size_t g = 0, done = 0; g < groups; ++g) {
        for (const std::size_t end = (g + 1) * each / groups; done < end; ++done) call(called++);
        device.mark();
      }
      host = since(queued) / static_cast<double>(each + 1) * (attempt + 1);
      marks = device.release(attempt == 3);
    }
    for (std::size_t g = 0; g < groups; ++g) {
      const auto size = static_cast<double>((g + 1) * each / groups - g * each / groups);
      result.seconds.push_back((marks[g + 1] - marks[g]) / size);
    }
    result.series +=
        (marks.back() - marks.front()) / static_cast<double>(each) / static_cast<double>(runs);
  }
  return result;
}

}  // namespace bench
