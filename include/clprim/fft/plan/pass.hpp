#pragma once
// The values that a plan is made of: passes, each many transforms of one length, read from one
// array and written to another; and the kernels that run them.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <clprim/core/border.hpp>
#include <clprim/core/element.hpp>
#include <clprim/core/function.hpp>

namespace clprim {

/// What lies in memory for the points of a transform, on either side of a pass.
enum class fft_form {
  complex_points,  ///< x[n]
  real_points,     ///< x[n], read as (x[n], 0); of what is written, the real parts
  real_pairs,      ///< (x[2 n], x[2 n + 1]): of a real transform of twice the length
  real_rows,       ///< (x[n], y[n]): of two rows of real values
  half_spectrum,   ///< X[n] up to the middle, whose conjugates are the X[N - n] behind it
  half_of_pairs,   ///< N/2 + 1 values, from which the spectrum of pairs is made, or of which
  half_of_rows,    ///< X[n] + i Y[n]: half a spectrum of each of two rows
};

/// What happens between the forward stages and the output.
enum class fft_method {
  direct,
  convolution,  ///< a product with a spectrum from a table, and the stages back: Bluestein 1970
  rader,        ///< the same on the points in the order of a generator's powers: Rader 1968
};

/// Cosine and sine transforms of real values, unnormalised as FFTW's REDFT and RODFT: forward is
/// the type named, inverse its inverse (II and III are each other's, I and IV are their own), which
/// gives back 2 N times the values per axis, of DCT I 2 (N - 1) and of DST I 2 (N + 1) times.
enum class fft_trigonometric {
  none,
  dct2,  ///< y[k] = 2 sum x[n] cos(pi (2 n + 1) k / 2N)
  dct3,  ///< y[k] = x[0] + 2 sum over n > 0 of x[n] cos(pi n (2 k + 1) / 2N)
  dct4,  ///< y[k] = 2 sum x[n] cos(pi (2 n + 1) (2 k + 1) / 4N)
  dst2,  ///< y[k] = 2 sum x[n] sin(pi (2 n + 1) (k + 1) / 2N)
  dst3,  ///< y[k] = (-1)^k x[N - 1] + 2 sum over n < N - 1 of x[n] sin(pi (n + 1) (2 k + 1) / 2N)
  dst4,  ///< y[k] = 2 sum x[n] sin(pi (2 n + 1) (2 k + 1) / 4N)
  dct1,  ///< y[k] = x[0] + (-1)^k x[N - 1] + 2 sum over 0 < n < N - 1 of x[n] cos(pi n k / (N - 1))
  dst1,  ///< y[k] = 2 sum x[n] sin(pi (n + 1) (k + 1) / (N + 1))
};

/// The type that undoes one.
constexpr fft_trigonometric inverse_of(fft_trigonometric t) {
  using enum fft_trigonometric;
  return t == dct2 ? dct3 : t == dct3 ? dct2 : t == dst2 ? dst3 : t == dst3 ? dst2 : t;
}

/// How far apart neighbours lie on one side of a pass: in elements; in places, which count along
/// the whole transform that several passes work on; in indices of the caller's array without gaps.
struct fft_stride {
  std::int64_t step = 0;
  std::int64_t place = 0;
  std::int64_t index = 0;
  friend bool operator==(const fft_stride&, const fft_stride&) = default;
  friend fft_stride operator*(std::int64_t n, const fft_stride& s) {
    return {n * s.step, n * s.place, n * s.index};
  }
};

/// A direction in which the points of transforms lie, or transforms of a pass.
struct fft_axis {
  std::int64_t extent = 1;
  fft_stride in{}, out{};
  bool odd = false;  ///< of rows two by two: the last one is alone
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

  /// Whether there is anything but zeros.
  bool any() const {
    return (before > 0 && sides.lower != border_mode::constant) ||
           (after > 0 && sides.upper != border_mode::constant);
  }
};

/// One side of a pass: READ, where its points come from, or WRITE, what becomes of its results.
struct fft_side {
  fft_form kind = fft_form::complex_points;
  element type{};
  bool split = false;       ///< real and imaginary parts are arrays of their own
  bool swapped = false;     ///< they change roles on their way: where they do on both sides, the
                            ///< transform is the inverse one
  fft_stride second{};      ///< of two rows: from the first to the second
  std::int64_t points = 0;  ///< places from here on are read as zero, or not written; 0: none
  std::int64_t factor = no_table;  ///< of a table that point `place` is multiplied by
  function user{};                 ///< the user's text, of the caller's input or output
  fft_outside outside{};           ///< READ: of the places that are zero, those that are not
  std::int64_t fold = 0;  ///< WRITE, half a spectrum: rows of the four-step method, half of which
                          ///< are there
  double scale = 1;       ///< WRITE
  int block = 1;          ///< WRITE: points that lie together behind each other: point k at
                          ///< k step - k % block (step - 1)

