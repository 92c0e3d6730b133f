// What other devices get, run here: the choice by their facts, the portable text.

#include "support/other_devices.hpp"

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "convolve/any.hpp"
#include "convolve/drawn_layer.hpp"
#include "support/sequence.hpp"

using namespace clprim;
using namespace support;

namespace {

template <class T, class Out = T, class Sum = pixel_accumulator_t<T>>
void as_others_get_it(const char* name, int cases, draw_limits limits = {}) {
  run_campaign(name, cases, [&](draw& d) -> std::string {
    const session& s = sequence_session(d.chance(70));
    const device_facts facts = drawn_device(d, facts_of(s.device));
    const bool doubles = describe_element<T>().needs_fp64 || describe_element<Out>().needs_fp64 ||
                         describe_element<Sum>().needs_fp64;
    if (doubles && !facts.fp64) return {};
    const assume_device as_if(facts);
    draw_limits own = limits;
    if (d.chance(30)) {  // that rings and line buffers are for
      own.taps = d.one_of({9, 17, 21, 45});
      own.deep = own.stepped = false;
    }
    drawn_convolution c = draw_convolution(d, own);
    while (!has_outputs(c)) c = draw_convolution(d, own);
    convolve_options options = options_of(c);
    options.rounding = d.one_of({pixel_rounding::nearest_even, pixel_rounding::toward_zero,
                                 pixel_rounding::downward, pixel_rounding::upward});
    options.filter_is_fixed = d.chance(20);
    const std::string complaint = complaint_of<T, Out, Sum>(d, s, c, options, d.chance(15));
    return complaint.empty() ? complaint : complaint + "\n" + describe(facts) + "\n" + text_of(c);
  });
}

}  // namespace

CAMPAIGN("convolutions of float as other devices get them") {
  as_others_get_it<float>("float of others", 6);
  as_others_get_it<float>("separable float of others", 4, {.separable = true});
  as_others_get_it<float>("volumes of others", 1, {.taps = 3, .deep = true});
  as_others_get_it<float>("separable volumes of others", 1,
                          {.taps = 4, .deep = true, .separable = true});
}

CAMPAIGN("convolutions of other types as other devices get them") {
  as_others_get_it<half>("half of others", 1);
  as_others_get_it<double>("double of others", 1);
  as_others_get_it<std::uint8_t>("bytes of others", 2);
  as_others_get_it<std::uint8_t>("separable bytes of others", 1, {.separable = true});
  as_others_get_it<std::uint16_t, float>("uint16 of others", 1);
  as_others_get_it<std::int16_t>("int16 of others", 1);
  as_others_get_it<std::uint8_t, std::int16_t, std::int32_t>("exact bytes of others", 1);
  as_others_get_it<std::int32_t, std::int32_t, std::int64_t>("exact int32 of others", 1);
}

CAMPAIGN("convolutions of channels as other devices get them") {
  const auto of = []<class T>(const char* name, int cases, T) {
    run_campaign(name, cases, [](draw& d) -> std::string {
      const device_facts facts = drawn_device(d, facts_of(device_session().device));
      if (describe_element<T>().needs_fp64 && !facts.fp64) return {};
      const assume_device as_if(facts);
      const std::string complaint = complaint_of_layer<T>(d, layer_policy::chosen);
      return complaint.empty() ? complaint : complaint + "\n" + describe(facts);
    });
  };
  of("layers of others", 4, float{});
  of("layers of half of others", 1, half{});
  of("layers of double of others", 1, double{});
}
