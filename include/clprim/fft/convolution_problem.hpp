#pragma once
// How a convolution by transforms is set up, what its kernel must fit, and the text of the three
// transforms that make it.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <clprim/core/number_text.hpp>
#include <clprim/core/smooth.hpp>
#include <clprim/fft/codelet/codelet.hpp>
#include <clprim/fft/problem.hpp>

namespace clprim {

/// How a convolution is set up; every member may be left out.
struct fft_convolution_options {
  int axes = 1;              ///< the last axes of the arrays
  bool correlation = false;  ///< sums h[j] x[i + j - origin] in place of h[j] x[i - j + origin]
  bool circular = false;     ///< x continues periodically, in transforms as long as x itself
  /// The element of the kernel that meets x[i] for y[i], one per axis; empty: the first.
  std::vector<std::int64_t> origin{};
  /// How x goes on outside where it is not circular, one per convolved axis: every mode but `none`;
  /// empty: by border_value.
  std::vector<border_sides> border{};
  double border_value = 0;  ///< what `constant` reads
  std::optional<fft_policy> policy{};
  /// Whether calls return an event.
  clprim::completion completion = clprim::completion::event;
  /// How exactly the kernels must compute (core/math_mode.hpp has the bounds).
  math_mode math = math_mode::precise;

  /// Whether a constant other than zero is read outside.
  bool shifted() const { return border_value != 0 && !circular; }
};

namespace detail {

/// The options with an origin for each axis. Throws argument_error for those that none could have.
inline fft_convolution_options checked_convolution(fft_convolution_options o) {
  if (o.origin.empty()) o.origin.assign(static_cast<std::size_t>(std::max(0, o.axes)), 0);
  if (o.axes < 1 || o.axes > 3 || o.origin.size() != static_cast<std::size_t>(o.axes)) {
    throw argument_error(
        "axes of a convolution", "must be 1 to 3 with an origin each",
        std::to_string(o.axes) + " with " + std::to_string(o.origin.size()) + " origins", "1 to 3");
  }
  const auto refuse = [](const char* must, const std::string& given, const std::string& allowed) {
    throw argument_error("the border of a convolution", must, given, allowed);
  };
  if (!std::isfinite(o.border_value))
    refuse("must be a number", general_text(o.border_value, 6), "a finite border_value");
  if (o.border.empty()) return o;
  if (o.circular) refuse("is that of its period", "circular and a border", "one of them");
  if (o.border.size() != static_cast<std::size_t>(o.axes))
    refuse("must be one per convolved axis", std::to_string(o.border.size()),
           std::to_string(o.axes) + " expected");
  for (const border_sides& b : o.border)
    if (b.lower == border_mode::none || b.upper == border_mode::none)
      refuse("must be a mode that has values", "none",
             "constant, replicate, reflect, reflect_101, wrap");
  return o;
}

/// The sizes of a convolution along the convolved axes.
struct convolution_sizes {
  std::vector<std::int64_t> kernel, extents;
  std::vector<std::int64_t> lengths;  ///< of the transforms
  friend bool operator==(const convolution_sizes&, const convolution_sizes&) = default;

