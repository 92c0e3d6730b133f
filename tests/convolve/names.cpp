// User parameters may have any name that the body does not see already.

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/convolve.hpp>

#include "support/device.hpp"
#include "support/refusal.hpp"
#include "support/taken_names.hpp"

using namespace clprim;
using namespace support;

namespace {

/// Those of others, and the names of these kernels, less what a map sees.
taken_names names_of_convolutions() {
  taken_names all;
  std::erase_if(all.names, [](const std::string& n) { return n == "x" || n == "y" || n == "z"; });
  for (const char* const own :
       {"C",       "KX",    "KY",        "SX",       "DX",          "PX",     "PY",    "NV",
        "PHASE",   "ROWS",  "WINDOW",    "SUM",      "SUM_V",       "SOURCE", "SINK",  "IMAGES",
        "TAP_ROW", "MAP_X", "border",    "in_width", "filter_taps", "acc",    "image", "plane",
        "sums",    "row",   "map_value", "GROUP_X",  "ITEMS_X",     "METHOD", "SLABS"})
    if (std::find(all.names.begin(), all.names.end(), own) == all.names.end())
      all.names.emplace_back(own);
  return all;
}

}  // namespace

TEST_CASE("parameters of a map may be named like anything of the kernel") {
  const session& s = device_session();
  const taken_names taken = names_of_convolutions();
  CHECK(taken.names.size() >= 40);
  const function map = taken.times("value");
  const std::vector<argument> values = taken.values();
  guarded_buffer<float> a(s, std::vector<float>(64, 1.0f), 0);
  const float product = taken.expected({1.0f})[0];
  for (const convolve_method method :
       {convolve_method::direct, convolve_method::tile, convolve_method::ring,
        convolve_method::rows, convolve_method::fft, convolve_method::line_buffer}) {
    const bool lines = method == convolve_method::line_buffer;
    convolve_policy p{.method = method, .items_x = 8, .vector = lines ? 1 : 4};
    p.filter = filter_place::constant;
    if (method != convolve_method::direct) p.items_y = p.per_item_y = 1;
    if (method == convolve_method::rows) p.items_x = 1;
    guarded_buffer<float> b(s, std::vector<float>(64), 0);
    convolve<float> run(s.queue, {.policy = p, .map = map});
    const auto taps = lines ? separable_filter<float>({1}, {1}) : filter_1d<float>({1});
    wait_for(run(image<float>(a.buffer(), 8, 8), taps, image<float>(b.buffer(), 8, 8), {}, values));
    CHECK(b.read()[9] == doctest::Approx(product).epsilon(1e-4));
  }
  convolve_channels<float> layer(s.queue, {.map = map});
  guarded_buffer<float> one(s, std::vector<float>(1, 1.0f), 0), b(s, std::vector<float>(64), 0);
  wait_for(layer(nchw<float>(a.buffer(), 1, 1, 8, 8), nchw<float>(one.buffer(), 1, 1, 1, 1),
                 nchw<float>(b.buffer(), 1, 1, 8, 8), {}, values));
  CHECK(b.read()[9] == product);
}

TEST_CASE("a parameter named like what a map sees is refused, and a map that yields nothing") {
  const session& s = device_session();
  for (const char* const seen : {"value", "x", "y", "z", "channel", "batch"}) {
    const function map{"return value;", {value<float>(seen)}};
    const std::string wanted =
        "parameter 0 of the map must not have a name that the body sees "
        "already: '" +
        std::string(seen) + "' given, another name";
    CHECK(refused([&] { convolve<float> c(s.queue, {.map = map}); }) == wanted);
    CHECK(refused([&] { convolve_channels<float> c(s.queue, {.map = map}); }) == wanted);
  }
  CHECK(refused([&] {
          convolve<float> c(s.queue, {.map = {"value + 1;", {}}});
        }) ==
        "the map must return a value: a body without 'return' given, such as 'return value;'");
}
