#pragma once
// Fourier transforms: y[k] = scale sum over n of x[n] exp(∓2 pi i n k / N), of any length, over
// the last axes of arrays, complex or real, forward and inverse, batched.

#include <concepts>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>

#include <clprim/fft/convolution.hpp>
#include <clprim/fft/explain.hpp>
#include <clprim/fft/group_text.hpp>
#include <clprim/fft/operation.hpp>

namespace clprim {

/// In place of a policy: the library chooses for device and length.
inline constexpr fft_policy tuned_fft_policy{.points = 0};

/// Transforms on one queue, computed in T: float or double.
///
///     clprim::fft<float> transform(queue);
///     const auto x = clprim::array<std::complex<float>>(a, {batch, 1024});
///     const auto y = clprim::array<std::complex<float>>(b, {batch, 1024});
///     cl::Event done = transform.forward(x, y);                   // 1024 points, batch times
///     done = transform.inverse(y, x);                             // times 1024
///
/// Real values in, half a spectrum out (N/2 + 1 values along the last axis), and back:
///
///     transform.forward(clprim::array<float>(a, {batch, 1024}),
///                       clprim::array<std::complex<float>>(b, {batch, 513}));
///
/// With a policy as template argument, one that breaks a rule does not compile.
template <class T = float, fft_policy P = tuned_fft_policy>
requires(std::same_as<T, float> || std::same_as<T, double>) class fft {
  static_assert(P == tuned_fft_policy || checked(P) == P);

 public:
  /// On this queue; nothing is built before the first call asks for it. For one thread at a time.
  /// Throws policy_error for a policy that breaks its rules, device_error for double where there is
  /// none.
  explicit fft(const cl::CommandQueue& queue, fft_options options = {})
    : engine_(queue, with_policy(std::move(options)), std::same_as<T, double>) {}

  /// Enqueues y = F(x) over the last options.axes axes and returns its event. Runs after `waits`,
  /// on out-of-order queues too; `arguments` are those of load's parameters, then of store's. x
  /// and y may be one array; of a real transform in place the rows must have room for half a
  /// spectrum. Throws argument_error before anything is enqueued (see checked_fft), policy_error
  /// for a length that does not fit the device, build_error at the first call of a kind,
  /// opencl_error.
  template <element_type In, element_type Out>
  cl::Event forward(const array_view<In>& x, const array_view<Out>& y,
                    std::span<const cl::Event> waits = {},
                    std::span<const argument> arguments = {}) {
    return engine_.run(problem_of(x, y, false), waits, arguments);
  }
  template <element_type In, element_type Out>
  cl::Event forward(const array_view<In>& x, const array_view<Out>& y,
                    std::span<const cl::Event> waits, std::initializer_list<argument> arguments) {
    return forward(x, y, waits, std::span(arguments.begin(), arguments.size()));
  }
  /// The same backwards: exponents of the other sign, options.inverse_scale. From half a spectrum
  /// to real values the imaginary parts of its ends, which real values do not have, are not read.
  template <element_type In, element_type Out>
  cl::Event inverse(const array_view<In>& x, const array_view<Out>& y,
                    std::span<const cl::Event> waits = {},
                    std::span<const argument> arguments = {}) {
    return engine_.run(problem_of(x, y, true), waits, arguments);
  }
  template <element_type In, element_type Out>
  cl::Event inverse(const array_view<In>& x, const array_view<Out>& y,
                    std::span<const cl::Event> waits, std::initializer_list<argument> arguments) {
    return inverse(x, y, waits, std::span(arguments.begin(), arguments.size()));
  }

  /// Bytes that lie between the passes of forward(x, y) (`backwards`: of inverse(x, y)); the object
  /// makes room for them at the first call, or takes the caller's.
  template <element_type In, element_type Out>
  std::size_t workspace_bytes(const array_view<In>& x, const array_view<Out>& y,
                              bool backwards = false) {
    return engine_.workspace_bytes(problem_of(x, y, backwards));
  }
  /// Gives it the room; a call that needs more throws argument_error.
  void use_workspace(const cl::Buffer& buffer) { engine_.use_workspace(buffer); }

  /// What forward(x, y), or inverse(x, y), runs, for a person: passes, policies, launches, bytes.
  template <element_type In, element_type Out>
  std::string explain(const array_view<In>& x, const array_view<Out>& y, bool backwards = false) {
    const fft_problem p = problem_of(x, y, backwards);
    if (p.empty()) return "Fourier transform: nothing to do, there is no element\n";
    return explain_fft(p, engine_.prepare(engine_.part_of(p, 0)), engine_.device(),
                       engine_.handle(), engine_.workspace_bytes(p));
  }
  /// The OpenCL C source of its kernels, one after the other.
  template <element_type In, element_type Out>
  std::string source(const array_view<In>& x, const array_view<Out>& y,
                     bool backwards = false) const {
    return engine_.source(problem_of(x, y, backwards));
  }
  /// The facts of the device it runs on.
  const device_facts& device() const { return engine_.device(); }

 private:
  template <class In, class Out>
  fft_problem problem_of(const array_view<In>& x, const array_view<Out>& y, bool inverse) const {
    return checked_fft(x, y, engine_.options(), inverse);
  }
  static fft_options with_policy(fft_options options) {
    if constexpr (P != tuned_fft_policy) options.policy = P;
    return options;
  }

  detail::fft_engine engine_;
};

}  // namespace clprim
