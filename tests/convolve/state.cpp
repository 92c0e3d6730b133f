// What a call leaves behind: nothing that a later call believes, whatever failed in between.

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "convolve/failing_calls.hpp"
#include "convolve/reference.hpp"

using namespace clprim;
using namespace support;

namespace {

struct kept_filter {
  const char* name;
  convolve_options options;
};

std::vector<kept_filter> ways_to_keep_a_filter() {
  const convolve_policy fft{.method = convolve_method::fft,
                            .items_x = 16,
                            .items_y = 1,
                            .per_item_x = 1,
                            .per_item_y = 1,
                            .vector = 1,
                            .filter = filter_place::buffer};
  const convolve_policy constant{.filter = filter_place::constant},
      literals{.filter = filter_place::literals};
  return {{"fft", {.policy = fft}},
          {"constant", {.policy = constant}},
          {"literals", {.policy = literals}},
          {"found separable", {.policy = constant, .find_separable = true}}};
}

}  // namespace

TEST_CASE("after a call that failed anywhere inside, filters are still told apart") {
  const session& s = device_session();
  const std::vector<float> pixels(24 * 24, 1.0f);
  guarded_buffer<float> a(s, pixels, 0);
  for (const kept_filter& way : ways_to_keep_a_filter()) {
    bool failed = true;
    for (int n = 0; failed; ++n) {
      REQUIRE(n < 40);
      guarded_buffer<float> b(s, std::vector<float>(24 * 24), 0);
      const auto in = image<float>(a.buffer(), 24, 24), out = image<float>(b.buffer(), 24, 24);
      convolve<float> run(s.queue, way.options);
      const auto middle_is = [&](float tap) {
        run(in, filter_2d<float>(3, 3, std::vector<float>(9, tap)), out);
        return b.read()[12 * 24 + 12] == doctest::Approx(9 * tap).epsilon(1e-4);
      };
      CHECK(middle_is(1));
      {
        const failing_call here(n);
        try {
          run(in, filter_2d<float>(3, 3, std::vector<float>(9, 2.0f)), out);
        } catch (const opencl_error&) {
        }
        failed = here.happened();
      }
      CHECK_MESSAGE(middle_is(1), way.name << ": the first filter after call " << n << " failed");
      {
        const failing_call here(n);
        try {
          run(in, filter_2d<float>(3, 3, std::vector<float>(9, 3.0f)), out);
        } catch (const opencl_error&) {
        }
      }
      CHECK_MESSAGE(middle_is(3), way.name << ": the same filter after call " << n << " failed");
    }
  }
}
