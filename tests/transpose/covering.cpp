// A covering set of policies on sizes around their tiles.

#include "support/covering.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include <doctest/doctest.h>

#include "transpose/turning.hpp"

using namespace clprim;
using namespace support;

namespace {

transpose_policy draw_small(draw& d) {
  while (true) {
    const transpose_policy p = draw_transpose_policy(d);
    if (p.tile_rows * p.tile_cols <= 1024) return p;
  }
}

template <class T> void cover(const char* name, int usually) {
  run_covering(
      name, usually, 4, [](draw& d) { return draw_small(d); },
      [](draw& d, const transpose_policy& p, int size) -> std::optional<std::string> {
        const session& s = device_session();
        const std::int64_t rows = size == 0   ? 1
                                  : size == 1 ? p.tile_rows - 1
                                  : size == 2 ? p.tile_rows
                                              : p.tile_rows + 1,
                           cols = size == 0   ? 2
                                  : size == 1 ? p.tile_cols + 1
                                  : size == 2 ? 2 * p.tile_cols
                                              : p.tile_cols - 1;
        const placed a = draw_place(d, rows, cols, size == 1 ? 2 : 1),
                     b = draw_place(d, cols, rows, size == 1 ? 2 : 1);
        static auto* const all = new std::deque<transpose<T>>;
        try {
          all->emplace_back(s.queue, transpose_options{.policy = p});
        } catch (const policy_error&) {
          return std::nullopt;  // more than the device has
        }
        const std::string complaint = complaint_of_turn(d, s, all->back(), a, b);
        return complaint.empty() ? complaint
                                 : complaint + "\nA " + text_of(a) + "\nB " + text_of(b);
      });
}

}  // namespace

TEST_SUITE_BEGIN("oclgrind");

TEST_CASE("matrices of float under a covering set of policies touch what is theirs") {
  cover<float>("matrices of float", 4);
}
TEST_CASE("matrices of bytes under a covering set of policies touch what is theirs") {
  cover<std::uint8_t>("matrices of bytes", 2);
}
TEST_CASE("matrices of double under a covering set of policies touch what is theirs") {
  cover<std::uint64_t>("matrices of double", 2);
}

TEST_SUITE_END();

TEST_CASE("matrices of 16 bytes under a covering set of policies touch what is theirs" *
          doctest::test_suite("oclgrind_races")) {
  cover<sixteen>("matrices of 16 bytes", 2);
}
