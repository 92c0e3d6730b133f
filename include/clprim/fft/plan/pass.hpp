#pragma once
// One pass of a plan: many transforms of one length, read from one array and written to another.

#include <cstdint>
#include <vector>

#include <clprim/core/border.hpp>
#include <clprim/core/element.hpp>
#include <clprim/core/function.hpp>

namespace clprim {

/// How a pass takes the points of a transform from its input.
enum class fft_input {
  complex_points,  ///< x[n]
  real_points,     ///< (x[n], 0)
  real_pairs,      ///< (x[2 n], x[2 n + 1]): a real transform of twice the length
  half_spectrum,   ///< X[n] up to the middle, behind it the conjugate of X[N - n]
  spectrum_pairs,  ///< half a spectrum made into the spectrum of pairs
};

/// What a pass makes of the points of a transform.
enum class fft_output {
  complex_points,
  real_points,    ///< real parts
  real_pairs,     ///< real part to y[2 k], imaginary part to y[2 k + 1]
  half_of_pairs,  ///< the spectrum of pairs made into half a spectrum of N/2 + 1 values
};

/// What happens between the forward stages and the output.
enum class fft_method {
  direct,
  convolution,  ///< a product with a spectrum from a table, and the stages back: Bluestein 1970
  rader,        ///< the same on the points in the order of a generator's powers: Rader 1968
};

/// A direction in which transforms of a pass lie, in elements; `place` counts along the whole
/// transform that several passes work on, `index` through the caller's array without gaps.
struct fft_axis {
  std::int64_t extent = 1;
  std::int64_t in_step = 0;
  std::int64_t out_step = 0;
  std::int64_t in_place = 0;
  std::int64_t out_place = 0;
  std::int64_t in_index = 0;
  std::int64_t out_index = 0;
  friend bool operator==(const fft_axis&, const fft_axis&) = default;
};

/// Where a table of complex factors stands in the plan's buffer; -1: there is none.
inline constexpr std::int64_t no_table = -1;

/// How an input that is shorter than its transform goes on: `after` places past its end, and
/// `before` places at the end of the transform, which is periodic, as those before its beginning.
/// Zeros lie between.
struct fft_outside {
  border_sides sides{};
  std::int64_t before = 0;
  std::int64_t after = 0;
  friend bool operator==(const fft_outside&, const fft_outside&) = default;

  /// Whether there is anything but zeros.
  bool any() const {
    return (before > 0 && sides.lower != border_mode::constant) ||
           (after > 0 && sides.upper != border_mode::constant);
  }
};

/// Everything that the kernel of a pass computes. Elements of pairs are counted as elements of the
/// array that they lie in.
struct fft_pass {
  std::int64_t length = 1;  ///< complex points of a transform
  fft_axis along{.in_step = 1, .out_step = 1, .in_place = 1, .out_place = 1};  ///< of its points
  std::vector<fft_axis> outer;  ///< of the transforms; the first is worked on side by side
  fft_input input = fft_input::complex_points;
  fft_output output = fft_output::complex_points;
  element in{}, out{};
  bool is_double = false;
  bool swap_in = false;  ///< real and imaginary parts change roles as points are read: with
                         ///< swap_out too, the transform is the inverse one
  bool swap_out = false;
  double scale = 1;
  std::int64_t whole = 0;       ///< places of the whole transform
  std::int64_t in_points = 0;   ///< places from here on are read as zero; 0: none
  fft_outside outside{};        ///< of them, those that are not
  std::int64_t out_points = 0;  ///< places from here on are not written; 0: none
  fft_method method = fft_method::direct;
  std::int64_t inner = 0;             ///< convolution: its length; rader: length - 1
  int out_block = 1;                  ///< points that lie together behind each other: point k at
                                      ///< k out_step - k % out_block (out_step - 1)
  std::int64_t turn = 0;              ///< point k of transform o times exp(-2 pi i k o / turn);
                                      ///< 0: not
  int turn_axis = 0;                  ///< where o counts; by lanes the first
  std::int64_t in_factor = no_table;  ///< of a table that point `place` is multiplied by
  std::int64_t out_factor = no_table;
  function load{}, store{};  ///< user text; only in first and last passes
  bool aliased = false;      ///< reads and writes one buffer
  bool backwards = false;    ///< by items: groups start with the last transforms
  friend bool operator==(const fft_pass&, const fft_pass&) = default;

  /// Points of the stages.
  std::int64_t points() const { return method == fft_method::direct ? length : inner; }
};

}  // namespace clprim
