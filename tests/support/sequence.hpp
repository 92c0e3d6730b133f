#pragma once
// Sequences of calls on one operation object: whatever came before a call, its result is that of a
// fresh object, bit for bit. Calls are not waited for, some wait for events that come late or end
// in error; wrong ones throw; the object is moved, and destroyed while its kernels run.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/error.hpp>
#include <clprim/runtime/device.hpp>
#include <clprim/runtime/profile.hpp>
#include <clprim/runtime/wait_list.hpp>

#include "support/campaign.hpp"
#include "support/device.hpp"
#include "support/random.hpp"

namespace support {

/// A size from 1 to `most`, as likely in each octave.
inline std::int64_t log_uniform(draw& d, std::int64_t most) {
  const int octaves = static_cast<int>(std::log2(static_cast<double>(most)));
  const std::int64_t base = std::int64_t{1} << d.between(0, octaves);
  return std::min(most, base + d.between(0, static_cast<int>(base - 1)));
}

/// Elements of the largest drawn problem: GPUs take large ones as fast.
inline std::int64_t most_elements(const clprim::session& s) {
  return std::int64_t{1} << (clprim::facts_of(s.device).kind == clprim::device_kind::gpu ? 20 : 13);
}

/// A call that can be made twice, on operands of equal contents: those of set 0 by the object under
/// test, those of set 1 by a fresh one.
template <class Object> struct sequence_call {
  std::function<cl::Event(Object&, std::size_t set, clprim::wait_list)> make;
  std::function<bool()> same = nullptr;  ///< whether both sets hold the same and none beyond; null:
                                         ///< the call is wrong and throws
  std::string text{};
};

/// Two buffers of the same elements.
template <class T> struct twin_buffers {
  guarded_buffer<T> first, second;
  twin_buffers(const clprim::session& s, const std::vector<T>& contents, T guard)
    : first(s, contents, guard), second(s, contents, guard) {}
  const cl::Buffer& operator[](std::size_t set) const {
    return set == 0 ? first.buffer() : second.buffer();
  }
  bool same() {
    const std::vector<T> a = first.read(), b = second.read();
    return first.intact() && second.intact() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
  }
};

/// A queue that keeps an order or, where launches may overlap, none; both tell times.
inline const clprim::session& sequence_session(bool in_order) {
  if (in_order || !launches_may_overlap(device_session())) return device_session();
  static const auto* const s = [] {
    auto* made = new clprim::session(device_session());
    cl_int code = CL_SUCCESS;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    made->queue = cl::CommandQueue(
        clCreateCommandQueue(made->context(), made->device(),
                             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
                             &code),
        false);
#pragma GCC diagnostic pop
    clprim::check(code, "clCreateCommandQueue");
    finish_at_end(*made);
    return made;
  }();
  return *s;
}

/// While it lives, the events of all commands live. PoCL 3.1 needs that where the commands of a
/// call fail one after the other: it unlocks the event of a command that its failure has released,
/// and aborts (pocl_update_event_failed).
class kept_events {
 public:
  kept_events() : outer_(std::exchange(clprim::detail::command_record::current(), &record_)) {}
  ~kept_events() { clprim::detail::command_record::current() = outer_; }
  kept_events(const kept_events&) = delete;
  kept_events& operator=(const kept_events&) = delete;

