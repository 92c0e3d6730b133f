#pragma once
// One step of a ladder: a policy of a generator, timed alone.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/access/transactions.hpp>
#include <clprim/core/number_text.hpp>

#include "../harness/random.hpp"
#include "../harness/suite.hpp"

namespace bench {

/// What a textbook measured for the same step, on its device: for comparing steps, not speeds.
struct textbook_figure {
  std::string source;
  std::string device{};
  double value = 0;
  std::string unit{};

  /// "deck: 24.8 GB/s on GTX 280"
  std::string text() const {
    if (value == 0) return source;
    return source + ": " + clprim::general_text(value, 6) + " " + unit + " on " + device;
  }
};

/// What is said of a rung, the parts that there are.
inline std::string joined(const std::string& first, const std::string& second) {
  return first.empty() || second.empty() ? first + second : first + "; " + second;
}

/// The memory transactions that the loads of one warp need by the rule of the device
/// (core/access/transactions.hpp), and by that of compute capability 1.3, the textbooks'. Every
/// function of `address_of` gives a lane's byte address in one load; CPUs have no warps: no text.
class predicted_loads {
 public:
  predicted_loads(const suite_place& place, int access_bytes,
                  const std::vector<std::function<std::int64_t(int)>>& address_of)
    : known_(!place.cpu()) {
    const clprim::device_facts& d = place.device;
    const int lanes = std::clamp(d.subgroup_width, 1, 64);
    for (const auto& address : address_of) {
      add(now_, clprim::coalescing_of(d.compute_capability), access_bytes, lanes, address);
      add(then_, clprim::coalescing::segments, access_bytes, lanes, address);
    }
  }

  /// "12 transactions per warp, 384 B for 384 (on 1.3: 18, 384 B)"
  std::string text() const {
    if (!known_) return {};
    return std::to_string(now_.count) + " transactions per warp, " + std::to_string(now_.bytes) +
           " B for " + std::to_string(now_.useful) + " (1.3: " + std::to_string(then_.count) +
           ", " + std::to_string(then_.bytes) + " B)";
  }
  std::vector<std::pair<std::string, double>> numbers() const {
    if (!known_) return {};
    return {{"transactions", now_.count},
            {"transaction_efficiency", now_.efficiency()},
            {"transactions_of_1_3", then_.count}};
  }

 private:
  static void add(clprim::transactions& sum, clprim::coalescing rule, int access_bytes, int lanes,
                  const std::function<std::int64_t(int)>& address) {
    const clprim::transactions t = clprim::global_transactions(rule, access_bytes, lanes, address);
    sum.count += t.count;
    sum.bytes += t.bytes;
    sum.useful += t.useful;
  }

  bool known_;
  clprim::transactions now_, then_;
};

/// An array of random floats on the device, its host copy beside it; and a result of as many.
struct ladder_arrays {
  suite_place place;
  std::vector<float> host;
  cl::Buffer x, y;

  ladder_arrays(const suite_place& where, std::size_t count)
    : place(where), host(random_values<float>(count, 11)), x(made(count)), y(made(count)) {
    clprim::check(clEnqueueWriteBuffer(queue(), x(), CL_TRUE, 0, count * sizeof(float), host.data(),
                                       0, nullptr, nullptr),
                  "clEnqueueWriteBuffer");
  }

  cl_command_queue queue() const { return place.session.queue(); }

  /// What `call` leaves in y, which was NaN before.
  template <class Call> std::vector<float> result_of(Call call, std::size_t count) const {
    const cl_uchar ones = 0xff;
    clprim::check(clEnqueueFillBuffer(queue(), y(), &ones, 1, 0, host.size() * sizeof(float), 0,
                                      nullptr, nullptr),
                  "clEnqueueFillBuffer");
    call();
    std::vector<float> result(count);
    clprim::check(clEnqueueReadBuffer(queue(), y(), CL_TRUE, 0, count * sizeof(float),
                                      result.data(), 0, nullptr, nullptr),
                  "clEnqueueReadBuffer");
    return result;
  }

 private:
  cl::Buffer made(std::size_t count) const {
    cl_int code = CL_SUCCESS;
    cl::Buffer buffer(clCreateBuffer(place.session.context(), CL_MEM_READ_WRITE,
                                     count * sizeof(float), nullptr, &code),
                      false);
    clprim::check(code, "clCreateBuffer");
    return buffer;
  }
};

/// Made when first asked for, so that --list costs nothing; shared by the rungs of a ladder.
class lazy_arrays {
 public:
  lazy_arrays(suite_place place, std::size_t count) : place_(std::move(place)), count_(count) {}
  const std::shared_ptr<const ladder_arrays>& get() {
    if (!arrays_) arrays_ = std::make_shared<const ladder_arrays>(place_, count_);
    return arrays_;
  }

 private:
  suite_place place_;
  std::size_t count_;
  std::shared_ptr<const ladder_arrays> arrays_;
};

/// A contestant that enqueues `call()`; `wrong` says what is wrong with the result of one call.
template <class Call>
contestant timed_call(const suite_place& place, Call call, std::function<std::string()> wrong,
                      const std::string& figure) {
  const cl::CommandQueue queue = place.session.queue;
  const clock_kind clock = place.clock;
  return {.name = "clprim",
          .as = role::ours,
          .verify = std::move(wrong),
          .time =
              [=](std::size_t warm, std::size_t calls) {
                return time_opencl(queue(), clock, warm, calls, [&](std::size_t) { call(); });
              },
          .short_detail = [figure] { return figure; },
          .detail = [figure] { return figure; }};
}

}  // namespace bench
