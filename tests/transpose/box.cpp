// Boxes of several axes: what they cover, how they lie in local memory, what is known of their
// runs.

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/transpose/box_words.hpp>

#include "support/campaign.hpp"

using namespace clprim;
using namespace support;

namespace {

using axes_t = std::array<transpose_axis, transpose_box::axis_limit>;

/// Axes in some order in the input and another one in the output, some with gaps between lines.
axes_t draw_axes(draw& d, int rank) {
  axes_t all{};
  const auto lay = [&](std::int64_t transpose_axis::*step) {
    std::vector<int> order;
    for (int a = 0; a < rank; ++a)
      order.insert(order.begin() + d.between(0, static_cast<int>(order.size())), a);
    std::int64_t next = 1;
    for (const int a : order) {
      all[static_cast<std::size_t>(a)].*step = next;
      next = next * all[static_cast<std::size_t>(a)].extent + (d.chance(20) ? d.between(1, 5) : 0);
    }
  };
  for (int a = 0; a < rank; ++a)
    all[static_cast<std::size_t>(a)].extent = d.between(1, d.one_of({3, 16, 40, 300}));
  lay(&transpose_axis::in_step);
  lay(&transpose_axis::out_step);
  return all;
}

/// Where the elements of a box begin in memory, in its own order, from a corner of the array.
std::vector<std::int64_t> places_in(const transpose_box& box, const axes_t& all,
                                    const transpose_box::axes& order,
                                    std::int64_t transpose_axis::*step,
                                    const std::array<std::int64_t, 7>& corner) {
  std::vector<std::int64_t> places;
  for (int e = 0; e < box.volume(); ++e) {
    std::int64_t place = 0;
    bool inside = true;
    int rest = e;
    for (int i = 0; i < box.rank; ++i) {
      const auto a = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
      const std::int64_t at = corner[a] + rest % box.extent[a];
      inside = inside && at < all[a].extent;
      place += at * all[a].*step;
      rest /= box.extent[a];
    }
    places.push_back(inside ? place : -1);
  }
  return places;
}

}  // namespace

CAMPAIGN("a box lies within its axes and its size, and a fixed axis stays one wide") {
  run_campaign("boxes", 300, [](draw& d) -> std::string {
    const int rank = d.between(2, 7), fixed = d.chance(20) ? 2 : -1;
    const axes_t all = draw_axes(d, rank);
    const std::int64_t most = d.one_of({1, 16, 1024, 4096});
    const transpose_box box = box_of(all, rank, fixed < rank ? fixed : -1, most);
    if (box.volume() > most) return "more than " + std::to_string(most);
    for (int a = 0; a < rank; ++a)
      if (box.at(a) < 1 || box.at(a) > all[static_cast<std::size_t>(a)].extent)
        return "axis " + std::to_string(a);
    if (fixed >= 0 && fixed < rank && box.at(fixed) != 1) return "the fixed axis";
    return {};
  });
}

CAMPAIGN("runs of a box are neighbours, whole or outside, and start at multiples of the vector") {
  run_campaign("runs of boxes", 100, [](draw& d) -> std::string {
    const int rank = d.between(2, 5);
    const axes_t all = draw_axes(d, rank);
    const transpose_box box = box_of(all, rank, -1, d.one_of({64, 1024}));
    std::array<std::int64_t, 7> corner{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(rank); ++a) {
      const auto places = (all[a].extent + box.extent[a] - 1) / box.extent[a];
      corner[a] = d.between(0, static_cast<int>(places) - 1) * box.extent[a];
    }
    for (const auto step : {&transpose_axis::in_step, &transpose_axis::out_step}) {
      const auto& order = step == &transpose_axis::in_step ? box.in_order : box.out_order;
      const int vector = box_vector(box, all, order, step, 0, 8);
      const auto places = places_in(box, all, order, step, corner);
      for (std::size_t e = 0; e < places.size(); e += static_cast<std::size_t>(vector)) {
        if (places[e] >= 0 && places[e] % vector != 0) return "a run starts elsewhere";
        for (std::size_t k = 1; k < static_cast<std::size_t>(vector); ++k)
          if (places[e + k] != (places[e] < 0 ? -1 : places[e] + static_cast<std::int64_t>(k)))
            return "a run of " + std::to_string(vector) + " is torn";
      }
    }
    return {};
  });
}

