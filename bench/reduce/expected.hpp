#pragma once
// What the reductions of bench_reduce must give: every result, by all cores of the host in double,
// and how far off a result may be.
//
// A sum whose elements pass through at most r additions each has |error| <= gamma(r) sum |x|
// (Higham 2002, section 4.2). The elements here have random signs, so a partial sum of k of them is
// about sqrt(k) large and not k, and errors of either sign cancel: |error| stays far under
// 8 u sqrt(r) |x|_2 (8 is 14 standard deviations of roundings that are uniform within u). At 2^28
// elements the first bound allows thousands, the second less than one element: the lower one holds.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <clprim/core/number_text.hpp>
#include <clprim/reduce.hpp>

namespace bench {

/// The sums of some elements as a host in double sees them.
struct expected_sum {
  double sum = 0, magnitude = 0, squares = 0;

  void add(float x) {
    const auto value = static_cast<double>(x);
    sum += value;
    magnitude += std::fabs(value);
    squares += value * value;
  }
  void add(const expected_sum& other) {
    sum += other.sum;
    magnitude += other.magnitude;
    squares += other.squares;
  }
};

namespace detail {

/// Calls `work(begin, end)` for shares of 0 … count, by as many threads as there are cores.
template <class Work> void by_threads(std::int64_t count, Work work) {
  const auto threads = static_cast<std::int64_t>(
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 16));
  std::vector<std::jthread> workers;
  for (std::int64_t t = 0; t < threads; ++t)
    workers.emplace_back([=] { work(count * t / threads, count * (t + 1) / threads); });
}

/// Four partial sums: the additions of one would wait for each other.
inline expected_sum sum_of_range(const float* x, std::int64_t count) {
  expected_sum part[4];
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (int lane = 0; lane < 4; ++lane) part[lane].add(x[i + lane]);
  for (; i < count; ++i) part[0].add(x[i]);
  for (int lane = 1; lane < 4; ++lane) part[0].add(part[lane]);
  return part[0];
}

}  // namespace detail

/// Of all elements.
inline expected_sum sum_of_all(const float* x, std::int64_t count) {
  constexpr std::int64_t chunks = 256;
  std::vector<expected_sum> parts(chunks);
  detail::by_threads(chunks, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c) {
      const std::int64_t from = count * c / chunks, to = count * (c + 1) / chunks;
      parts[static_cast<std::size_t>(c)] = detail::sum_of_range(x + from, to - from);
    }
  });
  expected_sum all;
  for (const expected_sum& part : parts) all.add(part);
  return all;
}

/// Of each segment; `begin_of(r)` is where segment r begins and segment r - 1 ends.
template <class Begin>
std::vector<expected_sum> sums_of_segments(const float* x, std::int64_t segments, Begin begin_of) {
  std::vector<expected_sum> sums(static_cast<std::size_t>(segments));
  detail::by_threads(segments, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const std::int64_t from = begin_of(r);
      sums[static_cast<std::size_t>(r)] = detail::sum_of_range(x + from, begin_of(r + 1) - from);
    }
  });
  return sums;
}

/// Of each column of a matrix whose rows lie one after the other.
inline std::vector<expected_sum> sums_of_columns(const float* x, std::int64_t rows,
                                                 std::int64_t columns) {
  std::vector<expected_sum> sums(static_cast<std::size_t>(columns));
  std::mutex mutex;
  detail::by_threads(rows, [&](std::int64_t begin, std::int64_t end) {
    std::vector<expected_sum> own(sums.size());
    for (std::int64_t r = begin; r < end; ++r) {
      const float* const row = x + r * columns;
      for (std::size_t c = 0; c < own.size(); ++c) own[c].add(row[c]);
    }
    const std::lock_guard lock(mutex);
    for (std::size_t c = 0; c < own.size(); ++c) sums[c].add(own[c]);
  });
  return sums;
}

