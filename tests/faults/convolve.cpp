#include <vector>

#include <clprim/convolve.hpp>

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
         [&](convolve<float>& smooth) {
           smooth(in, small, out);
           smooth(in, changed, out);
           smooth(in, small, out);
         },
         {b}});
}
