#pragma once
// Convolutions of drawn shape, and their answers on the host in double. Nothing here uses the
// library's index maps, layouts or kernels.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/convolve.hpp>

#include "support/campaign.hpp"
#include "support/device.hpp"
#include "support/rounding.hpp"

namespace support {

/// One axis of a drawn convolution, in pixels.
struct drawn_axis {
  int inside = 1, before = 0, after = 0;  ///< pixels of the region, and around it
  int taps = 1, stride = 1, dilation = 1;
  std::optional<int> anchor{};
  clprim::border_sides border{};
};

struct drawn_convolution {
  std::array<drawn_axis, 3> axes{};  ///< x, y, z
  int channels = 1, batch = 1;
  int gap = 0, slice_gap = 0, offset = 0;  ///< elements
  int out_gap = 0, out_offset = 0;
  clprim::output_extent extent = clprim::output_extent::same;
  clprim::sliding direction = clprim::sliding::correlation;
  double border_value = 0;
  bool separable = false;
};

inline std::string text_of(const drawn_convolution& c) {
  std::string text = "channels " + std::to_string(c.channels) + " batch " +
                     std::to_string(c.batch) + " gap " + std::to_string(c.gap) + " offset " +
                     std::to_string(c.offset) + " extent " +
                     std::to_string(static_cast<int>(c.extent)) +
                     (c.direction == clprim::sliding::convolution ? " convolution" : "") +
                     (c.separable ? " separable" : "");
  for (const drawn_axis& a : c.axes) {
    text += "\n  " + std::to_string(a.before) + " + " + std::to_string(a.inside) + " + " +
            std::to_string(a.after) + " taps " + std::to_string(a.taps) + " anchor " +
            (a.anchor ? std::to_string(*a.anchor) : "-") + " stride " + std::to_string(a.stride) +
            " dilation " + std::to_string(a.dilation) + " border " +
            std::to_string(static_cast<int>(a.border.lower)) + " " +
            std::to_string(static_cast<int>(a.border.upper));
  }
  return text;
}

/// The place of pixel i on an axis of n that goes on as `sides` say; nothing for the constant. Step
/// by step, as OpenCV's documentation draws it.
inline std::optional<int> resolved(int i, int n, const clprim::border_sides& sides) {
  using clprim::border_mode;
  while (i < 0 || i >= n) {
    const bool low = i < 0;
    switch (low ? sides.lower : sides.upper) {
      case border_mode::constant: return std::nullopt;
      case border_mode::replicate: return low ? 0 : n - 1;
      case border_mode::reflect: i = low ? -i - 1 : n - 1 - (i - n); break;
      case border_mode::reflect_101:
        if (n == 1) return 0;
        i = low ? -i : n - 2 - (i - n);
        break;
      case border_mode::wrap: i += low ? n : -n; break;
      case border_mode::none: FAIL("a tap without a pixel"); return std::nullopt;
    }
  }
  return i;
}

/// The first taps of all outputs of an axis, in pixels from the region's first.
inline std::vector<int> first_taps(const drawn_convolution& c, const drawn_axis& a) {
  const int span = (a.taps - 1) * a.dilation + 1;
  int anchor = a.anchor.value_or(a.taps / 2);
  if (c.direction == clprim::sliding::convolution) anchor = a.taps - 1 - anchor;
  int begin = -anchor * a.dilation, end = a.inside - 1 - anchor * a.dilation;
  if (c.extent == clprim::output_extent::valid) {
    begin = 0;
    end = a.inside - span;
  } else if (c.extent == clprim::output_extent::full) {
    begin = 1 - span;
    end = a.inside - 1;
  }
  if (a.border.lower == clprim::border_mode::none) begin = std::max(begin, -a.before);
  if (a.border.upper == clprim::border_mode::none) end = std::min(end, a.inside + a.after - span);
  std::vector<int> all;
  for (int t = begin; t <= end && a.inside > 0; t += a.stride) all.push_back(t);
  return all;
}

template <class T> double value_of(const T& x) {
  if constexpr (std::same_as<T, clprim::half>)
    return static_cast<double>(static_cast<float>(x));
  else
    return static_cast<double>(x);
}

/// A pixel of a type: integers over their whole range or small, reals in [-1, 1).
template <class T> T random_pixel(draw& d, bool small) {
  if constexpr (clprim::scalar_type<T>) {
    return random_element<T>(d);
  } else {
    const int bound = small ? 100 : std::numeric_limits<int>::max();
    if (small) return static_cast<T>(d.between(std::is_signed_v<T> ? -bound : 0, bound));
    return static_cast<T>(d.bits());
  }
}

/// Where a batch of volumes lies, elements.
struct placed_image {
  std::array<int, 3> extent{};  ///< x, y, z in pixels, all of the buffer's
  int channels = 1;
  std::int64_t offset = 0, pitch = 0, slice = 0, stride = 0;
  std::size_t at(std::int64_t b, std::int64_t z, std::int64_t y, std::int64_t x, int ch) const {
    return static_cast<std::size_t>(offset + b * stride + z * slice + y * pitch + x * channels +
                                    ch);
  }
  std::size_t size(std::int64_t batch) const {
    return static_cast<std::size_t>(offset + batch * stride);
  }
};

inline placed_image place(const std::array<int, 3>& extent, int channels, int gap, int slice_gap,
                          int offset) {
  placed_image p{.extent = extent, .channels = channels, .offset = offset};
  p.pitch = std::int64_t{extent[0]} * channels + gap;
  p.slice = p.pitch * extent[1] + slice_gap;
  p.stride = p.slice * extent[2] + gap;
  return p;
}

/// What a sum should be, and how far off it may be.
struct expected_sum {
  double value = 0;
  double error = 0;
};

/// All sums of a drawn convolution, in the order batch, z, y, x, channel.
template <class T, class Sum>
std::vector<expected_sum> reference(const drawn_convolution& c, const placed_image& where,
                                    const std::vector<T>& pixels, const std::vector<Sum>& taps) {
  std::array<std::vector<int>, 3> first;
  for (std::size_t a = 0; a < 3; ++a) first[a] = first_taps(c, c.axes[a]);
  const drawn_axis &ax = c.axes[0], &ay = c.axes[1], &az = c.axes[2];
  const auto tap = [&](const drawn_axis& a, int k) {
    return c.direction == clprim::sliding::convolution ? a.taps - 1 - k : k;
  };
  const auto coefficient = [&](int kz, int ky, int kx) {
    const auto x = static_cast<std::size_t>(tap(ax, kx)), y = static_cast<std::size_t>(tap(ay, ky)),
               z = static_cast<std::size_t>(tap(az, kz));
    const auto nx = static_cast<std::size_t>(ax.taps), ny = static_cast<std::size_t>(ay.taps);
    if (!c.separable) return static_cast<double>(taps[(z * ny + y) * nx + x]);
    const double deep = az.taps > 1 ? static_cast<double>(taps[nx + ny + z]) : 1.0;
    return static_cast<double>(taps[x]) * static_cast<double>(taps[nx + y]) * deep;
  };
  constexpr bool exact = std::integral<Sum>;
  constexpr double u = std::same_as<Sum, double> ? 0x1p-53 : exact ? 0 : 0x1p-24;
  const double roundings =
      (c.separable ? ax.taps + ay.taps + az.taps : ax.taps * ay.taps * az.taps) + 2.0;
  const double gamma = roundings * u / (1 - roundings * u) + 1e-16 * (exact ? 0 : roundings);
  std::vector<expected_sum> all;
  for (int b = 0; b < c.batch; ++b)
    for (const int z0 : first[2])
      for (const int y0 : first[1])
        for (const int x0 : first[0])
          for (int ch = 0; ch < c.channels; ++ch) {
            long double sum = 0, size = 0;
            for (int kz = 0; kz < az.taps; ++kz)
              for (int ky = 0; ky < ay.taps; ++ky)
                for (int kx = 0; kx < ax.taps; ++kx) {
                  const auto whole = [](const drawn_axis& a) {
                    return a.before + a.inside + a.after;
                  };
                  const auto z = resolved(az.before + z0 + kz * az.dilation, whole(az), az.border),
                             y = resolved(ay.before + y0 + ky * ay.dilation, whole(ay), ay.border),
                             x = resolved(ax.before + x0 + kx * ax.dilation, whole(ax), ax.border);
                  const double value =
                      z && y && x ? value_of(pixels[where.at(b, *z, *y, *x, ch)]) : c.border_value;
                  const long double product =
                      static_cast<long double>(coefficient(kz, ky, kx)) * value;
                  sum += product;
                  size += std::abs(product);
                }
            all.push_back({static_cast<double>(sum),
                           gamma * static_cast<double>(size) + (exact ? 0 : 1e-40)});
          }
  return all;
}

/// The error of a convolution by transforms does not follow each sum: three transforms of N points
/// err by at most about 4 u log2 N of the whole's Euclidean norm each (N. J. Higham, "Accuracy and
/// Stability of Numerical Algorithms", 2nd ed., 24.1).
template <class T, class Sum>
void allow_transforms(std::vector<expected_sum>& sums, const drawn_convolution& c,
                      const std::vector<T>& pixels, const std::vector<Sum>& taps, double n) {
  double largest = std::abs(c.border_value), norm = 0;
  for (const T& p : pixels) largest = std::max(largest, std::abs(value_of(p)));
  for (const Sum& w : taps) norm += static_cast<double>(w) * static_cast<double>(w);
  const double u = std::same_as<Sum, double> ? 0x1p-53 : 0x1p-24;
  for (expected_sum& s : sums)
    s.error = 12 * u * std::log2(n) * std::sqrt(n) * largest * std::sqrt(norm);
}

inline double rounded(double x, clprim::pixel_rounding mode) {
  switch (mode) {
    case clprim::pixel_rounding::nearest_even: return std::nearbyint(x);
    case clprim::pixel_rounding::toward_zero: return std::trunc(x);
    case clprim::pixel_rounding::downward: return std::floor(x);
    case clprim::pixel_rounding::upward: return std::ceil(x);
  }
  return x;
}

/// Whether a stored pixel is the sum within its error, rounded and saturated.
template <class Out>
bool is_sum(const Out& got, const expected_sum& s, clprim::pixel_rounding mode) {
  if constexpr (std::integral<Out>) {
    const auto stored = [&](double x) {
      return std::clamp(rounded(x, mode), static_cast<double>(std::numeric_limits<Out>::min()),
                        static_cast<double>(std::numeric_limits<Out>::max()));
    };
    return value_of(got) >= stored(s.value - s.error) && value_of(got) <= stored(s.value + s.error);
  } else {
    constexpr double u = std::same_as<Out, clprim::half> ? 0x1p-11 : 0x1p-24;
    const bool narrower = !std::same_as<Out, double>;
    const double more = narrower ? u * (std::abs(s.value) + s.error) +
                                       0x1p-25 * (std::same_as<Out, clprim::half> ? 1 : 0)
                                 : 0;
    return std::abs(value_of(got) - s.value) <= s.error + more;
  }
}

inline clprim::convolve_options options_of(const drawn_convolution& c) {
  clprim::convolve_options o;
  const auto& [x, y, z] = c.axes;
  o.direction = c.direction;
  o.extent = c.extent;
  o.border = {x.border, y.border, z.border};
  o.border_value = c.border_value;
  o.stride = {x.stride, y.stride, z.stride};
  o.dilation = {x.dilation, y.dilation, z.dilation};
  return o;
}

template <class Sum>
clprim::filter<Sum> filter_of(const drawn_convolution& c, const std::vector<Sum>& taps) {
  const auto& [x, y, z] = c.axes;
  return {.taps = {x.taps, y.taps, z.taps},
          .is_separable = c.separable,
          .coefficients = taps,
          .anchors = {x.anchor, y.anchor, z.anchor}};
}

template <class T>
clprim::image_view<T> view_of(const drawn_convolution& c, const placed_image& p,
                              const cl::Buffer& buffer) {
  const auto& [x, y, z] = c.axes;
  return clprim::volume<T>(buffer, p.extent[2], p.extent[1], p.extent[0])
      .channels(c.channels)
      .pitch(p.pitch)
      .slices(p.slice)
      .at(p.offset)
      .batch(c.batch, p.stride)
      .region(z.before, y.before, x.before, z.inside, y.inside, x.inside);
}

/// Runs a drawn convolution and compares every element: "" or what is wrong. What lies between the
/// output's rows must stay as it was.
template <class T, class Out, class Sum>
std::string complaint_of(draw& d, const clprim::session& s, const drawn_convolution& c,
                         clprim::convolve_options options, bool in_buffer = false) {
  std::array<int, 3> in_extent{}, out_extent{};
  for (std::size_t a = 0; a < 3; ++a) {
    in_extent[a] = c.axes[a].before + c.axes[a].inside + c.axes[a].after;
    out_extent[a] = static_cast<int>(first_taps(c, c.axes[a]).size());
  }
  const placed_image from = place(in_extent, c.channels, c.gap, c.slice_gap, c.offset),
                     to = place(out_extent, c.channels, c.out_gap, c.slice_gap, c.out_offset);
  const bool small = std::integral<Sum> || d.chance(50);
  std::vector<T> pixels(from.size(c.batch) + 1);
  for (T& p : pixels) p = random_pixel<T>(d, small);
  std::vector<Out> before(to.size(c.batch) + 1);
  for (Out& p : before) p = random_pixel<Out>(d, true);
  const auto& [ax, ay, az] = c.axes;
  const int count =
      c.separable ? ax.taps + ay.taps + (az.taps > 1 ? az.taps : 0) : ax.taps * ay.taps * az.taps;
  std::vector<Sum> taps(static_cast<std::size_t>(count));
  for (Sum& w : taps)
    w = std::integral<Sum> ? static_cast<Sum>(d.between(-9, 9)) : static_cast<Sum>(d.unit());
  guarded_buffer<T> A(s, pixels, random_pixel<T>(d, true));
  guarded_buffer<Out> B(s, before, random_pixel<Out>(d, true));
  guarded_buffer<Sum> F(s, taps, Sum{3});
  const kept_under_checker kept(clprim::convolve<T, Out, Sum>(s.queue, options));
  clprim::convolve<T, Out, Sum>& run = *kept;
  clprim::filter<Sum> f = filter_of(c, taps);
  if (in_buffer) {
    f.coefficients.clear();
    f.memory = F.buffer()();
  }
  const auto out = clprim::volume<Out>(B.buffer(), out_extent[2], out_extent[1], out_extent[0])
                       .channels(c.channels)
                       .pitch(to.pitch)
                       .slices(to.slice)
                       .at(to.offset)
                       .batch(c.batch, to.stride);
  const auto in = view_of<T>(c, from, A.buffer());
  const auto pass = run.schedule(in, f, out).passes.front();
  wait_for(run(in, f, out));
  std::vector<expected_sum> sums = reference(c, from, pixels, taps);
  if (pass.policy.method == clprim::convolve_method::fft) {
    const auto points =
        std::max(64.0, static_cast<double>(clprim::detail::tiling_of(pass).points()));
    allow_transforms(sums, c, pixels, taps, points);
  }
  const std::vector<Out> got = B.read();
  A.read();
  if (!A.intact() || !B.intact()) return "a guard zone was written";
  std::vector<char> written(got.size(), 0);
  std::size_t n = 0;
  for (int b = 0; b < c.batch; ++b)
    for (int z = 0; z < out_extent[2]; ++z)
      for (int y = 0; y < out_extent[1]; ++y)
        for (int x = 0; x < out_extent[0]; ++x)
          for (int ch = 0; ch < c.channels; ++ch, ++n) {
            const std::size_t at = to.at(b, z, y, x, ch);
            written[at] = 1;
            if (!is_sum(got[at], sums[n], options.rounding)) {
              return "batch " + std::to_string(b) + " (" + std::to_string(z) + ", " +
                     std::to_string(y) + ", " + std::to_string(x) + ") channel " +
                     std::to_string(ch) + " is " + std::to_string(value_of(got[at])) + ", not " +
                     std::to_string(sums[n].value) + " within " + std::to_string(sums[n].error);
            }
          }
  for (std::size_t i = 0; i < got.size(); ++i)
    if (written[i] == 0 && value_of(got[i]) != value_of(before[i]))
      return "element " + std::to_string(i) + " beside the output was written";
  return {};
}

}  // namespace support
