#pragma once
// A problem and a policy -> the launches that solve it: one, or one per axis of a separable filter.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <clprim/convolve/problem.hpp>
#include <clprim/runtime/launch.hpp>

namespace clprim {

/// One launch.
struct convolve_pass {
  convolve_policy policy{};
  convolve_variant variant{};
  convolve_image in{}, out{};  ///< without memory: the workspace
  std::array<int, 3> first{};  ///< of the first tap of output 0: x, y, z
  std::int64_t batch = 1;
  int tap_begin = 0;  ///< of the filter's coefficients
};

/// All launches of a problem, and the memory between them.
struct convolve_schedule {
  std::vector<convolve_pass> passes{};
  std::int64_t workspace_bytes = 0;
};

/// What a schedule was made of.
struct known_schedule {
  convolve_problem problem{};
  bool in_buffer = false;  ///< the coefficients are
  convolve_schedule schedule{};
};

/// The types of a convolution.
struct convolve_types {
  element in{}, out{}, sum{};
};

namespace detail {

/// The largest power of two up to 16 that all distances of an image are multiples of.
inline int alignment_of(const convolve_image& i, std::int64_t batch) {
  std::int64_t bits = i.offset | i.alignment;
  if (i.extent[1] > 1) bits |= i.pitch;
  if (i.extent[2] > 1) bits |= i.slice;
  if (batch > 1) bits |= i.stride;
  return static_cast<int>(bits & -bits);
}

/// A border as the kernel is built for it: what no tap reaches reads as replicate, and `far` is set
/// where an index, also one past the output's end that a whole tile computes, would be folded
/// twice.
inline void settle_border(convolve_axis& a, std::int64_t extent, std::int64_t outside,
                          std::int64_t overhang) {
  const auto folds = [](border_mode m) {
    return m == border_mode::reflect || m == border_mode::reflect_101 || m == border_mode::wrap;
  };
  if (outside == 0) a.border = border_mode::none;
  a.far = (folds(a.border.lower) || folds(a.border.upper)) && extent < outside + overhang + 2;
}

/// A pass over one or all axes: variant and borders settled.
inline convolve_pass make_pass(const convolve_problem& p, const convolve_policy& policy,
                               const convolve_types& types, pixel_rounding rounding, bool last) {
  convolve_pass pass{.policy = policy, .in = p.in, .out = p.out, .batch = p.batch};
  convolve_variant& v = pass.variant;
  v = {.in = types.in,
       .out = types.out,
       .sum = types.sum,
       .channels = p.channels,
       .x = p.axes[0],
       .y = p.axes[1],
       .z = p.axes[2],
       .separable = p.separable,
       .flipped = p.flipped,
       .finish = last,
       .deep = p.out.extent[2] > 1,
       .rounding = last ? rounding : pixel_rounding::nearest_even,
       .in_object = p.in.is_object,
       .out_object = p.out.is_object,
       .in_alignment = p.in.is_object ? 1 : std::min(policy.vector, alignment_of(p.in, p.batch)),
       .out_alignment = std::min(policy.vector, alignment_of(p.out, p.batch)),
       .phase = 0};
  for (std::size_t a = 0; a < 3; ++a) pass.first[a] = static_cast<int>(p.first[a]);
  if (v.x.stride == 1 && v.in_alignment % policy.vector == 0 &&
      policy.method != convolve_method::rows && !v.in_object) {
    const std::int64_t begin = p.first[0] * p.channels % policy.vector;
    v.phase = static_cast<int>(begin < 0 ? begin + policy.vector : begin);
  }
  const convolve_geometry g = geometry_of(policy, v);
  if (policy.method == convolve_method::fft) {  // whole tiles are loaded, wherever they end
    constexpr std::int64_t anywhere = std::int64_t{1} << 40;
    settle_border(v.x, p.in.extent[0], p.reflected[0], anywhere);
    settle_border(v.y, p.in.extent[1], p.reflected[1], anywhere);
    settle_border(v.z, p.in.extent[2], p.reflected[2], anywhere);
    return pass;
  }
  const std::int64_t across = (g.out_x / p.channels + 16) * std::int64_t{v.x.stride},
                     down = (policy.method == convolve_method::ring ? 1 : g.out_y) *
                            std::int64_t{v.y.stride};
  settle_border(v.x, p.in.extent[0], p.reflected[0], across);
  settle_border(v.y, p.in.extent[1], p.reflected[1], down);
  settle_border(v.z, p.in.extent[2], p.reflected[2], 0);
  return pass;
}

/// Places of the input that the outputs of an axis need.
inline std::int64_t needed(const convolve_problem& p, std::size_t axis) {
  return (p.out.extent[axis] - 1) * p.axes[axis].stride + p.axes[axis].span();
}

/// Rows and planes change places, so that a pass along z is one along y.
inline void turn(convolve_problem& p) {
  std::swap(p.axes[1], p.axes[2]);
  std::swap(p.first[1], p.first[2]);
  std::swap(p.reflected[1], p.reflected[2]);
  for (convolve_image* i : {&p.in, &p.out}) {
    std::swap(i->extent[1], i->extent[2]);
    std::swap(i->pitch, i->slice);
  }
}

/// The intermediate volume of `extent` pixels.
inline convolve_image intermediate(const std::array<std::int64_t, 3>& extent, int channels) {
  convolve_image i{.extent = extent};
  i.pitch = round_up(static_cast<int>(extent[0]) * channels, 16);
  i.slice = i.pitch * extent[1];
  i.stride = saturated(i.slice, extent[2]);
  return i;
}

}  // namespace detail

/// The launches of a problem. A separable filter is one launch where the policy fuses its passes
/// and its method can, else one per axis: along x over all rows and planes that the others need,
/// the border's among them, so that the others know no border.
inline convolve_schedule schedule_of(const convolve_problem& p, const convolve_policy& policy,
                                     const convolve_types& types, pixel_rounding rounding) {
  using namespace detail;
  convolve_schedule s;
  if (!p.separable) {
    s.passes.push_back(make_pass(p, policy, types, rounding, true));
    return s;
  }
  const bool deep = p.axes[2].taps > 1;
  const convolve_variant plane{.x = p.axes[0], .y = p.axes[1], .separable = true};
  const bool fused = policy.fused && refusal_of(policy, plane).empty();
  const int steps = (fused ? 1 : 2) + (deep ? 1 : 0);
  convolve_problem rest = p;  // what is still to be done, on what the last pass has made
  convolve_types at = types;
  std::int64_t place = 0;
  int begin = 0;
  for (int step = 0; step < steps; ++step) {
    const bool last = step + 1 == steps, first = step == 0;
    const std::size_t axis = first ? 0 : step == 1 && !fused ? 1 : 2;
    convolve_problem now = rest;
    now.separable = fused && first;
    for (std::size_t a = 0; a < 3; ++a) {
      const bool done = a == axis || (first && ((a == 1 && fused) || (a == 2 && !deep)));
      if (done) {
        rest.axes[a] = {};
        continue;
      }
      now.axes[a] = {.border = rest.axes[a].border};
      now.out.extent[a] = needed(rest, a);
    }
    at.out = last ? types.out : types.sum;
    if (!last) {
      now.out = intermediate(now.out.extent, p.channels);
      now.out.offset = place;
      place = saturated(now.out.stride, p.batch, place);
    }
    rest.in = now.out;
    rest.first = rest.reflected = {};
    if (axis == 2) turn(now);
    convolve_policy own = policy;  // what comes after an image object lies in a buffer
    if (own.method == convolve_method::image && !first) own.method = convolve_method::direct;
    convolve_pass pass = make_pass(now, own, at, rounding, last);
    pass.variant.turned = axis == 2;
    pass.tap_begin = begin;
    begin += now.separable ? p.axes[0].taps + p.axes[1].taps : p.axes[axis].taps;
    s.passes.push_back(pass);
    at.in = types.sum;
  }
  s.workspace_bytes = saturated(place, types.sum.bytes);
  return s;
}

/// Method direct: the outputs of items whose windows lie inside, in elements and rows, and the rows
/// of groups that make the others.
struct convolve_interior {
  std::int64_t e_begin = 0, e_end = 0, y_begin = 0, y_end = 0;
  std::int64_t edge_rows = 0;
};

inline convolve_interior interior_of(const convolve_pass& pass) {
  const convolve_variant& v = pass.variant;
  const convolve_geometry g = geometry_of(pass.policy, v);
  const std::int64_t width = pass.out.extent[0] * v.channels, height = pass.out.extent[1];
  convolve_interior inner;
  if (g.rolled) return inner;
  const std::int64_t columns = width / g.per_item_x, rows = height / g.per_item_y;
  const auto left = [&](std::int64_t item) {  // of its window
    const std::int64_t e = item * g.per_item_x;
    return (v.x.stride == 1 ? e : e / v.channels * v.x.stride * v.channels) +
           std::int64_t{pass.first[0]} * v.channels - g.phase;
  };
  const auto top = [&](std::int64_t item) {
    return pass.first[1] + item * g.per_item_y * v.y.stride;
  };
  // The first item of 0 … n - 1 for which `yes`, which holds from there on.
  const auto first = [](std::int64_t n, const auto& yes) {
    std::int64_t low = 0;
    while (low < n) {
      const std::int64_t middle = low + (n - low) / 2;
      if (yes(middle)) {
        n = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  };
  const std::int64_t in_width = pass.in.extent[0] * v.channels, in_height = pass.in.extent[1];
  const std::int64_t x_begin = first(columns, [&](std::int64_t i) { return left(i) >= 0; }),
                     x_end =
                         first(columns,
                               [&](std::int64_t i) { return left(i) + g.window_read > in_width; }),
                     y_begin = first(rows, [&](std::int64_t i) { return top(i) >= 0; }),
                     y_end =
                         first(rows, [&](std::int64_t i) { return top(i) + g.rows > in_height; });
  if (x_begin < x_end && y_begin < y_end) {
    inner = {.e_begin = x_begin * g.per_item_x,
             .e_end = x_end * g.per_item_x,
             .y_begin = y_begin * g.per_item_y,
             .y_end = y_end * g.per_item_y};
  }
  const std::int64_t edge =
      (width + g.per_item_x - 1) / g.per_item_x * height -
      (inner.e_end - inner.e_begin) / g.per_item_x * (inner.y_end - inner.y_begin);
  const std::int64_t across = (width + g.out_x - 1) / g.out_x * g.group_x * g.group_y;
  inner.edge_rows = (edge + across - 1) / across;
  return inner;
}

/// The launch of a pass. Throws argument_error when there are more groups than every device takes.
inline launch launch_of(const convolve_pass& pass) {
  const convolve_geometry g = geometry_of(pass.policy, pass.variant);
  const auto groups = [](std::int64_t all, std::int64_t each, std::int64_t most, const char* what) {
    const std::int64_t n = (all + each - 1) / each;
    if (n <= most) return static_cast<std::size_t>(n);
    throw argument_error(std::string("work-groups ") + what,
                         "must be as many as devices start side by side", std::to_string(n),
                         "at most " + std::to_string(most));
  };
  constexpr std::int64_t wide = std::numeric_limits<std::int32_t>::max(), narrow = 65535;
  const auto gx = static_cast<std::size_t>(g.group_x), gy = static_cast<std::size_t>(g.group_y);
  const std::size_t x =
      groups(pass.out.extent[0] * pass.variant.channels, g.out_x, wide, "along x");
  const std::int64_t edge_rows =
      pass.policy.method == convolve_method::direct ? interior_of(pass).edge_rows : 0;
  const std::size_t y =
      groups(pass.out.extent[1] + edge_rows * g.out_y, g.out_y, narrow, "along y");
  const std::size_t z =
      groups(pass.out.extent[2] * pass.batch, 1, narrow, "of planes and images of the batch");
  return {3, {x * gx, y * gy, z}, {gx, gy, 1}};
}

}  // namespace clprim
