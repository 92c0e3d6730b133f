#pragma once
// What the source of a convolution depends on besides the policy, and the sizes that source and
// launch share.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include <clprim/convolve/element.hpp>
#include <clprim/convolve/policy.hpp>
#include <clprim/core/border.hpp>
#include <clprim/core/device_facts.hpp>

namespace clprim {

/// One axis of a filter as the kernel is built for it; distances in pixels.
struct convolve_axis {
  int taps = 1;
  int stride = 1;
  int dilation = 1;
  border_sides border{};
  bool far = false;  ///< taps may lie further out than the border repeats once

  /// Pixels from the first tap to the last one, both included.
  constexpr int span() const { return (taps - 1) * dilation + 1; }
  friend constexpr bool operator==(const convolve_axis&, const convolve_axis&) = default;
};

/// One kind of problem: every value here is a constant in the kernel's text.
struct convolve_variant {
  element in{};
  element out{};
  element sum{};
  int channels = 1;
  convolve_axis x{}, y{}, z{};
  bool separable = false;  ///< the coefficients are those of x, then those of y
  bool flipped = false;    ///< convolution, not correlation
  bool finish = true;      ///< the output is final: mapped, rounded
  bool deep = false;       ///< the output has several planes
  bool turned = false;     ///< y is the caller's z, and z his y
  pixel_rounding rounding = pixel_rounding::nearest_even;
  bool in_object = false;  ///< the input is an image object, not a buffer
  bool out_object = false;
  bool flat = false;     ///< the work-groups are (see group_grid)
  int in_alignment = 1;  ///< elements that the input's rows are multiples of
  int out_alignment = 1;
  int phase = 0;  ///< elements between the first tap of output 0 and the aligned place before it

