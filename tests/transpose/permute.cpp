// Permutations of up to 6 axes, against loops on the host.

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/transpose/permute.hpp>

#include "support/refusal.hpp"
#include "transpose/turning.hpp"

using namespace clprim;
using namespace support;

namespace {

using extents_t = std::vector<std::int64_t>;

std::size_t place(const extents_t& index, const extents_t& strides, std::int64_t offset) {
  std::int64_t at = offset;
  for (std::size_t a = 0; a < index.size(); ++a) at += index[a] * strides[a];
  return static_cast<std::size_t>(at);
}

/// Strides of axes in some order of speed, now and then with gaps, even between neighbours.
extents_t draw_strides(draw& d, const extents_t& extents) {
  std::vector<std::size_t> order(extents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (d.chance(30))
    for (std::size_t i = order.size(); i-- > 1;)
      std::swap(order[i], order[static_cast<std::size_t>(d.between(0, static_cast<int>(i)))]);
  extents_t strides(extents.size());
  std::int64_t step = d.chance(10) ? 2 : 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = step;
    step *= std::max<std::int64_t>(1, extents[order[i]]);
    if (d.chance(15)) step += d.between(1, 4);
  }
  return strides;
}

std::size_t elements(const extents_t& extents, const extents_t& strides) {
  std::int64_t last = 0;
  for (std::size_t a = 0; a < extents.size(); ++a)
    last += std::max<std::int64_t>(0, extents[a] - 1) * strides[a];
  return static_cast<std::size_t>(last + 1);
}

template <class T> void any_permutation(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) -> std::string {
    const session& s = device_session();
    const int rank = d.between(1, 6);
    std::vector<int> axes(static_cast<std::size_t>(rank));
    std::iota(axes.begin(), axes.end(), 0);
    for (std::size_t i = axes.size(); i-- > 1;)
      std::swap(axes[i], axes[static_cast<std::size_t>(d.between(0, static_cast<int>(i)))]);
    extents_t x(axes.size()), y(axes.size());
    for (auto& n : x) n = d.between(d.chance(3) ? 0 : 1, rank > 4 ? 6 : rank > 2 ? 13 : 90);
    for (std::size_t k = 0; k < axes.size(); ++k) y[k] = x[static_cast<std::size_t>(axes[k])];
    const extents_t xs = draw_strides(d, x), ys = draw_strides(d, y);
    const auto from = random_array<T>(d, elements(x, xs)),
               before = random_array<T>(d, elements(y, ys));
    guarded_buffer<T> X(s, from, random_bits_of<T>(d)), Y(s, before, random_bits_of<T>(d));
    transpose_options options;
    if (d.chance(50)) options.policy = draw_transpose_policy(d);
    const auto as_if = options.policy ? perhaps_gpu(d, s) : elsewhere(d, s, true);
    const auto call = [&] {
      permute<T> order(s.queue, options);
      wait_for(order(array<T>(X.buffer(), x).with_strides(xs), std::span<const int>(axes),
                     array<T>(Y.buffer(), y).with_strides(ys)));
    };
    if (!options.policy)
      call();
    else if (!ran_here(call))
      return {};
    std::vector<T> expected = before;
    extents_t index(axes.size(), 0), turned(axes.size());
    bool more = std::find(x.begin(), x.end(), 0) == x.end();
    while (more) {
      for (std::size_t k = 0; k < axes.size(); ++k)
        turned[k] = index[static_cast<std::size_t>(axes[k])];
      expected[place(turned, ys, 0)] = from[place(index, xs, 0)];
      std::size_t a = 0;
      while (a < x.size() && ++index[a] == x[a]) index[a++] = 0;
      more = a < x.size();
    }
    const auto got = Y.read();
    if (Y.intact() && std::equal(got.begin(), got.end(), expected.begin(), same_bits<T>)) return {};
    std::string text = "extents and order:";
    for (std::size_t k = 0; k < axes.size(); ++k)
      text += " " + std::to_string(x[k]) + "/" + std::to_string(axes[k]);
    return text + (options.policy ? "\n" + to_string(*options.policy) : "");
  });
}

}  // namespace

CAMPAIGN("any permutation of float is exact") { any_permutation<float>("float", 40); }
CAMPAIGN("any permutation of 16-byte structs is exact") { any_permutation<sixteen>("16", 12); }
CAMPAIGN("any permutation of bytes is exact") { any_permutation<std::uint8_t>("bytes", 12); }

