#pragma once
// Every call of the OpenCL API that an operation makes is failed once: in the first call of a new
// object, construction included, and in a later one. Each time there is an exception that names the
// failure or a right result, nothing hangs or leaks, and the object's next call is right.
//
//   CLPRIM_FAULTS=all   every call, several codes, both kinds of queue, programs kept in files and
//                       not; else some of them, evenly spread

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/runtime/program.hpp>

#include "bench/program.hpp"
#include "faults/opencl_faults.hpp"
#include "support/builds.hpp"
#include "support/device.hpp"

namespace support {

inline bool all_faults() {
  const char* const wanted = std::getenv("CLPRIM_FAULTS");
  return wanted != nullptr && std::string_view(wanted) == "all";
}

/// A buffer of floats that hold small integers, so that sums are exact in any order.
inline cl::Buffer small_integers(const clprim::session& s, std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * 7 % 11) - 5;
  return device_copy(s, std::move(values));
}

/// An operation and one call of it.
template <class Object> struct fault_case {
  std::string name;
  std::function<Object(const cl::CommandQueue&)> make;
  std::function<void(Object&)> call;
  std::vector<cl::Buffer> contents{};  ///< written anew before each call, by what they hold now:
                                       ///< operands that a call changes, and its output
};

template <class Object> class fault_sweep {
 public:
  fault_sweep(const clprim::session& s, const fault_case<Object>& what) : s_(&s), case_(&what) {
    for (const cl::Buffer& buffer : case_->contents) before_.push_back(read(buffer));
    object_ = std::make_unique<Object>(case_->make(s.queue));
    case_->call(*object_);
    expected_ = results();
    object_.reset();
  }

  /// Fails the calls of a first call or of a later one, as many of them as `most` at most; returns
  /// how many were failed.
  int run(bool first, cl_int code, int most) {
    const opencl_objects held = forget();
    opencl_calls all;
    if (!first) {
      object_ = std::make_unique<Object>(case_->make(s_->queue));
      case_->call(*object_);
    }
    with_fault({}, all, [&] {
      if (first) object_ = std::make_unique<Object>(case_->make(s_->queue));
      case_->call(*object_);
    });
    const int count = static_cast<int>(all.names.size()), step = (count + most - 1) / most;
    int points = 0;
    for (int nth = 1; fails(first, {nth, code}); nth += step) ++points;
    // Programs of calls that did not fail are kept, until they are forgotten.
    CHECK_MESSAGE(forget() == held,
                  case_->name << (first ? ", first" : ", later") << " call: objects are left");
    return points;
  }

 private:
  /// Whether there was a call to be failed.
  bool fails(bool first, const opencl_fault& fault) {
    if (first) (void)forget();
    if (!first && !object_) {
      object_ = std::make_unique<Object>(case_->make(s_->queue));
      case_->call(*object_);
    }
    restore();
    opencl_calls calls;
    std::string thrown, wrong;
    try {
      with_fault(fault, calls, [&] {
        if (!object_) object_ = std::make_unique<Object>(case_->make(s_->queue));
        case_->call(*object_);
      });
    } catch (const clprim::opencl_error& e) {
      thrown = e.what();
      if (e.code != fault.code) wrong = "another code";
    } catch (const clprim::error& e) {
      thrown = e.what();
      if (!contains(thrown, std::string(clprim::error_name(fault.code)))) wrong = "not its name";
    } catch (const std::exception& e) {
      thrown = e.what();
      wrong = "no exception of clprim's";
    }
    if (calls.failed.empty()) return false;
    if (thrown.empty() && results() != expected_) wrong = "no exception, and a wrong result";
    clprim::check(clFinish(s_->queue()), "clFinish");
    try {
      restore();
      if (!object_) object_ = std::make_unique<Object>(case_->make(s_->queue));
      case_->call(*object_);
      if (results() != expected_) wrong += " then a wrong result";
    } catch (const std::exception& e) {
      wrong += std::string(" then an exception: ") + e.what();
    }
    CHECK_MESSAGE(wrong.empty(), case_->name << (first ? ", first" : ", later")
                                             << " call, API call " << fault.nth << " ("
                                             << calls.failed << ") failed: " << wrong
                                             << "; thrown: " << thrown);
    return true;
  }

  opencl_objects forget() {
    object_.reset();
    clprim::check(clFinish(s_->queue()), "clFinish");
    clprim::clear_program_cache();
    return objects_now();
  }
  std::vector<unsigned char> read(const cl::Buffer& buffer) const {
    std::size_t size = 0;
    clprim::check(clGetMemObjectInfo(buffer(), CL_MEM_SIZE, sizeof size, &size, nullptr),
                  "clGetMemObjectInfo");
    std::vector<unsigned char> bytes(size);
    clprim::check(clFinish(s_->queue()), "clFinish");
    clprim::check(clEnqueueReadBuffer(s_->queue(), buffer(), CL_TRUE, 0, size, bytes.data(), 0,
                                      nullptr, nullptr),
                  "clEnqueueReadBuffer");
    return bytes;
  }
  void restore() const {
    clprim::check(clFinish(s_->queue()), "clFinish");
    for (std::size_t i = 0; i < before_.size(); ++i)
      clprim::check(clEnqueueWriteBuffer(s_->queue(), case_->contents[i](), CL_TRUE, 0,
                                         before_[i].size(), before_[i].data(), 0, nullptr, nullptr),
                    "clEnqueueWriteBuffer");
  }
  std::vector<std::vector<unsigned char>> results() const {
    std::vector<std::vector<unsigned char>> all;
    for (const cl::Buffer& buffer : case_->contents) all.push_back(read(buffer));
    return all;
  }

  const clprim::session* s_;
  const fault_case<Object>* case_;
  std::unique_ptr<Object> object_;
  std::vector<std::vector<unsigned char>> before_, expected_;
};

/// The sweeps of one case.
template <class Object> void check_faults(const fault_case<Object>& what) {
  const unoptimised_builds quickly;
  int points = 0;
  const auto sweep = [&](const clprim::session& s, cl_int code, int first, int later) {
    fault_sweep<Object> faults(s, what);
    points += faults.run(true, code, first) + faults.run(false, code, later);
  };
  constexpr int every = 1 << 20;
  if (!all_faults()) {
    sweep(device_session(), CL_OUT_OF_RESOURCES, 4, 14);
  } else {
    for (const clprim::session* s : {&device_session(), &out_of_order_session()})
      for (const cl_int code : {CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY,
                                CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_INVALID_VALUE})
        sweep(*s, code, every, every);
    const own_folder folder;
    clprim::keep_programs(folder.path("programs"));
    for (const clprim::session* s : {&device_session(), &out_of_order_session()})
      sweep(*s, CL_OUT_OF_HOST_MEMORY, every, every);
    clprim::keep_programs(std::nullopt);
  }
  MESSAGE(what.name << ": " << points << " fault points");
  CHECK(points > 0);
}

}  // namespace support
