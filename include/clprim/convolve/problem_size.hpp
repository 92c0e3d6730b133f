#pragma once
// A checked convolution in the terms of the choice of its policy.

#include <algorithm>

#include <clprim/convolve/options.hpp>
#include <clprim/convolve/passes.hpp>
#include <clprim/convolve/size.hpp>
#include <clprim/convolve/tuned.hpp>

namespace clprim {

inline convolve_size size_of(const convolve_problem& p, const convolve_types& types,
                             const convolve_options& options, bool in_buffer) {
  const auto& [x, y, z] = p.axes;
  const bool real = is_floating(types.sum) && (types.in.is_half || is_floating(types.in)) &&
                    (types.out.is_half || is_floating(types.out));
  return {.taps_x = x.taps,
          .taps_y = y.taps,
          .taps_z = z.taps,
          .separable = p.separable,
          .stepped_x = x.stride > 1,
          .stepped_y = y.stride > 1 || y.dilation > 1,
          .stepped_z = z.stride > 1 || z.dilation > 1,
          .channels = p.channels,
          .reach = (x.span() - 1) * p.channels,
          .width = p.out.extent[0] * p.channels,
          .height = p.out.extent[1],
          .in_bytes = types.in.bytes,
          .sum_bytes = types.sum.bytes,
          .fixed = options.filter_is_fixed,
          .in_buffer = in_buffer,
          .in_object = p.in.is_object,
          .out_object = p.out.is_object,
          .converted = types.in.name != types.sum.name,
          .aligned = std::min(detail::alignment_of(p.in, p.batch),
                              detail::alignment_of(p.out, p.batch)) >= 4,
          .transforms = options.transforms && real && !in_buffer && !p.separable &&
                        !p.in.is_object && !p.out.is_object,
          .outputs = p.out.extent,
          .images = p.batch * p.channels,
          .strides = {x.stride, y.stride, z.stride},
          .dilations = {x.dilation, y.dilation, z.dilation}};
}

}  // namespace clprim
