#pragma once
// The caller's views, filter and options -> a checked convolution in the kernels' terms.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include <clprim/convolve/filter.hpp>
#include <clprim/convolve/image.hpp>
#include <clprim/convolve/options.hpp>
#include <clprim/convolve/variant.hpp>
#include <clprim/runtime/footprint.hpp>

namespace clprim {

/// One side of a convolution: where a batch of volumes lies. Distances in elements.
struct convolve_image {
  cl_mem memory = nullptr;
  std::array<std::int64_t, 3> extent{1, 1, 1};  ///< x, y, z in pixels; of the input with its apron
  std::int64_t offset = 0;
  std::int64_t pitch = 0;
  std::int64_t slice = 0;
  std::int64_t stride = 0;  ///< from one image of the batch to the next
  int alignment = 16;       ///< elements that the memory begins at a multiple of, up to 16
  bool is_object = false;   ///< `memory` is an image object

  friend bool operator==(const convolve_image&, const convolve_image&) = default;
};

/// A checked problem.
struct convolve_problem {
  convolve_image in{}, out{};
  std::int64_t batch = 1;
  int channels = 1;
  std::array<convolve_axis, 3> axes{};      ///< x, y, z
  std::array<std::int64_t, 3> first{};      ///< place of the first tap of output 0
  std::array<std::int64_t, 3> reflected{};  ///< pixels that taps lie outside, at most
  bool separable = false;
  bool flipped = false;

