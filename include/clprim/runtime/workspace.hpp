#pragma once
// Device memory for what lies between the commands of a call.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <clprim/runtime/footprint.hpp>

namespace clprim {

namespace detail {

/// Buffers that callers have given to operations as workspaces. Two operations that write one
/// buffer spoil each other's results, in an order of calls that no one of them sees.
class workspace_claim {
 public:
  workspace_claim() = default;
  /// Throws argument_error when another operation has a byte of it.
  explicit workspace_claim(const footprint& whole, const workspace_claim& instead_of) {
    const footprint own = in_parent(whole);
    book& all = book::instance();
    const std::lock_guard lock(all.mutex);
    for (const auto& [id, other] : all.given) {
      if (id == instead_of.id_ || other.memory != own.memory || other.end() <= own.begin ||
          own.end() <= other.begin)
        continue;
      throw argument_error("the workspace", "must belong to one operation alone",
                           "a buffer that another one was given", "a buffer for each operation");
    }
    id_ = ++all.last_id;
    all.given.emplace_back(id_, own);
  }
  workspace_claim(workspace_claim&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  workspace_claim& operator=(workspace_claim&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~workspace_claim() {
    if (id_ == 0) return;
    book& all = book::instance();
    const std::lock_guard lock(all.mutex);
    std::erase_if(all.given, [this](const auto& one) { return one.first == id_; });
  }

 private:
  struct book {
    std::mutex mutex;
    std::uint64_t last_id = 0;
    std::vector<std::pair<std::uint64_t, footprint>> given;

    static book& instance() {
      static auto* const all = new book;  // never destroyed: others' statics may hold operations
      return *all;
    }
  };
  std::uint64_t id_ = 0;  // 0: nothing
};

}  // namespace detail

/// A buffer for intermediate results: made when first needed and made larger when that is not
/// enough, or given by the caller. No call finds in it what another one left (runtime/counters.hpp
/// has the words that are kept at zero).
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

  /// Takes the caller's buffer in place of one of its own. Throws argument_error for a null buffer,
  /// one of another context, one that kernels may not read and write, one of the host's memory that
  /// is not aligned, and one that another operation was given; the workspace is then as before.
  void use(const cl::Buffer& buffer, cl_context context) {
    detail::check_memory(buffer(), context, detail::access::read_write, "the workspace");
    const int aligned = detail::base_alignment(buffer());
    if (aligned < 128) {
      throw argument_error("the workspace", "must begin where a vector may",
                           "memory of the host aligned to " + std::to_string(aligned) + " bytes",
                           "at least 128");
    }
    const footprint all = whole_buffer(buffer());
    claim_ = detail::workspace_claim(all, claim_);
    buffer_ = buffer;
    bytes_ = static_cast<std::size_t>(all.length);
    given_ = true;
  }
  /// Makes sure of `wanted` bytes, and tells whether they are new, with anything in them; a buffer
  /// that is replaced lives on until its commands are done. Throws argument_error when the caller's
  /// is too small, opencl_error when the device has no room.
  bool require(cl_context context, std::size_t wanted) {
    if (bytes_ >= wanted) return false;
    if (given_) {
      throw argument_error("the workspace", "must hold what lies between the kernels of the call",
                           std::to_string(bytes_) + " bytes",
                           "at least " + std::to_string(wanted) + " bytes");
    }
    cl_int code = CL_SUCCESS;
    cl::Buffer made(clCreateBuffer(context, CL_MEM_READ_WRITE, wanted, nullptr, &code), false);
    check(code, "clCreateBuffer of a workspace");
    buffer_ = std::move(made);
    bytes_ = wanted;
    return true;
  }

 private:
  cl::Buffer buffer_;
  std::size_t bytes_ = 0;  // of buffer_; asking the driver again costs every call some time
  bool given_ = false;
  detail::workspace_claim claim_;
};

}  // namespace clprim
