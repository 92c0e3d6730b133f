// Any matrices, under any policy that can be built, however they lie: every bit arrives.

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "transpose/turning.hpp"

using namespace clprim;
using namespace support;

namespace {

template <class T> void any_turn(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) {
    const session& s = d.chance(20) ? out_of_order_session() : device_session();
    transpose_options options;
    const bool tuned = d.chance(15);
    if (!tuned) options.policy = draw_transpose_policy(d);
    const std::int64_t rows = d.between(0, d.one_of({3, 20, 150})),
                       cols = d.between(0, d.one_of({3, 20, 150})), batch = d.one_of({1, 1, 3});
    const placed a = draw_place(d, rows, cols, batch);
    placed b = draw_place(d, cols, rows, batch);
    if (d.chance(70)) {
      b = placed{.rows = cols, .cols = rows, .leading = rows, .batch = batch};
      b.stride = rows * cols;
    }
    transpose<T> turn(s.queue, options);
    const std::string complaint = complaint_of_turn(d, s, turn, a, b);
    if (complaint.empty()) return complaint;
    return complaint + "\nA " + text_of(a) + "\nB " + text_of(b) + "\n" +
           (tuned ? std::string("the tuned policy") : to_string(*options.policy));
  });
}

}  // namespace

TEST_CASE("any matrix of bytes is transposed exactly") { any_turn<std::uint8_t>("bytes", 12); }
TEST_CASE("any matrix of half is transposed exactly") { any_turn<half>("half", 12); }
TEST_CASE("any matrix of float is transposed exactly") { any_turn<float>("float", 25); }
TEST_CASE("any matrix of double is transposed exactly") { any_turn<double>("double", 12); }
TEST_CASE("any matrix of 16-byte structs is transposed exactly") {
  any_turn<sixteen>("16 bytes", 12);
}

TEST_CASE("any square matrix is transposed in its own memory exactly") {
  run_campaign("in place", 25, [](draw& d) {
    const session& s = device_session();
    transpose_policy policy = draw_transpose_policy(d);
    policy.tile_cols = policy.tile_rows;
    while (policy.tile_rows / policy.vector * (policy.tile_rows / policy.vector) % policy.items)
      policy.items /= 4;
    const std::int64_t n = d.between(0, d.one_of({3, 20, 150}));
    const placed a = draw_place(d, n, n, d.one_of({1, 1, 3}));
    transpose<std::uint32_t> turn(s.queue, {.policy = policy});
    const auto from = random_array<std::uint32_t>(d, a.size());
    guarded_buffer<std::uint32_t> A(s, from, 7u);
    wait_for(turn.in_place(a.view<std::uint32_t>(A.buffer())));
    std::vector<std::uint32_t> expected = from;
    for (std::int64_t b = 0; b < a.batch; ++b)
      for (std::int64_t r = 0; r < n; ++r)
        for (std::int64_t c = 0; c < n; ++c) expected[a.at(b, c, r)] = from[a.at(b, r, c)];
    const bool right = A.read() == expected && A.intact();
    return right ? std::string() : text_of(a) + "\n" + to_string(policy);
  });
}
