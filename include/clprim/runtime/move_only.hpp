#pragma once
// What objects with kernels of their own have in common: they are not copied.

namespace clprim {

/// Base of the operations. A kernel holds its arguments from clSetKernelArg to the launch, so two
/// objects that share one would run with each other's (OpenCL 1.2, 5.7.2); copies would share.
class move_only {
 public:
  move_only(const move_only&) = delete;
  move_only& operator=(const move_only&) = delete;
  move_only(move_only&&) noexcept = default;
  move_only& operator=(move_only&&) noexcept = default;

 protected:
  move_only() = default;
  ~move_only() = default;
};

}  // namespace clprim