  /// Whether its elements are parts of complex numbers.
  bool real() const {
    using enum fft_form;
    return kind == real_points || kind == real_pairs || kind == real_rows;
  }
  /// Whether each of its values is made of two of the stages', or they of it.
  bool halves() const { return kind == fft_form::half_of_pairs || kind == fft_form::half_of_rows; }
};

/// Everything that the kernel of a pass computes. Elements of pairs are counted as elements of the
/// array that they lie in.
struct fft_pass {
  std::int64_t length = 1;           ///< complex points of a transform
  std::vector<std::int64_t> axes{};  ///< by items: lengths of the axes that its points fill without
                                     ///< gaps, slowest first, and that it transforms; none: one
  bool half = false;                 ///< of them: writes half a spectrum
  fft_axis along{.in = {1, 1}, .out = {1, 1}};  ///< of its points
  std::vector<fft_axis> outer{};  ///< of the transforms; the first is worked on side by side
  fft_side read{}, write{};
  bool is_double = false;
  std::int64_t whole = 0;  ///< places of the whole transform
  fft_method method = fft_method::direct;
  std::int64_t inner = 0;  ///< convolution: its length; rader: length - 1
  /// Of a convolution in several passes: the table of a spectrum for each place along the turning
  /// axis. Values are left with real and imaginary parts exchanged.
  std::int64_t spectrum = no_table;
  std::int64_t turn = 0;   ///< point k of transform o times exp(-2 pi i k o / turn); 0: not
  int turn_axis = 0;       ///< where o counts; by lanes the first
  bool aliased = false;    ///< reads and writes one buffer
  bool backwards = false;  ///< by items: groups start with the last transforms

  /// Whether two rows of real values are one complex transform.
  bool two_rows() const {
    return read.kind == fft_form::real_rows || read.kind == fft_form::half_of_rows;
  }
  std::int64_t transforms() const {
    std::int64_t all = 1;
    for (const fft_axis& a : outer) all *= a.extent;
    return all;
  }
  /// Whether only the first half of a spectrum need be read, for real parts alone are written.
  bool half_does() const {
    return read.kind == fft_form::half_spectrum && write.kind == fft_form::real_points &&
           whole == length && along.in.place == 1;
  }
  /// Points of a transform that can differ from zero, and values that are written: of what one
  /// pass, or several that convolve, do whole, those before `read.points` and `write.points`.
  std::int64_t points_read() const {
    if (half_does()) return length / 2 + 1;
    const bool first_ones = read.kind == fft_form::complex_points ||
                            read.kind == fft_form::real_points || read.kind == fft_form::real_rows;
    return first_ones && !read.outside.any() ? ends_at(read.points, along.in) : length;
  }
  std::int64_t points_written() const {
    const bool first_ones =
        write.kind == fft_form::complex_points || write.kind == fft_form::real_points;
    return first_ones ? ends_at(write.points, along.out) : length;
  }
  /// Points of the stages.
  std::int64_t points() const { return method == fft_method::direct ? length : inner; }
  /// Values of a transform of several axes that are written: half a spectrum of each row, or all.
  std::int64_t row() const { return half ? axes.back() / 2 + 1 : axes.back(); }
  std::int64_t values() const { return axes.empty() ? length : length / axes.back() * row(); }

 private:
  std::int64_t ends_at(std::int64_t points, const fft_stride& side) const {
    return points > 0 && whole == length && side.place == 1 ? std::min(points, length) : length;
  }
};

/// Where a pass reads or writes.
enum class fft_buffer { input, output, work };

/// The beginning of what it reads or writes; the offset in elements, added to the caller's.
struct fft_memory {
  fft_buffer buffer = fft_buffer::work;
  std::int64_t offset = 0;
  friend bool operator==(const fft_memory&, const fft_memory&) = default;
};

/// What is needed to launch the kernel of a pass.
struct fft_kernel {
  std::string source;
  std::string options{};  ///< of the compiler
  std::vector<int> radices;
  int side_by_side = 1;  ///< transforms of the first axis that a block holds
  int blocks = 1;        ///< blocks that a group works on
  int items = 1;         ///< work-items of a group
  std::int64_t local_bytes = 0;
  std::vector<int> then_radices{};  ///< of a second pass in the same launch
  int then_side_by_side = 0;
};

}  // namespace clprim
