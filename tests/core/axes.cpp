// Axes of arrays: strides without gaps, axes that are one, axes that meet; and what costs least.

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/core/axes.hpp>
#include <clprim/core/cheapest.hpp>

#include "support/random.hpp"

using namespace clprim;
using support::draw;

namespace {

using numbers = std::vector<std::int64_t>;

struct axis {
  std::int64_t extent = 1, step = 1;
};

/// The places of all elements.
std::vector<std::int64_t> places_of(const std::vector<axis>& axes) {
  std::vector<std::int64_t> places{0};
  for (const axis& a : axes) {
    std::vector<std::int64_t> more;
    for (const std::int64_t at : places)
      for (std::int64_t i = 0; i < a.extent; ++i) more.push_back(at + i * a.step);
    places = more;
  }
  return places;
}

}  // namespace

TEST_CASE("an array without gaps has its last axis fastest") {
  CHECK(detail::tight_strides({}).empty());
  CHECK((detail::tight_strides({5}) == numbers{1}));
  CHECK((detail::tight_strides({2, 3, 4}) == numbers{12, 4, 1}));
  CHECK((detail::tight_strides({2, 0, 4}) == numbers{4, 4, 1}));
}

TEST_CASE("axes are merged to fewer that reach the same places") {
  draw d(31);
  const auto follows = [](const axis& slow, const axis& fast) {
    return slow.step == fast.step * fast.extent;
  };
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<axis> axes(static_cast<std::size_t>(d.between(1, 4)));
    std::int64_t step = d.between(1, 2);
    for (axis& a : axes) {
      a = {d.between(1, 4), step};
      step *= a.extent * (d.chance(60) ? 1 : 2);
    }
    for (std::size_t i = axes.size(); i-- > 1;)
      std::swap(axes[i], axes[static_cast<std::size_t>(d.between(0, static_cast<int>(i)))]);
    std::vector<axis> merged = axes;
    detail::merge_axes(merged, follows);
    const auto before = places_of(axes), after = places_of(merged);
    CHECK(before.size() == after.size());
    CHECK((std::set(before.begin(), before.end()) == std::set(after.begin(), after.end())));
    for (const axis& a : merged) {
      CHECK(a.extent > 1);
      for (const axis& b : merged) CHECK((&a == &b || !follows(a, b)));
    }
  }
}

TEST_CASE("axes that make two places one are found, with what the faster ones reach") {
  CHECK(!detail::meeting_axis(numbers{2, 3}, numbers{3, 1}));
  CHECK(!detail::meeting_axis(numbers{1, 3}, numbers{0, 1}));
  CHECK(!detail::meeting_axis(numbers{}, numbers{}));
  const auto meeting = detail::meeting_axis(numbers{4, 3, 2}, numbers{10, 2, 4});
  REQUIRE(meeting);
  CHECK(meeting->axis == 2);
  CHECK(meeting->reach == 4);
  draw d(32);
  for (int trial = 0; trial < 300; ++trial) {
    numbers extents, strides;
    std::vector<axis> axes;
    for (int a = d.between(1, 4); a-- > 0;) {
      extents.push_back(d.between(1, 3));
      strides.push_back(d.between(0, 12));
      axes.push_back({extents.back(), strides.back()});
    }
    // Nested axes alone are kept apart by their strides; others may be, which is refused too.
    const auto places = places_of(axes);
    const bool apart = std::set(places.begin(), places.end()).size() == places.size();
    if (!detail::meeting_axis(extents, strides)) CHECK(apart);
  }
}

TEST_CASE("the first of the cheapest values is kept") {
  cheapest<char> best{'-'};
  CHECK(best.offer('a', 3));
  CHECK(!best.offer('b', 3));
  CHECK(!best.offer('c', 4));
  CHECK(best.value == 'a');
  CHECK(best.offer('d', 2.5));
  CHECK(best.value == 'd');
  CHECK(best.cost == 2.5);
}