  bool empty() const {
    return batch == 0 || out.extent[0] == 0 || out.extent[1] == 0 || out.extent[2] == 0;
  }
  friend bool operator==(const convolve_problem&, const convolve_problem&) = default;
};

/// A problem and what it reads and writes.
struct checked_images {
  convolve_problem problem{};
  std::array<operand, 3> operands{};
};

namespace detail {

/// One axis of a problem as the caller states it.
struct axis_request {
  const char* name;  ///< "x"
  int taps, stride, dilation;
  std::optional<int> anchor;
  border_sides border;
  std::int64_t inside, before, after;  ///< pixels of the region, and around it
};

struct axis_layout {
  std::int64_t outputs = 0;
  std::int64_t first = 0;  ///< of the first tap of output 0, in pixels of the whole axis
  std::int64_t outside = 0;
};

inline void require_step(int value, const char* what, const char* axis) {
  constexpr int most = 1 << 20;
  if (value >= 1 && value <= most) return;
  throw argument_error(std::string(what) + " along " + axis, "must be a step forward",
                       std::to_string(value), "1 to " + std::to_string(most));
}

/// Throws argument_error for a filter, steps, an anchor or a border that the axis cannot have.
axis_layout lay_out(const axis_request& a, output_extent extent, bool flipped);

#ifndef CLPRIM_COMPILED
CLPRIM_INLINE axis_layout lay_out(const axis_request& a, output_extent extent, bool flipped) {
  const std::string along = std::string(" along ") + a.name;
  require_step(a.stride, "stride", a.name);
  require_step(a.dilation, "dilation", a.name);
  const std::int64_t span = std::int64_t{a.taps - 1} * a.dilation + 1;
  if (span > (1 << 24)) {
    throw argument_error("taps of the filter" + along, "must span a distance that is indexed",
                         std::to_string(span) + " pixels", "at most 16777216");
  }
  int anchor = a.anchor.value_or(a.taps / 2);
  if (anchor < 0 || anchor >= a.taps) {
    throw argument_error("anchor" + along, "must be a tap of the filter", std::to_string(anchor),
                         "0 to " + std::to_string(a.taps - 1));
  }
  if (extent == output_extent::same && !a.anchor && a.taps % 2 == 0) {
    throw argument_error(
        "filter of an even size" + along, "needs an anchor, for it has no middle tap",
        std::to_string(a.taps) + " taps and no anchor", "filter.anchor(…), or an odd size");
  }
  if (flipped) anchor = a.taps - 1 - anchor;
  std::int64_t before = std::int64_t{anchor} * a.dilation, after = span - 1 - before;
  if (extent == output_extent::valid) before = after = 0;
  if (extent == output_extent::full) before = after = span - 1;
  if (a.border.lower == border_mode::none) before = std::min(before, a.before);
  if (a.border.upper == border_mode::none) after = std::min(after, a.after);
  axis_layout l;
  const std::int64_t places = a.inside + before + after - span;
  l.outputs = a.inside == 0 || places < 0 ? 0 : places / a.stride + 1;
  l.first = a.before - before;
  if (l.outputs == 0) return l;
  const std::int64_t whole = a.before + a.inside + a.after;
  const std::int64_t below = std::max<std::int64_t>(0, before - a.before),
                     above = std::max<std::int64_t>(
                         0, l.first + (l.outputs - 1) * a.stride + span - whole);
  l.outside = std::max(below, above);
  const auto n = static_cast<int>(whole);
  if (a.border.lower != a.border.upper) {
    const auto require_reach = [&](border_mode mode, std::int64_t wanted, const char* side) {
      const std::int64_t most = border_reach(mode, n);
      if (wanted <= most) return;
      const auto index = static_cast<std::size_t>(mode);
      throw argument_error(std::string(side) + " apron" + along,
                           "must be no wider than what border " +
                               std::string(enum_names<border_mode>::names[index]) +
                               " defines beside another border on the other side",
                           std::to_string(wanted) + " pixels", "at most " + std::to_string(most));
    };
    require_reach(a.border.lower, below, "the lower");
    require_reach(a.border.upper, above, "the upper");
  }
  return l;
}
#endif

/// Throws argument_error for taps that are no filter's, and for coefficients that are not as many.
template <tap_type A> void require_filter(const filter<A>& f) {
  constexpr int most = 4096;
  const char* const names[] = {"x", "y", "z"};
  for (std::size_t a = 0; a < 3; ++a) {
    if (f.taps[a] >= 1 && f.taps[a] <= most) continue;
    throw argument_error(std::string("taps of the filter along ") + names[a],
                         "must be a size that a filter has", std::to_string(f.taps[a]),
                         "1 to " + std::to_string(most));
  }
  constexpr std::int64_t most_taps = 1 << 22;
  if (f.size() > most_taps) {
    throw argument_error("taps of the filter", "must be a number that direct convolution sums",
                         std::to_string(f.size()), "at most " + std::to_string(most_taps));
  }
  const auto given = static_cast<std::int64_t>(f.coefficients.size());
  if (f.memory != nullptr || given == f.size()) return;
  throw argument_error("coefficients of the filter", "must be as many as its sizes say",
                       std::to_string(given), std::to_string(f.size()));
}

inline void require_equal(std::int64_t actual, std::int64_t wanted, const std::string& what,
                          const char* why) {
  if (actual == wanted) return;
  throw argument_error(what, why, std::to_string(actual), std::to_string(wanted) + " expected");
}

/// Elements of so many bytes that a buffer begins at a multiple of: 1 to 16.
inline int aligned_elements(cl_mem memory, std::size_t bytes) {
  return std::clamp(base_alignment(memory) / static_cast<int>(bytes), 1, 16);
}

template <pixel_type T> convolve_image image_of(const image_view<T>& v) {
  const image_surroundings& s = v.around;
  const auto before = [&] {
    return s.front * v.slice_pitch + s.above * v.row_pitch + s.left * v.channel_count;
  };
  return {.memory = v.memory,
          .extent = {s.left + v.width + s.right, s.above + v.height + s.below,
                     s.front + v.depth + s.back},
          .offset = v.empty() ? 0 : v.offset - before(),
          .pitch = v.row_pitch,
          .slice = v.slice_pitch,
          .stride = v.batch_stride,
          .alignment = v.empty() || v.is_object ? 16 : aligned_elements(v.memory, sizeof(T)),
          .is_object = v.is_object};
}

}  // namespace detail

namespace detail {

/// The three axes as the caller states them.
template <pixel_type T, tap_type A>
std::array<axis_request, 3> requests_of(const image_view<T>& in, const filter<A>& f,
                                        const convolve_options& o) {
  const image_surroundings& s = in.around;
  return {{{"x", f.taps[0], o.stride.x, o.dilation.x, f.anchors[0], o.border.x, in.width, s.left,
            s.right},
           {"y", f.taps[1], o.stride.y, o.dilation.y, f.anchors[1], o.border.y, in.height, s.above,
            s.below},
           {"z", f.taps[2], o.stride.z, o.dilation.z, f.anchors[2], o.border.z, in.depth, s.front,
            s.back}}};
}

}  // namespace detail

/// The extents (x, y, z) of the output for an input's view under filter and options. Throws
/// argument_error for a view, a filter, steps, an anchor or a border that do not fit.
template <pixel_type T, tap_type A>
std::array<std::int64_t, 3> convolved_extent(const image_view<T>& in, const filter<A>& f,
                                             const convolve_options& o) {
  detail::require_filter(f);
  detail::whole_extents(in, "the input");
  std::array<std::int64_t, 3> extent{};
  const auto requests = detail::requests_of(in, f, o);
  for (std::size_t a = 0; a < 3; ++a) {
    extent[a] = detail::lay_out(requests[a], o.extent, o.direction == sliding::convolution).outputs;
  }
  return extent;
}

/// Checks a convolution. Throws argument_error for views, filter and options that do not fit each
/// other, and for an output that shares memory with the input.
template <pixel_type T, pixel_type Out, tap_type A>
checked_images checked_convolution(const image_view<T>& in, const filter<A>& f,
                                   const image_view<Out>& out, const convolve_options& o) {
  using namespace detail;
  require_filter(f);
  footprint taps{};
  if (f.memory != nullptr) {
    require_at_least(f.offset, 0, "offset", "the filter", "must not be negative");
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (f.offset > most - f.size()) {
      throw argument_error("offset of the filter", "must stay within 32-bit indexing",
                           std::to_string(f.offset), "at most " + std::to_string(most - f.size()));
    }
    taps = footprint_in_bytes<A>({f.memory, f.offset, 1, f.size(), f.size()}, "the filter");
  }
  const footprint from = check_image(in, "the input"), to = check_image(out, "the output");
  require_equal(out.channel_count, in.channel_count, "channels of the output",
                "must equal those of the input");
  require_equal(out.batch_count, in.batch_count, "batch count of the output",
                "must equal that of the input");
  convolve_problem p{.in = image_of(in),
                     .out = image_of(out.isolated()),
                     .batch = in.batch_count,
                     .channels = in.channel_count,
                     .separable = f.is_separable,
                     .flipped = o.direction == sliding::convolution};
  const auto requests = requests_of(in, f, o);
  const char* const names[] = {"width of the output", "height of the output",
                               "depth of the output"};
  for (std::size_t a = 0; a < 3; ++a) {
    const axis_request& r = requests[a];
    const axis_layout l = lay_out(r, o.extent, p.flipped);
    require_equal(p.out.extent[a], l.outputs, names[a],
                  "must be what input, filter, border and stride make it");
    p.axes[a] = {r.taps, r.stride, r.dilation, r.border, false};
    p.first[a] = l.first;
    p.reflected[a] = l.outside;
  }
  const footprint alone = check_image(out.isolated(), "the output");
  for (const auto& [other, name] : {std::pair{from, "input"}, {taps, "filter"}}) {
    if (!overlaps(alone, other)) continue;
    throw argument_error(
        "the output", "must not share memory with the " + std::string(name) + " of a convolution",
        "overlapping views", "separate memory");
  }
  if (overlaps_itself(alone) || (out.depth > 1 && out.batch_count > 1 && !to.empty() &&
                                 out.batch_stride < (out.depth - 1) * out.slice_pitch)) {
    throw argument_error("batch stride of the output", "must keep the images of a batch apart",
                         std::to_string(out.batch_stride), "a stride at which they share nothing");
  }
  return {p, {{{"the input", from}, {"the filter", taps}, {"the output", alone, true}}}};
}

}  // namespace clprim
