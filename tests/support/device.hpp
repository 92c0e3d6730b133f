#pragma once
// The device of a test process, and buffers whose surroundings are watched.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <clprim/runtime/device.hpp>
#include <clprim/runtime/launch.hpp>

#include "support/at_end.hpp"
#include "support/kept_memory.hpp"

namespace support {

/// Finishes a session's queue after all tests: a call that a test does not wait for may still be
/// compiled by a thread of PoCL's then, and the end of the process would cut that off.
inline void finish_at_end(const clprim::session& s) {
  at_end().add([queue = s.queue()] { clFinish(queue); });
}

/// One session per process. Not destroyed: drivers may be gone when statics are.
inline const clprim::session& device_session() {
  static const auto* const s = [] {
    const auto* const made = new clprim::session(clprim::open_session());
    const clprim::device_facts facts = clprim::facts_of(made->device);
    support::keeps_memory() = facts.vendor == clprim::vendor::pocl && facts.loses_guards;
    finish_at_end(*made);
    return made;
  }();
  return *s;
}

/// Whether launches of one kernel may run side by side. PoCL before 6.0 aborts where they have
/// different sizes: the end of one gives up another's code (pocl_release_dlhandle_cache,
/// "found->ref_count > 0"). 3.1 does so in one of some hundred sequences, 5.0 in most of them; long
/// campaigns give each process one thread.
inline bool launches_may_overlap(const clprim::session& s) {
  const clprim::device_facts facts = clprim::facts_of(s.device);
  return facts.vendor != clprim::vendor::pocl || clprim::major_version(facts.driver) != 5;
}

/// The same device and context with a queue that keeps no order.
inline const clprim::session& out_of_order_session() {
  static const auto* const s = [] {
    auto* made = new clprim::session(device_session());
    cl_int code = CL_SUCCESS;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    made->queue =
        cl::CommandQueue(clCreateCommandQueue(made->context(), made->device(),
                                              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code),
                         false);
#pragma GCC diagnostic pop
    clprim::check(code, "clCreateCommandQueue");
    finish_at_end(*made);
    return made;
  }();
  return *s;
}

inline void wait_for(const cl::Event& event) {
  clprim::check(clWaitForEvents(1, &event()), "clWaitForEvents");
}

/// A buffer of these elements, or of one where there is none.
template <class T> cl::Buffer device_copy(const clprim::session& s, std::vector<T> values) {
  if (values.empty()) values.emplace_back();
  cl_int code = CL_SUCCESS;
  cl::Buffer made(clCreateBuffer(s.context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                 values.size() * sizeof(T), values.data(), &code),
                  false);
  clprim::check(code, "clCreateBuffer");
  return made;
}

/// An event that completes when the test says so.
inline cl::Event user_event(const clprim::session& s) {
  cl_int code = CL_SUCCESS;
  const cl::Event event(clCreateUserEvent(s.context(), &code), false);
  clprim::check(code, "clCreateUserEvent");
  return event;
}

/// Whether a call may wait for an event that fails. Intel's runtime for CPUs (2026.2) runs commands
/// behind one that failed, in order; where a queue keeps none, clFinish ends the process
/// (OclEvent::RemoveFloatingDependence): a kernel that waits for a user event, set to -1, shows it.
/// Rusticl (Mesa 26.1) fails every later command of a queue in which a wait failed.
inline bool waits_may_fail(const clprim::session& s) {
  const clprim::device_facts facts = clprim::facts_of(s.device);
  return facts.platform != "rusticl" &&
         (facts.kind != clprim::device_kind::cpu || facts.vendor != clprim::vendor::intel);
}

/// Whether accesses beyond a buffer are to be met by known values or by a checker such as Oclgrind.
enum class surroundings { zones, nothing };

/// Zones, but nothing under a checker, which CLPRIM_EXACT_BUFFERS tells of.
inline surroundings usual_surroundings() {
  static const bool exact = std::getenv("CLPRIM_EXACT_BUFFERS") != nullptr;
  return exact ? surroundings::nothing : surroundings::zones;
}

/// A device buffer of exactly these elements. With `zones` it is a part of a larger buffer that
/// holds `guard` before and behind it.
template <class T> class guarded_buffer {
 public:
  guarded_buffer(const clprim::session& s, std::span<const T> contents, T guard,
                 surroundings kind = usual_surroundings())
    : session_(&s), size_(contents.size()), zone_(kind == surroundings::zones ? zone_elements : 0) {
    if (contents.empty()) return;  // a view without elements needs no buffer
    whole_.assign(size_ + 2 * zone_, guard);
    std::copy(contents.begin(), contents.end(),
              whole_.begin() + static_cast<std::ptrdiff_t>(zone_));
    cl_int code = CL_SUCCESS;
    parent_ = cl::Buffer(clCreateBuffer(s.context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                        whole_.size() * sizeof(T), whole_.data(), &code),
                         false);
    clprim::check(code, "clCreateBuffer");
    if (zone_ == 0) {
      buffer_ = parent_;
      never_released().push_back(parent_);
      return;
    }
    const cl_buffer_region region{zone_ * sizeof(T), size_ * sizeof(T)};
    buffer_ = cl::Buffer(clCreateSubBuffer(parent_(), CL_MEM_READ_WRITE,
                                           CL_BUFFER_CREATE_TYPE_REGION, &region, &code),
                         false);
    clprim::check(code, "clCreateSubBuffer");
  }

  const cl::Buffer& buffer() const { return buffer_; }

  /// Reads the elements back, after everything on the queue of the session.
  std::vector<T> read() {
    std::vector<T> now(whole_.size());
    if (now.empty()) return now;
    clprim::check(clFinish(session_->queue()), "clFinish");
    clprim::check(clEnqueueReadBuffer(session_->queue(), parent_(), CL_TRUE, 0,
                                      now.size() * sizeof(T), now.data(), 0, nullptr, nullptr),
                  "clEnqueueReadBuffer");
    intact_ = zone_ == 0 ||
              (std::memcmp(now.data(), whole_.data(), zone_ * sizeof(T)) == 0 &&
               std::memcmp(&now[zone_ + size_], &whole_[zone_ + size_], zone_ * sizeof(T)) == 0);
    return {now.begin() + static_cast<std::ptrdiff_t>(zone_),
            now.begin() + static_cast<std::ptrdiff_t>(zone_ + size_)};
  }
  /// Whether the zones still held `guard` at the last `read`.
  bool intact() const { return intact_; }

 private:
  static constexpr std::size_t zone_elements = 4096;  // whole units of any base alignment

  /// Oclgrind 21.10 takes what lies where a buffer was released for uninitialised, even after a
  /// kernel has written it.
  static std::vector<cl::Buffer>& never_released() {
    static auto* const all = new std::vector<cl::Buffer>;
    return *all;
  }

  const clprim::session* session_;
  std::size_t size_;
  std::size_t zone_;
  std::vector<T> whole_;
  cl::Buffer parent_;
  cl::Buffer buffer_;
  bool intact_ = true;
};

/// An object that is not destroyed under a checker, for the sake of the memory that it holds: see
/// guarded_buffer::never_released.
template <class Object> class kept_under_checker {
 public:
  explicit kept_under_checker(Object made) : object_(new Object(std::move(made))) {}
  ~kept_under_checker() {
    if (usual_surroundings() == surroundings::zones) delete object_;
  }
  kept_under_checker(const kept_under_checker&) = delete;
  kept_under_checker& operator=(const kept_under_checker&) = delete;
  Object& operator*() const { return *object_; }

 private:
  Object* object_;
};

}  // namespace support
