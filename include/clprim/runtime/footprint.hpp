#pragma once
// Which bytes of a buffer a view touches, and whether two views touch a common byte.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include <clprim/runtime/memory.hpp>

namespace clprim {

/// Equal lines at equal distances, again at equal distances for a batch; everything in bytes:
///
///     begin ├─ length ─┤      ├─ length ─┤      …   (lines of them, pitch apart)
///     └──────────── stride ───────────┤─ length ─┤…   (count of them)
struct footprint {
  cl_mem memory = nullptr;
  std::int64_t begin = 0;
  std::int64_t lines = 0;  ///< 0: nothing is touched
  std::int64_t length = 0;
  std::int64_t pitch = 0;
  std::int64_t count = 1;
  std::int64_t stride = 0;
  cl_mem offsets = nullptr;  ///< where the matrices of a batch start is known to the device only

  /// Whether no byte is touched.
  constexpr bool empty() const { return lines == 0 || length == 0 || count == 0; }
  /// One past the last byte, of the first matrix only when `offsets` is set.
  constexpr std::int64_t end() const {
    return begin + (lines - 1) * pitch + length + (count - 1) * stride;
  }
};

/// What a call reads or writes.
struct operand {
  std::string_view name;  ///< for people: "A", "the output"
  footprint bytes{};      ///< empty: nothing is touched, and nothing is checked
  bool written = false;
};

namespace detail {

/// a·b + c of three numbers that are not negative; nothing when that passes 2^63 - 1.
constexpr std::optional<std::int64_t> multiply_add(std::int64_t a, std::int64_t b, std::int64_t c) {
  constexpr std::int64_t top = std::numeric_limits<std::int64_t>::max();
  if (a != 0 && b > (top - c) / a) return std::nullopt;
  return a * b + c;
}

constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

constexpr std::int64_t ceiling_divide(std::int64_t a, std::int64_t b) {
  return -floor_divide(-a, b);
}

/// A footprint in a sub-buffer, told in the buffer that it was made of.
inline footprint in_parent(footprint f) {
  const auto parent = memory_info<cl_mem>(f.memory, CL_MEM_ASSOCIATED_MEMOBJECT,
                                          "clGetMemObjectInfo(CL_MEM_ASSOCIATED_MEMOBJECT)");
  if (parent != nullptr) {
    f.begin += static_cast<std::int64_t>(
        memory_info<std::size_t>(f.memory, CL_MEM_OFFSET, "clGetMemObjectInfo(CL_MEM_OFFSET)"));
    f.memory = parent;
  }
  return f;
}

/// The same bytes in fewer words: a batch of one has no stride, and a batch of single lines is one
/// matrix.
constexpr footprint simplified(footprint f) {
  if (f.count == 1 || f.stride == 0) {
    f.count = 1;
    f.stride = 0;
  }
  if (f.lines == 1 && f.count > 1) {
    f.lines = f.count;
    f.pitch = f.stride;
    f.count = 1;
    f.stride = 0;
  }
  return f;
}

/// Whether two footprints of equal pitch and equal stride, a multiple of the pitch, share a byte.
///
/// Byte x of line p of matrix i of `a` is byte y of line r of matrix j of `b` when, with q = p - r,
/// k = j - i and the stride being S lines,  (q - k·S)·pitch = (b.begin - a.begin) + y - x.
/// So q - k·S must reach a value in first..last, and q and k are bounded by the numbers of lines
/// and matrices.
constexpr bool shares_a_byte(const footprint& a, const footprint& b, std::int64_t pitch,
                             std::int64_t stride) {
  const std::int64_t distance = b.begin - a.begin;
  const std::int64_t first = ceiling_divide(distance - (a.length - 1), pitch);
  const std::int64_t last = floor_divide(distance + (b.length - 1), pitch);
  if (first > last) return false;  // the lines pass each other everywhere
  const std::int64_t q_least = -(b.lines - 1);
  const std::int64_t q_most = a.lines - 1;
  if (stride == 0) return first <= q_most && last >= q_least;
  const std::int64_t S = stride / pitch;
  const std::int64_t k_least = std::max(-(a.count - 1), ceiling_divide(q_least - last, S));
  const std::int64_t k_most = std::min(b.count - 1, floor_divide(q_most - first, S));
  return k_least <= k_most;
}

}  // namespace detail

/// All of a buffer. Throws opencl_error for an invalid one.
inline footprint whole_buffer(cl_mem memory) {
  const auto bytes = static_cast<std::int64_t>(
      detail::memory_info<std::size_t>(memory, CL_MEM_SIZE, "clGetMemObjectInfo(CL_MEM_SIZE)"));
  return {memory, 0, 1, bytes, bytes};
}

/// Whether two footprints share a byte; sub-buffers are seen in their parents. Exact when pitches
/// are equal (blocks of one matrix) and batch strides equal and a multiple of the pitch; else by
/// first and last byte, which may report blocks that interleave without touching. For batches by
/// offset arrays the host can only tell when both use the same array: then it compares matrix i
/// with matrix i. Throws opencl_error for an invalid buffer.
bool overlaps(footprint a, footprint b);
#ifndef CLPRIM_COMPILED
CLPRIM_INLINE bool overlaps(footprint a, footprint b) {
  if (a.empty() || b.empty()) return false;
  if (a.memory != b.memory) {
    a = detail::in_parent(a);
    b = detail::in_parent(b);
    if (a.memory != b.memory) return false;
  }
  if (a.offsets != b.offsets) return false;
  if (a.offsets != nullptr) a.count = b.count = 1;
  if (a.end() <= b.begin || b.end() <= a.begin) return false;
  a = detail::simplified(a);
  b = detail::simplified(b);
  const std::int64_t pitch = a.lines > 1 ? a.pitch : b.lines > 1 ? b.pitch : 1;
  const std::int64_t stride = a.count > 1 ? a.stride : b.stride;
  const bool alike = (a.lines == 1 || a.pitch == pitch) && (b.lines == 1 || b.pitch == pitch) &&
                     (a.count == 1 || a.stride == stride) && (b.count == 1 || b.stride == stride) &&
                     stride % pitch == 0;
  return !alike || detail::shares_a_byte(a, b, pitch, stride);
}
#endif

/// Whether two matrices of one batch share a byte, which an output must not; exact. Batches by
/// offset arrays are the caller's word.
constexpr bool overlaps_itself(const footprint& f) {
  if (f.empty() || f.count == 1 || f.offsets != nullptr) return false;
  const std::int64_t span = (f.lines - 1) * f.pitch + f.length;
  if (f.stride >= span) return false;
  if (f.stride == 0) return true;
  const std::int64_t reach =
      std::min(f.count - 1, (span - 1) / f.stride);  // matrices that can meet
  if (f.stride >= f.length && reach * f.stride + f.length <= f.pitch) return false;  // side by side
  for (std::int64_t k = 1; k <= reach; ++k) {
    footprint other = f;
    other.begin += k * f.stride;
    if (detail::shares_a_byte(f, other, f.lines > 1 ? f.pitch : 1, 0)) return true;
  }
  return false;
}

}  // namespace clprim
