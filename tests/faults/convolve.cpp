#include <cstdint>
#include <string>
#include <vector>

#include <clprim/convolve.hpp>

#include "convolve/small_product.hpp"
#include "faults/sweep.hpp"

using namespace clprim;
using support::check_faults, support::small_integers;

TEST_CASE("a convolution in whose calls something fails throws, and is right the next time") {
  const session& s = support::device_session();
  constexpr std::int64_t width = 90, height = 60;
  const cl::Buffer a = small_integers(s, width * height), b = small_integers(s, width * height);
  const std::vector<float> nine{1, 2, 1, 0, 3, -2, 1, 1, 4}, other{2, 2, 2, 0, 1, 1, -1, 0, 0};
  const auto small = filter_2d<float>(3, 3, nine), changed = filter_2d<float>(3, 3, other);
  const auto separable =
      separable_filter<float>(std::vector<float>{1, 2, 1, 3, 1}, std::vector<float>{1, 4, 1});
  const auto in = image<float>(a, width, height), out = image<float>(b, width, height);
  const auto with = [](convolve_method method) {
    return [method](const cl::CommandQueue& q) {
      convolve_options options;
      options.policy = convolve_policy{.method = method, .filter = filter_place::constant};
      return convolve<float>(q, options);
    };
  };
  const auto usual = [](const cl::CommandQueue& q) { return convolve<float>(q); };
  check_faults<convolve<float>>(
      {"direct", usual, [&](convolve<float>& smooth) { smooth(in, small, out); }, {b}});
  check_faults<convolve<float>>(
      {"separable", usual, [&](convolve<float>& smooth) { smooth(in, separable, out); }, {b}});
  // A filter, another one, the first one again: what is kept of one is not taken for the other.
  for (const convolve_method method : {convolve_method::direct, convolve_method::fft})
    check_faults<convolve<float>>(
        {"filters in turn, method " + std::to_string(static_cast<int>(method)),
         with(method),
         [&](convolve<float>& smooth) {  // which write one output: events order them
           const cl::Event first = smooth(in, small, out);
           const cl::Event second = smooth(in, changed, out, {first});
           smooth(in, small, out, {second});
         },
         {b}});
}

TEST_CASE("each method of convolution throws where something fails, and is right the next time") {
  const session& s = support::device_session();
  constexpr std::int64_t width = 90, height = 60;
  const cl::Buffer a = small_integers(s, width * height), b = small_integers(s, width * height);
  const auto small = filter_2d<float>(3, 3, std::vector<float>{1, 2, 1, 0, 3, -2, 1, 1, 4});
  const auto in = image<float>(a, width, height), out = image<float>(b, width, height);
  const convolve_policy tile{.method = convolve_method::tile, .items_x = 8, .items_y = 8};
  const convolve_policy ring{
      .method = convolve_method::ring, .items_y = 1, .per_item_y = 1, .strip = 16};
  const convolve_policy rows{.method = convolve_method::rows, .items_x = 1, .items_y = 1};
  for (const convolve_policy& policy : {tile, ring, rows}) {
    for (const filter_place place : {filter_place::value, filter_place::buffer}) {
      convolve_options options{.policy = policy};
      options.policy->filter = place;
      check_faults<convolve<float>>(
          {"method " + detail::value_text(policy.method) + ", " + detail::value_text(place),
           [=](const cl::CommandQueue& q) { return convolve<float>(q, options); },
           [&](convolve<float>& smooth) { smooth(in, small, out); },
           {b}});
    }
  }
}

TEST_CASE("a convolution of channels in whose calls something fails throws, and is right then") {
  const session& s = support::device_session();
  const cl::Buffer x = small_integers(s, 2 * 16 * 12 * 12), w = small_integers(s, 32 * 16 * 9),
                   y = small_integers(s, 2 * 32 * 12 * 12);
  for (const channels_method method : {channels_method::direct, channels_method::product}) {
    channels_options options{.padding = {1, 1}};
    if (method == channels_method::product) {
      options.product = support::small_product;
    } else {
      options.policy = channels_policy{.items = 8, .per_item_x = 3, .per_item_channels = 2};
    }
    check_faults<convolve_channels<float>>(
        {"channels, " + detail::value_text(method),
         [=](const cl::CommandQueue& q) { return convolve_channels<float>(q, options); },
         [&](convolve_channels<float>& layer) {
           layer(nchw<float>(x, 2, 16, 12, 12), nchw<float>(w, 32, 16, 3, 3),
                 nchw<float>(y, 2, 32, 12, 12));
         },
         {y}});
  }
}
