// One object for many calls: whatever came before, each gives what a fresh object gives.

#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/drawing.hpp"
#include "support/campaign.hpp"

using namespace clprim;
using namespace support;

namespace {

/// Elements and offsets that every sequence takes its views from.
struct material {
  static constexpr std::int64_t elements = std::int64_t{1} << 22;
  cl::Buffer x;
  explicit material(const session& s) {
    draw d(7);
    std::vector<float> values(elements);
    for (float& v : values) v = random_element<float>(d);
    x = device_copy(s, values);
  }
};
const material& shared_material() {
  static const auto* const m = new material(device_session());
  return *m;
}

/// A size from 1 to `most`, as likely in each octave.
std::int64_t log_uniform(draw& d, std::int64_t most) {
  const int octaves = static_cast<int>(std::log2(static_cast<double>(most)));
  const std::int64_t base = std::int64_t{1} << d.between(0, octaves);
  return std::min(most, base + d.between(0, static_cast<int>(base - 1)));
}

struct drawn_call {
  reduce_view<float> view;
  cl::Buffer offsets;
  std::string text;
};

drawn_call draw_call(draw& d, const session& s) {
  const cl::Buffer& x = shared_material().x;
  const std::int64_t total = log_uniform(d, material::elements);
  const std::int64_t one = log_uniform(d, total), other = total / one;
  drawn_call c;
  const int kind = d.between(0, 4);
  if (kind == 0) {
    c.view = whole<float>(x, total);
    c.text = "whole " + std::to_string(total);
  } else if (kind == 1) {
    c.view = segments<float>(x, one, other);
    c.text = "rows " + std::to_string(one) + "x" + std::to_string(other);
  } else if (kind == 2) {
    c.view = along_axis<float>(x, {other, one}, 0);
    c.text = "columns " + std::to_string(other) + "x" + std::to_string(one);
  } else if (kind == 3) {
    c.view = whole<float>(x, 0);
    c.text = "nothing";
    if (d.chance(50)) c.view = segments<float>(x, 0, 5);
  } else {
    const std::int64_t count = std::min<std::int64_t>(one, 3000);
    std::vector<std::int64_t> ends{0};
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t left = total - ends.back();
      const std::int64_t fair = total / count;
      const std::int64_t size = d.chance(10)  ? log_uniform(d, std::max<std::int64_t>(1, left))
                                : d.chance(5) ? 0
                                              : fair;
      ends.push_back(ends.back() + std::min(size, left));
    }
    c.offsets = device_copy(s, ends);
    c.view = ragged<float>(x, ends.back(), c.offsets, count);
    c.text = "ragged " + std::to_string(count) + " of " + std::to_string(ends.back());
  }
  if (c.view.offsets == nullptr && c.view.length > 8 && c.view.results() == 1 && d.chance(30)) {
    c.view.offset = 3;
    c.view.length -= 3;
  }
  return c;
}

template <class Op> using bytes_of = std::vector<std::byte>;

}  // namespace

TEST_CASE("a whole sum after ragged segments that all groups share is the sum") {
  const session& s = device_session();
  constexpr std::int64_t count = 60, size = 40000;
  std::vector<std::int64_t> ends;
  for (std::int64_t i = 0; i <= count; ++i) ends.push_back(i * size);
  const cl::Buffer x = device_copy(s, std::vector<float>(count * size, 1.0f));
  const cl::Buffer offsets = device_copy(s, ends);
  for (const std::int64_t segments : {std::int64_t{1}, std::int64_t{3}, count}) {
    reduce<float> sum(s.queue);
    for (int turn = 0; turn < 3; ++turn) {
      CHECK(sum.values(ragged<float>(x, segments * size, offsets, segments)) ==
            std::vector<float>(static_cast<std::size_t>(segments), 40000.0f));
      CHECK(sum.value(whole<float>(x, count * size)) == 2400000);
    }
  }
}

namespace {

template <class Op> std::string sequence(draw& d) {
  const bool in_order = d.chance(70);
  const session& s = in_order ? device_session() : out_of_order_session();
  reduce_options options;
  if (d.chance(60)) options.policy = draw_policy(d, facts_of(s.device));
  std::optional<reduce<float, Op>> object(std::in_place, s.queue, options);
  std::string text, history;
  for (int i = 0; i < d.between(2, 12) && text.empty(); ++i) {
    const drawn_call c = draw_call(d, s);
    history += "  " + c.text + "\n";
    const auto got = object->values(c.view);
    const auto expected = reduce<float, Op>(s.queue, options).values(c.view);
    for (std::size_t r = 0; r < got.size() && text.empty(); ++r) {
      if (got[r] != expected[r]) text = "result " + std::to_string(r) + " differs\n";
    }
  }
  if (text.empty()) return text;
  return text + (options.policy ? to_string(*options.policy) + "\n" : "") + history;
}

}  // namespace

TEST_CASE("any sequence of sums on one object gives what fresh objects give") {
  run_campaign("sums", 20, sequence<op::sum<>>);
}
