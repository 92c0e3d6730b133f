#pragma once
// Windows of images as an operand of GEMM: where they lie, how a product walks through them, and
// where its sums belong. A layer of a neural network is a product of its filter and these windows.

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace clprim {

/// How taps meet an image along one of its two directions.
struct window_axis {
  int extent = 1;  ///< of the input
  int out = 1;     ///< of the output
  int taps = 1;
  int stride = 1;
  int dilation = 1;
  int pad = 0;

  /// Positions of the input that differ by less than a stride and that taps meet: phases. Tap t
  /// meets phase t % phases.
  constexpr int phases() const { return std::min(taps, stride / std::gcd(stride, dilation)); }
  /// How far phase p begins from the padded input's first position.
  constexpr int offset(int phase) const { return phase * dilation % stride; }
  /// How many positions of its phase tap t is away from the output's own.
  constexpr int shift(int tap) const { return tap * dilation / stride; }

  /// Positions of one line of a phase. Those behind the last one that is held are read from the
  /// next line, which begins with zeros: what lies between two lines is padding of both.
  constexpr int pitch() const {
    const int reach = out + shift(taps - 1);  // positions that windows meet
    int held = out, zeros = reach;
    for (int p = 0; p < phases(); ++p) {
      const int before = pad > offset(p) ? (pad - offset(p) + stride - 1) / stride : 0;
      const int last = extent - 1 + pad - offset(p);
      held = std::max(held, std::min(reach, last < 0 ? 0 : last / stride + 1));
      zeros = std::min(zeros, before);
    }
    return std::max(held, reach - zeros);
  }
  friend constexpr bool operator==(const window_axis&, const window_axis&) = default;
};

/// Images as lines of channels: the line of a position holds, for every phase and every group of
/// channels, `inputs` numbers. Column p of B is the window of position p:
///
///     k ->     tap 0                     tap 1                     ...
///              inputs of line p + shift  inputs of line p + shift
///
/// so that B needs no memory of its own. Positions are those of all images one after the other;
/// which of them are pixels of the output is known where sums are stored.
struct gemm_windows {
  window_axis y, x;
  int rows = 0;   ///< lines of positions of an image; 0: no windows
  int pitch = 0;  ///< positions of such a line
  int groups = 1;
  int inputs = 1;   ///< numbers of a tap: channels of a group, with zeros up to whole steps
  int outputs = 1;  ///< channels of the output, of all groups
  bool output_last = false;  ///< they lie last: those of a pixel side by side
  /// Windows of a single tap may be the images themselves, read where they lie: B is then a plane
  /// for each number of k, and a product is one of an image.
  bool in_place = false;

  constexpr int taps() const { return y.taps * x.taps; }
  /// Numbers of a phase, and of a line.
  constexpr int phase() const { return groups * inputs; }
  constexpr int line() const { return y.phases() * x.phases() * phase(); }
  /// Lines of a box by which bulk copies bring the lines that a tile of so many columns meets, and
  /// the boxes: of at most 256 lines, in whole blocks of swizzling.
  constexpr int boxes(int columns) const { return (columns + tail() + 255) / 256; }
  constexpr int box(int columns) const {
    return ((columns + tail() + boxes(columns) - 1) / boxes(columns) + 7) / 8 * 8;
  }
  /// Positions behind those of all images that windows meet.
  constexpr int tail() const { return y.shift(y.taps - 1) * pitch + x.shift(x.taps - 1); }
  constexpr bool empty() const { return rows == 0; }
  friend constexpr bool operator==(const gemm_windows&, const gemm_windows&) = default;
};

/// Whether the windows of different taps share lines.
constexpr bool shares_lines(const gemm_windows& w) {
  return !w.empty() && !w.in_place && w.taps() > 1 && w.y.phases() * w.x.phases() == 1;
}

}  // namespace clprim