CAMPAIGN("any permutation of half is exact") { any_permutation<half>("half", 4); }
CAMPAIGN("any permutation of double is exact") { any_permutation<double>("double", 4); }

CAMPAIGN("a permutation maps and casts its elements under any policy") {
  run_campaign("map and cast", 4, [](draw& d) -> std::string {
    const session& s = device_session();
    const extents_t n{d.between(1, 9), d.between(1, 20), d.between(1, 40)};
    const auto count = static_cast<std::size_t>(n[0] * n[1] * n[2]);
    std::vector<float> from(count);
    for (float& x : from) x = random_integer<float>(d, 1000);
    guarded_buffer<float> X(s, from, 0);
    guarded_buffer<double> Y(s, std::vector<double>(count), -1);
    transpose_options options{.map = {"return value * slope + 1;", {value<float>("slope")}}};
    if (d.chance(80)) options.policy = draw_transpose_policy(d);
    const auto as_if = elsewhere(d, s, !options.policy);
    permute<float, double> order(s.queue, options);
    const bool turned = d.chance(70);  // else the last axis stays: lines are copied
    const std::array<int, 3> axes = turned ? std::array{2, 0, 1} : std::array{1, 0, 2};
    const auto axis = [&](std::size_t k) { return n[static_cast<std::size_t>(axes[k])]; };
    wait_for(order(array<float>(X.buffer(), n), axes,
                   array<double>(Y.buffer(), extents_t{axis(0), axis(1), axis(2)}), {}, {3.f}));
    const auto got = Y.read();
    for (std::int64_t i = 0; i < n[0]; ++i)
      for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t k = 0; k < n[2]; ++k) {
          const auto x = static_cast<std::size_t>((i * n[1] + j) * n[2] + k);
          const auto y = static_cast<std::size_t>(turned ? (k * n[0] + i) * n[1] + j
                                                         : (j * n[0] + i) * n[2] + k);
          if (got[y] != from[x] * 3.0 + 1) return "element " + std::to_string(y) + " is wrong";
        }
    return Y.intact() ? "" : "a guard zone was written";
  });
}

TEST_CASE("axes that are one in both arrays are merged, the fastest two are tiled") {
  const session& s = device_session();
  guarded_buffer<float> X(s, std::vector<float>(3 * 4 * 5 * 6), 0),
      Y(s, std::vector<float>(3 * 4 * 5 * 6), 0);
  const std::array<int, 4> axes{0, 3, 1, 2};
  const transpose_problem p = checked_permutation(array<float>(X.buffer(), {3, 4, 5, 6}), axes,
                                                  array<float>(Y.buffer(), {3, 6, 4, 5}));
  CHECK(p.rows == 20);
  CHECK(p.cols == 6);
  CHECK(p.in_pitch == 6);
  CHECK(p.out_pitch == 20);
  CHECK(p.outer_count == 1);
  CHECK(p.outer[0].extent == 3);
  CHECK((p.task == transpose_task::turn));
}

TEST_CASE("wrong permutations are refused with names and numbers") {
  const session& s = device_session();
  guarded_buffer<float> X(s, std::vector<float>(24), 0), Y(s, std::vector<float>(24), 0);
  permute<float> order(s.queue);
  const auto x = array<float>(X.buffer(), {2, 3, 4}), y = array<float>(Y.buffer(), {4, 3, 2});
  CHECK(refused([&] {
          order(x, {0, 1, 2}, y);
        }) == "extent of axis 0 of Y must equal that of axis 0 of X: 4 given, 2 expected");
  CHECK(refused([&] { order(x, {2, 1, 1}, array<float>(Y.buffer(), {4, 3, 3}).at(0)); }) != "");
  CHECK(refused([&] {
          order(x, {2, 1}, y);
        }) == "length of the permutation must equal the axes of X: 2 given, 3 expected");
  CHECK(refused([&] {
          order(x, {2, 1, 0}, array<float>(X.buffer(), {4, 3, 2}));
        }) == "Y must not share memory with X: overlapping views given, separate memory");
  CHECK(refused([&] {
          order(x, {2, 1, 0}, y.with_strides({1, 1, 1}));
        }) == "strides of Y must keep its elements apart: stride 1 of axis 1 given, at least 4");
  CHECK(refused([&] {
          order(array<float>(X.buffer(), {2, 1, 1, 1, 1, 1, 1}), {0, 1, 2, 3, 4, 5, 6},
                array<float>(Y.buffer(), {2, 1, 1, 1, 1, 1, 1}));
        }) == "axes of X must be within what an array view takes: 7 given, 1 to 6");
}
