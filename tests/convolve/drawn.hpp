#pragma once
// Drawing convolutions and policies.

#include "convolve/reference.hpp"

namespace support {

struct draw_limits {
  int taps = 6;
  bool deep = false;    ///< three dimensions
  bool stepped = true;  ///< strides and dilations
  bool separable = false;
};

/// How long an axis is, the pixels around a view with it.
inline void draw_length(draw& d, drawn_axis& a, int size) {
  a.inside = d.between(1, size);
  a.before = a.after = 0;
  if (d.chance(30)) {
    a.before = d.between(0, 3);
    a.after = d.between(0, 3);
  }
}

inline drawn_axis draw_axis(draw& d, const drawn_convolution& c, int size, const draw_limits& l) {
  using enum clprim::border_mode;
  drawn_axis a;
  draw_length(d, a, size);
  a.taps = d.between(1, l.taps);
  if (l.stepped && d.chance(20)) a.stride = d.between(1, 3);
  if (l.stepped && d.chance(20)) a.dilation = d.between(1, 3);
  const bool needs_anchor = a.taps % 2 == 0 && c.extent == clprim::output_extent::same;
  if (needs_anchor || d.chance(20)) a.anchor = d.between(0, a.taps - 1);
  a.border = d.one_of({constant, replicate, reflect, reflect_101, wrap, none});
  const int n = a.before + a.inside + a.after, apron = (a.taps - 1) * a.dilation;
  if (d.chance(15) && n > apron + a.stride) a.border.upper = d.one_of({constant, reflect, none});
  return a;
}

/// How the images lie in memory.
inline void draw_gaps(draw& d, drawn_convolution& c) {
  c.gap = c.offset = c.out_gap = c.out_offset = c.slice_gap = 0;
  const int unit = d.one_of({1, 4, 16});
  if (d.chance(50)) c.gap = unit * d.between(0, 3);
  if (d.chance(50)) c.offset = unit * d.between(0, 3);
  if (d.chance(50)) c.out_gap = unit * d.between(0, 3);
  if (d.chance(50)) c.out_offset = unit * d.between(0, 3);
  if (d.chance(60)) {  // rows that are whole vectors
    const int pixels = c.axes[0].before + c.axes[0].inside + c.axes[0].after;
    c.gap = (16 - pixels * c.channels % 16) % 16;
    c.offset = c.out_offset = 0;
  }
  if (c.axes[2].before + c.axes[2].inside + c.axes[2].after > 1) c.slice_gap = d.between(0, 5);
}

inline drawn_convolution draw_convolution(draw& d, const draw_limits& l = {}) {
  drawn_convolution c;
  c.channels = d.one_of({1, 1, 1, 2, 3, 4});
  c.batch = d.one_of({1, 1, 1, 2});
  c.extent = d.one_of({clprim::output_extent::same, clprim::output_extent::same,
                       clprim::output_extent::valid, clprim::output_extent::full});
  if (d.chance(30)) c.direction = clprim::sliding::convolution;
  c.axes[0] = draw_axis(d, c, d.one_of({5, 40, 150}), l);
  c.axes[1] = draw_axis(d, c, d.one_of({5, 40}), l);
  if (l.deep) c.axes[2] = draw_axis(d, c, 6, {.taps = 3, .stepped = l.stepped});
  draw_gaps(d, c);
  c.border_value = d.one_of({0, 0, 1, -3});
  c.separable = l.separable;
  return c;
}

inline bool has_outputs(const drawn_convolution& c) {
  return std::all_of(c.axes.begin(), c.axes.end(),
                     [&](const drawn_axis& a) { return !first_taps(c, a).empty(); });
}

/// Other images for the same kernels, where their borders allow it.
inline void draw_images_anew(draw& d, drawn_convolution& c) {
  d.kernels_are_chosen();
  drawn_convolution other = c;
  for (drawn_axis* const a : {&other.axes[0], &other.axes[1]}) {
    draw_length(d, *a, d.one_of({5, 40}));
    if (a->before + a->inside + a->after <= (a->taps - 1) * a->dilation + a->stride) return;
  }
  draw_gaps(d, other);
  if (has_outputs(other)) c = other;
}

/// A policy of the given method.
inline clprim::convolve_policy draw_convolve_policy(draw& d, clprim::convolve_method method) {
  using namespace clprim;
  convolve_policy p{.method = method};
  p.filter = d.one_of(
      {filter_place::value, filter_place::constant, filter_place::buffer, filter_place::literals});
  p.unaligned = d.chance(30);
  p.fused = d.chance(60);
  p.vector = d.one_of({1, 2, 4, 8});
  switch (method) {
    case convolve_method::direct:
      p.items_x = d.one_of({1, 8, 32});
      p.items_y = d.one_of({1, 4});
      p.per_item_x = p.vector * d.one_of({1, 2});
      p.per_item_y = d.one_of({1, 2, 3});
      break;
    case convolve_method::tile:
      p.items_x = d.one_of({4, 8, 16});
      p.items_y = d.one_of({2, 4, 8});
      p.vector = d.one_of({1, 2});
      p.per_item_x = p.vector;
      p.per_item_y = d.one_of({1, 2});
      p.apron = d.one_of(
          {apron_load::item_per_pixel, apron_load::several_loads, apron_load::block_per_item});
      p.loads = d.one_of({1, 2, 3});
      break;
    case convolve_method::ring:
      p.items_x = d.one_of({8, 32});
      p.items_y = p.per_item_y = 1;
      p.per_item_x = p.vector;
      p.strip = d.one_of({5, 16, 64});
      p.in_flight = d.one_of({1, 2, 4});
      break;
    case convolve_method::fft:
      p.items_x = d.one_of({16, 64});
      p.items_y = d.one_of({1, 2});
      p.columns = d.one_of({8, 32, 64});
      p.strip = d.one_of({8, 32, 64});
      p.filter = d.one_of({filter_place::constant, filter_place::buffer});
      p.vector = p.per_item_x = p.per_item_y = 1;
      break;
    case convolve_method::image: break;  // has tests of its own
    case convolve_method::line_buffer:
      p.per_item_y = d.one_of({1, 2, 4, 8});
      p.items_x = p.per_item_y * d.one_of({1, 3, 8});
      p.items_y = p.vector = 1;
      p.per_item_x = d.one_of({1, 2, 4, 8});
      p.strip = d.one_of({5, 16, 64});
      p.fused = true;
      break;
    case convolve_method::rows:
      p.items_x = p.items_y = 1;
      p.vector = d.one_of({4, 8, 16});
      p.per_item_x = p.vector * d.one_of({1, 2});
      p.per_item_y = d.one_of({1, 2, 4});
      p.columns = p.per_item_x * d.one_of({1, 3, 8});
      p.strip = p.per_item_y * d.one_of({1, 4, 16});
      p.staged = d.chance(50);
      p.streaming = d.chance(30);
      break;
  }
  return p;
}

}  // namespace support
