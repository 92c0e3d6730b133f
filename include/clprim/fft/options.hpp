#pragma once
// How an operation object for transforms is set up.

#include <cstdint>
#include <optional>
#include <vector>

#include <clprim/core/function.hpp>
#include <clprim/core/math_mode.hpp>
#include <clprim/core/scalar.hpp>
#include <clprim/fft/plan/pass.hpp>
#include <clprim/fft/policy.hpp>
#include <clprim/runtime/launch.hpp>

namespace clprim {

/// A complex number stored as two halves and computed in float.
struct complex_half {
  half re;
  half im;
  friend constexpr bool operator==(const complex_half&, const complex_half&) = default;
};

/// Which kind of transform a call is.
enum class fft_kind {
  automatic,  ///< real where forward's input, or inverse's output, has real elements
  complex,    ///< complex to complex
  real,       ///< between real values and half a spectrum
};

/// Cosine and sine transforms of real values, unnormalised as FFTW's REDFT and RODFT: forward is
/// the type named, inverse its inverse (II and III are each other's, IV is its own), which gives
/// back 2 N times the values per axis.
enum class fft_trigonometric {
  none,
  dct2,  ///< y[k] = 2 sum x[n] cos(pi (2 n + 1) k / 2N)
  dct3,  ///< y[k] = x[0] + 2 sum over n > 0 of x[n] cos(pi n (2 k + 1) / 2N)
  dct4,  ///< y[k] = 2 sum x[n] cos(pi (2 n + 1) (2 k + 1) / 4N)
  dst2,  ///< y[k] = 2 sum x[n] sin(pi (2 n + 1) (k + 1) / 2N)
  dst3,  ///< y[k] = (-1)^k x[N - 1] + 2 sum over n < N - 1 of x[n] sin(pi (n + 1) (2 k + 1) / 2N)
  dst4,  ///< y[k] = 2 sum x[n] sin(pi (2 n + 1) (2 k + 1) / 4N)
};

/// The type that undoes one.
constexpr fft_trigonometric inverse_of(fft_trigonometric t) {
  using enum fft_trigonometric;
  return t == dct2 ? dct3 : t == dct3 ? dct2 : t == dst2 ? dst3 : t == dst3 ? dst2 : t;
}

/// How an operation object is set up; every member may be left out.
struct fft_options {
  /// How many axes are transformed: the last ones of the arrays, 1 to 3 of them and more.
  int axes = 1;
  /// Points of each transformed axis. Empty: the extents of the array that is not half a spectrum.
  /// An input that is shorter is padded with zeros, an output that is shorter is cut off.
  std::vector<std::int64_t> lengths{};
  /// What lies past an input that is shorter than `lengths`, one per transformed axis; empty:
  /// zeros. For forward transforms of complex or real values.
  std::vector<fft_outside> outside{};
  double forward_scale = 1;
  double inverse_scale = 1;  ///< 1 / N makes inverse undo forward
  /// The policy; without one the library chooses per length (fft/tuned.hpp).
  std::optional<fft_policy> policy{};
  /// Text applied to each element as it is read: the body of a function that sees `value` (in its
  /// arithmetic type), `index` (long: its place in the array without gaps, the last axis fastest)
  /// and its own parameters, and returns the element to transform: float or double for a real
  /// transform's input, else float2 or double2.
  function load{};
  /// The same for each element of the output: sees `value` (float2, double2; for real outputs of a
  /// real transform float, double), `index` and its own parameters, returns what is stored.
  function store{};
  fft_kind kind = fft_kind::automatic;
  /// In place of a Fourier transform one of these; input and output are real and equally large.
  fft_trigonometric trigonometric = fft_trigonometric::none;
  /// Whether calls return an event.
  clprim::completion completion = clprim::completion::event;
  /// How exactly the kernels must compute (core/math_mode.hpp has the bounds).
  math_mode math = math_mode::precise;
};

}  // namespace clprim
