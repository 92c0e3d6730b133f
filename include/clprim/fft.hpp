#pragma once
// Fourier transforms: y[k] = scale sum over n of x[n] exp(∓2 pi i n k / N), of any length, over
// the last axes of arrays, complex or real, forward and inverse, batched.

#include <clprim/core/language.hpp>

#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include <clprim/fft/engine.hpp>
#ifndef CLPRIM_COMPILED
#include <clprim/fft/convolution.hpp>
#include <clprim/fft/group_text.hpp>
#endif

namespace clprim {

/// An array_view, or a split_view of complex numbers whose parts are arrays of their own.
template <class T>
concept fft_array = requires(const T& view) {
  detail::fft_operand_of(view, std::string());
};

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
/// Real and imaginary parts in arrays of their own, on either side or both:
///
///     transform.forward(clprim::split(re, im), y);                // array_view<float> re, im
///
/// With a policy as template argument, one that breaks a rule does not compile.
template <class T = float, fft_policy P = tuned_fft_policy>
requires(std::same_as<T, float> || std::same_as<T, double>) class fft
  : public door<detail::fft_engine> {
  static_assert(P == tuned_fft_policy || checked(P) == P);

 public:
  /// On this queue; nothing is built before the first call asks for it. For one thread at a time.
  /// Throws policy_error for a policy that breaks its rules, argument_error for functions and
  /// scales that no kernel can have, device_error for double where there is none.
  explicit fft(const queue_handle& queue, fft_options options = {})
    : door(queue, with_policy(std::move(options)), std::same_as<T, double>) {}

  /// Enqueues y = F(x) over the last options.axes axes and returns its event. Runs after `waits`,
  /// on out-of-order queues too; `arguments` are those of load's parameters, then of store's. x
  /// and y may be one array; of a real transform in place the rows must have room for half a
  /// spectrum. Throws argument_error before anything is enqueued (see checked_fft), policy_error
  /// for a length that does not fit the device, build_error at the first call of a kind,
  /// opencl_error.
  template <fft_array In, fft_array Out>
  cl::Event forward(const In& x, const Out& y, wait_list waits = {}, argument_list arguments = {}) {
    return engine_.run(problem_of(x, y, false), waits, arguments);
  }
  /// The same backwards: exponents of the other sign, options.inverse_scale. From half a spectrum
  /// to real values the imaginary parts of its ends, which real values do not have, are not read.
  template <fft_array In, fft_array Out>
  cl::Event inverse(const In& x, const Out& y, wait_list waits = {}, argument_list arguments = {}) {
    return engine_.run(problem_of(x, y, true), waits, arguments);
  }

  /// Builds what forward(x, y) needs (`backwards`: inverse(x, y)) and makes room for it, so that
  /// the first call does not.
  template <fft_array In, fft_array Out>
  void prepare(const In& x, const Out& y, bool backwards = false) {
    engine_.prepare(problem_of(x, y, backwards));
  }
  /// Bytes that lie between its passes; the object makes room for them, or takes the caller's.
  template <fft_array In, fft_array Out>
  std::size_t workspace_bytes(const In& x, const Out& y, bool backwards = false) {
    return engine_.workspace_bytes(problem_of(x, y, backwards));
  }
  /// n1 and n2 of a spectrum in the order of its digits, whose value k1 + n1 k2 lies at place
  /// k1 n2 + k2; the length alone where that is natural order.
  template <fft_array In, fft_array Out>
  std::vector<std::int64_t> digits(const In& x, const Out& y, bool backwards = false) const {
    return engine_.digits(problem_of(x, y, backwards));
  }
  /// What it runs, for a person: passes, policies, launches, bytes.
  template <fft_array In, fft_array Out>
  std::string explain(const In& x, const Out& y, bool backwards = false) {
    return engine_.explain(problem_of(x, y, backwards));
  }
  /// Its passes, as values.
  template <fft_array In, fft_array Out>
  std::vector<fft_scheduled_pass> schedule(const In& x, const Out& y,
                                           bool backwards = false) const {
    return engine_.schedule(problem_of(x, y, backwards));
  }
  /// The OpenCL C source of its kernels, one after the other.
  template <fft_array In, fft_array Out>
  std::string source(const In& x, const Out& y, bool backwards = false) const {
    return engine_.source(problem_of(x, y, backwards));
  }

 private:
  template <class In, class Out>
  fft_problem problem_of(const In& x, const Out& y, bool inverse) const {
    return checked_fft(x, y, engine_.options(), inverse);
  }
  static fft_options with_policy(fft_options options) {
    if constexpr (P != tuned_fft_policy) options.policy = P;
    return options;
  }
};

}  // namespace clprim