  constexpr int taps() const { return separable ? x.taps + y.taps : x.taps * y.taps * z.taps; }
  friend constexpr bool operator==(const convolve_variant&, const convolve_variant&) = default;
};

/// Every size that source and launch of one variant share. Widths count elements.
struct convolve_geometry {
  int vector = 1;  ///< of accesses
  int phase = 0;   ///< elements of a window before the first tap
  bool in_aligned = true;
  bool out_aligned = true;
  int per_item_x = 1;  ///< outputs of an item
  int per_item_y = 1;
  int reach = 0;        ///< elements from the first to the last tap
  int window = 1;       ///< direct: elements of an item's row, from the aligned place on
  int window_read = 1;  ///< and what its loads read
  int rows = 1;         ///< input rows for per_item_y (tile: for all) output rows
  bool rolled = false;  ///< loops over taps stay loops
  int group_x = 1;      ///< work-items of a group
  int group_y = 1;
  int out_x = 1;  ///< outputs of a group
  int out_y = 1;
  int tile_x = 0;      ///< tile: elements of a row of tile and apron
  int tile_y = 0;      ///< tile: rows of tile and apron
  int block_x = 1;     ///< tile: elements that an item loads side by side
  int block_y = 1;     ///< tile: rows that an item loads
  int extra = 0;       ///< ring: vectors of a row beyond one per item
  int slots = 0;       ///< ring, rows: rows in local memory; line_buffer: rows of sums
  int edge_plan = 0;   ///< ring: entries of the plan of a row's edge
  bool async = false;  ///< ring: copies go past the registers
  int pitch = 0;       ///< rows, line_buffer: elements of a row in local memory
  int sums_pitch = 0;  ///< line_buffer: the same of a row of sums
  std::int64_t local_bytes = 0;
};

namespace detail {

/// A size that may be past every device, within what is computed with further.
constexpr int bounded(std::int64_t size) {
  return static_cast<int>(std::min(size, std::int64_t{1} << 29));
}
constexpr int round_up(int value, int multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// A load of a window: elements first … last - 1 are needed, `width` are read from `at` on.
struct window_load {
  int first, last, at, width;
};
constexpr window_load window_load_of(const convolve_geometry& g, int begin) {
  window_load l{std::max(begin, g.phase), std::min(begin + g.vector, g.window), 0, 1};
  while (l.first / l.width * l.width + l.width < l.last) l.width *= 2;
  l.at = l.first / l.width * l.width;
  return l;
}

constexpr void tile_geometry(convolve_geometry& g, const convolve_policy& p,
                             const convolve_variant& v) {
  const int pixels = g.out_x / v.channels;
  g.tile_x = v.x.stride == 1
                 ? g.out_x + g.reach
                 : bounded((std::int64_t{pixels - 1} * v.x.stride + v.x.span()) * v.channels);
  g.tile_y = bounded(std::int64_t{g.out_y - 1} * v.y.stride + v.y.span());
  g.group_x = g.tile_x;
  g.group_y = g.tile_y;
  if (p.apron == apron_load::several_loads) {
    g.block_y = p.loads;
    g.group_y = std::max((g.tile_y + p.loads - 1) / p.loads,
                         (p.items_x * p.items_y + g.tile_x - 1) / g.tile_x);
  } else if (p.apron == apron_load::block_per_item) {
    g.group_x = p.items_x;
    g.group_y = p.items_y;
    g.block_x = (g.tile_x + p.items_x - 1) / p.items_x;
    g.block_y = (g.tile_y + p.items_y - 1) / p.items_y;
  }
  g.local_bytes = std::int64_t{g.tile_x} * g.tile_y * v.sum.bytes;
}

/// Whether an item of method direct runs straight code: up to 81 taps of 32 outputs; a window that
/// does not fit registers stays in memory. Of a separable filter the sums along x of the window's
/// rows are at most 40 multiply-adds for each output, else passes for each axis cost less; where
/// its window begins does not tell, for its schedule is made before that is known.
constexpr bool is_straight(const convolve_geometry& g, const convolve_variant& v) {
  if (v.separable)
    return std::int64_t{v.x.taps} * g.rows <= std::int64_t{40} * g.per_item_y &&
           g.window - g.phase <= 112;
  return std::int64_t{v.x.taps} * v.y.taps * g.per_item_x * g.per_item_y <= 2600 && g.window <= 128;
}

}  // namespace detail

/// The one border that a sampler has to make; `none` where no tap lies outside.
struct one_border {
  border_mode mode = border_mode::none;
  bool exists = true;  ///< false: the sides differ
};
constexpr one_border sampled_border(const convolve_variant& v) {
  one_border all;
  for (const border_mode m :
       {v.x.border.lower, v.x.border.upper, v.y.border.lower, v.y.border.upper}) {
    if (m == border_mode::none || m == all.mode) continue;
    if (all.mode != border_mode::none) all.exists = false;
    all.mode = m;
  }
  return all;
}

constexpr convolve_geometry geometry_of(const convolve_policy& p, const convolve_variant& v) {
  const bool rows = p.method == convolve_method::rows, ring = p.method == convolve_method::ring;
  convolve_geometry g;
  g.vector = p.vector;
  g.per_item_x = p.per_item_x;
  g.per_item_y = p.per_item_y;
  if (p.method == convolve_method::fft) g.vector = g.per_item_x = g.per_item_y = 1;
  // Vectors of inputs need outputs whose inputs lie side by side; an item starts at a whole pixel.
  if (v.x.stride > 1) {
    g.vector = 1;
    g.per_item_x = detail::round_up(std::min(p.per_item_x, 4), v.channels);
  }
  g.reach = (v.x.taps - 1) * v.x.dilation * v.channels;
  if (p.method == convolve_method::image || v.out_object)
    g.per_item_x = detail::round_up(g.per_item_x, v.channels);  // 1, 2 or 4, as the vector is
  g.in_aligned = !rows && p.method != convolve_method::image && v.in_alignment % g.vector == 0;
  g.out_aligned = v.out_alignment % g.vector == 0;
  g.phase = g.in_aligned ? v.phase % g.vector : 0;
  g.rows = (g.per_item_y - 1) * v.y.stride + v.y.span();
  g.window =
      g.phase + g.reach +
      (v.x.stride == 1 ? g.per_item_x
                       : (g.per_item_x / v.channels - 1) * v.x.stride * v.channels + v.channels);
  g.group_x = p.items_x;
  g.group_y = p.items_y;
  g.out_x = p.items_x * g.per_item_x;
  g.out_y = p.items_y * g.per_item_y;
  g.rolled = !v.separable && !detail::is_straight(g, v);
  g.window_read = g.window;
  for (int begin = 0; !g.rolled && begin < g.window; begin += g.vector) {
    const detail::window_load l = detail::window_load_of(g, begin);
    g.window_read = l.at + l.width;
  }
  if (p.method == convolve_method::tile) detail::tile_geometry(g, p, v);
  if (ring) {
    g.extra = (g.phase + g.reach + g.vector - 1) / g.vector;
    g.slots = 2 * p.in_flight;
    g.out_y = p.strip;
    g.edge_plan = std::max(
        p.items_x, detail::bounded(std::int64_t{2 * p.in_flight} * (g.reach + 2 * g.vector)));
    g.local_bytes = std::int64_t{g.slots} * (p.items_x + g.extra) * g.vector * v.sum.bytes +
                    std::int64_t{g.edge_plan} * 8;
    const int copied = g.vector * v.in.bytes;  // what cp.async takes: 4, 8 or 16 bytes
    g.async = p.async && g.in_aligned && v.in.bytes >= 4 && !v.in.is_half &&
              v.in.name == v.sum.name && (copied == 4 || copied == 8 || copied == 16);
  }
  if (p.method == convolve_method::line_buffer) {
    const auto skewed = [&](int width) { return detail::round_up(width - 1, p.per_item_y) + 1; };
    g.out_x = p.items_x / p.per_item_y * p.per_item_x;
    g.out_y = p.strip;
    g.slots = detail::bounded(
        detail::round_up(detail::bounded(std::int64_t{v.y.span()} - 1), p.per_item_y) +
        p.per_item_y);
    g.pitch = skewed(detail::bounded(std::int64_t{g.out_x} + g.reach));
    g.sums_pitch = skewed(g.out_x);
    g.local_bytes =
        (std::int64_t{p.per_item_y} * g.pitch + std::int64_t{g.slots} * g.sums_pitch) * v.sum.bytes;
  }
  if (rows) {
    g.out_x = p.columns;
    g.out_y = p.strip;
    g.slots = g.rows;
    g.pitch = detail::round_up((p.staged || v.separable ? p.columns : g.per_item_x) + g.reach, 16);
    g.local_bytes = std::int64_t{g.slots} * g.pitch * v.sum.bytes;
    if (v.separable) g.local_bytes += std::int64_t{g.pitch} * v.sum.bytes;
  }
  return g;
}

/// Whether a method can run a variant, "" or why not.
inline std::string refusal_of(const convolve_policy& p, const convolve_variant& v) {
  const bool ring = p.method == convolve_method::ring, rows = p.method == convolve_method::rows;
  const bool image = p.method == convolve_method::image,
             lines = p.method == convolve_method::line_buffer;
  if (image != v.in_object)
    return image ? "inputs in image objects (cl::Image2D)" : "inputs in buffers";
  if (v.out_object && !image && p.method != convolve_method::direct) return "outputs in buffers";
  if (image && v.z.taps > 1) return "filters of two dimensions";
  if (image && (!sampled_border(v).exists || sampled_border(v).mode == border_mode::reflect_101))
    return "borders that a sampler makes: constant 0, replicate, reflect or wrap on all sides";
  if (lines && !v.separable) return "separable filters, along x and y in one pass";
  if ((ring || rows) && v.z.taps > 1) return "filters of two dimensions";
  if (lines && v.y.stride > 1) return "a stride of 1 along y";
  if (walks_strips(p.method) && v.x.stride > 1) return "a stride of 1 along x";
  if (ring && (v.y.stride > 1 || v.y.dilation > 1)) return "stride and dilation of 1 along y";
  if (v.separable && p.method == convolve_method::direct) {
    if (v.z.taps == 1 && detail::is_straight(geometry_of(p, v), v)) return {};
    return "filters that are not separable, or so narrow that a window fits registers";
  }
  if (v.separable && !walks_strips(p.method)) return "filters that are not separable";
  if (p.method == convolve_method::fft && v.sum.name != "float" && v.sum.name != "double")
    return "sums of float or double";
  return {};
}

/// Bytes of coefficients that the kernel's arguments hold beside the images.
constexpr int filter_bytes_by_value(const device_facts& device) {
  return device.argument_bytes - 384;
}

/// Throws policy_error, with the numbers, when `p` cannot run the variant on the device, and
/// device_error when the device lacks the arithmetic of a type.
inline void check_device_rules(const convolve_policy& p, const convolve_variant& v,
                               const device_facts& device) {
  if ((v.in.needs_fp64 || v.out.needs_fp64 || v.sum.needs_fp64) && !device.fp64) {
    throw device_error(
        "this convolution needs double precision (cl_khr_fp64) for its pixels or its sums, which " +
        device.name + " lacks");
  }
  if (const std::string wanted = refusal_of(p, v); !wanted.empty()) {
    const auto method = static_cast<std::size_t>(p.method);
    throw policy_error("method " + std::string(enum_names<convolve_method>::names[method]) +
                       " is for " + wanted);
  }
  if ((v.in_object || v.out_object) && !device.images) {
    throw device_error(std::string(v.in_object ? "an input" : "an output") +
                       " in an image object needs image support, which " + device.name + " lacks");
  }
  rule(!p.async || device.async_copy,
       "async needs cp.async: NVIDIA of compute capability 8.0 or more");
  rule(p.registers == 0 || device.inline_ptx, "a limit of registers needs NVIDIA's compiler");
  const convolve_geometry g = geometry_of(p, v);
  const long items = static_cast<long>(g.group_x) * g.group_y;
  rule(items <= device.max_work_group,
       "the policy's work-group must fit the device's limit of work-items", items,
       device.max_work_group);
  rule(items >= static_cast<long>(p.items_x) * p.items_y,
       "the items that load the tile must be at least those that compute");
  rule(g.local_bytes <= device.local_bytes,
       "the policy's tile with its apron must fit the local memory of the device in bytes",
       static_cast<long>(g.local_bytes), static_cast<long>(device.local_bytes));
  const long by_value = filter_bytes_by_value(device);
  rule(p.filter != filter_place::value || long{v.taps()} * v.sum.bytes <= by_value,
       "filter value needs coefficients that fit the kernel's arguments in bytes",
       long{v.taps()} * v.sum.bytes, by_value);
}

}  // namespace clprim
