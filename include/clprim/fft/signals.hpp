#pragma once
// The counters by which two passes of one launch wait for each other.

#include <cstddef>
#include <vector>

#include <clprim/runtime/launch.hpp>

namespace clprim {
namespace detail {

/// What groups of one launch tell each other: counters, which every launch finds at zero and leaves
/// so. They belong to one call at a time.
class fft_signals {
 public:
  /// Makes sure of so many, and adds to `waits` what their next call must wait for.
  void require(cl_context context, std::size_t count, std::vector<cl::Event>& waits) {
    if (count <= count_) {
      if (free_() != nullptr) waits.push_back(free_);
      return;
    }
    std::vector<cl_uint> zeros(count);
    cl_int code = CL_SUCCESS;
    const cl::Buffer made(clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                         count * sizeof(cl_uint), zeros.data(), &code),
                          false);
    check(code, "clCreateBuffer of the signals of a transform");
    buffer_ = made;
    count_ = count;
  }
  void free_after(const cl::Event& done) { free_ = done; }
  cl_mem memory() const { return buffer_(); }

 private:
  cl::Buffer buffer_;
  std::size_t count_ = 0;
  cl::Event free_;
};

}  // namespace detail
}  // namespace clprim
