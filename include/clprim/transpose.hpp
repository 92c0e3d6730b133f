#pragma once
// Transposition: B = f(Aᵀ) or f(Aᴴ), out of place or in place, and permutations of the axes of
// arrays (transpose/permute.hpp).

#include <clprim/core/language.hpp>

#include <concepts>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <clprim/transpose/engine.hpp>
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
class transpose : public door<detail::transpose_engine> {
  /// The type of a scale factor: float for half, else the element itself.
  using factor = std::conditional_t<std::same_as<In, half>, float, In>;
  template <class Scale>
  static constexpr bool scales = scalar_type<In>&& std::convertible_to<Scale, factor>;
  static constexpr bool is_one_type = std::same_as<In, Out>;
  using from = matrix_view<In>;
  using to = matrix_view<Out>;
  static_assert(P == tuned_transpose_policy || checked(P) == P);
  static_assert(bits_text::can_move(sizeof(In)) && bits_text::can_move(sizeof(Out)),
                "an element to be transposed must have 1, 2, 4, 8 or 16 bytes");

 public:
  /// On this queue; nothing is built before the first call asks for it. For one thread at a time.
  /// Throws policy_error for a policy that breaks its rules or does not fit the device,
  /// argument_error for a map or cast of elements without arithmetic and a map that is no function,
  /// device_error for one of double where there is none.
  explicit transpose(const queue_handle& queue, transpose_options options = {})
    : door(queue, detail::with_policy<P>(std::move(options)), describe_element<In>(),
           describe_element<Out>()) {}

  /// Enqueues B = map(Aᵀ), of `conjugated(A)` map(Aᴴ), and returns its event. A is m x n, B n x m;
  /// each has its own layout, leading dimension, offset and batch stride. Runs after `waits`, on
  /// out-of-order queues too; `arguments` are those of the map's parameters. Throws argument_error
  /// before anything is enqueued (see checked_transpose), build_error at the first call of a kind,
  /// opencl_error.
  cl::Event operator()(const from& A, const to& B, wait_list waits = {},
                       argument_list arguments = {}) {
    return engine_.run(checked_transpose(A, B), {}, waits, arguments);
  }
  /// The same with a factor: B = map(scale Aᵀ). The factor has the type of the arithmetic and is
  /// whatever that can hold: with NaN all of B is NaN.
  template <class Scale>
  requires(scales<Scale>) cl::Event operator()(Scale scale, const from& A, const to& B,
                                               wait_list waits = {}, argument_list arguments = {}) {
    const auto exact = static_cast<factor>(scale);
    return engine_.run(checked_transpose(A, B), std::as_bytes(std::span(&exact, 1)), waits,
                       arguments);
  }
  /// Builds what such a call runs, with a factor what one with a factor does.
  void prepare(const from& A, const to& B) { engine_.prepare(checked_transpose(A, B), false); }
  template <class Scale>
  requires(scales<Scale>) void prepare(Scale, const from& A, const to& B) {
    engine_.prepare(checked_transpose(A, B), true);
  }
  /// What it runs, as a value: policy, variant, launch.
  transpose_schedule schedule(const from& A, const to& B) const {
    return engine_.schedule(checked_transpose(A, B), false);
  }
  /// The same for a person: policy, accesses, launch, resources, bytes.
  std::string explain(const from& A, const to& B) {
    return engine_.explain(checked_transpose(A, B));
  }
  /// The OpenCL C source that it runs.
  std::string source(const from& A, const to& B) const {
    return engine_.source(checked_transpose(A, B), false);
  }
  /// Bytes of workspace of a call: none, out of place.
  std::size_t workspace_bytes(const from& A, const to& B) const {
    return engine_.workspace_bytes(checked_transpose(A, B));
  }

  /// Enqueues A = map(Aᵀ) in A's own memory, of `conjugated(A)` map(Aᴴ). A square matrix stays
  /// where it is; of a rectangle, m x n without gaps, the n x m elements of the result follow each
  /// other from the same first element on, in the same layout. Squares need no workspace;
  /// rectangles with lines that local memory cannot hold do (transpose_options::in_place bounds
  /// it). A rectangle takes two or three kernels: when the device fails between them, its elements
  /// are left in an order of their own.
  cl::Event in_place(const from& A, wait_list waits = {},
                     argument_list arguments = {}) requires is_one_type {
    return engine_.run(checked_in_place(A), {}, waits, arguments);
  }
  /// The same with a factor: A = map(scale Aᵀ).
  template <class Scale>
  requires(scales<Scale>&& is_one_type) cl::Event
      in_place(Scale scale, const from& A, wait_list waits = {}, argument_list arguments = {}) {
    const auto exact = static_cast<factor>(scale);
    return engine_.run(checked_in_place(A), std::as_bytes(std::span(&exact, 1)), waits, arguments);
  }
  /// As those without the suffix.
  void prepare_in_place(const from& A) requires is_one_type {
    engine_.prepare(checked_in_place(A), false);
  }
  template <class Scale>
  requires(scales<Scale>&& is_one_type) void prepare_in_place(Scale, const from& A) {
    engine_.prepare(checked_in_place(A), true);
  }
  std::string explain_in_place(const from& A) requires is_one_type {
    return engine_.explain(checked_in_place(A));
  }
  std::string source_in_place(const from& A) const requires is_one_type {
    return engine_.source(checked_in_place(A), false);
  }
  std::size_t workspace_bytes_in_place(const from& A) const requires is_one_type {
    return engine_.workspace_bytes(checked_in_place(A));
  }
};

}  // namespace clprim
