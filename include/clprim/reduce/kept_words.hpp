#pragma once
// Words of an operation's own through which the groups of its kernels meet.

#include <algorithm>
#include <cstdint>

#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/queue.hpp>

namespace clprim::detail {

/// 32-bit words, 0 when they are made. Counters among them are 0 again after each call; messages
/// stay, and each carries the turn of its call, so that no later call takes it for its own. Neither
/// is known after a call that did not come to its end: then the words are made anew.
///
/// `begin` before the first kernel of a call, `end` after the last one is enqueued.
class kept_words {
 public:
  struct call {
    cl_mem memory = nullptr;
    std::uint32_t turn = 0;  ///< 1 to `last_turn`
    bool made = false;       ///< other words than those of the call before
    cl::Event cleared{};     ///< on an out-of-order queue the kernels wait for it; may be null
  };

  /// At least `words` words for the next call. Throws opencl_error.
  call begin(const queue_facts& on, cl_command_queue queue, std::int64_t words,
             std::uint32_t last_turn) {
    call next;
    if (unknown_ || words > words_ || turn_ >= last_turn) {
      next.cleared = make(on, queue, std::max(words, words_));
      next.made = true;
    }
    unknown_ = true;
    next.memory = buffer_();
    next.turn = ++turn_;
    return next;
  }
  /// All kernels of the call are on the queue.
  void end() noexcept { unknown_ = false; }

 private:
  /// Not by the caller's wait list: an event of it that ends in error would leave them as they are.
  cl::Event make(const queue_facts& on, cl_command_queue queue, std::int64_t words) {
    cl_int code = CL_SUCCESS;
    const auto bytes = static_cast<std::size_t>(words) * 4;
    const cl::Buffer made(clCreateBuffer(on.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code),
                          false);
    check(code, "clCreateBuffer of an operation's own words");
    const cl_uint zero = 0;
    cl_event filled = nullptr;
    check(clEnqueueFillBuffer(queue, made(), &zero, sizeof zero, 0, bytes, 0, nullptr,
                              on.out_of_order ? &filled : nullptr),
          "clEnqueueFillBuffer of an operation's own words");
    buffer_ = made;
    words_ = words;
    turn_ = 0;
    return cl::Event(filled, false);
  }

  cl::Buffer buffer_;
  std::int64_t words_ = 0;
  std::uint32_t turn_ = 0;
  bool unknown_ = false;
};

}  // namespace clprim::detail