  /// Half the spectrum of a batch.
  std::vector<std::int64_t> half_spectrum(std::vector<std::int64_t> batch = {}) const {
    batch.insert(batch.end(), lengths.begin(), lengths.end());
    batch.back() = batch.back() / 2 + 1;
    return batch;
  }
};

/// Throws argument_error for extents that do not fit the options, or each other.
inline convolution_sizes checked_sizes(const fft_convolution_options& o,
                                       const std::vector<std::int64_t>& kernel,
                                       const std::vector<std::int64_t>& extents) {
  const auto axes = static_cast<std::size_t>(o.axes);
  const auto require_axes = [&](std::size_t actual, const char* what) {
    if (actual == axes) return;
    throw argument_error(what, "must be the convolved axes", std::to_string(actual),
                         std::to_string(axes) + " expected");
  };
  require_axes(kernel.size(), "axes of the kernel");
  require_axes(extents.size(), "extents of the convolved arrays");
  convolution_sizes sizes{kernel, extents, {}};
  for (std::size_t a = 0; a < axes; ++a) {
    const std::int64_t n = extents[a], m = kernel[a];
    const auto refuse = [&](const char* what, std::int64_t actual, const std::string& allowed) {
      throw argument_error(std::string(what) + " of axis " + std::to_string(a),
                           "must fit the convolution", std::to_string(actual), allowed);
    };
    constexpr std::int64_t most = std::int64_t{1} << 29;
    if (n < 1 || n > most) refuse("extent", n, "1 to " + std::to_string(most));
    if (m < 1 || m > most || (o.circular && m > n))
      refuse("extent of the kernel", m, o.circular ? "1 to the array's" : "at least 1");
    if (o.origin[a] < 0 || o.origin[a] >= m)
      refuse("origin", o.origin[a], "0 to " + std::to_string(m - 1));
    if (!o.border.empty() && o.border[a].lower != o.border[a].upper) {
      // Two modes that meet further out would have to be applied in turn.
      const border_sides b = o.border[a];
      const std::int64_t reach = std::min(border_reach(b.lower, static_cast<int>(n)),
                                          border_reach(b.upper, static_cast<int>(n)));
      if (m - 1 > reach)
        refuse("extent of the kernel under two modes", m, "at most " + std::to_string(reach + 1));
    }
    std::int64_t length = o.circular ? n : next_smooth(n + m - 1);
    while (!o.circular && a + 1 == axes && length % 2 != 0) length = next_smooth(length + 1);
    sizes.lengths.push_back(length);
  }
  return sizes;
}

/// The set-ups of the transforms: of the kernel, of the arrays, and back.
struct convolution_transforms {
  fft_options kernel, image, back;
};

/// Body of the kernel's store function: the phase that moves the origin, the scale, and the
/// conjugate of a correlation.
inline std::string kernel_store_text(const fft_convolution_options& o, const convolution_sizes& s,
                                     bool is_double) {
  const std::string real = is_double ? "double" : "float";
  std::string text = "long rest = index;\n    " + real + " turn = 0;\n";
  double points = 1;
  for (std::size_t a = s.lengths.size(); a-- > 0;) {
    const std::int64_t n = s.lengths[a], extent = a + 1 == s.lengths.size() ? n / 2 + 1 : n;
    points *= static_cast<double>(n);
    text += "    turn += (" + real + ")(rest % " + std::to_string(extent) + " * " +
            std::to_string(o.origin[a]) + " % " + std::to_string(n) + ") * (" +
            fft_text::literal(2.0L / static_cast<long double>(n), is_double) +
            ");\n    rest /= " + std::to_string(extent) + ";\n";
  }
  const std::string scale = fft_text::literal(1.0L / static_cast<long double>(points), is_double);
  text += "    const " + real + " c = cospi(turn) * " + scale + ", s = sinpi(turn) * " + scale +
          ";\n    const " + real + "2 moved = (" + real +
          "2)(value.x * c - value.y * s, value.x * s + value.y * c);\n";
  return text + (o.correlation ? "    return (" + real + "2)(moved.x, -moved.y);"
                               : std::string("    return moved;"));
}

/// `inner`: whether the transforms before the last have events.
template <class Complex>
convolution_transforms transforms_of(const fft_convolution_options& o, const convolution_sizes& s,
                                     completion inner, bool is_double) {
  const std::string real = is_double ? "double" : "float";
  std::int64_t elements = 1;
  for (const std::int64_t e : s.half_spectrum()) elements *= e;
  const fft_options plain{.axes = o.axes,
                          .lengths = s.lengths,
                          .policy = o.policy,
                          .completion = inner,
                          .math = o.math};
  convolution_transforms t{plain, plain, plain};
  t.kernel.completion = completion::event;  // calls wait for it
  t.back.completion = o.completion;
  t.kernel.store = {kernel_store_text(o, s, is_double), {}};
  t.image.store = {"const " + real + "2 h = spectrum[index % " + std::to_string(elements) +
                       "];\n    return (" + real +
                       "2)(value.x * h.x - value.y * h.y, value.x * h.y + value.y * h.x);",
                   {buffer<Complex>("spectrum")}};
  for (std::size_t a = 0; a < o.border.size(); ++a) {  // places before and behind x that are read
    const std::int64_t first = o.origin[a], rest = s.kernel[a] - 1 - first;
    t.image.outside.push_back({.sides = o.border[a],
                               .before = o.correlation ? first : rest,
                               .after = o.correlation ? rest : first});
  }
  if (!o.shifted()) return t;
  // A constant of v outside: x - v has zeros there, and v times the sum of h is added behind.
  const long double v = o.border_value;
  long double points = 1;
  for (const std::int64_t n : s.lengths) points *= static_cast<long double>(n);
  t.image.load = {"return value - (" + fft_text::literal(v, is_double) + ");", {}};
  t.back.kind = fft_kind::real;
  t.back.store = {
      "return value + spectrum[0].x * (" + fft_text::literal(v * points, is_double) + ");",
      {buffer<Complex>("spectrum")}};
  return t;
}

}  // namespace detail
}  // namespace clprim
