#pragma once
// Device memory that an operation keeps from one call to the next.

#include <cstddef>
#include <span>
#include <vector>

#include <clprim/runtime/footprint.hpp>
#include <clprim/runtime/launch.hpp>

namespace clprim {

/// A buffer for intermediate results: made when first needed and made larger when that is not
/// enough, or given by the caller. On an out-of-order queue it belongs to one call at a time.
class workspace {
 public:
  /// Bytes held now.
  std::size_t bytes() const { return bytes_; }
  /// Whether the caller gave the buffer.
  bool is_given() const { return given_; }
  cl_mem memory() const { return buffer_(); }
  /// All of the caller's buffer; of one that is the object's own nothing, for nobody else has it.
  footprint given() const {
    const auto bytes = static_cast<std::int64_t>(given_ ? bytes_ : 0);
    return {buffer_(), 0, 1, bytes, bytes};
  }

  /// Takes the caller's buffer in place of one of its own.
  void use(const cl::Buffer& buffer) {
    bytes_ = buffer() == nullptr ? 0
                                 : detail::memory_info<std::size_t>(
                                       buffer(), CL_MEM_SIZE, "clGetMemObjectInfo(CL_MEM_SIZE)");
    buffer_ = buffer;
    given_ = true;
  }
  /// Makes sure of `wanted` bytes; a buffer that is replaced lives on until its commands are done.
  /// Throws opencl_error when the device has no room.
  void require(cl_context context, std::size_t wanted) {
    if (bytes() >= wanted) return;
    cl_int code = CL_SUCCESS;
    const cl::Buffer made(clCreateBuffer(context, CL_MEM_READ_WRITE, wanted, nullptr, &code),
                          false);
    check(code, "clCreateBuffer of a workspace");
    buffer_ = made;
    bytes_ = wanted;
    free_ = cl::Event{};
  }
  /// The wait list of the next call that writes the buffer: the caller's, and the last call's end.
  std::vector<cl::Event> waits(std::span<const cl::Event> of_caller) const {
    std::vector<cl::Event> all(of_caller.begin(), of_caller.end());
    if (free_() != nullptr) all.push_back(free_);
    return all;
  }
  /// Tells when the call that uses the buffer now is done with it.
  void free_after(const cl::Event& done) { free_ = done; }

 private:
  cl::Buffer buffer_;
  std::size_t bytes_ = 0;  // of buffer_; asking the driver again costs every call some time
  bool given_ = false;
  cl::Event free_;
};

}  // namespace clprim