 private:
  clprim::detail::command_record record_;
  clprim::detail::command_record* outer_;
};

/// Whether a queue fails all commands that come after one that waited for an event which failed, as
/// Rusticl's does (Mesa 26.1: clEnqueueReadBuffer gives that event's code for ever).
inline bool keeps_failures() {
  static const bool found = [] {
    const clprim::session& s = device_session();
    const cl::Event gate = user_event(s);
    const std::vector<char> bytes(16);
    guarded_buffer<char> buffer(s, bytes, 0, surroundings::nothing);
    cl_int code = CL_SUCCESS;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    const cl::CommandQueue own(clCreateCommandQueue(s.context(), s.device(), 0, &code), false);
#pragma GCC diagnostic pop
    clprim::check(code, "clCreateCommandQueue");
    cl::Event filled;
    const char zero = 0;
    clprim::check(clEnqueueFillBuffer(own(), buffer.buffer()(), &zero, 1, 0, bytes.size(), 1,
                                      &gate(), &filled()),
                  "clEnqueueFillBuffer");
    clSetUserEventStatus(gate(), -1);
    clFinish(own());
    char got = 0;
    return clEnqueueReadBuffer(own(), buffer.buffer()(), CL_TRUE, 0, 1, &got, 0, nullptr,
                               nullptr) != CL_SUCCESS;
  }();
  return found;
}

namespace detail {

inline void end_event(const cl::Event& event, cl_int status) {
  clprim::check(clSetUserEventStatus(event(), status), "clSetUserEventStatus");
}

/// Events that calls wait for. They complete at the end in any case: after an exception a call that
/// waits would hold up all that comes.
class closed_gates {
 public:
  closed_gates() = default;
  ~closed_gates() {
    for (const cl::Event& gate : gates_) clSetUserEventStatus(gate(), CL_COMPLETE);
  }
  closed_gates(const closed_gates&) = delete;
  closed_gates& operator=(const closed_gates&) = delete;
  void add(const cl::Event& gate) { gates_.push_back(gate); }
  void open() {
    for (const cl::Event& gate : std::exchange(gates_, {})) end_event(gate, CL_COMPLETE);
  }

 private:
  std::vector<cl::Event> gates_;
};

}  // namespace detail

/// Makes 2 to 40 drawn calls on one object of `make_object()`; what is wrong, or "".
template <class Make, class Draw>
std::string complaint_of_sequence(draw& d, const clprim::session& s, Make make_object,
                                  Draw draw_call) {
  using object = typename decltype(make_object())::element_type;
  std::unique_ptr<object> tested = make_object();
  std::vector<sequence_call<object>> calls;
  std::vector<std::size_t> compared;
  std::vector<cl::Event> ends;
  detail::closed_gates gates;
  const auto open_gates = [&] {
    gates.open();
    clprim::check(clFlush(s.queue()), "clFlush");
  };
  const int count = d.between(2, d.one_of({5, 15, 40}));
  for (int i = 0; i < count; ++i) {
    if (d.chance(8)) tested = std::make_unique<object>(std::move(*tested));
    calls.push_back(draw_call(d, s));
    ++calls_tried();
    const sequence_call<object>& call = calls.back();
    if (!call.same) {
      try {
        call.make(*tested, 0, {});
      } catch (const clprim::error&) {
        continue;
      }
      open_gates();
      return "call " + std::to_string(i) + " is wrong but does not throw: " + call.text;
    }
    const bool doomed = d.chance(6) && !keeps_failures() && waits_may_fail(s),
               gated = doomed || d.chance(15);
    std::vector<cl::Event> waits;
    if (gated) waits.push_back(user_event(s));
    if (!ends.empty() && d.chance(20))
      waits.push_back(
          ends[static_cast<std::size_t>(d.between(0, static_cast<int>(ends.size()) - 1))]);
    if (doomed) {  // alone: in order, what comes after it would fail with it
      open_gates();
      clprim::check(clFinish(s.queue()), "clFinish");
      const kept_events until_over;
      const cl::Event done = call.make(*tested, 0, waits);
      detail::end_event(waits.front(), -1);
      clFinish(s.queue());
      continue;
    }
    const cl::Event done = call.make(*tested, 0, waits);
    if (done() != nullptr) ends.push_back(done);
    if (gated) gates.add(waits.front());
    compared.push_back(calls.size() - 1);
    if (d.chance(40)) open_gates();
  }
  if (d.chance(50)) tested.reset();
  open_gates();
  clprim::check(clFinish(s.queue()), "clFinish");
  for (const std::size_t i : compared) {
    const std::unique_ptr<object> fresh = make_object();
    calls[i].make(*fresh, 1, {});
    if (!calls[i].same())
      return "call " + std::to_string(i) + " of " + std::to_string(count) +
             " differs from that of a fresh object: " + calls[i].text;
  }
  return {};
}

}  // namespace support
