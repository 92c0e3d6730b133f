#pragma once
// Words by which the groups of a launch count each other.

#include <cstddef>
#include <utility>
#include <vector>

#include <clprim/runtime/opencl.hpp>

namespace clprim {

/// 32-bit words in a buffer of the operation's own. The rule of what a call may leave behind:
///
///     each word is used in one of two ways for good. Either every kernel finds it at zero and
///     leaves it at zero, or it is a message, marked with the turn of the call that wrote it, and
///     nobody takes one that is marked otherwise (a zero is none, for turns begin at 1).
///
/// After a call that did not end as it should nobody knows what the words hold, and the next one
/// gets others. New words are zero from their creation on, not by a command: a command could be
/// cancelled together with a call whose wait list fails. Commands in flight keep the old ones.
class counters {
 public:
  /// Makes sure of so many words at zero. Throws opencl_error when the device has no room.
  void require(cl_context context, std::size_t words) {
    if (words <= words_) return;
    std::vector<cl_uint> zeros(words);
    cl_int code = CL_SUCCESS;
    cl::Buffer made(clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   words * sizeof(cl_uint), zeros.data(), &code),
                    false);
    check(code, "clCreateBuffer of counters");
    buffer_ = std::move(made);
    words_ = words;
  }
  /// What the words hold is not known any more.
  void distrust() {
    buffer_ = cl::Buffer{};
    words_ = 0;
  }
  /// The turn of a call that marks its messages, 1 to `most`, always the same for one object; when
  /// they have all been used the next words are new ones.
  cl_uint next_turn(cl_uint most) {
    if (turn_ >= most) {
      distrust();
      turn_ = 0;
    }
    return ++turn_;
  }
  cl_mem memory() const { return buffer_(); }
  std::size_t bytes() const { return words_ * sizeof(cl_uint); }

 private:
  cl::Buffer buffer_;
  std::size_t words_ = 0;
  cl_uint turn_ = 0;
};

}  // namespace clprim
