#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/core/access.hpp>

using namespace clprim;

namespace {

constexpr bank_rule banks_1x = banks_of(13);
constexpr bank_rule banks_now = banks_of(90);

constexpr conflicts strided(const bank_rule& rule, int bytes, int stride_bytes, int lanes = 32) {
  return bank_conflicts(rule, bytes, lanes, [=](int lane) { return stride_bytes * lane; });
}

// A half-warp of figure 3-x: addresses given one by one.
constexpr transactions half_warp(coalescing rule, int bytes, std::array<int, 16> addresses) {
  return global_transactions(rule, bytes, 16, [&](int lane) -> std::int64_t {
    return addresses[static_cast<std::size_t>(lane)];
  });
}

constexpr std::array<int, 16> in_sequence(int start, int step = 4) {
  std::array<int, 16> a{};
  for (int i = 0; i < 16; ++i) a[static_cast<std::size_t>(i)] = start + step * i;
  return a;
}

// The guide's procedure (3.1.2.5) played out in every possible way: the fewest and most steps.
struct range {
  int fewest, most;
};
range every_choice(const std::multiset<int>& words, int banks) {
  if (words.empty()) return {0, 0};
  range result{1000, 0};
  const std::set<int> different(words.begin(), words.end());
  for (const int broadcast : different) {
    std::multiset<int> rest = words;
    rest.erase(broadcast);
    std::vector<std::multiset<int>> states{rest};
    for (int bank = 0; bank < banks; ++bank) {
      if (bank == broadcast % banks) continue;
      std::set<int> candidates;
      for (const int w : rest) {
        if (w % banks == bank) candidates.insert(w);
      }
      if (candidates.empty()) continue;
      std::vector<std::multiset<int>> next;
      for (const auto& state : states) {
        for (const int w : candidates) {
          auto after = state;
          after.erase(after.find(w));
          next.push_back(after);
        }
      }
      states = next;
    }
    for (const auto& state : states) {
      const range r = every_choice(state, banks);
      result = {std::min(result.fewest, 1 + r.fewest), std::max(result.most, 1 + r.most)};
    }
  }
  return result;
}

}  // namespace

TEST_CASE("figure 3-1: accesses in sequence coalesce into one transaction, divergent or not") {
  constexpr auto left = half_warp(coalescing_of(10), 4, in_sequence(128));
  static_assert(left.count == 1 && left.bytes == 64 && left.efficiency() == 1.0);
  auto divergent = in_sequence(128);
  for (const std::size_t away : {1u, 2u, 7u, 14u}) divergent[away] = inactive_lane;
  const auto right = half_warp(coalescing_of(11), 4, divergent);
  CHECK(right.count == 1);
  CHECK(right.bytes == 64);
  CHECK(right.useful == 48);
}

TEST_CASE("figure 3-2: order or alignment broken, sixteen transactions on 1.0 and 1.1") {
  auto swapped = in_sequence(128);
  std::swap(swapped[5], swapped[6]);
  CHECK(half_warp(coalescing_of(10), 4, swapped).count == 16);
  CHECK(half_warp(coalescing_of(10), 4, in_sequence(132)).count == 16);
  // 1.2 takes either in one or two.
  CHECK(half_warp(coalescing_of(12), 4, swapped).count == 1);
  CHECK(half_warp(coalescing_of(12), 4, in_sequence(132)).count == 1);
}

TEST_CASE("figure 3-3: gaps and float3 need sixteen transactions on 1.0 and 1.1") {
  auto gap = in_sequence(128);
  for (std::size_t i = 7; i < 16; ++i) gap[i] += 4;
  CHECK(half_warp(coalescing_of(11), 4, gap).count == 16);
  CHECK(half_warp(coalescing_of(11), 4, in_sequence(128, 12)).count == 16);
}