CAMPAIGN("lines of a box that moves by words start where the words have it, and end with an axis") {
  run_campaign("lines of boxes", 2000, [](draw& d) -> std::string {
    const int rank = d.between(2, 5), bytes = d.one_of({1, 2, 4, 8});
    const axes_t all = draw_axes(d, rank);
    const std::int64_t most = d.one_of({64, 512, 4096});
    transpose_box box = box_of(all, rank, -1, most);
    set_words(box, all,
              {.in_bytes = bytes,
               .out_bytes = bytes,
               .vector = d.one_of({1, 4, 8}),
               .shear = d.one_of({0, 32, 128}),
               .most_places = static_cast<int>(most / 4 * 5)},
              most);
    const box_words& w = box.words;
    std::array<std::int64_t, 7> corner{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(rank); ++a) {
      const auto places = (all[a].extent + box.extent[a] - 1) / box.extent[a];
      corner[a] = d.between(0, static_cast<int>(places) - 1) * box.extent[a];
    }
    const auto complaint = [&](const transpose_box::axes& order, std::int64_t transpose_axis::*step,
                               int axes, int alignment) -> std::string {
      const int length = line_length(box, order, axes);
      const auto places = places_in(box, all, order, step, corner);
      for (std::size_t e = 0; e < places.size(); e += static_cast<std::size_t>(length)) {
        if (places[e] < 0) continue;
        if (places[e] % alignment != 0) return "a line starts at " + std::to_string(places[e]);
        for (std::size_t k = 1; k < static_cast<std::size_t>(length); ++k)
          if (places[e + k] >= 0 && places[e + k] != places[e] + static_cast<std::int64_t>(k))
            return "a line of " + std::to_string(length) + " is torn";
      }
      return {};
    };
    for (int a = 0; a < rank; ++a)
      if (box.at(a) > all[static_cast<std::size_t>(a)].extent &&
          a != last_axis(box.out_order, w.out_axes))
        return "axis " + std::to_string(a) + " was rounded up";
    const std::string in =
        complaint(box.in_order, &transpose_axis::in_step, w.in_axes, w.in_alignment);
    if (!in.empty() || w.lead > 0) return in.empty() ? in : "input: " + in;
    const std::string out =
        complaint(box.out_order, &transpose_axis::out_step, w.out_axes, w.out_alignment);
    return out.empty() ? out : "output: " + out;
  });
}

CAMPAIGN("every element of a box has a place of its own in local memory") {
  run_campaign("places of boxes", 30, [](draw& d) -> std::string {
    const int rank = d.between(2, 5), bytes = d.one_of({1, 2, 4, 8, 16}), most = 1024;
    const axes_t all = draw_axes(d, rank);
    const transpose_box box = box_of(all, rank, -1, most);
    const int in = box_vector(box, all, box.in_order, &transpose_axis::in_step, 0, 8),
              out = box_vector(box, all, box.out_order, &transpose_axis::out_step, 0, 8);
    const box_places places = places_of(box, bytes, in, out, most / 4 * 5);
    if (places.count > most / 4 * 5) return "too many places";
    for (int e = 0; places.runs && e < box.volume(); ++e) {
      const int first = box_place(box, box.in_order, places, e / in * in);
      if (first % in != 0 || box_place(box, box.in_order, places, e) != first + e % in)
        return "a run of " + std::to_string(in) + " is torn";
    }
    std::set<int> taken;
    for (int e = 0; e < box.volume(); ++e) {
      const int place = box_place(box, box.out_order, places, e);
      if (place < 0 || place >= places.count) return "a place outside";
      taken.insert(place);
    }
    return taken.size() == static_cast<std::size_t>(box.volume()) ? "" : "two share a place";
  });
}

