#pragma once
// A problem and a policy -> the launches that solve it: one, or one per axis of a separable filter.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <clprim/convolve/pass.hpp>

namespace clprim {

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

#ifndef CLPRIM_COMPILED
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
                     down = (passes_rows(policy.method) ? 1 : g.out_y) * std::int64_t{v.y.stride};
  settle_border(v.x, p.in.extent[0], p.reflected[0], across);
  settle_border(v.y, p.in.extent[1], p.reflected[1], down);
  settle_border(v.z, p.in.extent[2], p.reflected[2], 0);
  v.flat = !p.empty() && grid_of(pass).flat();
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
  const convolve_variant plane{
      .channels = p.channels, .x = p.axes[0], .y = p.axes[1], .separable = true};
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
    // What comes after an image object lies in a buffer, after a line buffer planes alone are left.
    convolve_policy own = policy;
    if (!first &&
        (own.method == convolve_method::image || own.method == convolve_method::line_buffer))
      own.method = convolve_method::direct;
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
#endif

}  // namespace clprim