/// The greatest element and the first place of it, as op::argmax and CUB promise.
inline clprim::located<float> greatest_of(const float* x, std::int64_t count) {
  constexpr std::int64_t chunks = 256;
  std::vector<std::int64_t> places(chunks);
  detail::by_threads(chunks, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c) {
      places[static_cast<std::size_t>(c)] =
          std::max_element(x + count * c / chunks, x + count * (c + 1) / chunks) - x;
    }
  });
  std::int64_t at = places[0];
  for (const std::int64_t place : places) {
    if (x[place] > x[at]) at = place;
  }
  return {x[at], at};
}

/// Additions that an element passes through at most: the serial part of an item, the lanes and
/// loads that it puts together, the list of the group, and the groups.
inline double additions_of(const clprim::reduce_schedule& s, double length) {
  const clprim::reduce_policy& p = s.policy;
  const bool columns = s.variant.shape == clprim::reduce_shape::columns;
  const int items = columns ? p.group / p.columns : s.variant.items;
  const int width = columns ? 1 : s.variant.vector, loads = columns ? 1 : p.loads;
  const double part = std::ceil(length / s.parts);
  // A window's segments are added by some items each, element by element.
  const double serial = s.variant.staged ? part : std::ceil(part / width / items) / loads;
  const double group = 2 * std::log2(p.group + 1) + p.group / 32 + 32;
  return serial + 3 * loads + 3 * s.variant.vector + 3 + group +
         (s.parts == 1 ? 0 : s.parts + group);
}

/// Who adds in an order that nobody tells: as of sixteen times the additions of our tree, or four
/// times its bound.
inline constexpr double unknown_order = 16;

/// What all results of a row must be: worked out when the first contestant asks, and kept.
class expected_sums {
 public:
  explicit expected_sums(std::function<std::vector<expected_sum>()> make)
    : make_(std::move(make)) {}

  /// What is wrong with the results of somebody whose elements pass through so many additions;
  /// nothing if all is well. A result that was not written is no number.
  std::string wrong(const std::vector<float>& got, double additions) const {
    return compare(got, [additions](const expected_sum& s) {
      constexpr double u = 0x1p-24;
      const double gamma = additions * u / (1 - additions * u);
      return std::min(gamma * s.magnitude, 8 * u * std::sqrt(additions * s.squares));
    });
  }
  /// The same of compensated sums: the last rounding, and those of what a plain sum loses, which
  /// is u times as large as its elements. A plain sum of 2^24 elements hardly passes.
  std::string wrong_compensated(const std::vector<float>& got, double additions) const {
    return compare(got, [additions](const expected_sum& s) {
      constexpr double u = 0x1p-24;
      return 2 * u * std::fabs(s.sum) + 64 * u * u * additions * std::sqrt(s.squares);
    });
  }
  std::size_t count() const { return all().size(); }

 private:
  const std::vector<expected_sum>& all() const {
    if (sums_.empty()) sums_ = make_();
    return sums_;
  }
  template <class Allowed>
  std::string compare(const std::vector<float>& got, Allowed allowed_of) const {
    const std::vector<expected_sum>& sums = all();
    if (got.size() != sums.size())
      return std::to_string(got.size()) + " results, should be " + std::to_string(sums.size());
    std::size_t bad = 0, first = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double error = std::fabs(static_cast<double>(got[i]) - sums[i].sum);
      if (error <= allowed_of(sums[i])) continue;
      if (bad++ == 0) first = i;
    }
    if (bad == 0) return {};
    return std::to_string(bad) + " of " + std::to_string(sums.size()) + " results, the first at " +
           std::to_string(first) + ": " + clprim::general_text(static_cast<double>(got[first]), 9) +
           ", " + clprim::general_text(sums[first].sum, 9) + " +- " +
           clprim::general_text(allowed_of(sums[first]), 2);
  }

  std::function<std::vector<expected_sum>()> make_;
  mutable std::vector<expected_sum> sums_;
};

}  // namespace bench
