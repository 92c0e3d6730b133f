#pragma once
// A campaign of drawn convolutions of one type under policies of one method.

#include <string>

#include "convolve/drawn.hpp"

namespace support {

template <class T, class Out = T, class Sum = clprim::pixel_accumulator_t<T>>
void any_convolution(const char* name, clprim::convolve_method method, int cases,
                     draw_limits limits = {}) {
  using namespace clprim;
  run_campaign(name, cases, [&](draw& d) {
    const session& s = d.chance(20) ? out_of_order_session() : device_session();
    drawn_convolution c = draw_convolution(d, limits);
    while (!has_outputs(c) && !d.chance(5)) c = draw_convolution(d, limits);
    // The steps that these methods refuse.
    const bool ring = method == convolve_method::ring;
    if (walks_strips(method)) c.axes[0].stride = 1;
    if (method == convolve_method::line_buffer) c.axes[1].stride = 1;
    if (ring) c.axes[1].stride = c.axes[1].dilation = 1;
    if (ring && limits.separable) c.axes[2].stride = c.axes[2].dilation = 1;  // a pass along y, too
    convolve_options options = options_of(c);
    const bool tuned = d.chance(15), in_buffer = d.chance(15);
    options.rounding = d.one_of({pixel_rounding::nearest_even, pixel_rounding::toward_zero,
                                 pixel_rounding::downward, pixel_rounding::upward});
    if (!tuned) {
      options.policy = draw_convolve_policy(d, method);
      if (in_buffer)
        options.policy->filter = d.one_of({filter_place::constant, filter_place::buffer});
    }
    if (d.chance(70)) draw_images_anew(d, c);
    std::string complaint;
    try {
      complaint = complaint_of<T, Out, Sum>(d, s, c, options, in_buffer);
    } catch (const policy_error& e) {
      complaint = e.what();
      if (complaint.find("must fit") != std::string::npos) complaint.clear();
    }
    if (complaint.empty()) return complaint;
    return complaint + "\n" + text_of(c) + "\n" +
           (tuned ? std::string("the tuned policy") : to_string(*options.policy));
  });
}

}  // namespace support
