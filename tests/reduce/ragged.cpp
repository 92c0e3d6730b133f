// Segments by offsets: empty, short, long, mixed; by tiles in local memory and directly.

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/reference.hpp"
#include "support/random.hpp"

using namespace clprim;
using namespace support;

namespace {

using several = op::several<op::sum<>, op::argmax>;

/// Sizes of segments of one kind.
std::vector<std::int64_t> sizes_of(const std::string& kind, draw& d) {
  std::vector<std::int64_t> sizes;
  const auto add = [&](int many, auto size) {
    for (int i = 0; i < many; ++i) sizes.push_back(size());
  };
  if (kind == "short") add(700, [&] { return d.between(0, 30); });
  if (kind == "empty") add(300, [&] { return d.chance(90) ? 0 : 1; });
  if (kind == "one") add(1, [] { return 70001; });
  if (kind == "mixed")
    add(300, [&] { return d.chance(3) ? d.between(500, 3000) : d.between(0, 20); });
  if (kind == "few long ones") {
    add(100, [&] { return d.between(1, 10); });
    add(2, [] { return 40000; });
    add(100, [&] { return d.between(1, 10); });
  }
  return sizes;
}

}  // namespace

TEST_CASE("ragged segments of every kind are right, by tiles and directly") {
  const session& s = device_session();
  draw d(21);
  for (const std::string kind : {"short", "empty", "one", "mixed", "few long ones"}) {
    CAPTURE(kind);
    std::vector<std::int64_t> offsets{0};
    for (const std::int64_t n : sizes_of(kind, d)) offsets.push_back(offsets.back() + n);
    std::vector<std::int16_t> x(static_cast<std::size_t>(offsets.back()) + 3);
    for (auto& v : x) v = static_cast<std::int16_t>(d.between(-9, 9));
    const cl::Buffer a = device_copy(s, x), ends = device_copy(s, offsets);
    const auto segments = static_cast<std::int64_t>(offsets.size()) - 1;
    auto view = ragged<std::int16_t>(a, offsets.back(), ends, segments);
    view.offset = 3;
    for (const int tile : {0, 512}) {
      CAPTURE(tile);
      const reduce_policy p{.group = 16, .vector = 2, .loads = 1, .ragged_tile = tile};
      reduce<std::int16_t, several> op(s.queue, {.policy = p});
      for (int run = 0; run < 2; ++run) {  // the list of long ones must be left empty
        const auto got = op.values(view);
        std::size_t wrong = 0;
        for (std::size_t r = 0; r < got.size(); ++r) {
          std::int64_t sum = 0, at = -1;
          for (auto i = offsets[r]; i < offsets[r + 1]; ++i) {
            const auto v = x[static_cast<std::size_t>(i + 3)];
            sum += v;
            if (at < 0 || v > x[static_cast<std::size_t>(offsets[r] + at + 3)]) at = i - offsets[r];
          }
          const auto& [total, best] = got[r];
          wrong += total != sum || best.index != at ? 1 : 0;
        }
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("a map sees the index within its segment, by tiles and directly") {
  const session& s = device_session();
  const std::vector<std::int64_t> offsets{0, 4, 4, 9, 40};
  const std::vector<std::int32_t> x(40, 1);
  const cl::Buffer a = device_copy(s, x), ends = device_copy(s, offsets);
  for (const int tile : {0, 256}) {
    reduce<std::int32_t> sum(s.queue, {.policy = reduce_policy{.group = 8, .ragged_tile = tile},
                                       .map = {"return x * (int)index;", {}}});
    CHECK(sum.values(ragged<std::int32_t>(a, 40, ends, 4)) ==
          std::vector<std::int64_t>{6, 0, 10, 465});
  }
}

TEST_CASE("a tile that does not fit the local memory is refused") {
  const session& s = device_session();
  const cl::Buffer a = device_copy(s, std::vector<float>(64)),
                   ends = device_copy(s, std::vector<std::int64_t>{0, 30, 64});
  reduce<float> sum(s.queue, {.policy = reduce_policy{.ragged_tile = 1 << 20}});
  CHECK_THROWS_AS(sum.values(ragged<float>(a, 64, ends, 2)), policy_error);
}