TEST_CASE(
    "figure 3-4: one or two transactions on 1.2 and higher, of the smallest size that will do") {
  std::array<int, 16> random = in_sequence(128);
  std::reverse(random.begin(), random.end());
  std::swap(random[3], random[11]);
  const auto left = half_warp(coalescing_of(12), 4, random);
  CHECK(left.count == 1);
  CHECK(left.bytes == 64);
  const auto center = half_warp(coalescing_of(13), 4, in_sequence(132));
  CHECK(center.count == 1);
  CHECK(center.bytes == 128);
  const auto right = half_warp(coalescing_of(13), 4, in_sequence(120));
  CHECK(right.count == 2);
  CHECK(right.bytes == 32 + 64);
}

TEST_CASE("figure 3-5: stride one and any permutation are free of conflicts") {
  static_assert(strided(banks_1x, 4, 4).degree == 1);
  constexpr std::array<int, 16> permutation{7, 2, 11, 0, 15, 4, 9, 1, 13, 6, 3, 12, 8, 14, 5, 10};
  constexpr auto right = bank_conflicts(
      banks_1x, 4, 16, [&](int lane) { return 4 * permutation[static_cast<std::size_t>(lane)]; });
  static_assert(right.degree == 1 && right.worst_degree == 1 && right.requests == 1);
}

TEST_CASE("figure 3-6: a stride of three words is free of conflicts") {
  static_assert(strided(banks_1x, 4, 12).degree == 1);
  static_assert(strided_conflict_degree(banks_1x, 3) == 1);
}

TEST_CASE("figure 3-7: strides of two and eight words conflict two and eight ways") {
  static_assert(strided(banks_1x, 4, 8).degree == 2);
  static_assert(strided(banks_1x, 4, 32).degree == 8);
}

TEST_CASE(
    "figure 3-8: one word for all is free, several lanes at one word depend on the broadcast") {
  constexpr auto left = bank_conflicts(banks_1x, 4, 16, [](int) { return 20; });
  static_assert(left.degree == 1 && left.worst_degree == 1);
  // Five lanes want the word in bank 5, the others have a bank each.
  constexpr std::array<int, 16> banks{0, 1, 2, 5, 4, 5, 6, 5, 5, 9, 10, 5, 12, 13, 14, 15};
  constexpr auto right = bank_conflicts(
      banks_1x, 4, 16, [&](int lane) { return 4 * banks[static_cast<std::size_t>(lane)]; });
  static_assert(right.degree == 1 && right.worst_degree == 2);
}

TEST_CASE("the guide's gcd rule is what counting gives, for every stride and generation") {
  for (const bank_rule rule : {banks_1x, banks_now, bank_rule{.banks = 32, .bank_bytes = 8}}) {
    for (int stride = 0; stride <= 130; ++stride) {
      CAPTURE(rule.banks);
      CAPTURE(stride);
      const int counted = strided(rule, rule.bank_bytes, rule.bank_bytes * stride).degree;
      CHECK(counted == strided_conflict_degree(rule, stride));
    }
  }
  for (int stride = 1; stride <= 64; ++stride) {
    CHECK((strided_conflict_degree(banks_1x, stride) == 1) == (stride % 2 == 1));
  }
}

TEST_CASE("the guide's other cases on 1.x: bytes, doubles and structures") {
  static_assert(strided(banks_1x, 1, 1).degree == 4);  // char shared[tid]
  static_assert(strided(banks_1x, 1, 4).degree == 1);  // char shared[4 * tid]
  static_assert(strided(banks_1x, 8, 8).degree == 2);  // double: two 32-bit requests, each 2-way
  static_assert(strided(banks_1x, 8, 8).requests == 4);
  static_assert(strided(banks_1x, 4, 12).degree == 1);  // struct { float x, y, z; }
  static_assert(strided(banks_1x, 4, 8).degree == 2);   // struct { float x, y; }
}