TEST_CASE("both sides of a box run along memory as far as its size allows") {
  // NHWC pictures of 3 channels to NCHW: all channels of a row of pixels.
  axes_t all{};
  all[0] = {3, 1, 640 * 480};
  all[1] = {640 * 480, 3, 1};
  const transpose_box pixels = box_of(all, 2, -1, 4096);
  CHECK(pixels.at(0) == 3);
  CHECK(pixels.at(1) >= 1024);
  // Two short axes, the fastest on either side, and long ones behind them.
  all[0] = {16, 1, 17 * 400};
  all[1] = {17, 16 * 1008, 1};
  all[2] = {1008, 16, 16 * 17 * 400};
  all[3] = {400, 16 * 1008 * 17, 17};
  const transpose_box box = box_of(all, 4, -1, 4096);
  CHECK(box.at(0) == 16);
  CHECK(box.at(1) == 17);
  CHECK(box.at(2) * box.at(3) >= 8);
}

TEST_CASE("lines of a box by words end where lanes would gather from few banks") {
  // Bytes 16 x 67 x 11093 x 32 to 3 1 0 2: lines of 32 lie one behind the other in the input, and
  // the output runs across them.
  axes_t all{};
  all[0] = {32, 1, 11093 * 16 * 67};
  all[1] = {11093, 32, 1};
  all[2] = {16, 11093 * 32 * 67, 11093};
  all[3] = {67, 11093 * 32, 11093 * 16};
  transpose_box box = box_of(all, 4, -1, 8192);
  set_words(box, all,
            {.in_bytes = 1, .out_bytes = 1, .vector = 8, .shear = 32, .most_places = 8192 / 4 * 5},
            8192);
  const int along = only_axis(box);
  REQUIRE(along == 1);
  CHECK(!in_line(box, along));
  CHECK(box.words.lead > 0);
  const box_places places = word_places_of(box, 1, 8192 / 4 * 5);
  // A lane gathers eight bytes of the output's line, the next lane the eight behind them.
  std::array<int, 32> lanes{};
  for (int lane = 0; lane < 32; ++lane) {
    const int at = 8 * lane;
    const int place = at * places.step[static_cast<std::size_t>(along)] + at / 4 * places.gap;
    ++lanes[static_cast<std::size_t>(place / 4 % 32)];
  }
  CHECK(*std::max_element(lanes.begin(), lanes.end()) <= 2);
}

TEST_CASE("a box by words takes the whole of an axis that its lines would end within") {
  // Bytes 15 x 257 x 63 x 65 to 0 2 3 1: 257 elements of the output, and then the next column's.
  axes_t all{};
  all[0] = {63 * 65, 1, 257};
  all[1] = {257, 63 * 65, 1};
  all[2] = {15, 257 * 63 * 65, 257 * 63 * 65};
  const auto box_by_words = [&] {
    transpose_box box = box_of(all, 3, -1, 8192);
    set_words(
        box, all,
        {.in_bytes = 1, .out_bytes = 1, .vector = 8, .shear = 32, .most_places = 8192 / 4 * 10},
        8192);
    return box;
  };
  const transpose_box whole = box_by_words();
  CHECK(whole.at(1) == 257);
  CHECK(whole.at(0) >= 64);
  CHECK(word_counts_of(whole).out_lines == 1);
  CHECK(word_places_of(whole, 1, 8192 / 4 * 10).count <= 8192 / 4 * 10);
  // An axis whose places come from a buffer stays one wide, though the lines would go on with it.
  axes_t batch = all;
  batch[1].in_step = 63 * 65 * 15;
  batch[2].extent = 1;
  transpose_box fixed = box_of(batch, 3, 1, 8192);
  set_words(fixed, batch, {.in_bytes = 1, .out_bytes = 1, .vector = 8, .most_places = 20480}, 8192);
  CHECK(fixed.at(1) == 1);
  // An even distance has few banks.
  all[1].in_step = 63 * 65 + 1;
  CHECK(box_by_words().at(1) < 257);
}
