#pragma once
// Transposition: B = f(Aᵀ) or f(Aᴴ), out of place or in place, and permutations of the axes of
// arrays (transpose/permute.hpp).

#include <concepts>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <clprim/transpose/operation.hpp>
#include <clprim/transpose/permute.hpp>

namespace clprim {

/// Transpositions on one queue. In and Out are any types of 1, 2, 4, 8 or 16 bytes that are copied
/// as bits; where they differ, or elements are scaled, conjugated or mapped, they are numbers.
///
///     clprim::transpose<float> turn(queue);
///     cl::Event done = turn(A, B);               // B = Aᵀ
///     done = turn.in_place(C);                   // C = Cᵀ, square or rectangular
///
/// With a policy as template argument, one that breaks a rule does not compile.
template <element_type In, element_type Out = In, transpose_policy P = tuned_transpose_policy>
class transpose {
  /// The type of a scale factor: float for half, else the element itself.
  using factor = std::conditional_t<std::same_as<In, half>, float, In>;
  static_assert(P == tuned_transpose_policy || checked(P) == P);
  static_assert(bits_text::can_move(sizeof(In)) && bits_text::can_move(sizeof(Out)),
                "an element to be transposed must have 1, 2, 4, 8 or 16 bytes");

 public:
  /// On this queue; nothing is built before the first call asks for it. For one thread at a time.
  /// Throws policy_error for a policy that breaks its rules or does not fit the device,
  /// argument_error for a map or cast of elements without arithmetic, device_error for one of
  /// double where there is none.
  explicit transpose(const cl::CommandQueue& queue, transpose_options options = {})
    : engine_(queue, detail::with_policy<P>(std::move(options)), describe_element<In>(),
              describe_element<Out>()) {}

  /// Enqueues B = map(Aᵀ), of `conjugated(A)` map(Aᴴ), and returns its event. A is m x n, B n x m;
  /// each has its own layout, leading dimension, offset and batch stride. Runs after `waits`, on
  /// out-of-order queues too; `arguments` are those of the map's parameters. Throws argument_error
  /// before anything is enqueued (see checked_transpose), build_error at the first call of a kind,
  /// opencl_error.
  cl::Event operator()(const matrix_view<In>& A, const matrix_view<Out>& B,
                       std::span<const cl::Event> waits = {},
                       std::span<const argument> arguments = {}) {
    return engine_.run(checked_transpose(A, B), {}, waits, arguments);
  }
  cl::Event operator()(const matrix_view<In>& A, const matrix_view<Out>& B,
                       std::span<const cl::Event> waits,
                       std::initializer_list<argument> arguments) {
    return (*this)(A, B, waits, std::span(arguments.begin(), arguments.size()));
  }
  /// The same with a factor: B = map(scale Aᵀ). The factor has the type of the arithmetic.
  template <class Scale>
  requires(scalar_type<In>&& std::convertible_to<Scale, factor>) cl::Event operator()(
      Scale scale, const matrix_view<In>& A, const matrix_view<Out>& B,
      std::span<const cl::Event> waits = {}, std::span<const argument> arguments = {}) {
    const auto exact = static_cast<factor>(scale);
    return engine_.run(checked_transpose(A, B), std::as_bytes(std::span(&exact, 1)), waits,
                       arguments);
  }
  /// Enqueues A = map(Aᵀ) in A's own memory, of `conjugated(A)` map(Aᴴ). A square matrix stays
  /// where it is; of a rectangle, m x n without gaps, the n x m elements of the result follow each
  /// other from the same first element on, in the same layout. Squares need no workspace;
  /// rectangles with lines that local memory cannot hold get one that this object keeps
  /// (transpose_options::in_place bounds it, explain_in_place tells of it).
  cl::Event in_place(const matrix_view<In>& A, std::span<const cl::Event> waits = {},
                     std::span<const argument> arguments = {}) requires std::same_as<In, Out> {
    return engine_.run(checked_in_place(A), {}, waits, arguments);
  }
  /// The same with a factor: A = map(scale Aᵀ).
  template <class Scale>
  requires(scalar_type<In>&& std::convertible_to<Scale, factor>&& std::same_as<In, Out>) cl::Event
      in_place(Scale scale, const matrix_view<In>& A, std::span<const cl::Event> waits = {},
               std::span<const argument> arguments = {}) {
    const auto exact = static_cast<factor>(scale);
    return engine_.run(checked_in_place(A), std::as_bytes(std::span(&exact, 1)), waits, arguments);
  }
  /// What `in_place` runs, for a person.
  std::string explain_in_place(const matrix_view<In>& A) requires std::same_as<In, Out> {
    return engine_.explain(checked_in_place(A));
  }

  /// The policy that a transposition of these operands runs with.
  transpose_policy policy(const matrix_view<In>& A, const matrix_view<Out>& B) const {
    return engine_.policy(checked_transpose(A, B));
  }
  /// What it runs, for a person: policy, accesses, launch, resources, bytes.
  std::string explain(const matrix_view<In>& A, const matrix_view<Out>& B) {
    return engine_.explain(checked_transpose(A, B));
  }
  /// The OpenCL C source that it runs.
  std::string source(const matrix_view<In>& A, const matrix_view<Out>& B) const {
    return engine_.source(checked_transpose(A, B), false);
  }
  /// The facts of the device it runs on.
  const device_facts& device() const { return engine_.device(); }

 private:
  detail::transpose_engine engine_;
};

}  // namespace clprim