TEST_CASE("from 2.x on every word is broadcast and wide accesses go half a warp at a time") {
  static_assert(strided(banks_now, 1, 1).degree == 1);
  static_assert(strided(banks_now, 8, 8).degree == 1 && strided(banks_now, 8, 8).requests == 2);
  static_assert(strided(banks_now, 16, 16).degree == 1 && strided(banks_now, 16, 16).requests == 4);
  static_assert(strided(banks_now, 4, 8).degree == 2);
  constexpr auto pairs = bank_conflicts(banks_now, 4, 32, [](int lane) { return lane / 2 * 4; });
  static_assert(pairs.degree == 1 && pairs.worst_degree == 1);
}

TEST_CASE("steps on 1.x lie between the best and the worst play of the guide's procedure") {
  unsigned seed = 99;
  int depends = 0;
  for (int round = 0; round < 1000; ++round) {
    bank_rule rule{.banks = 4, .bank_bytes = 4, .lanes = 7, .one_broadcast = true};
    std::array<int, 7> words{};
    for (int& w : words) {
      seed = seed * 1664525u + 1013904223u;
      w = static_cast<int>((seed >> 12) % 12u);
    }
    const auto c = bank_conflicts(
        rule, 4, 7, [&](int lane) { return 4 * words[static_cast<std::size_t>(lane)]; });
    const range r = every_choice({words.begin(), words.end()}, rule.banks);
    CAPTURE(round);
    CHECK(c.degree == r.fewest);
    CHECK(c.worst_degree == r.most);
    depends += r.most > r.fewest ? 1 : 0;
  }
  CHECK(depends > 250);
}

TEST_CASE("a padded and a swizzled tile are free of conflicts by rows and by columns") {
  constexpr tile_layout plain{.columns = 32};
  constexpr tile_layout padded{.columns = 32, .padding = 1};
  constexpr tile_layout swizzled{.columns = 32, .swizzled = true};
  static_assert(column_conflicts(banks_now, 4, plain).degree == 32);
  static_assert(column_conflicts(banks_now, 4, padded).degree == 1);
  static_assert(column_conflicts(banks_now, 4, swizzled).degree == 1);
  static_assert(row_conflicts(banks_now, 4, plain).degree == 1);
  for (int i = 0; i < 32; ++i) {
    CHECK(row_conflicts(banks_now, 4, padded, i).degree == 1);
    CHECK(row_conflicts(banks_now, 4, swizzled, i).degree == 1);
    CHECK(column_conflicts(banks_now, 4, swizzled, i).degree == 1);
  }
  // The 16 × 16 tile of the guide's transpose on 1.x: 16 ways, one column of padding cures it.
  static_assert(column_conflicts(banks_1x, 4, {.columns = 16}).degree == 16);
  static_assert(column_conflicts(banks_1x, 4, {.columns = 16, .padding = 1}).degree == 1);
  // Two floats of padding leave two-way conflicts.
  static_assert(column_conflicts(banks_now, 4, {.columns = 32, .padding = 2}).degree == 2);
}

TEST_CASE("no two elements of a tile share a place") {
  for (const tile_layout tile :
       {tile_layout{.columns = 32}, tile_layout{.columns = 32, .padding = 1},
        tile_layout{.columns = 32, .swizzled = true},
        tile_layout{.columns = 8, .swizzled = true}}) {
    std::set<std::int64_t> places;
    for (int row = 0; row < 40; ++row) {
      for (int column = 0; column < tile.columns; ++column) places.insert(tile(row, column));
    }
    CHECK(places.size() == static_cast<std::size_t>(40 * tile.columns));
    CHECK(*places.rbegin() < 40 * (tile.columns + tile.padding));
  }
}

TEST_CASE("an offset of one element costs the slides' factors: 8 on 1.0, 1.7 on 1.3") {
  const auto offset = [](int capability) {
    return global_transactions(coalescing_of(capability), 4, 32,
                               [](int lane) { return 4 * (lane + 1); });
  };
  CHECK(offset(10).count == 32);
  CHECK(offset(10).bytes == 8 * 128);
  CHECK(offset(13).count == 3);  // 128 bytes for the first half-warp, 64 and 32 for the second
  CHECK(offset(13).bytes == 224);
  CHECK(1 / offset(13).efficiency() == 1.75);
  CHECK(offset(20).bytes == 256);
  CHECK(offset(90).count == 5);
}

