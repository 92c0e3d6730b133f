#pragma once
// How a matrix product is set up: the policy, the epilogue, what it may take.

#include <cstddef>
#include <optional>

#include <clprim/core/function.hpp>
#include <clprim/core/math_mode.hpp>
#include <clprim/gemm/policy.hpp>
#include <clprim/gemm/precision.hpp>
#include <clprim/runtime/launch.hpp>

namespace clprim {

/// How an operation object is set up; every member may be left out.
struct gemm_options {
  /// The policy; without one the library chooses per problem (gemm/tuned.hpp).
  std::optional<gemm_policy> policy{};
  /// Text applied to each element before it is stored: the body of a function that sees `value`
  /// (float or double, float2 or double2 for complex; float where C is of half or bfloat16, int
  /// where it is of std::int32_t), `row` and `column` of C, and its own parameters, and nothing of
  /// the library's.
  function epilogue{};
  /// Whether the library chooses among policies of plain OpenCL C only: no cp.async, no matrix
  /// units.
  bool portable = false;
  /// The most device memory, in bytes, that the object may hold for products split along k, for
  /// packed operands and for what describes operands to bulk copies, within the device's largest
  /// allocation. 0: none of them. Unless told 256 MiB, or the largest allocation where a precision
  /// needs copies of both operands.
  std::optional<std::size_t> workspace_limit{};
  /// Whether calls have events.
  clprim::completion completion = clprim::completion::event;
  /// Of float: whether the library may split it, or cut it to TF32, for matrix units. Where there
  /// are none, or no room for the copies, or the plain kernel is faster, that one runs, and
  /// `explain` says why.
  gemm_precision precision = gemm_precision::full;
  /// How exactly the kernels must compute (core/math_mode.hpp has the bounds);
  /// products by wgmma are built precise, for their instructions are put into the finished text.
  math_mode math = math_mode::precise;
};

}  // namespace clprim
