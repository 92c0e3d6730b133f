// Calls without an event, and what an operation keeps from one call to the next.

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "convolve/reference.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using namespace support;

TEST_CASE("a convolution without an event is for queues that keep their order") {
  const auto refusal = refused(
      [&] { convolve<float> run(out_of_order_session().queue, {.completion = completion::none}); });
  CHECK(refusal ==
        "completion must be an event on an out-of-order queue: completion::none given, "
        "completion::event, or an in-order queue");
}

TEST_CASE(
    "images of other sizes, places and filters come one after the other, with and without events") {
  const session& s = device_session();
  const guarded_buffer<float> in(s, std::vector<float>(400, 1.0f), 0.0f);
  for (const bool separable : {false, true}) {
    const std::vector<float> three(3, 1.0f), nine(9, 1.0f);
    const auto box =
        separable ? separable_filter<float>(three, three) : filter_2d<float>(3, 3, nine);
    for (const completion wanted : {completion::event, completion::none}) {
      convolve<float> run(s.queue, {.extent = output_extent::valid, .completion = wanted});
      guarded_buffer<float> out(s, std::vector<float>(400, 0.0f), -1.0f);
      const auto sums = [&](std::int64_t rows, std::int64_t cols, std::int64_t at) {
        const cl::Event done = run(image<float>(in.buffer(), rows, cols).at(at), box,
                                   image<float>(out.buffer(), rows - 2, cols - 2).at(at));
        CHECK((done() == nullptr) == (wanted == completion::none));
        double sum = 0;
        for (const float v : out.read()) sum += v;
        return sum;
      };
      CHECK(sums(10, 12, 0) == 9 * 80);
      CHECK(sums(10, 12, 0) == 9 * 80);
      CHECK(sums(4, 5, 200) == 9 * 86);
      CHECK(sums(10, 12, 90) == 9 * (80 + 6 + 80));
      CHECK(out.intact());
    }
  }
}