TEST_CASE("strides cost in proportion until every lane has a transaction of its own") {
  const auto stride = [](int capability, int words) {
    return global_transactions(coalescing_of(capability), 4, 32,
                               [=](int lane) { return 4 * words * lane; });
  };
  CHECK(stride(13, 2).efficiency() == 0.5);
  CHECK(stride(13, 32).count == 32);  // the naive transpose: "16 transactions" per half-warp
  CHECK(stride(90, 1).count == 4);
  CHECK(stride(90, 2).count == 8);
  CHECK(stride(90, 8).count == 32);
  CHECK(stride(90, 100).count == 32);
  CHECK(stride(90, 8).efficiency() == 0.125);
  CHECK(stride(90, 0).count == 1);
  CHECK(stride(20, 32).count == 32);
}

TEST_CASE("wide words coalesce by the guide's sizes") {
  CHECK(half_warp(coalescing_of(10), 8, in_sequence(256, 8)).bytes == 128);
  CHECK(half_warp(coalescing_of(10), 8, in_sequence(256, 8)).count == 1);
  CHECK(half_warp(coalescing_of(10), 16, in_sequence(256, 16)).count == 2);
  CHECK(half_warp(coalescing_of(10), 16, in_sequence(128, 16)).count == 16);  // 256-byte alignment
  CHECK(half_warp(coalescing_of(13), 16, in_sequence(256, 16)).count == 2);
  CHECK(half_warp(coalescing_of(13), 1, in_sequence(32, 1)).bytes == 32);
  CHECK(half_warp(coalescing_of(13), 2, in_sequence(64, 2)).bytes == 32);
  CHECK(half_warp(coalescing_of(13), 2, in_sequence(80, 2)).count == 1);
  // 1.0 never coalesces words of one or two bytes.
  CHECK(half_warp(coalescing_of(10), 2, in_sequence(64, 2)).count == 16);
}

TEST_CASE("a warp of which nobody accesses memory costs nothing") {
  const auto nobody = [](int) { return inactive_lane; };
  for (const auto rule :
       {coalescing::in_order, coalescing::segments, coalescing::lines, coalescing::sectors}) {
    CHECK(global_transactions(rule, 4, 32, nobody).count == 0);
    CHECK(global_transactions(rule, 4, 32, nobody).bytes == 0);
  }
  CHECK(bank_conflicts(banks_now, 4, 32, nobody).requests == 0);
  CHECK(bank_conflicts(banks_1x, 4, 32, nobody).steps == 0);
}

TEST_CASE("impossible accesses are refused") {
  const auto at = [](std::int64_t address) { return [=](int) { return address; }; };
  CHECK_THROWS_AS(bank_conflicts(banks_now, 3, 32, at(0)), argument_error);
  CHECK_THROWS_AS(bank_conflicts(banks_now, 4, 65, at(0)), argument_error);
  CHECK_THROWS_AS(bank_conflicts(banks_now, 4, 0, at(0)), argument_error);
  CHECK_THROWS_AS(bank_conflicts(banks_now, 4, 32, at(2)), argument_error);
  CHECK_THROWS_AS(bank_conflicts(banks_now, 4, 32, at(-4)), argument_error);
  CHECK_THROWS_AS(bank_conflicts(bank_rule{.banks = 0}, 4, 32, at(0)), argument_error);
  CHECK_THROWS_AS(global_transactions(coalescing::sectors, 0, 32, at(0)), argument_error);
  CHECK_THROWS_AS(global_transactions(coalescing::sectors, 8, 32, at(4)), argument_error);
  CHECK_THROWS_AS((tile_layout{.columns = 24, .swizzled = true}(0, 0)), argument_error);
}
