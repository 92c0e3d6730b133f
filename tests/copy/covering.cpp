// A covering set of policies on sizes around what a group moves.

#include "support/covering.hpp"

#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/copy.hpp>

#include "copy/draw_policy.hpp"
#include "support/device.hpp"

using namespace clprim;
using namespace support;

namespace {

template <class T> void cover(const char* name, int usually) {
  run_covering(
      name, usually, 5, [](draw& d) { return draw_policy(d); },
      [](draw& d, const copy_policy& p, int size) -> std::optional<std::string> {
        const session& s = device_session();
        const std::int64_t part = p.items * p.vector * p.per_item;
        const std::int64_t counts[] = {1, part - 1, part, part + 1, 2 * part + 3};
        const std::int64_t count = std::max<std::int64_t>(counts[size], 1);
        const std::int64_t in_step = d.chance(20) ? 3 : 1, out_step = d.chance(20) ? 2 : 1,
                           in_offset = d.one_of({0, 0, 1, 16}), out_offset = d.one_of({0, 0, 1, 4});
        // Buffers end with the last element.
        std::vector<T> from(static_cast<std::size_t>(in_offset + in_step * (count - 1) + 1)),
            to(static_cast<std::size_t>(out_offset + out_step * (count - 1) + 1));
        for (T& x : from) x = static_cast<T>(d.between(1, 100));
        const guarded_buffer<T> A(s, from, T{});
        guarded_buffer<T> B(s, to, T{});
        for (std::int64_t i = 0; i < count; ++i)
          to[static_cast<std::size_t>(out_offset + i * out_step)] =
              from[static_cast<std::size_t>(in_offset + i * in_step)];
        static auto* const all = new std::deque<copy<T>>;
        all->emplace_back(s.queue, copy_options{.policy = p});
        all->back()(
            {.memory = A.buffer()(), .count = count, .stride = in_step, .offset = in_offset},
            {.memory = B.buffer()(), .count = count, .stride = out_step, .offset = out_offset});
        if (B.read() == to && B.intact()) return std::string();
        return std::to_string(count) + " elements, steps " + std::to_string(in_step) + " " +
               std::to_string(out_step) + ", offsets " + std::to_string(in_offset) + " " +
               std::to_string(out_offset);
      });
}

}  // namespace

TEST_SUITE_BEGIN("oclgrind");

TEST_CASE("copies of float under a covering set of policies touch what is theirs") {
  cover<float>("copies of float", 4);
}
TEST_CASE("copies of bytes under a covering set of policies touch what is theirs") {
  cover<std::uint8_t>("copies of bytes", 2);
}

TEST_SUITE_END();
