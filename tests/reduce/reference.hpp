#pragma once
// What reductions must give: computed on the host in a wider type, with the error that the tree of
// additions may make.
//
// A sum whose elements pass through at most r additions each has |error| <= gamma(r) sum |x|
// (Higham 2002, section 4.2). Here r is the serial part of an item, the lanes and loads that it
// puts together, the tree or list of the group, and the groups.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <clprim/reduce.hpp>

#include "support/device.hpp"
#include "support/rounding.hpp"

namespace support {

/// Additions that one element passes through at most.
inline double roundings(const clprim::reduce_schedule& s, std::int64_t length) {
  const clprim::reduce_policy& p = s.policy;
  const bool columns = s.variant.shape == clprim::reduce_shape::columns;
  const int width = columns ? 1 : s.variant.vector;
  const int items = columns ? p.group / p.columns : s.variant.items;
  const double part = std::ceil(static_cast<double>(length) / s.parts);
  double serial = std::ceil(part / width / items) / (columns ? 1 : p.loads) + p.loads + 3;
  if (s.variant.staged) {  // one by one from the tile, or the whole group
    const double short_one = static_cast<double>(medium_segment(p, s.variant)) / items;
    serial = std::max(std::min(std::ceil(part / items), short_one), part / width / p.group) + 3;
  }
  const double lanes = (columns ? 1 : p.loads) * s.variant.vector + 2 * s.variant.vector;
  const double group = 2 * std::log2(p.group + 1) + p.group / 32 + 32;
  const double groups = s.parts == 1 ? 0 : s.parts + group;
  return serial + lanes + group + groups;
}

/// An element of a reduction as the host sees it.
template <class T> long double number(const T& x) {
  if constexpr (std::same_as<T, clprim::half>)
    return static_cast<long double>(static_cast<float>(x));
  else
    return static_cast<long double>(x);
}

/// The elements of result r of a view.
template <class T>
std::vector<long double> elements_of(const clprim::reduce_view<T>& v, const std::vector<T>& all,
                                     std::int64_t r, const std::vector<std::int64_t>& offsets) {
  std::vector<long double> some;
  if (v.offsets != nullptr) {
    for (auto i = offsets[static_cast<std::size_t>(r)];
         i < offsets[static_cast<std::size_t>(r) + 1]; ++i)
      some.push_back(number(all[static_cast<std::size_t>(v.offset + i)]));
    return some;
  }
  std::int64_t o = r / v.inner, fastest = v.outer;
  for (int k = 0; k < v.slower.count; ++k)
    fastest /= v.slower.extent.at(static_cast<std::size_t>(k));
  std::int64_t first = v.offset + o % fastest * v.outer_stride + r % v.inner;
  o /= fastest;
  for (int k = 0; k < v.slower.count; ++k) {
    const auto d = static_cast<std::size_t>(k);
    first += o % v.slower.extent.at(d) * v.slower.stride.at(d);
    o /= v.slower.extent.at(d);
  }
  for (std::int64_t a = 0; a < v.length; ++a)
    some.push_back(number(all[static_cast<std::size_t>(first + a * v.step)]));
  return some;
}

/// A sum, and how far off a result may be.
struct expected_sum {
  long double sum = 0, magnitude = 0;
};
/// By Neumaier's sum: not off by more than a rounding of the sum, whatever its condition.
inline expected_sum sum_of(const std::vector<long double>& x) {
  expected_sum s;
  long double errors = 0;
  for (const long double v : x) {
    const long double sum = s.sum + v;
    errors += std::fabs(s.sum) >= std::fabs(v) ? (s.sum - sum) + v : (v - sum) + s.sum;
    s.sum = sum;
    s.magnitude += std::fabs(v);
  }
  s.sum += errors;
  return s;
}

/// gamma of r roundings in a type with this epsilon.
inline long double gamma_of(double epsilon, double r) {
  const long double nu = static_cast<long double>(r) * epsilon / 2 + 1e-18L;
  return nu / (1 - nu);
}

/// Unit roundoff of the arithmetic in V, times 2: 0 of integers.
template <class V>
inline constexpr double epsilon_of = std::same_as<V, double>  ? 0x1p-52
                                     : std::same_as<V, float> ? 0x1p-23
                                                              : 0;

/// Roundings of a division or a root besides those of its operand: OpenCL C asks for 2.5 and 3
/// units in the last place of float, each at most two of gamma's.
inline constexpr double of_division = 5, of_root = 6;

/// Mean and variance, and how far off they may be.
struct expected_moments {
  long double mean = 0, variance = 0, mean_error = 0, variance_error = 0;
};
/// Of elements that each pass through at most r steps, an update (Welford) or a merge (Chan, Golub
/// and LeVeque) of which |x| <= M enters. With R the range of the elements a step rounds the mean
/// by at most u M when it adds, and by of_division + 3 units of what it adds, at most R; the errors
/// of two means that are merged enter with weights whose sum is 1. So
///
///     |error of any mean| <= E = gamma(r) (M + 8 R)
///
/// The sum of squares is the sum over all steps of w d^2, with d the distance of two means, wrong
/// by 2 E at most, and w = n_a n_b / (n_a + n_b), whose sum is at most r n, as min(n_a, n_b) bounds
/// each. By Cauchy and Schwarz its error is at most 4 E sqrt(n variance) sqrt(r n) + 4 E^2 r n,
/// besides r additions and the roundings of each term, less than 16 with the division by n.
inline expected_moments moments_of(const std::vector<long double>& x, double epsilon, double r) {
  expected_moments m;
  long double largest = 0, least = x.at(0), most = x.at(0);
  for (const long double v : x) {
    m.mean += v / static_cast<long double>(x.size());
    largest = std::max(largest, std::fabs(v));
    least = std::min(least, v);
    most = std::max(most, v);
  }
  for (const long double v : x)
    m.variance += (v - m.mean) * (v - m.mean) / static_cast<long double>(x.size());
  const long double e = gamma_of(epsilon, r) * (largest + 8 * (most - least));
  const long double steps = r;
  m.mean_error = e;
  m.variance_error = 4 * e * std::sqrt(m.variance * steps) + 4 * e * e * steps +
                     gamma_of(epsilon, r + 16) * m.variance;
  return m;
}

}  // namespace support
