#pragma once
// A choice made to fit a device: its groups, its local memory, what a method can do.

#include <algorithm>
#include <cstdint>

#include <clprim/convolve/policy.hpp>
#include <clprim/convolve/size.hpp>
#include <clprim/convolve/variant.hpp>
#include <clprim/core/device_facts.hpp>

namespace clprim::detail {

/// Whether every launch of a problem under `p` lies within the device's groups and local memory;
/// of images the worst place is taken, where a window begins just before an aligned one.
constexpr bool fits(const convolve_policy& p, const convolve_size& s, const device_facts& device) {
  const auto axis = [&](int taps, std::size_t a) {
    return convolve_axis{.taps = taps, .stride = s.strides[a], .dilation = s.dilations[a]};
  };
  const convolve_axis none{}, x = axis(s.taps_x, 0), y = axis(s.taps_y, 1), z = axis(s.taps_z, 2);
  const auto one = [&](const convolve_axis& across, const convolve_axis& down, bool separable) {
    convolve_variant v{.channels = s.channels, .x = across, .y = down, .separable = separable};
    v.sum.bytes = v.in.bytes = s.sum_bytes;
    v.in_alignment = v.out_alignment = 16;
    v.phase = 15;
    const convolve_geometry g = geometry_of(p, v);
    return std::int64_t{g.group_x} * g.group_y <= device.max_work_group &&
           static_cast<std::size_t>(g.group_x) <= device.max_items[0] &&
           static_cast<std::size_t>(g.group_y) <= device.max_items[1] &&
           g.local_bytes <= device.local_bytes;
  };
  if (!s.separable) return one(x, y, false);
  if (p.method == convolve_method::line_buffer) return one(x, y, true);
  // In one launch, or along each axis; z takes the place of y then.
  return one(x, y, true) && one(x, none, false) && one(none, y, false) && one(none, z, false);
}

/// A ring of fewer rows in flight and narrower groups.
constexpr bool shrink_ring(convolve_policy& p) {
  if (p.in_flight > 3) {
    p.in_flight /= 2;
  } else if (p.items_x > 32) {
    p.items_x /= 2;
  } else if (p.in_flight > 1) {
    --p.in_flight;
  } else {
    return false;
  }
  p.unroll = std::min(p.unroll, p.in_flight);
  return true;
}

/// Strips of fewer columns, then smaller blocks.
constexpr bool shrink_rows(convolve_policy& p) {
  if (p.columns > p.per_item_x) {
    p.columns = std::max(1, p.columns / p.per_item_x / 2) * p.per_item_x;
  } else if (p.per_item_y > 1) {
    p.per_item_y = 1;
  } else if (p.per_item_x > p.vector) {
    p.columns = p.per_item_x = p.vector;
  } else {
    return false;
  }
  return true;
}

/// The choice `p` made smaller until it fits; `direct`, which needs no local memory, where it
/// cannot.
constexpr convolve_policy fitted(convolve_policy p, convolve_policy direct, const convolve_size& s,
                                 const device_facts& device) {
  const auto fit_group = [&](convolve_policy& one) {
    while (one.items_x * one.items_y > device.max_work_group ||
           static_cast<std::size_t>(one.items_x) > device.max_items[0] ||
           static_cast<std::size_t>(one.items_y) > device.max_items[1]) {
      int& items = one.items_y > 1 ? one.items_y : one.items_x;
      items /= 2;
    }
  };
  fit_group(p);
  fit_group(direct);
  if (p.method == convolve_method::ring) {
    // Fewer items would each load many vectors of the apron.
    if (p.items_x < 16) return direct;
    while (!fits(p, s, device))
      if (!shrink_ring(p)) return direct;
  }
  if (p.method == convolve_method::line_buffer) {
    while (p.items_x > 32 && !fits(p, s, device)) p.items_x /= 2;
    if (p.items_x < 32 || !fits(p, s, device)) return direct;
  }
  if (p.method == convolve_method::rows) {
    while (!fits(p, s, device))
      if (!shrink_rows(p)) return direct;
  }
  return p;
}

}  // namespace clprim::detail
