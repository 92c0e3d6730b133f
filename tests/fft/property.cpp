// Any arrays: axes, strides, offsets, batches, directions, in place and out of place, complex and
// real, padded and cut off.

#include <cstdint>
#include <string>
#include <vector>

#include "fft/reference.hpp"

using namespace clprim;
using namespace support;

namespace {

/// The lengths of the transformed axes, behind `rank - axes` that are still to be drawn.
std::vector<std::int64_t> draw_lengths(draw& d, int axes, std::size_t rank) {
  std::vector<std::int64_t> extents(rank - static_cast<std::size_t>(axes));
  while (extents.size() < rank)
    extents.push_back(axes > 1 ? d.one_of({2, 5, 8, 12}) : d.one_of({2, 8, 16, 30, 34, 128}));
  return extents;
}
/// How many transforms there are; the kernels are those of any number.
void draw_batch(draw& d, int axes, std::vector<std::int64_t>& extents) {
  d.kernels_are_chosen();
  for (std::size_t a = 0; a + static_cast<std::size_t>(axes) < extents.size(); ++a)
    extents[a] = d.one_of({1, 3, 9});
}

template <class T> std::string complaint_of_complex(draw& d, const fft_options& base) {
  const clprim::session& s = d.chance(20) ? out_of_order_session() : device_session();
  fft_options o = base;
  o.axes = d.one_of({1, 1, 2, 3});
  const auto rank = static_cast<std::size_t>(o.axes + d.one_of({0, 1, 1}));
  auto extents = draw_lengths(d, o.axes, rank);
  const bool inverse = d.chance(40), in_place = d.chance(30);
  o.inverse_scale = d.one_of({1.0, 0.25});
  draw_batch(d, o.axes, extents);
  const placed_array a = draw_array(d, extents), b = in_place ? a : draw_array(d, extents);
  const auto from = random_complex<T>(d, a.size());
  using value = std::complex<T>;
  guarded_buffer<value> x(s, from, {7, 7}), y(s, std::vector<value>(b.size(), {9, 9}), {7, 7});
  guarded_buffer<value>& out = in_place ? x : y;
  fft<T> transform(s.queue, o);
  const auto in_view = a.view<value>(x.buffer()), out_view = b.view<value>(out.buffer());
  wait_for(inverse ? transform.inverse(in_view, out_view) : transform.forward(in_view, out_view));
  const wide_values wide = reference_transform(dense<wide_value>(from, a), extents, o.axes, inverse,
                                               static_cast<long double>(o.inverse_scale));
  const std::vector<value> got = out.read();
  const long double error = relative_error(dense<value>(got, b), wide);
  std::vector<std::int64_t> lengths(extents.end() - o.axes, extents.end());
  std::size_t touched = 0;  // gaps of the output keep their values
  for (const value& v : got) touched += v == (in_place ? v : value{9, 9}) ? 0 : 1;
  const bool right = error <= error_bound<T>(lengths) && out.intact() &&
                     (in_place || touched <= static_cast<std::size_t>(b.count()));
  if (right) return {};
  return (inverse ? "inverse, " : "forward, ") + a.text() +
         (in_place ? " in place" : " to " + b.text()) + ", " + std::to_string(o.axes) +
         " axes, error " + std::to_string(static_cast<double>(error));
}

/// Real values to half a spectrum and back.
template <class T> std::string complaint_of_real(draw& d, const fft_options& base) {
  const clprim::session& s = device_session();
  fft_options o = base;
  o.axes = d.one_of({1, 1, 2});
  const auto rank = static_cast<std::size_t>(o.axes + 1);
  auto extents = draw_lengths(d, o.axes, rank);
  if (d.chance(40)) extents.back() = d.one_of({3, 9, 15, 17, 62});
  draw_batch(d, o.axes, extents);
  auto halves = extents;
  halves.back() = extents.back() / 2 + 1;
  const placed_array a = draw_array(d, extents), b = draw_array(d, halves);
  using value = std::complex<T>;
  std::vector<T> from(a.size());
  for (T& v : from) v = random_element<T>(d);
  guarded_buffer<T> x(s, from, 7), back(s, std::vector<T>(a.size(), 9), 7);
  guarded_buffer<value> y(s, std::vector<value>(b.size(), {9, 9}), {7, 7});
  fft<T> transform(s.queue, o);
  const auto spectrum = b.view<value>(y.buffer());
  wait_for(transform.forward(a.view<T>(x.buffer()), spectrum));
  wait_for(transform.inverse(spectrum, a.view<T>(back.buffer())));
  wide_values wide;
  for (std::int64_t i = 0; i < a.count(); ++i) wide.emplace_back(from[a.at(i)]);
  const wide_values original = wide;
  wide = reference_transform(wide, extents, o.axes);
  wide_values half;
  for (std::int64_t i = 0; i < a.count(); ++i)
    if (i % extents.back() <= extents.back() / 2) half.push_back(wide[static_cast<std::size_t>(i)]);
  std::vector<value> dense, again;
  const std::vector<value> got = y.read();
  const std::vector<T> returned = back.read();
  for (std::int64_t i = 0; i < b.count(); ++i) dense.push_back(got[b.at(i)]);
  T points = 1;
  for (std::size_t k = 1; k < rank; ++k) points *= static_cast<T>(extents[k]);
  if (o.axes == 1) points = static_cast<T>(extents.back());
  for (std::int64_t i = 0; i < a.count(); ++i) again.emplace_back(returned[a.at(i)] / points);
  const std::vector<std::int64_t> lengths(extents.end() - o.axes, extents.end());
  const long double bound = error_bound<T>(lengths);
  const long double error = relative_error(dense, half), round = relative_error(again, original);
  if (error <= bound && round <= 2 * bound && y.intact() && back.intact()) return {};
  return a.text() + " to " + b.text() + ", " + std::to_string(o.axes) + " axes, error " +
         std::to_string(static_cast<double>(error)) + ", back again " +
         std::to_string(static_cast<double>(round));
}

constexpr fft_policy by_items{.points = 4, .group = 16, .columns = 4, .one_pass = 64};

}  // namespace

CAMPAIGN("any complex arrays are transformed along any of their last axes") {
  run_campaign("complex", 8, [](draw& d) { return complaint_of_complex<float>(d, {}); });
}
CAMPAIGN("any complex arrays are transformed by items, in several passes too") {
  run_campaign("items", 7, [](draw& d) {
    fft_policy p = by_items;
    p.exchange = d.one_of({fft_exchange::halves, fft_exchange::planes, fft_exchange::pairs});
    p.ordered = d.chance(30);
    p.twiddles = d.one_of(
        {fft_twiddles::table, fft_twiddles::powers, fft_twiddles::literal, fft_twiddles::sinpi});
    if (d.chance(50)) p.one_pass = 16;
    if (d.chance(50)) p.pipeline_kib = d.one_of({1, 8});
    p.transposed = d.chance(30);
    p.blocked = d.chance(50);
    const std::string complaint = complaint_of_complex<float>(d, {.policy = p});
    return complaint.empty() ? complaint : complaint + ", " + to_string(p);
  });
}
CAMPAIGN("any arrays of double are transformed") {
  run_campaign("double", 3, [](draw& d) { return complaint_of_complex<double>(d, {}); });
}
CAMPAIGN("real values become half a spectrum and come back") {
  run_campaign("real", 5, [](draw& d) { return complaint_of_real<float>(d, {}); });
  run_campaign("real by items", 4, [](draw& d) {
    fft_policy p = by_items;
    if (d.chance(50)) p.exchange = fft_exchange::pairs;
    return complaint_of_real<float>(d, {.policy = p});
  });
}
