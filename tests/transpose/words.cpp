// Boxes that move by aligned words wherever their lines start: every bit arrives, no other is
// touched.

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/transpose.hpp>

#include "support/campaign.hpp"
#include "support/device.hpp"
#include "support/refusal.hpp"
#include "transpose/turning.hpp"

using namespace clprim;
using namespace support;

namespace {

using extents_t = std::vector<std::int64_t>;

transpose_policy draw_words(draw& d) {
  while (true) {
    const transpose_policy p{.tile_rows = d.one_of({16, 32, 64}),
                             .tile_cols = d.one_of({16, 32, 64}),
                             .vector = d.one_of({1, 2, 4, 8, 16}),
                             .items = d.one_of({16, 32, 64, 128}),
                             .exchange = tile_exchange::box,
                             .unaligned = true,
                             .streaming = d.chance(20),
                             .shear = d.one_of({0, 0, 32, 64})};
    if (p.per_item() >= p.vector && p.per_item() <= 64) return p;
  }
}

/// Distances along the axes of an array, the last one the fastest, with a gap now and then, whose
/// lines start anywhere or where words do.
extents_t draw_steps(draw& d, const extents_t& extents) {
  extents_t steps(extents.size());
  std::int64_t next = 1;
  const int unit = d.one_of({1, 1, 2, 4, 16});
  for (std::size_t a = extents.size(); a-- > 0;) {
    steps[a] = next;
    next *= extents[a];
    if (d.chance(30)) next += d.between(1, 4) * unit;
    if (unit > 1 && d.chance(70)) next = (next + unit - 1) / unit * unit;
  }
  return steps;
}

template <class T> void any_by_words(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) -> std::string {
    const session& s = device_session();
    const transpose_options options{.policy = draw_words(d)};
    d.kernels_are_chosen();
    const int rank = d.between(2, 5);
    std::vector<int> axes(static_cast<std::size_t>(rank));
    std::iota(axes.begin(), axes.end(), 0);
    for (std::size_t i = axes.size(); i-- > 1;)
      std::swap(axes[i], axes[static_cast<std::size_t>(d.between(0, static_cast<int>(i)))]);
    extents_t x(axes.size()), y(axes.size());
    std::int64_t left = d.one_of({2000, 40000, 200000});
    for (auto& n : x) {
      n = d.between(1, std::min(static_cast<int>(left), d.one_of({3, 9, 40, 400, 3000})));
      left = std::max<std::int64_t>(1, left / n);
    }
    for (std::size_t k = 0; k < axes.size(); ++k) y[k] = x[static_cast<std::size_t>(axes[k])];
    const extents_t xs = draw_steps(d, x), ys = draw_steps(d, y);
    const std::int64_t x0 = d.one_of({0, 0, 1, 3, 16, 32}), y0 = d.one_of({0, 0, 1, 5, 16, 32});
    const auto reach = [](const extents_t& n, const extents_t& steps, std::int64_t first) {
      for (std::size_t a = 0; a < n.size(); ++a) first += (n[a] - 1) * steps[a];
      return static_cast<std::size_t>(first + 1);
    };
    const auto from = random_array<T>(d, reach(x, xs, x0)),
               before = random_array<T>(d, reach(y, ys, y0));
    const T guard = random_bits_of<T>(d);
    guarded_buffer<T> X(s, from, guard), Y(s, before, guard);
    const auto in = array<T>(X.buffer(), x).with_strides(xs).at(x0),
               out = array<T>(Y.buffer(), y).with_strides(ys).at(y0);
    const auto call = [&] {
      permute<T> order(s.queue, options);
      wait_for(order(in, std::span<const int>(axes), out));
    };
    if (!ran_here(call)) return {};
    std::vector<T> expected = before;
    extents_t index(axes.size(), 0);
    for (bool more = true; more;) {
      std::int64_t at = x0, to = y0;
      for (std::size_t k = 0; k < axes.size(); ++k) {
        at += index[k] * xs[k];
        to += index[static_cast<std::size_t>(axes[k])] * ys[k];
      }
      expected[static_cast<std::size_t>(to)] = from[static_cast<std::size_t>(at)];
      std::size_t a = 0;
      while (a < x.size() && ++index[a] == x[a]) index[a++] = 0;
      more = a < x.size();
    }
    const auto got = Y.read();
    std::string text = to_string(*options.policy) + "\nextents, steps in and out, order:";
    for (std::size_t k = 0; k < axes.size(); ++k)
      text += " " + std::to_string(x[k]) + "/" + std::to_string(xs[k]) + "/" +
              std::to_string(ys[k]) + "/" + std::to_string(axes[k]);
    text += " from " + std::to_string(x0) + " to " + std::to_string(y0);
    if (!Y.intact()) return "a guard zone was written\n" + text;
    for (std::size_t i = 0; i < got.size(); ++i)
      if (!same_bits(got[i], expected[i])) return "element " + std::to_string(i) + "\n" + text;
    return {};
  });
}

}  // namespace

CAMPAIGN("any permutation of bytes by words is exact") { any_by_words<std::uint8_t>("b", 15); }
CAMPAIGN("any permutation of half by words is exact") { any_by_words<half>("h", 10); }
CAMPAIGN("any permutation of float by words is exact") { any_by_words<float>("f", 6); }
CAMPAIGN("any permutation of double by words is exact") { any_by_words<double>("d", 4); }
CAMPAIGN("any permutation of 16-byte structs by words is exact") { any_by_words<sixteen>("s", 2); }
