#pragma once
// What the kernels of GEMM are given: numbers and memory of a checked product.

#include <cstdint>

#include <clprim/core/scalar.hpp>
#include <clprim/gemm/plan.hpp>
#include <clprim/gemm/problem.hpp>
#include <clprim/runtime/launch.hpp>

namespace clprim::detail {

/// Arguments of kernel `gemm` before the optional ones.
inline constexpr cl_uint gemm_arguments = 17;

/// Arguments first, first + 1, first + 2: where a matrix and its batch begin.
inline void set_places(cl_kernel kernel, cl_uint first, const gemm_matrix& x) {
  set_arg(kernel, first, static_cast<cl_long>(x.offset));
  set_arg(kernel, first + 1, static_cast<cl_int>(x.leading));
  if (x.offsets != nullptr) {
    set_arg(kernel, first + 2, x.offsets);
  } else {
    set_arg(kernel, first + 2, static_cast<cl_long>(x.stride));
  }
}

/// The first arguments of kernel `gemm`.
template <class Factor>
void set_operands(cl_kernel kernel, const gemm_problem& p, Factor alpha, Factor beta) {
  set_args(kernel, static_cast<cl_int>(p.m), static_cast<cl_int>(p.n), static_cast<cl_int>(p.k),
           p.a.memory);
  set_places(kernel, 4, p.a);
  set_arg(kernel, 7, p.b.memory);
  set_places(kernel, 8, p.b);
  set_arg(kernel, 11, p.c.memory);
  set_places(kernel, 12, p.c);
  set_arg(kernel, 15, alpha);
  set_arg(kernel, 16, beta);
}

/// The words that the copies of a call's ways mark with its turn where they do not hold an element.
struct way_marks {
  cl_mem unsafe = nullptr;
  cl_uint turn = 0;
};

/// Arguments first, first + 1: how kernels know whether a call takes their way.
inline void set_way(cl_kernel kernel, cl_uint first, const way_marks& marks) {
  set_arg(kernel, first, marks.unsafe);
  set_arg(kernel, first + 1, marks.turn);
}

/// Arguments `first` to `first` + 2 where lines are scaled: where the powers of two lie. Returns
/// the next one.
inline cl_uint set_scales(cl_kernel kernel, cl_uint first, const gemm_schedule& s, cl_mem space,
                          const gemm_spaces& at) {
  if (!scales_lines(s.variant.precision)) return first;
  set_arg(kernel, first, space);
  set_arg(kernel, first + 1, static_cast<cl_long>(at.a_scales / sizeof(cl_int)));
  set_arg(kernel, first + 2, static_cast<cl_long>(at.b_scales / sizeof(cl_int)));
  return first + 3;
}

/// Where groups walk tile after tile, arguments `first` to `first` + 2: where bulk copies have the
/// operands described, from byte `maps` of the workspace on, and the tiles. Returns the next one.
inline cl_uint set_tiles(cl_kernel kernel, cl_uint first, const gemm_kind& p,
                         const gemm_schedule& s, cl_mem space, std::size_t maps) {
  if (s.groups == 0) return first;
  set_arg(kernel, first, space);
  set_arg(kernel, first + 1, static_cast<cl_long>(maps / sizeof(cl_uint)));
  set_arg(kernel, first + 2, static_cast<cl_uint>(gemm_tiles(p, s.policy) * s.splits * p.batch));
  return first + 3;
}

/// How a matrix finds those of its batch.
inline gemm_batch batch_of(const gemm_matrix& x) {
  return x.offsets != nullptr ? gemm_batch::offsets : gemm_batch::strided;
}

/// A matrix as it lies once it is packed, from element `first` of `space` on.
inline gemm_matrix packed_matrix(gemm_matrix x, const packed_lines& lines, cl_mem space,
                                 std::int64_t first) {
  x.memory = space;
  x.offset = first + lines.before;
  x.leading = static_cast<int>(lines.pitch);
  x.stride = lines.matrices == 1 ? 0 : lines.lines * lines.pitch;
  x.offsets = nullptr;
  return x;
}

/// Arguments of kernel `gemm_pack` before the optional ones.
inline constexpr cl_uint gemm_pack_arguments = 11;

/// The first arguments of kernel `gemm_pack`.
inline void set_packing(cl_kernel kernel, const gemm_matrix& x, const packed_lines& lines,
                        const gemm_matrix& to) {
  set_arg(kernel, 0, x.memory);
  set_places(kernel, 1, x);
  set_arg(kernel, 4, to.memory);
  set_arg(kernel, 5, static_cast<cl_long>(to.offset - lines.before));
  set_arg(kernel, 6, static_cast<cl_long>(lines.lines));
  set_arg(kernel, 7, static_cast<cl_long>(lines.length));
  set_arg(kernel, 8, static_cast<cl_long>(lines.before));
  set_arg(kernel, 9, static_cast<cl_long>(lines.pitch));
  set_arg(kernel, 10, static_cast<cl_long>(lines.matrices));
}

/// Where the scales of an operand's lines lie in the workspace, and behind them what they are found
/// by; both are words.
struct line_places {
  cl_mem space = nullptr;
  cl_long scales = 0;
  cl_long greatest = 0;
  cl_int parts = 1;  ///< of k
};
inline line_places places_of(const packed_lines& lines, std::int64_t k, cl_mem space,
                             std::size_t scales) {
  const auto first = static_cast<cl_long>(scales / sizeof(cl_int));
  return {space, first, first + lines.lines * lines.matrices, measured_parts(k)};
}

/// The arguments of kernel `gemm_measure`.
inline void set_measuring(cl_kernel kernel, const gemm_matrix& x, const packed_lines& lines,
                          const line_places& at) {
  set_arg(kernel, 0, x.memory);
  set_places(kernel, 1, x);
  set_arg(kernel, 4, at.space);
  set_arg(kernel, 5, at.greatest);
  set_arg(kernel, 6, static_cast<cl_long>(lines.lines));
  set_arg(kernel, 7, static_cast<cl_long>(lines.length));
  set_arg(kernel, 8, at.parts);
}

/// Arguments `first` to `first` + 4 of kernel `gemm_pack` where lines are scaled.
inline void set_lines(cl_kernel kernel, cl_uint first, const line_places& at) {
  set_arg(kernel, first, at.space);
  set_arg(kernel, first + 1, at.greatest);
  set_arg(kernel, first + 2, at.parts);
  set_arg(kernel, first + 3, at.space);
  set_arg(kernel, first + 4, at.scales);
}

}  // namespace clprim::detail
